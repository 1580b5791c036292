/* The bytes of a terminal into keys and answers. The answers are those real terminals gave. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tui/term/reply.h"
#include "tui/term/term.h"

struct seen {
	struct buf text; /* one word an event */
	int keys;
};

static void on_event(void *user, const struct event *e)
{
	struct seen *s = user;
	char name[32];

	if (s->text.n)
		buf_ch(&s->text, ' ');
	switch (e->kind) {
	case EVENT_KEY:
		key_text(e->key, name);
		buf_z(&s->text, name);
		s->keys++;
		return;
	case EVENT_PASTE:
		buf_z(&s->text, "paste:");
		buf_str(&s->text, e->text);
		s->keys++;
		return;
	case EVENT_NAME:
		buf_z(&s->text, "name:");
		buf_str(&s->text, e->text);
		return;
	case EVENT_DA1:
		buf_z(&s->text, "da1");
		break;
	case EVENT_CELL:
		buf_z(&s->text, "cell");
		break;
	case EVENT_REGISTERS:
		buf_z(&s->text, "registers");
		break;
	case EVENT_MAX_SIZE:
		buf_z(&s->text, "max");
		break;
	case EVENT_MODE:
		buf_z(&s->text, "mode");
		break;
	case EVENT_CURSOR:
		buf_z(&s->text, "cursor");
		break;
	case EVENT_BACKGROUND:
		buf_z(&s->text, "background");
		break;
	}
	for (int i = 0; i < e->n; i++)
		buf_printf(&s->text, ":%d", e->arg[i]);
}

static const struct {
	const char *bytes, *events;
} answers[] = {
    {"\033[?63;1;2;4;6;9;15;16;22;28c", "da1:63:1:2:4:6:9:15:16:22:28"}, /* xterm -ti vt340 */
    {"\033[?64;1;2;6;9;15;16;17;18;21;22;28c", "da1:64:1:2:6:9:15:16:17:18:21:22:28"},
    {"\033[?63;1;2;3;4;6;7;15;18;22;29c", "da1:63:1:2:3:4:6:7:15:18:22:29"}, /* mlterm */
    {"\033[?62;4;22c", "da1:62:4:22"},                                       /* foot */
    {"\033[?62;1;4c", "da1:62:1:4"},                                         /* Konsole */
    {"\033[?62;4;9;22c", "da1:62:4:9:22"},                                   /* xterm.js */
    {"\033[?1;2c", "da1:1:2"},     /* tmux 3.3a, GNU screen */
    {"\033[?1;2;4c", "da1:1:2:4"}, /* tmux with sixel */
    {"\033[?62;22c", "da1:62:22"}, /* Ghostty: 22 is no 4 */
    {"\033[?6c", "da1:6"},         /* Linux */
    {"\033P>|XTerm(379)\033\\", "name:XTerm(379)"},
    {"\033P>|foot(1.13.1)\033\\", "name:foot(1.13.1)"},
    {"\033P>|Konsole 22.12.3\033\\", "name:Konsole 22.12.3"},
    {"\033P>|tmux 3.3a\033\\", "name:tmux 3.3a"},
    {"\033]11;rgb:ffff/8080/0000\033\\", "background:255:128:0"},
    {"\033]11;rgb:1f/2E/3d\a", "background:31:46:61"},
    {"\033]11;rgb:f/0/8\a", "background:255:0:136"},
    {"\033]11;rgb:ffff/8080\a", ""},
    {"\033]11;rgb:ffff/8080/00000\a", ""},
    {"\033]11;rgb:ffff/8080/0000/\a", ""},
    {"\033]11;rgb:fff/-1/0\a", ""},
    {"\033]10;rgb:ffff/8080/0000\a", ""},
    {"\033P>|tmux 3.7c\033\\", "name:tmux 3.7c"},
    {"\033P>|WezTerm\a", "name:WezTerm"},
    {"\033[6;20;10t", "cell:20:10"},
    {"\033[6;17;8t", "cell:17:8"},
    {"\033[?1;0;1024S", "registers:1024"},
    {"\033[?1;0;256S", "registers:256"},
    {"\033[?2;0;1000;1000S", "max:1000:1000"},
    {"\033[?2;0;16384;16384S", "max:16384:16384"},
    {"\033[?1;3;0S", ""}, /* mlterm: an error */
    {"\033[?2;3S", ""},
    {"\033[?2026;2$y", "mode:2026:2"},
    {"\033[?2026;0$y", "mode:2026:0"},
    {"\033[12;40R", "cursor:12:40"},
    {"\033[1;2R", "cursor:1:2"}, /* also xterm's Shift-F3: an answer all the same */
    {"\033[?12;40R", "cursor:12:40"},
    {"\033_Gi=31;OK\033\\", ""},
    {"\033_Gi=31;ENODATA:No data\033\\", ""},
    {"\033]11;rgb:0000/0000/0000\033\\", "background:0:0:0"},
    {"\033]52;c;aGVsbG8=\a", ""},
    {"\033[>41;379;0c", ""},
    {"\033[8;24;80t", ""},
    {"\033[0n", ""},
    {"\033[?997;1n", ""},
    {"\033P1$r0m\033\\", ""},
    {"\033P1+r524742=38\033\\", ""},
    {"\033[?1u", ""},
    {"\033[<0;10;10M", ""},
};
#define N_ANSWERS (sizeof answers / sizeof *answers)

