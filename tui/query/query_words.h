/* query_words: the options of `qualm query` (and `:query`) as a spec. */
#ifndef QUALM_TUI_QUERY_QUERY_WORDS_H
#define QUALM_TUI_QUERY_QUERY_WORDS_H

#include "tui/cli.h"
#include "tui/query/query.h"

/* The options that make up a spec; the rest of a command's options follow in its own table. */
#define QUERY_SPEC_OPTIONS                                                                         \
	{"endpoint", "E", "ask this endpoint of the configuration (default: the only one)", false},   \
	{"protocol", "P", "ow, cw, cw+, mc, esj, memo, mme, mme-multi, mme-sentiment, mme-intent, "   \
			  "all-labels", false},                                                        \
	{"prompt", "FILE", "the prompt, in place of the protocol's own", false},                       \
	{"classes", "FILE|options", "offer these classes alone: a name, a wnid or #index a line; or "  \
				    "the sample's own options", false},                                \
	{"form", "list|json", "how classes are listed and answers wished for (default list)", false},  \
	{"ids", NULL, "classes are answered by wnid or index, not by name", false},                    \
	{"batch", "N", "images in one request (with --form json)", false},                             \
	{"options", "stored|random|hard", "mc: the sample's own options, random distractors, or the "  \
					  "classes that the run --reference confuses", false},             \
	{"truth", "original|reannotated|both", "mc: the label that is among the options", false},      \
	{"reference", "RUN", "mc: whose confusions hard distractors are", false},                      \
	{"seed", "N", "mc: of the drawing of options (default 0)", false},                             \
	{"crop", "X,Y,W,H", "send this part of the picture: shares from 0 to 1", false}

/* Reads files that options name. E_USAGE with a sentence; *spec is released by the caller. */
enum status query_words(const struct cmd_args *args, const struct endpoint_list *endpoints,
			const struct snapshot *snap, struct query_spec *spec, struct err *err);

#endif
