/*
 * inspect: evaluation logs of Inspect AI: one JSON object {version, status, eval, …, samples}, or a
 * ZIP (.eval) with header.json and samples/{id}_epoch_{n}.json. A sample's epochs are repeats.
 *
 * Scores become numbers: C, P, I and N are 1, ½, 0 and 0, as Inspect counts them. The answer is what
 * the first scorer found, inside the whole completion. Long texts and pictures stand apart, in the
 * sample's `attachments`.
 */
#include "core/reader/embedded.h"
#include "core/reader/stored.h"
#include "core/reader/table.h"
#include "core/text/archive.h"

#define MAX_CHOICES 256
#define MAX_EPOCH   100000

static bool is_log(struct str head)
{
	bool version = false, eval = false, status = false;
	struct str rest = peek_skip_blanks(head);
	struct member m;

	while (peek_member(&rest, &m)) {
		version |= str_eqz(m.key, "version");
		status |= str_eqz(m.key, "status");
		eval |= str_eqz(m.key, "eval") && m.value.p < head.p + head.n && *m.value.p == '{';
	}
	return version && status && eval;
}

static bool is_zipped_log(struct str head)
{
	struct str first = archive_first_name(head);

	return str_eqz(first, "header.json") || str_eqz(first, "start.json") ||
	       str_starts(first, STR("_journal/")) ||
	       (str_starts(first, STR("samples/")) && str_ends(first, STR(".json")));
}

static int probe(struct str path, struct str head)
{
	(void)path;
	return is_log(head) || is_zipped_log(head) ? 100 : 0;
}

struct inspect {
	struct stored s; /* first */
	struct str model, settings; /* of the log */
	const cJSON *attachments; /* of the sample */
	struct str choices[MAX_CHOICES];
	size_t n_choices;
	size_t n_samples;
	uint64_t pictures; /* samples with pictures that are inside the log and were left there */
};

/* --- the log's head --- */

static void put_setting(struct buf *b, const char *name, struct str value)
{
	if (!value.n)
		return;
	buf_ch(b, b->n ? ',' : '{');
	json_quote(b, str_z(name));
	buf_ch(b, ':');
	json_quote(b, value);
}

static void read_eval(struct inspect *in, const cJSON *eval)
{
	struct buf b = BUF_INIT;

	in->model = arena_str(&in->s.arena, str_trim(json_text(json_get(eval, "model"))));
	put_setting(&b, "task", json_text(json_get(eval, "task")));
	put_setting(&b, "dataset", json_text(json_get(json_get(eval, "dataset"), "name")));
	/* tasks that ask the same dataset in several ways number its samples alike */
	if (str_trim(json_text(json_get(json_get(eval, "dataset"), "name"))).n)
		sink_task(in->s.ctx->sink, json_text(json_get(json_get(eval, "dataset"), "name")));
	else
		sink_task(in->s.ctx->sink, json_text(json_get(eval, "task")));
	if (b.n)
		buf_ch(&b, '}');
	in->settings = arena_str(&in->s.arena, buf_view(&b));
	buf_release(&b);
}

/* A log is written as the evaluation goes on; what is there of one that broke off is whole. */
static void note_status(struct inspect *in, const cJSON *status)
{
	struct str text = str_trim(json_text(status));

	if (text.n && !str_eqz(text, "success"))
		report_note(in->s.ctx->report, "the evaluation did not end: its log says %.*s",
			    (int)(text.n < 40 ? text.n : 40), text.p);
}

/* --- a sample --- */

static struct str attached(const struct inspect *in, struct str text)
{
	static const char prefix[] = "attachment://";
	char name[128];
	struct str hash;

	if (!str_starts(text, str_z(prefix)))
		return text;
	hash = (struct str){text.p + strlen(prefix), text.n - strlen(prefix)};
	if (hash.n >= sizeof name)
		return text;
	memcpy(name, hash.p, hash.n);
	name[hash.n] = '\0';
	return json_text(json_get(in->attachments, name)).p
		   ? json_text(json_get(in->attachments, name))
		   : text;
}

static void choices_of(struct inspect *in, const cJSON *sample)
{
	const cJSON *list = json_get(sample, "choices");

	in->n_choices = 0;
	for (const cJSON *c = list ? list->child : NULL; c && in->n_choices < MAX_CHOICES; c = c->next)
		in->choices[in->n_choices++] = attached(in, str_trim(json_text(c)));
}

static const cJSON *last_message(const cJSON *messages, const char *role)
{
	const cJSON *found = NULL;

	for (const cJSON *m = cJSON_IsArray(messages) ? messages->child : NULL; m; m = m->next)
		if (str_eqz(json_text(json_get(m, "role")), role))
			found = m;
	return found;
}

static struct str content_text(struct inspect *in, const cJSON *content)
{
	return attached(in, stored_content(&in->s, content));
}

