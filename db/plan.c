#include "db/plan.h"

#include <sys/stat.h>

#include "core/base/path.h"
#include "core/reader/folder.h"
#include "core/reader/naming.h"
#include "core/reader/recipe_file.h"
#include "db/plan_impl.h"
#include "db/stmt.h"
#include "db/store.h"

#define DATASET_NAME_MAX 64
#define SCORE_MIN	 25 /* of a probe: what a file in a folder must have */

/* --- one file --- */

static bool is_folder(const char *path)
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
	struct plan_file f = {.path = arena_strdup(&plan->arena, path), .named = true};
	int score;

	look_at(plan, &f, job, &score);
	vec_push(&plan->files, f);
}

/* --- a file of a folder --- */

static void leave_out(struct import_plan *plan, const char *path, const char *why, bool unreadable)
{
	struct plan_left left = {arena_strdup(&plan->arena, path), arena_strdup(&plan->arena, why),
				 unreadable};

	vec_push(&plan->left, left);
	plan->unreadable += unreadable;
}

/* Any notes are lines of text; a list of classes is called so. */
static bool is_called_classes(const char *path)
{
	static const char *const words[] = {"class", "label", "categor", "synset", "names", NULL};
	struct str base = path_base(str_z(path));

	for (const char *const *w = words; *w; w++)
		if (str_find_nocase(base, str_z(*w)) != SIZE_MAX)
			return true;
	return false;
}

/* Why a file that could be opened is left out all the same; NULL: it is not. */
static const char *refusal(const struct plan_file *f, int score, bool asked)
{
	if (!f->reader)
		return "none of the known formats";
	if (asked && !score)
		return "not in the format that was asked for";
	if (!asked && score < SCORE_MIN && score > 10 && f->rank == RANK_CLASSES &&
	    !is_called_classes(f->path))
		return "lines of text; if these are classes, name the file itself";
	if (!asked && score < SCORE_MIN && f->rank != RANK_CLASSES)
		return "no field in it that names samples";
	if (!asked && score < SCORE_MIN && score <= 10)
		return "none of the known formats";
	if (f->taste.whole && !taste_found(&f->taste))
		return f->taste.why.code != OK ? f->taste.why.msg : "nothing in it that can be used";
	return NULL;
}

static void add_found(struct import_plan *plan, const struct import_job *job,
		      const struct folder_file *found)
{
	struct plan_file f = {.path = arena_strdup(&plan->arena, found->path)};
	const char *why;
	int score;

	if (found->why) {
		leave_out(plan, found->path, found->why, found->unreadable);
		return;
	}
	look_at(plan, &f, job, &score);
	why = f.closed ? f.err.msg : refusal(&f, score, job->options.as.n > 0);
	if (!why) {
		vec_push(&plan->files, f);
		return;
	}
	leave_out(plan, found->path, why, f.err.code == E_IO);
	taste_release(&f.taste);
	if (f.open)
		input_close(&f.in);
}

static enum status add_folder(struct import_plan *plan, const struct import_job *job,
			      const char *path, struct err *err)
{
	struct folder folder = {0};
	enum status st = folder_walk(&folder, path, job->cancel, err);

	for (size_t i = 0; i < folder.files.n && st == OK; i++) {
		st = cancel_check(job->cancel, err);
		if (st == OK)
			add_found(plan, job, &folder.files.v[i]);
		if (st == OK && job->looked)
			job->looked(job->ctx, i + 1, folder.files.n);
	}
	plan->has_folders = true;
	plan->hidden += folder.hidden;
	plan->media += folder.media;
	folder_release(&folder);
	return st;
}

/* --- all of them --- */

/* Files that do not say who answered are told by their paths, seen together. */
static void name_runs(struct import_plan *plan, const struct read_options *opt)
{
	struct naming *names;
	size_t n = 0;

	if (opt->model.n || opt->run.n)
		return;
	names = xcalloc(plan->files.n + 1, sizeof *names);
	for (size_t i = 0; i < plan->files.n; i++)
		if (plan->files.v[i].taste.by_path && strcmp(plan->files.v[i].path, "-") != 0)
			names[n++].path = str_z(plan->files.v[i].path);
	naming_by_paths(names, n, &plan->arena);
	for (size_t i = 0, k = 0; i < plan->files.n && k < n; i++) {
		struct plan_file *f = &plan->files.v[i];

		if (f->path != names[k].path.p)
			continue;
		f->model = names[k].model;
		f->protocol = names[k++].protocol;
	}
	free(names);
}

