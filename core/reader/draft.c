#include "core/reader/draft.h"

#include "core/reader/columns.h"
#include "core/reader/draft_impl.h"
#include "core/reader/table.h"

#define NEST_DEPTH   4
#define NEST_ITEMS   2	 /* elements of a list that are listed */
#define EXAMPLE_MAX  240 /* bytes */
#define DISTINCT_MAX 100000

/* While the rows are walked. */
struct walk {
	struct draft *d;
	struct rows *rows;
	VEC(struct intern) values; /* by column of the draft */
	struct row *row;
};

/* --- opening --- */

/* What is behind the last whole line would look broken. */
static void cut_line(struct draft *d)
{
	const char *end = d->whole ? NULL : memrchr(d->bytes.p, '\n', d->bytes.n);

	if (end && (d->shape == SHAPE_CSV || d->shape == SHAPE_JSONL))
		d->bytes.n = (size_t)(end + 1 - d->bytes.p);
}

static enum status take_part(struct draft *d, struct input *in, struct err *err)
{
	struct peek p;
	size_t got = 0;
	char *to = buf_reserve(&d->bytes, DRAFT_BYTES);
	enum status st;

	if (!to)
		return err_set(err, E_MEMORY, "there is no memory for a part of the file");
	st = input_fill(in, to, DRAFT_BYTES, &got, err);
	d->bytes.n = st == OK ? got : 0;
	d->whole = got < DRAFT_BYTES;
	d->size = in->size;
	peek_open(&p, buf_view(&in->head));
	d->shape = p.shape;
	peek_release(&p);
	cut_line(d);
	if (st == OK && d->shape == SHAPE_TEXT)
		st = err_set(err, E_FORMAT, "%s has no rows of fields: JSON, JSON lines, CSV or TSV",
			     d->path);
	return st;
}

enum status draft_open(struct draft **out, const char *path, const struct cancel *cancel,
		       struct err *err)
{
	struct draft *d = xcalloc(1, sizeof *d);
	struct input in;
	enum status st;

	d->path = path;
	st = input_open_cancel(&in, path, cancel, err);
	if (st == OK) {
		st = take_part(d, &in, err);
		input_close(&in);
	}
	if (st != OK) {
		draft_free(d);
		return st;
	}
	*out = d;
	return OK;
}

static void forget(struct draft *d)
{
	vec_clear(&d->columns);
	intern_release(&d->names);
	d->names = (struct intern)INTERN_INIT;
	arena_clear(&d->arena);
	d->rows = d->skipped = 0;
	d->n_rows = 0;
	d->trouble = NULL;
	d->predictions = false;
}

void draft_free(struct draft *d)
{
	if (!d)
		return;
	vec_release(&d->columns);
	intern_release(&d->names);
	arena_release(&d->arena);
	buf_release(&d->bytes);
	buf_release(&d->scratch);
	free(d);
}

void draft_input(const struct draft *d, struct input *in)
{
	struct str bytes = buf_view(&d->bytes);

	input_memory(in, bytes);
	in->path = d->path;
	buf_put(&in->head, bytes.p, bytes.n < INPUT_HEAD ? bytes.n : INPUT_HEAD);
}

/* --- what is in the columns --- */

static struct draft_column *column_named(struct walk *w, struct str name, bool nested)
{
	struct draft *d = w->d;
	uint32_t known = (uint32_t)d->names.keys.n, at = intern_find(&d->names, name);

	if (at == INTERN_NONE && known >= DRAFT_COLUMNS)
		return NULL;
	if (at == INTERN_NONE) {
		at = intern_add(&d->names, name);
		vec_push(&d->columns, ((struct draft_column){.name = arena_str(&d->arena, name),
							     .nested = nested,
							     .least = INFINITY,
							     .most = -INFINITY}));
		vec_push(&w->values, ((struct intern)INTERN_INIT));
	}
	return &d->columns.v[at];
}

static void add_example(struct draft *d, struct draft_column *c, struct str text)
{
	if (c->n_examples == DRAFT_EXAMPLES)
		return;
	if (text.n > EXAMPLE_MAX)
		text.n = EXAMPLE_MAX;
	c->example[c->n_examples++] = arena_str(&d->arena, text);
}

