#include <poll.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "db/column.h"
#include "db/fetch.h"
#include "tui/cmd_screen.h"
#include "tui/config.h"
#include "tui/population.h"
#include "tui/print.h"
#include "tui/query/query_cost.h"
#include "tui/query/query_show.h"
#include "tui/query/query_words.h"

#define REPEAT_MAX 100

struct asking {
	struct cli *cli;
	struct conn *conn;
	struct population p;
	struct query_spec spec;
	uint32_t *ords;
	size_t n;
	bool json, dry, again, first;
	int64_t repeat;
	/* of the query under way */
	bool ended, has_why;
	struct err why;
	size_t failed;
	char told[sizeof ((struct err *)NULL)->msg]; /* of the last one that failed */
};

/* --- which samples --- */

static enum status take_samples(struct asking *a, const struct cmd_args *args, struct err *err)
{
	const char *at = cmd_option(args, "at"), *limit = cmd_option(args, "limit");
	int64_t most = 1;

	if ((at != NULL) == (a->cli->filter != NULL))
		return err_set(err, E_USAGE, "which samples? --at SAMPLE, or --filter F with --limit N");
	if (!at && !limit)
		return err_set(err, E_USAGE, "the filter leaves %u samples; how many of them at most? --limit N",
			       a->p.shown);
	if (limit && (!str_int(str_z(limit), &most) || most < 1))
		return err_set(err, E_USAGE, "--limit takes a number, not %s", limit);
	a->ords = xcalloc((size_t)a->p.shown + 1, sizeof *a->ords);
	if (at) {
		a->n = 1;
		if (fetch_ordinal(a->conn, a->p.snap->dataset_id, str_z(at), a->ords, err) == E_NOT_FOUND)
			err->code = E_USAGE;
		if (err->code == OK && *a->ords >= a->p.snap->n)
			err_set(err, E_FORMAT, "%s is damaged: no answer can be of %s", conn_path(a->conn), at);
		return err->code;
	}
	for (uint32_t i = 0; i < a->p.snap->n && (int64_t)a->n < most; i++)
		if (bits_get(a->p.bits, i))
			a->ords[a->n++] = i;
	return a->n ? OK : err_set(err, E_USAGE, "the filter leaves no samples");
}

/* --- --dry-run --- */

static void say_request(const struct query_plan *plan, struct conn *c, const struct query_request *r)
{
	struct query_cost cost;
	struct buf text = BUF_INIT;
	char bytes[32];

	for (size_t i = 0; i < query_request_pictures(r); i++) {
		const struct send_picture *p = query_request_picture(r, i);

		buf_clear(&text);
		send_picture_say(p, &text);
		fprintf(stderr, "picture %zu: %u x %u, %s, %s\n", i + 1, p->w, p->h,
			print_bytes(bytes, (double)p->bytes.n), buf_cstr(&text));
	}
	cost = query_request_cost(r, plan->spec.endpoint.model);
	fprintf(stderr, "about %s tokens of text", print_about(bytes, cost.text));
	if (cost.pictures > 0)
		fprintf(stderr, " and %s of pictures", print_about(bytes, cost.pictures));
	cost = query_plan_cost(plan, c);
	fprintf(stderr, " in the first request, %s in all\n", print_about(bytes, cost.text + cost.pictures));
	fprintf(stderr, "%zu requests for %zu samples, %zu answered already; run %s\n",
		query_plan_requests(plan), plan->n, plan->known, plan->handle);
	buf_release(&text);
}

static enum status show_dry(struct asking *a, const struct query_plan *plan, struct decoder *decoder,
			    struct err *err)
{
	struct query_request *r;
	struct buf text = BUF_INIT;
	enum status st;

	if (!plan->n) {
		fprintf(stderr, "all %zu samples are answered in %s; --again asks once more\n", plan->known,
			plan->handle);
		return OK;
	}
	st = query_request_make(plan, a->conn, 0, decoder, a->cli->cancel, &r, err);
	if (st != OK)
		return st;
	st = chat_show(&plan->spec.endpoint, query_request_chat(r), &text, err);
	if (st == OK) {
		print_json_clean(stdout, buf_view(&text));
		fputc('\n', stdout);
		say_request(plan, a->conn, r);
	}
	buf_release(&text);
	query_request_free(r);
	return st;
}

