#include <errno.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/path.h"
#include "core/reader/locate.h"
#include "db/stmt.h"
#include "db/store.h"

#define DATASET_NAME_MAX 64
#define PATIENCE_MS	 120000

/* One PATH of the command. */
struct source {
	const char *path;
	const struct reader *reader; /* NULL: could not be recognised, see err */
	enum rank rank;
	bool open; /* standard input and pipes cannot be opened twice */
	struct input in;
	struct err err;
};

struct importing {
	const struct import_job *job;
	struct read_options options; /* the job's, as the stores see them */
	struct source *sources;
	size_t n;
	struct conn *conn;
	pthread_t owner; /* who may call the job's functions */
	bool created;	/* the project's file is this run's */
	char *scratch;	/* folder of a dry run */
	char *file;	/* in it */
	char *pictures; /* folder for those that are inside files */
	struct buf dataset;
	struct locate *locate;
	struct derive *derive;
	struct store_memory *memory;
	uint64_t problems;
	bool stop; /* the other files would fare no better */
};

/* --- before anything is opened for writing --- */

static enum status check_path(const char *path, struct err *err)
{
	struct stat sb;

	if (strcmp(path, "-") == 0 || stat(path, &sb) != 0 || !S_ISDIR(sb.st_mode))
		return OK;
	return err_set(err, E_USAGE, "%s is a folder; name the files in it", path);
}

static void probe(struct importing *im, struct source *src)
{
	if (input_open_cancel(&src->in, src->path, im->job->cancel, &src->err) != OK)
		return;
	if (reader_for(&im->options, str_z(src->path), buf_view(&src->in.head), &src->reader,
		       &src->err) == OK)
		src->rank = src->reader->rank(str_z(src->path), buf_view(&src->in.head));
	src->open = src->reader && !src->in.regular;
	if (!src->open)
		input_close(&src->in);
}

static enum status probe_all(struct importing *im, struct err *err)
{
	const struct import_job *job = im->job;

	if (!job->project[0])
		return err_set(err, E_USAGE, "the project needs a name: qualm import FILE.qualm PATH...");
	if (!job->n_paths)
		return err_set(err, E_USAGE, "there is nothing to import: name at least one file");
	for (size_t i = 0; i < job->n_paths; i++)
		if (check_path(job->paths[i], err) != OK)
			return err->code;
	im->sources = xcalloc(job->n_paths, sizeof *im->sources);
	for (size_t i = 0; i < job->n_paths; i++, im->n++) {
		struct source *src = &im->sources[i];

		src->path = job->paths[i];
		probe(im, src);
		if (src->err.code == E_USAGE || src->err.code == E_CANCELLED ||
		    src->err.code == E_MEMORY) {
			*err = src->err;
			return err->code;
		}
	}
	return OK;
}

/* Stable: files of one rank stay in the order given. */
static void sort_by_rank(struct importing *im)
{
	for (size_t i = 1; i < im->n; i++) {
		struct source moving = im->sources[i];
		size_t at = i;

		for (; at > 0 && im->sources[at - 1].rank > moving.rank; at--)
			im->sources[at] = im->sources[at - 1];
		im->sources[at] = moving;
	}
}

static bool any_readable(const struct importing *im)
{
	for (size_t i = 0; i < im->n; i++)
		if (im->sources[i].reader)
			return true;
	return false;
}

/* --- the project --- */

/* A dry run does everything, to a copy that is thrown away. */
static enum status open_copy(struct importing *im, struct err *err)
{
	const char *tmp = getenv("TMPDIR");
	struct conn *from = NULL;
	struct err why = ERR_INIT;
	char *sql;
	enum status rc;

	im->scratch = xasprintf("%s/qualm-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	if (!mkdtemp(im->scratch)) {
		rc = err_errno(err, errno, "%s", im->scratch);
		free(im->scratch);
		im->scratch = NULL;
		return rc;
	}
	im->file = path_join(im->scratch, STR("dry.qualm"));
	rc = conn_open(&from, im->job->project, CONN_READ, &why);
	if (rc == OK) {
		sql = sqlite3_mprintf("VACUUM INTO %Q", im->file);
		rc = sql ? stmt_exec(from, sql, err)
			 : err_set(err, E_MEMORY, "there is no memory for a dry run");
		sqlite3_free(sql);
		conn_close(from);
	} else if (rc == E_NOT_FOUND) {
		rc = OK;
	} else {
		*err = why;
	}
	return rc == OK ? conn_open(&im->conn, im->file, CONN_CREATE, err) : rc;
}

static enum status open_project(struct importing *im, struct err *err)
{
	enum status rc;

