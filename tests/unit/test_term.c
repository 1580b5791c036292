/* What is drawn on which terminal, themes, colours, the bytes of pictures, the null backend. */
#include <errno.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "tui/term/backend.h"
#include "tui/term/colors.h"

static void on_event(void *user, const struct event *e)
{
	caps_reply(user, e);
}

/* The terminals of the table: what they answered to the questions, in the order they did. */
#define XTERM "\033P>|XTerm(379)\033\\"
static const struct {
	const char *name, *term, *tmux, *answers;
	enum graphics graphics;
	const char *why; /* a part of it */
	int cell_w, cell_h, max;
	bool passthrough, first_background;
} terminals[] = {
    {"xterm vt340", "xterm-256color", NULL,
     XTERM "\033[6;20;10t\033[?1;0;1024S\033[?2;0;1000;1000S\033[?63;1;2;4;6;9;15;16;22;28c",
     GRAPHICS_SIXEL, "says that it shows sixel", 10, 20, 1000, false, false},
    {"xterm vt420", "xterm-256color", NULL, XTERM "\033[?64;1;2;6;9;15;16;17;18;21;22;28c",
     GRAPHICS_BLOCKS, "-ti vt340", 9, 18, 1000, false, false},
    {"mlterm", "xterm-256color", NULL,
     "\033[6;19;10t\033[?1;0;1024S\033[?1;3;0S\033[?63;1;2;3;4;6;7;15;18;22;29c", GRAPHICS_SIXEL,
     "says that it shows sixel", 10, 19, 1000, false, false},
    {"foot", "foot", NULL,
     "\033P>|foot(1.13.1)\033\\\033[6;18;9t\033[?1;0;1024S\033[?2;0;10000;10000S"
     "\033[?2026;2$y\033[?62;4;22c",
     GRAPHICS_SIXEL, "says that it shows sixel", 9, 18, 4096, false, false},
    {"Konsole", "xterm-256color", NULL,
     "\033P>|Konsole 22.12.3\033\\\033[6;17;8t\033[?1;0;256S\033[?2;0;16384;16384S\033[?62;1;4c",
     GRAPHICS_SIXEL, "says that it shows sixel", 8, 17, 4096, false, false},
    {"xterm.js", "xterm-256color", NULL,
     "\033[6;19;10t\033[?1;0;256S\033[?2;0;4096;4096S\033[?62;4;9;22c", GRAPHICS_SIXEL,
     "says that it shows sixel", 10, 19, 4096, false, false},
    {"Ghostty", "xterm-ghostty", NULL, "\033P>|ghostty 1.0\033\\\033[?62;22c", GRAPHICS_BLOCKS,
     "does not show sixel", 9, 18, 1000, false, false},
    {"class 4 is no sixel", "vt132", NULL, "\033[?4;6c", GRAPHICS_BLOCKS, "does not show sixel", 9,
     18, 1000, false, false},
    {"screen", "screen.xterm-256color", NULL, "\033[?1;2c", GRAPHICS_BLOCKS, "GNU screen", 9, 18,
     1000, false, false},
    {"mute", "xterm-256color", NULL, "", GRAPHICS_BLOCKS, "not said yet", 9, 18, 1000, false, false},
    {"linux", "linux", NULL, "", GRAPHICS_BLOCKS, "Linux console", 9, 18, 1000, false, false},
    {"dumb", "dumb", NULL, "", GRAPHICS_NONE, "can do nothing", 9, 18, 1000, false, false},
    {"no TERM", NULL, NULL, "", GRAPHICS_BLOCKS, "can do nothing", 9, 18, 1000, false, false},
    {"tmux 3.3a", "tmux-256color", "t", "\033P>|tmux 3.3a\033\\\033[?1;2c", GRAPHICS_BLOCKS,
     "allow-passthrough on", 9, 18, 1000, false, false},
    {"tmux 3.3a, passthrough", "tmux-256color", "t",
     "\033P>|tmux 3.3a\033\\\033[?1;2c\033[?63;1;2;4;6c", GRAPHICS_SIXEL, "through tmux", 9, 18,
     1000, true, false},
    {"tmux 3.3a, passthrough to Alacritty", "screen-256color", "t",
     "\033P>|tmux 3.3a\033\\\033[?1;2c\033[?6c", GRAPHICS_BLOCKS, "around tmux does not show", 9,
     18, 1000, false, false},
    {"tmux 3.4 sixel", "tmux-256color", "t", "\033P>|tmux 3.4\033\\\033[6;20;10t\033[?1;2;4c",
     GRAPHICS_SIXEL, "takes sixel", 10, 20, 1000, false, true},
    {"tmux 3.5a sixel", "tmux-256color", "t", "\033P>|tmux 3.5a\033\\\033[6;20;10t\033[?1;2;4c",
     GRAPHICS_SIXEL, "takes sixel", 10, 20, 1000, false, true},
    {"tmux 3.6b sixel", "tmux-256color", "t", "\033P>|tmux 3.6b\033\\\033[6;20;10t\033[?1;2;4c",
     GRAPHICS_SIXEL, "takes sixel", 10, 20, 1000, false, false},
    {"tmux 3.6b sixel, in kitty", "tmux-256color", "t",
     "\033P>|tmux 3.6b\033\\\033[?1;2;4c\033[?62;22c", GRAPHICS_BLOCKS, "around it does not", 9, 18,
     1000, false, false},
    {"tmux 3.7c sixel", "tmux-256color", "t",
     "\033P>|tmux 3.7c\033\\\033[6;20;10t\033[?2026;2$y\033[?1;2;4c", GRAPHICS_SIXEL,
     "takes sixel", 10, 20, 1000, false, false},
    {"tmux 3.7c without, passthrough", "tmux-256color", "t",
     "\033P>|tmux 3.7c\033\\\033[?1;2c\033[?63;1;2;4;6c", GRAPHICS_BLOCKS, "--enable-sixel", 9, 18,
     1000, false, false},
    {"xterm started inside tmux", "xterm-256color", "t", XTERM "\033[?63;1;2;4;6;9c",
     GRAPHICS_SIXEL, "says that it shows sixel", 9, 18, 1000, false, false},
    {"lies", "xterm-256color", NULL,
     "\033[6;0;0t\033[6;;t\033[?2;0;;S\033[?2;0;0;0S\033[?1;0;;S\033[?2026;7$y\033[?c\033[?;;;c",
     GRAPHICS_BLOCKS, "does not show sixel", 9, 18, 1000, false, false},
};

