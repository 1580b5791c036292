/* What a says in other words than b (preview_text.h). */
#include "core/text/wording.h"
#include "tui/view/pen.h"
#include "tui/view/preview_text.h"

#define WORDS_MIN 4 /* of an answer: below that it is seen at a glance */

static bool is_blank(char c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

struct writing {
	const char *old, *now; /* where the texts begin */
	struct buf text;
	VEC(struct span) spans;
};

/* Does it follow without a blank what stands before it? */
static bool is_glued(const struct writing *w, const struct wording_part *part)
{
	const char *p = part->text.p;

	return p > (part->in == WORDING_OLD ? w->old : w->now) && !is_blank(p[-1]);
}

/* Marked with brackets as well, so that it reads without colours: [-of b-] {+of a+}. */
static void put_part(struct writing *w, const struct wording_part *part)
{
	static const struct {
		const char *open, *close;
		enum style style;
	} look[] = {[WORDING_BOTH] = {"", "", STYLE_NORMAL},
		    [WORDING_OLD] = {"[-", "-]", STYLE_DIM},
		    [WORDING_NEW] = {"{+", "+}", STYLE_MATCH}};
	size_t from;

	buf_z(&w->text, w->text.n && !is_glued(w, part) ? " " : "");
	from = w->text.n;
	buf_z(&w->text, look[part->in].open);
	buf_str(&w->text, part->text);
	buf_z(&w->text, look[part->in].close);
	if (part->in != WORDING_BOTH)
		vec_push(&w->spans, ((struct span){from, w->text.n - from, look[part->in].style}));
}

static int count_words(struct str s)
{
	int n = 0;

	for (size_t i = 0; i < s.n; i++)
		n += !is_blank(s.p[i]) && (i == 0 || is_blank(s.p[i - 1]));
	return n;
}

bool preview_diff_is(const struct preview *p)
{
	return count_words(p->said[0]) >= WORDS_MIN && count_words(p->said[1]) >= WORDS_MIN;
}

void preview_diff_put(const struct preview *p, struct pen *pen)
{
	struct writing w = {.old = p->said[1].p, .now = p->said[0].p, .text = BUF_INIT};
	struct wording d;

	wording_compare(p->said[1], p->said[0], &d);
	pen_putz(pen, STYLE_BOLD, "a against b");
	if (d.parts.n < 2 && (!d.parts.n || d.parts.v[0].in == WORDING_BOTH)) {
		pen_putz(pen, STYLE_DIM, "  the same words");
		pen_line(pen);
	} else {
		pen_putz(pen, STYLE_DIM, "  [-b-] ");
		pen_putz(pen, STYLE_MATCH, "{+a+}");
		pen_line(pen);
		for (size_t k = 0; k < d.parts.n; k++)
			put_part(&w, &d.parts.v[k]);
		pen_wrap_spans(pen, 2, 100000, STYLE_NORMAL, w.spans.v, w.spans.n, buf_view(&w.text));
	}
	wording_release(&d);
	vec_release(&w.spans);
	buf_release(&w.text);
}
