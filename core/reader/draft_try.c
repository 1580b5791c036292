/* The part of the file read as an import would read it: the first rows, and what is wrong. */
#include "core/reader/draft_impl.h"
#include "core/reader/table.h"

#define NAMES_MAX 20 /* of one row's classes */

struct trial {
	struct sink sink; /* first */
	struct draft *d;
	const struct draft_world *world;
	struct intern keys, runs, labels, answers; /* keys: run and key; labels, answers: as spelt */
	VEC(bool) strange_label, strange_answer;   /* none of the classes that the project has */
	uint64_t records, repeated, looked_up, unmatched;
};

static struct trial *self(struct sink *s)
{
	return (struct trial *)s;
}

/* --- classes --- */

static struct str name_of(struct draft *d, const struct class_ref *ref)
{
	if (ref->kind == CLASS_BY_INDEX && !ref->text.n)
		return str_z(arena_printf(&d->arena, "#%lld", (long long)ref->index));
	return ref->text;
}

static struct str names_of(struct draft *d, const struct class_ref *refs, size_t n)
{
	struct buf out = BUF_INIT;
	struct str text;

	for (size_t i = 0; i < n && i < NAMES_MAX; i++) {
		buf_z(&out, i ? ", " : "");
		buf_str(&out, name_of(d, &refs[i]));
	}
	text = arena_str(&d->arena, buf_view(&out));
	buf_release(&out);
	return text;
}

static struct str folded(struct draft *d, const struct class_ref *ref)
{
	struct str name = str_trim(name_of(d, ref));

	buf_clear(&d->scratch);
	for (size_t i = 0; i < name.n; i++)
		buf_ch(&d->scratch, name.p[i] >= 'A' && name.p[i] <= 'Z' ? (char)(name.p[i] + 32)
									   : name.p[i]);
	return buf_view(&d->scratch);
}

static void note_classes(struct trial *t, const struct class_ref *refs, size_t n, bool label)
{
	struct intern *names = label ? &t->labels : &t->answers;

	for (size_t i = 0; i < n; i++) {
		size_t known = names->keys.n;
		bool strange;

		intern_add(names, folded(t->d, &refs[i]));
		if (names->keys.n == known)
			continue;
		strange = t->world->n_classes && !t->world->has_class(t->world->ctx, &refs[i]);
		if (label)
			vec_push(&t->strange_label, strange);
		else
			vec_push(&t->strange_answer, strange);
	}
}

/* --- rows --- */

static void note_key(struct trial *t, uint32_t run, struct str key)
{
	struct buf name = BUF_INIT;
	size_t known = t->keys.keys.n;

	buf_printf(&name, "%u ", run);
	buf_str(&name, key);
	intern_add(&t->keys, buf_view(&name));
	buf_release(&name);
	t->repeated += t->keys.keys.n == known;
	t->records++;
	if (!t->world->n_samples || t->looked_up == DRAFT_ROWS)
		return;
	t->looked_up++;
	t->unmatched += !t->world->has_sample(t->world->ctx, key);
}

static bool same_class(struct draft *d, const struct class_ref *a, const struct class_ref *b)
{
	if (a->kind == CLASS_BY_INDEX && b->kind == CLASS_BY_INDEX)
		return a->index == b->index;
	return str_eq_nocase(str_trim(name_of(d, a)), str_trim(name_of(d, b)));
}

static int is_right(struct draft *d, const struct rec_prediction *p, const struct rec_truth *truth)
{
	if (!truth || !truth->n_refs)
		return -1;
	for (size_t i = 0; i < p->n_refs; i++)
		for (size_t k = 0; k < truth->n_refs; k++)
			if (same_class(d, &p->refs[i], &truth->refs[k]))
				return 1;
	return 0;
}

static struct draft_row *new_row(struct trial *t, struct str key, const struct rec_sample *s)
{
	struct draft *d = t->d;
	struct draft_row *row;

	if (d->n_rows == DRAFT_SHOWN)
		return NULL;
	row = &d->row[d->n_rows++];
	*row = (struct draft_row){.key = arena_str(&d->arena, key), .right = -1};
	if (s && s->n_truths)
		row->truth = names_of(d, s->truths[0].refs, s->truths[0].n_refs);
	return row;
}

static enum status add_sample(struct sink *s, const struct rec_sample *r, struct err *err)
{
	struct trial *t = self(s);

	(void)err;
	note_key(t, UINT32_MAX, r->key);
	for (size_t i = 0; i < r->n_truths; i++)
		note_classes(t, r->truths[i].refs, r->truths[i].n_refs, true);
	new_row(t, r->key, r);
	return OK;
}

/* The project's own truths count, whatever the table says. */
static void judge_by_project(struct trial *t, const struct rec_prediction *r, struct draft_row *row)
{
	struct str name = STR_NONE;
	int right = t->world->judge(t->world->ctx, r->key, r->refs, r->n_refs, &name);

	if (!name.n)
		return;
	row->right = right;
	row->truth = arena_str(&t->d->arena, name);
}

