/*
 * helm: HELM's scenario_state.json, below a folder that is called as the run: {adapter_spec,
 * request_states: [{instance, reference_index?, request_mode, output_mapping?, request, result}]}.
 *
 * An instance is a sample, its references are the options or the truths; one that was made of another
 * by a perturbation is id/PERTURBATION. Further training sets and completions are repeats. Where each
 * reference was scored by a request of its own ("multiple_choice_separate_…"), the requests of an
 * instance follow one another; the answer is the reference with the highest log-probability, over the
 * tokens of the reference, by token or, calibrated, less that of the reference alone.
 *
 * instances.json, which newer versions write beside it, has the instances alone: samples.
 */
#include "core/base/path.h"
#include "core/reader/stored.h"
#include "core/reader/table.h"

#define MAX_REFERENCES 256
#define MAX_REPEATS    100000

static bool has_instances(struct str head)
{
	struct peek p;
	bool is;

	peek_open(&p, head);
	is = p.shape == SHAPE_ARRAY && peek_has(&p, "references") && peek_has(&p, "input") && peek_has(&p, "id") &&
	     str_find(p.first, STR("\"output\"")) != SIZE_MAX;
	peek_release(&p);
	return is;
}

static int probe(struct str path, struct str head)
{
	bool spec = false, states = false;
	struct str rest = peek_skip_blanks(head);
	struct member m;

	if (str_starts(path_base(path), STR("instances")) && has_instances(head))
		return 100;
	while (peek_member(&rest, &m)) {
		bool seen = m.value.p < head.p + head.n;

		spec |= str_eqz(m.key, "adapter_spec") && seen && *m.value.p == '{';
		states |= str_eqz(m.key, "request_states") && seen && *m.value.p == '[';
	}
	return spec && states ? 100 : 0;
}

/* What the requests for one instance's references say, until those of another one begin. */
struct references {
	struct arena arena;
	cJSON *instance; /* NULL: there are none */
	struct str key;
	struct src src;
	uint32_t repeat;
	double score[MAX_REFERENCES], calibration[MAX_REFERENCES], length[MAX_REFERENCES];
	struct str error;
};

struct helm {
	struct stored s; /* first */
	struct str model, settings;
	bool choices; /* multiple choice of some kind */
	bool calibrated;
	struct str options[MAX_REFERENCES];
	size_t n_options;
	struct references refs;
};

static void read_spec(struct helm *h, const cJSON *spec)
{
	struct str method = json_text(json_get(spec, "method"));
	struct buf b = BUF_INIT;

	h->model = arena_str(&h->s.arena, str_trim(json_text(json_get(spec, "model"))));
	h->choices = str_starts(method, STR("multiple_choice"));
	h->calibrated = str_eqz(method, "multiple_choice_separate_calibrated");
	if (method.n) {
		buf_z(&b, "{\"method\":");
		json_quote(&b, method);
		buf_ch(&b, '}');
	}
	h->settings = arena_str(&h->s.arena, buf_view(&b));
	buf_release(&b);
}

/* --- the instance --- */

static bool is_correct(const cJSON *reference)
{
	const cJSON *tags = json_get(reference, "tags");

	for (const cJSON *t = cJSON_IsArray(tags) ? tags->child : NULL; t; t = t->next)
		if (str_eqz(json_text(t), "correct"))
			return true;
	return false;
}

static struct str reference_text(const cJSON *reference)
{
	return str_trim(json_text(json_get(json_get(reference, "output"), "text")));
}

static struct str key_of(struct helm *h, const cJSON *instance)
{
	struct buf scratch = BUF_INIT;
	struct str id = str_trim(json_scalar(json_get(instance, "id"), &scratch));
	struct str change = json_text(json_get(json_get(instance, "perturbation"), "name"));

	if (id.n && change.n)
		id = str_z(arena_printf(&h->s.row.arena, "%.*s/%.*s", STR_ARG(id), STR_ARG(change)));
	else
		id = id.n ? arena_str(&h->s.row.arena, id) : STR_NONE;
	buf_release(&scratch);
	return id;
}