static int by_rank(const void *a, const void *b)
{
	const struct plan_file *const *pa = a, *const *pb = b;

	if ((*pa)->rank != (*pb)->rank)
		return (*pa)->rank < (*pb)->rank ? -1 : 1;
	return (*pa > *pb) - (*pa < *pb);
}

/* Files of one rank stay in the order given. */
static void sort_files(struct import_plan *plan)
{
	size_t n = plan->files.n;
	const struct plan_file **order = xcalloc(n + 1, sizeof *order);
	struct plan_file *sorted = xcalloc(n + 1, sizeof *sorted);

	for (size_t i = 0; i < n; i++)
		order[i] = &plan->files.v[i];
	qsort(order, n, sizeof *order, by_rank);
	for (size_t i = 0; i < n; i++)
		sorted[i] = *order[i];
	free(order);
	free(plan->files.v);
	plan->files.v = sorted;
	plan->files.cap = n + 1;
}

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
		if (is_folder(job->paths[i])) {
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

	if (!first)
		return err_set(err, E_FORMAT, "%s holds no file that could be read", folder);
	return err_set(err, E_FORMAT, "no file below %s can be read; left out are %zu, %s (%s) first",
		       folder, plan->left.n, first->path, first->why);
}

enum status plan_make(struct import_plan **out, const struct import_job *job, struct err *err)
{
	struct import_plan *plan = xcalloc(1, sizeof *plan);
	enum status st = gather(plan, job, err);

	if (st == OK && !plan->files.n)
		st = nothing_there(plan, job->paths[0], err);
	if (st != OK) {
		plan_free(plan);
		return st;
	}
	name_runs(plan, &job->options);
	sort_files(plan);
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
		struct rec_run rec = {.model = r->by_path ? f->model : r->model,
				      .protocol = r->protocol.n || !r->by_path ? r->protocol : f->protocol,
				      .handle = r->handle};
		struct buf handle = BUF_INIT;

		store_handle(&rec, &handle);
		buf_printf(out, "%s%s", i ? ", " : "", buf_cstr(&handle));
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
	buf_release(&plan->dataset);
	arena_release(&plan->arena);
	free(plan);
}

/* --- the dataset --- */

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

static bool names_nothing(struct str s)
{
	return !s.n || str_eqz(s, ".") || str_eqz(s, "..") || str_eqz(s, "/");
}

/* The folder of the first path as given says what the files are; else the file's name does. */
static void name_from_path(const char *path, struct buf *out)
{
	struct str p = str_z(path), folder;
	struct err ignored = ERR_INIT;
	char *real = is_folder(path) ? path_real(path, &ignored) : NULL;

	folder = path_base(real ? str_z(real) : path_dir(p));
	if (!names_nothing(folder))
		put_name(out, folder);
	else if (!str_eqz(p, "-"))
		put_name(out, path_stem(path_base(p)));
	if (!out->n)
		buf_z(out, "dataset");
	free(real);
}

/* The datasets that the project holds: how many, the last one's name, all names as words. */
static enum status list_datasets(struct conn *c, size_t *n, struct buf *only, struct buf *names,
				 struct err *err)
{
	sqlite3_stmt *st = c ? stmt_get(c, STMT_DATASET_LIST, err) : NULL;
	enum status rc = st || !c ? OK : err->code;
	bool row;

	*n = 0;
	while (st && (rc = stmt_step(c, st, &row, err)) == OK && row) {
		buf_clear(only);
		buf_str(only, stmt_str(st, 1));
		if (names->n < 400)
			buf_printf(names, "%s%s", *n ? ", " : "", buf_cstr(only));
		++*n;
	}
	return rc;
}

enum status plan_dataset(struct import_plan *plan, const struct import_job *job, struct conn *c,
			 struct err *err)
{
	struct buf names = BUF_INIT, only = BUF_INIT;
	size_t n;
	enum status rc = list_datasets(c, &n, &only, &names, err);

	buf_clear(&plan->dataset);
	if (rc == OK && job->dataset.n)
		buf_str(&plan->dataset, job->dataset);
	else if (rc == OK && n == 1)
		buf_str(&plan->dataset, buf_view(&only));
	else if (rc == OK && n > 1)
		rc = err_set(err, E_USAGE, "%s holds several datasets; choose one with --dataset: %s",
			     job->project, buf_cstr(&names));
	else if (rc == OK)
		name_from_path(job->paths[0], &plan->dataset);
	plan->dataset_is_new = n == 0;
	if (rc == OK && (names.failed || only.failed || plan->dataset.failed))
		rc = err_set(err, E_MEMORY, "there is no memory for the dataset's name");
	buf_release(&names);
	buf_release(&only);
	return rc;
}
