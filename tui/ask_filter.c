#include "tui/ask_filter.h"

#include <stdlib.h>

#include "core/base/utf8.h"
#include "core/base/xmalloc.h"
#include "tui/app.h"
#include "tui/state_file.h"

#define ASK_KEY      ((uint64_t)0x61736b6600000000) /* of the sieve's question */
#define PAUSE_MS     50
#define SHOWN_MS     100 /* after so long a wait is shown */
#define AT_ONCE_MAX  ((uint32_t)2 << 20) /* samples that are counted between two keys */
#define HISTORY_MAX  200

/* --- history --- */

static void read_history(struct app *app)
{
	struct buf text = BUF_INIT;
	struct str rest, line;

	app->ask.remembered = true;
	if (!app->headless && state_file_read("filters", conn_uuid(app->conn), &text))
		for (rest = buf_view(&text); rest.p && rest.n;) {
			rest = str_cut(rest, '\n', &line);
			if (line.n && line.n <= PROMPT_MAX_BYTES && utf8_valid_prefix(line) == line.n)
				prompt_remember(&app->prompt, PROMPT_FILTER, line);
		}
	buf_release(&text);
}

/* The file is read again: another qualm may have written to it. */
static void keep_history(struct app *app, struct str filter)
{
	struct buf old = BUF_INIT, text = {.max = STATE_FILE_MAX};
	struct str rest, line;
	size_t lines = 0;

	if (!filter.n || app->headless)
		return;
	state_file_read("filters", conn_uuid(app->conn), &old);
	for (size_t i = 0; i < old.n; i++)
		lines += old.p[i] == '\n';
	for (rest = buf_view(&old); rest.p && rest.n; lines--) {
		rest = str_cut(rest, '\n', &line);
		if (lines < HISTORY_MAX && line.n && !str_eq(line, filter))
			buf_printf(&text, "%.*s\n", (int)line.n, line.p);
	}
	buf_str(&text, filter);
	buf_ch(&text, '\n');
	if (!text.failed)
		state_file_write("filters", conn_uuid(app->conn), buf_view(&text));
	buf_release(&old);
	buf_release(&text);
}

/* --- what is known about the text --- */

static void drop_offers(struct ask_filter *a)
{
	filter_completion_release(&a->offers);
	a->offers = (struct filter_completion){0};
	a->offered = a->listed = false;
	a->taken = -1;
}

static void forget(struct app *app)
{
	struct ask_filter *a = &app->ask;

	if (app->pool)
		pool_cancel(app->pool, ASK_KEY);
	drop_offers(a);
	free(a->text);
	free(a->bits);
	a->text = NULL;
	a->bits = NULL;
	a->due = 0;
	buf_clear(&a->problem);
}

void ask_filter_release(struct ask_filter *a)
{
	drop_offers(a);
	free(a->text);
	free(a->bits);
	buf_release(&a->problem);
	buf_release(&a->typed);
	*a = (struct ask_filter){0};
}

/* Takes bits. */
static void counted(struct app *app, uint64_t *bits)
{
	struct ask_filter *a = &app->ask;
	const struct scene *s = &app->scene;

	free(a->bits);
	a->bits = bits;
	a->stamp = narrow_stamp(s);
	a->n = (uint32_t)(s->base ? bits_count_and(bits, s->base, s->snap->n)
				  : bits_count(bits, s->snap->n));
	a->state = ASK_COUNTED;
}

static void failed(struct app *app, const struct err *err)
{
	app->ask.state = ASK_WRONG;
	buf_clear(&app->ask.problem);
	buf_z(&app->ask.problem, err->msg);
}

static void arrived(struct app *app, struct sieve_answer *answer)
{
	struct ask_filter *a = &app->ask;

	app->dirty = true;
	if (app->prompt.sign != PROMPT_FILTER || !a->text || !str_eqz(answer->text, a->text))
		return;
	if (answer->st == OK) {
		counted(app, answer->bits);
		answer->bits = NULL;
	} else {
		failed(app, &answer->err);
	}
}

int ask_filter_tick(struct app *app, int64_t now)
{
	struct ask_filter *a = &app->ask;
	struct sieve_question q = {.key = ASK_KEY, .urgency = 2, .done = arrived};

	if (app->prompt.sign != PROMPT_FILTER || a->state != ASK_WAITING)
		return -1;
	if (a->due && now >= a->due) {
		a->due = 0;
		q.text = str_z(a->text);
		sieve_ask(app, &q);
	}
	if (a->due)
		return (int)(a->due - now);
	return now < a->asked + SHOWN_MS ? (int)(a->asked + SHOWN_MS - now) : -1;
}