/* Where letters were asked for, what they stand for; else the references. */
static void options_of(struct helm *h, const cJSON *instance, const cJSON *mapping)
{
	const cJSON *list = cJSON_IsObject(mapping) ? mapping : json_get(instance, "references");

	h->n_options = 0;
	if (!h->choices)
		return;
	for (const cJSON *o = list ? list->child : NULL; o && h->n_options < MAX_REFERENCES; o = o->next)
		h->options[h->n_options++] =
			list == mapping ? str_trim(json_text(o)) : reference_text(o);
}

static void truths_of(struct helm *h, const cJSON *instance, struct rec_truth *out)
{
	const cJSON *list = json_get(instance, "references");
	size_t n = 0;
	struct class_ref *refs;

	for (const cJSON *r = list ? list->child : NULL; r; r = r->next)
		n++;
	refs = arena_zalloc(&h->s.row.arena, n + 1, sizeof *refs);
	n = 0;
	for (const cJSON *r = list ? list->child : NULL; r; r = r->next)
		if (is_correct(r) && reference_text(r).n)
			refs[n++] = (struct class_ref){.kind = CLASS_BY_NAME, .text = reference_text(r)};
	*out = (struct rec_truth){.layer = STR("original"), .refs = refs, .n_refs = n};
}

/* Texts and pictures of several parts. */
static void multimedia(struct helm *h, const cJSON *list, struct rec_sample *out)
{
	struct buf text = BUF_INIT;
	struct str *paths;
	size_t n = 0;

	for (const cJSON *m = list->child; m; m = m->next)
		n++;
	paths = arena_zalloc(&h->s.row.arena, n + 1, sizeof *paths);
	n = 0;
	for (const cJSON *m = list->child; m; m = m->next) {
		struct str part = json_text(json_get(m, "text"));

		if (json_text(json_get(m, "location")).n)
			paths[n++] = stored_picture(&h->s, json_text(json_get(m, "location")));
		if (part.n && text.n)
			buf_ch(&text, '\n');
		buf_str(&text, part);
	}
	stored_pictures(out, paths, n);
	out->text = arena_str(&h->s.row.arena, buf_view(&text));
	buf_release(&text);
}

static void sample_of(struct helm *h, const cJSON *instance, struct rec_sample *out,
		      struct rec_truth *truth)
{
	const cJSON *input = json_get(instance, "input");
	const cJSON *media = json_get(json_get(input, "multimedia_content"), "media_objects");

	*out = (struct rec_sample){.options = h->options, .n_options = h->n_options, .truths = truth};
	truths_of(h, instance, truth);
	out->n_truths = truth->n_refs > 0;
	if (cJSON_IsArray(media))
		multimedia(h, media, out);
	if (!out->text.n)
		out->text = json_text(json_get(input, "text"));
	out->text = str_trim(out->text);
	out->text_kind = out->text.n ? TEXT_QUESTION : TEXT_NONE;
	stored_facet(&h->s, "split", json_text(json_get(instance, "split")));
	stored_facet(&h->s, "sub_split", json_text(json_get(instance, "sub_split")));
	stored_facet(&h->s, "perturbation",
		     json_text(json_get(json_get(instance, "perturbation"), "name")));
}

/* --- an answer --- */

static enum status send(struct helm *h, const cJSON *instance, uint32_t repeat,
			struct rec_prediction *out, struct err *err)
{
	struct stored_run run = {.rec = {.model = h->model, .settings = h->settings}, .repeat = repeat};
	struct rec_truth truth;
	struct rec_sample sample;
	enum status st;

	if (h->choices)
		run.rec.protocol = STR("MC");
	sample_of(h, instance, &sample, &truth);
	st = stored_run(&h->s, &run, &out->run, err);
	return st ? st : stored_send(&h->s, out, &sample, err);
}

static bool failed(const cJSON *result, struct str *why)
{
	if (cJSON_IsObject(result) && !cJSON_IsFalse(json_get(result, "success")))
		return false;
	*why = str_trim(json_text(json_get(result, "error")));
	if (!why->n)
		*why = result ? STR("the request failed") : STR("the request was not made");
	return true;
}

