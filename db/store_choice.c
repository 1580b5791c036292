/*
 * A letter that was answered to a question whose options the project has, from whatever file.
 */
#include "core/reader/choice.h"
#include "db/store_internal.h"

#define MAX_OPTIONS 26

/* The texts of a set of options, as option_set() in store_samples.c puts them together. */
static size_t texts_of(struct str key, struct str out[MAX_OPTIONS])
{
	size_t n = 0;
	uint32_t len;

	while (key.n >= sizeof len && n < MAX_OPTIONS) {
		memcpy(&len, key.p, sizeof len);
		out[n++] = (struct str){key.p + sizeof len, len};
		key.p += sizeof len + len;
		key.n -= sizeof len + len;
	}
	return n;
}

enum status store_choice(struct store *s, const struct rec_prediction *p, uint32_t ord,
			 struct class_ref *out, bool *is_option, struct err *err)
{
	struct samples *sm = &s->samples;
	struct str options[MAX_OPTIONS];
	uint32_t set;
	size_t n, option;

	*is_option = false;
	if (p->n_refs != 1 || p->refs->kind != CLASS_BY_NAME || !choice_is_lettered(p->refs->text))
		return OK;
	if (store_samples_describe(s, err) != OK)
		return err->code;
	set = ord < sm->meta.n ? dense_at(&sm->meta, struct sample_meta, ord).options : 0;
	if (!set || set > sm->options.keys.n)
		return OK;
	n = texts_of(intern_key(&sm->options, set - 1), options);
	option = choice_option(p->refs->text, options, n);
	if (option == SIZE_MAX)
		return OK;
	*out = (struct class_ref){.kind = CLASS_BY_NAME, .text = str_trim(options[option])};
	*is_option = true;
	return OK;
}
