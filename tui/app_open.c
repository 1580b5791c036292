#include <stdlib.h>
#include <unistd.h>

#include "core/base/path.h"
#include "core/base/xmalloc.h"
#include "core/report/intervals.h"
#include "core/text/input.h"
#include "db/column.h"
#include "db/fetch.h"
#include "tui/app.h"
#include "tui/choice.h"
#include "tui/column_choice.h"
#include "tui/export_screen.h"
#include "tui/import_screen.h"
#include "tui/labels_screen.h"
#include "tui/cli.h"
#include "tui/loop.h"
#include "tui/place.h"
#include "tui/script.h"

#define KEYS_FILE_MAX ((size_t)1 << 20)
#define REST_MS       3000

/* A long search or two, and two models that are asked, leave some for pictures and counts. */
#define WORKERS 7

/* --- keys --- */

/* Not there, or not readable: then there are only the default keys. */
static bool read_keys(const char *file, struct buf *out)
{
	struct input in;
	struct err err = ERR_INIT;
	bool good;

	if (input_open(&in, file, &err) != OK)
		return false;
	good = input_all(&in, KEYS_FILE_MAX, out, &err) == OK;
	input_close(&in);
	return good;
}

static void load_keys(struct app *app)
{
	char *dir = path_xdg(PATH_CONFIG), *file = dir ? path_join(dir, STR("keys")) : NULL;
	struct buf text = BUF_INIT, problems = BUF_INIT;
	struct str first;

	keymap_load(&app->keys, default_keys, "default.keys", false, &problems);
	if (file && read_keys(file, &text)) {
		keymap_load(&app->keys, buf_cstr(&text), file, true, &problems);
		keymap_check(&app->keys, &problems);
	}
	if (problems.n) {
		str_cut(buf_view(&problems), '\n', &first);
		app_message(app, STYLE_WARNING, "%.*s", STR_ARG(first));
	}
	buf_release(&text);
	buf_release(&problems);
	free(file);
	free(dir);
}

/* --- where to begin --- */

/* "more than one run begins like ...: a, b", as many as there is room for. */
static enum status several_runs(const struct snapshot *snap, const char *who, struct err *err)
{
	struct buf names = BUF_INIT;

	for (uint32_t i = 0; i < snap->n_runs && names.n < 400; i++)
		if (str_starts(str_z(snap->runs[i].handle), str_z(who)))
			buf_printf(&names, "%s%s", names.n ? ", " : "", snap->runs[i].handle);
	err_set(err, E_USAGE, "more than one run begins like \"%s\": %s", who, buf_cstr(&names));
	buf_release(&names);
	return err->code;
}

static enum status choose_run(struct app *app, const char *who, int *out, struct err *err)
{
	int r;

	if (!who)
		return OK;
	r = app->scene.snap ? snapshot_run(app->scene.snap, str_z(who)) : -1;
	if (r == -2)
		return several_runs(app->scene.snap, who, err);
	if (r < 0)
		return err_set(err, E_USAGE, "there is no run \"%s\"", who);
	*out = r;
	return OK;
}

enum status app_load(struct app *app, const char *dataset, struct err *err)
{
	const struct snapshot_part part = grow_first(app);
	struct snapshot *snap;
	enum status st = snapshot_load_part(app->conn, dataset, &part, &snap, err);

	if (st == OK)
		app_take(app, snap);
	return st;
}

void app_take(struct app *app, struct snapshot *snap)
{
	rows_free(app->rows);
	app->rows = rows_new(app->conn, snap->dataset_id, snap->n);
	picks_clear(app);
	narrow_drop(app);
	find_forget(app);
	shelf_drop(app);
	edit_release(app);
	scene_take(&app->scene, snap);
	choice_load(app);
	column_choice_load(app);
	edit_load(app);
	grow_begin(app);
	app->reactions |= REACT_RELOAD | REACT_RELENS | REACT_RERUN;
	app->dirty = true;
}

/* --at names a sample of the chosen dataset or, when none was chosen, of any. */
static enum status go_at(struct app *app, const struct dataset_name *names, size_t n,
			 struct err *err)
{
	const char *at = app->cli->at;
	struct err none = ERR_INIT;
	uint32_t ord;

