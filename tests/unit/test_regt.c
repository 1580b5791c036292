/*
 * The ReGT table, golden: 31,250 samples with the categories of its Table 2 and five runs that
 * are as right as its Table 3 has them, written as files, imported, reported. What is reported is
 * compared with the published columns, and recounted, cell by cell, by a script in another language
 * that reads the same files; again after 500 edits.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "core/base/xmalloc.h"
#include "core/report/report.h"
#include "db/search.h"
#include "tests/unit/lib_project.h"
#include "tests/unit/lib_regt.h"
#include "tui/report_print.h"

#define EDITS 500

struct opened {
	struct conn *c;
	struct snapshot *snap;
	struct search *search;
};

static struct opened open_project(const char *project)
{
	struct opened o = {.c = project_open(project, CONN_READ)};
	struct err err = ERR_INIT;

	if (snapshot_load(o.c, "regt", &o.snap, &err) != OK || search_new(&o.search, o.c, o.snap, &err) != OK)
		fail_msg("%s", err.msg);
	return o;
}

static void close_project(struct opened *o)
{
	search_free(o->search);
	snapshot_free(o->snap);
	conn_close(o->c);
}

static struct table make_table(const struct opened *o, const char *lens_text, const char *by, bool layer_run)
{
	struct lens lens = lens_default(o->snap);
	struct err err = ERR_INIT;
	int runs[REGT_MODELS], run;
	struct report_ctx ctx = {.snap = o->snap, .lens = &lens, .runs = runs, .n_runs = REGT_MODELS,
				 .by = str_z(by), .source = search_source(o->search)};
	struct table t = {0};

	assert_int_equal(o->snap->n_runs, REGT_MODELS);
	for (int m = 0; m < REGT_MODELS; m++)
		runs[m] = m;
	if (layer_run) {
		run = snapshot_run(o->snap, STR("layer:original"));
		ctx.runs = &run;
		ctx.n_runs = 1;
	}
	if (lens_parse(&lens, o->snap, str_z(lens_text), &err) != OK ||
	    report_find(STR("accuracy"))->make(&ctx, &t, &err) != OK)
		fail_msg("%s", err.msg);
	return t;
}

static FILE *create(const char *folder, const char *name)
{
	char *path = project_file(folder, name);
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	free(path);
	return f;
}

static double cell(const struct table *t, const char *run, const char *group, const char *layer,
		   const char *column)
{
	int at = table_find(t, str_z(column));

	assert_true(at >= 0);
	for (size_t r = 0; r < table_rows(t); r++)
		if (strcmp(table_look(t, r, (size_t)table_find(t, STR("run")))->text, run) == 0 &&
		    strcmp(table_look(t, r, (size_t)table_find(t, STR("group")))->text, group) == 0 &&
		    strcmp(table_look(t, r, (size_t)table_find(t, STR("layer")))->text, layer) == 0)
			return table_look(t, r, (size_t)at)->number;
	fail_msg("there is no row %s, %s, %s", run, group, layer);
	return NAN;
}

#define PAPER "layer=reannotated,original=original,equiv=on,n=right"

static void has_published_columns(void **state)
{
	const char *folder = *state;
	char *project = project_file(folder, "p.qualm");
	struct opened o = open_project(project);
	struct table t = make_table(&o, PAPER, "", false), layer = make_table(&o, PAPER, "", true);

	for (int m = 0; m < REGT_MODELS; m++) {
		const struct regt_model *want = &regt_models[m];
		char *run = xasprintf("%s/%s", want->name, strcmp(want->protocol, "OW") ? "cw+" : "ow");
		const struct { const char *group, *layer; double percent; } column[] = {
		    {"all", "original", want->original}, {"all", "reannotated", want->a},
		    {"S", "reannotated", want->s},       {"S+", "reannotated", want->sp},
		    {"S-", "reannotated", want->sm},     {"M", "reannotated", want->m},
		    {"M+", "reannotated", want->mp},     {"M-", "reannotated", want->mm},
		    {"all", "original+reannotated", want->both},
		};

		for (size_t k = 0; k < sizeof column / sizeof *column; k++) {
			double got = cell(&t, run, column[k].group, column[k].layer, "accuracy") * 100;

			if (fabs(got - column[k].percent) > 0.02)
				fail_msg("%s %s %s: %.3f, published %.2f", run, column[k].group,
					 column[k].layer, got, column[k].percent);
		}
		assert_int_equal(cell(&t, run, "all", "reannotated", "rank"), REGT_MODELS - m);
		assert_true(fabs(cell(&t, run, "all", "reannotated", "delta") * 100 - (want->a - want->original)) < 0.03);
		free(run);
	}
	for (int k = 0; k < REGT_KINDS; k++) {
		static const char *const name[] = {"S+", "S-", "M+", "M-", "N"};

		assert_int_equal(cell(&t, "gpt-4o/cw+", name[k], "reannotated", "n"), regt_n_of[k]);
		assert_true(fabs(cell(&t, "gpt-4o/cw+", name[k], "reannotated", "oop") * 100 - regt_models[4].oop[k]) < 0.06);
	}
	/* the original label as the predictor: 91.20 */
	assert_int_equal(cell(&layer, "layer:original", "all", "reannotated", "right"), 16177 + 10756 + 1345 + 222);
	table_release(&t);
	table_release(&layer);
	close_project(&o);
	free(project);
}

