/*
 * query_parse: the stored raw answers of a run taken apart anew, by another protocol's rule or in
 * another form. The result is a run of its own, derived from the first, which stays as it is.
 */
#ifndef QUALM_TUI_QUERY_QUERY_PARSE_H
#define QUALM_TUI_QUERY_QUERY_PARSE_H

#include "core/base/cancel.h"
#include "core/protocol/protocol.h"
#include "db/conn.h"

struct parse_job {
	struct conn *conn; /* writes */
	struct snapshot *snap;
	int run; /* of snap */
	const struct protocol *protocol;
	enum ask_form form;
	bool ids;
	struct cancel *cancel;
	/* Answers taken apart, of how many; may be NULL. */
	void (*progress)(void *ctx, size_t done, size_t n);
	void *ctx;
};

struct parse_result {
	char handle[512]; /* of the new run: PARENT/PROTOCOL/r1, r2, … */
	size_t answers;	  /* with a raw text */
	size_t others;	  /* of these: another outcome, another text or several classes in place of one */
};

/* E_USAGE when the run has no raw texts. All or nothing. */
enum status parse_run(const struct parse_job *job, struct parse_result *out, struct err *err);

#endif
