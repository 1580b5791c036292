/*
 * query PROJECT ROUNDS: what the screens ask of an open project, each question many times on one
 * core; "key milliseconds answer" a line on standard output: the median, and a number by which
 * others can tell that they answered the same question. "key_cpu": the time that the core itself was
 * at it, which other programs on the machine do not lengthen.
 *
 * What stays while the user looks around (the snapshot, verdicts, truths) is there before the
 * clock runs; how long that takes is told as questions of their own.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "core/base/xmalloc.h"
#include "core/eval/confusion.h"
#include "core/filter/filter.h"
#include "core/filter/groups.h"
#include "core/report/intervals.h"
#include "core/report/report.h"
#include "db/column.h"
#include "db/fetch.h"
#include "db/search.h"
#include "tests/bench/bench.h"

#define NARROW "category:S+,M- emotion_word:awe dimension:size"
#define NEEDLE "animal near" /* a few answers in a thousand */
#define PAGE   50
#define PAIRS  50
#define CONDITIONS 3 /* of NARROW */

struct world {
	struct conn *conn;
	struct snapshot *snap;
	struct search *search;
	struct lens lens;
	struct filter_cache *cache;
	struct filter_ctx ctx;
	uint8_t *verdict, *verdict_b; /* [n] of a, of b */
	uint8_t **verdicts; /* of every run, as the screen holds them */
	struct grouping by_class;
	struct intervals *intervals; /* NULL until needed */
	uint64_t *bits, *mask; /* scratch; NARROW */
	int *panel;
	struct filter *narrow;
	struct groups *groups;
	uint64_t *condition[CONDITIONS];
	struct err err;
};

static void die(const struct world *w, const char *what)
{
	fprintf(stderr, "query: %s: %s\n", what, w->err.msg);
	exit(1);
}

/* --- questions: each gives its answer --- */

static uint64_t filter(struct world *w, const char *text)
{
	struct filter *f = NULL;

	if (filter_parse(str_z(text), &w->ctx, &f, NULL, &w->err) != OK ||
	    filter_eval(f, &w->ctx, w->bits, NULL, &w->err) != OK)
		die(w, text);
	filter_free(f);
	return bits_count(w->bits, w->snap->n);
}

static uint64_t ask_filter(struct world *w)
{
	return filter(w, NARROW);
}

static uint64_t ask_a_right_b_wrong(struct world *w)
{
	return filter(w, NARROW " improved");
}

static uint64_t ask_search_one(struct world *w)
{
	return filter(w, "answer@a~\"" NEEDLE "\"");
}

static uint64_t ask_search_all(struct world *w)
{
	return filter(w, "answer@any~\"" NEEDLE "\"");
}

static uint64_t matrix(struct world *w, const uint64_t *mask)
{
	struct confused_pair top[PAIRS];
	struct confusion c;
	uint64_t cells;

	confusion_make(w->snap, &w->lens, w->ctx.a, w->verdict, mask, &c);
	confusion_pairs(&c, false, PAIRS, top);
	cells = c.off[c.n_rows];
	confusion_release(&c);
	return cells;
}

static uint64_t ask_matrix_filtered(struct world *w)
{
	return matrix(w, w->mask);
}

static uint64_t ask_matrix(struct world *w)
{
	return matrix(w, NULL);
}

/* Right answers of all runs under the filter. */
static uint64_t ask_accuracies(struct world *w)
{
	uint64_t sum = 0;

	for (uint32_t r = 0; r < w->snap->n_runs; r++)
		sum += eval_tally_within(w->verdicts[r], w->snap->n, w->mask).right;
	return sum;
}

/* Precision, recall and F1 of every class under the filter; the answer: how often it was hit. */
static uint64_t ask_classes(struct world *w)
{
	struct class_scores scores;
	uint64_t hit = 0;

	class_scores_make(w->snap, &w->lens, w->ctx.a, w->verdict, w->mask, &scores);
	for (uint32_t k = 0; k < scores.n; k++)
		hit += scores.class[k].hit;
	class_scores_release(&scores);
	return hit;
}

static const uint64_t *condition(void *of, size_t k)
{
	struct world *w = of;
	struct buf text = BUF_INIT;
	struct filter *f = NULL;

	filter_format_condition(w->narrow, k, &w->ctx, &text);
	if (filter_parse(buf_view(&text), &w->ctx, &f, NULL, &w->err) != OK ||
	    filter_eval(f, &w->ctx, w->condition[k], NULL, &w->err) != OK)
		die(w, "condition");
	filter_free(f);
	buf_release(&text);
	return w->condition[k];
}

/* Every group that the pane of facets has is counted, its own selection set aside; the answer is
 * about the corpus's three facets. */
