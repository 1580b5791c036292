/*
 * promptfoo: results of promptfoo, {evalId, results: {version, prompts, results: […], stats}, config},
 * or its JSONL, a record a line, as they came in. A test (testIdx) is a sample; each provider is a run,
 * and each further prompt that it was asked with another one. The first prompt's text is the question.
 *
 * Version 2 has neither testIdx nor promptIdx nor testCase: there the variables tell tests apart, the
 * label a prompt, and assertions are what was graded.
 *
 * What was to be answered is the value of the first assertion that compares texts, else a variable that
 * is called like a label. `error` also says why an assertion failed (failureReason 1), which is no
 * failed request.
 */
#include "core/reader/guess.h"
#include "core/reader/stored.h"
#include "core/reader/table.h"

#define MAX_VARIABLES 64
#define MAX_VARIANT   48 /* bytes of a prompt's label that can stand in a handle */

static bool has_results(struct str object)
{
	bool version = false, rows = false;
	struct member m;

	while (peek_member(&object, &m)) {
		version |= str_eqz(m.key, "version");
		rows |= str_eqz(m.key, "prompts") || str_eqz(m.key, "results") || str_eqz(m.key, "stats");
	}
	return version && rows;
}

static int probe(struct str path, struct str head)
{
	struct str rest = peek_skip_blanks(head);
	struct member m;
	struct peek p;
	int score;

	(void)path;
	peek_open(&p, head);
	score = p.shape == SHAPE_JSONL && peek_has(&p, "promptIdx") && peek_has(&p, "provider") &&
			(peek_has(&p, "testIdx") || peek_has(&p, "testCase") || peek_has(&p, "vars"))
		    ? 100
		    : 0;
	peek_release(&p);
	while (!score && peek_member(&rest, &m))
		if (str_eqz(m.key, "results") && m.value.p < head.p + head.n && *m.value.p == '{')
			score = has_results((struct str){m.value.p, (size_t)(head.p + head.n - m.value.p)})
				    ? 100
				    : 0;
	return score;
}

struct promptfoo {
	struct stored s; /* first */
	struct intern models;	    /* that answered */
	VEC(double) prompt;	    /* by models: the first prompt that it was asked with */
	VEC(struct str) templates;  /* by promptIdx: the prompt before variables are put in */
	struct str first;	    /* label of the first prompt of all; NULL p: not known yet */
	struct intern labels;	    /* of prompts without a promptIdx */
	struct intern tests, names; /* of tests without a testIdx: their variables, their keys */
	VEC(uint32_t) name;	    /* by tests: of names */
};

static struct str label_of(const cJSON *record)
{
	return str_trim(json_text(json_get(json_get(record, "prompt"), "label")));
}

/* --- the test --- */

static const cJSON *vars_of(const cJSON *record)
{
	const cJSON *vars = json_get(record, "vars");

	if (!vars)
		vars = json_get(json_get(record, "testCase"), "vars");
	return cJSON_IsObject(vars) ? vars : NULL;
}

/* "{{label}}" stands for the variable of that name. */
static struct str filled_in(struct promptfoo *p, const cJSON *record, const cJSON *value)
{
	struct buf scratch = BUF_INIT;
	struct str text = str_trim(json_scalar(value, &scratch));
	const cJSON *vars = vars_of(record);
	struct str name;

	if (text.n > 4 && str_starts(text, STR("{{")) && str_ends(text, STR("}}"))) {
		name = str_trim((struct str){text.p + 2, text.n - 4});
		for (const cJSON *v = vars ? vars->child : NULL; v; v = v->next)
			if (str_eqz(name, v->string)) {
				text = str_trim(json_scalar(v, &scratch));
				break;
			}
	}
	text = text.p ? arena_str(&p->s.row.arena, text) : STR_NONE;
	buf_release(&scratch);
	return text;
}

static bool compares_texts(struct str type)
{
	static const char *const list[] = {"equals", "icontains", "contains", "starts-with"};

	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		if (str_eqz(type, list[i]))
			return true;
	return false;
}

