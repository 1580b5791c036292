/*
 * query_parse: the stored raw answers of a run taken apart anew, by another protocol's rules, in
 * another form, or by one rule alone. The result is a run of its own, derived from the first, which
 * stays as it is; what was asked is its own too.
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
	const struct extract_rule *rule; /* alone; NULL: all of the protocol's */
	enum ask_form form;
	bool ids;
	struct cancel *cancel;
	/* Answers taken apart, of how many; may be NULL. */
	void (*progress)(void *ctx, size_t done, size_t n);
	void *ctx;
};

struct parse_result {
	char handle[512]; /* of the new run: PARENT/PROTOCOL/r1, or PARENT/RULE/r1, r2, … */
	size_t answers;	  /* with a raw text */
	size_t others;	  /* of these: another outcome, another text or several classes in place of one */
};

/* The protocol whose answers a run's are, as far as its name tells: "mc-hard" is mc, what is not
 * known cw. */
const struct protocol *parse_protocol_of(const struct run *run);
/* A rule or a protocol by its name: *rule is NULL for a protocol, *protocol stays for a rule. E_USAGE
 * with what is meant when it is neither. */
enum status parse_named(struct str name, const struct extract_rule **rule, const struct protocol **protocol,
			struct err *err);
/* E_USAGE when the run has no raw texts. All or nothing. */
enum status parse_run(const struct parse_job *job, struct parse_result *out, struct err *err);

#endif