	if (im->job->options.dry_run)
		return open_copy(im, err);
	rc = conn_open(&im->conn, im->job->project, CONN_CREATE, err);
	im->created = rc == OK && conn_is_new(im->conn);
	if (rc == OK && conn_read_only(im->conn))
		rc = err_set(err, E_IO, "%s cannot be written", im->job->project);
	return rc;
}

static void put_name(struct buf *out, struct str s)
{
	for (size_t i = 0; i < s.n && out->n < DATASET_NAME_MAX; i++) {
		unsigned char c = (unsigned char)s.p[i];
		bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
			     (c >= 'A' && c <= 'Z') || c == '.' || c == '_' || c == '-';

		if ((c & 0xc0) != 0x80)
			buf_ch(out, plain ? (char)c : '-');
	}
}

/* The folder of the first path as given says what the files are; else the file's name does. */
static void name_from_path(const char *path, struct buf *out)
{
	struct str p = str_z(path), folder = path_base(path_dir(p));

	if (folder.n && !str_eqz(folder, ".") && !str_eqz(folder, "..") && !str_eqz(folder, "/"))
		put_name(out, folder);
	else if (!str_eqz(p, "-"))
		put_name(out, path_stem(path_base(p)));
	if (!out->n)
		buf_z(out, "dataset");
}

static enum status choose_dataset(struct importing *im, struct err *err)
{
	sqlite3_stmt *st = stmt_get(im->conn, STMT_DATASET_LIST, err);
	struct buf names = BUF_INIT, only = BUF_INIT;
	size_t n = 0;
	enum status rc = st ? OK : err->code;
	bool row;

	while (st && (rc = stmt_step(im->conn, st, &row, err)) == OK && row) {
		buf_clear(&only);
		buf_str(&only, stmt_str(st, 1));
		if (names.n < 400)
			buf_printf(&names, "%s%s", n ? ", " : "", buf_cstr(&only));
		n++;
	}
	if (rc == OK && im->job->dataset.n)
		buf_str(&im->dataset, im->job->dataset);
	else if (rc == OK && n == 1)
		buf_str(&im->dataset, buf_view(&only));
	else if (rc == OK && n > 1)
		rc = err_set(err, E_USAGE, "%s holds several datasets; choose one with --dataset: %s",
			     im->job->project, buf_cstr(&names));
	else if (rc == OK)
		name_from_path(im->job->paths[0], &im->dataset);
	if (rc == OK && (names.failed || only.failed || im->dataset.failed))
		rc = err_set(err, E_MEMORY, "there is no memory for the dataset's name");
	buf_release(&names);
	buf_release(&only);
	return rc;
}

static enum status prepare_sinks(struct importing *im, struct err *err)
{
	struct str images = im->options.images;

	if (im->options.n_facets &&
	    !(im->derive = derive_new(im->options.facets, im->options.n_facets, err)))
		return err->code;
	if (images.n) {
		char *folder = xstrndup(images.p, images.n);

		im->locate = locate_new(folder, im->job->cancel, err);
		free(folder);
		if (!im->locate)
			return err->code;
	}
	return OK;
}

/* --- one file --- */

struct telling {
	const struct import_job *job;
	const char *path;
};

static void tell_progress(void *ctx, uint64_t done, uint64_t total)
{
	const struct telling *t = ctx;

	t->job->progress(t->job->ctx, t->path, done, total);
}

/* What text and readers complain of has the place in the file, but not the file. */
static enum status name_file(const struct source *src, struct err *err)
{
	const char *shown = strcmp(src->path, "-") == 0 ? "standard input" : src->path;

	if ((err->code == E_FORMAT || err->code == E_LIMIT || err->code == E_UNSUPPORTED) && !strstr(err->msg, shown))
		err_prefix(err, "%s", shown);
	return err->code;
}

static enum status read_into(struct importing *im, struct source *src, struct store *store,
			     struct report *report, struct err *err)
{
	struct sink *sink = store_sink(store);
	struct read_ctx ctx = {.in = &src->in, .opt = &im->options, .report = report};

	if (im->derive)
		sink = derive_sink(im->derive, sink);
	if (im->locate)
		sink = locate_sink(im->locate, sink, report);
	ctx.sink = sink;
	return src->reader->read(&ctx, err) == OK ? OK : name_file(src, err);
}

static enum status import_file(struct importing *im, struct source *src, struct report *report,
			       struct err *err)
{
	struct telling telling = {im->job, src->path};
	struct store *store = NULL;
	enum status rc = OK;

