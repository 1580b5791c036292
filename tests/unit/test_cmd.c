#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <dirent.h>

#include <cmocka.h>

#include "core/base/xmalloc.h"
#include "core/reader/reader.h"
#include "tui/cli.h"
#include "tui/keymap.h"
#include "tui/options.h"

/* The manual, read from the project's root where the tests run. */
static char *manual(const char *path)
{
	FILE *f = fopen(path, "r");
	char *text = xcalloc(1, 1 << 20);

	if (!f) {
		free(text);
		return NULL;
	}
	text[fread(text, 1, (1 << 20) - 1, f)] = '\0';
	fclose(f);
	return text;
}

/* Does a line of the manual hold `macro` followed by `word` as a whole argument? */
static bool mentions(const char *text, const char *macro, const char *word)
{
	char *needle = xasprintf("%s %s", macro, word);
	size_t n = strlen(needle);
	bool found = false;

	for (const char *p = text; !found && (p = strstr(p, needle)); p++) {
		bool begins = p > text && (p[-1] == '.' || p[-1] == ' ');

		found = begins && (p[n] == '\n' || p[n] == ' ' || p[n] == '\0');
	}
	free(needle);
	return found;
}

static void check_option(const struct command *c, const struct cmd_option *o, const char *man)
{
	char *flag = xasprintf("%s%s", o->name[1] ? "-" : "", o->name);

	if (!o->help || !o->help[0])
		fail_msg("--%s has no help", o->name);
	if (!mentions(man, "Fl", flag))
		fail_msg("qualm.1 does not mention the option %s of %s", o->name,
			 c ? c->name : "every command");
	free(flag);
}

static void commands_are_told(void **state)
{
	char *man = manual("man/qualm.1");

	(void)state;
	assert_non_null(man);
	for (int i = 0; commands[i]; i++) {
		const struct command *c = commands[i];

		assert_true(c->name && c->name[0]);
		if (!c->args || !c->help || !c->help[0] || !c->group || !c->group[0])
			fail_msg("%s lacks help", c->name);
		if (!c->shell && !c->screen)
			fail_msg("%s does nothing", c->name);
		for (int k = 0; k < i; k++)
			if (strcmp(c->name, commands[k]->name) == 0)
				fail_msg("there are two commands %s", c->name);
		if (!c->hidden && !mentions(man, c->shell ? "Nm" : "Ic", c->name))
			fail_msg("qualm.1 does not mention the command %s", c->name);
		for (const struct cmd_option *o = c->options; o && o->name; o++)
			check_option(c, o, man);
		assert_ptr_equal(command_find(str_z(c->name)), c);
	}
	for (const struct cmd_option *o = global_options; o->name; o++)
		check_option(NULL, o, man);
	free(man);
}

/* Every option is told, its first value is one that it can have, and so is nothing out of range. */
static void options_are_told(void **state)
{
	char *man = manual("man/qualm.5");
	struct option_values v = {0};
	struct err err = ERR_INIT;

	(void)state;
	assert_non_null(man);
	for (int i = 0; i < N_OPTIONS; i++) {
		const struct option *o = &option_table[i];
		enum option_id id = (enum option_id)i, found;

		if (!mentions(man, "Cm", o->name))
			fail_msg("qualm.5 does not mention the option %s", o->name);
		assert_true(o->help[0] && o->range[0]);
		assert_int_equal(option_find(str_z(o->name), &found, &err), OK);
		assert_int_equal(found, id);
		assert_string_equal(option_get(&v, id), o->initial);
		assert_int_equal(option_set(&v, id, str_z(o->initial), &err), OK);
		assert_int_equal(option_set(&v, id, STR(""), &err), E_USAGE);
		assert_non_null(strstr(err.msg, o->range));
		err_clear(&err);
		if (o->type != OPTION_TEXT)
			assert_int_equal(option_set(&v, id, STR("1x"), &err), E_USAGE);
		assert_string_equal(option_get(&v, id), o->initial);
		err_clear(&err);
	}
	assert_int_equal(option_set(&v, OPTION_COLORS, STR("257"), &err), E_USAGE);
	err_clear(&err);
	assert_int_equal(option_set(&v, OPTION_COLORS, STR("2"), &err), OK);
	assert_int_equal(option_number(&v, OPTION_COLORS), 2);
	assert_null(option_unless_auto(&v, OPTION_CELL));
	option_values_release(&v);
	free(man);
}

