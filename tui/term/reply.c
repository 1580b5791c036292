#include "tui/term/reply.h"

#include "core/base/utf8.h"
#include "tui/term/term.h"

#define LONE_ESC_MS  80
#define CUT_OFF_MS   1000 /* half a sequence: give up on the rest */
#define EXPECTING_MS 4000

enum state { GROUND, UTF8, ESC, CSI, CSI_LINUX, SS3, STRING, STRING_ESC, PASTE };

static void step(struct reply_parser *p, unsigned char b);

void reply_init(struct reply_parser *p, void (*on_event)(void *, const struct event *), void *user)
{
	*p = (struct reply_parser){.on_event = on_event, .user = user, .erase = 0x7f};
	p->paste.max = REPLY_PASTE_MAX;
}

void reply_release(struct reply_parser *p)
{
	buf_release(&p->paste);
}

static void ground(struct reply_parser *p)
{
	p->state = GROUND;
	p->n = 0;
	p->alt = false;
	p->ghost = false;
}

static void emit_key(struct reply_parser *p, uint32_t key)
{
	struct event e = {.kind = EVENT_KEY, .key = key};

	if (key != KEY_NONE_)
		p->on_event(p->user, &e);
}

static void keep(struct reply_parser *p, unsigned char b)
{
	if (p->n < sizeof p->seq)
		p->seq[p->n++] = (char)b;
}

static void begin(struct reply_parser *p, enum state state, unsigned char b)
{
	if (state == ESC || state == UTF8)
		p->n = 0;
	p->state = state;
	keep(p, b);
}

/* What was held back was no answer after all: its bytes, without the ESC that went out before. */
static void give_back(struct reply_parser *p)
{
	char held[REPLY_SEQ_MAX];
	size_t n = p->n;

	memcpy(held, p->seq, n);
	ground(p);
	for (size_t i = 1; i < n; i++)
		emit_key(p, key_of_byte((unsigned char)held[i], p->erase));
}

/* --- complete sequences --- */

/* Numbers between `;` (or `:`) after the private mark; -1 for an empty one. Huge ones saturate. */
static int numbers(const char *s, size_t n, int *out, int max)
{
	int k = 0, v = -1;

	for (size_t i = 0; i < n; i++) {
		if (s[i] >= '0' && s[i] <= '9') {
			v = v < 0 ? 0 : v;
			v = v > 9999999 ? v : v * 10 + (s[i] - '0');
		} else if (s[i] == ';' || s[i] == ':') {
			if (k < max)
				out[k++] = v;
			v = -1;
		}
	}
	if (n && k < max)
		out[k++] = v;
	return k;
}

static bool emit_reply(struct reply_parser *p, enum event_kind kind, const int *arg, int n)
{
	struct event e = {.kind = kind, .n = n > EVENT_MAX_ARGS ? EVENT_MAX_ARGS : n};

	memcpy(e.arg, arg, (size_t)e.n * sizeof *arg);
	p->on_event(p->user, &e);
	return true;
}

/* CSI with a private mark or an intermediate: only answers look so. */
static bool csi_private(struct reply_parser *p, char mark, char final, const int *a, int n)
{
	if (mark == '<' && (final == 'M' || final == 'm')) {
		if (final == 'M' && n == 3 && (a[0] == 64 || a[0] == 65))
			emit_key(p, a[0] == 64 ? KEYC_UP : KEYC_DOWN);
		return true;
	}
	if (mark != '?')
		return false;
	if (final == 'c')
		return emit_reply(p, EVENT_DA1, a, n);
	if (final == 'S' && n >= 3 && a[0] == 1 && a[1] == 0)
		return emit_reply(p, EVENT_REGISTERS, a + 2, 1);
	if (final == 'S' && n >= 4 && a[0] == 2 && a[1] == 0)
		return emit_reply(p, EVENT_MAX_SIZE, a + 2, 2);
	if (final == 'y' && n >= 2)
		return emit_reply(p, EVENT_MODE, a, 2);
	if (final == 'R' && n >= 2)
		return emit_reply(p, EVENT_CURSOR, a, 2);
	return false;
}

static bool csi_answer(struct reply_parser *p, char final, const int *a, int n)
{
	if (final == 'R' && n == 2)
		return emit_reply(p, EVENT_CURSOR, a, 2);
	if (final == 't' && n == 3 && a[0] == 6)
		return emit_reply(p, EVENT_CELL, a + 1, 2);
	return false;
}

static uint32_t csi_key(char final, const int *a, int n)
{
	int modifier = n >= 2 ? a[1] : 0;

	if (final == '~' && n >= 3 && a[0] == 27) /* xterm's modifyOtherKeys */
		return a[2] > 0 && a[2] < 0x110000
			   ? key_with_modifier(a[2] < 0x80 ? key_of_byte((unsigned char)a[2], 0x7f)
							   : (uint32_t)a[2],
					       modifier)
			   : KEY_NONE_;
	if (final == '~')
		return key_with_modifier(key_of_tilde(n ? a[0] : -1), modifier);
	if (final == 'u')
		return n && a[0] > 0 && a[0] < 0x80
			   ? key_with_modifier(key_of_byte((unsigned char)a[0], 0x7f), modifier)
			   : KEY_NONE_;
	return key_with_modifier(key_of_letter(final), modifier);
}

