#include "tests/unit/lib_regt.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/xmalloc.h"
#include "tests/unit/lib_store.h"

#define N_CLASSES 1000
#define N_USED    625 /* classes that samples have */
#define EACH      (REGT_SAMPLES / N_USED)
#define N_PAIRS   12
#define SET_MAX   6

enum { SP, SM, MP, MM, NN };
const int regt_n_of[REGT_KINDS] = {16177, 1894, 10756, 1078, 1345};
/* Of S- and M-, images whose label is equivalent to the original one. */
static const int n_equivalent[REGT_KINDS] = {0, 180, 0, 42, 0};

const struct regt_model regt_models[REGT_MODELS] = {
    {"paligemma2", "OW", 37.11, 47.94, 39.74, 41.49, 24.76, 54.55, 56.24, 37.66, 35.78, {0}, {0}},
    {"llava-ov", "OW", 62.00, 70.58, 67.11, 70.67, 36.69, 72.52, 75.87, 39.05, 59.39, {0}, {0}},
    {"internvl3.5", "CW+", 64.31, 72.57, 67.69, 71.05, 39.02, 76.91, 80.43, 41.74, 61.53,
     {0.8, 0.8, 0.7, 1.2, 2.5}, {218, 0, 11, 771}},
    {"qwen3-vl", "OW", 68.74, 76.68, 73.61, 77.79, 37.91, 78.71, 82.46, 41.28, 65.87, {0}, {0}},
    {"gpt-4o", "CW+", 76.40, 82.36, 81.11, 86.12, 38.28, 82.27, 86.74, 37.66, 72.79,
     {3.4, 8.7, 5.6, 9.9, 16.4}, {353, 32, 64, 551}},
};

struct set {
	int n, v[SET_MAX];
};

struct answer {
	char text[48];
	int batch, position; /* batch 0: there is no answer */
};

struct regt {
	uint32_t seed;
	int partner[N_CLASSES]; /* -1: none */
	int g[REGT_SAMPLES], kind[REGT_SAMPLES];
	bool equivalent[REGT_SAMPLES]; /* always answered wrong, so that both layers agree on it */
	struct set truth[REGT_SAMPLES];
	struct answer answer[REGT_MODELS][REGT_SAMPLES];
};

static void must(bool there, const char *what)
{
	if (there)
		return;
	fprintf(stderr, "regt: there is no %s\n", what);
	abort();
}

static int rnd(struct regt *c, int below)
{
	c->seed = c->seed * 1664525u + 1013904223u;
	return (int)(((uint64_t)c->seed * (uint64_t)below) >> 32);
}

/* --- classes --- */

/* Two words; 10 and 11, which are a pair, and 20 and 21, which are none, have the same name. */
static void class_name(int c, char *out, size_t size)
{
	static const char *const first[] = {"great", "small", "red", "old", "wild", "tame", "arctic", "desert",
					    "river", "garden"};
	int k = c == 11 ? 10 : c == 21 ? 20 : c;

	snprintf(out, size, "%s animal%d", first[k % 10], k);
}

/* Every fifth has a name of its own in the second list. */
static void second_name(int c, char *out, size_t size)
{
	if (c % 5 == 0)
		snprintf(out, size, "zor%d kind", c);
	else
		class_name(c, out, size);
}

static bool admits(const struct regt *c, const struct set *s, int class)
{
	for (int k = 0; k < s->n; k++)
		if (s->v[k] == class || c->partner[s->v[k]] == class)
			return true;
	return false;
}

/* An answer by name means all classes that bear it. */
static bool hits(const struct regt *c, const struct set *s, int class)
{
	int twin = class == 10 || class == 20 ? class + 1 : class == 11 || class == 21 ? class - 1 : class;

	return admits(c, s, class) || admits(c, s, twin);
}

/* --- labels --- */

static void add_other(struct regt *c, int i)
{
	const struct set own = {1, {c->g[i]}};
	struct set *s = &c->truth[i];
	int class;

	do {
		class = rnd(c, N_USED + 40);
	} while (hits(c, &own, class) || hits(c, s, class));
	s->v[s->n++] = class;
}

