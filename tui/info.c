#include "tui/info.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/xmalloc.h"
#include "db/fetch.h"
#include "tui/import_summary.h"
#include "tui/print.h"

static enum status count(struct info *info, struct err *err)
{
	const struct snapshot *s = info->snap;
	uint8_t *code = mem_try((size_t)s->n + 1), *mask = mem_try((size_t)s->n + 1);

	if (!code || !mask) {
		free(code);
		free(mask);
		return err_set(err, E_MEMORY, "there is no memory for the verdicts of %u samples",
			       s->n);
	}
	bits_to_bytes(info->pop.bits, s->n, mask);
	eval_categories(s, &info->lens, code);
	for (uint32_t i = 0; i < s->n; i++)
		code[i] = mask[i] ? code[i] : CAT_NONE;
	eval_category_counts(code, s->n, info->categories);
	info->tallies = xcalloc(s->n_runs + 1, sizeof *info->tallies);
	for (uint32_t r = 0; r < s->n_runs; r++) {
		eval_verdicts(s, &info->lens, (int)r, code);
		info->tallies[r] = eval_tally(s, (int)r, code, mask);
	}
	free(code);
	free(mask);
	return OK;
}

enum status info_gather(struct info *info, const struct cli *cli, struct conn *c,
			const char *dataset, struct err *err)
{
	enum status st;

	*info = (struct info){0};
	st = population_open(&info->pop, cli, c, dataset, err);
	if (st)
		return st;
	info->snap = info->pop.snap;
	info->lens = info->pop.lens;
	st = count(info, err);
	if (!st)
		st = user_saved_list(c, info->snap->dataset, &info->saved, &info->n_saved, &info->arena, err);
	if (!st)
		st = fetch_joins(c, info->snap->dataset_id, info->joined, err);
	if (st)
		info_release(info);
	return st;
}

void info_release(struct info *info)
{
	population_close(&info->pop);
	free(info->tallies);
	arena_release(&info->arena);
	*info = (struct info){0};
}

/* --- text --- */

static void put_label(FILE *out, const char *label)
{
	fprintf(out, "  %-11s ", label);
}

static void print_lens(FILE *out, const struct info *info)
{
	struct lens preset = lens_preset(info->snap, info->snap->preset);
	struct buf text = BUF_INIT;

	put_label(out, "lens");
	lens_format(&info->lens, info->snap, &text);
	print_clean(out, buf_view(&text));
	if (info->snap->preset[0] && lens_eq(&preset, &info->lens)) {
		fputs(" [", out);
		print_clean(out, str_z(info->snap->preset));
		fputc(']', out);
	}
	fputc('\n', out);
	buf_release(&text);
}

static void print_filter(FILE *out, const struct info *info)
{
	struct buf text = BUF_INIT;
	char n[32], all[32];

	if (!info->pop.filter)
		return;
	population_filter(&info->pop, &text);
	put_label(out, "filter");
	print_clean(out, buf_view(&text));
	fputc('\n', out);
	put_label(out, "shown");
	fprintf(out, "%s of %s samples\n", print_count(n, info->pop.shown),
		print_count(all, info->snap->n));
	buf_release(&text);
}

static void print_layers(FILE *out, const struct snapshot *s)
{
	char n[32];

	for (uint32_t i = 0; i < s->n_layers; i++) {
		put_label(out, i ? "" : "layers");
		print_clean(out, str_z(s->layers[i].name));
		fprintf(out, " (%s labelled%s)\n", print_count(n, s->layers[i].n_labelled),
			s->layers[i].vote_width ? ", votes" : "");
	}
}

static void print_categories(FILE *out, const struct info *info)
{
	uint32_t sum = 0;
	char n[32];

	for (int k = 0; k < N_CATEGORIES; k++)
		sum += info->categories[k];
	if (!sum)
		return;
	put_label(out, "categories");
	for (int k = 0; k < N_CATEGORIES; k++)
		fprintf(out, "%s%s %s", k ? "   " : "", category_word((enum category)k),
			print_count(n, info->categories[k]));
	fputc('\n', out);
}

static void print_facets(FILE *out, const struct snapshot *s)
{
	char n[32];

	for (uint32_t i = 0; i < s->n_facets; i++) {
		const struct facet *f = &s->facets[i];

		put_label(out, i ? "" : "facets");
		print_clean(out, str_z(f->name));
		if (f->numeric)
			fputs(" (numbers)\n", out);
		else
			fprintf(out, " (%s values%s)\n", print_count(n, f->n_values),
				f->multi ? ", several a sample" : "");
	}
}

static void print_saved(FILE *out, const struct info *info)
{
	for (size_t i = 0; i < info->n_saved; i++) {
		const struct user_saved *f = &info->saved[i];

		put_label(out, i ? "" : "saved");
		print_clean(out, f->name);
		fputs(": ", out);
		print_clean(out, f->filter.n ? f->filter : STR("all samples"));
		fputc('\n', out);
	}
}

static void print_joins(FILE *out, const struct info *info)
{
	struct buf text = BUF_INIT;

	joins_text(info->joined, &text);
	if (text.n) {
		put_label(out, "joined");
		fprintf(out, "%s\n", buf_cstr(&text));
	}
	buf_release(&text);
}

