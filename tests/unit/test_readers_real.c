/* The published files, when they are there: ${QUALM_DATA:-../shared/data}. */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "core/reader/parrott.h"
#include "core/text/archive.h"
#include "tests/unit/lib_sink.h"

static const char *data_folder(void)
{
	const char *set = getenv("QUALM_DATA");

	return set && *set ? set : "../shared/data";
}

/* Read a file below the data folder into a counting sink; skips the test when it is not there. */
static void read_real(const char *name, struct sink_log *log, struct report *report,
		      const char *reader)
{
	char *path = xasprintf("%s/%s", data_folder(), name);
	struct read_options opt = {0};
	const struct reader *used = NULL;
	struct err err = ERR_INIT;
	struct stat st;

	if (stat(path, &st) != 0) {
		free(path);
		skip();
	}
	report_init(report, name, NULL);
	if (read_path(path, &opt, &log->sink, report, &used, &err))
		fail_msg("%s: %s", name, err.msg);
	assert_string_equal(used->name, reader);
	free(path);
}

struct counted {
	const char *file, *reader;
	uint64_t rows, classes, pairs, trees, samples, runs, predictions, keys, skipped;
};

#define FACES "gpt4-facial-expressions/gpt4_image_responses_"

static const struct counted files[] = {
    {"api-transcripts/imagenet-mc4-mobilenet-v2.jsonl", "generic", 250, 0, 0, 0, 0, 1, 250, 250, 0},
    {"inspect-ai/log_images.json", "inspect", 1, 0, 0, 0, 0, 1, 1, 1, 0},
    {"inspect-ai/log_formats.json", "inspect", 1, 0, 0, 0, 0, 1, 1, 1, 0},
    {"inspect-ai/log_formats.eval", "inspect", 1, 0, 0, 0, 0, 1, 1, 1, 0},
    {"gpt4-facial-expressions/SingleFace_answers.csv", "faces", 210, 0, 0, 0, 210, 0, 0, 210, 0},
    {FACES "single_upright_single_exp.csv", "faces", 211, 0, 0, 0, 0, 1, 211, 211, 0},
    {FACES "matrix_inverted_matrix_noExp.csv", "faces", 20, 0, 0, 0, 0, 1, 20, 20, 0},
    {"imagenet-class-files/imagenet_1k_names.tsv", "classes", 1000, 1000, 0, 0, 0, 0, 0, 0, 0},
    {"imagenet-class-files/imagenet_class_index.ilsvrc-1based.json", "classes", 1000, 1000, 0, 0,
     0, 0, 0, 0, 0},
    {"imagenet-class-files/map_clsloc.txt", "classes", 1000, 1000, 0, 0, 0, 0, 0, 0, 0},
    {"imagenet-sample/classes.json", "classes", 1000, 1000, 0, 0, 0, 0, 0, 0, 0},
    {"imagenet-simple-labels/imagenet-simple-labels.json", "classes", 1000, 1000, 0, 0, 0, 0, 0, 0,
     0},
    {"openai-clip/imagenet_classes_openai.txt", "classes", 1000, 1000, 0, 0, 0, 0, 0, 0, 0},
    {"imagenet-class-files/ILSVRC2012_validation_ground_truth.txt", "devkit", 50000, 0, 0, 0,
     50000, 0, 0, 50000, 0},
    {"imagenet-real/real.json", "real", 50000, 0, 0, 0, 50000, 0, 0, 50000, 0},
    {"regt-paper/equivalent_pairs.tsv", "pairs", 12, 0, 12, 0, 0, 0, 0, 0, 0},
    /* 6 + 25 + 113 words, of which 10 stand on two levels. */
    {"parrott/parrott_6_25_113.tsv", "tree", 113, 0, 0, 134, 0, 0, 0, 0, 0},
    {"gpt4-facial-expressions/final_results.csv", "faces", 912, 0, 0, 0, 0, 4, 912, 228, 0},
    {"imagenet-sample/items.jsonl", "generic", 1000, 1000, 0, 0, 1000, 0, 0, 1000, 0},
    {"imagenet-sample/pred-mobilenet_v1_0.25_128_quant.jsonl", "generic", 1000, 0, 0, 0, 0, 1, 1000,
     1000, 0},
    {"imagenet-sample/pred-mobilenet_v2_1.0_224_quant.jsonl", "generic", 1000, 0, 0, 0, 0, 1, 1000,
     1000, 0},
};

