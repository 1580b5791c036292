/*
 * endpoint: where a model answers, as the user's configuration tells it: a section
 * `[endpoint NAME]` for each. The table ENDPOINT_KEYS says what may stand there; the reading of
 * it, messages, the manual and the tests go by it.
 *
 * The key itself never stands in the configuration and never in a struct endpoint: only where it
 * is found. It is fetched for one call (secrets.h) and wiped after it.
 */
#ifndef QUALM_CORE_NET_ENDPOINT_H
#define QUALM_CORE_NET_ENDPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/str.h"

/* X(id, name, type, initial, range, least, most, help): range is what the user reads; least and
 * most bound what is a number. "" as initial: not set. */
#define ENDPOINT_KEYS(X)                                                                           \
	X(BASE_URL, "base_url", URL, "", "an http or https address, as https://host/v1", 0, 0,     \
	  "what stands before /chat/completions; no user, password or query in it")                \
	X(MODEL, "model", TEXT, "", "a name", 0, 0, "the model's name, as the server knows it")    \
	X(KEY_ENV, "key_env", VARIABLE, "", "the name of an environment variable", 0, 0,           \
	  "the variable that holds the key; without it and key_file no key is sent")               \
	X(KEY_FILE, "key_file", FILE, "", "a path from / or ~/", 0, 0,                             \
	  "the file that holds the key and nothing else, readable by you alone (mode 0600)")       \
	X(HEADER, "header.NAME_env", HEADER, "", "the name of an environment variable", 0, 0,      \
	  "a further header NAME, whose value is in that variable")                                \
	X(MAX_TOKENS_FIELD, "max_tokens_field", WORD, "max_tokens",                                \
	  "max_tokens, max_completion_tokens or another name", 0, 0,                               \
	  "the field that limits the length of an answer")                                         \
	X(TEMPERATURE, "temperature", TEMPERATURE, "0", "0 to 2, or omit", 0, 2,                   \
	  "sent unless a request says otherwise; omit: never sent")                                \
	X(EXTRA_BODY, "extra_body", JSON, "", "a JSON object", 0, 0,                               \
	  "merged into each chat request; null takes a field away")                                \
	X(IMAGE_MAX_SIDE, "image_max_side", COUNT, "0", "0 to 16384", 0, 16384,                    \
	  "pixels of a picture's longer side, beyond which it is made smaller; 0: no limit")       \
	X(IMAGE_MAX_BYTES, "image_max_bytes", COUNT, "20000000", "0 to 134217728", 0, 134217728,   \
	  "bytes of a picture, beyond which it is made smaller; 0: no limit")                      \
	X(TIMEOUT, "timeout", SECONDS, "120", "1 to 3600", 1, 3600,                                \
	  "seconds that one try may take, its answer included")                                    \
	X(RETRIES, "retries", COUNT, "2", "0 to 10", 0, 10,                                        \
	  "further tries when the server is busy or cannot be reached; 0: none")                   \
	X(CONCURRENCY, "concurrency", COUNT, "4", "1 to 64", 1, 64,                                \
	  "requests under way at the same time")                                                   \
	X(CA_FILE, "ca_file", FILE, "", "a path from / or ~/", 0, 0,                               \
	  "a file of certificates (PEM) to trust in place of the system's")

enum endpoint_key {
#define X(id, ...) ENDPOINT_##id,
	ENDPOINT_KEYS(X)
#undef X
	N_ENDPOINT_KEYS
};

enum endpoint_type {
	ENDPOINT_TYPE_URL, ENDPOINT_TYPE_TEXT, ENDPOINT_TYPE_WORD, ENDPOINT_TYPE_VARIABLE,
	ENDPOINT_TYPE_FILE, ENDPOINT_TYPE_HEADER, ENDPOINT_TYPE_TEMPERATURE, ENDPOINT_TYPE_JSON,
	ENDPOINT_TYPE_COUNT, ENDPOINT_TYPE_SECONDS,
};

struct endpoint_key_row {
	const char *name;
	enum endpoint_type type;
	const char *initial, *range;
	double least, most;
	const char *help;
};

extern const struct endpoint_key_row endpoint_keys[N_ENDPOINT_KEYS];

#define ENDPOINT_MAX_HEADERS 16
#define ENDPOINT_MAX_EXTRA   ((size_t)64 << 10) /* bytes of extra_body */

/* A header whose value is in an environment variable. */
struct endpoint_header {
	char *name, *env;
};

struct endpoint {
	char *name;
	char *base_url; /* no '/' at its end */
	char *model;
	char *key_env, *key_file, *ca_file; /* NULL = not given */
	struct endpoint_header header[ENDPOINT_MAX_HEADERS];
	size_t n_headers;
	char *max_tokens_field;
	bool send_temperature;
	double temperature;
	char *extra_body; /* the text of a JSON object; NULL = none */
	uint32_t image_max_side;
	uint64_t image_max_bytes;
	double timeout; /* seconds */
	int retries, concurrency;
	unsigned given; /* bit 1 << enum endpoint_key: was in the configuration */
};

struct endpoint_list {
	struct endpoint *v; /* in the order of the configuration */
	size_t n, cap;
};

/* One entry of a section `[endpoint NAME]`; section is what stands in the brackets. Two sections of
 * one name are one. `extra_body` and only it may go on over several entries (indented lines).
 * E_USAGE with the nearest name for a key that is not known, with the range for a value out of it,
 * with the reason for `key`; a value is never repeated in a message, for it may be a key. */
enum status endpoint_entry(struct endpoint_list *list, const char *section, const char *name,
			   const char *value, struct err *err);
/* Does the section's name begin with "endpoint"? */
bool endpoint_is_section(const char *section);
/* After the last entry: is each complete, and extra_body a JSON object that does not replace what
 * the request is about? E_USAGE with the endpoint's name. */
enum status endpoint_list_check(const struct endpoint_list *list, struct err *err);
/* name NULL: the only one. E_NOT_FOUND with the nearest name, or with how to write one. Borrows. */
enum status endpoint_find(const struct endpoint_list *list, const char *name,
			  const struct endpoint **out, struct err *err);
void endpoint_list_copy(const struct endpoint_list *from, struct endpoint_list *to);
void endpoint_list_release(struct endpoint_list *list);
void endpoint_copy(const struct endpoint *from, struct endpoint *to); /* to: not initialised */
void endpoint_release(struct endpoint *e);

/* "host" or "host:port" of base_url, for the screen; borrows base_url. */
struct str endpoint_host(const struct endpoint *e);
/* Where the key comes from, in words that never are the key: "$NAME", "the file PATH", "no key". */
void endpoint_key_source(const struct endpoint *e, struct buf *out);
/* The path of key_file or ca_file with the home folder in place of "~". The caller owns it. */
char *endpoint_file(const char *path);

#endif
