/*
 * json: JSON in two gears, over one grammar (json_scan.h).
 *
 * flat_scan: one flat object on one line, without allocating. It takes what most prediction
 *   files consist of and refuses the rest; what it refuses goes to json_parse. Where it accepts,
 *   both give identical fields (a differential fuzz target says so).
 * json_slice: cuts the elements out of a big top-level array (or the members out of a top-level
 *   object) one at a time in constant memory; each element then goes to either gear.
 * json_parse: cJSON behind ceilings: depth, size; bare NaN, Infinity, -Infinity become null
 *   (Python writes them), invalid UTF-8 is refused with its offset, duplicate keys keep the first.
 *
 * Both gears: the escape \u0000 and a surrogate without its partner become U+FFFD; a raw control
 * character in a string is refused; a number keeps its text (json_parse puts it into valuestring
 * where printing the double would give another), so that an id of 20 digits stays itself.
 */
#ifndef QUALM_CORE_TEXT_JSON_H
#define QUALM_CORE_TEXT_JSON_H

#include <cjson/cJSON.h>

#include "core/base/arena.h"
#include "core/text/input.h"

#define JSON_MAX_DEPTH 200
#define JSON_MAX_VALUE ((size_t)64 << 20) /* bytes of one element */
#define JSON_MAX_NODES ((size_t)4 << 20)  /* values in one element: each costs some 100 bytes */

enum flat_type { FLAT_NULL, FLAT_BOOL, FLAT_NUMBER, FLAT_STRING, FLAT_ARRAY, FLAT_OBJECT };

struct flat_field {
	struct str key; /* plain bytes: an escaped key is refused */
	enum flat_type type;
	struct str raw; /* string: between the quotes, escapes as written; else the token;
			   array and object: the whole text, checked, not taken apart.
			   NULL may be NaN or the like */
	uint32_t usual; /* which of the usual keys it is, FLAT_UNUSUAL when that is not known */
	bool escaped;   /* string: holds a backslash: use flat_text() */
	bool decimal;   /* number: it is digits / 10^places; 16 bytes at most */
	uint8_t places;
	uint64_t digits;
};

#define FLAT_MAX_FIELDS 64
#define FLAT_UNUSUAL	UINT32_MAX

struct flat {
	size_t n;
	struct flat_field field[FLAT_MAX_FIELDS];
};

/* true: `line` is one complete flat JSON object, valid UTF-8 and all. false: refused, use
 * json_parse (it may still be valid JSON). */
bool flat_scan(struct str line, struct flat *out);
/* A key that most lines have, ready to be compared. */
struct flat_usual {
	struct str key;
	unsigned char head[16]; /* the key and its closing quote, as far as they go */
	uint16_t mask;		/* which bytes of head count; 0: the key is never found */
};
/* Borrows key. One that does not stand in JSON as it is, is never found. */
struct flat_usual flat_usual(struct str key);
/* The same as flat_scan, faster when the keys are among these n different ones and in their
 * order. */
bool flat_scan_usual(struct str line, struct flat *out, const struct flat_usual *usual, size_t n);
/*
 * What stands between the values of a line, to the byte, as a program writes it that writes a million
 * lines of one kind: blanks, keys, signs and quotes. Learned from one line and believed of the next
 * one only where it stands there.
 */
#define FLAT_SHAPE_FIELDS 16
#define FLAT_SHAPE_BYTES  32 /* between two values */
#define FLAT_SHAPE_ITEMS  64 /* of all lists of a line */

struct flat_between {
	unsigned char text[FLAT_SHAPE_BYTES];
	uint32_t n;
	uint32_t bytes; /* a bit for each of text's that counts */
	uint32_t usual; /* of the key in it */
	struct str key; /* borrowed from the usual ones */
	bool string;	/* the value behind it; else a decimal number, or */
	bool list;	/* a list of strings without escapes */
};

struct flat_shape {
	struct flat_between field[FLAT_SHAPE_FIELDS], end;
	size_t n;     /* fields; 0: nothing is known */
	bool lists;   /* has any */
	unsigned version; /* another one for every line that was learned from */
	int misses;   /* since it was right; too many, and it is left alone for some lines */
};

/* The same as flat_scan_usual, faster when lines are shaped alike. shape: {0} at first, always with
 * the same keys. */
bool flat_scan_shaped(struct str line, struct flat *out, struct flat_shape *shape,
		      const struct flat_usual *usual, size_t n);
