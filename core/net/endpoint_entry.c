#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/nearest.h"
#include "core/base/vec.h"
#include "core/net/endpoint.h"
#include "core/text/json.h"

#define NAME_MAX_BYTES 40
#define LETTERS        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS         "0123456789"

static bool is_made_of(const char *s, const char *bytes)
{
	return *s && s[strspn(s, bytes)] == '\0';
}

/* Keys of several providers are made of what names are made of. No word of a name is as long and
 * has digits in it. */
static bool looks_like_a_key(const char *s)
{
	while (*s) {
		size_t n = strcspn(s, "_");

		if (n >= 16 && strcspn(s, DIGITS) < n)
			return true;
		s += n + (s[n] == '_');
	}
	return false;
}

static bool is_variable(const char *s)
{
	return is_made_of(s, LETTERS DIGITS "_") && !strchr(DIGITS, *s) && strlen(s) <= 128 &&
	       !looks_like_a_key(s);
}

/* --- sections --- */

bool endpoint_is_section(const char *section)
{
	size_t n = strlen("endpoint");

	return strncmp(section, "endpoint", n) == 0 && (!section[n] || section[n] == ' ');
}

static void set_initial(struct endpoint *e, char *name)
{
	*e = (struct endpoint){
	    .name = name,
	    .max_tokens_field = xstrdup(endpoint_keys[ENDPOINT_MAX_TOKENS_FIELD].initial),
	    .send_temperature = true,
	};
	e->temperature = strtod(endpoint_keys[ENDPOINT_TEMPERATURE].initial, NULL);
	e->image_max_bytes = strtoull(endpoint_keys[ENDPOINT_IMAGE_MAX_BYTES].initial, NULL, 10);
	e->timeout = strtod(endpoint_keys[ENDPOINT_TIMEOUT].initial, NULL);
	e->retries = (int)strtol(endpoint_keys[ENDPOINT_RETRIES].initial, NULL, 10);
	e->concurrency = (int)strtol(endpoint_keys[ENDPOINT_CONCURRENCY].initial, NULL, 10);
}

static enum status open_section(struct endpoint_list *list, const char *section,
				struct endpoint **out, struct err *err)
{
	struct str word = str_trim(str_z(section + strlen("endpoint")));
	char *name = xstrndup(word.p, word.n);

	if (!is_made_of(name, LETTERS DIGITS "_.-") || word.n > NAME_MAX_BYTES) {
		free(name);
		return err_set(err, E_USAGE,
			       "an endpoint's section is [endpoint NAME], the name of letters, "
			       "digits and _ . -, at most %d",
			       NAME_MAX_BYTES);
	}
	for (size_t i = 0; i < list->n; i++)
		if (strcmp(list->v[i].name, name) == 0) {
			free(name);
			*out = &list->v[i];
			return OK;
		}
	vec_reserve(list, 1);
	*out = &list->v[list->n++];
	set_initial(*out, name);
	return OK;
}

/* --- names --- */

static bool is_header(const char *name)
{
	size_t n = strlen(name);

	return strncmp(name, "header.", 7) == 0 && n > 11 && strcmp(name + n - 4, "_env") == 0;
}

/* What people write who mean to put the key here. */
static bool is_a_key_itself(const char *name)
{
	static const char *const words[] = {"key",   "api_key", "apikey",  "api-key",
					    "token", "secret",  "password", "authorization"};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (str_eq_nocase(str_z(name), str_z(words[i])))
			return true;
	return strncmp(name, "header.", 7) == 0;
}

static enum status find_key(const char *name, enum endpoint_key *out, struct err *err)
{
	struct nearest near = {.word = str_z(name)};

	if (is_header(name)) {
		*out = ENDPOINT_HEADER;
		return OK;
	}
	if (is_a_key_itself(name))
		return err_set(
		    err, E_USAGE,
		    "\"%s =\": a key or a header's value is not written into the "
		    "configuration, where others may come to read it; %s",
		    name,
		    strncmp(name, "header.", 7) == 0
			? "name the variable that holds it: header.NAME_env"
			: "name the variable that holds it, key_env, or a file, key_file");
	for (int i = 0; i < N_ENDPOINT_KEYS; i++) {
		if (i != ENDPOINT_HEADER && strcmp(name, endpoint_keys[i].name) == 0) {
			*out = (enum endpoint_key)i;
			return OK;
		}
		nearest_offer(&near, endpoint_keys[i].name);
	}
	if (near.best)
		return err_set(err, E_USAGE, "there is no %s; did you mean %s?", name, near.best);
	return err_set(err, E_USAGE, "an endpoint has no %s; see qualm(5) for what it has", name);
}

/* --- values --- */

static enum status out_of_range(enum endpoint_key key, struct err *err)
{
	return err_set(err, E_USAGE, "%s is not as it should be: %s", endpoint_keys[key].name,
		       endpoint_keys[key].range);
}

static void put(char **to, const char *value)
{
	free(*to);
	*to = xstrdup(value);
}

