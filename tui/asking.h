/*
 * asking: models asked from the screen. How to ask, what would be sent, the answer that is coming,
 * and the work about many samples live here, not in a view: one may browse on meanwhile. The engine
 * is tui/query; everything here happens on the screen's thread.
 *
 *   asking.c         how to ask: endpoint, protocol, prompt, crop, repeats
 *   asking_offer.c   what is offered: how classes are listed, how options are drawn
 *   asking_look.c    what would be sent about the current sample, worked out by a worker
 *   asking_one.c     one sample, its answer streamed
 *   asking_many.c    marked or filtered samples in the background; failures
 *   asking_derive.c  in the background: runs derived from others, mapped or taken apart anew, and
 *                    vectors of class names
 */
#ifndef QUALM_TUI_ASKING_H
#define QUALM_TUI_ASKING_H

#include "core/base/vec.h"
#include "tui/query/query.h"

struct app;
struct targets;

#define ASKING_MAX_REPEATS 20
#define ASKING_CAP	   100 /* samples, unless the command says another number */

/* What would be sent. */
struct asking_look {
	bool valid, waiting; /* waiting: it is being worked out */
	uint32_t ord;
	uint64_t version;    /* of asking when it was begun */
	int64_t generation;  /* of the snapshot */
	char *error;	     /* why nothing can be sent; NULL: it can */
	char *handle;	     /* of the run */
	bool known;	     /* answered there already */
	char *prompt;	     /* filled in */
	char *picture;	     /* "JPEG 224 × 224, 13.6 KB"; NULL: none */
	char *change;	     /* "as it is", "cropped": what was done to the file; NULL: no picture */
	size_t n_classes;    /* that are offered; options with MC */
	size_t text_bytes, picture_bytes;
	double text_tokens, picture_tokens; /* about (query_cost.h) */
	char *unlike;	     /* how it differs from the stored run of the model; NULL: there is none */
};

enum asking_state { ASKING_NOTHING, ASKING_NOW, ASKING_ANSWERED, ASKING_FAILED, ASKING_STOPPED };

/* The last single sample that was asked about. */
struct asking_live {
	enum asking_state state;
	int64_t dataset;
	uint32_t ord;
	char *handle, *model;
	struct buf text, thought;
	struct buf error, waits; /* why it failed; why it is tried again */
	double wait_s;
	int64_t began;		 /* app_clock() */
	const char *rule, *flag; /* static; NULL: none */
	enum outcome outcome;
	size_t span_at, span_n;	 /* of what was taken from text; n = 0: nothing */
	double latency_ms, first_ms;
	int64_t tokens;
	bool kept;		 /* in the project */
	uint32_t repeat, repeats;
};

struct asking_failure {
	uint32_t ord;
	char *why;
};

struct asking_many {
	struct query_spec spec; /* of the last time; spec.prompt NULL: there was none */
	int64_t dataset;
	uint32_t *ords; /* owned: [n_ords] the samples that were wished for */
	size_t n_ords;
	size_t n, done, failed; /* of what is asked now */
	uint32_t repeats;
	VEC(struct asking_failure) failures; /* of the last time, at most ASKING_MAX_FAILURES */
	struct buf what;	/* for the meter */
	bool stopped;
};
#define ASKING_MAX_FAILURES 10000

struct asking {
	const struct endpoint *endpoint; /* borrowed of the configuration; NULL: there is none */
	const struct protocol *protocol;
	enum ask_form form;
	bool ids, own_classes;
	enum query_options options;
	enum choices_truth truth;
	uint64_t seed;
	char *encoder; /* of near options, as the project keeps its vectors; NULL: none was chosen */
	char *prompt; /* the template; NULL: the protocol's own */
	struct send_crop crop;
	uint32_t crop_ord; /* of this sample alone */
	uint32_t repeats;
	uint64_t version; /* goes up with each change of what is above */
	int64_t dataset;  /* that the choice was made for; 0: none was made */
	struct asking_look look;
	struct query *one;	/* NULL: none is under way */
	struct asking_live live;
	struct query *busy;	/* about many; NULL: none is under way */
	struct asking_many many;
	struct job *deriving;	/* NULL: none */
};

void asking_release(struct app *app); /* before the pool goes away: what is under way ends */

/* --- how to ask --- */

/* For the present dataset, at the first time: as was asked last, else the endpoint whose model is
 * a's, a's protocol, or what goes with the sample. */
void asking_ready(struct app *app);
/* The endpoints or protocols to choose from, or how classes are offered, or how often: a popup.
 * Reaction bits. */
unsigned asking_choose_endpoint(struct app *app);
unsigned asking_choose_protocol(struct app *app);
unsigned asking_choose_offer(struct app *app);
unsigned asking_choose_repeats(struct app *app);
/* By its name; false with a message. */
bool asking_use_endpoint(struct app *app, struct str name);
bool asking_use_protocol(struct app *app, struct str name);
bool asking_use_repeats(struct app *app, struct str n);
const char *asking_template(const struct asking *a);
/* In $VISUAL, $EDITOR or vi. own: the protocol's own again. Reaction bits. */
unsigned asking_edit_prompt(struct app *app, bool own);
/* The crop of this sample; w 0: none. */
struct send_crop asking_crop(const struct asking *a, uint32_t ord);
void asking_set_crop(struct app *app, uint32_t ord, struct send_crop crop);
/* By words, in any order: names, json, ids, own; stored, random, hard, near [ENCODER]; original,
 * reannotated, both; seed N. False with a message. */
bool asking_use_offer(struct app *app, struct str words);
/* Appends "names", "options: near by glove, both labels": how classes are offered. */
void asking_offer_text(const struct asking *a, struct buf *out);
/* A spec for this sample (UINT32_MAX: for many). Released by the caller, also after a failure. */
enum status asking_spec(struct app *app, uint32_t ord, struct query_spec *spec, struct err *err);

/* Do the names mean one model? Letters and digits count, and one of two or more may go on: "MobileNet-v2" and
 * "mobilenet_v2_1.0_224". */
bool asking_same_model(const char *a, const char *b);

/* Something of how to ask is another now; it is so at the next start, too (asking_memory.h). */
void asking_changed(struct app *app);

/* --- doing it --- */

/* Has what would be sent about the current sample worked out, when it is not known. */
void asking_look(struct app *app);
void asking_look_release(struct asking_look *l);

/* About the current sample. Reaction bits. */
unsigned asking_send(struct app *app);
bool asking_stop(struct app *app); /* false: nothing is under way */

/* Asks (y/n) and then about these; takes t. cap: at most so many. */
unsigned asking_send_many(struct app *app, struct targets *t, size_t cap);
unsigned asking_again(struct app *app); /* the same again: what is missing or failed */
unsigned asking_failures(struct app *app); /* a popup */
bool asking_cancel(struct app *app); /* false: nothing is under way */
void asking_many_release(struct asking_many *m);

/* Runs derived from a. Reaction bits. */
unsigned asking_map(struct app *app, struct str args);	   /* ENCODER [all] [TEMPLATES] */
unsigned asking_reparse(struct app *app, struct str args); /* [RULE] [PROTOCOL] [json] [ids] */
/* Has vectors of all class names made by an encoder (an endpoint, a kept name, a file), and offers
 * near options by them then. */
unsigned asking_embed(struct app *app, struct str encoder);
bool asking_stop_deriving(struct app *app); /* false: nothing is under way */

/* Answers of our own have come into the project: they are to be seen soon, and need no message.
 * wait_ms: not sooner than that. */
void asking_grew(struct app *app, int64_t wait_ms);

#endif
