/*
 * sink: where readers put what they find. A reader knows one file format and no database; a sink
 * knows no format. db/store implements one, tests another, decorators (locate, derive) a third.
 *
 * A reader fills a record and calls sink_*(); all slices and arrays in it are borrowed by the
 * sink for the length of the call only. Names of classes, layers, facets and runs are resolved
 * by the sink, at the end of the file, so that rows may come in any order. A row that cannot be
 * used is reported (report.h) and OK is returned; a status other than OK ends the file.
 */
#ifndef QUALM_CORE_READER_SINK_H
#define QUALM_CORE_READER_SINK_H

#include <math.h>

#include "core/base/err.h"
#include "core/base/str.h"
#include "core/model/outcome.h"
#include "core/model/snapshot.h"

/* Where in the file a record began. */
struct src {
	uint64_t line, byte;
};

/* How a file names a class. Index and wnid beat the name; a name that several classes bear
 * means all of them. `text` beside an index or wnid is the display name, when a class list is
 * made up from the data on the way. */
enum class_ref_kind {
	CLASS_BY_NAME,  /* text; trimmed, caseless */
	CLASS_BY_INDEX, /* index, 0-based */
	CLASS_BY_WNID,  /* text = wnid; name in `name` */
	CLASS_BY_CODE,  /* text = code in the numbering `scheme` ("ilsvrc": devkit ids) */
};

struct class_ref {
	enum class_ref_kind kind;
	int64_t index;
	struct str text;
	struct str scheme;
};

struct rec_class {
	struct src src;
	int64_t index; /* -1 = none: the next free one */
	struct str wnid, name;
	const struct str *aliases; /* other names; blanks and repeats are ignored */
	size_t n_aliases;
	const struct str (*codes)[2]; /* {scheme, code} */
	size_t n_codes;
	struct str parent; /* name or wnid of another class */
	bool group; /* stands above classes and is no answer itself: has no index, nor is given one */
};

struct rec_pair { /* two classes that count as one (equivalence) */
	struct src src;
	struct class_ref a, b;
};

struct rec_tree { /* value `value` of facet `facet` hangs below `parent` (empty: a root) */
	struct src src;
	struct str facet, value, parent;
};

struct rec_truth {
	struct str layer;
	const struct class_ref *refs; /* none: an empty set, category N */
	size_t n_refs;
	const double *votes; /* or votes[n_refs] for the classes in refs; NULL = a plain set */
};

struct rec_facet {
	struct str name;
	struct str value; /* several records of one name: a multi-valued facet */
	double number;    /* used when `numeric` */
	bool numeric;
};

struct rec_sample {
	struct src src;
	struct str key;
	enum media_kind media;
	const struct str *paths; /* as written in the file */
	size_t n_paths;
	enum text_kind text_kind;
	struct str text; /* question or statement */
	const struct str *options; /* ordered: options A, B, … or the label set */
	size_t n_options;
	const struct rec_facet *facets;
	size_t n_facets;
	const struct rec_truth *truths;
	size_t n_truths;
	struct str extra; /* JSON object of what was not understood; may be empty */
	/* true: the row makes the sample exist. false: it only adds to a sample that exists, and is
	 * reported as unmatched otherwise. */
	bool creates;
	/* true: this file is the dataset's own list of samples; later prediction rows with unknown
	 * keys are unmatched instead of making samples. */
	bool declares;
};

struct rec_run {
	struct str model, protocol;
	struct str handle;  /* empty: model/protocol, or model alone without a protocol */
	struct str title;   /* empty: the handle */
	struct str prompt, response_format, encoder, source; /* may be empty */
	enum list_rule list_rule;
	bool open_world;
	/* Several files say each a part of what is known of an answer, in any order: what one of them
	 * leaves blank another one fills in (see rec_prediction.outcome), and nothing is known twice. */
	bool staged;
	struct str settings; /* JSON object; may be empty */
	struct str parent;   /* handle of the run that this one is derived from; may be empty */
	/* Asked from inside the program: in no panel of itself, and what failed may be asked again: a
	 * stored failure is replaced. */
	bool scratch;
};

struct rec_number {
	struct str name; /* "degree", "rec", … : a numeric column of the run */
	double value;
};

struct rec_prediction {
	struct src src;
	uint32_t run;  /* from sink_run() */
	struct str key;
	struct str raw;       /* the response as stored */
	struct str extracted; /* the answer in it; NULL p: same as raw */
	enum outcome outcome; /* ANSWERED is turned into OOP by the sink when no ref resolves. MISSING:
				 no answer; of a staged run: the record only adds to an answer that is
				 in the project. Of records with the same raw text that differ in
				 steps, outcome and refs are those of the one that has steps. */
	const struct class_ref *refs;
	size_t n_refs;
	double score, latency_ms;            /* NaN = none */
	int64_t tokens, batch_size, batch_pos; /* -1 = none */
	const struct rec_number *numbers;
	size_t n_numbers;
	struct str steps, marks; /* reasoning steps, judge's marks; may be empty */
	struct str error;        /* the failure's message */
	struct str details;      /* JSON: top-5 and the like; may be empty */
	struct str people;       /* marks that people gave to the steps; may be empty */
	uint32_t *memo; /* not NULL: the same for records with the same outcome and refs. 0 at first;
			   the sink may keep there what it makes of these */
	const struct rec_sample *sample; /* the same row also describes its sample; else NULL. One that
					    creates is used only while nothing declared the samples; one
					    that does not adds to its sample whenever there is one */
};

