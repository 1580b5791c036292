#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/lib_screen.h"

#include <poll.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tests/unit/lib_project.h"
#include "tui/script.h"

static void open_app(struct screen *f)
{
	struct err err = ERR_INIT;

	if (app_open(&f->app, &f->cli, f->file, &err) != OK || app_open_term(&f->app, &err) != OK)
		fail_msg("%s", err.msg);
	app_draw(&f->app, app_clock());
}

int screen_set_up(void **state)
{
	struct screen *f = xcalloc(1, sizeof *f);

	f->folder = project_folder();
	f->file = project_file(f->folder, "t.qualm");
	f->cli = (struct cli){.headless = "98x30", .script = "-", .view = "browse"};
	project_make_tiny(f->file, 0);
	setenv("XDG_DATA_HOME", f->folder, 1);
	setenv("XDG_STATE_HOME", f->folder, 1);
	open_app(f);
	*state = f;
	return 0;
}

int screen_tear_down(void **state)
{
	struct screen *f = *state;

	app_close(&f->app);
	unsetenv("XDG_DATA_HOME");
	unsetenv("XDG_STATE_HOME");
	free(f->file);
	project_remove(f->folder);
	free(f);
	return 0;
}

void screen_step(struct screen *f, const char *line)
{
	struct err err = ERR_INIT;

	if (script_step(&f->app, str_z(line), &err) != OK)
		fail_msg("%s: %s", line, err.msg);
}

/* The text into the prompt that is open, a key a character. */
void screen_type(struct screen *f, const char *text)
{
	for (; *text; text++)
		app_key(&f->app, (unsigned char)*text);
	ask_filter_tick(&f->app, INT64_MAX);
	pool_settle(f->app.pool);
}

/* The prompt, empty, then the text. */
void screen_ask(struct screen *f, const char *text)
{
	screen_step(f, "i Ctrl-u");
	screen_type(f, text);
}

const char *screen_typed(struct screen *f)
{
	return buf_cstr(&f->app.prompt.text);
}

const char *screen_filter(struct screen *f)
{
	return f->app.scene.filter ? f->app.scene.filter : "";
}

/* The ordinals in the list, "0 2 4". */
static char *listed(struct screen *f)
{
	struct buf b = BUF_INIT;

	for (uint32_t i = 0; i < scene_shown(&f->app.scene); i++)
		buf_printf(&b, "%s%u", b.n ? " " : "", scene_at(&f->app.scene, i));
	return b.n ? buf_take(&b) : xstrdup("");
}

void screen_expect(struct screen *f, const char *want)
{
	char *got = listed(f);

	assert_string_equal(got, want);
	free(got);
}

bool screen_has(struct screen *f, const char *text)
{
	const struct cells *grid = &f->app.grid;
	bool found = false;

	app_draw(&f->app, app_clock());
	for (int y = 0; y < grid->h && !found; y++) {
		struct buf b = BUF_INIT;

		for (int x = 0; x < grid->w; x++) {
			const struct cell *c = cells_at(grid, y, x);

			if (c->width || !c->text[0])
				buf_z(&b, c->text[0] ? c->text : " ");
		}
		found = strstr(buf_cstr(&b), text) != NULL;
		buf_release(&b);
	}
	return found;
}

void screen_must_have(struct screen *f, const char *text)
{
	struct buf b = BUF_INIT;

	if (screen_has(f, text))
		return;
	cells_dump(&f->app.grid, &b);
	print_error("%.*s\n", (int)b.n, b.p);
	buf_release(&b);
	fail_msg("the screen does not have: %s", text);
}

void screen_turn(struct screen *f, int ms)
{
	struct pollfd fd = {pool_fd(f->app.pool), POLLIN, 0};

	poll(&fd, 1, ms);
	pool_reap(f->app.pool);
	grow_tick(&f->app, app_clock());
	app_draw(&f->app, app_clock());
}
