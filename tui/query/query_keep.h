/*
 * query_keep: answers on their way into the project. They are collected on the owner's thread and
 * committed by a job, one transaction at a time; what is not committed yet is lost by a kill, no
 * more than a second of it.
 */
#ifndef QUALM_TUI_QUERY_QUERY_KEEP_H
#define QUALM_TUI_QUERY_QUERY_KEEP_H

#include "tui/query/query_make.h"

struct query_keep;

/* Borrows plan and pool. kept is called on the owner's thread after each commit that worked, failed
 * after one that did not; the answers of that one are tried again with the next. */
struct query_keep *query_keep_new(const struct query_plan *plan, struct pool *pool, void *ctx,
				  void (*kept)(void *ctx, size_t n),
				  void (*failed)(void *ctx, const struct err *err));
/* Copies. raw is stored with each answer of a request, as it is. */
void query_keep_add(struct query_keep *k, const struct query_request *r, size_t i,
		    const struct query_answer *a);
/* A commit, unless one is under way or there is nothing new; after that one another follows. */
void query_keep_flush(struct query_keep *k);
size_t query_keep_open(const struct query_keep *k); /* answers that are not committed */
void query_keep_free(struct query_keep *k); /* NULL is fine; nothing may be under way */

#endif
