/*
 * watch: tells when a file is written to, without looking again and again. Where the system cannot
 * tell (not Linux, or the file lies on another machine and is written there) nothing is told:
 * whoever watches must look now and then as well.
 */
#ifndef QUALM_CORE_BASE_WATCH_H
#define QUALM_CORE_BASE_WATCH_H

#include <stdbool.h>

struct watch {
	int fd; /* readable when something was written; -1: there is nothing to wait for */
};

void watch_init(struct watch *w, const char *path);
void watch_release(struct watch *w); /* also when fd is -1 */
/* Was something written since the last call? */
bool watch_drain(struct watch *w);

#endif
