/*
 * eibench: EIBench's files, whose records are objects with one member, called like the picture:
 *   user.jsonl                  {PATH: QUESTION}
 *   ec_complex.jsonl            {PATH: {QUESTION: TRIGGERS}}, several of one picture
 *   basic_ground_truth.json     {PATH: TRIGGERS, …}, one object
 *   a model's answers           {PATH: ANSWER}
 *   a judge's words on them     {PATH: "… {score: HITS/TRIGGERS} …"}
 *   people's scores             {PATH: "0" … "5"} of question and triggers
 * Which one it is, is told by what most of its values look like. The path does not name a complex
 * sample: its key is PATH#K, K the place among that picture's questions, from 0; answers and words of a
 * judge follow the order of the questions.
 */
#include "core/base/path.h"
#include "core/reader/stored.h"
#include "core/reader/table.h"

#define RECORDS_MAX   1000000
#define BYTES_MAX     ((size_t)1 << 30) /* of all texts: they are looked at together */
#define RECORDS_TOLD  50 /* of the beginning */
#define REPEATS_SHARE 4	 /* one in so many */

enum kind { KIND_NONE, KIND_QUESTIONS, KIND_COMPLEX, KIND_TRUTH, KIND_ANSWERS, KIND_JUDGED, KIND_SCORES, N_KINDS };

/* --- which of them it is --- */

static bool is_score(struct str value)
{
	double v;

	return value.n && value.n < 5 && str_num(value, &v) && v >= 0 && v <= 5;
}

static bool is_judged(struct str value)
{
	return str_find(value, STR("{score")) != SIZE_MAX;
}

static bool is_question(struct str value)
{
	while (value.n && memchr("'\" .", value.p[value.n - 1], 4))
		value.n--;
	return value.n && value.p[value.n - 1] == '?';
}

/* "1. …", as triggers are written. */
static bool is_numbered(struct str value)
{
	return value.n > 1 && value.p[0] == '1' && value.p[1] == '.';
}

struct told {
	size_t n, of[N_KINDS];
};

static void tell(struct told *t, struct str value, bool object, bool map)
{
	enum kind k = object		  ? KIND_COMPLEX
		      : is_judged(value)   ? KIND_JUDGED
		      : is_score(value)	   ? KIND_SCORES
		      : is_numbered(value) && map ? KIND_TRUTH
		      : is_question(value) ? KIND_QUESTIONS
					   : KIND_ANSWERS;

	t->n++;
	t->of[k]++;
}

/* More than half of the records. An object full of answers is no file of EIBench's. */
static enum kind told_kind(const struct told *t, bool map)
{
	for (int k = KIND_NONE + 1; k < N_KINDS; k++)
		if (t->of[k] * 2 > t->n)
			return map && k != KIND_TRUTH ? KIND_NONE : (enum kind)k;
	return t->n && !map ? KIND_ANSWERS : KIND_NONE;
}

static bool is_picture(struct str key)
{
	return looks_like_image(key) && !str_starts(path_base(key), STR("ILSVRC2012_val_"));
}

/* The text between the quotes, or the number; *object: it is one. false: neither. */
static bool value_of(struct str value, struct str *text, bool *object)
{
	*object = value.n && value.p[0] == '{';
	*text = value;
	if (value.n > 1 && value.p[0] == '"')
		*text = (struct str){value.p + 1, value.n - 2};
	return value.n && (value.p[0] == '"' || *object || is_score(value));
}

static enum kind kind_of_map(struct str head)
{
	struct told t = {0};
	struct member m;
	struct str text;
	bool object;

	while (t.n < RECORDS_TOLD && peek_member(&head, &m) && m.value.n) {
		if (!is_picture(m.key) || !value_of(m.value, &text, &object) || object)
			return KIND_NONE;
		tell(&t, str_trim(text), false, true);
	}
	return told_kind(&t, true);
}

/* One object with one member. */
static bool record_of(struct str *rest, struct member *out)
{
	struct str s = *rest, more;
	struct member second;
	size_t n = s.n && s.p[0] == '{' ? peek_json_span(s) : 0;

	more = (struct str){s.p, n};
	if (!n || !peek_member(&more, out) || peek_member(&more, &second))
		return false;
	*rest = peek_skip_blanks((struct str){s.p + n, s.n - n});
	return true;
}

static enum kind kind_of(struct str head)
{
	struct str rest = peek_skip_blanks(head), text;
	struct told t = {0};
	struct member m;
	bool object;

