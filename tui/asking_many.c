/* Many samples asked about in the background, and which of them failed. */
#include <stdio.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tui/app.h"
#include "tui/print.h"
#include "tui/query/query_cost.h"
#include "tui/view/chooser.h"
#include "tui/view/sign.h"

#define METER_MANY ((uint64_t)0x6d616e79 << 32)
#define LOOK_EVERY 3000 /* milliseconds between looks at what was kept */

static bool start(struct app *app, uint32_t repeat);

static void forget_failures(struct asking_many *m)
{
	for (size_t i = 0; i < m->failures.n; i++)
		free(m->failures.v[i].why);
	vec_clear(&m->failures);
}

void asking_many_release(struct asking_many *m)
{
	forget_failures(m);
	vec_release(&m->failures);
	query_spec_release(&m->spec);
	buf_release(&m->what);
	free(m->ords);
	*m = (struct asking_many){0};
}

/* --- while it is under way --- */

static void say_what(struct app *app)
{
	struct asking_many *m = &app->asking.many;
	double wait = app->asking.busy ? query_counts(app->asking.busy).wait_s : 0;
	char n[32];

	buf_clear(&m->what);
	buf_printf(&m->what, "asking %s", m->spec.endpoint.model);
	if (m->repeats > 1)
		buf_printf(&m->what, " (%u of %u)", m->spec.repeat + 1, m->repeats);
	if (m->failed)
		buf_printf(&m->what, ", %s failed", print_count(n, m->failed));
	if (wait > 0)
		buf_printf(&m->what, ", waiting %.0f s for it", wait);
	for (int i = 0; i < app->meters.n; i++) /* the text may have moved */
		if (app->meters.v[i].key == METER_MANY)
			app->meters.v[i].what = buf_cstr(&m->what);
}

static void answered(void *ctx, const struct query_answer *a)
{
	struct app *app = ctx;
	struct asking_many *m = &app->asking.many;

	m->done++;
	m->failed += a->why != NULL;
	if (a->why && m->failures.n < ASKING_MAX_FAILURES)
		vec_push(&m->failures, ((struct asking_failure){a->ord, xstrdup(a->why->msg)}));
	say_what(app);
	meter_move(app, METER_MANY, m->done, m->n);
}

static void kept(void *ctx, size_t n)
{
	(void)n;
	asking_grew(ctx, LOOK_EVERY);
}

/* --- its end --- */

static void sum_up(struct app *app, const struct err *why)
{
	const struct asking_many *m = &app->asking.many;
	size_t good = m->done - m->failed;
	char a[32], b[32], c[32];

	if (m->stopped || m->failed || (why && why->code != E_CANCELLED))
		app_message(app, why && why->code != E_CANCELLED ? STYLE_WARNING : STYLE_MESSAGE,
			    "%s of %s answered%s%s%s; :query again asks for the rest%s%s", print_count(a, good),
			    print_count(b, m->n), m->failed ? ", " : "", m->failed ? print_count(c, m->failed) : "",
			    m->failed ? " failed (:failures)" : "", why && !m->stopped ? ": " : "",
			    why && !m->stopped ? why->msg : "");
	else
		app_message(app, STYLE_MESSAGE, "%s has answered for %s sample%s", m->spec.endpoint.model,
			    print_count(a, m->n), m->n == 1 ? "" : "s");
}

static void ended(void *ctx, const struct crowd_counts *counts, const struct err *why)
{
	struct app *app = ctx;
	struct asking_many *m = &app->asking.many;

	(void)counts;
	app->asking.busy = NULL;
	meter_close(app, METER_MANY);
	asking_grew(app, 0);
	if (!why && !m->stopped && m->spec.repeat + 1 < m->repeats && start(app, m->spec.repeat + 1))
		return;
	sum_up(app, why);
}

/* --- its beginning --- */

static void stop_many(struct app *app)
{
	asking_cancel(app);
}

