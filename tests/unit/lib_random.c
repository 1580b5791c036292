#include "tests/unit/lib_random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"

struct draw {
	struct conn *c;
	uint32_t state;
	int dataset, n, n_classes;
	int layer, run; /* ids given so far */
};

static int below(struct draw *d, int limit)
{
	d->state = d->state * 1664525u + 1013904223u;
	return limit > 0 ? (int)((d->state >> 8) % (uint32_t)limit) : 0;
}

static bool chance(struct draw *d, int percent)
{
	return below(d, 100) < percent;
}

static void exec(struct draw *d, char *sql)
{
	project_exec(d->c, sql);
	free(sql);
}

static void draw_dataset(struct draw *d)
{
	static const char *const presets[] = {"", "regt", "real", "mvei"};

	d->n = chance(d, 10) ? below(d, 2) : 1 + below(d, RANDOM_SAMPLES);
	d->n_classes = 1 + below(d, 7);
	exec(d, xasprintf("INSERT INTO dataset (id, name, preset, n_samples, created) VALUES "
			  "(%d, 'data %d', '%s', %d, 'now')",
			  d->dataset, d->dataset, presets[below(d, 4)], d->n));
	exec(d,
	     xasprintf(
		 "WITH RECURSIVE k(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM k WHERE i < %d) "
		 "INSERT INTO class (dataset, ord, idx, wnid, name) SELECT %d, i, "
		 "iif(i %% 3, i * 10, NULL), iif(i %% 2, 'n' || i, ''), 'c' || (i / 2 * 2) FROM k",
		 d->n_classes - 1, d->dataset));
	if (d->n_classes > 3)
		exec(d, xasprintf("INSERT INTO equivalence VALUES (%d, 0, 1), (%d, 1, 3)",
				  d->dataset, d->dataset));
	if (d->n)
		exec(d,
		     xasprintf(
			 "WITH RECURSIVE k(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM k WHERE i < "
			 "%d) "
			 "INSERT INTO sample (id, dataset, ord, key) SELECT (%d << 32) + i, %d, i, "
			 "'s' || (i * 7 %% 100) || '.' || i FROM k",
			 d->n - 1, d->dataset, d->dataset));
}

/* Some of the classes, ascending; returns how many. */
static int draw_set(struct draw *d, int percent, double *out)
{
	int n = 0;

	for (int c = 0; c < d->n_classes; c++)
		if (chance(d, percent))
			out[n++] = c;
	return n;
}

static void draw_sets(struct draw *d, int percent)
{
	double off[RANDOM_SAMPLES + 1] = {0}, val[RANDOM_SAMPLES * 8], covered[RANDOM_SAMPLES];
	int n = 0, labelled = 0, id = ++d->layer;

	for (int i = 0; i < d->n; i++) {
		covered[i] = chance(d, 80);
		labelled += covered[i] != 0;
		if (covered[i] != 0)
			n += draw_set(d, percent, val + n);
		off[i + 1] = n;
	}
	exec(d, xasprintf("INSERT INTO layer (id, dataset, name, kind, n_labelled) VALUES (%d, %d, "
			  "'%s', 0, %d)",
			  id, d->dataset, percent < 30 ? "original" : "reannotated", labelled));
	project_column(d->c, OWNER_LAYER, id, "covered", DT_U8, covered, (size_t)d->n);
	project_column(d->c, OWNER_LAYER, id, "offset", DT_U32, off, (size_t)d->n + 1);
	project_column(d->c, OWNER_LAYER, id, "value", DT_U16, val, (size_t)n);
}

static void draw_votes(struct draw *d)
{
	double covered[RANDOM_SAMPLES], votes[RANDOM_SAMPLES * 3];
	int labelled = 0, id = ++d->layer, width = d->n_classes < 3 ? d->n_classes : 3;

	for (int i = 0; i < d->n; i++) {
		covered[i] = chance(d, 80);
		labelled += covered[i] != 0;
		for (int k = 0; k < width; k++)
			votes[i * width + k] = covered[i] == 0 ? NAN : below(d, 3) * 0.5;
	}
	exec(d, xasprintf("INSERT INTO layer (id, dataset, name, kind, n_labelled) VALUES (%d, %d, "
			  "'votes', 1, %d)",
			  id, d->dataset, labelled));
	for (int k = 0; k < width; k++)
		exec(d, xasprintf("INSERT INTO layer_field VALUES (%d, %d, %d, 'f')", id, k,
				  width - 1 - k));
	project_column(d->c, OWNER_LAYER, id, "covered", DT_U8, covered, (size_t)d->n);
	project_column(d->c, OWNER_LAYER, id, "votes", DT_F32, votes, (size_t)(d->n * width));
}

struct answers {
	double outcome[RANDOM_SAMPLES], label[RANDOM_SAMPLES], score[RANDOM_SAMPLES],
	    tokens[RANDOM_SAMPLES], degree[RANDOM_SAMPLES];
	double list_ord[RANDOM_SAMPLES], list_off[RANDOM_SAMPLES + 1], list_val[RANDOM_SAMPLES * 8];
	const char *texts[RANDOM_SAMPLES];
	int n, n_lists, n_listed;
};

