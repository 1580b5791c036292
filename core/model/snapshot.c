#include "core/model/snapshot.h"

#include <stdlib.h>

int snapshot_layer(const struct snapshot *s, struct str name)
{
	for (uint32_t i = 0; i < s->n_layers; i++)
		if (str_eqz(name, s->layers[i].name))
			return (int)i;
	return -1;
}

static char facet_char(char c)
{
	if (c >= 'A' && c <= 'Z')
		return (char)(c - 'A' + 'a');
	return c == '_' ? ' ' : c;
}

static bool facet_name_eq(struct str a, struct str b)
{
	if (a.n != b.n)
		return false;
	for (size_t i = 0; i < a.n; i++)
		if (facet_char(a.p[i]) != facet_char(b.p[i]))
			return false;
	return true;
}

int snapshot_facet(const struct snapshot *s, struct str name)
{
	int like = -1;

	for (uint32_t i = 0; i < s->n_facets; i++) {
		struct str have = str_z(s->facets[i].name);

		if (str_eq(have, name)) /* "Type" and "type" may both exist */
			return (int)i;
		if (like < 0 && facet_name_eq(have, name))
			like = (int)i;
	}
	return like;
}

/* The only run that `fits`; -1 none, -2 several. */
static int only_run(const struct snapshot *s, struct str who,
		    bool (*fits)(const struct run *run, struct str who))
{
	int found = -1;

	for (uint32_t i = 0; i < s->n_runs; i++) {
		if (!fits(&s->runs[i], who))
			continue;
		if (found >= 0)
			return -2;
		found = (int)i;
	}
	return found;
}

static bool handle_is(const struct run *run, struct str who)
{
	return str_eqz(who, run->handle);
}

static bool handle_begins(const struct run *run, struct str who)
{
	return str_starts(str_z(run->handle), who);
}

static bool title_is(const struct run *run, struct str who)
{
	return str_eqz(who, run->title);
}

static bool model_is(const struct run *run, struct str who)
{
	return run->model && str_eqz(who, run->model);
}

bool snapshot_run_may_be(const struct run *run, struct str who)
{
	return handle_begins(run, who) || title_is(run, who) || model_is(run, who);
}

int snapshot_run(const struct snapshot *s, struct str who)
{
	int exact, prefix, title, model;

	if (who.n == 0)
		return -1;
	exact = only_run(s, who, handle_is);
	if (exact >= 0)
		return exact;
	for (uint32_t r = s->n_runs; r < snapshot_answerers(s); r++)
		if (handle_is(&s->runs[r], who))
			return (int)r;
	prefix = only_run(s, who, handle_begins);
	if (prefix >= 0)
		return prefix;
	title = only_run(s, who, title_is);
	if (title >= 0)
		return title;
	model = only_run(s, who, model_is);
	if (model >= 0)
		return model;
	return prefix == -2 || title == -2 || model == -2 ? -2 : -1;
}

bool snapshot_is_repeat(const struct snapshot *s, int r, int of)
{
	return r == of || (s->runs[of].repeats && s->runs[r].repeats == s->runs[of].repeats);
}

uint32_t snapshot_n_repeats(const struct snapshot *s, int of)
{
	uint32_t n = 0;

	for (uint32_t r = 0; r < s->n_runs; r++)
		n += snapshot_is_repeat(s, (int)r, of);
	return n ? n : 1; /* a layer has none */
}

int snapshot_first_panel(const struct snapshot *s, int *panel)
{
	int n = 0;

	for (uint32_t r = 0; r < s->n_runs; r++) {
		const struct run *run = &s->runs[r];
		bool replaced = run->scratch;

		for (uint32_t q = r + 1; q < s->n_runs && !replaced; q++)
			replaced = !s->runs[q].scratch && strcmp(s->runs[q].model, run->model) == 0 &&
				   strcmp(s->runs[q].protocol, run->protocol) == 0;
		if (!replaced)
			panel[n++] = (int)r;
	}
	return n;
}

static void release_run(struct run *run)
{
	column_release(&run->outcome);
	column_release(&run->label);
	csr_release(&run->labels);
}

/* All but what it shares with its part. */
static void release_columns(struct snapshot *s)
{
	for (uint32_t i = 0; i < snapshot_answerers(s); i++)
		if (!s->part || s->part->runs[i].later)
			release_run(&s->runs[i]);
	if (s->part)
		return;
	for (uint32_t i = 0; i < s->n_layers; i++) {
		column_release(&s->layers[i].covered);
		csr_release(&s->layers[i].sets);
		column_release(&s->layers[i].votes);
	}
	for (uint32_t i = 0; i < s->n_facets; i++) {
		column_release(&s->facets[i].value);
		csr_release(&s->facets[i].sets);
		column_release(&s->facets[i].number);
	}
	column_release(&s->media);
}

/* The first class; the layer's own sets are the list, as a copy, where a sample has several. */
static void answer_of_layer(const struct layer *l, struct run *run, size_t i)
{
	size_t from, n = csr_row(&l->sets, i, &from);

	if (column_u(&l->covered, i) != 1)
		return;
	((uint8_t *)run->outcome.data)[i] = n ? OUTCOME_ANSWERED : OUTCOME_EMPTY;
	run->n_predictions++;
	if (n)
		column_set_u(&run->label, i, column_u(&l->sets.val, from));
}

static struct column copy_column(const struct column *c)
{
	struct column out = column_new(c->dtype, c->n);

	if (out.data && c->n)
		memcpy(out.data, c->data, c->n * dtype_size(c->dtype));
	return out;
}

void snapshot_fill_layer_runs(struct snapshot *s)
{
	for (uint32_t k = 0; k < s->n_layer_runs; k++) {
		const struct layer *l = &s->layers[k];
		struct run *run = &s->runs[s->n_runs + k];

		if (run->later || run->outcome.data)
			continue;
		run->outcome = column_new(DT_U8, s->n);
		run->label = column_new(dtype_for(s->n_classes), s->n);
		if (!run->outcome.data || !run->label.data)
			continue;
		memset(run->outcome.data, OUTCOME_MISSING, s->n);
		for (uint32_t i = 0; i < s->n; i++)
			answer_of_layer(l, run, i);
		if (l->sets.val.n > run->n_predictions) {
			run->labels.off = copy_column(&l->sets.off);
			run->labels.val = copy_column(&l->sets.val);
		}
	}
}

struct snapshot *snapshot_share(struct snapshot *s)
{
	atomic_fetch_add(&s->sharers, 1);
	return s;
}

void snapshot_free(struct snapshot *s)
{
	if (!s || atomic_fetch_sub(&s->sharers, 1) > 0)
		return;
	release_columns(s);
	snapshot_free(s->part);
	arena_release(&s->arena);
	free(s);
}
