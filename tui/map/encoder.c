/* Texts to vectors: what the project keeps, then an endpoint or a file. */
#include <stdlib.h>

#include "core/base/map.h"
#include "core/base/path.h"
#include "core/base/vec.h"
#include "core/base/xmalloc.h"
#include "core/net/embed.h"
#include "core/text/input.h"
#include "core/text/json.h"
#include "db/vectors.h"
#include "tui/map/map.h"

#define PIECE_STRINGS 2048 /* sent before the vectors are kept */
#define TEMPLATES_MAX ((size_t)1 << 20)

enum status encoder_find(struct encoder *e, const char *name, const struct endpoint_list *endpoints,
			 struct err *err)
{
	struct err ignored = ERR_INIT;
	struct str base = path_base(str_z(name));
	struct input in;

	if (endpoint_find(endpoints, name, &e->endpoint, &ignored) == OK) {
		if (!e->endpoint->model)
			return err_set(err, E_USAGE, "the endpoint %s names no model", name);
		e->name = xstrdup(e->endpoint->model);
		return OK;
	}
	ignored = (struct err)ERR_INIT;
	if (input_open(&in, name, &ignored) != OK)
		return err_set(err, E_USAGE, "%s is neither an endpoint of the configuration (man 5 qualm) nor a "
					     "file of vectors that can be read", name);
	input_close(&in);
	e->file = name;
	e->name = xstrndup(base.p, base.n);
	return OK;
}

enum status encoder_templates(struct encoder *e, const char *path, struct err *err)
{
	struct input in;
	enum status st;

	if (!e->endpoint)
		return err_set(err, E_USAGE, "vectors that are there already are used as they are: %s takes no templates", e->name);
	st = input_open(&in, path, err);
	if (st != OK)
		return st;
	st = input_all(&in, TEMPLATES_MAX, &e->template_text, err);
	input_close(&in);
	if (st == OK)
		st = mapping_templates(buf_view(&e->template_text), &e->templates, err);
	return st == OK ? OK : err_prefix(err, "%s", path);
}

void encoder_release(struct encoder *e)
{
	free(e->name);
	vec_release(&e->templates.lines);
	buf_release(&e->template_text);
	*e = (struct encoder){0};
}

/* The bare texts, or the same in templates: other vectors, so another name. */
void encoder_key(const struct encoder *e, struct buf *out)
{
	buf_z(out, e->name);
	if (e->templates.lines.n)
		buf_printf(out, " + %zu templates %08x", e->templates.lines.n,
			   hash_bytes(e->template_text.p, e->template_text.n));
}

/* --- from an endpoint --- */

/* strings[k × (1 + templates)]: each text bare, then in each template. */
static void fill_all(const struct encoder *e, const struct str *texts, size_t k, struct arena *arena,
		     struct str *strings)
{
	size_t each = 1 + e->templates.lines.n;
	struct buf filled = BUF_INIT;

	for (size_t i = 0; i < k; i++) {
		strings[i * each] = texts[i];
		for (size_t t = 0; t + 1 < each; t++) {
			buf_clear(&filled);
			mapping_fill(e->templates.lines.v[t], texts[i], &filled);
			strings[i * each + t + 1] = arena_str(arena, buf_view(&filled));
		}
	}
	buf_release(&filled);
}

static enum status take_vectors(const struct embed_result *r, size_t k, size_t each, uint32_t *dim, float **out,
				struct err *err)
{
	size_t size;

	if (*dim && *dim != r->dim)
		return err_set(err, E_FORMAT, "the encoder gave vectors of %u numbers, and of %u before", r->dim,
			       *dim);
	*dim = r->dim;
	*out = mem_mul(k * r->dim, sizeof **out, &size) ? mem_try(size) : NULL;
	if (!*out)
		return err_set(err, E_MEMORY, "there is no memory for %zu vectors", k);
	for (size_t i = 0; i < k; i++) {
		const float *bare = r->v + i * each * r->dim;

		mapping_embed(bare, bare + r->dim, each - 1, r->dim, *out + i * r->dim);
	}
	return OK;
}

