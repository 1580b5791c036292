/* From samples to a request: texts, options, candidates, pictures. */
#include "tui/query/query_make.h"

#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tui/query/query_draw.h"

#define QUERY_PICTURES_MAX  16 /* of one sample */
#define QUERY_PICTURES_WORD "16"

/* --- candidates --- */

static void put_own(struct query_request *r, const struct query_plan *p)
{
	const struct ask_sample *s = &r->samples[0];
	struct class_info *own = arena_alloc(&r->arena, (s->n_options + 1) * sizeof *own);

	for (size_t i = 0; i < s->n_options; i++) {
		uint32_t c = s->options[i].class_ord;
		struct str name = arena_str(&r->arena, s->options[i].text);

		own[i] = c < p->snap->n_classes ? p->snap->classes[c]
						: (struct class_info){-1, "", NULL, UINT32_MAX};
		own[i].name = name.p;
	}
	r->ask.classes = own;
	r->ask.n_classes = s->n_options;
}

/* All classes but those that stand above others without a number: groups are no answers. */
static void put_all(struct query_request *r, const struct snapshot *snap)
{
	struct class_info *some;
	size_t n = 0;

	r->ask.classes = snap->classes;
	r->ask.n_classes = snap->n_classes;
	for (uint32_t c = 0; c < snap->n_classes; c++)
		n += snap->classes[c].index >= 0;
	if (n == snap->n_classes || !n)
		return;
	some = arena_alloc(&r->arena, n * sizeof *some);
	n = 0;
	for (uint32_t c = 0; c < snap->n_classes; c++)
		if (snap->classes[c].index >= 0)
			some[n++] = snap->classes[c];
	r->ask.classes = some;
	r->ask.n_classes = n;
}

static void put_candidates(struct query_request *r, const struct query_plan *p)
{
	const struct query_spec *s = &p->spec;
	struct class_info *some;

	put_all(r, p->snap);
	if (s->own_classes)
		put_own(r, p);
	if (!s->candidates)
		return;
	some = arena_alloc(&r->arena, (s->n_candidates + 1) * sizeof *some);
	for (size_t i = 0; i < s->n_candidates; i++)
		some[i] = p->snap->classes[s->candidates[i]];
	r->ask.classes = some;
	r->ask.n_classes = s->n_candidates;
}

/* --- options --- */

static enum status draw_options(struct query_request *r, const struct query_plan *p, size_t i, struct err *err)
{
	struct ask_option *options;
	uint32_t own[CHOICES_MAX];
	const uint32_t *drawn = p->n_drawn ? p->drawn : own;
	size_t n = p->n_drawn;

	if (!n && query_draw_options(p->draw, &p->spec, r->rows[i].key, r->ords[i], own, &n, err) != OK)
		return err->code;
	options = arena_alloc(&r->arena, (n + 1) * sizeof *options);
	for (size_t k = 0; k < n; k++)
		options[k] = (struct ask_option){str_z(p->snap->classes[drawn[k]].name), drawn[k]};
	r->samples[i].options = options;
	r->samples[i].n_options = n;
	return OK;
}

static enum status stored_options(struct query_request *r, struct conn *c, size_t i, struct err *err)
{
	struct option_row *rows = NULL;
	struct ask_option *options;
	size_t n = 0;
	enum status st = fetch_options(c, r->rows[i].option_set, &rows, &n, &r->arena, err);

	options = arena_alloc(&r->arena, (n + 1) * sizeof *options);
	for (size_t k = 0; k < n; k++)
		options[k] = (struct ask_option){rows[k].text, rows[k].class_ord};
	r->samples[i].options = options;
	r->samples[i].n_options = n;
	return st;
}

/* --- pictures --- */

static enum status cannot_send(const struct sample_row *row, const char *why, struct err *err)
{
	return err_set(err, E_UNSUPPORTED, "%.*s has %s", (int)(row->key.n > 100 ? 100 : row->key.n), row->key.p,
		       why);
}

/* Which picture is meant is told by its place: several of one sample are a request of their own. */
static enum status check_several(const struct query_request *r, const struct query_plan *p,
				 const struct sample_row *row, struct err *err)
{
	if (row->media == MEDIA_VIDEO)
		return cannot_send(row, "a video, which cannot be sent", err);
	if (row->media == MEDIA_IMAGES && r->ask.n_samples > 1)
		return cannot_send(row, "several pictures, and goes in a request of its own: --batch 1", err);
	if (row->media == MEDIA_IMAGES && p->spec.crop.w > 0)
		return cannot_send(row, "several pictures, of which no part can be chosen", err);
	return OK;
}

/* send/image_max_* of the endpoint, and the crop. */
static enum status load_picture(struct query_request *r, const struct query_plan *p, struct conn *c,
				struct str stored, struct decoder *decoder, const struct cancel *cancel,
				struct err *err)
{
	struct send_want want = {p->spec.endpoint.image_max_side, p->spec.endpoint.image_max_bytes,
				 p->spec.crop};
	char *path = fetch_picture_path(c, p->snap, stored);
	enum status st;