static enum role role_of(const cJSON *variable)
{
	struct str name = str_z(variable->string);

	/* a variable that could be asked with is none to be judged by */
	if (str_eq_nocase(name, STR("expected")) || str_eq_nocase(name, STR("expected_output")))
		return ROLE_LABEL;
	return guess_role(name).role;
}

static struct refs truth_of(struct promptfoo *p, const cJSON *record)
{
	const cJSON *test = json_get(record, "testCase"), *vars = vars_of(record);
	const cJSON *list = test ? json_get(test, "assert")
				 : json_get(json_get(record, "gradingResult"), "componentResults");
	struct refs none = {0};

	for (const cJSON *i = cJSON_IsArray(list) ? list->child : NULL; i; i = i->next) {
		const cJSON *a = test ? i : json_get(i, "assertion");

		if (compares_texts(json_text(json_get(a, "type")))) {
			struct str text = filled_in(p, record, json_get(a, "value"));

			if (text.n)
				return stored_truth_text(&p->s, text, NULL, 0);
		}
	}
	for (const cJSON *v = vars ? vars->child : NULL; v; v = v->next)
		if (role_of(v) == ROLE_LABEL || role_of(v) == ROLE_ANSWER)
			return stored_truth(&p->s, v, NULL, 0);
	return none;
}

/* Pictures, the question, and short texts as facets. */
static void variables_of(struct promptfoo *p, const cJSON *record, struct rec_sample *out)
{
	const cJSON *vars = vars_of(record);
	struct str *paths = arena_zalloc(&p->s.row.arena, MAX_VARIABLES, sizeof *paths);
	double number;
	size_t n = 0;

	for (const cJSON *v = vars ? vars->child : NULL; v; v = v->next) {
		struct str text = str_trim(json_text(v));
		enum role role = role_of(v);

		if (n < MAX_VARIABLES && (str_starts(text, STR("data:image/")) || looks_like_image(text) ||
					  looks_like_video(text)))
			paths[n++] = stored_picture(&p->s, text);
		else if (role == ROLE_QUESTION && text.n)
			out->text = text;
		else if (role == ROLE_LABEL || role == ROLE_ANSWER)
			continue;
		else if (!v->string[0])
			continue;
		else if (text.n && text.n <= 256)
			stored_facet(&p->s, v->string, text);
		else if (json_number(v, &number))
			vec_push(&p->s.facets,
				 ((struct rec_facet){str_z(v->string), STR_NONE, number, true}));
	}
	stored_pictures(out, paths, n);
	if (!out->text.n && str_eq(label_of(record), p->first))
		out->text = str_trim(json_text(json_get(json_get(record, "prompt"), "raw")));
	out->text_kind = out->text.n ? TEXT_QUESTION : TEXT_NONE;
}

/* The variable that is called like a key, else the first picture; NULL p: neither. */
static struct str naming_variable(struct promptfoo *p, const cJSON *vars)
{
	struct buf scratch = BUF_INIT;
	struct str found = STR_NONE, text;
	bool key = false;

	for (const cJSON *v = vars->child; v && !key; v = v->next) {
		text = str_trim(json_scalar(v, &scratch));
		key = text.n && role_of(v) == ROLE_KEY;
		if (text.n <= 256 && (key || (!found.p && (looks_like_image(text) || looks_like_video(text)))))
			found = arena_str(&p->s.row.arena, text);
	}
	buf_release(&scratch);
	return found;
}

/* The same variables are the same test. */
static struct str key_by_variables(struct promptfoo *p, const cJSON *record)
{
	const cJSON *vars = vars_of(record);
	char *all = vars && vars->child ? cJSON_PrintUnformatted(vars) : NULL;
	size_t known = p->tests.keys.n, n_names;
	struct str name;
	uint32_t test, id;

