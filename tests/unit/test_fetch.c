/* Rows, texts, numbers, searching, paths: what is read for the screen. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "core/base/xmalloc.h"
#include "db/fetch.h"
#include "tests/unit/lib_faults.h"
#include "tests/unit/lib_project.h"

struct place {
	char *folder, *file;
	struct conn *c;
	struct arena arena;
};

static int set_up(void **state)
{
	struct place *p = xcalloc(1, sizeof *p);

	p->folder = project_folder();
	p->file = project_file(p->folder, "p.qualm");
	project_make_tiny(p->file, 0);
	p->c = project_open(p->file, CONN_WRITE);
	*state = p;
	return 0;
}

static int tear_down(void **state)
{
	struct place *p = *state;

	conn_close(p->c);
	arena_release(&p->arena);
	free(p->file);
	project_remove(p->folder);
	free(p);
	return 0;
}

static void is(struct str got, const char *want)
{
	if (!str_eqz(got, want))
		fail_msg("\"%.*s\" instead of \"%s\"", STR_ARG(got), want);
}

static void rows(void **state)
{
	struct place *p = *state;
	struct sample_row row[4];
	struct err err = ERR_INIT;

	assert_int_equal(fetch_samples(p->c, 1, 3, 4, row, &p->arena, &err), OK);
	is(row[0].key, "s3");
	is(row[0].path, "s3.png");
	is(row[0].text, "Is this Number 3?");
	assert_int_equal(row[0].media, MEDIA_IMAGE);
	assert_int_equal(row[0].text_kind, TEXT_QUESTION);
	assert_int_equal(row[2].media, MEDIA_NONE);
	assert_int_equal(row[2].text_kind, TEXT_STATEMENT);
	is(row[2].path, "");
	assert_int_equal(row[3].ord, 6);
	is(row[3].key, ""); /* there is no such sample */
	assert_int_equal(fetch_sample(p->c, 1, 1, row, &p->arena, &err), OK);
	is(row[0].extra, "{\"k\":1}");
	assert_int_equal(row[0].option_set, 0);
	assert_int_equal(fetch_samples(p->c, 1, UINT32_MAX, 4, row, &p->arena, &err), OK);
	is(row[0].key, "");
	assert_int_equal(fetch_samples(p->c, 2, 0, 1, row, &p->arena, &err), OK);
	is(row[0].key, "");
	assert_int_equal(fetch_samples(p->c, 1, 0, 0, NULL, &p->arena, &err), OK);
}

static void hostile_rows(void **state)
{
	struct place *p = *state;
	struct sample_row row;
	struct err err = ERR_INIT;
	uint32_t ord;

	project_exec(p->c, "UPDATE sample SET media = 77, text_kind = -3, key = x'00ff00' WHERE ord = 1");
	assert_int_equal(fetch_sample(p->c, 1, 1, &row, &p->arena, &err), OK);
	assert_int_equal(row.media, MEDIA_NONE);
	assert_int_equal(row.text_kind, TEXT_NONE);
	assert_int_equal(row.key.n, 3);
	project_exec(p->c, "UPDATE sample SET id = 5 WHERE key = 's2'");
	assert_int_equal(fetch_ordinal(p->c, 1, STR("s2"), &ord, &err), E_FORMAT);
}

static void ordinals(void **state)
{
	struct place *p = *state;
	struct err err = ERR_INIT;
	uint32_t ord = 77;

	assert_int_equal(fetch_ordinal(p->c, 1, STR("s4"), &ord, &err), OK);
	assert_int_equal(ord, 4);
	assert_int_equal(fetch_ordinal(p->c, 1, STR("S4"), &ord, &err), E_NOT_FOUND);
	assert_int_equal(fetch_ordinal(p->c, 2, STR("s4"), &ord, &err), E_NOT_FOUND);
	assert_int_equal(fetch_ordinal(p->c, 1, STR_NONE, &ord, &err), E_NOT_FOUND);
	assert_int_equal(ord, 4);
}

