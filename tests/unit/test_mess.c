/* Files as people have them: each kind of mess, from the file to the project and back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/base/xmalloc.h"
#include "db/labels.h"
#include "tests/unit/lib_peak.h"
#include "tests/unit/lib_results.h"
#include "tests/unit/lib_store.h"
#include "tests/unit/lib_verify.h"

#define TEXT(s) {(s), sizeof(s) - 1}
#define ROWS_MAX 6

/* --- one file of samples, one of answers --- */

struct mess {
	const char *name;
	const char *items, *answers; /* names of the files */
	struct str items_bytes, answers_bytes;
	const char *want;	/* "key=truth>answer " by key; an answer of no class is "-" */
	uint64_t skipped, repeated, joined; /* rows; joined: answers that found their sample */
};

#define ITEMS "{\"id\":\"a\",\"label\":\"joy\"}\n{\"id\":\"b\",\"label\":\"fear\"}\n"
#define JOY_FEAR "a=joy>joy b=fear>fear "

static const struct mess kinds[] = {
    {"BOM", "items.csv", "m.jsonl", TEXT("\xef\xbb\xbfid,label\na,joy\nb,fear\n"),
     TEXT("\xef\xbb\xbf{\"id\":\"a\",\"prediction\":\"joy\"}\n"
	  "{\"id\":\"b\",\"prediction\":\"fear\"}\n"), JOY_FEAR, 0, 0, 2},
    {"CRLF", "items.csv", "m.jsonl", TEXT("id,label\r\na,joy\r\nb,fear\r\n"),
     TEXT("{\"id\":\"a\",\"prediction\":\"joy\"}\r\n{\"id\":\"b\",\"prediction\":\"fear\"}\r\n"),
       JOY_FEAR, 0, 0, 2},
    {"CR-only", "items.csv", "m.csv", TEXT("id,label\ra,joy\rb,fear\r"),
     TEXT("id,prediction\ra,joy\rb,fear\r"), JOY_FEAR, 0, 0, 2},
    {"CR-only JSON lines", "items.jsonl", "m.jsonl",
     TEXT("{\"id\":\"a\",\"label\":\"joy\"}\r{\"id\":\"b\",\"label\":\"fear\"}\r"),
     TEXT("{\"id\":\"a\",\"prediction\":\"joy\"}\r{\"id\":\"b\",\"prediction\":\"fear\"}\r"),
       JOY_FEAR, 0, 0, 2},
    {"no final newline", "items.jsonl", "m.csv",
      TEXT("{\"id\":\"a\",\"label\":\"joy\"}\n{\"id\":\"b\",\"label\":\"fear\"}"),
     TEXT("id,prediction\na,joy\nb,fear"), JOY_FEAR, 0, 0, 2},
    {"quoted newlines", "items.csv", "m.csv",
      TEXT("id,question,label\na,\"which\nof, \"\"these\"\"?\",joy\nb,\"x\r\ny\",fear\n"),
     TEXT("id,raw,prediction\na,\"I\n\nthink, joy\",joy\nb,\"\n\",fear\n"), JOY_FEAR, 0, 0, 2},
    {"back-slashes", "items.csv", "m.jsonl", TEXT("image,label\nimg\\a.png,joy\nimg\\b.png,fear\n"),
     TEXT("{\"image\":\"img\\\\a.png\",\"prediction\":\"joy\"}\n"
	  "{\"image\":\"img/b.png\",\"prediction\":\"fear\"}\n"),
     JOY_FEAR, 0, 0, 2},
    {"label case", "items.jsonl", "m.jsonl", TEXT(ITEMS),
     TEXT("{\"id\":\"a\",\"prediction\":\" JOY \"}\n{\"id\":\"b\",\"prediction\":\"Fear\"}\n"),
       JOY_FEAR, 0, 0, 2},
    {"Python literals", "items.csv", "m.csv", TEXT("id,label\na,\"['joy', \"\"fear\"\"]\"\nb,\"['fear']\"\n"),
     TEXT("id,prediction\na,['joy']\nb,\"['fear', None]\"\n"), "a=joy|fear>joy b=fear>fear ", 0, 0, 2},
    {"lines that Python printed", "items.jsonl", "m.jsonl",
     TEXT("{'id': 'a', 'label': 'joy', 'x': None}\n{'id': 'b', 'label': 'fear', 'ok': True}\n"),
     TEXT("{'id': 'a', 'prediction': \"joy\"}\n{\"id\":\"b\",\"prediction\":\"fear\"}\n"
	  "{'id': 'b', 'prediction': object()}\n"),
     JOY_FEAR, 1, 0, 2},
    {"NaN and Infinity", "items.jsonl", "m.jsonl",
     TEXT("{\"id\":\"a\",\"label\":\"joy\",\"w\":NaN}\n{\"id\":\"b\",\"label\":\"fear\",\"w\":-Infinity}\n"),
     TEXT("{\"id\":\"a\",\"prediction\":\"joy\",\"score\":Infinity}\n"
	  "{\"id\":\"b\",\"prediction\":\"fear\",\"score\":NaN}\n"),
     JOY_FEAR, 0, 0, 2},
    {"empty strings", "items.jsonl", "m.jsonl", TEXT(ITEMS),
     TEXT("{\"id\":\"a\",\"prediction\":\"\"}\n{\"id\":\"b\",\"prediction\":\"  \"}\n"
	  "{\"id\":\"\",\"prediction\":\"joy\"}\n"),
     "a=joy>- b=fear>- ", 1, 0, 2},
    {"duplicate ids", "items.jsonl", "m.jsonl", TEXT(ITEMS ITEMS),
     TEXT("{\"id\":\"a\",\"prediction\":\"joy\"}\n{\"id\":\"a\",\"prediction\":\"joy\"}\n"
	  "{\"id\":\"b\",\"prediction\":\"fear\"}\n{\"id\":\"b\",\"prediction\":\"joy\"}\n"),
     JOY_FEAR, 1, 3, 4},
    {"int and string ids meet", "items.jsonl", "m.jsonl",
     TEXT("{\"id\":7,\"label\":\"joy\"}\n{\"id\":\"8\",\"label\":\"fear\"}\n"),
     TEXT("{\"id\":\"7\",\"prediction\":\"joy\"}\n{\"id\":8.0,\"prediction\":\"fear\"}\n"),
       "7=joy>joy 8=fear>fear ", 0, 0, 2},
    {"invalid UTF-8", "items.csv", "m.jsonl", TEXT("id,label\na,joy\nx\xff,joy\nb,fear\n"),
     TEXT("{\"id\":\"a\",\"prediction\":\"joy\"}\n{\"id\":\"b\",\"prediction\":\"f\xc3\"}\n"
	  "{\"id\":\"b\",\"prediction\":\"fear\"}\n"),
     JOY_FEAR, 2, 0, 2},
};

