/* The keys of the prompt are commands as well, so that they can be bound. */
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tui/app.h"
#include "tui/cmd_screen.h"
#include "tui/export_screen.h"
#include "tui/import_screen.h"
#include "tui/labels_screen.h"
#include "tui/view/mapping.h"

#define EDIT_COMMAND(id, command_name, command_help)                                               \
	static unsigned do_##id(struct app *app, struct str args)                                  \
	{                                                                                          \
		(void)args;                                                                        \
		if (app->prompt.sign)                                                              \
			prompt_command(&app->prompt, command_name);                                \
		return REACT_REDRAW;                                                               \
	}                                                                                          \
	const struct command cmd_##id = {.name = command_name,                                     \
					 .args = "",                                               \
					 .group = "Prompt",                                        \
					 .help = command_help,                                     \
					 .screen = do_##id,                                        \
					 .hidden = true}

/* Through the list of what completes the word, when there is one, else through the history. */
static unsigned do_prompt_older(struct app *app, struct str args)
{
	(void)args;
	if (app->prompt.sign && !ask_filter_walk(app, -1))
		prompt_command(&app->prompt, "prompt-older");
	return REACT_REDRAW;
}
const struct command cmd_prompt_older = {
	.name = "prompt-older", .args = "", .group = "Prompt", .help = "what was typed before",
	.screen = do_prompt_older, .hidden = true,
};

static unsigned do_prompt_newer(struct app *app, struct str args)
{
	(void)args;
	if (app->prompt.sign && !ask_filter_walk(app, 1))
		prompt_command(&app->prompt, "prompt-newer");
	return REACT_REDRAW;
}
const struct command cmd_prompt_newer = {
	.name = "prompt-newer", .args = "", .group = "Prompt", .help = "what was typed after that",
	.screen = do_prompt_newer, .hidden = true,
};

EDIT_COMMAND(prompt_left, "prompt-left", "a character to the left");
EDIT_COMMAND(prompt_right, "prompt-right", "a character to the right");
EDIT_COMMAND(prompt_home, "prompt-home", "to the beginning");
EDIT_COMMAND(prompt_end, "prompt-end", "to the end");
EDIT_COMMAND(prompt_delete, "prompt-delete", "erase the character under the cursor");
EDIT_COMMAND(prompt_erase_word, "prompt-erase-word", "erase the word before the cursor");
EDIT_COMMAND(prompt_erase_all, "prompt-erase-all", "erase what is before the cursor");

/* Erasing in an empty prompt leaves it; but an empty note or filter means something. */
static unsigned do_erase(struct app *app, struct str args)
{
	(void)args;
	if (app->prompt.sign && !app->prompt.text.n && !app->edit.wish.kind &&
	    app->prompt.sign != PROMPT_FILTER)
		prompt_close(&app->prompt, false);
	else if (app->prompt.sign)
		prompt_command(&app->prompt, "prompt-erase");
	return REACT_REDRAW;
}
const struct command cmd_prompt_erase = {
	.name = "prompt-erase", .args = "", .group = "Prompt",
	.help = "erase the character before the cursor", .screen = do_erase, .hidden = true,
};

/* A list of offers closes first, unless all shall go. */
static unsigned do_cancel(struct app *app, struct str args)
{
	if (!str_eqz(args, "all") && ask_filter_unlist(app))
		return REACT_REDRAW;
	if (app->prompt.sign == '/') {
		app_view_command(app, "search-typing", STR_NONE);
		find_stop(app);
	}
	edit_cancel(app);
	if (app->prompt.sign == PROMPT_FILTER)
		ask_filter_cancel(app);
	prompt_close(&app->prompt, false);
	return REACT_REDRAW;
}
const struct command cmd_prompt_cancel = {
	.name = "prompt-cancel", .args = "[all]", .group = "Prompt", .help = "close the prompt",
	.screen = do_cancel, .hidden = true,
};

static unsigned do_accept(struct app *app, struct str args)
{
	char *text, sign = app->prompt.sign;
	unsigned reactions = REACT_REDRAW;

	(void)args;
	if (!sign)
		return REACT_NONE;
	if (sign == PROMPT_FILTER)
		return ask_filter_accept(app) ? REACT_REDRAW | REACT_REFILTER : REACT_REDRAW;
	text = xstrdup(buf_cstr(&app->prompt.text));
	if ((sign == PROMPT_NOTE || sign == PROMPT_TAG) && !edit_accept(app, str_z(text))) {
		free(text);
		return reactions;
	}
	prompt_close(&app->prompt, true);
	if (sign == '/' && *text)
		reactions |= app_view_command(app, "search", str_z(text));
	else if (sign == PROMPT_NAME)
		reactions |= shelf_named(app, str_z(text));
	else if (sign == PROMPT_FILE)
		reactions |= export_named(app, str_z(text));
	else if (sign == ':')
		app_exec(app, str_z(text));
	free(text);
	return reactions;
}
const struct command cmd_prompt_accept = {
	.name = "prompt-accept", .args = "", .group = "Prompt", .help = "do what was typed",
	.screen = do_accept, .hidden = true,
};

