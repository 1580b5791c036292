/*
 * relay: what a scanning thread's sink is. It keeps copies of the classes, samples, runs and
 * predictions of the generic reader, in their order, until the thread that owns the real sink
 * takes them. It belongs to one thread at a time. Texts of plain predictions that lie in
 * `source` are not copied: it stays as long as the records.
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
		struct rec_plain *plain;	   /* likewise */
	} rec;
};

struct relay_run {
	struct rec_run rec;
	uint32_t id; /* the taker's: UINT32_MAX until it sets it */
};

#define RELAY_KNOWN 4096

/* A name that was met before, by its ends, which are all of it up to 16 bytes. */
struct relay_known {
	uint64_t head, tail;
	size_t n;
	struct rec_name *name; /* NULL: free */
};

struct relay {
	struct sink sink; /* first */
	struct str source;
	struct arena arena;
	bool wants_samples; /* the real sink does */
	VEC(struct relay_entry) list;
	struct arena run_arena; /* runs and answers are kept when the rest is cleared */
	VEC(struct relay_run) runs;
	struct intern names; /* that answers are */
	VEC(struct rec_name *) answers; /* by names */
	struct relay_known *known;	    /* RELAY_KNOWN, by hash; a name is near its place */
};

void relay_init(struct relay *r);
void relay_clear(struct relay *r);
void relay_release(struct relay *r);

#endif
