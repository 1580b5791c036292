/*
 * One file by several threads. This thread cuts pieces of whole rows; workers turn each into
 * records (relay.h); this thread hands them to the sink in the order of the file, so that the
 * result is that of reading row by row, whatever the workers' timing. Lines are cut by looking
 * at the ends of pieces alone, and read by the workers; where that cannot be, this thread reads.
 *
 * A worker knows only the columns that were known when its piece was handed out, and reports
 * nothing. A row that is not plain sailing (a new column, a problem of any kind) is left where it
 * is, and read again by this thread when its turn comes: with everything that the rows before
 * it have told. If that changes what the columns mean, the rest of the pieces that were handed
 * out meanwhile is read by this thread as well.
 */
#include <poll.h>
#include <unistd.h>

#include "core/base/job.h"
#include "core/reader/generic.h"
#include "core/reader/relay.h"

#define PIECE_DEFAULT ((size_t)1 << 19) /* stays in a core's own cache */
#define THREADS_MAX   8
#define FETCH_AHEAD   8 /* records */
#define LOOK_BACK     ((size_t)4096) /* for the end of a piece's last row, at first */

/* A stretch of a piece: rows whose records are in the relay, or rows to be read again. */
struct stretch {
	bool again;
	uint64_t rows;
	size_t records; /* up to here in the relay's list */
	struct rows_place from, to;
};

struct piece {
	struct job job; /* first */
	const char *path;
	char *data;
	size_t n, cap;
	uint64_t byte; /* where it begins in the file */
	const struct input *from; /* NULL: the bytes are in `data` already */
	struct relay_names *names; /* one for each worker */
	struct err err; /* of reading them */
	bool scanned;
	/* the worker's; lines count from the piece's first one */
	struct input in;
	struct report report;
	struct read_ctx ctx;
	struct generic g;
	struct relay relay;
	struct row row;
	struct err ignored;
	uint32_t version; /* of the columns that it knows */
	bool forked;	  /* it knows any */
	VEC(struct stretch) stretches;
	struct rows_place end; /* behind the last row */
	bool broken;	       /* what follows is nothing that a piece can be cut from */
};

struct scan {
	struct generic *g;
	struct pool *pool;
	struct piece *pieces; /* a ring in the order of the file */
	size_t n, first, n_out;
	size_t size; /* of a piece, at least */
	uint64_t byte, line; /* handed out so far; lines taken so far */
	bool random;	     /* workers read */
	struct relay_names *names; /* by worker */
	unsigned n_names;
	struct buf carry;    /* read, not handed out */
	bool ended;	     /* nothing more is handed out */
	bool rest;	     /* but there is more, which cannot be cut */
	struct row row;
};

/* --- the worker's side --- */

static void note(struct piece *p, bool again, struct rows_place from, uint64_t rows)
{
	struct stretch *last = p->stretches.n ? &p->stretches.v[p->stretches.n - 1] : NULL;

	if (!last || last->again != again) {
		vec_push(&p->stretches, ((struct stretch){.again = again, .from = from}));
		last = &p->stretches.v[p->stretches.n - 1];
	}
	last->rows += rows;
	last->records = p->relay.list.n;
	last->to = rows_place(&p->g.rows);
}

static bool has_problems(const struct report *r)
{
	return r->problems[PROBLEM_SKIPPED] || r->problems[PROBLEM_UNMATCHED] ||
	       r->problems[PROBLEM_WARNING];
}

static void forget_problems(struct piece *p)
{
	report_release(&p->report);
	report_init(&p->report, NULL, NULL);
	p->g.columns.strange = false;
}

static bool take_plain(struct piece *p)
{
	enum status st = OK;

	if (p->g.rows.strange || has_problems(&p->report))
		return false;
	if (generic_plain(&p->g, &p->row, &st, &p->ignored))
		return st == OK;
	if (p->g.rows.uncut && !rows_cut(&p->g.rows, &p->row))
		return false;
	st = generic_row(&p->g, &p->row, &p->ignored);
	return st == OK && !p->g.columns.strange && !has_problems(&p->report);
}

