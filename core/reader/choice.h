/*
 * choice: what letters mean where a question has options: A is the first one. The text of an
 * option stands for itself; a letter that is the text of an option is that option.
 */
#ifndef QUALM_CORE_READER_CHOICE_H
#define QUALM_CORE_READER_CHOICE_H

#include "core/reader/answer.h"

/* The option that a text names and nothing else: "B", "b.", "(B)", "B: goldfish", "goldfish". SIZE_MAX: none. */
size_t choice_option(struct str text, const struct str *options, size_t n);
/* Is it a letter from A to Z, alone? */
bool choice_is_letter(struct str text);
/* Labels that are letters of options become these options' texts. */
void choice_refs(struct refs *refs, const struct str *options, size_t n);

/* A whole response to such a question, out->raw, into outcome, refs and extracted: by the rules of
 * the protocol MC (core/protocol), then the one option whose text stands in it. */
void choice_answer(struct arena *arena, const struct str *options, size_t n,
		   struct rec_prediction *out);

#endif
