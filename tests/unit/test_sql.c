/* SQL over a project: the virtual tables against a naive walk, and plans against full scans. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "core/base/vec.h"
#include "core/eval/eval.h"
#include "tests/unit/lib_random.h"
#include "tests/unit/lib_sql.h"
#include "tests/unit/lib_store.h"

/* --- the naive walk --- */

struct walk {
	struct conn *c;
	const struct snapshot *snap;
	struct arena arena;
	uint32_t i;
};

static const char *key_of(struct walk *w)
{
	struct sample_row row;
	struct err err = ERR_INIT;

	assert_int_equal(fetch_sample(w->c, w->snap->dataset_id, w->i, &row, &w->arena, &err), OK);
	return row.key.p;
}

static void put_place(struct walk *w, const char *unit, struct buf *b)
{
	buf_printf(b, "'%s'|'%s'|'%s'|%lld|%lld|%u", w->snap->dataset, key_of(w), unit,
		   (long long)w->snap->dataset_id,
		   (long long)(((uint64_t)w->snap->dataset_id << 32) + w->i), w->i);
}

static void put_classes(struct walk *w, const struct run *r, struct buf *b)
{
	size_t from, n = csr_row(&r->labels, w->i, &from);
	uint64_t first = column_u(&r->label, w->i);

	if (first == COLUMN_NONE) {
		buf_z(b, "|NULL|NULL|NULL|NULL");
		return;
	}
	buf_printf(b, "|'%s'|%llu|'[", w->snap->classes[first].name, (unsigned long long)first);
	for (size_t k = 0; k < (n ? n : 1); k++)
		buf_printf(b, "%s\"%s\"", k ? "," : "",
			   w->snap->classes[n ? column_u(&r->labels.val, from + k) : first].name);
	buf_z(b, "]'|'[");
	for (size_t k = 0; k < (n ? n : 1); k++)
		buf_printf(b, "%s%llu", k ? "," : "",
			   (unsigned long long)(n ? column_u(&r->labels.val, from + k) : first));
	buf_z(b, "]'");
}

static double number_of(struct walk *w, const struct run *r, const char *name)
{
	return fetch_number(w->c, r->id, name, w->i);
}

static void put_prediction(struct walk *w, const struct run *r, struct listed *out)
{
	uint64_t o = column_u(&r->outcome, w->i);
	double score = number_of(w, r, "score"), tokens = number_of(w, r, "tokens"),
	       degree = number_of(w, r, "degree");
	struct err err = ERR_INIT;
	struct str raw = STR("");
	struct buf b = BUF_INIT;

	if (o == OUTCOME_MISSING || o == COLUMN_NONE)
		return;
	put_place(w, r->handle, &b);
	buf_printf(&b, "|%lld|'%s'|'%s'|'%s'", (long long)r->id, r->model, r->protocol,
		   outcome_word((enum outcome)o));
	put_classes(w, r, &b);
	if (isnan(score))
		buf_z(&b, "|NULL");
	else
		buf_printf(&b, "|%g", score); /* two digits were stored */
	if (isnan(tokens))
		buf_z(&b, "|NULL");
	else
		buf_printf(&b, "|%.0f", tokens);
	if (isnan(degree))
		buf_z(&b, "|NULL");
	else
		buf_printf(&b, "|'{\"degree\":%g}'", degree);
	assert_int_equal(fetch_text(w->c, r->id, FIELD_RAW, w->i, &raw, &w->arena, &err), OK);
	if (raw.n)
		buf_printf(&b, "|'%.*s'", STR_ARG(raw));
	else
		buf_z(&b, "|NULL");
	vec_push(out, buf_take(&b));
}

static void put_label(struct walk *w, const struct layer *l, uint32_t c, double votes, bool truth,
		      struct listed *out)
{
	const struct class_info *info = c == UINT32_MAX ? NULL : &w->snap->classes[c];
	struct buf b = BUF_INIT;

