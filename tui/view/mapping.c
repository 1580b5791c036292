#include "tui/view/mapping.h"

#include <stdlib.h>

#include "core/base/path.h"
#include "core/base/xmalloc.h"
#include "core/reader/draft.h"
#include "tui/view/mapping_impl.h"

#define UNDO_MAX 200

struct mapper *mapping_of(struct app *app)
{
	for (struct view *v = app->top; v; v = v->below)
		if (v->class == &mapping_view)
			return (struct mapper *)v;
	return NULL;
}

bool mapping_is_open(struct app *app)
{
	return mapping_of(app) != NULL;
}

/* --- its lines --- */

static size_t n_constants(const struct mapper *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->recipe.constants.n; i++)
		n += !str_eqz(m->recipe.constants.v[i].name, "model") &&
		     !str_eqz(m->recipe.constants.v[i].name, "protocol");
	return n;
}

uint32_t mapping_lines(const struct mapper *m)
{
	return (uint32_t)(m->draft->columns.n + 5 + n_constants(m));
}

static size_t constant_at(const struct mapper *m, size_t k)
{
	for (size_t i = 0; i < m->recipe.constants.n; i++)
		if (!str_eqz(m->recipe.constants.v[i].name, "model") &&
		    !str_eqz(m->recipe.constants.v[i].name, "protocol") && k-- == 0)
			return i;
	return 0;
}

enum mapping_line mapping_line(const struct mapper *m, uint32_t i, size_t *at)
{
	const enum mapping_line last[] = {
	    LINE_HOLDS, m->draft->shape == SHAPE_CSV ? LINE_HEADER : LINE_ROWS, LINE_JOIN};
	size_t k = i, n = n_constants(m);

	*at = i;
	if (k < m->draft->columns.n)
		return LINE_COLUMN;
	k -= m->draft->columns.n;
	if (k < 2)
		return k ? LINE_PROTOCOL : LINE_MODEL;
	k -= 2;
	if (k < n) {
		*at = constant_at(m, k);
		return LINE_CONSTANT;
	}
	k -= n;
	return last[k < 3 ? k : 2];
}

const struct draft_column *mapping_column(const struct mapper *m)
{
	size_t at;

	if (mapping_line(m, m->list.cursor, &at) != LINE_COLUMN || at >= m->draft->columns.n)
		return NULL;
	return &m->draft->columns.v[at];
}

/* --- changing --- */

static void drop_all(struct recipe *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		recipe_release(&v[i]);
}

void mapping_remember(struct mapper *m)
{
	struct recipe copy;

	drop_all(m->future.v, m->future.n);
	vec_clear(&m->future);
	if (m->past.n == UNDO_MAX) {
		recipe_release(&m->past.v[0]);
		memmove(m->past.v, m->past.v + 1, (UNDO_MAX - 1) * sizeof *m->past.v);
		m->past.n--;
	}
	recipe_copy(&m->recipe, &copy);
	vec_push(&m->past, copy);
}

void mapping_changed(struct mapper *m)
{
	draft_read(m->draft, &m->recipe, &m->world.world);
	free(m->saved);
	m->saved = NULL;
	list_fit(&m->list, mapping_lines(m), m->list.height);
}

void mapping_set_field(struct mapper *m, const struct draft_column *c, struct str word)
{
	char *column = xstrndup(c->name.p, c->name.n);

	mapping_remember(m);
	recipe_set_field(&m->recipe, str_z(column), word);
	free(column);
	mapping_changed(m);
}

static unsigned turn(struct mapper *m, struct app *app, bool back)
{
	const char *word = back ? "undone" : "done again";
	struct recipe now = m->recipe;

	if (back ? !m->past.n : !m->future.n) {
		app_message(app, STYLE_MESSAGE, "there is nothing to be %s", word);
		return REACT_REDRAW;
	}
	if (back) {
		m->recipe = m->past.v[--m->past.n];
		vec_push(&m->future, now);
	} else {
		m->recipe = m->future.v[--m->future.n];
		vec_push(&m->past, now);
	}
	mapping_changed(m);
	app_message(app, STYLE_MESSAGE, "%s", word);
	return REACT_REDRAW;
}

/* --- commands on the line under the cursor --- */

