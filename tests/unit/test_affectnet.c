/* AffectNet with an array a file: one picture, all of a folder, and what is wrong in it. */
#include <stdio.h>
#include <stdlib.h>

#include "core/base/path.h"
#include "core/reader/along.h"
#include "tests/unit/lib_project.h"
#include "tests/unit/lib_readers.h"

/* A text of so many characters, as an array of no dimension. */
static void put_text(const char *folder, const char *name, const char *text)
{
	struct buf header = BUF_INIT, out = BUF_INIT;

	buf_printf(&header, "{'descr': '<U%zu', 'fortran_order': False, 'shape': (), }\n", strlen(text));
	buf_z(&out, "\x93NUMPY\x01");
	buf_ch(&out, 0);
	buf_ch(&out, (char)header.n);
	buf_ch(&out, 0);
	buf_str(&out, buf_view(&header));
	for (; *text; text++)
		buf_put(&out, (const char[]){*text, 0, 0, 0}, 4);
	project_put(folder, name, buf_view(&out));
	buf_release(&header);
	buf_release(&out);
}

static char *make_folder(void)
{
	char *folder = project_folder();

	put_text(folder, "train_set/annotations/9_exp.npy", "1");
	put_text(folder, "train_set/annotations/9_val.npy", "0.5");
	put_text(folder, "train_set/annotations/9_aro.npy", "-2");
	project_put(folder, "train_set/annotations/9_lnd.npy", STR("landmarks are not looked at"));
	put_text(folder, "train_set/annotations/10_exp.npy", "11");
	put_text(folder, "train_set/annotations/10_val.npy", "3");
	put_text(folder, "train_set/annotations/11_val.npy", "-1");
	project_put(folder, "train_set/annotations/12_exp.npy", STR("\x93NUMPY"));
	project_put(folder, "train_set/annotations/notes_exp.txt", STR("x"));
	return folder;
}

static void read_it(const char *folder, const char *name, bool all, struct buf *lines, struct buf *problems)
{
	char *path = project_file(folder, name);
	struct read_options opt = {.folder = all};
	struct err err = ERR_INIT;
	struct sink_log log;
	const struct reader *used;
	struct report report;

	sink_log_init(&log);
	report_init(&report, "f", NULL);
	if (read_path(path, &opt, &log.sink, &report, &used, &err) != OK)
		fail_msg("%s", err.msg);
	assert_string_equal(used->name, "affectnet-npy");
	buf_str(lines, buf_view(&log.text));
	report_lines(&report, problems);
	for (size_t i = 0; i < report.notes.n; i++)
		buf_printf(problems, "note %s\n", report.notes.v[i]);
	report_release(&report);
	sink_log_release(&log);
	free(path);
}

static void one_and_all(void **state)
{
	static const char nine[] = "sample key=train_set/images/9.jpg media=image path=train_set/images/9.jpg "
				   "number:valence=0.5 facet:split=train truth=original(=happiness)";
	char *folder = make_folder();
	struct buf lines = BUF_INIT, problems = BUF_INIT;
	const char *at;

	(void)state;
	read_it(folder, "train_set/annotations/9_val.npy", false, &lines, &problems);
	assert_non_null(strstr(buf_cstr(&lines), nine));
	assert_null(strstr(buf_cstr(&lines), "10.jpg"));
	assert_int_equal(problems.n, 0);
	buf_clear(&lines);
	read_it(folder, "train_set/annotations/9_exp.npy", true, &lines, &problems);
	at = strstr(buf_cstr(&lines), nine);
	assert_non_null(at);
	at = strstr(at, "sample key=train_set/images/10.jpg media=image path=train_set/images/10.jpg "
			"facet:split=train creates");
	assert_non_null(at); /* 9 before 10 */
	at = strstr(at, "sample key=train_set/images/11.jpg media=image path=train_set/images/11.jpg "
			"number:valence=-1 facet:split=train creates");
	assert_non_null(at);
	assert_non_null(strstr(at, "sample key=train_set/images/12.jpg "));
	assert_null(strstr(at, "notes"));
	at = buf_cstr(&problems);
	assert_non_null(strstr(at, "expression: expected 0 to 10 for \"10\""));
	assert_non_null(strstr(at, "valence: expected a number of -1 to 1, or -2 for \"10\""));
	assert_non_null(strstr(at, "12_exp.npy: it is no array of NumPy"));
	assert_non_null(strstr(at, "note 3 of 4 pictures have no expression"));
	buf_release(&lines);
	buf_release(&problems);
	project_remove(folder);
}

/* A folder of them is one file of the plan; what is only called so stands alone. */
static void the_first_leads(void **state)
{
	static const struct {
		const char *path;
		enum along_as as;
	} want[] = {{"train_set/annotations/9_aro.npy", ALONG_LEADS}, {"train_set/annotations/9_exp.npy", ALONG_FOLLOWS},
		    {"train_set/annotations/9_lnd.npy", ALONG_FOLLOWS}, {"train_set/annotations/n.json", ALONG_ALONE},
		    {"other/9_exp.npy", ALONG_ALONE},		   {"other/9_lnd.npy", ALONG_ALONE}};
	char *folder = make_folder();
	struct along along = {.root = folder};

	(void)state;
	project_put(folder, "other/9_exp.npy", STR("no array"));
	for (size_t i = 0; i < COUNT(want); i++) {
		char *path = project_file(folder, want[i].path);
		const char *told;

		if (along_look(&along, path, &told) != want[i].as)
			fail_msg("%s: not %d", want[i].path, (int)want[i].as);
		assert_null(told);
		free(path);
	}
	along_release(&along);
	assert_false(along_is_array(STR("_exp.npy")));
	assert_false(along_is_array(STR("a/9_exp.npy")));
	project_remove(folder);
}

/* An array of another kind is told as what it is, not as a table. */
static void another_array(void **state)
{
	static const char bytes[] = "\x93NUMPY\x01\x00\x46\x00{'descr': '<f4', 'fortran_order': False, "
				    "'shape': (3,), }\n            ";
	char *folder = project_folder(), *path = project_file(folder, "logits.npy");
	struct read_options opt = {.folder = false};
	struct err err = ERR_INIT;
	const struct reader *used;
	struct report report;
	struct sink_log log;

	(void)state;
	project_put(folder, "logits.npy", (struct str){bytes, sizeof bytes - 1});
	sink_log_init(&log);
	report_init(&report, "f", NULL);
	assert_int_equal(read_path(path, &opt, &log.sink, &report, &used, &err), E_FORMAT);
	assert_non_null(strstr(err.msg, "logits.npy: this is an array of NumPy, of <f4 and shape (3,). "));
	assert_int_equal(log.text.n, 0);
	report_release(&report);
	sink_log_release(&log);
	free(path);
	project_remove(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(one_and_all),
	    cmocka_unit_test(another_array),
	    cmocka_unit_test(the_first_leads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