struct bench {
	char *root, *project, *folder;
	const char *paths[1];
	struct import_job job;
	uint64_t skipped, repeated, joined, problems;
	size_t failed;
	struct err err;
	char *first_error;
	/* what to do to a file while it is read */
	void (*meddle)(const struct bench *b);
	bool meddled;
};

static void file_done(void *ctx, const struct report *r, enum status st, const struct err *err)
{
	struct bench *b = ctx;

	b->skipped += r->problems[PROBLEM_SKIPPED];
	b->repeated += r->duplicates;
	for (int how = 0; how < MATCHED_AMBIGUOUS; how++)
		b->joined += r->predictions || r->predictions_known ? r->joined[how] : 0;
	b->failed += st != OK;
	if (st != OK && !b->first_error)
		b->first_error = xstrdup(err->msg);
}

static void overall(void *ctx, const struct import_progress *p)
{
	struct bench *b = ctx;

	if (b->meddle && !b->meddled && p->file_done < p->file_size && strstr(p->path, "big")) {
		b->meddled = true;
		b->meddle(b);
	}
}

static void bench_init(struct bench *b)
{
	*b = (struct bench){.root = project_folder(), .err = ERR_INIT};
	b->project = project_file(b->root, "p.qualm");
	b->folder = project_file(b->root, "results");
	b->paths[0] = b->folder;
	b->job = (struct import_job){.project = b->project, .paths = b->paths, .n_paths = 1, .ctx = b,
				     .file_done = file_done, .overall = overall};
}

static void bench_release(struct bench *b)
{
	free(b->first_error);
	free(b->project);
	free(b->folder);
	project_remove(b->root);
}

static enum status run(struct bench *b)
{
	b->skipped = b->repeated = b->joined = b->failed = 0;
	return import_run(&b->job, &b->problems, &b->err);
}

