#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "core/base/path.h"
#include "core/base/xmalloc.h"
#include "core/media/media.h"
#include "core/text/archive.h"
#include "core/net/net.h"
#include "db/conn.h"
#include "tui/config.h"
#include "tui/doctor.h"
#include "tui/keymap.h"

#define KEYS_MAX ((size_t)1 << 20)

/* --- folders --- */

/* The nearest part of the path that is there. */
static char *existing(const char *path)
{
	char *p = xstrdup(path);

	while (access(p, F_OK) != 0 && strchr(p, '/')) {
		struct str up = path_dir(str_z(p));
		char *q = xstrndup(up.p, up.n);

		if (strcmp(p, q) == 0) {
			free(q);
			break;
		}
		free(p);
		p = q;
	}
	return p;
}

static void folder(struct doctor *d, const char *about, const char *path, const char *without)
{
	char *there = existing(path);
	struct stat st;

	if (stat(there, &st) == 0 && !S_ISDIR(st.st_mode))
		doctor_say(d, FINDING_FIX, about, "%s is no folder, so %s", there, without);
	else if (access(there, W_OK | X_OK) != 0)
		doctor_say(d, FINDING_NOTE, about, "%s cannot be written (%s), so %s", there,
			   strerror(errno), without);
	else if (strcmp(there, path) != 0)
		doctor_say(d, FINDING_OK, about, "%s, made when it is needed", path);
	else
		doctor_say(d, FINDING_OK, about, "%s", path);
	free(there);
}

static void xdg_folder(struct doctor *d, const char *about, enum path_kind kind, const char *without)
{
	char *path = path_xdg(kind);

	if (path)
		folder(d, about, path, without);
	else
		doctor_say(d, FINDING_NOTE, about, "there is no home folder (HOME), so %s", without);
	free(path);
}

/* --- settings --- */

static void settings(struct doctor *d, const struct cli *cli)
{
	struct config config;
	struct err err = ERR_INIT;
	char *dir = path_xdg(PATH_CONFIG), *file = NULL;

	if (config_load(&config, cli->config, &err) != OK) {
		doctor_say(d, FINDING_FIX, "config", "%s", err.msg);
	} else {
		file = cli->config ? xstrdup(cli->config) : dir ? path_join(dir, STR("config")) : NULL;
		if (file)
			doctor_say(d, FINDING_OK, "config", "%s%s", file,
				   access(file, F_OK) == 0 ? "" : ", not there (none is needed)");
		config_release(&config);
	}
	free(file);
	free(dir);
}

static bool read_all(const char *path, struct buf *out)
{
	FILE *f = fopen(path, "re");
	char block[4096];
	size_t n;

	out->max = KEYS_MAX;
	while (f && (n = fread(block, 1, sizeof block, f)) > 0)
		buf_put(out, block, n);
	if (f)
		fclose(f);
	return f && !out->failed;
}

static void keys(struct doctor *d)
{
	char *dir = path_xdg(PATH_CONFIG), *file = dir ? path_join(dir, STR("keys")) : NULL;
	struct buf text = BUF_INIT, problems = BUF_INIT;
	struct keymap map = {0};

	if (file && read_all(file, &text)) {
		keymap_load(&map, default_keys, "default.keys", false, &problems);
		keymap_load(&map, buf_cstr(&text), file, true, &problems);
		keymap_check(&map, &problems);
		if (problems.n)
			doctor_say(d, FINDING_FIX, "keys", "%s", buf_cstr(&problems));
		else
			doctor_say(d, FINDING_OK, "keys", "%s", file);
		keymap_release(&map);
	}
	buf_release(&text);
	buf_release(&problems);
	free(file);
	free(dir);
}

static void libraries(struct doctor *d)
{
	struct err no_zip = ERR_INIT, no_net = ERR_INIT;
	struct buf b = BUF_INIT;

	media_libraries(&b);
	if (!archive_check(&no_zip))
		buf_printf(&b, ", libzip %s", archive_library());
	if (!net_check(&no_net))
		buf_printf(&b, ", %s", net_library());
	doctor_say(d, FINDING_OK, "libraries", "%s, SQLite %s, %s", term_library(), conn_library(),
		   buf_cstr(&b));
	if (no_net.code)
		doctor_say(d, FINDING_NOTE, "models", "none can be asked: %s", no_net.msg);
	if (*media_missing())
		doctor_say(d, FINDING_NOTE, "formats", "built without %s: a card stands for them",
			   media_missing());
	if (no_zip.code)
		doctor_say(d, FINDING_NOTE, "archives",
			   "workbooks (.xlsx) and logs of Inspect AI (.eval) cannot be imported: %s",
			   no_zip.msg);
	buf_release(&b);
}

void doctor_files(struct doctor *d, const struct cli *cli)
{
	settings(d, cli);
	keys(d);
	if (cli->cache_dir)
		folder(d, "cache", cli->cache_dir, "pictures are made anew each time");
	else
		xdg_folder(d, "cache", PATH_CACHE, "pictures are made anew each time");
	xdg_folder(d, "state", PATH_STATE, "a project opens at its beginning");
	xdg_folder(d, "data", PATH_DATA, "notes on read-only projects cannot be kept");
	libraries(d);
}

/* --- a project --- */

static const char *network(const char *path)
{
	static const struct {
		unsigned long type;
		const char *name;
	} known[] = {{0x6969, "NFS"},           {0xff534d42, "SMB"},    {0xfe534d42, "SMB"},
		     {0x517b, "SMB"},           {0x65735546, "FUSE"},   {0x01021997, "9P"},
		     {0x0bd00bd0, "Lustre"},    {0x00c36400, "Ceph"},   {0x47504653, "GPFS"},
		     {0x5346414f, "AFS"},       {0x19830326, "BeeGFS"}, {0x73757245, "Coda"}};
	struct statfs fs;

	if (statfs(path, &fs) != 0)
		return NULL;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (((unsigned long)fs.f_type & 0xffffffff) == known[i].type)
			return known[i].name;
	return NULL;
}

static void place(struct doctor *d, const char *path)
{
	const char *kind = network(path);

	if (kind)
		doctor_say(d, FINDING_NOTE, "file system",
			   "%s: works; opening and importing wait for the network", kind);
	else
		doctor_say(d, FINDING_OK, "file system", "on this machine");
}

void doctor_project(struct doctor *d, const char *path)
{
	struct err err = ERR_INIT;
	struct conn *c;

	if (conn_open(&c, path, CONN_READ, &err) != OK) {
		doctor_say(d, FINDING_FIX, "project", "%s", err.msg);
		return;
	}
	doctor_say(d, FINDING_OK, "project", "%s can be opened", path);
	place(d, path);
	if (conn_no_locks(c))
		doctor_say(d, FINDING_NOTE, "locks",
			   "there are none: one program at a time, and nothing can be imported here");
	conn_close(c);
	if (access(path, W_OK) != 0) {
		char *dir = path_xdg(PATH_DATA);

		doctor_say(d, FINDING_NOTE, "writing",
			   "the project is read-only: notes and tags go to %s", dir ? dir : "nowhere");
		free(dir);
	}
}
