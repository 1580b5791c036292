/* One file by several threads: whatever they do, the project and the report are those of reading
 * row by row. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

#include "core/base/path.h"
#include "tests/unit/lib_store.h"

#define ROWS 1500

struct dice {
	uint64_t state;
};

static uint32_t roll(struct dice *d, uint32_t sides)
{
	d->state = d->state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((d->state >> 33) % sides);
}

static bool one_in(struct dice *d, uint32_t n)
{
	return roll(d, n) == 0;
}

/* --- messy files --- */

/* How much is wrong with a file; `late`: from this row on there are columns that nobody knew. */
struct mess {
	bool described, late, bad, wide, crlf;
};

static void put_text(struct buf *out, struct dice *d, bool csv)
{
	static const char *const words[] = {"cat",	  "a",	      "caf\xc3\xa9", "\xe6\xbc\xa2\xe5\xad\x97",
					    "like a dog", "fox, or", "it is",	  "\xf0\x9f\x98\x80"};

	for (uint32_t n = roll(d, 12); n > 0; n--) {
		buf_z(out, words[roll(d, 8)]);
		buf_ch(out, ' ');
		if (one_in(d, 9))
			buf_z(out, csv ? "\"\"" : "\\\"");
		if (one_in(d, 40))
			buf_z(out, csv ? "\n" : "\\n\\u00e9");
		if (csv && one_in(d, 60))
			buf_z(out, "\r\n");
	}
}

static void put_bad_json(struct buf *out, struct dice *d)
{
	static const char *const lines[] = {
	    "{\"id\":\"s1\",\"model\":\"m0\",\"prediction\":",
	    "[1, 2]",
	    "",
	    "   ",
	    "{\"id\":\"s2\",\"model\":\"m0\",\"prediction\":\"\xff\xfe\"}",
	    "{\"model\":\"m0\",\"prediction\":\"cat\"}",
	    "{\"id\":\"s3\",\"model\":\"m0\"}",
	    "{\"id\":\"nobody\",\"model\":\"m0\",\"prediction\":\"cat\"}",
	    "{\"id\":\"s4\",\"model\":\"m0\",\"prediction\":\"cat\",\"score\":\"high\",\"tokens\":-3}",
	    "{\"id\":5,\"model\":\"m1\",\"prediction\":{\"label\":\"fox\",\"index\":2},\"seconds\":\"x\"}",
	    "{\"\\u0069d\":\"s6\",\"model\":\"m1\",\"prediction\":[\"cat\",\"dog\"]}",
	    "{\"id\":\"s7\",\"id\":\"s8\",\"model\":\"m1\",\"prediction\":NaN,\"response\":\"none\"}",
	    "{\"id\":\"s9\",\"model\":\"m1\",\"prediction\":\"dog\",\"error\":\"timeout\"}",
	};

	buf_z(out, lines[roll(d, sizeof lines / sizeof *lines)]);
}

static void put_description(struct buf *out, struct dice *d, uint32_t sample)
{
	buf_printf(out, ",\"label\":\"%s\",\"image\":\"p/%u.png\",\"mood\":\"%s\"",
		   sample % 3 ? "cat" : "dog", sample, sample % 2 ? "calm" : "wild");
	if (one_in(d, 50))
		buf_z(out, ",\"question\":\"What is it?\",\"label_index\":1");
}

static void put_late(struct buf *out, struct dice *d, uint32_t row)
{
	if (one_in(d, 3))
		buf_printf(out, ",\"degree\":%u.5", roll(d, 9));
	if (one_in(d, 5))
		buf_printf(out, ",\"note%u\":\"%s\"", row / 300, roll(d, 2) ? "x" : "y");
	if (one_in(d, 7))
		buf_printf(out, ",\"latency\":%u,\"steps_taken\":\"%u\"", roll(d, 900), roll(d, 4));
	if (one_in(d, 300))
		buf_printf(out, ",\"uid\":\"s%u\",\"idx\":%u", roll(d, 50), roll(d, 50));
}