	while (t.n < RECORDS_TOLD && record_of(&rest, &m)) {
		if (!is_picture(m.key) || !value_of(m.value, &text, &object))
			return KIND_NONE;
		tell(&t, str_trim(text), object, false);
	}
	/* A first record that is not the last one is a line; a lone one may be either. */
	if (t.n > 1 || (t.n && !rest.n))
		return told_kind(&t, false);
	rest = peek_skip_blanks(head);
	return rest.n && rest.p[0] == '{' ? kind_of_map(rest) : KIND_NONE;
}

static int probe(struct str path, struct str head)
{
	(void)path;
	return kind_of(head) != KIND_NONE ? 92 : 0;
}

static enum rank rank(struct str path, struct str head)
{
	(void)path;
	switch (kind_of(head)) {
	case KIND_ANSWERS:
		return RANK_PREDICTIONS;
	case KIND_JUDGED:
		return RANK_REFERENCES;
	case KIND_SCORES:
	case KIND_TRUTH:
		return RANK_TRUTH;
	default:
		return RANK_SAMPLES;
	}
}

/* --- records --- */

struct record {
	struct src src;
	struct str path, question, value; /* value NULL p: null, or of a kind that is none */
	uint32_t place; /* among the records of its path */
};

struct eibench {
	struct stored s; /* first */
	enum kind kind;
	struct intern paths;
	VEC(uint32_t) of_path; /* records, by path */
	VEC(struct record) records;
	size_t bytes;
	size_t repeats; /* records of a path that others were of */
	struct str rater;
	struct str model;
};

static void add_record(struct eibench *e, struct src src, struct str path, struct str question, struct str value)
{
	struct arena *arena = &e->s.arena;
	size_t known = e->paths.keys.n;
	uint32_t at;

	path = path_with_slashes(arena, str_trim(path));
	at = intern_add(&e->paths, path);
	if (at == known)
		vec_push(&e->of_path, 0);
	e->repeats += at != known;
	e->bytes += path.n + question.n + value.n;
	vec_push(&e->records, ((struct record){src, arena_str(arena, path), arena_str(arena, question),
					       value.p ? arena_str(arena, value) : STR_NONE, e->of_path.v[at]++}));
}

/* The members of one record. */
static void add_members(struct eibench *e, const cJSON *tree, struct src src)
{
	struct buf scratch = BUF_INIT;

	for (const cJSON *m = cJSON_IsObject(tree) ? tree->child : NULL; m; m = m->next) {
		struct str path = str_z(m->string);

		if (!str_trim(path).n || path.n > 4000)
			report_add(e->s.ctx->report, PROBLEM_SKIPPED, src, "", "expected a picture's path");
		else if (cJSON_IsObject(m))
			for (const cJSON *q = m->child; q; q = q->next)
				add_record(e, src, path, str_trim(str_z(q->string)), json_text(q));
		else
			add_record(e, src, path, STR_NONE, json_scalar(m, &scratch));
	}
	buf_release(&scratch);
}

static enum status check_size(const struct eibench *e, struct err *err)
{
	if (e->records.n >= RECORDS_MAX)
		return err_set(err, E_LIMIT, "more than %d records", RECORDS_MAX);
	if (e->bytes > BYTES_MAX)
		return err_set(err, E_LIMIT, "more than %zu bytes of texts", BYTES_MAX);
	return OK;
}

static enum status take_value(struct stored *s, const struct stored_value *v, struct err *err)
{
	struct eibench *e = (struct eibench *)s;

	s->ctx->report->rows++;
	if (v->key.n && cJSON_IsString(v->tree))
		add_record(e, s->row.src, v->key, STR_NONE, json_text(v->tree));
	else
		report_add(s->ctx->report, PROBLEM_SKIPPED, s->row.src, "", "expected a path and a text");
	return check_size(e, err);
}

static enum status take_line(struct eibench *e, const struct line *line, struct err *err)
{
	struct src src = {line->number, line->byte};
	struct err why = ERR_INIT;
	cJSON *tree = NULL;

