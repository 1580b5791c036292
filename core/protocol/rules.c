/* Extraction by one rule alone. */
#include "core/protocol/extract.h"

/* --- parts of a raw text --- */

static struct str part_whole(struct arena *arena, const struct ask *ask, struct str raw, size_t i, struct str *span)
{
	(void)arena;
	(void)i;
	return *span = ask->n_samples > 1 ? STR_NONE : str_trim(raw);
}

static struct str part_thought(struct arena *arena, const struct ask *ask, struct str raw, size_t i, struct str *span)
{
	struct body b = answer_without_thoughts(raw);

	return part_whole(arena, ask, b.rule[0] ? b.text : STR_NONE, i, span);
}

static struct str part_tag(struct arena *arena, const struct ask *ask, struct str raw, size_t i, struct str *span)
{
	return part_whole(arena, ask, answer_tagged(raw), i, span);
}

static struct str part_fence(struct arena *arena, const struct ask *ask, struct str raw, size_t i, struct str *span)
{
	return part_whole(arena, ask, answer_fenced(raw), i, span);
}

static struct str part_marker(struct arena *arena, const struct ask *ask, struct str raw, size_t i, struct str *span)
{
	return part_whole(arena, ask, answer_marked(answer_body(raw).text), i, span);
}

static struct str part_key(struct arena *arena, const struct ask *ask, struct str raw, size_t i, struct str *span)
{
	return json_part(arena, ask, answer_body(raw).text, i, false, span);
}

static struct str part_list(struct arena *arena, const struct ask *ask, struct str raw, size_t i, struct str *span)
{
	struct str body = answer_body(raw).text, text = json_part(arena, ask, body, i, true, span);

	return text.p || !body.n || body.p[0] != '[' ? text : literal_part(arena, ask, body, i, span);
}

static struct str part_body(struct arena *arena, const struct ask *ask, struct str raw, size_t i, struct str *span)
{
	return part_whole(arena, ask, answer_body(raw).text, i, span);
}

/* --- reading them --- */

static bool read_letter(struct arena *arena, const struct ask *ask, const char *rule, struct str text,
			struct extraction *out)
{
	return letter_leading(arena, ask, rule, answer_bare(text), out);
}

static bool read_option(struct arena *arena, const struct ask *ask, const char *rule, struct str text,
			struct extraction *out)
{
	return letter_option_text(arena, ask, rule, answer_bare(text), out);
}

static bool read_within(struct arena *arena, const struct ask *ask, const char *rule, struct str text,
			struct extraction *out)
{
	(void)rule;
	return letter_within(arena, ask, answer_bare(text), out);
}

static bool read_either(struct arena *arena, const struct ask *ask, const char *rule, struct str text,
			struct extraction *out)
{
	return read_letter(arena, ask, rule, text, out) || read_option(arena, ask, rule, text, out);
}

static bool read_judgement(struct arena *arena, const struct ask *ask, const char *rule, struct str text,
			   struct extraction *out)
{
	(void)ask;
	(void)rule;
	return words_judgement(arena, text, out);
}

static bool read_label(struct arena *arena, const struct ask *ask, const char *rule, struct str text,
		       struct extraction *out)
{
	return words_label(arena, ask, answer_bare(text), rule, out);
}

static bool read_list(struct arena *arena, const struct ask *ask, const char *rule, struct str text,
		      struct extraction *out)
{
	return words_list(arena, ask, rule, text, out);
}

static bool read_class(struct arena *arena, const struct ask *ask, const char *rule, struct str text,
		       struct extraction *out)
{
	struct str bare = answer_bare(text);

	extraction_class(arena, ask, out, rule, bare, bare);
	return out->n_refs > 0;
}

/* As the protocol reads an answer that is bare. */
static bool read_as(const struct protocol *p, struct arena *arena, const struct ask *ask, const char *rule,
		    struct str text, struct extraction *out)
{
	if (p->extract == extract_letter)
		return read_either(arena, ask, rule, text, out);
	if (p->extract == extract_esj)
		return read_judgement(arena, ask, rule, text, out);
	if (p->extract == extract_labels)
		return read_list(arena, ask, rule, text, out);
	if (p->extract == extract_label || p->extract == extract_memo)
		return read_label(arena, ask, rule, text, out);
	return read_class(arena, ask, rule, text, out);
}

/* --- the rules --- */

const struct extract_rule extract_rules[] = {
    {"whole", "all of the text", part_whole, NULL},
    {"after-thought", "what is behind the last </think>", part_thought, NULL},
    {"answer-tag", "the inside of the last <answer>", part_tag, NULL},
    {"fence", "the inside of the only fenced block", part_fence, NULL},
    {"marker", "what follows the last \"Answer:\", \"label is\" and the like", part_marker, NULL},
    {"json-key", "the value of a JSON object: of the image's number, or of \"answer\", \"label\", …", part_key,
     NULL},
    {"json-list", "the image's item of a list in brackets", part_list, NULL},
    {"letter", "the option's letter, which leads", part_body, read_letter},
    {"option-text", "all words of one option", part_body, read_option},
    {"letter-within", "the only letter of an option that stands in the text", part_body, read_within},
    {"judgement", "\"incorrect\", else \"correct\", anywhere", part_body, read_judgement},
    {"only-label", "the only label, or class, that stands in the text", part_body, read_label},
    {"list", "all labels of a list", part_body, read_list},
    {NULL, NULL, NULL, NULL},
};

static bool same_word(struct str a, const char *b)
{
	for (size_t i = 0; i < a.n; i++) {
		char c = a.p[i] == '_' || a.p[i] == ' ' ? '-' : a.p[i];

		if (!b[i] || (c >= 'A' && c <= 'Z' ? c + 32 : c) != b[i])
			return false;
	}
	return b[a.n] == 0;
}

const struct extract_rule *extract_rule_find(struct str name)
{
	for (const struct extract_rule *r = extract_rules; r->name; r++)
		if (same_word(name, r->name))
			return r;
	return NULL;
}

static void take(const struct extract_rule *rule, const struct protocol *p, struct arena *arena,
		 const struct ask *ask, struct str raw, size_t i, struct extraction *out)
{
	struct ask one = *ask;
	struct str span = STR_NONE, text = rule->part(arena, ask, raw, i, &span);
	bool fits;

	if (!text.p)
		return;
	one.samples = &ask->samples[i];
	one.n_samples = 1;
	fits = rule->read ? rule->read(arena, &one, rule->name, text, out)
			  : read_as(p, arena, &one, rule->name, text, out);
	if (fits && out->span.p && !(out->span.p >= raw.p && out->span.p < raw.p + raw.n))
		out->span = span; /* a value's text is a copy: it stands there */
	if (fits)
		out->rule = rule->name;
}

void extract_by_rule(const struct extract_rule *rule, const struct protocol *p, struct arena *arena,
		     const struct ask *ask, struct str raw, struct extraction *out)
{
	bool blank = !str_trim(raw).n;

	for (size_t i = 0; i < ask->n_samples; i++) {
		extraction_init(&out[i]);
		if (blank)
			out[i].outcome = OUTCOME_EMPTY;
		else
			take(rule, p, arena, ask, raw, i, &out[i]);
	}
}