/* A picture in a file of its own, as path; what is inside the log becomes one, or is counted. */
static void pictures_of(struct inspect *in, const cJSON *content, struct rec_sample *out)
{
	const cJSON *part = cJSON_IsArray(content) ? content->child : NULL;
	struct str *paths;
	size_t n = 0;
	bool inside = false;

	for (const cJSON *p = part; p; p = p->next)
		n++;
	paths = arena_alloc(&in->s.row.arena, (n + 1) * sizeof *paths);
	for (n = 0; part; part = part->next) {
		struct str type = json_text(json_get(part, "type"));
		struct str path = STR_NONE;

		if (str_eqz(type, "image"))
			path = attached(in, json_text(json_get(part, "image")));
		else if (str_eqz(type, "video"))
			path = attached(in, json_text(json_get(part, "video")));
		if (path.n)
			out->media = str_eqz(type, "video") ? MEDIA_VIDEO : MEDIA_IMAGE;
		if (str_starts(path, STR("data:"))) {
			path = embedded_picture(in->s.ctx, &in->s.row.arena, path, in->s.row.src);
			inside |= !path.n;
		}
		if (path.n && path.n < 4096 && str_find(path, STR(":/")) == SIZE_MAX)
			paths[n++] = path_with_slashes(&in->s.row.arena, path);
	}
	in->pictures += inside;
	out->paths = paths;
	out->n_paths = n;
	if (n > 1 && out->media == MEDIA_IMAGE)
		out->media = MEDIA_IMAGES;
}

static void input_of(struct inspect *in, const cJSON *sample, struct rec_sample *out)
{
	const cJSON *input = json_get(sample, "input"), *message = last_message(input, "user");

	if (cJSON_IsArray(input)) {
		out->text = content_text(in, json_get(message, "content"));
		pictures_of(in, json_get(message, "content"), out);
	} else {
		out->text = attached(in, json_text(input));
	}
	out->text = str_trim(out->text);
	out->text_kind = out->text.n ? TEXT_QUESTION : TEXT_NONE;
	out->options = in->choices;
	out->n_options = in->n_choices;
}

static void metadata_of(struct inspect *in, const cJSON *sample)
{
	const cJSON *metadata = json_get(sample, "metadata");
	double number;

	for (const cJSON *m = cJSON_IsObject(metadata) ? metadata->child : NULL; m; m = m->next) {
		struct str text = str_trim(json_text(m));

		if (text.n && text.n <= 256)
			stored_facet(&in->s, m->string, text);
		else if (json_number(m, &number) && m->string[0])
			vec_push(&in->s.facets,
				 ((struct rec_facet){str_z(m->string), STR_NONE, number, true}));
	}
}

/* --- the answer --- */

/* value_to_float() of Inspect; NaN: not a number in its terms. */
static double score_number(const cJSON *value)
{
	static const struct {
		const char *word;
		double number;
	} words[] = {{"C", 1}, {"P", 0.5}, {"I", 0}, {"N", 0}, {"yes", 1}, {"no", 0},
		     {"true", 1}, {"false", 0}};
	struct str text = json_text(value);
	double number;

	if (cJSON_IsBool(value))
		return cJSON_IsTrue(value);
	if (json_number(value, &number) || str_num(text, &number))
		return number;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (i < 4 ? str_eqz(text, words[i].word) : str_eq_nocase(text, str_z(words[i].word)))
			return words[i].number;
	return NAN;
}

static void put_score(struct inspect *in, const char *scorer, const char *part, const cJSON *value)
{
	struct stored *s = &in->s;
	double number = score_number(value);
	char *name = arena_printf(&s->row.arena, part ? "%s %s" : "%s%s", scorer, part ? part : "");

	if (isnan(number))
		stored_put(s, str_z(name), value);
	else
		vec_push(&s->numbers, ((struct rec_number){str_z(name), number}));
}

static void read_score(struct inspect *in, const char *scorer, const cJSON *score,
		       struct rec_prediction *out)
{
	const cJSON *value = json_get(score, "value");
	struct str answer = json_text(json_get(score, "answer"));

	if (cJSON_IsObject(value)) {
		for (const cJSON *v = value->child; v; v = v->next)
			put_score(in, scorer, v->string, v);
	} else {
		put_score(in, scorer, NULL, value);
	}
	if (answer.p && !out->extracted.p)
		out->extracted = str_trim(attached(in, answer));
	stored_put_text(&in->s, arena_printf(&in->s.row.arena, "%s explanation", scorer),
			attached(in, json_text(json_get(score, "explanation"))));
}

