/*
 * The one writer: rows of samples and chunks of answers go into SQLite on a thread of their own
 * while the file is read, in the order in which they were handed over. The thread that owns the
 * store uses the connection only between store_quiet() and the next row or chunk, or when there
 * is no writer: then what is handed over is written at once.
 */
#include <pthread.h>

#include "core/base/thread.h"
#include "db/store_internal.h"

#define ROWS_AT_ONCE  1024
#define WAITING_BYTES ((size_t)4 << 20)
#define WAKING_BYTES  ((size_t)1 << 18) /* less is not worth waking a thread for */

/* What is handed over in one go: rows, one chunk, or that the rows have ended. */
struct parcel {
	struct parcel *next;
	struct arena arena; /* texts of the rows */
	VEC(struct row_out) rows;
	int64_t run;
	enum text_field field;
	struct text_out chunk;
	bool index; /* the rows have ended */
	size_t bytes;
};

struct writer {
	struct store *s;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t more, less; /* something waits; something was written */
	struct parcel *first, *last;
	struct parcel *filling; /* the owner's: rows that are not handed over yet */
	struct parcel *used;	/* to be filled again */
	size_t waiting; /* bytes */
	bool busy, stop;
	struct err err; /* the first one; what comes after it is dropped */
};

/* --- into SQLite --- */

static enum status write_chunk(struct store *s, bool stage, int64_t run, enum text_field field,
			       const struct text_out *out, struct err *err)
{
	sqlite3_stmt *st = stmt_get(s->c, stage ? STMT_STAGE_CHUNK_PUT : STMT_STORE_CHUNK_PUT, err);

	if (!st)
		return err->code;
	sqlite3_bind_int64(st, 1, run);
	sqlite3_bind_int(st, 2, field);
	sqlite3_bind_int64(st, 3, (int64_t)out->start);
	sqlite3_bind_int64(st, 4, (int64_t)out->lens.n);
	sqlite3_bind_int(st, 5, store_field_shared(field) ? CODEC_SHARED : CODEC_OWN);
	sqlite3_bind_blob64(st, 6, out->ords.n ? (const void *)out->ords.v : "",
			    out->ords.n * sizeof *out->ords.v, SQLITE_STATIC);
	sqlite3_bind_blob64(st, 7, out->lens.v, out->lens.n * sizeof *out->lens.v, SQLITE_STATIC);
	sqlite3_bind_blob64(st, 8, out->data.p, out->data.n, SQLITE_STATIC);
	return stmt_run(s->c, st, err);
}

static enum status write_parcel(struct store *s, const struct parcel *p, struct err *err)
{
	if (store_rows_write(s, p->rows.v, p->rows.n, err) != OK)
		return err->code;
	if (p->index)
		return store_samples_index(s, err);
	return p->chunk.lens.n ? write_chunk(s, !s->direct, p->run, p->field, &p->chunk, err) : OK;
}

/* --- parcels --- */

static void parcel_clear(struct parcel *p)
{
	p->index = false;
	arena_clear(&p->arena);
	vec_clear(&p->rows);
	vec_clear(&p->chunk.ords);
	vec_clear(&p->chunk.lens);
	if (p->chunk.data.cap > 4 * STORE_CHUNK_BYTES)
		buf_release(&p->chunk.data);
	else
		buf_clear(&p->chunk.data);
}

static void parcels_free(struct parcel *p)
{
	while (p) {
		struct parcel *next = p->next;

		arena_release(&p->arena);
		vec_release(&p->rows);
		store_text_release(&p->chunk);
		free(p);
		p = next;
	}
}

static struct parcel *parcel_get(struct writer *w)
{
	struct parcel *p;

	pthread_mutex_lock(&w->lock);
	p = w->used;
	if (p)
		w->used = p->next;
	pthread_mutex_unlock(&w->lock);
	if (!p)
		p = xcalloc(1, sizeof *p);
	p->next = NULL;
	return p;
}

/* --- the thread --- */

static struct parcel *take(struct writer *w)
{
	struct parcel *p = w->first;

	w->first = p->next;
	if (!w->first)
		w->last = NULL;
	w->busy = true;
	return p;
}

/* The lock is held before and after. */
static void write_next(struct writer *w)
{
	struct parcel *p = take(w);
	struct err err = ERR_INIT;
	bool drop = w->err.code != OK;

	pthread_mutex_unlock(&w->lock);
	if (!drop)
		write_parcel(w->s, p, &err);
	parcel_clear(p);
	pthread_mutex_lock(&w->lock);
	if (err.code != OK)
		w->err = err;
	w->waiting -= p->bytes;
	p->next = w->used;
	w->used = p;
	w->busy = false;
	pthread_cond_broadcast(&w->less);
}

static void *run(void *arg)
{
	struct writer *w = arg;

	pthread_mutex_lock(&w->lock);
	while (w->first || !w->stop) {
		if (w->first)
			write_next(w);
		else
			pthread_cond_wait(&w->more, &w->lock);
	}
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

void store_writer_start(struct store *s)
{
	struct writer *w;

	if (s->opt->threads == 1 || !sqlite3_threadsafe())
		return;
	w = xcalloc(1, sizeof *w);
	w->s = s;
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->more, NULL);
	pthread_cond_init(&w->less, NULL);
	s->writer = w;
	if (thread_start(&w->thread, run, w) == 0)
		return;
	w->stop = true; /* no thread to be had: the owner writes */
	pthread_cond_destroy(&w->less);
	pthread_cond_destroy(&w->more);
	pthread_mutex_destroy(&w->lock);
	free(w);
	s->writer = NULL;
}