/* A figure of people or of a paper, to stand beside runs. */
struct rec_reference {
	struct src src;
	struct str name;   /* of the row: a model, "Human average" */
	struct str group;  /* "all", or a group as the file has it */
	struct str metric; /* "accuracy", "accuracy@LAYER", or a column of the tables */
	double value;      /* shares: 0 … 1 */
};

void rec_prediction_init(struct rec_prediction *p); /* all "none" */

/* What nearly every prediction is, in half the space: one name was answered, the sample is
 * declared elsewhere, and there is nothing that is rare. Fields as in rec_prediction. */
struct rec_plain {
	struct src src;
	struct str key, raw, extracted;
	const struct class_ref *name; /* CLASS_BY_NAME, without a scheme */
	uint32_t *memo;		      /* as rec_prediction's; not NULL */
	double score, latency_ms;
	int64_t tokens;
	uint32_t run;
};

#define PLAINS_AT_ONCE 32 /* that are made before they are handed over */

/* The same as a whole record, which borrows what p borrows. */
void rec_prediction_of_plain(const struct rec_plain *p, struct rec_prediction *out);

struct sink;

struct sink_ops {
	enum status (*add_class)(struct sink *, const struct rec_class *, struct err *);
	enum status (*add_pair)(struct sink *, const struct rec_pair *, struct err *);
	enum status (*add_tree)(struct sink *, const struct rec_tree *, struct err *);
	enum status (*add_sample)(struct sink *, const struct rec_sample *, struct err *);
	enum status (*add_run)(struct sink *, const struct rec_run *, uint32_t *run, struct err *);
	enum status (*add_prediction)(struct sink *, const struct rec_prediction *, struct err *);
	/* The lens preset of the publication ("regt", "real", "mvei", …), unless one is set. */
	enum status (*set_preset)(struct sink *, struct str preset, struct err *);
	/* Is rec_prediction.sample looked at? Once it is not, it stays so. NULL: always. */
	bool (*wants_samples)(const struct sink *);
	/* n of them in their order. NULL: as whole records through add_prediction. */
	enum status (*add_plains)(struct sink *, const struct rec_plain *, size_t n, struct err *);
	/* Where the next PLAINS_AT_ONCE may be made, so that they need not be copied. NULL: nowhere. */
	struct rec_plain *(*plain_room)(struct sink *);
	/* NULL: figures are let go. */
	enum status (*add_reference)(struct sink *, const struct rec_reference *, struct err *);
	/* Before the first row: the task or benchmark that the rows are of, when the file or its path
	 * says so. Tools number the rows of each task alike, so that files of different tasks are
	 * different datasets, or are kept apart in one (apart.h). NULL: nobody asks. */
	void (*set_task)(struct sink *, struct str task);
	/* A record of this sample comes soon. NULL: nobody wants to know. */
	void (*expect)(struct sink *, struct str key);
};

struct sink {
	const struct sink_ops *ops; /* first member of an implementation */
};

/* sink_class(s, rec, err) and so on: thin inline calls through ops. */
static inline enum status sink_class(struct sink *s, const struct rec_class *r, struct err *e)
{
	return s->ops->add_class(s, r, e);
}
static inline enum status sink_pair(struct sink *s, const struct rec_pair *r, struct err *e)
{
	return s->ops->add_pair(s, r, e);
}
static inline enum status sink_tree(struct sink *s, const struct rec_tree *r, struct err *e)
{
	return s->ops->add_tree(s, r, e);
}
static inline enum status sink_sample(struct sink *s, const struct rec_sample *r, struct err *e)
{
	return s->ops->add_sample(s, r, e);
}
static inline enum status sink_run(struct sink *s, const struct rec_run *r, uint32_t *run,
				   struct err *e)
{
	return s->ops->add_run(s, r, run, e);
}
static inline enum status sink_prediction(struct sink *s, const struct rec_prediction *r,
					  struct err *e)
{
	return s->ops->add_prediction(s, r, e);
}
enum status sink_plains(struct sink *s, const struct rec_plain *v, size_t n, struct err *e);
static inline struct rec_plain *sink_plain_room(struct sink *s)
{
	return s->ops->plain_room ? s->ops->plain_room(s) : NULL;
}
static inline enum status sink_plain(struct sink *s, const struct rec_plain *r, struct err *e)
{
	return sink_plains(s, r, 1, e);
}
static inline void sink_expect(struct sink *s, struct str key)
{
	if (s->ops->expect)
		s->ops->expect(s, key);
}
static inline enum status sink_preset(struct sink *s, struct str preset, struct err *e)
{
	return s->ops->set_preset(s, preset, e);
}
static inline enum status sink_reference(struct sink *s, const struct rec_reference *r, struct err *e)
{
	return s->ops->add_reference ? s->ops->add_reference(s, r, e) : OK;
}
static inline void sink_task(struct sink *s, struct str task)
{
	if (s->ops->set_task)
		s->ops->set_task(s, task);
}
static inline bool sink_wants_samples(const struct sink *s)
{
	return !s->ops->wants_samples || s->ops->wants_samples(s);
}

#endif
