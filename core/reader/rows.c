#include "core/reader/rows.h"

#include "core/base/utf8.h"
#include "core/reader/literal.h"
#include "core/reader/recipe.h"

/* A reader that reports this many unreadable rows in a row has the wrong file. */
#define MAX_BAD_RUN 1000

const char *rows_name_z(const struct rows *rows, uint32_t column)
{
	return intern_key(&rows->names, column).p;
}

static uint32_t add_column(struct rows *rows, struct str name)
{
	uint32_t id = intern_add(&rows->names, name);

	vec_push(&rows->usual, flat_usual(intern_key(&rows->names, id)));
	rows->lines_like = (struct flat_shape){.version = rows->lines_like.version + 1};
	vec_push(&rows->seen, 0);
	return id;
}

uint32_t rows_add_column(struct rows *rows, struct str name)
{
	uint32_t id = intern_find(&rows->names, name);

	for (uint32_t i = 0; id == INTERN_NONE && i < rows->names.keys.n; i++)
		if (str_eq_nocase(intern_key(&rows->names, i), name))
			id = i;
	return id == INTERN_NONE ? add_column(rows, name) : id;
}

/* INTERN_NONE: beyond the ceiling, or this row has the column already. */
static uint32_t column_for(struct rows *rows, struct str name)
{
	/* Rows mostly have the same fields in the same order. */
	uint32_t id = rows->expected;

	if (id >= rows->names.keys.n || !str_eq(intern_key(&rows->names, id), name))
		id = intern_find(&rows->names, name);
	if (id == INTERN_NONE) {
		if (rows->names.keys.n >= ROWS_MAX_COLUMNS)
			return INTERN_NONE;
		if (rows->fixed) {
			rows->strange = true;
			return INTERN_NONE;
		}
		id = add_column(rows, name);
	}
	rows->expected = id + 1;
	if (rows->seen.v[id] == rows->number)
		return INTERN_NONE;
	rows->seen.v[id] = rows->number;
	return id;
}

static void row_clear(struct row *r, struct src src)
{
	for (size_t i = 0; i < r->trees.n; i++)
		cJSON_Delete(r->trees.v[i]);
	vec_clear(&r->trees);
	arena_clear(&r->arena);
	r->src = src;
	r->key = STR_NONE;
}

static void row_reset(struct rows *rows, struct row *r, struct src src)
{
	row_clear(r, src);
	vec_clear(&r->cells);
	r->laid = rows->number;
	rows->alike = NULL;
}

static enum status nested(struct row *r, struct str raw, struct cell *out, struct err *err)
{
	cJSON *tree;
	enum status st;

	if (raw.p[0] == '[' && json_list_of_texts(&r->arena, raw, &tree)) {
		out->json = tree;
		return OK;
	}
	st = json_parse(raw, &tree, err);
	if (st)
		return st;
	vec_push(&r->trees, tree);
	out->json = tree;
	return OK;
}

static struct str unescaped(struct rows *rows, struct row *r, struct str raw)
{
	struct flat_field f = {.type = FLAT_STRING, .raw = raw, .escaped = true};

	return arena_str(&r->arena, flat_text(&f, &rows->scratch));
}

/* Filled where it stays: a row is millions of times eight cells. */
static enum status add_cell(struct rows *rows, struct row *r, const struct flat_field *f,
			    uint32_t column, struct err *err)
{
	struct cell *c;

	vec_reserve(&r->cells, 1);
	c = &r->cells.v[r->cells.n++];
	c->column = column;
	c->json = NULL;
	c->text = f->raw;
	switch (f->type) {
	case FLAT_NULL:
		c->type = CELL_NULL;
		c->text = STR_NONE;
		return OK;
	case FLAT_BOOL:
		c->type = CELL_BOOL;
		return OK;
	case FLAT_NUMBER:
		c->type = CELL_NUMBER;
		return OK;
	case FLAT_STRING:
		c->type = CELL_TEXT;
		if (f->escaped)
			c->text = unescaped(rows, r, f->raw);
		return OK;
	case FLAT_ARRAY:
	case FLAT_OBJECT:
		c->type = f->type == FLAT_ARRAY ? CELL_LIST : CELL_OBJECT;
		c->text = STR_NONE;
		return nested(r, f->raw, c, err);
	}
	return OK;
}

static enum status cell_from_field(struct rows *rows, struct row *r, const struct flat_field *f,
				   struct err *err)
{
	uint32_t column = column_for(rows, f->key);

