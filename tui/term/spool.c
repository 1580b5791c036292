#include "tui/term/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

static int memory(void)
{
#ifdef MFD_CLOEXEC
	return memfd_create("screen", MFD_CLOEXEC);
#else
	errno = ENOSYS;
	return -1;
#endif
}

FILE *spool_open(void)
{
	int fd = memory();
	FILE *f;

	if (fd < 0) {
		f = tmpfile();
		if (f)
			fcntl(fileno(f), F_SETFD, FD_CLOEXEC);
		return f;
	}
	f = fdopen(fd, "w+");
	if (!f)
		close(fd);
	return f;
}

bool spool_take(FILE *spool, struct buf *out)
{
	int fd = fileno(spool);
	off_t end = lseek(fd, 0, SEEK_CUR), at = 0;
	char bytes[16384];

	while (at < end) {
		ssize_t n = pread(fd, bytes, sizeof bytes, at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		buf_put(out, bytes, (size_t)n);
		at += n;
	}
	return lseek(fd, 0, SEEK_SET) == 0 && ftruncate(fd, 0) == 0 && end >= 0 && at == end;
}
