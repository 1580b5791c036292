#include <errno.h>
#include <signal.h>
#include <stdatomic.h>

#include "tui/cli.h"

/* The one thing a signal handler can reach. */
static struct cancel *_Atomic asked;

static void on_stop(int signo)
{
	struct cancel *cancel = atomic_load(&asked);
	int saved = errno;

	if (!cancel || cancel_is(cancel)) {
		signal(signo, SIG_DFL);
		raise(signo);
		return;
	}
	cancel_now(cancel);
	errno = saved;
}

void cli_signals(struct cancel *cancel)
{
	struct sigaction act = {.sa_handler = on_stop, .sa_flags = SA_RESTART};

	if (cancel)
		cancel_fd(cancel); /* made here, because a handler cannot make it */
	atomic_store(&asked, cancel);
	sigemptyset(&act.sa_mask);
	sigaction(SIGINT, &act, NULL);
	sigaction(SIGTERM, &act, NULL);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN); /* a write fails at the limit, and that is told */
}
