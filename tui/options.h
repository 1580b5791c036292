/*
 * options: what a user can set, one table. The configuration file, `:set`, their messages and
 * completion go by it; a test holds the manual to it.
 */
#ifndef QUALM_TUI_OPTIONS_H
#define QUALM_TUI_OPTIONS_H

#include "core/base/err.h"
#include "core/base/str.h"

/* X(id, name, type, initial, range, least, most, help): range is what the user reads; for a
 * choice it is the words themselves, for a number least and most bound it. */
#define OPTIONS(X)                                                                                 \
	X(THEME, "theme", TEXT, "auto", "auto, the name of a built-in theme, or a file", 0, 0,     \
	  "colours; auto: dark or light, as the terminal's background is")                         \
	X(PICTURES, "pictures", CHOICE, "auto", "auto sixel blocks ascii none", 0, 0,              \
	  "how pictures are drawn; auto: as the terminal can")                                     \
	X(CELL, "cell", SIZE, "auto", "auto, or pixels as WxH: 10x20", 0, 0,                       \
	  "the size of a character, where the terminal does not tell it")                          \
	X(COLORS, "picture-colors", NUMBER, "256", "2 to 256", 2, 256,                             \
	  "the most colours that a sixel has")                                                     \
	X(REST, "picture-rest", NUMBER, "80", "0 to 2000", 0, 2000,                                \
	  "milliseconds that the cursor rests before a picture is loaded")                         \
	X(MID_P, "mid-p", CHOICE, "no", "no yes", 0, 0,                                            \
	  "McNemar's test in Classes by mid-p, which is less strict")                              \
	X(SEED, "seed", NUMBER, "20240117", "0 to 2147483647", 0, 2147483647,                      \
	  "of the random numbers of the bootstrap in Classes")                                     \
	X(WHEEL, "wheel", CHOICE, "no", "no yes", 0, 0,                                            \
	  "the mouse's wheel moves the cursor; text is then selected with Shift held")             \
	X(ALPHA, "alpha", NUMBER, "50", "0 to 100", 0, 100,                                        \
	  "MME-Emotion: the weight of Rec-S in CoT-S, in percent; Rea-S has the rest")             \
	X(UNPARSED, "unparsed-marks", CHOICE, "skip", "skip zero", 0, 0,                           \
	  "MME-Emotion: answers whose marks cannot be read have no score, or 0")

enum option_id {
#define X(id, ...) OPTION_##id,
	OPTIONS(X)
#undef X
	N_OPTIONS
};

enum option_type { OPTION_TEXT, OPTION_CHOICE, OPTION_NUMBER, OPTION_SIZE };

struct option {
	const char *name;
	enum option_type type;
	const char *initial, *range;
	int least, most;
	const char *help;
};

extern const struct option option_table[N_OPTIONS];

/* What was set. All zero: nothing. */
struct option_values {
	char *value[N_OPTIONS]; /* owned; NULL = as it is initially */
};

/* E_USAGE with the nearest name when there is none such. */
enum status option_find(struct str name, enum option_id *out, struct err *err);
/* E_USAGE with the range when the value is not in it; then nothing is changed. Whether a file that
 * it names is any good is not looked at. */
enum status option_set(struct option_values *v, enum option_id id, struct str value,
		       struct err *err);
const char *option_get(const struct option_values *v, enum option_id id);
int option_number(const struct option_values *v, enum option_id id);
/* value: of an option that can also be "auto"; NULL when it is. */
const char *option_unless_auto(const struct option_values *v, enum option_id id);
void option_values_copy(const struct option_values *from, struct option_values *to);
void option_values_release(struct option_values *v);

#endif
