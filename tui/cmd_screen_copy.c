/* The command that copies to the terminal's clipboard. */
#include "tui/cmd_screen.h"
#include "tui/copy.h"

static unsigned do_copy(struct app *app, struct str args)
{
	static const char *const words[N_COPY_WHATS] = {"id", "path", "answer", "json"};
	struct targets t;
	struct buf text = BUF_INIT, name = BUF_INIT;
	struct err err = ERR_INIT;
	int what = 0;

	while (what < N_COPY_WHATS && !str_eqz(args, words[what]))
		what++;
	if (what == N_COPY_WHATS) {
		app_message(app, STYLE_WARNING, "copy what? id, path, answer or json");
		return REACT_REDRAW;
	}
	if (!edit_ready(app))
		return REACT_REDRAW;
	t = targets_take(app);
	if (copy_compose(app, (enum copy_what)what, &t, &text, &err) == OK) {
		targets_name(app, &t, &name);
		term_copy(app->term, buf_view(&text));
		app_message(app, STYLE_MESSAGE, "copied %s of %s", words[what], buf_cstr(&name));
	} else {
		app_message(app, err.code == E_NOT_FOUND ? STYLE_MESSAGE : STYLE_WARNING, "%s", err.msg);
	}
	targets_release(&t);
	buf_release(&name);
	buf_release(&text);
	return REACT_REDRAW;
}
const struct command cmd_copy = {
	.name = "copy", .args = "WHAT", .group = "Copying",
	.help = "copy to the clipboard: id, path, answer or json", .screen = do_copy,
};
