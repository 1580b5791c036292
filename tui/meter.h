/*
 * meter: work in the background as the bottom line tells it: how far, how much was found, how fast,
 * how long still, and that Ctrl-c stops it. Who starts work that may take a while opens a meter,
 * moves it as news come and closes it when it has ended; the line shows the one opened last.
 */
#ifndef QUALM_TUI_METER_H
#define QUALM_TUI_METER_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/job.h"
#include "core/base/steps.h"
#include "core/base/str.h"

struct app;

#define METERS_MAX     8
#define METER_AFTER_MS 500 /* what is done sooner is not worth a line */

struct meter {
	uint64_t key;       /* whose; as of jobs */
	const char *what;   /* "searching"; borrowed */
	const char *unit;   /* of done: "rows"; NULL: bytes */
	uint64_t done, all; /* all = 0: not known yet */
	uint64_t found;
	bool finds;         /* found means something */
	int64_t began;      /* app_clock() */
	void (*stop)(struct app *app);
};

struct meters {
	struct meter v[METERS_MAX]; /* the last is the newest */
	int n;
};

/* began is set here. One of the same key is replaced. */
void meter_open(struct app *app, struct meter meter);
void meter_move(struct app *app, uint64_t key, uint64_t done, uint64_t all);
void meter_found(struct app *app, uint64_t key, uint64_t found);
void meter_close(struct app *app, uint64_t key); /* none of that key is fine */
/* The steps of a job as its meter: within the job, begun before it is submitted. While it runs its
 * news() is called now and then, which moves the meter. */
struct meter_steps {
	struct steps steps;
	struct job *job;
	int64_t told; /* the worker's */
};
void meter_steps_begin(struct meter_steps *m, struct job *job);
void meter_steps_move(struct app *app, uint64_t key, const struct meter_steps *m);
/* Stops what was opened last; false when nothing is under way. */
bool meter_stop(struct app *app);

/* The one to show at that time; NULL = none. */
const struct meter *meter_shown(const struct meters *meters, int64_t now);
/* "searching 43 % · 1,204 so far · 310 MB/s · 3 s left · Ctrl-c stops", as much of it as goes into
 * w columns: the beginning always. */
void meter_text(const struct meter *m, int64_t now, int w, struct buf *out);

#endif
