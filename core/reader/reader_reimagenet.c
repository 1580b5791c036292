/*
 * reimagenet: the predictions that ReImageNet's evaluation reads (analysis/src): CSV with
 * top_1_pred … top_5_pred, or k_1_pred … k_51_pred of nearest neighbours; JSON by image name, bare
 * or below "predictions", whose values are names, class numbers, lists of them, or objects with
 * `label`; its reports, with `predicted_class`; and {"n0144…/ILSVRC….JPEG": [answer, target]}.
 * Of a list any hit counts. -1 and nothing are answers that are no class.
 */
#include "core/base/path.h"
#include "core/reader/naming.h"
#include "core/reader/stored.h"
#include "core/reader/table.h"

#define DEFAULT_K "k_11_pred"

static bool is_image(struct str key)
{
	return str_starts(path_base(key), STR("ILSVRC2012_val_"));
}

/* The first member of an object's text, whose value may be cut off. */
static bool first_member(struct str object, struct member *out)
{
	struct str rest = peek_skip_blanks(object);

	return peek_member(&rest, out);
}

/* Labels of other kinds are objects by image name too. */
static bool is_answer(struct str value)
{
	struct str rest = value;
	struct member m;

	if (!value.n || value.p[0] != '{')
		return true;
	while (peek_member(&rest, &m))
		if (str_eqz(m.key, "label") || str_eqz(m.key, "predicted_class"))
			return true;
	return false;
}

static bool is_map(struct str head)
{
	struct member m;
	size_t n;

	if (!first_member(head, &m))
		return false;
	if (str_eqz(m.key, "predictions")) {
		head = (struct str){m.value.p, m.value.n ? m.value.n
							 : (size_t)(head.p + head.n - m.value.p)};
		if (!first_member(head, &m))
			return false;
	}
	n = m.value.n ? m.value.n : (size_t)(head.p + head.n - m.value.p);
	return is_image(m.key) && is_answer((struct str){m.value.p, n});
}

static bool is_table(struct str head)
{
	struct peek p;
	bool yes = false;

	peek_open(&p, head);
	if (p.shape == SHAPE_CSV && peek_has(&p, "img_id"))
		for (size_t i = 0; i < p.n; i++)
			yes |= str_ends(p.name[i], STR("_pred")) &&
			       (str_starts(p.name[i], STR("k_")) || str_starts(p.name[i], STR("top_")));
	peek_release(&p);
	return yes;
}

static int probe(struct str path, struct str head)
{
	(void)path;
	return is_map(head) || is_table(head) ? 90 : 0;
}

struct reimagenet {
	struct stored s; /* first */
	struct str column; /* of a table: the one with the answer */
	struct stored_run run;
	struct str protocol; /* as the path has it */
};

static const char *mapped_word(struct str word)
{
	static const char *const words[][2] = {{"ow", "OW"}, {"cw", "CW"}, {"cw+", "CW+"}, {"mc", "MC"}};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (str_eq_nocase(word, str_z(words[i][0])))
			return words[i][1];
	return NULL;
}

/* The paths name the model and "ow-siglip2_…": how it was asked, and what its words were mapped with. */
static void run_from_path(struct reimagenet *r)
{
	const struct read_options *opt = r->s.ctx->opt;
	struct naming own = {.path = str_z(r->s.ctx->in->path)};
	struct str how, rest;

	naming_by_paths(&own, 1, &r->s.arena);
	r->run.rec.model = opt->path_model.n ? opt->path_model : own.model;
	how = opt->path_model.n ? opt->path_protocol : own.protocol;
	r->run.rec.protocol = how;
	rest = str_cut(how, '-', &r->protocol);
	if (!mapped_word(r->protocol))
		return;
	r->run.rec.protocol = str_z(mapped_word(r->protocol));
	r->run.rec.open_world = str_eqz(r->run.rec.protocol, "OW") && !rest.n;
	if (!rest.n)
		return;
	r->run.rec.encoder = rest;
	if (!opt->protocol.n) /* the same answers mapped in another way are another run */
		r->run.rec.handle = str_z(arena_printf(&r->s.arena, "%.*s/%.*s",
						       STR_ARG(opt->model.n ? opt->model : r->run.rec.model),
						       STR_ARG(how)));
}

