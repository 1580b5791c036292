/* pairs: a table of equivalent classes, one pair a row: c1, c2 as indices, wnids or names. */
#include "core/reader/answer.h"
#include "core/reader/guess.h"
#include "core/reader/table.h"

static const char *const names[][2] = {
    {"c1", "c2"}, {"class1", "class2"}, {"class_1", "class_2"}, {"idx1", "idx2"}, {"a", "b"},
};

/* A table of samples may have columns c1 and c2 of its own. */
static bool has_samples(const struct peek *p)
{
	for (size_t i = 0; i < p->n; i++) {
		enum role role = guess_role(p->name[i]).role;

		if (role == ROLE_KEY || role == ROLE_IMAGE || role == ROLE_LABEL ||
		    role == ROLE_PREDICTION || role == ROLE_RAW)
			return true;
	}
	return false;
}

static int probe(struct str path, struct str head)
{
	struct peek p;
	int score = 0;

	(void)path;
	peek_open(&p, head);
	if (p.shape == SHAPE_CSV && ((peek_has(&p, "c1") && peek_has(&p, "c2")) ||
				     (peek_has(&p, "class1") && peek_has(&p, "class2")) ||
				     (peek_has(&p, "class_1") && peek_has(&p, "class_2")) ||
				     (peek_has(&p, "idx1") && peek_has(&p, "idx2"))))
		score = has_samples(&p) ? 0 : 95;
	peek_release(&p);
	return score;
}

static enum rank rank(struct str path, struct str head)
{
	(void)path;
	(void)head;
	return RANK_PAIRS;
}

/* The columns by name, else the first two. */
static void find_columns(const struct rows *rows, uint32_t column[2])
{
	column[0] = 0;
	column[1] = 1;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		uint32_t a = intern_find(&rows->names, str_z(names[i][0]));
		uint32_t b = intern_find(&rows->names, str_z(names[i][1]));

		if (a != INTERN_NONE && b != INTERN_NONE) {
			column[0] = a;
			column[1] = b;
			return;
		}
	}
}

static enum status take_row(struct read_ctx *ctx, const struct rows *rows, const struct row *row,
			    const uint32_t column[2], struct err *err)
{
	struct rec_pair rec = {.src = row->src};
	struct class_ref *refs[2] = {&rec.a, &rec.b};

	for (int i = 0; i < 2; i++) {
		struct str text = STR_NONE;

		for (size_t k = 0; k < row->cells.n; k++)
			if (row->cells.v[k].column == column[i])
				text = cell_text(&row->cells.v[k]);
		if (!ref_from_text(text, refs[i])) {
			report_add(ctx->report, PROBLEM_SKIPPED, row->src,
				   rows_name_z(rows, column[i]),
				   "expected a class: an index, a wnid or a name");
			return OK;
		}
	}
	return sink_pair(ctx->sink, &rec, err);
}

static enum status read_file(struct read_ctx *ctx, struct err *err)
{
	struct rows rows;
	struct row row;
	uint32_t column[2];
	bool more = true;
	enum status st = rows_open(&rows, ctx, err);

	row_init(&row);
	if (!st && rows.names.keys.n < 2 && rows.shape == SHAPE_CSV)
		st = err_set(err, E_FORMAT, "expected two columns of classes");
	while (!st && more) {
		st = rows_next(&rows, &row, &more, err);
		if (st || !more)
			break;
		find_columns(&rows, column);
		if (rows.names.keys.n >= 2)
			st = take_row(ctx, &rows, &row, column, err);
	}
	row_release(&row);
	rows_release(&rows);
	return st;
}

const struct reader reader_pairs = {
    .name = "pairs",
    .help = "pairs of equivalent classes: a table with columns c1 and c2",
    .probe = probe,
    .rank = rank,
    .read = read_file,
};