static void label(struct regt *c, int i, int kind, bool equivalent)
{
	struct set *s = &c->truth[i];

	c->kind[i] = kind;
	c->equivalent[i] = equivalent;
	if (kind == SP || kind == MP)
		s->v[s->n++] = c->g[i];
	if (equivalent)
		s->v[s->n++] = c->partner[c->g[i]];
	if (kind == SM && !equivalent)
		add_other(c, i);
	for (int more = kind == MP || (kind == MM && equivalent) ? 1 + rnd(c, 3) : kind == MM ? 2 + rnd(c, 2) : 0;
	     more > 0; more--)
		add_other(c, i);
}

static void shuffle(struct regt *c, int *v, int n)
{
	for (int i = n - 1; i > 0; i--) {
		int k = rnd(c, i + 1), t = v[i];

		v[i] = v[k];
		v[k] = t;
	}
}

static void make_labels(struct regt *c, int *order)
{
	int left[REGT_KINDS], equivalent[REGT_KINDS], kind = 0;

	for (int k = 0; k < REGT_KINDS; k++) {
		equivalent[k] = n_equivalent[k];
		left[k] = regt_n_of[k] - n_equivalent[k];
	}
	for (int i = 0; i < REGT_SAMPLES; i++) {
		c->g[i] = i / EACH;
		c->kind[i] = -1;
	}
	for (int i = 0; i < REGT_SAMPLES; i++) /* those whose class is one of a pair, as long as any are asked for */
		for (int k = SM; k <= MM && c->kind[order[i]] < 0; k += MM - SM)
			if (equivalent[k] && c->partner[c->g[order[i]]] >= 0) {
				equivalent[k]--;
				label(c, order[i], k, true);
			}
	for (int i = 0; i < REGT_SAMPLES; i++) {
		if (c->kind[order[i]] >= 0)
			continue;
		while (!left[kind])
			kind++;
		left[kind]--;
		label(c, order[i], kind, false);
	}
}

/* --- answers --- */

/* What is wanted of an answer: right under the new labels, under the original one. */
static void answer_so(struct regt *c, int m, int i, bool re, bool im)
{
	const struct set own = {1, {c->g[i]}}, *s = &c->truth[i];
	struct answer *a = &c->answer[m][i];
	int class, tries = 0;

	do {
		int from = re ? rnd(c, s->n ? s->n : 1) : 0;

		must(tries++ < 10000, "an answer of this kind");
		class = re && s->n ? s->v[from] : im ? c->g[i] : rnd(c, N_CLASSES);
		if ((re || im) && rnd(c, 4) == 0 && c->partner[class] >= 0)
			class = c->partner[class];
		if (re && !s->n && !im)
			class = rnd(c, N_CLASSES);
	} while (hits(c, &own, class) != im || (s->n && hits(c, s, class) != re));
	class_name(class, a->text, sizeof a->text);
	if (rnd(c, 3) == 0)
		a->text[0] = (char)(a->text[0] - 32); /* case does not matter */
}

static void answer_oop(struct regt *c, int m, int i)
{
	static const char *const abstain[] = {"I don't know", "not sure what this is", "unable to tell"};
	static const char *const wrong[] = {"a blurry thing", "great whale", "boat", "animal"};
	char *text = c->answer[m][i].text;
	size_t size = sizeof c->answer[m][i].text;
	int at = rnd(c, 1000), kind = 0, class = rnd(c, N_CLASSES);

	while (kind < 3 && at >= regt_models[m].kinds[kind])
		at -= regt_models[m].kinds[kind++];
	if (kind == 0 && rnd(c, 2))
		snprintf(text, size, "Animal%d", class == 11 || class == 21 ? 7 : class);
	else if (kind == 0)
		snprintf(text, size, "animal30, great");
	else if (kind == 1)
		second_name(class - class % 5, text, size);
	else
		snprintf(text, size, "%s", kind == 2 ? abstain[rnd(c, 3)] : wrong[rnd(c, 4)]);
}

static int of(double percent, int n)
{
	return (int)lround(percent / 100 * n);
}

/* How many answers of each kind of image are right under the new labels and the original one, under
 * the new ones alone, under the original one alone. */
