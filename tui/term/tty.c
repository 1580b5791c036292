#include <errno.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tui/term/backend.h"

#define WRITE_PATIENCE_MS 10000

/* The one thing that must be reachable without a pointer: a crash has none. Written before fd is
 * set and after it is cleared, read by handlers only when fd says so. */
static struct {
	volatile int fd; /* 0 = nothing to restore */
	struct termios modes;
	char bytes[256];
	size_t n;
} restore;

void tty_set_restore(int fd, const struct termios *modes, const char *bytes, size_t n)
{
	restore.fd = 0;
	restore.modes = *modes;
	restore.n = n < sizeof restore.bytes ? n : 0;
	memcpy(restore.bytes, bytes, restore.n);
	restore.fd = fd;
}

void tty_clear_restore(void)
{
	restore.fd = 0;
}

void term_restore(void)
{
	int fd = restore.fd, saved = errno;
	ssize_t k;

	if (!fd)
		return;
	restore.fd = 0;
	k = write(fd, restore.bytes, restore.n);
	(void)k; /* nothing can be done about it here */
	tcsetattr(fd, TCSANOW, &restore.modes);
	errno = saved;
}

bool tty_write(int fd, const char *p, size_t n)
{
	while (n) {
		ssize_t k = write(fd, p, n);
		struct pollfd q = {fd, POLLOUT, 0};

		if (k > 0) {
			p += k;
			n -= (size_t)k;
		} else if (k < 0 && errno != EINTR && errno != EAGAIN) {
			return false;
		} else if (poll(&q, 1, WRITE_PATIENCE_MS) == 0) {
			return false;
		}
	}
	return true;
}

void tty_raw(const struct termios *before, struct termios *out)
{
	*out = *before;
	out->c_iflag &= ~(tcflag_t)(BRKINT | ICRNL | IGNCR | INLCR | INPCK | ISTRIP | IXON | PARMRK);
	out->c_oflag &= ~(tcflag_t)OPOST;
	out->c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON | IEXTEN | ISIG);
	out->c_cc[VMIN] = 1;
	out->c_cc[VTIME] = 0;
}

void tty_size(int fd, int *h, int *w, int *px_h, int *px_w)
{
	struct winsize ws = {0};

	if (ioctl(fd, TIOCGWINSZ, &ws) != 0 || !ws.ws_row || !ws.ws_col)
		return;
	*h = ws.ws_row;
	*w = ws.ws_col;
	*px_h = ws.ws_ypixel;
	*px_w = ws.ws_xpixel;
}
