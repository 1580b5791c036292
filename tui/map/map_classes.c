/* Vectors of all class names, so that it is known which of them are near each other. */
#include <stdlib.h>

#include "core/base/map.h"
#include "core/base/xmalloc.h"
#include "db/vectors.h"
#include "tui/map/map.h"

#define KEPT_MAX 64 /* encoders of a project that are looked at */

static bool is_among(struct str name, const struct str *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (str_eq(name, names[i]))
			return true;
	return false;
}

static enum status the_only_one(const struct str *kept, size_t n, struct err *err)
{
	struct buf all = BUF_INIT;

	if (n == 1)
		return OK;
	if (!n)
		return err_set(err, E_USAGE, "near options need vectors of the class names, and the project keeps none: "
					     "name an encoder, an endpoint of the configuration that embeds texts "
					     "(man 5 qualm) or a file of vectors");
	for (size_t i = 0; i < n; i++)
		buf_printf(&all, "%s%.*s", i ? ", " : "", STR_ARG(kept[i]));
	err_set(err, E_USAGE, "by which encoder are names near? the project keeps vectors of %s", buf_cstr(&all));
	buf_release(&all);
	return err->code;
}

/* An endpoint, what is kept, a file. */
static enum status find(const struct class_vectors *v, struct encoder *e, struct err *err)
{
	static const struct endpoint_list none;
	const struct endpoint_list *endpoints = v->endpoints ? v->endpoints : &none;
	const struct endpoint *endpoint = NULL;
	struct str kept[KEPT_MAX], name = str_z(v->encoder ? v->encoder : "");
	struct arena arena = ARENA_INIT;
	struct err ignored = ERR_INIT;
	size_t n = 0;
	enum status st = vectors_encoders(v->conn, KEPT_MAX, kept, &n, &arena, err);
	bool configured = v->encoder && endpoint_find(endpoints, v->encoder, &endpoint, &ignored) == OK;

	if (st == OK && !v->encoder) {
		st = the_only_one(kept, n, err);
		name = st == OK ? kept[0] : name;
	}
	if (st == OK && !configured && is_among(name, kept, n))
		e->name = xstrndup(name.p, name.n);
	else if (st == OK)
		st = encoder_find(e, v->encoder, endpoints, err);
	arena_release(&arena);
	return st;
}

/* A file may change: its vectors are kept by its name and what they are. */
static enum status keep_file(const struct class_vectors *v, const struct encoder *e, const struct str *names,
			     uint32_t dim, const float *vectors, struct buf *key, struct err *err)
{
	size_t n = v->snap->n_classes;

	buf_printf(key, "%s %08x", e->name, hash_bytes((const char *)vectors, n * dim * sizeof *vectors));
	return vectors_put(v->conn, buf_view(key), names, n, dim, vectors, err);
}

static enum status embed(const struct class_vectors *v, struct encoder *e, struct buf *key, struct err *err)
{
	const struct snapshot *snap = v->snap;
	const struct map_job job = {.conn = v->conn, .snap = snap, .cancel = v->cancel, .progress = v->progress,
				    .ctx = v->ctx};
	struct str *names = xcalloc((size_t)snap->n_classes + 1, sizeof *names);
	float *vectors = NULL;
	uint32_t dim = 0;
	size_t sent = 0;
	enum status st;

	for (uint32_t c = 0; c < snap->n_classes; c++)
		names[c] = str_z(snap->classes[c].name);
	st = encoder_embed(e, v->conn, names, snap->n_classes, &job, &dim, &vectors, &sent, err);
	if (st == OK && e->file)
		st = keep_file(v, e, names, dim, vectors, key, err);
	else if (st == OK)
		encoder_key(e, key);
	free(names);
	free(vectors);
	return st;
}

/* By its name alone: what is kept, and nothing else. */
static enum status embed_dry(const struct class_vectors *v, struct encoder *e, struct buf *key, struct err *err)
{
	struct encoder kept = {0};
	struct err why = ERR_INIT;
	struct buf name = BUF_INIT;
	enum status st;

	encoder_key(e, &name);
	kept.name = buf_take(&name);
	st = embed(v, &kept, key, &why);
	encoder_release(&kept);
	if (st == E_USAGE)
		return err_set(err, E_USAGE, "the class names have no vectors by %s yet, and nothing is sent now: they "
					     "are made when it is asked in earnest", e->name);
	if (st != OK)
		*err = why;
	return st;
}

enum status class_vectors_keep(const struct class_vectors *v, char **key, struct err *err)
{
	struct encoder e = {0};
	struct buf name = BUF_INIT;
	enum status st = v->snap->n_classes ? find(v, &e, err)
					    : err_set(err, E_USAGE, "the dataset has no classes to take options from");

	if (st == OK && v->templates)
		st = encoder_templates(&e, v->templates, err);
	if (st == OK)
		st = v->dry && e.endpoint ? embed_dry(v, &e, &name, err) : embed(v, &e, &name, err);
	if (st == OK)
		*key = xstrdup(buf_cstr(&name));
	buf_release(&name);
	encoder_release(&e);
	return st;
}
