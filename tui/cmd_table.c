#include "tui/cmd.h"
#include "tui/cmd_screen.h"

/* One row a command; each is defined in tui/cmd_NAME.c. SCREEN_COMMANDS(X) lists those that only
 * the screen knows. */
#define SHELL_COMMANDS(X)                                                                          \
	X(open) X(import) X(labels) X(info) X(report) X(export) X(query) X(map) X(reparse) X(batch) X(sql) X(check) X(demo) X(preview) \
	X(doctor) X(help)

#define X(id) extern const struct command cmd_##id;
SHELL_COMMANDS(X)
SCREEN_COMMANDS(X)
#undef X

const struct command *const commands[] = {
#define X(id) &cmd_##id,
    SHELL_COMMANDS(X) SCREEN_COMMANDS(X)
#undef X
	NULL,
};

const struct command *command_find(struct str name)
{
	for (int i = 0; commands[i]; i++)
		if (str_eqz(name, commands[i]->name))
			return commands[i];
	return NULL;
}
