#include "db/bulk.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "core/base/log.h"
#include "core/base/thread.h"
#include "core/base/xmalloc.h"

#define BULK_FROM   ((int64_t)32 << 20)
#define SLAB_BYTES  ((size_t)2 << 20)
#define SLAB_PIECES 64
#define SLABS       4
#define SEND_AFTER  16   /* slabs, where the system's cache holds them */
#define ALIGNMENT   4096 /* of a write past the cache: offset, length and memory */

#ifndef O_DIRECT
#define O_DIRECT 0
#endif

/* One write of SQLite's. */
struct piece {
	int64_t at; /* in the file */
	char *p;    /* in the slab */
	size_t n;
};

struct slab {
	char *mem;
	size_t used, n;
	struct piece pieces[SLAB_PIECES];
};

/* slabs[first ...] wait for the thread, n_full of them; the next one is the owner's. */
struct bulk {
	int fd, page; /* bytes of a page */
	bool past_cache;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t more, less;
	struct slab slabs[SLABS];
	unsigned first, n_full, written;
	bool running, stop;
	int error; /* errno: the first one; what comes after it is dropped */
};

/* A file of SQLite's: the one that SQLite's own VFS opened lies behind it. */
struct file {
	sqlite3_file base; /* first */
	const char *path;
	int64_t since; /* bytes written since the last sync */
	bool never;    /* there is no thread, or it failed: as SQLite does it */
	struct bulk *bulk;
	alignas(8) char below[];
};

static sqlite3_file *below(sqlite3_file *f)
{
	return (sqlite3_file *)((struct file *)f)->below;
}

/* --- the thread --- */

static int by_place(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return x->p < y->p ? -1 : 1; /* what was written later lies behind */
}

static bool use_cache(struct bulk *b)
{
	if (!b->past_cache || fcntl(b->fd, F_SETFL, 0) != 0)
		return false;
	b->past_cache = false;
	return true;
}

/* A write may end early, on a signal or where the disk ends. */
static int write_piece(struct bulk *b, struct piece x)
{
	while (x.n) {
		ssize_t did = pwrite(b->fd, x.p, x.n, x.at);

		if (did < 0 && (errno == EINTR || (errno == EINVAL && use_cache(b))))
			continue;
		if (did <= 0)
			return did < 0 ? errno : EIO;
		x = (struct piece){x.at + did, x.p + did, x.n - (size_t)did};
		if (did % ALIGNMENT && b->past_cache && !use_cache(b))
			return EIO;
	}
	return 0;
}

/* Pieces that lie side by side in the file, in one go when that succeeds. */
static int write_row(struct bulk *b, const struct piece *v, size_t n)
{
	struct iovec all[SLAB_PIECES];
	size_t bytes = 0;
	int rc = 0;

	for (size_t i = 0; i < n; i++) {
		all[i] = (struct iovec){v[i].p, v[i].n};
		bytes += v[i].n;
	}
	if (pwritev(b->fd, all, (int)n, v->at) == (ssize_t)bytes)
		return 0;
	for (size_t i = 0; i < n && rc == 0; i++)
		rc = write_piece(b, v[i]);
	return rc;
}

/* SQLite writes pages nearly, but not quite in the order of the file. */
static int write_slab(struct bulk *b, struct slab *slab)
{
	struct piece *v = slab->pieces;
	size_t n = 0;
	int rc = 0;

	qsort(v, slab->n, sizeof *v, by_place);
	for (size_t i = 0; i < slab->n; i++) {
		if (n && v[n - 1].at == v[i].at)
			n--;
		v[n++] = v[i];
	}
	for (size_t i = 0, end; i < n && rc == 0; i = end) {
		for (end = i + 1; end < n && v[end - 1].at + (int64_t)v[end - 1].n == v[end].at;)
			end++;
		rc = write_row(b, v + i, end - i);
	}
	if (rc == 0 && !b->past_cache && ++b->written % SEND_AFTER == 0 && fdatasync(b->fd) != 0)
		rc = errno;
	return rc;
}

static void *run(void *arg)
{
	struct bulk *b = arg;

	pthread_mutex_lock(&b->lock);
	while (b->n_full || !b->stop) {
		struct slab *slab = &b->slabs[b->first];
		int rc = b->error;

		if (!b->n_full) {
			pthread_cond_wait(&b->more, &b->lock);
			continue;
		}
		pthread_mutex_unlock(&b->lock);
		if (rc == 0)
			rc = write_slab(b, slab);
		slab->used = slab->n = 0;
		pthread_mutex_lock(&b->lock);
		b->error = rc;
		b->first = (b->first + 1) % SLABS;
		b->n_full--;
		pthread_cond_signal(&b->less);
	}
	pthread_mutex_unlock(&b->lock);
	return NULL;
}

