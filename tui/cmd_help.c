#include <string.h>

#include "tui/cli.h"
#include "tui/print.h"

static void put_option(struct grid *g, const struct cmd_option *o)
{
	grid_printf(g, "%s%s%s%s%s", o->name[1] ? "--" : "-", o->name, o->value ? " " : "",
		    o->value ? o->value : "", o->repeats ? " …" : "");
	grid_put(g, o->help);
}

static void print_options(FILE *out, const struct command *command)
{
	struct grid g = {.n_columns = 2, .indent = "  "};
	const struct cmd_option *own = command ? command->options : NULL;

	for (const struct cmd_option *o = own; o && o->name; o++)
		put_option(&g, o);
	if (g.cells.n) {
		fputs("\nOptions\n", out);
		grid_print(&g, out);
		grid_release(&g);
	}
	for (const struct cmd_option *o = global_options; o->name; o++) {
		bool hidden = false;

		for (const struct cmd_option *k = own; k && k->name; k++)
			hidden |= strcmp(k->name, o->name) == 0;
		if (!hidden)
			put_option(&g, o);
	}
	fputs("\nOptions of every command\n", out);
	grid_print(&g, out);
	grid_release(&g);
}

static void print_commands(FILE *out)
{
	struct grid g = {.n_columns = 2, .indent = "  "};

	for (int i = 0; commands[i]; i++) {
		const struct command *c = commands[i];

		if (!c->shell || c->hidden)
			continue;
		if (strcmp(c->name, "open") == 0)
			grid_printf(&g, "qualm %s", c->args);
		else
			grid_printf(&g, "qualm %s%s%s", c->name, c->args[0] ? " " : "", c->args);
		grid_put(&g, c->help);
	}
	grid_print(&g, out);
	grid_release(&g);
}

void help_print(FILE *out, const struct command *command)
{
	if (command) {
		bool open = strcmp(command->name, "open") == 0;

		fprintf(out, "usage: qualm %s%s%s\n\n%s\n", open ? "" : command->name,
			open || !command->args[0] ? "" : " ", command->args, command->help);
	} else {
		fputs("qualm looks into what multimodal models got wrong: pictures, labels and "
		      "answers, in the terminal.\n\n",
		      out);
		print_commands(out);
	}
	print_options(out, command);
	fputs("\nExit status: 0 all went well, 1 the data had errors, 2 the command was misused.\n"
	      "More in man qualm.\n",
	      out);
}

static int help_shell(struct cli *cli, const struct cmd_args *args)
{
	const struct command *c;
	struct nearest near = {0};

	(void)cli;
	if (args->n_words == 0) {
		help_print(stdout, NULL);
		return EXIT_OK;
	}
	c = command_find(str_z(args->words[0]));
	if (c && c->shell) {
		help_print(stdout, c);
		return EXIT_OK;
	}
	near.word = str_z(args->words[0]);
	for (int i = 0; commands[i]; i++)
		if (commands[i]->shell && !commands[i]->hidden)
			nearest_offer(&near, commands[i]->name);
	return cli_usage(args, "there is no command \"%s\"%s%s%s", args->words[0],
			 near.best ? "; did you mean " : "", near.best ? near.best : "",
			 near.best ? "?" : "");
}

extern const struct command cmd_help;
const struct command cmd_help = {
    .name = "help",
    .args = "[COMMAND]",
    .help = "Show what a command does and its options.",
    .group = "Help",
    .shell = help_shell,
};