/* --- asking --- */

static void answered(void *ctx, const struct query_answer *answer)
{
	struct asking *a = ctx;

	if (!answer->why)
		return;
	snprintf(a->told, sizeof a->told, "%s", answer->why->msg);
	if (a->failed++ < 3) {
		fputs("qualm: ", stderr);
		print_clean(stderr, str_z(answer->why->msg));
		fputc('\n', stderr);
	}
}

static void query_ended(void *ctx, const struct crowd_counts *counts, const struct err *why)
{
	struct asking *a = ctx;

	(void)counts;
	a->ended = true;
	a->has_why = why != NULL;
	if (why)
		a->why = *why;
}

static void tell_progress(struct asking *a, struct query *q)
{
	struct crowd_counts c = query_counts(q);

	if (!a->cli->stderr_tty)
		return;
	fprintf(stderr, "\r%zu of %zu answered", c.answered, c.n);
	if (c.failed)
		fprintf(stderr, ", %zu failed", c.failed);
	if (c.wait_s > 0)
		fprintf(stderr, ", the server asks to wait %.0f s", c.wait_s);
	else if (c.rate > 0)
		fprintf(stderr, ", %.1f a second, %.0f s left", c.rate,
			(double)(c.n - c.answered - c.failed) / c.rate);
	fputs("\033[K", stderr);
}

static void wait_for(struct asking *a, struct pool *pool, struct query *q)
{
	struct pollfd fds[2] = {{.fd = pool_fd(pool), .events = POLLIN},
				{.fd = cancel_fd(a->cli->cancel), .events = POLLIN}};
	bool stopped = false;

	while (!a->ended) {
		poll(fds, stopped ? 1 : 2, 200);
		if (!stopped && cancel_is(a->cli->cancel)) {
			stopped = true;
			query_cancel(q);
		}
		pool_reap(pool);
		if (!a->ended)
			tell_progress(a, q);
	}
	if (a->cli->stderr_tty)
		fputs("\r\033[K", stderr);
}

/* What is stored now, of all that was wished for. */
static enum status show_answers(struct asking *a, const char *handle, struct err *err)
{
	struct snapshot *snap = NULL;
	enum status st = snapshot_load(a->conn, a->p.snap->dataset, &snap, err);
	int r;

	if (st != OK)
		return st;
	r = snapshot_run(snap, str_z(handle));
	if (r >= 0)
		st = query_show(a->conn, snap, &a->p.lens, r, a->ords, a->n, a->json, stdout, &a->first, err);
	snapshot_free(snap);
	return st;
}

static enum status ask(struct asking *a, struct query_plan *plan, struct pool *pool, struct decoder *decoder,
		       struct err *err)
{
	struct query_watch watch = {.answered = answered, .ended = query_ended, .ctx = a};
	char *handle = xstrdup(plan->handle);
	enum status st;

	a->ended = a->has_why = false;
	if (plan->n) {
		struct query_cost cost = query_plan_cost(plan, a->conn);
		char n[32];

		fprintf(stderr, "asking %s about %zu sample%s, about %s tokens; run %s%s\n", plan->spec.endpoint.model,
			plan->n, plan->n == 1 ? "" : "s", print_about(n, cost.text + cost.pictures), handle,
			plan->known ? ", where the others are answered" : "");
		wait_for(a, pool, query_start(plan, pool, decoder, NULL, &watch));
	} else {
		fprintf(stderr, "all %zu samples are answered in %s; --again asks once more\n", plan->known,
			handle);
	}
	st = show_answers(a, handle, err);
	if (st == OK && a->has_why) {
		*err = a->why;
		st = err->code;
	}
	free(handle);
	return st;
}

static enum status ask_once(struct asking *a, uint32_t repeat, struct pool *pool, struct decoder *decoder,
			    struct err *err)
{
	struct query_plan plan;
	struct snapshot *snap = NULL;
	enum status st = snapshot_load(a->conn, a->p.snap->dataset, &snap, err);

	if (st != OK)
		return st;
	a->spec.repeat = repeat;
	st = query_plan_make(&plan, a->conn, snap, &a->spec, a->ords, a->n, a->again, err);
	if (st == OK)
		st = a->dry ? show_dry(a, &plan, decoder, err) : ask(a, &plan, pool, decoder, err);
	query_plan_release(&plan);
	snapshot_free(snap);
	return st;
}

