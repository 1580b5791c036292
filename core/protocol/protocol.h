/*
 * core/protocol: how a model is asked about samples, and what its answer means (benchmarks.md
 * §2.3, §3-§5). Pure: no network, no database, no clock. A protocol is a row of protocols[]; to
 * add one: a row, a prompt in prompts/, a line in the manual, and an extract function if none of
 * those here fits.
 *
 * build:   an ask → the text of the request. The images go beside it, in the order of the samples.
 * extract: the raw answer → one extraction per sample: by which rule, from which bytes, with which
 *          outcome and classes. Nothing is guessed: where no rule fits, the outcome is unparsed.
 * score:   what a run of the protocol is told: its list rule, and whether unmapped answers count.
 * What a class name in an extraction resolves to is the importing sink's business (core/reader/sink.h).
 */
#ifndef QUALM_CORE_PROTOCOL_PROTOCOL_H
#define QUALM_CORE_PROTOCOL_PROTOCOL_H

#include "core/base/arena.h"
#include "core/base/err.h"
#include "core/model/snapshot.h"
#include "core/reader/sink.h"

#define ASK_MAX_BATCH 50 /* images in one request (ReGT App. C) */

/* How classes are listed and answers wished for: between commas, and a bare answer; or JSON, and an
 * object with the keys "1", "2", … for the images. Several samples need JSON. */
enum ask_form { ASK_LIST, ASK_JSON };

struct ask_option {
	struct str text;
	uint32_t class_ord; /* into ask.classes; UINT32_MAX = none */
};

struct ask_sample {
	struct str text; /* statement or question; may be empty */
	const struct ask_option *options; /* MC: A, B, …; else the sample's own label set */
	size_t n_options;
};

struct ask { /* one request; all borrowed */
	const struct class_info *classes; /* the candidates */
	size_t n_classes;
	const struct ask_sample *samples;
	size_t n_samples; /* 1 … ASK_MAX_BATCH; several only where the protocol batches */
	enum ask_form form;
	bool ids; /* classes are answered by wnid, or index without one, not by name */
};

struct extraction {
	enum outcome outcome; /* ANSWERED before the name is looked up: the sink makes OOP of it */
	const char *rule;     /* static word: by which rule; "" = none did */
	const char *flag;     /* static word of doubt, "negated"; NULL = none */
	struct str span;      /* borrows the raw answer; p NULL = nothing was taken */
	struct class_ref *refs; /* in the arena; their texts borrow arena, raw answer or ask */
	size_t n_refs;
	double degree; /* NaN = none */
};

struct protocol {
	const char *name, *help;
	const char *prompt; /* which built-in prompt; "-batch" behind it for ASK_JSON where it batches */
	const char *needs;  /* placeholders that a prompt must have, between blanks */
	bool batches, open_world;
	enum list_rule list_rule;
	/* out[ask->n_samples], initialized here. */
	void (*extract)(struct arena *arena, const struct ask *ask, struct str raw, struct extraction *out);
};
extern const struct protocol protocols[]; /* ends with a NULL name */
const struct protocol *protocol_find(struct str name); /* caseless; NULL if none */

/* The built-in prompt for such an ask. Static. */
const char *protocol_prompt(const struct protocol *p, enum ask_form form);

/* Appends the prompt with its placeholders filled: {classes} {statement} {question} {options}
 * {label_set} {n}; "{{" stands for "{". E_USAGE for an unknown placeholder, one that the protocol
 * needs and the prompt lacks, or an ask that has nothing to put there: with the line. */
enum status protocol_build(const struct protocol *p, struct str prompt, const struct ask *ask,
			   struct buf *out, struct err *err);

/* As p->extract: an answer that is blank is empty, one with no answer behind its thoughts is
 * unparsed, whatever the protocol. */
void protocol_extract(const struct protocol *p, struct arena *arena, const struct ask *ask,
		      struct str raw, struct extraction *out);

/*
 * A single rule by which an answer is taken out of a raw text (rules.c); where it does not fit, the
 * answer is unparsed. Some rules take a part of the text, which is read as the protocol reads a bare
 * answer: the class's name, an option's letter or words, Correct or Incorrect, a label, a list. Others
 * read in one way, whatever the protocol.
 */
struct extract_rule {
	const char *name, *help; /* name: a word */
	/* The part for sample i; p NULL: it does not fit. span: where it stands in raw. */
	struct str (*part)(struct arena *arena, const struct ask *ask, struct str raw, size_t i, struct str *span);
	/* NULL: as the protocol does. */
	bool (*read)(struct arena *arena, const struct ask *ask, const char *rule, struct str text,
		     struct extraction *out);
};
extern const struct extract_rule extract_rules[]; /* ends with a NULL name */
const struct extract_rule *extract_rule_find(struct str name); /* caseless, "_" is "-"; NULL if none */
/* As protocol_extract(), by this rule alone. */
void extract_by_rule(const struct extract_rule *rule, const struct protocol *p, struct arena *arena,
		     const struct ask *ask, struct str raw, struct extraction *out);

#endif