static const struct {
	const char *bytes, *events;
	size_t n; /* 0: strlen */
} keys[] = {
    {"j", "j", 0},
    {"jk", "j k", 0},
    {"\r", "Enter", 0},
    {"\n", "Enter", 0},
    {"\t", "Tab", 0},
    {"\x7f", "Backspace", 0},
    {"\x08", "Ctrl-h", 0},
    {"\x04", "Ctrl-d", 0},
    {"\x1c", "Ctrl-\\", 0},
    {"\0", "Ctrl-Space", 1},
    {" ", "Space", 0},
    {"\xc3\xa9", "\xc3\xa9", 0},
    {"\xe6\x97\xa5", "\xe6\x97\xa5", 0},
    {"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80", 0},
    {"a\xff" "b", "a b", 0},
    {"\xe6\x97j", "j", 0},
    {"\xc2\x9b" "j", "j", 0}, /* a C1 control is no key */
    {"\033[A\033[B\033[C\033[D", "Up Down Right Left", 0},
    {"\033OA\033OB\033OC\033OD", "Up Down Right Left", 0},
    {"\033[H\033[F\033OH\033OF\033[1~\033[4~\033[7~\033[8~",
     "Home End Home End Home End Home End", 0},
    {"\033[2~\033[3~\033[5~\033[6~", "Insert Delete PgUp PgDn", 0},
    {"\033OP\033OQ\033OR\033OS", "F1 F2 F3 F4", 0},
    {"\033[11~\033[15~\033[17~\033[21~\033[23~\033[24~", "F1 F5 F6 F10 F11 F12", 0},
    {"\033[[A\033[[E", "F1 F5", 0},
    {"\033[Z", "Shift-Tab", 0},
    {"\033[I\033[O", "FocusIn FocusOut", 0},
    {"\033[<64;3;4M\033[<65;3;4M\033[<0;3;4M\033[<0;3;4mj", "Up Down j", 0},
    {"\033[1;5A\033[1;3B\033[1;2C\033[5;5~", "Ctrl-Up Alt-Down Right Ctrl-PgUp", 0},
    {"\033[1;2P\033[1;5S", "F1 Ctrl-F4", 0},
    {"\033j\033\x7f\033\r\033\xc3\xa9", "Alt-j Alt-Backspace Alt-Enter Alt-\xc3\xa9", 0},
    {"\033\033[A", "Esc Up", 0},
    {"\033[27;5;106~\033[106;5u\033[13;1u", "Ctrl-j Ctrl-j Enter", 0},
    {"\033OM\033Oj\033Op", "Enter * 0", 0},
    {"\033[999~j", "j", 0},
    {"\033[1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16;17;18;19;20;21;22;23;24;25;26Xj", "j", 0},
    {"\033[99999999999999999999~j", "j", 0},
    {"\033[12\x03", "Ctrl-c", 0}, /* a cut sequence does not eat a control key */
    {"\033P>|XTe\x03", "Ctrl-c", 0},
    {"\033P>|XTe\033[A", "Up", 0},
    {"\033[12\033[A", "Up", 0},
    {"\033[200~a\033[Ab\r\033[201~j", "paste:a\033[Ab\r j", 0},
    {"\033[200~\033[201~", "paste:", 0},
    {"\033[200~\033[20\033[201~j", "paste:\033[20 j", 0},
};
#define N_KEYS (sizeof keys / sizeof *keys)

static size_t key_len(size_t i)
{
	return keys[i].n ? keys[i].n : strlen(keys[i].bytes);
}

static void start(struct reply_parser *p, struct seen *s)
{
	*s = (struct seen){BUF_INIT, 0};
	reply_init(p, on_event, s);
}

