#include <stdlib.h>
#include <string.h>

#include "core/base/path.h"
#include "core/base/xmalloc.h"
#include "db/column.h"
#include "tui/cli.h"
#include "tui/config.h"
#include "tui/population.h"
#include "tui/print.h"
#include "tui/query/query_batch.h"
#include "tui/query/query_cost.h"
#include "tui/query/query_words.h"

/* What OpenAI's Batch API takes in one file. */
#define BYTES_MAX    ((uint64_t)190 << 20)
#define REQUESTS_MAX 50000

static void tell(void *ctx, size_t done, size_t n)
{
	const struct cli *cli = ctx;

	if (cli->stderr_tty)
		fprintf(stderr, "\r%zu of %zu requests\033[K%s", done, n, done == n ? "\r\033[K" : "");
}

/* --- export --- */

static enum status read_limits(const struct cmd_args *args, struct batch_limits *out, struct err *err)
{
	const char *mib = cmd_option(args, "max-mib"), *n = cmd_option(args, "max-requests");
	int64_t v;

	*out = (struct batch_limits){BYTES_MAX, REQUESTS_MAX};
	if (mib && (!str_int(str_z(mib), &v) || v < 1 || v > 100000))
		return err_set(err, E_USAGE, "--max-mib takes a number from 1 to 100000, not %s", mib);
	out->bytes = mib ? (uint64_t)v << 20 : out->bytes;
	if (n && (!str_int(str_z(n), &v) || v < 1 || v > 10000000))
		return err_set(err, E_USAGE, "--max-requests takes a number from 1 to 10000000, not %s", n);
	out->requests = n ? (size_t)v : out->requests;
	return OK;
}

static enum status take_samples(const struct population *p, const char *limit, uint32_t *ords, size_t *n,
				struct err *err)
{
	int64_t most = p->shown;

	if (limit && (!str_int(str_z(limit), &most) || most < 1))
		return err_set(err, E_USAGE, "--limit takes a number, not %s", limit);
	for (uint32_t i = 0; i < p->snap->n && (int64_t)*n < most; i++)
		if (bits_get(p->bits, i))
			ords[(*n)++] = i;
	return *n ? OK : err_set(err, E_USAGE, "the filter leaves no samples");
}

static enum status write_plan(struct cli *cli, const struct query_plan *plan, struct conn *c, const char *out,
			      const struct batch_limits *limits, struct err *err)
{
	struct decoder *decoder = decoder_new(cli->self);
	struct batch_written w;
	struct query_cost cost;
	char n[32], tokens[32];
	enum status st;

	if (path_same(out, conn_path(c)))
		st = err_set(err, E_USAGE, "%s is the project: nothing is written over it", out);
	else
		st = batch_export(plan, c, out, limits, decoder, cli->cancel, tell, cli, &w, err);
	decoder_free(decoder);
	if (st != OK)
		return st;
	cost = query_plan_cost(plan, c);
	fprintf(stderr, "batch b%lld: %s requests in %zu file%s, about %s tokens; the answers will be run %s\n",
		(long long)w.number, print_count(n, w.requests), w.files, w.files == 1 ? "" : "s",
		print_about(tokens, (cost.text + cost.pictures) * (double)w.requests /
					(double)query_plan_requests(plan)), plan->handle);
	if (plan->known)
		fprintf(stderr, "%s samples are answered there already\n", print_count(n, plan->known));
	if (!w.failed)
		return OK;
	fprintf(stderr, "qualm: %s requests could not be made; the first: ", print_count(n, w.failed));
	print_clean(stderr, str_z(w.why.msg));
	fputc('\n', stderr);
	return w.requests ? OK : err_set(err, w.why.code, "nothing is written");
}

static enum status export_population(struct cli *cli, const struct cmd_args *args, struct population *p,
				     const struct config *config, struct err *err)
{
	struct query_spec spec = {0};
	struct query_plan plan = {0};
	struct batch_limits limits;
	uint32_t *ords = xcalloc((size_t)p->shown + 1, sizeof *ords);
	size_t n = 0;
	enum status st = query_words(args, &config->endpoints, p->snap, &spec, err);

	if (st == OK)
		st = query_words_near(cli, args, &config->endpoints, p->conn, p->snap, false, &spec, err);
	if (st == OK)
		st = read_limits(args, &limits, err);
	if (st == OK)
		st = take_samples(p, cmd_option(args, "limit"), ords, &n, err);
	if (st == OK)
		st = query_plan_make(&plan, p->conn, p->snap, &spec, ords, n, cmd_option(args, "again") != NULL, err);
	if (st == OK && !plan.n)
		st = err_set(err, E_USAGE, "all %zu samples are answered in %s; --again asks once more", plan.known,
			     plan.handle);
	if (st == OK)
		st = write_plan(cli, &plan, p->conn, cmd_option(args, "o"), &limits, err);
	query_plan_release(&plan);
	query_spec_release(&spec);
	free(ords);
	return st;
}

