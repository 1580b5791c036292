#include <langinfo.h>
#include <stdlib.h>
#include <string.h>

#include "tui/doctor.h"
#include "tui/term/terminfo.h"
#include "tui/term/text.h"

static const char *env(const char *name)
{
	const char *v = getenv(name);

	return v ? v : "";
}

static const char *locale_word(void)
{
	return *env("LC_ALL") ? env("LC_ALL") : *env("LC_CTYPE") ? env("LC_CTYPE") : env("LANG");
}

static void colors(struct doctor *d, int n)
{
	if (*env("NO_COLOR"))
		doctor_say(d, FINDING_OK, "colours", "none, as NO_COLOR asks");
	else if (n >= 256)
		doctor_say(d, FINDING_OK, "colours", "%s",
			   n > 256 ? "16 million (TERM describes them directly)" : "256");
	else
		doctor_say(d, FINDING_NOTE, "colours",
			   "%d; with a TERM that has 256 blocks and shades look better", n);
}

void doctor_environment(struct doctor *d)
{
	int n = 2;
	const char *term = env("TERM");

	if (!*term) {
		doctor_say(d, FINDING_FIX, "TERM", "is not set");
		doctor_type(d, "export TERM=xterm-256color");
	} else if (!terminfo_colors(term, &n)) {
		doctor_say(d, FINDING_FIX, "TERM",
			   "\"%.60s\" is not known on this machine: install its description (the "
			   "package ncurses-term has most), or say",
			   term);
		doctor_type(d, "export TERM=xterm-256color");
	} else {
		doctor_say(d, FINDING_OK, "TERM", "%.60s", term);
		colors(d, n);
	}
	if (text_unicode()) {
		doctor_say(d, FINDING_OK, "locale", "%.60s (%s)", locale_word(), nl_langinfo(CODESET));
	} else {
		doctor_say(d, FINDING_NOTE, "locale",
			   "\"%.60s\" has no Unicode (%s): signs and pictures are drawn in ASCII. "
			   "If the terminal shows UTF-8:",
			   locale_word(), nl_langinfo(CODESET));
		doctor_type(d, "export LC_CTYPE=C.UTF-8");
	}
	if (*env("SSH_CONNECTION"))
		doctor_say(d, FINDING_OK, "ssh",
			   "the terminal is on another machine; ssh -C about halves what pictures "
			   "cost");
	if (*env("STY"))
		doctor_say(d, FINDING_NOTE, "screen",
			   "GNU screen passes no pictures on; outside of it, or in tmux, there may be "
			   "some");
}

/* --- what it answered --- */

static void size(struct doctor *d, const struct answers *a)
{
	static const char *const from[] = {
	    [CELL_DEFAULT] = "a guess: the terminal does not tell; QUALM_CELL=WxH sets it",
	    [CELL_ENV] = "from QUALM_CELL",
	    [CELL_REPLY] = "the terminal's answer",
	    [CELL_SIZE] = "from its size in pixels",
	};
	bool small = a->cols < 40 || a->rows < 10;

	if (a->cols)
		doctor_say(d, small ? FINDING_NOTE : FINDING_OK, "size", "%d columns, %d rows%s",
			   a->cols, a->rows, small ? "; 40 and 10 are the least" : "");
	else
		doctor_say(d, FINDING_NOTE, "size", "is not known");
	doctor_say(d, a->cell == CELL_DEFAULT && a->caps.graphics == GRAPHICS_SIXEL ? FINDING_NOTE
										    : FINDING_OK,
		   "cells", "%d × %d pixels (%s)", a->caps.cell_w, a->caps.cell_h, from[a->cell]);
}

static void name(struct doctor *d, const struct answers *a)
{
	struct buf da1 = BUF_INIT;

	for (int i = 0; i < a->n_da1; i++)
		buf_printf(&da1, "%s%d", i ? ";" : "", a->da1[i]);
	doctor_say(d, FINDING_OK, "terminal", "%s, answers in %.1f ms (attributes %s)",
		   *a->caps.name ? a->caps.name : "does not tell its name",
		   (double)a->answer_us / 1000, buf_cstr(&da1));
	buf_release(&da1);
}

