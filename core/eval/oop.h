/*
 * oop: what kind of answer lies outside of the class list (ReGT §3.2, Table 15; benchmarks.md
 * §2.3). The kinds are exclusive and tested in their order here. Of an answer only its words count:
 * letters and digits without case; everything else parts words, but an apostrophe, which is dropped.
 *
 *   partial  its words are a subset of the words of some class name, in any order
 *   alias    its words are a name of a second list, in that order
 *   abstain  it says that it does not know
 *   wrong    the rest, an answer without a word among them
 */
#ifndef QUALM_CORE_EVAL_OOP_H
#define QUALM_CORE_EVAL_OOP_H

#include "core/base/str.h"

enum oop_kind { OOP_PARTIAL, OOP_ALIAS, OOP_ABSTAIN, OOP_WRONG, N_OOP_KINDS, OOP_NONE = 255 };

const char *oop_kind_word(enum oop_kind k); /* "partial" …; "" for any other number */
/* One of these words; OOP_NONE for any other. Caseless. */
enum oop_kind oop_kind_find(struct str word);

/* The names, prepared; nothing of what is handed in is borrowed. Not for two threads at once. */
struct oop_names;
struct oop_names *oop_names_new(void);
void oop_names_free(struct oop_names *o); /* NULL is fine */
void oop_names_class(struct oop_names *o, struct str name);
void oop_names_alias(struct oop_names *o, struct str name);

/* Of one answer that is in none of the class names. */
enum oop_kind oop_kind_of(struct oop_names *o, struct str answer);

#endif
