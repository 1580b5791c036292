#include "core/media/media_cache.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/path.h"
#include "core/base/xmalloc.h"
#include "core/media/media_cache_folder.h"

/* Changes whenever other bytes would be made of the same key, or are written in another way. */
#define ENCODER_VERSION 1
#define MAGIC           0x31636970716c6175ull /* also tells the byte order */

struct media_cache {
	char *dir;
	uint64_t max;
	pthread_mutex_t lock; /* guards what follows */
	uint64_t bytes;       /* of all entries, as far as known */
	bool counted;         /* the folder was looked through once */
	bool off;             /* no more writing */
	char trouble[128];
};

/* --- one entry's bytes --- */

enum { N_KEY = 11, N_FACTS = 7, N_HEAD = 1 + N_KEY + N_FACTS + 2 };

static void key_words(const struct cache_key *k, uint64_t w[N_KEY])
{
	const struct media_rgb *bg = &k->background;
	const uint64_t words[N_KEY] = {
	    k->dev,
	    k->ino,
	    k->mtime_ns,
	    k->size,
	    k->box_w,
	    k->box_h,
	    k->cell_w,
	    k->cell_h,
	    k->colors,
	    (uint64_t)k->pixels << 2 | (uint64_t)k->dither << 1 | k->first_is_background,
	    (uint64_t)bg->r << 16 | (uint64_t)bg->g << 8 | bg->b | (uint64_t)ENCODER_VERSION << 32,
	};

	memcpy(w, words, sizeof words);
}

static void entry_words(const struct cache_entry *e, uint64_t w[N_FACTS])
{
	const struct media_facts *f = &e->facts;
	const uint64_t words[N_FACTS] = {
	    (uint64_t)f->format,
	    (uint64_t)f->width << 32 | f->height,
	    f->bytes,
	    (uint64_t)f->orientation,
	    (uint64_t)(f->cmyk | f->grey << 1 | f->alpha << 2 | f->progressive << 3 |
		       f->partial << 4),
	    e->cols,
	    e->rows,
	};

	memcpy(w, words, sizeof words);
}

static bool entry_of_words(const uint64_t w[N_FACTS], struct cache_entry *e)
{
	struct media_facts *f = &e->facts;

	if (w[0] > MEDIA_FORMAT_HEIF || w[3] < 1 || w[3] > 8 || w[5] < 1 || w[5] > 4096 ||
	    w[6] < 1 || w[6] > 4096)
		return false;
	f->format = (enum media_format)w[0];
	f->width = (uint32_t)(w[1] >> 32);
	f->height = (uint32_t)w[1];
	f->bytes = w[2];
	f->orientation = (int)w[3];
	f->cmyk = w[4] & 1;
	f->grey = w[4] & 2;
	f->alpha = w[4] & 4;
	f->progressive = w[4] & 8;
	f->partial = w[4] & 16;
	e->cols = (uint32_t)w[5];
	e->rows = (uint32_t)w[6];
	return true;
}

/* FNV-1a: against damage, not against intent; what intent could do media_cache_is_sixel() forbids. */
static uint64_t checksum(uint64_t h, const void *p, size_t n)
{
	const unsigned char *s = p;

	for (size_t i = 0; i < n; i++)
		h = (h ^ s[i]) * 0x100000001b3ull;
	return h;
}

#define CHECKSUM_SEED 0xcbf29ce484222325ull

static void make_head(const struct cache_key *k, const struct cache_entry *e, struct str sixel,
		      uint64_t head[N_HEAD])
{
	uint64_t sum;

	head[0] = MAGIC;
	key_words(k, head + 1);
	entry_words(e, head + 1 + N_KEY);
	head[N_HEAD - 2] = sixel.n;
	sum = checksum(CHECKSUM_SEED, head, (N_HEAD - 1) * sizeof *head);
	head[N_HEAD - 1] = checksum(sum, sixel.p, sixel.n);
}

bool media_cache_is_sixel(struct str s)
{
	size_t i = 2;

	if (s.n < 8 || !str_starts(s, STR("\033P")) || !str_ends(s, STR("\033\\")))
		return false;
	while (i < s.n && ((s.p[i] >= '0' && s.p[i] <= '9') || s.p[i] == ';'))
		i++;
	if (s.p[i] != 'q')
		return false;
	for (; i < s.n - 2; i++)
		if (s.p[i] < ' ' || s.p[i] > '~')
			return false;
	return true;
}

/* Before the points of an entry of pixels. */
struct raster {
	uint32_t w, h;
};

static bool is_raster(struct str s, const struct cache_key *k)
{
	struct raster r;

	if (s.n < sizeof r)
		return false;
	memcpy(&r, s.p, sizeof r);
	return r.w && r.h && r.w <= k->box_w && r.h <= k->box_h && r.w <= UINT16_MAX && r.h <= UINT16_MAX &&
	       s.n == sizeof r + (size_t)r.w * r.h * 3;
}

/* Does the file say what the key asks for, undamaged? */
static bool sound(struct str file, const struct cache_key *k, struct cache_entry *e,
		  struct str *sixel)
{
	uint64_t head[N_HEAD], want[N_HEAD];

	if (file.n < sizeof head)
		return false;
	memcpy(head, file.p, sizeof head);
	*sixel = (struct str){file.p + sizeof head, file.n - sizeof head};
	if (!entry_of_words(head + 1 + N_KEY, e))
		return false;
	make_head(k, e, *sixel, want);
	return memcmp(head, want, sizeof head) == 0 &&
	       (k->pixels ? is_raster(*sixel, k) : media_cache_is_sixel(*sixel));
}

/* --- the folder --- */

struct media_cache *media_cache_open(const char *dir, uint64_t max_bytes)
{
	struct media_cache *c = xcalloc(1, sizeof *c);

