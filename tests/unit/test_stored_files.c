/* Stored predictions that are more than one file's bytes: shards, archives, workbooks, big logs. */
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/path.h"
#include "core/text/archive.h"
#include "core/text/unpack.h"
#include "tests/fixtures/zip_make.h"
#include "tests/unit/lib_readers.h"

struct folder {
	char path[64];
	char pictures[96]; /* "" = they stay where they are */
	struct sink_log log;
	struct report report;
	struct err err;
	const struct reader *used;
};

static int setup(void **state)
{
	struct folder *f = xcalloc(1, sizeof *f);

	snprintf(f->path, sizeof f->path, "/tmp/qualm-stored-XXXXXX");
	if (!mkdtemp(f->path))
		return -1;
	sink_log_init(&f->log);
	report_init(&f->report, "test", NULL);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	static const char *const names[] = {"set_0.json", "set_1.json", "set_2.json", "log.eval",
					    "log.json",	  "m_D.xlsx"};
	struct folder *f = *state;

	for (size_t i = 0; i < COUNT(names); i++) {
		char *path = path_join(f->path, str_z(names[i]));

		unlink(path);
		free(path);
	}
	rmdir(f->path);
	report_release(&f->report);
	sink_log_release(&f->log);
	free(f);
	return 0;
}

static void put(struct folder *f, const char *name, struct str bytes)
{
	char *path = path_join(f->path, str_z(name));
	FILE *file = fopen(path, "wb");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes.p, 1, bytes.n, file), bytes.n);
	fclose(file);
	free(path);
}

static enum status get(struct folder *f, const char *name)
{
	char *path = path_join(f->path, str_z(name));
	struct read_options opt = {.model = STR("m"), .pictures = str_z(f->pictures)};
	enum status st = read_path(path, &opt, &f->log.sink, &f->report, &f->used, &f->err);

	free(path);
	return st;
}

static bool has_key(struct folder *f, const char *key)
{
	return intern_find(&f->log.keys, str_z(key)) != INTERN_NONE;
}

static void shards_count_on(void **state)
{
	struct folder *f = *state;

	put(f, "set_0.json", STR("{\"0\":{\"origin_prompt\":\"q\",\"prediction\":\"a\"},"
				 "\"1\":{\"origin_prompt\":\"q\",\"prediction\":\"b\"}}"));
	put(f, "set_1.json", STR("{\"0\":{\"origin_prompt\":\"q\",\"prediction\":\"c\"}}"));
	put(f, "set_2.json", STR("{\"0\":{\"origin_prompt\":\"q\",\"prediction\":\"d\"},"
				 "\"1\":{\"origin_prompt\":\"q\",\"prediction\":\"e\"}}"));
	assert_int_equal(get(f, "set_2.json"), OK);
	assert_string_equal(f->used->name, "opencompass");
	assert_int_equal(f->log.predictions, 2);
	assert_true(has_key(f, "3") && has_key(f, "4"));
	assert_int_equal(get(f, "set_0.json"), OK);
	assert_true(has_key(f, "0") && has_key(f, "1") && !has_key(f, "2"));
	assert_int_equal(get(f, "set_1.json"), OK);
	assert_true(has_key(f, "2"));
}

static void a_shard_that_is_missing_is_told(void **state)
{
	struct folder *f = *state;

	put(f, "set_0.json", STR("{\"0\":{\"origin_prompt\":\"q\",\"prediction\":\"a\"}}"));
	put(f, "set_2.json", STR("{\"0\":{\"origin_prompt\":\"q\",\"prediction\":\"d\"}}"));
	assert_int_equal(get(f, "set_2.json"), E_FORMAT);
	assert_non_null(strstr(f->err.msg, "set_1.json"));
	assert_int_equal(f->log.predictions, 0);
	err_clear(&f->err);
	put(f, "set_1.json", STR("{\"0\": {"));
	assert_int_equal(get(f, "set_2.json"), E_FORMAT);
	assert_non_null(strstr(f->err.msg, "set_1.json"));
}

