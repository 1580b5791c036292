#include "core/reader/columns.h"

#include "core/reader/recipe.h"

/* This many texts are needed before "they hardly repeat" says anything. */
#define MIN_TEXTS 16

/* Words of --map that other readers of the same command understand. */
static const char *const others_words[] = {"facet", "name", "index", "wnid", "code", "parent",
						 "second", "group", "metric", "value", "layer", "unit",
						 "rater", "rating"};

bool columns_of_others(struct str word)
{
	for (size_t i = 0; i < sizeof others_words / sizeof *others_words; i++)
		if (str_eqz(word, others_words[i]))
			return true;
	return false;
}

static bool is_mapped_word(struct str word)
{
	return recipe_is_field(word) || columns_of_others(word);
}

/* Roles that mean nothing in a file of samples: there "score" is a score of the sample. */
static bool is_of_answers(enum role role)
{
	switch (role) {
	case ROLE_SCORE:
	case ROLE_LATENCY:
	case ROLE_TOKENS:
	case ROLE_DEGREE:
	case ROLE_BATCH_SIZE:
	case ROLE_BATCH_POS:
	case ROLE_MODEL:
	case ROLE_RUN:
	case ROLE_PROTOCOL:
	case ROLE_ERROR:
	case ROLE_REFUSAL:
	case ROLE_JUDGED:
		return true;
	default:
		return false;
	}
}

/* An ordinary field whose kind is given by hand. */
static void settle(struct column_use *use, enum column_kind kind)
{
	use->guess = (struct guess){ROLE_OTHER, -1, STR_NONE};
	use->kind = kind;
	use->settled = true;
}

static void take_word(struct str word, struct column_use *use)
{
	struct str layer = recipe_layer(word);

	use->mapped = true;
	if (layer.n)
		use->guess = (struct guess){ROLE_LAYER, -1, layer};
	else if (str_eqz(word, "details"))
		use->guess = (struct guess){ROLE_JUDGED, -1, STR_NONE};
	else if (str_eqz(word, "facet"))
		settle(use, COLUMN_TEXT);
	else if (str_eqz(word, "number"))
		settle(use, COLUMN_NUMBER);
	for (int r = ROLE_KEY; r < N_ROLES; r++)
		if (str_eqz(word, role_word((enum role)r)))
			use->guess = (struct guess){(enum role)r, -1, STR_NONE};
}

/* The first word for a column counts; for a further one there is a column of its own (reach.h). */
static void mapped_role(const struct columns *c, uint32_t column, struct column_use *use)
{
	const struct mapping *made = reach_field(c->rows, column);
	struct str name = rows_name(c->rows, column);

	for (size_t i = 0; i < c->opt->n_map && !made; i++)
		if (str_eq_nocase(str_trim(c->opt->map[i].value), name))
			made = &c->opt->map[i];
	if (made)
		take_word(made->name, use);
}

/* "answer" is the truth beside a prediction and in a file of samples, else the prediction. */
static enum role answer_role(const struct columns *c)
{
	bool other = c->of_role[ROLE_PREDICTION] != INTERN_NONE ||
		     c->of_role[ROLE_RAW] != INTERN_NONE ||
		     c->of_role[ROLE_PREDICTION_INDEX] != INTERN_NONE;

	return c->predictions && !other ? ROLE_PREDICTION : ROLE_LABEL;
}

static void give(struct columns *c, uint32_t column, enum role role, int rank)
{
	struct column_use *use = &c->use.v[column];
	uint32_t *holder;

	if (!c->predictions && is_of_answers(role) && !(role == ROLE_JUDGED && use->mapped))
		role = ROLE_OTHER;
	holder = &c->of_role[role];
	if (role == ROLE_OTHER || role == ROLE_LAYER || role == ROLE_JUDGED || role == ROLE_IGNORED) {
		use->role = role;
		return;
	}
	if (*holder != INTERN_NONE) {
		if (c->use.v[*holder].guess.rank <= rank) {
			use->role = ROLE_OTHER;
			return;
		}
		c->use.v[*holder].role = ROLE_OTHER;
	}
	use->role = role;
	*holder = column;
}

