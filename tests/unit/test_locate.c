/* Pictures below a folder, derived facets, models from paths, reports. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/reader/locate.h"
#include "core/reader/parrott.h"
#include "tests/unit/lib_readers.h"

#define BYTES(lit) {(lit), sizeof(lit) - 1}

static const char *const tree_files[] = {
    "a.jpg", "sub/b.JPG", "sub/MatrixFaces1.jpg", "one/same.png", "two/same.png", "sub/x.jpg",
    "sub/x.png", "deep/er/n01440764_tench.jpg", "key7.png",
};

static char *make_folder(void)
{
	char *root = xstrdup("/tmp/qualm-locate-XXXXXX");
	char *path;

	assert_non_null(mkdtemp(root));
	for (size_t i = 0; i < COUNT(tree_files); i++) {
		FILE *f;

		path = xasprintf("%s/%s", root, tree_files[i]);
		for (char *p = path + strlen(root) + 1; (p = strchr(p, '/')) != NULL; p++) {
			*p = '\0';
			mkdir(path, 0700);
			*p = '/';
		}
		f = fopen(path, "w");
		assert_non_null(f);
		fclose(f);
		free(path);
	}
	path = xasprintf("%s/outside.jpg", root);
	assert_int_equal(symlink("/etc/passwd", path), 0);
	free(path);
	path = xasprintf("%s/inside.jpg", root);
	assert_int_equal(symlink("a.jpg", path), 0);
	free(path);
	path = xasprintf("%s/loop", root);
	assert_int_equal(symlink(".", path), 0);
	free(path);
	return root;
}

static void remove_folder(char *root)
{
	static const char *const more[] = {"outside.jpg", "inside.jpg", "loop", "sub", "one", "two",
					   "deep/er", "deep", ""};

	for (size_t i = 0; i < COUNT(tree_files) + COUNT(more); i++) {
		const char *name =
		    i < COUNT(tree_files) ? tree_files[i] : more[i - COUNT(tree_files)];
		char *path = xasprintf("%s/%s", root, name);

		assert_int_equal(remove(path), 0);
		free(path);
	}
	free(root);
}

static const struct {
	const char *path, *key;
	enum located how;
	const char *found;
} look_ups[] = {
    {"a.jpg", "k", LOCATED_PATH, "a.jpg"},
    {"./sub\\b.JPG", "k", LOCATED_PATH, "sub/b.JPG"},
    {"ROOT/sub/b.JPG", "k", LOCATED_PATH, "sub/b.JPG"},
    {"one/same.png", "k", LOCATED_PATH, "one/same.png"},
    {"", "sub/b.JPG", LOCATED_KEY, "sub/b.JPG"},
    {"zzz.png", "key7.png", LOCATED_KEY, "key7.png"},
    {"images/b.JPG", "k", LOCATED_BASE, "sub/b.JPG"},
    {"images/B.jpg", "k", LOCATED_FOLDED, "sub/b.JPG"},
    {"MatrixFaces1", "k", LOCATED_STEM, "sub/MatrixFaces1.jpg"},
    {"matrixfaces1.bmp", "k", LOCATED_STEM, "sub/MatrixFaces1.jpg"},
    {"", "key7", LOCATED_STEM, "key7.png"},
    {"", "n01440764_tench", LOCATED_STEM, "deep/er/n01440764_tench.jpg"},
    {"same.png", "k", LOCATED_AMBIGUOUS, NULL},
    {"x", "k", LOCATED_AMBIGUOUS, NULL},
    {"nothing.jpg", "k", LOCATED_NOT, NULL},
    {"", "", LOCATED_NOT, NULL},
    {"outside.jpg", "k", LOCATED_NOT, NULL},
    {"inside.jpg", "k", LOCATED_PATH, "inside.jpg"},
    {"loop/a.jpg", "", LOCATED_BASE, "a.jpg"},
};

static void finds_files(void **state)
{
	char *root = make_folder();
	struct err err = ERR_INIT;
	struct locate *l = locate_new(root, NULL, &err);

	(void)state;
	assert_non_null(l);
	for (size_t i = 0; i < COUNT(look_ups); i++) {
		const char *in = look_ups[i].path;
		char *path = strncmp(in, "ROOT", 4) == 0 ? xasprintf("%s%s", root, in + 4)
							 : xstrdup(in);
		struct str found;
		enum located how = locate_find(l, str_z(path), str_z(look_ups[i].key), &found);

		if (how != look_ups[i].how)
			fail_msg("%s, %s: %s", in, look_ups[i].key, located_word(how));
		assert_true(look_ups[i].found ? str_eqz(found, look_ups[i].found) : !found.p);
		free(path);
	}
	locate_free(l);
	remove_folder(root);
}

static void counts_how_each_was_found(void **state)
{
	static const struct str bytes =
	    BYTES("{\"id\":\"1\",\"image\":\"a.jpg\"}\n{\"id\":\"2\",\"image\":\"q/B.jpg\"}\n"
		  "{\"id\":\"3\",\"image\":\"same.png\"}\n{\"id\":\"4\",\"image\":\"no.png\"}\n");
	char *root = make_folder();
	struct err err = ERR_INIT;
	struct locate *l = locate_new(root, NULL, &err);
	struct read_options opt = {0};
	struct sink_log log;
	struct report report;

	(void)state;
	sink_log_init(&log);
	report_init(&report, "a.jsonl", NULL);
	assert_int_equal(read_bytes("a.jsonl", bytes, &opt, locate_sink(l, &log.sink, &report),
				    &report, NULL, &err), OK);
	assert_string_equal(
	    buf_cstr(&log.text),
	    "sample key=1 media=image path=a.jpg creates declares\n"
	    "sample key=2 media=image path=sub/b.JPG creates declares\n"
	    "sample key=3 media=image path=same.png creates declares\n"
	    "sample key=4 media=image path=no.png creates declares\n");
	assert_int_equal(report.located[LOCATED_PATH], 1);
	assert_int_equal(report.located[LOCATED_FOLDED], 1);
	assert_int_equal(report.located[LOCATED_AMBIGUOUS], 1);
	assert_int_equal(report.located[LOCATED_NOT], 1);
	assert_int_equal(report.problems[PROBLEM_WARNING], 2);
	report_release(&report);
	sink_log_release(&log);
	locate_free(l);
	remove_folder(root);
}

/* Answers name no picture, as a rule: the sample's own row did. */
static void answers_need_no_picture(void **state)
{
	static const struct str bytes =
	    BYTES("{\"id\":\"a\",\"model\":\"m\",\"prediction\":\"cat\"}\n"
		  "{\"id\":\"s17\",\"model\":\"m\",\"prediction\":\"dog\"}\n"
		  "{\"id\":\"s18\",\"model\":\"m\",\"prediction\":\"dog\",\"image\":\"no.png\"}\n");
	char *root = make_folder();
	struct err err = ERR_INIT;
	struct locate *l = locate_new(root, NULL, &err);
	struct read_options opt = {.images = str_z(root)};
	struct sink_log log;
	struct report report;

	(void)state;
	sink_log_init(&log);
	report_init(&report, "p.jsonl", NULL);
	assert_int_equal(read_bytes("p.jsonl", bytes, &opt, locate_sink(l, &log.sink, &report),
				    &report, NULL, &err), OK);
	assert_int_equal(report.located[LOCATED_STEM], 1); /* a.jpg, by the key */
	assert_int_equal(report.located[LOCATED_NOT], 1);  /* no.png, which was named */
	assert_int_equal(report.problems[PROBLEM_WARNING], 1);
	report_release(&report);
	sink_log_release(&log);
	locate_free(l);
	remove_folder(root);
}