/* A value of a line of the shape: a string or a list as flat_field.raw, or a decimal number. */
struct flat_value {
	struct str text;
	uint64_t digits; /* of a list: how many items */
	uint8_t places;
	bool escaped;
};
/* How many bytes the line with its LF is that the bytes begin with, when it is of the shape, and its
 * values; 0: it is of another one, or not whole. items: what is in its lists, one behind the other;
 * NULL: lines with lists are of another shape. */
size_t flat_shaped_line(struct str bytes, const struct flat_shape *shape,
			struct flat_value v[FLAT_SHAPE_FIELDS],
			struct str items[FLAT_SHAPE_ITEMS]);
/*
 * Strings side by side that stay the same for many lines, as the names of what made them do: from what
 * stands before the first to the quote behind the last one they are looked at as one. {.from, .n} at
 * first, always with the same shape.
 */
#define FLAT_REPEAT_FIELDS 4
#define FLAT_REPEAT_BYTES  64

struct flat_repeat {
	size_t from, n; /* fields of the shape, all strings; n = 0: none */
	bool again;	/* the last line's were those of the one before */
	/* of the line before: */
	unsigned char text[FLAT_REPEAT_BYTES];
	uint64_t bytes; /* a bit for each of text's that counts; 0: nothing is known */
	size_t length;	/* up to the quote */
	size_t at[FLAT_REPEAT_FIELDS], size[FLAT_REPEAT_FIELDS]; /* the values in it */
	int misses; /* since they were the same; too many, and they are left alone for some lines */
};

/* The same for a shape without lists, faster when they stay the same. */
size_t flat_repeating_line(struct str bytes, const struct flat_shape *shape,
			   struct flat_repeat *repeat, struct flat_value v[FLAT_SHAPE_FIELDS]);
const struct flat_field *flat_get(const struct flat *f, struct str key); /* NULL if absent */
/* The decoded text of a string field: borrows the line when nothing was escaped, else scratch.
 * Numbers as json_scalar() gives them; other types: the token as written. */
struct str flat_text(const struct flat_field *field, struct buf *scratch);

/* Parse text (one whole value). On E_FORMAT the message has the byte offset; E_LIMIT names the
 * ceiling. Caller: cJSON_Delete. */
enum status json_parse(struct str text, cJSON **out, struct err *err);
/* A list of strings without escapes, checked already (a FLAT_ARRAY): the tree that json_parse() would
 * make, in the arena, so that nobody deletes it. false: it is another kind of list. */
bool json_list_of_texts(struct arena *arena, struct str raw, cJSON **out);
/* Helpers that never fail: NULL / fallback when absent or of another type. */
const cJSON *json_get(const cJSON *object, const char *key); /* case-sensitive */
struct str json_text(const cJSON *item);                     /* string value, else STR_NONE */
bool json_number(const cJSON *item, double *out);
/* A string as is; a number without a fraction as an integer ("1.0" and "1e2" are "1" and "100";
 * integers of any length as written), other numbers as written; a boolean as true/false;
 * STR_NONE for null, arrays, objects. Borrows item or scratch (overwritten). */
struct str json_scalar(const cJSON *item, struct buf *scratch);

#define JSON_SLICE_ENTER 3

struct json_slice {
	struct input *in;
	struct str block;
	struct buf element;
	struct buf key;      /* of an object's member, decoded */
	uint64_t line, byte; /* where the element began */
	uint64_t at_line, at_byte;
	size_t max; /* JSON_MAX_VALUE; tests lower it */
	char line_end;
	/* To be set before the first call: a member of this name that is an array or object is not
	 * delivered, its own elements are; the next name counts among these, and so on. */
	const char *enter[JSON_SLICE_ENTER];
	size_t inside; /* how many of them the element is in */
	bool object, started, fresh, ended;
};

void json_slice_init(struct json_slice *s, struct input *in);
/* The next element's text (valid until the next call), not yet checked: what is between two
 * commas, so it may be empty; *more = false at the end.
 * E_FORMAT when the file is no array or object, ends early or goes on after the end, E_LIMIT for
 * an element over the ceiling: everything before was delivered, nothing comes after. An object's
 * member is delivered as often as its key is there. */
enum status json_slice_next(struct json_slice *s, struct str *element, bool *more, struct err *err);
void json_slice_release(struct json_slice *s);

/* Append s as a JSON string with quotes. Invalid UTF-8 becomes U+FFFD. */
void json_quote(struct buf *out, struct str s);
/* Append a number so that it reads back equal; null for NaN and infinities. */
void json_put_number(struct buf *out, double v);

#endif