	if (!all)
		return STR_NONE;
	test = intern_add(&p->tests, str_z(all));
	cJSON_free(all);
	if (test == known) {
		name = naming_variable(p, vars);
		if (!name.n)
			name = str_z(arena_printf(&p->s.row.arena, "%u", test));
		n_names = p->names.keys.n;
		id = intern_add(&p->names, name);
		for (unsigned k = 1; id < n_names; k++)
			id = intern_add(&p->names, str_z(arena_printf(&p->s.row.arena, "%.*s#%u",
								      STR_ARG(name), k)));
		vec_push(&p->name, id);
	}
	return intern_key(&p->names, p->name.v[test]);
}

static struct str key_of(struct promptfoo *p, const cJSON *record)
{
	static const char *const names[] = {"testIdx", "rowIndex", "id"};
	struct buf scratch = BUF_INIT;
	struct str key = STR_NONE;

	for (size_t i = 0; i < sizeof names / sizeof *names && !key.n; i++)
		key = str_trim(json_scalar(json_get(record, names[i]), &scratch));
	key = key.n ? arena_str(&p->s.row.arena, key) : STR_NONE;
	buf_release(&scratch);
	return key.n ? key : key_by_variables(p, record);
}

/* --- the answer --- */

/* {"emotion": "joy", "why": "…"}: the member that is called like an answer; NULL p: none is. */
static struct str answer_in(const cJSON *output)
{
	struct str text = str_trim(json_text(json_get(output, "label")));

	if (!text.n)
		text = str_trim(json_text(json_get(output, "answer")));
	for (const cJSON *m = cJSON_IsObject(output) ? output->child : NULL; m && !text.n; m = m->next) {
		enum role role = guess_role(str_z(m->string)).role;

		if (role == ROLE_PREDICTION || role == ROLE_LABEL || role == ROLE_ANSWER)
			text = str_trim(json_text(m));
	}
	return text.n ? text : STR_NONE;
}

static void read_output(struct promptfoo *p, const cJSON *output, struct rec_prediction *out)
{
	struct buf scratch = BUF_INIT;
	char *text;

	if (cJSON_IsObject(output) || cJSON_IsArray(output)) {
		text = cJSON_PrintUnformatted(output);
		out->raw = text ? arena_str(&p->s.row.arena, str_z(text)) : STR_NONE;
		cJSON_free(text);
		out->extracted = answer_in(output);
		return;
	}
	out->raw = json_scalar(output, &scratch);
	out->raw = out->raw.p ? arena_str(&p->s.row.arena, out->raw) : STR_NONE;
	buf_release(&scratch);
}

/* Was it the request that failed? Older files tell by the answer alone. */
static bool has_failed(const cJSON *record, const cJSON *output, struct str *why)
{
	struct str error = str_trim(json_text(json_get(json_get(record, "response"), "error")));
	bool any = output && !cJSON_IsNull(output);
	double reason;

	if (!error.n)
		error = str_trim(json_text(json_get(record, "error")));
	*why = error.n ? error : STR("the request failed");
	if (json_number(json_get(record, "failureReason"), &reason))
		return reason == 2;
	return error.n > 0 && !any;
}

static void numbers_of(struct promptfoo *p, const cJSON *record, struct rec_prediction *out)
{
	const cJSON *response = json_get(record, "response"), *grading = json_get(record, "gradingResult");
	const cJSON *named = json_get(record, "namedScores");
	double n;

	if (json_number(json_get(record, "latencyMs"), &n))
		out->latency_ms = n;
	if (json_number(json_get(json_get(response, "tokenUsage"), "completion"), &n) && n >= 0 && n < 1e15)
		out->tokens = (int64_t)n;
	stored_put(&p->s, STR("success"), json_get(record, "success"));
	stored_put(&p->s, STR("graded"), json_get(record, "score"));
	stored_put(&p->s, STR("cost"), json_get(record, "cost"));
	for (const cJSON *v = cJSON_IsObject(named) ? named->child : NULL; v; v = v->next)
		stored_put(&p->s, str_z(v->string), v);
	stored_put_text(&p->s, "reason", json_text(json_get(grading, "reason")));
}

