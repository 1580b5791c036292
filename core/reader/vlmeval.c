#include "core/reader/vlmeval.h"

#define CIRCLE	       1000000
#define MAX_FACET_TEXT 256

static const struct cell *cell_of(struct stored *s, const char *name)
{
	return row_find(&s->rows, &s->row, name);
}

void vlmeval_row(struct stored *s, struct vlmeval_row *out)
{
	char name[2] = "A";

	out->n_options = 0;
	out->key = cell_key(&s->row.arena, cell_of(s, "index"));
	for (size_t i = 0; i < VLMEVAL_OPTIONS; i++, name[0]++) {
		const struct cell *c = cell_of(s, name);

		out->options[i] = cell_blank(c) ? STR("") : cell_text(c);
		if (out->options[i].n)
			out->n_options = i + 1;
	}
}

void vlmeval_question(struct stored *s, const struct vlmeval_row *row, struct rec_sample *out)
{
	struct str question = cell_text(cell_of(s, "question")), hint = cell_text(cell_of(s, "hint"));

	if (hint.n && !cell_blank(cell_of(s, "hint")))
		question = str_z(arena_printf(&s->row.arena, "%.*s\n%.*s", (int)hint.n, hint.p,
					      (int)question.n, question.p));
	out->text = question;
	out->text_kind = question.n ? TEXT_QUESTION : TEXT_NONE;
	out->options = row->options;
	out->n_options = row->n_options;
}

struct str vlmeval_group(struct stored *s, struct str key)
{
	int64_t index;

	if (!str_int(key, &index) || index < CIRCLE)
		return STR_NONE;
	return str_z(arena_printf(&s->row.arena, "%lld", (long long)(index % CIRCLE)));
}

/* Columns that have a place of their own. */
static bool is_known(struct str name)
{
	static const char *const list[] = {
	    "index",	 "question",   "answer", "prediction", "image",	    "image_path",
	    "image_url", "video_path", "video",	 "category",   "extracted", "hint",	  "g_index",
	};

	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		if (str_eq_nocase(name, str_z(list[i])))
			return true;
	/* an evaluation lower-cases the names */
	return name.n == 1 && (name.p[0] | 32) >= 'a' && (name.p[0] | 32) <= 'z';
}

void vlmeval_facets(struct stored *s, const struct vlmeval_row *row, const char *const *answers)
{
	const struct cell *group = cell_of(s, "g_index");

	for (size_t i = 0; i < s->row.cells.n; i++) {
		const struct cell *c = &s->row.cells.v[i];
		struct str name = rows_name(&s->rows, c->column);
		bool of_answer = false;

		for (size_t k = 0; answers[k]; k++)
			of_answer |= str_eq_nocase(name, str_z(answers[k]));
		if (of_answer)
			stored_put_cell(s, c);
		else if (!is_known(name) && !cell_blank(c) && cell_text(c).n &&
			 cell_text(c).n <= MAX_FACET_TEXT)
			stored_facet(s, name.p, cell_text(c));
	}
	if (!cell_blank(cell_of(s, "category")))
		stored_facet(s, "category", cell_text(cell_of(s, "category")));
	stored_facet(s, "g_index", cell_blank(group) ? vlmeval_group(s, row->key)
						     : cell_key(&s->row.arena, group));
}

struct refs vlmeval_truth(struct stored *s, const struct vlmeval_row *row)
{
	return stored_truth_text(s, cell_text(cell_of(s, "answer")), row->options, row->n_options);
}

void vlmeval_note_group(struct vlmeval_groups *g, struct stored *s, struct str key)
{
	struct str group = vlmeval_group(s, key);

	intern_add(&g->seen, key);
	if (group.n && cell_blank(cell_of(s, "g_index")))
		intern_add(&g->grouped, group);
}

enum status vlmeval_send_groups(const struct vlmeval_groups *g, struct stored *s, struct err *err)
{
	enum status st = OK;

	for (size_t i = 0; i < g->grouped.keys.n && !st; i++) {
		struct str group = g->grouped.keys.v[i];
		struct rec_facet facet = {STR("g_index"), group, NAN, false};
		struct rec_sample first = {.key = group, .facets = &facet, .n_facets = 1};

		if (intern_find(&g->seen, group) != INTERN_NONE)
			st = sink_sample(s->ctx->sink, &first, err);
	}
	return st;
}

void vlmeval_release_groups(struct vlmeval_groups *g)
{
	intern_release(&g->seen);
	intern_release(&g->grouped);
}
