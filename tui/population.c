#include "tui/population.h"

#include <stdlib.h>

#include "core/base/nearest.h"
#include "core/base/xmalloc.h"
#include "db/column.h"
#include "tui/progress.h"
#include "tui/cli.h"

enum conn_mode population_mode(const struct cli *cli)
{
	return cli->filter ? CONN_WRITE : CONN_READ;
}

/* --- runs --- */

static enum status no_run(const struct snapshot *snap, struct str who, bool several, struct err *err)
{
	struct nearest near = {.word = who};
	struct buf list = BUF_INIT;

	for (uint32_t r = 0; r < snap->n_runs; r++) {
		nearest_offer(&near, snap->runs[r].handle);
		if (!several || snapshot_run_may_be(&snap->runs[r], who))
			buf_printf(&list, "%s%.100s", list.n ? ", " : "", snap->runs[r].handle);
	}
	if (several)
		err_set(err, E_USAGE, "several runs may be meant by \"%.*s\": %.600s", (int)(who.n < 200 ? who.n : 200),
			who.p, buf_cstr(&list));
	else if (near.best)
		err_set(err, E_USAGE, "there is no run \"%.200s\"; did you mean %.200s?", who.p,
			near.best);
	else
		err_set(err, E_USAGE, "there is no run \"%.200s\"; dataset %.100s has %.600s", who.p,
			snap->dataset, list.n ? buf_cstr(&list) : "none");
	buf_release(&list);
	return err->code;
}

static enum status choose_run(const struct snapshot *snap, const char *who, int *out, struct err *err)
{
	*out = -1;
	if (!who)
		return OK;
	*out = snapshot_run(snap, str_z(who));
	return *out >= 0 ? OK : no_run(snap, str_z(who), *out == -2, err);
}

/* --- the filter --- */

static struct filter_ctx context(const struct population *p)
{
	return (struct filter_ctx){.snap = p->snap,
				   .lens = &p->lens,
				   .a = p->a,
				   .b = p->b,
				   .panel = p->panel,
				   .n_panel = p->n_panel,
				   .source = search_source(p->search),
				   .things = &p->things};
}

enum status population_source(struct population *p, const struct filter_source **out, struct err *err)
{
	enum status st = p->search ? OK : search_new(&p->search, p->conn, p->snap, err);

	if (st == OK)
		*out = search_source(p->search);
	return st;
}

enum status population_things(struct population *p, struct err *err)
{
	const struct filter_source *source;
	enum status st = population_source(p, &source, err);

	if (p->user)
		return OK;

	if (st == OK)
		st = user_open(&p->user, p->conn, p->snap->dataset_id, p->snap->dataset, p->snap->n, err);
	if (st == OK)
		search_things(user_things(p->user), &p->things);
	return st;
}

static void tell(void *ctx, uint64_t done, uint64_t all, const uint64_t *partial)
{
	(void)partial;
	progress_show(ctx, "searching", done, all);
}

static enum status apply_filter(struct population *p, const struct cli *cli, struct err *err)
{
	struct progress progress;
	const struct filter_watch watch = {tell, &progress};
	struct filter_ctx ctx;
	enum status st = population_things(p, err);
	const char *hint;

	if (st != OK)
		return st;
	progress_init(&progress, cli->stderr_tty);
	ctx = context(p);
	ctx.watch = &watch;
	st = filter_parse(str_z(cli->filter), &ctx, &p->filter, NULL, err);
	if (st == OK)
		st = filter_eval(p->filter, &ctx, p->bits, cli->cancel, err);
	progress_clear(&progress);
	if (st == OK && (hint = filter_hint(p->filter, &ctx)))
		fprintf(stderr, "%s\n", hint);
	return st == OK ? OK : cli_filter_hint(cli, err);
}

enum status population_open(struct population *p, const struct cli *cli, struct conn *c,
			    const char *dataset, struct err *err)
{
	enum status st;

	*p = (struct population){.conn = c};
	st = snapshot_load(c, dataset, &p->snap, err);
	if (st != OK)
		return st;
	p->lens = lens_preset(p->snap, p->snap->preset);
	if (cli->lens)
		st = lens_parse(&p->lens, p->snap, str_z(cli->lens), err);
	if (st == OK)
		st = choose_run(p->snap, cli->run, &p->a, err);
	if (st == OK)
		st = choose_run(p->snap, cli->against, &p->b, err);
	p->panel = xcalloc((size_t)p->snap->n_runs + 1, sizeof *p->panel);
	p->n_panel = snapshot_first_panel(p->snap, p->panel);
	if (st == OK && !(p->bits = bits_new(p->snap->n)))
		st = err_set(err, E_MEMORY, "there is no memory for a set of %u samples", p->snap->n);
	if (st == OK && cli->filter)
		st = apply_filter(p, cli, err);
	else if (st == OK)
		bits_fill(p->bits, p->snap->n, true);
	if (st == OK)
		p->shown = (uint32_t)bits_count(p->bits, p->snap->n);
	else
		population_close(p);
	return st;
}

void population_close(struct population *p)
{
	filter_free(p->filter);
	search_things_release(&p->things);
	user_close(p->user);
	search_free(p->search);
	snapshot_free(p->snap);
	free(p->panel);
	free(p->bits);
	*p = (struct population){0};
}

void population_filter(const struct population *p, struct buf *out)
{
	struct filter_ctx ctx;

	if (!p->filter)
		return;
	ctx = context(p);
	filter_format(p->filter, &ctx, out);
}