	e->s.ctx->report->rows++;
	if (line->too_long)
		report_add(e->s.ctx->report, PROBLEM_SKIPPED, src, "", "a line of more than %zu bytes", LINE_MAX_BYTES);
	else if (json_parse(str_trim(line->text), &tree, &why) != OK)
		report_add(e->s.ctx->report, PROBLEM_SKIPPED, src, "", "%s", why.msg);
	else if (!cJSON_IsObject(tree))
		report_add(e->s.ctx->report, PROBLEM_SKIPPED, src, "", "expected an object, {PATH: …}");
	else
		add_members(e, tree, src);
	cJSON_Delete(tree);
	return check_size(e, err);
}

static enum status read_lines(struct eibench *e, struct err *err)
{
	struct lines lines;
	struct line line;
	bool more = true;
	enum status st = OK;

	lines_init(&lines, e->s.ctx->in);
	while (!st && more) {
		st = lines_next(&lines, &line, &more, err);
		if (!st && more && str_trim(line.text).n)
			st = take_line(e, &line, err);
	}
	lines_release(&lines);
	return st;
}

/* --- handing over --- */

/* Answers do not say of which part they are: of the complex one where many share a picture. A few that do
 * are of a basic part where somebody asked again. */
static struct str key_of(struct eibench *e, const struct record *r)
{
	bool complex = e->kind == KIND_COMPLEX || e->repeats * REPEATS_SHARE > e->records.n;

	if (!complex && !r->place)
		return r->path;
	return str_z(arena_printf(&e->s.row.arena, "%.*s#%u", (int)r->path.n, r->path.p, r->place));
}

/* CAER-S/train/Angry/0006.png, EmoSet-118k/image/sadness/sadness_01800.jpg. */
static void facets_of(struct eibench *e, struct str path)
{
	static const char *const same[][2] = {{"Angry", "anger"}, {"Happy", "happiness"}, {"Sad", "sadness"}};
	struct stored *s = &e->s;
	struct str source, folder = path_base(path_dir(path)), rest = str_cut(path, '/', &source);

	if (!rest.n)
		return;
	stored_facet(s, "source", source);
	for (size_t i = 0; i < sizeof same / sizeof *same; i++)
		if (str_eqz(folder, same[i][0]))
			folder = str_z(same[i][1]);
	if (!str_eq(folder, source))
		stored_facet(s, "emotion", folder);
}

static enum status send_sample(struct eibench *e, const struct record *r, struct err *err)
{
	struct stored *s = &e->s;
	struct str triggers = e->kind == KIND_COMPLEX || e->kind == KIND_TRUTH ? str_trim(r->value) : STR_NONE;
	struct str question = e->kind == KIND_QUESTIONS ? str_trim(r->value) : r->question;
	struct rec_sample rec = {.src = r->src, .key = key_of(e, r), .media = MEDIA_IMAGE, .paths = &r->path,
				 .n_paths = 1, .text = question, .creates = true, .declares = true};

	rec.text_kind = question.n ? TEXT_QUESTION : TEXT_NONE;
	facets_of(e, r->path);
	if (e->kind == KIND_COMPLEX)
		stored_facet(s, "part", STR("complex"));
	else
		stored_facet(s, "part", STR("basic"));
	stored_put_text(s, "triggers", triggers);
	if (s->details.n)
		rec.extra = str_z(arena_printf(&s->row.arena, "{%s}", buf_cstr(&s->details)));
	rec.facets = s->facets.v;
	rec.n_facets = s->facets.n;
	return sink_sample(s->ctx->sink, &rec, err);
}

/* A person's score of question and triggers: a facet, called as the file is. */
static enum status send_score(struct eibench *e, const struct record *r, struct err *err)
{
	struct rec_facet facet = {e->rater, STR_NONE, NAN, true};
	struct rec_sample rec = {.src = r->src, .key = key_of(e, r), .facets = &facet, .n_facets = 1};

	if (!is_score(str_trim(r->value)) || !str_num(str_trim(r->value), &facet.number)) {
		report_add(e->s.ctx->report, PROBLEM_SKIPPED, r->src, "score", "expected a score of 0 to 5");
		return OK;
	}
	return sink_sample(e->s.ctx->sink, &rec, err);
}

/* "{score: 2/5}", the first one, as the published script reads it. */
static bool read_judged(struct str text, double *hits, double *all)
{
	size_t at = str_find(text, STR("{score:"));
	struct str inside, first, second;

	if (at == SIZE_MAX)
		return false;
	at += strlen("{score:");
	str_cut((struct str){text.p + at, text.n - at}, '}', &inside);
	second = str_cut(inside, '/', &first);
	return str_num(str_trim(first), hits) && str_num(str_trim(second), all) && *hits >= 0 && *all > 0 &&
	       *hits <= *all;
}