static void put_json(struct buf *out, struct dice *d, const struct mess *m, uint32_t row)
{
	uint32_t sample = roll(d, 120);

	if (m->bad && one_in(d, 25)) {
		put_bad_json(out, d);
	} else {
		buf_printf(out, "{\"id\":\"s%u\",\"model\":\"m%u\",\"prediction\":\"%s\",\"response\":\"",
			   sample, roll(d, 7), one_in(d, 3) ? "cat" : one_in(d, 2) ? "dog " : "FOX");
		put_text(out, d, false);
		buf_printf(out, "\",\"score\":0.%u,\"seconds\":%s", roll(d, 1000),
			   row < 400 ? "null" : one_in(d, 100) ? "\"?\"" : "1.25");
		if (m->described)
			put_description(out, d, sample);
		if (m->late && row > 300)
			put_late(out, d, row);
		if (m->wide && one_in(d, 400))
			for (int i = 0; i < 200; i++)
				buf_printf(out, ",\"w%u_%d\":%d", row % 7, i, i);
		buf_ch(out, '}');
	}
	buf_z(out, m->crlf && one_in(d, 2) ? "\r\n" : "\n");
}

static void put_csv(struct buf *out, struct dice *d, const struct mess *m, uint32_t row)
{
	uint32_t sample = roll(d, 120);

	if (m->bad && one_in(d, 60))
		buf_z(out, one_in(d, 3) ? "s1,m0,5\" disc,,\n" : one_in(d, 2) ? "\n\r\n" : "s1,m0\n");
	if (m->bad && one_in(d, 400))
		buf_z(out, "s2,m0,cat,0.5,x,y,z\n");
	buf_printf(out, "s%u,m%u,%s,%s,", sample, roll(d, 7), one_in(d, 2) ? "cat" : "\"dog\"",
		   row < 400 ? "" : "0.5");
	buf_ch(out, '"');
	put_text(out, d, true);
	buf_z(out, m->crlf && one_in(d, 2) ? "\"\r\n" : "\"\n");
	/* Behind this nobody can tell where rows begin without having read all before. */
	if (m->wide && row == ROWS / 2)
		buf_z(out, "s3,m1,\"cat\" and dog,,\ns4,m1,\r\"fox,,\n");
	if (m->wide && row == ROWS - 20)
		buf_z(out, "s5,m1,\"never closed,,\n");
}

static void make_file(struct buf *out, const char *kind, const struct mess *m, uint64_t seed)
{
	struct dice d = {seed};
	bool csv = strcmp(kind, "csv") == 0;

	buf_clear(out);
	if (csv)
		buf_z(out, "id,model,prediction,score,response\n");
	for (uint32_t row = 0; row < ROWS; row++) {
		if (csv)
			put_csv(out, &d, m, row);
		else
			put_json(out, &d, m, row);
	}
	if (out->n && seed % 2)
		out->n--; /* the last line has no end */
}

/* --- what comes of them --- */

static void put_report(struct buf *out, const struct report *r, enum status st)
{
	buf_printf(out, "%s: %d, %llu rows, %llu %llu %llu problems\n", r->reader, (int)st,
		   (unsigned long long)r->rows, (unsigned long long)r->problems[0],
		   (unsigned long long)r->problems[1], (unsigned long long)r->problems[2]);
	buf_printf(out, "%llu classes %llu new %llu known %llu truths %llu predictions %llu again "
			"%llu stored %llu filled\n",
		   (unsigned long long)r->classes, (unsigned long long)r->samples_new,
		   (unsigned long long)r->samples_known, (unsigned long long)r->truths,
		   (unsigned long long)r->predictions, (unsigned long long)r->duplicates,
		   (unsigned long long)r->predictions_known, (unsigned long long)r->samples_filled);
	for (size_t i = 0; i < r->examples.n; i++)
		buf_printf(out, "%d %llu:%llu %s\n", (int)r->examples.v[i].kind,
			   (unsigned long long)r->examples.v[i].src.line,
			   (unsigned long long)r->examples.v[i].src.byte, r->examples.v[i].text);
	for (size_t i = 0; i < r->runs_new.n; i++)
		buf_printf(out, "new %s\n", r->runs_new.v[i]);
	for (size_t i = 0; i < r->runs_known.n; i++)
		buf_printf(out, "known %s\n", r->runs_known.v[i]);
	for (size_t i = 0; i < r->notes.n; i++)
		buf_printf(out, "note %s\n", r->notes.v[i]);
}