/* false: at the end, or at what breaks the piece. */
static bool scan_row(struct piece *p)
{
	size_t records = p->relay.list.n;
	bool more, ok;

	p->end = rows_place(&p->g.rows);
	p->broken = rows_step(&p->g.rows, &p->row, &more, &ok, &p->ignored) != OK || p->g.rows.broken;
	if (p->broken)
		return false;
	if (!more) {
		p->end = rows_place(&p->g.rows);
		return false;
	}
	ok = ok && take_plain(p);
	if (!ok) {
		p->relay.list.n = records;
		relay_part(&p->relay);
		forget_problems(p);
	}
	note(p, !ok, p->end, 1);
	return true;
}

/* Those that come next, in the fast gear. */
static void scan_plain_lines(struct piece *p)
{
	struct rows_place from = rows_place(&p->g.rows);
	size_t n = generic_plain_lines(&p->g, &p->row);

	if (n)
		note(p, false, from, n);
}

static void scan_piece(struct job *job)
{
	struct piece *p = (struct piece *)job;
	bool lines = p->g.columns.predictions && rows_are_lines(&p->g.rows);

	p->relay.names = &p->names[job->worker];
	if (p->from && input_read_at(p->from, p->byte, p->data, p->n, &p->err) != OK)
		return;
	input_memory(&p->in, (struct str){p->data, p->n});
	p->in.path = p->path;
	p->in.block_size = p->n; /* in one go: no line lies across two blocks */
	rows_over(&p->g.rows, &p->in, (struct rows_place){0, p->byte});
	while (scan_row(p) && !cancel_is(&job->cancel))
		if (lines)
			scan_plain_lines(p);
	input_close(&p->in);
}

static void piece_done(struct job *job)
{
	((struct piece *)job)->scanned = true;
}

static void piece_stays(struct job *job)
{
	(void)job;
}

/* --- handing out --- */

static void fork_reader(struct scan *s, struct piece *p)
{
	if (p->forked && p->version == s->g->columns.version)
		return;
	generic_release(&p->g);
	p->g = (struct generic){.ctx = &p->ctx, .first = s->g->first};
	p->ctx = (struct read_ctx){&p->in, s->g->ctx->opt, &p->relay.sink, &p->report};
	rows_fork(&p->g.rows, &s->g->rows, &p->ctx);
	columns_fork(&p->g.columns, &s->g->columns, &p->g.rows);
	p->version = s->g->columns.version;
	p->forked = true;
}

static enum status reserve(struct piece *p, size_t n, struct err *err)
{
	char *data = n > p->cap ? mem_retry(p->data, n) : p->data;

	if (!data)
		return err_set(err, E_MEMORY, "there is no memory for a piece of %zu bytes", n);
	p->data = data;
	p->cap = n > p->cap ? n : p->cap;
	return OK;
}

/* Reads on until there are n bytes, or the file ends. */
static enum status read_up_to(struct scan *s, struct piece *p, size_t n, bool *last, struct err *err)
{
	size_t got = 0;
	enum status st = reserve(p, n, err);

	if (st == OK && p->n < n)
		st = input_fill(s->g->ctx->in, p->data + p->n, n - p->n, &got, err);
	p->n += got;
	*last = p->n < n;
	return st;
}

/* The bytes up to the last end of a line among n of the file; 0: there is none. */
static enum status cut_lines(struct scan *s, struct piece *p, size_t n, size_t *whole,
			     struct err *err)
{
	size_t look = 0;
	enum status st = reserve(p, n, err);

	*whole = 0;
	while (st == OK && !*whole && look < n) {
		const char *end;

		look = !look ? LOOK_BACK : look * 16;
		look = look < n ? look : n;
		st = input_read_at(s->g->ctx->in, s->byte + n - look, p->data, look, err);
		end = st == OK ? memrchr(p->data, '\n', look) : NULL;
		if (end)
			*whole = n - look + (size_t)(end + 1 - p->data);
	}
	return st;
}

/* As fill(), but what is in the piece is read by the worker. */
static enum status measure(struct scan *s, struct piece *p, struct err *err)
{
	uint64_t left = s->g->ctx->in->size - s->byte;
	enum status st = OK;

