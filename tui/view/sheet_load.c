#include "tui/view/sheet_impl.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "core/base/map.h"
#include "core/base/xmalloc.h"

#define LOAD_KEYS ((uint64_t)0x73686c64 << 8)
#define ENLARGE   4.0

struct load_job {
	struct job job;
	struct picture_setup setup;
	uint64_t generation;
	int w, h; /* of the box, cells */
	int loader;
	struct thumb *thumb; /* owned until done() takes it */
	bool cancelled;
};

void thumb_unref(struct thumb *t)
{
	if (!t || --t->refs > 0)
		return;
	free(t->path);
	free(t->error);
	free(t->blocks);
	pixels_release(&t->px);
	free(t);
}

/* --- in the worker --- */

static int in_cells(uint32_t pixels, int cell, int max)
{
	int n = ((int)pixels + cell - 1) / cell;

	return n < 1 ? 1 : n > max ? max : n;
}

bool sheet_in_ascii(const struct picture_setup *setup)
{
	return setup->kind == PICTURE_ASCII || (setup->kind == PICTURE_SIXEL && !setup->unicode);
}

void thumb_blocks(struct thumb *t, const struct picture_setup *setup)
{
	enum blocks_kind kind = sheet_in_ascii(setup) ? BLOCKS_ASCII : BLOCKS_QUADRANT;
	struct err err = ERR_INIT;

	if (t->blocks || t->state != PICTURE_READY)
		return;
	t->blocks = xcalloc((size_t)t->cols * (size_t)t->rows, sizeof *t->blocks);
	if (blocks_render(&t->px, kind, (uint32_t)t->cols, (uint32_t)t->rows, setup->background,
			  t->blocks, &err) == OK)
		return;
	free(t->blocks);
	t->blocks = NULL;
}

/* False: the file cannot be told from another, and nothing is kept of it. */
static bool key_of(const struct load_job *j, struct cache_key *key)
{
	const struct picture_setup *s = &j->setup;
	struct stat st;

	if (!s->cache || s->kind == PICTURE_MARK || stat(j->thumb->path, &st) != 0)
		return false;
	*key = (struct cache_key){.box_w = (uint32_t)(j->w * s->cell_w),
				  .box_h = (uint32_t)(j->h * s->cell_h),
				  .cell_w = (uint32_t)s->cell_w,
				  .cell_h = (uint32_t)s->cell_h,
				  .background = s->background,
				  .pixels = true};
	media_cache_key_file(key, &st);
	return true;
}

static bool same_file(const struct cache_key *a, const struct cache_key *b)
{
	return a->dev == b->dev && a->ino == b->ino && a->mtime_ns == b->mtime_ns && a->size == b->size;
}

/* From the disk's cache, or from the picture itself, which then is kept, unless it changed while it
 * was read. */
static enum status load(struct load_job *j, struct err *err)
{
	const struct picture_setup *s = &j->setup;
	struct thumb *t = j->thumb;
	struct cache_key key, after;
	struct cache_entry e;
	bool keeps = key_of(j, &key);
	enum status st;

	if (keeps && media_cache_get_pixels(s->cache, &key, &e, &t->px)) {
		t->facts = e.facts;
		return OK;
	}
	st = media_load_together(t->path, (uint32_t)(j->w * s->cell_w), (uint32_t)(j->h * s->cell_h), ENLARGE,
			s->background, s->decoder, &j->job.cancel, &t->facts, &t->px, err);
	if (st != OK || !keeps || !key_of(j, &after) || !same_file(&key, &after))
		return st;
	e = (struct cache_entry){t->facts, (uint32_t)in_cells(t->px.w, s->cell_w, j->w),
				 (uint32_t)in_cells(t->px.h, s->cell_h, j->h)};
	media_cache_put_pixels(s->cache, &key, &e, &t->px);
	return OK;
}

static void run(struct job *job)
{
	struct load_job *j = (struct load_job *)job;
	const struct picture_setup *s = &j->setup;
	struct thumb *t = j->thumb;
	struct err err = ERR_INIT;
	enum status st = load(j, &err);

	j->cancelled = st == E_CANCELLED;
	t->state = st == OK ? PICTURE_READY : PICTURE_FAILED;
	if (st != OK) {
		t->error = xstrdup(err.msg);
		return;
	}
	t->cols = in_cells(t->px.w, s->cell_w, j->w);
	t->rows = in_cells(t->px.h, s->cell_h, j->h);
	t->bytes = (size_t)t->px.w * t->px.h * 3;
	if (s->kind == PICTURE_BLOCKS || s->kind == PICTURE_ASCII)
		thumb_blocks(t, s);
}

/* --- the cache --- */

static struct thumb **bucket_of(struct sheet *s, const char *path)
{
	return &s->bucket[hash_bytes(path, strlen(path)) % SHEET_BUCKETS];
}

