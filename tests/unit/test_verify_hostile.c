/* No file, whatever is in it, brings down what looks at it, asks it or repairs it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "core/base/xmalloc.h"
#include "db/sql.h"
#include "db/verify.h"
#include "tests/unit/lib_random.h"
#include "tests/unit/lib_store.h"

static void on_found(void *ctx, const struct verify_finding *f)
{
	buf_printf(ctx, "%s: %s\n", f->where, f->what);
}

static enum status ignore_begin(void *ctx, const char *const *names, int n, struct err *err)
{
	(void)ctx, (void)names, (void)n, (void)err;
	return OK;
}

static enum status ignore_row(void *ctx, const struct sql_value *values, int n, struct err *err)
{
	(void)ctx, (void)values, (void)n, (void)err;
	return OK;
}

static void ask_everything(struct conn *c)
{
	static const char *const texts[] = {
	    "SELECT * FROM prediction",
	    "SELECT * FROM verdict",
	    "SELECT * FROM label",
	    "SELECT outcome, count(*) FROM prediction GROUP BY 1",
	    "SELECT * FROM sample s, prediction p, label l WHERE p.sample_id = s.id AND l.sample = s.key",
	};
	struct sql_options o = {.memory = 0};
	struct sql_sink sink = {NULL, ignore_begin, ignore_row};
	struct err err = ERR_INIT;
	struct sql *s = NULL;

	if (sql_open(&s, c, &o, &err) != OK)
		return;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		err_clear(&err);
		sql_run(s, str_z(texts[i]), &sink, &err);
	}
	sql_close(s);
}

/* Looks, asks, repairs. After a repair that went through, nothing is left that a repair could do,
 * and what is sound can be loaded. */
static void survive(const char *path, const char *what)
{
	struct verify_counts counts, left;
	struct err err = ERR_INIT;
	struct buf heard = BUF_INIT;
	struct verify_job look = {.ctx = &heard, .found = on_found},
			  repair = {.repair = true, .ctx = &heard, .found = on_found};
	struct conn *c = NULL;

	if (conn_open(&c, path, CONN_WRITE, &err) != OK)
		return;
	verify_run(c, &look, &counts, &left, &err);
	buf_release(&heard);
	ask_everything(c);
	err_clear(&err);
	if (verify_run(c, &repair, &counts, &left, &err) == OK && left.fixable)
		fail_msg("%s: %llu findings could be repaired again: %s", what,
			 (unsigned long long)left.fixable, buf_cstr(&heard));
	buf_release(&heard);
	conn_close(c);
}

static void copy_with(const char *from, const char *to, uint32_t *state, int flips)
{
	FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
	size_t n, size = 1 << 20;
	unsigned char *bytes = xcalloc(size, 1);

	assert_true(in && out);
	n = fread(bytes, 1, size, in);
	for (int i = 0; i < flips; i++) {
		*state = *state * 1664525u + 1013904223u;
		bytes[(*state >> 4) % n] ^= (unsigned char)(1u << (*state >> 29));
		if (i % 3 == 2)
			bytes[(*state >> 5) % n] = (unsigned char)(*state >> 13);
	}
	assert_int_equal(fwrite(bytes, 1, n, out), n);
	fclose(in);
	fclose(out);
	free(bytes);
}

static void flipped_bytes(void **state)
{
	struct place *p = *state;
	char *whole = project_file(p->folder, "whole.qualm"), what[64], *journal;
	uint32_t seed = 77;

	project_make_tiny(whole, 1024);
	journal = xasprintf("%s-journal", p->path);
	for (int i = 0; i < 200; i++) {
		snprintf(what, sizeof what, "variant %d", i);
		copy_with(whole, p->path, &seed, 1 + i % 12);
		remove(journal);
		survive(p->path, what);
	}
	free(journal);
	free(whole);
}

static void plain_sql(const char *path, const char *sql)
{
	sqlite3 *db = NULL;
	char *why = NULL;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK)
		fail_msg("%s: %s", sql, why);
	sqlite3_close(db);
}

/* The pages stay whole, what is packed in them does not. */
static void flipped_columns(void **state)
{
	struct place *p = *state;
	uint32_t rnd = 5;

	for (int i = 0; i < 200; i++) {
		char sql[600], what[32];

		remove(p->path);
		random_project_make(p->path, 1 + (uint32_t)i % 40);
		for (int k = 0; k <= i % 4; k++) {
			rnd = rnd * 1664525u + 1013904223u;
			snprintf(sql, sizeof sql,
				 "UPDATE %s SET %s = CAST(substr(%s, 1, %u) || x'%02x' || "
				 "substr(%s, %u) AS BLOB) "
				 "WHERE id = (SELECT id FROM %s ORDER BY id LIMIT 1 OFFSET (%u %% "
				 "max(1, (SELECT "
				 "count(*) FROM %s)))) AND length(%s) > %u",
				 k % 2 ? "chunk" : "col", k % 4 == 1 ? "ords" : "data",
				 k % 4 == 1 ? "ords" : "data", (rnd >> 8) % 20, (rnd >> 16) & 0xff,
				 k % 4 == 1 ? "ords" : "data", (rnd >> 8) % 20 + 2,
				 k % 2 ? "chunk" : "col", rnd >> 10, k % 2 ? "chunk" : "col",
				 k % 4 == 1 ? "ords" : "data", (rnd >> 8) % 20);
			plain_sql(p->path, sql);
		}
		snprintf(what, sizeof what, "columns %d", i);
		survive(p->path, what);
	}
}

static int set_up(void **state)
{
	struct place *p = xcalloc(1, sizeof *p);

	p->folder = project_folder();
	p->path = project_file(p->folder, "p.qualm");
	*state = p;
	return 0;
}

static int tear_down(void **state)
{
	place_end(*state);
	free(*state);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(flipped_bytes, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(flipped_columns, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
