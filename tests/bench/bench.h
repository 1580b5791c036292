/* What the programs that measure share: the clock, medians, other programs, sixels. */
#ifndef QUALM_TESTS_BENCH_BENCH_H
#define QUALM_TESTS_BENCH_BENCH_H

#include <stdint.h>
#include <stdio.h>

#include "core/media/media.h"

double bench_ms(void); /* of a clock that only goes forward */
double bench_median(double *v, int n); /* sorts v */
/* The model of the processor and how many; static storage. */
const char *bench_machine(void);

/* Runs a program with its output into the file `out`; wall milliseconds, < 0 when it failed. */
double bench_run(const char *const *argv, const char *out);
/* The first line that a program prints; "" when it is not there. */
void bench_version(const char *const *argv, char line[80]);

/* The first sixel in a file; false when there is none. bytes: of the whole file. */
bool bench_sixel(const char *path, struct pixels *px, size_t *bytes);
/* PSNR in dB after a mean of 3 × 3, which is what the eye sees of dithering. Same sizes. */
double bench_psnr(const struct pixels *a, const struct pixels *b);

/* Budget 12 (hold.c): prints, and appends members to json. */
int bench_hold(const char *qualm, const char *project, int keys, FILE *json);

#endif
