/*
 * screen: the whole program on the null backend over the tiny project (lib_project.h), for tests of
 * what keys and commands do. Headless, so that it begins at the same place every time.
 */
#ifndef QUALM_TESTS_UNIT_LIB_SCREEN_H
#define QUALM_TESTS_UNIT_LIB_SCREEN_H

#include "tui/app.h"

struct screen {
	char *folder, *file;
	struct cli cli;
	struct app app;
};

/* For cmocka: *state is a struct screen of 98 × 30. */
int screen_set_up(void **state);
int screen_tear_down(void **state);
/* A line of a script. */
void screen_step(struct screen *f, const char *line);
/* The text into the prompt that is open, a key a character; what is counted is there then. */
void screen_type(struct screen *f, const char *text);
/* The filter's prompt, empty, then the text. */
void screen_ask(struct screen *f, const char *text);
/* What stands in the prompt; the list's filter as it is shown, "" = none. */
const char *screen_typed(struct screen *f);
const char *screen_filter(struct screen *f);
/* The ordinals in the list are these: "0 2 4". */
void screen_expect(struct screen *f, const char *want);
bool screen_has(struct screen *f, const char *text);
/* Fails the test, and shows the screen, unless the text is on it. */
void screen_must_have(struct screen *f, const char *text);
/* One turn of the loop, after work or at most ms. */
void screen_turn(struct screen *f, int ms);

#endif
