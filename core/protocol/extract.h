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
/* One full stop behind it, asterisks, and quotes around all of it cut off. */
struct str answer_bare(struct str text);
/* What follows "answer:", "label is", "prediction =" … in the last line that has such a marker;
 * p NULL when none has. */
struct str answer_marked(struct str text);
/* A word stands at i: neither letter nor digit before it, nor behind its n bytes. */
bool answer_is_word(struct str text, size_t i, size_t n);

void extraction_init(struct extraction *f);
/* One class, by name, or by index or wnid where the ask says ids and the text looks like one. */
void extraction_class(struct arena *arena, const struct ask *ask, struct extraction *f, const char *rule,
		   struct str span, struct str text);

void extract_class(struct arena *arena, const struct ask *ask, struct str raw, struct extraction *out);
void extract_letter(struct arena *arena, const struct ask *ask, struct str raw, struct extraction *out);
void extract_esj(struct arena *arena, const struct ask *ask, struct str raw, struct extraction *out);
void extract_memo(struct arena *arena, const struct ask *ask, struct str raw, struct extraction *out);
void extract_label(struct arena *arena, const struct ask *ask, struct str raw, struct extraction *out);
void extract_labels(struct arena *arena, const struct ask *ask, struct str raw, struct extraction *out);

#endif
