/*
 * cancel: how work is asked to stop. A flag for loops to test and, once asked for, a descriptor
 * that becomes readable for code that waits in poll(). Set from any thread or a signal handler.
 */
#ifndef QUALM_CORE_BASE_CANCEL_H
#define QUALM_CORE_BASE_CANCEL_H

#include <stdatomic.h>
#include <stdbool.h>

#include "core/base/err.h"

struct cancel {
	atomic_bool set;
	int fd[2]; /* pipe; -1 -1 until cancel_fd() */
};

void cancel_init(struct cancel *c);
void cancel_release(struct cancel *c);
void cancel_now(struct cancel *c); /* async-signal-safe */
static inline bool cancel_is(const struct cancel *c)
{
	return c && atomic_load_explicit(&((struct cancel *)c)->set, memory_order_relaxed);
}
/* Call before the work starts, from the thread that owns c. -1 if no pipe could be made. */
int cancel_fd(struct cancel *c);
/* E_CANCELLED with a message when set, else OK. c may be NULL. */
enum status cancel_check(const struct cancel *c, struct err *err);

#endif
