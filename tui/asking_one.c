/* One sample asked about, its answer shown while it comes. */
#include <poll.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tui/app.h"
#include "tui/view/sign.h"

#define METER_ONE ((uint64_t)0x6f6e65 << 32)

static struct asking_live *live_of(struct app *app)
{
	return &app->asking.live;
}

static void live_release(struct asking_live *l)
{
	free(l->handle);
	free(l->model);
	buf_release(&l->text);
	buf_release(&l->thought);
	buf_release(&l->error);
	buf_release(&l->waits);
	*l = (struct asking_live){0};
}

static void live_clear(struct asking_live *l)
{
	buf_clear(&l->text);
	buf_clear(&l->thought);
	buf_clear(&l->error);
	buf_clear(&l->waits);
	l->wait_s = 0;
	l->rule = l->flag = NULL;
	l->span_n = 0;
	l->kept = false;
}

/* --- while it is under way --- */

static void set(struct buf *to, struct str text)
{
	buf_clear(to);
	buf_str(to, text);
}

static void coming(void *ctx, const struct stream_news *news)
{
	struct app *app = ctx;
	struct asking_live *l = live_of(app);

	if (l->state != ASKING_NOW)
		return;
	set(&l->text, news->text);
	set(&l->thought, news->thought);
	set(&l->waits, news->why);
	l->wait_s = news->wait_s;
	app->dirty = true;
}

static void take_span(struct asking_live *l, const struct query_answer *a)
{
	const char *from = a->x.span.p, *raw = a->raw.p;

	if (!from || !raw)
		return;
	if (from >= raw && from + a->x.span.n <= raw + a->raw.n) {
		l->span_at = (size_t)(from - raw);
		l->span_n = a->x.span.n;
	}
}

static void answered(void *ctx, const struct query_answer *a)
{
	struct app *app = ctx;
	struct asking_live *l = live_of(app);

	l->rule = a->x.rule;
	l->flag = a->x.flag;
	l->outcome = a->x.outcome;
	l->latency_ms = a->reply->latency_ms;
	l->first_ms = a->reply->first_ms;
	l->tokens = a->reply->tokens_out;
	l->wait_s = 0;
	set(&l->text, a->raw);
	set(&l->thought, buf_view(&a->reply->reasoning));
	if (a->why) {
		set(&l->error, str_z(a->why->msg));
		l->state = ASKING_FAILED;
	} else {
		take_span(l, a);
		l->state = ASKING_ANSWERED;
	}
	app->dirty = true;
}

static void kept(void *ctx, size_t n)
{
	struct app *app = ctx;

	(void)n;
	live_of(app)->kept = true;
	asking_grew(app, 0);
}

/* --- its end --- */

static bool start(struct app *app, uint32_t repeat);

/* Whoever has gone on browsing is told. */
static void tell(struct app *app)
{
	const struct asking_live *l = live_of(app);
	const struct view *v = app_main_view(app);

	if (str_eqz(str_z(v->class->name), "query") || app->message.n)
		return;
	if (l->state == ASKING_FAILED)
		app_message(app, STYLE_WARNING, "%s", buf_cstr(&l->error));
	else if (l->state == ASKING_ANSWERED)
		app_message(app, STYLE_MESSAGE, "%s has answered; 7 shows it", l->model);
}

static void ended(void *ctx, const struct crowd_counts *counts, const struct err *why)
{
	struct app *app = ctx;
	struct asking_live *l = live_of(app);

	(void)counts;
	app->asking.one = NULL;
	meter_close(app, METER_ONE);
	if (l->state == ASKING_NOW && why && why->code != E_CANCELLED) { /* it was not even made */
		set(&l->error, str_z(why->msg));
		l->state = ASKING_FAILED;
	} else if (l->state == ASKING_NOW) {
		l->state = ASKING_STOPPED;
	} else if (why && why->code != E_CANCELLED && l->state != ASKING_FAILED) { /* it could not be kept */
		app_message(app, STYLE_WARNING, "the answer is not kept: %s", why->msg);
	}
	app->dirty = true;
	if (l->state == ASKING_ANSWERED && !why && l->repeat + 1 < l->repeats) {
		start(app, l->repeat + 1);
		return;
	}
	tell(app);
}

/* --- its beginning --- */

static void stop_one(struct app *app)
{
	asking_stop(app);
}

static bool may_write(struct app *app)
{
	if (!conn_read_only(app->conn))
		return true;
	app_message(app, STYLE_WARNING, "the project is read-only: the answer would be lost");
	return false;
}

/* anew where it was answered already. */
static enum status make_plan(struct app *app, uint32_t repeat, struct query_plan *plan, struct err *err)
{
	uint32_t ord = live_of(app)->ord;
	struct query_spec spec;
	enum status st = asking_spec(app, ord, &spec, err);

	*plan = (struct query_plan){0};
	spec.repeat = repeat;
	for (int anew = 0; st == OK && anew < 2 && !plan->n; anew++) {
		query_plan_release(plan);
		st = query_plan_make(plan, app->conn, app->scene.snap, &spec, &ord, 1, anew, err);
	}
	query_spec_release(&spec);
	return st;
}

static bool start(struct app *app, uint32_t repeat)
{
	const struct query_watch watch = {.coming = coming, .answered = answered, .kept = kept, .ended = ended,
					  .ctx = app};
	struct asking_live *l = live_of(app);
	struct query_plan plan;
	struct err err = ERR_INIT;

	if (make_plan(app, repeat, &plan, &err) != OK) {
		query_plan_release(&plan);
		app_message(app, STYLE_WARNING, "%s", err.msg);
		return false;
	}
	live_clear(l);
	free(l->handle);
	free(l->model);
	l->handle = xstrdup(plan.handle);
	l->model = xstrdup(plan.spec.endpoint.model);
	l->state = ASKING_NOW;
	l->repeat = repeat;
	l->began = app_clock();
	app->asking.one = query_start(&plan, app->pool, app->decoder, NULL, &watch);
	meter_open(app, (struct meter){.key = METER_ONE, .what = "asking a model", .unit = "samples",
				       .stop = stop_one});
	return true;
}

unsigned asking_send(struct app *app)
{
	struct asking *a = &app->asking;

	if (a->one) {
		app_message(app, STYLE_MESSAGE, "a model is being asked; Esc stops it");
	} else if (a->busy) {
		app_message(app, STYLE_MESSAGE, "%s; Ctrl-c stops that", buf_cstr(&a->many.what));
	} else if (app->scene.snap && may_write(app)) {
		a->live.ord = app->scene.current;
		a->live.dataset = app->scene.snap->dataset_id;
		a->live.repeats = a->repeats;
		start(app, 0);
	}
	return REACT_REDRAW;
}

bool asking_stop(struct app *app)
{
	struct asking_live *l = live_of(app);

	if (!app->asking.one)
		return false;
	l->repeats = 0;
	query_cancel(app->asking.one);
	meter_close(app, METER_ONE);
	app_message(app, STYLE_MESSAGE, "stopped: what has come is not kept");
	return true;
}

void asking_release(struct app *app)
{
	struct asking *a = &app->asking;

	asking_stop(app);
	asking_cancel(app);
	asking_stop_deriving(app);
	while (app->pool && (a->one || a->busy || a->deriving)) { /* answers that came are committed */
		struct pollfd fd = {pool_fd(app->pool), POLLIN, 0};

		poll(&fd, 1, 100);
		pool_reap(app->pool);
	}
	live_release(&a->live);
	asking_look_release(&a->look);
	asking_many_release(&a->many);
	free(a->prompt);
	free(a->encoder);
	a->prompt = a->encoder = NULL;
}
