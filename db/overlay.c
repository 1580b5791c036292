#include "db/overlay.h"

#include <stdlib.h>
#include <unistd.h>

#include "core/base/path.h"
#include "core/base/xmalloc.h"
#include "db/conn_impl.h"

static enum status open_at(struct conn *c, const char *dir, bool create, struct err *err)
{
	char *path = xasprintf("%s/%s.qualm", dir, c->uuid);
	enum status st = OK;

	if (!create && access(path, F_OK) != 0)
		goto out;
	if (create)
		st = path_mkdirs(dir, err);
	if (st == OK)
		st = conn_open(&c->overlay, path, CONN_CREATE, err);
	if (st == OK) {
		conn_set_wait(c->overlay, c->wait, c->wait_ctx);
		conn_hurry(c->overlay, c->hurry);
	}
out:
	free(path);
	return st;
}

enum status overlay_open(struct conn *c, bool create, struct conn **out, struct err *err)
{
	enum status st = OK;
	char *dir;

	if (!c->overlay) {
		dir = path_xdg(PATH_DATA);
		if (dir)
			st = open_at(c, dir, create, err);
		else if (create)
			st = err_set(err, E_IO, "there is no home folder to keep your settings in");
		free(dir);
	}
	*out = c->overlay;
	return st;
}