static __attribute__((format(printf, 2, 3))) unsigned ask(struct app *app, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	prompt_open(&app->prompt, ':');
	prompt_set(&app->prompt, str_z(text));
	return REACT_REDRAW;
}

static unsigned enter(struct mapper *m, struct app *app)
{
	struct recipe *r = &m->recipe;
	struct buf rows = BUF_INIT;
	size_t at;
	enum mapping_line line = mapping_line(m, m->list.cursor, &at);

	if (line == LINE_COLUMN)
		return mapping_choose(app);
	if (line == LINE_MODEL || line == LINE_PROTOCOL) {
		const char *name = line == LINE_MODEL ? "model" : "protocol";
		struct str value = recipe_constant(r, name);

		return ask(app, "constant %s=%.*s", name, STR_ARG(value));
	}
	if (line == LINE_CONSTANT)
		return ask(app, "constant %.*s=%.*s", STR_ARG(r->constants.v[at].name),
			   (int)(r->constants.v[at].value.n < 300 ? r->constants.v[at].value.n : 300),
			   r->constants.v[at].value.p);
	if (line == LINE_ROWS) {
		recipe_put_rows(r, &rows);
		ask(app, "rows-in %s", buf_cstr(&rows));
		buf_release(&rows);
		return REACT_REDRAW;
	}
	mapping_remember(m);
	if (line == LINE_HOLDS)
		r->holds = m->draft->predictions ? HOLDS_SAMPLES : HOLDS_PREDICTIONS;
	else if (line == LINE_HEADER)
		r->header = (enum recipe_header)((r->header + 1) % 3);
	else if (draft_with(m->draft, "key") && r->join == JOIN_EXACT)
		r->join = JOIN_LOOSE; /* there is a key: rows need not be counted */
	else
		r->join = (enum recipe_join)((r->join + 1) % 3);
	mapping_changed(m);
	return REACT_REDRAW;
}

/* The next field of the list, or the one before, for the column under the cursor. */
static unsigned step(struct mapper *m, int by)
{
	const struct draft_column *c = mapping_column(m);
	int n = 0, at = -1;

	if (!c)
		return REACT_NONE;
	for (; recipe_fields[n].word; n++)
		if (str_eqz(c->word, recipe_fields[n].word))
			at = n;
	at = at < 0 ? (by > 0 ? 0 : n - 1) : (at + by + n) % n;
	mapping_set_field(m, c, str_z(recipe_fields[at].word));
	return REACT_REDRAW;
}

static unsigned ignore(struct mapper *m)
{
	const struct draft_column *c = mapping_column(m);

	if (!c)
		return REACT_NONE;
	mapping_set_field(m, c, str_eqz(c->word, "ignore") ? STR("") : STR("ignore"));
	list_go(&m->list, m->list.cursor + 1);
	return REACT_REDRAW;
}

static unsigned field(struct mapper *m, struct app *app, struct str word)
{
	const struct draft_column *c = mapping_column(m);

	if (!c || (word.n && !recipe_is_field(word) && !str_eqz(word, "usual"))) {
		app_message(app, STYLE_WARNING, !c ? "the cursor is on no column"
						   : "there is no such field; Enter lists them");
		return REACT_REDRAW;
	}
	if (!word.n)
		return mapping_choose(app);
	mapping_set_field(m, c, str_eqz(word, "usual") ? STR("") : word);
	return REACT_REDRAW;
}

/* NAME=VALUE; an empty value takes the constant away. */
static unsigned constant(struct mapper *m, struct app *app, struct str args)
{
	struct str name, value = str_trim(str_cut(args, '=', &name));

	name = str_trim(name);
	if (!args.n)
		return ask(app, "constant model=");
	if (!name.n || !memchr(args.p, '=', args.n)) {
		app_message(app, STYLE_WARNING, "constant wants NAME=VALUE, model=gpt-4o");
		return REACT_REDRAW;
	}
	mapping_remember(m);
	recipe_set_constant(&m->recipe, name, value);
	mapping_changed(m);
	return REACT_REDRAW;
}