static void finish(struct reply_parser *p, struct seen *s, const char *want)
{
	if (strcmp(buf_cstr(&s->text), want) != 0)
		fail_msg("\"%s\" instead of \"%s\"", buf_cstr(&s->text), want);
	reply_release(p);
	buf_release(&s->text);
}

/* Split in two at every place. */
static void expect_split(const char *bytes, size_t n, const char *want)
{
	for (size_t cut = 0; cut <= n; cut++) {
		struct reply_parser p;
		struct seen s;

		start(&p, &s);
		reply_feed(&p, (struct str){bytes, cut});
		reply_feed(&p, (struct str){bytes + cut, n - cut});
		assert_int_equal(reply_wait_ms(&p), -1);
		finish(&p, &s, want);
	}
}

static void test_answers(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_ANSWERS; i++)
		expect_split(answers[i].bytes, strlen(answers[i].bytes), answers[i].events);
}

static void test_keys(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_KEYS; i++)
		expect_split(keys[i].bytes, key_len(i), keys[i].events);
}

/* Keys typed before, between and after answers all arrive, and nothing else does. */
static void test_keys_between_answers(void **state)
{
	(void)state;
	for (size_t k = 0; k < N_KEYS; k++)
		for (size_t a = 0; a < N_ANSWERS; a++) {
			struct buf bytes = BUF_INIT, want = BUF_INIT;

			buf_put(&bytes, keys[k].bytes, key_len(k));
			buf_z(&bytes, answers[a].bytes);
			buf_put(&bytes, keys[k].bytes, key_len(k));
			buf_printf(&want, "%s %s%s%s", keys[k].events, answers[a].events,
				   answers[a].events[0] ? " " : "", keys[k].events);
			expect_split(bytes.p, bytes.n, buf_cstr(&want));
			buf_release(&bytes);
			buf_release(&want);
		}
}

static void timeouts(const char *before, bool expecting, int wait, const char *after,
		     const char *want)
{
	struct reply_parser p;
	struct seen s;

	start(&p, &s);
	p.expecting = expecting;
	reply_feed(&p, str_z(before));
	if (wait)
		assert_int_equal(reply_wait_ms(&p), wait);
	reply_timeout(&p);
	reply_feed(&p, str_z(after));
	reply_timeout(&p);
	finish(&p, &s, want);
}

static void test_timeouts(void **state)
{
	(void)state;
	timeouts("\033", false, 80, "j", "Esc j");
	timeouts("\033[", false, 80, "j", "Alt-[ j");
	timeouts("\033O", false, 80, "j", "Alt-O j");
	timeouts("\033P", false, 80, "j", "Alt-P j");
	timeouts("\033]", false, 80, "", "Alt-]");
	timeouts("j", false, -1, "", "j");
	timeouts("\033[1;", false, 1000, "j", "j");
	timeouts("\033P>|XT", false, 1000, "j", "j");
	timeouts("\033[200~abc", false, 1000, "j", "paste:abc j");
	timeouts("\xe6\x97", false, 1000, "j", "j");
	/* while answers are outstanding */
	timeouts("\033", true, 80, "j", "Esc j");
	timeouts("\033", true, 80, "[?62;4c", "Esc da1:62:4");
	timeouts("\033", true, 80, "[6;20;10t", "Esc cell:20:10");
	timeouts("\033", true, 80, "P>|XTerm(379)\033\\", "Esc name:XTerm(379)");
	timeouts("\033", true, 80, "[j", "Esc [ j");
	timeouts("\033", true, 80, "[", "Esc [");
	timeouts("\033", true, 80, "P", "Esc P");
	timeouts("\033", true, 80, "[1j", "Esc [ 1 j");
	timeouts("\033", true, 80, "\033[A", "Esc Up");
	timeouts("\033", true, 80, "j[?62;4c", "Esc j [ ? 6 2 ; 4 c");
	timeouts("\033[", true, 4000, "", "");
	timeouts("\033P>|XTe", true, 4000, "", "");
}

static void test_described_keys(void **state)
{
	static const struct key_bytes extra[] = {
	    {"\033[7$", 4, KEYC_HOME}, {"\033A", 2, KEYC_UP}, {"\033[A", 3, KEYC_DOWN},
	    {"\033[AA", 4, KEYC_F1},   {"\033OA", 3, KEYC_LEFT},
	};
	struct reply_parser p;
	struct seen s;

	(void)state;
	start(&p, &s);
	p.extra = extra;
	p.n_extra = 5;
	p.erase = 8;
	reply_feed(&p, STR("\033[7$j\033A\033OA\x08\x7f\033B\033[B"));
	finish(&p, &s, "Home j Up Left Backspace Backspace Alt-B Down");
}