static void file_done(void *ctx, const struct report *r, enum status st, const struct err *err)
{
	struct buf *out = ctx;

	put_report(out, r, st);
	if (st != OK)
		buf_printf(out, "failed: %s\n", err->msg);
}

struct file {
	const char *name;
	struct buf bytes;
};

static void write_file(const char *path, const struct buf *bytes)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes->p, 1, bytes->n, f), bytes->n);
	assert_int_equal(fclose(f), 0);
}

/* Everything that can be seen after importing the files, each by a command of its own. */
static char *outcome(const struct file *files, size_t n, unsigned threads, size_t piece)
{
	char *folder = project_folder(), *project = project_file(folder, "p.qualm"), *dump,
	     *errors_path = project_file(folder, "errors"), line[4096];
	struct buf out = BUF_INIT;
	FILE *errors = fopen(errors_path, "w+");
	struct conn *c;

	assert_non_null(errors);
	for (size_t i = 0; i < n; i++) {
		char *path = project_file(folder, files[i].name);
		const char *paths[] = {path};
		struct import_job job = {.project = project, .paths = paths, .n_paths = 1,
					 .dataset = STR("d"), .errors = errors, .ctx = &out,
					 .file_done = file_done};
		struct err err = ERR_INIT;
		uint64_t problems = 0;

		job.options.threads = threads;
		job.options.piece = piece;
		write_file(path, &files[i].bytes);
		import_run(&job, &problems, &err);
		buf_printf(&out, "%s %llu\n", err.msg, (unsigned long long)problems);
		free(path);
	}
	rewind(errors);
	while (fgets(line, sizeof line, errors))
		buf_z(&out, strncmp(line, folder, strlen(folder)) ? line : line + strlen(folder));
	fclose(errors);
	c = project_open(project, CONN_READ);
	dump = dump_project(c);
	buf_z(&out, dump);
	free(dump);
	conn_close(c);
	free(errors_path);
	free(project);
	for (char *at; (at = strstr(out.p, folder));) /* the folder's name differs every time */
		memset(at, '-', strlen(folder));
	project_remove(folder);
	return buf_take(&out);
}

/* Says where two outcomes part. */
static void expect_same(const char *want, const char *got, const char *what, unsigned threads,
			size_t piece)
{
	size_t at = 0, from;

	if (strcmp(want, got) == 0)
		return;
	while (want[at] == got[at])
		at++;
	for (from = at; from > 0 && want[from - 1] != '\n' && at - from < 200;)
		from--;
	fail_msg("%s, %u threads, pieces of %zu:\n  row by row: %.300s\n  threads:    %.300s", what,
		 threads, piece, want + from, got + from);
}

static void check(const struct file *files, size_t n, const char *what)
{
	static const struct {
		unsigned threads;
		size_t piece;
	} ways[] = {{2, 700}, {3, 5000}, {8, 1}, {2, 40000}, {8, 20000}, {3, 333}};
	char *want = outcome(files, n, 1, 0);

	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		char *got = outcome(files, n, ways[i].threads, ways[i].piece);

		expect_same(want, got, what, ways[i].threads, ways[i].piece);
		free(got);
	}
	free(want);
}

static const char samples[] = "{\"id\":\"s%u\",\"image\":\"p/%u.png\",\"label\":\"%s\",\"label_index\":%u,"
			      "\"size\":%u,\"kind\":\"%s\"}\n";

static void make_samples(struct buf *out, uint32_t n)
{
	static const char *const names[] = {"cat", "dog", "fox"};

	buf_clear(out);
	for (uint32_t i = 0; i < n; i++)
		buf_printf(out, samples, i, i, names[i % 3], i % 3, i % 11, i % 2 ? "big" : "small");
}

