/*
 * store: feeding records to a store without a reader, and looking at all that a project holds.
 * What fails in a helper ends the program with a message, unless it returns a status.
 */
#ifndef QUALM_TESTS_UNIT_LIB_STORE_H
#define QUALM_TESTS_UNIT_LIB_STORE_H

#include "db/store.h"
#include "tests/unit/lib_project.h"

/* One file on its way into a project. */
struct feed {
	struct store *s;
	struct report r;
	struct read_options opt;
	struct err err;
	enum status st; /* of the first call that failed; later calls do nothing */
};

void feed_begin(struct feed *f, struct conn *c, const char *dataset);
enum status feed_end(struct feed *f); /* commits, or aborts after a failure; report stays */
void feed_done(struct feed *f);	      /* releases the report */

/* NULL texts are empty. index -1 = none. */
void feed_class(struct feed *f, int64_t index, const char *wnid, const char *name,
		const char *alias);
/* truth: "name", "#index", "scheme=code" or several with '|'; "" = an empty set; NULL = none. */
void feed_sample(struct feed *f, const char *key, const char *text, const char *path,
		 const char *truth);
void feed_layer(struct feed *f, const char *key, const char *layer, const char *truth);
uint32_t feed_run(struct feed *f, const char *model, const char *protocol);
/* answer: like truth; raw: NULL = the answer itself. */
void feed_answer(struct feed *f, uint32_t run, const char *key, const char *answer,
		 const char *raw);
void feed_prediction(struct feed *f, const struct rec_prediction *p);
void feed_record(struct feed *f, const struct rec_sample *rec);
/* "a|#3" → refs; returns how many. refs has room for 8. */
size_t feed_refs(const char *text, struct class_ref *refs);

/* A project in a folder of its own. staged: it exists before the first file comes. */
struct place {
	char *folder, *path;
	struct conn *c;
};
struct place place_new(bool staged);
void place_end(struct place *p);

/* Every row of every table but `import` as text, without the times and the project's uuid;
 * caller frees. */
char *dump_project(struct conn *c);
struct snapshot *must_load(struct conn *c, const char *dataset);
/* The class's name that a run (by handle) answered for a key; "" none. */
const char *answered(struct conn *c, const struct snapshot *s, const char *handle, const char *key);
/* The raw text of an answer; caller frees. */
char *raw_text(struct conn *c, const struct snapshot *s, const char *handle, const char *key);

#endif
