#include "core/reader/stored.h"

#include "core/base/path.h"
#include "core/reader/embedded.h"

void stored_init(struct stored *s, struct read_ctx *ctx)
{
	s->ctx = ctx;
	row_init(&s->row);
}

void stored_release(struct stored *s)
{
	row_release(&s->row);
	arena_release(&s->arena);
	intern_release(&s->runs);
	vec_release(&s->run_ids);
	buf_release(&s->details);
	vec_release(&s->numbers);
	vec_release(&s->facets);
}

static void clear_record(struct stored *s)
{
	buf_clear(&s->details);
	vec_clear(&s->numbers);
	vec_clear(&s->facets);
}

void stored_next(struct stored *s, struct src src)
{
	arena_clear(&s->row.arena);
	s->row.src = src;
	clear_record(s);
}

enum status stored_rows(struct stored *s, stored_take *take, struct err *err)
{
	bool more = true;
	enum status st = rows_open(&s->rows, s->ctx, err);

	while (!st && more) {
		st = rows_next(&s->rows, &s->row, &more, err);
		clear_record(s);
		if (!st && more)
			st = take(s, err);
	}
	rows_release(&s->rows);
	return st;
}

static size_t enter(struct stored *s, const char *path, struct json_slice *slice)
{
	struct str rest = str_z(path), name;
	size_t n = 0;

	while (path && rest.p && n < JSON_SLICE_ENTER) {
		rest = str_cut(rest, '/', &name);
		slice->enter[n++] = arena_strndup(&s->arena, name.p, name.n);
	}
	return n;
}

static enum status take_element(struct stored *s, const struct json_slice *slice, size_t depth,
				struct str text, stored_take_value *take, struct err *err)
{
	struct stored_value v = {.key = slice->object ? buf_view(&slice->key) : STR_NONE,
				 .inside = depth && slice->inside == depth,
				 .depth = slice->inside};
	struct err why = ERR_INIT;
	cJSON *tree = NULL;
	enum status st = OK;

	stored_next(s, (struct src){slice->line, slice->byte});
	if (json_parse(text, &tree, &why) == OK) {
		v.tree = tree;
		st = take(s, &v, err);
	} else {
		report_add(s->ctx->report, PROBLEM_SKIPPED, s->row.src, "", "%s", why.msg);
	}
	cJSON_Delete(tree);
	return st;
}

enum status stored_values(struct stored *s, const char *path, stored_take_value *take,
			  struct err *err)
{
	struct json_slice slice;
	struct err why = ERR_INIT;
	struct str text;
	bool more = true, any = false;
	enum status st = OK;
	size_t depth;

	json_slice_init(&slice, s->ctx->in);
	depth = enter(s, path, &slice);
	while (!st && more) {
		st = json_slice_next(&slice, &text, &more, &why);
		if (st == E_FORMAT && any) {
			/* What came before the break was whole; it is kept. */
			report_add(s->ctx->report, PROBLEM_SKIPPED,
				   (struct src){slice.at_line, slice.at_byte}, "", "%s", why.msg);
			st = OK;
			break;
		}
		if (st)
			*err = why;
		else if (more)
			st = take_element(s, &slice, depth, text, take, err);
		any = true;
	}
	json_slice_release(&slice);
	return st;
}

/* --- runs --- */

static void put_handle(struct buf *b, const struct rec_run *rec, struct str variant, uint32_t repeat)
{
	buf_str(b, rec->handle.n ? rec->handle : rec->model);
	if (!rec->handle.n && rec->protocol.n) {
		buf_ch(b, '/');
		for (size_t i = 0; i < rec->protocol.n; i++) {
			char c = rec->protocol.p[i];

			buf_ch(b, c >= 'A' && c <= 'Z' ? (char)(c + 32) : c);
		}
	}
	if (variant.n) {
		buf_ch(b, '/');
		buf_str(b, variant);
	}
	if (repeat > 1)
		buf_printf(b, "#%u", repeat);
}

enum status stored_run(struct stored *s, const struct stored_run *run, uint32_t *id, struct err *err)
{
	const struct read_options *opt = s->ctx->opt;
	struct rec_run rec = run->rec;
	struct buf handle = BUF_INIT;
	size_t known = s->runs.keys.n;
	enum status st = OK;
	uint32_t at;

	rec.source = str_z(s->ctx->in->path);
	if (opt->model.n)
		rec.model = opt->model;
	else if (!str_trim(rec.model).n)
		rec.model = reader_model(opt, rec.source);
	if (opt->protocol.n)
		rec.protocol = opt->protocol;
	else if (!rec.protocol.n)
		rec.protocol = opt->path_protocol;
	if (opt->run.n)
		rec.handle = opt->run;
	put_handle(&handle, &rec, run->variant, run->repeat);
	at = intern_add(&s->runs, buf_view(&handle));
	if (at == known) {
		if (run->repeat > 1 || run->variant.n)
			rec.handle = buf_view(&handle);
		st = sink_run(s->ctx->sink, &rec, id, err);
		vec_push(&s->run_ids, st ? 0 : *id);
	}
	*id = s->run_ids.v[at];
	buf_release(&handle);
	return st;
}

