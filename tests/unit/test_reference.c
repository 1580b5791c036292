/* Figures of people and papers: read, kept, and shown below the runs. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "tests/unit/lib_readers.h"
#include "tests/unit/lib_store.h"

#define BYTES(lit) {(lit), sizeof(lit) - 1}

static const struct reader_case cases[] = {
    {.name = "percent, groups, layers, a task that is a part of the name",
     .file = "accuracy.csv",
     .bytes = BYTES("model,task,A_original,A_reannotated,S+,right_under_both\n"
		    "GPT,CW+,76.40,82.36,86.12,72.79\nPali,OW,37.11,-,41.49,\n"),
     .reader = "reference",
     .want = "reference name=GPT CW+ group=all metric=accuracy@original value=0.764\n"
	     "reference name=GPT CW+ group=all metric=accuracy@reannotated value=0.8236\n"
	     "reference name=GPT CW+ group=S+ metric=accuracy value=0.8612\n"
	     "reference name=GPT CW+ group=all metric=accuracy@both value=0.7279\n"
	     "reference name=Pali OW group=all metric=accuracy@original value=0.3711\n"
	     "reference name=Pali OW group=S+ metric=accuracy value=0.4149\n"},
    {.name = "shares of generators are under what was asked for",
     .file = "gacc.csv",
     .bytes = BYTES("generator,HAP,SAD,All\nAPA,1.0000,0.5900,0.6967\n"),
     .reader = "reference",
     .want = "reference name=APA group=HAP metric=accuracy@prompt value=1\n"
	     "reference name=APA group=SAD metric=accuracy@prompt value=0.59\n"
	     "reference name=APA group=all metric=accuracy@prompt value=0.6967\n"},
    {.name = "measures by their names are no groups and no percent",
     .file = "m.csv",
     .bytes = BYTES("model,params,HAP,All,SRCC,RMSE\nGPT,7B,0.5,0.25,0.18,1.5\n"),
     .reader = "reference",
     .want = "reference name=GPT group=HAP metric=accuracy value=0.5\n"
	     "reference name=GPT group=all metric=accuracy value=0.25\n"
	     "reference name=GPT group=all metric=srcc value=0.18\n"
	     "reference name=GPT group=all metric=rmse value=1.5\n"},
    {.name = "several tasks of a model are groups",
     .file = "t.csv",
     .bytes = BYTES("task,model,llm_size,audio,avg_step,rec_s\nER-Lab,Q,7B,1,3.0,34.1\nSA,Q,7B,1,2.5,50\n"),
     .reader = "reference",
     .want = "reference name=Q group=ER-Lab metric=steps value=3\n"
	     "reference name=Q group=ER-Lab metric=rec_s value=0.341\n"
	     "reference name=Q group=SA metric=steps value=2.5\n"
	     "reference name=Q group=SA metric=rec_s value=0.5\n"},
    {.name = "the file's name says what groups hold",
     .file = "regt_oop_rate.csv",
     .bytes = BYTES("model,A,N\nGPT,5.3,16.4\n"),
     .reader = "reference",
     .want = "reference name=GPT group=all metric=oop value=0.053\n"
	     "reference name=GPT group=N metric=oop value=0.164\n"},
    {.name = "a row a figure",
     .file = "people.csv",
     .bytes = BYTES("model,group,metric,layer,value\nHuman average,scene context,accuracy,,95.3\n"
		    "Human average,total,accuracy,mine,91.6\nHuman average,,d_prime,,2.25\n"),
     .reader = "reference",
     .want = "reference name=Human average group=scene context metric=accuracy value=0.953\n"
	     "reference name=Human average group=all metric=accuracy@mine value=0.916\n"
	     "reference name=Human average group=all metric=d_prime value=2.25\n"},
    {.name = "a row a figure, as the manual has it",
     .file = "people.csv",
     .bytes = BYTES("name,group,metric,layer,value\nHuman average,scene context,accuracy,mine,95.3\n"),
     .reader = "reference",
     .want = "reference name=Human average group=scene context metric=accuracy@mine value=0.953\n"},
    {.name = "what is no number is told, what has no name left out",
     .file = "bad.csv",
     .bytes = BYTES("model,total\nGPT,many\n,0.5\nQ,0.75\n"),
     .reader = "reference",
     .want = "reference name=Q group=all metric=accuracy value=0.75\n",
     .problems = "warning 2:12 total: expected a number; it is left out\n"
		 "skipped 3:21 name: expected a name, got nothing\n"},
    {.name = "answers with their model are predictions all the same",
     .file = "p.csv",
     .bytes = BYTES("model,id,prediction\nm,1,joy\n"),
     .reader = "generic",
     .want = "run 0 model=m\nprediction 0 key=1 raw=joy answered(=joy) of key=1 media=none creates\n"},
};

static void reads(void **state)
{
	run_reader_case(*state);
}

/* --- kept --- */

