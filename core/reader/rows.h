/*
 * rows: JSONL, a JSON array of objects, a JSON object of objects, CSV and TSV as one stream of
 * rows of named cells, so that what a row means is written once. A line of JSON goes through
 * flat_scan, or through json_parse when that refuses it; the cells come out the same. A line, or an
 * element, that is no JSON but a dict as Python prints it counts as the JSON it stands for.
 *
 * Rows that cannot be read are reported and passed over.
 */
#ifndef QUALM_CORE_READER_ROWS_H
#define QUALM_CORE_READER_ROWS_H

#include "core/base/map.h"
#include "core/reader/peek.h"
#include "core/reader/reach.h"
#include "core/reader/reader.h"
#include "core/text/csv.h"
#include "core/text/json.h"

enum cell_type {
	CELL_NULL,   /* also an empty field of a CSV */
	CELL_BOOL,   /* text: true, false */
	CELL_NUMBER, /* text: as written, but see cell_key() */
	CELL_TEXT,   /* every field of a CSV */
	CELL_LIST,
	CELL_OBJECT,
};

struct cell {
	uint32_t column; /* rows_name() */
	enum cell_type type;
	struct str text;   /* NULL, LIST, OBJECT: empty; but of a LIST that was a text: that */
	const cJSON *json; /* LIST, OBJECT: owned by the row; NULL: a LIST of these texts */
	const struct str *texts;
	size_t n_texts;
};

/* What is in a LIST or OBJECT, one after the other: for (struct cell_item i = {.of = c};
 * cell_next(&i);). */
struct cell_item {
	const struct cell *of;
	size_t n;	   /* so many came */
	struct str text;   /* NULL p: it is no text */
	const cJSON *json; /* NULL: a text that has no tree */
};

static inline bool cell_next(struct cell_item *i)
{
	const struct cell *c = i->of;

	if (!c->json) {
		i->text = i->n < c->n_texts ? c->texts[i->n] : STR_NONE;
		return i->n++ < c->n_texts;
	}
	i->json = i->n++ ? i->json->next : c->json->child;
	i->text = json_text(i->json);
	return i->json != NULL;
}

struct row {
	struct src src;
	struct str key; /* member's key in a map of records, else NULL p */
	VEC(struct cell) cells; /* no column twice: the first one counts */
	uint64_t laid; /* of one stream of rows: those with the same number have cells of the same
			  columns, at the same places */
	struct arena arena;
	VEC(cJSON *) trees;
};

#define ROWS_MAX_COLUMNS 4096

struct rows {
	struct read_ctx *ctx;
	enum shape shape;
	struct intern names;      /* of columns */
	VEC(struct flat_usual) usual; /* the same for flat_scan_usual() */
	VEC(uint64_t) seen;       /* by column: number of the row that had it last */
	uint64_t number;
	uint32_t expected;        /* the column that most likely comes next */
	struct lines lines;
	struct json_slice slice;
	struct csv *csv;
	size_t n_header;
	bool headerless;
	bool fixed;  /* no new columns: a row that has one is `strange` */
	/* What may not be asked for is not made: a line of usual keys stays in `flat`, `uncut`, until
	 * rows_cut(); a list of texts has no tree. */
	bool lazy, uncut;
	bool strange, broken; /* of the last row; broken: not even its bounds are certain */
	int bad_run; /* rows in a row that could not be read */
	struct flat flat;
	struct flat_shape lines_like; /* the last ones */
	struct str items[FLAT_SHAPE_ITEMS]; /* of the lists of a line that is like them */
	const struct row *alike; /* its cells are laid out for them; NULL: none */
	struct reaches reach; /* what is put beside each row's cells: reach_open() */
	size_t inside; /* members of a JSON object to go into for the rows */
	struct buf scratch;
	struct buf printed; /* the row at hand as JSON, when it was none (literal.h) */
	struct err why; /* scratch: what is wrong with a row */
};

struct rows_place {
	uint64_t line, byte; /* lines before it; offset in the file */
};

void row_init(struct row *r);
void row_release(struct row *r);
/* Makes r own all its texts, so that it outlives the next call of rows_next(). */
void row_keep(struct row *r);
/* NULL when absent. Names are compared without ASCII case. */
const struct cell *row_find(const struct rows *rows, const struct row *r, const char *name);

/* A CSV's header is read here; without one (a first row that looks like data) the columns are
 * called column1, column2 … A recipe says otherwise, and where in a JSON object the rows are.
 * E_FORMAT when the file has no rows of fields. */
enum status rows_open(struct rows *rows, struct read_ctx *ctx, struct err *err);
/* *more = false at the end. The row's cells borrow rows and row until the next call. */
enum status rows_next(struct rows *rows, struct row *out, bool *more, struct err *err);
/* One row, whether it can be used or not; *ok = false: it was reported. */
enum status rows_step(struct rows *rows, struct row *out, bool *more, bool *ok, struct err *err);
void rows_release(struct rows *rows);

/* Makes the cells of an uncut row; false: reported, not usable. */
bool rows_cut(struct rows *rows, struct row *row);

/* --- lines and CSV in pieces --- */

/* Can a piece of whole rows be read apart from what comes before it? */
bool rows_can_part(const struct rows *rows);
/* Is every end of a line the end of a row? */
bool rows_are_lines(const struct rows *rows);
/* How many bytes are whole rows; the first one begins a row. *sure = false: nobody knows. */
size_t rows_whole(const struct rows *rows, struct str bytes, bool *sure);
/* Rows with the columns of `from`, for another thread; begin with rows_over(). No column is
 * added to them. */
void rows_fork(struct rows *out, const struct rows *from, struct read_ctx *ctx);
struct rows_place rows_place(const struct rows *rows);
/* Goes on in another input, whose first byte is at `place`. */
void rows_over(struct rows *rows, struct input *in, struct rows_place place);
/* Gives back to the input what comes behind the last row. */
enum status rows_stop(struct rows *rows, struct err *err);

/* A column that the file need not have: its number. */
uint32_t rows_add_column(struct rows *rows, struct str name);
static inline struct str rows_name(const struct rows *rows, uint32_t column)
{
	return rows->names.keys.v[column];
}
const char *rows_name_z(const struct rows *rows, uint32_t column);

/* The text of a scalar, blanks at the ends cut off; NULL p for none, null, lists and objects. */
static inline struct str cell_text(const struct cell *c)
{
	if (!c || c->type == CELL_NULL || c->type == CELL_LIST || c->type == CELL_OBJECT)
		return STR_NONE;
	return str_trim(c->text);
}
/* The same for a text that identifies something: 12.0 and 1.2e1 are 12. */
struct str cell_key(struct arena *arena, const struct cell *c);
/* A number or a text that is one. Python's and pandas' words for "none" are no numbers. */
bool cell_number(const struct cell *c, double *out);
/* digits / 10^places; false when that might be another double than str_num() gives: too many. */
bool cell_decimal(uint64_t digits, size_t places, double *out);
/* Nothing there: absent, null, blank, or a word for it: None, null, nan, n/a. */
bool cell_blank(const struct cell *c);
/* true, yes, 1 … */
bool cell_true(const struct cell *c);
/* Appends the cell as a JSON value. */
void cell_json(struct buf *out, const struct cell *c);

#endif