static void scores_of(struct inspect *in, const cJSON *sample, struct rec_prediction *out)
{
	const cJSON *scores = json_get(sample, "scores"), *old = json_get(sample, "score");

	for (const cJSON *s = cJSON_IsObject(scores) ? scores->child : NULL; s; s = s->next)
		read_score(in, s->string, s, out);
	if (!scores && old)
		read_score(in, "score", old, out);
}

/* What a model thought before it answered is a part of its own. */
static struct str reasoning_of(struct inspect *in, const cJSON *content)
{
	for (const cJSON *p = cJSON_IsArray(content) ? content->child : NULL; p; p = p->next)
		if (str_eqz(json_text(json_get(p, "type")), "reasoning"))
			return attached(in, json_text(json_get(p, "reasoning")));
	return STR_NONE;
}

/* A text may say of itself that it is a refusal. */
static bool is_refusal(const cJSON *content)
{
	for (const cJSON *p = cJSON_IsArray(content) ? content->child : NULL; p; p = p->next)
		if (cJSON_IsTrue(json_get(p, "refusal")))
			return true;
	return false;
}

static void output_of(struct inspect *in, const cJSON *sample, struct rec_prediction *out)
{
	const cJSON *output = json_get(sample, "output"), *choices = json_get(output, "choices");
	const cJSON *choice = cJSON_IsArray(choices) ? choices->child : NULL;
	const cJSON *content = json_get(json_get(choice, "message"), "content");
	const cJSON *error = json_get(sample, "error");
	double n;

	out->raw = content ? content_text(in, content) : json_text(json_get(output, "completion"));
	out->steps = reasoning_of(in, content);
	if (json_number(json_get(json_get(output, "usage"), "output_tokens"), &n) && n >= 0 && n < 1e15)
		out->tokens = (int64_t)n;
	if (json_number(json_get(output, "time"), &n))
		out->latency_ms = n * 1000;
	if (str_eqz(json_text(json_get(choice, "stop_reason")), "content_filter") || is_refusal(content))
		out->outcome = OUTCOME_REFUSED;
	if (error && !cJSON_IsNull(error)) {
		out->outcome = OUTCOME_ERROR;
		out->error = json_text(json_get(error, "message"));
		if (!out->error.n)
			out->error = STR("the sample failed");
	} else if (json_text(json_get(output, "error")).n) {
		out->outcome = OUTCOME_ERROR;
		out->error = json_text(json_get(output, "error"));
	}
}

/* "multiple choice" has the letter in `answer`; several are "A, C". */
static void answer_of(struct inspect *in, struct rec_prediction *out)
{
	if (!out->extracted.n && str_trim(out->raw).n)
		out->extracted = STR_NONE; /* the scorer found nothing, or looked for nothing */
	if (out->extracted.p && str_eq(out->extracted, str_trim(out->raw)))
		out->extracted = STR_NONE;
	stored_answer(&in->s, in->choices, in->n_choices, out);
}

static struct str id_of(struct inspect *in, const cJSON *sample)
{
	struct buf scratch = BUF_INIT;
	struct str id = str_trim(json_scalar(json_get(sample, "id"), &scratch));

	id = id.n ? arena_str(&in->s.row.arena, id) : STR_NONE;
	buf_release(&scratch);
	return id;
}

static enum status take_sample(struct inspect *in, const cJSON *sample, struct err *err)
{
	struct stored *s = &in->s;
	struct stored_run run = {.rec = {.model = in->model, .settings = in->settings}};
	struct rec_truth truth = {.layer = STR("original")};
	struct rec_prediction out;
	struct rec_sample described = {.media = MEDIA_NONE};
	struct refs target;
	double epoch = 1;
	enum status st;

	rec_prediction_init(&out);
	s->ctx->report->rows++;
	in->attachments = json_get(sample, "attachments");
	out.key = id_of(in, sample);
	if (!out.key.n) {
		report_add(s->ctx->report, PROBLEM_SKIPPED, s->row.src, "id",
			   "expected the sample's id, got nothing");
		return OK;
	}
	json_number(json_get(sample, "epoch"), &epoch);
	run.repeat = epoch >= 1 && epoch <= MAX_EPOCH ? (uint32_t)epoch : 1;
	choices_of(in, sample);
	input_of(in, sample, &described);
	metadata_of(in, sample);
	output_of(in, sample, &out);
	scores_of(in, sample, &out);
	answer_of(in, &out);
	target = stored_truth(s, json_get(sample, "target"), in->choices, in->n_choices);
	truth.refs = target.v;
	truth.n_refs = target.n;
	described.truths = &truth;
	described.n_truths = target.known && target.n;
	run.rec.protocol = in->n_choices ? STR("MC") : STR_NONE;
	in->n_samples++;
	st = stored_run(s, &run, &out.run, err);
	return st ? st : stored_send(s, &out, &described, err);
}

/* --- files --- */