static void pictures(struct doctor *d, const struct answers *a)
{
	static const char *const how[] = {"none", "characters", "blocks", "sixel"};
	const struct term_caps *c = &a->caps;

	doctor_say(d, c->graphics == GRAPHICS_SIXEL ? FINDING_OK : FINDING_NOTE, "pictures",
		   "%s: %s", how[c->graphics], c->why);
	if (c->graphics != GRAPHICS_SIXEL)
		return;
	doctor_say(d, FINDING_OK, "sixel", "up to %d × %d pixels, %d colours%s", c->max_w, c->max_h,
		   c->color_registers, c->sync ? ", frames without flicker (mode 2026)" : "");
	if (c->konsole)
		doctor_say(d, FINDING_NOTE, "Konsole",
			   "keeps pictures under text, so the screen is cleared where one goes");
}

static bool tmux_before_3_3(const char *version)
{
	int major = 0, minor = 0;

	return sscanf(version, "tmux %d.%d", &major, &minor) == 2 && major * 100 + minor < 303;
}

static void tmux(struct doctor *d, const struct answers *a)
{
	const struct replies *r = &a->replies;

	if (!a->caps.tmux)
		return;
	if (r->outer_da1) {
		doctor_say(d, FINDING_OK, "tmux", "hands on what is meant for the terminal around it");
	} else if (tmux_before_3_3(r->name)) {
		doctor_say(d, FINDING_NOTE, "tmux", "%s hands pictures on always or never; from 3.3 on "
						    "it can be told to",
			   r->name);
	} else {
		doctor_say(d, FINDING_NOTE, "tmux",
			   "hands nothing on to the terminal around it. In tmux.conf (then: tmux "
			   "source-file ~/.tmux.conf):");
		doctor_type(d, "set -g allow-passthrough on");
	}
	doctor_say(d, FINDING_OK, "tmux.conf", "pictures go when another window comes with");
	doctor_type(d, "set -g focus-events on");
	if (strncmp(env("TERM"), "screen", 6) == 0) {
		doctor_say(d, FINDING_NOTE, "tmux.conf", "TERM could be better:");
		doctor_type(d, "set -g default-terminal tmux-256color");
	}
}

static void glyphs(struct doctor *d, const struct answers *a)
{
	struct buf wrong = BUF_INIT;
	int known = 0;

	for (int i = 0; i < a->n_glyphs; i++) {
		const struct glyph_width *g = &a->glyph[i];

		known += g->drawn >= 0;
		if (g->drawn >= 0 && g->drawn != g->counted)
			buf_printf(&wrong, "%s%s takes %d (counted on: %d)", wrong.n ? ", " : "",
				   g->glyph, g->drawn, g->counted);
	}
	if (wrong.n)
		doctor_say(d, FINDING_NOTE, "widths",
			   "terminal and locale do not agree, text with such characters may be "
			   "shifted: %s",
			   buf_cstr(&wrong));
	else if (known)
		doctor_say(d, FINDING_OK, "widths", "terminal and locale agree (%d tried)", known);
	buf_release(&wrong);
}

static void line(struct doctor *d, const struct answers *a)
{
	char rate[24];

	link_text(a->link.rate, rate);
	if (!*rate)
		doctor_say(d, FINDING_NOTE, "link", "the terminal did not say when it had drawn");
	else if (a->caps.tmux)
		doctor_say(d, FINDING_OK, "link", "%s to tmux; what lies behind it is not known", rate);
	else
		doctor_say(d, FINDING_OK, "link", "%s, so a picture may have %zu KB", rate,
			   link_budget(&a->link) / 1000);
}

static void copying(struct doctor *d, const struct answers *a)
{
	doctor_say(d, FINDING_OK, "copying",
		   "y copies by OSC 52, which no terminal confirms; where nothing arrives it is "
		   "switched off there");
	if (a->caps.tmux)
		doctor_type(d, "set -g set-clipboard on");
}

void doctor_terminal(struct doctor *d, const struct answers *a)
{
	if (a->state == ASK_NO_TTY) {
		doctor_say(d, FINDING_NOTE, "asking", "there is no terminal to ask");
		return;
	}
	if (a->state != ASK_DONE || !a->caps.probed) {
		size(d, a);
		pictures(d, a);
		doctor_say(d, FINDING_NOTE, "asking", "%s",
			   a->state == ASK_BEHIND ? "this runs in the background, so the terminal was "
						    "not asked"
			   : a->state == ASK_DONE ? "the terminal gave no answer within 2 seconds"
						  : "this terminal would print the questions");
		return;
	}
	name(d, a);
	size(d, a);
	pictures(d, a);
	tmux(d, a);
	glyphs(d, a);
	line(d, a);
	copying(d, a);
}
