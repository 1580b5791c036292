/* What a column is, by its name where that says something and by its values where they do. */
#include "core/base/path.h"
#include "core/reader/columns.h"
#include "core/reader/draft.h"
#include "core/reader/recipe_file.h"

#define CLASS_BYTES 48	/* of a class's name, on average, at most */
#define MODEL_ROWS  4	/* rows a model has at least */
#define FEW_ROWS    16	/* that may all be different by chance */
#define SHORT_PART  3	/* letters */
#define KEY_REPEATS 40	/* models that a table has at most */


static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* sampleId: a capital behind a small letter begins a word. */
static bool begins_word(struct str name, size_t at)
{
	return !at || !is_letter(name.p[at - 1]) ||
	       (name.p[at] <= 'Z' && name.p[at - 1] >= 'a');
}

/* Of so few letters that other words may have them inside, such as "said". */
static bool has_word(struct str name, struct str word)
{
	for (size_t i = 0; i + word.n <= name.n; i++)
		if (str_eq_nocase((struct str){name.p + i, word.n}, word) && begins_word(name, i) &&
		    (i + word.n == name.n || !is_letter(name.p[i + word.n])))
			return true;
	return false;
}

static bool has_part(struct str name, const char *const *parts)
{
	for (; *parts; parts++) {
		struct str part = str_z(*parts);

		if (part.n <= SHORT_PART ? has_word(name, part) : str_find_nocase(name, part) != SIZE_MAX)
			return true;
	}
	return false;
}

static uint32_t filled(const struct draft_column *c)
{
	return c->n - c->blank;
}

static bool is_number(const struct draft_column *c)
{
	return filled(c) && c->numbers == filled(c);
}

static bool is_short(const struct draft_column *c)
{
	return filled(c) && c->bytes / filled(c) <= CLASS_BYTES;
}

/* Values that come again: what classes do. */
static bool repeats(const struct draft_column *c)
{
	return filled(c) && (c->distinct < filled(c) || filled(c) < FEW_ROWS);
}

/* --- one rule a field --- */

static bool may_be_image(const struct draft_column *c)
{
	return filled(c) && 2 * c->pictures > filled(c);
}

static bool may_be_key(const struct draft_column *c)
{
	return filled(c) && !c->blank && c->distinct == c->n && is_short(c) &&
	       !(is_number(c) && c->most != (double)(int64_t)c->most);
}

/* Some keys come again, and where several models answered all do. */
static bool is_called_key(const struct draft_column *c)
{
	static const char *const parts[] = {"id",   "ids",   "key",   "name",  "file", "photo",
					    "image", "pic",  "sample", "uuid", "item", "index",
					    "row",   "no",   "video", "clip",  NULL};
	static const char *const others[] = {"model", "class", "label", "emotion", "run", "user", "rater",
					     "annotator", "worker", NULL};

	return filled(c) && is_short(c) && 2 * c->blank < c->n && has_part(c->name, parts) &&
	       !has_part(c->name, others) && c->distinct * KEY_REPEATS >= filled(c) &&
	       !(is_number(c) && c->most != (double)(int64_t)c->most);
}

static bool may_be_label(const struct draft_column *c)
{
	static const char *const parts[] = {"truth",   "gold",	  "gt",	       "label",
					    "target",  "class",	  "categor",   "correct",
					    "emotion", "mood",	  "reference", "actual",
					    "wahrheit", "klasse", "标签", "真值", "类别", NULL};
	static const char *const others[] = {"pred",	 "model",  "guess", "said",
					     "answered", "output", "id",    "预测", "模型", NULL};

	return is_short(c) && repeats(c) && !c->pictures && has_part(c->name, parts) &&
	       !has_part(c->name, others);
}

static bool is_called_answer(const struct draft_column *c)
{
	static const char *const parts[] = {"pred",   "answer", "response", "output", "guess",
					    "said",   "says",	"reply",    "gpt",    "llava",
					    "qwen",   "gemini", "claude",   "model",  "llm",
					    "result", "completion", "antwort", "vorhersage",
					    "预测",   "回答",	NULL};

	static const char *const inner[] = {"text", "content", NULL};
	bool called = has_part(c->name, parts) || (c->nested && has_part(c->name, inner));

	return filled(c) && !c->pictures && called &&
	       !(is_number(c) && c->most != (double)(int64_t)c->most);
}

static bool is_called_prediction(const struct draft_column *c)
{
	return is_called_answer(c) && is_short(c);
}

