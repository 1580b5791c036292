/* What a model said, under every protocol, by all its rules and by each alone: nothing crashes, every span lies inside the answer, and
 * what is answered has a rule and a class. The first byte gives form, ids and batch. */
#include "tests/fuzz/fuzz.h"

#include "core/protocol/protocol.h"

static const struct class_info classes[] = {{0, "n00000001", "cat", UINT32_MAX},
					    {1, "", "sea lion", UINT32_MAX},
					    {2, "", "lion", UINT32_MAX}};
static const struct ask_option options[] = {{STR("cat"), 0}, {STR("A dog"), UINT32_MAX}, {STR("lion"), 2}};

static void check(struct str raw, const struct extraction *x)
{
	FUZZ_CHECK((unsigned)x->outcome < N_OUTCOMES && x->rule);
	FUZZ_CHECK(!x->span.p || (x->span.p >= raw.p && x->span.p + x->span.n <= raw.p + raw.n));
	FUZZ_CHECK((x->outcome == OUTCOME_ANSWERED) == (x->n_refs > 0));
	FUZZ_CHECK(x->outcome != OUTCOME_ANSWERED || x->rule[0]);
	FUZZ_CHECK(!(x->degree < 0) && !(x->degree > 5));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ask_sample samples[3] = {{STR("q"), options, 3}, {STR("q"), NULL, 0}, {STR("q"), NULL, 0}};
	struct ask ask = {.classes = classes, .n_classes = 3, .samples = samples, .n_samples = 1};
	struct extraction out[3];
	struct arena arena = ARENA_INIT;
	struct str raw;

	if (!size)
		return 0;
	raw = fuzz_str(data + 1, size - 1);
	ask.ids = data[0] & 1;
	for (const struct protocol *p = protocols; p->name; p++) {
		ask.n_samples = p->batches && data[0] & 2 ? 3 : 1;
		ask.form = ask.n_samples > 1 ? ASK_JSON : ASK_LIST;
		protocol_extract(p, &arena, &ask, raw, out);
		for (size_t i = 0; i < ask.n_samples; i++)
			check(raw, &out[i]);
		for (const struct extract_rule *r = extract_rules; r->name; r++) {
			extract_by_rule(r, p, &arena, &ask, raw, out);
			for (size_t i = 0; i < ask.n_samples; i++)
				check(raw, &out[i]);
		}
		arena_clear(&arena);
	}
	arena_release(&arena);
	return 0;
}