static struct caps_env usual(const char *term)
{
	return (struct caps_env){.term = term, .unicode = true, .colors = 256, .cols = 80,
				 .rows = 24, .px_w = 80 * 9 + 5, .px_h = 24 * 18 + 3};
}

static void answered(struct replies *r, const char *answers)
{
	struct reply_parser p;

	reply_init(&p, on_event, r);
	reply_feed(&p, str_z(answers));
	reply_release(&p);
}

static void test_terminals(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof terminals / sizeof *terminals; i++) {
		struct caps_env env = usual(terminals[i].term);
		struct replies r = {.outer_asked = terminals[i].tmux != NULL};
		struct term_caps c;

		env.tmux = terminals[i].tmux;
		answered(&r, terminals[i].answers);
		caps_decide(&env, &r, &c);
		if (c.graphics != terminals[i].graphics || !strstr(c.why, terminals[i].why) ||
		    c.cell_w != terminals[i].cell_w || c.cell_h != terminals[i].cell_h ||
		    c.max_w != terminals[i].max || c.max_h != terminals[i].max ||
		    caps_passthrough(&env, &r) != terminals[i].passthrough ||
		    c.tmux_first_background != terminals[i].first_background)
			fail_msg("%s: graphics %d, \"%s\", cell %dx%d, max %d", terminals[i].name,
				 (int)c.graphics, c.why, c.cell_w, c.cell_h, c.max_w);
		assert_int_equal(c.konsole, strcmp(terminals[i].name, "Konsole") == 0);
		assert_int_equal(c.sync, strstr(terminals[i].answers, "2026;2") != NULL);
	}
}

/* What lies under a picture is the terminal's background where it says it. */
static void test_background(void **state)
{
	struct caps_env env = usual("xterm-256color");
	struct replies r = {0};
	struct term_caps c;

	(void)state;
	env.background = (struct media_rgb){1, 2, 3};
	caps_decide(&env, &r, &c);
	assert_int_equal(c.background.b, 3);
	answered(&r, "\033]11;rgb:ffff/fafa/e6e6\033\\");
	caps_decide(&env, &r, &c);
	assert_int_equal(c.background.r, 255);
	assert_int_equal(c.background.g, 250);
	assert_int_equal(c.background.b, 230);
	assert_true(caps_light(c.background));
	assert_false(caps_light((struct media_rgb){0, 43, 54}));
	assert_false(caps_light((struct media_rgb){0, 0, 255}));
}

