/* The user's things in tests: what the file holds, and whether memory agrees with it. */
#ifndef QUALM_TESTS_UNIT_LIB_USER_H
#define QUALM_TESTS_UNIT_LIB_USER_H

#include "db/user.h"
#include "tests/unit/lib_project.h"

/* A folder with the tiny project in it, user "ada", whose overlay is kept in that folder. */
struct user_place {
	char *folder, *path;
};

int user_place_set_up(void **state);
int user_place_tear_down(void **state);

#define ORDS(...) (const uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)

/* Of the tiny project's dataset, or of one of n samples that project_make_long() made. */
struct user *user_of(struct conn *c, uint32_t n);
/* A project with one dataset "tiny" of n samples "k0000000" …, and nothing else. */
void project_make_long(const char *path, uint32_t n);
/* All rows of note, tag, mark in the file, as text; caller frees. */
char *dump_user(struct conn *c);
/* What memory holds, as text; caller frees. */
char *dump_things(const struct user *u);
/* Fails the test unless memory is what a fresh look at the file gives. */
void check_memory(struct conn *c, struct user *u);
/* One change of some samples; returns how many are different now. Fails the test on an error. */
uint32_t must_edit(struct user *u, enum user_what what, const uint32_t *ords, size_t n,
		   const char *text, int64_t note);

#endif