	c->dir = xstrdup(dir);
	c->max = max_bytes;
	pthread_mutex_init(&c->lock, NULL);
	return c;
}

void media_cache_free(struct media_cache *c)
{
	if (!c)
		return;
	pthread_mutex_destroy(&c->lock);
	free(c->dir);
	free(c);
}

void media_cache_key_file(struct cache_key *key, const struct stat *st)
{
	key->dev = (uint64_t)st->st_dev;
	key->ino = (uint64_t)st->st_ino;
	key->mtime_ns = (uint64_t)st->st_mtim.tv_sec * 1000000000u + (uint64_t)st->st_mtim.tv_nsec;
	key->size = (uint64_t)st->st_size;
}

static char *entry_path(const struct media_cache *c, const struct cache_key *key)
{
	uint64_t w[N_KEY];

	key_words(key, w);
	return xasprintf("%s/%016llx" CACHE_SUFFIX, c->dir,
			 (unsigned long long)checksum(CHECKSUM_SEED, w, sizeof w));
}

/* The file of the entry, and what it keeps behind its head; file is owned by the caller. */
static bool get(struct media_cache *c, const struct cache_key *key, struct cache_entry *e, struct buf *file,
		struct str *body)
{
	char *path;
	bool good;

	*file = (struct buf){.max = CACHE_ENTRY_MAX + N_HEAD * sizeof(uint64_t) + 1};
	*e = (struct cache_entry){.cols = 0};
	if (!c)
		return false;
	path = entry_path(c, key);
	good = media_cache_read_file(path, file) && sound(buf_view(file), key, e, body);
	if (!good && file->n)
		unlink(path); /* damaged, or another key with the same name */
	free(path);
	return good;
}

bool media_cache_get(struct media_cache *c, const struct cache_key *key, struct cache_entry *e,
	       struct buf *sixel)
{
	struct buf file;
	struct str body;
	bool good = !key->pixels && get(c, key, e, &file, &body);

	if (good)
		buf_str(sixel, body);
	if (!key->pixels)
		buf_release(&file);
	return good;
}

bool media_cache_get_pixels(struct media_cache *c, const struct cache_key *key, struct cache_entry *e,
			    struct pixels *px)
{
	struct buf file;
	struct str body;
	struct raster r;
	bool good = get(c, key, e, &file, &body);

	if (good) {
		memcpy(&r, body.p, sizeof r);
		*px = (struct pixels){.w = r.w, .h = r.h, .rgb = mem_try(body.n)};
		good = px->rgb != NULL;
	}
	if (good)
		memcpy(px->rgb, body.p + sizeof r, body.n - sizeof r);
	buf_release(&file);
	return good;
}

/* One line of why is enough: what follows has the same cause. */
static void give_up(struct media_cache *c, int errno_value)
{
	pthread_mutex_lock(&c->lock);
	if (!c->off)
		snprintf(c->trouble, sizeof c->trouble, "%s", strerror(errno_value));
	c->off = true;
	pthread_mutex_unlock(&c->lock);
}

/* Counts what was added. Only one thread at a time looks through the folder. */
static void account(struct media_cache *c, uint64_t added)
{
	bool look;

	pthread_mutex_lock(&c->lock);
	c->bytes += added;
	look = !c->counted || c->bytes > c->max;
	if (look) {
		c->bytes = media_cache_trim(c->dir, c->max);
		c->counted = true;
	}
	pthread_mutex_unlock(&c->lock);
}

static bool is_off(struct media_cache *c)
{
	bool off;

	pthread_mutex_lock(&c->lock);
	off = c->off;
	pthread_mutex_unlock(&c->lock);
	return off;
}

static int write_entry(struct media_cache *c, const char *path, const uint64_t head[N_HEAD],
		       struct str sixel)
{
	char *temp = xasprintf("%s/" CACHE_TEMP, c->dir);
	int rc = media_cache_write_file(temp, path,
					(struct str){(const char *)head, N_HEAD * sizeof *head}, sixel);

	free(temp);
	return rc;
}

static void keep(struct media_cache *c, const struct cache_key *key, const struct cache_entry *e,
		 struct str body)
{
	uint64_t head[N_HEAD];
	struct err err = ERR_INIT;
	char *path;
	int rc;

	make_head(key, e, body, head);
	path = entry_path(c, key);
	rc = write_entry(c, path, head, body);
	if (rc == ENOENT && path_mkdirs(c->dir, &err) == OK) /* no folder yet */
		rc = write_entry(c, path, head, body);
	if (rc)
		give_up(c, rc);
	else
		account(c, sizeof head + body.n);
	free(path);
}

void media_cache_put(struct media_cache *c, const struct cache_key *key, const struct cache_entry *e,
	       struct str sixel)
{
	if (c && !is_off(c) && !key->pixels && sixel.n <= CACHE_ENTRY_MAX && media_cache_is_sixel(sixel))
		keep(c, key, e, sixel);
}

void media_cache_put_pixels(struct media_cache *c, const struct cache_key *key, const struct cache_entry *e,
			    const struct pixels *px)
{
	struct raster r = {px->w, px->h};
	struct buf body = {.max = CACHE_ENTRY_MAX};

	if (!c || is_off(c) || !key->pixels || (uint64_t)px->w * px->h * 3 + sizeof r > CACHE_ENTRY_MAX)
		return;
	buf_put(&body, (const char *)&r, sizeof r);
	buf_put(&body, (const char *)px->rgb, (size_t)px->w * px->h * 3);
	if (is_raster(buf_view(&body), key))
		keep(c, key, e, buf_view(&body));
	buf_release(&body);
}

const char *media_cache_trouble(struct media_cache *c)
{
	return c && is_off(c) ? c->trouble : "";
}
