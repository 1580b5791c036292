/* json_parse, and json_slice over blocks of every small size; what both read must agree. */
#include "core/text/json.h"
#include "tests/fuzz/fuzz.h"

static void show_slices_in(struct input *in, const char *enter, struct buf *out)
{
	struct err err = ERR_INIT;
	struct json_slice s;
	struct str element;
	bool more;

	json_slice_init(&s, in);
	s.enter[0] = s.enter[1] = enter;
	while (json_slice_next(&s, &element, &more, &err) == OK && more) {
		struct err bad = ERR_INIT;
		cJSON *tree;

		buf_printf(out, "%llu %llu ", (unsigned long long)s.line,
			   (unsigned long long)s.byte);
		buf_str(out, buf_view(&s.key));
		buf_str(out, element);
		buf_ch(out, json_parse(element, &tree, &bad) == OK ? '+' : '-');
		cJSON_Delete(tree);
	}
	buf_z(out, err.msg);
	json_slice_release(&s);
}

static void show_slices(struct input *in, struct buf *out)
{
	show_slices_in(in, NULL, out);
}

static void show_inner_slices(struct input *in, struct buf *out)
{
	show_slices_in(in, "a", out);
}

static void check_written(const cJSON *tree)
{
	struct buf b = BUF_INIT, scratch = BUF_INIT;
	struct err err = ERR_INIT;
	cJSON *again;

	if (cJSON_IsString(tree)) {
		json_quote(&b, json_text(tree));
		FUZZ_CHECK(json_parse(buf_view(&b), &again, &err) == OK);
		FUZZ_CHECK(str_eq(json_text(again), json_text(tree)));
		cJSON_Delete(again);
	}
	(void)json_scalar(tree, &scratch);
	buf_release(&b);
	buf_release(&scratch);
}

/* A text that parses as an array falls into as many slices as it has elements. */
static void check_count(struct str text, const cJSON *tree)
{
	struct err err = ERR_INIT;
	struct json_slice s;
	struct str element;
	struct input in;
	bool more = true;
	int n = 0;

	if (!fuzz_input(&in, text, 0))
		return;
	json_slice_init(&s, &in);
	for (;; n++) {
		FUZZ_CHECK(json_slice_next(&s, &element, &more, &err) == OK);
		if (!more)
			break;
	}
	FUZZ_CHECK(cJSON_IsArray(tree) ? n == cJSON_GetArraySize(tree)
				       : n >= cJSON_GetArraySize(tree));
	json_slice_release(&s);
	input_close(&in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = fuzz_str(data, size);
	struct err err = ERR_INIT;
	cJSON *tree;

	if (json_parse(text, &tree, &err) == OK) {
		check_written(tree);
		if (cJSON_IsArray(tree) || cJSON_IsObject(tree))
			check_count(text, tree);
		cJSON_Delete(tree);
	} else {
		FUZZ_CHECK(!tree && err.msg[0]);
	}
	fuzz_blocks(text, show_slices);
	fuzz_blocks(text, show_inner_slices);
	return 0;
}