	if (!src->reader) {
		*err = src->err;
		return err->code;
	}
	report->reader = src->reader->name;
	if (!src->open)
		rc = input_open_cancel(&src->in, src->path, im->job->cancel, err);
	if (rc != OK) {
		im->stop = rc == E_CANCELLED || rc == E_MEMORY;
		return rc;
	}
	src->open = true;
	src->in.cancel = im->job->cancel;
	src->in.progress = im->job->progress ? tell_progress : NULL;
	src->in.progress_ctx = &telling;
	rc = store_begin(&store, im->conn, buf_view(&im->dataset), &im->options, report,
			 im->job->cancel, err);
	if (rc == OK) {
		store_remember(store, im->memory);
		rc = read_into(im, src, store, report, err);
		if (rc == OK)
			rc = store_commit(store, err);
		else
			store_abort(store);
	}
	input_close(&src->in);
	src->open = false;
	/* What is wrong with this file alone; anything else is wrong with the project or the words. */
	im->stop = rc != OK && rc != E_FORMAT && rc != E_LIMIT && rc != E_UNSUPPORTED;
	return rc;
}

/* The thread that writes on the way is as patient, but says nothing. */
static bool wait_on(void *ctx, int64_t waited)
{
	struct importing *im = ctx;

	if (im->job->waiting && pthread_equal(pthread_self(), im->owner))
		im->job->waiting(im->job->ctx, waited);
	return true;
}

/* What was read so far would have to be read again. */
static void be_patient(struct importing *im)
{
	im->owner = pthread_self();
	conn_set_patience(im->conn, PATIENCE_MS);
	conn_set_wait(im->conn, wait_on, im);
}

static enum status import_all(struct importing *im, struct err *err)
{
	const struct import_job *job = im->job;
	enum status first = OK;

	for (size_t i = 0; i < im->n && !im->stop; i++) {
		struct err why = ERR_INIT;
		struct report report;
		enum status rc;

		report_init(&report, im->sources[i].path, job->errors);
		rc = import_file(im, &im->sources[i], &report, &why);
		im->problems += report.problems[PROBLEM_SKIPPED] + report.problems[PROBLEM_UNMATCHED];
		if (job->file_done)
			job->file_done(job->ctx, &report, rc, &why);
		report_release(&report);
		if (rc != OK && (first == OK || im->stop)) {
			first = rc;
			*err = why;
		}
	}
	return first;
}

/* Beside the project, so that the two move together: faces.qualm has faces.pictures. Where --images
 * names another folder nothing beside it could be shown; a dry run writes nothing. */
static void choose_pictures(struct importing *im)
{
	struct str project = str_z(im->job->project);

	if (im->job->options.dry_run || im->options.images.n)
		return;
	if (str_ends(project, STR(".qualm")))
		project.n -= strlen(".qualm");
	im->pictures = xasprintf("%.*s.pictures", (int)project.n, project.p);
	im->options.pictures = str_z(im->pictures);
}

/* --- the end --- */

static bool holds_nothing(struct conn *c)
{
	struct err ignored = ERR_INIT;
	sqlite3_stmt *st = stmt_get(c, STMT_DATASET_LIST, &ignored);
	bool row = true;

	if (st && stmt_step(c, st, &row, &ignored) == OK)
		sqlite3_reset(st);
	return !row;
}

static void finish(struct importing *im)
{
	bool nothing = im->created && im->conn && holds_nothing(im->conn);

	conn_close(im->conn);
	if (nothing)
		unlink(im->job->project);
	if (im->scratch) {
		unlink(im->file);
		rmdir(im->scratch);
	}
	for (size_t i = 0; i < im->n; i++)
		if (im->sources[i].open)
			input_close(&im->sources[i].in);
	locate_free(im->locate);
	derive_free(im->derive);
	store_memory_free(im->memory);
	free(im->sources);
	free(im->file);
	free(im->scratch);
	free(im->pictures);
	buf_release(&im->dataset);
}

enum status import_run(const struct import_job *job, uint64_t *n_problems, struct err *err)
{
	struct importing im = {
	    .job = job, .options = job->options, .memory = store_memory_new()};
	enum status rc = probe_all(&im, err);

	choose_pictures(&im);
	im.options.dry_run = false; /* a dry run works on a copy, so that its files build on each other */
	sort_by_rank(&im);
	if (rc == OK && any_readable(&im)) {
		rc = open_project(&im, err);
		if (rc == OK)
			rc = choose_dataset(&im, err);
		if (rc == OK)
			rc = prepare_sinks(&im, err);
	}
	if (im.conn)
		be_patient(&im);
	if (rc == OK)
		rc = import_all(&im, err);
	finish(&im);
	*n_problems = im.problems;
	return rc;
}