static unsigned separator(struct mapper *m, struct app *app, struct str text)
{
	const struct draft_column *c = mapping_column(m);
	struct str word = c ? recipe_field_of(&m->recipe, c->name) : STR_NONE;
	char *copy;

	if (!word.n) {
		app_message(app, STYLE_WARNING, "a separator is for a column with a field: label, options ...");
		return REACT_REDRAW;
	}
	if (!text.n && !recipe_separator(&m->recipe, word).n)
		return ask(app, "separator ");
	copy = xstrndup(word.p, word.n);
	mapping_remember(m);
	recipe_set_separator(&m->recipe, str_z(copy), text);
	free(copy);
	mapping_changed(m);
	return REACT_REDRAW;
}

static unsigned spelling(struct mapper *m, struct app *app, struct str args)
{
	struct str name, value = str_trim(str_cut(args, '=', &name));

	if (!args.n)
		return ask(app, "spelling ");
	if (!str_trim(name).n || !value.n) {
		app_message(app, STYLE_WARNING, "spelling wants CLASS=AS THE TABLE WRITES IT");
		return REACT_REDRAW;
	}
	mapping_remember(m);
	recipe_add_spelling(&m->recipe, str_trim(name), value);
	mapping_changed(m);
	return REACT_REDRAW;
}

static unsigned rows_in(struct mapper *m, struct app *app, struct str path)
{
	struct recipe before;

	recipe_copy(&m->recipe, &before);
	if (!recipe_set_rows(&m->recipe, str_trim(path))) {
		recipe_release(&before);
		app_message(app, STYLE_WARNING, "rows-in wants names of objects inside objects: data.items");
		return REACT_REDRAW;
	}
	drop_all(m->future.v, m->future.n);
	vec_clear(&m->future);
	vec_push(&m->past, before);
	mapping_changed(m);
	return REACT_REDRAW;
}

/* --- recipes --- */

static unsigned save(struct mapper *m, struct app *app, struct str name)
{
	struct err err = ERR_INIT;
	char *word;
	bool own;

	if (!name.n)
		return ask(app, "save-recipe %s", m->recipe.name ? m->recipe.name : "");
	word = xstrndup(name.p, name.n);
	own = m->recipe.name && strcmp(word, m->recipe.name) == 0;
	draft_sign(m->draft, &m->recipe);
	if (recipe_save(&m->recipe, word, own, &err) == OK) {
		m->recipe.name = arena_strdup(&m->recipe.arena, word);
		free(m->saved);
		m->saved = word;
		app_message(app, STYLE_MESSAGE, "saved: qualm import ... --recipe %.100s takes it", word);
		return REACT_REDRAW;
	}
	free(word);
	app_message(app, STYLE_WARNING, "%s", err.msg);
	return REACT_REDRAW;
}

static unsigned load(struct mapper *m, struct app *app, struct str name)
{
	struct err err = ERR_INIT;
	struct buf names = BUF_INIT;
	struct recipe other;
	char *word = xstrndup(name.p ? name.p : "", name.n);

	recipe_names(m->path, &names);
	if (!name.n) {
		app_message(app, STYLE_MESSAGE, "saved recipes: %s", names.n ? buf_cstr(&names) : "none yet");
		if (names.n)
			ask(app, "recipe ");
	} else if (recipe_find(word, m->path, &other, &err) == OK) {
		mapping_remember(m);
		recipe_release(&m->recipe);
		m->recipe = other;
		mapping_changed(m);
	} else {
		app_message(app, STYLE_WARNING, "%s", err.msg);
	}
	buf_release(&names);
	free(word);
	return REACT_REDRAW;
}

static unsigned go(struct mapper *m, struct app *app)
{
	unsigned (*accept)(struct app *, struct recipe *) = m->accept;
	struct recipe taken;

	if (!m->draft->n_rows) {
		app_message(app, STYLE_WARNING, "no row can be read yet: %s",
			    m->draft->trouble ? m->draft->trouble : "a column has to be the key or the image");
		return REACT_REDRAW;
	}
	if (!m->recipe.fields.n && m->recipe.join != JOIN_POSITION)
		draft_guess(m->draft, &m->recipe, NULL);
	if (!m->recipe.name)
		m->recipe.name = "(unsaved)";
	taken = m->recipe;
	m->recipe = (struct recipe){.name = NULL};
	m->refuse = NULL;
	app_pop(app); /* and with it goes m */
	return accept(app, &taken);
}

static unsigned leave(struct app *app)
{
	app_pop(app);
	return REACT_REDRAW;
}

