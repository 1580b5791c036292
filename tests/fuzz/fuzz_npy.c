/* Arrays of NumPy: whatever they say of themselves, every element is inside of the file. */
#include <math.h>

#include "core/text/npy.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str bytes = fuzz_str(data, size);
	struct err err = ERR_INIT;
	struct buf what = BUF_INIT;
	struct npy a;
	double v;

	npy_describe(bytes, &what);
	FUZZ_CHECK(what.n && what.n < 256);
	for (size_t i = 0; i < what.n; i++)
		FUZZ_CHECK(what.p[i] >= ' ' && what.p[i] <= '~');
	buf_release(&what);
	if (npy_parse(bytes, &a, &err) != OK) {
		FUZZ_CHECK(err.msg[0]);
		return 0;
	}
	FUZZ_CHECK(a.n <= size && a.data.n == a.n * a.size && a.data.p + a.data.n <= bytes.p + bytes.n);
	for (uint64_t i = 0; i < a.n; i++)
		if (npy_number(&a, i, &v))
			FUZZ_CHECK(a.kind == 'f' || isfinite(v));
	return 0;
}
