#include <stdlib.h>

#include "core/base/vec.h"
#include "core/text/json.h"
#include "tui/query/query.h"

const char *query_options_word(enum query_options o)
{
	static const char *const words[] = {"stored", "random", "hard", "near"};

	return words[o];
}

const char *query_truth_word(enum choices_truth t)
{
	static const char *const words[] = {"original", "reannotated", "both"};

	return words[t];
}

void query_spec_init(struct query_spec *s, const struct endpoint *e, const struct protocol *p)
{
	*s = (struct query_spec){.protocol = p, .batch = 1, .n_options = 4,
				 .prompt = xstrdup(protocol_prompt(p, ASK_LIST))};
	endpoint_copy(e, &s->endpoint);
}

void query_spec_copy(const struct query_spec *from, struct query_spec *to)
{
	*to = *from;
	endpoint_copy(&from->endpoint, &to->endpoint);
	to->prompt = xstrdup(from->prompt);
	to->reference = from->reference ? xstrdup(from->reference) : NULL;
	to->encoder = from->encoder ? xstrdup(from->encoder) : NULL;
	if (from->candidates) {
		to->candidates = xcalloc(from->n_candidates + 1, sizeof *to->candidates);
		memcpy(to->candidates, from->candidates, from->n_candidates * sizeof *to->candidates);
	}
}

void query_spec_release(struct query_spec *s)
{
	endpoint_release(&s->endpoint);
	free(s->prompt);
	free(s->reference);
	free(s->encoder);
	free(s->candidates);
	*s = (struct query_spec){0};
}

static enum status check_choices(const struct query_spec *s, const struct snapshot *snap, struct err *err)
{
	if (s->n_options < 2 || s->n_options > CHOICES_MAX)
		return err_set(err, E_USAGE, "%u options cannot be offered; 2 to %d can", s->n_options,
			       CHOICES_MAX);
	if (s->options != QUERY_OPTIONS_STORED && s->truth != CHOICES_REANNOTATED &&
	    snapshot_layer(snap, STR("original")) < 0)
		return err_set(err, E_USAGE, "the dataset has no layer original to take the right option from");
	if (s->options != QUERY_OPTIONS_STORED && s->truth != CHOICES_ORIGINAL &&
	    snapshot_layer(snap, STR("reannotated")) < 0)
		return err_set(err, E_USAGE,
			       "the dataset has no layer reannotated to take the right option from");
	if (s->options == QUERY_OPTIONS_HARD && (!s->reference || snapshot_run(snap, str_z(s->reference)) < 0))
		return err_set(err, E_USAGE, "hard options need a run whose confusions they are");
	return OK;
}

enum status query_spec_check(const struct query_spec *s, const struct snapshot *snap, struct err *err)
{
	if (!s->endpoint.model)
		return err_set(err, E_USAGE, "the endpoint %s names no model", s->endpoint.name);
	if (s->batch < 1 || s->batch > ASK_MAX_BATCH)
		return err_set(err, E_USAGE, "%u images cannot go in one request; 1 to %d can", s->batch,
			       ASK_MAX_BATCH);
	if (s->batch > 1 && (!s->protocol->batches || s->form != ASK_JSON))
		return err_set(err, E_USAGE, "%s asks about one sample at a time%s", s->protocol->name,
			       s->protocol->batches ? " unless its answers are JSON" : "");
	if (s->own_classes && s->batch > 1)
		return err_set(err, E_USAGE, "samples with options of their own are asked about one at a time");
	if (s->crop.w < 0 || s->crop.h < 0 || s->crop.x < 0 || s->crop.y < 0 || s->crop.x >= 1 ||
	    s->crop.y >= 1)
		return err_set(err, E_USAGE, "the crop is outside of the picture");
	if (strcmp(s->protocol->name, "mc") != 0)
		return OK;
	if (s->candidates || s->own_classes)
		return err_set(err, E_USAGE, "mc offers options and has no use for a list of classes");
	return check_choices(s, snap, err);
}

static void put_classes(const struct query_spec *s, const struct snapshot *snap, cJSON *o)
{
	cJSON *list = cJSON_AddArrayToObject(o, "classes");

	for (size_t i = 0; i < s->n_candidates; i++)
		cJSON_AddItemToArray(list, cJSON_CreateString(snap->classes[s->candidates[i]].name));
}

static void put_choices(const struct query_spec *s, cJSON *o)
{
	cJSON_AddStringToObject(o, "options", query_options_word(s->options));
	if (s->options == QUERY_OPTIONS_STORED)
		return;
	cJSON_AddStringToObject(o, "truth", query_truth_word(s->truth));
	cJSON_AddNumberToObject(o, "n_options", s->n_options);
	cJSON_AddNumberToObject(o, "seed", (double)s->seed);
	if (s->reference)
		cJSON_AddStringToObject(o, "reference", s->reference);
	if (s->options == QUERY_OPTIONS_NEAR && s->encoder)
		cJSON_AddStringToObject(o, "encoder", s->encoder);
}

void query_spec_settings(const struct query_spec *s, const struct snapshot *snap, struct buf *out)
{
	cJSON *o = cJSON_CreateObject();
	struct str host = endpoint_host(&s->endpoint);
	char *name = xstrndup(host.p, host.n), *text;

	cJSON_AddStringToObject(o, "endpoint", s->endpoint.name);
	cJSON_AddStringToObject(o, "host", name);
	if (s->endpoint.send_temperature)
		cJSON_AddNumberToObject(o, "temperature", s->endpoint.temperature);
	cJSON_AddStringToObject(o, "form", s->form == ASK_JSON ? "json" : "list");
	cJSON_AddBoolToObject(o, "ids", s->ids);
	cJSON_AddNumberToObject(o, "batch", s->batch);
	if (strcmp(s->protocol->name, "mc") == 0)
		put_choices(s, o);
	if (s->candidates)
		put_classes(s, snap, o);
	if (s->own_classes)
		cJSON_AddStringToObject(o, "classes", "options");
	if (s->crop.w > 0 && s->crop.h > 0) {
		const double crop[4] = {s->crop.x, s->crop.y, s->crop.w, s->crop.h};

		cJSON_AddItemToObject(o, "crop", cJSON_CreateDoubleArray(crop, 4));
	}
	if (s->endpoint.image_max_side)
		cJSON_AddNumberToObject(o, "image_max_side", s->endpoint.image_max_side);
	if (s->repeat)
		cJSON_AddNumberToObject(o, "repeat", s->repeat);
	text = cJSON_PrintUnformatted(o);
	buf_z(out, text ? text : "{}");
	cJSON_free(text);
	cJSON_Delete(o);
	free(name);
}
