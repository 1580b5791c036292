/*
 * reach: what a row does not have as a cell of its own, put beside its cells (rows.h): a value
 * inside a nested one, by its path (`meta.file`, `choices[0].text`), the same column for a further
 * field, a constant, the row's number; and a text with separators made into a list.
 *
 * A member that is called as the path is wins: "a.b" may be the name of a column.
 */
#ifndef QUALM_CORE_READER_REACH_H
#define QUALM_CORE_READER_REACH_H

#include <cjson/cJSON.h>

#include "core/base/err.h"
#include "core/base/str.h"
#include "core/base/vec.h"

#define REACH_MAX_STEPS 16
#define REACH_MAX	128 /* of one file */

struct reach_step {
	struct str name; /* of a member; p NULL: the element `at` */
	uint32_t at;
};

struct reach_path {
	struct reach_step step[REACH_MAX_STEPS];
	size_t n;
};

/* Members are parted by '.', elements are [N] from 0 on, ["…"] is a member whose name has one of
 * these signs in it. Borrows text. false: it is no path, or has too many steps. */
bool reach_parse(struct str text, struct reach_path *out);
/* Appends a step so that it is read as one again. */
void reach_put_member(struct buf *out, struct str name);
void reach_put_element(struct buf *out, uint32_t at);
/* What is there, or NULL. */
const cJSON *reach_walk(const cJSON *tree, const struct reach_step *step, size_t n);

enum reach_kind { REACH_PATH, REACH_CONSTANT, REACH_NUMBER, REACH_SPLIT };

struct mapping;

struct reached {
	enum reach_kind kind;
	uint32_t column;	  /* the one it makes; SPLIT: that it changes */
	const struct mapping *of; /* the field that the column is for; NULL: what is usual */
	struct reach_path path;	  /* PATH: the first step is the column that it begins in */
	struct str text;	  /* CONSTANT: the value; SPLIT: what parts the items */
};

struct reaches {
	VEC(struct reached) list;
};

struct rows;
struct row;

/* After the header is read: what the options of rows->ctx ask for. E_LIMIT. */
enum status reach_open(struct rows *rows, struct err *err);
/* The row's cells are whole: adds to them. */
void reach_row(struct rows *rows, struct row *row);
/* The field that a column was made for; NULL: it is the file's own. */
const struct mapping *reach_field(const struct rows *rows, uint32_t column);
/* Needs it rows in their order, each one's number? */
bool reach_counts(const struct rows *rows);

#endif
