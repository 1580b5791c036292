#include "db/plan_tree.h"

#include <sys/stat.h>

#include "core/base/path.h"
#include "core/reader/along.h"
#include "core/reader/classes.h"
#include "core/reader/folder.h"
#include "core/reader/recipe_file.h"
#include "db/plan_impl.h"

#define SCORE_MIN 25 /* of a probe: what a file in a folder must have */

/* --- one file --- */

bool plan_is_folder(const char *path)
{
	struct stat sb;

	return strcmp(path, "-") != 0 && stat(path, &sb) == 0 && S_ISDIR(sb.st_mode);
}

/* Is it this run that fails, not the file? */
static bool ends_all(const struct err *err)
{
	return err->code == E_USAGE || err->code == E_CANCELLED || err->code == E_MEMORY;
}

/* The first recipe that has its columns there; *missing: the last one's column that is not. */
static const struct recipe *recipe_for(struct import_plan *plan, const struct plan_file *f,
				       const struct import_job *job, struct str *missing)
{
	*missing = STR_NONE;
	for (size_t i = 0; i < job->n_recipes; i++)
		if (recipe_fits(job->recipes[i], &f->in, &plan->arena, missing))
			return job->recipes[i];
	return NULL;
}

static void take_reader(struct import_plan *plan, struct plan_file *f, const struct import_job *job,
			int *score)
{
	struct str path = str_z(f->path), head = buf_view(&f->in.head);
	struct read_options opt = job->options;
	struct arena arena = ARENA_INIT;
	struct str missing;

	f->recipe = recipe_for(plan, f, job, &missing);
	if (f->recipe) {
		recipe_apply(f->recipe, &arena, &opt);
		opt.as = STR("generic");
	}
	if (reader_best(&opt, path, head, &f->reader, score, &f->err) == OK) {
		f->rank = f->recipe ? recipe_rank(f->recipe) : f->reader->rank(path, head);
		taste_file(f->reader, &opt, &f->in, &f->taste);
	}
	if (f->recipe)
		*score = 100;
	f->unknown = !f->recipe && plan_unknown(job, &f->in, f->reader, *score);
	if (f->unknown && missing.p)
		err_set(&f->err, E_FORMAT, "%s: the recipe %s wants %.200s, which is not there", f->path,
			job->recipes[job->n_recipes - 1]->name, missing.p);
	else if (f->unknown)
		plan_say_unknown(job, f->path, &f->err);
	arena_release(&arena);
}

/* Opens, recognises, tastes. What fails is in f->err. */
static void look_at(struct import_plan *plan, struct plan_file *f, const struct import_job *job,
		    int *score)
{
	*score = 0;
	f->closed = input_open_cancel(&f->in, f->path, job->cancel, &f->err) != OK;
	if (f->closed)
		return;
	f->size = f->in.size;
	take_reader(plan, f, job, score);
	if (f->unknown && f->named) {
		f->reader = NULL;
		taste_release(&f->taste);
	}
	f->open = f->reader && !f->in.regular;
	if (!f->open)
		input_close(&f->in);
}

static void add_named(struct import_plan *plan, const struct import_job *job, const char *path)
{
	struct plan_file f = {.path = arena_strdup(&plan->arena, path), .named = true,
			      .set = PLAN_NO_SET};
	int score;

	look_at(plan, &f, job, &score);
	vec_push(&plan->files, f);
}

/* --- a file of a folder --- */

void plan_leave_out(struct import_plan *plan, const char *path, const char *why, bool unreadable)
{
	struct plan_left left = {arena_strdup(&plan->arena, path), arena_strdup(&plan->arena, why),
				 unreadable};

	vec_push(&plan->left, left);
	plan->unreadable += unreadable;
}

/* Why a file that could be opened is left out all the same; NULL: it is not. */
static const char *refusal(const struct plan_file *f, int score, bool asked)
{
	if (!f->reader)
		return "none of the known formats";
	if (asked && !score)
		return "not in the format that was asked for";
	if (!asked && score < SCORE_MIN && score > 10 && f->rank == RANK_CLASSES &&
	    !classes_called(str_z(f->path))) /* any notes are lines of text */
		return "lines of text; if these are classes, name the file itself";
	if (!asked && score < SCORE_MIN && f->rank != RANK_CLASSES)
		return "no field in it that names samples";
	if (!asked && score < SCORE_MIN && score <= 10)
		return "none of the known formats";
	if (!asked && f->taste.hollow)
		return "an object of names without a picture, a text or a label";
	if (f->taste.whole && !taste_found(&f->taste))
		return f->taste.why.code != OK ? f->taste.why.msg : "nothing in it that can be used";
	return NULL;
}

static void add_found(struct import_plan *plan, const struct import_job *job,
		      const struct folder_file *found, bool leads)
{
	struct plan_file f = {.path = arena_strdup(&plan->arena, found->path), .set = PLAN_NO_SET,
			      .folder = leads};
	size_t n = strlen(found->path);
	const char *why;
	int score;

	if (found->why) {
		plan_leave_out(plan, found->path, found->why, found->unreadable);
		return;
	}
	look_at(plan, &f, job, &score);
	why = f.closed ? f.err.msg : refusal(&f, score, job->options.as.n > 0);
	if (!why) {
		vec_push(&plan->files, f);
		return;
	}
	if (strncmp(why, found->path, n) == 0 && strncmp(why + n, ": ", 2) == 0)
		why += n + 2; /* the path is told with it */
	plan_leave_out(plan, found->path, why, f.err.code == E_IO);
	taste_release(&f.taste);
	if (f.open)
		input_close(&f.in);
}