static void add_columns(struct columns *c, bool first)
{
	size_t from = c->use.n;

	for (size_t i = from; i < c->rows->names.keys.n; i++) {
		struct column_use use = {0};
		struct str name = rows_name(c->rows, (uint32_t)i);

		use.guess = guess_role(name);
		mapped_role(c, (uint32_t)i, &use);
		/* What was decided by the first rows stands: a late field takes no role away. */
		if (!first)
			use.guess.rank += N_ROLES * 100;
		vec_push(&c->use, use);
		c->version++;
		if (use.guess.role != ROLE_ANSWER)
			give(c, (uint32_t)i, use.guess.role, use.guess.rank);
	}
	for (size_t i = from; i < c->use.n; i++) {
		const struct column_use *use = &c->use.v[i];

		if (use->guess.role == ROLE_ANSWER)
			give(c, (uint32_t)i, answer_role(c), 100);
		/* Beside full_response the shorter "response" is what was extracted from it. */
		else if (use->guess.role == ROLE_RAW && use->role == ROLE_OTHER &&
			 c->of_role[ROLE_PREDICTION] == INTERN_NONE)
			give(c, (uint32_t)i, ROLE_PREDICTION, 100);
	}
}

/* Beside a label chosen by hand, an index that merely has a usual name belongs to something else. */
static void drop_companions(struct columns *c)
{
	static const enum role pairs[][2] = {
	    {ROLE_LABEL, ROLE_LABEL_INDEX},
	    {ROLE_LABEL, ROLE_LABEL_WNID},
	    {ROLE_LABEL, ROLE_LABEL_FULL},
	    {ROLE_PREDICTION, ROLE_PREDICTION_INDEX},
	};

	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		uint32_t chosen = c->of_role[pairs[i][0]], *index = &c->of_role[pairs[i][1]];

		if (chosen == INTERN_NONE || *index == INTERN_NONE || !c->use.v[chosen].mapped ||
		    c->use.v[*index].mapped)
			continue;
		c->use.v[*index].role = ROLE_OTHER;
		*index = INTERN_NONE;
	}
}

/* The first column of a headerless table that holds file names. */
static void find_image_by_value(struct columns *c, const struct row *first, size_t n)
{
	for (size_t i = 0; n && i < first[0].cells.n; i++) {
		const struct cell *cell = &first[0].cells.v[i];

		if (c->use.v[cell->column].role == ROLE_OTHER &&
		    (looks_like_image(cell_text(cell)) || looks_like_video(cell_text(cell)))) {
			give(c, cell->column, ROLE_IMAGE, 0);
			return;
		}
	}
}

struct tally {
	size_t n, numbers, longest;
	struct intern texts;
};

static void tally_text(struct tally *t, struct str text)
{
	if (!text.n)
		return;
	t->n++;
	if (text.n > t->longest || memchr(text.p, '\n', text.n))
		t->longest = memchr(text.p, '\n', text.n) ? SIZE_MAX : text.n;
	intern_add(&t->texts, text);
}

static void tally_cell(struct tally *t, const struct cell *cell)
{
	double number;

	tally_text(t, cell_text(cell));
	t->numbers += cell_text(cell).n && cell->type != CELL_BOOL && cell_number(cell, &number);
	if (cell->type != CELL_LIST)
		return;
	for (struct cell_item i = {.of = cell}; cell_next(&i);) {
		tally_text(t, str_trim(i.text));
		if (!i.text.p)
			t->longest = SIZE_MAX; /* lists of anything else are kept as they are */
	}
}

static bool says_something(const struct cell *cell)
{
	return cell_text(cell).n || (cell->type == CELL_LIST && !cell_blank(cell));
}

static enum column_kind tally_kind(const struct tally *t)
{
	if (!t->n)
		return COLUMN_UNDECIDED;
	if (t->numbers == t->n)
		return COLUMN_NUMBER;
	if (t->longest > FACET_MAX_BYTES ||
	    (t->n >= MIN_TEXTS && t->texts.keys.n > t->n / 2))
		return COLUMN_LONG;
	return COLUMN_TEXT;
}

/* A degree in words ("high") is an ordinary field. */
static void drop_wordy_degree(struct columns *c, uint32_t column)
{
	struct column_use *use = &c->use.v[column];

	if (use->role != ROLE_DEGREE || use->mapped || use->kind == COLUMN_NUMBER || use->kind == COLUMN_UNDECIDED)
		return;
	use->role = ROLE_OTHER;
	c->of_role[ROLE_DEGREE] = INTERN_NONE;
}