/* The letter in the mapping, as HELM looks it up: the text without blanks; else as any choice. */
static void read_choice(struct helm *h, const cJSON *mapping, struct rec_prediction *out)
{
	for (const cJSON *m = cJSON_IsObject(mapping) ? mapping->child : NULL; m; m = m->next)
		if (str_eqz(str_trim(out->raw), m->string) && json_text(m).n) {
			struct class_ref *ref = arena_zalloc(&h->s.row.arena, 1, sizeof *ref);

			*ref = (struct class_ref){.kind = CLASS_BY_NAME, .text = str_trim(json_text(m))};
			out->refs = ref;
			out->n_refs = 1;
			out->outcome = OUTCOME_ANSWERED;
		}
	stored_answer(&h->s, h->options, h->n_options, out);
}

/* What judges said of the answer: {"harm_bench": {"gpt_score": 0.5, "gpt_reasoning": "…"}}. */
static void annotations_of(struct helm *h, const cJSON *list)
{
	for (const cJSON *a = cJSON_IsObject(list) ? list->child : NULL; a; a = a->next)
		for (const cJSON *m = cJSON_IsObject(a) ? a->child : NULL; m; m = m->next)
			if (!str_eqz(str_z(m->string), "prompt_text"))
				stored_put(&h->s,
					   str_z(arena_printf(&h->s.row.arena, "%s %s", a->string,
							      m->string)),
					   m);
}

static void completion_of(struct helm *h, const cJSON *state, const cJSON *completion,
			  struct rec_prediction *out)
{
	const cJSON *result = json_get(state, "result"), *tokens = json_get(completion, "tokens");
	double seconds, logprob;

	vec_clear(&h->s.numbers);
	buf_clear(&h->s.details);
	if (failed(result, &out->error)) {
		out->outcome = OUTCOME_ERROR;
		return;
	}
	out->raw = json_text(json_get(completion, "text"));
	if (json_number(json_get(result, "request_time"), &seconds))
		out->latency_ms = seconds * 1000;
	if (json_number(json_get(completion, "logprob"), &logprob) && logprob != 0)
		out->score = logprob;
	if (cJSON_IsArray(tokens) && tokens->child)
		out->tokens = cJSON_GetArraySize(tokens);
	stored_put_text(&h->s, "finish_reason",
			json_text(json_get(json_get(completion, "finish_reason"), "reason")));
	annotations_of(h, json_get(state, "annotations"));
	read_choice(h, json_get(state, "output_mapping"), out);
}

static enum status take_answers(struct helm *h, const cJSON *state, struct str key, uint32_t trial,
				struct err *err)
{
	const cJSON *instance = json_get(state, "instance");
	const cJSON *list = json_get(json_get(state, "result"), "completions");
	const cJSON *c = cJSON_IsArray(list) ? list->child : NULL;
	uint32_t repeat = trial * (c ? (uint32_t)cJSON_GetArraySize(list) : 1) + 1;
	enum status st = OK;

	options_of(h, instance, json_get(state, "output_mapping"));
	do {
		struct rec_prediction out;

		rec_prediction_init(&out);
		out.key = key;
		vec_clear(&h->s.facets);
		completion_of(h, state, c, &out);
		st = send(h, instance, repeat++, &out, err);
		c = c ? c->next : NULL;
	} while (c && !st && repeat < MAX_REPEATS);
	return st;
}

/* --- references that were scored one by one --- */

static void forget(struct references *r)
{
	cJSON_Delete(r->instance);
	arena_release(&r->arena);
	*r = (struct references){0};
}

/* A token that is no whole character is written "bytes:\xe2\x80". */
static size_t token_bytes(struct str text)
{
	size_t n = 0, at;

	if (!str_starts(text, STR("bytes:")))
		return text.n;
	while ((at = str_find(text, STR("\\x"))) != SIZE_MAX) {
		text = (struct str){text.p + at + 2, text.n - at - 2};
		n++;
	}
	return n;
}