static enum status send(struct reimagenet *r, struct str key, struct rec_prediction *out,
			struct refs *refs, struct rec_sample *sample, struct err *err)
{
	struct stored *s = &r->s;
	struct str *path = arena_alloc(&s->row.arena, sizeof *path);
	enum status st;

	*path = path_with_slashes(&s->row.arena, str_trim(key));
	if (!path->n) {
		report_add(s->ctx->report, PROBLEM_SKIPPED, s->row.src, "img_id",
			   "expected the image's name, got nothing");
		return OK;
	}
	sample->paths = path;
	sample->n_paths = 1;
	sample->media = MEDIA_IMAGE;
	out->key = imagenet_key(*path);
	if (refs->n) {
		out->outcome = OUTCOME_ANSWERED;
		out->refs = refs->v;
		out->n_refs = refs->n;
	} else {
		out->outcome = out->raw.n ? OUTCOME_OOP : OUTCOME_EMPTY;
	}
	r->run.rec.list_rule = LIST_ANY_HIT;
	st = stored_run(s, &r->run, &out->run, err);
	return st ? st : stored_send(s, out, sample, err);
}

/* --- tables --- */

static enum status choose_column(struct reimagenet *r, struct err *err)
{
	static const char *const usual[] = {"top_1_pred", DEFAULT_K};
	struct str wanted = reader_mapped(r->s.ctx->opt, "prediction");
	const struct rows *rows = &r->s.rows;

	for (size_t i = 0; i < 2 && !wanted.n; i++)
		if (intern_find(&rows->names, str_z(usual[i])) != INTERN_NONE)
			wanted = str_z(usual[i]);
	for (size_t i = 0; i < rows->names.keys.n && !wanted.n; i++)
		if (str_ends(rows->names.keys.v[i], STR("_pred")))
			wanted = rows->names.keys.v[i];
	if (intern_find(&rows->names, wanted) == INTERN_NONE)
		return err_set(err, E_USAGE, "--map prediction=%.*s: there is no such column",
			       (int)(wanted.n < 100 ? wanted.n : 100), wanted.p);
	r->column = wanted;
	if (str_starts(wanted, STR("k_")) && wanted.n > strlen("k_") + strlen("_pred"))
		r->run.variant = str_z(arena_printf(&r->s.arena, "k%.*s",
						    (int)(wanted.n - strlen("k_") - strlen("_pred")),
						    wanted.p + 2));
	return OK;
}

/* pandas writes the numbers of a column with holes as 187.0. */
static struct refs refs_of_cell(struct arena *arena, const struct cell *c)
{
	struct cell whole;
	int64_t index;

	if (!c || c->type != CELL_TEXT || !str_ends(str_trim(c->text), STR(".0")))
		return refs_from_cell(arena, c);
	whole = *c;
	whole.text = str_trim(c->text);
	whole.text.n -= 2;
	return refs_from_cell(arena, str_int(whole.text, &index) ? &whole : c);
}

static enum status take_row(struct stored *s, struct err *err)
{
	struct reimagenet *r = (struct reimagenet *)s;
	const struct cell *answer = NULL, *original = row_find(&s->rows, &s->row, "original_label");
	struct refs refs, label = refs_of_cell(&s->row.arena, original);
	struct rec_truth truth = {.layer = STR("original"), .refs = label.v, .n_refs = label.n};
	struct rec_sample sample = {.truths = &truth, .n_truths = label.known};
	struct rec_prediction out;

	if (!r->column.n && choose_column(r, err))
		return err->code;
	for (size_t i = 0; i < s->row.cells.n; i++) {
		const struct cell *c = &s->row.cells.v[i];
		struct str name = rows_name(&s->rows, c->column);

		if (str_eq(name, r->column))
			answer = c;
		else if (str_ends(name, STR("_pred")))
			stored_put_text(s, name.p, cell_text(c));
	}
	rec_prediction_init(&out);
	out.raw = cell_text(answer);
	refs = refs_of_cell(&s->row.arena, answer);
	return send(r, cell_text(row_find(&s->rows, &s->row, "img_id")), &out, &refs, &sample, err);
}

/* --- maps --- */

