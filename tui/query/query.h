/*
 * tui/query: samples asked again (product.md §3, Query). Shell and screen share it.
 *
 *   spec   how to ask. Its text form is kept with the run, so that the same can be asked again.
 *   plan   a spec against the data: which samples, in which run, which of them are answered already.
 *   query  a plan under way: requests go out, answers are taken apart as they come and committed in
 *          small transactions to a scratch run. Stored predictions are never changed.
 *
 * A plan whose run exists asks only for what is missing or failed there: to resume after a kill is
 * to ask the same again.
 */
#ifndef QUALM_TUI_QUERY_QUERY_H
#define QUALM_TUI_QUERY_QUERY_H

#include "core/base/job.h"
#include "core/media/send.h"
#include "core/net/crowd.h"
#include "core/protocol/choices.h"
#include "core/protocol/protocol.h"
#include "db/conn.h"
#include "tui/query/query_stream.h"

enum query_options {
	QUERY_OPTIONS_STORED, QUERY_OPTIONS_RANDOM, QUERY_OPTIONS_HARD, QUERY_OPTIONS_NEAR, N_QUERY_OPTIONS
};
const char *query_options_word(enum query_options o); /* "stored", "random", "hard", "near" */
#define N_QUERY_TRUTHS 3
const char *query_truth_word(enum choices_truth t);   /* "original", "reannotated", "both" */

struct query_spec { /* what it points to is owned */
	struct endpoint endpoint;
	const struct protocol *protocol;
	char *prompt; /* the template */
	enum ask_form form;
	bool ids;
	uint32_t batch; /* images in one request, 1 … ASK_MAX_BATCH */
	/* MC */
	enum query_options options;
	enum choices_truth truth;
	uint32_t n_options;
	uint64_t seed;
	char *reference; /* HARD: handle of the run whose confusions are the distractors; NULL: none */
	char *encoder;	 /* NEAR: by whose vectors of the class names, as the project keeps them (tui/map/map.h) */
	uint32_t *candidates; /* class ordinals, n_candidates; NULL: all classes */
	size_t n_candidates;
	bool own_classes; /* the sample's own options are the classes that are offered */
	struct send_crop crop;
	uint32_t repeat; /* 0, 1, …: options are drawn anew, and the answers go to a run of their own */
};

/* The protocol's prompt, one image a request, the sample's own options. */
void query_spec_init(struct query_spec *s, const struct endpoint *e, const struct protocol *p);
void query_spec_copy(const struct query_spec *from, struct query_spec *to); /* to: not initialised */
void query_spec_release(struct query_spec *s);
/* E_USAGE with a sentence: does it fit together, and does the dataset have what it needs? */
enum status query_spec_check(const struct query_spec *s, const struct snapshot *snap, struct err *err);
/* A JSON object of all but endpoint's key, prompt and protocol, which a run has columns for. */
void query_spec_settings(const struct query_spec *s, const struct snapshot *snap, struct buf *out);
/* Class names, wnids or indices (#7), one a line: into s->candidates. E_USAGE names the line. */
enum status query_spec_classes(struct query_spec *s, const struct snapshot *snap, struct str text,
			       struct err *err);
/* The same from a file: such lines, or a class list of any form that an import takes
 * (core/reader/classes.h), whose classes are found by wnid, name or index. */
enum status query_spec_class_file(struct query_spec *s, const struct snapshot *snap, const char *path,
				  struct err *err);

struct query_plan {
	struct query_spec spec; /* owned */
	struct snapshot *snap;	/* a share */
	char *project;		/* file */
	char *handle;		/* of the run */
	struct query_draw *draw; /* owned (query_draw.h); NULL: options are not drawn */
	const uint32_t *drawn;	 /* [n_drawn] the options of the only sample where they are known already */
	size_t n_drawn;
	uint32_t *ords;		/* [n] samples to ask about, ascending as given */
	size_t n, known;	/* known: of those wished for, answered in the run already */
};

/* ords[n]: the samples wished for. anew: a run of its own even where the same was asked before.
 * Copies spec; the plan is released by the caller, also after a failure. */
enum status query_plan_make(struct query_plan *p, struct conn *c, struct snapshot *snap,
			    const struct query_spec *spec, const uint32_t *ords, size_t n, bool anew,
			    struct err *err);
void query_plan_release(struct query_plan *p);
size_t query_plan_requests(const struct query_plan *p);

/* One request, made from the project; for showing it (--dry-run) and for sending it. */
struct query_request;
enum status query_request_make(const struct query_plan *p, struct conn *c, size_t k,
			       struct decoder *decoder, const struct cancel *cancel,
			       struct query_request **out, struct err *err);
const struct chat_request *query_request_chat(const struct query_request *r);
/* What is sent of picture i of it, and how many there are. */
size_t query_request_pictures(const struct query_request *r);
const struct send_picture *query_request_picture(const struct query_request *r, size_t i);
struct str query_request_prompt(const struct query_request *r);
size_t query_request_options(const struct query_request *r); /* of its first sample */
void query_request_free(struct query_request *r); /* NULL is fine */

/* What came of one sample of a request. */
struct query_answer {
	uint32_t ord;
	struct str raw; /* of the whole request */
	struct extraction x;
	const struct chat_reply *reply;
	const struct err *why; /* NULL: there is an answer */
};

struct query_watch { /* all on the owner's thread; each may be NULL */
	/* What has come of the answer so far (query_stream.h). With it a plan of one request is asked
	 * for by itself; one of several calls it never. */
	void (*coming)(void *ctx, const struct stream_news *news);
	void (*answered)(void *ctx, const struct query_answer *a);
	/* So many answers are in the project now. */
	void (*kept)(void *ctx, size_t n);
	/* Last. why: NULL, or what ended it early. */
	void (*ended)(void *ctx, const struct crowd_counts *counts, const struct err *why);
	void *ctx;
};

struct query;
/* Takes plan (and clears *plan). The query frees itself after ended(); the pool must not go away
 * before that. */
struct query *query_start(struct query_plan *plan, struct pool *pool, struct decoder *decoder,
			  const struct net_options *net, const struct query_watch *watch);
void query_cancel(struct query *q); /* before ended() */
struct crowd_counts query_counts(struct query *q);

#endif
