/* Pieces of a search, shared out to two threads in batches. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/xmalloc.h"
#include "db/conn_impl.h"
#include "db/search_impl.h"

bool hunt_matters(const struct hunt *h, uint32_t ord)
{
	return ord < h->s->snap->n && (!h->within || bits_get(h->within, ord)) &&
	       !bits_get(h->bits, ord);
}

/* Pieces [from, to) for one thread. */
struct share {
	struct hunt hunt;
	struct search search; /* with the thread's conn */
	struct err err;
	const void *items;
	size_t from, to;
	search_piece *piece;
	enum status st;
};

static void do_share(struct share *t)
{
	bool began;

	t->st = read_begin(t->search.c, &began, &t->err);
	if (t->st != OK)
		return;
	for (size_t i = t->from; t->st == OK && i < t->to; i++)
		t->st = t->piece(&t->hunt, t->items, i);
	read_end(t->search.c, began);
}

static void *help(void *arg)
{
	do_share(arg);
	return NULL;
}

/* The thread that helps does not wait for the project: who holds it may wait for us. */
static bool can_split(struct search *s)
{
	struct err err = ERR_INIT;

	if (s->second || s->alone)
		return !s->alone;
	s->alone = sysconf(_SC_NPROCESSORS_ONLN) < 2 ||
		   conn_open(&s->second, conn_path(s->c), CONN_READ, &err) != OK;
	if (s->second)
		conn_hurry(s->second, true);
	return !s->alone;
}

static void set_share(struct share *t, const struct hunt *h, struct conn *c, uint64_t *bits)
{
	t->search = *h->s;
	t->search.c = c;
	t->hunt = *h;
	t->hunt.s = &t->search;
	t->hunt.bits = bits;
	t->hunt.err = &t->err;
}

/* [from, middle) here, [middle, to) on another thread. Where that one found the project taken,
 * its part is done here as well. */
static enum status do_both(const struct hunt *h, struct share *mine, size_t middle)
{
	size_t n = h->s->snap->n;
	struct share *other = xcalloc(1, sizeof *other);
	uint64_t *bits = bits_new(n);
	pthread_t thread;
	bool started;

	*other = *mine;
	set_share(other, h, h->s->second, bits);
	other->from = middle;
	started = bits && pthread_create(&thread, NULL, help, other) == 0;
	if (started)
		mine->to = middle;
	do_share(mine);
	if (started)
		pthread_join(thread, NULL);
	if (started && mine->st == OK && other->st == OK) {
		bits_or(h->bits, bits, n);
	} else if (started && mine->st == OK && other->st == E_BUSY) {
		mine->from = middle;
		mine->to = other->to;
		do_share(mine);
	} else if (started && mine->st == OK) {
		mine->st = other->st;
		mine->err = other->err;
	}
	free(bits);
	free(other);
	return mine->st;
}

static enum status do_batch(const struct hunt *h, struct share *mine, uint64_t amount,
			    uint64_t (*work)(const void *items, size_t item))
{
	uint64_t half = 0;
	size_t middle = mine->from;

	if (amount >= h->s->split && mine->to - mine->from > 1 && needle_literal(h->needle) &&
	    can_split(h->s)) {
		while (middle < mine->to && half < amount / 2)
			half += work(mine->items, middle++);
		if (middle < mine->to)
			return do_both(h, mine, middle);
	}
	do_share(mine);
	return mine->st;
}

enum status search_pieces(const struct hunt *h, const void *items, size_t n,
			  uint64_t (*work)(const void *items, size_t item), search_piece *piece,
			  uint64_t *done)
{
	const struct text_watch *watch = h->watch;
	struct share *mine = xcalloc(1, sizeof *mine);
	enum status st = cancel_check(watch ? watch->cancel : NULL, h->err);
	size_t at = 0;

	mine->items = items;
	mine->piece = piece;
	set_share(mine, h, h->s->c, h->bits);
	while (st == OK && at < n) {
		uint64_t amount = 0;

		mine->from = at;
		while (at < n && amount < h->s->batch)
			amount += work(items, at++);
		mine->to = at;
		st = do_batch(h, mine, amount, work);
		if (st != OK)
			*h->err = mine->err;
		*done += amount;
		if (st == OK && watch && watch->tell)
			watch->tell(watch->ctx, *done, h->bits);
		if (st == OK)
			st = cancel_check(watch ? watch->cancel : NULL, h->err);
	}
	free(mine);
	return st;
}
