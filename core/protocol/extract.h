/* What the extract functions share. Not for other rooms. */
#ifndef QUALM_CORE_PROTOCOL_EXTRACT_H
#define QUALM_CORE_PROTOCOL_EXTRACT_H

#include "core/protocol/protocol.h"

/* The answer inside a raw one, all slices of it: without <think> blocks, the last <answer> alone,
 * the inside of a lone code fence, blanks cut off. rule: "" or what was opened last. An unclosed
 * thought leaves nothing. */
struct body {
	struct str text;
	const char *rule;
};
struct body answer_body(struct str raw);
/* The steps to it, alone. Thoughts: rule is "" when there are none. The others: p NULL when there is no
 * such tag, no such fence, behind the thoughts. */
struct body answer_without_thoughts(struct str raw);
struct str answer_tagged(struct str raw);
struct str answer_fenced(struct str raw);
/* One full stop behind it, asterisks, and quotes around all of it cut off. */
struct str answer_bare(struct str text);
/* What follows "answer:", "label is", "prediction =" … in the last line that has such a marker;
 * p NULL when none has. */
struct str answer_marked(struct str text);
/* A word stands at i: neither letter nor digit before it, nor behind its n bytes. */
bool answer_is_word(struct str text, size_t i, size_t n);

/* at[n]: where each name first stands in text as a word of its own, caseless; SIZE_MAX: nowhere. A name
 * without a byte stands nowhere. */
void words_find(const struct str *name, size_t n, struct str text, size_t *at);

void extraction_init(struct extraction *f);
/* One class, by name, or by index or wnid where the ask says ids and the text looks like one. */
void extraction_class(struct arena *arena, const struct ask *ask, struct extraction *f, const char *rule,
		   struct str span, struct str text);

/* Sample i's part of a JSON object, or list, or of a list as Python prints it; p NULL: there is none.
 * *span: where it is written in body. */
struct str json_part(struct arena *arena, const struct ask *ask, struct str body, size_t i, bool list,
		     struct str *span);
struct str literal_part(struct arena *arena, const struct ask *ask, struct str body, size_t i, struct str *span);
/* The option by its letter, which leads text; by all of its words; by a letter somewhere in text, the only
 * one. False: it is not told, out is as it was (within: but the rule "several letters"). */
bool letter_leading(struct arena *arena, const struct ask *ask, const char *rule, struct str text,
		    struct extraction *out);
bool letter_option_text(struct arena *arena, const struct ask *ask, const char *rule, struct str text,
			struct extraction *out);
bool letter_within(struct arena *arena, const struct ask *ask, struct str text, struct extraction *out);
/* Correct or Incorrect (MVEI's order); false: neither, the outcome says so. */
bool words_judgement(struct arena *arena, struct str text, struct extraction *out);
/* The label in a text that should be nothing else; a sentence with exactly one of them will do. */
bool words_label(struct arena *arena, const struct ask *ask, struct str text, const char *rule,
		 struct extraction *out);
/* All labels of a list, between commas or brackets or on lines. */
bool words_list(struct arena *arena, const struct ask *ask, const char *rule, struct str text,
		struct extraction *out);

void extract_class(struct arena *arena, const struct ask *ask, struct str raw, struct extraction *out);
void extract_letter(struct arena *arena, const struct ask *ask, struct str raw, struct extraction *out);
void extract_esj(struct arena *arena, const struct ask *ask, struct str raw, struct extraction *out);
void extract_memo(struct arena *arena, const struct ask *ask, struct str raw, struct extraction *out);
void extract_label(struct arena *arena, const struct ask *ask, struct str raw, struct extraction *out);
void extract_labels(struct arena *arena, const struct ask *ask, struct str raw, struct extraction *out);

#endif
