/*
 * The disk, on a thread of its own: what was written goes there while more is written, so that
 * neither the writer nor the commit, which all wait for, has to wait for much.
 */
#include <pthread.h>

#include "db/store_internal.h"

#define DISK_BYTES ((size_t)32 << 20)

struct disk {
	struct conn *c;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t more;
	size_t written; /* bytes since the disk was last sent for */
	bool wanted, stop;
	struct err err; /* the first one */
};

static void *run(void *arg)
{
	struct disk *d = arg;

	pthread_mutex_lock(&d->lock);
	while (!d->stop) {
		struct err err = ERR_INIT;

		if (!d->wanted) {
			pthread_cond_wait(&d->more, &d->lock);
			continue;
		}
		d->wanted = false;
		pthread_mutex_unlock(&d->lock);
		conn_sync(d->c, &err);
		pthread_mutex_lock(&d->lock);
		if (d->err.code == OK)
			d->err = err;
	}
	pthread_mutex_unlock(&d->lock);
	return NULL;
}

static void release(struct disk *d)
{
	pthread_cond_destroy(&d->more);
	pthread_mutex_destroy(&d->lock);
	free(d);
}

void store_disk_start(struct store *s)
{
	struct disk *d;

	if (s->opt->threads == 1 || !s->direct || s->opt->dry_run)
		return;
	d = xcalloc(1, sizeof *d);
	d->c = s->c;
	pthread_mutex_init(&d->lock, NULL);
	pthread_cond_init(&d->more, NULL);
	if (store_thread(&d->thread, run, d))
		s->disk = d;
	else
		release(d); /* no thread to be had: the commit waits for all of it */
}

enum status store_disk_wrote(struct store *s, size_t bytes, struct err *err)
{
	struct disk *d = s->disk;
	enum status st;

	if (!d)
		return OK;
	pthread_mutex_lock(&d->lock);
	d->written += bytes;
	if (d->written >= DISK_BYTES) {
		d->written = 0;
		d->wanted = true;
		pthread_cond_signal(&d->more);
	}
	st = d->err.code;
	if (st != OK)
		*err = d->err;
	pthread_mutex_unlock(&d->lock);
	return st;
}

enum status store_disk_stop(struct store *s, struct err *err)
{
	struct disk *d = s->disk;
	enum status st;

	if (!d)
		return OK;
	pthread_mutex_lock(&d->lock);
	d->stop = true;
	pthread_cond_signal(&d->more);
	pthread_mutex_unlock(&d->lock);
	pthread_join(d->thread, NULL);
	st = d->err.code;
	if (st != OK)
		*err = d->err;
	release(d);
	s->disk = NULL;
	return st;
}