static void begin(struct app *app, struct query_plan *plan)
{
	const struct query_watch watch = {.answered = answered, .kept = kept, .ended = ended, .ctx = app};
	struct asking_many *m = &app->asking.many;

	m->n = plan->n;
	m->done = m->failed = 0;
	m->stopped = false;
	say_what(app);
	app->asking.busy = query_start(plan, app->pool, app->decoder, NULL, &watch);
	meter_open(app, (struct meter){.key = METER_MANY, .what = buf_cstr(&m->what), .unit = "samples",
				       .all = m->n, .stop = stop_many});
}

/* False: there is nothing to ask, or it cannot be asked, and a message says so. */
static bool plan_for(struct app *app, uint32_t repeat, struct query_plan *plan)
{
	struct asking_many *m = &app->asking.many;
	struct err err = ERR_INIT;
	char n[32];

	m->spec.repeat = repeat;
	if (query_plan_make(plan, app->conn, app->scene.snap, &m->spec, m->ords, m->n_ords, false, &err) != OK)
		app_message(app, STYLE_WARNING, "%s", err.msg);
	else if (!plan->n)
		app_message(app, STYLE_MESSAGE, "all %s are answered in %s already", print_count(n, plan->known),
			    plan->handle);
	else
		return true;
	query_plan_release(plan);
	return false;
}

/* Of several repeats some may be answered: what is told is about one that is not. */
static bool plan_anew(struct app *app, struct query_plan *plan)
{
	struct asking_many *m = &app->asking.many;
	struct err err = ERR_INIT;

	if (query_plan_make(plan, app->conn, app->scene.snap, &m->spec, m->ords, m->n_ords, true, &err) == OK)
		return true;
	app_message(app, STYLE_WARNING, "%s", err.msg);
	query_plan_release(plan);
	return false;
}

static bool start(struct app *app, uint32_t repeat)
{
	struct query_plan plan;

	if (!plan_for(app, repeat, &plan))
		return false;
	begin(app, &plan);
	return true;
}

static bool may_ask(struct app *app)
{
	struct asking *a = &app->asking;

	if (a->one || a->busy)
		app_message(app, STYLE_MESSAGE, "a model is being asked already; Ctrl-c stops that");
	else if (conn_read_only(app->conn))
		app_message(app, STYLE_WARNING, "the project is read-only: the answers would be lost");
	else
		return true;
	return false;
}

/* The first answer of all repeats may be there when that of the next is not. */
static unsigned go(struct app *app, bool yes)
{
	struct asking_many *m = &app->asking.many;

	if (!yes) {
		app_message(app, STYLE_MESSAGE, "nothing was sent");
		return REACT_REDRAW;
	}
	forget_failures(m);
	for (uint32_t k = 0; k < m->repeats; k++)
		if (start(app, k)) {
			buf_clear(&app->message);
			break;
		}
	return REACT_REDRAW;
}

/* ", 20 answered already, 3 times, about 24,000 tokens" */
static void put_what(struct app *app, const struct query_plan *plan, size_t wished, struct buf *out)
{
	const struct asking_many *m = &app->asking.many;
	struct query_cost cost = query_plan_cost(plan, app->conn);
	char n[32];

	if (wished > m->n_ords)
		buf_printf(out, " (of %s)", print_count(n, wished));
	if (m->repeats > 1)
		buf_printf(out, ", %u times", m->repeats);
	if (plan->known)
		buf_printf(out, ", %s answered already", print_count(n, plan->known));
	if (cost.text > 0)
		buf_printf(out, ", about %s tokens", print_about(n, m->repeats * (cost.text + cost.pictures)));
}

#define LEAST_WHOM 8 /* columns */

/* "ask about 80 samples (of 4,673), about 24,000 tokens: mobilenet-v2/ow at 127.0.0.1:8099? y/n". What it
 * costs is said whole; whom, which the view shows as well, as far as there is room. */