static void add_value(struct walk *w, struct draft_column *c, struct str text, bool number,
		      double value)
{
	struct intern *values = &w->values.v[c - w->d->columns.v];
	size_t known = values->keys.n;

	c->n++;
	c->blank += !text.n;
	if (!text.n)
		return;
	c->bytes += text.n;
	c->numbers += number;
	c->pictures += looks_like_image(text) || looks_like_video(text);
	if (number && value < c->least)
		c->least = value;
	if (number && value > c->most)
		c->most = value;
	if (known < DISTINCT_MAX)
		intern_add(values, text);
	if (values->keys.n > known) {
		c->distinct++;
		add_example(w->d, c, text);
	}
}

static void add_json(struct walk *w, struct buf *path, const cJSON *item, int depth);

static void add_item(struct walk *w, struct buf *path, const cJSON *item, uint32_t at, int depth)
{
	size_t before = path->n;

	if (item->string)
		reach_put_member(path, str_z(item->string));
	else
		reach_put_element(path, at);
	add_json(w, path, item, depth + 1);
	path->n = before;
}

/* Leaves alone, and the first elements of lists that are no lists of texts or numbers. */
static void add_json(struct walk *w, struct buf *path, const cJSON *item, int depth)
{
	bool list = cJSON_IsArray(item), deep = list || cJSON_IsObject(item);
	struct draft_column *c;
	struct buf number = BUF_INIT;
	double value = 0;
	uint32_t at = 0;

	if (deep && depth < NEST_DEPTH) {
		for (const cJSON *i = item->child; i && (!list || at < NEST_ITEMS); i = i->next)
			add_item(w, path, i, at++, depth);
		return;
	}
	if (deep || !(c = column_named(w, buf_view(path), true)))
		return;
	add_value(w, c, str_trim(json_scalar(item, &number)), json_number(item, &value), value);
	buf_release(&number);
}

static bool holds_more(const cJSON *list)
{
	for (const cJSON *i = list->child; i; i = i->next)
		if (cJSON_IsObject(i) || cJSON_IsArray(i))
			return true;
	return cJSON_IsObject(list);
}

static void add_cell(struct walk *w, const struct cell *cell)
{
	struct draft *d = w->d;
	struct draft_column *c;
	struct str text = cell_text(cell);
	double value = 0;
	bool number = cell->type != CELL_BOOL && cell_number(cell, &value);

	if (reach_field(w->rows, cell->column))
		return; /* it was made for a field out of another one */
	c = column_named(w, rows_name(w->rows, cell->column), false);
	if (!c)
		return;
	if (cell->json && cell->text.n) {
		text = str_trim(cell->text);
	} else if (cell->json) {
		buf_clear(&d->scratch);
		cell_json(&d->scratch, cell);
		text = buf_view(&d->scratch);
	}
	add_value(w, c, cell_blank(cell) ? STR("") : text, number, value);
	if (cell->json && holds_more(cell->json)) {
		struct buf path = BUF_INIT;

		c->deep = true;
		reach_put_member(&path, rows_name(w->rows, cell->column));
		add_json(w, &path, cell->json, 0);
		buf_release(&path);
	}
}

/* --- what the columns become --- */

static struct str word_of(struct draft *d, const struct draft_column *c,
			  const struct column_use *use)
{
	switch (use->role) {
	case ROLE_LAYER:
		return str_z(arena_printf(&d->arena, "label@%.*s", STR_ARG(use->guess.layer)));
	case ROLE_JUDGED:
		return STR("details");
	case ROLE_OTHER:
		return use->kind == COLUMN_NUMBER      ? STR("number")
		       : use->kind == COLUMN_TEXT      ? STR("facet")
		       : use->kind == COLUMN_LONG || c->n > c->blank
			   ? STR("details")
			   : STR("");
	default:
		return str_z(role_word(use->role));
	}
}

