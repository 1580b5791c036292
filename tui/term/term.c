#include "tui/term/term.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "tui/term/backend.h"
#include "tui/term/text.h"

#define READ_AT_ONCE   65536 /* then let the caller draw */
#define ANSWERS_MS     10000 /* how long answers are waited for with patience */
#define HEAR_OUT_MS    500
#define COPY_MAX_BYTES 75000

int64_t term_now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static void push_key(struct term *t, uint32_t key)
{
	vec_push(&t->queue.keys, key);
}

static bool passthrough(const struct term *t)
{
	return caps_passthrough(&t->env, &t->replies);
}

/* What the terminal around tmux can do. tmux drops the question while no client is attached yet,
 * and another client may come: it is asked again. */
static void ask_outer(struct term *t)
{
	if (!t->replies.outer_asked)
		return;
	send_clear(t);
	send_text(t, OUTER_DA1, sizeof OUTER_DA1 - 1);
	send_more(t);
	t->asked_ms = term_now_ms();
}

/* tmux does not know what went through it: the picture would stay when another window shows. */
static void focus(struct term *t, bool away)
{
	if (passthrough(t) && away != t->away) {
		t->away = away;
		if (away && t->shown.id)
			t->backend->show(t, &t->last, NULL);
	}
}

/* Light text on a light terminal: where nobody chose a theme, it is chosen by the background. */
static void follow_background(struct term *t)
{
	struct err ignored = ERR_INIT;
	bool light = caps_light(t->replies.background);

	if (!t->theme.automatic || light == (strcmp(t->theme.name, "light") == 0))
		return;
	if (theme_load(light ? "light" : "dark", &t->theme, &ignored) != OK)
		return;
	t->theme.automatic = true;
	if (t->backend->restyle)
		t->backend->restyle(t);
}

static void on_event(void *user, const struct event *e)
{
	struct term *t = user;
	struct buf text = BUF_INIT;

	if (e->kind == EVENT_KEY) {
		if (e->key == KEYC_FOCUS_IN || e->key == KEYC_FOCUS_OUT)
			focus(t, e->key == KEYC_FOCUS_OUT);
		if (e->key == KEYC_FOCUS_IN)
			ask_outer(t);
		push_key(t, e->key);
	} else if (e->kind == EVENT_PASTE) {
		buf_str(&text, e->text);
		vec_push(&t->pastes, text);
		push_key(t, KEYC_PASTE);
	} else if (e->kind == (passthrough(t) ? EVENT_DA1 : EVENT_CURSOR)) {
		send_receipt(t);
	}
	if (caps_reply(&t->replies, e)) {
		if (e->kind == EVENT_BACKGROUND)
			follow_background(t);
		term_decide(t);
		t->caps_changed = true;
	}
}

void term_decide(struct term *t)
{
	caps_decide(&t->env, &t->replies, &t->caps);
	t->caps.link = t->send.link.rate;
}

struct term *term_new(const struct backend *backend, const struct theme *theme)
{
	static const char *const names[] = {"TERM", "TMUX", "STY", "QUALM_GRAPHICS", "QUALM_CELL"};
	struct term *t = xcalloc(1, sizeof *t);

	t->backend = backend;
	t->fd = t->send.fd = -1;
	t->theme = *theme;
	for (int i = 0; i < 5; i++) {
		const char *v = getenv(names[i]);

		t->env_copy[i] = v ? xstrdup(v) : NULL;
	}
	t->env = (struct caps_env){t->env_copy[0], t->env_copy[1], t->env_copy[2], t->env_copy[3],
				   t->env_copy[4], .unicode = text_unicode(), .mono = theme->mono,
				   .background = theme->background};
	t->redraw = true;
	reply_init(&t->parser, on_event, t);
	return t;
}

void term_free(struct term *t)
{
	for (int i = 0; i < 5; i++)
		free(t->env_copy[i]);
	free(t->wish[0]);
	free(t->wish[1]);
	for (size_t i = 0; i < t->pastes.n; i++)
		buf_release(&t->pastes.v[i]);
	vec_release(&t->pastes);
	vec_release(&t->queue.keys);
	buf_release(&t->pasted);
	reply_release(&t->parser);
	cells_release(&t->last);
	send_close(t);
	free(t);
}