/* qualm check finds nothing. */
static void file_is_sound(const char *project)
{
	struct conn *c = project_open(project, CONN_READ);

	must_be_sound(c, project);
	conn_close(c);
}

static void put_truth(const struct snapshot *s, uint32_t ord, struct buf *out)
{
	size_t from, n = csr_row(&s->layers[0].sets, ord, &from);

	for (size_t i = 0; i < n; i++)
		buf_printf(out, "%s%s", i ? "|" : "",
			   s->classes[column_u(&s->layers[0].sets.val, from + i)].name);
}

/* "key=truth>answer " of all samples of the only dataset, by key. */
static char *told(const char *project)
{
	struct conn *c = project_open(project, CONN_READ);
	struct arena arena = ARENA_INIT;
	struct err err = ERR_INIT;
	struct dataset_name *names;
	struct sample_row rows[ROWS_MAX];
	struct snapshot *s;
	struct buf out = BUF_INIT;
	size_t n;

	assert_int_equal(fetch_datasets(c, &names, &n, &arena, &err), OK);
	assert_int_equal(n, 1);
	s = must_load(c, names[0].name);
	assert_true(s->n <= ROWS_MAX);
	assert_int_equal(fetch_samples(c, names[0].id, 0, s->n, rows, &arena, &err), OK);
	for (uint32_t i = 0; i < s->n; i++) {
		const char *said = s->n_runs ? answered(c, s, s->runs[0].handle, rows[i].key.p) : "";

		buf_printf(&out, "%s=", rows[i].key.p);
		put_truth(s, i, &out);
		buf_printf(&out, ">%s ", *said ? said : "-");
	}
	snapshot_free(s);
	arena_release(&arena);
	conn_close(c);
	return out.p;
}

static void of_files(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		const struct mess *k = &kinds[i];
		struct bench b;
		char *got;

		bench_init(&b);
		results_put(b.folder, k->items, k->items_bytes);
		results_put(b.folder, k->answers, k->answers_bytes);
		if (run(&b) != OK)
			fail_msg("%s: %s", k->name, b.err.msg);
		got = told(b.project);
		if (strcmp(got, k->want) != 0)
			fail_msg("%s: %s, not %s", k->name, got, k->want);
		if (b.skipped != k->skipped || b.repeated != k->repeated || b.joined != k->joined)
			fail_msg("%s: %d skipped, %d repeated, %d joined", k->name, (int)b.skipped,
				 (int)b.repeated, (int)b.joined);
		file_is_sound(b.project);
		free(got);
		bench_release(&b);
	}
}

/* --- spelling --- */

/* "afraid" is no class until the dataset's label map says so; what was stored follows, and the same
 * file is no news then. */
static void label_spelling(void **state)
{
	const struct labelling afraid = {.text = STR("afraid"), .which = STR("fear")};
	struct arena arena = ARENA_INIT;
	struct dataset_name *dataset;
	struct user_done done;
	struct user *user;
	size_t n;
	struct bench b;
	struct conn *c;
	char *got;

	(void)state;
	bench_init(&b);
	results_put(b.folder, "items.jsonl", STR(ITEMS));
	results_put(b.folder, "m.jsonl", STR("{\"id\":\"b\",\"prediction\":\"Afraid\"}\n"));
	assert_int_equal(run(&b), OK);
	got = told(b.project);
	assert_string_equal(got, "a=joy>- b=fear>- ");
	free(got);
	c = project_open(b.project, CONN_CREATE);
	assert_int_equal(fetch_datasets(c, &dataset, &n, &arena, &b.err), OK);
	assert_int_equal(n, 1);
	assert_int_equal(user_open(&user, c, dataset->id, dataset->name, 2, &b.err), OK);
	assert_int_equal(labels_edit(user, "afraid", &afraid, 1, &done, &b.err), OK);
	user_close(user);
	arena_release(&arena);
	conn_close(c);
	got = told(b.project);
	assert_string_equal(got, "a=joy>- b=fear>fear ");
	free(got);
	assert_int_equal(run(&b), OK);
	got = told(b.project);
	assert_string_equal(got, "a=joy>- b=fear>fear ");
	free(got);
	file_is_sound(b.project);
	bench_release(&b);
}

