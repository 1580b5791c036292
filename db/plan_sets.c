#include <stdlib.h>

#include "core/base/path.h"
#include "core/reader/sets.h"
#include "core/reader/table.h"
#include "db/fetch.h"
#include "db/plan_impl.h"
#include "db/stmt.h"
#include "db/store.h"

#define DATASET_NAME_MAX 64
#define NONE		 SIZE_MAX

struct task_known {
	struct str task;
	bool apart;
};

/* A dataset that files may go to. */
struct target {
	struct str name;
	int64_t id;		      /* 0: it is new */
	VEC(struct task_known) tasks; /* that were imported into it */
	VEC(struct str) benchmarks;   /* stems of VLMEvalKit's that were, or are to be, read into it */
	struct intern keys;	      /* of a new one, of its files' beginnings */
	VEC(uint32_t) asked;	      /* by keys, as taste.asked */
	VEC(struct str) folders;      /* of the files that are known to be of it */
	bool answers_only;	      /* a new one, of nothing but a task's answers */
};

struct sorting {
	struct import_plan *plan;
	const struct import_job *job;
	struct conn *c; /* NULL: there is no project */
	VEC(struct target) targets;
	size_t n_stored; /* of targets: the project's own ones come first */
	size_t samples;  /* target of the plan's only set of samples; NONE */
};

/* --- names --- */

static struct str plain_name(struct arena *arena, struct str s)
{
	struct buf out = BUF_INIT;
	struct str name;

	for (size_t i = 0; i < s.n && out.n < DATASET_NAME_MAX; i++) {
		unsigned char c = (unsigned char)s.p[i];
		bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
			     (c >= 'A' && c <= 'Z') || c == '.' || c == '_' || c == '-';

		if ((c & 0xc0) != 0x80)
			buf_ch(&out, plain ? (char)c : '-');
	}
	name = arena_str(arena, buf_view(&out));
	buf_release(&out);
	return name;
}

static bool names_nothing(struct str s)
{
	return !s.n || str_eqz(s, ".") || str_eqz(s, "..") || str_eqz(s, "/");
}

/* The folder of the first path as given says what the files are; else the file's name does. */
static struct str name_from_path(struct arena *arena, const char *path)
{
	struct str p = str_z(path), folder, name = STR("");
	struct err ignored = ERR_INIT;
	char *real = plan_is_folder(path) ? path_real(path, &ignored) : NULL;

	folder = path_base(real ? str_z(real) : path_dir(p));
	if (!names_nothing(folder))
		name = plain_name(arena, folder);
	else if (!str_eqz(p, "-"))
		name = plain_name(arena, path_stem(path_base(p)));
	free(real);
	return name.n ? name : STR("dataset");
}

/* --- targets --- */

static size_t add_target(struct sorting *s, struct str name, int64_t id)
{
	struct target t = {.name = name, .id = id, .keys = INTERN_INIT};

	vec_push(&s->targets, t);
	return s->targets.n - 1;
}

static size_t target_named(const struct sorting *s, struct str name)
{
	for (size_t i = 0; i < s->targets.n; i++)
		if (str_eq_nocase(s->targets.v[i].name, name))
			return i;
	return NONE;
}

/* The command's word is meant to the letter. */
static size_t target_asked(struct sorting *s, struct str name)
{
	for (size_t i = 0; i < s->targets.n; i++)
		if (str_eq(s->targets.v[i].name, name))
			return i;
	return add_target(s, name, 0);
}

static size_t target_for(struct sorting *s, struct str name)
{
	size_t at = target_named(s, name);

	return at != NONE ? at : add_target(s, name, 0);
}

static void put_into(struct sorting *s, struct plan_file *f, size_t at)
{
	struct target *t = &s->targets.v[at];
	struct str dir = path_dir(str_z(f->path));

	f->set = at;
	if (!t->folders.n || !str_eq(t->folders.v[t->folders.n - 1], dir))
		vec_push(&t->folders, dir);
	if (f->reader == &reader_vlmbench)
		vec_push(&t->benchmarks, plan_benchmark(str_z(f->path)));
	for (size_t i = 0; !t->id && i < f->taste.n_keys; i++)
		if (intern_add(&t->keys, f->taste.key[i]) == t->asked.n)
			vec_push(&t->asked, f->taste.asked[i]);
}

static enum status load_tasks(struct sorting *s, struct err *err)
{
	sqlite3_stmt *st = stmt_get(s->c, STMT_IMPORT_TASKS, err);
	enum status rc;
	bool row;