void term_close(struct term *t)
{
	if (!t)
		return;
	t->backend->close(t);
	term_free(t);
}

int term_fd(const struct term *t)
{
	return t->fd;
}

void term_size(const struct term *t, int *h, int *w)
{
	*h = t->h;
	*w = t->w;
}

const struct term_caps *term_caps(const struct term *t)
{
	return &t->caps;
}

const struct cells *term_shown(const struct term *t, struct placed_picture *pic)
{
	if (pic)
		*pic = (struct placed_picture){.id = t->shown.id, .rect = t->shown.rect};
	return &t->last;
}

/* --- input --- */

static void update_patience(struct term *t)
{
	bool open = !t->replies.da1 || (t->replies.outer_asked && !t->replies.outer_da1);

	if (t->asked_ms && (!open || term_now_ms() - t->asked_ms > ANSWERS_MS))
		t->asked_ms = 0;
	t->parser.expecting = t->asked_ms != 0 || send_busy(t) || send_asked(t);
}

static enum status read_some(struct term *t, bool *got, struct err *err)
{
	char bytes[4096];
	struct pollfd q = {t->fd, POLLIN, 0};
	size_t total = 0;
	ssize_t k;

	*got = false;
	while (total < READ_AT_ONCE && poll(&q, 1, 0) > 0) {
		k = read(t->fd, bytes, sizeof bytes);
		if (k < 0 && (errno == EINTR || errno == EAGAIN))
			break;
		if (k < 0)
			return err_errno(err, errno, "the terminal is gone");
		if (k == 0)
			return err_set(err, E_IO, "the terminal is gone");
		update_patience(t);
		reply_feed(&t->parser, (struct str){bytes, (size_t)k});
		total += (size_t)k;
		*got = true;
	}
	return OK;
}

enum status term_input(struct term *t, bool *caps_changed, struct err *err)
{
	enum status st = OK;
	int64_t now;
	bool got = false;
	int wait;

	if (t->fd >= 0)
		st = read_some(t, &got, err);
	now = term_now_ms();
	update_patience(t);
	wait = reply_wait_ms(&t->parser);
	if (got)
		t->last_byte_ms = now;
	else if (wait >= 0 && now - t->last_byte_ms >= wait)
		reply_timeout(&t->parser);
	send_more(t);
	send_tick(t);
	if (t->ask_again_ms && now >= t->ask_again_ms) {
		t->ask_again_ms = 0;
		if (!t->replies.outer_da1)
			ask_outer(t);
	}
	*caps_changed = t->caps_changed;
	t->caps_changed = false;
	return st;
}

static bool outstanding(const struct term *t)
{
	return send_asked(t) || (t->asked_ms && !t->replies.da1);
}

void term_hear_out(struct term *t)
{
	int64_t end = term_now_ms() + HEAR_OUT_MS, left;
	struct pollfd q = {t->fd, POLLIN, 0};
	struct err err = ERR_INIT;
	bool got = true;

	while (got && outstanding(t) && (left = end - term_now_ms()) > 0 &&
	       poll(&q, 1, (int)left) > 0)
		if (read_some(t, &got, &err) != OK)
			got = false;
	send_forget(t);
}

uint32_t term_key(struct term *t)
{
	struct keys_queue *q = &t->queue;
	uint32_t key;

	if (q->next == q->keys.n)
		return KEY_NONE_;
	key = q->keys.v[q->next++];
	if (q->next == q->keys.n) {
		vec_clear(&q->keys);
		q->next = 0;
	}
	if (key == KEYC_PASTE) {
		buf_release(&t->pasted);
		t->pasted = t->pastes.v[0];
		memmove(t->pastes.v, t->pastes.v + 1, (t->pastes.n - 1) * sizeof *t->pastes.v);
		t->pastes.n--;
	}
	return key;
}