struct plan {
	int both[REGT_KINDS], re[REGT_KINDS], im[REGT_KINDS];
};

static struct plan plan_of(const struct regt_model *m)
{
	struct plan p = {{0}, {0}, {0}};
	int both = of(m->both, REGT_SAMPLES), im = of(m->original, REGT_SAMPLES) - both;
	int right[REGT_KINDS] = {of(m->sp, regt_n_of[SP]), of(m->sm, regt_n_of[SM]), of(m->mp, regt_n_of[MP]), of(m->mm, regt_n_of[MM])};

	p.both[SP] = right[SP];
	p.both[NN] = 300; /* right under the original label; under the new ones whatever is said */
	p.both[MP] = both - right[SP] - p.both[NN];
	p.re[MP] = right[MP] - p.both[MP];
	p.re[SM] = right[SM];
	p.re[MM] = right[MM];
	p.re[NN] = regt_n_of[NN] - p.both[NN];
	p.im[SM] = im * 2 / 3;
	p.im[MM] = im - p.im[SM];
	return p;
}

static void answer_all(struct regt *c, int m, const int *order)
{
	struct plan p = plan_of(&regt_models[m]);
	int oop[REGT_KINDS];

	for (int k = 0; k < REGT_KINDS; k++)
		oop[k] = of(regt_models[m].oop[k], regt_n_of[k]);
	for (int at = 0; at < REGT_SAMPLES; at++) {
		int i = order[at], k = c->kind[i];
		struct answer *a = &c->answer[m][i];

		a->batch = m % 2 ? (at % 3 == 0 ? 1 : at % 3 == 1 ? 5 : 10) : 1;
		a->position = 1 + at % a->batch;
		if (!c->equivalent[i] && p.both[k] > 0 && p.both[k]--)
			answer_so(c, m, i, true, true);
		else if (!c->equivalent[i] && p.im[k] > 0 && p.im[k]--)
			answer_so(c, m, i, false, true);
		else if (oop[k] > 0 && (k == NN || p.re[k] <= 0) && oop[k]--)
			answer_oop(c, m, i);
		else if (!c->equivalent[i] && p.re[k] > 0 && p.re[k]--)
			answer_so(c, m, i, true, false);
		else
			answer_so(c, m, i, false, false);
	}
	for (int k = 0; k < REGT_KINDS; k++)
		must(p.both[k] == 0 && p.im[k] == 0 && oop[k] == 0 && (k == NN || p.re[k] == 0), "room for all answers");
}

struct regt *regt_new(void)
{
	struct regt *c = xcalloc(1, sizeof *c);
	int *order = xcalloc(REGT_SAMPLES, sizeof *order);

	c->seed = 625;
	for (int k = 0; k < N_CLASSES; k++)
		c->partner[k] = -1;
	for (int k = 0; k < N_PAIRS; k++) { /* 10 and 11, 60 and 61 … 560 and 561 */
		c->partner[10 + 50 * k] = 11 + 50 * k;
		c->partner[11 + 50 * k] = 10 + 50 * k;
	}
	for (int i = 0; i < REGT_SAMPLES; i++)
		order[i] = i;
	shuffle(c, order, REGT_SAMPLES);
	make_labels(c, order);
	for (int m = 0; m < REGT_MODELS; m++) {
		shuffle(c, order, REGT_SAMPLES);
		answer_all(c, m, order);
	}
	free(order);
	return c;
}

/* One of: other labels, another original label, another answer, none at all, another batch. */
void regt_edit(struct regt *c)
{
	int i = rnd(c, REGT_SAMPLES), m = rnd(c, REGT_MODELS);
	struct answer *a = &c->answer[m][i];

	switch (rnd(c, 6)) {
	case 0:
		c->truth[i].n = 0;
		break;
	case 1:
		if (c->truth[i].n < SET_MAX)
			add_other(c, i);
		break;
	case 2:
		c->g[i] = rnd(c, N_USED);
		break;
	case 3:
		class_name(rnd(c, N_CLASSES), a->text, sizeof a->text);
		break;
	case 4:
		a->batch = 0;
		break;
	default:
		if (strcmp(regt_models[m].protocol, "OW") != 0)
			answer_oop(c, m, i);
		break;
	}
}

