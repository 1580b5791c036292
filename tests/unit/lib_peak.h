/* peak: how much memory something takes, in a process of its own. */
#ifndef QUALM_TESTS_UNIT_LIB_PEAK_H
#define QUALM_TESTS_UNIT_LIB_PEAK_H

#include <stdbool.h>
#include <stdint.h>

/* Runs body(ctx) in a child; *bytes: by how much its resident memory grew at most. False where that
 * says nothing: under the sanitizers. Fails the test when the child fails. */
bool peak_of(void (*body)(void *ctx), void *ctx, uint64_t *bytes);

#endif