/* What all names that begin as typed have in common. */
static void narrow_down(struct str typed, struct str name, struct str *common)
{
	if (!str_starts(name, typed))
		return;
	if (!common->p)
		*common = name;
	for (size_t k = 0; k < common->n; k++)
		if (k == name.n || name.p[k] != common->p[k])
			common->n = k;
}

static void offer_word(struct str typed, const char *name, struct str *common, struct buf *all)
{
	if (!str_starts(str_z(name), typed))
		return;
	narrow_down(typed, str_z(name), common);
	buf_printf(all, "%s%s", all->n ? " " : "", name);
}

static void complete_option(struct app *app, struct str typed)
{
	struct str common = STR_NONE;
	struct buf whole = BUF_INIT;

	for (int i = 0; i < N_OPTIONS; i++)
		narrow_down(typed, str_z(option_table[i].name), &common);
	if (common.n > typed.n) {
		buf_printf(&whole, "set %.*s", STR_ARG(common));
		prompt_set(&app->prompt, buf_view(&whole));
	}
	buf_release(&whole);
}

/* The last word, as far as all rules and protocols that begin like it agree; all of them are told
 * when there are several. */
static void complete_rule(struct app *app, struct str typed)
{
	struct str common = STR_NONE, word = typed;
	struct buf whole = BUF_INIT, all = BUF_INIT;

	for (size_t i = 0; i < typed.n; i++)
		if (typed.p[i] == ' ')
			word = (struct str){typed.p + i + 1, typed.n - i - 1};
	for (const struct extract_rule *r = extract_rules; r->name; r++)
		offer_word(word, r->name, &common, &all);
	for (const struct protocol *p = protocols; p->name; p++)
		offer_word(word, p->name, &common, &all);
	if (common.n > word.n) {
		buf_printf(&whole, "%.*s%.*s", (int)(typed.n - word.n), typed.p, STR_ARG(common));
		prompt_set(&app->prompt, buf_view(&whole));
	} else if (all.n) {
		app_message(app, STYLE_MESSAGE, "%s", buf_cstr(&all));
	}
	buf_release(&whole);
	buf_release(&all);
}

static unsigned do_complete(struct app *app, struct str args)
{
	struct str typed = buf_view(&app->prompt.text), common = STR_NONE;

	(void)args;
	if (app->prompt.sign == PROMPT_TAG)
		edit_complete(app);
	if (app->prompt.sign == PROMPT_FILE)
		export_complete(app);
	if (app->prompt.sign == PROMPT_FILTER)
		ask_filter_complete(app, 1);
	if (app->prompt.sign != ':' || !typed.n)
		return REACT_REDRAW;
	if (str_starts(typed, STR("set "))) {
		complete_option(app, (struct str){typed.p + 4, typed.n - 4});
		return REACT_REDRAW;
	}
	if (str_starts(typed, STR("reparse "))) {
		complete_rule(app, typed);
		return REACT_REDRAW;
	}
	if (str_starts(typed, STR("import "))) {
		import_complete(app);
		return REACT_REDRAW;
	}
	if (labels_complete(app) || mapping_complete(app))
		return REACT_REDRAW;
	for (size_t i = 0; commands[i]; i++)
		if (commands[i]->screen && !commands[i]->hidden)
			narrow_down(typed, str_z(commands[i]->name), &common);
	if (common.n > typed.n)
		prompt_set(&app->prompt, common);
	return REACT_REDRAW;
}
const struct command cmd_prompt_complete = {
	.name = "prompt-complete", .args = "", .group = "Prompt", .help = "complete the word",
	.screen = do_complete, .hidden = true,
};

static unsigned do_complete_back(struct app *app, struct str args)
{
	(void)args;
	if (app->prompt.sign == PROMPT_FILTER)
		ask_filter_complete(app, -1);
	return REACT_REDRAW;
}
const struct command cmd_prompt_complete_back = {
	.name = "prompt-complete-back", .args = "", .group = "Prompt",
	.help = "back in the list of what completes the word", .screen = do_complete_back,
	.hidden = true,
};
