#include "core/reader/classes.h"

#include "core/base/map.h"

#define N_IMAGENET 1000

enum status class_list_add(struct class_list *l, const struct class_entry *e, struct err *err)
{
	struct class_entry copy = *e;

	if (l->v.n >= CLASSES_MAX)
		return err_set(err, E_LIMIT, "more than %d classes", CLASSES_MAX);
	copy.wnid = arena_str(&l->arena, e->wnid);
	copy.name = arena_str(&l->arena, e->name);
	copy.code = arena_str(&l->arena, e->code);
	copy.parent = arena_str(&l->arena, e->parent);
	copy.second = arena_str(&l->arena, e->second);
	vec_push(&l->v, copy);
	return OK;
}

static void add_alias(struct class_list *l, struct class_entry *e, struct str alias)
{
	struct str *grown = arena_alloc(&l->arena, (e->n_aliases + 1) * sizeof *grown);

	if (e->n_aliases)
		memcpy(grown, e->aliases, e->n_aliases * sizeof *grown);
	grown[e->n_aliases++] = alias;
	e->aliases = grown;
}

void class_list_underscores(struct class_list *l)
{
	for (size_t i = 0; i < l->v.n; i++) {
		struct class_entry *e = &l->v.v[i];
		char *name;

		if (!e->name.n || !memchr(e->name.p, '_', e->name.n) ||
		    memchr(e->name.p, ' ', e->name.n))
			continue;
		add_alias(l, e, e->name);
		name = arena_strndup(&l->arena, e->name.p, e->name.n);
		for (size_t k = 0; k < e->name.n; k++)
			if (name[k] == '_')
				name[k] = ' ';
		e->name.p = name;
	}
}

static int by_wnid(const void *a, const void *b)
{
	return str_cmp((*(struct class_entry *const *)a)->wnid,
		       (*(struct class_entry *const *)b)->wnid);
}

void class_list_rank(struct class_list *l)
{
	struct class_entry **order;

	if (l->v.n != N_IMAGENET)
		return;
	for (size_t i = 0; i < l->v.n; i++)
		if (!l->v.v[i].wnid.n)
			return;
	order = xcalloc(l->v.n, sizeof *order);
	for (size_t i = 0; i < l->v.n; i++)
		order[i] = &l->v.v[i];
	qsort(order, l->v.n, sizeof *order, by_wnid);
	for (size_t i = 0; i < l->v.n; i++)
		order[i]->index = (int64_t)i;
	free(order);
}

static bool counts_from_one(const struct class_list *l)
{
	if (l->v.n != N_IMAGENET)
		return false;
	for (size_t i = 0; i < l->v.n; i++)
		if (l->v.v[i].index < 1 || l->v.v[i].index > N_IMAGENET)
			return false;
	return true;
}

static const struct class_entry *first_of(const struct class_list *l)
{
	for (size_t i = 0; i < l->v.n; i++)
		if (l->v.v[i].index == 1)
			return &l->v.v[i];
	return NULL;
}

void class_list_from_one(struct class_list *l)
{
	const struct class_entry *first = counts_from_one(l) ? first_of(l) : NULL;
	bool devkit = first && (str_eq_nocase(first->name, STR("kit fox")) ||
				str_eq_nocase(first->name, STR("kit_fox")));
	bool sorted = first && str_eq_nocase(first->name, STR("tench"));

	for (size_t i = 0; i < l->v.n && (devkit || sorted); i++) {
		struct class_entry *e = &l->v.v[i];

		if (devkit)
			e->code = str_z(arena_printf(&l->arena, "%lld", (long long)e->index));
		e->index = devkit ? -1 : e->index - 1;
	}
	if (sorted)
		report_note(l->ctx->report, "the classes are numbered from 1; they are read as from 0, as "
					    "ImageNet's are");
	else if (devkit)
		class_list_rank(l);
}

void class_list_synonyms(struct class_list *l, struct str text, struct class_entry *e)
{
	struct str rest = str_trim(text), part;

	e->name = STR_NONE;
	if (rest.n && memchr(rest.p, ',', rest.n))
		add_alias(l, e, arena_str(&l->arena, rest));
	while (rest.p && e->n_aliases < 100) {
		rest = str_cut(rest, ',', &part);
		part = str_trim(part);
		if (part.n && !e->name.n)
			e->name = part;
		else if (part.n)
			add_alias(l, e, arena_str(&l->arena, part));
	}
}

struct str classes_bare_name(struct str name)
{
	size_t n = 0;

	while (n < name.n && name.p[n] >= '0' && name.p[n] <= '9')
		n++;
	if (!n || n + 1 >= name.n || name.p[n] != '.' || (name.p[n + 1] >= '0' && name.p[n + 1] <= '9'))
		return name;
	return (struct str){name.p + n + 1, name.n - n - 1};
}

/* Names repeat ("missile" twice in ImageNet): said, never merged. */
static void warn_repeated(struct class_list *l)
{
	struct intern names = INTERN_INIT;
	struct buf folded = BUF_INIT;

	for (size_t i = 0; i < l->v.n; i++) {
		const struct class_entry *e = &l->v.v[i];
		size_t known = names.keys.n;

		buf_clear(&folded);
		for (size_t k = 0; k < e->name.n; k++)
			buf_ch(&folded, e->name.p[k] >= 'A' && e->name.p[k] <= 'Z'
					    ? (char)(e->name.p[k] + 32)
					    : e->name.p[k]);
		if (!folded.n)
			continue;
		intern_add(&names, buf_view(&folded));
		if (names.keys.n == known)
			report_add(l->ctx->report, PROBLEM_WARNING, e->src, "name",
				   "\"%.*s\" is the name of several classes",
				   (int)(e->name.n < 100 ? e->name.n : 100), e->name.p);
	}
	intern_release(&names);
	buf_release(&folded);
}

enum status class_list_send(struct class_list *l, struct err *err)
{
	enum status st = OK;

	warn_repeated(l);
	for (size_t i = 0; i < l->v.n && !st; i++) {
		const struct class_entry *e = &l->v.v[i];
		struct str code[2][2];
		struct rec_class rec = {
		    .src = e->src,
		    .index = e->index,
		    .wnid = e->wnid,
		    .name = e->name,
		    .aliases = e->aliases,
		    .n_aliases = e->n_aliases,
		    .codes = (const struct str(*)[2])code,
		    .parent = e->parent,
		};

		if (e->code.n) {
			code[rec.n_codes][0] = STR("ilsvrc");
			code[rec.n_codes++][1] = e->code;
		}
		if (e->second.n && l->second.n) {
			code[rec.n_codes][0] = l->second;
			code[rec.n_codes++][1] = e->second;
		}
		st = sink_class(l->ctx->sink, &rec, err);
	}
	return st;
}

void class_list_release(struct class_list *l)
{
	vec_release(&l->v);
	arena_release(&l->arena);
}
