/* query_show: what a run answered, as rows for a person or a program. */
#ifndef QUALM_TUI_QUERY_QUERY_SHOW_H
#define QUALM_TUI_QUERY_QUERY_SHOW_H

#include <stdio.h>

#include "core/model/snapshot.h"
#include "db/conn.h"

/* The answers of run r to the samples ords[n], as stored: text, or JSON objects (id, run, raw,
 * extracted, class, outcome, right, rule, flag, status, error, latency_ms, tokens), in which nothing can
 * steer a terminal. *first: nothing is written yet; for the commas between. */
enum status query_show(struct conn *c, const struct snapshot *snap, const struct lens *lens, int r,
		       const uint32_t *ords, size_t n, bool json, FILE *out, bool *first,
		       struct err *err);

#endif
