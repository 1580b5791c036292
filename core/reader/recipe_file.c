#include "core/reader/recipe_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/path.h"
#include "core/reader/rows.h"
#include "core/text/ini.h"

#define SUFFIX	  ".recipe"
#define ROWS_SEEN 50

char *recipe_folder(void)
{
	char *config = path_xdg(PATH_CONFIG), *out = config ? path_join(config, STR("recipes")) : NULL;

	free(config);
	return out;
}

static bool is_path(const char *word)
{
	return strchr(word, '/') || str_ends(str_z(word), STR(SUFFIX));
}

static bool is_name(struct str s)
{
	if (!s.n || s.n > RECIPE_NAME_BYTES || s.p[0] == '.' || s.p[0] == '-')
		return false;
	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] <= ' ' || memchr("/\\\"'", s.p[i], 4) || s.p[i] == 0x7f)
			return false;
	return true;
}

static char *file_in(const char *folder, struct str name)
{
	char *base = xasprintf("%.*s" SUFFIX, STR_ARG(name)), *out;

	out = path_join(folder, str_z(base));
	free(base);
	return out;
}

static char *folder_of(const char *data)
{
	struct str dir = path_dir(str_z(data));

	return xstrndup(dir.p, dir.n);
}

/* --- reading --- */

static enum status load(const char *path, struct recipe *out, struct err *err)
{
	struct str name = path_stem(path_base(str_z(path)));
	struct buf text = BUF_INIT;
	struct input in;
	enum status st = input_open(&in, path, err);

	*out = (struct recipe){.name = NULL};
	if (st != OK)
		return st;
	st = in.regular ? input_all(&in, INI_MAX_TEXT, &text, err)
			: err_set(err, E_FORMAT, "%s is no ordinary file", path);
	input_close(&in);
	if (st == OK) {
		st = recipe_read(buf_view(&text), out, err);
		if (st != OK)
			err_prefix(err, "%s", path);
	}
	if (st == OK)
		out->name = arena_str(&out->arena, name).p;
	buf_release(&text);
	return st;
}

static bool is_there(const char *path)
{
	struct stat sb;

	return path && stat(path, &sb) == 0 && S_ISREG(sb.st_mode);
}

enum status recipe_find(const char *word, const char *data, struct recipe *out, struct err *err)
{
	char *home = recipe_folder(), *beside = data ? folder_of(data) : NULL, *path = NULL;
	struct buf names = BUF_INIT;
	enum status st;

	if (is_path(word)) {
		st = load(word, out, err);
	} else {
		path = beside ? file_in(beside, str_z(word)) : NULL;
		if (!is_there(path)) {
			free(path);
			path = home ? file_in(home, str_z(word)) : NULL;
		}
		recipe_names(data, &names);
		if (is_there(path))
			st = load(path, out, err);
		else
			st = err_set(err, E_NOT_FOUND, "there is no recipe %.100s%s%.600s", word,
				     names.n ? "; there are: " : "; none is saved yet", buf_cstr(&names));
	}
	buf_release(&names);
	free(path);
	free(beside);
	free(home);
	return st;
}

/* --- all that are known --- */

typedef void each_recipe(void *ctx, const char *folder, struct str name);

static void each_in(const char *folder, each_recipe *fn, void *ctx)
{
	DIR *dir = folder ? opendir(folder) : NULL;
	struct dirent *entry;
	int n = 0;

	while (dir && n < RECIPES_MAX && (entry = readdir(dir)) != NULL) {
		struct str name = str_z(entry->d_name);

		if (!str_ends(name, STR(SUFFIX)) || name.n == strlen(SUFFIX) || name.p[0] == '.')
			continue;
		name.n -= strlen(SUFFIX);
		fn(ctx, folder, name);
		n++;
	}
	if (dir)
		closedir(dir);
}

static void each(const char *data, each_recipe *fn, void *ctx)
{
	char *home = recipe_folder(), *beside = data ? folder_of(data) : NULL;

	each_in(beside, fn, ctx);
	if (!beside || !home || strcmp(beside, home) != 0)
		each_in(home, fn, ctx);
	free(beside);
	free(home);
}

struct proposal {
	const struct str *names;
	size_t n;
	struct recipe *best;
	int likeness;
};

static void consider(void *ctx, const char *folder, struct str name)
{
	struct proposal *p = ctx;
	struct err ignored = ERR_INIT;
	char *path = file_in(folder, name);
	struct recipe r;
	int likeness;

	if (load(path, &r, &ignored) == OK) {
		likeness = recipe_likeness(&r, p->names, p->n);
		if (likeness >= RECIPE_LIKE && likeness > p->likeness) {
			recipe_release(p->best);
			*p->best = r;
			p->likeness = likeness;
		} else {
			recipe_release(&r);
		}
	}
	free(path);
}