static void options(void **state)
{
	struct place *p = *state;
	struct err err = ERR_INIT;
	struct sample_row row;
	struct option_row *text;
	size_t n;

	assert_int_equal(fetch_sample(p->c, 1, 0, &row, &p->arena, &err), OK);
	assert_int_equal(row.option_set, 7);
	assert_int_equal(fetch_options(p->c, 7, &text, &n, &p->arena, &err), OK);
	assert_int_equal(n, 3);
	is(text[0].text, "A cat");
	is(text[1].text, "Ein Hund \u00fc");
	is(text[2].text, "neither");
	assert_true(text[0].class_ord == 0 && text[1].class_ord == 1 && text[2].class_ord == UINT32_MAX);
	assert_int_equal(fetch_options(p->c, 0, &text, &n, &p->arena, &err), OK);
	assert_int_equal(n, 0);
	assert_int_equal(fetch_options(p->c, 8, &text, &n, &p->arena, &err), E_FORMAT);
	project_exec(p->c, "UPDATE option_set SET items = '[[1], [], \"bare\", {\"a\": 1}]'");
	assert_int_equal(fetch_options(p->c, 7, &text, &n, &p->arena, &err), OK);
	assert_int_equal(n, 4);
	is(text[0].text, "");
	is(text[2].text, "bare");
	project_exec(p->c, "UPDATE option_set SET items = '[['");
	assert_int_equal(fetch_options(p->c, 7, &text, &n, &p->arena, &err), E_FORMAT);
	project_exec(p->c, "UPDATE option_set SET items = x'ff00'");
	assert_int_equal(fetch_options(p->c, 7, &text, &n, &p->arena, &err), E_FORMAT);
}

static void datasets(void **state)
{
	struct place *p = *state;
	struct err err = ERR_INIT;
	struct dataset_name *d;
	size_t n;

	assert_int_equal(fetch_datasets(p->c, &d, &n, &p->arena, &err), OK);
	assert_int_equal(n, 1);
	assert_string_equal(d[0].name, "tiny");
	assert_int_equal(d[0].n_samples, 6);
	assert_int_equal(d[0].id, 1);
	project_exec(p->c, "DELETE FROM dataset");
	assert_int_equal(fetch_datasets(p->c, &d, &n, &p->arena, &err), OK);
	assert_int_equal(n, 0);
}

static void text_is(struct place *p, uint32_t ord, enum status want, const char *words)
{
	struct err err = ERR_INIT;
	struct str got = STR_NONE;
	enum status st = fetch_text(p->c, 1, FIELD_RAW, ord, &got, &p->arena, &err);

	if (st != want)
		fail_msg("text %u: status %d, %s", ord, st, err.msg);
	if (st == OK)
		is(got, words);
	else
		assert_non_null(strstr(err.msg, words));
}

static void texts(void **state)
{
	struct place *p = *state;
	struct err err = ERR_INIT;
	struct str got;

	for (int round = 0; round < 2; round++) { /* the second from memory */
		text_is(p, 0, OK, "answer 0");
		text_is(p, 1, OK, "answer 1");
		text_is(p, 2, OK, "answer 2");
		text_is(p, 3, OK, "");
		text_is(p, 4, OK, "answer 4");
		text_is(p, 5, OK, "");
		text_is(p, UINT32_MAX, OK, "");
	}
	assert_int_equal(fetch_text(p->c, 1, FIELD_STEPS, 0, &got, &p->arena, &err), OK);
	is(got, "");
	assert_int_equal(fetch_text(p->c, 99, FIELD_RAW, 0, &got, &p->arena, &err), OK);
	is(got, "");
}

static void many_texts(void **state)
{
	enum { N = 300 };
	struct place *p = *state;
	const char *list[N];
	struct err err = ERR_INIT;
	struct str got;

	for (size_t i = 0; i < N; i++)
		list[i] = i % 7 == 3 ? NULL : i % 7 == 4 ? "" : arena_printf(&p->arena, "text %zu", i);
	project_texts(p->c, 2, FIELD_STEPS, list, N, 11);
	assert_true(project_int(p->c, "SELECT count(*) FROM chunk WHERE run = 2") > 8);
	for (size_t k = 0; k < 2 * N; k++) {
		size_t i = k * 89 % N;

		assert_int_equal(fetch_text(p->c, 2, FIELD_STEPS, (uint32_t)i, &got, &p->arena, &err),
				 OK);
		is(got, list[i] ? list[i] : "");
	}
}

static void new_generation(struct conn *c)
{
	project_exec(c, "UPDATE meta SET value = value + 1 WHERE key = 'generation'");
}

