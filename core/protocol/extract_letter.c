/* MC: the letter of one of the options. */
#include <ctype.h>

#include "core/protocol/extract.h"

/* The option that a letter means, or SIZE_MAX. */
static size_t option_of(const struct ask *ask, char letter)
{
	size_t i = (size_t)(toupper((unsigned char)letter) - 'A');

	return isalpha((unsigned char)letter) && i < ask->samples[0].n_options ? i : SIZE_MAX;
}

static void choose(struct arena *arena, const struct ask *ask, struct extraction *f, const char *rule,
		   struct str span, size_t option)
{
	const struct ask_option *o = &ask->samples[0].options[option];
	const struct class_info *c = o->class_ord < ask->n_classes ? &ask->classes[o->class_ord] : NULL;

	extraction_class(arena, ask, f, rule, span, o->text);
	if (!f->n_refs || !c)
		return;
	if (c->wnid[0])
		*f->refs = (struct class_ref){.kind = CLASS_BY_WNID, .index = c->index, .text = str_z(c->wnid)};
	else if (c->index >= 0)
		*f->refs = (struct class_ref){.kind = CLASS_BY_INDEX, .index = c->index, .text = str_z(c->name)};
}

/* "B", "(b)", "B.", "B: goldfish", "B) goldfish": the letter leads, and a mark of an option or
 * nothing follows. *span is the letter. */
static size_t leading_letter(const struct ask *ask, struct str text, struct str *span)
{
	size_t at = text.n && strchr("([", text.p[0]) ? 1 : 0;
	bool alone = at + 1 == text.n;

	if (at >= text.n || option_of(ask, text.p[at]) == SIZE_MAX)
		return SIZE_MAX;
	if (!alone && !strchr(").]:\n", text.p[at + 1]))
		return SIZE_MAX;
	*span = (struct str){text.p + at, 1};
	return option_of(ask, text.p[at]);
}

/* The one option whose whole text this is. */
static size_t option_by_text(const struct ask *ask, struct str text)
{
	const struct ask_sample *s = &ask->samples[0];
	size_t found = SIZE_MAX;

	for (size_t i = 0; i < s->n_options; i++) {
		if (!str_eq_nocase(text, str_trim(s->options[i].text)))
			continue;
		if (found != SIZE_MAX)
			return SIZE_MAX;
		found = i;
	}
	return found;
}

static bool is_joining(struct str text, size_t i)
{
	static const char *const words[] = {"or", "and"};

	for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
		size_t n = strlen(words[k]);

		if (text.n - i >= n && str_eq_nocase((struct str){text.p + i, n}, str_z(words[k])) &&
		    answer_is_word(text, i, n))
			return true;
	}
	return false;
}

/* "A" at i: a word follows that it belongs to. At the end, before a mark and in "A or B" it is a letter. */
static bool is_article(struct str text, size_t i)
{
	size_t at = i + 1;

	while (at < text.n && (text.p[at] == ' ' || text.p[at] == '\t'))
		at++;
	if (at == text.n)
		return false;
	if (at > i + 1)
		return !is_joining(text, at);
	return !strchr(".,;:!?)]}*/\"\n\r", text.p[at]);
}

/* Capital letters of options that stand as words of their own. *n: how many different ones. */
static size_t letters_within(const struct ask *ask, struct str text, struct str *span, size_t *n)
{
	uint32_t seen = 0;
	size_t found = SIZE_MAX;

	for (size_t i = 0; i < text.n; i++) {
		size_t option = isupper((unsigned char)text.p[i]) ? option_of(ask, text.p[i]) : SIZE_MAX;

		if (option == SIZE_MAX || !answer_is_word(text, i, 1) ||
		    (text.p[i] == 'A' && is_article(text, i)))
			continue;
		*n += !(seen >> option & 1);
		seen |= 1u << option;
		found = option;
		*span = (struct str){text.p + i, 1};
	}
	return found;
}

bool letter_leading(struct arena *arena, const struct ask *ask, const char *rule, struct str text,
		    struct extraction *out)
{
	struct str span = STR_NONE;
	size_t option = leading_letter(ask, text, &span);

	if (option != SIZE_MAX)
		choose(arena, ask, out, rule, span, option);
	return option != SIZE_MAX;
}

bool letter_option_text(struct arena *arena, const struct ask *ask, const char *rule, struct str text,
			struct extraction *out)
{
	size_t option = option_by_text(ask, text);

	if (option != SIZE_MAX)
		choose(arena, ask, out, rule, text, option);
	return option != SIZE_MAX;
}

bool letter_within(struct arena *arena, const struct ask *ask, struct str text, struct extraction *out)
{
	struct str span = STR_NONE;
	size_t n = 0, option = letters_within(ask, text, &span, &n);

	if (n == 1)
		choose(arena, ask, out, "letter within", span, option);
	else
		out->rule = n > 1 ? "several letters" : "";
	return n == 1;
}

void extract_letter(struct arena *arena, const struct ask *ask, struct str raw, struct extraction *out)
{
	struct body body = answer_body(raw);
	struct str text = answer_bare(body.text), marked = answer_bare(answer_marked(text));

	if (letter_leading(arena, ask, body.rule[0] ? body.rule : "letter", text, out) ||
	    letter_option_text(arena, ask, "option text", text, out))
		return;
	if (marked.n && (letter_leading(arena, ask, "marker", marked, out) ||
			 letter_option_text(arena, ask, "marker", marked, out)))
		return;
	letter_within(arena, ask, text, out);
}