static void release(struct bulk *b)
{
	for (size_t i = 0; i < SLABS; i++)
		free(b->slabs[i].mem);
	if (b->fd >= 0)
		close(b->fd);
	pthread_cond_destroy(&b->less);
	pthread_cond_destroy(&b->more);
	pthread_mutex_destroy(&b->lock);
	free(b);
}

/* The path must still lead to the file that SQLite has open. */
static bool reach(struct bulk *b, struct file *f)
{
	int moved = 0;

	b->fd = open(f->path, O_WRONLY | O_CLOEXEC | O_DIRECT);
	b->past_cache = b->fd >= 0 && O_DIRECT != 0;
	if (b->fd < 0)
		b->fd = open(f->path, O_WRONLY | O_CLOEXEC);
	return b->fd >= 0 &&
	       below(&f->base)->pMethods->xFileControl(below(&f->base), SQLITE_FCNTL_HAS_MOVED,
						       &moved) == SQLITE_OK &&
	       !moved;
}

/* Of one page where the system has such large ones: the disk takes it in one go. */
static void *slab_memory(void)
{
	void *p;

	if (posix_memalign(&p, SLAB_BYTES, SLAB_BYTES) != 0)
		return NULL;
#ifdef MADV_HUGEPAGE
	madvise(p, SLAB_BYTES, MADV_HUGEPAGE);
#endif
	return p;
}

static bool start(struct bulk *b, struct file *f)
{
	if (!reach(b, f))
		return false;
	for (size_t i = 0; i < SLABS; i++)
		if (!(b->slabs[i].mem = slab_memory()))
			return false;
	log_line("db", "%s: written %s", f->path,
		 b->past_cache ? "past the system's cache" : "by a thread of its own");
	return thread_start(&b->thread, run, b) == 0;
}

/* Whatever comes of it, the descriptor stays open as long as SQLite's: see bulk.h. */
static void begin(struct file *f)
{
	struct bulk *b = xcalloc(1, sizeof *b);

	pthread_mutex_init(&b->lock, NULL);
	pthread_cond_init(&b->more, NULL);
	pthread_cond_init(&b->less, NULL);
	b->running = start(b, f);
	f->never = !b->running;
	f->bulk = b;
}

/* --- the owner's side --- */

static void hand_over(struct bulk *b)
{
	pthread_mutex_lock(&b->lock);
	b->n_full++;
	pthread_cond_signal(&b->more);
	while (b->n_full == SLABS)
		pthread_cond_wait(&b->less, &b->lock);
	pthread_mutex_unlock(&b->lock);
}

static struct slab *filling(struct bulk *b)
{
	struct slab *slab;

	pthread_mutex_lock(&b->lock);
	slab = &b->slabs[(b->first + b->n_full) % SLABS];
	pthread_mutex_unlock(&b->lock);
	return slab;
}

static int code_of(int error)
{
	if (error == 0)
		return SQLITE_OK;
	return error == ENOSPC || error == EDQUOT ? SQLITE_FULL : SQLITE_IOERR_WRITE;
}

/* Everything is in the file, or an error; after one SQLite undoes it its own way. */
static int settle(sqlite3_file *base)
{
	struct file *f = (struct file *)base;
	struct bulk *b = f->bulk;
	int error;

	if (!b)
		return SQLITE_OK;
	if (filling(b)->used)
		hand_over(b);
	pthread_mutex_lock(&b->lock);
	while (b->n_full)
		pthread_cond_wait(&b->less, &b->lock);
	error = b->error;
	b->error = 0;
	pthread_mutex_unlock(&b->lock);
	f->never |= error != 0;
	return code_of(error);
}

/* Writes of one size at its multiples: they are the same page or do not touch. */
static bool is_page(struct bulk *b, int n, int64_t at)
{
	if (!b->page && n > 0 && n % ALIGNMENT == 0 && (size_t)n <= SLAB_BYTES)
		b->page = n;
	return n == b->page && at % n == 0;
}

static int put(struct file *f, const void *p, size_t n, int64_t at)
{
	struct bulk *b = f->bulk;
	struct slab *slab = filling(b);
	int error;

	if (slab->used + n > SLAB_BYTES || slab->n == SLAB_PIECES) {
		hand_over(b);
		slab = filling(b);
	}
	slab->pieces[slab->n++] = (struct piece){at, slab->mem + slab->used, n};
	memcpy(slab->mem + slab->used, p, n);
	slab->used += n;
	pthread_mutex_lock(&b->lock);
	error = b->error;
	pthread_mutex_unlock(&b->lock);
	return error ? settle(&f->base) : SQLITE_OK;
}

static void stop(struct bulk *b)
{
	pthread_mutex_lock(&b->lock);
	b->stop = true;
	pthread_cond_signal(&b->more);
	pthread_mutex_unlock(&b->lock);
	pthread_join(b->thread, NULL);
}

/* --- what SQLite calls --- */

