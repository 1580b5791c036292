#include "tests/unit/lib_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/xmalloc.h"

static void must(bool ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	abort();
}

char *temp_file(struct str bytes)
{
	const char *dir = getenv("TMPDIR");
	char *path = xasprintf("%s/qualm-test-XXXXXX", dir ? dir : "/tmp");
	int fd = mkstemp(path);

	must(fd >= 0, path);
	must(bytes.n == 0 || write(fd, bytes.p, bytes.n) == (ssize_t)bytes.n, path);
	close(fd);
	return path;
}

void open_text(struct input *in, struct str bytes, size_t block_size)
{
	char *path = temp_file(bytes);
	struct err err = ERR_INIT;

	must(input_open(in, path, &err) == OK, err.msg);
	in->path = "test";
	in->block_size = block_size;
	unlink(path);
	free(path);
}