static enum status ask_all(struct asking *a, struct err *err)
{
	struct pool *pool = pool_new(3, err);
	struct decoder *decoder = decoder_new(a->cli->self);
	enum status st = pool ? OK : err->code;

	if (st == OK && !a->dry && conn_read_only(a->conn))
		st = err_set(err, E_IO, "%s cannot be written: the answers would be lost", conn_path(a->conn));
	a->first = true;
	for (uint32_t k = 0; st == OK && k < (a->dry ? 1 : a->repeat); k++)
		st = ask_once(a, k, pool, decoder, err);
	if (a->json && !a->dry)
		fputs(a->first ? "[]\n" : "\n]\n", stdout);
	if (a->failed > 3)
		fprintf(stderr, "qualm: %zu requests failed; the same command asks for them again\n", a->failed);
	pool_free(pool);
	decoder_free(decoder);
	return st;
}

/* --- the command --- */

static enum status prepare(struct asking *a, const struct cmd_args *args, const struct config *config,
			   struct err *err)
{
	const char *repeat = cmd_option(args, "repeat");

	if (repeat && (!str_int(str_z(repeat), &a->repeat) || a->repeat < 1 || a->repeat > REPEAT_MAX))
		return err_set(err, E_USAGE, "--repeat takes a number from 1 to %d, not %s", REPEAT_MAX, repeat);
	if (query_words(args, &config->endpoints, a->p.snap, &a->spec, err) != OK ||
	    query_words_near(a->cli, args, &config->endpoints, a->conn, a->p.snap, a->dry, &a->spec, err) != OK)
		return err->code;
	return take_samples(a, args, err);
}

static enum status run(struct cli *cli, const struct cmd_args *args, struct asking *a, struct err *err)
{
	struct config config = {0};
	enum status st = config_load(&config, cli->config, err);

	if (st == OK)
		st = conn_open(&a->conn, args->words[0], CONN_WRITE, err);
	if (st == OK)
		cli_wait(cli, a->conn);
	if (st == OK)
		st = population_open(&a->p, cli, a->conn, cli->dataset, err);
	if (st == OK) {
		st = prepare(a, args, &config, err);
		if (st == OK)
			st = ask_all(a, err);
		query_spec_release(&a->spec);
		population_close(&a->p);
	}
	conn_close(a->conn);
	config_release(&config);
	free(a->ords);
	return st;
}

static int query_shell(struct cli *cli, const struct cmd_args *args)
{
	const char *format = cmd_option(args, "format");
	struct asking a = {.cli = cli, .repeat = 1, .dry = cmd_option(args, "dry-run") != NULL,
			   .again = cmd_option(args, "again") != NULL};
	struct err err = ERR_INIT;

	if (cli_one_project(cli, args))
		return EXIT_USAGE;
	if (format && strcmp(format, "text") != 0 && strcmp(format, "json") != 0)
		return cli_usage(args, "--format %s is not known; expected text or json", format);
	a.json = format && strcmp(format, "json") == 0;
	if (run(cli, args, &a, &err) != OK && !(a.failed && a.failed <= 3 && strcmp(a.told, err.msg) == 0))
		return cli_rows_fail(&err);
	return a.failed ? EXIT_DATA : EXIT_OK;
}

static const struct cmd_option options[] = {
    {"at", "SAMPLE", "ask about the sample with this key", false},
    {"limit", "N", "ask about the first N samples of --filter", false},
    QUERY_SPEC_OPTIONS,
    {"repeat", "K", "ask K times, each time in a run of its own", false},
    {"again", NULL, "ask once more what was asked in the same way before", false},
    {"format", "text|json", "how the answers are written (default text)", false},
    {"dry-run", NULL, "show the first request, key and pictures left out, and send nothing", false},
    {NULL, NULL, NULL, false},
};

extern const struct command cmd_query;
const struct command cmd_query = {
    .name = "query",
    .args = "FILE.qualm",
    .help = "Ask a model about samples; the answers are kept as a run of their own.",
    .group = "Files",
    .options = options,
    .shell = query_shell,
    .screen = query_screen,
};