/* A paste beyond the ceiling still ends, and what follows are keys. */
static void test_huge_strings(void **state)
{
	struct buf big = BUF_INIT;
	struct reply_parser p;
	struct seen s;

	(void)state;
	for (size_t i = 0; i < REPLY_PASTE_MAX + 100; i++)
		buf_ch(&big, 'x');
	start(&p, &s);
	reply_feed(&p, STR("\033[200~"));
	reply_feed(&p, buf_view(&big));
	reply_feed(&p, STR("\033[201~j"));
	assert_int_equal(s.keys, 2);
	assert_true(s.text.n <= REPLY_PASTE_MAX + 16);
	reply_feed(&p, STR("\033P>|"));
	reply_feed(&p, buf_view(&big));
	assert_int_equal(s.keys, 2);
	reply_feed(&p, STR("\033\\k\033["));
	reply_feed(&p, STR("0000000000000000000000000000000000000000000000000000000000000000000"
			   "00000000000000000000000000000000000000000000000000000000000000000"));
	reply_feed(&p, STR("Al"));
	assert_int_equal(reply_wait_ms(&p), -1);
	assert_int_equal(s.keys, 5); /* k, the arrow, l */
	reply_release(&p);
	buf_release(&s.text);
	buf_release(&big);
}

static void test_key_names(void **state)
{
	static const struct {
		const char *name;
		uint32_t key;
	} rows[] = {
	    {"j", 'j'}, {"J", 'J'}, {"Space", ' '}, {"Enter", KEYC_ENTER}, {"enter", KEYC_ENTER},
	    {"Ctrl-d", KEYC_CTRL | 'd'}, {"ctrl-D", KEYC_CTRL | 'd'}, {"PgDn", KEYC_PGDN},
	    {"F1", KEYC_F1}, {"F12", KEYC_F12}, {"F13", KEY_NONE_}, {"", KEY_NONE_},
	    {"jj", KEY_NONE_}, {"Ctrl-", KEY_NONE_}, {"\x1b", KEY_NONE_}, {"\xff", KEY_NONE_},
	    {"Alt-x", KEYC_ALT | 'x'}, {"Ctrl-Alt-x", KEYC_CTRL | KEYC_ALT | 'x'},
	    {"Alt-Ctrl-x", KEYC_CTRL | KEYC_ALT | 'x'}, {"Ctrl-i", KEYC_TAB},
	    {"Ctrl-m", KEYC_ENTER}, {"Ctrl-[", KEYC_ESC}, {"Ctrl-Up", KEYC_CTRL | KEYC_UP},
	    {"-", '-'}, {"Ctrl--", KEYC_CTRL | '-'}, {"\xc3\xa9", 0xe9}, {"Shift-Tab", KEYC_BACKTAB},
	    {"BackTab", KEYC_BACKTAB}, {"~", '~'}, {"Ctrl-Space", KEYC_CTRL | ' '},
	};
	static const uint32_t modifiers[] = {0, KEYC_CTRL, KEYC_ALT, KEYC_CTRL | KEYC_ALT};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (key_parse(str_z(rows[i].name)) != rows[i].key)
			fail_msg("%s: %x", rows[i].name, (unsigned)key_parse(str_z(rows[i].name)));
	for (int m = 0; m < 4; m++) {
		for (uint32_t k = KEYC_UP; k <= KEYC_FOCUS_OUT; k++) {
			char name[32];
			size_t n = key_text(k | modifiers[m], name);

			assert_int_equal(strlen(name), n);
			assert_null(strstr(name, "key-"));
			assert_int_equal(key_parse(str_z(name)), k | modifiers[m]);
		}
		for (uint32_t k = ' '; k < 0x250; k++) {
			bool other = modifiers[m] & KEYC_CTRL &&
				     (k == 'i' || k == 'm' || k == '[' || (k >= 'A' && k <= 'Z'));
			char name[32];

			if (other || (k >= 0x7f && k < 0xa0))
				continue;
			key_text(k | modifiers[m], name);
			assert_int_equal(key_parse(str_z(name)), k | modifiers[m]);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_answers),
	    cmocka_unit_test(test_keys),
	    cmocka_unit_test(test_keys_between_answers),
	    cmocka_unit_test(test_timeouts),
	    cmocka_unit_test(test_described_keys),
	    cmocka_unit_test(test_huge_strings),
	    cmocka_unit_test(test_key_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