static enum status run_export(struct cli *cli, const struct cmd_args *args, struct err *err)
{
	struct config config = {0};
	struct population p;
	struct conn *c = NULL;
	enum status st = config_load(&config, cli->config, err);

	if (st == OK)
		st = conn_open(&c, args->words[1], CONN_WRITE, err);
	if (st == OK && (st = population_open(&p, cli, c, cli->dataset, err)) == OK) {
		st = export_population(cli, args, &p, &config, err);
		population_close(&p);
	}
	conn_close(c);
	config_release(&config);
	return st;
}

/* --- import --- */

static void sum_up(const char *path, const struct batch_read *r)
{
	char a[32], b[32];

	printf("%s\n", path);
	printf("  kept: %s answers of %s lines\n", print_count(a, r->kept), print_count(b, r->lines));
	if (r->failed)
		printf("  failed: %s requests, to be asked again\n", print_count(a, r->failed));
	if (r->unknown + r->broken)
		printf("  passed over: %s lines of no batch here, %s that are no results\n", print_count(a, r->unknown),
		       print_count(b, r->broken));
	if (r->first_bad) {
		printf("    %s:%llu: ", path, (unsigned long long)r->first_bad);
		print_clean(stdout, str_z(r->why.msg));
		putchar('\n');
	}
}

/* *bad: lines that could not be used. */
static enum status run_import(struct cli *cli, const struct cmd_args *args, size_t *bad, struct err *err)
{
	struct conn *c = NULL;
	enum status st = conn_open(&c, args->words[1], CONN_WRITE, err);

	if (st == OK)
		cli_wait(cli, c);
	if (st == OK && conn_read_only(c))
		st = err_set(err, E_IO, "%s cannot be written: the answers would be lost", conn_path(c));
	for (int i = 2; i < args->n_words && st == OK; i++) {
		struct batch_read r;

		st = batch_import(c, cli->dataset, args->words[i], cli->cancel, &r, err);
		if (st == OK || st == E_CANCELLED)
			sum_up(args->words[i], &r);
		*bad += r.unknown + r.broken;
	}
	conn_close(c);
	return st;
}

/* --- the command --- */

static int batch_shell(struct cli *cli, const struct cmd_args *args)
{
	bool export = args->n_words > 0 && strcmp(args->words[0], "export") == 0;
	struct err err = ERR_INIT;
	size_t bad = 0;

	if (!export && (args->n_words < 1 || strcmp(args->words[0], "import") != 0))
		return cli_usage(args, "export or import?");
	if (args->n_words < 2)
		return cli_usage(args, "which project?");
	if (export && (args->n_words > 2 || !cmd_option(args, "o")))
		return cli_usage(args, "export takes one project and -o OUT.jsonl");
	if (!export && args->n_words < 3)
		return cli_usage(args, "which files of results?");
	if ((export ? run_export(cli, args, &err) : run_import(cli, args, &bad, &err)) != OK)
		return cli_fail(&err);
	return bad ? EXIT_DATA : EXIT_OK;
}

static const struct cmd_option options[] = {
    {"o", "OUT.jsonl", "export: the first file; further ones get -2, -3 …", false},
    {"limit", "N", "export: the first N samples that --filter leaves (default all)", false},
    QUERY_SPEC_OPTIONS,
    {"again", NULL, "export: ask once more what was asked in the same way before", false},
    {"max-mib", "N", "export: MiB of one file (default 190)", false},
    {"max-requests", "N", "export: requests of one file (default 50000)", false},
    {NULL, NULL, NULL, false},
};

extern const struct command cmd_batch;
const struct command cmd_batch = {
    .name = "batch",
    .args = "export|import FILE.qualm [RESULT...]",
    .help = "Write requests for OpenAI's Batch API or vLLM run-batch, and take their results back.",
    .group = "Files",
    .options = options,
    .shell = batch_shell,
};
