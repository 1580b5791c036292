/*
 * tree: a table of primary, secondary, tertiary … words becomes the tree of one facet:
 * `emotion`, or --map facet=NAME. Each row is a path from the root; blanks end it early.
 *
 * A tree's values are told apart by name, so a word that stands on two levels (anger below rage
 * below anger) stays on the higher one.
 */
#include "core/reader/rows.h"
#include "core/reader/table.h"

#define MAX_DEPTH 16

static const char *const level_names[] = {"primary", "secondary", "tertiary", "quaternary"};

static bool is_level(struct str name)
{
	for (size_t i = 0; i < sizeof level_names / sizeof *level_names; i++)
		if (str_eq_nocase(name, str_z(level_names[i])))
			return true;
	return str_starts(name, STR("level"));
}

static int probe(struct str path, struct str head)
{
	struct peek p;
	int score = 0;

	(void)path;
	peek_open(&p, head);
	if (p.shape == SHAPE_CSV && peek_has(&p, "primary") && peek_has(&p, "secondary"))
		score = 95;
	peek_release(&p);
	return score;
}

static enum rank rank(struct str path, struct str head)
{
	(void)path;
	(void)head;
	return RANK_TREE;
}

struct tree {
	struct read_ctx *ctx;
	struct rows rows;
	struct str facet;
	bool all_levels; /* no header names a level: every column is one */
	struct intern words;
	VEC(struct rec_tree) list; /* deepest level of each word's first row */
	VEC(int) depth;
	struct arena arena;
};

static void take(struct tree *t, struct src src, struct str word, struct str parent, int depth)
{
	size_t known = t->words.keys.n;
	uint32_t id = intern_add(&t->words, word);
	struct rec_tree rec = {src, t->facet, intern_key(&t->words, id),
			       parent.n ? arena_str(&t->arena, parent) : STR_NONE};

	if (id == known) {
		vec_push(&t->list, rec);
		vec_push(&t->depth, depth);
	} else if (depth < t->depth.v[id]) {
		t->list.v[id] = rec;
		t->depth.v[id] = depth;
	} else if (depth == t->depth.v[id] && !str_eq(rec.parent, t->list.v[id].parent)) {
		report_add(t->ctx->report, PROBLEM_WARNING, src, level_names[depth < 4 ? depth : 3],
			   "\"%.*s\" hangs below \"%.*s\" already", (int)(word.n & 0xff), word.p,
			   (int)(t->list.v[id].parent.n & 0xff), t->list.v[id].parent.p);
	}
}

static void take_row(struct tree *t, const struct row *row)
{
	struct str parent = STR_NONE;
	int depth = 0;

	for (size_t i = 0; i < row->cells.n && depth < MAX_DEPTH; i++) {
		struct str word = cell_text(&row->cells.v[i]);

		if (!t->all_levels && !is_level(rows_name(&t->rows, row->cells.v[i].column)))
			continue;
		if (!word.n)
			break;
		if (word.n > 255) {
			report_add(t->ctx->report, PROBLEM_SKIPPED, row->src,
				   rows_name_z(&t->rows, row->cells.v[i].column),
				   "expected a word, got %zu bytes", word.n);
			return;
		}
		take(t, row->src, word, parent, depth++);
		parent = word;
	}
}

static enum status send(struct tree *t, struct err *err)
{
	enum status st = OK;

	for (int depth = 0; depth < MAX_DEPTH && !st; depth++)
		for (size_t i = 0; i < t->list.n && !st; i++)
			if (t->depth.v[i] == depth)
				st = sink_tree(t->ctx->sink, &t->list.v[i], err);
	return st;
}

static enum status read_rows(struct tree *t, struct err *err)
{
	struct row row;
	bool more = true;
	enum status st = rows_open(&t->rows, t->ctx, err);

	row_init(&row);
	t->all_levels = true;
	for (uint32_t i = 0; !st && i < t->rows.names.keys.n; i++)
		if (is_level(rows_name(&t->rows, i)))
			t->all_levels = false;
	while (!st && more) {
		st = rows_next(&t->rows, &row, &more, err);
		if (!st && more)
			take_row(t, &row);
	}
	row_release(&row);
	return st ? st : send(t, err);
}

static enum status read_file(struct read_ctx *ctx, struct err *err)
{
	struct tree t = {.ctx = ctx, .facet = reader_mapped(ctx->opt, "facet")};
	enum status st;

	if (!t.facet.n)
		t.facet = STR("emotion");
	st = read_rows(&t, err);
	rows_release(&t.rows);
	intern_release(&t.words);
	vec_release(&t.list);
	vec_release(&t.depth);
	arena_release(&t.arena);
	return st;
}

const struct reader reader_tree = {
    .name = "tree",
    .help = "a tree of facet values: TSV or CSV with primary, secondary, tertiary …",
    .probe = probe,
    .rank = rank,
    .read = read_file,
};