static void answer_of(struct promptfoo *p, const cJSON *record, struct rec_prediction *out)
{
	const cJSON *response = json_get(record, "response"), *output = json_get(response, "output");

	read_output(p, output, out);
	if (has_failed(record, output, &out->error))
		out->outcome = OUTCOME_ERROR;
	else
		out->error = STR_NONE;
	if (out->outcome == OUTCOME_MISSING && cJSON_IsTrue(json_get(response, "isRefusal")))
		out->outcome = OUTCOME_REFUSED;
	numbers_of(p, record, out);
	stored_answer(&p->s, NULL, 0, out);
}

/* --- the run --- */

static struct str model_of(const cJSON *record)
{
	const cJSON *provider = json_get(record, "provider");
	struct str name = str_trim(json_text(provider));

	if (!name.n)
		name = str_trim(json_text(json_get(provider, "label")));
	if (!name.n)
		name = str_trim(json_text(json_get(provider, "id")));
	return name;
}

/* The first prompt of a model is the one with the lowest number. */
static void note_prompt(struct promptfoo *p, struct str model, double number)
{
	size_t known = p->models.keys.n;
	uint32_t id = intern_add(&p->models, model);

	if (id == known)
		vec_push(&p->prompt, number);
	else if (number < p->prompt.v[id])
		p->prompt.v[id] = number;
}

/* The name of a further prompt; NULL p: it is the first one. */
static struct str variant_of(struct promptfoo *p, const cJSON *record, struct str model)
{
	struct str label = label_of(record);
	size_t known = p->models.keys.n;
	double number;
	uint32_t id;

	if (json_number(json_get(record, "promptIdx"), &number)) {
		id = intern_add(&p->models, model);
		if (id == known)
			vec_push(&p->prompt, number);
		if (p->prompt.v[id] == number)
			return STR_NONE;
	} else {
		number = intern_add(&p->labels, label);
		if (str_eq(label, p->first))
			return STR_NONE;
	}
	if (label.n && label.n <= MAX_VARIANT && !memchr(label.p, '\n', label.n))
		return label;
	return str_z(arena_printf(&p->s.row.arena, "prompt-%.0f", number));
}

static void run_of(struct promptfoo *p, const cJSON *record, struct stored_run *out)
{
	double number = -1;

	out->rec.model = model_of(record);
	json_number(json_get(record, "promptIdx"), &number);
	if (number >= 0 && number < (double)p->templates.n)
		out->rec.prompt = p->templates.v[(size_t)number];
	else if (!vars_of(record)) /* with variables it is another one for each test */
		out->rec.prompt = str_trim(json_text(json_get(json_get(record, "prompt"), "raw")));
	out->variant = variant_of(p, record, out->rec.model);
}

static void read_prompts(struct promptfoo *p, const cJSON *list)
{
	double at = 0;

	for (const cJSON *c = cJSON_IsArray(list) ? list->child : NULL; c; c = c->next, at++) {
		struct str model = model_of(c);

		if (!p->first.p)
			p->first = arena_str(&p->s.arena, str_trim(json_text(json_get(c, "label"))));
		vec_push(&p->templates,
			 arena_str(&p->s.arena, str_trim(json_text(json_get(c, "raw")))));
		if (model.n)
			note_prompt(p, model, at);
	}
}

/* Lines are in the order in which answers came in: of each provider the lowest prompt of the lines
 * that begin the file is the first one. */
static void read_first_lines(struct promptfoo *p, struct str head)
{
	double lowest = INFINITY, number;
	struct str line;

	for (struct str rest = str_cut(head, '\n', &line); rest.p; rest = str_cut(rest, '\n', &line)) {
		struct err why = ERR_INIT;
		cJSON *tree = NULL;

		if (json_parse(str_trim(line), &tree, &why) == OK &&
		    json_number(json_get(tree, "promptIdx"), &number)) {
			note_prompt(p, model_of(tree), number);
			if (number < lowest)
				p->first = arena_str(&p->s.arena, label_of(tree));
			if (number < lowest)
				lowest = number;
		}
		cJSON_Delete(tree);
	}
}