	return column == INTERN_NONE ? OK : add_cell(rows, r, f, column, err);
}

/* Columns are numbered in the order of their appearance, so that most rows have the usual keys,
 * and a usual key is a column. */
static bool all_usual(const struct flat *flat)
{
	for (size_t i = 0; i < flat->n; i++)
		if (flat->field[i].usual == FLAT_UNUSUAL)
			return false;
	return true;
}

static enum status cells_from_flat(struct rows *rows, struct row *r, struct err *err)
{
	const struct flat *flat = &rows->flat;
	bool usual = all_usual(flat);
	enum status st = OK;

	for (size_t i = 0; i < flat->n && st == OK; i++) {
		const struct flat_field *f = &flat->field[i];

		st = usual ? add_cell(rows, r, f, f->usual, err) : cell_from_field(rows, r, f, err);
	}
	return st;
}

/* A member of an object that json_parse found to be valid, in flat_scan's terms. */
static struct flat_field flat_from_member(struct rows *rows, struct row *r, const struct member *m)
{
	struct flat_field f = {.key = m->key, .raw = m->value};

	if (memchr(m->key.p, '\\', m->key.n))
		f.key = unescaped(rows, r, m->key);
	switch (m->value.n ? m->value.p[0] : 'n') {
	case '"':
		f.type = FLAT_STRING;
		f.raw = (struct str){m->value.p + 1, m->value.n - 2};
		f.escaped = memchr(f.raw.p, '\\', f.raw.n) != NULL;
		break;
	case '[':
		f.type = FLAT_ARRAY;
		break;
	case '{':
		f.type = FLAT_OBJECT;
		break;
	case 't':
	case 'f':
		f.type = FLAT_BOOL;
		break;
	default: /* NaN, Infinity, -Infinity stand for nothing, as null does */
		f.type = m->value.n && (m->value.p[m->value.n - 1] >= '0' &&
					m->value.p[m->value.n - 1] <= '9')
			     ? FLAT_NUMBER
			     : FLAT_NULL;
	}
	return f;
}

/* Says which field of a broken record is not UTF-8; false: it is broken otherwise. */
static bool report_bad_utf8(struct rows *rows, struct str text, struct src src)
{
	struct member m;
	struct str rest = text;
	size_t at;

	while (peek_member(&rest, &m)) {
		struct str value = m.value.n ? m.value : (struct str){m.value.p,
					   (size_t)(text.p + text.n - m.value.p)};

		if ((at = utf8_valid_prefix(value)) < value.n) {
			char *name = xstrndup(m.key.p, m.key.n);

			report_add(rows->ctx->report, PROBLEM_SKIPPED,
				   (struct src){src.line,
						src.byte + (uint64_t)(value.p - text.p) + at},
				   name, "is not UTF-8");
			free(name);
			return true;
		}
	}
	return false;
}

/* What Python printed instead of writing JSON; *text lies in rows->printed then. */
static bool is_printed(struct rows *rows, struct row *r, struct str *text)
{
	if (!text->n || text->p[0] != '{' || utf8_valid_prefix(*text) < text->n)
		return false;
	if (!literal_json(*text, &r->arena, &rows->printed)) {
		if (str_starts(*text, STR("{'")))
			err_set(&rows->why, E_FORMAT, "is neither JSON nor a dict as Python prints it");
		return false;
	}
	*text = buf_view(&rows->printed);
	return true;
}

/* *ok = false: reported, not usable. */
static void row_from_json(struct rows *rows, struct row *r, struct str text, bool *ok)
{
	struct err *why = &rows->why, ignored = ERR_INIT;
	struct member m;
	struct str rest;
	cJSON *whole = NULL;

	*ok = true;
	if (flat_scan_shaped(text, &rows->flat, &rows->lines_like, rows->usual.v, rows->usual.n)) {
		rows->uncut = rows->lazy && all_usual(&rows->flat);
		if (rows->uncut)
			return;
		*ok = cells_from_flat(rows, r, why) == OK;
	} else if (json_parse(text, &whole, why) &&
		   (!is_printed(rows, r, &text) || json_parse(text, &whole, &ignored))) {
		*ok = false;
	} else if (!cJSON_IsObject(whole)) {
		err_set(why, E_FORMAT, "expected an object in braces");
		*ok = false;
	} else {
		rest = text;
		while (*ok && peek_member(&rest, &m)) {
			struct flat_field f = flat_from_member(rows, r, &m);

			*ok = cell_from_field(rows, r, &f, why) == OK;
		}
	}
	cJSON_Delete(whole);
	if (!*ok && !report_bad_utf8(rows, text, r->src))
		report_add(rows->ctx->report, PROBLEM_SKIPPED, r->src, "", "%s", why->msg);
}

