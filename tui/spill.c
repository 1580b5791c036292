#include "tui/spill.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#define ENOUGH  65536
#define LOOK_MS 200 /* between two looks at the cancel */

/* Only so many bytes are sure not to block where poll() says that a pipe has room. */
#define AT_ONCE (PIPE_BUF < 4096 ? PIPE_BUF : 4096)

void spill_open(struct spill *s, FILE *out, const struct cancel *cancel)
{
	struct stat st;
	bool waits = fstat(fileno(out), &st) == 0 && !S_ISREG(st.st_mode);

	*s = (struct spill){.in = out, .out = out, .most = SPILL_MOST, .cancel = cancel};
	if (waits)
		s->in = tmpfile();
	if (!s->in)
		s->in = out;
}

static enum status taken(struct spill *s, int64_t n, struct err *err)
{
	s->at += n;
	if (n >= 0)
		return OK;
	return err_errno(err, errno, "the rows cannot be written");
}

/* Is there room at the reader's? patient: waits for it. */
static enum status has_room(struct spill *s, bool patient, bool *room, struct err *err)
{
	struct pollfd q = {fileno(s->out), POLLOUT, 0};
	enum status st = OK;
	int n;

	do
		n = poll(&q, 1, patient ? LOOK_MS : 0);
	while (n <= 0 && patient && (st = cancel_check(s->cancel, err)) == OK);
	*room = n > 0;
	return st;
}

static enum status step(struct spill *s, int64_t end, struct err *err)
{
	char bytes[AT_ONCE];
	int64_t left = end - s->at, n;

	n = pread(fileno(s->in), bytes, left < (int64_t)sizeof bytes ? (size_t)left : sizeof bytes,
		  (off_t)s->at);
	if (n > 0)
		n = write(fileno(s->out), bytes, (size_t)n);
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return OK;
	if (n == 0) {
		errno = EIO;
		n = -1;
	}
	return taken(s, n, err);
}

/* keep: so much may be left behind. */
static enum status move(struct spill *s, int64_t keep, struct err *err)
{
	int64_t end = ftello(s->in);
	enum status st = OK;
	bool room = true;

	if (fflush(s->in) != 0 || end < 0)
		return taken(s, -1, err);
	while (st == OK && s->at < end && room) {
		st = has_room(s, end - s->at > keep, &room, err);
		if (st == OK && room)
			st = step(s, end, err);
	}
	if (st == OK && s->at == end) { /* what has been taken needs no disk */
		rewind(s->in);
		s->at = 0;
		if (ftruncate(fileno(s->in), 0) != 0)
			st = taken(s, -1, err);
	}
	return st;
}

enum status spill_move(struct spill *s, struct err *err)
{
	if (s->in == s->out || ftello(s->in) - s->at < ENOUGH)
		return OK;
	return move(s, s->most, err);
}

enum status spill_end(struct spill *s, struct err *err)
{
	return s->in == s->out ? OK : move(s, 0, err);
}

void spill_release(struct spill *s)
{
	if (s->in && s->in != s->out)
		fclose(s->in);
	s->in = s->out = NULL;
}
