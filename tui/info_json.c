#include <cjson/cJSON.h>

#include "tui/info.h"

static cJSON *categories_json(const struct info *info)
{
	cJSON *o = cJSON_CreateObject();

	for (int k = 0; k < N_CATEGORIES; k++)
		cJSON_AddNumberToObject(o, category_word((enum category)k), info->categories[k]);
	return o;
}

static cJSON *layers_json(const struct snapshot *s)
{
	cJSON *list = cJSON_CreateArray();

	for (uint32_t i = 0; i < s->n_layers; i++) {
		cJSON *o = cJSON_CreateObject();

		cJSON_AddStringToObject(o, "name", s->layers[i].name);
		cJSON_AddNumberToObject(o, "labelled", s->layers[i].n_labelled);
		cJSON_AddBoolToObject(o, "votes", s->layers[i].vote_width > 0);
		cJSON_AddItemToArray(list, o);
	}
	return list;
}

static cJSON *facets_json(const struct snapshot *s)
{
	cJSON *list = cJSON_CreateArray();

	for (uint32_t i = 0; i < s->n_facets; i++) {
		const struct facet *f = &s->facets[i];
		cJSON *o = cJSON_CreateObject();

		cJSON_AddStringToObject(o, "name", f->name);
		cJSON_AddBoolToObject(o, "numeric", f->numeric);
		cJSON_AddBoolToObject(o, "multi", f->multi);
		cJSON_AddNumberToObject(o, "values", f->n_values);
		cJSON_AddItemToArray(list, o);
	}
	return list;
}

static cJSON *outcomes_json(const struct tally *t)
{
	cJSON *o = cJSON_CreateObject();

	for (int k = 0; k < N_OUTCOMES; k++)
		cJSON_AddNumberToObject(o, outcome_word((enum outcome)k), t->outcomes[k]);
	return o;
}

static cJSON *run_json(const struct run *run, const struct tally *t)
{
	cJSON *o = cJSON_CreateObject(), *interval;
	double lo, hi;

	cJSON_AddStringToObject(o, "handle", run->handle);
	cJSON_AddStringToObject(o, "title", run->title);
	cJSON_AddStringToObject(o, "model", run->model);
	cJSON_AddStringToObject(o, "protocol", run->protocol);
	cJSON_AddStringToObject(o, "list_rule", list_rule_word(run->list_rule));
	cJSON_AddNumberToObject(o, "predictions", run->n_predictions);
	cJSON_AddNumberToObject(o, "right", t->right);
	cJSON_AddNumberToObject(o, "n", t->n);
	cJSON_AddNumberToObject(o, "excluded", t->excluded);
	if (t->n) {
		tally_wilson(t, &lo, &hi);
		cJSON_AddNumberToObject(o, "accuracy", tally_accuracy(t));
		interval = cJSON_AddArrayToObject(o, "interval");
		cJSON_AddItemToArray(interval, cJSON_CreateNumber(lo));
		cJSON_AddItemToArray(interval, cJSON_CreateNumber(hi));
	} else {
		cJSON_AddNullToObject(o, "accuracy");
		cJSON_AddNullToObject(o, "interval");
	}
	cJSON_AddItemToObject(o, "outcomes", outcomes_json(t));
	return o;
}

static cJSON *joined_json(const struct info *info)
{
	cJSON *o = cJSON_CreateObject();

	for (int i = 0; i < N_MATCHED; i++)
		cJSON_AddNumberToObject(o, matched_word(matched_told(i)),
					(double)info->joined[matched_told(i)]);
	return o;
}

static cJSON *saved_json(const struct info *info)
{
	cJSON *list = cJSON_CreateArray();

	for (size_t i = 0; i < info->n_saved; i++) {
		const struct user_saved *f = &info->saved[i];
		cJSON *o = cJSON_CreateObject();

		cJSON_AddStringToObject(o, "name", f->name.p);
		cJSON_AddStringToObject(o, "filter", f->filter.p);
		if (f->state.n)
			cJSON_AddItemToObject(o, "state", cJSON_Parse(f->state.p));
		cJSON_AddItemToArray(list, o);
	}
	return list;
}

cJSON *info_json(const struct info *info)
{
	const struct snapshot *s = info->snap;
	cJSON *o = cJSON_CreateObject(), *runs;
	struct buf lens = BUF_INIT, filter = BUF_INIT;

	lens_format(&info->lens, s, &lens);
	cJSON_AddStringToObject(o, "name", s->dataset);
	cJSON_AddNumberToObject(o, "samples", s->n);
	cJSON_AddNumberToObject(o, "classes", s->n_classes);
	cJSON_AddNumberToObject(o, "pairs", s->n_pairs);
	cJSON_AddStringToObject(o, "preset", s->preset);
	cJSON_AddStringToObject(o, "lens", buf_cstr(&lens));
	if (info->pop.filter) {
		population_filter(&info->pop, &filter);
		cJSON_AddStringToObject(o, "filter", buf_cstr(&filter));
		cJSON_AddNumberToObject(o, "shown", info->pop.shown);
	}
	cJSON_AddItemToObject(o, "layers", layers_json(s));
	cJSON_AddItemToObject(o, "categories", categories_json(info));
	cJSON_AddItemToObject(o, "facets", facets_json(s));
	cJSON_AddItemToObject(o, "joined", joined_json(info));
	cJSON_AddItemToObject(o, "saved", saved_json(info));
	runs = cJSON_AddArrayToObject(o, "runs");
	for (uint32_t r = 0; r < s->n_runs; r++)
		cJSON_AddItemToArray(runs, run_json(&s->runs[r], &info->tallies[r]));
	buf_release(&lens);
	buf_release(&filter);
	return o;
}