	if (!st)
		return err->code;
	while ((rc = stmt_step(s->c, st, &row, err)) == OK && row)
		for (size_t i = 0; i < s->n_stored; i++) {
			struct target *t = &s->targets.v[i];
			struct task_known known = {arena_str(&s->plan->arena, stmt_str(st, 1)),
						   sqlite3_column_int(st, 2) != 0};
			struct str path = arena_str(&s->plan->arena, stmt_str(st, 3));

			if (t->id != sqlite3_column_int64(st, 0))
				continue;
			if (known.task.n)
				vec_push(&t->tasks, known);
			if (path.n)
				vec_push(&t->benchmarks, plan_benchmark(path));
		}
	return rc;
}

static enum status load_targets(struct sorting *s, struct err *err)
{
	struct dataset_name *names;
	size_t n;
	enum status rc;

	if (!s->c)
		return OK;
	rc = fetch_datasets(s->c, &names, &n, &s->plan->arena, err);
	for (size_t i = 0; rc == OK && i < n; i++)
		add_target(s, str_z(names[i].name), names[i].id);
	s->n_stored = s->targets.n;
	return rc == OK ? load_tasks(s, err) : rc;
}

/* --- evidence --- */

static bool has_key(struct sorting *s, const struct target *t, struct str key)
{
	struct err ignored = ERR_INIT;
	sqlite3_stmt *st;
	bool row = false;

	if (!t->id)
		return intern_find(&t->keys, key) != INTERN_NONE;
	st = stmt_get(s->c, STMT_SAMPLE_BY_KEY, &ignored);
	if (!st)
		return false;
	sqlite3_bind_int64(st, 1, t->id);
	stmt_bind_str(st, 2, key);
	if (stmt_step(s->c, st, &row, &ignored) != OK)
		return false;
	sqlite3_reset(st);
	return row;
}

static size_t keys_found(struct sorting *s, const struct plan_file *f, size_t target)
{
	size_t n = 0;

	for (size_t i = 0; i < f->taste.n_keys; i++)
		n += has_key(s, &s->targets.v[target], f->taste.key[i]);
	return n;
}

/* As plan_asks_other(), of a dataset that is not there yet. */
static bool plans_other(const struct target *t, const struct plan_file *f)
{
	size_t both = 0, same = 0;

	for (size_t i = 0; plan_knows_questions(f) && i < f->taste.n_keys; i++) {
		uint32_t key = intern_find(&t->keys, f->taste.key[i]);
		uint32_t asked = key == INTERN_NONE ? 0 : t->asked.v[key];

		both += asked && f->taste.asked[i];
		same += asked && asked == f->taste.asked[i];
	}
	return taste_too_few(same, both);
}

/* Files of other tasks have the same numbers for keys. */
static bool may_share(const struct sorting *s, const struct target *t, const struct plan_file *f)
{
	if (t->id ? plan_asks_other(s->c, t->id, f) : plans_other(t, f))
		return false;
	return !t->answers_only || !f->taste.n_keys;
}

static size_t only_by_keys(struct sorting *s, const struct plan_file *f, bool without_tasks)
{
	size_t found = NONE;

	for (size_t i = 0; i < s->targets.n; i++) {
		const struct target *t = &s->targets.v[i];

		if ((without_tasks && t->tasks.n) || !may_share(s, t, f) || !keys_found(s, f, i))
			continue;
		if (found != NONE)
			return NONE;
		found = i;
	}
	return found;
}

static size_t only_by_mention(const struct sorting *s, const struct plan_file *f)
{
	size_t best = 0, found = NONE;

	for (size_t i = 0; i < s->targets.n; i++) {
		size_t at = may_share(s, &s->targets.v[i], f)
				? sets_mention(str_z(f->path), s->targets.v[i].name)
				: 0;

		if (at > best) {
			best = at;
			found = i;
		} else if (at && at == best) {
			found = s->targets.v[i].name.n > s->targets.v[found].name.n ? i : found;
		}
	}
	return found;
}

static size_t only_nearest(const struct sorting *s, const struct plan_file *f)
{
	size_t best = 0, found = NONE;
	bool several = false;

	for (size_t i = 0; i < s->targets.n; i++) {
		const struct target *t = &s->targets.v[i];
		bool may = may_share(s, t, f);
		size_t near = 0;

		for (size_t k = 0; k < t->folders.n && may; k++) {
			size_t n = sets_common(path_dir(str_z(f->path)), t->folders.v[k]);

			near = n > near ? n : near;
		}
		if (near > best)
			found = i;
		several = near > best ? false : several || (near && near == best);
		best = near > best ? near : best;
	}
	return several ? NONE : found;
}

