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