	if (app->scene.snap && fetch_ordinal(app->conn, app->scene.snap->dataset_id, str_z(at), &ord,
					     &none) == OK) {
		app_go(app, ord);
		return OK;
	}
	for (size_t i = 0; i < n && !app->cli->dataset; i++)
		if (fetch_ordinal(app->conn, names[i].id, str_z(at), &ord, &none) == OK) {
			enum status st = app_load(app, names[i].name, err);

			if (st == OK)
				app_go(app, ord);
			return st;
		}
	return err_set(err, E_USAGE, "there is no sample \"%s\"", at);
}

static void go_where_one_was(struct app *app, const char *key)
{
	struct err err = ERR_INIT;
	uint32_t ord;

	if (app->scene.snap && key &&
	    fetch_ordinal(app->conn, app->scene.snap->dataset_id, str_z(key), &ord, &err) == OK)
		app_go(app, ord);
}

static bool is_there(const struct dataset_name *names, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (name && strcmp(names[i].name, name) == 0)
			return true;
	return false;
}

static enum status first_dataset(struct app *app, struct arena *arena, struct err *err)
{
	const char *wanted = app->cli->dataset;
	struct dataset_name *names = NULL;
	char *dataset = NULL, *key = NULL;
	size_t n = 0;
	enum status st = fetch_datasets(app->conn, &names, &n, arena, err);

	if (st != OK)
		return st;
	app->grow.n_datasets = n;
	if (!app->headless) /* a script begins at the same place every time */
		place_load(conn_uuid(app->conn), wanted, &dataset, &key);
	app->been_here = dataset && is_there(names, n, dataset);
	if (!wanted && is_there(names, n, dataset))
		wanted = dataset;
	if (wanted || n)
		st = app_load(app, wanted ? wanted : names[0].name, err);
	if (st == OK && app->cli->at)
		st = go_at(app, names, n, err);
	else if (st == OK)
		go_where_one_was(app, key);
	if (st == OK && n > 1 && app->been_here && !app->cli->dataset && !app->message.n)
		app_message(app, STYLE_MESSAGE, "%zu datasets here: gd goes to the next", n);
	free(dataset);
	free(key);
	return st;
}

void app_return_filter(struct app *app)
{
	struct narrow_place place;
	struct err err = ERR_INIT;

	if (app->headless || !app->scene.snap ||
	    !place_load_filter(conn_uuid(app->conn), app->scene.snap->dataset, &place))
		return;
	if (narrow_return(app, &place, &err) != OK)
		app_message(app, STYLE_WARNING, "the last filter does not apply any more: %s", err.msg);
	narrow_place_release(&place);
}

/* The command line's, or the one of last time; a sample that was asked for is to be seen. */
static enum status first_filter(struct app *app, struct err *err)
{
	const struct cli *cli = app->cli;
	uint32_t at = app->scene.current;

	if (!cli->filter && !cli->at)
		app_return_filter(app);
	if (!cli->filter)
		return OK;
	if (narrow_set(app, str_z(cli->filter), NULL, err) != OK)
		return cli_filter_hint(cli, err);
	if (cli->at && scene_place(&app->scene, at) == SCENE_NOWHERE)
		app_message(app, STYLE_WARNING, "the filter does not show %s", cli->at);
	return OK;
}

static enum status choose(struct app *app, struct err *err)
{
	const struct cli *cli = app->cli;
	struct scene *s = &app->scene;

	if (choose_run(app, cli->run, &s->a, err) != OK ||
	    choose_run(app, cli->against, &s->b, err) != OK)
		return err->code;
	if (cli->run)
		s->run = s->a;
	if (cli->run && !cli->against && s->b == s->a)
		s->b = s->a > 0 ? s->a - 1 : s->snap->n_runs > 1 ? s->a + 1 : -1;
	if (cli->lens && s->snap &&
	    lens_parse(&s->lens, s->snap, str_z(cli->lens), err) != OK)
		return err->code;
	choice_resort(app);
	return app->scene.snap || cli->filter ? first_filter(app, err) : OK;
}

static const struct view_class *last_view(const struct app *app)
{
	char *name = place_view(conn_uuid(app->conn));
	const struct view_class *class = name ? view_class_find(str_z(name)) : NULL;

	free(name);
	return class && class->digit ? class : &browse_view;
}

static enum status open_view(struct app *app, struct err *err)
{
	const char *name = app->cli->view;
	const struct view_class *class = name ? view_class_find(str_z(name)) : NULL;

