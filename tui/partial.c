#include "tui/partial.h"

#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tui/narrow_impl.h"

/* Takes shown. Who has moved meanwhile stays there. */
static void put_list(struct app *app, uint64_t *shown)
{
	struct partial *p = &app->partial;
	struct scene *s = &app->scene;

	if (s->current != p->put)
		p->wanted = s->current;
	scene_show(s, shown);
	app_go(app, p->wanted);
	p->put = s->current;
	app->reactions |= REACT_REFILTER;
	app->dirty = true;
}

static void keep(struct app *app, const struct filter *waiting)
{
	struct partial *p = &app->partial;
	struct scene *s = &app->scene;

	*p = (struct partial){.on = true, .off = s->filter_off, .filter = s->filter, .trail = s->trail,
			      .shown = s->shown, .stale = s->stale, .wanted = s->current,
			      .put = s->current};
	s->shown = s->stale = NULL;
	s->filter = s->trail = NULL;
	narrow_name_of(app, waiting);
	s->filter_off = false;
	s->partial = true;
}

void partial_show(struct app *app, const struct filter *waiting, const uint64_t *bits)
{
	const struct scene *s = &app->scene;
	size_t n = s->snap->n;
	uint64_t *shown = bits_new(n);

	if (!shown)
		return;
	memcpy(shown, bits, bits_words(n) * sizeof *bits);
	if (s->base)
		bits_and(shown, s->base, n);
	if (!bits_any(shown, n)) {
		free(shown);
		return;
	}
	if (!app->partial.on)
		keep(app, waiting);
	put_list(app, shown);
}

void partial_end(struct app *app)
{
	struct partial *p = &app->partial;
	struct scene *s = &app->scene;
	uint64_t *shown = p->shown;

	if (!p->on)
		return;
	free(s->filter);
	free(s->trail);
	s->filter = p->filter;
	s->trail = p->trail;
	s->filter_off = p->off;
	s->partial = false;
	p->on = false;
	p->filter = p->trail = NULL;
	p->shown = NULL;
	put_list(app, shown);
	s->stale = p->stale;
	p->stale = NULL;
}
