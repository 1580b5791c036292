/* The command that writes the list into a file: which format, then which file. */
#include <stdlib.h>

#include "core/base/path.h"
#include "core/base/xmalloc.h"
#include "tui/app.h"
#include "tui/cmd_screen.h"
#include "tui/export_screen.h"
#include "tui/view/chooser.h"
#include "tui/view/sign.h"

static void gather(struct app *app, struct chooser *c)
{
	(void)app;
	for (const struct export_format *f = export_formats; f->name; f++)
		chooser_add(c, &(struct choice){"", f->name, f->help, ""});
}

static unsigned accept(struct app *app, uint32_t at)
{
	return export_ask(app, &export_formats[at]);
}

static const struct export_format *format_of(struct str file)
{
	const struct export_format *f = export_format_find(path_ext(file));

	return f ? f : str_eqz(path_ext(file), "txt") ? export_format_find(STR("ids")) : NULL;
}

static unsigned do_write(struct app *app, struct str args)
{
	static const struct chooser_spec spec = {.title = "write what is shown as",
						 .nothing = "",
						 .gather = gather,
						 .accept = accept};
	const struct export_format *format;
	struct str word, file = str_trim(str_cut(args, ' ', &word));

	if (!app->scene.snap || !scene_shown(&app->scene)) {
		app_message(app, STYLE_MESSAGE, "there are no samples to write");
		return REACT_REDRAW;
	}
	if (!args.n)
		return chooser_open(app, &spec);
	format = export_format_find(word);
	if (format && !file.n)
		return export_ask(app, format);
	if (!format) { /* the file's name tells */
		file = args;
		format = format_of(file);
	}
	if (format)
		return export_file_named(app, format, file);
	app_message(app, STYLE_WARNING, "write what? jsonl, csv, md or ids, then a file");
	return REACT_REDRAW;
}
const struct command cmd_write = {
	.name = "write", .args = "[FORMAT] [FILE]", .group = "Saved",
	.help = "write what the list shows into a file: jsonl, csv, md or ids", .screen = do_write,
};
