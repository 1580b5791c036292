#include "tui/query/query_cost.h"

#include <stdlib.h>

#include "core/net/picture_tokens.h"
#include "tui/query/query_make.h"

#define BYTES_A_TOKEN 4
#define LOOKS	      3 /* requests of a plan */

static double text_tokens(struct str prompt)
{
	return (double)((prompt.n + BYTES_A_TOKEN - 1) / BYTES_A_TOKEN);
}

struct query_cost query_request_cost(const struct query_request *r, const char *model)
{
	struct query_cost cost = {.text = text_tokens(query_request_prompt(r))};

	for (size_t i = 0; i < query_request_pictures(r); i++) {
		const struct send_picture *p = query_request_picture(r, i);

		cost.pictures += (double)picture_tokens(model, p->w, p->h);
	}
	return cost;
}

static double picture_cost(const struct query_plan *p, struct conn *c, const struct sample_row *row)
{
	const struct endpoint *e = &p->spec.endpoint;
	const struct send_want want = {e->image_max_side, e->image_max_bytes, p->spec.crop};
	char *path = row->media == MEDIA_IMAGE ? fetch_picture_path(c, p->snap, row->path) : NULL;
	uint32_t w = 0, h = 0;

	if (path)
		send_picture_expect(path, &want, &w, &h);
	free(path);
	return (double)picture_tokens(e->model, w, h);
}

static bool look(const struct query_plan *p, struct conn *c, size_t k, struct query_cost *cost)
{
	size_t first = k * p->spec.batch, n = p->n - first;
	struct query_request *r = NULL;
	struct err ignored = ERR_INIT;

	n = n > p->spec.batch ? p->spec.batch : n;
	if (query_request_of(p, c, p->ords + first, n, false, NULL, NULL, &r, &ignored) != OK)
		return false;
	cost->text += text_tokens(query_request_prompt(r));
	for (size_t i = 0; i < n; i++)
		cost->pictures += picture_cost(p, c, &r->rows[i]);
	query_request_free(r);
	return true;
}

struct query_cost query_plan_cost(const struct query_plan *p, struct conn *c)
{
	size_t n = query_plan_requests(p), looks = n < LOOKS ? n : LOOKS, seen = 0;
	struct query_cost cost = {0};

	for (size_t i = 0; i < looks; i++)
		seen += look(p, c, looks > 1 ? i * (n - 1) / (looks - 1) : 0, &cost);
	if (!seen)
		return cost;
	cost.text *= (double)n / (double)seen;
	cost.pictures *= (double)n / (double)seen;
	return cost;
}