static void csi_done(struct reply_parser *p, char final)
{
	int a[EVENT_MAX_ARGS], n;
	char mark = p->n > 2 && p->seq[2] >= '<' && p->seq[2] <= '?' ? p->seq[2] : '\0';
	size_t from = mark ? 3 : 2, to = p->n - 1;
	bool inter = p->n > 3 && p->seq[to - 1] >= ' ' && p->seq[to - 1] <= '/', known;
	uint32_t key = KEY_NONE_;

	if (inter)
		to--;
	n = to > from ? numbers(p->seq + from, to - from, a, EVENT_MAX_ARGS) : 0;
	if (mark || inter)
		known = csi_private(p, mark, final, a, n);
	else
		known = csi_answer(p, final, a, n);
	if (!known && !mark && !inter && !p->ghost) {
		if (final == '~' && n == 1 && a[0] == 200) {
			ground(p);
			p->state = PASTE;
			buf_clear(&p->paste);
			return;
		}
		key = csi_key(final, a, n);
	}
	if (p->ghost && !known && !mark) {
		give_back(p);
		return;
	}
	ground(p);
	emit_key(p, key);
}

/* One to four hexadecimal digits, of which one is all and four are exact, as 0 to 255. */
static bool color_part(struct str s, int *out)
{
	static const int most[] = {0xf, 0xff, 0xfff, 0xffff};
	int v = 0;

	if (s.n < 1 || s.n > 4)
		return false;
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')))
			return false;
		v = v * 16 + (c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
	}
	*out = (v * 255 + most[s.n - 1] / 2) / most[s.n - 1];
	return true;
}

/* OSC "11;rgb:RRRR/GGGG/BBBB". */
static bool background(struct reply_parser *p)
{
	static const char head[] = "\033]11;rgb:";
	size_t n = sizeof head - 1;
	struct str rest = {p->seq + n, p->n - n}, part;
	int arg[3];

	if (p->n <= n || memcmp(p->seq, head, n) != 0)
		return false;
	for (int i = 0; i < 3; i++) {
		rest = str_cut(rest, '/', &part);
		if (!color_part(part, &arg[i]))
			return false;
	}
	return !rest.p && emit_reply(p, EVENT_BACKGROUND, arg, 3);
}

static void string_done(struct reply_parser *p)
{
	struct event e = {.kind = EVENT_NAME};

	if (background(p)) {
		;
	} else if (p->n > 4 && memcmp(p->seq + 1, "P>|", 3) == 0) {
		e.text = (struct str){p->seq + 4, p->n - 4};
		p->on_event(p->user, &e);
	} else if (p->ghost) {
		give_back(p);
	}
	ground(p);
}

/* --- one byte --- */

/* The terminal's own description of its keys comes first. */
static bool extra_key(struct reply_parser *p)
{
	uint32_t key = KEY_NONE_;

	if (p->ghost)
		return false;
	for (size_t i = 0; i < p->n_extra; i++) {
		const struct key_bytes *k = &p->extra[i];

		if (k->n > p->n && memcmp(k->bytes, p->seq, p->n) == 0)
			return false;
		if (k->n == p->n && memcmp(k->bytes, p->seq, p->n) == 0)
			key = k->key;
	}
	if (!key)
		return false;
	ground(p);
	emit_key(p, key);
	return true;
}

static void step_ground(struct reply_parser *p, unsigned char b)
{
	if (p->ghost && (b == '[' || b == 'P')) {
		p->n = 0;
		keep(p, 0x1b);
		begin(p, b == '[' ? CSI : STRING, b);
		return;
	}
	p->ghost = false;
	if (b == 0x1b) {
		begin(p, ESC, b);
	} else if (b < 0x80) {
		emit_key(p, key_of_byte(b, p->erase) | (p->alt ? KEYC_ALT : 0));
		p->alt = false;
	} else if (b >= 0xc2 && b <= 0xf4) {
		p->need = b < 0xe0 ? 2 : b < 0xf0 ? 3 : 4;
		begin(p, UTF8, b);
	} else {
		p->alt = false;
	}
}

static void step_utf8(struct reply_parser *p, unsigned char b)
{
	bool alt = p->alt;
	uint32_t cp;
	size_t len;

	if ((b & 0xc0) != 0x80) {
		ground(p);
		step(p, b);
		return;
	}
	keep(p, b);
	if (p->n < p->need)
		return;
	cp = utf8_decode(p->seq, p->n, &len);
	ground(p);
	if (cp != UTF8_BAD && !utf8_is_unsafe(cp))
		emit_key(p, cp | (alt ? KEYC_ALT : 0));
}

