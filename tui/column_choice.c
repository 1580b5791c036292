#include "tui/column_choice.h"

#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "db/user.h"
#include "tui/app.h"

static char *key_of(const struct app *app)
{
	return xasprintf("columns/%s", app->scene.snap->dataset);
}

char *column_choice_text(const struct app *app)
{
	struct buf text = BUF_INIT;

	if (app->columns.chosen)
		columns_format(&app->scene, &app->columns, "\n", &text);
	return buf_take(&text);
}

/* What is not there any more is passed over. */
void column_choice_read(struct app *app, const char *text)
{
	columns_parse(str_z(text), &app->scene, &app->columns, NULL);
	if (!app->columns.n)
		columns_usual(&app->columns);
	app->columns_version++;
}

void column_choice_load(struct app *app)
{
	struct err err = ERR_INIT;
	char *key = key_of(app), *text = NULL;

	if (user_setting_get(app->conn, key, &text, &err) != OK)
		text = NULL;
	column_choice_read(app, text ? text : "");
	free(text);
	free(key);
}

unsigned column_choice_set(struct app *app, const struct columns *columns)
{
	struct err err = ERR_INIT;
	char *key = key_of(app), *text;

	app->columns = *columns;
	app->columns_version++;
	text = column_choice_text(app);
	if (user_setting_set(app->conn, key, str_z(text), &err) != OK)
		app_message(app, STYLE_WARNING, "the columns could not be kept: %s", err.msg);
	free(text);
	free(key);
	return REACT_REDRAW;
}

void column_choice_forms(struct app *app, const struct columns *columns,
			 struct number_form form[COLUMNS_MAX])
{
	const struct scene *s = &app->scene;
	double *v = NULL;

	for (int k = 0; k < columns->n; k++) {
		const struct list_column *c = &columns->v[k];
		struct err err = ERR_INIT;
		int run = column_run(s, c);

		form[k] = (struct number_form){0, 0};
		if (!column_is_number(c->id) || run < 0)
			continue;
		if (!v)
			v = xcalloc((size_t)s->snap->n + 1, sizeof *v);
		if (fetch_numbers(app->conn, s->snap->runs[run].id, column_name(c->id), s->snap->n, v,
				  &err) == OK)
			form[k] = number_form(v, s->snap->n);
	}
	free(v);
}