static void count(struct app *app, struct filter *f, const struct filter_ctx *ctx)
{
	struct ask_filter *a = &app->ask;
	const struct snapshot *snap = app->scene.snap;
	struct err err = ERR_INIT;
	uint64_t *bits;

	if (app->pool && (snap->n > AT_ONCE_MAX || narrow_takes_time(app, f))) {
		a->state = ASK_WAITING;
		a->asked = app_clock();
		a->due = a->asked + PAUSE_MS;
		return;
	}
	bits = bits_new(snap->n);
	if (!bits)
		err_set(&err, E_MEMORY, "there is no memory to count");
	else
		filter_eval(f, ctx, bits, NULL, &err);
	if (!err.code) {
		counted(app, bits);
		return;
	}
	free(bits);
	failed(app, &err);
}

/* Would the text be a filter if what is open were closed, and the last word perhaps another? */
static bool can_be_closed(struct str text, bool offers, const struct filter_ctx *ctx)
{
	static const char *const ends[] = {"\"", "/", ")", "\")", "/)", "))"};
	bool good = false;

	for (size_t i = 0; i < sizeof ends / sizeof *ends && !good; i++) {
		struct buf closed = BUF_INIT;
		struct filter_fault fault = {0, 0};
		struct err err = ERR_INIT;
		struct filter *f = NULL;

		buf_str(&closed, text);
		buf_z(&closed, ends[i]);
		if (filter_parse(buf_view(&closed), ctx, &f, &fault, &err) == OK)
			good = true;
		else
			good = offers && fault.at < text.n && fault.at + fault.n >= text.n;
		filter_free(f);
		buf_release(&closed);
	}
	return good;
}

/* Nobody is told off for what they are just typing. */
static bool unfinished(struct app *app, const struct filter_ctx *ctx, const struct filter_fault *fault)
{
	struct ask_filter *a = &app->ask;
	struct str text = buf_view(&app->prompt.text);

	if (app->prompt.at < text.n)
		return false;
	if (fault->at + fault->n >= text.n &&
	    (a->offers.items.n || text.p[text.n - 1] == ' ' || !fault->n))
		return true;
	return can_be_closed(text, a->offers.items.n > 0, ctx);
}

static void judge(struct app *app, const struct filter_ctx *ctx)
{
	struct ask_filter *a = &app->ask;
	struct prompt *p = &app->prompt;
	struct filter_fault fault = {0, 0};
	struct err err = ERR_INIT;
	struct filter *f = NULL;

	p->fault_n = 0;
	if (filter_parse(buf_view(&p->text), ctx, &f, &fault, &err) == OK) {
		count(app, f, ctx);
		filter_free(f);
		return;
	}
	failed(app, &err);
	if (unfinished(app, ctx, &fault)) {
		a->state = ASK_UNFINISHED;
		return;
	}
	p->fault_at = fault.at;
	p->fault_n = fault.n ? fault.n : 1;
}

static void offer(struct app *app, const struct filter_ctx *ctx)
{
	struct ask_filter *a = &app->ask;
	struct str text = buf_view(&app->prompt.text);

	drop_offers(a);
	filter_complete(text.p ? text : STR(""), app->prompt.at, ctx, app->scene.base, &a->offers);
	a->offered = true;
}

/* walking: the text was changed by an offer of the list, which stays. */
static void look(struct app *app, bool walking)
{
	struct ask_filter *a = &app->ask;
	const struct prompt *p = &app->prompt;
	struct err err = ERR_INIT;
	const struct filter_ctx *ctx;
	bool same = a->text && str_eqz(buf_view(&p->text), a->text);

	if (same && p->at == a->at)
		return;
	ctx = narrow_ctx(app, &err);
	if (!ctx) {
		failed(app, &err);
		return;
	}
	a->at = p->at;
	if (!walking)
		offer(app, ctx);
	if (same)
		return;
	if (app->pool)
		pool_cancel(app->pool, ASK_KEY);
	free(a->text);
	a->text = xstrdup(buf_cstr(&p->text));
	free(a->bits);
	a->bits = NULL;
	a->due = 0;
	buf_clear(&a->problem);
	judge(app, ctx);
}

void ask_filter_look(struct app *app)
{
	look(app, false);
}

/* --- opening and closing --- */

unsigned ask_filter_open(struct app *app)
{
	struct buf text = BUF_INIT;

	narrow_text(app, &text);
	if (text.n > PROMPT_MAX_BYTES) {
		app_message(app, STYLE_WARNING, "the filter is too long to be changed here; gf takes "
						"conditions away, :filter takes a new one");
		buf_release(&text);
		return REACT_REDRAW;
	}
	if (!app->ask.remembered)
		read_history(app);
	if (text.n && text.n < PROMPT_MAX_BYTES)
		buf_ch(&text, ' '); /* the next condition is what one types most often */
	forget(app);
	prompt_open(&app->prompt, PROMPT_FILTER);
	prompt_set(&app->prompt, text.n ? buf_view(&text) : STR(""));
	ask_filter_look(app);
	buf_release(&text);
	return REACT_REDRAW;
}

