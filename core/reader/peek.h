/*
 * peek: what the first bytes of a file say about its shape, for probes. Works on a cut-off
 * head: what is incomplete at its end is left out.
 */
#ifndef QUALM_CORE_READER_PEEK_H
#define QUALM_CORE_READER_PEEK_H

#include "core/base/arena.h"
#include "core/base/str.h"

enum shape {
	SHAPE_TEXT,   /* lines of something */
	SHAPE_JSONL,  /* one object a line */
	SHAPE_ARRAY,  /* one JSON array */
	SHAPE_OBJECT, /* one JSON object whose members are the records */
	SHAPE_CSV,    /* delimiter-separated rows */
};

#define PEEK_NAMES 256

struct peek {
	enum shape shape;
	char delimiter;       /* CSV */
	bool headerless;      /* CSV: the first row looks like data */
	struct str first_key; /* OBJECT: the first member's key as written */
	struct str first;     /* JSON: text of the first element, from its first byte on, maybe cut */
	struct str name[PEEK_NAMES]; /* fields of the first records, or the CSV's header */
	size_t n;
	struct arena arena;
};

void peek_open(struct peek *p, struct str head); /* borrows head */
void peek_release(struct peek *p);
bool peek_has(const struct peek *p, const char *name); /* ASCII case does not matter */

/* Bytes of the JSON value that begins at s.p[0]; 0 when it does not end inside s. Brackets are
 * counted, nothing else is checked. */
size_t peek_json_span(struct str s);
struct str peek_skip_blanks(struct str s); /* blanks and line ends */

struct member {
	struct str key;   /* between the quotes, as written */
	struct str value; /* n = 0: cut off; p is where it begins all the same */
};

/* Walks the members of an object's text: start with *rest = the text from '{' on. false at the
 * end, or where it stops being an object. */
bool peek_member(struct str *rest, struct member *out);

/* "n01440764": a WordNet id as ImageNet writes them. */
bool looks_like_wnid(struct str s);
bool looks_like_image(struct str s); /* by its extension */
bool looks_like_video(struct str s);

#endif