/* Two classes of one name stay two; it is said, on Home too. */
static void duplicate_class_names(void **state)
{
	(void)state;
	for (int twice = 0; twice < 2; twice++) {
		struct bench b;
		struct arena arena = ARENA_INIT;
		struct import_row *rows;
		struct conn *c;
		size_t n;

		bench_init(&b);
		results_put(b.folder,
			"classes.txt", twice ? STR("crane\ntench\ncrane\n") : STR("crane\ntench\nheron\n"));
		assert_int_equal(run(&b), OK);
		c = project_open(b.project, CONN_READ);
		assert_int_equal(project_int(c, "SELECT count(*) FROM class"), 3);
		assert_int_equal(fetch_imports(c, 1, &rows, &n, &arena, &b.err), OK);
		assert_int_equal(rows[0].warnings, twice);
		assert_int_equal(str_find(rows[0].example,
			STR("\"crane\" is the name of several classes")) != SIZE_MAX, twice);
		arena_release(&arena);
		conn_close(c);
		bench_release(&b);
	}
}

/* --- size and depth --- */

/* A hole of 100 MB inside a line of JSON, a quoted field and an element of an array. */
static void put_huge(const struct bench *b, const char *name, const char *before, const char *after)
{
	char *path = xasprintf("%s/%s", b->folder, name);
	int fd;

	results_put(b->folder, name, str_z(before));
	fd = open(path, O_WRONLY | O_APPEND);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, 100000000), 0);
	assert_int_equal(write(fd, after, strlen(after)), strlen(after));
	assert_int_equal(close(fd), 0);
	free(path);
}

static void import_in_child(void *ctx)
{
	struct bench *b = ctx;

	if (run(b) != OK || b->failed)
		_exit(1);
}

static void lines_of_100_mb(void **state)
{
	static const char *const files[][3] = {
	    {"m.jsonl", "{\"id\":\"a\",\"prediction\":\"joy\"}\n{\"id\":\"x\",\"raw\":\"",
	     "\"}\n{\"id\":\"b\",\"prediction\":\"fear\"}\n"},
	    {"m.csv", "id,prediction\na,joy\nx,\"", "\"\nb,fear\n"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		struct bench b;
		uint64_t bytes;
		char *got;

		bench_init(&b);
		results_put(b.folder, "items.jsonl", STR(ITEMS));
		put_huge(&b, files[i][0], files[i][1], files[i][2]);
		if (peak_of(import_in_child, &b, &bytes))
			assert_in_range(bytes, 1, 90000000);
		got = told(b.project);
		assert_string_equal(got, JOY_FEAR);
		free(got);
		file_is_sound(b.project);
		bench_release(&b);
	}
}

static void deep_nesting(void **state)
{
	struct buf line = BUF_INIT;
	struct bench b;
	char *got;

	(void)state;
	bench_init(&b);
	results_put(b.folder, "items.jsonl", STR(ITEMS));
	buf_z(&line, "{\"id\":\"a\",\"prediction\":\"joy\"}\n{\"id\":\"b\",\"prediction\":\"joy\",\"x\":");
	for (int i = 0; i < 100000; i++)
		buf_z(&line, i % 2 ? "[" : "{\"k\":");
	for (int i = 99999; i >= 0; i--)
		buf_ch(&line, i % 2 ? ']' : '}');
	buf_z(&line, "}\n{\"id\":\"b\",\"prediction\":\"fear\"}\n");
	results_put(b.folder, "m.jsonl", buf_view(&line));
	assert_int_equal(run(&b), OK);
	assert_int_equal(b.skipped, 1);
	got = told(b.project);
	assert_string_equal(got, JOY_FEAR);
	free(got);
	file_is_sound(b.project);
	buf_release(&line);
	bench_release(&b);
}

enum { BIG_ELEMENT = 32768, BIG_ELEMENTS = 2048 };

/* 64 MB in one array: elements of 32 kB. */
static void put_big_array(const struct bench *b)
{
	char *path = xasprintf("%s/big.json", b->folder);
	struct buf text = BUF_INIT;
	FILE *f;

	results_put(b->folder, "big.json", STR("["));
	f = fopen(path, "a");
	assert_non_null(f);
	for (int i = 0; i < BIG_ELEMENT; i++)
		buf_ch(&text, (char)('a' + i % 26));
	for (int i = 0; i < BIG_ELEMENTS; i++)
		fprintf(f, "%s{\"id\":\"%d\",\"prediction\":\"joy\",\"raw\":\"%s\"}", i ? ",\n" : "", i,
			buf_cstr(&text));
	assert_true(fputs("]\n", f) >= 0);
	assert_int_equal(fclose(f), 0);
	buf_release(&text);
	free(path);
}

static void an_array_in_constant_memory(void **state)
{
	struct bench b;
	struct conn *c;
	uint64_t bytes;

	(void)state;
	bench_init(&b);
	put_big_array(&b);
	if (peak_of(import_in_child, &b, &bytes))
		assert_in_range(bytes, 1, (uint64_t)BIG_ELEMENT * BIG_ELEMENTS * 3 / 4);
	c = project_open(b.project, CONN_READ);
	assert_int_equal(project_int(c, "SELECT n FROM run"), BIG_ELEMENTS);
	conn_close(c);
	bench_release(&b);
}

/* --- files that change while they are read --- */

enum { BIG_ROWS = 60000 };

static char *big_of(const struct bench *b)
{
	return xasprintf("%s/big.jsonl", b->folder);
}

static void put_rows(const char *path, const char *answer)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	for (int i = 0; i < BIG_ROWS; i++)
		fprintf(f, "{\"id\":\"%07d\",\"prediction\":\"%s\",\"raw\":\"%0100d\"}\n", i, answer, i);
	assert_int_equal(fclose(f), 0);
}