void ask_filter_cancel(struct app *app)
{
	forget(app);
	prompt_close(&app->prompt, false);
}

bool ask_filter_accept(struct app *app)
{
	struct ask_filter *a = &app->ask;
	struct prompt *p = &app->prompt;
	struct filter_fault fault = {0, 0};
	struct err err = ERR_INIT;
	struct str typed = str_trim(buf_view(&p->text));
	char *text = xstrndup(typed.n ? typed.p : "", typed.n);
	bool known, empty = !*text;
	enum status st;

	ask_filter_look(app);
	known = a->state == ASK_COUNTED && a->bits && !empty &&
		a->stamp == narrow_stamp(&app->scene);
	if (known) {
		st = narrow_take(app, str_z(text), a->bits, &err);
		a->bits = NULL;
	} else {
		st = narrow_set(app, str_z(text), &fault, &err);
	}
	if (st == OK) {
		keep_history(app, str_z(text));
		prompt_set(p, str_z(text));
		prompt_close(p, !empty);
		forget(app);
	} else {
		p->fault_at = fault.at + (size_t)(typed.p - p->text.p);
		p->fault_n = fault.n ? fault.n : 1;
		failed(app, &err);
	}
	free(text);
	return st == OK;
}

/* --- completing --- */

/* The offer at `k` takes the place of the word that was typed. */
static void take(struct app *app, int64_t k)
{
	struct ask_filter *a = &app->ask;
	struct prompt *p = &app->prompt;

	prompt_set(p, buf_view(&a->typed));
	p->at = a->typed_at;
	a->taken = k;
	if (k >= 0) {
		prompt_splice(p, a->offers.from, a->offers.to, a->offers.items.v[k].insert);
		list_go(&a->list, (uint32_t)k);
	}
	a->listed = true;
	look(app, true);
}

bool ask_filter_walk(struct app *app, int by)
{
	struct ask_filter *a = &app->ask;
	int64_t n = (int64_t)a->offers.items.n, k;

	if (!a->listed || app->prompt.sign != PROMPT_FILTER)
		return false;
	k = a->taken < 0 ? (by > 0 ? 0 : n - 1) : a->taken + by;
	take(app, k >= n ? 0 : k < 0 ? n - 1 : k);
	return true;
}

bool ask_filter_unlist(struct app *app)
{
	struct ask_filter *a = &app->ask;

	if (!a->listed || app->prompt.sign != PROMPT_FILTER)
		return false;
	prompt_set(&app->prompt, buf_view(&a->typed));
	app->prompt.at = a->typed_at;
	a->listed = false;
	a->at = SIZE_MAX;
	ask_filter_look(app);
	return true;
}

/* As far as all offers that begin with what was typed agree; NONE when that is not further. */
static struct str agreed(const struct ask_filter *a, struct str typed)
{
	struct str common = STR_NONE;

	for (size_t i = 0; i < a->offers.items.n; i++) {
		struct str insert = a->offers.items.v[i].insert;

		if (insert.n < typed.n || !str_eq_nocase((struct str){insert.p, typed.n}, typed))
			return STR_NONE;
		if (!common.p)
			common = insert;
		for (size_t k = 0; k < common.n; k++)
			if (k == insert.n || insert.p[k] != common.p[k])
				common.n = k;
	}
	while (common.n && utf8_valid_prefix(common) < common.n)
		common.n--; /* they may part in the middle of a character */
	return common.n > typed.n ? common : STR_NONE;
}

static void complete_word(struct app *app)
{
	struct ask_filter *a = &app->ask;
	struct prompt *p = &app->prompt;
	size_t n = a->offers.items.n;
	struct str typed, common;

	typed = (struct str){p->text.p + a->offers.from, p->at - a->offers.from};
	common = n == 1 ? a->offers.items.v[0].insert : agreed(a, typed);
	if (common.n) {
		prompt_splice(p, a->offers.from, a->offers.to, common);
		ask_filter_look(app);
	}
	if (n < 2 || a->offers.items.n < 2)
		return;
	buf_clear(&a->typed);
	buf_str(&a->typed, buf_view(&p->text));
	a->typed_at = p->at;
	a->listed = true;
	a->list = (struct list){.n = (uint32_t)a->offers.items.n, .height = 1};
	if (!common.n)
		take(app, 0);
}

void ask_filter_complete(struct app *app, int by)
{
	struct ask_filter *a = &app->ask;

	ask_filter_look(app);
	if (ask_filter_walk(app, by))
		return;
	if (!a->offers.items.n || a->offers.from > app->prompt.at)
		app_message(app, STYLE_MESSAGE, "nothing that is known begins like this");
	else
		complete_word(app);
}