struct str stored_folder(const struct stored *s, int above)
{
	struct str dir = path_dir(str_z(s->ctx->in->path));

	for (int i = 0; i < above; i++) {
		struct str up = path_dir(dir);

		if (up.n >= dir.n)
			return STR_NONE;
		dir = up;
	}
	dir = path_base(dir);
	return str_eqz(dir, ".") || str_eqz(dir, "..") ? STR_NONE : dir;
}

struct str stored_model_name(struct arena *arena, struct str name)
{
	size_t at = str_find(name, STR("__"));
	char *copy;

	if (at == SIZE_MAX || !at || at + 2 >= name.n)
		return name;
	copy = arena_strndup(arena, name.p, name.n);
	copy[at] = '/';
	memmove(copy + at + 1, copy + at + 2, name.n - at - 1); /* with its end */
	return (struct str){copy, name.n - 1};
}

/* --- answers and truths --- */

bool stored_is_failure(struct str text)
{
	return str_starts(str_trim(text), STR("Failed to obtain answer via API"));
}

void stored_answer(struct stored *s, const struct str *options, size_t n, struct rec_prediction *out)
{
	struct str said = out->extracted.p ? out->extracted : out->raw;
	struct refs refs;

	if (out->outcome != OUTCOME_MISSING)
		return; /* known already */
	if (stored_is_failure(out->raw)) {
		out->outcome = OUTCOME_ERROR;
		out->error = str_trim(out->raw);
	} else if (!str_trim(out->raw).n) {
		out->outcome = OUTCOME_EMPTY;
	} else if (!str_trim(said).n || str_eqz(str_trim(said), "[invalid]")) {
		out->outcome = OUTCOME_UNPARSED;
	} else if (n) {
		struct rec_prediction asked;

		rec_prediction_init(&asked);
		asked.raw = said;
		choice_answer(&s->row.arena, options, n, &asked);
		out->outcome = asked.outcome;
		out->refs = asked.refs;
		out->n_refs = asked.n_refs;
		if (asked.extracted.p && !out->extracted.p)
			out->extracted = asked.extracted;
	} else {
		refs = stored_truth_text(s, said, NULL, 0);
		out->outcome = refs.n ? OUTCOME_ANSWERED : OUTCOME_OOP;
		out->refs = refs.v;
		out->n_refs = refs.n;
	}
}

struct refs stored_truth_text(struct stored *s, struct str text, const struct str *options, size_t n)
{
	struct cell cell = {.type = CELL_TEXT, .text = str_trim(text)};
	struct refs out = {.known = cell.text.n > 0};
	size_t option = n ? choice_option(cell.text, options, n) : SIZE_MAX;

	if (option == SIZE_MAX) {
		out = refs_from_cell(&s->row.arena, &cell);
		choice_refs(out.v, out.n, options, n);
		return out;
	}
	out.v = arena_zalloc(&s->row.arena, 1, sizeof *out.v);
	out.v[0] = (struct class_ref){.kind = CLASS_BY_NAME, .text = str_trim(options[option])};
	out.n = 1;
	return out;
}

struct refs stored_truth(struct stored *s, const cJSON *tree, const struct str *options, size_t n)
{
	struct buf scratch = BUF_INIT;
	struct cell cell = {.json = tree};
	struct refs out = {0};

	if (cJSON_IsArray(tree) || cJSON_IsObject(tree)) {
		cell.type = cJSON_IsArray(tree) ? CELL_LIST : CELL_OBJECT;
		out = refs_from_cell(&s->row.arena, &cell);
		choice_refs(out.v, out.n, options, n);
	} else if (tree) {
		struct str text = json_scalar(tree, &scratch);

		text = text.p ? arena_str(&s->row.arena, text) : STR_NONE;
		out = stored_truth_text(s, text, options, n);
	}
	buf_release(&scratch);
	return out;
}

/* --- the rest of a record --- */

static void put_name(struct stored *s, struct str name)
{
	if (s->details.n)
		buf_ch(&s->details, ',');
	json_quote(&s->details, name);
	buf_ch(&s->details, ':');
}

