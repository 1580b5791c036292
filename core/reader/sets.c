#include "core/reader/sets.h"

#include <string.h>

#include "core/base/map.h"
#include "core/base/path.h"

/* --- paths --- */

static bool is_alnum(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

size_t sets_mention(struct str path, struct str name)
{
	size_t last = 0, from = 0;

	while (name.n && from + name.n <= path.n) {
		struct str rest = {path.p + from, path.n - from};
		size_t at = str_find_nocase(rest, name), end;

		if (at == SIZE_MAX)
			break;
		at += from;
		end = at + name.n;
		if ((!at || !is_alnum(path.p[at - 1])) && (end == path.n || !is_alnum(path.p[end])))
			last = at + 1;
		from = at + 1;
	}
	return last;
}

size_t sets_common(struct str a, struct str b)
{
	size_t n = 0;

	for (size_t i = 0;; i++) {
		bool end_a = i >= a.n || a.p[i] == '/', end_b = i >= b.n || b.p[i] == '/';

		n += end_a && end_b;
		if (i >= a.n || i >= b.n || (!(end_a && end_b) && a.p[i] != b.p[i]))
			return n;
	}
}

/* Folders that say which part of a dataset is in them, not which dataset. */
static bool is_part(struct str s)
{
	static const char *const list[] = {
	    "train", "training", "val", "valid", "validation", "test", "testing", "dev", "data",
	    "dataset", "datasets", "annotation", "annotations", "label", "labels", "items", "samples",
	    "question", "questions", "meta", "metadata", "raw", "json", "jsonl", "csv", ".", "", NULL,
	};
	size_t digits = 0;

	for (const char *const *w = list; *w; w++)
		if (str_eq_nocase(s, str_z(*w)))
			return true;
	while (digits < s.n && s.p[digits] >= '0' && s.p[digits] <= '9')
		digits++;
	return digits == s.n;
}

static struct str place_of(struct str path)
{
	struct str dir = path_dir(path);

	while (is_part(path_base(dir))) {
		struct str up = path_dir(dir);

		if (up.n >= dir.n)
			return STR("");
		dir = up;
	}
	return dir;
}

static struct str stem_of(struct str path)
{
	struct str stem = path_stem(path_base(path));

	if (str_eq_nocase(path_ext(path), STR("gz")) || str_eq_nocase(path_ext(path), STR("zst")))
		stem = path_stem(stem);
	return stem;
}

/* A file that is called after its benchmark is as good as a folder of that name. */
static struct str place_of_file(const struct set_file *f)
{
	struct str stem = stem_of(f->path);

	if (!f->named || is_part(stem))
		return place_of(f->path);
	return (struct str){f->path.p, (size_t)(stem.p - f->path.p) + stem.n};
}

static bool holds(struct str folder, struct str below)
{
	return !folder.n ||
	       (str_starts(below, folder) && (below.n == folder.n || below.p[folder.n] == '/'));
}

/* --- what belongs together --- */

struct places {
	struct intern names;
	uint32_t *of;	  /* by file */
	uint32_t *parent; /* by place: another one that is the same set, or itself */
};

static uint32_t root_of(const struct places *p, uint32_t i)
{
	while (p->parent[i] != i)
		i = p->parent[i];
	return i;
}

/* The shorter path of the two stays. */
static void unite(struct places *p, uint32_t a, uint32_t b)
{
	a = root_of(p, a);
	b = root_of(p, b);
	if (intern_key(&p->names, a).n > intern_key(&p->names, b).n)
		p->parent[a] = b;
	else
		p->parent[b] = a;
}

static void unite_nested(struct places *p)
{
	uint32_t n = (uint32_t)p->names.keys.n;

	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < i; k++)
			if (n > SETS_PLACES_MAX || holds(intern_key(&p->names, i), intern_key(&p->names, k)) ||
			    holds(intern_key(&p->names, k), intern_key(&p->names, i)))
				unite(p, i, k);
}

/* Every dataset may have a sample "12". */
static bool is_bare(struct str key)
{
	for (size_t i = 0; i < key.n; i++)
		if (key.p[i] < '0' || key.p[i] > '9')
			return false;
	return true;
}

static void unite_by_presets(struct places *p, const struct set_file *files, size_t n)
{
	struct intern presets = INTERN_INIT;
	VEC(uint32_t) first = {0};

	for (size_t i = 0; i < n; i++) {
		size_t known = presets.keys.n;
		uint32_t id;

		if (!files[i].preset.n)
			continue;
		id = intern_add(&presets, files[i].preset);
		if (id == known)
			vec_push(&first, p->of[i]);
		else
			unite(p, first.v[id], p->of[i]);
	}
	vec_release(&first);
	intern_release(&presets);
}

