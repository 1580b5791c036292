/* Columns to the file and back; a whole dataset; what a damaged one gets. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "core/base/xmalloc.h"
#include "db/column.h"
#include "tests/unit/lib_faults.h"
#include "tests/unit/lib_project.h"

struct place {
	char *folder, *file;
};

static int set_up(void **state)
{
	struct place *p = xcalloc(1, sizeof *p);

	p->folder = project_folder();
	p->file = project_file(p->folder, "p.qualm");
	project_make_tiny(p->file, 0);
	*state = p;
	return 0;
}

static int tear_down(void **state)
{
	struct place *p = *state;

	free(p->file);
	project_remove(p->folder);
	free(p);
	return 0;
}

static void columns_come_back(void **state)
{
	static const size_t sizes[] = {0, 1, 100, 70000};
	struct place *p = *state;
	struct conn *c = project_open(p->file, CONN_WRITE);
	struct err err = ERR_INIT;

	for (int d = 0; d < N_DTYPES; d++)
		for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
			struct column a = column_new((enum dtype)d, sizes[k]), b;

			for (size_t i = 0; i < a.n; i += 3)
				column_set_f(&a, i, (double)(i % 251));
			assert_int_equal(column_store(c, OWNER_RUN, 9, "x", &a, &err), OK);
			assert_int_equal(column_load(c, OWNER_RUN, 9, "x", &b, &err), OK);
			assert_int_equal(b.dtype, d);
			assert_int_equal(b.n, a.n);
			assert_memory_equal(a.data, b.data, a.n * dtype_size(a.dtype));
			column_release(&a);
			column_release(&b);
		}
	assert_int_equal(project_int(c, "SELECT count(*) FROM col WHERE owner = 9"), 1);
	conn_close(c);
}

static void columns_that_are_not(void **state)
{
	static const struct {
		const char *sql;
		enum status want;
	} rows[] = {
	    {"DELETE FROM col WHERE owner = 9", E_NOT_FOUND},
	    {"UPDATE col SET n = n + 1 WHERE owner = 9", E_FORMAT},
	    {"UPDATE col SET n = n - 1 WHERE owner = 9", E_FORMAT},
	    {"UPDATE col SET n = -1 WHERE owner = 9", E_FORMAT},
	    {"UPDATE col SET n = 9223372036854775807 WHERE owner = 9", E_FORMAT},
	    {"UPDATE col SET n = 4611686018427387905 WHERE owner = 9", E_FORMAT},
	    {"UPDATE col SET dtype = 6 WHERE owner = 9", E_FORMAT},
	    {"UPDATE col SET dtype = -1 WHERE owner = 9", E_FORMAT},
	    {"UPDATE col SET dtype = 4294967297 WHERE owner = 9", E_FORMAT},
	    {"UPDATE col SET data = 12 WHERE owner = 9", E_FORMAT},
	    {"UPDATE col SET data = 'text' WHERE owner = 9", E_FORMAT},
	};
	struct place *p = *state;
	struct conn *c = project_open(p->file, CONN_WRITE);

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct column col = {DT_U8, 0, NULL};
		struct err err = ERR_INIT;
		enum status st;

		project_column(c, OWNER_RUN, 9, "x", DT_U16, (const double[]){1, 2, 3}, 3);
		project_exec(c, rows[i].sql);
		st = column_load(c, OWNER_RUN, 9, "x", &col, &err);
		if (st != rows[i].want)
			fail_msg("%s: %d %s", rows[i].sql, st, err.msg);
		assert_int_equal(err.code, rows[i].want);
		column_release(&col);
	}
	conn_close(c);
}

static void check_sets(const struct csr *c, const char *want)
{
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < csr_n(c); i++) {
		size_t from, n = csr_row(c, i, &from);

		buf_z(&b, i ? " {" : "{");
		for (size_t k = 0; k < n; k++)
			buf_printf(&b, "%s%u", k ? "," : "", (unsigned)column_u(&c->val, from + k));
		buf_z(&b, "}");
	}
	assert_string_equal(buf_cstr(&b), want);
	buf_release(&b);
}

static void check_runs(const struct snapshot *s)
{
	static const unsigned outcomes[] = {OUTCOME_ANSWERED, OUTCOME_ANSWERED, OUTCOME_ANSWERED,
					    OUTCOME_OOP, OUTCOME_REFUSED};
	const struct run *r = &s->runs[0];

	assert_int_equal(s->n_runs, 2);
	assert_string_equal(r->handle, "m1/cw");
	assert_string_equal(r->title, "Model One");
	assert_string_equal(r->model, "m1");
	assert_string_equal(r->protocol, "CW");
	assert_int_equal(r->list_rule, LIST_ALL_HIT);
	assert_false(r->open_world || r->scratch);
	assert_int_equal(r->n_predictions, 5);
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(column_u(&r->outcome, i), outcomes[i]);
	assert_int_equal(column_u(&r->label, 1), 1);
	assert_true(column_u(&r->label, 3) == COLUMN_NONE);
	check_sets(&r->labels, "{} {} {0,2}");
	r = &s->runs[1];
	assert_true(r->open_world && r->scratch);
	assert_int_equal(r->n_predictions, 2);
	assert_int_equal(csr_n(&r->labels), 0);
	assert_int_equal(r->labels.off.n, 0);
}

static void check_facets(const struct snapshot *s)
{
	const struct facet *f = s->facets;

	assert_int_equal(s->n_facets, 3);
	assert_string_equal(f[0].name, "emotion");
	assert_int_equal(f[0].n_values, 3);
	assert_string_equal(f[0].values[2], "fear");
	assert_int_equal(f[0].parents[1], 0);
	assert_int_equal(f[0].parents[2], UINT32_MAX);
	assert_int_equal(column_u(&f[0].value, 2), 2);
	assert_true(column_u(&f[0].value, 5) == COLUMN_NONE);
	assert_true(f[1].multi);
	check_sets(&f[1].sets, "{0} {} {0,1} {1}");
	assert_true(f[2].numeric);
	assert_true(column_f(&f[2].number, 1) == 2.5);
	assert_true(isnan(column_f(&f[2].number, 2)));
}

static void a_whole_dataset(void **state)
{
	struct place *p = *state;
	struct conn *c = project_open(p->file, CONN_READ);
	struct snapshot *s = NULL;
	struct err err = ERR_INIT;

	if (snapshot_load(c, NULL, &s, &err) != OK)
		fail_msg("%s", err.msg);
	assert_string_equal(s->dataset, "tiny");
	assert_string_equal(s->preset, "regt");
	assert_string_equal(s->image_root, "pics");
	assert_int_equal(s->n, 6);
	assert_int_equal(s->n_classes, 3);
	assert_string_equal(s->classes[1].name, "dog");
	assert_string_equal(s->classes[1].wnid, "n002");
	assert_int_equal(s->classes[1].index, 1);
	assert_int_equal(s->classes[1].parent, UINT32_MAX);
	assert_int_equal(s->classes[2].parent, 1);
	assert_int_equal(s->n_pairs, 1);
	assert_int_equal(s->pairs[0][0], 1);
	assert_int_equal(s->pairs[0][1], 2);
	assert_int_equal(column_u(&s->media, 4), MEDIA_IMAGE);
	assert_int_equal(column_u(&s->media, 5), MEDIA_NONE);
	assert_int_equal(s->n_layers, 3);
	assert_int_equal(s->layers[0].n_labelled, 6);
	check_sets(&s->layers[0].sets, "{0} {1} {2} {0} {1} {2}");
	assert_string_equal(s->layers[1].name, "reannotated");
	assert_int_equal(s->layers[1].n_labelled, 5);
	assert_int_equal(s->layers[1].vote_width, 0);
	check_sets(&s->layers[1].sets, "{0} {} {0,2} {2} {1}");
	assert_int_equal(s->layers[2].vote_width, 2);
	assert_int_equal(s->layers[2].vote_class[1], 1);
	assert_true(column_f(&s->layers[2].votes, 3) == 4);
	check_facets(s);
	check_runs(s);
	snapshot_free(s);
	conn_close(c);
}

/* --- repeats --- */