	put_place(w, l->name, &b);
	buf_printf(&b, "|%lld", (long long)l->id);
	if (info)
		buf_printf(&b, "|'%s'|%u", info->name, c);
	else
		buf_z(&b, "|NULL|NULL");
	if (info && info->wnid[0])
		buf_printf(&b, "|'%s'", info->wnid);
	else
		buf_z(&b, "|NULL");
	if (info && info->index >= 0)
		buf_printf(&b, "|%lld", (long long)info->index);
	else
		buf_z(&b, "|NULL");
	buf_printf(&b, "|%d", truth);
	if (isnan(votes))
		buf_z(&b, "|NULL");
	else
		buf_printf(&b, "|%g", votes);
	vec_push(out, buf_take(&b));
}

static void put_labels(struct walk *w, const struct layer *l, struct listed *out)
{
	const float *row = (const float *)l->votes.data + (size_t)w->i * l->vote_width;
	size_t from, n = csr_row(&l->sets, w->i, &from), before = out->n;
	float top = 0;

	if (column_u(&l->covered, w->i) != 1)
		return;
	for (uint32_t f = 0; f < l->vote_width; f++)
		top = row[f] > top ? row[f] : top;
	for (uint32_t f = 0; f < l->vote_width; f++)
		if (row[f] > 0)
			put_label(w, l, l->vote_class[f], row[f], row[f] >= top, out);
	for (size_t k = 0; k < n; k++)
		put_label(w, l, (uint32_t)column_u(&l->sets.val, from + k), NAN, true, out);
	if (out->n == before)
		put_label(w, l, UINT32_MAX, NAN, false, out);
}

static void put_verdict(struct walk *w, const struct lens *lens, int r, const uint8_t *verdict,
			const uint8_t *category, struct listed *out)
{
	static const char *const marks[] = {"missing", "error", "uncounted", "n",     "right",
					    "wrong",   "oop",   "refused",   "empty", "unparsed"};
	struct buf b = BUF_INIT, text = BUF_INIT;

	lens_format(lens, w->snap, &text);
	put_place(w, w->snap->runs[r].handle, &b);
	buf_printf(&b, "|%lld|'%s'|'%s'|", (long long)w->snap->runs[r].id,
		   verdict_word((enum verdict)verdict[w->i]),
		   marks[eval_mark(w->snap, lens, r, w->i, (enum verdict)verdict[w->i])]);
	if (category[w->i] == CAT_NONE)
		buf_z(&b, "NULL");
	else
		buf_printf(&b, "'%s'", category_word((enum category)category[w->i]));
	buf_printf(&b, "|'%s'", buf_cstr(&text));
	vec_push(out, buf_take(&b));
	buf_release(&text);
}

static void walk_dataset(struct walk *w, struct listed out[3])
{
	const struct snapshot *s = w->snap;
	struct lens lens = lens_preset(s, s->preset);
	uint8_t verdict[RANDOM_SAMPLES + 1], category[RANDOM_SAMPLES + 1];

	eval_categories(s, &lens, category);
	for (uint32_t r = 0; r < s->n_runs; r++) {
		eval_verdicts(s, &lens, (int)r, verdict);
		for (w->i = 0; w->i < s->n; w->i++) {
			put_prediction(w, &s->runs[r], &out[0]);
			put_verdict(w, &lens, (int)r, verdict, category, &out[1]);
		}
	}
	for (uint32_t l = 0; l < s->n_layers; l++)
		for (w->i = 0; w->i < s->n; w->i++)
			put_labels(w, &s->layers[l], &out[2]);
}

static void walk_project(struct conn *c, struct listed out[3])
{
	struct walk w = {.c = c};
	struct dataset_name *names;
	struct err err = ERR_INIT;
	size_t n;

	assert_int_equal(fetch_datasets(c, &names, &n, &w.arena, &err), OK);
	for (size_t i = 0; i < n; i++) {
		struct snapshot *snap = must_load(c, names[i].name);

		w.snap = snap;
		walk_dataset(&w, out);
		snapshot_free(snap);
	}
	arena_release(&w.arena);
}

#define PLACE(UNIT) "dataset, sample, " UNIT ", dataset_id, sample_id, ord, " UNIT "_id, "