static int x_close(sqlite3_file *base)
{
	struct file *f = (struct file *)base;
	struct bulk *b = f->bulk;
	int rc;

	settle(base);
	rc = below(base)->pMethods->xClose(below(base));
	if (!b)
		return rc;
	if (b->running)
		stop(b);
	release(b);
	return rc;
}

static int x_read(sqlite3_file *base, void *p, int n, sqlite3_int64 at)
{
	/* What was lost is more than a statement can undo: not SQLITE_FULL. */
	if (settle(base) != SQLITE_OK)
		return SQLITE_IOERR_READ;
	return below(base)->pMethods->xRead(below(base), p, n, at);
}

static int x_write(sqlite3_file *base, const void *p, int n, sqlite3_int64 at)
{
	struct file *f = (struct file *)base;
	int rc;

	f->since += n;
	if (!f->bulk && !f->never && f->since > BULK_FROM)
		begin(f);
	if (f->bulk && !f->never && f->since > BULK_FROM && is_page(f->bulk, n, at))
		return put(f, p, (size_t)n, at);
	rc = settle(base);
	return rc == SQLITE_OK ? below(base)->pMethods->xWrite(below(base), p, n, at) : rc;
}

static int x_truncate(sqlite3_file *base, sqlite3_int64 size)
{
	int rc = settle(base);

	return rc == SQLITE_OK ? below(base)->pMethods->xTruncate(below(base), size) : rc;
}

static int x_sync(sqlite3_file *base, int flags)
{
	int rc = settle(base);

	((struct file *)base)->since = 0;
	return rc == SQLITE_OK ? below(base)->pMethods->xSync(below(base), flags) : rc;
}

static int x_file_size(sqlite3_file *base, sqlite3_int64 *size)
{
	int rc = settle(base);

	return rc == SQLITE_OK ? below(base)->pMethods->xFileSize(below(base), size) : rc;
}

static int x_lock(sqlite3_file *base, int level)
{
	return below(base)->pMethods->xLock(below(base), level);
}

static int x_unlock(sqlite3_file *base, int level)
{
	int rc = settle(base), unlocked = below(base)->pMethods->xUnlock(below(base), level);

	return rc == SQLITE_OK ? unlocked : rc;
}

static int x_check_reserved(sqlite3_file *base, int *out)
{
	return below(base)->pMethods->xCheckReservedLock(below(base), out);
}

static int x_file_control(sqlite3_file *base, int op, void *arg)
{
	return below(base)->pMethods->xFileControl(below(base), op, arg);
}

static int x_sector_size(sqlite3_file *base)
{
	return below(base)->pMethods->xSectorSize(below(base));
}

static int x_characteristics(sqlite3_file *base)
{
	return below(base)->pMethods->xDeviceCharacteristics(below(base));
}

static const sqlite3_io_methods methods = {
    .iVersion = 1, /* no shared memory, no maps */
    .xClose = x_close,
    .xRead = x_read,
    .xWrite = x_write,
    .xTruncate = x_truncate,
    .xSync = x_sync,
    .xFileSize = x_file_size,
    .xLock = x_lock,
    .xUnlock = x_unlock,
    .xCheckReservedLock = x_check_reserved,
    .xFileControl = x_file_control,
    .xSectorSize = x_sector_size,
    .xDeviceCharacteristics = x_characteristics,
};

/* Journals and temporary files are SQLite's own in full. */
static int x_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *out, int flags, int *out_flags)
{
	sqlite3_vfs *own = vfs->pAppData;
	struct file *f = (struct file *)out;
	int rc;

	if (!(flags & SQLITE_OPEN_MAIN_DB))
		return own->xOpen(own, path, out, flags, out_flags);
	memset(f, 0, sizeof *f);
	f->path = path;
	rc = own->xOpen(own, path, below(out), flags, out_flags);
	if (below(out)->pMethods)
		f->base.pMethods = &methods;
	return rc;
}

/* What it does not do itself SQLite's own does. Both belong to SQLite from here on. */
static const char *add(const sqlite3_vfs *own, char *name)
{
	sqlite3_vfs *vfs = xcalloc(1, sizeof *vfs);

	*vfs = *own;
	vfs->pNext = NULL;
	vfs->zName = name;
	vfs->pAppData = (void *)own;
	vfs->szOsFile += (int)sizeof(struct file);
	vfs->xOpen = x_open;
	return sqlite3_vfs_register(vfs, 0) == SQLITE_OK ? name : NULL;
}

const char *bulk_vfs(void)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	const sqlite3_vfs *own = sqlite3_vfs_find(NULL), *known;
	const char *name;
	char *wanted;

	if (!own || !sqlite3_threadsafe())
		return NULL;
	wanted = xasprintf("bulk-%s", own->zName);
	pthread_mutex_lock(&lock);
	known = sqlite3_vfs_find(wanted);
	name = known ? known->zName : add(own, wanted);
	pthread_mutex_unlock(&lock);
	if (name != wanted)
		free(wanted);
	return name;
}
