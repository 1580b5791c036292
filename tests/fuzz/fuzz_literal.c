/* What Python prints: as JSON it is JSON, and JSON that was printed so stays what it is. */
#include "tests/fuzz/fuzz.h"

#include "core/reader/literal.h"
#include "core/text/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = fuzz_str(data, size);
	struct arena arena = ARENA_INIT;
	struct buf once = BUF_INIT, twice = BUF_INIT;
	struct err err = ERR_INIT;
	struct literal list;
	cJSON *tree = NULL;

	if (literal_parse(text, &arena, &list))
		literal_release(&list);
	if (literal_json(text, &arena, &once)) {
		FUZZ_CHECK(once.n <= 6 * size + 8);
		if (json_parse(buf_view(&once), &tree, &err) == OK) {
			FUZZ_CHECK(literal_json(buf_view(&once), &arena, &twice));
			FUZZ_CHECK(str_eq(buf_view(&once), buf_view(&twice)));
		}
		cJSON_Delete(tree);
	}
	buf_release(&once);
	buf_release(&twice);
	arena_release(&arena);
	return 0;
}