/* --- the owner's side --- */

static enum status hand_over(struct writer *w, struct parcel *p, struct err *err)
{
	enum status st;

	pthread_mutex_lock(&w->lock);
	while (w->waiting && w->waiting + p->bytes > WAITING_BYTES) {
		pthread_cond_signal(&w->more);
		pthread_cond_wait(&w->less, &w->lock);
	}
	if (w->last)
		w->last->next = p;
	else
		w->first = p;
	w->last = p;
	w->waiting += p->bytes;
	st = w->err.code;
	if (st != OK)
		*err = w->err;
	if (w->waiting >= WAKING_BYTES)
		pthread_cond_signal(&w->more);
	pthread_mutex_unlock(&w->lock);
	return st;
}

static enum status hand_over_rows(struct writer *w, struct err *err)
{
	struct parcel *p = w->filling;

	w->filling = NULL;
	if (!p)
		return OK;
	p->bytes = p->arena.total;
	return hand_over(w, p, err);
}

enum status store_quiet(struct store *s, struct err *err)
{
	struct writer *w = s->writer;
	enum status st;

	if (!w)
		return OK;
	st = hand_over_rows(w, err);
	pthread_mutex_lock(&w->lock);
	pthread_cond_signal(&w->more);
	while (w->first || w->busy)
		pthread_cond_wait(&w->less, &w->lock);
	if (w->err.code != OK) {
		*err = w->err;
		st = w->err.code;
	}
	pthread_mutex_unlock(&w->lock);
	return st;
}

enum status store_writer_stop(struct store *s, struct err *err)
{
	struct writer *w = s->writer;
	enum status st = store_quiet(s, err);

	if (!w)
		return OK;
	pthread_mutex_lock(&w->lock);
	w->stop = true;
	pthread_cond_signal(&w->more);
	pthread_mutex_unlock(&w->lock);
	pthread_join(w->thread, NULL);
	parcels_free(w->used);
	pthread_cond_destroy(&w->less);
	pthread_cond_destroy(&w->more);
	pthread_mutex_destroy(&w->lock);
	free(w);
	s->writer = NULL;
	return st;
}

static struct str copy_to(char **at, struct str text)
{
	char *copy = *at;

	if (text.n)
		memcpy(copy, text.p, text.n);
	*at += text.n;
	return (struct str){copy, text.n};
}

/* The key is the store's own, which stays; the rest is copied one behind the other. */
static void keep_row(struct parcel *p, struct row_out *row)
{
	char *at = arena_alloc(&p->arena, row->path.n + row->text.n + row->extra.n);

	row->path = copy_to(&at, row->path);
	row->text = copy_to(&at, row->text);
	row->extra = copy_to(&at, row->extra);
	vec_push(&p->rows, *row);
}

enum status store_put_sample(struct store *s, uint32_t ord, const struct rec_sample *rec,
			     const struct sample_meta *m, struct err *err)
{
	struct row_out row = {
	    .ord = ord,
	    .media = m->media,
	    .text_kind = m->text_kind,
	    .options = m->options ? s->samples.option_id.v[m->options - 1] : 0,
	    .key = intern_key(&s->samples.keys, ord),
	    .path = rec->n_paths ? rec->paths[0] : STR_NONE,
	    .text = rec->text,
	    .extra = rec->extra,
	};
	struct writer *w = s->writer;
	struct parcel *p;

	if (!w)
		return store_rows_write(s, &row, 1, err);
	if (!w->filling)
		w->filling = parcel_get(w);
	p = w->filling;
	keep_row(p, &row);
	if (p->rows.n < ROWS_AT_ONCE && p->arena.total < WAITING_BYTES / 4)
		return OK;
	return hand_over_rows(w, err);
}

enum status store_put_index(struct store *s, struct err *err)
{
	struct writer *w = s->writer;
	struct parcel *p;

	if (!w || !s->direct)
		return OK;
	if (hand_over_rows(w, err) != OK)
		return err->code;
	p = parcel_get(w);
	p->index = true;
	p->bytes = WAKING_BYTES; /* at once */
	return hand_over(w, p, err);
}

/* The parcel takes the chunk's buffers and gives its own. */
enum status store_put_chunk(struct store *s, bool stage, int64_t run_id, enum text_field field,
			    struct text_out *out, struct err *err)
{
	struct writer *w = s->writer;
	struct text_out chunk = *out;
	struct parcel *p;

	if (!w)
		return write_chunk(s, stage, run_id, field, out, err);
	if (hand_over_rows(w, err) != OK)
		return err->code;
	p = parcel_get(w);
	*out = p->chunk;
	out->start = chunk.start;
	p->chunk = chunk;
	p->run = run_id;
	p->field = field;
	p->bytes = chunk.data.n + (chunk.ords.n + chunk.lens.n) * sizeof *chunk.lens.v;
	return hand_over(w, p, err);
}
