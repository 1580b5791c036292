#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/xmalloc.h"
#include "tui/cli.h"

/* X(member of struct cli, name, value, help) */
#define GLOBALS(X)                                                                                 \
	X(dataset, "dataset", "NAME", "the dataset; needed when the project holds several")        \
	X(lens, "lens", "K=V,...",                                                                 \
	  "judge under this lens: a preset's name, or layer=, original=, equiv=, n=, abstain=, "   \
	  "rule=")                                                                                 \
	X(filter, "filter", "F", "only the samples that the filter is true for; see qualm-filter(7)")   \
	X(run, "run", "RUN", "the run under study (a): a handle, its beginning, a title, or a model with one run") \
	X(against, "against", "RUN", "the run to compare with (b)")                                \
	X(theme, "theme", "NAME", "colours: a built-in theme's name or a file")                    \
	X(config, "config", "FILE", "read this configuration instead of the user's")               \
	X(cache_dir, "cache-dir", "DIR", "keep drawn pictures there instead of in the user's cache") \
	X(headless, "headless", "WxH", "draw into memory, W columns by H rows; needs --script")    \
	X(script, "script", "FILE", "keys and commands to run, one step a line")

const struct cmd_option global_options[] = {
#define X(member, name, value, help) {name, value, help, false},
    GLOBALS(X)
#undef X
	{"help", NULL, "show help, of a command when one is named", false},
    {"version", NULL, "show the version", false},
    {NULL, NULL, NULL, false},
};

static const size_t global_place[] = {
#define X(member, name, value, help) offsetof(struct cli, member),
    GLOBALS(X)
#undef X
};

#define N_PLACES (sizeof global_place / sizeof *global_place)

struct parser {
	char **argv;
	int argc, at;
	struct cli *cli;
	struct cmd_args *args;
	enum cli_wish *wish;
	bool no_options; /* "--" was seen */
	struct err *err;
};

static const struct cmd_option *option_in(const struct cmd_option *table, struct str name)
{
	for (; table && table->name; table++)
		if (str_eqz(name, table->name))
			return table;
	return NULL;
}

/* An option may stand before the command word, so its shape is asked of all commands. */
static const struct cmd_option *option_anywhere(struct str name)
{
	const struct cmd_option *o = option_in(global_options, name);

	for (int i = 0; !o && commands[i]; i++)
		o = option_in(commands[i]->options, name);
	return o;
}

static bool is_option(const char *word)
{
	return word[0] == '-' && word[1] != '\0';
}

/* "--name", "--name=value", "-o", "-oVALUE": the name, and the value when it is in the word. */
static struct str option_name(const char *word, const char **value)
{
	struct str name = str_z(word + 1);
	size_t eq;

	*value = NULL;
	if (word[1] != '-') {
		if (name.n > 1)
			*value = word + 2;
		return (struct str){name.p, 1};
	}
	name = str_z(word + 2);
	eq = str_find(name, STR("="));
	if (eq == SIZE_MAX)
		return name;
	*value = name.p + eq + 1;
	return (struct str){name.p, eq};
}

/* Is the option's value in the word behind it? */
static bool wants_next(const struct cmd_option *o, int argc, char **argv, int at)
{
	if (!o->value)
		return false;
	return o->value[0] != '[' || (at + 1 < argc && strchr(argv[at + 1], '='));
}

/* The first word that is neither an option nor an option's value. NULL: there is none. */
static const char *first_word(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		const struct cmd_option *o;
		const char *value;

		if (strcmp(argv[i], "--") == 0)
			return i + 1 < argc ? argv[i + 1] : NULL;
		if (!is_option(argv[i]))
			return argv[i];
		o = option_anywhere(option_name(argv[i], &value));
		if (o && !value && wants_next(o, argc, argv, i))
			i++;
	}
	return NULL;
}

static enum status unknown_option(const struct parser *p, struct str name, const char *word)
{
	struct nearest near = {.word = name};
	const char *command = p->args->command ? p->args->command->name : "";