static enum status take_value(struct stored *s, const struct stored_value *v, struct err *err)
{
	struct inspect *in = (struct inspect *)s;

	if (v->inside && cJSON_IsObject(v->tree))
		return take_sample(in, v->tree, err);
	if (v->inside)
		report_add(s->ctx->report, PROBLEM_SKIPPED, s->row.src, "", "expected an object in braces");
	else if (str_eqz(v->key, "eval"))
		read_eval(in, v->tree);
	else if (str_eqz(v->key, "status"))
		note_status(in, v->tree);
	return OK;
}

static enum status parse_member(struct inspect *in, struct archive *zip, size_t i, struct buf *text,
				cJSON **tree, struct err *err)
{
	enum status st = archive_read(zip, i, JSON_MAX_VALUE, text, err);

	*tree = NULL;
	if (!st)
		st = json_parse(str_trim(buf_view(text)), tree, err);
	(void)in;
	return st;
}

/* header.json is written last: a log that was cut short has its head in _journal/start.json. */
static enum status read_header(struct inspect *in, struct archive *zip, struct buf *text,
			       struct err *err)
{
	size_t i = archive_find(zip, "header.json");
	cJSON *tree;
	enum status st;

	if (i == SIZE_MAX)
		i = archive_find(zip, "_journal/start.json");
	if (i == SIZE_MAX)
		i = archive_find(zip, "start.json"); /* the first version of the format */
	if (i == SIZE_MAX)
		return err_set(err, E_FORMAT, "the archive has neither header.json nor "
					      "_journal/start.json, as a log of Inspect AI would");
	st = parse_member(in, zip, i, text, &tree, err);
	if (!st) {
		read_eval(in, json_get(tree, "eval"));
		note_status(in, json_get(tree, "status"));
		if (archive_find(zip, "header.json") == SIZE_MAX)
			report_note(in->s.ctx->report, "the evaluation did not end: its log has no header");
	}
	cJSON_Delete(tree);
	return st;
}

static bool is_sample(struct str name)
{
	return str_starts(name, STR("samples/")) && str_ends(name, STR(".json"));
}

static enum status read_member(struct inspect *in, struct archive *zip, size_t i, struct buf *text,
			       struct err *err)
{
	struct err why = ERR_INIT;
	cJSON *tree;
	enum status st = OK;

	stored_next(&in->s, (struct src){i + 1, 0}); /* its place among the members */
	if (parse_member(in, zip, i, text, &tree, &why) == OK && cJSON_IsObject(tree))
		st = take_sample(in, tree, err);
	else
		report_add(in->s.ctx->report, PROBLEM_SKIPPED, in->s.row.src, "", "%s",
			   why.code ? why.msg : "expected an object in braces");
	cJSON_Delete(tree);
	return st;
}

static enum status read_zip(struct inspect *in, struct err *err)
{
	struct input *input = in->s.ctx->in;
	struct archive *zip = NULL;
	struct buf text = BUF_INIT;
	enum status st = OK;

	if (!input->regular)
		return err_set(err, E_UNSUPPORTED, "a ZIP archive has to be a file: its table of "
						   "contents is at its end");
	zip = archive_open(input->fd, err);
	if (!zip)
		return err->code;
	st = read_header(in, zip, &text, err);
	for (size_t i = 0; !st && i < archive_n(zip); i++) {
		st = cancel_check(input->cancel, err);
		if (!st && is_sample(archive_name(zip, i)))
			st = read_member(in, zip, i, &text, err);
		if (input->progress && i % 64 == 0)
			input->progress(input->progress_ctx, i, archive_n(zip));
	}
	buf_release(&text);
	archive_close(zip);
	return st;
}

static void notes(const struct inspect *in)
{
	if (!in->n_samples)
		report_note(in->s.ctx->report, "the log has no samples in it");
	/* a dry run keeps no pictures, but the import will */
	if (in->pictures && (in->s.ctx->opt->pictures.n || in->s.ctx->opt->images.n))
		report_note(in->s.ctx->report, "the pictures of %llu sample%s are inside the log and are "
					       "not shown",
			    (unsigned long long)in->pictures, in->pictures == 1 ? "" : "s");
}

static enum status read_file(struct read_ctx *ctx, struct err *err)
{
	struct inspect *in = xcalloc(1, sizeof *in);
	enum status st;

	stored_init(&in->s, ctx);
	if (archive_is(buf_view(&ctx->in->head)))
		st = read_zip(in, err);
	else
		st = stored_values(&in->s, "samples", take_value, err);
	if (!st)
		notes(in);
	stored_release(&in->s);
	free(in);
	return st;
}

const struct reader reader_inspect = {
    .name = "inspect",
    .help = "evaluation logs of Inspect AI (.json, .eval); epochs are repeats",
    .probe = probe,
    .rank = stored_rank,
    .read = read_file,
};
