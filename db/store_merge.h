/* What store_merge.c and store_staged.c share. Not for other files. */
#ifndef QUALM_DB_STORE_MERGE_H
#define QUALM_DB_STORE_MERGE_H

#include "db/store_internal.h"

struct stored_number {
	struct str name;
	struct column col;
};

/* A stored run, as far as it takes to compare and to extend it. id 0: there is none. */
struct stored {
	int64_t id, n;
	struct column outcome, label, mapped, list_ord;
	struct csr list;
	struct dense hash; /* u64 */
	VEC(struct stored_number) numbers;
	struct column place[N_FIELDS];
	uint64_t end[N_FIELDS]; /* of each stream of texts */
};

/* What the file's record does to the project's. AGAIN: takes the place of a failure of a scratch
 * run. Of staged runs: blanks are filled in, and the
 * answer is still the stored one (FILLS), or the file's, which knows its steps (FINDS); LOST: it
 * only adds, and there is no answer to add to. */
enum state { STATE_NONE, STATE_SAME, STATE_FRESH, STATE_AGAIN, STATE_MAPS, STATE_FILLS, STATE_FINDS,
	     STATE_LOST, STATE_DIFFERS };

/* One run of the file on its way into the project. */
struct merge {
	struct run_in *in;
	struct stored old;
	const char *handle;
	int64_t id;
	uint8_t *state; /* enum state by sample */
	uint32_t count[STATE_DIFFERS + 1];
	ordinals scratch;
	struct stage *stage; /* of a staged run, else NULL */
};

/* What o->id answers: outcome, label and mapped; and with the lists. E_NOT_FOUND: nothing. */
enum status store_stored_columns(struct store *s, struct stored *o, struct err *err);
enum status store_stored_answers(struct store *s, struct stored *o, struct err *err);
void store_stored_release(struct stored *o);
struct view store_view_in(const struct store *s, const struct run_in *r, uint32_t ord);
/* The classes live in `scratch` until the next call. */
struct view store_view_stored(const struct stored *o, uint32_t ord, ordinals *scratch);
bool store_views_equal(const struct view *a, const struct view *b);
/* NULL: the stored run has no such number. */
const struct column *store_old_number(const struct stored *o, struct str name);
/* The file's number of a sample; NaN: none. */
double store_number_at(const struct number_in *in, uint32_t ord);
enum status store_by_run(struct store *s, enum stmt_id id, int64_t run, struct err *err);
enum status store_places_write(struct store *s, const struct merge *m, enum text_field field,
			       const struct dense *place, struct err *err);

/* Is there anything in the project that the run is to be compared with? */
enum status store_run_compared(struct store *s, const struct run_in *r, bool *out, struct err *err);
/* One run of the file; laid: its columns, where it is compared with nothing. */
enum status store_run_write(struct store *s, struct run_in *r, struct laid *laid, struct err *err);

/* --- staged runs: store_staged.c --- */

/* Texts of both sides by their hashes; m->old is loaded. */
enum status store_stage_load(struct store *s, struct merge *m, struct err *err);
void store_stage_free(struct stage *stage); /* NULL is fine */
enum state store_stage_compare(const struct store *s, struct merge *m, uint32_t ord);
/* Does the file's text go into the project? */
bool store_stage_takes(const struct merge *m, enum text_field field, uint32_t ord);
/* The extracted answers of the run, written anew where some of them are others now. */
enum status store_stage_extracted(struct store *s, struct merge *m, struct err *err);

#endif