/* Like m1/cw, but for what `set` assigns, and the batch of its requests (0: not told). */
static void add_run(struct conn *c, int id, const char *set, double batch)
{
	const double sizes[] = {batch, batch, batch, batch, 1};
	char sql[900];

	snprintf(sql, sizeof sql,
		 "INSERT INTO run (id, dataset, model, handle, title, protocol, prompt, response_format, encoder, "
		 "list_rule, open_world, settings, scratch, source, n, imported) SELECT %d, dataset, model, 'r%d', "
		 "title, protocol, prompt, response_format, encoder, list_rule, open_world, settings, scratch, "
		 "source, 0, imported FROM run WHERE handle = 'm1/cw'", id, id);
	project_exec(c, sql);
	snprintf(sql, sizeof sql, "UPDATE run SET %s WHERE id = %d", set, id);
	project_exec(c, sql);
	if (batch > 0)
		project_column(c, OWNER_RUN, id, "batch_size", DT_U8, sizes, 5);
}

static void runs_repeat_what_was_asked_in_the_same_way(void **state)
{
	static const struct {
		const char *set;
		double batch;
		int like; /* the first of those that it repeats: a row, -1 = m1/cw */
	} runs[] = {
	    {"title = 'again'", 0, -1},
	    {"settings = '{\"temperature\":1}'", 0, 1},
	    {"settings = '{\"seed\":5,\"temperature\":1}'", 0, 1},
	    {"settings = '{\"temperature\":1,\"seed\":6,\"repeat\":2}'", 0, 1},
	    {"settings = '{\"temperature\":0}'", 0, 4},
	    {"title = 'eight'", 8, 5},
	    {"title = 'eight again'", 8, 5},
	    {"title = 'one'", 1, 7},
	    {"prompt = 'Look.'", 0, 8},
	    {"response_format = 'json'", 0, 9},
	    {"encoder = 'e'", 0, 10},
	    {"open_world = 1", 0, 11},
	    {"settings = '{\"seed\":1}'", 0, -1},
	};
	struct place *p = *state;
	struct conn *c = project_open(p->file, CONN_WRITE);
	struct snapshot *s = NULL;
	struct err err = ERR_INIT;
	int n = sizeof runs / sizeof *runs, base;

	for (int k = 0; k < n; k++)
		add_run(c, 50 + k, runs[k].set, runs[k].batch);
	assert_int_equal(snapshot_load(c, NULL, &s, &err), OK);
	base = (int)s->n_runs - n;
	for (int k = 0; k < n; k++)
		for (int of = 0; of < n; of++)
			if (snapshot_is_repeat(s, base + k, base + of) != (runs[k].like == runs[of].like))
				fail_msg("%s, %s", runs[k].set, runs[of].set);
	assert_int_equal(snapshot_n_repeats(s, snapshot_run(s, STR("m1/cw"))), 3);
	snapshot_free(s);
	conn_close(c);
}

