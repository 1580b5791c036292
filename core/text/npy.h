/*
 * npy: one array in NumPy's own format (.npy, versions 1.0 to 3.0): booleans, integers, floats of four
 * or eight bytes, and texts; either byte order. Records, objects and halves are refused.
 */
#ifndef QUALM_CORE_TEXT_NPY_H
#define QUALM_CORE_TEXT_NPY_H

#include <stdint.h>

#include "core/base/err.h"
#include "core/base/str.h"

struct npy {
	char kind;	 /* 'b' boolean, 'i', 'u' integers, 'f' float, 'S' bytes, 'U' UTF-32 */
	size_t size;	 /* bytes of one element */
	bool big_endian;
	uint64_t n;	 /* elements; 1 for a scalar, whose shape is () */
	struct str data; /* n * size bytes; borrowed */
};

bool npy_begins(struct str bytes); /* with the format's magic number */
/* The type and shape as NumPy says them, "<f4 and shape (3, 4)", for messages: appended. `bytes` may be
 * cut off behind the header. What is not to be understood is "an unknown type and shape". */
void npy_describe(struct str bytes, struct buf *out);
/* bytes: the whole file. E_FORMAT: it is none, or ends too early; E_LIMIT: of a type that is not read. */
enum status npy_parse(struct str bytes, struct npy *out, struct err *err);
/* Element i < n; of a text the number that it writes. false: it writes none. */
bool npy_number(const struct npy *a, uint64_t i, double *out);

#endif