/* Does the ".It Li" line of the manual that ends before `at` name this key? */
static bool line_has_key(const char *man, const char *at, const char *key)
{
	static const char *const escapes[][2] = {{"\\&", ""}, {"\\-", "-"},
						 {"\\(ti", "~"}, {"\\(lC", "{"},
						 {"\\(rC", "}"}, {"\"", ""}, {", ", " "}};
	struct buf keys = BUF_INIT;
	const char *line = at;
	bool found;

	while (line > man && line[-1] != '\n')
		line--;
	if (strncmp(line, ".It Li ", 7) != 0)
		return false;
	buf_ch(&keys, ' ');
	for (line += 7; line < at; line++) {
		size_t i = 0, n = sizeof escapes / sizeof *escapes;

		while (i < n && strncmp(line, escapes[i][0], strlen(escapes[i][0])) != 0)
			i++;
		if (i == n) {
			buf_ch(&keys, *line);
			continue;
		}
		buf_str(&keys, str_z(escapes[i][1]));
		line += strlen(escapes[i][0]) - 1;
	}
	buf_ch(&keys, ' ');
	found = str_find(buf_view(&keys), str_z(key)) != SIZE_MAX;
	buf_release(&keys);
	return found;
}

static void check_binding(const char *man, char *line)
{
	char key[64] = " ", needle[64];
	char *last = strtok(line, " "), *word;
	const struct command *c = NULL;
	const char *at;

	/* Keys come first, then the command's name, then its arguments; a name has two letters. */
	for (word = last; word && !(strlen(word) > 1 && (c = command_find(str_z(word)))); word = strtok(NULL, " "))
		snprintf(key + strlen(key), sizeof key - strlen(key), "%s", word);
	snprintf(key + strlen(key), sizeof key - strlen(key), " ");
	if (!c)
		fail_msg("a binding without a command:%s", key);
	if (c->hidden)
		return;
	snprintf(needle, sizeof needle, "\n.Ic %s :\n", c->name);
	at = strstr(man, needle);
	if (!at || !line_has_key(man, at, key))
		fail_msg("qualm.1 does not say that%sis bound to %s", key, c->name);
}

static void keys_are_told(void **state)
{
	char *man = manual("man/qualm.1"), *keys = manual("tui/default.keys"), *save = NULL;

	(void)state;
	assert_non_null(man);
	assert_non_null(keys);
	for (char *line = keys; line && *line; line = save) {
		save = strchr(line, '\n');
		if (save)
			*save++ = '\0';
		if (*line && (*line != '#' || line[1] != ' ') && (*line != '[' || line[1] == ' '))
			check_binding(man, line);
	}
	free(man);
	free(keys);
}

/* The help lists the commands in the table's order, under one heading a group. */
/* Keys are bound in a mode, whose names the manual lists. */
static void modes_are_told(void **state)
{
	static const char *const names[] = {
#define X(id, name, parent) name,
	    MODES(X)
#undef X
	};
	char *man = manual("man/qualm.5"), *list, *end;

	(void)state;
	assert_non_null(man);
	list = strstr(man, "begins the bindings of a mode:");
	assert_non_null(list);
	end = strstr(list, "A key that a mode");
	assert_non_null(end);
	*end = '\0';
	for (int m = 0; m < N_MODES; m++) {
		char *word = xasprintf(" %s ", names[m]);

		if (!strstr(list, word))
			fail_msg("qualm.5 does not mention the mode %s", names[m]);
		free(word);
	}
	free(man);
}

static void groups_stand_together(void **state)
{
	(void)state;
	for (int i = 1; commands[i]; i++) {
		const char *group = commands[i]->group;

		if (!commands[i]->screen || strcmp(group, commands[i - 1]->group) == 0)
			continue;
		for (int k = 0; k < i; k++)
			if (commands[k]->screen && strcmp(group, commands[k]->group) == 0)
				fail_msg("%s stands apart from its group %s", commands[i]->name, group);
	}
}

