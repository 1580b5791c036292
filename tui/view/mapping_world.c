/* What the open project says about the keys and classes of a table that is being mapped. */
#include "core/base/path.h"
#include "db/fetch.h"
#include "tui/view/mapping_impl.h"

static struct str folded(struct str text, struct buf *out)
{
	text = str_trim(text);
	buf_clear(out);
	for (size_t i = 0; i < text.n; i++)
		buf_ch(out, text.p[i] >= 'A' && text.p[i] <= 'Z' ? (char)(text.p[i] + 32) : text.p[i]);
	return buf_view(out);
}

static void add_name(void *ctx, struct str text, uint32_t ord)
{
	struct mapping_world *w = ctx;
	struct buf name = BUF_INIT;
	uint32_t known = (uint32_t)w->names.keys.n, at;

	if (text.n) {
		at = intern_add(&w->names, folded(text, &name));
		if (at == known)
			vec_push(&w->ords, ord);
		else if (w->ords.v[at] != ord)
			w->ords.v[at] = UINT32_MAX;
	}
	buf_release(&name);
}

/* UINT32_MAX - 1: no class is called so. */
static uint32_t class_of(const struct mapping_world *w, const struct class_ref *ref)
{
	const struct snapshot *s = w->app->scene.snap;
	struct buf name = BUF_INIT;
	uint32_t at = UINT32_MAX - 1, found;

	for (uint32_t i = 0; ref->kind == CLASS_BY_INDEX && i < s->n_classes; i++)
		if (s->classes[i].index == ref->index)
			at = i;
	if (ref->kind != CLASS_BY_INDEX) {
		found = intern_find(&w->names, folded(ref->text, &name));
		at = found == INTERN_NONE ? at : w->ords.v[found];
	}
	buf_release(&name);
	return at;
}

static bool has_class(void *ctx, const struct class_ref *ref)
{
	return class_of(ctx, ref) != UINT32_MAX - 1;
}

static bool find(const struct mapping_world *w, struct str key, uint32_t *ord)
{
	struct err ignored = ERR_INIT;

	return fetch_ordinal(w->app->conn, w->app->scene.snap->dataset_id, key, ord, &ignored) == OK;
}

/* By place the key is the row's number, whatever samples are called. */
static bool find_place(const struct mapping_world *w, struct str key, uint32_t *ord)
{
	int64_t place = 0;

	if (!str_int(key, &place) || place < 1 || place > w->app->scene.snap->n)
		return false;
	*ord = (uint32_t)(place - 1);
	return true;
}

static bool find_sample(const struct mapping_world *w, struct str key, uint32_t *ord)
{
	if (w->recipe->join == JOIN_POSITION)
		return find_place(w, key, ord);
	return find(w, key, ord) || find(w, path_base(key), ord) ||
	       find(w, path_stem(path_base(key)), ord);
}

static bool has_sample(void *ctx, struct str key)
{
	uint32_t ord;

	return find_sample(ctx, key, &ord);
}

static int judge(void *ctx, struct str key, const struct class_ref *refs, size_t n,
		 struct str *truth)
{
	const struct mapping_world *w = ctx;
	const struct snapshot *s = w->app->scene.snap;
	int at = w->app->scene.lens.layer;
	const struct layer *layer = at >= 0 && (uint32_t)at < s->n_layers ? &s->layers[at] : NULL;
	uint32_t ord;
	size_t from = 0, n_true;
	int right = 0;

	if (!layer || layer->vote_width || !find_sample(w, key, &ord))
		return -1;
	n_true = csr_row(&layer->sets, ord, &from);
	for (size_t k = 0; k < n_true; k++) {
		uint64_t cls = column_u(&layer->sets.val, from + k);

		if (cls >= s->n_classes)
			return -1;
		if (!k)
			*truth = str_z(s->classes[cls].name);
		for (size_t i = 0; i < n; i++)
			right |= class_of(w, &refs[i]) == cls;
	}
	return n_true ? right : -1;
}

void mapping_world_open(struct mapping_world *w, struct app *app, const struct recipe *recipe)
{
	const struct snapshot *s = app->scene.snap;
	struct err ignored = ERR_INIT;

	*w = (struct mapping_world){.app = app, .recipe = recipe, .names = INTERN_INIT};
	if (!s)
		return;
	for (uint32_t i = 0; i < s->n_classes; i++) {
		add_name(w, str_z(s->classes[i].name), i);
		add_name(w, str_z(s->classes[i].wnid), i);
	}
	fetch_class_texts(app->conn, s->dataset_id, add_name, w, &ignored);
	w->world = (struct draft_world){.ctx = w,
					.n_samples = s->n,
					.n_classes = s->n_classes,
					.has_sample = has_sample,
					.has_class = has_class,
					.judge = judge};
}

void mapping_world_close(struct mapping_world *w)
{
	intern_release(&w->names);
	vec_release(&w->ords);
}
