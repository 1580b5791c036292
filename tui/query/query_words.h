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
	{"options", "stored|random|hard|near", "mc: the sample's own options, random distractors, "    \
	 "the classes that the run --reference confuses, or those with the nearest names", false},      \
	{"encoder", "E", "mc: by whose vectors names are near: an endpoint that embeds texts, a file " \
	 "of vectors, or what the project keeps (default: the only kept one)", false},                  \
	{"templates", "FILE", "mc: embed names in these sentences too, as qualm map does", false},     \
	{"truth", "original|reannotated|both", "mc: the label that is among the options", false},      \
	{"reference", "RUN", "mc: whose confusions hard distractors are", false},                      \
	{"seed", "N", "mc: of the drawing of options (default 0)", false},                             \
	{"crop", "X,Y,W,H", "send this part of the picture: shares from 0 to 1", false}

/* Reads files that options name. E_USAGE with a sentence; *spec is released by the caller. Near
 * options have no encoder yet: see encoder_classes() in tui/map/map.h. */
enum status query_words(const struct cmd_args *args, const struct endpoint_list *endpoints,
			const struct snapshot *snap, struct query_spec *spec, struct err *err);

/* After that, where options are near: the vectors of the class names are in the project then, and
 * spec->encoder says by which name. dry: nothing may be sent for them. */
enum status query_words_near(struct cli *cli, const struct cmd_args *args, const struct endpoint_list *endpoints,
			     struct conn *c, const struct snapshot *snap, bool dry, struct query_spec *spec,
			     struct err *err);

#endif
