/* What the files of search share. Not for other rooms. */
#ifndef QUALM_DB_SEARCH_IMPL_H
#define QUALM_DB_SEARCH_IMPL_H

#include "db/fetch.h"
#include "db/search.h"
#include "db/sharers.h"
#include "db/stmt.h"

struct alias {
	struct str name;
	uint32_t class;
};

struct search {
	struct conn *c;
	const struct snapshot *snap;
	struct filter_source source;
	struct arena arena;
	VEC(struct alias) aliases;
	struct conn *second; /* of the thread that helps; NULL until it is needed */
	bool alone;          /* there can be none */
	uint8_t **oop_kind;  /* [n_runs] NULL until asked for; NULL: none was */
	struct oop_names *oop_names; /* NULL until needed */
	uint64_t split;      /* units of work from which on a second thread pays */
	uint64_t batch;      /* units between two looks at cancel */
};

/* One needle on its way through the texts. */
struct hunt {
	struct search *s;
	const struct needle *needle;
	const uint64_t *within; /* NULL: all */
	uint64_t *bits;
	const struct text_watch *watch;
	struct err *err;
};

/* Can the sample still become a hit? */
bool hunt_matters(const struct hunt *h, uint32_t ord);

/* --- search_work.c: pieces of work, shared out --- */

/* Work is counted in bytes of answers. A row of samples takes as long as so many: */
#define SEARCH_ROW_WORK 500

/* Piece `item` of what `items` are, over the conn h->s->c, into h->bits. It may run on any
 * thread, but h is the thread's own. */
typedef enum status search_piece(const struct hunt *h, const void *items, size_t item);
/* The n pieces in order, batch after batch, the batches by two threads where that pays; between
 * them the project is let go for a moment, the watch is told and cancel looked at. work: of each
 * piece. *done: of all work so far, at first what the caller did before. */
enum status search_pieces(const struct hunt *h, const void *items, size_t n,
			  uint64_t (*work)(const void *items, size_t item), search_piece *piece,
			  uint64_t *done);

/* --- search_answers.c --- */

struct answer_chunk {
	int64_t id, run;
	enum text_field field;
	uint64_t start, bytes; /* of the last chunk of a stream the bytes are a guess */
	const struct sharers *sharers; /* where the field has shared texts, else NULL; borrowed */
};
/* The texts of a chunk, borrowed until its statement is reset. */
struct entries {
	uint32_t n;
	const char *ords, *lens; /* u32[n], not aligned; no ords of shared texts */
	struct str data;
	uint64_t start;
	const struct sharers *sharers; /* of shared texts, else NULL */
	size_t next;  /* in sharers */
	uint32_t own; /* room for the one whose text it is */
};
uint32_t entries_u32(const char *p, uint32_t i);
/* How many samples have entry i, which begins at data.p[begin], for their text; *ords: these,
 * until the next call. i does not descend. */
size_t entries_owners(struct entries *e, uint32_t i, size_t begin, const uint32_t **ords);
/* *s: the statement to be reset afterwards; NULL when there is none. E_BUSY: the chunk is gone. */
enum status answer_entries(const struct hunt *h, const struct answer_chunk *chunk, sqlite3_stmt **s,
			   struct entries *out);
struct answer_chunks {
	VEC(struct answer_chunk) list;
	struct shared_field {
		struct column place;
		struct sharers sharers;
	} shared[N_FIELDS]; /* of fields that have shared texts; the list borrows it */
};
void answer_chunks_release(struct answer_chunks *chunks);
/* Appends those of a field of a run, by their place in its stream; all of one run. `out` stays
 * where it is. */
enum status answer_chunks_add(const struct hunt *h, int64_t run, enum text_field field,
			      struct answer_chunks *out);
/* wanted[chunks from .. list.n): 1 where a sample of `ords` has its text in that chunk; the chunks are of one field
 * of one run. False when the project does not say where the texts are. */
bool answer_chunks_of(const struct hunt *h, const struct answer_chunk *list, size_t n,
		      const uint64_t *ords, uint32_t from, uint32_t to, uint8_t *wanted,
		      struct err *err);
enum status answer_chunks_scan(const struct hunt *h, const struct answer_chunk *list, size_t n,
			       uint64_t *done);
enum status search_answers(const struct hunt *h, int run);

/* --- search_oop.c --- */

/* struct filter_source.oop_kinds */
enum status search_oop_kinds(void *ctx, int run, const uint8_t **kind, const struct cancel *cancel,
			     struct err *err);
void search_oop_free(struct search *s);

/* --- search_texts.c --- */

/* struct filter_source.text, .work */
enum status search_texts(void *ctx, enum filter_scope scope, int run, const struct needle *needle,
			 const uint64_t *within, uint64_t *bits, const struct text_watch *watch,
			 struct err *err);
uint64_t search_work(void *ctx, enum filter_scope scope, int run);
enum status search_notes(const struct hunt *h);

#endif
