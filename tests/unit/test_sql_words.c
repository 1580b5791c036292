/* SQL over a project: what is refused and how it is said, lenses, damage, the manual. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "core/base/vec.h"
#include "tests/unit/lib_random.h"
#include "tests/unit/lib_sql.h"
#include "tests/unit/lib_store.h"

static void only_reads(void **state)
{
	static const char *const texts[][2] = {
	    {"CREATE TABLE x (a)", "changes the schema is refused"},
	    {"CREATE TEMP TABLE x (a)", "changes the schema is refused"},
	    {"CREATE TEMP VIEW x AS SELECT 1", "refused"},
	    {"CREATE VIRTUAL TABLE temp.x USING prediction", "refused"},
	    {"CREATE INDEX i ON sample (text)", "refused"},
	    {"DROP TABLE sample", "refused"},
	    {"ALTER TABLE sample ADD COLUMN x", "refused"},
	    {"INSERT INTO meta VALUES ('a', 'b')", "INSERT is refused"},
	    {"UPDATE run SET n = 0", "UPDATE is refused"},
	    {"UPDATE sqlite_schema SET sql = ''", "may not be modified"},
	    {"DELETE FROM run", "DELETE is refused"},
	    {"DELETE FROM prediction", "may not be modified"},
	    {"ATTACH ':memory:' AS other", "ATTACH is refused"},
	    {"DETACH main", "DETACH is refused"},
	    {"PRAGMA journal_mode = WAL", "PRAGMA journal_mode with a value is refused"},
	    {"PRAGMA user_version = 7", "refused"},
	    {"PRAGMA writable_schema", "PRAGMA writable_schema is refused"},
	    {"PRAGMA temp_store_directory = '/'", "refused"},
	    {"SELECT load_extension('x')", "not authorized to use function: load_extension"},
	    {"BEGIN", "a transaction is refused"},
	    {"SAVEPOINT a", "SAVEPOINT is refused"},
	    {"VACUUM", "only read"},
	    {"VACUUM INTO '/nowhere/x'", "only read"},
	    {"REINDEX", "REINDEX is refused"},
	    {"ANALYZE", "refused"},
	    {"", "no statement"},
	    {" /* nothing */ ; ", "no statement"},
	    {"SELECT 1; SELECT 2", "one statement at a time: another begins at 10"},
	    {"SELECT 1; nonsense", "one statement at a time"},
	    {"SELEC 1", "near \"SELEC\": syntax error at 1"},
	    {"SELECT '\xe7\x8c\xab', nope FROM run", "no such column: nope at 13"},
	    {"SELECT 1,\n  nope\nFROM run", "no such column: nope at line 2, 3"},
	    {"SELECT * FROM nowhere", "no such table: nowhere"},
	};
	struct place *p = *state;
	struct conn *c;
	struct sql *s;
	char *before, *after;

	remove(p->path);
	random_project_make(p->path, 5);
	c = project_open(p->path, CONN_WRITE); /* the guard alone must hold */
	before = dump_project(c);
	s = open_sql(c, NULL, 0);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		must_refuse(s, texts[i][0], E_USAGE, texts[i][1]);
	must_refuse(s, "SELECT json('{')", E_DB, "malformed JSON");
	sql_close(s);
	after = dump_project(c);
	assert_string_equal(before, after);
	free(before);
	free(after);
	conn_close(c);
}

static void lenses(void **state)
{
	struct place *p = *state;
	struct listed got = {0}, want = {0};
	struct buf told = BUF_INIT;
	struct conn *c;
	struct sql *s;

	remove(p->path);
	project_make_tiny(p->path, 0);
	c = project_open(p->path, CONN_READ);
	s = open_sql(c, "layer=votes,n=wrong", 0);
	must_ask(s, "SELECT count(*) FROM prediction", &got);
	sql_lenses(s, &told);
	assert_int_equal(told.n, 0); /* nothing was judged */
	listed_release(&got);
	must_ask(s, "SELECT DISTINCT lens FROM verdict", &got);
	vec_push(
	    &want,
	    xstrdup("'layer=votes,original=original,equiv=on,n=wrong,abstain=wrong,rule=regt'"));
	same_rows("lens", &got, &want, true);
	sql_lenses(s, &told);
	assert_non_null(strstr(buf_cstr(&told), "tiny: layer=votes"));
	buf_release(&told);
	sql_close(s);
	s = open_sql(c, "layer=none", 0);
	must_refuse(s, "SELECT verdict FROM verdict", E_USAGE, "none");
	must_ask(s, "SELECT 1 FROM label WHERE 0", &got);
	sql_close(s);
	conn_close(c);
}

static void datasets(void **state)
{
	struct place *p = *state;
	struct sql_options o = {.dataset = "data 1"};
	struct listed got = {0}, want = {0};
	struct err err = ERR_INIT;
	struct conn *c;
	struct sql *s = NULL;

	remove(p->path);
	random_project_make(p->path, 12);
	c = project_open(p->path, CONN_READ);
	assert_int_equal(sql_open(&s, c, &o, &err), OK);
	must_ask(s, "SELECT count(*) FROM verdict", &got);
	sql_close(s);
	s = open_sql(c, NULL, 0);
	must_ask(s, "SELECT count(*) FROM verdict WHERE dataset = 'data 1'", &want);
	same_rows("--dataset", &got, &want, true);
	sql_close(s);
	o.dataset = "none";
	assert_int_equal(sql_open(&s, c, &o, &err), E_USAGE);
	assert_non_null(strstr(err.msg, "data 1"));
	conn_close(c);
}

