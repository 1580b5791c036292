#include "tui/view/hits.h"

void hits_add(struct hits *h, const struct needle *needle, unsigned in, int run)
{
	if (h->n < HITS_MAX)
		h->v[h->n++] = (struct hit_needle){needle, in, run};
}

static unsigned scope_texts(enum filter_scope scope)
{
	switch (scope) {
	case SCOPE_TEXT:
		return HIT_QUESTION | HIT_STATEMENT;
	case SCOPE_QUESTION:
		return HIT_QUESTION;
	case SCOPE_STATEMENT:
		return HIT_STATEMENT;
	case SCOPE_ANSWER:
		return HIT_ANSWER;
	case SCOPE_NOTE:
		return HIT_NOTE;
	case SCOPE_KEY:
		return HIT_KEY;
	case SCOPE_PATH:
		return HIT_PATH;
	}
	return 0;
}

void hits_add_filter(struct hits *h, const struct filter *f, int a, int b)
{
	struct filter_needle nd;

	for (size_t k = 0; filter_needle(f, k, a, b, &nd); k++)
		hits_add(h, nd.needle, scope_texts(nd.scope), nd.run);
}

/* The one that begins first at or after `from`, and of those the longest. */
static bool next_hit(const struct hits *h, enum hit_in in, int run, struct str text, size_t from,
		     struct span *out)
{
	bool found = false;

	for (int i = 0; i < h->n; i++) {
		const struct hit_needle *v = &h->v[i];
		size_t at, n;

		if (!(v->in & in) || (in == HIT_ANSWER && v->run >= 0 && v->run != run))
			continue;
		if (!needle_find(v->needle, text, from, &at, &n))
			continue;
		if (!found || at < out->from || (at == out->from && n > out->n)) {
			out->from = at;
			out->n = n;
		}
		found = true;
	}
	return found;
}

size_t hits_find(const struct hits *h, enum hit_in in, int run, struct str text, enum style style,
		 struct span *span, size_t max)
{
	size_t n = 0, from = 0;

	while (n < max && from < text.n && next_hit(h, in, run, text, from, &span[n])) {
		span[n].style = style;
		from = span[n].from + span[n].n;
		n++;
	}
	return n;
}

size_t hits_find_names(const struct hits *h, struct str text, const size_t *names, size_t n,
		       enum style style, struct span *span, size_t max)
{
	size_t begin = 0, all = 0;

	for (size_t k = 0; k < n && all < max; k++) {
		size_t found = hits_find(h, HIT_NAME, -1, (struct str){text.p + begin, names[k] - begin},
					 style, span + all, max - all);

		for (size_t i = all; i < all + found; i++)
			span[i].from += begin;
		all += found;
		begin = names[k] + 2;
	}
	return all;
}