static void decide_kinds(struct columns *c, const struct row *first, size_t n)
{
	struct tally *tallies = xcalloc(c->use.n + 1, sizeof *tallies);

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < first[i].cells.n; k++) {
			const struct cell *cell = &first[i].cells.v[k];

			if (c->use.v[cell->column].role == ROLE_OTHER ||
			    c->use.v[cell->column].role == ROLE_DEGREE)
				tally_cell(&tallies[cell->column], cell);
		}
	for (size_t i = 0; i < c->use.n; i++) {
		if (!c->use.v[i].settled)
			c->use.v[i].kind = tally_kind(&tallies[i]);
		drop_wordy_degree(c, (uint32_t)i);
		intern_release(&tallies[i].texts);
	}
	free(tallies);
}

static enum status check_map(const struct columns *c, struct err *err)
{
	for (size_t i = 0; i < c->opt->n_map; i++)
		if (!is_mapped_word(c->opt->map[i].name))
			return err_set(err, E_USAGE, "--map %.*s=…: there is no such field",
				       STR_ARG(c->opt->map[i].name));
	return OK;
}

/* Without a field that names the samples not one row could be used: better said once. */
static enum status check_identity(const struct columns *c, const struct row *first, size_t n,
				  struct err *err)
{
	struct buf names = BUF_INIT;
	enum status st;

	if (!n || first[0].key.p || c->of_role[ROLE_KEY] != INTERN_NONE ||
	    c->of_role[ROLE_IMAGE] != INTERN_NONE)
		return OK;
	for (size_t i = 0; i < c->use.n && names.n < 300; i++) {
		struct str name = rows_name(c->rows, (uint32_t)i);

		buf_z(&names, i ? ", " : "");
		buf_str(&names, (struct str){name.p, name.n < 60 ? name.n : 60});
	}
	st = err_set(err, E_FORMAT,
		     "no field names the samples; --map key=FIELD or --map image=FIELD tells which "
		     "one of: %s",
		     buf_cstr(&names));
	buf_release(&names);
	return st;
}

enum status columns_init(struct columns *c, const struct rows *rows,
			 const struct read_options *opt, const struct row *first, size_t n,
			 struct err *err)
{
	bool named = opt->model.n || opt->run.n || reader_mapped(opt, "model").n;

	*c = (struct columns){.rows = rows, .opt = opt};
	for (int r = 0; r < N_ROLES; r++)
		c->of_role[r] = INTERN_NONE;
	c->predictions = guess_is_predictions(rows->names.keys.v, rows->names.keys.n, named) ||
			 reader_mapped(opt, "prediction").n || reader_mapped(opt, "raw").n ||
			 reader_mapped(opt, "prediction_index").n;
	if (opt->recipe && opt->recipe->holds != HOLDS_AS_SEEN)
		c->predictions = opt->recipe->holds == HOLDS_PREDICTIONS;
	add_columns(c, true);
	drop_companions(c);
	if (rows->headerless && c->of_role[ROLE_IMAGE] == INTERN_NONE)
		find_image_by_value(c, first, n);
	decide_kinds(c, first, n);
	return check_map(c, err) ? err->code : check_identity(c, first, n, err);
}

void columns_update(struct columns *c)
{
	if (c->use.n < c->rows->names.keys.n)
		add_columns(c, false);
}

void columns_fork(struct columns *out, const struct columns *from, const struct rows *rows)
{
	*out = *from;
	out->rows = rows;
	out->fixed = true;
	out->use.v = NULL;
	out->use.n = out->use.cap = 0;
	for (size_t i = 0; i < from->use.n; i++)
		vec_push(&out->use, from->use.v[i]);
}

void columns_release(struct columns *c)
{
	vec_release(&c->use);
}

void columns_by_role(const struct columns *c, const struct row *r, const struct cell *by[N_ROLES])
{
	memset(by, 0, N_ROLES * sizeof *by);
	for (size_t i = 0; i < r->cells.n; i++)
		by[c->use.v[r->cells.v[i].column].role] = &r->cells.v[i];
}

enum column_kind columns_decide(struct columns *c, const struct cell *cell)
{
	struct column_use *use = &c->use.v[cell->column];

	if (use->kind == COLUMN_UNDECIDED && says_something(cell) && c->fixed) {
		c->strange = true;
	} else if (use->kind == COLUMN_UNDECIDED && says_something(cell)) {
		struct tally t = {0};

		tally_cell(&t, cell);
		use->kind = tally_kind(&t);
		c->version++;
		intern_release(&t.texts);
	}
	return use->kind;
}