/* The tokens at the end that make up the reference: their log-probability, and how many they are. */
static double logprob_of(const cJSON *state, struct str reference, double *length)
{
	const cJSON *list = json_get(json_get(state, "result"), "completions");
	const cJSON *first = cJSON_IsArray(list) ? list->child : NULL;
	const cJSON *tokens = json_get(first, "tokens"), *t;
	double sum = 0, one;
	size_t bytes = 0;

	*length = 0;
	t = cJSON_IsArray(tokens) && tokens->child ? tokens->child->prev : NULL; /* the last one */
	for (; t && bytes < reference.n; t = t == tokens->child ? NULL : t->prev) {
		if (json_number(json_get(t, "logprob"), &one))
			sum += one;
		bytes += token_bytes(json_text(json_get(t, "text")));
		++*length;
	}
	if (!*length && json_number(json_get(first, "logprob"), &one)) {
		*length = 1;
		sum = one;
	}
	return *length ? sum : NAN;
}

static size_t most_likely(const struct helm *h, double *best)
{
	const struct references *r = &h->refs;
	size_t found = SIZE_MAX;

	*best = NAN;
	for (size_t i = 0; i < h->n_options; i++) {
		double score = h->calibrated ? r->score[i] - r->calibration[i]
					     : r->score[i] / r->length[i];

		if (isnan(score) || (found != SIZE_MAX && score <= *best))
			continue;
		found = i;
		*best = score;
	}
	return found;
}

static enum status finish_references(struct helm *h, struct err *err)
{
	struct references *r = &h->refs;
	struct src src = h->s.row.src;
	struct rec_prediction out;
	size_t best;
	enum status st;

	if (!r->instance)
		return OK;
	rec_prediction_init(&out);
	vec_clear(&h->s.numbers);
	buf_clear(&h->s.details);
	vec_clear(&h->s.facets);
	h->s.row.src = r->src;
	out.key = r->key;
	options_of(h, r->instance, NULL);
	best = most_likely(h, &out.score);
	if (best != SIZE_MAX) {
		out.raw = h->options[best];
		stored_answer(&h->s, h->options, h->n_options, &out);
	} else {
		out.outcome = r->error.n ? OUTCOME_ERROR : OUTCOME_UNPARSED;
		out.error = r->error;
	}
	st = send(h, r->instance, r->repeat, &out, err);
	h->s.row.src = src;
	forget(r);
	return st;
}

static enum status take_reference(struct helm *h, const cJSON *state, struct str key, double index,
				  uint32_t trial, struct err *err)
{
	struct references *r = &h->refs;
	size_t i = (size_t)index;
	double length = 0, score;
	struct str why;
	enum status st = OK;

	if (r->instance && (!str_eq(r->key, key) || r->repeat != trial + 1))
		st = finish_references(h, err);
	if (!r->instance) {
		r->instance = cJSON_Duplicate(json_get(state, "instance"), true);
		r->key = arena_str(&r->arena, key);
		r->src = h->s.row.src;
		r->repeat = trial + 1;
		for (size_t k = 0; k < MAX_REFERENCES; k++)
			r->score[k] = r->calibration[k] = r->length[k] = NAN;
	}
	if (failed(json_get(state, "result"), &why)) {
		r->error = arena_str(&r->arena, why);
		return st;
	}
	options_of(h, r->instance, NULL);
	score = logprob_of(state, i < h->n_options ? h->options[i] : STR_NONE, &length);
	if (str_eqz(json_text(json_get(state, "request_mode")), "calibration")) {
		r->calibration[i] = score;
	} else {
		r->score[i] = score;
		r->length[i] = length;
	}
	return st;
}

/* --- the file --- */

static enum status take_state(struct helm *h, const cJSON *state, struct err *err)
{
	struct stored *s = &h->s;
	const cJSON *instance = json_get(state, "instance");
	struct str key = key_of(h, instance);
	double trial = 0, index;
	enum status st;

	s->ctx->report->rows++;
	if (!key.n) {
		report_add(s->ctx->report, PROBLEM_SKIPPED, s->row.src, "instance",
			   "expected an instance with an id");
		return OK;
	}
	if (!json_number(json_get(state, "train_trial_index"), &trial) || trial < 0 || trial > 1000)
		trial = 0;
	if (!h->model.n)
		h->model = arena_str(&s->arena,
				     str_trim(json_text(json_get(json_get(state, "request"), "model"))));
	if (json_number(json_get(state, "reference_index"), &index) && index >= 0 &&
	    index < MAX_REFERENCES)
		return take_reference(h, state, key, index, (uint32_t)trial, err);
	st = finish_references(h, err);
	return st ? st : take_answers(h, state, key, (uint32_t)trial, err);
}

