/* Class lists in all their forms. */
#include "tests/fuzz/fuzz_sink.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_reader(&reader_classes, fuzz_str(data, size), size % 7);
	return 0;
}