bool rows_cut(struct rows *rows, struct row *row)
{
	bool ok = cells_from_flat(rows, row, &rows->why) == OK;

	rows->uncut = false;
	if (!ok)
		report_add(rows->ctx->report, PROBLEM_SKIPPED, row->src, "", "%s", rows->why.msg);
	return ok;
}

/* For all lines of the shape: only what they hold differs. */
static void lay_out(struct rows *rows, struct row *r)
{
	vec_clear(&r->cells);
	for (size_t i = 0; i < rows->lines_like.n; i++) {
		const struct flat_between *b = &rows->lines_like.field[i];

		vec_push(&r->cells, ((struct cell){.column = b->usual,
						   .type = b->string ? CELL_TEXT
							   : b->list ? CELL_LIST
								     : CELL_NUMBER}));
	}
	r->laid = rows->number;
	rows->alike = r;
}

static void fill_in(struct rows *rows, struct row *r, const struct flat_value *v)
{
	const struct str *items = rows->items;

	for (size_t i = 0; i < r->cells.n; i++) {
		struct cell *c = &r->cells.v[i];

		c->text = v[i].text;
		if (v[i].escaped) {
			c->text = unescaped(rows, r, v[i].text);
		} else if (c->type == CELL_LIST) {
			c->text = STR_NONE;
			c->texts = items;
			c->n_texts = (size_t)v[i].digits;
			items += c->n_texts;
		}
	}
}

/* The next line when it is like the last one: it is looked at once, and not even its end is searched
 * for before. */
static bool next_alike(struct rows *rows, struct row *r)
{
	struct lines *lines = &rows->lines;
	struct flat_value v[FLAT_SHAPE_FIELDS];
	struct str ahead = lines_ahead(lines);
	size_t bytes;

	if (!rows->lazy || rows->lines_like.misses || !ahead.n)
		return false;
	bytes = flat_shaped_line(ahead, &rows->lines_like, v, rows->items);
	if (!bytes)
		return false;
	row_clear(r, (struct src){lines->number + 1, lines->byte});
	if (rows->alike != r)
		lay_out(rows, r);
	fill_in(rows, r, v);
	lines_pass(lines, bytes, 1);
	return true;
}

static enum status next_line(struct rows *rows, struct row *r, bool *more, bool *ok,
			     struct err *err)
{
	struct line line;
	enum status st;

	if (next_alike(rows, r)) {
		*more = true;
		return OK;
	}
	do {
		st = lines_next(&rows->lines, &line, more, err);
		if (st || !*more)
			return st;
	} while (!str_trim(line.text).n);
	row_reset(rows, r, (struct src){line.number, line.byte});
	*ok = !line.too_long;
	if (line.too_long)
		report_add(rows->ctx->report, PROBLEM_SKIPPED, r->src, "",
			   "the line is longer than %zu MiB", LINE_MAX_BYTES >> 20);
	else
		row_from_json(rows, r, str_trim(line.text), ok);
	return OK;
}

static enum status next_element(struct rows *rows, struct row *r, bool *more, bool *ok,
				struct err *err)
{
	struct err why = ERR_INIT;
	struct str text;
	enum status st;

	do {
		st = json_slice_next(&rows->slice, &text, more, &why);
	} while (st == OK && *more && rows->slice.inside < rows->inside);
	if (st == E_FORMAT && rows->number > 1) {
		/* What came before the break was whole; it is kept. */
		report_add(rows->ctx->report, PROBLEM_SKIPPED,
			   (struct src){rows->slice.at_line, rows->slice.at_byte}, "", "%s",
			   why.msg);
		*more = false;
		return OK;
	}
	if (st) {
		*err = why;
		return st;
	}
	if (!*more)
		return OK;
	row_reset(rows, r, (struct src){rows->slice.line, rows->slice.byte});
	row_from_json(rows, r, text, ok);
	if (rows->slice.object)
		r->key = buf_view(&rows->slice.key);
	return OK;
}

