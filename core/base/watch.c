#include "core/base/watch.h"

#include <unistd.h>
#ifdef __linux__
#include <sys/inotify.h>
#endif

void watch_init(struct watch *w, const char *path)
{
	w->fd = -1;
#ifdef __linux__
	w->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	if (w->fd >= 0 && inotify_add_watch(w->fd, path, IN_MODIFY | IN_CLOSE_WRITE) < 0)
		watch_release(w);
#else
	(void)path;
#endif
}

void watch_release(struct watch *w)
{
	if (w->fd >= 0)
		close(w->fd);
	w->fd = -1;
}

bool watch_drain(struct watch *w)
{
	char events[4096];
	bool any = false;

	while (w->fd >= 0 && read(w->fd, events, sizeof events) > 0)
		any = true;
	return any;
}