/* Some thousand samples of a kilobyte each: more than a block of the input and of its head. */
static void a_big_log_is_read_sample_by_sample(void **state)
{
	struct folder *f = *state;
	struct buf log = BUF_INIT;

	buf_z(&log, "{\"version\":2,\"status\":\"success\",\"eval\":{\"model\":\"x\"},\"samples\":[");
	for (int i = 0; i < 3000; i++)
		buf_printf(&log, "%s{\"id\":%d,\"epoch\":%d,\"input\":\"%01000d\",\"target\":\"a\","
				 "\"output\":{\"choices\":[{\"message\":{\"content\":\"a\"}}]}}",
			   i ? "," : "", i / 2, i % 2 + 1, i);
	buf_z(&log, "],\"reductions\":null}");
	put(f, "log.json", buf_view(&log));
	f->log.quiet = true;
	assert_int_equal(get(f, "log.json"), OK);
	assert_string_equal(f->used->name, "inspect");
	assert_int_equal(f->log.predictions, 3000);
	assert_int_equal(f->log.runs, 2);
	assert_int_equal(f->log.keys.keys.n, 1500);
	assert_int_equal(f->report.rows, 3000);
	buf_release(&log);
}

#define PICTURE "iVBORw0KGgoAAAAN" /* how a PNG begins */
#define PICTURE_NAME "34da3b26506ba0eb-c.png" /* FNV-1a of its bytes, their number */
#define LOG                                                                                        \
	"{\"version\":2,\"status\":\"success\",\"eval\":{\"model\":\"x\"},\"samples\":[{\"id\":1,"       \
	"\"epoch\":1,\"input\":[{\"role\":\"user\",\"content\":[{\"type\":\"image\",\"image\":"        \
	"\"data:image/png;base64," PICTURE "\"},{\"type\":\"image\",\"image\":\"attachment://h\"},"     \
	"{\"type\":\"image\",\"image\":\"data:image/svg+xml;base64,PHN2Zz4=\"}]}],\"target\":\"a\","    \
	"\"output\":{\"choices\":[]},\"attachments\":{\"h\":\"data:image/png;base64," PICTURE "\"}}]}"

/* The same picture twice is one file; what is no picture that can be shown is counted. */
static void pictures_inside_become_files(void **state)
{
	struct folder *f = *state;
	char *file;

	put(f, "log.json", STR(LOG));
	assert_int_equal(get(f, "log.json"), OK);
	assert_null(strstr(buf_cstr(&f->log.text), "path="));
	assert_int_equal(f->report.notes.n, 0); /* there is no place for them yet */
	snprintf(f->pictures, sizeof f->pictures, "%s/p.pictures", f->path);
	assert_int_equal(get(f, "log.json"), OK);
	assert_non_null(strstr(buf_cstr(&f->log.text),
			       "media=images path=p.pictures/" PICTURE_NAME
			       " path=p.pictures/" PICTURE_NAME " truth"));
	assert_int_equal(f->report.notes.n, 1);
	file = path_join(f->pictures, STR(PICTURE_NAME));
	assert_int_equal(unlink(file), 0);
	assert_int_equal(rmdir(f->pictures), 0);
	free(file);
}

#define SAMPLE(id, epoch, text)                                                                    \
	"{\"id\":" id ",\"epoch\":" epoch ",\"input\":\"q\",\"target\":\"joy\",\"output\":{"       \
	"\"choices\":[{\"message\":{\"content\":\"" text "\"}}]}}"

static void a_zipped_log(void **state)
{
	struct folder *f = *state;
	struct zip_made zip = {0};

	zip_add(&zip, "_journal/start.json", STR("{\"eval\":{\"model\":\"first\"}}"));
	zip_add(&zip, "samples/a_epoch_1.json", STR(SAMPLE("\"a\"", "1", "joy")));
	(unpack_can(PACKING_ZSTD) ? zip_add_zstd : zip_add)(&zip, "samples/a_epoch_2.json",
							    STR(SAMPLE("\"a\"", "2", "fear")));
	zip_add(&zip, "samples/b_epoch_1.json", STR("{\"id\":"));
	zip_add(&zip, "summaries.json", STR("[]"));
	zip_add(&zip, "header.json", STR("{\"eval\":{\"model\":\"x\",\"task\":\"t\"}}"));
	put(f, "log.eval", zip_end(&zip));
	assert_int_equal(get(f, "log.eval"), OK);
	assert_string_equal(f->used->name, "inspect");
	assert_string_equal(buf_cstr(&f->log.text),
			    "run 0 model=m\n"
			    "prediction 0 key=a raw=joy answered(=joy) of key=a media=none question=q "
			    "truth=original(=joy) creates\n"
			    "run 1 model=m handle=m#2\n"
			    "prediction 1 key=a raw=fear answered(=fear) of key=a media=none question=q "
			    "truth=original(=joy) creates\n");
	assert_int_equal(f->report.problems[PROBLEM_SKIPPED], 1);
	zip_made_release(&zip);
}

