#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "db/fetch.h"
#include "tui/query/query_draw.h"

#define RUNS_MAX 100000u

/* What a handle may hold (product.md §5); the rest becomes "_". */
static void put_plain(struct buf *out, const char *text)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;
		bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
			     strchr("_.-+/", c);

		if ((c & 0xc0) != 0x80)
			buf_ch(out, plain ? (char)c : '_');
	}
}

/* MODEL/PROTOCOL/q1, q2, … */
static void put_handle(const struct query_spec *s, uint32_t k, struct buf *out)
{
	buf_clear(out);
	put_plain(out, s->endpoint.model);
	buf_ch(out, '/');
	put_plain(out, s->protocol->name);
	buf_printf(out, "/q%u", k);
}

static bool is_answered(const struct run *run, uint32_t ord)
{
	uint64_t outcome = column_u(&run->outcome, ord);

	return outcome != OUTCOME_MISSING && outcome != OUTCOME_ERROR && outcome != COLUMN_NONE;
}

static size_t count_open(const struct run *run, const uint32_t *ords, size_t n)
{
	size_t open = 0;

	for (size_t i = 0; i < n; i++)
		open += !is_answered(run, ords[i]);
	return open;
}

/* Was the run asked exactly so? */
static enum status same_asking(struct conn *c, const struct query_spec *spec, const struct snapshot *snap,
			       const struct run *run, bool *same, struct err *err)
{
	struct buf settings = BUF_INIT;
	struct arena arena = ARENA_INIT;
	struct run_asking was;
	enum status st = fetch_run_asking(c, run->id, &was, &arena, err);

	query_spec_settings(spec, snap, &settings);
	*same = st == OK && run->scratch && str_eq(was.settings, buf_view(&settings)) &&
		str_eqz(was.prompt, spec->prompt);
	buf_release(&settings);
	arena_release(&arena);
	return st;
}

/* The run to go on with, or -1; handle: the first one that is free. */
static enum status find_run(struct query_plan *p, struct conn *c, const uint32_t *ords, size_t n, bool anew,
			    int *found, struct buf *handle, struct err *err)
{
	*found = -1;
	for (uint32_t k = 1; k < RUNS_MAX; k++) {
		bool same = false;
		int r;

		put_handle(&p->spec, k, handle);
		for (r = 0; (uint32_t)r < p->snap->n_runs; r++)
			if (str_eqz(buf_view(handle), p->snap->runs[r].handle))
				break;
		if ((uint32_t)r == p->snap->n_runs)
			return OK;
		if (anew)
			continue;
		if (same_asking(c, &p->spec, p->snap, &p->snap->runs[r], &same, err) != OK)
			return err->code;
		if (same && (*found < 0 || count_open(&p->snap->runs[r], ords, n)))
			*found = r; /* the last one that has something open, else the first */
	}
	return err_set(err, E_LIMIT, "the model was asked %u times already", RUNS_MAX);
}

enum status query_plan_make(struct query_plan *p, struct conn *c, struct snapshot *snap,
			    const struct query_spec *spec, const uint32_t *ords, size_t n, bool anew,
			    struct err *err)
{
	struct buf handle = BUF_INIT;
	enum status st;
	int found;

	*p = (struct query_plan){.snap = snapshot_share(snap), .project = xstrdup(conn_path(c))};
	query_spec_copy(spec, &p->spec);
	p->ords = xcalloc(n + 1, sizeof *p->ords);
	st = query_spec_check(spec, snap, err);
	if (st == OK)
		st = query_draw_new(&p->spec, snap, c, &p->draw, err);
	if (st == OK)
		st = find_run(p, c, ords, n, anew, &found, &handle, err);
	if (st == OK) {
		p->handle = xstrdup(found >= 0 ? snap->runs[found].handle : buf_cstr(&handle));
		for (size_t i = 0; i < n; i++)
			if (found < 0 || !is_answered(&snap->runs[found], ords[i]))
				p->ords[p->n++] = ords[i];
		p->known = n - p->n;
	}
	buf_release(&handle);
	return st;
}

void query_plan_release(struct query_plan *p)
{
	query_spec_release(&p->spec);
	query_draw_free(p->draw);
	snapshot_free(p->snap);
	free(p->project);
	free(p->handle);
	free(p->ords);
	*p = (struct query_plan){0};
}

size_t query_plan_requests(const struct query_plan *p)
{
	return (p->n + p->spec.batch - 1) / p->spec.batch;
}