	p->n = 0;
	for (size_t n = s->size; !p->n && left && st == OK; n *= 2) {
		bool last = n >= left;

		if (last)
			p->n = (size_t)left;
		else
			st = cut_lines(s, p, n, &p->n, err);
		if (!p->n && n > LINE_MAX_BYTES)
			break;
	}
	s->rest = !p->n && left;
	s->ended = p->n == left || s->rest;
	return st == OK ? reserve(p, p->n, err) : st;
}

/* Puts whole rows into p; none when the file has ended or cannot be cut. */
static enum status fill(struct scan *s, struct piece *p, struct err *err)
{
	size_t whole = 0, n = s->size > 2 * s->carry.n ? s->size : 2 * s->carry.n;
	bool last = false, sure = true;
	enum status st = reserve(p, n, err);

	if (st != OK)
		return st;
	memcpy(p->data, buf_cstr(&s->carry), s->carry.n);
	p->n = s->carry.n;
	for (; !whole && !last && sure; n *= 2) {
		st = read_up_to(s, p, n, &last, err);
		if (st != OK)
			return st;
		whole = last ? p->n : rows_whole(&s->g->rows, (struct str){p->data, p->n}, &sure);
		sure &= whole || last || n <= LINE_MAX_BYTES;
	}
	whole = sure ? whole : 0;
	s->ended = last || !sure;
	s->rest = !sure;
	buf_clear(&s->carry);
	buf_put(&s->carry, p->data + whole, p->n - whole);
	p->n = whole;
	return s->carry.failed ? err_set(err, E_MEMORY, "there is no memory for a row") : OK;
}

static enum status hand_out(struct scan *s, struct err *err)
{
	struct piece *p = &s->pieces[(s->first + s->n_out) % s->n];
	enum status st = s->random ? measure(s, p, err) : fill(s, p, err);

	if (st != OK || !p->n)
		return st;
	fork_reader(s, p);
	p->from = s->random ? s->g->ctx->in : NULL;
	p->names = s->names;
	p->err = (struct err)ERR_INIT;
	p->byte = s->byte;
	s->byte += p->n;
	p->path = s->g->ctx->in->path;
	p->scanned = p->broken = false;
	relay_clear(&p->relay);
	p->relay.source = (struct str){p->data, p->n};
	p->relay.wants_samples = sink_wants_samples(s->g->ctx->sink);
	vec_clear(&p->stretches);
	p->job = (struct job){.run = scan_piece, .done = piece_done, .free_job = piece_stays};
	pool_submit(s->pool, &p->job);
	s->n_out++;
	return OK;
}

static void wait_for(struct scan *s, const struct piece *p)
{
	while (!p->scanned) {
		struct pollfd fd = {pool_fd(s->pool), POLLIN, 0};

		poll(&fd, 1, -1);
		pool_reap(s->pool);
	}
}

/* --- taking back --- */

static enum status take_prediction(struct scan *s, struct relay *r, const struct relay_entry *e,
				   struct err *err)
{
	struct rec_prediction *p = e->rec.prediction;
	struct relay_run *run = &r->runs.v[p->run];

	if (run->id == UINT32_MAX && generic_run(s->g, &run->rec, &run->id, err) != OK)
		return err->code;
	p->run = run->id;
	p->src.line += s->line;
	if (p->sample)
		((struct rec_sample *)p->sample)->src.line += s->line;
	return sink_prediction(s->g->ctx->sink, p, err);
}

/* A record lies where another core left it. */
static inline void fetch(const void *record, size_t n)
{
	for (size_t i = 0; i < n; i += 64)
		__builtin_prefetch((const char *)record + i);
}

static enum status take_few(struct scan *s, struct relay *r, struct rec_plain *v, size_t n,
			    struct err *err)
{
	for (size_t i = 0; i < n; i++) {
		struct relay_run *run = &r->runs.v[v[i].run];

		if (run->id == UINT32_MAX && generic_run(s->g, &run->rec, &run->id, err) != OK)
			return err->code;
		v[i].run = run->id;
		v[i].src.line += s->line;
		__builtin_prefetch(v[i].key.p); /* it lies where another core left it */
	}
	return sink_plains(s->g->ctx->sink, v, n, err);
}