static void tell_look(void *ctx, uint64_t n)
{
	const struct import_job *job = ctx;

	job->looked(job->ctx, n, 0);
}

static enum status add_folder(struct import_plan *plan, const struct import_job *job,
			      const char *path, struct err *err)
{
	struct folder folder = {.look = job->looked ? tell_look : NULL, .look_ctx = (void *)(uintptr_t)job};
	struct along along = {.root = path};
	enum along_as as;
	const char *of;
	enum status st = folder_walk(&folder, path, job->cancel, err);

	for (size_t i = 0; i < folder.files.n && st == OK; i++) {
		st = cancel_check(job->cancel, err);
		as = along_look(&along, folder.files.v[i].path, &of);
		if (st == OK && as != ALONG_FOLLOWS)
			add_found(plan, job, &folder.files.v[i], as == ALONG_LEADS);
		else if (st == OK && of)
			plan_leave_out(plan, of, "its files are read along with the index beside it", false);
		if (st == OK && job->looked)
			job->looked(job->ctx, i + 1, folder.files.n);
	}
	plan->has_folders = true;
	plan->hidden += folder.hidden;
	plan->media += folder.media;
	if (st == OK && folder.pictures.n)
		plan_keep_tree(plan, path, &folder.pictures);
	along_release(&along);
	folder_release(&folder);
	return st;
}

/* --- all of them --- */

static enum status check_words(const struct import_job *job, struct err *err)
{
	if (!job->project[0])
		return err_set(err, E_USAGE, "the project needs a name: qualm import FILE.qualm PATH...");
	if (!job->n_paths)
		return err_set(err, E_USAGE,
			       "there is nothing to import: name at least one file or folder");
	return OK;
}

static enum status gather(struct import_plan *plan, const struct import_job *job, struct err *err)
{
	enum status st = check_words(job, err);

	for (size_t i = 0; i < job->n_paths && st == OK; i++) {
		if (plan_is_folder(job->paths[i])) {
			st = add_folder(plan, job, job->paths[i], err);
			continue;
		}
		add_named(plan, job, job->paths[i]);
		if (ends_all(&plan->files.v[plan->files.n - 1].err)) {
			*err = plan->files.v[plan->files.n - 1].err;
			st = err->code;
		}
	}
	return st;
}

static enum status nothing_there(const struct import_plan *plan, const char *folder,
				 struct err *err)
{
	const struct plan_left *first = plan->left.n ? &plan->left.v[0] : NULL;

	if (!first && plan->media)
		return err_set(err, E_FORMAT,
			       "%s holds pictures alone; --as folder takes them as samples, and folders in it as "
			       "their classes", folder);
	if (!first)
		return err_set(err, E_FORMAT, "%s holds no file that could be read", folder);
	return err_set(err, E_FORMAT, "no file below %s can be read; left out are %zu, %s (%s) first",
		       folder, plan->left.n, first->path, first->why);
}

enum status plan_make(struct import_plan **out, const struct import_job *job, struct err *err)
{
	struct import_plan *plan = xcalloc(1, sizeof *plan);
	enum status st = gather(plan, job, err);

	if (st == OK)
		st = plan_add_trees(plan, job, err);
	if (st == OK && !plan->files.n)
		st = nothing_there(plan, job->paths[0], err);
	if (st != OK) {
		plan_free(plan);
		return st;
	}
	for (size_t i = 0; i < plan->files.n; i++)
		plan->bytes += plan->files.v[i].reader ? plan->files.v[i].size : 0;
	*out = plan;
	return OK;
}

void plan_runs(const struct plan_file *f, struct buf *out)
{
	const struct taste *t = &f->taste;

	for (size_t i = 0; i < t->n_runs && i < TASTE_RUNS; i++) {
		const struct taste_run *r = &t->run[i];
		bool behind = r->by_path && str_starts(r->handle, STR("/"));
		struct rec_run rec = {.model = r->by_path ? f->model : r->model,
				      .protocol = !r->protocol.n ? f->protocol
						  : behind ? STR_NONE : r->protocol,
				      .handle = behind ? STR_NONE : r->handle};
		struct buf handle = BUF_INIT;

		store_handle(&rec, &handle);
		buf_printf(out, "%s%s%.*s", i ? ", " : "", buf_cstr(&handle), behind ? (int)r->handle.n : 0,
			   behind ? r->handle.p : "");
		buf_release(&handle);
	}
	if (t->n_runs > TASTE_RUNS)
		buf_printf(out, " and %zu more", t->n_runs - TASTE_RUNS);
}

bool plan_any_readable(const struct import_plan *plan)
{
	for (size_t i = 0; i < plan->files.n; i++)
		if (plan->files.v[i].reader)
			return true;
	return false;
}

void plan_free(struct import_plan *plan)
{
	if (!plan)
		return;
	for (size_t i = 0; i < plan->files.n; i++) {
		taste_release(&plan->files.v[i].taste);
		if (plan->files.v[i].open)
			input_close(&plan->files.v[i].in);
	}
	vec_release(&plan->files);
	vec_release(&plan->left);
	vec_release(&plan->sets);
	plan_release_trees(plan);
	arena_release(&plan->arena);
	free(plan);
}
