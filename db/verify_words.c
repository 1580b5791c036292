/* Classes of answers against the texts that they come from. A text that is the name of one class and
 * no other is an answer of that class wherever an import goes by names.
 *
 * Not all do: answers come as numbers, as letters of options, as what stands within a longer text,
 * placed by their likeness. So a run goes by names only where every text that can be compared is a
 * name, and a text is a name only where most answers that say it have its class. */
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "core/reader/choice.h"
#include "db/store_internal.h"
#include "db/verify_impl.h"

#define NONE UINT32_MAX

struct other { /* an answer of another class than it says */
	uint32_t ord, name;
};

struct verify_words {
	const struct verify_dataset *d;
	struct store names; /* only its class list: how an import looks up a name */
	struct report report;
	struct buf folded;
	uint8_t *options;	 /* [d->n]: the sample has some */
	uint8_t *asked;		 /* [d->n]: the field whose text was mapped + 1; 0 = not compared */
	uint64_t *same, *differ; /* [names]: answers that say it */
	VEC(struct other) others;
	bool known; /* the names are */
	bool on;    /* this run goes by names, so far */
};

static size_t n_names(const struct verify_words *w)
{
	return w->names.classes.name_head.n;
}

/* --- a dataset --- */

static enum status mark_options(struct verify_words *w, struct verify *k, struct err *err)
{
	sqlite3_stmt *s = stmt_get(k->c, STMT_VERIFY_CHOICES, err);
	enum status st = s ? OK : err->code;
	bool row;

	if (s)
		sqlite3_bind_int64(s, 1, w->d->id);
	while (st == OK && (st = stmt_step(k->c, s, &row, err)) == OK && row) {
		int64_t ord = sqlite3_column_int64(s, 0);

		if (ord >= 0 && ord < w->d->n)
			w->options[ord] = 1;
	}
	return st;
}

static enum status make_room(struct verify_words *w, struct err *err)
{
	size_t n = (size_t)w->d->n + 1;

	w->options = mem_try(n);
	w->asked = mem_try(n);
	if (!w->options || !w->asked)
		return err_set(err, E_MEMORY, "there is no memory to compare %u answers", w->d->n);
	memset(w->options, 0, n);
	return OK;
}

static enum status learn(struct verify_words *w, struct verify *k, struct err *err)
{
	enum status st = make_room(w, err);

	if (st == OK)
		st = store_classes_load(&w->names, err);
	if (st == OK)
		st = mark_options(w, k, err);
	if (st != OK)
		return st;
	w->same = xcalloc(n_names(w) + 1, sizeof *w->same);
	w->differ = xcalloc(n_names(w) + 1, sizeof *w->differ);
	w->known = store_n_classes(&w->names) == w->d->n_classes;
	return OK;
}

enum status verify_words_open(struct verify *k, const struct verify_dataset *d,
			      struct verify_words **out, struct err *err)
{
	struct verify_words *w = xcalloc(1, sizeof *w);
	enum status st;

	*out = w;
	w->d = d;
	report_init(&w->report, "check", NULL);
	w->names.c = k->c;
	w->names.dataset = d->id;
	w->names.report = &w->report;
	st = learn(w, k, err);
	if (st != E_FORMAT && st != E_DB && st != E_UNSUPPORTED)
		return st;
	err_clear(err); /* it was told where classes and samples are looked at */
	return OK;
}

void verify_words_close(struct verify_words *w)
{
	if (!w)
		return;
	store_classes_release(&w->names.classes);
	store_refs_release(&w->names.refs);
	arena_release(&w->names.arena);
	report_release(&w->report);
	buf_release(&w->folded);
	vec_release(&w->others);
	free(w->options);
	free(w->asked);
	free(w->same);
	free(w->differ);
	free(w);
}

/* --- a run --- */

static enum status load(struct verify_words *w, struct verify *k, const struct verify_run *r,
			const char *name, struct column *out, struct err *err)
{
	enum status st = column_load(k->c, OWNER_RUN, r->id, name, out, err);

	if (st == E_FORMAT || st == E_DB || st == E_UNSUPPORTED ||
	    (st == OK && !column_is_unsigned(out)))
		w->on = false;
	if (st == E_NOT_FOUND || st == E_FORMAT || st == E_DB || st == E_UNSUPPORTED) {
		err_clear(err); /* damage is told where the column is looked at */
		return OK;
	}
	return st;
}

