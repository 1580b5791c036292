/* :set, for this session; what is to last stands in the configuration. */
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tui/app.h"
#include "tui/cmd_screen.h"
#include "tui/view/chooser.h"

static void gather(struct app *app, struct chooser *c)
{
	for (int i = 0; i < N_OPTIONS; i++)
		chooser_add(c, &(struct choice){.sign = "",
						.name = option_table[i].name,
						.detail = option_table[i].help,
						.value = option_get(&app->options, (enum option_id)i)});
}

/* What the option is now can be changed there. */
static unsigned type_value(struct app *app, uint32_t at)
{
	struct buf text = BUF_INIT;

	buf_printf(&text, "set %s %s", option_table[at].name, option_get(&app->options, (enum option_id)at));
	prompt_open(&app->prompt, ':');
	prompt_set(&app->prompt, buf_view(&text));
	buf_release(&text);
	return REACT_REDRAW;
}

static const struct chooser_spec options_list = {
    .title = "options", .gather = gather, .accept = type_value, .words = true};

static void tell(struct app *app, enum option_id id)
{
	app_message(app, STYLE_MESSAGE, "%s %s: %s (%s)", option_table[id].name,
		    option_get(&app->options, id), option_table[id].help, option_table[id].range);
}

static enum status change(struct app *app, enum option_id id, struct str value, struct err *err)
{
	char *before = xstrdup(option_get(&app->options, id));
	enum status st = option_set(&app->options, id, value, err);
	struct err ignored = ERR_INIT;

	if (st == OK) {
		st = app_use_option(app, id, err);
		if (st != OK)
			option_set(&app->options, id, str_z(before), &ignored);
	}
	free(before);
	return st;
}

static unsigned do_set(struct app *app, struct str args)
{
	struct str name, value = str_trim(str_cut(args, ' ', &name));
	struct err err = ERR_INIT;
	enum option_id id;

	if (!name.n)
		return chooser_open(app, &options_list);
	if (option_find(name, &id, &err) != OK) {
		app_message(app, STYLE_WARNING, "%s", err.msg);
	} else if (!value.n) {
		tell(app, id);
	} else if (change(app, id, value, &err) != OK) {
		app_message(app, STYLE_WARNING, "%s", err.msg);
	} else {
		app_message(app, STYLE_MESSAGE, "%s %s, until qualm ends; the configuration keeps it",
			    option_table[id].name, option_get(&app->options, id));
	}
	return REACT_REDRAW;
}
const struct command cmd_set = {
	.name = "set", .args = "[OPTION [VALUE]]", .group = "Screen",
	.help = "show the options, one of them, or set it for this session", .screen = do_set,
};