static enum status take_record(struct promptfoo *p, const cJSON *record, struct err *err)
{
	struct stored *s = &p->s;
	struct stored_run run = {0};
	struct rec_truth truth = {.layer = STR("original")};
	struct rec_sample sample = {.truths = &truth};
	struct rec_prediction out;
	struct refs target;
	enum status st;

	s->ctx->report->rows++;
	rec_prediction_init(&out);
	out.key = key_of(p, record);
	if (!out.key.n) {
		report_add(s->ctx->report, PROBLEM_SKIPPED, s->row.src, "testIdx",
			   "expected the test's number, got nothing");
		return OK;
	}
	if (!p->first.p)
		p->first = arena_str(&s->arena, label_of(record));
	variables_of(p, record, &sample);
	target = truth_of(p, record);
	truth.refs = target.v;
	truth.n_refs = target.n;
	sample.n_truths = target.known;
	answer_of(p, record, &out);
	run_of(p, record, &run);
	st = stored_run(s, &run, &out.run, err);
	return st ? st : stored_send(s, &out, &sample, err);
}

static enum status take_value(struct stored *s, const struct stored_value *v, struct err *err)
{
	struct promptfoo *p = (struct promptfoo *)s;

	if (v->inside && cJSON_IsObject(v->tree))
		return take_record(p, v->tree, err);
	if (v->inside)
		report_add(s->ctx->report, PROBLEM_SKIPPED, s->row.src, "", "expected an object in braces");
	else if (v->depth == 1 && str_eqz(v->key, "prompts"))
		read_prompts(p, v->tree);
	return OK;
}

static enum status take_lines(struct promptfoo *p, struct err *err)
{
	struct stored *s = &p->s;
	struct lines lines;
	struct line line;
	bool more = true;
	enum status st;

	lines_init(&lines, s->ctx->in);
	while ((st = lines_next(&lines, &line, &more, err)) == OK && more) {
		struct err why = ERR_INIT;
		cJSON *tree = NULL;

		if (!str_trim(line.text).n)
			continue;
		stored_next(s, (struct src){line.number, line.byte});
		if (line.too_long)
			report_add(s->ctx->report, PROBLEM_SKIPPED, s->row.src, "",
				   "the line is longer than %zu bytes", LINE_MAX_BYTES);
		else if (json_parse(str_trim(line.text), &tree, &why) != OK || !cJSON_IsObject(tree))
			report_add(s->ctx->report, PROBLEM_SKIPPED, s->row.src, "", "%s",
				   why.code ? why.msg : "expected an object in braces");
		else
			st = take_record(p, tree, err);
		cJSON_Delete(tree);
		if (st)
			break;
	}
	lines_release(&lines);
	return st;
}

static enum status read_file(struct read_ctx *ctx, struct err *err)
{
	struct promptfoo *p = xcalloc(1, sizeof *p);
	struct peek peek;
	enum status st;

	stored_init(&p->s, ctx);
	peek_open(&peek, buf_view(&ctx->in->head));
	if (peek.shape == SHAPE_JSONL && peek_has(&peek, "promptIdx")) {
		read_first_lines(p, buf_view(&ctx->in->head));
		st = take_lines(p, err);
	} else {
		st = stored_values(&p->s, "results/results", take_value, err);
	}
	peek_release(&peek);
	intern_release(&p->models);
	vec_release(&p->prompt);
	vec_release(&p->templates);
	intern_release(&p->labels);
	intern_release(&p->tests);
	intern_release(&p->names);
	vec_release(&p->name);
	stored_release(&p->s);
	free(p);
	return st;
}

const struct reader reader_promptfoo = {
    .name = "promptfoo",
    .help = "results of promptfoo (JSON, JSONL); each provider and prompt is a run",
    .probe = probe,
    .rank = stored_rank,
    .read = read_file,
};
