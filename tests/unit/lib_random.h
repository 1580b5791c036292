/*
 * random: projects drawn by a seed, written through db's own API: one to three datasets with
 * labels of one and several classes, uncovered and empty ones, votes; runs with missing rows,
 * lists, numbers and texts. All of it is as an import leaves it.
 */
#ifndef QUALM_TESTS_UNIT_LIB_RANDOM_H
#define QUALM_TESTS_UNIT_LIB_RANDOM_H

#include "tests/unit/lib_project.h"

#define RANDOM_SAMPLES 40

void random_project_make(const char *path, uint32_t seed);

#endif
