/* What the screen of columns and fields knows (view/mapping.h). */
#include "tui/app.h"
#include "tui/cmd_screen.h"

static unsigned in_mapping(struct app *app, const char *name, struct str args)
{
	unsigned r = app_view_command(app, name, args);

	if (r & REACT_UNHANDLED) {
		app_message(app, STYLE_MESSAGE, "%s is for the screen that import --map FILE opens", name);
		return REACT_REDRAW;
	}
	return r;
}

#define MAPPING_COMMAND(id, command_name, command_args, command_help)                              \
	static unsigned do_##id(struct app *app, struct str args)                                  \
	{                                                                                          \
		return in_mapping(app, command_name, args);                                        \
	}                                                                                          \
	const struct command cmd_##id = {.name = command_name,                                     \
					 .args = command_args,                                     \
					 .group = "Mapping",                                       \
					 .help = command_help,                                     \
					 .screen = do_##id}

MAPPING_COMMAND(field, "field", "[FIELD | usual]", "the column under the cursor is this field");
MAPPING_COMMAND(constant, "constant", "[NAME=[VALUE]]",
		"a value that all rows have: the model, the protocol, a facet; empty: none");
MAPPING_COMMAND(separator, "separator", "[TEXT]",
		"what parts the items in the column under the cursor; empty: nothing");
MAPPING_COMMAND(spelling, "spelling", "[CLASS=TEXT]", "what the table writes for a class");
MAPPING_COMMAND(rows_in, "rows-in", "[NAME.NAME]", "where in a JSON object the list of rows is");
MAPPING_COMMAND(recipe, "recipe", "[NAME]", "take a saved recipe, or list them");
MAPPING_COMMAND(save_recipe, "save-recipe", "[NAME]",
		"save what is chosen, for import --recipe NAME");
MAPPING_COMMAND(import_now, "import-now", "", "import the file as it is shown");
