#include "core/media/media_cache_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base/vec.h"
#include "core/base/xmalloc.h"

#define TEMP_SECONDS  3600      /* nobody writes one entry for so long */
#define USED_SECONDS  3600      /* how exactly the last use is kept */
#define ENTRIES_MAX   (1 << 20) /* looked at in one go */

static bool is_ours(int fd, struct stat *st)
{
	return fstat(fd, st) == 0 && S_ISREG(st->st_mode) && st->st_uid == geteuid();
}

static bool read_all(int fd, size_t n, struct buf *out)
{
	char *to = buf_reserve(out, n);
	ssize_t k;

	if (!to)
		return false;
	while (n > 0) {
		k = read(fd, to, n);
		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			return false;
		to += k;
		n -= (size_t)k;
		out->n += (size_t)k;
	}
	return true;
}

/* The time of change is the time of the last use: the age by which entries go. */
static void touch(int fd, const struct stat *st)
{
	if (time(NULL) - st->st_mtime > USED_SECONDS)
		futimens(fd, NULL);
}

bool media_cache_read_file(const char *path, struct buf *out)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat st;
	bool good;

	if (fd < 0)
		return false;
	good = is_ours(fd, &st) && st.st_size > 0 && (uint64_t)st.st_size < out->max &&
	       read_all(fd, (size_t)st.st_size, out);
	if (good)
		touch(fd, &st);
	close(fd);
	return good;
}

static int write_all(int fd, struct str s)
{
	while (s.n) {
		ssize_t k = write(fd, s.p, s.n);

		if (k < 0 && errno == EINTR)
			continue;
		if (k < 0)
			return errno;
		s.p += k;
		s.n -= (size_t)k;
	}
	return 0;
}

int media_cache_write_file(const char *temp, const char *path, struct str head, struct str body)
{
	char *name = xasprintf("%sXXXXXX", temp);
	int fd = mkostemp(name, O_CLOEXEC), rc;

	if (fd < 0) {
		rc = errno;
		free(name);
		return rc;
	}
	rc = write_all(fd, head);
	if (rc == 0)
		rc = write_all(fd, body);
	if (close(fd) != 0 && rc == 0)
		rc = errno;
	if (rc == 0 && rename(name, path) != 0)
		rc = errno;
	if (rc)
		unlink(name);
	free(name);
	return rc;
}

/* --- the ceiling --- */

struct found {
	char *name;
	time_t used;
	uint64_t bytes;
};

struct found_list {
	VEC(struct found) found;
	uint64_t bytes;
};

static bool starts(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

static void look_at(int dir, const char *name, time_t now, struct found_list *list)
{
	struct stat st;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(st.st_mode))
		return;
	if (starts(name, CACHE_TEMP) && now - st.st_mtime > TEMP_SECONDS) {
		unlinkat(dir, name, 0);
	} else if (str_ends(str_z(name), STR(CACHE_SUFFIX)) && list->found.n < ENTRIES_MAX) {
		struct found f = {xstrdup(name), st.st_mtime, (uint64_t)st.st_size};

		vec_push(&list->found, f);
		list->bytes += f.bytes;
	}
}

static int by_age(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	if (x->used != y->used)
		return x->used < y->used ? -1 : 1;
	return strcmp(x->name, y->name);
}

uint64_t media_cache_trim(const char *dir, uint64_t max)
{
	DIR *d = opendir(dir);
	struct found_list list = {.bytes = 0};
	struct dirent *e;
	time_t now = time(NULL);

	if (!d)
		return 0;
	while ((e = readdir(d)))
		look_at(dirfd(d), e->d_name, now, &list);
	if (list.bytes > max) {
		qsort(list.found.v, list.found.n, sizeof *list.found.v, by_age);
		for (size_t i = 0; i < list.found.n && list.bytes > max - max / 5; i++)
			if (unlinkat(dirfd(d), list.found.v[i].name, 0) == 0)
				list.bytes -= list.found.v[i].bytes;
	}
	for (size_t i = 0; i < list.found.n; i++)
		free(list.found.v[i].name);
	vec_release(&list.found);
	closedir(d);
	return list.bytes;
}
