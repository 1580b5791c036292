/* What query_spec_settings() wrote, read again. */
#include <math.h>
#include <stdlib.h>

#include "core/base/vec.h"
#include "core/text/json.h"
#include "tui/query/query_batch.h"

static double number_of(const cJSON *o, const char *name, double otherwise)
{
	double v;

	return json_number(json_get(o, name), &v) ? v : otherwise;
}

/* A number from least to most, as whole as it was written. */
static bool whole(const cJSON *o, const char *name, double least, double most, double otherwise, double *out)
{
	*out = number_of(o, name, otherwise);
	return *out >= least && *out <= most && *out == floor(*out);
}

static enum query_options options_of(const cJSON *o)
{
	struct str word = json_text(json_get(o, "options"));

	for (int i = 0; i < N_QUERY_OPTIONS && word.p; i++)
		if (str_eqz(word, query_options_word((enum query_options)i)))
			return (enum query_options)i;
	return QUERY_OPTIONS_STORED;
}

static enum choices_truth truth_of(const cJSON *o)
{
	struct str word = json_text(json_get(o, "truth"));

	for (int i = 0; i < N_QUERY_TRUTHS && word.p; i++)
		if (str_eqz(word, query_truth_word((enum choices_truth)i)))
			return (enum choices_truth)i;
	return CHOICES_ORIGINAL;
}

static bool recall_classes(struct query_spec *s, const struct snapshot *snap, const cJSON *list)
{
	const cJSON *item;

	s->own_classes = str_eqz(json_text(list), "options");
	if (!cJSON_IsArray(list))
		return true;
	s->candidates = xcalloc((size_t)cJSON_GetArraySize(list) + 1, sizeof *s->candidates);
	cJSON_ArrayForEach(item, list)
	{
		struct str name = json_text(item);
		uint32_t c = 0;

		while (c < snap->n_classes && !(name.p && str_eqz(name, snap->classes[c].name)))
			c++;
		if (c == snap->n_classes)
			return false;
		s->candidates[s->n_candidates++] = c;
	}
	return true;
}

static bool recall_crop(struct query_spec *s, const cJSON *list)
{
	double v[4] = {0};
	const cJSON *item;
	int n = 0;

	if (!list)
		return true;
	cJSON_ArrayForEach(item, list)
		if (n < 4 && !(json_number(item, &v[n]) && v[n] >= 0 && v[n++] <= 1))
			return false;
	s->crop = (struct send_crop){v[0], v[1], v[2], v[3]};
	return n == 4;
}

static bool recall_all(struct query_spec *s, const struct snapshot *snap, const cJSON *o)
{
	struct str reference = json_text(json_get(o, "reference")), encoder = json_text(json_get(o, "encoder"));
	double batch, n_options, seed, repeat, side;

	if (!whole(o, "batch", 1, ASK_MAX_BATCH, 1, &batch) ||
	    !whole(o, "n_options", 2, CHOICES_MAX, 4, &n_options) ||
	    !whole(o, "seed", 0, INT32_MAX, 0, &seed) || !whole(o, "repeat", 0, INT32_MAX, 0, &repeat) ||
	    !whole(o, "image_max_side", 0, UINT32_MAX, 0, &side))
		return false;
	s->form = str_eqz(json_text(json_get(o, "form")), "json") ? ASK_JSON : ASK_LIST;
	s->ids = cJSON_IsTrue(json_get(o, "ids"));
	s->batch = (uint32_t)batch;
	s->n_options = (uint32_t)n_options;
	s->seed = (uint64_t)seed;
	s->repeat = (uint32_t)repeat;
	s->endpoint.image_max_side = (uint32_t)side;
	s->endpoint.send_temperature = json_get(o, "temperature") != NULL;
	s->endpoint.temperature = number_of(o, "temperature", 0);
	s->options = options_of(o);
	s->truth = truth_of(o);
	s->reference = reference.p ? xstrndup(reference.p, reference.n) : NULL;
	s->encoder = encoder.p ? xstrndup(encoder.p, encoder.n) : NULL;
	return recall_classes(s, snap, json_get(o, "classes")) && recall_crop(s, json_get(o, "crop"));
}

enum status query_spec_recall(struct query_spec *s, const struct snapshot *snap, struct str settings,
			      struct str prompt, struct str protocol, struct str model, struct err *err)
{
	cJSON *o = NULL;
	struct err ignored = ERR_INIT;
	struct str name, host;
	bool ok;

	*s = (struct query_spec){.protocol = protocol_find(protocol)};
	ok = s->protocol && json_parse(settings, &o, &ignored) == OK && cJSON_IsObject(o);
	name = json_text(json_get(o, "endpoint"));
	host = json_text(json_get(o, "host"));
	s->prompt = xstrndup(prompt.p ? prompt.p : "", prompt.n);
	s->endpoint.name = xstrndup(name.p ? name.p : "", name.n);
	s->endpoint.model = xstrndup(model.p ? model.p : "", model.n);
	s->endpoint.base_url = xasprintf("https://%.*s", (int)(host.n < 200 ? host.n : 200), host.p ? host.p : "");
	ok = ok && recall_all(s, snap, o);
	cJSON_Delete(o);
	return ok ? OK : err_set(err, E_FORMAT, "how it was asked cannot be understood any more");
}