/* Files with a sample of one name are about the same samples. */
static void unite_by_keys(struct places *p, const struct set_file *files, size_t n)
{
	struct intern keys = INTERN_INIT;
	VEC(uint32_t) first = {0};

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < files[i].n_keys; k++) {
			size_t known = keys.keys.n;
			uint32_t id;

			if (is_bare(files[i].keys[k]))
				continue;
			id = intern_add(&keys, files[i].keys[k]);
			if (id == known)
				vec_push(&first, p->of[i]);
			else
				unite(p, first.v[id], p->of[i]);
		}
	vec_release(&first);
	intern_release(&keys);
}

static void places_init(struct places *p, const struct set_file *files, size_t n, bool by_stem,
			struct arena *arena)
{
	*p = (struct places){.names = INTERN_INIT, .of = arena_zalloc(arena, n + 1, sizeof *p->of)};
	for (size_t i = 0; i < n; i++)
		p->of[i] = intern_add(&p->names, by_stem ? stem_of(files[i].path) : place_of_file(&files[i]));
	p->parent = arena_zalloc(arena, p->names.keys.n + 1, sizeof *p->parent);
	for (uint32_t i = 0; i < p->names.keys.n; i++)
		p->parent[i] = i;
}

/* Files of one folder: do at least two of them have answers that name them? */
static bool are_spoken_of(const struct places *p, const struct str *others, size_t n_others)
{
	uint32_t spoken = 0, n = (uint32_t)p->names.keys.n;

	for (uint32_t i = 0; n <= SETS_PLACES_MAX && i < n && spoken < 2; i++)
		for (size_t k = 0; k < n_others; k++)
			if (sets_mention(path_base(others[k]), intern_key(&p->names, i))) {
				spoken++;
				break;
			}
	return spoken > 1;
}

/* The folder that holds both. */
static struct str common_folder(struct str a, struct str b)
{
	size_t end = 0;

	for (size_t i = 0;; i++) {
		bool end_a = i >= a.n || a.p[i] == '/', end_b = i >= b.n || b.p[i] == '/';

		if (end_a && end_b)
			end = i;
		if (i >= a.n || i >= b.n || (!(end_a && end_b) && a.p[i] != b.p[i]))
			return (struct str){a.p, end};
	}
}

/* Of places that are one set: what holds them all, where that says something. */
static struct str place_of_set(const struct places *p, uint32_t root)
{
	struct str own = intern_key(&p->names, root), all = own;

	for (uint32_t i = 0; i < p->names.keys.n; i++)
		if (root_of(p, i) == root)
			all = common_folder(all, intern_key(&p->names, i));
	return is_part(path_base(all)) ? own : all;
}

/* Two sets of the same name are told apart by the folder above. */
static struct str name_of(const struct places *p, uint32_t root, bool by_stem, struct arena *arena)
{
	struct str place = by_stem ? intern_key(&p->names, root) : place_of_set(p, root);
	struct str name = by_stem ? place : path_base(place);

	for (uint32_t i = 0; !by_stem && i < p->names.keys.n; i++) {
		struct str above = path_base(path_dir(place));

		if (i != root && root_of(p, i) == i &&
		    str_eq_nocase(path_base(intern_key(&p->names, i)), name) && !is_part(above))
			return str_z(arena_printf(arena, "%.*s-%.*s", STR_ARG(above), STR_ARG(name)));
	}
	return arena_str(arena, name);
}

static uint32_t number_sets(const struct places *p, struct set_file *files, size_t n, bool by_stem,
			    struct str **names, struct arena *arena)
{
	uint32_t *number = arena_zalloc(arena, p->names.keys.n + 1, sizeof *number), n_sets = 0;

	*names = arena_zalloc(arena, p->names.keys.n + 1, sizeof **names);
	for (size_t i = 0; i < n; i++) {
		uint32_t root = root_of(p, p->of[i]);

		if (!number[root]) {
			(*names)[n_sets] = name_of(p, root, by_stem, arena);
			number[root] = ++n_sets;
		}
		files[i].set = number[root] - 1;
	}
	return n_sets;
}

uint32_t sets_by_paths(struct set_file *files, size_t n, const struct str *others, size_t n_others,
		       struct str **names, struct arena *arena)
{
	struct places p;
	uint32_t n_sets;
	bool by_stem = false;

	places_init(&p, files, n, false, arena);
	if (p.names.keys.n == 1) {
		struct places stems;

		places_init(&stems, files, n, true, arena);
		by_stem = are_spoken_of(&stems, others, n_others);
		intern_release(by_stem ? &p.names : &stems.names);
		p = by_stem ? stems : p;
	}
	if (!by_stem)
		unite_nested(&p);
	unite_by_keys(&p, files, n);
	unite_by_presets(&p, files, n);
	n_sets = number_sets(&p, files, n, by_stem, names, arena);
	intern_release(&p.names);
	return n_sets;
}