static enum status take_plains(struct scan *s, struct relay *r, const struct relay_entry *e,
			       struct err *err)
{
	struct rec_plain *v = r->plains.v + e->rec.plain.from;
	enum status st = OK;

	for (size_t left = e->rec.plain.n, n; left && st == OK; left -= n, v += n) {
		n = left < PLAINS_AT_ONCE ? left : PLAINS_AT_ONCE;
		st = take_few(s, r, v, n, err);
	}
	return st;
}

static enum status take_record(struct scan *s, struct relay *r, const struct relay_entry *e,
			       struct err *err)
{
	switch (e->kind) {
	case RELAY_CLASS:
		e->rec.class->src.line += s->line;
		return generic_class(s->g, e->rec.class, err);
	case RELAY_SAMPLE:
		e->rec.sample->src.line += s->line;
		return sink_sample(s->g->ctx->sink, e->rec.sample, err);
	case RELAY_PREDICTION:
		return take_prediction(s, r, e, err);
	case RELAY_PLAIN:
		return take_plains(s, r, e, err);
	}
	return OK;
}

static enum status take_records(struct scan *s, struct relay *r, size_t *at, size_t end,
				struct err *err)
{
	enum status st = OK;

	while (*at < end && st == OK) {
		const struct relay_entry *e = &r->list.v[*at];

		if (*at + 2 * FETCH_AHEAD < end && e[2 * FETCH_AHEAD].kind == RELAY_SAMPLE)
			fetch(e[2 * FETCH_AHEAD].rec.sample, sizeof(struct rec_sample));
		if (*at + FETCH_AHEAD < end && e[FETCH_AHEAD].kind == RELAY_SAMPLE)
			sink_expect(s->g->ctx->sink, e[FETCH_AHEAD].rec.sample->key);
		st = take_record(s, r, e, err);
		++*at;
	}
	return st;
}

/* Reads a part of the piece as if there were no workers. */
static enum status read_again(struct scan *s, const struct piece *p, struct rows_place from,
			      struct rows_place to, struct err *err)
{
	struct generic *g = s->g;
	struct input in;
	enum status st;
	bool more;

	input_memory(&in, (struct str){p->data + (from.byte - p->byte), to.byte - from.byte});
	rows_over(&g->rows, &in, (struct rows_place){s->line + from.line, from.byte});
	while ((st = rows_next(&g->rows, &s->row, &more, err)) == OK && more)
		if ((st = generic_row(g, &s->row, err)) != OK)
			break;
	input_close(&in);
	return st;
}

static enum status take_piece(struct scan *s, struct piece *p, struct err *err)
{
	size_t at = 0;
	enum status st = OK;

	for (size_t i = 0; i < p->stretches.n && st == OK; i++) {
		const struct stretch *t = &p->stretches.v[i];

		if (p->version != s->g->columns.version)
			return read_again(s, p, t->from, p->end, err);
		if (t->again) {
			st = read_again(s, p, t->from, t->to, err);
			continue;
		}
		st = take_records(s, &p->relay, &at, t->records, err);
		s->g->ctx->report->rows += t->rows;
		s->g->rows.bad_run = 0;
	}
	return st;
}

/* From the end of piece p on the file is read row by row: everything is given back. */
static enum status give_back(struct scan *s, const struct piece *p, struct err *err)
{
	struct input *in = s->g->ctx->in;
	uint64_t used = p->end.byte - p->byte;
	enum status st = s->random ? OK : input_unread(in, buf_view(&s->carry), err);

	for (size_t i = s->n_out; i > 0; i--) {
		const struct piece *later = &s->pieces[(s->first + i - 1) % s->n];

		wait_for(s, later);
		if (later != p && st == OK && !s->random)
			st = input_unread(in, (struct str){later->data, later->n}, err);
	}
	if (st == OK)
		st = s->random ? OK : input_unread(in, (struct str){p->data + used, p->n - used}, err);
	buf_clear(&s->carry);
	s->byte = p->end.byte;
	s->n_out = 0;
	s->ended = s->rest = true;
	return st;
}

