/*
 * The decode process, both ends. The parent passes an open file and what it wants; the child
 * answers with a status and pixels that are already reduced. Request and reply are plain structs,
 * as both ends are the same program. What comes back is not trusted: a picture that took the
 * child over must gain nothing by it.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/base/xmalloc.h"
#include "core/media/decode.h"
#include "core/media/decoder_wire.h"

#define WAIT_SECONDS 20 /* for one picture, before the child is given up */
#define POLL_MS      25 /* how soon a cancel is seen that has no descriptor */

extern char **environ;

struct decoder {
	char *self;
	pthread_mutex_t lock; /* one request at a time; guards what follows */
	pid_t pid;            /* 0: not running */
	int sock;
};

struct decoder *decoder_new(const char *self_exe)
{
	struct decoder *d = xcalloc(1, sizeof *d);

	d->self = xstrdup(self_exe);
	d->sock = -1;
	pthread_mutex_init(&d->lock, NULL);
	return d;
}

/* --- starting and ending; the lock is held --- */

static void stop(struct decoder *d)
{
	if (d->sock >= 0)
		close(d->sock);
	d->sock = -1;
	if (d->pid > 0) {
		kill(d->pid, SIGKILL);
		while (waitpid(d->pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	d->pid = 0;
}

/* Its own group and no terminal: neither Ctrl-C nor a message of a library reaches the screen. */
static int spawn(struct decoder *d, int sock)
{
	char fd[] = "3", flag[] = "--decode-process";
	char *argv[] = {d->self, flag, fd, NULL};
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t none, all;
	int rc;

	sigemptyset(&none);
	sigfillset(&all);
	posix_spawn_file_actions_init(&files);
	posix_spawnattr_init(&attr);
	posix_spawn_file_actions_adddup2(&files, sock, DECODER_FD);
	posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setsigdefault(&attr, &all);
	posix_spawnattr_setpgroup(&attr, 0);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
					    POSIX_SPAWN_SETPGROUP);
	rc = posix_spawn(&d->pid, d->self, &files, &attr, argv, environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	return rc;
}

static enum status start(struct decoder *d, struct err *err)
{
	int pair[2], rc;

	if (d->pid > 0)
		return OK;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
		return err_errno(err, errno, "cannot start the decode process");
	rc = spawn(d, pair[1]);
	close(pair[1]);
	if (rc) {
		close(pair[0]);
		d->pid = 0;
		return err_errno(err, rc, "cannot start the decode process");
	}
	d->sock = pair[0];
	return OK;
}

void decoder_free(struct decoder *d)
{
	if (!d)
		return;
	stop(d);
	pthread_mutex_destroy(&d->lock);
	free(d->self);
	free(d);
}

/* --- one exchange --- */

struct exchange {
	struct decoder *d;
	const struct cancel *cancel;
	struct timespec deadline;
};

/* The child went away in the middle; not a code that leaves this file. */
#define GONE ((enum status) - 1)

static struct timespec after(clockid_t clock, int ms)
{
	struct timespec t;

	clock_gettime(clock, &t);
	t.tv_sec += ms / 1000;
	t.tv_nsec += (long)(ms % 1000) * 1000000;
	if (t.tv_nsec >= 1000000000) {
		t.tv_nsec -= 1000000000;
		t.tv_sec++;
	}
	return t;
}

static bool is_over(const struct timespec *deadline)
{
	struct timespec now = after(CLOCK_MONOTONIC, 0);

	return now.tv_sec > deadline->tv_sec ||
	       (now.tv_sec == deadline->tv_sec && now.tv_nsec >= deadline->tv_nsec);
}

/* Wait for bytes of the child, a cancel, or the deadline. */
static enum status wait_readable(struct exchange *x, struct err *err)
{
	int cancel_at = x->cancel ? x->cancel->fd[0] : -1;
	struct pollfd p[2] = {{x->d->sock, POLLIN, 0}, {cancel_at, POLLIN, 0}};

	for (;;) {
		int n = poll(p, 2, cancel_at < 0 ? POLL_MS : 1000);

		if (cancel_is(x->cancel))
			return cancel_check(x->cancel, err);
		if (n > 0 && p[0].revents)
			return OK;
		if (is_over(&x->deadline))
			return err_set(err, E_LIMIT,
				       "the picture took more than %d seconds to decode",
				       WAIT_SECONDS);
	}
}

static enum status receive(struct exchange *x, void *to, size_t n, struct err *err)
{
	char *p = to;

	while (n > 0) {
		enum status rc = wait_readable(x, err);
		ssize_t got;

		if (rc)
			return rc;
		got = recv(x->d->sock, p, n, MSG_DONTWAIT);
		if (got < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (got <= 0)
			return GONE;
		p += got;
		n -= (size_t)got;
	}
	return OK;
}

/* The child's words, as far as they are text. */
static enum status refuse(const struct decoder_reply *r, struct err *err)
{
	char text[sizeof r->message];
	size_t n = 0;

	for (; n + 1 < sizeof text && r->message[n]; n++) {
		unsigned char c = (unsigned char)r->message[n];

		text[n] = c < ' ' || c == 0x7f ? '?' : (char)c;
	}
	text[n] = '\0';
	switch (r->status) {
	case E_MEMORY:
	case E_IO:
	case E_FORMAT:
	case E_LIMIT:
	case E_UNSUPPORTED:
		return err_set(err, (enum status)r->status, "%s", text);
	default:
		return err_set(err, E_FORMAT, "the decode process gave a senseless answer");
	}
}

static enum status take_reply(struct exchange *x, struct decoded *out, struct err *err)
{
	struct decoder_reply r;
	enum status rc = receive(x, &r, sizeof r, err);

	if (rc)
		return rc;
	if (r.status != OK || r.magic != DECODER_MAGIC)
		return refuse(&r, err);
	rc = pixels_alloc(&out->px, r.w, r.h, err); /* knows the ceilings */
	if (rc)
		return rc;
	rc = receive(x, out->px.rgb, (size_t)r.w * r.h * 3, err);
	if (rc)
		pixels_release(&out->px);
	out->step = r.step;
	out->partial = r.partial != 0;
	return rc;
}

static enum status send_request(struct decoder *d, int file, const struct decode_want *want)
{
	struct decoder_request rq = {DECODER_MAGIC, *want};
	union decoder_control control;
	struct iovec part = {&rq, sizeof rq};
	struct msghdr msg = {.msg_iov = &part,
			     .msg_iovlen = 1,
			     .msg_control = control.bytes,
			     .msg_controllen = sizeof control.bytes};
	struct cmsghdr *c;
	ssize_t n;

	memset(&control, 0, sizeof control);
	c = CMSG_FIRSTHDR(&msg);
	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof file);
	memcpy(CMSG_DATA(c), &file, sizeof file);
	do
		n = sendmsg(d->sock, &msg, MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)sizeof rq ? OK : GONE;
}

/* Whatever is not a picture ends the child: what is left of its answer would be taken for the next
 * picture's, and a damaged file may have damaged it. */
static enum status converse(struct exchange *x, int file, const struct decode_want *want,
			    struct decoded *out, struct err *err)
{
	struct err refusal = ERR_INIT;
	enum status rc = start(x->d, err);

	if (rc)
		return rc;
	rc = send_request(x->d, file, want);
	if (rc == OK)
		rc = take_reply(x, out, &refusal);
	if (rc)
		stop(x->d);
	if (rc && rc != GONE)
		*err = refusal;
	return rc;
}

/* Other workers' pictures may take long: a cancel must be seen while waiting for them, too. */
static enum status lock(struct decoder *d, const struct cancel *cancel, struct err *err)
{
	for (;;) {
		struct timespec soon = after(CLOCK_REALTIME, POLL_MS);
		enum status rc = cancel_check(cancel, err);

		if (rc)
			return rc;
		if (pthread_mutex_timedlock(&d->lock, &soon) == 0)
			return OK;
	}
}

enum status decoder_decode(struct decoder *d, int file, const struct decode_want *want,
			   const struct cancel *cancel, struct decoded *out, struct err *err)
{
	struct exchange x = {.d = d, .cancel = cancel};
	enum status rc = lock(d, cancel, err);

	if (rc)
		return rc;
	x.deadline = after(CLOCK_MONOTONIC, WAIT_SECONDS * 1000);
	rc = converse(&x, file, want, out, err);
	if (rc == GONE) /* it may have died before this picture: once more with a new one */
		rc = converse(&x, file, want, out, err);
	if (rc == GONE)
		rc = err_set(err, E_FORMAT, "the picture made the decode process end");
	pthread_mutex_unlock(&d->lock);
	return rc;
}
