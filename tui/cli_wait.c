#include "tui/cli.h"

#include "db/conn.h"
#include "tui/print.h"

#define PATIENCE_MS ((int64_t)3600 * 1000)
#define FIRST_MS    1000  /* worth a word */
#define EVERY_MS    10000 /* and once more after so long */
#define STEP_MS	    50    /* between two calls (conn.h) */

void cli_held_text(const char *project, struct buf *out)
{
	struct buf who = BUF_INIT;

	buf_z(out, "waiting for ");
	if (project_holder(project, &who))
		buf_str(out, buf_view(&who));
	else
		buf_z(out, "another program");
	buf_z(out, ", which uses the project; Ctrl-C stops");
	buf_release(&who);
}

static bool say(void *ctx, int64_t waited)
{
	struct buf text = BUF_INIT;

	if (waited < FIRST_MS || (waited - FIRST_MS) % EVERY_MS >= STEP_MS)
		return true;
	cli_held_text(conn_path(ctx), &text);
	print_clean(stderr, buf_view(&text));
	fputc('\n', stderr);
	fflush(stderr);
	buf_release(&text);
	return true;
}

void cli_wait(const struct cli *cli, struct conn *c)
{
	conn_set_cancel(c, cli->cancel);
	conn_set_patience(c, PATIENCE_MS);
	conn_set_wait(c, say, c);
}
