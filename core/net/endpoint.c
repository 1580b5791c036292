#include "core/net/endpoint.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/nearest.h"
#include "core/base/path.h"
#include "core/base/vec.h"

const struct endpoint_key_row endpoint_keys[N_ENDPOINT_KEYS] = {
#define X(id, name, type, initial, range, least, most, help)                                       \
	[ENDPOINT_##id] = {name, ENDPOINT_TYPE_##type, initial, range, least, most, help},
    ENDPOINT_KEYS(X)
#undef X
};

_Static_assert(N_ENDPOINT_KEYS <= 32, "struct endpoint has a bit for each in `given`");

static enum status none_at_all(struct err *err)
{
	return err_set(err, E_NOT_FOUND,
		       "no endpoint is configured: the configuration has no section [endpoint "
		       "NAME] with base_url and model");
}

static enum status not_named(const struct endpoint_list *list, const char *name, struct err *err)
{
	struct nearest near = {.word = str_z(name ? name : "")};
	struct buf names = BUF_INIT;

	for (size_t i = 0; i < list->n; i++) {
		nearest_offer(&near, list->v[i].name);
		buf_printf(&names, "%s%s", i ? ", " : "", list->v[i].name);
	}
	if (!name)
		err_set(err, E_NOT_FOUND, "there are several endpoints, say which: %.400s",
			buf_cstr(&names));
	else if (near.best)
		err_set(err, E_NOT_FOUND, "there is no endpoint %.60s; did you mean %s?", name,
			near.best);
	else
		err_set(err, E_NOT_FOUND, "there is no endpoint %.60s; there are %.400s", name,
			buf_cstr(&names));
	buf_release(&names);
	return err->code;
}

enum status endpoint_find(const struct endpoint_list *list, const char *name,
			  const struct endpoint **out, struct err *err)
{
	if (!list || list->n == 0)
		return none_at_all(err);
	if (!name && list->n > 1)
		return not_named(list, NULL, err);
	for (size_t i = 0; i < list->n; i++)
		if (!name || strcmp(list->v[i].name, name) == 0) {
			*out = &list->v[i];
			return OK;
		}
	return not_named(list, name, err);
}

static char *copy(const char *s)
{
	return s ? xstrdup(s) : NULL;
}

void endpoint_copy(const struct endpoint *from, struct endpoint *to)
{
	*to = *from;
	to->name = copy(from->name);
	to->base_url = copy(from->base_url);
	to->model = copy(from->model);
	to->key_env = copy(from->key_env);
	to->key_file = copy(from->key_file);
	to->ca_file = copy(from->ca_file);
	to->max_tokens_field = copy(from->max_tokens_field);
	to->extra_body = copy(from->extra_body);
	for (size_t i = 0; i < from->n_headers; i++) {
		to->header[i].name = copy(from->header[i].name);
		to->header[i].env = copy(from->header[i].env);
	}
}

void endpoint_release(struct endpoint *e)
{
	char *const owned[] = {
	    e->name,    e->base_url,         e->model,     e->key_env, e->key_file,
	    e->ca_file, e->max_tokens_field, e->extra_body};

	for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
		free(owned[i]);
	for (size_t i = 0; i < e->n_headers; i++) {
		free(e->header[i].name);
		free(e->header[i].env);
	}
	*e = (struct endpoint){0};
}

void endpoint_list_copy(const struct endpoint_list *from, struct endpoint_list *to)
{
	*to = (struct endpoint_list){0};
	vec_reserve(to, from->n);
	for (size_t i = 0; i < from->n; i++)
		endpoint_copy(&from->v[i], &to->v[to->n++]);
}

void endpoint_list_release(struct endpoint_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		endpoint_release(&list->v[i]);
	vec_release(list);
}

struct str endpoint_host(const struct endpoint *e)
{
	struct str url = str_z(e->base_url);
	size_t slashes = str_find(url, STR("://"));
	struct str host;

	if (slashes == SIZE_MAX)
		return url;
	url.p += slashes + 3;
	url.n -= slashes + 3;
	str_cut(url, '/', &host);
	return host;
}

/* Somebody may have put the key where the name of its variable belongs: a name is told only where
 * it looks like one. */
static bool is_usual_name(const char *name)
{
	return strlen(name) <= 40 &&
	       name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")] == '\0';
}

void endpoint_key_source(const struct endpoint *e, struct buf *out)
{
	if (e->key_env && is_usual_name(e->key_env))
		buf_printf(out, "$%s", e->key_env);
	else if (e->key_env)
		buf_z(out, "the variable that key_env names");
	else if (e->key_file)
		buf_printf(out, "the file %s", e->key_file);
	else
		buf_z(out, "no key");
}

char *endpoint_file(const char *path)
{
	const char *home = getenv("HOME");

	if (strncmp(path, "~/", 2) != 0 || !home || !*home)
		return xstrdup(path);
	return path_join(home, str_z(path + 2));
}
