/*
 * doctor: what this machine, its files and its terminal can do for qualm, and what to change. A
 * finding is one line (more when it is long): ok; note = works, but could be better or is worth
 * knowing; fix = something is broken. What a finding says to type stands on lines of its own.
 */
#ifndef QUALM_TUI_DOCTOR_H
#define QUALM_TUI_DOCTOR_H

#include <stdio.h>

#include "tui/cmd.h"
#include "tui/term/ask.h"

enum finding { FINDING_OK, FINDING_NOTE, FINDING_FIX };

struct doctor {
	FILE *out;
	int n_notes, n_fixes;
};

void doctor_say(struct doctor *d, enum finding f, const char *about, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* A line to put into a file or to type. */
void doctor_type(struct doctor *d, const char *line);

/* The environment of the terminal, without asking it anything. */
void doctor_environment(struct doctor *d);
/* What it answered. */
void doctor_terminal(struct doctor *d, const struct answers *a);
/* Settings, folders and libraries. */
void doctor_files(struct doctor *d, const struct cli *cli);
/* Asks the endpoint of that name what it has, and one short question; both are said. cancel may be
 * NULL. */
void doctor_endpoint(struct doctor *d, const struct cli *cli, const char *name);
/* One project: can it be opened, written, locked, and where does it lie? */
void doctor_project(struct doctor *d, const char *path);

#endif