static enum status ask_some(struct encoder *e, struct net *net, const struct str *texts, size_t k,
			    struct cancel *cancel, uint32_t *dim, float **out, struct err *err)
{
	size_t each = 1 + e->templates.lines.n;
	struct str *strings = xcalloc(k * each, sizeof *strings);
	struct arena arena = ARENA_INIT;
	struct embed_result r = {0};
	enum status st;

	fill_all(e, texts, k, &arena, strings);
	st = embed_texts(net, e->endpoint, strings, k * each, NULL, cancel, &r, err);
	if (st == OK)
		st = take_vectors(&r, k, each, dim, out, err);
	embed_result_release(&r);
	arena_release(&arena);
	free(strings);
	return st;
}

/* --- all of them --- */

struct wanted {
	const struct str *texts;
	size_t n;
	bool *known;
	uint32_t *dim;
	float **v;
};

static enum status room_for(struct wanted *w, struct err *err)
{
	size_t size;

	if (*w->v)
		return OK;
	*w->v = mem_mul(w->n ? w->n : 1, *w->dim * sizeof(float), &size) ? mem_try(size) : NULL;
	return *w->v ? OK : err_set(err, E_MEMORY, "there is no memory for %zu vectors", w->n);
}

/* The next texts without a vector; returns how many, their places in `at`. */
static size_t next_piece(const struct wanted *w, size_t *from, size_t max, struct str *texts, size_t *at)
{
	size_t k = 0;

	for (; *from < w->n && k < max; (*from)++)
		if (!w->known[*from]) {
			texts[k] = w->texts[*from];
			at[k++] = *from;
		}
	return k;
}

static enum status ask_piece(struct encoder *e, struct net *net, struct conn *c, struct str key, struct wanted *w,
			     const struct str *texts, const size_t *at, size_t k, struct cancel *cancel,
			     struct err *err)
{
	float *v = NULL;
	enum status st = ask_some(e, net, texts, k, cancel, w->dim, &v, err);

	if (st == OK)
		st = room_for(w, err);
	for (size_t i = 0; i < k && st == OK; i++)
		memcpy(*w->v + at[i] * *w->dim, v + i * *w->dim, *w->dim * sizeof *v);
	if (st == OK)
		st = vectors_put(c, key, texts, k, *w->dim, v, err);
	free(v);
	return st;
}

static enum status ask_missing(struct encoder *e, struct conn *c, struct str key, struct wanted *w,
			       const struct map_job *job, size_t *sent, struct err *err)
{
	size_t max = PIECE_STRINGS / (1 + e->templates.lines.n) + 1, from = 0, k, have = 0;
	struct str *texts = xcalloc(max, sizeof *texts);
	size_t *at = xcalloc(max, sizeof *at);
	struct net *net = NULL;
	enum status st = net_new(NULL, &net, err);

	for (size_t i = 0; i < w->n; i++)
		have += w->known[i];
	while (st == OK && (k = next_piece(w, &from, max, texts, at)) > 0) {
		st = ask_piece(e, net, c, key, w, texts, at, k, job->cancel, err);
		have += k;
		*sent += st == OK ? k : 0;
		if (st == OK && job->progress)
			job->progress(job->ctx, have, w->n);
	}
	net_free(net);
	free(texts);
	free(at);
	return st;
}

/* --- from a file --- */

static enum status take_line(struct wanted *w, const struct intern *places, struct str line, struct err *err)
{
	cJSON *o = NULL;
	enum status st = json_parse(line, &o, err);
	const cJSON *list = json_get(o, "vector"), *item;
	struct str text = json_text(json_get(o, "text"));
	uint32_t id, dim, k = 0;