static bool csv_cells(struct rows *rows, struct row *r, const struct csv_row *in)
{
	for (size_t i = rows->n_header; i < in->n; i++) {
		if (!str_trim(in->field[i]).n)
			continue;
		report_add(rows->ctx->report, PROBLEM_SKIPPED, r->src, "",
			   "expected %zu fields as in the first row, got %zu", rows->n_header,
			   in->n);
		return false;
	}
	for (size_t i = 0; i < in->n && i < rows->n_header; i++) {
		struct str text = in->field[i];
		size_t at;
		const char *fault = utf8_fault(text, &at);

		if (fault) {
			report_add(rows->ctx->report, PROBLEM_SKIPPED, r->src,
				   rows_name_z(rows, (uint32_t)i), "%s (byte %zu of the field)", fault,
				   at);
			return false;
		}
		vec_push(&r->cells, ((struct cell){.column = (uint32_t)i,
						   .type = text.n ? CELL_TEXT : CELL_NULL,
						   .text = text}));
	}
	if (in->n < rows->n_header)
		report_add(rows->ctx->report, PROBLEM_WARNING, r->src, "",
			   "expected %zu fields as in the first row, got %zu", rows->n_header,
			   in->n);
	return true;
}

static enum status next_csv(struct rows *rows, struct row *r, bool *more, bool *ok,
			    struct err *err)
{
	struct csv_row in = {0};
	struct err *why = &rows->why;
	enum status st = csv_next(rows->csv, &in, more, why);

	if (st == E_FORMAT || st == E_LIMIT) {
		row_reset(rows, r, (struct src){in.line, in.byte});
		report_add(rows->ctx->report, PROBLEM_SKIPPED, r->src, "", "%s", why->msg);
		rows->broken = *more = true;
		*ok = false;
		return OK;
	}
	if (st) {
		*err = *why;
		return st;
	}
	if (!*more)
		return OK;
	row_reset(rows, r, (struct src){in.line, in.byte});
	*ok = csv_cells(rows, r, &in);
	return OK;
}

enum status rows_step(struct rows *rows, struct row *out, bool *more, bool *ok, struct err *err)
{
	enum status st;

	*ok = true;
	rows->number++;
	rows->expected = 0;
	rows->strange = rows->broken = rows->uncut = false;
	if (rows->shape == SHAPE_CSV)
		st = next_csv(rows, out, more, ok, err);
	else if (rows->shape == SHAPE_JSONL)
		st = next_line(rows, out, more, ok, err);
	else
		st = next_element(rows, out, more, ok, err);
	if (st == OK && *more)
		rows->ctx->report->rows++;
	if (st == OK && *more && *ok && rows->reach.list.n)
		reach_row(rows, out);
	return st;
}

enum status rows_next(struct rows *rows, struct row *out, bool *more, struct err *err)
{
	bool ok;

	do {
		enum status st = rows_step(rows, out, more, &ok, err);

		if (st || !*more)
			return st;
		rows->bad_run = ok ? 0 : rows->bad_run + 1;
	} while (!ok && rows->bad_run < MAX_BAD_RUN);
	if (ok)
		return OK;
	return err_set(err, E_FORMAT, "%d unreadable rows one after another; giving up",
		       MAX_BAD_RUN);
}

/* A header's names must differ for a cell to have one; a repeated or empty one gets a number. */
static void add_header(struct rows *rows, struct str name, size_t i)
{
	char *numbered = xasprintf("column%zu", i + 1);
	size_t at;

	name = str_trim(name);
	if (!name.n || rows->headerless || utf8_fault(name, &at) ||
	    intern_find(&rows->names, name) != INTERN_NONE)
		name = str_z(numbered);
	while (intern_find(&rows->names, name) != INTERN_NONE) {
		char *longer = xasprintf("%s_", numbered);

		free(numbered);
		numbered = longer;
		name = str_z(numbered);
	}
	add_column(rows, name);
	free(numbered);
}

static enum status open_csv(struct rows *rows, const struct peek *p, struct err *err)
{
	const struct recipe *r = rows->ctx->opt->recipe;
	struct csv_row header = {0};
	bool more = false;
	enum status st;

	rows->headerless = p->headerless;
	if (r && r->header != HEADER_AS_SEEN)
		rows->headerless = r->header == HEADER_NO;
	rows->csv = csv_new(rows->ctx->in, p->delimiter);
	if (rows->headerless) {
		rows->n_header = p->n;
	} else {
		st = csv_next(rows->csv, &header, &more, err);
		if (st)
			return st;
		if (!more)
			return err_set(err, E_FORMAT, "the file has no rows");
		rows->n_header = header.n;
	}
	for (size_t i = 0; i < rows->n_header; i++)
		add_header(rows, rows->headerless ? STR_NONE : header.field[i], i);
	return OK;
}