static bool any_known(const struct trial *t, const struct rec_prediction *r)
{
	for (size_t i = 0; i < r->n_refs; i++)
		if (t->world->has_class(t->world->ctx, &r->refs[i]))
			return true;
	return false;
}

static enum status add_prediction(struct sink *s, const struct rec_prediction *r, struct err *err)
{
	struct trial *t = self(s);
	const struct rec_truth *truth = r->sample && r->sample->n_truths ? r->sample->truths : NULL;
	struct draft_row *row;

	(void)err;
	note_key(t, r->run, r->key);
	for (size_t i = 0; r->sample && i < r->sample->n_truths; i++)
		note_classes(t, r->sample->truths[i].refs, r->sample->truths[i].n_refs, true);
	note_classes(t, r->refs, r->n_refs, false);
	row = new_row(t, r->key, r->sample);
	if (!row)
		return OK;
	row->is_answer = true;
	row->answer = arena_str(&t->d->arena, r->extracted.p ? r->extracted : r->raw);
	if (r->outcome == OUTCOME_ERROR)
		row->answer = arena_str(&t->d->arena, r->error);
	row->class_name = names_of(t->d, r->refs, r->n_refs);
	row->outcome = r->outcome;
	row->right = is_right(t->d, r, truth);
	if (t->world->n_samples)
		judge_by_project(t, r, row);
	if (r->outcome == OUTCOME_ANSWERED && t->world->n_classes && !any_known(t, r))
		row->outcome = OUTCOME_OOP;
	return OK;
}

static enum status add_run(struct sink *s, const struct rec_run *r, uint32_t *run, struct err *err)
{
	struct buf name = BUF_INIT;

	(void)err;
	buf_str(&name, r->model);
	buf_ch(&name, '\n');
	buf_str(&name, r->protocol);
	buf_ch(&name, '\n');
	buf_str(&name, r->handle);
	*run = intern_add(&self(s)->runs, buf_view(&name));
	buf_release(&name);
	return OK;
}

static enum status add_class(struct sink *s, const struct rec_class *r, struct err *err)
{
	(void)s;
	(void)r;
	(void)err;
	return OK;
}

static enum status add_pair(struct sink *s, const struct rec_pair *r, struct err *err)
{
	(void)s;
	(void)r;
	(void)err;
	return OK;
}

static enum status add_tree(struct sink *s, const struct rec_tree *r, struct err *err)
{
	(void)s;
	(void)r;
	(void)err;
	return OK;
}

static enum status set_preset(struct sink *s, struct str preset, struct err *err)
{
	(void)s;
	(void)preset;
	(void)err;
	return OK;
}

static const struct sink_ops ops = {
    .add_class = add_class,
    .add_pair = add_pair,
    .add_tree = add_tree,
    .add_sample = add_sample,
    .add_run = add_run,
    .add_prediction = add_prediction,
    .set_preset = set_preset,
};

/* --- what is wrong --- */

static const char *some(uint64_t n, uint64_t all, char out[48])
{
	if (n == all)
		snprintf(out, 48, all == 1 ? "1" : "all %llu", (unsigned long long)all);
	else
		snprintf(out, 48, "%llu of %llu", (unsigned long long)n, (unsigned long long)all);
	return out;
}

static void blame(struct draft *d, struct draft_column *c, const char *text)
{
	if (!c || !text)
		return;
	c->problem = c->problem ? arena_printf(&d->arena, "%s; %s", c->problem, text) : text;
}

static void blame_key(struct trial *t)
{
	struct draft *d = t->d;
	struct draft_column *c = draft_with(d, "key");
	char n[48];

	if (!c)
		c = draft_with(d, "image");
	if (c && c->blank)
		blame(d, c, arena_printf(&d->arena, "empty: %s", some(c->blank, c->n, n)));
	if (t->repeated)
		blame(d, c, arena_printf(&d->arena, "repeated: %llu",
					 (unsigned long long)t->repeated));
	if (t->unmatched && d->predictions)
		blame(d, c, arena_printf(&d->arena, "no such sample: %s",
					 some(t->unmatched, t->looked_up, n)));
}

/* The i-th of the answers' classes: is it none of those that there are? */
static bool is_strange(const struct trial *t, size_t i)
{
	if (t->world->n_classes)
		return t->strange_answer.v[i];
	return t->labels.keys.n &&
	       intern_find(&t->labels, intern_key(&t->answers, (uint32_t)i)) == INTERN_NONE;
}

/* Without classes of the project those of the table's own truths are what there is. */
static void blame_classes(struct trial *t)
{
	struct draft *d = t->d;
	struct draft_column *answer = draft_with(d, "prediction");
	uint64_t labels = 0, answers = 0;
	char n[48];

	for (size_t i = 0; i < t->strange_label.n; i++)
		labels += t->strange_label.v[i];
	for (size_t i = 0; i < t->strange_answer.n; i++)
		answers += is_strange(t, i);
	if (d->predictions && t->world->n_samples)
		blame(d, draft_with(d, "label"), "the project's truths count");
	else if (labels)
		blame(d, draft_with(d, "label"),
		      arena_printf(&d->arena, "new classes: %s", some(labels, t->labels.keys.n, n)));
	if (answers)
		blame(d, answer ? answer : draft_with(d, "raw"),
		      arena_printf(&d->arena, "no such class: %s", some(answers, t->answers.keys.n, n)));
}