static void draw_answer(struct draw *d, struct answers *a, int i)
{
	static const char *const words[] = {"a cat", "it is\na \"dog\"", "\xe7\x8c\xab", "no\tidea",
					    ""};
	double set[8];
	int n, outcome = chance(d, 15)   ? OUTCOME_MISSING
			 : chance(d, 60) ? OUTCOME_ANSWERED
					 : below(d, N_OUTCOMES);

	n = outcome == OUTCOME_ANSWERED || (outcome == OUTCOME_OOP && chance(d, 30))
		? draw_set(d, 30, set)
		: 0;
	if (outcome == OUTCOME_ANSWERED && !n)
		set[n++] = below(d, d->n_classes);
	a->n += outcome != OUTCOME_MISSING;
	a->outcome[i] = outcome;
	a->label[i] = n ? set[0] : NAN;
	a->score[i] = outcome == OUTCOME_MISSING || chance(d, 20) ? NAN : below(d, 100) / 100.0;
	a->tokens[i] = outcome == OUTCOME_MISSING || chance(d, 20) ? NAN : below(d, 300);
	a->degree[i] = outcome == OUTCOME_MISSING || chance(d, 50) ? NAN : below(d, 5) - 0.25;
	a->texts[i] = outcome == OUTCOME_MISSING ? NULL : words[below(d, 5)];
	if (n < 2)
		return;
	a->list_ord[a->n_lists++] = i;
	for (int k = 0; k < n; k++)
		a->list_val[a->n_listed++] = set[k];
	a->list_off[a->n_lists] = a->n_listed;
}

static void draw_run(struct draw *d, const char *handle)
{
	static const char *const names[] = {"cat", "dog", "no idea", "\xe7\x8c\xab"};
	struct answers a = {.n = 0};
	size_t n = (size_t)(d->n && chance(d, 20) ? below(d, d->n) : d->n); /* samples came later */
	int id = ++d->run;

	for (int i = 0; i < (int)n; i++)
		draw_answer(d, &a, i);
	exec(d, xasprintf("INSERT OR IGNORE INTO model (name) VALUES ('model %d')", id % 3));
	exec(d,
	     xasprintf("INSERT INTO run (id, dataset, model, handle, title, protocol, list_rule, "
		       "open_world, n, imported) SELECT %d, %d, id, '%s', 'Run %d', 'CW', %d, %d, "
		       "%d, 'now' "
		       "FROM model WHERE name = 'model %d'",
		       id, d->dataset, handle, id, below(d, N_LIST_RULES), chance(d, 30), a.n,
		       id % 3));
	project_column(d->c, OWNER_RUN, id, "outcome", DT_U8, a.outcome, n);
	project_column(d->c, OWNER_RUN, id, "label", DT_U8, a.label, n);
	if (a.n_lists) {
		project_column(d->c, OWNER_RUN, id, "list_ord", DT_U32, a.list_ord,
			       (size_t)a.n_lists);
		project_column(d->c, OWNER_RUN, id, "list_offset", DT_U32, a.list_off,
			       (size_t)a.n_lists + 1);
		project_column(d->c, OWNER_RUN, id, "list_value", DT_U8, a.list_val,
			       (size_t)a.n_listed);
	}
	project_column(d->c, OWNER_RUN, id, "score", DT_F32, a.score, n);
	if (chance(d, 50))
		project_column(d->c, OWNER_RUN, id, "tokens", DT_U16, a.tokens, n);
	if (chance(d, 50))
		project_column(d->c, OWNER_RUN, id, "degree", DT_F64, a.degree, n);
	project_texts(d->c, id, FIELD_RAW, a.texts, n, (size_t)1 + (size_t)below(d, 5));
	for (size_t i = 0; i < n; i++) /* nothing is drawn for it */
		a.texts[i] = a.texts[i] && (i * 7 + (size_t)id) % 5 ? names[(i * 3 + (size_t)id) % 4] : NULL;
	if (id % 3)
		project_shared_texts(d->c, id, FIELD_EXTRACTED, a.texts, n, (size_t)id % 4 + 1);
}

void random_project_make(const char *path, uint32_t seed)
{
	static const char *const handles[] = {"m2/cw", "m1", "m10/cw", "z"};
	struct draw d = {.c = project_open(path, CONN_CREATE), .state = seed * 2654435761u + 1};
	int datasets = 1 + below(&d, 3);

	project_exec(d.c, "BEGIN");
	for (d.dataset = 1; d.dataset <= datasets; d.dataset++) {
		int layers = below(&d, 4), runs = below(&d, 4);

		draw_dataset(&d);
		if (layers > 0)
			draw_sets(&d, 20);
		if (layers > 1)
			draw_sets(&d, 35);
		if (layers > 2)
			draw_votes(&d);
		for (int r = 0; r < runs; r++)
			draw_run(&d, handles[r]);
	}
	project_exec(d.c, "COMMIT");
	conn_close(d.c);
}
