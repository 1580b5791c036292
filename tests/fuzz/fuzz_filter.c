/* The text of a filter: nothing crashes, what parses round-trips, what is checked evaluates. The
 * first byte is the cursor for completion; the rest is the text. */
#include "tests/fuzz/fuzz.h"

#include "core/filter/filter.h"

#define N 70

static const char *const values[] = {"joy", "delight", "odd one", "(none)"};
static const uint32_t parents[] = {UINT32_MAX, 0, UINT32_MAX, UINT32_MAX};
static struct class_info classes[] = {{0, "n0", "cat", UINT32_MAX}, {1, "n1", "sea lion", 0}};

/* Columns of small numbers, one dataset for all inputs. */
static void make(struct snapshot *s, struct layer *layers, struct facet *facets, struct run *runs)
{
	static uint8_t small[N];
	static uint32_t off[N + 1];
	static double size[N];

	for (uint32_t i = 0; i < N; i++) {
		small[i] = i % 2;
		off[i + 1] = i + 1;
		size[i] = i;
	}
	for (int k = 0; k < 2; k++) {
		layers[k] = (struct layer){.name = k ? "reannotated" : "original",
					   .covered = {DT_U8, N, small},
					   .sets = {{DT_U32, N + 1, off}, {DT_U8, N, small}}};
		runs[k] = (struct run){.id = k, .handle = k ? "m/cw" : "m/ow", .title = "A model",
				       .outcome = {DT_U8, N, small}, .label = {DT_U8, N, small}};
	}
	facets[0] = (struct facet){.name = "face type", .n_values = 4, .values = (const char **)values,
				   .parents = parents, .value = {DT_U8, N, small}};
	facets[1] = (struct facet){.name = "size", .numeric = true, .number = {DT_F64, N, size}};
	*s = (struct snapshot){.dataset = "d", .preset = "", .n = N, .n_classes = 2, .classes = classes,
			       .n_layers = 2, .layers = layers, .n_facets = 2, .facets = facets,
			       .n_runs = 2, .runs = runs};
}

static enum status nothing(void *ctx, enum filter_scope scope, int run, const struct needle *needle,
			   const uint64_t *within, uint64_t *bits, const struct text_watch *watch,
			   struct err *err)
{
	(void)ctx, (void)scope, (void)run, (void)within, (void)watch, (void)err;
	if (needle_is_in(needle, STR("Is this a weasel? \xe6\x82\xb2\xe3\x81\x97")))
		bits_set(bits, 3);
	return OK;
}

static void round_trip(const struct filter *f)
{
	struct buf out = BUF_INIT;
	struct filter *again = NULL;
	struct err err = ERR_INIT;

	filter_format(f, NULL, &out);
	if (out.n <= FILTER_TEXT_MAX) {
		FUZZ_CHECK(filter_parse(buf_view(&out), NULL, &again, NULL, &err) == OK);
		FUZZ_CHECK(filter_eq(f, again));
		filter_free(again);
	}
	buf_release(&out);
}

/* Evaluates alike as it is and with a and b written out. A file that it names is not opened. */
static void evaluate(struct filter *f, struct str text, const struct filter_ctx *ctx)
{
	struct filter_ctx no_runs = *ctx;
	struct buf shown = BUF_INIT;
	struct filter *again = NULL;
	struct err err = ERR_INIT;
	uint64_t a[2], b[2];

	if (memchr(text.p, '<', text.n) && str_find_nocase(text, STR("id")) != SIZE_MAX)
		return;
	if (filter_eval(f, ctx, a, NULL, &err) != OK)
		return;
	FUZZ_CHECK(!(a[1] >> (N - 64)));
	filter_format(f, ctx, &shown);
	no_runs.a = no_runs.b = -1;
	if (shown.n <= FILTER_TEXT_MAX) {
		FUZZ_CHECK(filter_parse(buf_view(&shown), &no_runs, &again, NULL, &err) == OK);
		FUZZ_CHECK(filter_eval(again, &no_runs, b, NULL, &err) == OK);
		FUZZ_CHECK(memcmp(a, b, sizeof a) == 0);
		filter_free(again);
	}
	buf_release(&shown);
}

static void complete(struct str text, size_t cursor, const struct filter_ctx *ctx)
{
	struct filter_completion c;

	filter_complete(text, cursor, ctx, NULL, &c);
	FUZZ_CHECK(c.from <= c.to && c.to <= text.n);
	filter_completion_release(&c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct filter_source source = {.text = nothing};
	static const int panel[] = {0, 1};
	struct layer layers[2];
	struct facet facets[2];
	struct run runs[2];
	struct snapshot s;
	struct lens lens;
	struct filter_ctx ctx = {.snap = &s, .lens = &lens, .a = 1, .b = 0, .panel = panel, .n_panel = 2,
				 .source = &source};
	struct filter *f = NULL;
	struct filter_fault fault;
	struct err err = ERR_INIT;
	struct str text;

	if (!size)
		return 0;
	text = fuzz_str(data + 1, size - 1);
	make(&s, layers, facets, runs);
	lens = lens_default(&s);
	complete(text, data[0], &ctx);
	if (filter_parse(text, NULL, &f, &fault, &err) != OK) {
		FUZZ_CHECK(err.msg[0] && fault.at <= text.n);
		return 0;
	}
	round_trip(f);
	if (filter_check(f, &ctx, &fault, &err) == OK)
		evaluate(f, text, &ctx);
	else
		FUZZ_CHECK(err.msg[0] && fault.at + fault.n <= text.n + 1);
	filter_free(f);
	return 0;
}
