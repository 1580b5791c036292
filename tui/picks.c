#include "tui/picks.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tui/app.h"
#include "tui/view/sign.h"

#define PICK_KEY ((uint64_t)0x7069636b00000000) /* of the sieve's questions, and on */

static void free_pick(struct pick *p)
{
	free(p->text);
	free(p->detail);
}

void picks_release(struct picks *p)
{
	for (size_t i = 0; i < p->list.n; i++)
		free_pick(&p->list.v[i]);
	vec_release(&p->list);
	*p = (struct picks){0};
}

static void stop_counting(struct app *app)
{
	for (size_t i = 0; i < app->picks.list.n && app->pool; i++)
		if (app->picks.list.v[i].state == PICK_WAITING)
			pool_cancel(app->pool, PICK_KEY + i);
}

void picks_clear(struct app *app)
{
	stop_counting(app);
	picks_release(&app->picks);
}

void picks_add(struct app *app, const char *text, const char *detail)
{
	struct pick p = {xstrdup(text), xstrdup(detail), PICK_WAITING, 0};

	vec_push(&app->picks.list, p);
}

static void arrived(struct app *app, struct sieve_answer *answer)
{
	struct pick *p;

	if ((size_t)answer->tag >= app->picks.list.n)
		return;
	p = &app->picks.list.v[answer->tag];
	p->state = answer->st == OK ? PICK_COUNTED : PICK_FAILED;
	p->n = answer->n;
	chooser_refresh(app);
	app->dirty = true;
}

static void count(struct app *app, size_t k, const struct filter_ctx *ctx, const uint64_t *within)
{
	struct pick *p = &app->picks.list.v[k];
	struct filter *f = NULL;
	struct err err = ERR_INIT;
	uint32_t n = ctx->snap->n;
	uint64_t *bits = NULL;

	p->state = PICK_FAILED;
	if (filter_parse(str_z(p->text), ctx, &f, NULL, &err) != OK)
		return;
	if (narrow_takes_time(app, f)) {
		p->state = PICK_WAITING;
		sieve_ask(app, &(struct sieve_question){.key = PICK_KEY + k, .text = str_z(p->text),
							.tag = (int)k, .within = within, .done = arrived});
	} else if (narrow_eval(app, f, &bits, &err) == OK) {
		p->state = PICK_COUNTED;
		p->n = (uint32_t)(within ? bits_count_and(bits, within, n) : bits_count(bits, n));
	}
	free(bits);
	filter_free(f);
}

void picks_count(struct app *app, const uint64_t *within)
{
	struct err err = ERR_INIT;
	const struct filter_ctx *ctx = narrow_ctx(app, &err);

	for (size_t k = 0; k < app->picks.list.n && ctx; k++)
		count(app, k, ctx, within);
}

void picks_count_listed(struct app *app)
{
	app->picks.listed = true;
	picks_count(app, app->scene.shown);
}

void picks_follow(struct app *app)
{
	if (!app->picks.listed || !app->top->class->popup)
		return;
	stop_counting(app);
	picks_count_listed(app);
	chooser_refresh(app);
}

const char *picks_number(const struct app *app, uint32_t n, char out[28])
{
	char number[28];

	snprintf(out, 28, "%.26s%s", count_text(n, number),
		 app->picks.listed && app->scene.partial ? "+" : "");
	return out;
}

const char *picks_value(const struct app *app, size_t k, char out[28])
{
	const struct pick *p = &app->picks.list.v[k];

	if (p->state == PICK_COUNTED)
		return picks_number(app, p->n, out);
	return p->state == PICK_WAITING ? sign(SIGN_WAIT) : "";
}
