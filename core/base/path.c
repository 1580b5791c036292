#include "core/base/path.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "core/base/xmalloc.h"

struct str path_base(struct str path)
{
	const char *slash = path.n ? memrchr(path.p, '/', path.n) : NULL;

	if (!slash)
		return path;
	return (struct str){slash + 1, path.n - (size_t)(slash + 1 - path.p)};
}

struct str path_dir(struct str path)
{
	const char *slash = path.n ? memrchr(path.p, '/', path.n) : NULL;

	if (!slash)
		return STR(".");
	return (struct str){path.p, slash == path.p ? 1 : (size_t)(slash - path.p)};
}

struct str path_ext(struct str path)
{
	struct str base = path_base(path);
	const char *dot = base.n ? memrchr(base.p, '.', base.n) : NULL;

	if (!dot || dot == base.p)
		return (struct str){base.n ? base.p + base.n : base.p, 0};
	return (struct str){dot + 1, base.n - (size_t)(dot + 1 - base.p)};
}

struct str path_stem(struct str base)
{
	struct str ext = path_ext(base);

	return ext.n ? (struct str){base.p, base.n - ext.n - 1} : base;
}

char *path_join(const char *dir, struct str rest)
{
	size_t n = strlen(dir);

	if (rest.n && rest.p[0] == '/')
		return xstrndup(rest.p, rest.n);
	return xasprintf("%s%s%.*s", dir, n && dir[n - 1] != '/' ? "/" : "", (int)rest.n, rest.p);
}

bool path_is_inside(struct str rest)
{
	struct str part;

	if (rest.n == 0 || rest.p[0] == '/' || memchr(rest.p, '\0', rest.n))
		return false;
	while (rest.p) {
		rest = str_cut(rest, '/', &part);
		if (str_eq(part, STR("..")))
			return false;
	}
	return true;
}

char *path_real(const char *path, struct err *err)
{
	char *r = realpath(path, NULL);

	if (!r)
		err_errno(err, errno, "%s", path);
	return r;
}

bool path_same(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static enum status make_dir(const char *dir, struct err *err)
{
	struct stat s;

	if (mkdir(dir, 0700) == 0)
		return OK;
	if (errno == EEXIST && stat(dir, &s) == 0) {
		if (S_ISDIR(s.st_mode))
			return OK;
		errno = ENOTDIR;
	}
	return err_errno(err, errno, "cannot create the folder %s", dir);
}

enum status path_mkdirs(const char *dir, struct err *err)
{
	char *p = xstrdup(dir);
	enum status st = OK;

	if (!*p)
		st = err_set(err, E_USAGE, "a folder without a name");
	for (char *s = p + 1; st == OK; s++) {
		char c = *s;

		if (c != '/' && c != '\0')
			continue;
		*s = '\0';
		st = make_dir(p, err);
		*s = c;
		if (c == '\0')
			break;
	}
	free(p);
	return st;
}

char *path_xdg(enum path_kind kind)
{
	static const struct {
		const char *var, *below_home;
	} where[] = {
	    [PATH_CONFIG] = {"XDG_CONFIG_HOME", ".config"},
	    [PATH_CACHE] = {"XDG_CACHE_HOME", ".cache"},
	    [PATH_STATE] = {"XDG_STATE_HOME", ".local/state"},
	    [PATH_DATA] = {"XDG_DATA_HOME", ".local/share"},
	};
	const char *base = getenv(where[kind].var), *home = getenv("HOME");

	if (base && base[0] == '/')
		return xasprintf("%s/qualm", base);
	if (!home || home[0] != '/')
		return NULL;
	return xasprintf("%s/%s/qualm", home, where[kind].below_home);
}
