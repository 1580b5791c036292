#include "db/plan_tree.h"

#include "core/base/path.h"
#include "core/reader/table.h"

static struct str clean(const char *path)
{
	struct str p = str_z(path);

	while (p.n > 1 && p.p[p.n - 1] == '/')
		p.n--;
	return p;
}

void plan_keep_tree(struct import_plan *plan, const char *path, struct buf *pictures)
{
	struct str p = clean(path);
	struct plan_tree tree = {.path = arena_strndup(&plan->arena, p.p, p.n), .pictures = *pictures};

	*pictures = (struct buf)BUF_INIT;
	vec_push(&plan->trees, tree);
}

/* Do pictures lie in more than one folder? All in one are somebody's pictures, not a dataset. */
static bool are_sorted_out(struct str list)
{
	struct str line, dir, first = STR_NONE;

	while (list.n) {
		list = str_cut(list, '\n', &line);
		if (!line.n || line.p[line.n - 1] == '/')
			continue;
		dir = path_dir(line);
		if (!first.p)
			first = dir;
		else if (!str_eq(dir, first))
			return true;
	}
	return false;
}

/* Beside a file that tells of samples, pictures are what it tells of. */
static bool is_wanted(const struct import_plan *plan, const struct read_options *opt)
{
	if (opt->as.n)
		return str_eqz(opt->as, reader_folder.name);
	for (size_t i = 0; i < plan->files.n; i++)
		if (plan->files.v[i].reader && plan->files.v[i].rank > RANK_PAIRS)
			return false;
	for (size_t i = 0; i < plan->trees.n; i++)
		if (plan->trees.n > 1 || are_sorted_out(buf_view(&plan->trees.v[i].pictures)))
			return true;
	return false;
}

/* Where the pictures of all trees lie; several folders keep their own names in the paths. */
static struct str root_of(const struct import_plan *plan, bool *below)
{
	struct str root = str_z(plan->trees.v[0].path);

	*below = plan->trees.n > 1;
	if (!*below)
		return root;
	root = path_dir(root);
	for (size_t i = 1; i < plan->trees.n; i++)
		if (!str_eq(path_dir(str_z(plan->trees.v[i].path)), root))
			return STR_NONE;
	return root;
}

/* Each line behind `name` and a '/'. */
static void put_below(struct buf *list, struct str name)
{
	struct buf out = BUF_INIT;
	struct str rest = buf_view(list), line;

	while (rest.n) {
		rest = str_cut(rest, '\n', &line);
		buf_str(&out, name);
		buf_ch(&out, '/');
		buf_str(&out, line);
		buf_ch(&out, '\n');
	}
	buf_release(list);
	*list = out;
}

static enum status add_tree(struct import_plan *plan, const struct import_job *job, struct plan_tree *tree,
			    bool below, struct err *err)
{
	struct plan_file f = {.path = tree->path, .named = true, .reader = &reader_folder,
			      .rank = RANK_SAMPLES, .set = PLAN_NO_SET, .open = true};
	struct str name = str_z(tree->path);
	enum status st;

	if (below)
		put_below(&tree->pictures, plan->tree_root.n ? path_base(name) : name);
	if (tree->pictures.failed)
		return err_set(err, E_LIMIT, "the paths of the pictures below %s are too many to keep",
			       tree->path);
	st = input_own(&f.in, f.path, &tree->pictures, err);
	if (st != OK)
		return st;
	f.size = f.in.size;
	taste_file(f.reader, &job->options, &f.in, &f.taste);
	vec_push(&plan->files, f);
	return OK;
}

enum status plan_add_trees(struct import_plan *plan, const struct import_job *job, struct err *err)
{
	bool below;
	enum status st = OK;

	if (!plan->trees.n || !is_wanted(plan, &job->options))
		return OK;
	plan->tree_root = root_of(plan, &below);
	for (size_t i = 0; i < plan->trees.n && st == OK; i++)
		st = add_tree(plan, job, &plan->trees.v[i], below, err);
	plan->media = 0;
	return st;
}

void plan_release_trees(struct import_plan *plan)
{
	for (size_t i = 0; i < plan->trees.n; i++)
		buf_release(&plan->trees.v[i].pictures);
	vec_release(&plan->trees);
}