static void damaged_texts(void **state)
{
	static const struct {
		const char *sql;
		uint32_t ord;
		enum status want;
	} rows_[] = {
	    {"UPDATE chunk SET codec = 2", 0, E_UNSUPPORTED},
	    {"UPDATE chunk SET codec = -1", 0, E_UNSUPPORTED},
	    {"UPDATE chunk SET codec = 1", 0, E_FORMAT},
	    {"UPDATE chunk SET ords = x''", 0, E_FORMAT},
	    {"UPDATE chunk SET n = 1", 0, E_FORMAT},
	    {"UPDATE chunk SET n = -1", 0, E_FORMAT},
	    {"UPDATE chunk SET n = 1 << 40", 0, E_FORMAT},
	    {"UPDATE chunk SET ords = x'00'", 0, E_FORMAT},
	    {"UPDATE chunk SET lens = zeroblob(8)", 0, E_FORMAT},
	    {"UPDATE chunk SET lens = x'ffffffff09000080'", 0, E_FORMAT},
	    {"UPDATE chunk SET data = x'41'", 0, E_FORMAT},
	    {"UPDATE chunk SET data = ''", 0, E_FORMAT},
	    {"UPDATE chunk SET data = 5", 0, E_FORMAT},
	    {"UPDATE chunk SET ords = x'0100000000000000'", 0, E_FORMAT},
	    {"UPDATE chunk SET start = start + 1", 0, E_FORMAT},
	    {"UPDATE chunk SET start = start - 1", 0, E_FORMAT},
	    {"DELETE FROM chunk", 0, E_FORMAT},
	    {"DELETE FROM chunk WHERE start = 0", 0, E_FORMAT},
	    {"DELETE FROM chunk WHERE start > 0", 4, E_FORMAT},
	    {"UPDATE col SET data = zeroblob(20) WHERE name = 'text_raw'", 4, E_FORMAT},
	    {"UPDATE col SET data = zeroblob(40), dtype = 3 WHERE name = 'text_raw'", 1, E_FORMAT},
	    {"UPDATE col SET data = x'feffffffffffffff', n = 1, dtype = 3 WHERE name = 'text_raw'", 0,
	     E_FORMAT},
	    {"UPDATE col SET data = x'feffffff', n = 1 WHERE name = 'text_raw'", 0, E_FORMAT},
	    {"UPDATE col SET n = 77 WHERE name = 'text_raw'", 0, E_FORMAT},
	};
	struct place *p = *state;

	for (size_t i = 0; i < sizeof rows_ / sizeof *rows_; i++) {
		struct err err = ERR_INIT;
		struct str got = STR_NONE;
		enum status st;

		text_is(p, 0, OK, "answer 0");
		project_exec(p->c, "BEGIN");
		project_exec(p->c, rows_[i].sql);
		new_generation(p->c); /* what is in memory is dropped */
		st = fetch_text(p->c, 1, FIELD_RAW, rows_[i].ord, &got, &p->arena, &err);
		if (st != rows_[i].want || !strstr(err.msg, "damaged"))
			fail_msg("%s: %d %s", rows_[i].sql, st, err.msg);
		project_exec(p->c, "ROLLBACK; UPDATE meta SET value = value WHERE key = 'uuid'");
	}
	text_is(p, 4, OK, "answer 4");
}

static void another_program_changes_the_file(void **state)
{
	static const char *const other[] = {"new 0", "new 1"};
	struct place *p = *state;
	struct conn *b = project_open(p->file, CONN_WRITE);

	text_is(p, 0, OK, "answer 0");
	assert_true(fetch_number(p->c, 1, "score", 1) == 0.5);
	project_exec(b, "DELETE FROM chunk WHERE run = 1");
	project_texts(b, 1, FIELD_RAW, other, 2, 2);
	project_column(b, OWNER_RUN, 1, "score", DT_F32, (const double[]){8, 9}, 2);
	text_is(p, 0, OK, "new 0");
	text_is(p, 4, OK, "");
	assert_true(fetch_number(p->c, 1, "score", 1) == 9);
	conn_close(b);
}

static void numbers(void **state)
{
	struct place *p = *state;

	assert_true(fetch_number(p->c, 1, "score", 3) == 1.5);
	assert_true(fetch_number(p->c, 1, "tokens", 4) == 40);
	assert_true(isnan(fetch_number(p->c, 1, "tokens", 5)));
	assert_true(isnan(fetch_number(p->c, 1, "degree", 0)));
	assert_true(isnan(fetch_number(p->c, 77, "score", 0)));
	for (int i = 0; i < 600; i++) { /* more absent names than are remembered */
		char name[16];

		snprintf(name, sizeof name, "x%d", i);
		assert_true(isnan(fetch_number(p->c, 1, name, 0)));
	}
	assert_true(fetch_number(p->c, 1, "score", 3) == 1.5);
	project_exec(p->c, "UPDATE col SET n = 99 WHERE name = 'score'");
	project_exec(p->c, "UPDATE meta SET value = value WHERE key = 'uuid'");
	assert_true(fetch_number(p->c, 1, "score", 3) == 1.5); /* kept over what is no import */
	new_generation(p->c);
	assert_true(isnan(fetch_number(p->c, 1, "score", 3)));
}

