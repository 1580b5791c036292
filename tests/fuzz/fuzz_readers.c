/* Every reader on every input: what nobody would hand to it has to be refused in words too. */
#include "tests/fuzz/fuzz_sink.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	for (const struct reader *const *r = readers; *r; r++)
		if (*r != &reader_classes) /* has a target of its own */
			fuzz_reader(*r, fuzz_str(data, size), size % 7);
	return 0;
}