/* A log that was cut short has no header.json yet; one without either is none. */
static void a_zipped_log_without_its_end(void **state)
{
	struct folder *f = *state;
	struct zip_made zip = {0}, none = {0};

	zip_add(&zip, "_journal/start.json", STR("{\"eval\":{\"model\":\"first\"}}"));
	zip_add(&zip, "samples/a_epoch_1.json", STR(SAMPLE("7", "1", "joy")));
	put(f, "log.eval", zip_end(&zip));
	assert_int_equal(get(f, "log.eval"), OK);
	assert_true(has_key(f, "7"));
	zip_add(&none, "samples/a_epoch_1.json", STR(SAMPLE("7", "1", "joy")));
	put(f, "log.eval", zip_end(&none));
	assert_int_equal(get(f, "log.eval"), E_FORMAT);
	assert_non_null(strstr(f->err.msg, "header.json"));
	zip_made_release(&zip);
	zip_made_release(&none);
}

#define CELL(text) "<c t=\"inlineStr\"><is><t>" text "</t></is></c>"

/* 32,767 characters are where Excel cuts; some of them take two bytes. */
static void a_workbook_of_predictions(void **state)
{
	struct folder *f = *state;
	struct zip_made zip = {0};
	struct buf sheet = BUF_INIT;

	buf_z(&sheet, "<row>" CELL("index") CELL("question") CELL("A") CELL("B") CELL("answer")
			      CELL("prediction") "</row><row><c><v>1</v></c>" CELL("Q") CELL("joy")
				  CELL("fear") CELL("B") CELL("(b)") "</row><row><c><v>2</v></c>"
				      CELL("Q") CELL("joy") CELL("fear") CELL("B")
		      "<c t=\"inlineStr\"><is><t>");
	for (int i = 0; i < 32767; i++)
		buf_z(&sheet, "\xc3\xbc");
	buf_z(&sheet, "</t></is></c></row>");
	zip_add(&zip, "xl/worksheets/sheet1.xml", buf_view(&sheet));
	put(f, "m_D.xlsx", zip_end(&zip));
	assert_int_equal(get(f, "m_D.xlsx"), OK);
	assert_string_equal(f->used->name, "vlmeval");
	assert_int_equal(f->log.outcomes[OUTCOME_ANSWERED], 1);
	assert_int_equal(f->log.outcomes[OUTCOME_UNPARSED], 1);
	assert_int_equal(f->report.problems[PROBLEM_WARNING], 1);
	assert_non_null(strstr(f->report.examples.v[0].text, "32767"));
	assert_non_null(strstr(buf_cstr(&f->log.text), "number=cut:1"));
	assert_ptr_equal(strstr(buf_cstr(&f->log.text), "number="),
			 strstr(buf_cstr(&f->log.text), "number=cut:1"));
	buf_release(&sheet);
	zip_made_release(&zip);
}

static void without_libzip_it_says_so(void **state)
{
	struct folder *f = *state;
	struct zip_made zip = {0};

	zip_add(&zip, "header.json", STR("{\"eval\":{\"model\":\"x\"}}"));
	zip_add(&zip, "samples/a_epoch_1.json", STR(SAMPLE("7", "1", "joy")));
	put(f, "log.eval", zip_end(&zip));
	assert_int_equal(get(f, "log.eval"), E_UNSUPPORTED);
	assert_non_null(strstr(f->err.msg, "libzip"));
	zip_made_release(&zip);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest with[] = {
	    TEST(shards_count_on),
	    TEST(a_shard_that_is_missing_is_told),
	    TEST(a_big_log_is_read_sample_by_sample),
	    TEST(pictures_inside_become_files),
	    TEST(a_zipped_log),
	    TEST(a_zipped_log_without_its_end),
	    TEST(a_workbook_of_predictions),
	};
	const struct CMUnitTest without[] = {
	    TEST(shards_count_on),
	    TEST(a_shard_that_is_missing_is_told),
	    TEST(a_big_log_is_read_sample_by_sample),
	    TEST(pictures_inside_become_files),
	    TEST(without_libzip_it_says_so),
	};

	return archive_library() ? cmocka_run_group_tests_name("stored files", with, NULL, NULL)
				 : cmocka_run_group_tests_name("stored files", without, NULL, NULL);
}
