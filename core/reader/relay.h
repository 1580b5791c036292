/*
 * relay: what a scanning thread's sink is. It keeps copies of the classes, samples, runs and
 * predictions of the generic reader, in their order, until the thread that owns the real sink
 * takes them. It belongs to one thread at a time. Texts of samples and plain predictions that lie in
 * `source` are not copied, nor, where `names` is set, are those of facets and layers: they stay.
 */
#ifndef QUALM_CORE_READER_RELAY_H
#define QUALM_CORE_READER_RELAY_H

#include "core/base/map.h"
#include "core/base/vec.h"
#include "core/reader/sink.h"

enum relay_kind { RELAY_CLASS, RELAY_SAMPLE, RELAY_PREDICTION, RELAY_PLAIN };

struct relay_entry {
	enum relay_kind kind;
	union {
		struct rec_class *class;
		struct rec_sample *sample;
		struct rec_prediction *prediction; /* run: the relay's own number of it */
		struct {
			uint32_t from, n; /* in plains; run: likewise */
		} plain;
	} rec;
};

struct relay_run {
	struct rec_run rec;
	uint32_t id; /* the taker's: UINT32_MAX until it sets it */
};

#define RELAY_PLACES  8192

/* A name by its ends, which are all of it up to 16 bytes: one look tells whether it is this one. */
struct relay_known {
	uint64_t head, tail;
	uint32_t n;
	uint32_t next_name; /* the name + 1; 0 = free */
};

/* Names that are answered over and over: a scanning thread keeps one of these, whatever relay it
 * fills. The names belong to it, their memos to the thread that takes the records. */
struct relay_names {
	struct intern names;
	VEC(const struct class_ref *) refs; /* by names; they stay where they are */
	struct arena arena;
	struct relay_known *known; /* RELAY_PLACES, by hash: a name is near its own */
	uint32_t *memos;	   /* by names, for all that there will ever be */
};

struct relay {
	struct sink sink; /* first */
	struct str source;
	struct arena arena;
	bool wants_samples; /* the real sink does */
	VEC(struct relay_entry) list;
	VEC(struct rec_plain) plains; /* those of one entry side by side */
	bool parted;		      /* the next one begins an entry */
	struct arena run_arena; /* runs are kept when the rest is cleared */
	VEC(struct relay_run) runs;
	struct relay_names *names; /* of the thread that fills the relay; borrowed */
};

void relay_init(struct relay *r);
void relay_clear(struct relay *r);
/* Something comes here that is not in the relay. */
void relay_part(struct relay *r);
void relay_release(struct relay *r);
void relay_names_release(struct relay_names *n);

#endif