static void choosing_a_dataset(void **state)
{
	struct place *p = *state;
	struct conn *c = project_open(p->file, CONN_WRITE);
	struct snapshot *s = NULL;
	struct err err = ERR_INIT;

	assert_int_equal(snapshot_load(c, "tony", &s, &err), E_NOT_FOUND);
	assert_non_null(strstr(err.msg, "there is: tiny"));
	project_exec(c, "INSERT INTO dataset (name, created) VALUES ('second', '')");
	assert_int_equal(snapshot_load(c, NULL, &s, &err), E_USAGE);
	assert_non_null(strstr(err.msg, "tiny, second"));
	assert_int_equal(snapshot_load(c, "second", &s, &err), OK);
	assert_int_equal(s->n, 0);
	assert_int_equal(s->n_runs + s->n_layers + s->n_facets + s->n_classes, 0);
	snapshot_free(s);
	s = NULL;
	project_exec(c, "DELETE FROM dataset");
	assert_int_equal(snapshot_load(c, NULL, &s, &err), E_NOT_FOUND);
	assert_non_null(strstr(err.msg, "no dataset yet"));
	assert_null(s);
	conn_close(c);
}

static void inside_a_transaction(void **state)
{
	struct place *p = *state;
	struct conn *c = project_open(p->file, CONN_WRITE);
	struct snapshot *s = NULL;
	struct err err = ERR_INIT;

	assert_int_equal(conn_begin(c, &err), OK);
	project_exec(c, "UPDATE dataset SET preset = 'real'");
	assert_int_equal(snapshot_load(c, NULL, &s, &err), OK);
	assert_string_equal(s->preset, "real");
	snapshot_free(s);
	conn_rollback(c);
	assert_int_equal(project_int(c, "SELECT preset = 'regt' FROM dataset"), 1);
	conn_close(c);
}