static enum status import_text(const char *folder, const char *project, const char *name, const char *text,
			       const struct read_options *opt, struct err *err)
{
	char *path = project_file(folder, name);
	const char *const paths[] = {path};
	struct import_job job = {.project = project, .dataset = STR("d"), .paths = paths, .n_paths = 1};
	uint64_t problems;
	enum status st;
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	if (opt)
		job.options = *opt;
	st = import_run(&job, &problems, err);
	free(path);
	return st;
}

static const struct reference *find(const struct snapshot *s, const char *name, const char *group,
				    const char *metric)
{
	for (uint32_t k = 0; k < s->n_references; k++) {
		const struct reference *r = &s->references[k];

		if (strcmp(r->name, name) == 0 && strcmp(r->group, group) == 0 && strcmp(r->metric, metric) == 0)
			return r;
	}
	fail_msg("there is no figure %s, %s, %s", name, group, metric);
	return NULL;
}

static struct snapshot *load(const char *project)
{
	struct conn *c = project_open(project, CONN_READ);
	struct snapshot *s = must_load(c, "d");

	conn_close(c);
	return s;
}

/* The same figure again changes nothing; another value takes its place. */
static void are_kept_and_replaced(void **state)
{
	char *folder = project_folder(), *project = project_file(folder, "p.qualm");
	struct err err = ERR_INIT;
	struct snapshot *s;
	int64_t before;

	(void)state;
	assert_int_equal(import_text(folder, project, "s.jsonl", "{\"id\":1,\"label\":\"joy\"}\n", NULL, &err), OK);
	assert_int_equal(import_text(folder, project, "h.csv", "model,joy,total\nHuman,90,91.6\n", NULL, &err), OK);
	s = load(project);
	assert_int_equal(s->n_references, 2);
	assert_int_equal(s->n_runs, 0);
	assert_int_equal(s->n, 1);
	assert_true(find(s, "Human", "all", "accuracy")->value == 0.916);
	assert_string_equal(find(s, "Human", "joy", "accuracy")->source, "h.csv");
	before = s->generation;
	snapshot_free(s);
	assert_int_equal(import_text(folder, project, "h.csv", "model,joy,total\nHuman,90,91.6\n", NULL, &err), OK);
	s = load(project);
	assert_int_equal(s->generation, before);
	snapshot_free(s);
	assert_int_equal(import_text(folder, project, "h.csv", "model,joy,total\nHuman,89,91.6\n", NULL, &err), OK);
	s = load(project);
	assert_int_equal(s->n_references, 2);
	assert_true(find(s, "Human", "joy", "accuracy")->value == 0.89);
	assert_true(s->generation > before);
	snapshot_free(s);
	free(project);
	project_remove(folder);
}

static void maps_say_what_names_do_not(void **state)
{
	static const struct mapping share = {STR("unit"), STR("share")}, metric = {STR("metric"), STR("f1")},
				    wrong = {STR("metric"), STR("beauty")}, unit = {STR("unit"), STR("inch")};
	const struct read_options as_share = {.map = &share, .n_map = 1}, as_f1 = {.map = &metric, .n_map = 1},
				  bad = {.map = &wrong, .n_map = 1}, worse = {.map = &unit, .n_map = 1};
	static const char text[] = "model,joy\nHuman,2\n";
	char *folder = project_folder(), *project = project_file(folder, "p.qualm");
	struct err err = ERR_INIT;
	struct snapshot *s;

	(void)state;
	assert_int_equal(import_text(folder, project, "a.csv", text, &as_share, &err), OK);
	assert_int_equal(import_text(folder, project, "b.csv", text, &as_f1, &err), OK);
	assert_int_equal(import_text(folder, project, "c.csv", text, &bad, &err), E_USAGE);
	assert_non_null(strstr(err.msg, "metric=beauty"));
	assert_int_equal(import_text(folder, project, "d.csv", text, &worse, &err), E_USAGE);
	s = load(project);
	assert_int_equal(s->n_references, 2);
	assert_true(find(s, "Human", "joy", "accuracy")->value == 2);
	assert_true(find(s, "Human", "joy", "f1")->value == 0.02);
	snapshot_free(s);
	free(project);
	project_remove(folder);
}

int main(void)
{
	struct CMUnitTest tests[32] = {{0}};
	size_t n = add_reader_cases(tests, 0, reads, cases, COUNT(cases));

	tests[n++] = (struct CMUnitTest){.name = "are_kept_and_replaced", .test_func = are_kept_and_replaced};
	tests[n++] = (struct CMUnitTest){.name = "maps_say_what_names_do_not", .test_func = maps_say_what_names_do_not};
	return _cmocka_run_group_tests("reference rows", tests, n, NULL, NULL);
}
