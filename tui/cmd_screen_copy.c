/* Commands that copy to the terminal's clipboard. */
#include "tui/cmd_screen.h"
#include "tui/copy.h"

static unsigned copy(struct app *app, enum copy_what what)
{
	static const char *const words[] = {"id", "path", "answer", "JSON"};
	struct targets t;
	struct buf text = BUF_INIT, name = BUF_INIT;
	struct err err = ERR_INIT;

	if (!edit_ready(app))
		return REACT_REDRAW;
	t = targets_take(app);
	if (copy_compose(app, what, &t, &text, &err) == OK) {
		targets_name(app, &t, &name);
		term_copy(app->term, buf_view(&text));
		app_message(app, STYLE_MESSAGE, "copied the %s of %s", words[what], buf_cstr(&name));
	} else {
		app_message(app, err.code == E_NOT_FOUND ? STYLE_MESSAGE : STYLE_WARNING, "%s", err.msg);
	}
	targets_release(&t);
	buf_release(&name);
	buf_release(&text);
	return REACT_REDRAW;
}

#define COPY_COMMAND(id, what, command_name, command_help)                                         \
	static unsigned do_##id(struct app *app, struct str args)                                  \
	{                                                                                          \
		(void)args;                                                                        \
		return copy(app, what);                                                            \
	}                                                                                          \
	const struct command cmd_##id = {.name = command_name,                                     \
					 .args = "",                                               \
					 .group = "Copying",                                       \
					 .help = command_help,                                     \
					 .screen = do_##id}

COPY_COMMAND(copy_id, COPY_ID, "copy-id", "copy the key to the terminal's clipboard");
COPY_COMMAND(copy_path, COPY_PATH, "copy-path", "copy the path of the picture");
COPY_COMMAND(copy_answer, COPY_ANSWER, "copy-answer", "copy the answer of the run under the cursor");
COPY_COMMAND(copy_json, COPY_JSON, "copy-json", "copy all that is shown, as a line of JSON");