struct str term_pasted(const struct term *t)
{
	return buf_view(&t->pasted);
}

static int sooner(int ms, int64_t when)
{
	int64_t left = when - term_now_ms();

	left = left < 0 ? 0 : left;
	return ms < 0 || left < ms ? (int)left : ms;
}

int term_timeout(const struct term *t)
{
	int wait = reply_wait_ms(&t->parser), ms = -1;

	if (wait >= 0)
		ms = sooner(ms, t->last_byte_ms + wait);
	if (send_due_ms(t))
		ms = sooner(ms, send_due_ms(t));
	if (t->ask_again_ms)
		ms = sooner(ms, t->ask_again_ms);
	return ms;
}

/* --- output --- */

void term_show(struct term *t, const struct cells *grid, const struct placed_picture *picture)
{
	t->backend->show(t, grid, picture);
}

void term_redraw(struct term *t)
{
	t->redraw = true;
}

void term_resized(struct term *t)
{
	t->backend->resized(t);
	term_decide(t);
	t->redraw = true;
	ask_outer(t);
	push_key(t, KEYC_RESIZE);
}

void term_suspend(struct term *t)
{
	t->backend->suspend(t);
}

void term_outside(struct term *t, void (*fn)(void *ctx), void *ctx)
{
	t->backend->outside(t, fn, ctx);
}

bool term_busy(const struct term *t)
{
	return send_busy(t);
}

short term_events(const struct term *t)
{
	return send_unwritten(t) ? POLLIN | POLLOUT : POLLIN;
}

size_t term_picture_bytes(const struct term *t)
{
	return t->fd < 0 ? 0 : link_budget(&t->send.link);
}

void term_theme(struct term *t, const struct theme *theme)
{
	t->theme = *theme;
	t->env.mono = theme->mono;
	t->env.background = theme->background;
	if (t->backend->restyle)
		t->backend->restyle(t);
	if (t->replies.has_background)
		follow_background(t);
	term_decide(t);
}

static const char *wish(char **slot, const char *wanted, const char *otherwise)
{
	free(*slot);
	*slot = wanted ? xstrdup(wanted) : NULL;
	return wanted ? *slot : otherwise;
}

void term_wish(struct term *t, const char *graphics, const char *cell)
{
	t->env.graphics = wish(&t->wish[0], graphics, t->env_copy[3]);
	t->env.cell = wish(&t->wish[1], cell, t->env_copy[4]);
	term_decide(t);
}

void term_wheel(struct term *t, bool on)
{
	static const char begin[] = "\033[?1000h\033[?1006h", end[] = "\033[?1006l\033[?1000l";

	if (t->wheel == on || t->fd < 0 || !caps_may_ask(&t->env))
		return;
	t->wheel = on;
	send_clear(t);
	send_text(t, on ? begin : end, sizeof begin - 1);
	send_more(t);
}

static void base64(struct str s, struct buf *out)
{
	static const char digits[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < s.n; i += 3) {
		size_t k = s.n - i < 3 ? s.n - i : 3;
		uint32_t v = 0;

		for (size_t j = 0; j < 3; j++)
			v = v << 8 | (j < k ? (unsigned char)s.p[i + j] : 0);
		buf_ch(out, digits[v >> 18]);
		buf_ch(out, digits[v >> 12 & 63]);
		buf_ch(out, k > 1 ? digits[v >> 6 & 63] : '=');
		buf_ch(out, k > 2 ? digits[v & 63] : '=');
	}
}

void term_copy(struct term *t, struct str text)
{
	struct buf b = BUF_INIT;
	bool wrapped = t->replies.outer_da1; /* tmux passes things through */

	if (t->fd < 0 || text.n > COPY_MAX_BYTES)
		return;
	buf_z(&b, wrapped ? "\033Ptmux;\033\033]52;c;" : "\033]52;c;");
	base64(text, &b);
	buf_z(&b, wrapped ? "\a\033\\" : "\a");
	send_clear(t);
	send_text(t, b.p, b.n);
	send_more(t);
	buf_release(&b);
}
