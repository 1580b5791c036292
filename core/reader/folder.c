#include "core/reader/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/path.h"
#include "core/reader/peek.h"

typedef VEC(char *) names;

static bool is_sound(struct str name)
{
	static const char *const list[] = {"wav", "mp3", "flac", "ogg", "m4a", "aac", NULL};

	for (const char *const *e = list; *e; e++)
		if (str_eq_nocase(path_ext(name), str_z(*e)))
			return true;
	return false;
}

static bool is_media(struct str name)
{
	return looks_like_image(name) || looks_like_video(name) || is_sound(name);
}

static void add(struct folder *f, const char *path, const struct stat *st, const char *why,
		bool unreadable)
{
	struct folder_file file = {arena_strdup(&f->arena, path), 0, NULL, unreadable};

	if (st && S_ISREG(st->st_mode) && st->st_size > 0)
		file.size = (uint64_t)st->st_size;
	file.why = why ? arena_strdup(&f->arena, why) : NULL;
	vec_push(&f->files, file);
}

/* Was the file met before, under this or another name? */
static bool is_known(struct folder *f, const struct stat *st)
{
	struct { dev_t dev; ino_t ino; } id;
	size_t n = f->met.keys.n;

	memset(&id, 0, sizeof id);
	id.dev = st->st_dev;
	id.ino = st->st_ino;
	intern_add(&f->met, (struct str){(const char *)&id, sizeof id});
	return f->met.keys.n == n;
}

/* A line of the list is one path. */
static void add_picture(struct folder *f, const char *path)
{
	struct str below = str_z(path + f->below);

	f->media++;
	if (is_sound(below))
		return;
	if (memchr(below.p, '\n', below.n) || memchr(below.p, '\r', below.n)) {
		add(f, path, NULL, "there is a line end in its name", false);
	} else if (faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) != 0) {
		add(f, path, NULL, strerror(errno), true);
	} else {
		buf_str(&f->pictures, below);
		buf_ch(&f->pictures, '\n');
	}
}

static void add_file(struct folder *f, const char *path, const struct stat *st)
{
	if (is_known(f, st))
		add(f, path, NULL, "another name of a file that is read already", false);
	else if (faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) != 0)
		add(f, path, st, strerror(errno), true);
	else if (!st->st_size)
		add(f, path, NULL, "it is empty", false);
	else
		add(f, path, st, NULL, false);
}

/* True: a folder to go into. */
static bool add_entry(struct folder *f, const char *path, int depth)
{
	struct stat st;
	bool link;

	if (lstat(path, &st) != 0) {
		add(f, path, NULL, strerror(errno), true);
		return false;
	}
	link = S_ISLNK(st.st_mode);
	if (link && stat(path, &st) != 0)
		add(f, path, NULL, "a link to nothing", false);
	else if (S_ISREG(st.st_mode) && is_media(path_base(str_z(path))))
		add_picture(f, path);
	else if (S_ISREG(st.st_mode) && link)
		vec_push(&f->links, arena_strdup(&f->arena, path));
	else if (S_ISREG(st.st_mode))
		add_file(f, path, &st);
	else if (S_ISDIR(st.st_mode) && link)
		add(f, path, NULL, "a link to a folder", false);
	else if (!S_ISDIR(st.st_mode))
		add(f, path, NULL, "neither a file nor a folder", false);
	else if (depth >= FOLDER_DEPTH_MAX)
		add(f, path, NULL, "too many folders in folders", false);
	else
		return true;
	return false;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* As by_name() does it folder by folder: a '/' comes before all else. */
static int by_path(const void *a, const void *b)
{
	const unsigned char *pa = (const unsigned char *)((const struct folder_file *)a)->path;
	const unsigned char *pb = (const unsigned char *)((const struct folder_file *)b)->path;

	while (*pa && *pa == *pb) {
		pa++;
		pb++;
	}
	return (*pa == '/' ? 1 : *pa) - (*pb == '/' ? 1 : *pb);
}

static void names_release(names *n)
{
	for (size_t i = 0; i < n->n; i++)
		free(n->v[i]);
	vec_release(n);
}

/* Sorted, without those that begin with a dot. *readable = false: errno tells why. */
static enum status list(struct folder *f, const char *path, names *out, bool *readable,
			const struct cancel *cancel, struct err *err)
{
	DIR *dir = opendir(path);
	const struct dirent *d;
	enum status st = OK;

	*readable = dir != NULL;
	while (st == OK && dir && (d = readdir(dir)) != NULL) {
		if (strcmp(d->d_name, ".") == 0 || strcmp(d->d_name, "..") == 0)
			continue;
		st = cancel_check(cancel, err);
		if (st == OK && ++f->looked_at > FOLDER_ENTRIES_MAX)
			st = err_set(err, E_LIMIT, "%s: more than %d files and folders to look at",
				     path, FOLDER_ENTRIES_MAX);
		if (f->look && f->looked_at % 1024 == 0)
			f->look(f->look_ctx, f->looked_at);
		if (d->d_name[0] == '.')
			f->hidden++;
		else
			vec_push(out, xstrdup(d->d_name));
	}
	if (dir)
		closedir(dir);
	if (out->n)
		qsort(out->v, out->n, sizeof *out->v, by_name);
	return st;
}

static enum status walk(struct folder *f, const char *path, int depth, const struct cancel *cancel,
			struct err *err)
{
	names found = {0};
	bool readable, bare = true;
	uint64_t media = f->media;
	enum status st = list(f, path, &found, &readable, cancel, err);

	if (!readable && !depth)
		st = err_errno(err, errno, "cannot read the folder %s", path);
	else if (!readable)
		add(f, path, NULL, strerror(errno), true);
	for (size_t i = 0; i < found.n && st == OK; i++) {
		char *inner = path_join(path, str_z(found.v[i]));

		st = cancel_check(cancel, err);
		if (st == OK && f->files.n >= FOLDER_FILES_MAX)
			st = err_set(err, E_LIMIT, "more than %d files below %s", FOLDER_FILES_MAX, path);
		if (st == OK && add_entry(f, inner, depth + 1)) {
			bare = false;
			st = walk(f, inner, depth + 1, cancel, err);
		}
		free(inner);
	}
	if (readable && bare && depth && f->media == media && !strpbrk(path, "\r\n"))
		buf_printf(&f->pictures, "%s/\n", path + f->below);
	if (st == OK && f->pictures.failed)
		st = err_set(err, E_LIMIT, "the paths of the pictures below %s are too many to keep", path);
	names_release(&found);
	return st;
}

enum status folder_walk(struct folder *out, const char *path, const struct cancel *cancel,
			struct err *err)
{
	struct str p = str_z(path);
	struct stat target;
	size_t first = out->files.n;
	char *clean;
	enum status st;

	while (p.n > 1 && p.p[p.n - 1] == '/')
		p.n--;
	clean = xstrndup(p.p, p.n);
	out->below = p.n + !(p.n == 1 && *p.p == '/');
	st = walk(out, clean, 0, cancel, err);
	free(clean);
	for (size_t i = 0; i < out->links.n; i++) /* files go by their own names where they have one */
		if (stat(out->links.v[i], &target) == 0)
			add_file(out, out->links.v[i], &target);
	vec_clear(&out->links);
	if (out->files.n > first + 1)
		qsort(out->files.v + first, out->files.n - first, sizeof *out->files.v, by_path);
	return st;
}

void folder_release(struct folder *f)
{
	vec_release(&f->files);
	vec_release(&f->links);
	buf_release(&f->pictures);
	intern_release(&f->met);
	arena_release(&f->arena);
	*f = (struct folder){0};
}