static uint64_t ask_facets(struct world *w)
{
	struct groups_within within = {w->mask, NULL, condition, w};
	uint64_t sum = 0;

	groups_select(w->groups, &w->ctx, w->narrow);
	if (groups_count(w->groups, &w->ctx, &within, &w->err) != OK)
		die(w, "facets");
	for (size_t k = 0; k < w->groups->n; k++)
		for (uint32_t v = 0; w->groups->v[k].kind == GROUP_FACET && v < w->groups->v[k].n; v++)
			sum += w->groups->v[k].count[v];
	return sum;
}

/* Rows and answers of fifty samples far down. */
static uint64_t ask_page(struct world *w)
{
	size_t n = w->snap->n, at = bits_next(w->mask, n, n - n / 10);
	struct arena arena = ARENA_INIT;
	struct sample_row row[PAGE];
	struct str answer[PAGE];
	uint32_t ords[PAGE], found = 0;
	uint64_t sum = 0;

	for (; found < PAGE && at < n; at = bits_next(w->mask, n, at + 1))
		ords[found++] = (uint32_t)at;
	if (fetch_sample_list(w->conn, w->snap->dataset_id, ords, found, row, &arena, &w->err) != OK ||
	    fetch_texts(w->conn, w->snap->runs[w->ctx.a].id, FIELD_RAW, ords, found, answer, &arena,
			&w->err) != OK)
		die(w, "page");
	for (uint32_t i = 0; i < found; i++)
		sum += answer[i].n;
	arena_release(&arena);
	return sum;
}

/* All that stands on the screen and follows from the filter, after one key. */
static uint64_t ask_all(struct world *w)
{
	return ask_filter(w) + ask_facets(w) + ask_matrix_filtered(w) + ask_classes(w) +
	       ask_accuracies(w) + ask_page(w);
}

/* All samples by class, as the view of classes does: its grouping and both runs' verdicts are there,
 * the intervals come later. */
static uint64_t compare(struct world *w, struct intervals **intervals)
{
	static const int runs[2] = {0, 1};
	const uint8_t **verdict = xcalloc(snapshot_answerers(w->snap) + 1, sizeof *verdict);
	struct report_pairing pairing = {.seed = PAIRED_SEED, .intervals = intervals};
	struct report_ctx ctx = {.snap = w->snap, .lens = &w->lens, .runs = runs, .n_runs = 2,
				 .grouping = &w->by_class, .verdict = verdict, .pairing = &pairing};
	struct table t;
	uint64_t flips;

	verdict[0] = w->verdict;
	verdict[1] = w->verdict_b;
	if (report_find(STR("compare"))->make(&ctx, &t, &w->err) != OK)
		die(w, "compare");
	flips = (uint64_t)table_look(&t, 0, (size_t)table_find(&t, STR("flips")))->number;
	table_release(&t);
	free(verdict);
	return flips;
}

static uint64_t ask_compare(struct world *w)
{
	struct intervals *intervals = NULL;
	uint64_t flips = compare(w, &intervals);

	intervals_free(intervals);
	return flips;
}

static uint64_t ask_intervals(struct world *w)
{
	uint64_t n;

	if (!w->intervals)
		compare(w, &w->intervals);
	n = w->intervals->v.n;
	for (size_t k = 0; k < n; k++)
		intervals_make(w->intervals, k);
	return n;
}

static uint64_t ask_verdicts(struct world *w)
{
	uint64_t right = 0;

	for (uint32_t r = 0; r < w->snap->n_runs; r++) {
		eval_verdicts(w->snap, &w->lens, (int)r, w->verdict);
		bits_of_bytes(w->bits, w->verdict, w->snap->n, VERDICT_RIGHT);
		right += bits_count(w->bits, w->snap->n);
	}
	eval_verdicts(w->snap, &w->lens, w->ctx.a, w->verdict);
	return right;
}

static uint64_t ask_load(struct world *w)
{
	struct snapshot *snap = NULL;
	uint64_t n;

	if (snapshot_load(w->conn, NULL, &snap, &w->err) != OK)
		die(w, "load");
	n = snap->n_runs;
	snapshot_free(snap);
	return n;
}

/* All label columns read once: the floor under everything that looks at every answer. */
static uint64_t ask_read_labels(struct world *w)
{
	uint64_t sum = 0;

	for (uint32_t r = 0; r < w->snap->n_runs; r++) {
		const struct column *c = &w->snap->runs[r].label;
		const uint64_t *v = c->data;
		size_t words = c->n * dtype_size(c->dtype) / sizeof *v;

		for (size_t i = 0; i < words; i++)
			sum += v[i];
	}
	return sum;
}

/* --- the whole --- */

static double cpu_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static const struct {
	const char *key;
	uint64_t (*ask)(struct world *);
	int rounds; /* one in so many of those asked for */
} questions[] = {
    {"load", ask_load, 4},
    {"read_labels", ask_read_labels, 1},
    {"verdicts", ask_verdicts, 4},
    {"filter", ask_filter, 1},
    {"facets", ask_facets, 1},
    {"accuracies", ask_accuracies, 1},
    {"matrix_filtered", ask_matrix_filtered, 1},
    {"classes", ask_classes, 1},
    {"all", ask_all, 1},
    {"matrix", ask_matrix, 1},
    {"a_right_b_wrong", ask_a_right_b_wrong, 1},
    {"page", ask_page, 1},
    {"compare", ask_compare, 1},
    {"intervals", ask_intervals, 8},
    {"search_one", ask_search_one, 2},
    {"search_all", ask_search_all, 8},
};