static void reads_every_row(void **state)
{
	const struct counted *c = *state;
	struct sink_log log;
	struct report report;

	if (str_ends(str_z(c->file), STR(".eval")) && !archive_library())
		skip();
	sink_log_init(&log);
	log.quiet = true;
	read_real(c->file, &log, &report, c->reader);
	assert_int_equal(report.rows, c->rows);
	assert_int_equal(log.classes, c->classes);
	assert_int_equal(log.pairs, c->pairs);
	assert_int_equal(log.trees, c->trees);
	assert_int_equal(log.samples, c->samples);
	assert_int_equal(log.runs, c->runs);
	assert_int_equal(log.predictions, c->predictions);
	assert_int_equal(log.keys.keys.n, c->keys);
	assert_int_equal(report.problems[PROBLEM_SKIPPED], c->skipped);
	report_release(&report);
	sink_log_release(&log);
}

static void faces_are_four_runs(void **state)
{
	static const char *const handles[] = {"upright-explanation", "upright-no_explanation",
					      "inverted-explanation", "inverted-no_explanation"};
	struct sink_log log;
	struct report report;

	(void)state;
	sink_log_init(&log);
	log.quiet = true;
	read_real("gpt4-facial-expressions/final_results.csv", &log, &report, "faces");
	for (size_t i = 0; i < 4; i++) {
		uint32_t run = intern_find(&log.handles, str_z(handles[i]));

		assert_int_not_equal(run, INTERN_NONE);
		assert_int_equal(log.of_run.v[run], 228);
	}
	assert_int_equal(log.outcomes[OUTCOME_ANSWERED], 912);
	report_release(&report);
	sink_log_release(&log);
}

/* One row as it was read, far from the first one. */
static void positions_become_keys(void **state)
{
	static const struct {
		const char *file, *reader, *line;
	} cases[] = {
	    {"imagenet-class-files/ILSVRC2012_validation_ground_truth.txt", "devkit",
	     "sample key=ILSVRC2012_val_00000001 media=image truth=original(@490) creates declares\n"},
	    {"imagenet-class-files/ILSVRC2012_validation_ground_truth.txt", "devkit",
	     "sample key=ILSVRC2012_val_00050000 "},
	    {"imagenet-real/real.json", "real",
	     "sample key=ILSVRC2012_val_00000001 media=image truth=reannotated() creates declares\n"
	     "sample key=ILSVRC2012_val_00000002 media=image truth=reannotated(#970: #795:) "
	     "creates declares\n"},
	    {"imagenet-real/real.json", "real", "sample key=ILSVRC2012_val_00050000 "},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct sink_log log;
		struct report report;

		sink_log_init(&log);
		read_real(cases[i].file, &log, &report, cases[i].reader);
		if (str_find(buf_view(&log.text), str_z(cases[i].line)) == SIZE_MAX)
			fail_msg("not there: %s", cases[i].line);
		assert_int_equal(report.notes.n, 0);
		report_release(&report);
		sink_log_release(&log);
	}
}