static const struct mess messes[] = {
    {0},
    {.bad = true},
    {.late = true},
    {.described = true},
    {.described = true, .bad = true, .late = true, .crlf = true},
    {.late = true, .wide = true, .bad = true},
};

static void predictions(const char *kind, const char *name, bool declared)
{
	struct file files[4] = {{"items.jsonl", BUF_INIT}, {name, BUF_INIT}, {name, BUF_INIT},
				{"more.jsonl", BUF_INIT}};
	char what[80];

	for (size_t i = 0; i < sizeof messes / sizeof *messes; i++) {
		size_t from = declared ? 0 : 1;

		snprintf(what, sizeof what, "%s %zu, %s", kind, i, declared ? "declared" : "alone");
		make_samples(&files[0].bytes, 100);
		make_file(&files[1].bytes, kind, &messes[i], 7 + i);
		make_file(&files[2].bytes, kind, &messes[i], 7 + i); /* all known now */
		make_file(&files[3].bytes, "jsonl", &messes[i], 90 + i);
		check(files + from, 4 - from, what);
	}
	for (size_t i = 0; i < 4; i++)
		buf_release(&files[i].bytes);
}

static void lines_of_declared(void **state)
{
	(void)state;
	predictions("jsonl", "pred.jsonl", true);
}

static void lines_alone(void **state)
{
	(void)state;
	predictions("jsonl", "pred.jsonl", false);
}

static void csv_of_declared(void **state)
{
	(void)state;
	predictions("csv", "pred.csv", true);
}

static void csv_alone(void **state)
{
	(void)state;
	predictions("csv", "pred.csv", false);
}

static void many_samples(void **state)
{
	struct file file = {"items.jsonl", BUF_INIT};

	(void)state;
	make_samples(&file.bytes, 3000);
	buf_z(&file.bytes, "{\"id\":\"s1\",\"label\":\"dog\",\"label_index\":1,\"shape\":\"round\"}\n"
			   "{\"id\":\"\",\"label\":\"dog\"}\n{\"id\":\"s2\",\"label\":\"dog\",\"size\":\"big\"}\n");
	check(&file, 1, "samples");
	buf_release(&file.bytes);
}

/* A number that has no name is kept with what else the answer has, not as a number. */
static void number_without_a_name(void **state)
{
	struct file files[2] = {{"items.jsonl", BUF_INIT}, {"pred.jsonl", BUF_INIT}};
	char *got;

	(void)state;
	make_samples(&files[0].bytes, 100);
	for (uint32_t i = 0; i < ROWS; i++)
		buf_printf(&files[1].bytes, "{\"id\":\"s%u\",\"model\":\"m%u\",\"\":%u.5,"
			   "\"prediction\":\"cat\"}\n", i % 100, i / 100, i);
	buf_z(&files[1].bytes,
	      "{\"id\":\"s7\",\"model\":\"z\",\"\":7.5,\"prediction\":\"cat\"}\n");
	check(files, 2, "no name");
	got = outcome(files, 2, 3, 700);
	assert_non_null(strstr(got, "7b22223a372e357d")); /* {"":7.5} */
	free(got);
	buf_release(&files[0].bytes);
	buf_release(&files[1].bytes);
}

/* --- rows with lists --- */

static void put_item(struct buf *out, struct dice *d)
{
	static const char *const plain[] = {"cat", "dog", "fox", "a b", "7", "n01440764", "A", "(B)",
					    "p/1.png", "q/2.mp4", "caf\xc3\xa9", "\xe6\xbc\xa2", "", " ",
					    " cat ", "data:x"};
	static const char *const odd[] = {"\"\\\"cat\\\"\"", "\"\\u00e9\"", "3", "0.5", "null", "true",
					  "[\"x\"]", "{\"label\": \"dog\"}"};

	if (one_in(d, 20))
		buf_z(out, odd[roll(d, sizeof odd / sizeof *odd)]);
	else
		buf_printf(out, "\"%s\"", plain[roll(d, sizeof plain / sizeof *plain)]);
}

