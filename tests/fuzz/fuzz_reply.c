/*
 * Two readings of the input. As raw bytes: any split gives the same events, and what comes out is
 * well-formed. As a script: each byte picks an answer, a key or a pause, the pieces are cut at
 * places that the script chooses, and exactly the keys that were typed come out.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tui/term/caps.h"
#include "tui/term/term.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(x) ((x) ? (void)0 : (fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #x), abort()))

static const char *const answers[] = {
    "\033[?63;1;2;4;6;9;15;16;22;28c", "\033[?1;2c", "\033P>|XTerm(379)\033\\",
    "\033P>|WezTerm\a", "\033[6;20;10t", "\033[?1;0;1024S", "\033[?1;3;0S",
    "\033[?2;0;1000;1000S", "\033[?2026;2$y", "\033[12;40R", "\033[1;2R", "\033_Gi=31;OK\033\\",
    "\033]11;rgb:0000/0000/0000\033\\", "\033[>41;379;0c", "\033P1$r0m\033\\", "\033[<0;1;1M",
};
static const struct {
	const char *bytes;
	uint32_t key;
} keys[] = {
    {"j", 'j'}, {"\r", KEYC_ENTER}, {"\x04", KEYC_CTRL | 'd'}, {"\033[A", KEYC_UP},
    {"\033OP", KEYC_F1}, {"\033[5~", KEYC_PGUP}, {"\xc3\xa9", 0xe9}, {"[", '['}, {"c", 'c'},
    {"\033x", KEYC_ALT | 'x'}, {"\xe6\x97\xa5", 0x65e5}, {"\x7f", KEYC_BACKSPACE}, {"P", 'P'},
};
#define N_ANSWERS (sizeof answers / sizeof *answers)
#define N_KEYS    (sizeof keys / sizeof *keys)

struct seen {
	struct buf events;
	uint32_t key[4096];
	size_t n;
	struct replies replies;
};

static void on_event(void *user, const struct event *e)
{
	struct seen *s = user;
	char name[32];

	CHECK(e->n >= 0 && e->n <= EVENT_MAX_ARGS);
	if (e->kind == EVENT_KEY) {
		CHECK(e->key != KEY_NONE_);
		CHECK(key_text(e->key, name) < sizeof name);
		if (s->n < sizeof s->key / sizeof *s->key)
			s->key[s->n++] = e->key;
	}
	CHECK(e->kind != EVENT_PASTE || e->text.n <= REPLY_PASTE_MAX);
	buf_put(&s->events, &e->kind, sizeof e->kind);
	buf_put(&s->events, &e->key, sizeof e->key);
	buf_put(&s->events, e->arg, (size_t)e->n * sizeof *e->arg);
	buf_str(&s->events, e->text);
	caps_reply(&s->replies, e);
}

static struct seen *run(const uint8_t *data, size_t size, size_t piece, bool expecting)
{
	struct seen *s = calloc(1, sizeof *s);
	struct reply_parser p;

	CHECK(s);
	reply_init(&p, on_event, s);
	p.expecting = expecting;
	for (size_t i = 0; i < size; i += piece) {
		size_t n = size - i < piece ? size - i : piece;

		reply_feed(&p, (struct str){(const char *)data + i, n});
	}
	if (reply_wait_ms(&p) >= 0)
		reply_timeout(&p);
	CHECK(reply_wait_ms(&p) == -1);
	reply_release(&p);
	return s;
}

static void raw(const uint8_t *data, size_t size)
{
	struct seen *whole = run(data, size, size ? size : 1, size & 1);
	struct seen *bytes = run(data, size, 1, size & 1);

	CHECK(whole->n <= size + 1);
	CHECK(str_eq(buf_view(&whole->events), buf_view(&bytes->events)));
	buf_release(&whole->events);
	buf_release(&bytes->events);
	free(whole);
	free(bytes);
}

static void feed_cut(struct reply_parser *p, const char *bytes, size_t cut)
{
	size_t n = strlen(bytes);

	cut %= n + 1;
	reply_feed(p, (struct str){bytes, cut});
	reply_feed(p, (struct str){bytes + cut, n - cut});
}

static void script(const uint8_t *data, size_t size)
{
	struct seen *s = calloc(1, sizeof *s);
	uint32_t *want = calloc(size + 1, sizeof *want);
	struct reply_parser p;
	size_t n = 0;

	CHECK(s && want);
	reply_init(&p, on_event, s);
	p.expecting = true;
	for (size_t i = 0; i + 1 < size && n < 4000; i += 2) {
		size_t pick = data[i] % (N_ANSWERS + N_KEYS + 1);

		if (pick < N_ANSWERS) {
			feed_cut(&p, answers[pick], data[i + 1]);
		} else if (pick < N_ANSWERS + N_KEYS) {
			/* after a lone ESC these two may open an answer, and wait */
			bool waits = p.ghost && strchr("[P", keys[pick - N_ANSWERS].bytes[0]);

			if (waits)
				continue;
			feed_cut(&p, keys[pick - N_ANSWERS].bytes, data[i + 1]);
			want[n++] = keys[pick - N_ANSWERS].key;
		} else {
			reply_feed(&p, STR("\033"));
			reply_timeout(&p);
			want[n++] = KEYC_ESC;
		}
	}
	CHECK(s->n == n);
	CHECK(n == 0 || memcmp(s->key, want, n * sizeof *want) == 0);
	reply_release(&p);
	buf_release(&s->events);
	free(s);
	free(want);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	raw(data, size);
	script(data, size);
	return 0;
}
