#include "tui/view/pictures.h"

#include <stdlib.h>

#include "core/base/xmalloc.h"

enum { JOB_WANTED = 0x70696301, JOB_SOON = 0x70696302 };
/* Small pictures (48 pixels of a face) grow, but not into porridge. */
#define ENLARGE 6.0

struct made { /* one entry of the cache */
	struct made *next;
	char *path;
	int h, w; /* of the box, cells */
	struct picture pic;
	char *sixel, *error;
	struct block_cell *blocks;
	size_t bytes;
};

struct pictures {
	struct pool *pool;
	struct picture_setup setup;
	struct made *cache; /* most recent first */
	size_t bytes;
	uint64_t next_id, generation;
	char *path, *soon[2];
	int h, w;
	int64_t since;
	bool asked, soon_asked, hurry;
};

struct picture_job {
	struct job job;
	struct picture_setup setup;
	uint64_t generation;
	struct made *made; /* owned until done() takes it */
	struct err err;
};

static void made_free(struct made *m)
{
	if (!m)
		return;
	free(m->path);
	free(m->sixel);
	free(m->error);
	free(m->blocks);
	free(m);
}

/* --- in the worker --- */

static int at_most(int a, int b)
{
	return b > 0 && a > b ? b : a;
}

static int in_cells(uint32_t pixels, int cell, int max)
{
	int n = ((int)pixels + cell - 1) / cell;

	return n < 1 ? 1 : n > max ? max : n;
}

/* Padded to whole cells, so that the next picture of the same size covers all of it. */
static enum status make_sixel(struct picture_job *j, const struct pixels *px)
{
	const struct picture_setup *s = &j->setup;
	struct made *m = j->made;
	struct buf out = BUF_INIT;
	struct sixel_options opt = {
	    .pad_w = (uint32_t)(m->pic.cols * s->cell_w),
	    .pad_h = (uint32_t)(m->pic.rows * s->cell_h),
	    .colors = s->colors,
	    .dither = true,
	    .first_is_background = s->first_is_background,
	    .background = s->background,
	};
	enum status st = sixel_encode_pixels(px, &opt, &out, &j->err);

	if (st == OK) {
		m->bytes = out.n;
		m->sixel = buf_take(&out);
		m->pic.sixel = (struct str){m->sixel, m->bytes};
	}
	buf_release(&out);
	return st;
}

static enum status make_blocks(struct picture_job *j, const struct pixels *px)
{
	struct made *m = j->made;
	size_t n = (size_t)m->pic.cols * (size_t)m->pic.rows;
	enum blocks_kind kind = j->setup.kind == PICTURE_ASCII ? BLOCKS_ASCII : BLOCKS_QUADRANT;

	m->blocks = xcalloc(n, sizeof *m->blocks);
	m->bytes = n * sizeof *m->blocks;
	m->pic.blocks = m->blocks;
	m->pic.colored = kind != BLOCKS_ASCII;
	return blocks_render(px, kind, (uint32_t)m->pic.cols, (uint32_t)m->pic.rows,
			     j->setup.background, m->blocks, &j->err);
}

static enum status make(struct picture_job *j)
{
	const struct picture_setup *s = &j->setup;
	struct made *m = j->made;
	struct pixels px = {0};
	int cols = m->w, rows = m->h;
	enum status st;

	if (s->kind == PICTURE_SIXEL) {
		cols = at_most(cols, s->max_w / s->cell_w);
		rows = at_most(rows, s->max_h / s->cell_h);
	}
	st = media_load(m->path, (uint32_t)(cols * s->cell_w), (uint32_t)(rows * s->cell_h), ENLARGE,
			s->background, s->decoder, &j->job.cancel, &m->pic.facts, &px, &j->err);
	if (st != OK)
		goto out;
	m->pic.cols = in_cells(px.w, s->cell_w, cols);
	m->pic.rows = in_cells(px.h, s->cell_h, rows);
	m->pic.mark = s->kind == PICTURE_MARK;
	if (s->kind == PICTURE_SIXEL)
		st = make_sixel(j, &px);
	else if (s->kind != PICTURE_MARK)
		st = make_blocks(j, &px);
out:
	pixels_release(&px);
	return st;
}

static void run(struct job *job)
{
	struct picture_job *j = (struct picture_job *)job;

	j->made->pic.state = PICTURE_READY;
	if (make(j) != OK) {
		j->made->pic.state = PICTURE_FAILED;
		j->made->error = xstrdup(j->err.msg);
		j->made->pic.error = j->made->error;
	}
}

/* --- cache --- */

static struct made *find(const struct pictures *p, const char *path)
{
	for (struct made *m = p->cache; m; m = m->next)
		if (m->h == p->h && m->w == p->w && strcmp(m->path, path) == 0)
			return m;
	return NULL;
}

static void trim(struct pictures *p)
{
	struct made **at = &p->cache;
	size_t kept = 0;

	/* The first is what is being looked at, however big. */
	while (*at) {
		struct made *m = *at;

		kept += m->bytes + sizeof *m;
		if (kept > PICTURE_CACHE_MAX && m != p->cache) {
			*at = m->next;
			made_free(m);
		} else {
			at = &m->next;
		}
	}
}

static void to_front(struct pictures *p, struct made *m)
{
	struct made **at = &p->cache;

	while (*at && *at != m)
		at = &(*at)->next;
	if (*at)
		*at = m->next;
	m->next = p->cache;
	p->cache = m;
}