static void step_esc(struct reply_parser *p, unsigned char b)
{
	if (b == 0x1b) {
		ground(p);
		emit_key(p, KEYC_ESC);
		begin(p, ESC, b);
	} else if (b == '[' || b == 'O' || b == 'P' || b == '_' || b == ']') {
		begin(p, b == '[' ? CSI : b == 'O' ? SS3 : STRING, b);
		extra_key(p);
	} else {
		keep(p, b);
		if (extra_key(p))
			return;
		ground(p);
		p->alt = true;
		step(p, b);
	}
}

static void step_csi(struct reply_parser *p, unsigned char b)
{
	if (b < 0x20 || b >= 0x7f) {
		if (p->ghost)
			give_back(p);
		ground(p);
		step(p, b);
		return;
	}
	keep(p, b);
	if (extra_key(p))
		return;
	if (b == '[' && p->n == 3)
		p->state = CSI_LINUX;
	else if (b >= 0x40)
		csi_done(p, (char)b);
}

static void step_ss3(struct reply_parser *p, unsigned char b)
{
	if (b < 0x20 || b >= 0x7f) {
		ground(p);
		emit_key(p, KEYC_ALT | 'O');
		step(p, b);
		return;
	}
	keep(p, b);
	if (extra_key(p) || (b >= '0' && b <= '9'))
		return;
	ground(p);
	emit_key(p, key_of_ss3((char)b));
}

/* Strings hold printable bytes and layout; any other control character ends one that was cut. */
static void step_string(struct reply_parser *p, unsigned char b)
{
	if (b == 0x07) {
		string_done(p);
	} else if (b == 0x1b) {
		p->state = STRING_ESC;
	} else if (b == 0x18 || b == 0x1a) {
		ground(p);
	} else if (b < 0x08 || (b > 0x0d && b < 0x20)) {
		ground(p);
		step(p, b);
	} else {
		keep(p, b);
	}
}

static void step_string_esc(struct reply_parser *p, unsigned char b)
{
	if (b == '\\') {
		string_done(p);
		return;
	}
	ground(p);
	begin(p, ESC, 0x1b);
	step(p, b);
}

static void paste_done(struct reply_parser *p)
{
	struct event e = {.kind = EVENT_PASTE, .text = buf_view(&p->paste)};

	ground(p);
	p->on_event(p->user, &e);
	buf_clear(&p->paste);
}

/* The end mark is matched in seq, apart from the text, so that a full buffer still ends. */
static void step_paste(struct reply_parser *p, unsigned char b)
{
	static const char end[] = "\033[201~";

	if ((char)b == end[p->n]) {
		keep(p, b);
		if (p->n == sizeof end - 1)
			paste_done(p);
		return;
	}
	buf_put(&p->paste, p->seq, p->n);
	p->n = 0;
	if (b == 0x1b)
		keep(p, b);
	else
		buf_ch(&p->paste, (char)b);
}

static void step(struct reply_parser *p, unsigned char b)
{
	switch ((enum state)p->state) {
	case GROUND:
		step_ground(p, b);
		break;
	case UTF8:
		step_utf8(p, b);
		break;
	case ESC:
		step_esc(p, b);
		break;
	case CSI:
		step_csi(p, b);
		break;
	case CSI_LINUX:
		ground(p);
		if (b >= 'A' && b <= 'E')
			emit_key(p, KEYC_F1 + (uint32_t)(b - 'A'));
		break;
	case SS3:
		step_ss3(p, b);
		break;
	case STRING:
		step_string(p, b);
		break;
	case STRING_ESC:
		step_string_esc(p, b);
		break;
	case PASTE:
		step_paste(p, b);
		break;
	}
}

void reply_feed(struct reply_parser *p, struct str bytes)
{
	for (size_t i = 0; i < bytes.n; i++)
		step(p, (unsigned char)bytes.p[i]);
}

/* ESC, or ESC and one byte that may open an answer: a key if nothing follows. */
static bool may_be_key(const struct reply_parser *p)
{
	if (p->state == ESC || p->state == SS3)
		return true;
	return p->n == 2 && (p->state == CSI || p->state == STRING) &&
	       (p->ghost || !p->expecting);
}

int reply_wait_ms(const struct reply_parser *p)
{
	if (p->state == GROUND)
		return -1;
	if (may_be_key(p))
		return p->ghost ? CUT_OFF_MS : LONE_ESC_MS;
	return p->expecting ? EXPECTING_MS : CUT_OFF_MS;
}

void reply_timeout(struct reply_parser *p)
{
	char second = p->n > 1 ? p->seq[1] : '\0';
	bool key = may_be_key(p);

	if (p->state == PASTE) {
		buf_put(&p->paste, p->seq, p->n);
		paste_done(p);
	} else if (p->state == ESC) {
		ground(p);
		emit_key(p, KEYC_ESC);
		p->ghost = p->expecting;
	} else if (p->ghost) {
		give_back(p);
	} else {
		ground(p);
		if (key)
			emit_key(p, KEYC_ALT | (uint32_t)second);
	}
}
