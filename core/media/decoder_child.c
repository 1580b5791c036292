#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/media/decoder_wire.h"

#define MEMORY_MAX  ((rlim_t)1280 << 20) /* 100 million pixels with alpha, and the file */
#define CPU_SECONDS 10                   /* for one picture */
#define FILES_MAX   16

/* Sanitizers reserve terabytes of address space. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

static void limit(int what, rlim_t most)
{
	struct rlimit l = {most, most};

	setrlimit(what, &l);
}

static void confine(int fd)
{
#ifdef SYS_close_range
	syscall(SYS_close_range, (unsigned)fd + 1, ~0u, 0);
#endif
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
#ifndef SANITIZED
	limit(RLIMIT_AS, MEMORY_MAX);
#endif
	limit(RLIMIT_NOFILE, FILES_MAX);
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_FSIZE, 0);
	limit(RLIMIT_NPROC, 0);
}

/* The limit counts from the start of the process, so it moves on with each picture. */
static void grant_cpu(void)
{
	struct rusage used;
	struct rlimit l;

	if (getrusage(RUSAGE_SELF, &used) != 0 || getrlimit(RLIMIT_CPU, &l) != 0)
		return;
	l.rlim_cur = (rlim_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec + 2 + CPU_SECONDS);
	setrlimit(RLIMIT_CPU, &l);
}

/* The next request and its file; false at the end of the conversation. */
static bool take_request(int fd, struct decoder_request *rq, int *file)
{
	union decoder_control control;
	struct iovec part = {rq, sizeof *rq};
	struct msghdr msg = {.msg_iov = &part,
			     .msg_iovlen = 1,
			     .msg_control = control.bytes,
			     .msg_controllen = sizeof control.bytes};
	struct cmsghdr *c;
	ssize_t n;

	do
		n = recvmsg(fd, &msg, MSG_CMSG_CLOEXEC | MSG_WAITALL);
	while (n < 0 && errno == EINTR);
	c = n > 0 ? CMSG_FIRSTHDR(&msg) : NULL;
	if (n != (ssize_t)sizeof *rq || rq->magic != DECODER_MAGIC || !c)
		return false;
	if (c->cmsg_type != SCM_RIGHTS || c->cmsg_len != CMSG_LEN(sizeof *file))
		return false;
	memcpy(file, CMSG_DATA(c), sizeof *file);
	return true;
}

static bool send_all(int fd, const void *data, size_t n)
{
	const char *p = data;

	while (n > 0) {
		ssize_t sent = send(fd, p, n, MSG_NOSIGNAL);

		if (sent < 0 && errno == EINTR)
			continue;
		if (sent <= 0)
			return false;
		p += sent;
		n -= (size_t)sent;
	}
	return true;
}

static enum status decode_file(int file, const struct decode_want *want, struct decoded *out,
			       struct err *err)
{
	struct buf bytes = {.max = MEDIA_MAX_BYTES + 1};
	struct stat st;
	enum status rc;

	if (fstat(file, &st) != 0)
		return err_errno(err, errno, "cannot read the picture");
	rc = read_file(file, (uint64_t)st.st_size, NULL, &bytes, err);
	if (rc == OK)
		rc = decode_bytes(buf_view(&bytes), want, out, err);
	buf_release(&bytes);
	return rc;
}

static bool answer(int fd, int file, const struct decode_want *want)
{
	struct decoder_reply r = {.magic = DECODER_MAGIC};
	struct decoded d = {.step = 1};
	struct err err = ERR_INIT;
	bool sent;

	r.status = decode_file(file, want, &d, &err);
	r.partial = d.partial;
	r.step = d.step;
	r.w = d.px.w;
	r.h = d.px.h;
	snprintf(r.message, sizeof r.message, "%s", err.msg);
	sent = send_all(fd, &r, sizeof r) &&
	       (r.status != OK || send_all(fd, d.px.rgb, (size_t)d.px.w * d.px.h * 3));
	pixels_release(&d.px);
	return sent;
}

int decoder_main(int fd)
{
	struct decoder_request rq;
	int file;

	confine(fd);
	while (take_request(fd, &rq, &file)) {
		bool sent;

		grant_cpu();
		sent = answer(fd, file, &rq.want);
		close(file);
		if (!sent)
			break;
	}
	return 0;
}
