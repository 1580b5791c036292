/* Who answered, and by which protocol, where files do not say it: their paths do, seen together. */
#include <stdlib.h>

#include "core/reader/naming.h"
#include "core/reader/table.h"
#include "db/plan_impl.h"

/* --- files that say neither --- */

static bool is_named_by_path(const struct plan_file *f)
{
	return f->taste.by_path && strcmp(f->path, "-") != 0;
}

/* Files of a dataset that do not say who answered are told by their paths, seen together. They stand
 * one behind the other. Of one dataset alone the name may as well be a model's folder. */
static void name_set(struct import_plan *plan, size_t from, size_t to, struct str dataset)
{
	struct naming *names = xcalloc(to - from + 1, sizeof *names);
	size_t n = 0;

	for (size_t i = from; i < to; i++)
		if (is_named_by_path(&plan->files.v[i]))
			names[n++] = (struct naming){
			    .path = str_z(plan->files.v[i].path),
			    .judged = plan->files.v[i].reader == &reader_vlmeval};
	naming_in_dataset(names, n, dataset, &plan->arena);
	for (size_t i = from, k = 0; i < to; i++) {
		struct plan_file *f = &plan->files.v[i];

		if (!is_named_by_path(f))
			continue;
		f->model = names[k].model;
		f->protocol = names[k++].protocol;
	}
	free(names);
}

/* --- files that name their model alone --- */

static const struct taste_run *only_run(const struct plan_file *f)
{
	return f->reader == &reader_generic && f->taste.n_runs == 1 ? &f->taste.run[0] : NULL;
}

static bool lacks_protocol(const struct plan_file *f)
{
	const struct taste_run *r = only_run(f);

	return r && !r->by_path && r->model.n && !r->protocol.n && !r->handle.n &&
	       strcmp(f->path, "-") != 0;
}

struct answered { /* by a model: how many files, and do two of them answer the same sample */
	uint32_t files;
	bool again;
};

struct models {
	struct intern names, keys;
	VEC(struct answered) v; /* by name */
};

static void count_file(struct models *m, const struct plan_file *f)
{
	uint32_t id = intern_add(&m->names, only_run(f)->model);
	struct buf key = BUF_INIT;

	if (id == m->v.n)
		vec_push(&m->v, (struct answered){0});
	m->v.v[id].files++;
	for (size_t i = 0; i < f->taste.n_keys; i++) {
		size_t known = m->keys.keys.n;

		buf_clear(&key);
		buf_printf(&key, "%u ", id);
		buf_str(&key, f->taste.key[i]);
		m->v.v[id].again |= intern_add(&m->keys, buf_view(&key)) < known;
	}
	buf_release(&key);
}

/* Files of one model that share no samples are parts of one run. */
static bool is_of_many(const struct models *m, const struct plan_file *f)
{
	const struct answered *a = &m->v.v[intern_find(&m->names, only_run(f)->model)];

	return a->again || a->files == 1;
}

static void put_protocols(struct import_plan *plan, size_t from, size_t to, struct str dataset,
			  const struct models *m)
{
	struct naming *names = xcalloc(to - from + 1, sizeof *names);
	size_t n = 0;

	for (size_t i = from; i < to; i++)
		if (lacks_protocol(&plan->files.v[i]) && is_of_many(m, &plan->files.v[i]))
			names[n++] = (struct naming){.path = str_z(plan->files.v[i].path),
						     .model = only_run(&plan->files.v[i])->model};
	naming_protocols(names, n, dataset, &plan->arena);
	for (size_t i = from, k = 0; i < to; i++)
		if (lacks_protocol(&plan->files.v[i]) && is_of_many(m, &plan->files.v[i]))
			plan->files.v[i].protocol = names[k++].protocol;
	free(names);
}

static void name_protocols(struct import_plan *plan, size_t from, size_t to, struct str dataset)
{
	struct models m = {INTERN_INIT, INTERN_INIT, {0}};
	bool again = false;

	for (size_t i = from; i < to; i++)
		if (lacks_protocol(&plan->files.v[i]))
			count_file(&m, &plan->files.v[i]);
	for (size_t i = 0; i < m.v.n; i++)
		again |= m.v.v[i].again;
	if (again)
		put_protocols(plan, from, to, dataset, &m);
	intern_release(&m.names);
	intern_release(&m.keys);
	vec_release(&m.v);
}

/* --- all of them --- */

void plan_name_runs(struct import_plan *plan, const struct read_options *opt)
{
	size_t to;

	if (opt->model.n || opt->run.n)
		return;
	for (size_t i = 0; i < plan->files.n; i = to) {
		size_t set = plan->files.v[i].set;
		bool named = set != PLAN_NO_SET &&
			     (plan->sets.n > 1 || plan->files.v[i].taste.task.n);

		for (to = i + 1; to < plan->files.n && plan->files.v[to].set == set; to++)
			;
		name_set(plan, i, to, named ? plan->sets.v[set].name : STR(""));
		name_protocols(plan, i, to, named ? plan->sets.v[set].name : STR(""));
	}
}