/* Half of what it says are names of the truth. */
static bool shares_classes(const struct draft_column *c)
{
	return is_short(c) && repeats(c) && c->distinct && 2 * c->shared >= c->distinct;
}

static bool may_be_raw(const struct draft_column *c)
{
	return is_called_answer(c) && !is_short(c) && !is_number(c);
}

static bool may_be_score(const struct draft_column *c)
{
	static const char *const parts[] = {"conf", "prob", "score", "certain", "sure", NULL};

	return is_number(c) && c->least >= 0 && c->most <= 1 && has_part(c->name, parts);
}

static bool may_be_latency(const struct draft_column *c)
{
	static const char *const parts[] = {"latency", "_ms", "millis", "duration", NULL};

	return is_number(c) && has_part(c->name, parts);
}

static bool may_be_tokens(const struct draft_column *c)
{
	static const char *const parts[] = {"token", NULL};

	return is_number(c) && has_part(c->name, parts);
}

static bool may_be_error(const struct draft_column *c)
{
	static const char *const parts[] = {"error", "exception", "failure", NULL};

	return !is_number(c) && has_part(c->name, parts);
}

static bool may_be_question(const struct draft_column *c)
{
	static const char *const parts[] = {"question", "prompt", "query", "instruction", NULL};

	return filled(c) && !is_number(c) && has_part(c->name, parts);
}

static bool may_be_model(const struct draft_column *c)
{
	static const char *const parts[] = {"model", "system", "checkpoint", "模型", NULL};
	static const char *const others[] = {"answer", "output", "response",   "said", "reply", "pred",
					     "antwort", "vorhersage", "预测", "回答", NULL};

	return is_short(c) && !is_number(c) && c->distinct * MODEL_ROWS <= filled(c) &&
	       has_part(c->name, parts) && !has_part(c->name, others) && c->shared == 0;
}

/* In this order: what is surest first. */
static const struct rule {
	const char *word;
	bool (*fits)(const struct draft_column *c);
} rules[] = {
    {"image", may_be_image},	     {"key", is_called_key},	  {"model", may_be_model},
    {"error", may_be_error},	     {"question", may_be_question}, {"label", may_be_label},
    {"raw", may_be_raw},	     {"prediction", is_called_prediction}, {"score", may_be_score},
    {"latency_ms", may_be_latency},  {"tokens", may_be_tokens},   {"prediction", shares_classes},
    {"key", may_be_key},
};

static bool is_free(const struct draft_column *c)
{
	static const char *const ordinary[] = {"facet", "number", "details", NULL};

	if (c->by_hand || c->deep)
		return false;
	for (const char *const *w = ordinary; *w; w++)
		if (str_eqz(c->word, *w))
			return true;
	return !c->word.n;
}

static bool is_given(const struct draft *d, const struct recipe *r, const char *word)
{
	for (size_t i = 0; i < r->fields.n; i++)
		if (str_eqz(r->fields.v[i].name, word))
			return true;
	return draft_with(d, word) || recipe_constant(r, word).n;
}

/* A picture's name names the sample as well; an object in a map has its key. */
static bool is_needless(const struct draft *d, const struct recipe *r, const struct rule *rule)
{
	if (strcmp(rule->word, "key") != 0)
		return false;
	if (r->join == JOIN_POSITION)
		return true;
	if (d->shape == SHAPE_OBJECT)
		return !r->rows[0];
	return rule->fits == may_be_key && is_given(d, r, "image");
}

static void apply(const struct draft *d, struct recipe *r, const struct rule *rule)
{
	if (is_given(d, r, rule->word) || is_needless(d, r, rule))
		return;
	for (size_t i = 0; i < d->columns.n; i++) {
		const struct draft_column *c = &d->columns.v[i];

		if (!is_free(c) || recipe_field_of(r, c->name).p || !rule->fits(c))
			continue;
		recipe_set_field(r, c->name, str_z(rule->word));
		return;
	}
}

/* What a usual name means is written down, so that the recipe says all of it. */
static void write_down(const struct draft *d, struct recipe *r)
{
	static const char *const ordinary[] = {"facet", "number", "details", "ignore", NULL};

	for (size_t i = 0; i < d->columns.n; i++) {
		const struct draft_column *c = &d->columns.v[i];
		bool plain = !c->word.n || c->by_hand;

		for (const char *const *w = ordinary; *w; w++)
			plain |= str_eqz(c->word, *w);
		plain |= r->join == JOIN_POSITION && str_eqz(c->word, "key");
		if (!plain)
			recipe_set_field(r, c->name, c->word);
	}
}

