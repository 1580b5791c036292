#include "core/reader/answer.h"
#include "core/reader/generic.h"

static struct str chosen(struct str by_hand, const struct cell *c)
{
	return by_hand.n ? by_hand : cell_text(c);
}

/* Is this the id of that run? Parts with a NUL in them are compared all the same. */
static bool is_run(struct str id, const struct rec_run *rec)
{
	const struct str parts[] = {rec->model, rec->protocol, rec->handle};

	if (id.n != parts[0].n + parts[1].n + parts[2].n + 2)
		return false;
	for (int i = 0; i < 3; i++) {
		if (parts[i].n && memcmp(id.p, parts[i].p, parts[i].n) != 0)
			return false;
		id.p += parts[i].n;
		if (i < 2 && *id.p++ != '\0')
			return false;
	}
	return true;
}

enum status generic_run(struct generic *g, const struct rec_run *rec, uint32_t *run,
			struct err *err)
{
	struct buf *id = &g->rows.scratch;
	uint32_t at;

	if (g->run_ids.n && is_run(intern_key(&g->runs, g->last_run), rec)) {
		*run = g->run_ids.v[g->last_run];
		return OK;
	}
	buf_clear(id);
	buf_str(id, rec->model);
	buf_ch(id, '\0');
	buf_str(id, rec->protocol);
	buf_ch(id, '\0');
	buf_str(id, rec->handle);
	at = intern_find(&g->runs, buf_view(id));
	if (at == INTERN_NONE) {
		enum status st = sink_run(g->ctx->sink, rec, run, err);

		if (st)
			return st;
		at = intern_add(&g->runs, buf_view(id));
		vec_push(&g->run_ids, *run);
	}
	g->last_run = at;
	*run = g->run_ids.v[at];
	return OK;
}

enum status generic_run_of(struct generic *g, uint32_t *run, struct err *err)
{
	const struct read_options *opt = g->ctx->opt;
	struct str path = str_z(g->ctx->in->path);
	struct rec_run rec = {
	    .model = chosen(opt->model, g->by[ROLE_MODEL]),
	    .protocol = chosen(opt->protocol, g->by[ROLE_PROTOCOL]),
	    .handle = chosen(opt->run, g->by[ROLE_RUN]),
	    .source = path,
	};

	if (!rec.model.n)
		rec.model = reader_model_from_path(path);
	rec.open_world = str_eq_nocase(rec.protocol, STR("OW"));
	return generic_run(g, &rec, run, err);
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
	wanted_number(g, row, ROLE_SCORE, &out->score);
	wanted_number(g, row, ROLE_LATENCY, &out->latency_ms);
	whole_number(g, row, ROLE_TOKENS, &out->tokens);
	whole_number(g, row, ROLE_BATCH_SIZE, &out->batch_size);
	whole_number(g, row, ROLE_BATCH_POS, &out->batch_pos);
}

enum status generic_prediction(struct generic *g, struct row *row, struct err *err)
{
	struct answer answer = {g->by[ROLE_PREDICTION], g->by[ROLE_PREDICTION_INDEX],
				g->by[ROLE_RAW], g->by[ROLE_ERROR], g->by[ROLE_REFUSAL]};
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
	out.src = row->src;
	out.key = sample.key;
	out.sample = sink_wants_samples(g->ctx->sink) ? &sample : NULL;
	read_measures(g, row, &out);
	out.numbers = g->numbers.v;
	out.n_numbers = g->numbers.n;
	if (g->extra.n) {
		buf_ch(&details, '{');
		buf_str(&details, buf_view(&g->extra));
		buf_ch(&details, '}');
		out.details = buf_view(&details);
	}
	st = generic_run_of(g, &out.run, err);
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
}