static void done(struct job *job)
{
	struct picture_job *j = (struct picture_job *)job;
	struct pictures *p = job->owner;
	struct made *looked_at = p->cache;

	if (j->generation != p->generation || j->err.code == E_CANCELLED)
		return;
	j->made->pic.id = ++p->next_id;
	to_front(p, j->made);
	/* A neighbour must not push the current one from its place. */
	if (job->key == JOB_SOON && looked_at)
		to_front(p, looked_at);
	j->made = NULL;
	trim(p);
}

static void free_job(struct job *job)
{
	struct picture_job *j = (struct picture_job *)job;

	made_free(j->made);
	free(j);
}

/* --- on the owner's thread --- */

static void submit(struct pictures *p, const char *path, uint64_t key)
{
	struct picture_job *j = xcalloc(1, sizeof *j);

	j->made = xcalloc(1, sizeof *j->made);
	j->made->path = xstrdup(path);
	j->made->h = p->h;
	j->made->w = p->w;
	j->setup = p->setup;
	j->generation = p->generation;
	j->job = (struct job){.key = key, .urgency = key == JOB_WANTED, .run = run, .done = done,
			      .free_job = free_job, .owner = p};
	pool_submit(p->pool, &j->job);
}

struct pictures *pictures_new(struct pool *pool)
{
	struct pictures *p = xcalloc(1, sizeof *p);

	p->pool = pool;
	return p;
}

void pictures_forget(struct pictures *p)
{
	struct made *next;

	for (struct made *m = p->cache; m; m = next) {
		next = m->next;
		made_free(m);
	}
	p->cache = NULL;
	p->generation++;
	p->asked = p->soon_asked = false;
}

void pictures_free(struct pictures *p)
{
	if (!p)
		return;
	pictures_forget(p);
	free(p->path);
	free(p->soon[0]);
	free(p->soon[1]);
	free(p);
}

static bool same_setup(const struct picture_setup *a, const struct picture_setup *b)
{
	return a->kind == b->kind && a->cell_w == b->cell_w && a->cell_h == b->cell_h &&
	       a->max_w == b->max_w && a->max_h == b->max_h && a->colors == b->colors &&
	       a->first_is_background == b->first_is_background && a->decoder == b->decoder &&
	       memcmp(&a->background, &b->background, sizeof a->background) == 0;
}

void pictures_setup(struct pictures *p, const struct picture_setup *setup)
{
	if (same_setup(&p->setup, setup))
		return;
	p->setup = *setup;
	pictures_forget(p);
}

static bool same_path(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static void replace(char **at, const char *path)
{
	free(*at);
	*at = path ? xstrdup(path) : NULL;
}

void pictures_want(struct pictures *p, const struct picture_wish *wish, int64_t now)
{
	struct made *m;

	if (!same_path(p->path, wish->path) || p->h != wish->box.h || p->w != wish->box.w) {
		pool_cancel(p->pool, JOB_WANTED);
		pool_cancel(p->pool, JOB_SOON);
		replace(&p->path, wish->path);
		p->h = wish->box.h;
		p->w = wish->box.w;
		p->since = now;
		p->asked = p->soon_asked = false;
	}
	replace(&p->soon[0], wish->next);
	replace(&p->soon[1], wish->previous);
	m = p->path ? find(p, p->path) : NULL;
	if (m)
		to_front(p, m);
}

bool pictures_cancel(struct pictures *p)
{
	bool busy = pool_busy(p->pool);

	pool_cancel(p->pool, JOB_WANTED);
	pool_cancel(p->pool, JOB_SOON);
	return busy;
}

static bool drawable(const struct pictures *p)
{
	return p->path && p->setup.kind != PICTURE_OFF && p->h > 0 && p->w > 0;
}

/* One neighbour at a time, only after the wish itself is there. */
static void prefetch(struct pictures *p)
{
	if (pool_busy(p->pool))
		return;
	for (int i = 0; i < 2; i++)
		if (p->soon[i] && !find(p, p->soon[i])) {
			submit(p, p->soon[i], JOB_SOON);
			return;
		}
}

int pictures_tick(struct pictures *p, int64_t now)
{
	int64_t due = p->since + (p->hurry ? 0 : PICTURE_REST_MS);

	if (!drawable(p))
		return -1;
	if (find(p, p->path)) {
		if (!p->hurry && now >= due)
			prefetch(p);
		return now < due ? (int)(due - now) : -1;
	}
	if (!p->asked && now >= due) {
		submit(p, p->path, JOB_WANTED);
		p->asked = true;
	}
	if (!p->asked)
		return (int)(due - now);
	return now - p->since < PICTURE_HOLD_MS ? (int)(PICTURE_HOLD_MS - (now - p->since)) : -1;
}

void pictures_hurry(struct pictures *p)
{
	p->hurry = true;
}

struct picture pictures_get(const struct pictures *p)
{
	const struct made *m = drawable(p) ? find(p, p->path) : NULL;

	if (m)
		return m->pic;
	return (struct picture){.state = drawable(p) ? PICTURE_WAITING : PICTURE_NONE};
}

bool pictures_overdue(const struct pictures *p, int64_t now)
{
	return now - p->since >= PICTURE_HOLD_MS;
}