static void name_words(struct draft *d, const struct rows *rows, const struct columns *columns,
		       const struct recipe *r)
{
	for (size_t i = 0; i < d->columns.n; i++) {
		struct draft_column *c = &d->columns.v[i];
		struct str by_hand = recipe_field_of(r, c->name);
		uint32_t at = intern_find(&rows->names, c->name);

		c->by_hand = by_hand.p != NULL;
		if (c->by_hand)
			c->word = arena_str(&d->arena, by_hand);
		else if (!c->nested && at != INTERN_NONE && at < columns->use.n)
			c->word = word_of(d, c, &columns->use.v[at]);
	}
}

/* Of the texts that a column has, those that the truth has as well. */
static void share(struct walk *w)
{
	const struct draft_column *truth = draft_with(w->d, "label");
	const struct intern *names = truth ? &w->values.v[truth - w->d->columns.v] : NULL;

	for (size_t i = 0; names && i < w->d->columns.n; i++)
		for (size_t k = 0; k < w->values.v[i].keys.n; k++)
			w->d->columns.v[i].shared +=
			    intern_find(names, intern_key(&w->values.v[i], (uint32_t)k)) != INTERN_NONE;
}

static enum status walk_rows(struct walk *w, const struct recipe *r, struct err *err)
{
	struct columns columns = {0};
	struct err ignored = ERR_INIT;
	bool more = true;
	size_t n = 0, kept = 0;
	enum status st = OK;

	for (; st == OK && more && n < DRAFT_ROWS; n++) {
		struct row *row = &w->row[kept < COLUMNS_LOOK_AHEAD ? kept : COLUMNS_LOOK_AHEAD];

		st = rows_next(w->rows, row, &more, err);
		for (size_t k = 0; st == OK && more && k < row->cells.n; k++)
			add_cell(w, &row->cells.v[k]);
		if (st == OK && more && kept < COLUMNS_LOOK_AHEAD) {
			row_keep(row);
			kept++;
		}
	}
	columns_init(&columns, w->rows, w->rows->ctx->opt, w->row, kept, &ignored);
	w->d->predictions = columns.predictions;
	name_words(w->d, w->rows, &columns, r);
	columns_release(&columns);
	return st;
}

/* A header whose columns no row has is told as well. */
static void name_header(struct walk *w)
{
	for (size_t i = 0; w->d->shape == SHAPE_CSV && i < w->rows->n_header; i++)
		column_named(w, rows_name(w->rows, (uint32_t)i), false);
}

static void look(struct draft *d, const struct recipe *r)
{
	struct arena arena = ARENA_INIT;
	struct read_options opt = {0};
	struct report report;
	struct input in;
	struct read_ctx ctx = {&in, &opt, NULL, &report};
	struct rows rows;
	struct walk w = {.d = d, .rows = &rows};
	struct err err = ERR_INIT;
	enum status st;

	w.row = xcalloc(COLUMNS_LOOK_AHEAD + 1, sizeof *w.row);
	recipe_apply(r, &arena, &opt);
	report_init(&report, d->path, NULL);
	draft_input(d, &in);
	st = rows_open(&rows, &ctx, &err);
	name_header(&w);
	if (st == OK)
		st = reach_open(&rows, &err);
	if (st == OK)
		st = walk_rows(&w, r, &err);
	if (st != OK && (d->whole || !d->columns.n))
		d->trouble = arena_strdup(&d->arena, err.msg);
	share(&w);
	for (size_t i = 0; i < w.values.n; i++)
		intern_release(&w.values.v[i]);
	vec_release(&w.values);
	for (size_t i = 0; i <= COLUMNS_LOOK_AHEAD; i++)
		row_release(&w.row[i]);
	free(w.row);
	rows_release(&rows);
	input_close(&in);
	report_release(&report);
	arena_release(&arena);
}

struct draft_column *draft_with(const struct draft *d, const char *word)
{
	for (size_t i = 0; i < d->columns.n; i++)
		if (str_eqz(d->columns.v[i].word, word))
			return &d->columns.v[i];
	return NULL;
}

void draft_read(struct draft *d, const struct recipe *r, const struct draft_world *world)
{
	forget(d);
	look(d, r);
	draft_try(d, r, world);
}
