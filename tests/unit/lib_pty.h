/*
 * pty: the program in a pseudo-terminal, this test being the terminal around it. What it writes
 * goes through a vt; nothing here asserts how long anything takes, only that it comes at all.
 */
#ifndef QUALM_TESTS_UNIT_LIB_PTY_H
#define QUALM_TESTS_UNIT_LIB_PTY_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <cmocka.h>

#include "core/base/str.h"
#include "tests/unit/lib_vt.h"

struct pty {
	struct vt vt;
	struct buf bytes; /* everything that was written to the terminal */
	int master;
	pid_t pid;
};

/* The binary under test. */
const char *pty_program(void);
/* Starts it over a project with the list in front; its state, configuration and cache are in the
 * folder `home`. Cells have 10 x 20 pixels. */
void pty_start(struct pty *p, const char *home, const char *file, int h, int w);
/* Waits at most ms for something to be written; takes it and answers what is asked. */
bool pty_turn(struct pty *p, int ms);
/* Until nothing was written for a while. */
void pty_settle(struct pty *p);
void pty_type(struct pty *p, const char *keys);
/* Answers the questions of the start as a terminal with sixel does. */
void pty_answer_probe(struct pty *p);
bool pty_shows(const struct pty *p, const char *text);
/* Another size of the terminal. */
void pty_resize(struct pty *p, int h, int w);
bool pty_ended(struct pty *p, int *status);
long pty_now_ms(void);
/* Types q; fails the test unless the program ends well and leaves the terminal as it was. */
void pty_quit(struct pty *p);
void pty_release(struct pty *p);

#define PTY_PATIENCE_MS 20000

#define UNTIL(p, condition)                                                                        \
	do {                                                                                       \
		long end_ = pty_now_ms() + PTY_PATIENCE_MS;                                        \
		while (!(condition)) {                                                             \
			pty_turn(p, 20);                                                           \
			if (pty_now_ms() > end_)                                                   \
				fail_msg("line %d: %s", __LINE__, #condition);                     \
		}                                                                                  \
	} while (0)

#endif
