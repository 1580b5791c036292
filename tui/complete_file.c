#include "tui/complete_file.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "core/base/path.h"
#include "core/base/utf8.h"
#include "core/base/xmalloc.h"

#define NAMES_MAX 100000 /* of a folder that are looked at */

char *file_expand(struct str typed)
{
	const char *home = getenv("HOME");
	bool tilde = typed.n && typed.p[0] == '~' && (typed.n == 1 || typed.p[1] == '/');

	if (!tilde || !home || !*home)
		return xstrndup(typed.p ? typed.p : "", typed.n);
	return xasprintf("%s%.*s", home, (int)(typed.n - 1), typed.p + 1);
}

static bool is_folder(const char *dir, const char *name)
{
	char *path = path_join(dir, str_z(name));
	struct stat st;
	bool folder = stat(path, &st) == 0 && S_ISDIR(st.st_mode);

	free(path);
	return folder;
}

/* What all names that begin with `head` have in common; how many there are. */
static int common_of(const char *dir, struct str head, struct buf *common)
{
	DIR *d = opendir(dir);
	const struct dirent *e;
	int found = 0;

	for (int k = 0; d && k < NAMES_MAX && (e = readdir(d)); k++) {
		struct str name = str_z(e->d_name);
		size_t same = 0;

		if (!str_starts(name, head) || (name.p[0] == '.' && !head.n) || str_eqz(name, ".") ||
		    str_eqz(name, ".."))
			continue;
		if (!found++) {
			buf_str(common, name);
			continue;
		}
		while (same < common->n && same < name.n && common->p[same] == name.p[same])
			same++;
		common->n = same;
	}
	if (d)
		closedir(d);
	while (common->n && utf8_valid_prefix(buf_view(common)) < common->n)
		common->n--; /* names may part in the middle of a character */
	return found;
}

bool file_complete(struct str typed, struct buf *out)
{
	size_t slash = typed.n;
	struct buf common = BUF_INIT;
	struct str head, folder;
	char *dir, *name;
	int found;

	while (slash > 0 && typed.p[slash - 1] != '/')
		slash--;
	folder = (struct str){typed.p, slash};
	head = (struct str){typed.p + slash, typed.n - slash};
	dir = slash ? file_expand(folder) : xstrdup(".");
	found = common_of(dir, head, &common);
	if (found) {
		name = xstrndup(common.p, common.n);
		buf_str(out, folder);
		buf_z(out, name);
		if (found == 1 && is_folder(dir, name))
			buf_ch(out, '/');
		free(name);
	}
	free(dir);
	buf_release(&common);
	return found > 0;
}
