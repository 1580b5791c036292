#include "core/reader/sink.h"

void rec_prediction_init(struct rec_prediction *p)
{
	*p = (struct rec_prediction){
	    .outcome = OUTCOME_MISSING,
	    .score = NAN,
	    .latency_ms = NAN,
	    .tokens = -1,
	    .batch_size = -1,
	    .batch_pos = -1,
	};
}

void rec_prediction_of_plain(const struct rec_plain *p, struct rec_prediction *out)
{
	rec_prediction_init(out);
	out->src = p->src;
	out->run = p->run;
	out->key = p->key;
	out->raw = p->raw;
	out->extracted = p->extracted;
	out->outcome = OUTCOME_ANSWERED;
	out->refs = p->name;
	out->n_refs = 1;
	out->score = p->score;
	out->latency_ms = p->latency_ms;
	out->tokens = p->tokens;
	out->memo = p->memo;
}

enum status sink_plains(struct sink *s, const struct rec_plain *v, size_t n, struct err *e)
{
	enum status st = OK;

	if (s->ops->add_plains)
		return s->ops->add_plains(s, v, n, e);
	for (size_t i = 0; i < n && st == OK; i++) {
		struct rec_prediction whole;

		rec_prediction_of_plain(&v[i], &whole);
		st = s->ops->add_prediction(s, &whole, e);
	}
	return st;
}
