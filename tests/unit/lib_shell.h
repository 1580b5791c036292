/* shell: a command line that the program tells, run as a person would run it. */
#ifndef QUALM_TESTS_UNIT_LIB_SHELL_H
#define QUALM_TESTS_UNIT_LIB_SHELL_H

#include "core/base/str.h"

/* Runs "qualm …" in a shell, with the binary under test, and appends what it prints on stdout. */
void shell_output(const char *command, struct buf *out);

#endif