static struct str json_raw(struct stored *s, const cJSON *value)
{
	struct buf scratch = BUF_INIT;
	struct str text = json_scalar(value, &scratch);
	char *printed = text.p || cJSON_IsNull(value) ? NULL : cJSON_PrintUnformatted(value);

	if (text.p)
		text = arena_str(&s->row.arena, text);
	else if (printed && !(cJSON_IsArray(value) && !value->child))
		text = arena_str(&s->row.arena, str_z(printed));
	cJSON_free(printed);
	buf_release(&scratch);
	return text;
}

/* "dog;cat" are two names; commas part numbers alone, which stored_truth_text() knows. */
static struct refs refs_of_text(struct stored *s, struct str text)
{
	struct refs out = {0};
	struct str part;

	if (!memchr(text.p ? text.p : "", ';', text.n))
		return stored_truth_text(s, text, NULL, 0);
	out.v = arena_zalloc(&s->row.arena, text.n, sizeof *out.v);
	while (text.p) {
		text = str_cut(text, ';', &part);
		out.n += ref_from_text(part, &out.v[out.n]);
	}
	return out;
}

static struct refs refs_of_value(struct stored *s, const cJSON *value, struct rec_prediction *out)
{
	double number;

	out->raw = json_raw(s, value);
	if (cJSON_IsObject(value)) {
		if (json_number(json_get(value, "prob"), &number) ||
		    json_number(json_get(value, "similarity"), &number))
			out->score = number;
		stored_put(s, STR("similarity"), json_get(value, "similarity"));
		return refs_of_value(s, json_get(value, "label"), out);
	}
	if (cJSON_IsArray(value))
		return stored_truth(s, value, NULL, 0);
	return refs_of_text(s, out->raw);
}

/* [answer, target], below the folder of the target's wnid. */
static const cJSON *answer_of_pair(struct str key, const cJSON *value)
{
	struct str folder;

	str_cut(key, '/', &folder);
	if (folder.n < key.n && looks_like_wnid(folder) && cJSON_GetArraySize(value) == 2 &&
	    cJSON_IsNumber(value->child))
		return value->child;
	return NULL;
}

static enum status take_value(struct stored *s, const struct stored_value *v, struct err *err)
{
	struct reimagenet *r = (struct reimagenet *)s;
	const cJSON *value = v->tree, *pair = NULL, *labels = json_get(value, "annotation_labels");
	struct rec_truth truths[1] = {{.layer = STR("reannotated")}};
	struct rec_sample sample = {.truths = truths};
	struct rec_prediction out;
	struct refs refs, label;

	if (!is_image(v->key))
		return OK; /* what stands beside "predictions" */
	s->ctx->report->rows++;
	rec_prediction_init(&out);
	if (cJSON_IsArray(value))
		pair = answer_of_pair(v->key, value);
	if (pair) {
		label = stored_truth(s, pair->next, NULL, 0);
		truths[0].layer = STR("original");
		value = pair;
	} else {
		label = stored_truth(s, labels, NULL, 0);
	}
	truths[0].refs = label.v;
	truths[0].n_refs = label.n;
	sample.n_truths = pair || cJSON_IsArray(labels);
	if (json_get(value, "predicted_class"))
		value = json_get(value, "predicted_class");
	refs = refs_of_value(s, value, &out);
	return send(r, v->key, &out, &refs, &sample, err);
}

static enum status read_file(struct read_ctx *ctx, struct err *err)
{
	struct reimagenet *r = xcalloc(1, sizeof *r);
	enum status st;

	stored_init(&r->s, ctx);
	run_from_path(r);
	if (peek_skip_blanks(buf_view(&ctx->in->head)).n &&
	    peek_skip_blanks(buf_view(&ctx->in->head)).p[0] == '{')
		st = stored_values(&r->s, "predictions", take_value, err);
	else
		st = stored_rows(&r->s, take_row, err);
	stored_release(&r->s);
	free(r);
	return st;
}

const struct reader reader_reimagenet = {
    .name = "reimagenet",
    .help = "predictions for ReImageNet: CSV of top-5 or nearest neighbours, JSON by image name",
    .probe = probe,
    .rank = stored_rank,
    .read = read_file,
};
