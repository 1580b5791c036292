#include "tui/loop.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

/* Signals arrive at any moment and can only write a byte: the number of the signal. */
static int signal_pipe[2] = {-1, -1};

static const int caught[] = {SIGWINCH, SIGTERM, SIGHUP, SIGINT, SIGTSTP, SIGCONT};
enum { N_CAUGHT = sizeof caught / sizeof *caught };

static void on_signal(int signo)
{
	int saved = errno;
	char c = (char)signo;

	if (write(signal_pipe[1], &c, 1) < 0)
		errno = saved; /* full: something is waiting there already */
	errno = saved;
}

static enum status catch_signals(struct sigaction old[N_CAUGHT], struct err *err)
{
	struct sigaction act = {.sa_handler = on_signal, .sa_flags = SA_RESTART};

	if (pipe2(signal_pipe, O_CLOEXEC | O_NONBLOCK) != 0)
		return err_errno(err, errno, "cannot make a pipe for signals");
	sigemptyset(&act.sa_mask);
	for (int i = 0; i < N_CAUGHT; i++)
		sigaction(caught[i], &act, &old[i]);
	return OK;
}

static void release_signals(const struct sigaction old[N_CAUGHT])
{
	for (int i = 0; i < N_CAUGHT; i++)
		sigaction(caught[i], &old[i], NULL);
	close(signal_pipe[0]);
	close(signal_pipe[1]);
	signal_pipe[0] = signal_pipe[1] = -1;
}

static void take_signal(struct app *app, int signo)
{
	switch (signo) {
	case SIGWINCH:
		term_resized(app->term);
		app_resize(app);
		break;
	case SIGTSTP:
		term_suspend(app->term);
		app->dirty = true;
		break;
	case SIGCONT:
		term_redraw(app->term);
		app->dirty = true;
		break;
	default:
		app->quit = true;
	}
}

static void take_signals(struct app *app)
{
	char c[64];
	ssize_t n;

	while ((n = read(signal_pipe[0], c, sizeof c)) > 0)
		for (ssize_t i = 0; i < n; i++)
			take_signal(app, c[i]);
}

static enum status take_input(struct app *app, struct err *err)
{
	bool changed = false;
	uint32_t key;
	enum status st = term_input(app->term, &changed, err);

	if (st != OK)
		return st;
	if (changed)
		app_caps(app);
	while (!app->quit && (key = term_key(app->term)) != KEY_NONE_)
		app_key(app, key);
	return OK;
}

/* What the line carries changes with every picture that it has carried. */
static void follow_line(struct app *app)
{
	struct placed_picture shown;

	term_shown(app->term, &shown);
	pictures_budget(app->pictures, term_picture_bytes(app->term), shown.id);
}

static int sooner(int a, int b)
{
	return a < 0 ? b : b < 0 || a < b ? a : b;
}

enum status loop_run(struct app *app, struct err *err)
{
	struct sigaction old[N_CAUGHT];
	enum status st = catch_signals(old, err);

	if (st != OK)
		return st;
	while (!app->quit) {
		struct pollfd fd[4] = {{term_fd(app->term), 0, 0},
				       {pool_fd(app->pool), POLLIN, 0},
				       {signal_pipe[0], POLLIN, 0},
				       {-1, POLLIN, 0}};
		int wait = grow_tick(app, app_clock()), n;

		wait = sooner(wait, edit_tick(app, app_clock()));
		fd[3].fd = grow_fd(app);
		follow_line(app);
		if (app->dirty)
			app_draw(app, app_clock());
		fd[0].events = term_events(app->term);
		wait = sooner(wait, app_rest(app, app_clock()));
		wait = sooner(wait, choice_tick(app, app_clock()));
		wait = sooner(wait, ask_filter_tick(app, app_clock()));
		wait = sooner(wait, pictures_tick(app->pictures, app_clock()));
		wait = sooner(wait, term_timeout(app->term));
		wait = sooner(wait, app->wake_ms);
		n = poll(fd, 4, wait);
		if (fd[2].revents && n > 0)
			take_signals(app);
		/* After a timeout too: a lone ESC is a key by then. */
		if ((st = take_input(app, err)) != OK)
			break;
		if (fd[1].revents && n > 0)
			pool_reap(app->pool);
		if (n == 0 || (n > 0 && fd[1].revents))
			app->dirty = true;
	}
	release_signals(old);
	return st;
}