static void picture_is(struct place *p, const char *root, const char *path, const char *want)
{
	struct snapshot snap = {.image_root = root};
	char *got = fetch_picture_path(p->c, &snap, str_z(path));

	if (want ? !got || strcmp(got, want) != 0 : got != NULL)
		fail_msg("%s in %s: %s", path, root, got ? got : "nothing");
	free(got);
}

static void picture_paths(void **state)
{
	struct place *p = *state;
	char *pics = project_file(p->folder, "pics"), *inside = project_file(p->folder, "pics/a.png"),
	     *beside = project_file(p->folder, "pics2/a.png"), *here = project_file(p->folder, "a.png");

	assert_int_equal(mkdir(pics, 0700), 0);
	picture_is(p, "pics", "a.png", inside);
	picture_is(p, "", "a.png", here);
	picture_is(p, pics, "a.png", inside);
	picture_is(p, "/pics", "d/a.png", "/pics/d/a.png");
	picture_is(p, "/pics/", "/pics/a.png", "/pics/a.png");
	picture_is(p, "/", "/pics/a.png", "/pics/a.png");
	picture_is(p, "pics", inside, inside);
	picture_is(p, "pics", beside, NULL);
	picture_is(p, "pics", "", NULL);
	picture_is(p, "pics", "../a.png", NULL);
	picture_is(p, "pics", "x/../../a.png", NULL);
	picture_is(p, "pics", "/etc/passwd", NULL);
	picture_is(p, "/pics", "/pics", NULL);
	picture_is(p, "/pics", "/pics/../etc/passwd", NULL);
	picture_is(p, "/pics", "/picsx/a.png", NULL);
	free(pics);
	free(inside);
	free(beside);
	free(here);
}

static void picture_paths_through_links(void **state)
{
	struct place *p = *state;
	char *pics = project_file(p->folder, "pics"), *far = project_file(p->folder, "far"),
	     *picture = project_file(p->folder, "far/a.png"),
	     *folder = project_file(p->folder, "pics/far"), *out = project_file(p->folder, "pics/out.png"),
	     *in = project_file(p->folder, "pics/in.png"), *own = project_file(p->folder, "pics/own.png");
	FILE *f;

	assert_int_equal(mkdir(pics, 0700) || mkdir(far, 0700), 0);
	assert_non_null(f = fopen(picture, "w"));
	fclose(f);
	assert_non_null(f = fopen(own, "w"));
	fclose(f);
	assert_int_equal(symlink("../far", folder) || symlink("../far/a.png", out) ||
			     symlink("own.png", in),
			 0);
	picture_is(p, "pics", "own.png", own);
	picture_is(p, "pics", "in.png", in);
	picture_is(p, "pics", "out.png", NULL);
	picture_is(p, "pics", "far/a.png", NULL);
	picture_is(p, pics, out, NULL);
	picture_is(p, "far", "a.png", picture);
	picture_is(p, far, picture, picture);
	free(pics);
	free(far);
	free(picture);
	free(folder);
	free(out);
	free(in);
	free(own);
}

/* Every read that a fetch makes may fail: words, no leak, and the next one works. */
static void failing_reads(void **state)
{
	struct place *p = *state;
	unsigned long n = 0;
	bool hit;

	conn_close(p->c);
	faults_install();
	do {
		struct err err = ERR_INIT;
		struct sample_row row;
		struct str got;
		enum status st;

		p->c = project_open(p->file, CONN_WRITE);
		faults_fail_read_at(++n);
		st = fetch_sample(p->c, 1, 2, &row, &p->arena, &err);
		if (st == OK)
			st = fetch_text(p->c, 1, FIELD_RAW, 4, &got, &p->arena, &err);
		hit = faults_hit();
		if (hit != (st != OK))
			fail_msg("read %lu: %d %s", n, st, err.msg);
		faults_fail_read_at(0);
		text_is(p, 4, OK, "answer 4");
		conn_close(p->c);
	} while (hit);
	assert_true(n > 3);
	faults_remove();
	p->c = NULL;
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest tests[] = {
	    T(rows),          T(hostile_rows),  T(ordinals),
	    T(options),       T(datasets),      T(texts),         T(numbers),
	    T(many_texts),    T(damaged_texts), T(another_program_changes_the_file),
	    T(picture_paths), T(failing_reads),
	    T(picture_paths_through_links), T(failing_reads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