static void damaged_datasets(void **state)
{
	/* Each is repaired again by the rollback. Column bytes as in lib_project.c. */
	static const char *const damage[] = {
	    "UPDATE dataset SET n_samples = -1",
	    "UPDATE dataset SET n_samples = 99999999999",
	    "UPDATE dataset SET n_samples = 3", /* columns are longer */
	    "UPDATE dataset SET id = 1 << 40",
	    "UPDATE class SET ord = 7 WHERE ord = 2",
	    "DELETE FROM class WHERE ord = 0",
	    "DELETE FROM class",
	    "UPDATE class SET parent = 2 WHERE ord = 2",
	    "UPDATE class SET parent = 2 WHERE ord = 1", /* a ring */
	    "UPDATE class SET parent = 9",
	    "UPDATE class SET parent = -1",
	    "UPDATE equivalence SET b = 3",
	    "UPDATE equivalence SET b = 1",
	    "UPDATE equivalence SET a = -5",
	    "UPDATE col SET data = x'0102', n = 2, dtype = 1 WHERE name = 'media'",
	    "UPDATE col SET dtype = 4, n = 1, data = x'00000000' WHERE name = 'media'",
	    "UPDATE facet_value SET ord = 5 WHERE facet = 1 AND ord = 2",
	    "UPDATE facet_value SET parent = 1 WHERE facet = 1 AND ord = 0",
	    "DELETE FROM facet_value WHERE facet = 1 AND ord = 2",
	    "DELETE FROM facet_value WHERE facet = 2",
	    "UPDATE col SET dtype = 4, n = 1, data = x'00000000' WHERE owner_kind = 2 AND owner = 1",
	    "UPDATE col SET dtype = 3 WHERE name = 'number'",
	    "UPDATE col SET data = x'00000000ffffffff', n = 2 WHERE name = 'offset' AND owner = 2",
	    "UPDATE col SET data = x'0000000001000000', n = 2 WHERE name = 'offset' AND owner = 2",
	    "DELETE FROM col WHERE name = 'offset' AND owner = 2",
	    "DELETE FROM col WHERE name = 'value' AND owner = 2",
	    "UPDATE col SET dtype = 1, n = n / 2 WHERE name = 'covered' AND owner = 1",
	    "UPDATE layer_field SET pos = 3 WHERE pos = 1",
	    "UPDATE layer_field SET class = 3 WHERE pos = 1",
	    "UPDATE col SET n = 9, data = zeroblob(36) WHERE name = 'votes'",
	    "UPDATE col SET n = 14, data = zeroblob(56) WHERE name = 'votes'",
	    "UPDATE col SET dtype = 2 WHERE name = 'votes'",
	    "UPDATE run SET list_rule = 2",
	    "UPDATE run SET list_rule = -1",
	    "UPDATE col SET data = x'0101010207' WHERE name = 'outcome' AND owner = 1",
	    "UPDATE col SET data = zeroblob(10), dtype = 1 WHERE name = 'outcome' AND owner = 1",
	    "UPDATE col SET data = zeroblob(7), n = 7 WHERE name = 'outcome' AND owner = 1",
	    "UPDATE col SET data = x'0001030000' WHERE name = 'label' AND owner = 1",
	    "UPDATE col SET data = zeroblob(6), n = 6 WHERE name = 'label' AND owner = 1",
	    "DELETE FROM col WHERE name = 'outcome' AND owner = 1",
	    "UPDATE col SET data = x'05000000' WHERE name = 'list_ord'",
	    "UPDATE col SET data = x'0200000003000000', n = 2 WHERE name = 'list_ord'",
	    "UPDATE col SET data = x'0200', dtype = 1 WHERE name = 'list_ord'",
	    "DELETE FROM col WHERE name = 'list_offset'",
	    "DELETE FROM col WHERE name = 'list_value'",
	    "UPDATE col SET data = x'0003' WHERE name = 'list_value'",
	    "UPDATE col SET data = x'00ff' WHERE name = 'list_value'",
	    "UPDATE col SET data = x'0000000003000000' WHERE name = 'list_offset'",
	};
	struct place *p = *state;
	struct conn *c = project_open(p->file, CONN_WRITE);
	struct snapshot *s = NULL;

	for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
		struct err err = ERR_INIT;
		enum status st;

		project_exec(c, "BEGIN");
		project_exec(c, damage[i]);
		st = snapshot_load(c, NULL, &s, &err);
		if (st != E_FORMAT || err.code != E_FORMAT || !strstr(err.msg, "damaged"))
			fail_msg("%s: %d %s", damage[i], st, err.msg);
		project_exec(c, "ROLLBACK");
	}
	assert_int_equal(snapshot_load(c, NULL, &s, &(struct err)ERR_INIT), OK);
	snapshot_free(s);
	conn_close(c);
}

