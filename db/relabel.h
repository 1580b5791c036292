/*
 * relabel: what an edit of the label map does to answers and truths that are in the project already,
 * inside the edit's transaction. Not for other rooms.
 *
 * An answer without a class, or with one that it has by its words, gets the class that an import
 * would give it now (answer_words.h). The column text_mapped of its run keeps what it would be
 * without the map: so what the map gave is told from what the file said, and goes again when the
 * text leaves the map.
 *
 * A truth has no words. But where no class list was imported its text has made up a class; that
 * class gives way to the one that the map says, and columns was_ord, was_offset and was_value of the
 * layer keep the sets as the files had them.
 */
#ifndef QUALM_DB_RELABEL_H
#define QUALM_DB_RELABEL_H

#include "db/store_merge.h"
#include "db/user_impl.h"

struct meaning { /* of a text whose place in the map has changed */
	uint32_t cls;	 /* what the map says now; UINT32_MAX = nothing */
	size_t from, n;	 /* in relabel.classes: those that bear it as a name */
};

struct relabel {
	struct user *u;
	struct conn *c;
	struct store names; /* only its class list and its map: how an import looks up a name */
	struct report report;
	struct intern texts; /* folded */
	VEC(struct meaning) meaning;
	ordinals classes, scratch;
	bool adds; /* some text means a class now */
	struct label_moves moves;
	uint64_t done, all; /* answers, for the watch */
	/* the run at hand */
	struct stored run;
	uint32_t *to;	    /* by sample: which meaning + 1; 0 = as it is */
	size_t changed;
	struct buf folded;
};

enum status relabel_runs(struct relabel *r, struct err *err);   /* relabel_runs.c */
enum status relabel_layers(struct relabel *r, struct err *err); /* relabel_layers.c */
enum status relabel_options(struct relabel *r, struct err *err); /* relabel_options.c */
/* Tells the watch, and asks it and the cancel whether to go on. */
enum status relabel_passed(struct relabel *r, size_t n, struct err *err);

#endif