static void ask_first(struct app *app, const struct query_plan *plan, size_t wished)
{
	const struct asking_many *m = &app->asking.many;
	struct str host = endpoint_host(&m->spec.endpoint);
	struct buf what = BUF_INIT, whom = BUF_INIT, cut = BUF_INIT;
	char n[32];
	int room;

	buf_printf(&what, "ask about %s sample%s", print_count(n, plan->n), plan->n == 1 ? "" : "s");
	put_what(app, plan, wished, &what);
	buf_printf(&whom, "%s/%s at %.*s", m->spec.endpoint.model, m->spec.protocol->name,
		   (int)(host.n > 60 ? 60 : host.n), host.p);
	room = app->grid.w - text_width(buf_view(&what)) - (int)strlen(" : ? y/n ");
	if (room >= LEAST_WHOM) {
		buf_z(&what, ": ");
		text_cut(buf_view(&whom), room, CUT_END, &cut);
		buf_str(&what, buf_view(&cut));
	}
	edit_ask(app, go, "%s? y/n", buf_cstr(&what));
	buf_release(&what);
	buf_release(&whom);
	buf_release(&cut);
}

static void take_ords(struct asking_many *m, struct targets *t, size_t cap)
{
	free(m->ords);
	m->ords = t->ords;
	m->n_ords = t->n > cap ? cap : t->n;
	t->ords = NULL;
}

unsigned asking_send_many(struct app *app, struct targets *t, size_t cap)
{
	struct asking_many *m = &app->asking.many;
	struct query_plan plan;
	struct query_spec spec;
	struct err err = ERR_INIT;
	size_t wished = t->n;

	if (!may_ask(app)) {
		targets_release(t);
		return REACT_REDRAW;
	}
	if (asking_spec(app, UINT32_MAX, &spec, &err) != OK) {
		app_message(app, STYLE_WARNING, "%s", err.msg);
		query_spec_release(&spec);
		targets_release(t);
		return REACT_REDRAW;
	}
	query_spec_release(&m->spec);
	m->spec = spec;
	m->repeats = app->asking.repeats;
	m->dataset = app->scene.snap->dataset_id;
	take_ords(m, t, cap);
	targets_release(t);
	if (m->repeats > 1 ? plan_anew(app, &plan) : plan_for(app, 0, &plan)) {
		ask_first(app, &plan, wished);
		query_plan_release(&plan);
	}
	return REACT_REDRAW;
}

unsigned asking_again(struct app *app)
{
	const struct asking_many *m = &app->asking.many;

	if (!m->n_ords || m->dataset != app->scene.snap->dataset_id)
		app_message(app, STYLE_MESSAGE, "nothing was asked about many samples yet: ; then :query");
	else if (may_ask(app))
		go(app, true);
	return REACT_REDRAW;
}

bool asking_cancel(struct app *app)
{
	struct asking *a = &app->asking;

	if (!a->busy)
		return false;
	a->many.stopped = true;
	meter_close(app, METER_MANY);
	query_cancel(a->busy);
	return true;
}

/* --- failures --- */

static void gather(struct app *app, struct chooser *c)
{
	const struct asking_many *m = &app->asking.many;

	for (size_t i = 0; i < m->failures.n; i++) {
		const struct sample_row *row = rows_get(app->rows, m->failures.v[i].ord);
		char *key = row ? xstrndup(row->key.p, row->key.n) : xstrdup("");

		chooser_add(c, &(struct choice){mark_glyph(MARK_ERROR), key, m->failures.v[i].why, ""});
		free(key);
	}
}

static unsigned go_there(struct app *app, uint32_t at)
{
	if (at < app->asking.many.failures.n)
		app_go(app, app->asking.many.failures.v[at].ord);
	return REACT_REDRAW;
}

unsigned asking_failures(struct app *app)
{
	static const struct chooser_spec spec = {.title = "what failed", .nothing = "nothing has failed",
						 .gather = gather, .accept = go_there};

	return chooser_open(app, &spec);
}