	list = list ? list : json_get(o, "embedding");
	id = st == OK && text.p ? intern_find(places, text) : INTERN_NONE;
	dim = (uint32_t)(cJSON_IsArray(list) ? cJSON_GetArraySize(list) : 0);
	if (st == OK && (!text.p || !dim || dim > EMBED_MAX_DIM))
		st = err_set(err, E_FORMAT, "expected {\"text\": …, \"vector\": […]}");
	if (st == OK && *w->dim && dim != *w->dim)
		st = err_set(err, E_FORMAT, "a vector of %u numbers among those of %u", dim, *w->dim);
	*w->dim = st == OK ? dim : *w->dim;
	if (st == OK && id != INTERN_NONE && (st = room_for(w, err)) == OK) {
		cJSON_ArrayForEach(item, list) (*w->v)[(size_t)id * dim + k++] = (float)item->valuedouble;
		w->known[id] = true;
	}
	cJSON_Delete(o);
	return st;
}

/* Vectors of the bare texts; templates would need those of the filled ones. w->texts all differ. */
static enum status read_file_of(const char *path, struct wanted *w, const struct intern *places,
				const struct cancel *cancel, struct err *err)
{
	struct input in;
	struct lines lines;
	struct line line;
	bool more = true;
	enum status st = input_open(&in, path, err);

	if (st != OK)
		return st;
	in.cancel = cancel;
	lines_init(&lines, &in);
	while ((st = lines_next(&lines, &line, &more, err)) == OK && more) {
		if (!str_trim(line.text).n)
			continue;
		st = take_line(w, places, line.text, err);
		if (st != OK) {
			err_prefix(err, "%s:%llu", path, (unsigned long long)line.number);
			break;
		}
	}
	lines_release(&lines);
	input_close(&in);
	return st;
}

/* Of vectors of different texts those of the texts, which may repeat; what is not known is zero. */
static enum status spread(const struct wanted *own, const struct intern *places, struct wanted *w, struct err *err)
{
	size_t dim = *own->dim;

	*w->dim = *own->dim;
	if (room_for(w, err) != OK)
		return err->code;
	for (size_t i = 0; i < w->n; i++) {
		uint32_t id = intern_find(places, w->texts[i]);
		float *v = *w->v + i * dim;

		if (own->known[id])
			mapping_embed(*own->v + id * dim, NULL, 0, dim, v);
		else
			memset(v, 0, dim * sizeof *v);
	}
	return OK;
}

static enum status from_file(struct encoder *e, struct wanted *w, const struct map_job *job, struct err *err)
{
	struct intern places = INTERN_INIT;
	float *v = NULL;
	struct wanted own = {.known = xcalloc(w->n + 1, sizeof *own.known), .dim = w->dim, .v = &v};
	enum status st;

	for (size_t i = 0; i < w->n; i++)
		intern_add(&places, w->texts[i]);
	own.texts = places.keys.v;
	own.n = places.keys.n;
	st = read_file_of(e->file, &own, &places, job->cancel, err);
	if (st == OK && !v)
		st = err_set(err, E_FORMAT, "%s has none of the texts", e->file);
	if (st == OK)
		st = spread(&own, &places, w, err);
	free(v);
	free(own.known);
	intern_release(&places);
	return st;
}

/* --- what the project keeps, alone --- */

static enum status only_kept(const struct encoder *e, const struct wanted *w, struct err *err)
{
	size_t missing = 0;

	for (size_t i = 0; i < w->n; i++)
		missing += !w->known[i];
	return missing ? err_set(err, E_USAGE, "the project keeps no vectors of %zu of the %zu texts by %s, which is "
					       "no endpoint of the configuration (man 5 qualm)", missing, w->n, e->name)
		       : OK;
}

enum status encoder_embed(struct encoder *e, struct conn *c, const struct str *texts, size_t n,
			  const struct map_job *job, uint32_t *dim, float **out, size_t *sent, struct err *err)
{
	bool *known = xcalloc(n + 1, sizeof *known);
	struct wanted w = {texts, n, known, dim, out};
	struct buf key = BUF_INIT;
	enum status st = OK;

	*out = NULL;
	encoder_key(e, &key);
	if (e->file) {
		st = from_file(e, &w, job, err);
	} else {
		st = vectors_get(c, buf_view(&key), texts, n, dim, out, known, err);
		if (st == OK)
			st = e->endpoint ? ask_missing(e, c, buf_view(&key), &w, job, sent, err)
					 : only_kept(e, &w, err);
	}
	buf_release(&key);
	free(known);
	return st;
}