/* --- counted again, elsewhere --- */

static void print_table(const struct opened *o, const char *folder, const char *policy, bool equiv, bool batch)
{
	char *lens = xasprintf("layer=reannotated,original=original,equiv=%s,n=%s", equiv ? "on" : "off", policy);
	char *name = xasprintf("table-%s-%s%s.csv", policy, equiv ? "on" : "off", batch ? "-batch" : "");
	const struct report_style style = {.digits = -1};
	struct table t = make_table(o, lens, batch ? "batch" : "", false);
	struct err err = ERR_INIT;
	FILE *f = create(folder, name);

	if (report_print(&t, report_format_find(STR("csv")), &style, f, &err) != OK)
		fail_msg("%s", err.msg);
	fclose(f);
	table_release(&t);
	free(lens);
	free(name);
}

/* The script's exit status; 127: there is no python3. */
static int recount(const char *folder)
{
	pid_t pid = fork();
	int status = 0;

	assert_true(pid >= 0);
	if (pid == 0) {
		execlp("python3", "python3", "tests/unit/regt_recount.py", folder, (char *)NULL);
		_exit(127);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void check_every_cell(const char *folder, const char *project_name, bool all)
{
	char *project = project_file(folder, project_name);
	struct opened o = open_project(project);
	int status;

	print_table(&o, folder, "right", true, false);
	if (all)
		print_table(&o, folder, "exclude", false, false);
	print_table(&o, folder, "right", true, true);
	close_project(&o);
	free(project);
	status = recount(folder);
	if (status == 127) {
		print_message("there is no python3: the cells are not recounted\n");
		skip();
	}
	assert_int_equal(status, 0);
}

static void every_cell_is_what_a_script_counts(void **state)
{
	check_every_cell(*state, "p.qualm", true);
}

static void remove_table(const char *folder, const char *name)
{
	char *path = project_file(folder, name);

	unlink(path);
	free(path);
}

static void and_so_after_edits(void **state)
{
	const char *folder = *state;
	char *project = project_file(folder, "q.qualm");
	struct regt *c = regt_new();

	for (int k = 0; k < EDITS; k++)
		regt_edit(c);
	regt_write(c, folder);
	free(c);
	regt_import(folder, project);
	remove_table(folder, "table-exclude-off.csv");
	check_every_cell(folder, "q.qualm", false);
	free(project);
}

static int set_up(void **state)
{
	char *folder = project_folder(), *project = project_file(folder, "p.qualm");
	struct regt *c = regt_new();

	regt_write(c, folder);
	free(c);
	regt_import(folder, project);
	free(project);
	*state = folder;
	return 0;
}

static int tear_down(void **state)
{
	project_remove(*state);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(has_published_columns),
	    cmocka_unit_test(every_cell_is_what_a_script_counts),
	    cmocka_unit_test(and_so_after_edits),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
