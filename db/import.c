#include <errno.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/path.h"
#include "core/reader/apart.h"
#include "core/reader/locate.h"
#include "core/reader/recipe.h"
#include "db/plan.h"
#include "db/stmt.h"
#include "db/store.h"

#define PATIENCE_MS ((int64_t)3600 * 1000) /* and the words of cmd_import say who is waited for */

struct importing {
	const struct import_job *job;
	struct read_options options; /* the job's */
	struct read_options now;     /* of the file at hand, as its store sees them */
	struct arena words;	     /* theirs */
	struct import_plan *plan;
	struct import_progress progress;
	struct conn *conn;
	pthread_t owner; /* who may call the job's functions */
	bool created;	/* the project's file is this run's */
	char *scratch;	/* folder of a dry run */
	char *file;	/* in it */
	char *pictures; /* folder for those that are inside files */
	struct locate *locate;
	struct derive *derive;
	struct respell *respell; /* of the file at hand; NULL: none */
	struct store_memory *memory;
	uint64_t problems;
	bool stop; /* the other files would fare no better */
};

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

static void tell_progress(void *ctx, uint64_t done, uint64_t total)
{
	struct importing *im = ctx;
	struct import_progress now = im->progress;

	now.file_done = done;
	now.file_size = total;
	now.done += done < total ? done : total;
	if (im->job->progress)
		im->job->progress(im->job->ctx, now.path, done, total);
	if (im->job->overall)
		im->job->overall(im->job->ctx, &now);
}

/* What text and readers complain of has the place in the file, but not the file. */
static enum status name_file(const struct plan_file *src, struct err *err)
{
	const char *shown = strcmp(src->path, "-") == 0 ? "standard input" : src->path;

	if ((err->code == E_FORMAT || err->code == E_LIMIT || err->code == E_UNSUPPORTED) && !strstr(err->msg, shown))
		err_prefix(err, "%s", shown);
	return err->code;
}

static enum status read_into(struct importing *im, struct plan_file *src, struct store *store,
			     struct report *report, struct err *err)
{
	struct sink *sink = store_sink(store);
	struct read_ctx ctx = {.in = &src->in, .opt = &im->now, .report = report};
	struct apart apart = {0};
	enum status rc;

	if (src->apart)
		sink = apart_init(&apart, src->taste.task, sink);
	if (im->derive)
		sink = derive_sink(im->derive, sink);
	if (im->locate)
		sink = locate_sink(im->locate, sink, report);
	if (im->respell)
		sink = respell_sink(im->respell, sink);
	ctx.sink = sink;
	rc = src->reader->read(&ctx, err);
	apart_release(&apart);
	return rc == OK ? OK : name_file(src, err);
}

/* It is the file that could not be read, not the project that could not be written. */
static bool begins_with_file(const struct plan_file *src, const struct err *err)
{
	struct str path = str_z(src->path), msg = str_z(err->msg);

	return str_starts(msg, path) && msg.n > path.n && msg.p[path.n] == ':';
}

/* The job's, and what the file's path and recipe say beside them. */
static void take_options(struct importing *im, const struct plan_file *src)
{
	im->now = im->options;
	im->now.folder = src->folder;
	im->now.path_model = src->model;
	im->now.path_protocol = src->protocol;
	arena_clear(&im->words);
	if (!src->recipe)
		return;
	recipe_apply(src->recipe, &im->words, &im->now);
	if (src->recipe->spelling.n)
		im->respell = respell_new(src->recipe);
}

/* The file is open, with its words in im->now. */
static enum status import_once(struct importing *im, struct plan_file *src, struct report *report,
			       struct store_doubts *doubts, struct err *err)
{
	struct store *store = NULL;
	enum status rc;

	src->in.cancel = im->job->cancel;
	src->in.progress = tell_progress;
	src->in.progress_ctx = im;
	report->reader = src->reader->name;
	report->task = src->taste.task;
	report->apart = src->apart;
	report->dataset = im->plan->sets.v[src->set].name;
	rc = store_begin(&store, im->conn, report->dataset, &im->now, report, im->job->cancel, err);
	if (rc != OK)
		return rc;
	store_remember(store, im->memory);
	if (doubts)
		store_doubt(store, doubts);
	rc = read_into(im, src, store, report, err);
	if (rc == OK && (!doubts || !doubts->grown))
		return store_commit(store, err);
	store_abort(store);
	return rc;
}

/* What was told of the file so far will be told again; of a pipe it has been told. */
static void untell(FILE *errors, off_t from)
{
	if (errors && from >= 0 && fflush(errors) == 0 && ftruncate(fileno(errors), from) == 0)
		fseeko(errors, from, SEEK_SET);
}

/* Once more, for keys that turned out not to mean what they looked like. */
static enum status import_again(struct importing *im, struct plan_file *src, struct report *report,
				struct store_doubts *doubts, struct err *err)
{
	FILE *errors = report->errors;
	enum status rc;

