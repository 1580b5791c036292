/* import_run: several files, in any order, with what can go wrong around them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "core/base/path.h"
#include "core/base/xmalloc.h"
#include "tests/unit/lib_store.h"

#define MAX_FILES 4

/* A folder "faces" with files and, beside it, the project. */
struct bench {
	char *root, *project;
	char *paths[MAX_FILES];
	struct import_job job;
	struct err err;
	uint64_t problems;
	/* what file_done was told */
	size_t n_done;
	enum status done[MAX_FILES];
	char order[MAX_FILES + 1]; /* first letters of the readers' files */
	bool changed[MAX_FILES];
	struct cancel cancel;
	int cancel_after; /* progress calls; 0 = never */
	char message[ERR_MESSAGE_MAX];
};

static void file_done(void *ctx, const struct report *r, enum status st, const struct err *err)
{
	struct bench *b = ctx;
	struct str base = path_base(str_z(r->file));

	assert_true(b->n_done < MAX_FILES);
	b->changed[b->n_done] = report_changed(r);
	b->order[b->n_done] = base.p[0];
	b->done[b->n_done++] = st;
	if (st != OK)
		snprintf(b->message, sizeof b->message, "%s", err->msg);
}

static void progress(void *ctx, const char *file, uint64_t done, uint64_t total)
{
	struct bench *b = ctx;

	(void)file;
	assert_true(total == 0 || done <= total);
	if (b->cancel_after && --b->cancel_after == 0)
		cancel_now(&b->cancel);
}

static void bench_init(struct bench *b)
{
	char *folder;

	memset(b, 0, sizeof *b);
	b->root = project_folder();
	b->project = project_file(b->root, "p.qualm");
	folder = project_file(b->root, "faces");
	assert_int_equal(mkdir(folder, 0700), 0);
	free(folder);
	cancel_init(&b->cancel);
	b->job.project = b->project;
	b->job.paths = (const char *const *)b->paths;
	b->job.ctx = b;
	b->job.file_done = file_done;
	b->job.progress = progress;
	b->job.cancel = &b->cancel;
}

static void bench_release(struct bench *b)
{
	for (size_t i = 0; i < b->job.n_paths; i++)
		free(b->paths[i]);
	free(b->project);
	project_remove(b->root);
	cancel_release(&b->cancel);
}

static void add_file(struct bench *b, const char *name, const char *text)
{
	char *path = xasprintf("%s/faces/%s", b->root, name);
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
	b->paths[b->job.n_paths++] = path;
}

static enum status run(struct bench *b)
{
	err_clear(&b->err);
	b->n_done = 0;
	memset(b->order, 0, sizeof b->order);
	return import_run(&b->job, &b->problems, &b->err);
}

static const char items[] = "{\"id\":\"a\",\"image\":\"a.png\",\"label\":\"joy\"}\n"
			    "{\"id\":\"b\",\"image\":\"b.png\",\"label\":\"fear\"}\n";
static const char preds[] = "{\"id\":\"a\",\"model\":\"m\",\"prediction\":\"joy\"}\n"
			    "{\"id\":\"b\",\"model\":\"m\",\"prediction\":\"anger\"}\n"
			    "{\"id\":\"c\",\"model\":\"m\",\"prediction\":\"joy\"}\n";

static void any_order(void **state)
{
	struct bench b;
	struct conn *c;
	struct snapshot *s;
	char *before, *after;

	(void)state;
	bench_init(&b);
	add_file(&b, "preds.jsonl", preds);
	add_file(&b, "items.jsonl", items);
	assert_int_equal(run(&b), OK);
	assert_string_equal(b.order, "ip");
	assert_int_equal(b.problems, 1); /* c is not in the list */
	c = project_open(b.project, CONN_READ);
	s = must_load(c, NULL);
	assert_string_equal(s->dataset, "faces"); /* the folder */
	assert_int_equal(s->n, 2);
	assert_string_equal(answered(c, s, "m", "a"), "joy");
	assert_int_equal(column_u(&s->runs[0].outcome, 1), OUTCOME_OOP);
	snapshot_free(s);
	before = dump_project(c);
	conn_close(c);
	assert_int_equal(run(&b), OK);
	assert_false(b.changed[0] || b.changed[1]);
	c = project_open(b.project, CONN_READ);
	after = dump_project(c);
	assert_string_equal(before, after);
	assert_int_equal(project_int(c, "SELECT count(*) FROM import"), 2); /* told once */
	assert_int_equal(project_int(c, "SELECT sum(json_extract(report, '$.unmatched')) FROM import"), 1);
	conn_close(c);
	free(before);
	free(after);
	bench_release(&b);
}

static void which_dataset(void **state)
{
	struct bench b;

	(void)state;
	bench_init(&b);
	add_file(&b, "items.jsonl", items);
	b.job.dataset = STR("one");
	assert_int_equal(run(&b), OK);
	b.job.dataset = STR_NONE; /* the only one */
	assert_int_equal(run(&b), OK);
	assert_false(b.changed[0]);
	b.job.dataset = STR("two");
	assert_int_equal(run(&b), OK);
	assert_true(b.changed[0]);
	b.job.dataset = STR_NONE;
	assert_int_equal(run(&b), E_USAGE);
	assert_non_null(strstr(b.err.msg, "choose one with --dataset: one, two"));
	bench_release(&b);
}