/* --- one file --- */

static bool is_samples(const struct plan_file *f)
{
	return f->reader && f->rank == RANK_SAMPLES && f->taste.samples && !f->taste.task.n;
}

/* The only dataset that holds the benchmark of this name. */
static size_t target_of_benchmark(const struct sorting *s, struct str task)
{
	size_t found = NONE;

	for (size_t i = 0; i < s->targets.n; i++)
		for (size_t k = 0; k < s->targets.v[i].benchmarks.n; k++) {
			if (!str_eq_nocase(s->targets.v[i].benchmarks.v[k], task) || found == i)
				continue;
			if (found != NONE)
				return NONE;
			found = i;
		}
	return found;
}

/* A task that was imported before goes where it went, or to its benchmark; a single one joins samples
 * that have its keys; else it makes a dataset of its own. */
static size_t target_of_task(struct sorting *s, const struct plan_file *f, size_t n_tasks)
{
	struct str name = plain_name(&s->plan->arena, f->taste.task);
	size_t found = target_named(s, name), n = 0;

	if (found != NONE)
		return found;
	for (size_t i = 0; i < s->targets.n; i++)
		for (size_t k = 0; k < s->targets.v[i].tasks.n; k++)
			if (str_eq(s->targets.v[i].tasks.v[k].task, f->taste.task)) {
				found = i;
				n++;
			}
	if (n)
		return n == 1 ? found : NONE;
	found = target_of_benchmark(s, f->taste.task);
	if (found != NONE && may_share(s, &s->targets.v[found], f))
		return found;
	if (n_tasks == 1 && (found = only_by_keys(s, f, true)) != NONE)
		return found;
	found = add_target(s, name, 0);
	s->targets.v[found].answers_only = f->rank == RANK_PREDICTIONS;
	return found;
}

/* None of the datasets can be the file's. */
static size_t target_of_own(struct sorting *s, const struct plan_file *f)
{
	size_t found = target_for(s, name_from_path(&s->plan->arena, s->job->paths[0]));

	if (!may_share(s, &s->targets.v[found], f))
		found = target_for(s, plain_name(&s->plan->arena, path_stem(path_base(str_z(f->path)))));
	return may_share(s, &s->targets.v[found], f) ? found : NONE;
}

static size_t target_of(struct sorting *s, const struct plan_file *f)
{
	size_t n = 0, found = NONE;

	for (size_t i = 0; i < s->targets.n; i++)
		if (may_share(s, &s->targets.v[i], f)) {
			found = i;
			n++;
		}
	if (!n)
		return target_of_own(s, f);
	if (n == 1)
		return found;
	if ((found = only_by_keys(s, f, false)) != NONE ||
	    (found = only_by_mention(s, f)) != NONE || (found = only_nearest(s, f)) != NONE)
		return found;
	return s->job->here.n ? target_named(s, s->job->here) : NONE;
}

/* --- all files --- */

static struct str publication_of(const struct plan_file *f)
{
	return f->reader->one_set ? str_z(f->reader->name) : f->taste.preset;
}

/* Files of samples, as sets_by_paths() takes them; n and n_others: how many of each. */
static struct set_file *gather(const struct sorting *s, size_t *n, struct str *others,
			       size_t *n_others)
{
	const struct import_plan *plan = s->plan;
	struct set_file *files = xcalloc(plan->files.n + 1, sizeof *files);

	*n = *n_others = 0;
	for (size_t i = 0; i < plan->files.n; i++) {
		const struct plan_file *f = &plan->files.v[i];

		if (is_samples(f))
			files[(*n)++] = (struct set_file){
			    str_z(f->path), f->taste.key, f->taste.n_keys, publication_of(f),
			    0, f->reader == &reader_vlmbench};
		else if (f->reader && !f->taste.task.n)
			others[(*n_others)++] = str_z(f->path);
	}
	return files;
}

/* One set of samples goes into the project's only dataset, unless that one is a task's and has none
 * of them, or asks other things; a project without datasets gets one named by the command's first
 * path. */
static size_t target_of_samples(struct sorting *s, const struct plan_file *first)
{
	if (s->n_stored > 1)
		return target_of(s, first);
	if (s->n_stored && may_share(s, &s->targets.v[0], first) &&
	    (!s->targets.v[0].tasks.n || keys_found(s, first, 0)))
		return 0;
	return target_of_own(s, first);
}