/* Those with one class, as an import alone can have given it. */
static void ask(struct verify_words *w, const struct verify_run *r, const struct column *extracted,
		const struct column *mapped)
{
	for (uint32_t i = 0; i < w->d->n; i++) {
		bool one = column_u(&r->outcome, i) == OUTCOME_ANSWERED &&
			   column_u(&r->label, i) < w->d->n_classes && !w->options[i] &&
			   column_u(mapped, i) == COLUMN_NONE;

		w->asked[i] = !one ? 0
			      : column_u(extracted, i) != COLUMN_NONE ? FIELD_EXTRACTED + 1
								       : FIELD_RAW + 1;
	}
	for (size_t i = 0; i < r->list_ord.n; i++)
		if (column_u(&r->list_ord, i) < w->d->n)
			w->asked[column_u(&r->list_ord, i)] = 0;
}

enum status verify_words_begin(struct verify_words *w, struct verify *k, const struct verify_run *r,
			       struct err *err)
{
	struct column extracted = {DT_U8, 0, NULL}, mapped = {DT_U8, 0, NULL};
	enum status st;

	w->on = w->known && !r->bad && r->label.n;
	if (!w->on)
		return OK;
	vec_clear(&w->others);
	memset(w->same, 0, n_names(w) * sizeof *w->same);
	memset(w->differ, 0, n_names(w) * sizeof *w->differ);
	st = load(w, k, r, verify_text_column(FIELD_EXTRACTED), &extracted, err);
	if (st == OK)
		st = load(w, k, r, STORE_MAPPED, &mapped, err);
	if (st == OK && w->on)
		ask(w, r, &extracted, &mapped);
	column_release(&extracted);
	column_release(&mapped);
	return st;
}

/* --- a text --- */

enum saying { SAYS_NOTHING, SAYS_ONE, SAYS_OTHERWISE };

/* An index or a wnid, which are no names: ref_from_text(). */
static bool may_be_number(struct str text)
{
	size_t at = text.n > 1 && strchr("+-n", text.p[0]) ? 1 : 0;

	return text.p[at] >= '0' && text.p[at] <= '9';
}

/* *name: by which it is known; *cls: the one class of that name. SAYS_OTHERWISE: a number, a letter, a
 * text of the label map, or a name of several classes. */
static enum saying read_name(struct verify_words *w, struct str text, uint32_t *name, uint32_t *cls)
{
	const struct classes *cl = &w->names.classes;
	const struct name_node *node;

	text = str_trim(text);
	if (text.n > STORE_NAME_MAX)
		return SAYS_NOTHING;
	if (!text.n || choice_is_lettered(text) || may_be_number(text) ||
	    store_class_mapped(&w->names, text) != NONE)
		return SAYS_OTHERWISE;
	*name = intern_find(&cl->names, store_fold(text, &w->folded));
	if (*name == INTERN_NONE || cl->name_head.v[*name] == NONE)
		return SAYS_NOTHING;
	node = &cl->nodes.v[cl->name_head.v[*name]];
	*cls = node->cls;
	return node->next == NONE ? SAYS_ONE : SAYS_OTHERWISE;
}

static size_t first_asked(const struct verify_words *w, enum text_field field, const uint32_t *ords,
			  size_t n)
{
	size_t i = 0;

	while (i < n && w->asked[ords[i]] != field + 1)
		i++;
	return i;
}

void verify_words_hear(struct verify_words *w, const struct verify_run *r, enum text_field field,
		       const uint32_t *ords, size_t n, struct str text)
{
	uint32_t name, cls;
	enum saying says;
	size_t i;

	if (!w->on || (field != FIELD_RAW && field != FIELD_EXTRACTED))
		return;
	i = first_asked(w, field, ords, n);
	if (i == n)
		return;
	says = read_name(w, text, &name, &cls);
	w->on = says != SAYS_NOTHING;
	if (says != SAYS_ONE)
		return;
	for (; i < n; i++) {
		if (w->asked[ords[i]] != field + 1)
			continue;
		if (column_u(&r->label, ords[i]) == cls) {
			w->same[name]++;
			continue;
		}
		w->differ[name]++;
		vec_push(&w->others, ((struct other){ords[i], name}));
	}
}

/* As many bytes as there is room for, and no half character. */
static int shown(struct str s)
{
	size_t n = s.n < 40 ? s.n : 40;

	while (n && n < s.n && ((unsigned char)s.p[n] & 0xc0) == 0x80)
		n--;
	return (int)n;
}

void verify_words_end(struct verify_words *w, struct verify *k, const struct verify_run *r)
{
	const struct classes *cl = &w->names.classes;
	struct finding f;

	if (!w->on || r->bad)
		return;
	finding_init(&f, "answers of another class than their texts name");
	for (size_t i = 0; i < w->others.n; i++) {
		struct other o = w->others.v[i];
		struct str said = intern_key(&cl->names, o.name);
		struct str name = cl->v.v[column_u(&r->label, o.ord)].name;

		if (w->same[o.name] > w->differ[o.name])
			finding_see(&f, "sample %u says %.*s and is %.*s", o.ord,
				    shown(said), said.p, shown(name), name.p);
	}
	finding_end(k, &f, r->where, NULL);
}