bool recipe_propose(const char *data, const struct str *names, size_t n, struct recipe *out)
{
	struct proposal p = {names, n, out, 0};

	*out = (struct recipe){.name = NULL};
	each(data, consider, &p);
	return p.likeness > 0;
}

struct naming_all {
	VEC(char *) names;
};

static void keep(void *ctx, const char *folder, struct str name)
{
	struct naming_all *all = ctx;

	(void)folder;
	vec_push(&all->names, xstrndup(name.p, name.n));
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void recipe_names(const char *data, struct buf *out)
{
	struct naming_all all = {{NULL, 0, 0}};

	each(data, keep, &all);
	if (all.names.n)
		qsort(all.names.v, all.names.n, sizeof *all.names.v, by_text);
	for (size_t i = 0; i < all.names.n; i++) {
		if (!i || strcmp(all.names.v[i], all.names.v[i - 1]) != 0)
			buf_printf(out, "%s%s", out->n ? ", " : "", all.names.v[i]);
	}
	for (size_t i = 0; i < all.names.n; i++)
		free(all.names.v[i]);
	vec_release(&all.names);
}

/* --- writing --- */

static enum status write_file(const char *path, struct str text, struct err *err)
{
	char *part = xasprintf("%s.part", path);
	FILE *f = fopen(part, "wxe");
	bool good;

	if (!f && errno == EEXIST && unlink(part) == 0) /* left by one that was ended */
		f = fopen(part, "wxe");
	if (!f) {
		err_errno(err, errno, "%s cannot be written", path);
		free(part);
		return err->code;
	}
	good = fwrite(text.p, 1, text.n, f) == text.n;
	good = fclose(f) == 0 && good;
	good = good && rename(part, path) == 0;
	if (!good) {
		err_errno(err, errno, "%s could not be written", path);
		unlink(part);
	}
	free(part);
	return good ? OK : err->code;
}

static enum status place_for(const char *word, char **path, struct err *err)
{
	char *home = recipe_folder();
	enum status st = OK;

	*path = NULL;
	if (is_path(word))
		*path = xstrdup(word);
	else if (!is_name(str_z(word)))
		st = err_set(err, E_USAGE,
			     "a recipe's name has no blanks, quotes or slashes: not \"%.100s\"", word);
	else if (!home)
		st = err_set(err, E_IO, "there is no home folder to keep recipes in; name a path");
	else if ((st = path_mkdirs(home, err)) == OK)
		*path = file_in(home, str_z(word));
	free(home);
	return st;
}

enum status recipe_save(const struct recipe *r, const char *word, bool replace, struct err *err)
{
	struct buf text = BUF_INIT;
	char *path = NULL;
	enum status st = place_for(word, &path, err);

	if (st == OK && !replace && is_there(path))
		st = err_set(err, E_USAGE, "there is a recipe %.100s already: choose another name", word);
	buf_z(&text, "# how qualm reads a table: qualm import PROJECT FILE --recipe NAME; see qualm(5)\n");
	if (st == OK)
		st = recipe_write(r, &text, err);
	if (st == OK)
		st = write_file(path, buf_view(&text), err);
	buf_release(&text);
	free(path);
	return st;
}

/* --- does it fit? --- */

static void see_rows(struct rows *rows)
{
	struct err ignored = ERR_INIT;
	struct row row;
	bool more = true;

	row_init(&row);
	for (int i = 0; i < ROWS_SEEN && more && rows->shape != SHAPE_CSV; i++)
		if (rows_next(rows, &row, &more, &ignored) != OK)
			break;
	row_release(&row);
}

bool recipe_fits(const struct recipe *r, const struct input *in, struct arena *arena,
		 struct str *missing)
{
	struct read_options opt = {.recipe = r};
	struct err ignored = ERR_INIT;
	struct report report;
	struct input head;
	struct read_ctx ctx = {&head, &opt, NULL, &report};
	struct rows rows;

	report_init(&report, in->path, NULL);
	input_memory(&head, buf_view(&in->head));
	buf_str(&head.head, buf_view(&in->head));
	*missing = STR("rows of fields");
	if (rows_open(&rows, &ctx, &ignored) == OK) {
		see_rows(&rows);
		*missing = recipe_missing(r, rows.names.keys.v, rows.names.keys.n);
	}
	if (missing->p)
		*missing = arena_str(arena, *missing);
	rows_release(&rows);
	input_close(&head);
	report_release(&report);
	return !missing->p;
}
