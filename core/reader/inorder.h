/*
 * inorder: a column and nothing beside it: labels or answers, one a line (or one an item of a JSON list),
 * in the order of the samples. Told from a list of classes by its content: there nearly every name is
 * borne once, here most are borne again and again.
 */
#ifndef QUALM_CORE_READER_INORDER_H
#define QUALM_CORE_READER_INORDER_H

#include "core/base/str.h"

struct inorder {
	size_t n, distinct; /* items, without a header */
	bool list;	    /* of JSON, else lines */
	bool header;	    /* the first line is one */
	bool answers;	    /* by the header; else labels, if there is one */
	bool numbers;	    /* all are */
};

/* By the first bytes of a file. false: it is none. */
bool inorder_look(struct str head, struct inorder *out);

#endif