/* The column that names samples of the project, by its first values. */
static void find_samples(const struct draft *d, struct recipe *r, const struct draft_world *world)
{
	for (size_t i = 0; i < d->columns.n; i++) {
		const struct draft_column *c = &d->columns.v[i];
		size_t known = 0;

		for (size_t k = 0; k < c->n_examples && !c->deep; k++)
			known += world->has_sample(world->ctx, c->example[k]);
		if (c->n_examples && 2 * known > c->n_examples && !recipe_field_of(r, c->name).p) {
			recipe_set_field(r, c->name, STR("key"));
			return;
		}
	}
}

void draft_guess(const struct draft *d, struct recipe *r, const struct draft_world *world)
{
	write_down(d, r);
	if (world && world->n_samples && r->join != JOIN_POSITION && !is_given(d, r, "key"))
		find_samples(d, r, world);
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
		apply(d, r, &rules[i]);
}

/* --- where the rows are --- */

static bool is_list_of_objects(struct str value)
{
	struct str rest = value;

	if (!rest.p || rest.p[0] != '[')
		return false;
	rest = peek_skip_blanks((struct str){rest.p + 1, rest.n - 1});
	return rest.n && rest.p[0] == '{';
}

/* The one member that is a list of objects, or holds one; several: nobody knows. */
static bool find_list(struct str object, int depth, struct buf *path)
{
	struct str rest = object, end = {object.p + object.n, 0};
	struct buf found = BUF_INIT;
	struct member m;
	size_t n = 0;

	while (peek_member(&rest, &m)) {
		struct str value = {m.value.p, m.value.n ? m.value.n : (size_t)(end.p - m.value.p)};
		struct buf inner = BUF_INIT;

		reach_put_member(&inner, m.key);
		if (is_list_of_objects(value) ||
		    (depth + 1 < RECIPE_ROWS && value.n && value.p[0] == '{' &&
		     find_list(value, depth + 1, &inner))) {
			buf_clear(&found);
			buf_str(&found, buf_view(&inner));
			n++;
		}
		buf_release(&inner);
	}
	if (n == 1) {
		if (path->n && found.p[0] != '[')
			buf_ch(path, '.');
		buf_str(path, buf_view(&found));
	}
	buf_release(&found);
	return n == 1;
}

void draft_find_rows(const struct draft *d, struct recipe *r)
{
	struct str text = peek_skip_blanks(buf_view(&d->bytes));
	size_t n = peek_json_span(text);
	struct buf path = BUF_INIT;
	struct str ext = path_ext(str_z(d->path));
	bool lines = str_eq_nocase(ext, STR("jsonl")) || str_eq_nocase(ext, STR("ndjson"));
	bool one = text.n && text.p[0] == '{' && !lines &&
		   (!n || !peek_skip_blanks((struct str){text.p + n, text.n - n}).n);

	if (one && !r->rows[0] && find_list(text, 0, &path))
		recipe_set_rows(r, buf_view(&path));
	buf_release(&path);
}

/* --- the whole --- */

bool draft_propose(struct draft *d, struct recipe *out)
{
	struct recipe none = {.name = NULL};
	struct str *names;
	size_t n = 0;
	bool found;

	draft_find_rows(d, &none);
	draft_read(d, &none, NULL);
	names = xcalloc(d->columns.n + 1, sizeof *names);
	for (size_t i = 0; i < d->columns.n; i++)
		if (!d->columns.v[i].nested)
			names[n++] = d->columns.v[i].name;
	found = recipe_propose(d->path, names, n, out);
	free(names);
	recipe_release(&none);
	return found;
}

void draft_sign(const struct draft *d, struct recipe *r)
{
	vec_clear(&r->columns);
	for (size_t i = 0; i < d->columns.n; i++)
		if (!d->columns.v[i].nested && d->columns.v[i].name.n)
			vec_push(&r->columns, arena_str(&r->arena, d->columns.v[i].name));
}

void draft_put_map(const struct recipe *r, struct buf *out)
{
	for (size_t i = 0; i < r->fields.n; i++) {
		const struct mapping *m = &r->fields.v[i];

		if (memchr(m->value.p, ',', m->value.n) || memchr(m->value.p, '=', m->value.n)) {
			buf_clear(out);
			return;
		}
		buf_z(out, i ? "," : "");
		buf_str(out, m->name);
		buf_ch(out, '=');
		buf_str(out, m->value);
	}
}
