/* Hand-made columns, layers and runs for tests. All owned by the caller. */
#ifndef QUALM_TESTS_UNIT_LIB_SNAP_H
#define QUALM_TESTS_UNIT_LIB_SNAP_H

#include "core/model/snapshot.h"

struct column snap_u8(const uint8_t *v, size_t n);
/* UINT32_MAX is "none" in every width. */
struct column snap_uints(enum dtype d, const uint32_t *v, size_t n);
void snap_drop_layer(struct layer *l);
void snap_drop_run(struct run *r);

#endif