/* qualm-internals.7 has a word for every room. */
static void rooms_are_told(void **state)
{
	static const char *const houses[] = {"core", "tui"};
	char *man = manual("man/qualm-internals.7");
	int n = 0;

	(void)state;
	assert_non_null(man);
	for (size_t i = 0; i < sizeof houses / sizeof *houses; i++) {
		DIR *d = opendir(houses[i]);
		struct dirent *e;

		assert_non_null(d);
		while ((e = readdir(d))) {
			char *room = xasprintf("%s/%s", houses[i], e->d_name);
			struct stat st;

			if (e->d_name[0] != '.' && stat(room, &st) == 0 && S_ISDIR(st.st_mode)) {
				n++;
				if (!mentions(man, "Pa", room))
					fail_msg("qualm-internals.7 does not mention %s", room);
			}
			free(room);
		}
		closedir(d);
	}
	assert_true(n > 8);
	free(man);
}

static void readers_are_told(void **state)
{
	char *man = manual("man/qualm.1");

	(void)state;
	assert_non_null(man);
	for (int i = 0; readers[i]; i++) {
		assert_true(readers[i]->help && readers[i]->help[0]);
		if (!mentions(man, "Cm", readers[i]->name))
			fail_msg("qualm.1 does not mention the format %s", readers[i]->name);
	}
	free(man);
}

/* Options may stand before the command word, so a name must have one shape in all tables. */
static void same_shape(const struct cmd_option *a, const struct cmd_option *b)
{
	for (; a && a->name; a++)
		for (const struct cmd_option *o = b; o && o->name; o++)
			if (strcmp(a->name, o->name) == 0 && !a->value != !o->value)
				fail_msg("--%s takes a value in one place only", a->name);
}

static void options_are_one_shape(void **state)
{
	(void)state;
	for (int i = 0; commands[i]; i++) {
		const struct cmd_option *own = commands[i]->options;

		same_shape(own, global_options);
		for (int k = 0; commands[k]; k++)
			same_shape(own, commands[k]->options);
		for (const struct cmd_option *o = own; o && o->name; o++)
			for (const struct cmd_option *p = own; p != o; p++)
				assert_string_not_equal(p->name, o->name);
	}
}

/* Is `name` among the words of a ".It Va a , b" line of the section that begins at text? */
static bool tells_column(const char *text, const char *name)
{
	const char *end = strstr(text, "\n.Ss "), *p = text;
	size_t n = strlen(name);

	if (!end)
		end = strstr(text, "\n.Sh ");
	for (; (p = strstr(p, "\n.It Va ")) != NULL && (!end || p < end); p++) {
		const char *line = p + 8, *stop = strchr(line, '\n');

		for (const char *w = line; w < stop; w += strcspn(w, " \n") + 1)
			if (strcspn(w, " \n") == n && memcmp(w, name, n) == 0)
				return true;
	}
	return false;
}

/* The names at the beginning of the parts of "name TYPE …, name TYPE …": lower case words. */
static void check_columns(const char *table, const char *section, char *line)
{
	char name[64], *save = NULL, *comment = strstr(line, "--");

	if (comment)
		*comment = '\0';
	for (char *part = strtok_r(line, ",", &save); part; part = strtok_r(NULL, ",", &save))
		if (sscanf(part, " %63[a-z_] %*[A-Z]", name) == 1 && strpbrk(part, "ABEINORTX)"))
			if (!strchr(part, '(') && !tells_column(section, name))
				fail_msg("qualm.5 does not tell of %s.%s", table, name);
}