static const char *const whole[] = {
    "SELECT " PLACE(
	"run") "model, protocol, outcome, class, class_ord, classes, class_ords, score, "
	       "tokens, numbers, raw FROM prediction",
    "SELECT " PLACE("run") "verdict, mark, category, lens FROM verdict",
    "SELECT " PLACE("layer") "class, class_ord, wnid, idx, truth, votes FROM label",
};

static void every_row(void **state)
{
	static const size_t memories[] = {0, 1, 200};
	struct place *p = *state;
	size_t rows[3] = {0};

	for (uint32_t seed = 1; seed <= 60; seed++) {
		struct listed want[3] = {{0}};
		struct conn *c;
		struct sql *s;

		remove(p->path);
		random_project_make(p->path, seed);
		c = project_open(p->path, CONN_READ);
		walk_project(c, want);
		s = open_sql(c, NULL, memories[seed % 3]);
		for (int t = 0; t < 3; t++) {
			struct listed got = {0};

			rows[t] += want[t].n;
			must_ask(s, whole[t], &got);
			same_rows(whole[t], &got, &want[t], false);
		}
		sql_close(s);
		conn_close(c);
	}
	for (int t = 0; t < 3; t++)
		assert_true(rows[t] > 500);
}

/* --- plans against full scans: a LIMIT inside hides the condition from the planner --- */

static void condition_agrees(struct sql *s, const char *table, const char *column,
			     const char *value)
{
	static const char *const ops[][2] = {
	    {"= ", ""},  {"> ", ""},
	    {"<= ", ""}, {"IN (", ", 2, 'm2/cw')"},
	    {"IS ", ""}, {"COLLATE NOCASE = ", ""},
	};

	for (size_t o = 0; o < sizeof ops / sizeof *ops; o++) {
		struct listed got = {0}, want = {0};
		char query[256];

		snprintf(query, sizeof query, "SELECT rowid, * FROM %s WHERE %s %s%s%s", table,
			 column, ops[o][0], value, ops[o][1]);
		must_ask(s, query, &got);
		snprintf(query, sizeof query,
			 "SELECT * FROM (SELECT rowid, * FROM %s LIMIT -1) WHERE %s %s%s%s", table,
			 column, ops[o][0], value, ops[o][1]);
		must_ask(s, query, &want);
		same_rows(query, &got, &want, false);
	}
}

static void conditions_agree(struct sql *s, const char *table, const char *unit,
			     const char *unit_id, const char *code)
{
	static const char *const values[] = {
	    "'data 1'",   "'data 2'",   "'s7.1'",   "'m1'",  "'original'", "'votes'",
	    "'right'",    "'answered'", "'oop'",    "1",     "2",          "'1'",
	    "1.0",        "1.5",        "NULL",     "x'00'", "-1",         "4294967296",
	    "8589934593", "4294967299", "'DATA 1'", "3",     "' 1 '",      "1e300"};
	const char *columns[] = {"dataset", "sample",    unit,    "dataset_id",
				 "ord",     "sample_id", unit_id, code};

	for (size_t k = 0; k < sizeof columns / sizeof *columns; k++)
		for (size_t v = 0; v < sizeof values / sizeof *values; v++)
			condition_agrees(s, table, columns[k], values[v]);
}

static void plans(void **state)
{
	struct place *p = *state;
	struct listed rich = {0};
	struct conn *c;
	struct sql *s;

	random_project_make(p->path, 39);
	c = project_open(p->path, CONN_READ);
	s = open_sql(c, NULL, 0);
	must_ask(
	    s,
	    "SELECT DISTINCT dataset_id FROM prediction UNION ALL SELECT 9 FROM label WHERE votes",
	    &rich);
	assert_true(rich.n > 3); /* two datasets with answers, and votes */
	listed_release(&rich);
	conditions_agree(s, "prediction", "run", "run_id", "outcome");
	conditions_agree(s, "verdict", "run", "run_id", "verdict");
	conditions_agree(s, "label", "layer", "layer_id", "class");
	sql_close(s);
	conn_close(c);
}

