#include "core/text/wording.h"

#include <stdlib.h>

#include "core/base/xmalloc.h"

struct words {
	VEC(struct str) v;
};

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool in_word(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (unsigned char)c >= 0x80;
}

static void split(struct str s, struct words *out)
{
	vec_reserve(&out->v, 1); /* an array, also of none */
	for (size_t at = 0; at < s.n;) {
		size_t n = 1;

		if (is_blank(s.p[at])) {
			at++;
			continue;
		}
		while (in_word(s.p[at]) && at + n < s.n && in_word(s.p[at + n]))
			n++;
		vec_push(&out->v, ((struct str){s.p + at, n}));
		at += n;
	}
}

/* Words next to each other in the text become one part. */
static void put(struct wording *out, enum wording_in in, struct str word)
{
	struct wording_part *last = out->parts.n ? &out->parts.v[out->parts.n - 1] : NULL;

	if (last && last->in == in)
		last->text.n = (size_t)(word.p + word.n - last->text.p);
	else
		vec_push(&out->parts, ((struct wording_part){in, word}));
}

/* The words between what begins alike and what ends alike. */
struct middle {
	const struct str *old, *now;
	size_t n_old, n_now;
	uint32_t *common; /* [(n_old + 1) × (n_now + 1)]: of old from i on and now from k on */
};

static uint32_t *cell(const struct middle *m, size_t i, size_t k)
{
	return &m->common[i * (m->n_now + 1) + k];
}

static void measure(struct middle *m)
{
	for (size_t i = m->n_old; i-- > 0;)
		for (size_t k = m->n_now; k-- > 0;) {
			uint32_t skip_old = *cell(m, i + 1, k), skip_now = *cell(m, i, k + 1);

			*cell(m, i, k) = str_eq(m->old[i], m->now[k]) ? 1 + *cell(m, i + 1, k + 1)
					 : skip_old > skip_now	     ? skip_old
								     : skip_now;
		}
}

static void walk(const struct middle *m, struct wording *out)
{
	size_t i = 0, k = 0;

	while (i < m->n_old && k < m->n_now)
		if (str_eq(m->old[i], m->now[k])) {
			put(out, WORDING_BOTH, m->now[k]);
			i++;
			k++;
		} else if (*cell(m, i + 1, k) >= *cell(m, i, k + 1)) {
			put(out, WORDING_OLD, m->old[i++]);
		} else {
			put(out, WORDING_NEW, m->now[k++]);
		}
	for (; i < m->n_old; i++)
		put(out, WORDING_OLD, m->old[i]);
	for (; k < m->n_now; k++)
		put(out, WORDING_NEW, m->now[k]);
}

static void compare_middle(struct middle *m, struct wording *out)
{
	if (m->n_old && m->n_now && m->n_old > WORDING_CELLS / m->n_now) {
		for (size_t i = 0; i < m->n_old; i++)
			put(out, WORDING_OLD, m->old[i]);
		for (size_t k = 0; k < m->n_now; k++)
			put(out, WORDING_NEW, m->now[k]);
		return;
	}
	m->common = xcalloc((m->n_old + 1) * (m->n_now + 1), sizeof *m->common);
	measure(m);
	walk(m, out);
	free(m->common);
}

void wording_compare(struct str old, struct str now, struct wording *out)
{
	struct words x = {{0}}, y = {{0}};
	size_t head = 0, tail = 0;
	struct middle m;

	*out = (struct wording){{0}};
	split(old, &x);
	split(now, &y);
	while (head < x.v.n && head < y.v.n && str_eq(x.v.v[head], y.v.v[head]))
		put(out, WORDING_BOTH, y.v.v[head++]);
	while (tail < x.v.n - head && tail < y.v.n - head &&
	       str_eq(x.v.v[x.v.n - 1 - tail], y.v.v[y.v.n - 1 - tail]))
		tail++;
	m = (struct middle){.old = x.v.v + head, .now = y.v.v + head, .n_old = x.v.n - head - tail,
			    .n_now = y.v.n - head - tail};
	compare_middle(&m, out);
	for (size_t k = y.v.n - tail; k < y.v.n; k++)
		put(out, WORDING_BOTH, y.v.v[k]);
	vec_release(&x.v);
	vec_release(&y.v);
}

void wording_release(struct wording *w)
{
	vec_release(&w->parts);
}