/* `usual`: how lists are mostly printed. */
static void put_list(struct buf *out, struct dice *d, bool usual)
{
	static const char *const commas[] = {",", " , ", ",\t", ",  "};
	uint32_t n = one_in(d, 80) ? 60 + roll(d, 10) : roll(d, 4);

	buf_ch(out, '[');
	for (uint32_t i = 0; i < n; i++) {
		if (i)
			buf_z(out, usual || one_in(d, 2) ? ", " : commas[roll(d, 4)]);
		if (usual)
			buf_printf(out, "\"%s\"", roll(d, 2) ? "cat" : "dog");
		else
			put_item(out, d);
	}
	buf_z(out, one_in(d, 30) ? " ]" : one_in(d, 60) ? "\t]" : one_in(d, 200) ? ",]" : "]");
}

static void put_field(struct buf *out, struct dice *d, const char *name, bool usual)
{
	buf_printf(out, ", \"%s\": ", name);
	if (usual || !one_in(d, 6))
		put_list(out, d, usual);
	else if (one_in(d, 2))
		put_item(out, d);
	else
		buf_z(out, one_in(d, 2) ? "null" : "{\"joy\": 2, \"fear\": 1}");
}

static void make_lists(struct buf *out, const char *const *names, bool answers, uint64_t seed)
{
	struct dice d = {seed};

	buf_clear(out);
	for (uint32_t row = 0; row < ROWS; row++) {
		bool usual = seed % 2 ? !one_in(&d, 20) : one_in(&d, 2);

		buf_printf(out, "{\"id\": \"s%u\", \"mood\": \"%s\"", row % 400,
			   one_in(&d, 2) ? "calm" : usual ? "wild" : "w\\u00efld \\\"one\\\"");
		if (answers)
			buf_printf(out, ", \"model\": \"m%u\"", roll(&d, 3));
		else
			buf_printf(out, ", \"size\": %s",
				   usual ? "12" : one_in(&d, 2) ? "-1e2" : "\"?\"");
		for (const char *const *name = names; *name; name++)
			put_field(out, &d, *name, usual);
		buf_z(out, one_in(&d, 300) ? "\n" : "}\n");
	}
}

static void lists(void **state)
{
	static const char *const of_samples[][6] = {
	    {"label", "labels_multi", NULL},
	    {"image", "label", "tags", NULL},
	    {"question", "options", "label", "emotion_labels", NULL},
	    {"labels", "label", "image", "options", "tags", NULL},
	};
	static const char *const of_answers[][6] = {
	    {"prediction", NULL},
	    {"prediction", "label", "top5", NULL},
	    {"response", "options", "image", "answer", NULL},
	};
	struct file files[2] = {{"items.jsonl", BUF_INIT}, {"pred.jsonl", BUF_INIT}};

	(void)state;
	for (size_t i = 0; i < 8; i++) {
		make_lists(&files[0].bytes, of_samples[i % 4], false, i);
		make_lists(&files[1].bytes, of_answers[i % 3], true, i);
		check(files, 2, "lists");
	}
	for (int i = 0; i < 2; i++)
		buf_release(&files[i].bytes);
}

/* --- rows of several runs --- */

/* The names of runs stay for a while, or take turns for a while; on the way are rows that are less usual
 * than the rest. */