static void test_overrides(void **state)
{
	static const struct {
		const char *graphics;
		bool unicode, mono;
		int colors;
		enum graphics want;
	} rows[] = {
	    {"sixel", true, false, 256, GRAPHICS_SIXEL},
	    {"blocks", true, false, 256, GRAPHICS_BLOCKS},
	    {"blocks", false, false, 256, GRAPHICS_ASCII},
	    {"ascii", true, false, 256, GRAPHICS_ASCII},
	    {"none", true, false, 256, GRAPHICS_NONE},
	    {"auto", true, false, 256, GRAPHICS_BLOCKS},
	    {"nonsense", true, false, 256, GRAPHICS_BLOCKS},
	    {NULL, true, false, 16, GRAPHICS_BLOCKS},
	    {NULL, true, false, 8, GRAPHICS_ASCII},
	    {NULL, true, true, 256, GRAPHICS_ASCII},
	    {NULL, false, false, 256, GRAPHICS_ASCII},
	};
	struct replies none = {0};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct caps_env env = usual("xterm");
		struct term_caps c;

		env.graphics = rows[i].graphics;
		env.unicode = rows[i].unicode;
		env.mono = rows[i].mono;
		env.colors = rows[i].colors;
		env.cell = "7x15";
		caps_decide(&env, &none, &c);
		assert_int_equal(c.graphics, rows[i].want);
		assert_int_equal(c.cell_w, 7);
		assert_int_equal(c.cell_h, 15);
	}
}

static void test_cell_words(void **state)
{
	static const struct {
		const char *in;
		bool ok;
	} rows[] = {{"10x20", true}, {"8X16", true}, {"x20", false}, {"10x", false}, {"10", false},
		    {"0x0", false}, {"10x20x", false}, {"10x-20", false}, {"9999x20", false},
		    {" 10x20", false}, {"", false}, {NULL, false}};
	int w, h;

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_int_equal(caps_parse_cell(rows[i].in, &w, &h), rows[i].ok);
}

/* --- themes --- */

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void test_built_in_themes(void **state)
{
	struct err err = ERR_INIT;
	struct theme t;
	int n = 0;

	(void)state;
	for (const struct theme_source *s = theme_sources; s->name; s++, n++) {
		assert_int_equal(theme_load(s->name, &t, &err), OK);
		assert_string_equal(t.name, s->name);
		assert_int_equal(t.mono, strcmp(s->name, "mono") == 0);
		for (int i = 0; strcmp(s->name, "ansi") == 0 && i < N_STYLES; i++)
			assert_true(t.style[i].fg < 16 && t.style[i].bg < 16);
		if (!t.mono) /* right and wrong can be told apart, and by more than red and green */
			assert_true(t.style[STYLE_RIGHT].fg != t.style[STYLE_WRONG].fg);
		assert_true(memcmp(&t.style[STYLE_CURSOR], &t.style[STYLE_NORMAL],
				   sizeof t.style[0]) != 0);
	}
	assert_true(n >= 4);
	unsetenv("NO_COLOR");
	assert_int_equal(theme_load(NULL, &t, &err), OK);
	assert_string_equal(t.name, "dark");
	setenv("NO_COLOR", "1", 1);
	assert_int_equal(theme_load(NULL, &t, &err), OK);
	assert_string_equal(t.name, "mono");
	unsetenv("NO_COLOR");
	assert_int_equal(theme_load("light", &t, &err), OK);
	assert_int_equal(t.background.r, 255);
}