static const struct {
	const char *name;
	unsigned (*run)(struct mapper *m, struct app *app, struct str args);
} with_words[] = {
    {"field", field},	      {"constant", constant}, {"separator", separator}, {"spelling", spelling},
    {"rows-in", rows_in}, {"save-recipe", save},  {"recipe", load},
};

static unsigned mapping_command(struct view *self, struct app *app, const char *name,
				struct str args)
{
	struct mapper *m = (struct mapper *)self;

	if (app->top != self)
		return REACT_UNHANDLED;
	if (list_command(&m->list, name, args))
		return REACT_REDRAW;
	for (size_t i = 0; i < sizeof with_words / sizeof *with_words; i++)
		if (strcmp(name, with_words[i].name) == 0)
			return with_words[i].run(m, app, args);
	if (strcmp(name, "enter") == 0)
		return enter(m, app);
	if (strcmp(name, "left") == 0 || strcmp(name, "right") == 0)
		return step(m, *name == 'l' ? -1 : 1);
	if (strcmp(name, "toggle") == 0)
		return ignore(m);
	if (strcmp(name, "undo") == 0 || strcmp(name, "redo") == 0)
		return turn(m, app, *name == 'u');
	if (strcmp(name, "import-now") == 0)
		return go(m, app);
	if (strcmp(name, "escape") == 0 || strcmp(name, "back") == 0)
		return leave(app);
	return REACT_UNHANDLED;
}

/* --- opening and closing --- */

unsigned mapping_open(struct app *app, struct mapping_spec *spec)
{
	struct mapper *m = xcalloc(1, sizeof *m);
	struct str model = reader_model_from_path(str_z(spec->path));

	m->view.class = &mapping_view;
	m->path = xstrdup(spec->path);
	m->project = xstrdup(spec->project);
	m->dataset = xstrdup(spec->dataset);
	m->model = xstrndup(model.p, model.n);
	m->draft = spec->draft;
	m->draft->path = m->path;
	m->recipe = spec->recipe;
	m->accept = spec->accept;
	m->refuse = spec->refuse;
	if (m->recipe.name)
		m->saved = xstrdup(m->recipe.name);
	mapping_world_open(&m->world, app, &m->recipe);
	draft_read(m->draft, &m->recipe, &m->world.world);
	if (!m->recipe.name) {
		draft_guess(m->draft, &m->recipe, &m->world.world);
		draft_read(m->draft, &m->recipe, &m->world.world);
	}
	m->list.n = mapping_lines(m);
	app_push_view(app, &m->view);
	return REACT_REDRAW;
}

static void mapping_close(struct view *self)
{
	struct mapper *m = (struct mapper *)self;

	if (m->refuse)
		m->refuse(m->world.app);
	mapping_world_close(&m->world);
	draft_free(m->draft);
	recipe_release(&m->recipe);
	drop_all(m->past.v, m->past.n);
	drop_all(m->future.v, m->future.n);
	vec_release(&m->past);
	vec_release(&m->future);
	free(m->path);
	free(m->project);
	free(m->dataset);
	free(m->model);
	free(m->saved);
	free(m);
}

static void mapping_update(struct view *self, struct app *app, struct rect area, unsigned reactions)
{
	struct mapper *m = (struct mapper *)self;

	if (reactions & (REACT_RELOAD | REACT_GREW | REACT_RELENS)) {
		mapping_world_close(&m->world);
		mapping_world_open(&m->world, app, &m->recipe);
		draft_read(m->draft, &m->recipe, &m->world.world);
	}
	list_fit(&m->list, mapping_lines(m), (uint32_t)mapping_list_height(area));
}

static const struct hint mapping_hints[] = {
    {"enter", "choose"},   {"right", "next field"}, {"import-now", "import"}, {"save-recipe", "save"},
    {"toggle", "ignore"},  {"undo", "undo"},	    {"keys", "keys"},	      {"back", "leave"},
    {"constant", "model"}, {"separator", "separator"}, {NULL, NULL},
};

const struct view_class mapping_view = {
    .name = "mapping",
    .help = "which column of a table is which field",
    .mode = MODE_MAPPING,
    .placeless = true,
    .hints = mapping_hints,
    .close = mapping_close,
    .update = mapping_update,
    .draw = mapping_draw,
    .command = mapping_command,
};