static void judge_all(struct world *w)
{
	w->verdicts = xcalloc(w->snap->n_runs + 1, sizeof *w->verdicts);
	for (uint32_t r = 0; r < w->snap->n_runs; r++) {
		if (!(w->verdicts[r] = mem_try(w->snap->n + 64)))
			die(w, "no memory");
		eval_verdicts(w->snap, &w->lens, (int)r, w->verdicts[r]);
	}
}

static void prepare_facets(struct world *w)
{
	if (filter_parse(STR(NARROW), &w->ctx, &w->narrow, NULL, &w->err) != OK)
		die(w, NARROW);
	w->groups = groups_new(&w->ctx);
	if (groups_prepare(w->groups, &w->ctx, w->narrow, &w->err) != OK)
		die(w, "groups");
	for (size_t k = 0; k < CONDITIONS; k++)
		if (!(w->condition[k] = bits_new(w->snap->n)))
			die(w, "no memory");
}

static void open_world(struct world *w, const char *project)
{
	struct err *err = &w->err;

	if (conn_open(&w->conn, project, CONN_READ, err) != OK ||
	    snapshot_load(w->conn, NULL, &w->snap, err) != OK ||
	    search_new(&w->search, w->conn, w->snap, err) != OK)
		die(w, project);
	if (w->snap->n_runs < 2)
		die(w, "two runs are needed");
	w->lens = lens_preset(w->snap, w->snap->preset);
	w->cache = filter_cache_new(w->snap, &w->lens);
	w->panel = xcalloc(w->snap->n_runs, sizeof *w->panel);
	w->ctx = (struct filter_ctx){.snap = w->snap,
				     .lens = &w->lens,
				     .a = 0,
				     .b = 1,
				     .panel = w->panel,
				     .n_panel = snapshot_first_panel(w->snap, w->panel),
				     .source = search_source(w->search),
				     .cache = w->cache};
	w->bits = bits_new(w->snap->n);
	w->mask = bits_new(w->snap->n);
	w->verdict = mem_try(w->snap->n + 64);
	w->verdict_b = mem_try(w->snap->n + 64);
	if (!w->bits || !w->mask || !w->verdict || !w->verdict_b)
		die(w, "no memory");
	eval_verdicts(w->snap, &w->lens, w->ctx.b, w->verdict_b);
	if (grouping_make(w->snap, &w->lens, STR("class"), &w->by_class, err) != OK)
		die(w, "classes");
	ask_verdicts(w);
	judge_all(w);
	ask_filter(w);
	memcpy(w->mask, w->bits, bits_words(w->snap->n) * sizeof *w->mask);
	prepare_facets(w);
}

static void close_world(struct world *w)
{
	for (size_t k = 0; k < CONDITIONS; k++)
		free(w->condition[k]);
	groups_free(w->groups);
	filter_free(w->narrow);
	free(w->bits);
	free(w->mask);
	free(w->verdict);
	for (uint32_t r = 0; r < w->snap->n_runs; r++)
		free(w->verdicts[r]);
	free(w->verdicts);
	free(w->verdict_b);
	grouping_release(&w->by_class);
	intervals_free(w->intervals);
	free(w->panel);
	filter_cache_free(w->cache);
	search_free(w->search);
	snapshot_free(w->snap);
	conn_close(w->conn);
}

int main(int argc, char **argv)
{
	int rounds = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 0;
	struct world w = {.err = ERR_INIT};
	double *took, *cpu;

	if (argc != 3 || rounds < 8) {
		fprintf(stderr, "usage: query PROJECT ROUNDS (8 or more)\n");
		return 2;
	}
	took = xcalloc((size_t)rounds, sizeof *took);
	cpu = xcalloc((size_t)rounds, sizeof *cpu);
	open_world(&w, argv[1]);
	for (size_t q = 0; q < sizeof questions / sizeof *questions; q++) {
		int n = rounds / questions[q].rounds;
		uint64_t answer = questions[q].ask(&w);

		for (int i = 0; i < n; i++) {
			double begin = bench_ms(), cpu_begin = cpu_ms();

			if (questions[q].ask(&w) != answer)
				die(&w, "the answer changed");
			took[i] = bench_ms() - begin;
			cpu[i] = cpu_ms() - cpu_begin;
		}
		printf("%s %.4f %" PRIu64 "\n", questions[q].key, bench_median(took, n), answer);
		printf("%s_cpu %.4f %" PRIu64 "\n", questions[q].key, bench_median(cpu, n), answer);
	}
	close_world(&w);
	free(took);
	free(cpu);
	return 0;
}