	/* Home greets once; whoever comes again goes on where they were. */
	if (!name && !app->cli->at && app->been_here)
		class = last_view(app);
	else if (!name)
		class = app->cli->at ? &browse_view : view_classes[0];
	if (!class || !class->digit)
		return err_set(err, E_USAGE, "there is no view \"%s\"", name);
	app_push(app, class);
	return OK;
}

/* --- opening and closing --- */

/* Headless screens show no pixels, and a test leaves nothing behind. */
static struct media_cache *open_cache(const struct cli *cli)
{
	char *dir = cli->cache_dir ? xstrdup(cli->cache_dir) : path_xdg(PATH_CACHE), *sub = NULL;
	struct media_cache *c = NULL;

	if (dir && !cli->headless) {
		sub = path_join(dir, STR("pictures"));
		c = media_cache_open(sub, CACHE_MAX_BYTES);
	}
	free(sub);
	free(dir);
	return c;
}

/* The top line says it as long as it lasts. */
static void say_read_only(struct app *app)
{
	app->scene.read_only = conn_read_only(app->conn);
	if (conn_no_locks(app->conn))
		app_message(app, STYLE_WARNING, "no locks on this file system: read-only, and an import "
						"by another program may disturb");
	else if (app->scene.read_only)
		app_message(app, STYLE_MESSAGE, "the project is read-only: notes, tags and marks are kept "
						"in a file of your own");
}

/* What is said for this session alone wins over the configuration. */
static void take_environment(struct app *app)
{
	static const struct {
		const char *name;
		enum option_id id;
	} names[] = {{"QUALM_GRAPHICS", OPTION_PICTURES}, {"QUALM_CELL", OPTION_CELL}};
	struct err ignored = ERR_INIT;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *value = getenv(names[i].name);

		if (value)
			option_set(&app->options, names[i].id, str_z(value), &ignored);
	}
}

enum status app_open(struct app *app, const struct cli *cli, const char *project, struct err *err)
{
	struct arena arena = ARENA_INIT;
	enum status st;

	*app = (struct app){.cli = cli, .headless = cli->headless != NULL, .dirty = true};
	app->scene.a = app->scene.b = app->scene.run = -1;
	app->scene.anchor = -1;
	app->grow.watch.fd = -1;
	mem_give_back();
	load_keys(app);
	if (cli->options)
		option_values_copy(cli->options, &app->options);
	take_environment(app);
	st = cli->theme ? option_set(&app->options, OPTION_THEME, str_z(cli->theme), err) : OK;
	if (st == OK)
		st = theme_load(option_unless_auto(&app->options, OPTION_THEME), &app->theme, err);
	if (st == OK)
		st = conn_open(&app->conn, project, cli->begin ? CONN_CREATE : CONN_WRITE, err);
	app->sieve = sieve_new(project);
	app->intervals_known = intervals_known_new();
	if (st == OK && !(app->pool = pool_new(WORKERS, err)))
		st = err->code;
	if (st == OK)
		say_read_only(app);
	if (st == OK)
		st = first_dataset(app, &arena, err);
	if (st == OK)
		st = choose(app, err);
	if (st == OK)
		st = open_view(app, err);
	if (st == OK) {
		app->decoder = cli->self ? decoder_new(cli->self) : NULL;
		app->cache = open_cache(cli);
		app->pictures = pictures_new(app->pool);
		app->sheet = sheet_new(app->pool);
		grow_start(app);
	}
	arena_release(&arena);
	return st;
}

static enum status parse_size(const char *text, int *h, int *w, struct err *err)
{
	struct str width, height = str_cut(str_z(text), 'x', &width);
	int64_t hh, ww;

	if (!str_int(width, &ww) || !str_int(height, &hh) || hh < 1 || ww < 1 || hh > 1000 ||
	    ww > 1000)
		return err_set(err, E_USAGE, "--headless takes columns and rows, 80x24; not \"%s\"",
			       text);
	*h = (int)hh;
	*w = (int)ww;
	return OK;
}

enum status app_open_term(struct app *app, struct err *err)
{
	int h = 0, w = 0;

	if (app->headless) {
		if (parse_size(app->cli->headless, &h, &w, err) != OK)
			return err->code;
		if (!app->cli->script)
			return err_set(err, E_USAGE, "--headless needs --script FILE: there is no "
						     "keyboard to wait for");
		app->term = term_open_null(h, w, &app->theme);
		pictures_hurry(app->pictures);
	} else {
		app->term = term_open(&app->theme, err);
		if (!app->term)
			return err->code;
	}
	conn_set_wait(app->conn, app_waiting, app);
	app_resize(app);
	for (int i = 0; i < N_OPTIONS && err->code == OK; i++)
		if (app->options.value[i] && i != OPTION_THEME)
			app_use_option(app, (enum option_id)i, err);
	return err->code;
}