	if (!path)
		return err_set(err, E_NOT_FOUND, "%.*s", (int)(stored.n > 100 ? 100 : stored.n), stored.p ? stored.p : "");
	st = send_picture_load(path, &want, decoder, cancel, &r->pictures[r->n_pictures++], err);
	free(path);
	return st;
}

/* All of the sample's pictures, in their order. */
static enum status load_pictures(struct query_request *r, const struct query_plan *p, struct conn *c,
				 const struct sample_row *row, struct decoder *decoder,
				 const struct cancel *cancel, struct err *err)
{
	struct str *paths;
	enum status st;
	size_t n;

	if (row->media == MEDIA_NONE)
		return OK;
	st = check_several(r, p, row, err);
	if (!st)
		st = fetch_media(c, p->snap->dataset_id, row, &paths, &n, &r->arena, err);
	if (st)
		return st;
	if (n > QUERY_PICTURES_MAX)
		return cannot_send(row, "too many pictures: at most " QUERY_PICTURES_WORD " are sent", err);
	if (n > 1) /* alone: check_several() */
		r->pictures = arena_zalloc(&r->arena, n, sizeof *r->pictures);
	for (size_t i = 0; i < n && !st; i++)
		st = load_picture(r, p, c, paths[i], decoder, cancel, err);
	if (!n || st == E_NOT_FOUND)
		st = err_set(err, E_NOT_FOUND, "the picture of %.*s is not to be found",
			     (int)(row->key.n > 100 ? 100 : row->key.n), row->key.p);
	return st;
}

void query_request_drop_pictures(struct query_request *r)
{
	for (size_t i = 0; i < r->n_pictures; i++)
		buf_release(&r->pictures[i].bytes);
}

/* --- all together --- */

static enum status make_sample(struct query_request *r, const struct query_plan *p, struct conn *c, size_t i,
			       bool pictures, struct decoder *decoder, const struct cancel *cancel, struct err *err)
{
	r->samples[i].text = r->rows[i].text;
	if ((p->draw || p->n_drawn ? draw_options(r, p, i, err) : stored_options(r, c, i, err)) != OK)
		return err->code;
	return pictures ? load_pictures(r, p, c, &r->rows[i], decoder, cancel, err) : OK;
}

/* Pictures first, then the words about them. */
static void make_message(struct query_request *r)
{
	size_t n = 0;

	r->parts = arena_zalloc(&r->arena, r->n_pictures + 1, sizeof *r->parts);
	for (; n < r->n_pictures; n++) {
		r->parts[n].kind = CHAT_IMAGE;
		r->parts[n].bytes = buf_view(&r->pictures[n].bytes);
		r->parts[n].mime = r->pictures[n].mime;
	}
	r->parts[n].kind = CHAT_TEXT;
	r->parts[n++].text = buf_view(&r->prompt);
	r->message = (struct chat_message){"user", r->parts, n};
	r->chat = (struct chat_request){.messages = &r->message, .n_messages = 1, .stream = true};
}

enum status query_request_make(const struct query_plan *p, struct conn *c, size_t k, struct decoder *decoder,
			       const struct cancel *cancel, struct query_request **out, struct err *err)
{
	size_t first = k * p->spec.batch, n = p->n - first;

	return query_request_of(p, c, p->ords + first, n > p->spec.batch ? p->spec.batch : n, true, decoder,
				cancel, out, err);
}

enum status query_request_of(const struct query_plan *p, struct conn *c, const uint32_t *ords, size_t n,
			     bool pictures, struct decoder *decoder, const struct cancel *cancel,
			     struct query_request **out, struct err *err)
{
	struct query_request *r = xcalloc(1, sizeof *r);
	enum status st;

	r->ords = ords;
	r->rows = arena_zalloc(&r->arena, n, sizeof *r->rows);
	r->samples = arena_zalloc(&r->arena, n, sizeof *r->samples);
	r->pictures = arena_zalloc(&r->arena, n, sizeof *r->pictures);
	r->ask = (struct ask){.samples = r->samples, .n_samples = n, .form = p->spec.form, .ids = p->spec.ids};
	st = fetch_sample_list(c, p->snap->dataset_id, r->ords, (uint32_t)n, r->rows, &r->arena, err);
	for (size_t i = 0; i < n && st == OK; i++)
		st = make_sample(r, p, c, i, pictures, decoder, cancel, err);
	put_candidates(r, p);
	if (st == OK)
		st = protocol_build(p->spec.protocol, str_z(p->spec.prompt), &r->ask, &r->prompt, err);
	if (st != OK) {
		query_request_free(r);
		return st;
	}
	make_message(r);
	*out = r;
	return OK;
}

const struct chat_request *query_request_chat(const struct query_request *r)
{
	return &r->chat;
}

size_t query_request_pictures(const struct query_request *r)
{
	return r->n_pictures;
}

const struct send_picture *query_request_picture(const struct query_request *r, size_t i)
{
	return &r->pictures[i];
}

struct str query_request_prompt(const struct query_request *r)
{
	return buf_view(&r->prompt);
}

size_t query_request_options(const struct query_request *r)
{
	return r->samples[0].n_options;
}

void query_request_free(struct query_request *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->n_pictures; i++)
		send_picture_release(&r->pictures[i]);
	buf_release(&r->prompt);
	arena_release(&r->arena);
	free(r);
}
