#include <cjson/cJSON.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base/xmalloc.h"
#include "tui/cli.h"
#include "tui/export.h"
#include "tui/print.h"

struct output {
	const char *path; /* NULL: standard output */
	char *fresh;      /* written first, renamed over path at the end; NULL: written directly */
	FILE *file;
};

/* A regular file is replaced as a whole, when all rows are there; a device or a pipe is written. */
static enum status open_output(struct output *o, const char *path, struct err *err)
{
	struct stat st;
	bool regular = path && (stat(path, &st) != 0 || S_ISREG(st.st_mode));

	*o = (struct output){.path = path, .file = stdout};
	if (!path)
		return OK;
	o->fresh = regular ? xasprintf("%s.part", path) : NULL;
	o->file = fopen(o->fresh ? o->fresh : path, "w");
	return o->file ? OK : err_errno(err, errno, "%s cannot be written", path);
}

static enum status close_output(struct output *o, enum status st, struct err *err)
{
	if (!o->path || !o->file)
		goto out;
	if (fclose(o->file) != 0 && st == OK)
		st = err_errno(err, errno, "%s cannot be written", o->path);
	if (st == OK && o->fresh && rename(o->fresh, o->path) != 0)
		st = err_errno(err, errno, "%s cannot be written", o->path);
	if (st != OK && o->fresh)
		unlink(o->fresh);
out:
	free(o->fresh);
	*o = (struct output){0};
	return st;
}

/* --- what was exported --- */

static void tell(const struct population *p, uint32_t rows)
{
	struct buf filter = BUF_INIT;
	char n[32], all[32];

	population_filter(p, &filter);
	fprintf(stderr, "%s of %s samples", print_count(n, rows), print_count(all, p->snap->n));
	if (p->filter) {
		fputs(", filter: ", stderr);
		print_clean(stderr, buf_view(&filter));
	}
	fputc('\n', stderr);
	buf_release(&filter);
}

static void add_run(cJSON *o, const char *name, const struct population *p, int run)
{
	if (run >= 0)
		cJSON_AddStringToObject(o, name, p->snap->runs[run].handle);
}

static cJSON *meta(const struct population *p, const char *format, uint32_t rows)
{
	cJSON *o = cJSON_CreateObject();
	struct buf filter = BUF_INIT, lens = BUF_INIT;
	time_t now = time(NULL);
	struct tm tm;
	char at[32] = "";

	if (gmtime_r(&now, &tm))
		strftime(at, sizeof at, "%Y-%m-%dT%H:%M:%SZ", &tm);
	population_filter(p, &filter);
	lens_format(&p->lens, p->snap, &lens);
	cJSON_AddStringToObject(o, "qualm", QUALM_VERSION);
	cJSON_AddStringToObject(o, "at", at);
	cJSON_AddStringToObject(o, "project", conn_path(p->conn));
	cJSON_AddStringToObject(o, "dataset", p->snap->dataset);
	cJSON_AddStringToObject(o, "format", format);
	cJSON_AddNumberToObject(o, "rows", rows);
	cJSON_AddNumberToObject(o, "samples", p->snap->n);
	cJSON_AddStringToObject(o, "filter", buf_cstr(&filter));
	cJSON_AddStringToObject(o, "lens", buf_cstr(&lens));
	add_run(o, "run", p, p->a);
	add_run(o, "against", p, p->b);
	buf_release(&filter);
	buf_release(&lens);
	return o;
}

static enum status write_meta(const struct population *p, const char *format, uint32_t rows,
			      const char *beside, struct err *err)
{
	char *path = xasprintf("%s.meta.json", beside);
	cJSON *o = meta(p, format, rows);
	char *text = cJSON_Print(o);
	struct output out;
	enum status st = open_output(&out, path, err);

	if (st == OK && !text)
		st = err_set(err, E_MEMORY, "there is no memory for %s", path);
	if (st == OK && fprintf(out.file, "%s\n", text) < 0)
		st = err_errno(err, errno, "%s cannot be written", path);
	st = close_output(&out, st, err);
	free(text);
	cJSON_Delete(o);
	free(path);
	return st;
}

/* --- the command --- */

static enum status export_to(const struct cli *cli, const struct population *p,
			     const struct export_format *format, const char *path, struct err *err)
{
	struct output out;
	struct stat st_path;
	uint32_t rows = 0;
	enum status st = open_output(&out, path, err);

	if (st == OK)
		st = export_write(p, format, cli->cancel, out.file, !path && cli->stdout_tty, &rows, err);
	st = close_output(&out, st, err);
	if (st == OK && path && stat(path, &st_path) == 0 && S_ISREG(st_path.st_mode))
		st = write_meta(p, format->name, rows, path, err);
	if (st == OK)
		tell(p, rows);
	return st;
}

static enum status run(struct cli *cli, const char *project, const struct export_format *format,
		       const char *path, struct err *err)
{
	struct population p;
	struct conn *c = NULL;
	enum status st = conn_open(&c, project, population_mode(cli), err);

	if (st != OK)
		return st;
	conn_set_cancel(c, cli->cancel);
	st = population_open(&p, cli, c, cli->dataset, err);
	if (st == OK) {
		st = export_to(cli, &p, format, path, err);
		population_close(&p);
	} else if (st == E_NOT_FOUND && cli->dataset) {
		err->code = st = E_USAGE; /* a word of the command line names nothing */
	}
	conn_close(c);
	return st;
}

static int export_shell(struct cli *cli, const struct cmd_args *args)
{
	const char *name = cmd_option(args, "format"), *path = cmd_option(args, "o");
	const struct export_format *format = export_format_find(str_z(name ? name : "jsonl"));
	struct err err = ERR_INIT;

	if (cli_one_project(cli, args))
		return EXIT_USAGE;
	if (!format)
		return cli_usage(args, "--format %s is not known; expected jsonl, csv, md or ids", name);
	if (path && strcmp(path, "-") == 0)
		path = NULL;
	return run(cli, args->words[0], format, path, &err) ? cli_fail(&err) : EXIT_OK;
}

static const struct cmd_option options[] = {
    {"format", "jsonl|csv|md|ids", "how the rows are written (default jsonl); ids: a key a line", false},
    {"o", "OUT", "write to OUT, and what was exported to OUT.meta.json; - is standard output", false},
    {NULL, NULL, NULL, false},
};

extern const struct command cmd_export;
const struct command cmd_export = {
    .name = "export",
    .args = "FILE.qualm",
    .help = "Write the samples, or those that a filter is true for, with labels and answers.",
    .group = "Files",
    .options = options,
    .shell = export_shell,
};