/* One of several sets. */
static size_t target_of_set(struct sorting *s, const struct plan_file *f, struct str name)
{
	size_t found = f->reader == &reader_vlmbench ? target_of_benchmark(s, plan_benchmark(str_z(f->path))) : NONE;

	return found != NONE && may_share(s, &s->targets.v[found], f) ? found : target_for(s, name);
}

static void place_samples(struct sorting *s)
{
	struct arena *arena = &s->plan->arena;
	struct str *others = xcalloc(s->plan->files.n + 1, sizeof *others), *names = NULL;
	size_t n, n_others, k = 0;
	struct set_file *files = gather(s, &n, others, &n_others);
	uint32_t n_sets = n ? sets_by_paths(files, n, others, n_others, &names, arena) : 0;

	for (size_t i = 0; i < s->plan->files.n && k < n; i++) {
		struct plan_file *f = &s->plan->files.v[i];
		size_t at;

		if (!is_samples(f))
			continue;
		if (n_sets > 1)
			at = target_of_set(s, f, plain_name(arena, names[files[k].set]));
		else if (k)
			at = s->samples;
		else
			s->samples = at = target_of_samples(s, f);
		if (at != NONE)
			put_into(s, f, at);
		k++;
	}
	free(files);
	free(others);
}

static size_t count_tasks(const struct import_plan *plan)
{
	struct intern tasks = INTERN_INIT;
	size_t n;

	for (size_t i = 0; i < plan->files.n; i++)
		if (plan->files.v[i].taste.task.n)
			intern_add(&tasks, plan->files.v[i].taste.task);
	n = tasks.keys.n;
	intern_release(&tasks);
	return n;
}

static void place_tasks(struct sorting *s)
{
	size_t n_tasks = count_tasks(s->plan);

	for (size_t i = 0; i < s->plan->files.n; i++) {
		struct plan_file *f = &s->plan->files.v[i];
		size_t at;

		if (!f->reader || !f->taste.task.n)
			continue;
		at = target_of_task(s, f, n_tasks);
		if (at != NONE)
			put_into(s, f, at);
	}
}

static void place_rest(struct sorting *s)
{
	for (size_t i = 0; i < s->plan->files.n; i++) {
		struct plan_file *f = &s->plan->files.v[i];
		size_t at;

		if (!f->reader || f->set != PLAN_NO_SET)
			continue;
		at = target_of(s, f);
		if (at != NONE)
			f->set = at; /* guesses are no evidence for others */
	}
}

/* --- tasks in one dataset --- */

static const struct task_known *known_task(const struct target *t, struct str task)
{
	for (size_t i = 0; i < t->tasks.n; i++)
		if (str_eq(t->tasks.v[i].task, task))
			return &t->tasks.v[i];
	return NULL;
}

static bool is_other(const struct sorting *s, struct str other, struct str task, struct str name)
{
	return other.n && !str_eq(other, task) &&
	       (!name.n || str_eq_nocase(plain_name(&s->plan->arena, other), name));
}

/* Does the dataset have a task beside this one? With a name: one that makes this name as well. */
static bool has_others(const struct sorting *s, size_t target, struct str task, struct str name)
{
	const struct target *t = &s->targets.v[target];

	for (size_t i = 0; i < t->tasks.n; i++)
		if (is_other(s, t->tasks.v[i].task, task, name))
			return true;
	for (size_t i = 0; i < s->plan->files.n; i++) {
		const struct plan_file *f = &s->plan->files.v[i];

		if (f->set == target && is_other(s, f->taste.task, task, name))
			return true;
	}
	return false;
}

/* Keys are as they were the last time; a dataset that is called like the task is the task's own. */
static bool is_apart(const struct sorting *s, const struct plan_file *f)
{
	const struct target *t = &s->targets.v[f->set];
	const struct task_known *before = known_task(t, f->taste.task);

	if (before)
		return before->apart;
	if (!has_others(s, f->set, f->taste.task, STR("")))
		return false;
	return !str_eq_nocase(plain_name(&s->plan->arena, f->taste.task), t->name) ||
	       has_others(s, f->set, f->taste.task, t->name);
}

static void keep_apart(struct sorting *s)
{
	const struct plan_file *last = NULL;

	for (size_t i = 0; i < s->plan->files.n; i++) {
		struct plan_file *f = &s->plan->files.v[i];

		if (f->set == PLAN_NO_SET || !f->taste.task.n)
			continue;
		/* neighbours are mostly of one task: files times tasks is too many comparisons */
		if (last && last->set == f->set && str_eq(last->taste.task, f->taste.task))
			f->apart = last->apart;
		else
			f->apart = is_apart(s, f);
		last = f;
	}
}

/* --- the outcome --- */

