/*
 * classes: class lists. Tables (index or wnid with a name, further columns ending in "name" are
 * aliases); JSON ({"0": ["n01440764", "tench"]}, {"0": "tench, Tinca tinca"}, {"tench": 0},
 * {"n01440764": "tench"}, ["tench", …], [["n01440764", "tench"], …], a model's config with id2label);
 * Python (a list, its body, {0: 'tench, Tinca tinca'}); lines (a name each; "0 tench"; "0: tench";
 * "n02119789 1 kit_fox"; "n01440764 tench, Tinca tinca").
 *
 * --map second=COLUMN: the column is a second list of names, by which no answer is mapped (it makes
 * the oop kind alias, benchmarks.md §2.3); the other columns of names are left alone then.
 */
#include "core/base/path.h"
#include "core/reader/classes.h"
#include "core/reader/guess.h"
#include "core/reader/rows.h"
#include "core/reader/table.h"

#define MAX_ALIASES 64

/* In order of preference. */
static const char *const index_names[] = {"idx", "index", "class_id", "class_index", "class_idx",
					  "label_id", "id", NULL};
static const char *const wnid_names[] = {"wnid", "synset", "synset_id", NULL};
static const char *const code_names[] = {"ilsvrc_id", "ilsvrc2012_id", NULL};
static const char *const name_names[] = {"modified_name", "name", "class_name", "classname",
					 "display_name", "class", "label", "simple_name",
					 "openai_name", "clsloc_name", NULL};
static const char *const parent_names[] = {"parent", "superclass", "hypernym", NULL};

static const char *const no_names[] = {NULL};

static const char *first_of(const struct peek *p, const char *const *names)
{
	for (; *names; names++)
		if (peek_has(p, *names))
			return *names;
	return NULL;
}

static int table_score(const struct peek *p)
{
	const char *index = first_of(p, index_names), *name = first_of(p, name_names);
	bool wnid = first_of(p, wnid_names) != NULL;

	for (size_t i = 0; i < p->n; i++) {
		enum role role = guess_role(p->name[i]).role;

		if (role == ROLE_IMAGE || role == ROLE_QUESTION || role == ROLE_STATEMENT ||
		    role == ROLE_OPTIONS || role == ROLE_PREDICTION || role == ROLE_ANSWER ||
		    role == ROLE_PREDICTION_INDEX || role == ROLE_RAW || role == ROLE_MODEL ||
		    role == ROLE_SCORE || role == ROLE_LABEL_FULL)
			return 0;
	}
	if (wnid && name)
		return index && strcmp(index, "id") != 0 ? 90 : 80;
	if (!index || !name)
		return 0;
	/* id,label is a table of samples; id,name may be either, but has no truth. */
	if (strcmp(name, "label") == 0 || strcmp(name, "class") == 0)
		return strstr(index, "class") ? 80 : 0;
	return 80;
}

bool classes_called(struct str path)
{
	static const char *const words[] = {"class", "label", "categor", "synset", "names", NULL};
	struct str base = path_base(path);

	for (const char *const *w = words; *w; w++)
		if (str_find_nocase(base, str_z(*w)) != SIZE_MAX)
			return true;
	return false;
}

/* "anger, rage" in each line of classes.txt are names with a comma, no columns. */
static bool are_names(struct str path, const struct peek *p)
{
	struct str ext = path_ext(path);

	for (size_t i = 0; i < p->n; i++)
		if (looks_like_image(p->name[i]))
			return false;
	return p->delimiter != '\t' && (!ext.n || str_eq_nocase(ext, STR("txt"))) && classes_called(path);
}

enum classes_form classes_form(struct str path, struct str head, int *score)
{
	enum classes_form form = CLASSES_NONE;
	struct peek p;
	bool table;
	int lines, python;

	peek_open(&p, head);
	*score = p.shape == SHAPE_TEXT || p.shape == SHAPE_OBJECT ? 0 : table_score(&p);
	if (*score)
		form = CLASSES_TABLE;
	if (p.shape != SHAPE_TEXT && p.shape != SHAPE_CSV && !*score &&
	    (*score = classes_json_score(&p, head)) > 0)
		form = CLASSES_JSON;
	/* 'tench', # comment: is a table of one column, if one at all. */
	table = p.shape == SHAPE_CSV && p.n > 1 && str_trim(p.name[1]).n &&
		str_trim(p.name[1]).p[0] != '#';
	if (!*score && (python = classes_python_score(head)) > 0) {
		*score = table && python < 86 ? 5 : python;
		form = CLASSES_PYTHON;
	}
	if ((p.shape == SHAPE_TEXT || p.shape == SHAPE_CSV) && *score <= 5 &&
	    (lines = classes_lines_score(head)) > 0) {
		*score = table && lines < 85 && !are_names(path, &p) ? 5 : lines;
		form = CLASSES_LINES;
	}
	peek_release(&p);
	return form;
}

static int probe(struct str path, struct str head)
{
	int score;

	return classes_form(path, head, &score) == CLASSES_NONE ? 0 : score;
}

static enum rank rank(struct str path, struct str head)
{
	(void)path;
	(void)head;
	return RANK_CLASSES;
}

struct table {
	uint32_t index, wnid, code, name, parent;
	uint32_t second; /* mapped by hand; then no other column has names that count */
};

static uint32_t column_of(const struct rows *rows, const struct read_ctx *ctx, const char *field,
			  const char *const *names)
{
	struct str mapped = reader_mapped(ctx->opt, field);

	for (; mapped.n || *names; names += !mapped.n) {
		struct str want = mapped.n ? mapped : str_z(*names);

		for (uint32_t i = 0; i < rows->names.keys.n; i++)
			if (str_eq_nocase(rows_name(rows, i), want))
				return i;
		if (mapped.n)
			break;
	}
	return INTERN_NONE;
}