static void a_missing_folder_is_an_error(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	assert_null(locate_new("/nonexistent/folder", NULL, &err));
	assert_int_equal(err.code, E_IO);
}

static void derives_facets(void **state)
{
	static const struct mapping rules[] = {{BYTES("generator"), BYTES("^([^_]+)_")},
					       {BYTES("digits"), BYTES("[0-9]+")},
					       {BYTES("never"), BYTES("^zzz")}};
	static const struct str bytes = BYTES("{\"id\":\"sd_12\",\"pred\":\"a\"}\n"
					      "{\"id\":\"x\",\"image\":\"d/mj_7.png\",\"pred\":\"b\"}\n");
	struct err err = ERR_INIT;
	struct derive *d = derive_new(rules, COUNT(rules), &err);
	struct read_options opt = {0};
	struct sink_log log;
	struct report report;

	(void)state;
	assert_non_null(d);
	sink_log_init(&log);
	report_init(&report, "m.jsonl", NULL);
	assert_int_equal(read_bytes("m.jsonl", bytes, &opt, derive_sink(d, &log.sink), &report, NULL,
				    &err), OK);
	assert_string_equal(
	    buf_cstr(&log.text),
	    "run 0 model=m\n"
	    "prediction 0 key=sd_12 raw=a answered(=a) of key=sd_12 media=none "
	    "facet:generator=sd facet:digits=12 creates\n"
	    "prediction 0 key=x raw=b answered(=b) of key=x media=image path=d/mj_7.png "
	    "facet:generator=mj facet:digits=7 creates\n");
	report_release(&report);
	sink_log_release(&log);
	derive_free(d);
}

static void a_bad_regex_is_a_usage_error(void **state)
{
	static const struct mapping rule = {BYTES("g"), BYTES("(")};
	struct err err = ERR_INIT;

	(void)state;
	assert_null(derive_new(&rule, 1, &err));
	assert_int_equal(err.code, E_USAGE);
	assert_non_null(strstr(err.msg, "--facet g=("));
}

static const struct {
	const char *path, *model;
} models[] = {
    {"pred-mobilenet_v1_0.25_128_quant.jsonl", "mobilenet_v1_0.25_128_quant"},
    {"d/predictions_gpt-4o.json", "gpt-4o"},
    {"d/gpt-4o_predictions.csv", "gpt-4o"},
    {"out/qwen/MVEI_predict.json", "qwen"},
    {"out/qwen/predictions/MVEI_predict.json", "qwen"},
    {"qwen/results.json", "qwen"},
    {"results.json", "model"},
    {"-", "model"},
    {"", "model"},
    {"/results.json", "model"},
    {"predator.json", "predator"},
    {"d/gpt-4_vision_.csv", "gpt-4_vision"},
    {"d/gpt-4_vision__results.csv", "gpt-4_vision"},
    {"d/_gpt-4_ .csv", "gpt-4"},
    {"d/__.csv", "__"},
};