static void grows(const struct bench *b)
{
	char *path = big_of(b);
	FILE *f = fopen(path, "a");

	assert_non_null(f);
	assert_true(fputs("{\"id\":\"more\",\"prediction\":\"joy\"}\n", f) >= 0);
	assert_int_equal(fclose(f), 0);
	free(path);
}

static void shrinks(const struct bench *b)
{
	char *path = big_of(b);

	assert_int_equal(truncate(path, 2000), 0);
	free(path);
}

static void is_replaced(const struct bench *b)
{
	char *path = big_of(b), *other = xasprintf("%s/other", b->root);

	put_rows(other, "fear");
	assert_int_equal(rename(other, path), 0);
	free(other);
	free(path);
}

static void vanishes(const struct bench *b)
{
	char *path = big_of(b);

	assert_int_equal(unlink(path), 0);
	free(path);
}

/* Half of it is never stored: all of what it was, or nothing, and the other files come in. */
static void files_that_change(void **state)
{
	static const struct {
		void (*meddle)(const struct bench *b);
		const char *why; /* NULL: what was opened is read to its end */
	} ways[] = {{grows, "changed while it was read"}, {shrinks, "while it was read"},
		    {is_replaced, NULL}, {vanishes, NULL}};

	(void)state;
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		struct bench b;
		struct conn *c;
		char *path;

		bench_init(&b);
		results_put(b.folder, "small/m2.jsonl", STR("{\"id\":\"0000000\",\"prediction\":\"joy\"}\n"));
		path = big_of(&b);
		put_rows(path, "joy");
		free(path);
		b.meddle = ways[i].meddle;
		run(&b);
		assert_true(b.meddled);
		assert_int_equal(b.failed, ways[i].why != NULL);
		if (ways[i].why)
			assert_non_null(strstr(b.first_error, ways[i].why));
		c = project_open(b.project, CONN_READ);
		assert_int_equal(project_int(c, "SELECT count(*) FROM run WHERE n = 1"), 1);
		assert_int_equal(project_int(c, "SELECT coalesce(max(n), 0) FROM run WHERE n > 1"),
				 ways[i].why ? 0 : BIG_ROWS);
		conn_close(c);
		file_is_sound(b.project);
		bench_release(&b);
	}
}

/* --- what cannot be read, and what leads in circles --- */