/* Two texts of one meaning, the second out of the planner's sight. */
static void pairs_agree(void **state)
{
	static const char *const queries[][2] = {
	    {"SELECT outcome FROM prediction ORDER BY outcome",
	     "SELECT outcome FROM prediction ORDER BY +outcome"},
	    {"SELECT outcome FROM prediction ORDER BY outcome DESC",
	     "SELECT outcome FROM prediction ORDER BY +outcome DESC"},
	    {"SELECT run, outcome FROM prediction ORDER BY run, outcome",
	     "SELECT run, outcome FROM prediction ORDER BY +run, +outcome"},
	    {"SELECT run, outcome FROM prediction ORDER BY outcome, run",
	     "SELECT run, outcome FROM prediction ORDER BY +outcome, +run"},
	    {"SELECT run_id, verdict FROM verdict ORDER BY run_id, verdict DESC",
	     "SELECT run_id, verdict FROM verdict ORDER BY +run_id, +verdict DESC"},
	    {"SELECT run FROM verdict ORDER BY run DESC",
	     "SELECT run FROM verdict ORDER BY +run DESC"},
	    {"SELECT layer FROM label ORDER BY layer", "SELECT layer FROM label ORDER BY +layer"},
	    {"SELECT verdict, count(*) FROM verdict GROUP BY verdict",
	     "SELECT +verdict, count(*) FROM verdict GROUP BY +verdict"},
	    {"SELECT run, verdict, count(*) FROM verdict GROUP BY run, verdict",
	     "SELECT +run, +verdict, count(*) FROM verdict GROUP BY +run, +verdict"},
	    {"SELECT DISTINCT outcome FROM prediction ORDER BY 1",
	     "SELECT DISTINCT +outcome FROM prediction ORDER BY 1"},
	    {"SELECT count(*) FROM prediction p JOIN verdict v USING (run_id, sample_id)",
	     "SELECT count(*) FROM prediction"},
	    {"SELECT count(*) FROM prediction p JOIN verdict v USING (dataset, run, sample)",
	     "SELECT count(*) FROM prediction"},
	    {"SELECT p.sample_id, run_id, l.class FROM prediction p JOIN label l USING (sample_id) "
	     "WHERE "
	     "l.layer = 'original' ORDER BY 1, 2, 3",
	     "SELECT p.sample_id, run_id, l.class FROM prediction p, label l WHERE +p.sample_id = "
	     "+l.sample_id AND +l.layer = 'original' ORDER BY 1, 2, 3"},
	    {"SELECT s.key, p.run FROM sample s JOIN prediction p ON p.sample_id = s.id ORDER BY "
	     "1, 2",
	     "SELECT sample, run FROM prediction ORDER BY 1, 2"},
	    {"SELECT key, v.verdict FROM sample s LEFT JOIN verdict v ON v.sample_id = s.id AND "
	     "v.run = 'm1' "
	     "ORDER BY s.id",
	     "SELECT key, v.verdict FROM sample s LEFT JOIN verdict v ON +v.sample_id = s.id AND "
	     "+v.run = "
	     "'m1' ORDER BY s.id"},
	    {"SELECT sample_id FROM prediction WHERE run = 'm1' OR ord = 3 ORDER BY 1",
	     "SELECT sample_id FROM prediction WHERE +run = 'm1' OR +ord = 3 ORDER BY 1"},
	    {"SELECT coalesce(sum(n), 0) FROM run", "SELECT count(*) FROM prediction"},
	    {"SELECT coalesce(sum(n_labelled), 0) FROM layer",
	     "SELECT count(*) FROM (SELECT DISTINCT layer_id, sample_id FROM label)"},
	};
	struct place *p = *state;

	for (uint32_t seed = 11; seed <= 30; seed++) {
		struct conn *c;
		struct sql *s;

		remove(p->path);
		random_project_make(p->path, seed);
		c = project_open(p->path, CONN_READ);
		s = open_sql(c, NULL, seed & 1);
		for (size_t q = 0; q < sizeof queries / sizeof *queries; q++) {
			struct listed got = {0}, want = {0};

			must_ask(s, queries[q][0], &got);
			must_ask(s, queries[q][1], &want);
			same_rows(queries[q][0], &got, &want, true);
		}
		sql_close(s);
		conn_close(c);
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
	    cmocka_unit_test_setup_teardown(every_row, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(plans, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(pairs_agree, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