static void make_turns(struct buf *out, uint64_t seed)
{
	static const char *const models[] = {"gpt-4", "gpt-4o", "gpt-4o-2024", "caf\\u00e9", "a/b"};
	static const char *const said[] = {"7", "n/a", "A", "(B) cat", ""};
	struct dice d = {seed};
	uint32_t left = 0, model = 0;
	bool turns = false;

	buf_clear(out);
	for (uint32_t row = 0; row < 2 * ROWS; row++) {
		if (!left) {
			turns = one_in(&d, 4);
			left = turns ? 300 + roll(&d, 300) : 1 + roll(&d, 40);
			model = roll(&d, 5);
		}
		left--;
		buf_printf(out, "{\"id\": \"s%u\", \"model\": \"%s\", \"protocol\": \"%s\", ", row % 400,
			   models[turns ? roll(&d, 5) : model], one_in(&d, 30) ? "OW" : "CW");
		buf_printf(out, "\"prediction\": \"%s\", \"confidence\": %s, \"response\": \"",
			   one_in(&d, 9) ? said[roll(&d, 5)] : one_in(&d, 2) ? "cat" : "dog",
			   one_in(&d, 900) ? "1e-3" : "0.75");
		put_text(out, &d, false);
		buf_z(out, "\"}\n");
	}
}

static void runs_by_turns(void **state)
{
	struct file files[2] = {{"items.jsonl", BUF_INIT}, {"pred.jsonl", BUF_INIT}};

	(void)state;
	make_samples(&files[0].bytes, 390);
	for (uint64_t seed = 1; seed < 4; seed++) {
		make_turns(&files[1].bytes, seed);
		check(files, 2, "turns");
	}
	for (int i = 0; i < 2; i++)
		buf_release(&files[i].bytes);
}

/* A file of nothing but what cannot be read ends as it does row by row: after a thousand. */
static void nothing_readable(void **state)
{
	struct file files[2] = {{"items.jsonl", BUF_INIT}, {"pred.jsonl", BUF_INIT}};
	struct mess m = {0};

	(void)state;
	make_samples(&files[0].bytes, 50);
	make_file(&files[1].bytes, "jsonl", &m, 4);
	for (int i = 0; i < 1500; i++)
		buf_z(&files[1].bytes, i == 700 ? "{\"id\":\"s1\",\"model\":\"m\",\"prediction\":\"cat\"}\n"
						: "{broken\n");
	check(files, 2, "unreadable");
	for (int i = 0; i < 600; i++)
		buf_z(&files[1].bytes, "{broken\n");
	check(files, 2, "unreadable to the end");
	for (int i = 0; i < 2; i++)
		buf_release(&files[i].bytes);
}

static void cancel_soon(void *ctx, const char *file, uint64_t done, uint64_t total)
{
	(void)file;
	(void)total;
	if (done > 70000)
		cancel_now(ctx);
}

static void cancelled(void **state)
{
	char *folder = project_folder(), *project = project_file(folder, "p.qualm"),
	     *path = project_file(folder, "pred.jsonl");
	const char *paths[] = {path};
	struct cancel cancel;
	struct import_job job = {.project = project, .paths = paths, .n_paths = 1, .dataset = STR("d"),
				 .cancel = &cancel, .ctx = &cancel, .progress = cancel_soon};
	struct mess m = {.described = true};
	struct buf bytes = BUF_INIT;
	struct err err = ERR_INIT;
	uint64_t problems;

	(void)state;
	cancel_init(&cancel);
	make_file(&bytes, "jsonl", &m, 3);
	write_file(path, &bytes);
	job.options.threads = 3;
	job.options.piece = 2000;
	cancel_now(&cancel);
	assert_int_equal(import_run(&job, &problems, &err), E_CANCELLED);
	assert_int_not_equal(access(project, F_OK), 0); /* nothing came in */
	cancel_release(&cancel);
	cancel_init(&cancel);
	err_clear(&err);
	assert_int_equal(import_run(&job, &problems, &err), E_CANCELLED);
	assert_int_not_equal(access(project, F_OK), 0);
	cancel_release(&cancel);
	buf_release(&bytes);
	free(path);
	free(project);
	project_remove(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(lines_of_declared), cmocka_unit_test(lines_alone),
	    cmocka_unit_test(csv_of_declared),	 cmocka_unit_test(csv_alone),
	    cmocka_unit_test(many_samples),
	    cmocka_unit_test(number_without_a_name),
	    cmocka_unit_test(lists),	 cmocka_unit_test(runs_by_turns),
	    cmocka_unit_test(nothing_readable),
	    cmocka_unit_test(cancelled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
