/* What the programs that measure share: the clock, medians, other programs, sixels. */
#ifndef QUALM_TESTS_BENCH_BENCH_H
#define QUALM_TESTS_BENCH_BENCH_H

#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "core/media/media.h"
#include "tests/unit/lib_vt.h"

double bench_ms(void); /* of a clock that only goes forward */
double bench_median(double *v, int n); /* sorts v */
/* The model of the processor and how many; static storage. */
const char *bench_machine(void);

/* Runs a program with its output into the file `out`; wall milliseconds, < 0 when it failed. */
double bench_run(const char *const *argv, const char *out);
/* The first line that a program prints; "" when it is not there. */
void bench_version(const char *const *argv, char line[80]);

/* A folder that was made for this, with all that is in it. */
void bench_remove(const char *folder);

/* A program in a pty (screen.c), which this program is the terminal of. */
struct screen {
	struct vt vt;
	int master;
	pid_t pid;
	double began;
	char home[32];
};

/* answers: to what the program asks; else the terminal never says a word. */
bool screen_start(struct screen *s, const char *const *argv, bool answers);
/* One read; false when nothing came in time. */
bool screen_take(struct screen *s, double ms);
/* From the key to the last byte of what it caused, in ms; < 0 when nothing came. */
double screen_key(struct screen *s, struct str keys);
void screen_settle(struct screen *s, double ms);
bool screen_shows(const struct screen *s, struct str text);
/* Milliseconds from the start until the text is on the screen; < 0 when it never comes. */
double screen_until(struct screen *s, struct str text);
long screen_memory(const struct screen *s); /* resident, KiB; < 0 when that is not to be known */
double screen_cpu(const struct screen *s); /* milliseconds that its first thread was at work; -1: not told */
void screen_end(struct screen *s);

/* The first sixel in a file; false when there is none. bytes: of the whole file. */
bool bench_sixel(const char *path, struct pixels *px, size_t *bytes);
/* PSNR in dB after a mean of 3 × 3, which is what the eye sees of dithering. Same sizes. */
double bench_psnr(const struct pixels *a, const struct pixels *b);

/* Budget 12 (hold.c): prints, and appends members to json. */
int bench_hold(const char *qualm, const char *project, int keys, FILE *json);

#endif