	input_close(&src->in);
	src->open = false;
	rc = input_open_cancel(&src->in, src->path, im->job->cancel, err);
	if (rc != OK)
		return rc;
	src->open = true;
	report_release(report);
	report_init(report, src->path, errors);
	rc = import_once(im, src, report, doubts, err);
	if (rc == OK && doubts->grown)
		rc = err_set(err, E_IO, "%s: changed while it was read", src->path);
	return rc;
}

static enum status import_file(struct importing *im, struct plan_file *src, struct report *report,
			       struct err *err)
{
	struct store_doubts doubts = {.keys = INTERN_INIT};
	off_t told = report->errors ? ftello(report->errors) : -1;
	enum status rc = OK;

	if (!src->reader) {
		*err = src->err;
		return err->code;
	}
	if (!src->open)
		rc = input_open_cancel(&src->in, src->path, im->job->cancel, err);
	if (rc != OK) {
		im->stop = rc == E_CANCELLED || rc == E_MEMORY;
		return rc;
	}
	src->open = true;
	take_options(im, src);
	rc = import_once(im, src, report, src->in.regular ? &doubts : NULL, err);
	if (rc == OK && doubts.grown) {
		untell(report->errors, told);
		rc = import_again(im, src, report, &doubts, err);
	}
	intern_release(&doubts.keys);
	respell_free(im->respell);
	im->respell = NULL;
	input_close(&src->in);
	src->open = false;
	/* What is wrong with this file alone; anything else is wrong with the project or the words. */
	im->stop = rc != OK && rc != E_FORMAT && rc != E_LIMIT && rc != E_UNSUPPORTED &&
		   !(rc == E_IO && begins_with_file(src, err));
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
	struct import_plan *plan = im->plan;
	enum status first = OK;

	im->progress = (struct import_progress){.n_files = plan->files.n, .all = plan->bytes};
	for (size_t i = 0; i < plan->files.n && !im->stop; i++) {
		struct plan_file *f = &plan->files.v[i];
		struct err why = ERR_INIT;
		struct report report;
		enum status rc;

		im->progress.file = i;
		im->progress.path = f->path;
		report_init(&report, f->path, job->errors);
		rc = import_file(im, f, &report, &why);
		im->progress.done += f->reader ? f->size : 0;
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

/* Not when that cannot be read. */
static bool holds_nothing(struct conn *c)
{
	struct err ignored = ERR_INIT;
	sqlite3_stmt *st = stmt_get(c, STMT_DATASET_LIST, &ignored);
	bool row = true;

	if (!st || stmt_step(c, st, &row, &ignored) != OK)
		return false;
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
	plan_free(im->plan);
	locate_free(im->locate);
	derive_free(im->derive);
	store_memory_free(im->memory);
	arena_release(&im->words);
	free(im->file);
	free(im->scratch);
	free(im->pictures);
}

/* The caller may look at the plan, and say no. */
static enum status agree(struct importing *im, bool *yes, struct err *err)
{
	const struct import_job *job = im->job;
	enum status rc = plan_datasets(im->plan, job, im->conn, err);

	*yes = rc == OK && (!job->planned || job->planned(job->ctx, im->plan));
	return rc;
}

enum status import_run(const struct import_job *job, uint64_t *n_problems, struct err *err)
{
	struct importing im = {
	    .job = job, .options = job->options, .memory = store_memory_new()};
	enum status rc = plan_make(&im.plan, job, err);
	bool yes = true;

	choose_pictures(&im);
	if (rc == OK && !im.options.images.n)
		im.options.images = im.plan->tree_root;
	im.options.dry_run = false; /* a dry run works on a copy, so that its files build on each other */
	if (rc == OK && plan_any_readable(im.plan)) {
		rc = open_project(&im, err);
		if (rc == OK)
			rc = agree(&im, &yes, err);
		if (rc == OK && yes)
			rc = prepare_sinks(&im, err);
	}
	if (rc == OK && yes)
		im.problems += im.plan->unreadable;
	if (im.conn)
		be_patient(&im);
	if (rc == OK && yes)
		rc = import_all(&im, err);
	*n_problems = im.problems;
	finish(&im);
	return rc;
}

enum status import_plan(const struct import_job *job, struct import_plan **out, struct err *err)
{
	struct conn *c = NULL;
	struct err why = ERR_INIT;
	struct import_plan *plan = NULL;
	enum status rc = plan_make(&plan, job, err);

	if (rc == OK && conn_open(&c, job->project, CONN_READ, &why) != OK &&
	    why.code != E_NOT_FOUND) {
		*err = why;
		rc = why.code;
	}
	if (rc == OK)
		rc = plan_datasets(plan, job, c, err);
	conn_close(c);
	if (rc != OK) {
		plan_free(plan);
		return rc;
	}
	*out = plan;
	return OK;
}