/* JSON whose rows are deeper inside. */
static void open_slice(struct rows *rows, const struct recipe *r)
{
	json_slice_init(&rows->slice, rows->ctx->in);
	if (!r || rows->shape != SHAPE_OBJECT)
		return;
	for (; rows->inside < JSON_SLICE_ENTER && r->rows[rows->inside]; rows->inside++)
		rows->slice.enter[rows->inside] = r->rows[rows->inside];
}

enum status rows_open(struct rows *rows, struct read_ctx *ctx, struct err *err)
{
	const struct recipe *r = ctx->opt->recipe;
	struct peek p;
	enum status st = OK;

	*rows = (struct rows){.ctx = ctx};
	peek_open(&p, buf_view(&ctx->in->head));
	rows->shape = p.shape;
	if (p.shape == SHAPE_JSONL && r && r->rows[0])
		rows->shape = SHAPE_OBJECT; /* on one line */
	if (p.shape == SHAPE_CSV)
		st = open_csv(rows, &p, err);
	else if (rows->shape == SHAPE_JSONL)
		lines_init(&rows->lines, ctx->in);
	else if (p.shape == SHAPE_TEXT)
		st = err_set(err, E_FORMAT,
			     "expected rows of fields: JSON, JSON lines, CSV or TSV");
	else
		open_slice(rows, r);
	peek_release(&p);
	return st;
}

void rows_release(struct rows *rows)
{
	if (rows->shape == SHAPE_JSONL)
		lines_release(&rows->lines);
	else if (rows->shape == SHAPE_ARRAY || rows->shape == SHAPE_OBJECT)
		json_slice_release(&rows->slice);
	csv_free(rows->csv);
	intern_release(&rows->names);
	vec_release(&rows->usual);
	vec_release(&rows->seen);
	vec_release(&rows->reach.list);
	buf_release(&rows->scratch);
	buf_release(&rows->printed);
}

/* --- pieces --- */

bool rows_can_part(const struct rows *rows)
{
	if (reach_counts(rows))
		return false;
	if (rows->shape == SHAPE_CSV)
		return csv_line_end(rows->csv) == '\n';
	return rows->shape == SHAPE_JSONL && !rows->lines.cr_only;
}

bool rows_are_lines(const struct rows *rows)
{
	return rows->shape == SHAPE_JSONL && !rows->lines.cr_only;
}

size_t rows_whole(const struct rows *rows, struct str bytes, bool *sure)
{
	const char *end;

	if (rows->shape == SHAPE_CSV)
		return csv_whole_rows(bytes, csv_delimiter(rows->csv), sure);
	*sure = true;
	end = memrchr(bytes.p, '\n', bytes.n);
	return end ? (size_t)(end + 1 - bytes.p) : 0;
}

void rows_fork(struct rows *out, const struct rows *from, struct read_ctx *ctx)
{
	*out = (struct rows){.ctx = ctx,
			     .shape = from->shape,
			     .n_header = from->n_header,
			     .headerless = from->headerless,
			     .fixed = true,
			     .lazy = !from->reach.list.n};
	for (size_t i = 0; i < from->reach.list.n; i++)
		vec_push(&out->reach.list, from->reach.list.v[i]);
	for (size_t i = 0; i < from->names.keys.n; i++)
		add_column(out, from->names.keys.v[i]);
	if (from->shape == SHAPE_CSV)
		out->csv = csv_new(ctx->in, csv_delimiter(from->csv));
}

struct rows_place rows_place(const struct rows *rows)
{
	struct rows_place at = {rows->lines.number, rows->lines.byte};

	if (rows->shape == SHAPE_CSV) {
		csv_place(rows->csv, &at.line, &at.byte);
		at.line--;
	}
	return at;
}

void rows_over(struct rows *rows, struct input *in, struct rows_place place)
{
	if (rows->shape == SHAPE_CSV) {
		csv_over(rows->csv, in, place.line + 1, place.byte);
		return;
	}
	lines_release(&rows->lines);
	lines_init(&rows->lines, in);
	rows->lines.number = place.line;
	rows->lines.byte = place.byte;
}

enum status rows_stop(struct rows *rows, struct err *err)
{
	return rows->shape == SHAPE_CSV ? csv_stop(rows->csv, err) : lines_stop(&rows->lines, err);
}
