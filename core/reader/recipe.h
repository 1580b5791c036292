/*
 * recipe: how a table that no format knows is read, under a name: which column is which field, and
 * what the table itself does not say. A recipe is an ini file of its own, not a part of a project:
 * it is made once and then taken by any project, read and changed in an editor, kept beside the
 * data it is for, sent to others. See qualm(5), RECIPES.
 *
 *   [table]      holds = samples | predictions     header = yes | no     rows = data.items
 *                join = loose | exact | position   column = NAME (all that the table had)
 *   [fields]     FIELD = COLUMN, or a path into what is nested
 *   [constants]  FIELD or any NAME = VALUE of every row
 *   [separators] FIELD = what parts the items of one text
 *   [spelling]   CLASS = as the table writes it
 *
 * A value that begins with a quote is a JSON string, for what an ini file would cut off.
 */
#ifndef QUALM_CORE_READER_RECIPE_H
#define QUALM_CORE_READER_RECIPE_H

#include "core/base/arena.h"
#include "core/base/vec.h"
#include "core/reader/reader.h"

#define RECIPE_MAX_LIST	 1024 /* entries of a section, but for spellings */
#define RECIPE_MAX_SPELT 20000
#define RECIPE_MAX_VALUE 1000 /* bytes */
#define RECIPE_ROWS	 3    /* objects to go into */

enum recipe_header { HEADER_AS_SEEN, HEADER_YES, HEADER_NO };
enum recipe_holds { HOLDS_AS_SEEN, HOLDS_SAMPLES, HOLDS_PREDICTIONS };
/* Of keys that are no sample's to the letter: as match.h has it; none is; and the n-th row is the
 * dataset's n-th sample, whatever it is called. */
enum recipe_join { JOIN_LOOSE, JOIN_EXACT, JOIN_POSITION };

struct recipe {
	struct arena arena; /* of all texts, which have a NUL behind them */
	const char *name;   /* as it is called in messages; NULL: it has none */
	enum recipe_header header;
	enum recipe_holds holds;
	enum recipe_join join;
	const char *rows[RECIPE_ROWS + 1]; /* names of members, from outside to inside; ends with NULL */
	VEC(struct str) columns;
	VEC(struct mapping) fields, constants, separators, spelling;
};

/* --- fields --- */

struct recipe_field {
	const char *word, *help;
};
extern const struct recipe_field recipe_fields[]; /* ends with NULL; in a useful order */
/* One of these words, or label@LAYER. */
bool recipe_is_field(struct str word);
struct str recipe_layer(struct str word); /* of "label@LAYER", else empty */
/* Constants that are options of the import as well: model, run, protocol, layer. */
bool recipe_is_option(struct str word);

/* --- the file --- */

/* E_FORMAT, E_LIMIT with the line; out is empty then. */
enum status recipe_read(struct str text, struct recipe *out, struct err *err);
/* E_LIMIT: a name does not fit into a line of such a file. E_FORMAT: it would not be read again. */
enum status recipe_write(const struct recipe *r, struct buf *out, struct err *err);
void recipe_release(struct recipe *r);
void recipe_copy(const struct recipe *from, struct recipe *out);

/* --- changing one; texts are copied --- */

/* What the column is for; an empty word: whatever is usual. NULL p when nothing is said. */
struct str recipe_field_of(const struct recipe *r, struct str column);
void recipe_set_field(struct recipe *r, struct str column, struct str word);
/* value empty: it goes. list: one of constants, separators. */
void recipe_set_constant(struct recipe *r, struct str name, struct str value);
void recipe_set_separator(struct recipe *r, struct str field, struct str value);
void recipe_add_spelling(struct recipe *r, struct str name, struct str written);
struct str recipe_constant(const struct recipe *r, const char *name);
struct str recipe_separator(const struct recipe *r, struct str field);
/* "data.items": false when it is no list of at most RECIPE_ROWS names. */
bool recipe_set_rows(struct recipe *r, struct str path);
void recipe_put_rows(const struct recipe *r, struct buf *out);

/* --- using one --- */

/* The options as the recipe completes them; what they say already wins. Texts borrow r, lists live
 * in the arena. */
void recipe_apply(const struct recipe *r, struct arena *arena, struct read_options *opt);
/* Where among the files of a command a file comes that is read by r. */
enum rank recipe_rank(const struct recipe *r);
/* The first column that a field wants and that is not among names; NULL p: all are there. */
struct str recipe_missing(const struct recipe *r, const struct str *names, size_t n);
/* 0 … 100: how much a table with these columns is like the one that the recipe was made for; 0 when
 * one that it wants is missing. From RECIPE_LIKE on it is worth proposing. */
int recipe_likeness(const struct recipe *r, const struct str *names, size_t n);
#define RECIPE_LIKE 75

/* A sink in front of another one that spells classes as [spelling] has it. */
struct respell;
struct respell *respell_new(const struct recipe *r); /* borrows r */
struct sink *respell_sink(struct respell *s, struct sink *next);
void respell_free(struct respell *s); /* NULL is fine */

#endif