static void mme_has_6500_samples(void **state)
{
	static const char pattern[] = "/mme-emotion/MME-Emotion-Dataset/*/question/*.json";
	char *path = xasprintf("%s%s", data_folder(), pattern);
	struct sink_log log;
	struct report report;
	size_t warnings = 0;
	glob_t found;

	(void)state;
	if (glob(path, 0, NULL, &found) != 0) {
		free(path);
		skip();
	}
	sink_log_init(&log);
	log.quiet = true;
	for (size_t i = 0; i < found.gl_pathc; i++) {
		const char *name = found.gl_pathv[i] + strlen(data_folder()) + 1;

		read_real(name, &log, &report, "mme");
		assert_int_equal(report.problems[PROBLEM_SKIPPED], 0);
		warnings += report.problems[PROBLEM_WARNING];
		report_release(&report);
	}
	assert_int_equal(found.gl_pathc, 8);
	assert_int_equal(log.samples, 6500);
	assert_int_equal(log.keys.keys.n, 6500);
	assert_int_equal(warnings, 0);
	globfree(&found);
	free(path);
	sink_log_release(&log);
}

/* The numbers of the devkit are resolved through the class table: both must agree on wnids. */
static void the_two_class_files_agree(void **state)
{
	struct sink_log table, json;
	struct report report;
	struct str line, rest;
	size_t n = 0;

	(void)state;
	sink_log_init(&table);
	sink_log_init(&json);
	read_real("imagenet-class-files/imagenet_1k_names.tsv", &table, &report, "classes");
	report_release(&report);
	read_real("imagenet-class-files/imagenet_class_index.ilsvrc-1based.json", &json, &report,
		  "classes");
	report_release(&report);
	for (rest = buf_view(&json.text); rest.p && rest.n; n++) {
		struct str start, code;
		struct buf want = BUF_INIT;
		size_t at;

		rest = str_cut(rest, '\n', &line);
		at = str_find(line, STR(" name="));
		start = (struct str){line.p, at};
		code = (struct str){line.p + str_find(line, STR(" code=")), 0};
		code.n = line.n - (size_t)(code.p - line.p);
		/* "class 151 wnid=n02085620 name=" … " code=…" stand in the table's line too. */
		buf_str(&want, start);
		at = str_find(buf_view(&table.text), buf_view(&want));
		assert_true(at != SIZE_MAX);
		str_cut((struct str){table.text.p + at, table.text.n - at}, '\n', &line);
		assert_true(str_ends(line, code));
		buf_release(&want);
	}
	assert_int_equal(n, 1000);
	sink_log_release(&table);
	sink_log_release(&json);
}

static void parrott_is_as_published(void **state)
{
	struct sink_log file, compiled;
	struct report report;
	struct err err = ERR_INIT;
	struct str rest, line;

	(void)state;
	sink_log_init(&file);
	sink_log_init(&compiled);
	read_real("parrott/parrott_6_25_113.tsv", &file, &report, "tree");
	assert_int_equal(parrott_send(&compiled.sink, STR("emotion"), &err), OK);
	assert_int_equal(compiled.trees, file.trees);
	for (rest = buf_view(&compiled.text); rest.n;) {
		struct buf whole = BUF_INIT;

		rest = str_cut(rest, '\n', &line);
		buf_str(&whole, line);
		buf_ch(&whole, '\n');
		if (str_find(buf_view(&file.text), buf_view(&whole)) == SIZE_MAX)
			fail_msg("not in the file: %.*s", STR_ARG(line));
		buf_release(&whole);
	}
	report_release(&report);
	sink_log_release(&file);
	sink_log_release(&compiled);
}

int main(void)
{
	enum { N = sizeof files / sizeof *files };
	struct CMUnitTest tests[N + 5] = {{0}};
	size_t n = 0;

	for (size_t i = 0; i < N; i++)
		tests[n++] = (struct CMUnitTest){"reads_every_row", reads_every_row, NULL, NULL,
						 (void *)&files[i]};
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(faces_are_four_runs);
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(positions_become_keys);
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(mme_has_6500_samples);
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(the_two_class_files_agree);
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(parrott_is_as_published);
	return _cmocka_run_group_tests("readers on published files", tests, n, NULL, NULL);
}