/* The one with a digit: what is opened on it comes again by a key. */
static const struct view_class *view_to_keep(const struct app *app)
{
	const struct view *v = app->top;

	while (v && v->below && !v->class->digit)
		v = v->below;
	return v && v->class->digit ? v->class : &browse_view;
}

void app_keep_place(struct app *app)
{
	const struct sample_row *row;
	struct narrow_place place;

	if (app->headless || !app->scene.snap)
		return;
	app->rests_on = app->scene.current;
	app->rests_in = view_to_keep(app);
	app->rests_since = 0;
	place_save_view(conn_uuid(app->conn), app->rests_in->name);
	conn_hurry(app->conn, true); /* a place is worth no waiting */
	row = rows_get(app->rows, app->scene.current);
	conn_hurry(app->conn, false);
	if (!row)
		return;
	narrow_mark(app, &place);
	place_save_filter(conn_uuid(app->conn), app->scene.snap->dataset, row->key, &place);
	narrow_place_release(&place);
}

int app_rest(struct app *app, int64_t now)
{
	if (app->headless || !app->scene.snap)
		return -1;
	if (app->rests_on != app->scene.current || app->rests_in != view_to_keep(app)) {
		app->rests_on = app->scene.current;
		app->rests_in = view_to_keep(app);
		app->rests_since = now;
	}
	if (!app->rests_since)
		return -1;
	if (now - app->rests_since < REST_MS)
		return (int)(app->rests_since + REST_MS - now);
	app_keep_place(app);
	return -1;
}

void app_close(struct app *app)
{
	term_close(app->term);
	if (app->term)
		app_keep_place(app);
	if (app->conn)
		choice_settle(app);
	asking_release(app);
	while (app->top) {
		struct view *v = app->top;

		app->top = v->below;
		v->class->close(v);
	}
	sheet_free(app->sheet);
	pool_free(app->pool);
	matrix_look_release(&app->matrix);
	app->pool = NULL; /* nobody cancels or asks any more */
	export_release(app);
	import_release(app);
	labels_release(app);
	grow_release(app);
	pictures_free(app->pictures);
	decoder_free(app->decoder);
	media_cache_free(app->cache);
	shelf_release(app);
	picks_release(&app->picks);
	narrow_drop(app);
	find_release(app);
	sieve_free(app->sieve);
	intervals_known_free(app->intervals_known);
	rows_free(app->rows);
	edit_release(app);
	jumps_release(&app->jumps);
	scene_release(&app->scene);
	conn_close(app->conn);
	keymap_release(&app->keys);
	prompt_release(&app->prompt);
	ask_filter_release(&app->ask);
	option_values_release(&app->options);
	buf_release(&app->message);
	cells_release(&app->grid);
	free(app->cluster);
	for (size_t k = 0; k < sizeof app->table_by / sizeof *app->table_by; k++)
		free(app->table_by[k]);
	free(app->placed_bytes);
}

/* A project that was made for an import which did not come about. */
static bool is_for_nothing(struct app *app)
{
	struct arena arena = ARENA_INIT;
	struct err ignored = ERR_INIT;
	struct dataset_name *names;
	size_t n = 1;
	bool made = app->conn && conn_is_new(app->conn) &&
		    fetch_datasets(app->conn, &names, &n, &arena, &ignored) == OK;

	arena_release(&arena);
	return made && !n;
}

int app_run(struct cli *cli, const char *project)
{
	struct app app;
	struct err err = ERR_INIT;
	enum status st = app_open(&app, cli, project, &err);
	bool for_nothing;

	if (st == OK)
		st = app_open_term(&app, &err);
	if (st == OK && cli->begin)
		app_exec(&app, str_z(cli->begin));
	if (st == OK)
		st = cli->script ? script_run(&app, cli->script, &err) : loop_run(&app, &err);
	for_nothing = is_for_nothing(&app);
	app_close(&app);
	if (for_nothing) {
		unlink(project);
		fprintf(stderr, "qualm: nothing is imported\n");
	}
	if (st == OK)
		return EXIT_OK;
	if (st == E_NOT_FOUND) /* a word of the command line names nothing */
		err.code = E_USAGE;
	return cli_fail(&err);
}