static void odd_but_harmless(void **state)
{
	static const char *const odd[] = {
	    "DELETE FROM col",
	    "UPDATE run SET model = 99",
	    "UPDATE col SET data = x'ff01ffffff' WHERE name = 'outcome' AND owner = 1",
	    "UPDATE col SET data = x'09ff0102030f' WHERE name = 'media'",
	    "UPDATE class SET idx = NULL, name = ''",
	    "DELETE FROM layer_field",
	};
	struct place *p = *state;
	struct conn *c = project_open(p->file, CONN_WRITE);

	for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
		struct snapshot *s = NULL;
		struct err err = ERR_INIT;

		project_exec(c, "PRAGMA foreign_keys = OFF; BEGIN");
		project_exec(c, odd[i]);
		if (snapshot_load(c, NULL, &s, &err) != OK)
			fail_msg("%s: %s", odd[i], err.msg);
		for (size_t k = 0; k < s->media.n; k++)
			assert_in_range(column_u(&s->media, k), MEDIA_NONE, MEDIA_VIDEO);
		for (size_t k = 0; k < s->runs[0].outcome.n; k++)
			assert_in_range(column_u(&s->runs[0].outcome, k), 0, N_OUTCOMES - 1);
		if (i == 2)
			assert_int_equal(s->runs[0].n_predictions, 1);
		snapshot_free(s);
		project_exec(c, "ROLLBACK");
	}
	conn_close(c);
}

/* Every read may fail: an error in words, nothing leaked, and the next attempt works. */
static void failing_reads(void **state)
{
	struct place *p = *state;
	unsigned long n = 0;
	bool hit;

	faults_install();
	do {
		struct err err = ERR_INIT;
		struct snapshot *s = NULL;
		struct conn *c = NULL;
		enum status st;

		faults_fail_read_at(++n);
		st = conn_open(&c, p->file, CONN_READ, &err);
		if (st == OK)
			st = snapshot_load(c, NULL, &s, &err);
		hit = faults_hit();
		if (hit && st != OK)
			assert_true(err.msg[0] && err.code == st);
		if (!hit)
			assert_int_equal(st, OK);
		if (st != OK)
			assert_null(s);
		snapshot_free(s);
		conn_close(c);
	} while (hit);
	assert_true(n > 20);
	faults_remove();
}

/* What is as large as the file says may be refused by the system: words, or (small things) the
 * end of the program, but never a crash. */
static void failing_allocations(void **state)
{
	struct place *p = *state;
	unsigned long n = 0, worded = 0;
	int status;

	do {
		pid_t pid = fork();

		n++;
		assert_true(pid >= 0);
		if (pid == 0) {
			struct err err = ERR_INIT;
			struct snapshot *s = NULL;
			struct conn *c = project_open(p->file, CONN_READ);
			enum status st;

			xmalloc_fail_at(n);
			st = snapshot_load(c, NULL, &s, &err);
			if (st == OK)
				_exit(xmalloc_count() < n ? 0 : 3); /* 3: it was not needed */
			_exit(st == E_MEMORY && strstr(err.msg, "memory") ? 2 : 1);
		}
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(WIFEXITED(status));
		status = WEXITSTATUS(status);
		assert_true(status == 0 || status == 2 || status == 3 || status == XMALLOC_EXIT_STATUS);
		worded += status == 2;
	} while (status != 0);
	assert_true(worded > 10);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest tests[] = {
	    T(columns_come_back),    T(columns_that_are_not), T(a_whole_dataset),
	    T(runs_repeat_what_was_asked_in_the_same_way), T(choosing_a_dataset),   T(inside_a_transaction), T(damaged_datasets),
	    T(odd_but_harmless),     T(failing_reads),        T(failing_allocations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