static void put_outcomes(struct grid *g, const struct tally *t)
{
	struct buf b = BUF_INIT;
	char n[32];

	for (int o = 0; o < N_OUTCOMES; o++)
		if (t->outcomes[o] && o != OUTCOME_ANSWERED)
			buf_printf(&b, "%s%s %s", b.n ? ", " : "", print_count(n, t->outcomes[o]),
				   outcome_word((enum outcome)o));
	grid_put(g, buf_cstr(&b));
	buf_release(&b);
}

static void put_run(struct grid *g, const struct run *run, const struct tally *t)
{
	char n[32];
	double lo, hi;

	grid_put(g, run->handle);
	if (t->n) {
		tally_wilson(t, &lo, &hi);
		grid_printf(g, "%.1f %%", 100 * tally_accuracy(t));
		grid_printf(g, "[%.1f, %.1f]", 100 * lo, 100 * hi);
	} else {
		grid_put(g, "-");
		grid_put(g, "");
	}
	grid_put(g, print_count(n, t->right));
	grid_put(g, print_count(n, t->n));
	grid_put(g, print_count(n, t->excluded));
	grid_put(g, print_count(n, run->n_predictions));
	put_outcomes(g, t);
}

static void print_runs(FILE *out, const struct info *info)
{
	static const char *const heads[] = {"run", "accuracy", "95 %",        "right",
					    "n",   "left out", "predictions", "without an answer"};
	struct grid g = {.n_columns = 8,
			 .indent = "  ",
			 .right = {false, true, true, true, true, true, true, false}};
	const struct snapshot *s = info->snap;

	if (!s->n_runs)
		return;
	for (int i = 0; i < 8; i++)
		grid_put(&g, heads[i]);
	for (uint32_t r = 0; r < s->n_runs; r++)
		put_run(&g, &s->runs[r], &info->tallies[r]);
	fputc('\n', out);
	grid_print(&g, out);
	grid_release(&g);
}

void info_print_text(FILE *out, const struct info *info)
{
	const struct snapshot *s = info->snap;
	char n[32];

	print_clean(out, str_z(s->dataset));
	fputc('\n', out);
	put_label(out, "samples");
	fprintf(out, "%s\n", print_count(n, s->n));
	put_label(out, "classes");
	fprintf(out, "%s", print_count(n, s->n_classes));
	if (s->n_pairs)
		fprintf(out, ", %s pairs equivalent", print_count(n, s->n_pairs));
	fputc('\n', out);
	print_layers(out, s);
	print_lens(out, info);
	print_filter(out, info);
	print_categories(out, info);
	print_facets(out, s);
	print_joins(out, info);
	print_saved(out, info);
	print_runs(out, info);
}

/* --- the whole project --- */

static enum status print_one(FILE *out, const struct cli *cli, struct conn *c, const char *dataset,
			     cJSON *list, struct err *err)
{
	struct info info;
	enum status st = info_gather(&info, cli, c, dataset, err);

	if (st)
		return st;
	if (!list) {
		fputc('\n', out);
		info_print_text(out, &info);
	} else if (!cJSON_AddItemToArray(list, info_json(&info))) {
		st = err_set(err, E_MEMORY, "there is no memory for the answer");
	}
	info_release(&info);
	return st;
}

static enum status print_all(FILE *out, const struct cli *cli, struct conn *c, cJSON *list,
			     struct err *err)
{
	const char *dataset = cli->dataset;
	struct arena arena = ARENA_INIT;
	struct dataset_name *names = NULL;
	size_t n = 0, shown = 0;
	enum status st = fetch_datasets(c, &names, &n, &arena, err);

	for (size_t i = 0; !st && i < n; i++) {
		if (dataset && strcmp(names[i].name, dataset) != 0)
			continue;
		st = print_one(out, cli, c, names[i].name, list, err);
		if (st && n > 1 && !dataset)
			err_prefix(err, "dataset %.200s", names[i].name);
		shown++;
	}
	if (!st && dataset && !shown)
		st = err_set(err, E_USAGE, "%s has no dataset \"%s\"; qualm info %s lists them",
			     conn_path(c), dataset, conn_path(c));
	else if (!st && !n && !list)
		fputs("it is empty: qualm import FILE.qualm PATH... fills it\n", out);
	arena_release(&arena);
	return st;
}

static enum status print_json(FILE *out, const cJSON *root, struct err *err)
{
	char *text = cJSON_Print(root);

	if (!text)
		return err_set(err, E_MEMORY, "there is no memory for the answer");
	print_json_clean(out, str_z(text));
	fputc('\n', out);
	free(text);
	return OK;
}

enum status info_print(FILE *out, const struct cli *cli, struct conn *c, bool json,
		       struct err *err)
{
	cJSON *root = NULL, *list = NULL;
	enum status st;

	if (json) {
		root = cJSON_CreateObject();
		cJSON_AddStringToObject(root, "project", conn_path(c));
		list = cJSON_AddArrayToObject(root, "datasets");
		if (!list) {
			cJSON_Delete(root);
			return err_set(err, E_MEMORY, "there is no memory for the answer");
		}
	} else {
		print_clean(out, str_z(conn_path(c)));
		fputc('\n', out);
	}
	st = print_all(out, cli, c, list, err);
	if (!st && json)
		st = print_json(out, root, err);
	cJSON_Delete(root);
	return st;
}