static void models_from_paths(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(models); i++) {
		struct str model = reader_model_from_path(str_z(models[i].path));

		if (!str_eqz(model, models[i].model))
			fail_msg("%s: %.*s", models[i].path, STR_ARG(model));
	}
}

static void reports_are_clean_and_short(void **state)
{
	struct report r;
	char *all = NULL;
	size_t n = 0;
	FILE *errors = open_memstream(&all, &n);

	(void)state;
	report_init(&r, "f", errors);
	for (unsigned i = 0; i < REPORT_EXAMPLES + 2; i++)
		report_add(&r, PROBLEM_SKIPPED, (struct src){i, 10}, "a\x1b[31m", "b\n%c", 'c');
	report_add(&r, PROBLEM_UNMATCHED, (struct src){7, 8}, "", "no %s", "sample");
	fclose(errors);
	assert_int_equal(r.problems[PROBLEM_SKIPPED], REPORT_EXAMPLES + 2);
	assert_int_equal(r.examples.n, REPORT_EXAMPLES + 1);
	assert_string_equal(r.examples.v[0].text, "a\xef\xbf\xbd[31m: b c");
	assert_null(memchr(all, 0x1b, n));
	assert_non_null(strstr(all, "f:6:10: a"));
	assert_non_null(strstr(all, "f:7:8: unmatched: no sample\n"));
	assert_false(report_changed(&r));
	report_note(&r, "%d", 3);
	assert_string_equal(r.notes.v[0], "3");
	report_release(&r);
	free(all);
}

static void parrott_words(void **state)
{
	static const struct {
		const char *word;
		enum parrott_level level;
		const char *primary, *secondary;
	} words[] = {
	    {"Anger", PARROTT_TERTIARY, "anger", "rage"},
	    {"longing", PARROTT_TERTIARY, "love", "longing"},
	    {"lust", PARROTT_IN_SECONDARY, "love", "lust"},
	    {"sadness", PARROTT_IN_SECONDARY, "sadness", "sadness"},
	    {"love", PARROTT_PRIMARY, "love", NULL},
	    {"tranquility", PARROTT_NONE, NULL, NULL},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(words); i++) {
		struct str primary = STR_NONE, secondary = STR_NONE;

		assert_int_equal(parrott_find(str_z(words[i].word), &primary, &secondary),
				 words[i].level);
		assert_true(str_eq(primary, str_z(words[i].primary)));
		assert_true(str_eq(secondary, str_z(words[i].secondary)));
	}
}

/* The line scanner and the parser behind it must see the same row. An escape in a key is what
 * the scanner refuses. */
static void both_gears_agree(void **state)
{
	static const char *const rest[] = {
	    "\"label\":\"x\"", "\"label\":[ 1, \"a\" ],\"n\":12.50", "\"label\":null,\"n\":1e2",
	    "\"image\":\"a\\\\b.png\",\"t\":\"\\u00e9\\n\",\"o\":{ \"a\" : [1.0] }",
	    "\"label\":\"x\",\"label\":\"y\"", "\"n\":-0.0,\"m\":123456789012345678901234567890",
	    "\"b\":true,\"c\":false,\"pred\":\"q\",\"score\":0.1",
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rest); i++) {
		struct read_options opt = {0};
		struct sink_log log[2];

		for (int gear = 0; gear < 2; gear++) {
			char *line = xasprintf("{\"%s\":\"k\",%s}\n", gear ? "\\u0069d" : "id",
					       rest[i]);
			struct report report;
			struct err err = ERR_INIT;

			sink_log_init(&log[gear]);
			report_init(&report, "m.jsonl", NULL);
			opt.as = STR("generic");
			if (read_bytes("m.jsonl", str_z(line), &opt, &log[gear].sink, &report, NULL,
				       &err))
				fail_msg("%s: %s", line, err.msg);
			report_release(&report);
			free(line);
		}
		assert_true(log[0].text.n > 0);
		assert_string_equal(buf_cstr(&log[0].text), buf_cstr(&log[1].text));
		sink_log_release(&log[0]);
		sink_log_release(&log[1]);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(finds_files),
	    cmocka_unit_test(counts_how_each_was_found),
	    cmocka_unit_test(answers_need_no_picture),
	    cmocka_unit_test(a_missing_folder_is_an_error),
	    cmocka_unit_test(derives_facets),
	    cmocka_unit_test(a_bad_regex_is_a_usage_error),
	    cmocka_unit_test(models_from_paths),
	    cmocka_unit_test(reports_are_clean_and_short),
	    cmocka_unit_test(parrott_words),
	    cmocka_unit_test(both_gears_agree),
	};

	return cmocka_run_group_tests_name("locate, derive, reports", tests, NULL, NULL);
}