struct thumb *sheet_find(struct sheet *s, const char *path)
{
	for (struct thumb *t = *bucket_of(s, path); t; t = t->next)
		if (strcmp(t->path, path) == 0)
			return t;
	return NULL;
}

static void take_out(struct sheet *s, struct thumb *t)
{
	struct thumb **at = bucket_of(s, t->path);

	while (*at != t)
		at = &(*at)->next;
	*at = t->next;
	s->bytes -= t->bytes + sizeof *t;
	thumb_unref(t);
}

void sheet_drop_thumbs(struct sheet *s)
{
	for (int b = 0; b < SHEET_BUCKETS; b++)
		while (s->bucket[b])
			take_out(s, s->bucket[b]);
	memset(s->thumb, 0, sizeof s->thumb);
}

/* What is on the page was used last, so it stays. */
static void trim(struct sheet *s)
{
	while (s->bytes > SHEET_CACHE_MAX) {
		struct thumb *oldest = NULL;

		for (int b = 0; b < SHEET_BUCKETS; b++)
			for (struct thumb *t = s->bucket[b]; t; t = t->next)
				if (!oldest || t->used < oldest->used)
					oldest = t;
		if (!oldest || oldest->used == s->clock)
			return;
		take_out(s, oldest);
	}
}

void sheet_link(struct sheet *s)
{
	s->clock++;
	for (int i = 0; i < s->n; i++) {
		s->thumb[i] = s->slot[i].path ? sheet_find(s, s->slot[i].path) : NULL;
		if (s->thumb[i])
			s->thumb[i]->used = s->clock;
	}
}

static void put_in(struct sheet *s, struct thumb *t)
{
	struct thumb **at = bucket_of(s, t->path), *old = sheet_find(s, t->path);

	if (old)
		take_out(s, old);
	t->id = ++s->next_id;
	t->used = s->clock;
	t->next = *at;
	*at = t;
	s->bytes += t->bytes + sizeof *t;
	sheet_link(s);
	trim(s);
}

/* --- on the owner's thread --- */

static void done(struct job *job)
{
	struct load_job *j = (struct load_job *)job;
	struct sheet *s = job->owner;

	free(s->loading[j->loader]);
	s->loading[j->loader] = NULL;
	if (j->generation == s->generation && !j->cancelled) {
		put_in(s, j->thumb);
		j->thumb = NULL;
	}
	sheet_load_due(s);
}

static void free_job(struct job *job)
{
	struct load_job *j = (struct load_job *)job;

	thumb_unref(j->thumb);
	free(j);
}

static void start(struct sheet *s, int loader, const char *path)
{
	struct load_job *j = xcalloc(1, sizeof *j);

	j->thumb = xcalloc(1, sizeof *j->thumb);
	j->thumb->refs = 1;
	j->thumb->path = xstrdup(path);
	j->setup = s->setup;
	j->generation = s->generation;
	j->w = s->slot[0].box.w;
	j->h = s->slot[0].box.h;
	j->loader = loader;
	j->job = (struct job){.key = LOAD_KEYS | (uint64_t)loader, .run = run, .done = done,
			      .free_job = free_job, .owner = s};
	s->loading[loader] = xstrdup(path);
	pool_submit(s->pool, &j->job);
}

static bool is_loading(const struct sheet *s, const char *path)
{
	for (int k = 0; k < SHEET_LOADERS; k++)
		if (s->loading[k] && strcmp(s->loading[k], path) == 0)
			return true;
	return false;
}

static const char *next_path(struct sheet *s)
{
	for (int i = 0; i < s->n; i++)
		if (s->slot[i].path && !s->thumb[i] && !is_loading(s, s->slot[i].path))
			return s->slot[i].path;
	for (int i = 0; i < s->n_soon && !s->hurry; i++)
		if (!is_loading(s, s->soon[i]) && !sheet_find(s, s->soon[i]))
			return s->soon[i];
	return NULL;
}

void sheet_load_due(struct sheet *s)
{
	if (!s->n || s->slot[0].box.h <= 0 || s->slot[0].box.w <= 0 || s->setup.cell_w <= 0)
		return;
	for (int k = 0; k < SHEET_LOADERS; k++) {
		const char *path = s->loading[k] ? NULL : next_path(s);

		if (path)
			start(s, k, path);
	}
}

static bool is_wanted(const struct sheet *s, const char *path)
{
	for (int i = 0; i < s->n; i++)
		if (s->slot[i].path && strcmp(s->slot[i].path, path) == 0)
			return true;
	return false;
}

void sheet_stop_loads(struct sheet *s, bool all)
{
	for (int k = 0; k < SHEET_LOADERS; k++) {
		if (!s->loading[k] || (!all && is_wanted(s, s->loading[k])))
			continue;
		pool_cancel(s->pool, LOAD_KEYS | (uint64_t)k);
		free(s->loading[k]);
		s->loading[k] = NULL;
	}
}
