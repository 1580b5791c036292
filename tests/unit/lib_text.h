/* Temporary files for tests of core/text. */
#ifndef QUALM_TESTS_UNIT_LIB_TEXT_H
#define QUALM_TESTS_UNIT_LIB_TEXT_H

#include "core/base/str.h"
#include "core/text/input.h"

/* A new file below $TMPDIR or /tmp with these bytes; the caller unlinks and frees its path. */
char *temp_file(struct str bytes);
/* Opens an input over such a file, already unlinked; block_size as in struct input. */
void open_text(struct input *in, struct str bytes, size_t block_size);

#endif
