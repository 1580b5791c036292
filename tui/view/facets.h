/*
 * facets: the pane of what the samples are told apart by (core/filter/groups.h), a line a value:
 * how many the list would have with it, of how many in the base, and a bar on one scale. Lines
 * are chosen, and what is chosen is the list's filter, written out: the pane keeps no choice of
 * its own. It lies beside the list of Browse, or over it where the screen is narrow.
 */
#ifndef QUALM_TUI_VIEW_FACETS_H
#define QUALM_TUI_VIEW_FACETS_H

#include "core/base/vec.h"
#include "core/filter/groups.h"
#include "tui/term/cells.h"
#include "tui/view/list.h"
#include "tui/view/scene.h"

struct app;

enum facet_line_kind {
	FACET_HEAD,  /* the name of a group */
	FACET_VALUE,
	FACET_MORE,  /* values that are left out: Enter shows them */
	FACET_WAIT,  /* the group is not ready */
	FACET_REMARK /* that the filter has a condition on the group which chooses no values */
};

struct facet_line {
	enum facet_line_kind kind;
	uint32_t group, value;
	uint32_t depth;  /* in a tree */
	uint32_t hidden; /* MORE: how many */
	bool here;       /* the current sample has it */
};

enum facet_order { FACET_BY_COUNT, FACET_BY_NAME, FACET_BY_INDEX };

/* How the user wants to see a group; stays when the groups are made anew. */
struct facet_look {
	char *title;          /* owned */
	enum group_kind kind;
	bool closed, all;
	enum facet_order order;
	uint8_t *open;        /* owned: [n_open] 1: what is below the value is shown */
	uint32_t n_open;
};

struct facets {
	struct groups *groups; /* owned; NULL: nothing to show */
	const struct filter_ctx *ctx; /* of the last update; borrowed; there with the groups */
	struct snapshot *snap; /* owned: shared with the scene */
	struct lens lens;
	int a;
	uint64_t things, panel, conditions; /* versions of what was counted */
	struct filter *filter;       /* owned: that was counted, its names as of then; NULL: none */
	bool broken;                 /* names of it are gone: nothing can be counted */
	char *situation;             /* owned: base, filter, panel that were counted; NULL: never */
	bool off, waiting;           /* it is set aside; its samples are not known yet */
	bool failed;                 /* and it was said why */
	bool unready;                /* there are groups to prepare in frames to come */
	VEC(struct facet_look) looks; /* by group */
	VEC(struct facet_line) lines;
	struct list list;
	uint32_t search_group;
	struct buf needle;   /* of the search in search_group; empty: none */
	uint32_t most;       /* the largest count in sight */
	int name_w, count_w; /* columns of the widest */
	bool narrowed;       /* the counts are not those of the base */
};

/* Before it is drawn: counts what has to be counted, keeps the cursor on its line. False: there is
 * nothing to show. */
bool facets_update(struct facets *f, struct app *app, unsigned reactions, int height);
void facets_release(struct facets *f);
/* Columns that it would like to have. */
int facets_width(const struct facets *f);
/* focused: the keys go there. */
void facets_draw(const struct facets *f, bool focused, struct cells *grid, struct rect area);
/* A command of the pane, while the keys go there. Reaction bits; REACT_UNHANDLED: not one of it. */
unsigned facets_command(struct facets *f, struct app *app, const char *name, struct str args);
/* "category S-", "emotion fear"; appended to out. */
void facets_name(const struct facets *f, const struct facet_line *line, struct buf *out);

/* --- between the files of the pane --- */

/* The lines anew, from counts and looks; the cursor stays on what it was on. */
void facets_lines(struct facets *f, const struct app *app);
/* A value as the screen has it: "S−". */
void facets_value(const struct group *g, const struct filter_ctx *ctx, uint32_t value,
		  struct buf *out);

#endif