static void nothing_comes_in(void **state)
{
	struct bench b;

	(void)state;
	bench_init(&b);
	assert_int_equal(run(&b), E_USAGE); /* no files */
	add_file(&b, "x.bin", "\x01\x02\x03");
	assert_int_not_equal(run(&b), OK);
	assert_int_equal(b.n_done, 1);
	assert_int_not_equal(access(b.project, F_OK), 0);
	b.paths[b.job.n_paths++] = xstrdup("/nonexistent/qualm.jsonl");
	assert_int_not_equal(run(&b), OK);
	assert_int_not_equal(access(b.project, F_OK), 0);
	free(b.paths[1]);
	b.paths[1] = xstrdup(b.root);
	assert_int_equal(run(&b), E_FORMAT);
	assert_int_not_equal(access(b.project, F_OK), 0);
	bench_release(&b);
}

/* One bad file does not take the others with it. */
static void one_bad_file(void **state)
{
	struct bench b;
	struct conn *c;

	(void)state;
	bench_init(&b);
	add_file(&b, "items.jsonl", items);
	add_file(&b, "x.bin", "\x01\x02\x03");
	assert_int_equal(run(&b), E_FORMAT);
	assert_int_equal(b.n_done, 2);
	assert_true(b.message[0]);
	c = project_open(b.project, CONN_READ);
	assert_int_equal(project_int(c, "SELECT count(*) FROM sample"), 2);
	conn_close(c);
	bench_release(&b);
}

static void dry_runs(void **state)
{
	struct bench b;
	struct conn *c;
	char *before, *after;

	(void)state;
	bench_init(&b);
	add_file(&b, "preds.jsonl", preds);
	add_file(&b, "items.jsonl", items);
	b.job.options.dry_run = true;
	assert_int_equal(run(&b), OK);
	assert_true(b.changed[0] && b.changed[1]); /* the second sees the first */
	assert_int_equal(b.problems, 1);
	assert_int_not_equal(access(b.project, F_OK), 0);
	b.job.options.dry_run = false;
	b.job.n_paths = 1;
	assert_int_equal(run(&b), OK);
	b.job.n_paths = 2;
	c = project_open(b.project, CONN_READ);
	before = dump_project(c);
	b.job.options.dry_run = true;
	assert_int_equal(run(&b), OK);
	after = dump_project(c);
	assert_string_equal(before, after);
	assert_int_equal(project_int(c, "SELECT count(*) FROM import"), 1);
	conn_close(c);
	free(before);
	free(after);
	bench_release(&b);
}

static void cancelled(void **state)
{
	struct buf big = BUF_INIT;
	struct bench b;

	(void)state;
	for (int i = 0; i < 30000; i++)
		buf_printf(&big, "{\"id\":\"k%d\",\"model\":\"m\",\"prediction\":\"joy\",\"response\":\"It looks like joy to me %d\"}\n", i, i);
	for (int staged = 0; staged < 2; staged++) {
		for (int n = 1; n < 9; n += 3) {
			struct conn *c;
			char *before = NULL, *after;
			enum status st;

			bench_init(&b);
			add_file(&b, "items.jsonl", items);
			if (staged) {
				assert_int_equal(run(&b), OK);
				c = project_open(b.project, CONN_READ);
				before = dump_project(c);
				conn_close(c);
			}
			free(b.paths[0]);
			b.job.n_paths = 0;
			add_file(&b, "big.jsonl", buf_cstr(&big));
			b.cancel_after = n;
			st = run(&b);
			if (st == OK) { /* it told its progress less often than that */
				assert_true(n > 1 && b.cancel_after > 0);
			} else {
				assert_int_equal(st, E_CANCELLED);
				assert_int_equal(access(b.project, F_OK), staged ? 0 : -1);
			}
			if (st != OK && staged) {
				c = project_open(b.project, CONN_READ);
				after = dump_project(c);
				assert_string_equal(before, after);
				conn_close(c);
				free(after);
			}
			free(before);
			bench_release(&b);
		}
	}
	buf_release(&big);
}

static void pictures_come_later(void **state)
{
	struct bench b;
	struct conn *c;
	struct snapshot *s;
	char *folder;

	(void)state;
	bench_init(&b);
	add_file(&b, "items.jsonl", "{\"id\":\"a\",\"label\":\"joy\"}\n{\"id\":\"b\",\"label\":\"fear\"}\n");
	assert_int_equal(run(&b), OK);
	add_file(&b, "a.png", "x");
	add_file(&b, "b.png", "x");
	b.job.n_paths = 1;
	folder = xasprintf("%s/faces", b.root);
	b.job.options.images = str_z(folder);
	assert_int_equal(run(&b), OK);
	assert_true(b.changed[0]);
	assert_int_equal(run(&b), OK);
	assert_false(b.changed[0]);
	c = project_open(b.project, CONN_READ);
	s = must_load(c, NULL);
	assert_string_equal(s->image_root, "faces"); /* below the project: relative */
	assert_int_equal(project_int(c, "SELECT count(*) FROM sample WHERE path = key || '.png' "
					"AND media = 1"), 2);
	assert_int_equal(column_u(&s->media, 1), MEDIA_IMAGE);
	snapshot_free(s);
	conn_close(c);
	b.job.n_paths = 3;
	free(folder);
	bench_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(any_order),    cmocka_unit_test(which_dataset),
	    cmocka_unit_test(nothing_comes_in), cmocka_unit_test(one_bad_file),
	    cmocka_unit_test(dry_runs),	    cmocka_unit_test(cancelled),
	    cmocka_unit_test(pictures_come_later),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
