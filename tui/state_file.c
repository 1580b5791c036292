#include "tui/state_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/path.h"
#include "core/base/xmalloc.h"
#include "core/text/input.h"

static char *file_of(const char *folder, const char *name, bool make)
{
	char *state = path_xdg(PATH_STATE), *dir, *file = NULL;
	struct err err = ERR_INIT;

	if (!state)
		return NULL;
	dir = path_join(state, str_z(folder));
	if (!make || path_mkdirs(dir, &err) == OK)
		file = path_join(dir, str_z(name));
	free(dir);
	free(state);
	return file;
}

bool state_file_read(const char *folder, const char *name, struct buf *out)
{
	char *file = file_of(folder, name, false);
	struct input in;
	struct err err = ERR_INIT;
	bool good = file && input_open(&in, file, &err) == OK;

	if (good) {
		good = input_all(&in, STATE_FILE_MAX, out, &err) == OK;
		input_close(&in);
	}
	free(file);
	return good;
}

void state_file_write(const char *folder, const char *name, struct str text)
{
	char *file = file_of(folder, name, true), *fresh;
	int fd;

	if (!file)
		return;
	fresh = xasprintf("%s.%ld", file, (long)getpid());
	fd = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd >= 0) {
		bool good = write(fd, text.p, text.n) == (ssize_t)text.n;

		if (close(fd) != 0 || !good || rename(fresh, file) != 0)
			unlink(fresh);
	}
	free(fresh);
	free(file);
}