static enum status set_url(struct endpoint *e, const char *value, struct err *err)
{
	struct str url = str_z(value), host;
	size_t scheme = str_eq_nocase((struct str){url.p, url.n < 8 ? 0 : 8}, STR("https://"))  ? 8
			: str_eq_nocase((struct str){url.p, url.n < 7 ? 0 : 7}, STR("http://")) ? 7
												: 0;

	if (!scheme)
		return out_of_range(ENDPOINT_BASE_URL, err);
	for (size_t i = 0; i < url.n; i++)
		if (url.p[i] <= ' ' || url.p[i] > '~' || strchr("\"<>\\^`{|}", url.p[i]))
			return out_of_range(ENDPOINT_BASE_URL, err);
	str_cut((struct str){url.p + scheme, url.n - scheme}, '/', &host);
	if (host.n == 0)
		return out_of_range(ENDPOINT_BASE_URL, err);
	if (memchr(host.p, '@', host.n) || strpbrk(value, "?#"))
		return err_set(
		    err, E_USAGE,
		    "base_url has a user, a password or a query in it, where a key may be "
		    "read; name the variable that holds it: key_env or header.NAME_env");
	while (url.n && url.p[url.n - 1] == '/')
		url.n--;
	if (str_ends(url, STR("/chat/completions")) || str_ends(url, STR("/embeddings")))
		return err_set(err, E_USAGE,
			       "base_url ends before /chat/completions: leave that out");
	free(e->base_url);
	e->base_url = xstrndup(url.p, url.n);
	return OK;
}

static bool is_token(const char *s)
{
	return is_made_of(s, LETTERS DIGITS "!#$%&'*+-.^_`|~");
}

static bool is_ours(struct str name)
{
	static const char *const ours[] = {"host",       "content-length",    "content-type",
					   "connection", "transfer-encoding", "expect",
					   "accept"};

	for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
		if (str_eq_nocase(name, str_z(ours[i])))
			return true;
	return false;
}

static enum status set_header(struct endpoint *e, const char *name, const char *value,
			      struct err *err)
{
	char *header = xstrndup(name + 7, strlen(name) - 11);
	enum status st = OK;

	if (!is_variable(value))
		st = err_set(err, E_USAGE,
			     "%s is the name of an environment variable that holds "
			     "the header's value, not the value itself",
			     name);
	else if (!is_token(header) || is_ours(str_z(header)))
		st = err_set(err, E_USAGE, "%s is no header that can be set", name);
	for (size_t i = 0; !st && i < e->n_headers; i++)
		if (str_eq_nocase(str_z(header), str_z(e->header[i].name)))
			st = err_set(err, E_USAGE, "%s is given twice", name);
	if (!st && e->n_headers == ENDPOINT_MAX_HEADERS)
		st = err_set(err, E_LIMIT, "more than %d headers", ENDPOINT_MAX_HEADERS);
	if (st) {
		free(header);
		return st;
	}
	e->header[e->n_headers++] = (struct endpoint_header){header, xstrdup(value)};
	return OK;
}

static enum status set_variable(char **to, const char *value, struct err *err)
{
	if (!is_variable(value))
		return err_set(err, E_USAGE,
			       "key_env is the name of an environment variable that "
			       "holds the key, not the key itself");
	put(to, value);
	return OK;
}

static enum status set_temperature(struct endpoint *e, const char *value, struct err *err)
{
	const struct endpoint_key_row *row = &endpoint_keys[ENDPOINT_TEMPERATURE];

	e->send_temperature = strcmp(value, "omit") != 0;
	if (e->send_temperature && (!str_num(str_z(value), &e->temperature) ||
				    e->temperature < row->least || e->temperature > row->most))
		return out_of_range(ENDPOINT_TEMPERATURE, err);
	return OK;
}

static enum status set_count(struct endpoint *e, enum endpoint_key key, const char *value,
			     struct err *err)
{
	int64_t n;

	if (!str_int(str_z(value), &n) || (double)n < endpoint_keys[key].least ||
	    (double)n > endpoint_keys[key].most)
		return out_of_range(key, err);
	if (key == ENDPOINT_IMAGE_MAX_SIDE)
		e->image_max_side = (uint32_t)n;
	else if (key == ENDPOINT_IMAGE_MAX_BYTES)
		e->image_max_bytes = (uint64_t)n;
	else if (key == ENDPOINT_RETRIES)
		e->retries = (int)n;
	else
		e->concurrency = (int)n;
	return OK;
}

static enum status set_seconds(struct endpoint *e, const char *value, struct err *err)
{
	const struct endpoint_key_row *row = &endpoint_keys[ENDPOINT_TIMEOUT];

	if (!str_num(str_z(value), &e->timeout) || !(e->timeout >= row->least) ||
	    !(e->timeout <= row->most))
		return out_of_range(ENDPOINT_TIMEOUT, err);
	return OK;
}

static enum status set_word(struct endpoint *e, const char *value, struct err *err)
{
	if (!is_made_of(value, LETTERS DIGITS "_") || strlen(value) > 64)
		return out_of_range(ENDPOINT_MAX_TOKENS_FIELD, err);
	put(&e->max_tokens_field, value);
	return OK;
}

