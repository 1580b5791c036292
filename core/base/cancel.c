#include "core/base/cancel.h"

#include <fcntl.h>
#include <unistd.h>

void cancel_init(struct cancel *c)
{
	atomic_init(&c->set, false);
	c->fd[0] = c->fd[1] = -1;
}

void cancel_release(struct cancel *c)
{
	for (int i = 0; i < 2; i++) {
		if (c->fd[i] >= 0)
			close(c->fd[i]);
		c->fd[i] = -1;
	}
}

void cancel_now(struct cancel *c)
{
	atomic_store(&c->set, true);
	if (c->fd[1] >= 0 && write(c->fd[1], "", 1) < 0)
		return; /* full pipe: it is readable already */
}

int cancel_fd(struct cancel *c)
{
	if (c->fd[0] < 0 && pipe2(c->fd, O_CLOEXEC | O_NONBLOCK) != 0)
		c->fd[0] = c->fd[1] = -1;
	return c->fd[0];
}

enum status cancel_check(const struct cancel *c, struct err *err)
{
	return cancel_is(c) ? err_set(err, E_CANCELLED, "stopped") : OK;
}