void stored_put(struct stored *s, struct str name, const cJSON *value)
{
	double number;
	char *text;

	if (!value || cJSON_IsNull(value) || !name.n)
		return;
	if (cJSON_IsBool(value) || json_number(value, &number)) {
		number = cJSON_IsBool(value) ? cJSON_IsTrue(value) : number;
		vec_push(&s->numbers, ((struct rec_number){arena_str(&s->row.arena, name), number}));
		return;
	}
	text = cJSON_PrintUnformatted(value);
	if (!text)
		return;
	put_name(s, name);
	buf_z(&s->details, text);
	cJSON_free(text);
}

void stored_put_cell(struct stored *s, const struct cell *c)
{
	struct str name;
	double number;

	if (!c || cell_blank(c))
		return;
	name = rows_name(&s->rows, c->column);
	/* "True" is what Python writes into a table. */
	if (str_eq_nocase(cell_text(c), STR("true")) || str_eq_nocase(cell_text(c), STR("false"))) {
		vec_push(&s->numbers, ((struct rec_number){name, cell_true(c)}));
		return;
	}
	if (cell_number(c, &number)) {
		vec_push(&s->numbers, ((struct rec_number){name, number}));
		return;
	}
	put_name(s, name);
	cell_json(&s->details, c);
}

void stored_put_text(struct stored *s, const char *name, struct str text)
{
	if (!text.n)
		return;
	put_name(s, str_z(name));
	json_quote(&s->details, text);
}

void stored_facet(struct stored *s, const char *name, struct str value)
{
	value = str_trim(value);
	if (value.n)
		vec_push(&s->facets, ((struct rec_facet){str_z(name), value, NAN, false}));
}

/* --- messages --- */

static bool is_text_part(const cJSON *part)
{
	struct str type = json_text(json_get(part, "type"));

	return json_text(part).p || (json_text(json_get(part, "text")).p &&
				     (!type.p || str_ends(type, STR("text"))));
}

struct str stored_content(struct stored *s, const cJSON *content)
{
	struct buf b = BUF_INIT;
	struct str out;

	if (!cJSON_IsArray(content))
		return json_text(content);
	for (const cJSON *part = content->child; part; part = part->next) {
		struct str text = json_text(part);

		if (!is_text_part(part))
			continue;
		if (b.n)
			buf_ch(&b, '\n');
		buf_str(&b, text.p ? text : json_text(json_get(part, "text")));
	}
	out = arena_str(&s->row.arena, buf_view(&b));
	buf_release(&b);
	return out;
}

struct str stored_last_message(struct stored *s, const cJSON *messages, const char *role)
{
	const cJSON *found = NULL;

	if (!cJSON_IsArray(messages))
		return json_text(messages);
	for (const cJSON *m = messages->child; m; m = m->next)
		if (!role || str_eq_nocase(json_text(json_get(m, "role")), str_z(role)))
			found = m;
	if (!json_get(found, "content"))
		return json_text(json_get(found, "prompt"));
	return stored_content(s, json_get(found, "content"));
}

/* --- pictures --- */

struct str stored_picture(struct stored *s, struct str text)
{
	text = str_trim(text);
	if (str_starts(text, STR("data:")))
		return embedded_picture(s->ctx, &s->row.arena, text, s->row.src);
	if (str_starts(text, STR("file://")))
		text = (struct str){text.p + strlen("file://"), text.n - strlen("file://")};
	if (!text.n || text.n >= 4096 || str_find(text, STR(":/")) != SIZE_MAX)
		return STR_NONE;
	return path_with_slashes(&s->row.arena, text);
}

void stored_pictures(struct rec_sample *out, struct str *paths, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (paths[i].n)
			paths[kept++] = paths[i];
	out->paths = paths;
	out->n_paths = kept;
	if (kept)
		out->media = looks_like_video(paths[0]) ? MEDIA_VIDEO
			     : kept > 1			? MEDIA_IMAGES
							: MEDIA_IMAGE;
}

/* --- handing over --- */

enum status stored_send(struct stored *s, struct rec_prediction *p, struct rec_sample *sample,
			struct err *err)
{
	struct buf details = BUF_INIT;
	enum status st;

	if (s->details.n) {
		buf_ch(&details, '{');
		buf_str(&details, buf_view(&s->details));
		buf_ch(&details, '}');
	}
	p->details = buf_view(&details);
	p->src = s->row.src;
	p->numbers = s->numbers.v;
	p->n_numbers = s->numbers.n;
	if (sample) {
		sample->src = s->row.src;
		sample->key = p->key;
		sample->facets = s->facets.v;
		sample->n_facets = s->facets.n;
		sample->creates = true;
	}
	p->sample = sample && sink_wants_samples(s->ctx->sink) ? sample : NULL;
	st = sink_prediction(s->ctx->sink, p, err);
	buf_release(&details);
	return st;
}

enum rank stored_rank(struct str path, struct str head)
{
	(void)path;
	(void)head;
	return RANK_PREDICTIONS;
}
