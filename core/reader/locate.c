#include "core/reader/locate.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

#include "core/base/path.h"
#include "core/reader/match.h"
#include "core/reader/through.h"

#define MAX_FILES 5000000
#define MAX_NAME 4096

struct locate {
	struct through through; /* first */
	char *root; /* absolute, links resolved */
	struct intern files; /* paths below root */
	struct match match;  /* names to files */
	struct report *report;
	struct intern seen; /* keys of samples that were counted */
	struct arena arena;
};

static void add_file(struct locate *l, struct str path)
{
	match_add(&l->match, path, intern_add(&l->files, path));
}

/* Is this link to a file that lies inside the root? */
static bool link_stays_inside(const struct locate *l, const char *full)
{
	struct err ignored = ERR_INIT;
	char *real = path_real(full, &ignored);
	size_t n = strlen(l->root);
	bool inside = real && strncmp(real, l->root, n) == 0 && (real[n] == '/' || n == 1);

	free(real);
	return inside;
}

enum entry { ENTRY_OTHER, ENTRY_FILE, ENTRY_FOLDER };

static enum entry entry_of(const struct locate *l, const char *full)
{
	struct stat st;

	if (lstat(full, &st) != 0)
		return ENTRY_OTHER;
	if (S_ISDIR(st.st_mode))
		return ENTRY_FOLDER;
	if (S_ISLNK(st.st_mode) && (stat(full, &st) != 0 || !link_stays_inside(l, full)))
		return ENTRY_OTHER;
	return S_ISREG(st.st_mode) ? ENTRY_FILE : ENTRY_OTHER;
}

/* Folders to visit are queued as paths below the root, "" for itself. */
struct walk {
	VEC(char *) folders;
	size_t at;
};

static enum status walk_folder(struct locate *l, struct walk *w, const char *below,
			       const struct cancel *cancel, struct err *err)
{
	char *folder = path_join(l->root, str_z(below));
	DIR *dir = opendir(folder);
	struct dirent *d;
	enum status st = OK;

	if (!dir && !*below)
		st = err_errno(err, errno, "cannot read the folder %s", folder);
	while (!st && dir && (d = readdir(dir)) != NULL) {
		char *full, *path;

		if (d->d_name[0] == '.')
			continue;
		path = *below ? xasprintf("%s/%s", below, d->d_name) : xstrdup(d->d_name);
		full = path_join(l->root, str_z(path));
		switch (entry_of(l, full)) {
		case ENTRY_FILE:
			add_file(l, str_z(path));
			break;
		case ENTRY_FOLDER:
			vec_push(&w->folders, xstrdup(path));
			break;
		case ENTRY_OTHER:
			break;
		}
		free(full);
		free(path);
		if (l->files.keys.n > MAX_FILES)
			st = err_set(err, E_LIMIT, "more than %d files below %s", MAX_FILES, l->root);
		else
			st = cancel_check(cancel, err);
	}
	if (dir)
		closedir(dir);
	free(folder);
	return st;
}

static enum status walk(struct locate *l, const struct cancel *cancel, struct err *err)
{
	struct walk w = {0};
	enum status st = OK;

	vec_push(&w.folders, xstrdup(""));
	for (; w.at < w.folders.n && !st; w.at++)
		st = walk_folder(l, &w, w.folders.v[w.at], cancel, err);
	for (size_t i = 0; i < w.folders.n; i++)
		free(w.folders.v[i]);
	vec_release(&w.folders);
	return st;
}

/* The path as it would stand below the root: no "./", no root in front, '/' for '\'. */
static struct str below_root(const struct locate *l, struct str path, char out[MAX_NAME])
{
	size_t root = strlen(l->root);

	if (path.n >= MAX_NAME)
		return STR_NONE;
	for (size_t i = 0; i < path.n; i++)
		out[i] = path.p[i] == '\\' ? '/' : path.p[i];
	path.p = out;
	while (str_starts(path, STR("./"))) {
		path.p += 2;
		path.n -= 2;
	}
	if (path.n > root && memcmp(path.p, l->root, root) == 0 && path.p[root] == '/') {
		path.p += root + 1;
		path.n -= root + 1;
	}
	return path;
}

static enum located by_key_name(const struct locate *l, struct str key, uint32_t *file)
{
	switch (match_find_by(&l->match, MATCHED_BASE, key, file)) {
	case MATCHED_NOT:
		return LOCATED_NOT;
	case MATCHED_AMBIGUOUS:
		return LOCATED_AMBIGUOUS;
	default:
		return LOCATED_KEY;
	}
}

/* By the names of path and key in this way, the path's first. */
static enum located by_names(const struct locate *l, enum matched how, struct str path,
			     struct str key, enum located found_as, uint32_t *file)
{
	enum matched found = match_find_by(&l->match, how, path, file);

	if (found == MATCHED_NOT)
		found = match_find_by(&l->match, how, key, file);
	return found == MATCHED_NOT ? LOCATED_NOT
	       : found == MATCHED_AMBIGUOUS ? LOCATED_AMBIGUOUS : found_as;
}