static void test_theme_errors(void **state)
{
	static const struct {
		const char *text, *why;
	} rows[] = {
	    {"normal = - -\nwrong = 256 -\n", "line 2: a colour is 0 to 255"},
	    {"wrong = 1\n", "line 1: a colour is"},
	    {"wrong = 1 red\n", "not \"red\""},
	    {"wrong = -1 -\n", "not \"-1\""},
	    {"\n# c\nwrong = 1 - blink\n", "line 3: \"blink\" is not one of"},
	    {"nowhere = 1 -\n", "there is no role \"nowhere\""},
	    {"[section]\nwrong = 1 -\n", "line 2: a theme has no sections"},
	    {"background = fff\n", "line 1: background is six"},
	    {"background = 00000g\n", "background is six"},
	    {"background = 0x0000\n", "background is six"},
	    {"just words\n", "line 1: expected"},
	    {"bad line\nwrong = x y\n", "line 1: expected"},
	    {"right = 1 -\nbad\n", "line 2: expected"},
	};
	char path[] = "/tmp/qualm-theme-XXXXXX";
	int fd = mkstemp(path);
	struct err err = ERR_INIT;
	struct theme t;

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		write_file(path, rows[i].text);
		assert_int_equal(theme_load(path, &t, &err), E_FORMAT);
		if (!strstr(err.msg, rows[i].why))
			fail_msg("%s", err.msg);
	}
	write_file(path, "normal = 7 0\nwrong =  208   -  bold  underline\nbackground=0A1b2C");
	assert_int_equal(theme_load(path, &t, &err), OK);
	assert_int_equal(t.style[STYLE_WRONG].fg, 208);
	assert_int_equal(t.style[STYLE_WRONG].bg, -1);
	assert_int_equal(t.style[STYLE_WRONG].attr, ATTR_BOLD | ATTR_UNDERLINE);
	assert_int_equal(t.style[STYLE_DIM].fg, 7); /* left out: as normal */
	assert_int_equal(t.background.b, 0x2c);
	assert_false(t.mono);
	unlink(path);
	assert_int_equal(theme_load(path, &t, &err), E_IO);
	assert_int_equal(theme_load("sepia", &t, &err), E_NOT_FOUND);
	assert_non_null(strstr(err.msg, "dark"));
	assert_int_equal(theme_load("/dev/zero", &t, &err), E_LIMIT);
	assert_int_equal(theme_load("/", &t, &err), E_IO);
}

static void test_colors(void **state)
{
	(void)state;
	for (int i = 16; i < 256; i++) { /* the cube and the greys find themselves, or a twin */
		struct media_rgb c = color_of_palette(i), d = color_of_palette(color_nearest_256(c));

		assert_memory_equal(&c, &d, sizeof c);
	}
	for (int i = 0; i < 16; i++)
		assert_int_equal(color_nearest_of(color_of_palette(i), 16), i);
	assert_int_equal(color_nearest_256((struct media_rgb){255, 130, 3}), 208);
	assert_int_equal(color_nearest_256((struct media_rgb){3, 2, 1}), 16);
	assert_int_equal(color_for(-1, 8), -1);
	assert_int_equal(color_for(208, 256), 208);
	assert_int_equal(color_for(7, 8), 7);
	assert_int_equal(color_for(8, 8), 7); /* grey is not black */
	assert_int_equal(color_for(12, 8), 6);
	assert_true(color_for(208, 8) < 8 && color_for(208, 16) < 16);
	assert_true(color_for(208, 16) != color_for(75, 16)); /* wrong and right */
	assert_true(color_for(208, 8) != color_for(75, 8));
	assert_int_equal(color_for(208, 1 << 24), 0xff8700);
	assert_int_equal(color_for(3, 1 << 24), 3);
	assert_int_equal(color_for_rgb((struct media_rgb){1, 2, 3}, 1 << 24), 0x010203);
}

/* --- pictures --- */

static void test_picture_size(void **state)
{
	static const struct {
		const char *in;
		bool ok;
	} rows[] = {
	    {"\033P0;0;0q\"1;1;640;480#0", true}, {"\033Pq\"1;1;640;480", true}, {"\033Pq#0;2", false},
	    {"\033Pq\"1;1;640", false}, {"\033Pq\"1;1;0;480#", false}, {"hello", false},
	    {"", false}, {"\033Pq\"1;1;99999999999;5#", false},
	};
	int w = 0, h = 0;

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_int_equal(picture_size(str_z(rows[i].in), &w, &h), rows[i].ok);
	assert_true(picture_size(str_z(rows[0].in), &w, &h));
	assert_int_equal(w, 640);
	assert_int_equal(h, 480);
}