static enum status take_first(struct scan *s, struct err *err)
{
	struct piece *p = &s->pieces[s->first];
	enum status st;

	wait_for(s, p);
	if (p->err.code != OK) {
		*err = p->err;
		return p->err.code;
	}
	st = take_piece(s, p, err);
	s->line += p->end.line;
	if (st == OK && p->broken)
		return give_back(s, p, err);
	if (st == OK && s->random)
		st = input_go_to(s->g->ctx->in, p->end.byte, err);
	s->first = (s->first + 1) % s->n;
	s->n_out--;
	return st;
}

static enum status run(struct scan *s, struct err *err)
{
	struct err read = ERR_INIT; /* comes after what was read before it */
	enum status st = OK;

	do {
		while (read.code == OK && !s->ended && s->n_out < s->n)
			hand_out(s, &read);
		if (s->n_out && read.code != E_CANCELLED)
			st = take_first(s, err);
	} while (st == OK && read.code != E_CANCELLED && (s->n_out || (!s->ended && read.code == OK)));
	if (st == OK && read.code != OK) {
		*err = read;
		st = read.code;
	}
	if (st == OK && s->rest)
		st = s->random ? input_go_to(s->g->ctx->in, s->byte, err)
			       : input_unread(s->g->ctx->in, buf_view(&s->carry), err);
	return st;
}

/* --- the whole --- */

static unsigned threads_of(const struct read_options *opt)
{
	long cores = opt->threads ? (long)opt->threads : sysconf(_SC_NPROCESSORS_ONLN);

	return cores > THREADS_MAX ? THREADS_MAX : cores < 1 ? 1 : (unsigned)cores;
}

static void release(struct scan *s)
{
	pool_free(s->pool);
	for (size_t i = 0; i < s->n; i++) {
		struct piece *p = &s->pieces[i];

		if (p->forked)
			generic_release(&p->g);
		relay_release(&p->relay);
		report_release(&p->report);
		row_release(&p->row);
		vec_release(&p->stretches);
		free(p->data);
	}
	for (unsigned i = 0; i < s->n_names; i++)
		relay_names_release(&s->names[i]);
	free(s->names);
	free(s->pieces);
	buf_release(&s->carry);
	row_release(&s->row);
}

static enum status open_scan(struct scan *s, unsigned threads, struct err *err)
{
	struct rows_place at = rows_place(&s->g->rows);

	s->byte = at.byte;
	s->line = at.line;
	s->carry.max = 2 * LINE_MAX_BYTES + s->size;
	s->random = rows_are_lines(&s->g->rows) && input_is_random(s->g->ctx->in);
	s->n = 2 * threads + 1;
	s->pieces = xcalloc(s->n, sizeof *s->pieces);
	s->n_names = threads;
	s->names = xcalloc(threads, sizeof *s->names);
	for (size_t i = 0; i < s->n; i++) {
		relay_init(&s->pieces[i].relay);
		report_init(&s->pieces[i].report, NULL, NULL);
		row_init(&s->pieces[i].row);
	}
	row_init(&s->row);
	s->pool = pool_new((int)threads, err);
	return s->pool ? rows_stop(&s->g->rows, err) : err->code;
}

enum status generic_scan(struct generic *g, bool *done, struct err *err)
{
	const struct read_options *opt = g->ctx->opt;
	struct input *in = g->ctx->in;
	struct scan s = {.g = g, .size = opt->piece ? opt->piece : PIECE_DEFAULT};
	unsigned threads = threads_of(opt);
	enum status st;

	*done = false;
	if (threads < 2 || !rows_can_part(&g->rows) ||
	    in->size < rows_place(&g->rows).byte + 2 * s.size)
		return OK;
	st = open_scan(&s, threads, err);
	if (st == OK)
		st = run(&s, err);
	if (st == OK && s.rest)
		rows_over(&g->rows, in, (struct rows_place){s.line, s.byte});
	*done = !s.rest;
	release(&s);
	return st;
}
