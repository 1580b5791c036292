/*
 * choice: what letters mean where a question has options: A is the first one. The text of an
 * option stands for itself; a letter that is the text of an option is that option.
 */
#ifndef QUALM_CORE_READER_CHOICE_H
#define QUALM_CORE_READER_CHOICE_H

#include "core/base/arena.h"
#include "core/reader/sink.h"

/* The option that a text names and nothing else: "B", "b.", "(B)", "B: goldfish", "goldfish". SIZE_MAX: none. */
size_t choice_option(struct str text, const struct str *options, size_t n);
/* Does it begin as a letter of an option does: "B", "B.", "(B)", "B) goldfish", "B: goldfish"? */
bool choice_is_lettered(struct str text);
/* Names among refs that are letters of options become these options' texts. */
void choice_refs(struct class_ref *refs, size_t n_refs, const struct str *options, size_t n);

/* A whole response to such a question, out->raw, into outcome, refs and extracted: "A, C"
 * names several; else by the rules of the protocol MC (core/protocol), then the one option whose text stands in it. */
void choice_answer(struct arena *arena, const struct str *options, size_t n,
		   struct rec_prediction *out);

#endif