static void test_picture_fits(void **state)
{
	struct term_caps caps = {.cell_w = 10, .cell_h = 20, .max_w = 300, .max_h = 300};
	static const struct {
		struct rect rect;
		const char *sixel;
		bool ok;
	} rows[] = {
	    {{1, 0, 10, 20}, "\033Pq\"1;1;200;198#", true},
	    {{13, 0, 10, 20}, "\033Pq\"1;1;200;198#", true},
	    {{14, 0, 10, 20}, "\033Pq\"1;1;200;198#", false}, /* on the last row */
	    {{1, 0, 10, 20}, "\033Pq\"1;1;200;200#", false},  /* 34 bands are 204 pixels */
	    {{1, 0, 10, 20}, "\033Pq\"1;1;201;198#", false},
	    {{1, 0, 20, 40}, "\033Pq\"1;1;301;198#", false}, /* not shown at all */
	    {{1, 61, 10, 20}, "\033Pq\"1;1;200;198#", false},
	    {{-1, 0, 10, 20}, "\033Pq\"1;1;200;198#", false},
	    {{1, 0, 0, 20}, "\033Pq\"1;1;200;198#", false},
	    {{1, 0, 10, 20}, "no sixel", false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct placed_picture p = {.id = 1, .rect = rows[i].rect, .sixel = str_z(rows[i].sixel)};

		if (picture_fits(&caps, 24, 80, &p) != rows[i].ok)
			fail_msg("row %zu", i);
	}
}

static void test_picture_bytes(void **state)
{
	struct placed_picture p = {.id = 1, .rect = {2, 4, 1, 1}, .sixel = STR("\033Pq\"1;1;6;6#0~\033\\")};
	struct buf b = BUF_INIT;

	(void)state;
	picture_place(&p, false, &b);
	picture_bytes(&p, false, 0, 0, &b);
	assert_string_equal(buf_cstr(&b), "\033[3;5H\033Pq\"1;1;6;6#0~\033\\\033[6n\033[1;1H");
	buf_clear(&b);
	picture_place(&p, true, &b);
	picture_bytes(&p, true, 9, 8, &b);
	assert_string_equal(buf_cstr(&b),
			    "\033[3;5H\033[?25h\033[6n\033Ptmux;\033\033Pq\"1;1;6;6#0~\033\033\\\033\\"
			    "\033[?25l\033Ptmux;\033\033[c\033\\\033[10;9H");
	buf_release(&b);
}

static void test_null_backend(void **state)
{
	struct theme theme;
	struct err err = ERR_INIT;
	struct cells g = {0};
	struct placed_picture p = {.id = 7, .rect = {1, 1, 2, 3}, .sixel = STR("\033Pq\"1;1;30;36#0~\033\\")}, shown;
	struct term *t;
	bool changed = true;
	int h, w;

	(void)state;
	setenv("QUALM_GRAPHICS", "sixel", 1);
	assert_int_equal(theme_load("dark", &theme, &err), OK);
	t = term_open_null(5, 9, &theme);
	unsetenv("QUALM_GRAPHICS");
	term_size(t, &h, &w);
	assert_int_equal(h * 100 + w, 509);
	assert_int_equal(term_fd(t), -1);
	assert_int_equal(term_timeout(t), -1);
	assert_int_equal(term_input(t, &changed, &err), OK);
	assert_false(changed);
	assert_int_equal(term_key(t), KEY_NONE_);
	assert_int_equal(term_caps(t)->graphics, GRAPHICS_SIXEL);
	cells_resize(&g, 5, 9);
	cells_putz(&g, 0, 0, 9, STYLE_BOLD, "hello");
	term_show(t, &g, &p);
	assert_string_equal(cells_at(term_shown(t, &shown), 0, 4)->text, "o");
	assert_int_equal(shown.id, 7);
	cells_putz(&g, 1, 1, 1, STYLE_NORMAL, "x"); /* something is drawn over it */
	term_show(t, &g, &p);
	term_shown(t, &shown);
	assert_int_equal(shown.id, 0);
	term_resized(t);
	assert_int_equal(term_key(t), KEYC_RESIZE);
	term_copy(t, STR("x"));
	term_close(t);
	term_close(NULL);
	cells_release(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_terminals),     cmocka_unit_test(test_background),
	    cmocka_unit_test(test_overrides),
	    cmocka_unit_test(test_cell_words),    cmocka_unit_test(test_built_in_themes),
	    cmocka_unit_test(test_theme_errors),  cmocka_unit_test(test_colors),
	    cmocka_unit_test(test_picture_size),  cmocka_unit_test(test_picture_fits),
	    cmocka_unit_test(test_picture_bytes), cmocka_unit_test(test_null_backend),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
