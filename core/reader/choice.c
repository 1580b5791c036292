#include "core/reader/choice.h"

#include <ctype.h>

#include "core/protocol/protocol.h"

bool choice_is_lettered(struct str text)
{
	size_t at = text.n > 2 && strchr("([", text.p[0]) ? 1 : 0;

	return at < text.n && isalpha((unsigned char)text.p[at]) &&
	       (at + 1 == text.n || strchr(").]:", text.p[at + 1]));
}

/* "Yes." is said as "Yes", too. */
static struct str without_stop(struct str text)
{
	text = str_trim(text);
	if (text.n > 2 && text.p[text.n - 1] == '.')
		text.n--;
	return text;
}

static size_t option_by_text(struct str text, const struct str *options, size_t n)
{
	size_t found = SIZE_MAX;

	for (size_t i = 0; i < n; i++)
		if (text.n && str_eq_nocase(text, str_trim(options[i])))
			return i;
	for (size_t i = 0; i < n; i++) {
		if (!text.n || !str_eq_nocase(without_stop(text), without_stop(options[i])))
			continue;
		if (found != SIZE_MAX)
			return SIZE_MAX;
		found = i;
	}
	return found;
}

/* Behind the letter: nothing, marks, or marks and the option's own text. */
static bool fits_letter(struct str rest, struct str option)
{
	size_t i = 0;

	while (i < rest.n && strchr(").]:, \t", rest.p[i]))
		i++;
	rest = str_trim((struct str){rest.p + i, rest.n - i});
	if (rest.n > 1 && rest.p[rest.n - 1] == '.' && !str_eq_nocase(rest, str_trim(option)))
		rest.n--;
	return !rest.n || (i && str_eq_nocase(rest, str_trim(option)));
}

size_t choice_option(struct str text, const struct str *options, size_t n)
{
	size_t found, at;

	text = str_trim(text);
	found = option_by_text(text, options, n);
	if (found != SIZE_MAX || !text.n)
		return found;
	at = text.n > 1 && strchr("([", text.p[0]) ? 1 : 0;
	if (!isalpha((unsigned char)text.p[at]))
		return SIZE_MAX;
	found = (size_t)(toupper((unsigned char)text.p[at]) - 'A');
	if (found >= n || !fits_letter((struct str){text.p + at + 1, text.n - at - 1}, options[found]))
		return SIZE_MAX;
	return found;
}

void choice_refs(struct class_ref *refs, size_t n_refs, const struct str *options, size_t n)
{
	for (size_t i = 0; n && i < n_refs; i++) {
		struct class_ref *ref = &refs[i];
		size_t option = SIZE_MAX;

		if (ref->kind == CLASS_BY_NAME && choice_is_lettered(ref->text))
			option = choice_option(ref->text, options, n);
		if (option != SIZE_MAX)
			ref->text = str_trim(options[option]);
	}
}

static bool is_within(struct str raw, struct str option)
{
	size_t at = 0, next;

	while ((next = str_find_nocase((struct str){raw.p + at, raw.n - at}, option)) != SIZE_MAX) {
		at += next;
		if ((at == 0 || !isalnum((unsigned char)raw.p[at - 1])) &&
		    (at + option.n == raw.n || !isalnum((unsigned char)raw.p[at + option.n])))
			return true;
		at++;
	}
	return false;
}

/* The one option whose text stands in the answer, as words of their own. */
static size_t option_within(struct str raw, const struct str *options, size_t n)
{
	size_t found = SIZE_MAX;

	for (size_t i = 0; i < n; i++) {
		struct str option = without_stop(options[i]);

		if (!option.n || !is_within(raw, option))
			continue;
		if (found != SIZE_MAX)
			return SIZE_MAX;
		found = i;
	}
	return found;
}

static void choose_text(struct arena *arena, struct str option, struct rec_prediction *out)
{
	struct class_ref *ref = arena_zalloc(arena, 1, sizeof *ref);

	*ref = (struct class_ref){.kind = CLASS_BY_NAME, .index = -1, .text = str_trim(option)};
	out->outcome = OUTCOME_ANSWERED;
	out->refs = ref;
	out->n_refs = 1;
}

static void by_protocol(struct arena *arena, const struct str *options, size_t n,
			struct rec_prediction *out)
{
	struct ask_option *list = arena_zalloc(arena, n, sizeof *list);
	struct ask_sample sample = {.options = list, .n_options = n};
	struct ask ask = {.samples = &sample, .n_samples = 1};
	struct extraction found;

	for (size_t i = 0; i < n; i++)
		list[i] = (struct ask_option){options[i], UINT32_MAX};
	protocol_extract(protocol_find(STR("MC")), arena, &ask, out->raw, &found);
	out->outcome = found.outcome;
	out->refs = found.refs;
	out->n_refs = found.n_refs;
	if (found.span.p && !str_eq(found.span, out->raw))
		out->extracted = found.span;
}

/* "A, C": every option that is named, where nothing but letters and commas stands there. */
static bool several(struct arena *arena, const struct str *options, size_t n,
		    struct rec_prediction *out)
{
	struct str rest = str_trim(out->raw), part;
	struct class_ref *refs = arena_zalloc(arena, rest.n + 1, sizeof *refs);
	size_t n_refs = 0;

	if (rest.n > 4 * n)
		return false;
	while (rest.p) {
		size_t option;

		rest = str_cut(rest, ',', &part);
		part = str_trim(part);
		option = part.n == 1 ? choice_option(part, options, n) : SIZE_MAX;
		if (option == SIZE_MAX)
			return false;
		refs[n_refs++] = (struct class_ref){
		    .kind = CLASS_BY_NAME, .index = -1, .text = str_trim(options[option])};
	}
	out->outcome = OUTCOME_ANSWERED;
	out->refs = refs;
	out->n_refs = n_refs;
	return n_refs > 0;
}

void choice_answer(struct arena *arena, const struct str *options, size_t n,
		   struct rec_prediction *out)
{
	size_t option = choice_option(out->raw, options, n);

	if (option != SIZE_MAX) {
		choose_text(arena, options[option], out);
		return;
	}
	if (several(arena, options, n, out))
		return;
	by_protocol(arena, options, n, out);
	if (out->outcome != OUTCOME_UNPARSED)
		return;
	option = option_within(out->raw, options, n);
	if (option != SIZE_MAX)
		choose_text(arena, options[option], out);
}