static bool is_alias_column(struct str name)
{
	return str_ends_nocase(name, STR("name")) || str_ends_nocase(name, STR("names")) ||
	       str_starts(name, STR("alias")) || str_starts(name, STR("synonym"));
}

static void take_cell(struct class_list *l, const struct table *t, const struct rows *rows,
		      const struct cell *c, struct class_entry *e)
{
	struct str text = cell_text(c);

	if (c->column == t->index) {
		if (!str_int(text, &e->index) || e->index < 0)
			e->index = -2;
	} else if (c->column == t->wnid) {
		e->wnid = text;
	} else if (c->column == t->code) {
		e->code = text;
	} else if (c->column == t->name) {
		e->name = text;
	} else if (c->column == t->parent) {
		e->parent = text;
	} else if (c->column == t->second) {
		e->second = text;
	} else if (t->second == INTERN_NONE && is_alias_column(rows_name(rows, c->column)) && text.n &&
		   e->n_aliases < MAX_ALIASES) {
		e->aliases[e->n_aliases++] = arena_str(&l->arena, text);
	}
}

/* Lists joined into one field: aliases parted by ';' or '|' or ','. Kept whole as well. */
static void split_aliases(struct class_list *l, struct class_entry *e)
{
	size_t given = e->n_aliases;

	for (size_t i = 0; i < given; i++) {
		struct str rest = e->aliases[i], part;
		char sep = memchr(rest.p, ';', rest.n) ? ';' : memchr(rest.p, '|', rest.n) ? '|' : ',';

		if (!memchr(rest.p, sep, rest.n))
			continue;
		while (rest.p && e->n_aliases < 2 * MAX_ALIASES) {
			rest = str_cut(rest, sep, &part);
			if (str_trim(part).n)
				e->aliases[e->n_aliases++] = arena_str(&l->arena, str_trim(part));
		}
	}
}

static enum status take_row(struct class_list *l, const struct table *t, const struct rows *rows,
			    const struct row *row, struct err *err)
{
	struct class_entry e = {.src = row->src, .index = -1};
	struct str aliases[2 * MAX_ALIASES];

	e.aliases = aliases;
	for (size_t i = 0; i < row->cells.n; i++)
		take_cell(l, t, rows, &row->cells.v[i], &e);
	if (e.index == -2) {
		report_add(l->ctx->report, PROBLEM_SKIPPED, row->src, rows_name_z(rows, t->index),
			   "expected a class index from 0 on");
		return OK;
	}
	if (!e.name.n && e.n_aliases)
		e.name = e.aliases[0];
	if (!e.name.n && !e.wnid.n) {
		report_add(l->ctx->report, PROBLEM_SKIPPED, row->src, "name",
			   "expected a class's name, got nothing");
		return OK;
	}
	split_aliases(l, &e);
	e.aliases = arena_alloc(&l->arena, (e.n_aliases + 1) * sizeof *aliases);
	memcpy(e.aliases, aliases, e.n_aliases * sizeof *aliases);
	return class_list_add(l, &e, err);
}

enum status classes_read_table(struct class_list *l, struct err *err)
{
	struct rows rows;
	struct row row;
	bool more = true;
	enum status st = rows_open(&rows, l->ctx, err);

	row_init(&row);
	while (!st && more) {
		struct table t;

		st = rows_next(&rows, &row, &more, err);
		if (st || !more)
			break;
		t.index = column_of(&rows, l->ctx, "index", index_names);
		t.wnid = column_of(&rows, l->ctx, "wnid", wnid_names);
		t.code = column_of(&rows, l->ctx, "code", code_names);
		t.name = column_of(&rows, l->ctx, "name", name_names);
		t.parent = column_of(&rows, l->ctx, "parent", parent_names);
		t.second = column_of(&rows, l->ctx, "second", no_names);
		l->numbered |= t.index != INTERN_NONE;
		st = take_row(l, &t, &rows, &row, err);
	}
	row_release(&row);
	rows_release(&rows);
	class_list_underscores(l);
	return st;
}

enum status classes_read(struct class_list *l, struct err *err)
{
	const struct read_ctx *ctx = l->ctx;
	int score;

	switch (classes_form(str_z(ctx->in->path), buf_view(&ctx->in->head), &score)) {
	case CLASSES_TABLE:
		return classes_read_table(l, err);
	case CLASSES_JSON:
		return classes_read_json(l, err);
	case CLASSES_PYTHON:
		return classes_read_python(l, err);
	case CLASSES_LINES:
		return classes_read_lines(l, err);
	default:
		/* --as classes, with columns that only --map can tell. */
		return reader_mapped(ctx->opt, "name").n ? classes_read_table(l, err)
							 : classes_read_lines(l, err);
	}
}

static enum status read_file(struct read_ctx *ctx, struct err *err)
{
	struct class_list l = {.ctx = ctx};
	struct str second = reader_mapped(ctx->opt, "second");
	enum status st;

	if (second.n)
		l.second = str_z(arena_printf(&l.arena, "names:%.*s", (int)(second.n < 100 ? second.n : 100),
					      second.p));
	st = classes_read(&l, err);
	if (!st) {
		class_list_from_one(&l);
		st = class_list_send(&l, err);
	}
	class_list_release(&l);
	return st;
}

const struct reader reader_classes = {
    .name = "classes",
    .help = "class lists: tables, JSON, or lines of names",
    .probe = probe,
    .rank = rank,
    .read = read_file,
};
