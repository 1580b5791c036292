#include "tui/place.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/path.h"
#include "core/base/xmalloc.h"
#include "core/text/input.h"

#define PLACES_MAX ((size_t)1 << 20)

static char *file_of(const char *uuid, bool make)
{
	char *state = path_xdg(PATH_STATE), *dir, *file = NULL;
	struct err err = ERR_INIT;

	if (!state)
		return NULL;
	dir = path_join(state, STR("places"));
	if (!make || path_mkdirs(dir, &err) == OK)
		file = path_join(dir, str_z(uuid));
	free(dir);
	free(state);
	return file;
}

static bool read_all(const char *file, struct buf *out)
{
	struct input in;
	struct err err = ERR_INIT;
	bool good;

	if (input_open(&in, file, &err) != OK)
		return false;
	good = input_all(&in, PLACES_MAX, out, &err) == OK;
	input_close(&in);
	return good;
}

char *place_view(const char *uuid)
{
	char *file = file_of(uuid, false), *view = NULL;
	struct buf text = BUF_INIT;
	struct str line, word;

	if (file && read_all(file, &text)) {
		str_cut(buf_view(&text), '\n', &line);
		line = str_cut(str_cut(line, '\t', &word), '\t', &word);
		if (line.n)
			view = xstrndup(line.p, line.n);
	}
	buf_release(&text);
	free(file);
	return view;
}

bool place_load(const char *uuid, const char *name, char **dataset, char **key)
{
	char *file = file_of(uuid, false);
	struct buf text = BUF_INIT;
	struct str rest, line;

	*dataset = *key = NULL;
	if (file && read_all(file, &text)) {
		for (rest = buf_view(&text); rest.p && rest.n && !*dataset;) {
			struct str head, tail;

			rest = str_cut(rest, '\n', &line);
			tail = str_cut(line, '\t', &head);
			if (!tail.p || (name && !str_eqz(head, name)))
				continue;
			str_cut(tail, '\t', &tail);
			*dataset = xstrndup(head.p, head.n);
			*key = xstrndup(tail.p, tail.n);
		}
	}
	buf_release(&text);
	free(file);
	return *dataset != NULL;
}

static bool plain(struct str s)
{
	return s.n && !memchr(s.p, '\n', s.n) && !memchr(s.p, '\t', s.n);
}

/* The new line, then the old ones of other datasets. */
static void compose(struct str old, const char *dataset, struct str key, const char *view,
		    struct buf *out)
{
	struct str line, head;

	buf_printf(out, "%s\t", dataset);
	buf_str(out, key);
	buf_printf(out, "\t%s\n", view);
	while (old.p && old.n) {
		old = str_cut(old, '\n', &line);
		str_cut(line, '\t', &head);
		if (!line.n || str_eqz(head, dataset))
			continue;
		buf_str(out, line);
		buf_ch(out, '\n');
	}
}

/* By a new file and a rename, so that a crash leaves the old one. */
static void write_all(const char *file, struct str text)
{
	char *fresh = xasprintf("%s.%ld", file, (long)getpid());
	int fd = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd >= 0) {
		bool good = write(fd, text.p, text.n) == (ssize_t)text.n;

		if (close(fd) != 0 || !good || rename(fresh, file) != 0)
			unlink(fresh);
	}
	free(fresh);
}

void place_save(const char *uuid, const char *dataset, struct str key, const char *view)
{
	char *file;
	struct buf old = BUF_INIT, text = {.max = PLACES_MAX};

	if (!plain(str_z(dataset)) || !plain(key) || !(file = file_of(uuid, true)))
		return;
	read_all(file, &old);
	compose(buf_view(&old), dataset, key, view, &text);
	if (!text.failed && !str_eq(buf_view(&text), buf_view(&old)))
		write_all(file, buf_view(&text));
	buf_release(&old);
	buf_release(&text);
	free(file);
}