/* --- files --- */

static FILE *create(const char *folder, const char *name)
{
	char *path = project_file(folder, name);
	FILE *f = fopen(path, "w");

	must(f != NULL, path);
	free(path);
	return f;
}

static void write_lists(const struct regt *c, const char *folder)
{
	FILE *f = create(folder, "classes.tsv");
	char name[48], second[48];

	fputs("idx\tname\topenai_name\n", f);
	for (int k = 0; k < N_CLASSES; k++) {
		class_name(k, name, sizeof name);
		second_name(k, second, sizeof second);
		fprintf(f, "%d\t%s\t%s\n", k, name, second);
	}
	fclose(f);
	f = create(folder, "pairs.tsv");
	fputs("c1\tc2\n", f);
	for (int k = 0; k < N_CLASSES; k++)
		if (c->partner[k] > k)
			fprintf(f, "%d\t%d\n", k, c->partner[k]);
	fclose(f);
}

static void write_labels(const struct regt *c, const char *folder)
{
	FILE *original = create(folder, "original.jsonl"), *f = create(folder, "reannotated.jsonl");

	for (int i = 0; i < REGT_SAMPLES; i++) {
		fprintf(original, "{\"id\":\"s%05d\",\"label_index\":%d}\n", i, c->g[i]);
		fprintf(f, "{\"id\":\"s%05d\",\"label\":[", i);
		for (int k = 0; k < c->truth[i].n; k++)
			fprintf(f, "%s%d", k ? "," : "", c->truth[i].v[k]);
		fputs("]}\n", f);
	}
	fclose(original);
	fclose(f);
}

static void write_answers(const struct regt *c, const char *folder, int m)
{
	char *name = xasprintf("pred-%s.jsonl", regt_models[m].name);
	FILE *f = create(folder, name);

	for (int i = 0; i < REGT_SAMPLES; i++)
		if (c->answer[m][i].batch)
			fprintf(f, "{\"id\":\"s%05d\",\"model\":\"%s\",\"protocol\":\"%s\",\"prediction\":\"%s\","
				   "\"batch_size\":%d,\"position\":%d}\n",
				i, regt_models[m].name, regt_models[m].protocol, c->answer[m][i].text,
				c->answer[m][i].batch, c->answer[m][i].position);
	fclose(f);
	free(name);
}

void regt_write(const struct regt *c, const char *folder)
{
	write_lists(c, folder);
	write_labels(c, folder);
	for (int m = 0; m < REGT_MODELS; m++)
		write_answers(c, folder, m);
}

/* --- importing --- */

static void file_done(void *ctx, const struct report *r, enum status st, const struct err *err)
{
	(void)ctx;
	if (st != OK)
		fprintf(stderr, "%s: %s\n", r->file, err->msg);
}

static void import_files(const char *folder, const char *project, const char *const *names, size_t n,
			 const char *layer)
{
	const struct mapping map = {STR("second"), STR("openai_name")};
	char *paths[8];
	struct import_job job = {.project = project, .dataset = STR("regt"), .file_done = file_done,
				 .paths = (const char *const *)paths, .n_paths = n,
				 .options = {.layer = str_z(layer), .map = &map, .n_map = 1}};
	struct err err = ERR_INIT;
	uint64_t problems = 0;

	for (size_t k = 0; k < n; k++)
		paths[k] = project_file(folder, names[k]);
	must(import_run(&job, &problems, &err) == OK && problems <= 2, "clean import"); /* two names are borne twice */
	for (size_t k = 0; k < n; k++)
		free(paths[k]);
}

void regt_import(const char *folder, const char *project)
{
	static const char *const first[] = {"classes.tsv", "pairs.tsv", "original.jsonl", "pred-paligemma2.jsonl",
					    "pred-llava-ov.jsonl", "pred-internvl3.5.jsonl", "pred-qwen3-vl.jsonl",
					    "pred-gpt-4o.jsonl"};
	static const char *const second[] = {"reannotated.jsonl"};

	import_files(folder, project, first, 8, "");
	import_files(folder, project, second, 1, "reannotated");
}
