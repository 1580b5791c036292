/* Where the rows go, and what is told beside them. */
#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base/path.h"
#include "core/base/xmalloc.h"
#include "tui/cli.h"
#include "tui/export.h"
#include "tui/print.h"

#define TRIES 100 /* names for what is not whole yet */

struct output {
	char *path;  /* owned; a link's target; NULL: standard output */
	char *fresh; /* owned: written first, renamed over path at the end; NULL: written directly */
	FILE *file;
};

/* A name beside the file that nobody has. */
static enum status open_fresh(struct output *o, const char *shown, struct err *err)
{
	int fd = -1;

	for (int k = 0; k < TRIES && fd < 0; k++) {
		free(o->fresh);
		o->fresh = xasprintf("%s.%ld-%d.part", o->path, (long)getpid(), k);
		fd = open(o->fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	if (fd < 0)
		return err_errno(err, errno, "%s cannot be written", shown);
	o->file = fdopen(fd, "w");
	if (o->file)
		return OK;
	err_errno(err, errno, "%s cannot be written", shown);
	close(fd);
	unlink(o->fresh);
	return err->code;
}

/* A regular file is replaced as a whole, when all rows are there; a device or a pipe is written. */
static enum status open_output(struct output *o, const char *path, struct err *err)
{
	struct stat st;
	struct err none = ERR_INIT;

	*o = (struct output){.file = stdout};
	if (!path)
		return OK;
	o->file = NULL;
	o->path = path_real(path, &none);
	if (!o->path)
		o->path = xstrdup(path);
	if (stat(path, &st) != 0 || S_ISREG(st.st_mode))
		return open_fresh(o, path, err);
	o->file = fopen(path, "we");
	return o->file ? OK : err_errno(err, errno, "%s cannot be written", path);
}

static enum status close_output(struct output *o, const char *shown, enum status st, struct err *err)
{
	if (!o->path || !o->file)
		goto out;
	if (fclose(o->file) != 0 && st == OK)
		st = err_errno(err, errno, "%s cannot be written", shown);
	if (st == OK && o->fresh && rename(o->fresh, o->path) != 0)
		st = err_errno(err, errno, "%s cannot be written", shown);
	if (st != OK && o->fresh)
		unlink(o->fresh);
out:
	free(o->fresh);
	free(o->path);
	*o = (struct output){0};
	return st;
}

/* --- what was exported --- */

static void add_run(cJSON *o, const char *name, const struct export_what *w, int run)
{
	if (run >= 0)
		cJSON_AddStringToObject(o, name, w->snap->runs[run].handle);
}

static void add_panel(cJSON *o, const struct export_what *w)
{
	cJSON *list = cJSON_AddArrayToObject(o, "panel");

	for (int p = 0; list && p < w->n_panel; p++)
		cJSON_AddItemToArray(list, cJSON_CreateString(w->snap->runs[w->panel[p]].handle));
}

/* The order and the columns, as --sort and --columns take them. */
static void add_list(cJSON *o, const struct export_what *w, const struct export_format *format)
{
	struct scene s = {.snap = w->snap, .lens = w->lens, .a = w->a, .b = w->b};
	struct columns plain;
	struct buf text = BUF_INIT;
	cJSON *list;

	sort_format(&w->sort, w->snap, &text);
	cJSON_AddStringToObject(o, "sort", buf_cstr(&text));
	if (w->columns && format->columns && (list = cJSON_AddArrayToObject(o, "columns"))) {
		s.n_panel = w->n_panel;
		s.panel = (int *)(uintptr_t)w->panel; /* only read */
		export_columns_plain(&s, w->columns, &plain);
		for (int k = 0; k < plain.n; k++) {
			buf_clear(&text);
			column_format(&s, &plain.v[k], true, &text);
			cJSON_AddItemToArray(list, cJSON_CreateString(buf_cstr(&text)));
		}
	}
	buf_release(&text);
}

static cJSON *meta(const struct export_what *w, const struct export_format *format, uint32_t rows)
{
	cJSON *o = cJSON_CreateObject();
	struct buf lens = BUF_INIT;
	time_t now = time(NULL);
	struct tm tm;
	char at[32] = "";

	if (gmtime_r(&now, &tm))
		strftime(at, sizeof at, "%Y-%m-%dT%H:%M:%SZ", &tm);
	lens_format(&w->lens, w->snap, &lens);
	cJSON_AddStringToObject(o, "qualm", QUALM_VERSION);
	cJSON_AddStringToObject(o, "at", at);
	cJSON_AddStringToObject(o, "project", conn_path(w->conn));
	cJSON_AddStringToObject(o, "dataset", w->snap->dataset);
	cJSON_AddStringToObject(o, "format", format->name);
	cJSON_AddNumberToObject(o, "rows", rows);
	cJSON_AddNumberToObject(o, "samples", w->snap->n);
	cJSON_AddStringToObject(o, "filter", w->filter ? w->filter : "");
	if (w->base)
		cJSON_AddStringToObject(o, "base", w->base);
	cJSON_AddStringToObject(o, "lens", buf_cstr(&lens));
	add_run(o, "run", w, w->a);
	add_run(o, "against", w, w->b);
	add_panel(o, w);
	add_list(o, w, format);
	buf_release(&lens);
	return o;
}

static enum status write_meta(const struct export_what *w, const struct export_format *format,
			      uint32_t rows, const char *beside, struct err *err)
{
	char *path = xasprintf("%s.meta.json", beside);
	cJSON *o = meta(w, format, rows);
	char *text = cJSON_Print(o);
	struct output out;
	enum status st = open_output(&out, path, err);

	if (st == OK && !text)
		st = err_set(err, E_MEMORY, "there is no memory for %s", path);
	if (st == OK)
		print_json_clean(out.file, str_z(text));
	if (st == OK && fputc('\n', out.file) == EOF)
		st = err_errno(err, errno, "%s cannot be written", path);
	st = close_output(&out, path, st, err);
	cJSON_free(text);
	cJSON_Delete(o);
	free(path);
	return st;
}

enum status export_file(const struct export_what *what, const struct export_format *format,
			const char *path, const struct cancel *cancel, bool tty, uint32_t *n,
			struct err *err)
{
	struct output out;
	struct stat st_path;
	enum status st;

	*n = 0;
	if (path && path_same(path, conn_path(what->conn)))
		return err_set(err, E_USAGE, "%s is the project: nothing is written over it", path);
	st = open_output(&out, path, err);
	if (st == OK)
		st = export_write(what, format, cancel, out.file, !path && tty, n, err);
	st = close_output(&out, path, st, err);
	if (st == OK && path && stat(path, &st_path) == 0 && S_ISREG(st_path.st_mode))
		st = write_meta(what, format, *n, path, err);
	return st;
}
