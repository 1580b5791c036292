#include "core/reader/answer.h"
#include "core/reader/choice.h"
#include "core/reader/generic.h"

static void put_id(struct buf *id, const struct rec_run *rec)
{
	buf_clear(id);
	buf_str(id, rec->model);
	buf_ch(id, '\0');
	buf_str(id, rec->protocol);
	buf_ch(id, '\0');
	buf_str(id, rec->handle);
}

enum status generic_run(struct generic *g, const struct rec_run *rec, uint32_t *run,
			struct err *err)
{
	struct buf *id = &g->rows.scratch;
	uint32_t at;

	put_id(id, rec);
	at = intern_find(&g->runs, buf_view(id));
	if (at == INTERN_NONE) {
		enum status st = sink_run(g->ctx->sink, rec, run, err);

		if (st)
			return st;
		at = intern_add(&g->runs, buf_view(id));
		vec_push(&g->run_ids, *run);
	}
	*run = g->run_ids.v[at];
	return OK;
}

static enum status find_run(struct generic *g, const struct run_words *words, uint32_t *run,
			    struct err *err)
{
	const struct read_options *opt = g->ctx->opt;
	struct str path = str_z(g->ctx->in->path);
	struct rec_run rec = {
	    .model = opt->model.n ? opt->model : words->model,
	    .protocol = opt->protocol.n ? opt->protocol : words->protocol,
	    .handle = opt->run.n ? opt->run : words->run,
	    .source = path,
	};

	if (!rec.model.n)
		rec.model = reader_model(opt, path);
	if (!rec.protocol.n)
		rec.protocol = opt->path_protocol;
	rec.open_world = str_eq_nocase(rec.protocol, STR("OW"));
	return generic_run(g, &rec, run, err);
}

static void put_words(struct buf *out, const struct run_words *words)
{
	buf_clear(out);
	buf_str(out, words->model);
	buf_str(out, words->protocol);
	buf_str(out, words->run);
}

static inline bool are_known(const struct run_known *k, const struct run_words *words)
{
	const char *p = k->words.p ? k->words.p : "";

	return k->valid && k->n_model == words->model.n && k->n_protocol == words->protocol.n &&
	       k->words.n == words->model.n + words->protocol.n + words->run.n &&
	       str_eq((struct str){p, words->model.n}, words->model) &&
	       str_eq((struct str){p + words->model.n, words->protocol.n}, words->protocol) &&
	       str_eq((struct str){p + words->model.n + words->protocol.n, words->run.n}, words->run);
}

/* Names of models mostly differ in their ends, often in a number. */
static size_t run_slot(struct str model)
{
	unsigned last = model.n ? (unsigned char)model.p[model.n - 1] : 0;
	unsigned before = model.n > 1 ? (unsigned char)model.p[model.n - 2] : 0;

	return (last + 10 * before) % RUNS_KNOWN;
}

/* Runs mostly come one after the other, or take turns. */
enum status generic_run_of(struct generic *g, const struct run_words *words, uint32_t *run,
			   struct err *err)
{
	struct run_known *known = &g->known[run_slot(words->model)];
	enum status st;

	if (are_known(known, words)) {
		*run = known->run;
		return OK;
	}
	known->valid = false;
	st = find_run(g, words, run, err);
	if (st)
		return st;
	put_words(&known->words, words);
	*known = (struct run_known){known->words, words->model.n, words->protocol.n, *run,
				    !known->words.failed};
	return OK;
}

static bool wanted_number(struct generic *g, struct row *row, enum role role, double *out)
{
	const struct cell *c = g->by[role];

	if (!c || (c->type != CELL_NUMBER && cell_blank(c)))
		return false;
	if (cell_number(c, out))
		return true;
	report_add(g->ctx->report, PROBLEM_WARNING, row->src, rows_name_z(&g->rows, c->column),
		   "expected a number");
	return false;
}

static void whole_number(struct generic *g, struct row *row, enum role role, int64_t *out)
{
	double value;

	if (!wanted_number(g, row, role, &value))
		return;
	if (value >= 0 && value < 1e15 && value == (double)(int64_t)value)
		*out = (int64_t)value;
	else
		report_add(g->ctx->report, PROBLEM_WARNING, row->src,
			   rows_name_z(&g->rows, g->by[role]->column),
			   "expected a whole number from 0 on");
}

static void read_measures(struct generic *g, struct row *row, struct rec_prediction *out)
{
	double degree;

	wanted_number(g, row, ROLE_SCORE, &out->score);
	wanted_number(g, row, ROLE_LATENCY, &out->latency_ms);
	if (wanted_number(g, row, ROLE_DEGREE, &degree))
		vec_push(&g->numbers, ((struct rec_number){STR("degree"), degree}));
	whole_number(g, row, ROLE_TOKENS, &out->tokens);
	whole_number(g, row, ROLE_BATCH_SIZE, &out->batch_size);
	whole_number(g, row, ROLE_BATCH_POS, &out->batch_pos);
}

/* A letter of the row's options is that option; the response stays the letter. */
static void answer_letter(struct row *row, const struct rec_sample *sample,
			  struct rec_prediction *out)
{
	struct class_ref *refs;

	if (!sample->n_options || !out->n_refs)
		return;
	refs = arena_alloc(&row->arena, out->n_refs * sizeof *refs);
	memcpy(refs, out->refs, out->n_refs * sizeof *refs);
	choice_refs(refs, out->n_refs, sample->options, sample->n_options);
	out->refs = refs;
}

enum status generic_prediction(struct generic *g, struct row *row, struct err *err)
{
	struct answer answer = {g->by[ROLE_PREDICTION], g->by[ROLE_PREDICTION_INDEX],
				g->by[ROLE_RAW], g->by[ROLE_ERROR], g->by[ROLE_REFUSAL]};
	struct run_words words = {cell_text(g->by[ROLE_MODEL]), cell_text(g->by[ROLE_PROTOCOL]),
				  cell_text(g->by[ROLE_RUN])};
	struct rec_sample sample;
	struct rec_prediction out;
	struct buf details = BUF_INIT;
	enum status st;

	rec_prediction_init(&out);
	if (!generic_sample(g, row, &sample))
		return OK;
	if (!answer_read(&row->arena, &answer, &out)) {
		report_add(g->ctx->report, PROBLEM_SKIPPED, row->src, "prediction",
			   "expected an answer, a response or an error, got nothing");
		return OK;
	}
	answer_letter(row, &sample, &out);
	out.src = row->src;
	out.key = sample.key;
	out.sample = sink_wants_samples(g->ctx->sink) && !generic_by_place(g) ? &sample : NULL;
	read_measures(g, row, &out);
	out.numbers = g->numbers.v;
	out.n_numbers = g->numbers.n;
	if (g->extra.n) {
		buf_ch(&details, '{');
		buf_str(&details, buf_view(&g->extra));
		buf_ch(&details, '}');
		out.details = buf_view(&details);
	}
	st = generic_run_of(g, &words, &out.run, err);
	if (!st)
		st = sink_prediction(g->ctx->sink, &out, err);
	buf_release(&details);
	return st;
}

void generic_release(struct generic *g)
{
	rows_release(&g->rows);
	columns_release(&g->columns);
	vec_release(&g->facets);
	vec_release(&g->truths);
	vec_release(&g->numbers);
	vec_release(&g->texts);
	buf_release(&g->extra);
	intern_release(&g->sent);
	intern_release(&g->runs);
	vec_release(&g->run_ids);
	for (size_t i = 0; i < RUNS_KNOWN; i++)
		buf_release(&g->known[i].words);
}
