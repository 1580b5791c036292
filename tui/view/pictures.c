#include "tui/view/pictures.h"

#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tui/view/picture_make.h"

enum { JOB_WANTED = 0x70696301, JOB_SOON = 0x70696302 };
/* Made for so much less than the line carries now: better can be had. */
#define POOR_FACTOR 4
/* Who zooms wants to see more, and waits for it. */
#define ZOOM_FACTOR 3

struct pictures {
	struct pool *pool;
	struct picture_setup setup;
	struct made *cache; /* most recent first */
	size_t budget; /* of a sixel, 0 = none */
	uint64_t next_id, generation;
	char *path, *soon[2];
	struct send_crop crop; /* of path */
	struct picture_zoom zoom; /* likewise */
	struct whole *whole; /* of path, while it is zoomed; NULL: not read yet, or too large */
	int h, w;
	int64_t since;
	int rest;
	bool asked, hurry;
	bool stopped; /* by the user: it is not made until something else was wanted */
};

struct picture_job {
	struct job job;
	struct picture_setup setup;
	uint64_t generation;
	struct made *made; /* owned until done() takes it */
	enum status status;
};

/* In the worker. */
static void run(struct job *job)
{
	struct picture_job *j = (struct picture_job *)job;

	j->status = picture_make(j->made, &j->setup, &job->cancel);
}

/* --- what was made --- */

static bool same_crop(const struct send_crop *a, const struct send_crop *b)
{
	return a->x == b->x && a->y == b->y && a->w == b->w && a->h == b->h;
}

static bool same_zoom(const struct picture_zoom *a, const struct picture_zoom *b)
{
	return a->x == b->x && a->y == b->y && a->w == b->w && a->h == b->h && a->out_w == b->out_w &&
	       a->out_h == b->out_h;
}

/* The wish itself, or another picture, of which there is neither crop nor zoom. */
static struct made *find(const struct pictures *p, const char *path)
{
	static const struct send_crop no_crop;
	static const struct picture_zoom no_zoom;
	const struct send_crop *crop = path == p->path ? &p->crop : &no_crop;
	const struct picture_zoom *zoom = path == p->path ? &p->zoom : &no_zoom;

	for (struct made *m = p->cache; m; m = m->next)
		if (m->h == p->h && m->w == p->w && strcmp(m->path, path) == 0 && same_crop(&m->crop, crop) &&
		    same_zoom(&m->zoom, zoom))
			return m;
	return NULL;
}

static size_t points(const struct whole *w)
{
	return (size_t)w->px.w * w->px.h * 3;
}

static void forget_whole(struct pictures *p)
{
	whole_release(p->whole);
	p->whole = NULL;
}

static void keep_whole(struct pictures *p, struct made *m)
{
	if (m->whole && !p->whole && p->path && p->zoom.w && strcmp(m->path, p->path) == 0 &&
	    points(m->whole) <= PICTURE_KEPT_MAX)
		p->whole = m->whole;
	else
		whole_release(m->whole);
	m->whole = NULL;
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

	if (j->generation != p->generation || j->status == E_CANCELLED)
		return;
	j->made->pic.id = ++p->next_id;
	keep_whole(p, j->made);
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

static size_t budget_of(const struct pictures *p, const struct picture_zoom *zoom)
{
	return zoom->w ? p->budget * ZOOM_FACTOR : p->budget;
}

static void submit(struct pictures *p, const char *path, uint64_t key)
{
	struct picture_job *j = xcalloc(1, sizeof *j);

	j->made = xcalloc(1, sizeof *j->made);
	j->made->path = xstrdup(path);
	if (key == JOB_WANTED) {
		j->made->crop = p->crop;
		j->made->zoom = p->zoom;
		j->made->whole = p->whole;
		if (p->whole)
			p->whole->refs++;
	}
	j->made->h = p->h;
	j->made->w = p->w;
	j->made->budget = budget_of(p, &j->made->zoom);
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
	p->rest = PICTURE_REST_MS;
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
	forget_whole(p);
	p->generation++;
	p->asked = p->stopped = false;
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
	       a->cache == b->cache && a->unicode == b->unicode &&
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

static bool outdated(const struct pictures *p, const struct made *m)
{
	size_t budget = budget_of(p, &m->zoom);
	bool poor = m->plain && (!budget || budget / POOR_FACTOR > m->budget);

	if (p->setup.kind != PICTURE_SIXEL || m->pic.state != PICTURE_READY)
		return false;
	return poor || (m->sixel && budget && m->bytes / 3 * 2 > budget);
}

/* The line may have become slower or faster since it was made. */
static void drop_outdated(struct pictures *p, uint64_t on_glass)
{
	struct made *m = p->path ? find(p, p->path) : NULL;

	if (!m || m->pic.id == on_glass || !outdated(p, m))
		return;
	to_front(p, m);
	p->cache = m->next;
	made_free(m);
	p->asked = false;
}

void pictures_budget(struct pictures *p, size_t bytes, uint64_t on_glass)
{
	if (p->budget == bytes)
		return;
	p->budget = bytes;
	drop_outdated(p, on_glass);
}

void pictures_want(struct pictures *p, const struct picture_wish *wish, int64_t now)
{
	struct made *m;

	if (!same_path(p->path, wish->path) || p->h != wish->box.h || p->w != wish->box.w ||
	    !same_crop(&p->crop, &wish->crop) || !same_zoom(&p->zoom, &wish->zoom)) {
		pool_cancel(p->pool, JOB_WANTED);
		pool_cancel(p->pool, JOB_SOON);
		if (!same_path(p->path, wish->path) || !wish->zoom.w)
			forget_whole(p);
		replace(&p->path, wish->path);
		p->crop = wish->crop;
		p->zoom = wish->zoom;
		p->h = wish->box.h;
		p->w = wish->box.w;
		p->since = now;
		p->asked = p->stopped = false;
		drop_outdated(p, 0);
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
	p->stopped = busy && p->path && !find(p, p->path);
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
	int64_t due = p->since + (p->hurry ? 0 : p->rest);

	if (!drawable(p))
		return -1;
	if (find(p, p->path)) {
		if (!p->hurry && now >= due)
			prefetch(p);
		return now < due ? (int)(due - now) : -1;
	}
	if (p->stopped)
		return -1;
	if (!p->asked && now >= due) {
		submit(p, p->path, JOB_WANTED);
		p->asked = true;
	}
	if (!p->asked)
		return (int)(due - now);
	return now - p->since < PICTURE_HOLD_MS ? (int)(PICTURE_HOLD_MS - (now - p->since)) : -1;
}

void pictures_rest(struct pictures *p, int ms)
{
	p->rest = ms;
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
	if (p->stopped)
		return (struct picture){.state = PICTURE_FAILED, .error = "stopped; Ctrl-l loads it"};
	return (struct picture){.state = drawable(p) ? PICTURE_WAITING : PICTURE_NONE};
}

void pictures_room(const struct pictures *p, struct rect box, uint32_t *w, uint32_t *h)
{
	*w = *h = 0;
	if (p->setup.kind != PICTURE_OFF && box.w > 0 && box.h > 0)
		picture_room(&p->setup, box.w, box.h, w, h);
}

double pictures_dot(const struct pictures *p)
{
	return p->setup.kind == PICTURE_BLOCKS	? p->setup.cell_w / 2.0
	       : p->setup.kind == PICTURE_ASCII ? p->setup.cell_w
						: 1;
}

bool pictures_overdue(const struct pictures *p, int64_t now)
{
	return now - p->since >= PICTURE_HOLD_MS;
}