static void blame_numbers(struct draft *d)
{
	static const char *const words[] = {"score", "latency_ms", "tokens", "number", "degree",
					    "batch_size", "batch_pos", NULL};
	char n[48];

	for (size_t i = 0; i < d->columns.n; i++) {
		struct draft_column *c = &d->columns.v[i];
		uint32_t texts = c->n - c->blank - c->numbers;

		for (const char *const *w = words; *w && texts; w++)
			if (str_eqz(c->word, *w))
				blame(d, c, arena_printf(&d->arena, "no number: %s",
							 some(texts, c->n - c->blank, n)));
	}
}

/* Two columns for one field, and columns that a recipe wants and the table lacks. */
static void blame_fields(struct draft *d, const struct recipe *r)
{
	static const char *const shared[] = {"facet", "number", "details", "ignore", NULL};

	for (size_t i = 0; i < d->columns.n; i++) {
		struct draft_column *c = &d->columns.v[i], *first = NULL;
		bool many = !c->word.n || !c->by_hand;

		for (const char *const *w = shared; *w; w++)
			many |= str_eqz(c->word, *w);
		if (!many)
			first = draft_with(d, arena_str(&d->arena, c->word).p);
		if (first && first != c)
			blame(d, c, arena_printf(&d->arena, "not read: %.40s is the %s", first->name.p,
						 c->word.p));
	}
	for (size_t i = 0; i < r->fields.n && !d->trouble; i++)
		if (intern_find(&d->names, r->fields.v[i].value) == INTERN_NONE &&
		    !str_eqz(r->fields.v[i].name, "ignore"))
			d->trouble = arena_printf(&d->arena, "%s: no row has %.80s", r->fields.v[i].name.p,
						  r->fields.v[i].value.p);
}

/* What to write on a command line is of no use here. */
static struct str without_option(struct str text)
{
	size_t at = str_find(text, STR("; --map"));

	return at == SIZE_MAX ? text : (struct str){text.p, at};
}

/* The row that the part ends in is broken because it is cut. */
static void count_rows(struct draft *d, const struct report *report)
{
	uint64_t bad = report->problems[PROBLEM_SKIPPED];

	d->rows = report->rows;
	for (size_t i = 0; i < report->examples.n && !d->trouble; i++) {
		const struct report_example *e = &report->examples.v[i];

		if (e->kind != PROBLEM_SKIPPED || (!d->whole && e->src.byte >= d->bytes.n))
			continue;
		d->trouble = arena_printf(&d->arena, "line %llu: %.*s", (unsigned long long)e->src.line,
					  STR_ARG(without_option(str_z(e->text))));
	}
	d->skipped = d->trouble ? bad : 0;
}

static void release(struct trial *t)
{
	intern_release(&t->keys);
	intern_release(&t->runs);
	intern_release(&t->labels);
	intern_release(&t->answers);
	vec_release(&t->strange_label);
	vec_release(&t->strange_answer);
}

/* Where the table alone says which classes there are. */
static void mark_oop(struct trial *t)
{
	struct draft *d = t->d;

	for (size_t i = 0; i < d->n_rows && t->labels.keys.n && !t->world->n_classes; i++) {
		struct draft_row *row = &d->row[i];
		struct class_ref ref = {.kind = CLASS_BY_NAME, .text = row->class_name};

		if (row->is_answer && row->outcome == OUTCOME_ANSWERED && row->right != 1 &&
		    !memchr(ref.text.p, ',', ref.text.n) &&
		    intern_find(&t->labels, folded(d, &ref)) == INTERN_NONE)
			row->outcome = OUTCOME_OOP;
	}
}

static void judge(struct trial *t, const struct recipe *r, const struct report *report)
{
	count_rows(t->d, report);
	mark_oop(t);
	blame_key(t);
	blame_classes(t);
	blame_numbers(t->d);
	blame_fields(t->d, r);
}

void draft_try(struct draft *d, const struct recipe *r, const struct draft_world *world)
{
	static const struct draft_world nothing = {0};
	struct trial t = {.sink.ops = &ops, .d = d, .world = world ? world : &nothing};
	struct respell *spell = respell_new(r);
	struct arena arena = ARENA_INIT;
	struct read_options opt = {.threads = 1};
	struct report report;
	struct input in;
	struct read_ctx ctx = {&in, &opt, respell_sink(spell, &t.sink), &report};
	struct err err = ERR_INIT;

	recipe_apply(r, &arena, &opt);
	report_init(&report, d->path, NULL);
	draft_input(d, &in);
	if (reader_generic.read(&ctx, &err) != OK && (d->whole || !t.records) && !d->trouble)
		d->trouble = arena_str(&d->arena, without_option(str_z(err.msg))).p;
	judge(&t, r, &report);
	input_close(&in);
	report_release(&report);
	respell_free(spell);
	arena_release(&arena);
	release(&t);
}