static enum located find_file(const struct locate *l, struct str path, struct str key,
			      uint32_t *file)
{
	char buf[MAX_NAME], key_buf[MAX_NAME];
	enum located how;

	path = below_root(l, path, buf);
	key = below_root(l, key, key_buf);
	if (path.n && (*file = intern_find(&l->files, path)) != INTERN_NONE)
		return LOCATED_PATH;
	if (key.n && (*file = intern_find(&l->files, key)) != INTERN_NONE)
		return LOCATED_KEY;
	how = by_key_name(l, key, file);
	if (how == LOCATED_NOT)
		how = by_names(l, MATCHED_BASE, path, STR_NONE, LOCATED_BASE, file);
	if (how == LOCATED_NOT)
		how = by_names(l, MATCHED_FOLDED, path, key, LOCATED_FOLDED, file);
	if (how == LOCATED_NOT)
		how = by_names(l, MATCHED_STEM, path, key, LOCATED_STEM, file);
	return how;
}

enum located locate_find(const struct locate *l, struct str path, struct str key, struct str *found)
{
	uint32_t file = INTERN_NONE;
	enum located how = find_file(l, path, key, &file);

	*found = how < LOCATED_AMBIGUOUS ? intern_key(&l->files, file) : STR_NONE;
	return how;
}

/* A sample that several predictions describe is counted and reported once. */
static void count(struct locate *l, const struct rec_sample *s, enum located how)
{
	size_t known = l->seen.keys.n;

	intern_add(&l->seen, s->key);
	if (l->seen.keys.n == known || !l->report)
		return;
	l->report->located[how]++;
	if (how == LOCATED_AMBIGUOUS)
		report_add(l->report, PROBLEM_WARNING, s->src, "image",
			   "several files below %s have this name", l->root);
	else if (how == LOCATED_NOT)
		report_add(l->report, PROBLEM_WARNING, s->src, "image", "not found below %s",
			   l->root);
}

/* A copy of s with paths below the root where they were found. answer: the row is an answer about
 * the sample, whose picture another file may have named; that it names none is no lack. */
static struct rec_sample located(struct locate *l, const struct rec_sample *s, bool answer)
{
	struct rec_sample out = *s;
	size_t n = s->n_paths ? s->n_paths : 1;
	struct str *paths = arena_alloc(&l->arena, n * sizeof *paths);
	enum located worst = LOCATED_PATH;

	for (size_t i = 0; i < n; i++) {
		struct str path = s->n_paths ? s->paths[i] : STR_NONE, found;
		enum located how = locate_find(l, path, n == 1 ? s->key : STR_NONE, &found);

		if (how > worst)
			worst = how;
		paths[i] = found.p ? found : path;
	}
	if (s->n_paths || worst < LOCATED_AMBIGUOUS) {
		out.paths = paths;
		out.n_paths = n;
		if (out.media == MEDIA_NONE)
			out.media = MEDIA_IMAGE;
	}
	if (s->n_paths || (s->media != MEDIA_NONE && !answer) || worst < LOCATED_AMBIGUOUS)
		count(l, s, worst);
	return out;
}

static struct locate *self(struct sink *s)
{
	return (struct locate *)s;
}

static enum status add_sample(struct sink *s, const struct rec_sample *r, struct err *err)
{
	struct locate *l = self(s);
	struct rec_sample copy = located(l, r, false);
	enum status st = sink_sample(l->through.next, &copy, err);

	arena_clear(&l->arena);
	return st;
}

static enum status add_prediction(struct sink *s, const struct rec_prediction *r, struct err *err)
{
	struct locate *l = self(s);
	struct rec_prediction copy = *r;
	struct rec_sample sample;
	enum status st;

	if (r->sample) {
		sample = located(l, r->sample, true);
		copy.sample = &sample;
	}
	st = sink_prediction(l->through.next, &copy, err);
	arena_clear(&l->arena);
	return st;
}

static const struct sink_ops ops = {
    THROUGH_OPS,
    .add_sample = add_sample,
    .add_prediction = add_prediction,
    .set_preset = through_preset,
    .add_plains = through_plains,
    .expect = through_expect,
};

struct locate *locate_new(const char *folder, const struct cancel *cancel, struct err *err)
{
	struct locate *l = xcalloc(1, sizeof *l);

	l->through.sink.ops = &ops;
	l->root = path_real(folder, err);
	if (l->root && walk(l, cancel, err) == OK)
		return l;
	locate_free(l);
	return NULL;
}

struct sink *locate_sink(struct locate *l, struct sink *next, struct report *report)
{
	l->through.next = next;
	l->report = report;
	intern_release(&l->seen);
	l->seen = (struct intern)INTERN_INIT;
	return &l->through.sink;
}

void locate_free(struct locate *l)
{
	if (!l)
		return;
	intern_release(&l->files);
	intern_release(&l->seen);
	match_release(&l->match);
	arena_release(&l->arena);
	free(l->root);
	free(l);
}