/* Every table and column of the schema stands in qualm.5. */
static void schema_is_told(void **state)
{
	char *schema = manual("db/sql/schema.sql"), *man = manual("man/qualm.5"), *save = NULL;
	char name[64] = "";
	const char *section = NULL;
	int tables = 0;

	(void)state;
	assert_non_null(schema);
	assert_non_null(man);
	for (char *line = strtok_r(schema, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		if (sscanf(line, "CREATE TABLE %63[a-z_]", name) == 1) {
			char *heading = xasprintf("\n.Ss %s\n", name);

			section = strstr(man, heading);
			free(heading);
			if (!section)
				fail_msg("qualm.5 does not tell of the table %s", name);
			section++;
			tables++;
			line = strchr(line, '(') + 1;
		} else if (strncmp(line, "CREATE", 6) == 0 || line[0] == ')') {
			section = NULL;
		}
		if (section)
			check_columns(name, section, line);
	}
	assert_true(tables > 20);
	free(schema);
	free(man);
}

/* --- the parser --- */

static void parse(const char *line, struct cli *cli, struct cmd_args *args, enum cli_wish *wish,
		  enum status want, struct err *err)
{
	static char text[512]; /* args borrow from it until the next call */
	char *argv[32], *save = NULL;
	int argc = 0;

	snprintf(text, sizeof text, "qualm %s", line);
	for (char *w = strtok_r(text, " ", &save); w; w = strtok_r(NULL, " ", &save))
		argv[argc++] = w;
	*cli = (struct cli){0};
	err_clear(err);
	if (cli_parse(argc, argv, cli, args, wish, err) != want)
		fail_msg("\"%s\": %s", line, err->msg);
}

struct parse_row {
	const char *line, *command, *words, *options;
	const char *dataset, *lens;
};

static const struct parse_row parse_rows[] = {
    {"import p a b", "import", "p a b", "", 0, 0},
    {"--dataset d import p a --as mme", "import", "p a", "as=mme", "d", 0},
    {"import --dry-run p --dataset=d a", "import", "p a", "dry-run=", "d", 0},
    {"--as mme import p a", "import", "p a", "as=mme", 0, 0},
    {"--dry-run import p a", "import", "p a", "dry-run=", 0, 0},
    {"import p -- --as -x", "import", "p --as -x", "", 0, 0},
    {"-- import p", "import", "p", "", 0, 0},
    {"import p -", "import", "p -", "", 0, 0},
    {"import p a --map k=v --map x=y", "import", "p a", "map=k=v map=x=y", 0, 0},
    {"import p a --run r --images=", "import", "p a", "run=r images=", 0, 0},
    {"my.qualm", "open", "my.qualm", "", 0, 0},
    {"my.qualm --at k1 --lens n=wrong", "open", "my.qualm", "at=k1", 0, "n=wrong"},
    {"open my.qualm", "open", "my.qualm", "", 0, 0},
    {"open open", "open", "open", "", 0, 0},
    {"info info", "info", "info", "", 0, 0},
    {"--at info my.qualm", "open", "my.qualm", "at=info", 0, 0},
    {"info p --format json --format text", "info", "p", "format=json format=text", 0, 0},
};

static void joined_words(const struct cmd_args *args, struct buf *out)
{
	buf_clear(out);
	for (int i = 0; i < args->n_words; i++)
		buf_printf(out, "%s%s", i ? " " : "", args->words[i]);
}

static void joined_options(const struct cmd_args *args, struct buf *out)
{
	buf_clear(out);
	for (int i = 0; i < args->n_options; i++)
		buf_printf(out, "%s%s=%s", i ? " " : "", args->options[i].option->name,
			   args->options[i].value);
}

static void assert_same(const char *got, const char *want)
{
	assert_string_equal(got ? got : "(none)", want ? want : "(none)");
}

static void parses(void **state)
{
	struct buf text = BUF_INIT;

	(void)state;
	for (size_t i = 0; i < sizeof parse_rows / sizeof *parse_rows; i++) {
		const struct parse_row *r = &parse_rows[i];
		struct err err = ERR_INIT;
		struct cmd_args args;
		enum cli_wish wish;
		struct cli cli;

		parse(r->line, &cli, &args, &wish, OK, &err);
		assert_int_equal(wish, CLI_RUN);
		assert_string_equal(args.command->name, r->command);
		joined_words(&args, &text);
		assert_string_equal(buf_cstr(&text), r->words);
		joined_options(&args, &text);
		assert_string_equal(buf_cstr(&text), r->options);
		assert_same(cli.dataset, r->dataset);
		assert_same(cli.lens, r->lens);
		cmd_args_release(&args);
	}
	buf_release(&text);
}

static void last_value_wins(void **state)
{
	struct err err = ERR_INIT;
	struct cmd_args args;
	enum cli_wish wish;
	struct cli cli;

	(void)state;
	parse("import p a --as x --as y --dry-run", &cli, &args, &wish, OK, &err);
	assert_string_equal(cmd_option(&args, "as"), "y");
	assert_string_equal(cmd_option_at(&args, "as", 0), "x");
	assert_null(cmd_option_at(&args, "as", 2));
	assert_string_equal(cmd_option(&args, "dry-run"), "");
	assert_null(cmd_option(&args, "model"));
	cmd_args_release(&args);
}

static void wishes(void **state)
{
	static const struct {
		const char *line, *command;
		enum cli_wish wish;
	} rows[] = {
	    {"--help", NULL, CLI_HELP},           {"import --help", "import", CLI_HELP},
	    {"--help info", "info", CLI_HELP},    {"--version", NULL, CLI_VERSION},
	    {"x.qualm --help", "open", CLI_HELP},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct err err = ERR_INIT;
		struct cmd_args args;
		enum cli_wish wish;
		struct cli cli;

		parse(rows[i].line, &cli, &args, &wish, OK, &err);
		assert_int_equal(wish, rows[i].wish);
		assert_same(args.command ? args.command->name : NULL, rows[i].command);
		cmd_args_release(&args);
	}
}

static void refusals(void **state)
{
	static const struct {
		const char *line, *says;
	} rows[] = {
	    {"", "what shall be opened"},
	    {"import p a --dryrun", "did you mean --dry-run?"},
	    {"import p a --datset d", "did you mean --dataset?"},
	    {"info p --formt json", "did you mean --format?"},
	    {"info p --zzzzzzzz", "there is no option --zzzzzzzz; qualm info --help"},
	    {"import p a --as", "--as needs a value: FORMAT"},
	    {"import p a --dry-run=yes", "takes no value"},
	    {"info p -x", "there is no option -x"},
	    {"info p --dry-run", "there is no option --dry-run"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct err err = ERR_INIT;
		struct cmd_args args;
		enum cli_wish wish;
		struct cli cli;

		parse(rows[i].line, &cli, &args, &wish, E_USAGE, &err);
		if (!strstr(err.msg, rows[i].says))
			fail_msg("\"%s\" says: %s", rows[i].line, err.msg);
		cmd_args_release(&args);
	}
}

static void nearest_words(void **state)
{
	static const struct {
		const char *word, *candidates[4], *want;
	} rows[] = {
	    {"inof", {"import", "info", "open"}, "info"},
	    {"imp", {"info", "import", "open"}, "import"},
	    {"iport", {"info", "import"}, "import"},
	    {"dmeo", {"demo", "open"}, "demo"},
	    {"xyz", {"demo", "open", "info"}, NULL},
	    {"", {"demo"}, NULL},
	    {"a-very-long-word-that-is-longer-than-any-command", {"demo"}, NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct nearest near = {.word = str_z(rows[i].word)};

		for (int k = 0; k < 4 && rows[i].candidates[k]; k++)
			nearest_offer(&near, rows[i].candidates[k]);
		assert_same(near.best, rows[i].want);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(commands_are_told),
	    cmocka_unit_test(options_are_told),
	    cmocka_unit_test(rooms_are_told),
	    cmocka_unit_test(keys_are_told),
	    cmocka_unit_test(modes_are_told),
	    cmocka_unit_test(groups_stand_together),
	    cmocka_unit_test(readers_are_told),
	    cmocka_unit_test(options_are_one_shape),
	    cmocka_unit_test(schema_is_told),
	    cmocka_unit_test(parses),
	    cmocka_unit_test(last_value_wins),
	    cmocka_unit_test(wishes),
	    cmocka_unit_test(refusals),
	    cmocka_unit_test(nearest_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
