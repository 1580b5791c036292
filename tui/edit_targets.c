#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tui/app.h"
#include "tui/view/sign.h"

static int by_number(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

uint32_t targets_marked(const struct scene *s)
{
	const struct user_things *mine = s->mine;
	uint32_t n = 0;

	if (!mine || !s->shown)
		return mine ? mine->n_marked : 0;
	for (uint32_t ord = 0; ord < mine->n && mine->n_marked; ord++)
		n += mine->marked[ord] && bits_get(s->shown, ord);
	return n;
}

static void take_all(struct scene *s, struct targets *t)
{
	const struct user_things *mine = s->mine;
	uint32_t marks = targets_marked(s);

	t->from = marks ? FROM_MARKS : FROM_SHOWN;
	t->n = marks ? marks : scene_shown(s);
	t->ords = xcalloc(t->n + 1, sizeof *t->ords);
	if (!marks) {
		for (uint32_t i = 0; i < t->n; i++)
			t->ords[i] = scene_at(s, i);
		return;
	}
	t->n = 0;
	for (uint32_t ord = 0; ord < mine->n; ord++)
		if (mine->marked[ord] && (!s->shown || bits_get(s->shown, ord)))
			t->ords[t->n++] = ord;
}

/* The rows as they are shown, from where the range began to the current one. */
static void take_range(struct scene *s, struct targets *t)
{
	uint32_t from, to;

	scene_range(s, &from, &to);
	t->from = FROM_RANGE;
	t->n = (size_t)to - from + 1;
	t->ords = xcalloc(t->n, sizeof *t->ords);
	for (size_t i = 0; i < t->n; i++)
		t->ords[i] = scene_at(s, from + (uint32_t)i);
}

struct targets targets_take(struct app *app)
{
	struct scene *s = &app->scene;
	struct targets t = {0};

	if (s->anchor >= 0) {
		take_range(s, &t);
	} else if (app->edit.all) {
		take_all(s, &t);
	} else {
		t.ords = xcalloc(1, sizeof *t.ords);
		t.ords[0] = s->current;
		t.n = 1;
	}
	qsort(t.ords, t.n, sizeof *t.ords, by_number);
	s->anchor = -1;
	app->edit.all = false;
	return t;
}

void targets_release(struct targets *t)
{
	free(t->ords);
	*t = (struct targets){0};
}

void targets_name(struct app *app, const struct targets *t, struct buf *out)
{
	const struct sample_row *row = t->n == 1 ? rows_get(app->rows, t->ords[0]) : NULL;
	char n[28];

	if (row)
		buf_str(out, row->key);
	else
		buf_printf(out, "%s sample%s", count_text(t->n, n), t->n == 1 ? "" : "s");
}
