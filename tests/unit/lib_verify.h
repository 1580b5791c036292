/* verify: what qualm check finds, as text. */
#ifndef QUALM_TESTS_UNIT_LIB_VERIFY_H
#define QUALM_TESTS_UNIT_LIB_VERIFY_H

#include "db/verify.h"

struct heard { /* lines, in order; zero it, or let verify_heard() */
	struct buf text, told; /* findings and what was told; what was told alone */
};

enum status verify_heard(struct conn *c, bool repair, struct heard *h, struct verify_counts *counts,
			 struct verify_counts *left, struct err *err);
void heard_release(struct heard *h);
/* Nothing is found; what: of what this is said when it fails. */
void must_be_sound(struct conn *c, const char *what);

#endif
