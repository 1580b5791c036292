#include "tests/unit/lib_snap.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/xmalloc.h"

struct column snap_u8(const uint8_t *v, size_t n)
{
	struct column c = {DT_U8, n, xmalloc(n + 1)};

	memcpy(c.data, v, n);
	return c;
}

struct column snap_uints(enum dtype d, const uint32_t *v, size_t n)
{
	struct column c = {d, n, xcalloc(n + 1, 8)};

	for (size_t i = 0; i < n; i++) {
		if (d == DT_U8)
			((uint8_t *)c.data)[i] = (uint8_t)v[i];
		else if (d == DT_U16)
			((uint16_t *)c.data)[i] = (uint16_t)v[i];
		else if (d == DT_U32)
			((uint32_t *)c.data)[i] = v[i];
		else
			((uint64_t *)c.data)[i] = v[i] == UINT32_MAX ? UINT64_MAX : v[i];
	}
	return c;
}

void snap_drop_layer(struct layer *l)
{
	free(l->covered.data);
	free(l->sets.off.data);
	free(l->sets.val.data);
	free(l->votes.data);
}

void snap_drop_run(struct run *r)
{
	free(r->outcome.data);
	free(r->label.data);
	free(r->labels.off.data);
	free(r->labels.val.data);
}