static enum status set_file(char **to, enum endpoint_key key, const char *value, struct err *err)
{
	if (*value != '/' && strncmp(value, "~/", 2) != 0)
		return out_of_range(key, err);
	put(to, value);
	return OK;
}

static enum status add_extra(struct endpoint *e, const char *value, struct err *err)
{
	struct buf all = {.max = ENDPOINT_MAX_EXTRA};

	if (e->extra_body)
		buf_printf(&all, "%s\n", e->extra_body);
	buf_z(&all, value);
	if (all.failed) {
		buf_release(&all);
		return err_set(err, E_LIMIT, "extra_body is over %zu bytes", ENDPOINT_MAX_EXTRA);
	}
	free(e->extra_body);
	e->extra_body = buf_take(&all);
	return OK;
}

static enum status set_value(struct endpoint *e, enum endpoint_key key, const char *name,
			     const char *value, struct err *err)
{
	if (!*value)
		return out_of_range(key, err);
	switch (endpoint_keys[key].type) {
	case ENDPOINT_TYPE_URL:
		return set_url(e, value, err);
	case ENDPOINT_TYPE_WORD:
		return set_word(e, value, err);
	case ENDPOINT_TYPE_VARIABLE:
		return set_variable(&e->key_env, value, err);
	case ENDPOINT_TYPE_FILE:
		return set_file(key == ENDPOINT_CA_FILE ? &e->ca_file : &e->key_file, key, value,
				err);
	case ENDPOINT_TYPE_HEADER:
		return set_header(e, name, value, err);
	case ENDPOINT_TYPE_TEMPERATURE:
		return set_temperature(e, value, err);
	case ENDPOINT_TYPE_JSON:
		return add_extra(e, value, err);
	case ENDPOINT_TYPE_COUNT:
		return set_count(e, key, value, err);
	case ENDPOINT_TYPE_SECONDS:
		return set_seconds(e, value, err);
	case ENDPOINT_TYPE_TEXT:
		break;
	}
	put(&e->model, value);
	return OK;
}

enum status endpoint_entry(struct endpoint_list *list, const char *section, const char *name,
			   const char *value, struct err *err)
{
	enum endpoint_key key = N_ENDPOINT_KEYS;
	struct endpoint *e = NULL;
	enum status st;

	if (open_section(list, section, &e, err))
		return err->code;
	st = find_key(name, &key, err);
	if (!st && key != ENDPOINT_HEADER && key != ENDPOINT_EXTRA_BODY && e->given >> key & 1)
		st = err_set(err, E_USAGE, "%s is given twice", name);
	if (!st)
		st = set_value(e, key, name, value, err);
	if (st)
		return err_prefix(err, "[endpoint %s]", e->name);
	e->given |= 1u << key;
	return OK;
}

/* --- as a whole --- */

/* A text called as a key, at any depth; how deep is limited by the parser. */
static bool holds_a_key(const cJSON *tree)
{
	const cJSON *item;

	cJSON_ArrayForEach(item, tree)
	{
		if (item->string && cJSON_IsString(item) && is_a_key_itself(item->string))
			return true;
		if (holds_a_key(item))
			return true;
	}
	return false;
}

static enum status check_extra(const struct endpoint *e, struct err *err)
{
	static const char *const fixed[] = {"messages", "model", "stream"};
	cJSON *tree = NULL;
	enum status st;

	if (!e->extra_body)
		return OK;
	st = json_parse(str_z(e->extra_body), &tree, err);
	if (st)
		return err_prefix(err, "extra_body is no JSON");
	if (!cJSON_IsObject(tree))
		st = err_set(err, E_USAGE, "extra_body is not a JSON object");
	for (size_t i = 0; !st && i < sizeof fixed / sizeof *fixed; i++)
		if (json_get(tree, fixed[i]))
			st = err_set(err, E_USAGE, "extra_body cannot replace %s", fixed[i]);
	if (!st && holds_a_key(tree))
		st = err_set(err, E_USAGE,
			     "extra_body has a key in it, which is not written into the "
			     "configuration; name the variable that holds it: key_env or "
			     "header.NAME_env");
	cJSON_Delete(tree);
	return st;
}

static enum status check_one(const struct endpoint *e, struct err *err)
{
	if (!e->base_url)
		return err_set(err, E_USAGE, "base_url is missing");
	if (e->key_env && e->key_file)
		return err_set(err, E_USAGE, "key_env and key_file exclude each other");
	for (size_t i = 0; i < e->n_headers; i++)
		if ((e->key_env || e->key_file) &&
		    str_eq_nocase(str_z(e->header[i].name), STR("authorization")))
			return err_set(err, E_USAGE,
				       "the key and header.Authorization_env exclude "
				       "each other");
	return check_extra(e, err);
}

enum status endpoint_list_check(const struct endpoint_list *list, struct err *err)
{
	for (size_t i = 0; i < list->n; i++)
		if (check_one(&list->v[i], err)) {
			err->code = E_USAGE;
			return err_prefix(err, "[endpoint %s]", list->v[i].name);
		}
	return OK;
}