/* What another connection commits between two statements is seen; a damaged run is told by name
 * and leaves the others alone. */
static void changes_and_damage(void **state)
{
	struct place *p = *state;
	struct listed got = {0}, want = {0};
	struct conn *c, *writer;
	struct sql *s;

	remove(p->path);
	project_make_tiny(p->path, 0);
	c = project_open(p->path, CONN_READ);
	writer = project_open(p->path, CONN_WRITE);
	s = open_sql(c, NULL, 0);
	must_ask(s, "SELECT count(*) FROM prediction", &got);
	assert_string_equal(got.v[0], "7");
	listed_release(&got);
	project_column(writer, OWNER_RUN, 2, "outcome", DT_U8, (const double[]){1, 1, 6, 3}, 4);
	must_ask(s, "SELECT count(*) FROM prediction", &got);
	assert_string_equal(got.v[0], "9");
	listed_release(&got);
	project_exec(
	    writer,
	    "UPDATE col SET n = 77 WHERE owner_kind = 3 AND owner = 2 AND name = 'outcome'");
	must_refuse(s, "SELECT count(*) FROM prediction", E_FORMAT, "run m2");
	must_ask(s, "SELECT count(*) FROM prediction WHERE run = 'm1/cw'", &got);
	vec_push(&want, xstrdup("5"));
	same_rows("the other run", &got, &want, true);
	project_exec(writer, "UPDATE chunk SET lens = x'00' WHERE run = 1");
	must_refuse(s, "SELECT raw FROM prediction WHERE run = 'm1/cw'", E_FORMAT, "damaged");
	must_ask(s, "SELECT score FROM prediction WHERE run = 'm1/cw'", &got);
	listed_release(&got);
	sql_close(s);
	conn_close(writer);
	conn_close(c);
}

static void cancels(void **state)
{
	struct place *p = *state;
	struct cancel cancel;
	struct conn *c;
	struct sql *s;

	remove(p->path);
	project_make_tiny(p->path, 0);
	c = project_open(p->path, CONN_READ);
	s = open_sql(c, NULL, 0);
	cancel_init(&cancel);
	conn_set_cancel(c, &cancel);
	cancel_now(&cancel);
	must_refuse(
	    s,
	    "WITH RECURSIVE t (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM t) SELECT max(i) FROM t",
	    E_CANCELLED, "cancelled");
	must_refuse(s, "SELECT * FROM prediction", E_CANCELLED, "");
	conn_set_cancel(c, NULL);
	cancel_release(&cancel);
	sql_close(s);
	conn_close(c);
}

static enum status no_head(void *ctx, const char *const *names, int n, struct err *err)
{
	(void)ctx, (void)names, (void)n, (void)err;
	return OK;
}

static enum status take_names(void *ctx, const struct sql_value *v, int n, struct err *err)
{
	struct listed *l = ctx;
	struct buf b = BUF_INIT;

	(void)n, (void)err;
	buf_printf(&b, "%.*s %.*s", STR_ARG(v[0].s), STR_ARG(v[1].s));
	vec_push(l, buf_take(&b));
	return OK;
}

/* Every column of the virtual tables stands in the manual, as those of the others do. */
static void tables_are_told(void **state)
{
	struct place *p = *state;
	struct listed l = {0};
	struct sql_sink sink = {&l, no_head, take_names};
	struct err err = ERR_INIT;
	struct conn *c;
	struct sql *s;
	FILE *f = fopen("man/qualm.5", "r");
	char *man = xcalloc(1, 1 << 20), table[64], column[64], heading[80], line[80];
	size_t seen = 0;

	assert_non_null(f);
	assert_true(fread(man, 1, (1 << 20) - 1, f) > 0);
	fclose(f);
	remove(p->path);
	project_make_tiny(p->path, 0);
	c = project_open(p->path, CONN_READ);
	s = open_sql(c, NULL, 0);
	assert_int_equal(sql_tables(s, &sink, &err), OK);
	assert_string_equal(l.v[0], "prediction dataset");
	for (size_t i = 0; i < l.n; i++) {
		const char *section, *end, *at;

		assert_int_equal(sscanf(l.v[i], "%63s %63s", table, column), 2);
		snprintf(heading, sizeof heading, "\n.Ss %s\n", table);
		section = strstr(man, heading);
		if (!section)
			fail_msg("qualm.5 does not tell of the table %s", table);
		end = strstr(section + 5, "\n.S");
		snprintf(line, sizeof line, " %s", column);
		for (at = strstr(section, line); at && (!end || at < end);
		     at = strstr(at + 1, line))
			if (strchr(" \n", at[strlen(line)]))
				break;
		if (!at || (end && at >= end))
			fail_msg("qualm.5 does not tell of %s.%s", table, column);
		seen += strcmp(table, "verdict") == 0;
	}
	assert_int_equal(seen, 11);
	listed_release(&l);
	free(man);
	sql_close(s);
	conn_close(c);
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
	    cmocka_unit_test_setup_teardown(only_reads, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(lenses, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(datasets, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(changes_and_damage, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(cancels, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(tables_are_told, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
