/*
 * snapshot: one dataset with everything that counting needs, as columns in memory. Immutable
 * once loaded (db/column.h); a change makes a new one. Rows are samples by ordinal 0 ≤ i < n.
 * Texts (keys, questions, answers) are not here: they are fetched by ordinal for what is shown.
 *
 * Class and facet values are ordinals into this snapshot's lists. A class's identity is its
 * index or wnid, never its name: names repeat.
 */
#ifndef QUALM_CORE_MODEL_SNAPSHOT_H
#define QUALM_CORE_MODEL_SNAPSHOT_H

#include <stdatomic.h>

#include "core/base/arena.h"
#include "core/model/column.h"
#include "core/model/lens.h"
#include "core/model/outcome.h"

struct class_info {
	int64_t index;      /* the benchmark's own number; -1 = none */
	const char *wnid;   /* "" = none */
	const char *name;   /* display name */
	uint32_t parent;    /* class ordinal, UINT32_MAX = none */
};

struct facet {
	int64_t id; /* in the project */
	const char *name;
	bool numeric, multi;
	/* categorical */
	uint32_t n_values;
	const char **values;     /* n_values */
	const uint32_t *parents; /* n_values; UINT32_MAX = root */
	struct column value;     /* single: ordinal by sample */
	struct csr sets;         /* multi */
	/* numeric */
	struct column number; /* DT_F64 */
};

struct layer {
	int64_t id;
	const char *name;
	uint32_t n_labelled;
	struct column covered; /* DT_U8: 1 = the layer says something about the sample */
	struct csr sets;       /* class ordinals; an empty set of a covered sample is category N */
	uint32_t vote_width;   /* 0: sets; else votes per sample over the first vote_width fields */
	struct column votes;   /* DT_F32, n × vote_width, row-major */
	const uint32_t *vote_class; /* vote_width: the class of each field; UINT32_MAX = none */
};

struct run {
	int64_t id;
	const char *handle, *title, *model, *protocol;
	const char *prompt, *response_format, *encoder; /* "" where they are not told */
	const char *settings; /* a JSON object of what else it was asked with; "" or NULL: not told */
	enum list_rule list_rule;
	bool open_world; /* an unmapped oop is not counted yet (OW) */
	bool scratch;
	uint32_t repeats; /* 1 + the index of the first run that asked the same model in the same way
			     (protocol, prompt, response format, encoder, settings, batch); 0: not known */
	bool later; /* its columns are not here, only in the snapshot that will replace this one */
	uint32_t n_predictions; /* 0 while they are not */
	struct column outcome; /* DT_U8, enum outcome */
	struct column label;   /* class ordinal; the first (lowest) of several; none = no class */
	struct csr labels;     /* rows with several classes; empty csr (off.n 0) when no row has */
};

/* A figure of people or of a paper; not a run. */
struct reference {
	const char *name;   /* "Human average" */
	const char *group;  /* "all", or as its source has it */
	const char *metric; /* "accuracy", "accuracy@LAYER" (LAYER: or "both"), a column of a table */
	double value;       /* finite; shares 0 … 1 */
	const char *source; /* the file that it is from */
};

struct snapshot {
	atomic_uint sharers; /* beside the first owner */
	int64_t generation; /* of the project (conn_generation) */
	bool partial; /* some run is `later` */
	struct snapshot *part; /* owned: a partial one whose columns are used beside the own ones, which
				  are those of its runs that are `later`; NULL: all are its own */
	struct arena arena; /* strings and the arrays below */
	int64_t dataset_id;
	const char *dataset, *preset, *image_root;
	uint32_t n; /* samples */
	uint32_t n_classes, n_layers, n_facets, n_runs;
	struct class_info *classes;
	uint32_t n_pairs;
	const uint32_t (*pairs)[2]; /* equivalent classes, a < b */
	uint32_t n_references;
	const struct reference *references; /* by source and name, "all" first */
	struct layer *layers;
	struct facet *facets;
	/* n_runs in order of import, and after them n_layer_runs: each layer as a run that answers
	 * what the layer says, "layer:original" (benchmarks.md §2.5). */
	struct run *runs;
	uint32_t n_layer_runs;
	struct column media; /* DT_U8, enum media_kind */
};

enum media_kind { MEDIA_NONE, MEDIA_IMAGE, MEDIA_IMAGES, MEDIA_VIDEO }; /* stored: append only */
enum text_kind { TEXT_NONE, TEXT_QUESTION, TEXT_STATEMENT };            /* stored: append only */

/* All that answer: runs and layers. */
static inline uint32_t snapshot_answerers(const struct snapshot *s)
{
	return s->n_runs + s->n_layer_runs;
}

/* Fills the columns of the runs that stand for layers, whose handles and ids are there, and that
 * are neither filled nor `later`. */
void snapshot_fill_layer_runs(struct snapshot *s);

int snapshot_layer(const struct snapshot *s, struct str name); /* index or -1 */
int snapshot_facet(const struct snapshot *s, struct str name); /* caseless, _ matches a blank */
/* Exact handle (a layer's too), else unique prefix, else exact title, else the name of a model that
 * has one run. -1 none, -2 ambiguous. */
int snapshot_run(const struct snapshot *s, struct str who);
/* Where that is ambiguous: is it so for this run, too? "": every run. */
bool snapshot_run_may_be(const struct run *run, struct str who);
/* Does run r ask the same model in the same way as `of`? So does `of` itself; scratch runs do not. */
bool snapshot_is_repeat(const struct snapshot *s, int r, int of);
uint32_t snapshot_n_repeats(const struct snapshot *s, int of); /* itself among them */
/* The panel at first: one run per model and protocol, the last imported; never a scratch run.
 * panel has room for n_runs; returns how many, in order of import. */
int snapshot_first_panel(const struct snapshot *s, int *panel);
/* One more owner, on any thread: snapshot_free() is due once for each. */
struct snapshot *snapshot_share(struct snapshot *s);
void snapshot_free(struct snapshot *s); /* NULL is fine; the last owner's frees it */

#endif