	for (const struct cmd_option *o = global_options; o->name; o++)
		nearest_offer(&near, o->name);
	if (p->args->command)
		for (const struct cmd_option *o = p->args->command->options; o && o->name; o++)
			nearest_offer(&near, o->name);
	if (p->cli->filter)
		return err_set(p->err, E_USAGE,
			       "there is no option %s; if it belongs to the filter: a filter of several "
			       "conditions stands in single quotes",
			       word);
	if (near.best)
		return err_set(p->err, E_USAGE, "there is no option %s; did you mean %s%s?", word,
			       near.best[1] ? "--" : "-", near.best);
	return err_set(p->err, E_USAGE, "there is no option %s; qualm %s%s--help lists them", word,
		       command, *command ? " " : "");
}

static void keep_global(struct parser *p, const struct cmd_option *o, const char *value)
{
	size_t k = (size_t)(o - global_options);

	if (k < N_PLACES)
		memcpy((char *)p->cli + global_place[k], &value, sizeof value);
	else
		*p->wish = strcmp(o->name, "help") == 0 ? CLI_HELP : CLI_VERSION;
}

static enum status take_option(struct parser *p)
{
	const char *word = p->argv[p->at], *value;
	struct str name = option_name(word, &value);
	const struct cmd_option *own = NULL, *o;

	if (p->args->command)
		own = option_in(p->args->command->options, name);
	o = own ? own : option_in(global_options, name);
	if (!o)
		return unknown_option(p, name, word);
	if (!o->value && value)
		return err_set(p->err, E_USAGE, "%s takes no value", word);
	if (!value && wants_next(o, p->argc, p->argv, p->at)) {
		if (p->at + 1 >= p->argc)
			return err_set(p->err, E_USAGE, "%s needs a value: %s", word, o->value);
		value = p->argv[++p->at];
	}
	if (!own) {
		keep_global(p, o, value);
		return OK;
	}
	p->args->options[p->args->n_options].option = o;
	p->args->options[p->args->n_options++].value = value ? value : "";
	return OK;
}

static enum status take_word(struct parser *p, bool *command_seen)
{
	char *word = p->argv[p->at];

	if (!p->no_options && strcmp(word, "--") == 0) {
		p->no_options = true;
		return OK;
	}
	if (!p->no_options && is_option(word))
		return take_option(p);
	if (!*command_seen) {
		*command_seen = true;
		if (strcmp(word, p->args->command->name) == 0)
			return OK;
	}
	p->args->words[p->args->n_words++] = word;
	return OK;
}

enum status cli_parse(int argc, char **argv, struct cli *cli, struct cmd_args *args,
		      enum cli_wish *wish, struct err *err)
{
	struct parser p = {.argv = argv,
			   .argc = argc,
			   .at = 1,
			   .cli = cli,
			   .args = args,
			   .wish = wish,
			   .err = err};
	const char *word = first_word(argc, argv);
	bool command_seen = false;
	enum status st = OK;

	*args = (struct cmd_args){0};
	*wish = CLI_RUN;
	if (word) {
		args->command = command_find(str_z(word));
		if (!args->command || !args->command->shell)
			args->command = command_find(STR("open"));
	}
	args->words = xcalloc((size_t)argc + 1, sizeof *args->words);
	args->options = xcalloc((size_t)argc + 1, sizeof *args->options);
	for (; !st && p.at < argc; p.at++)
		st = take_word(&p, &command_seen);
	if (!st && !word && *wish == CLI_RUN)
		st = err_set(err, E_USAGE,
			     "what shall be opened? qualm FILE.qualm opens a project, "
			     "qualm demo makes one, qualm --help lists the commands");
	return st;
}

void cmd_args_release(struct cmd_args *args)
{
	free(args->words);
	free(args->options);
	*args = (struct cmd_args){0};
}

const char *cmd_option(const struct cmd_args *args, const char *name)
{
	const char *value = NULL;

	for (int i = 0; i < args->n_options; i++)
		if (strcmp(args->options[i].option->name, name) == 0)
			value = args->options[i].value;
	return value;
}

const char *cmd_option_at(const struct cmd_args *args, const char *name, int k)
{
	for (int i = 0; i < args->n_options; i++)
		if (strcmp(args->options[i].option->name, name) == 0 && k-- == 0)
			return args->options[i].value;
	return NULL;
}
