/*
 * sieve: filters evaluated away from the screen's thread: live hit counts, filters that search
 * texts, counts of saved filters. A question owns all that it needs; the answer arrives by done()
 * on the screen's thread. A newer question with the same key replaces the older one. While texts
 * are searched progress() tells how far it is and what is certain already.
 *
 * Each question sits at a desk (a conn, what the filter language has computed of this snapshot
 * and lens); desks are kept for the next ones, so that a long search keeps no short one waiting.
 */
#ifndef QUALM_TUI_SIEVE_H
#define QUALM_TUI_SIEVE_H

#include "core/filter/filter.h"

struct app;
struct sieve;

struct sieve *sieve_new(const char *project); /* path of the project file */
/* After the pool is gone. NULL is fine. */
void sieve_free(struct sieve *s);

struct sieve_answer {
	struct str text;           /* as asked */
	int tag;                   /* as asked */
	enum status st;            /* OK, or err.code; never E_CANCELLED */
	struct err err;
	struct filter_fault fault; /* n > 0: where the text is wrong */
	const struct snapshot *snap; /* the one that the bits are about */
	uint64_t *bits;            /* the samples; owned, set to NULL by who takes it */
	uint32_t n;                /* how many of `within` */
};

struct sieve_progress {
	struct str text;      /* as asked */
	int tag;              /* as asked */
	uint64_t done, all;   /* of the work */
	const struct snapshot *snap;
	uint64_t *bits;       /* samples that are certain; NULL: that is known at the end alone. As of
				 the answer's */
	uint32_t n;           /* how many of `within` */
};

/* Another look than the screen's; all copied. */
struct sieve_under {
	struct lens lens;
	int a, b;
	const int *panel;
	int n_panel;
};

struct sieve_question {
	uint64_t key; /* as of jobs: pool_cancel() takes it back */
	struct str text;
	int tag;
	int urgency;
	const uint64_t *within; /* copied; NULL: all samples */
	const struct sieve_under *under; /* NULL: as the screen is */
	/* Some times a second, from the first tenth of one on; may be NULL. */
	void (*progress)(struct app *app, struct sieve_progress *progress);
	void (*done)(struct app *app, struct sieve_answer *answer);
};

#define SIEVE_TELL_MS 100 /* between two progress() */

/* In the app's snapshot and things, and unless `under` says else its lens, runs and panel, as they
 * are now. When another snapshot takes its place (REACT_RELOAD, REACT_GREW) before there is an
 * answer, none comes: ask again then. So it is with every question about a partial snapshot. */
void sieve_ask(struct app *app, const struct sieve_question *question);

/* --- for other work on a worker --- */

/* What the filter language reads of the project beside a snapshot, on the thread that sits there and
 * kept for the next one; give the desk back. On failure there is none. */
struct desk;
enum status sieve_sit(struct sieve *s, struct snapshot *snap, struct desk **desk,
		      const struct filter_source **source, struct err *err);
void sieve_rise(struct sieve *s, struct desk *desk);

#endif
