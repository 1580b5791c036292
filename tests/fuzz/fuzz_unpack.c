/* Packed bytes, given in pieces of one byte and in one: the same comes out, or the same is said. */
#include "core/text/unpack.h"
#include "tests/fuzz/fuzz.h"

struct from {
	struct str rest;
	size_t piece;
};

static enum status next(void *ctx, char *p, size_t n, size_t *got, struct err *err)
{
	struct from *f = ctx;

	(void)err;
	n = n < f->piece ? n : f->piece;
	*got = n < f->rest.n ? n : f->rest.n;
	memcpy(p, f->rest.p, *got);
	f->rest.p += *got;
	f->rest.n -= *got;
	return OK;
}

static enum status unpack_all(struct str packed, size_t piece, struct buf *out)
{
	struct from from = {packed, piece};
	struct unpack *u = NULL;
	struct err err = ERR_INIT;
	char bytes[512];
	size_t got = 0;
	enum status st = unpack_open(&u, unpack_recognise(packed), STR(""), next, &from, &err);

	if (st == OK)
		unpack_limit(u, 1 << 20, 1 << 16);
	while (st == OK && (st = unpack_read(u, bytes, sizeof bytes, &got, &err)) == OK && got)
		buf_put(out, bytes, got);
	FUZZ_CHECK((st == OK) == !err.msg[0]);
	unpack_close(u);
	return st;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf whole = BUF_INIT, pieces = BUF_INIT;
	struct str packed = fuzz_str(data, size);

	if (unpack_can(unpack_recognise(packed)) && unpack_recognise(packed) != PACKING_NONE) {
		bool a = unpack_all(packed, SIZE_MAX, &whole) == OK;
		bool b = unpack_all(packed, 1, &pieces) == OK;

		FUZZ_CHECK(a == b);
		FUZZ_CHECK(!a || str_eq(buf_view(&whole), buf_view(&pieces)));
	}
	buf_release(&whole);
	buf_release(&pieces);
	return 0;
}