static void unreadable_files_and_loops(void **state)
{
	struct bench b;
	char *path, *got;
	bool is_root = geteuid() == 0;
	enum status st;

	(void)state;
	bench_init(&b);
	results_put(b.folder, "items.jsonl", STR(ITEMS));
	results_put(b.folder, "m.jsonl",
		STR("{\"id\":\"a\",\"prediction\":\"joy\"}\n{\"id\":\"b\",\"prediction\":\"fear\"}\n"));
	results_put(b.folder, "secret.jsonl", STR("{\"id\":\"a\",\"prediction\":\"fear\"}\n"));
	path = xasprintf("%s/loop", b.folder);
	assert_int_equal(symlink("..", path), 0);
	free(path);
	path = xasprintf("%s/self", b.folder);
	assert_int_equal(symlink("self", path), 0);
	free(path);
	path = xasprintf("%s/secret.jsonl", b.folder);
	assert_int_equal(chmod(path, 0), 0);
	free(path);
	if (is_root) { /* who may read everything */
		assert_int_equal(chmod(b.root, 0777) | chmod(b.folder, 0755), 0);
		assert_int_equal(seteuid(65534), 0);
	}
	st = run(&b);
	if (is_root)
		assert_int_equal(seteuid(0), 0);
	assert_int_equal(st, OK);
	assert_int_equal(b.problems, 1);
	got = told(b.project);
	assert_string_equal(got, JOY_FEAR);
	free(got);
	file_is_sound(b.project);
	bench_release(&b);
}

/* --- Ctrl-C --- */

/* In a child: becomes an import of the folder, which says nothing. */
static void become_import(const struct bench *b)
{
	const char *qualm = getenv("QUALM") ? getenv("QUALM") : "build/qualm";
	int null = open("/dev/null", O_RDWR);

	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	execl(qualm, "qualm", "import", b->project, b->folder, (char *)NULL);
}

/* As from a shell: the program is interrupted after this many microseconds; how it ended. */
static int interrupted_after(const struct bench *b, long us)
{
	struct timespec pause = {us / 1000000, us % 1000000 * 1000};
	int status;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		become_import(b);
		_exit(127);
	}
	nanosleep(&pause, NULL);
	kill(pid, SIGINT);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* Whole files or nothing of them, and the next import goes on from there. */
static void interrupted_at_any_time(void **state)
{
	static const long after[] = {0, 2000, 5000, 10000, 20000, 35000, 60000, 100000, 180000};
	struct bench b;
	struct conn *c;
	char *path;

	(void)state;
	bench_init(&b);
	results_put(b.folder, "a/m1.jsonl", STR("{\"id\":\"0000000\",\"prediction\":\"joy\"}\n"));
	path = xasprintf("%s/b/m2.jsonl", b.folder);
	results_put(b.folder, "b/m2.jsonl", STR(""));
	put_rows(path, "joy");
	for (size_t i = 0; i < sizeof after / sizeof *after; i++) {
		int how = interrupted_after(&b, after[i]);

		assert_int_not_equal(how, 127);
		if (access(b.project, F_OK) != 0)
			continue;
		c = project_open(b.project, CONN_READ);
		assert_int_equal(project_int(c, "SELECT count(*) FROM run WHERE n NOT IN (1, 60000)"), 0);
		assert_int_equal(project_int(c, "SELECT count(*) FROM run"),
				 project_int(c, "SELECT count(*) FROM import"));
		conn_close(c);
		file_is_sound(b.project);
		if (i % 2)
			unlink(b.project); /* from the beginning, or from where it stood */
	}
	assert_int_equal(run(&b), OK);
	c = project_open(b.project, CONN_READ);
	assert_int_equal(project_int(c, "SELECT sum(n) FROM run"), BIG_ROWS + 1);
	conn_close(c);
	file_is_sound(b.project);
	free(path);
	bench_release(&b);
}

/* --- no file may grow --- */

/* The signal that the system sends then is no reason to die half way. */
static void limited_files(void **state)
{
	struct rlimit most = {8192, 8192};
	struct bench b;
	int status;
	pid_t pid;

	(void)state;
	bench_init(&b);
	results_put(b.folder, "a/m1.jsonl", STR("{\"id\":\"0000000\",\"prediction\":\"joy\"}\n"));
	fflush(NULL);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		signal(SIGXFSZ, SIG_DFL);
		if (setrlimit(RLIMIT_FSIZE, &most) == 0)
			become_import(&b);
		_exit(127);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 1);
	bench_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(of_files),		 cmocka_unit_test(label_spelling),
	    cmocka_unit_test(duplicate_class_names),
	    cmocka_unit_test(lines_of_100_mb),	 cmocka_unit_test(deep_nesting),
	    cmocka_unit_test(an_array_in_constant_memory),
	    cmocka_unit_test(files_that_change), cmocka_unit_test(unreadable_files_and_loops),
	    cmocka_unit_test(interrupted_at_any_time),
	    cmocka_unit_test(limited_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