static void list_names(const struct sorting *s, struct buf *out)
{
	for (size_t i = 0; i < s->targets.n && out->n < 400; i++)
		buf_printf(out, "%s%.*s", i ? ", " : "", STR_ARG(s->targets.v[i].name));
}

/* Files that nothing puts into one of several datasets. */
static enum status leave_undecided(struct sorting *s, struct err *err)
{
	struct import_plan *plan = s->plan;
	struct buf names = BUF_INIT;
	size_t kept = 0, placed = 0;

	list_names(s, &names);
	for (size_t i = 0; i < plan->files.n; i++)
		placed += plan->files.v[i].set != PLAN_NO_SET;
	if (!placed && plan_any_readable(plan))
		err_set(err, E_USAGE, "%s holds several datasets; choose one with --dataset: %s",
			s->job->project, buf_cstr(&names));
	for (size_t i = 0; i < plan->files.n && placed; i++) {
		struct plan_file *f = &plan->files.v[i];
		bool lost = f->reader && f->set == PLAN_NO_SET;

		if (lost)
			err_set(&f->err, E_USAGE, "%s: it cannot be told which dataset it is of; "
						  "--dataset names one of %s", f->path, buf_cstr(&names));
		if (lost && !f->named) {
			plan_leave_out(plan, f->path, f->err.msg + strlen(f->path) + 2, true);
			taste_release(&f->taste);
			if (f->open)
				input_close(&f->in);
			continue;
		}
		if (lost)
			f->reader = NULL;
		plan->files.v[kept++] = *f;
	}
	plan->files.n = placed ? kept : plan->files.n;
	buf_release(&names);
	return placed || !plan_any_readable(plan) ? OK : err->code;
}

static int by_rank(const void *a, const void *b)
{
	const struct plan_file *const *pa = a, *const *pb = b;

	if ((*pa)->set != (*pb)->set)
		return (*pa)->set < (*pb)->set ? -1 : 1;
	if ((*pa)->rank != (*pb)->rank)
		return (*pa)->rank < (*pb)->rank ? -1 : 1;
	return (*pa > *pb) - (*pa < *pb);
}

/* Files of one dataset and rank stay in the order given; those that go nowhere come last. */
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

/* The targets that got files are the plan's sets, in their order. */
static void settle(struct sorting *s)
{
	struct import_plan *plan = s->plan;
	size_t *set_of = xcalloc(s->targets.n + 1, sizeof *set_of);

	vec_clear(&plan->sets);
	for (size_t i = 0; i < plan->files.n; i++)
		if (plan->files.v[i].set != PLAN_NO_SET)
			set_of[plan->files.v[i].set]++;
	for (size_t i = 0; i < s->targets.n; i++) {
		struct plan_set set = {s->targets.v[i].name, s->targets.v[i].id, set_of[i]};

		set_of[i] = plan->sets.n;
		if (set.n_files)
			vec_push(&plan->sets, set);
	}
	for (size_t i = 0; i < plan->files.n; i++)
		if (plan->files.v[i].set != PLAN_NO_SET)
			plan->files.v[i].set = set_of[plan->files.v[i].set];
	free(set_of);
	sort_files(plan);
}

static void all_into(struct sorting *s, size_t target)
{
	for (size_t i = 0; i < s->plan->files.n; i++)
		if (s->plan->files.v[i].reader)
			s->plan->files.v[i].set = target;
}

static void sorting_release(struct sorting *s)
{
	for (size_t i = 0; i < s->targets.n; i++) {
		vec_release(&s->targets.v[i].tasks);
		vec_release(&s->targets.v[i].benchmarks);
		vec_release(&s->targets.v[i].asked);
		vec_release(&s->targets.v[i].folders);
		intern_release(&s->targets.v[i].keys);
	}
	vec_release(&s->targets);
}

enum status plan_datasets(struct import_plan *plan, const struct import_job *job, struct conn *c,
			  struct err *err)
{
	struct sorting s = {.plan = plan, .job = job, .c = c, .samples = NONE};
	enum status rc = load_targets(&s, err);

	if (rc == OK && job->dataset.n) {
		plan_find_tasks(plan);
		all_into(&s, target_asked(&s, job->dataset));
	} else if (rc == OK) {
		plan_find_tasks(plan);
		place_samples(&s);
		place_tasks(&s);
		place_rest(&s);
		rc = leave_undecided(&s, err);
	}
	if (rc == OK) {
		keep_apart(&s);
		settle(&s);
		plan_name_runs(plan, &job->options);
	}
	sorting_release(&s);
	return rc;
}