static void add_number(struct stored *s, const char *name, double value)
{
	vec_push(&s->numbers, ((struct rec_number){str_z(name), value}));
}

/* The judge's words add to an answer; what they come to is the recall of the triggers. */
static void judged_of(struct eibench *e, const struct record *r)
{
	struct stored *s = &e->s;
	double hits, all;

	stored_put_text(s, "judge", str_trim(r->value));
	if (!read_judged(r->value, &hits, &all)) {
		report_add(s->ctx->report, PROBLEM_WARNING, r->src, "score", "there is no {score: HITS/TRIGGERS}");
		return;
	}
	add_number(s, "rec", hits / all);
	add_number(s, "hits", hits);
	add_number(s, "triggers", all);
}

static enum status send_answer(struct eibench *e, const struct record *r, struct err *err)
{
	struct stored *s = &e->s;
	struct stored_run run = {.rec = {.model = e->model, .protocol = STR("EI"), .staged = true}};
	struct rec_sample sample = {.media = MEDIA_IMAGE, .paths = &r->path, .n_paths = 1};
	struct rec_prediction p;
	enum status st;

	rec_prediction_init(&p);
	st = stored_run(s, &run, &p.run, err);
	p.key = key_of(e, r);
	if (e->kind == KIND_JUDGED) {
		judged_of(e, r);
	} else {
		facets_of(e, r->path);
		p.raw = r->value;
		p.outcome = str_trim(r->value).n ? OUTCOME_OOP : OUTCOME_EMPTY; /* free text: no class */
	}
	return st ? st : stored_send(s, &p, e->kind == KIND_JUDGED ? NULL : &sample, err);
}

static enum status send(struct eibench *e, const struct record *r, struct err *err)
{
	stored_next(&e->s, r->src);
	if (!r->value.p) {
		report_add(e->s.ctx->report, PROBLEM_SKIPPED, r->src, "", "expected a text");
		return OK;
	}
	if (e->kind == KIND_ANSWERS || e->kind == KIND_JUDGED)
		return send_answer(e, r, err);
	return e->kind == KIND_SCORES ? send_score(e, r, err) : send_sample(e, r, err);
}

/* "api_qwen_complex" and "qwen_basic_scores" are qwen's: one run has both parts and what a judge said. */
static struct str model_of(struct eibench *e)
{
	static const char *const words[] = {"_scores", "_score", "_eval", "_basic", "_complex"};
	const struct read_options *opt = e->s.ctx->opt;
	struct str name = opt->model.n ? opt->model : reader_model_from_path(str_z(e->s.ctx->in->path));
	bool cut = !opt->model.n;

	while (cut) {
		cut = false;
		for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
			size_t n = strlen(words[i]);

			if (name.n > n && str_ends(name, str_z(words[i]))) {
				name.n -= n;
				cut = true;
			}
		}
	}
	if (!opt->model.n && name.n > 4 && str_starts(name, STR("api_")))
		name = (struct str){name.p + 4, name.n - 4};
	return name;
}

static enum status read_file(struct read_ctx *ctx, struct err *err)
{
	struct eibench *e = xcalloc(1, sizeof *e);
	struct str head = peek_skip_blanks(buf_view(&ctx->in->head));
	enum status st;

	stored_init(&e->s, ctx);
	e->kind = kind_of(head);
	e->rater = path_stem(path_base(str_z(ctx->in->path)));
	e->model = model_of(e);
	if (e->kind == KIND_NONE)
		st = err_set(err, E_FORMAT, "expected objects with one member, {PICTURE'S PATH: …}");
	else
		st = e->kind == KIND_TRUTH && kind_of_map(head) == KIND_TRUTH
			 ? stored_values(&e->s, NULL, take_value, err) : read_lines(e, err);
	for (size_t i = 0; i < e->records.n && !st; i++)
		st = send(e, &e->records.v[i], err);
	vec_release(&e->records);
	vec_release(&e->of_path);
	intern_release(&e->paths);
	stored_release(&e->s);
	free(e);
	return st;
}

const struct reader reader_eibench = {
    .name = "eibench",
    .help = "EIBench: questions, triggers, answers, a judge's and people's scores, by picture",
    .probe = probe,
    .rank = rank,
    .read = read_file,
    .one_set = true,
};
