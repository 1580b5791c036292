/*
 * query_batch: a plan as a file for the engines that people already have (OpenAI's Batch API, vLLM
 * run-batch), and their results back into the plan's run. The project keeps how a batch was asked,
 * under the number that stands in each request's custom_id, "b3:17": batch 3, sample 17 (the
 * dataset's ordinal; several between commas for several images). Where options were drawn, they
 * follow, "b3:17:8,2,40,7": class ordinals by letter, so that labels may change meanwhile.
 */
#ifndef QUALM_TUI_QUERY_QUERY_BATCH_H
#define QUALM_TUI_QUERY_QUERY_BATCH_H

#include <stdio.h>

#include "core/text/input.h"
#include "tui/query/query.h"

struct batch_limits { /* of one file */
	uint64_t bytes;
	size_t requests;
};

struct batch_written {
	size_t requests, files;
	size_t failed; /* requests that could not be made; the first reason is in why */
	struct err why;
	int64_t number; /* of the batch */
};

/* Writes path, then path with -2, -3, … before its ending. Files are there whole or not at all. c must
 * be writable: the batch is noted. */
enum status batch_export(const struct query_plan *plan, struct conn *c, const char *path,
			 const struct batch_limits *limits, struct decoder *decoder,
			 const struct cancel *cancel, void (*progress)(void *ctx, size_t done, size_t n),
			 void *ctx, struct batch_written *out, struct err *err);

struct batch_read {
	size_t lines, kept, failed; /* failed: the engine's own failures, which are kept too */
	size_t unknown;		    /* lines of no batch of this dataset */
	size_t broken;		    /* lines that are no result */
	uint64_t first_bad;	    /* line number of the first unknown or broken one; 0 = none */
	struct err why;		    /* about it */
};

/* Results in any order, in part, again: what is there already stays. They go into the runs of their
 * batches. */
enum status batch_import(struct conn *c, const char *dataset, const char *path, const struct cancel *cancel,
			 struct batch_read *out, struct err *err);

/* A spec from what a run or a batch keeps of it. The endpoint has its name and model alone. E_FORMAT
 * when it cannot be understood any more. */
enum status query_spec_recall(struct query_spec *s, const struct snapshot *snap, struct str settings,
			      struct str prompt, struct str protocol, struct str model, struct err *err);

#endif
