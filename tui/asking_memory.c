#include "tui/asking_memory.h"

#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "core/text/json.h"
#include "tui/state_file.h"

#define FOLDER	   "asking"
#define PROMPT_MAX ((size_t)64 << 10) /* bytes; a longer one is not remembered */

/* All datasets' choices; NULL: there are none, or they cannot be read. */
static cJSON *read_all(const char *uuid)
{
	struct buf text = BUF_INIT;
	struct err ignored = ERR_INIT;
	cJSON *all = NULL;

	if (state_file_read(FOLDER, uuid, &text) &&
	    (json_parse(buf_view(&text), &all, &ignored) != OK || !cJSON_IsObject(all))) {
		cJSON_Delete(all);
		all = NULL;
	}
	buf_release(&text);
	return all;
}

/* --- reading --- */

static char *own_text(const cJSON *o, const char *name)
{
	struct str text = json_text(json_get(o, name));

	return text.n ? xstrndup(text.p, text.n) : NULL;
}

static bool whole(const cJSON *o, const char *name, double least, double most, double *out)
{
	return json_number(json_get(o, name), out) && *out >= least && *out <= most && *out == (double)(int64_t)*out;
}

static void recall_endpoint(struct asking *a, const cJSON *o, const struct endpoint_list *endpoints)
{
	struct str name = json_text(json_get(o, "endpoint"));

	for (size_t i = 0; endpoints && name.n && i < endpoints->n; i++)
		if (str_eqz(name, endpoints->v[i].name))
			a->endpoint = &endpoints->v[i];
}

static void recall_options(struct asking *a, const cJSON *o)
{
	struct str options = json_text(json_get(o, "options")), truth = json_text(json_get(o, "truth"));
	double seed;

	for (int i = 0; i < N_QUERY_OPTIONS && options.n; i++)
		if (str_eqz(options, query_options_word((enum query_options)i)))
			a->options = (enum query_options)i;
	for (int i = 0; i < N_QUERY_TRUTHS && truth.n; i++)
		if (str_eqz(truth, query_truth_word((enum choices_truth)i)))
			a->truth = (enum choices_truth)i;
	if (whole(o, "seed", 0, INT32_MAX, &seed))
		a->seed = (uint64_t)seed;
	free(a->encoder);
	a->encoder = own_text(o, "encoder");
}

void asking_remember(struct asking *a, const char *uuid, const char *dataset, const struct endpoint_list *endpoints)
{
	cJSON *all = read_all(uuid);
	const cJSON *o = json_get(all, dataset);
	const struct protocol *p = protocol_find(json_text(json_get(o, "protocol")));
	double repeats;

	if (p) {
		a->protocol = p;
		a->form = p->batches && str_eqz(json_text(json_get(o, "form")), "json") ? ASK_JSON : ASK_LIST;
		a->ids = cJSON_IsTrue(json_get(o, "ids"));
		a->own_classes = cJSON_IsTrue(json_get(o, "own"));
		free(a->prompt);
		a->prompt = own_text(o, "prompt");
		recall_options(a, o);
		recall_endpoint(a, o, endpoints);
	}
	if (p && whole(o, "repeats", 1, ASKING_MAX_REPEATS, &repeats))
		a->repeats = (uint32_t)repeats;
	cJSON_Delete(all);
}

/* --- writing --- */

static cJSON *choices_of(const struct asking *a)
{
	cJSON *o = cJSON_CreateObject();

	if (a->endpoint)
		cJSON_AddStringToObject(o, "endpoint", a->endpoint->name);
	cJSON_AddStringToObject(o, "protocol", a->protocol->name);
	cJSON_AddStringToObject(o, "form", a->form == ASK_JSON ? "json" : "list");
	cJSON_AddBoolToObject(o, "ids", a->ids);
	cJSON_AddBoolToObject(o, "own", a->own_classes);
	cJSON_AddStringToObject(o, "options", query_options_word(a->options));
	cJSON_AddStringToObject(o, "truth", query_truth_word(a->truth));
	cJSON_AddNumberToObject(o, "seed", (double)a->seed);
	if (a->encoder)
		cJSON_AddStringToObject(o, "encoder", a->encoder);
	if (a->prompt && strlen(a->prompt) <= PROMPT_MAX)
		cJSON_AddStringToObject(o, "prompt", a->prompt);
	cJSON_AddNumberToObject(o, "repeats", a->repeats);
	return o;
}

void asking_memorize(const struct asking *a, const char *uuid, const char *dataset)
{
	cJSON *all = read_all(uuid);
	char *text;

	all = all ? all : cJSON_CreateObject();
	cJSON_DeleteItemFromObjectCaseSensitive(all, dataset);
	cJSON_AddItemToObject(all, dataset, choices_of(a));
	text = cJSON_PrintUnformatted(all);
	if (text && strlen(text) <= STATE_FILE_MAX)
		state_file_write(FOLDER, uuid, str_z(text));
	cJSON_free(text);
	cJSON_Delete(all);
}