/* Several references are options where one of them is wrong. */
static bool has_wrong_ones(const cJSON *instance)
{
	const cJSON *list = json_get(instance, "references");
	bool right = false, wrong = false;

	for (const cJSON *r = list ? list->child : NULL; r; r = r->next) {
		right |= is_correct(r);
		wrong |= !is_correct(r);
	}
	return right && wrong;
}

static enum status take_instance(struct stored *s, const struct stored_value *v, struct err *err)
{
	struct helm *h = (struct helm *)s;
	struct str key = cJSON_IsObject(v->tree) ? key_of(h, v->tree) : STR_NONE;
	struct rec_truth truth;
	struct rec_sample sample;

	s->ctx->report->rows++;
	if (!key.n) {
		report_add(s->ctx->report, PROBLEM_SKIPPED, s->row.src, "id",
			   "expected an instance with an id");
		return OK;
	}
	h->choices = has_wrong_ones(v->tree);
	options_of(h, v->tree, NULL);
	sample_of(h, v->tree, &sample, &truth);
	sample.src = s->row.src;
	sample.key = key;
	sample.creates = true;
	sample.facets = s->facets.v;
	sample.n_facets = s->facets.n;
	return sink_sample(s->ctx->sink, &sample, err);
}

static enum status take_value(struct stored *s, const struct stored_value *v, struct err *err)
{
	struct helm *h = (struct helm *)s;

	if (v->inside && cJSON_IsObject(v->tree))
		return take_state(h, v->tree, err);
	if (v->inside)
		report_add(s->ctx->report, PROBLEM_SKIPPED, s->row.src, "", "expected an object in braces");
	else if (str_eqz(v->key, "adapter_spec"))
		read_spec(h, v->tree);
	return OK;
}

/* Of a run's arguments those that say how it was asked, not what. */
static bool is_of_adapter(struct str argument)
{
	static const char *const list[] = {"model",	       "model_deployment",
					   "method",	       "data_augmentation",
					   "num_outputs",      "num_train_trials",
					   "stop",	       "max_train_instances",
					   "instructions",     "use_chain_of_thought",
					   "global_prefix",    "output_format_instructions"};
	struct str name;

	str_cut(argument, '=', &name);
	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		if (str_eqz(name, list[i]))
			return true;
	return false;
}

/* The folder is called as the run, "mmlu:subject=anatomy,method=…,model=…": mmlu:subject=anatomy.
 * Empty: it is called otherwise. Instances of each scenario are numbered anew. */
static struct str task_of(struct helm *h)
{
	struct str folder = stored_folder(&h->s, 0), name, argument, rest;
	struct buf b = BUF_INIT;

	rest = str_cut(folder, ':', &name);
	if (!name.n || name.n == folder.n || str_find(rest, STR("=")) == SIZE_MAX)
		return STR_NONE;
	buf_str(&b, name);
	for (char between = ':'; rest.n;) {
		rest = str_cut(rest, ',', &argument);
		if (!argument.n || is_of_adapter(argument))
			continue;
		buf_ch(&b, between);
		buf_str(&b, argument);
		between = ',';
	}
	name = arena_str(&h->s.arena, buf_view(&b));
	buf_release(&b);
	return name;
}

static enum status read_file(struct read_ctx *ctx, struct err *err)
{
	struct helm *h = xcalloc(1, sizeof *h);
	enum status st;

	stored_init(&h->s, ctx);
	sink_task(ctx->sink, task_of(h));
	if (has_instances(buf_view(&ctx->in->head)))
		st = stored_values(&h->s, NULL, take_instance, err);
	else
		st = stored_values(&h->s, "request_states", take_value, err);
	if (!st)
		st = finish_references(h, err);
	forget(&h->refs);
	stored_release(&h->s);
	free(h);
	return st;
}

static enum rank rank(struct str path, struct str head)
{
	return has_instances(head) ? RANK_SAMPLES : stored_rank(path, head);
}

const struct reader reader_helm = {
    .name = "helm",
    .help = "HELM's scenario_state.json; references that were scored one by one are put together",
    .probe = probe,
    .rank = rank,
    .read = read_file,
};
