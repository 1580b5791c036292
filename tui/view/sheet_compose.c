#include "tui/view/sheet_impl.h"

#include <stdlib.h>

#include "core/base/xmalloc.h"

/* A page of pictures may take as long as so many: it is what one came to see, and it is broken off
 * when one moves on. */
#define SHEET_PICTURES 3
#define COMPOSE_KEY ((uint64_t)0x73686370 << 8)

/* From the best on; each about a third smaller than the one before. With fewer colours for a whole
 * row the faces of people turn green: then blocks say more. */
static const struct quality {
	int colors;
	bool dither;
} ladder[] = {{128, true}, {64, true}, {64, false}, {32, false}};
enum { N_QUALITIES = sizeof ladder / sizeof *ladder };

struct piece { /* a slot of a part */
	struct thumb *thumb; /* a reference of its own; NULL = blank */
	int x, y, w, h; /* pixels, from the part's corner */
	int number;
};

struct part {
	struct rect rect;
	int first, n; /* pieces */
};

struct compose_job {
	struct job job;
	struct picture_setup setup;
	size_t budget;
	bool whole;
	int n_parts, n_pieces;
	struct part part[PICTURE_PARTS_MAX];
	struct piece piece[SHEET_SLOTS_MAX];
	struct composed out;
	struct err err;
};

void composed_release(struct composed *c)
{
	for (int k = 0; k < c->n; k++)
		free(c->part[k].sixel);
	*c = (struct composed){0};
}

/* --- in the worker --- */

static void fill(struct pixels *px, struct media_rgb c)
{
	size_t n = (size_t)px->w * px->h;

	for (size_t i = 0; i < n; i++) {
		px->rgb[3 * i] = c.r;
		px->rgb[3 * i + 1] = c.g;
		px->rgb[3 * i + 2] = c.b;
	}
}

/* What reaches out of its slot is cut off. A sixel is made of bands of 6 lines, and the last line of
 * a picture that stands on its caption is that of a band. */
static void blit(struct pixels *px, const struct piece *p, const struct compose_job *j)
{
	const struct pixels *in = &p->thumb->px;
	uint32_t w = in->w < (uint32_t)p->w ? in->w : (uint32_t)p->w;
	uint32_t h = in->h < (uint32_t)p->h ? in->h : (uint32_t)p->h;
	uint32_t x = (uint32_t)p->x, y = (uint32_t)p->y, room = (uint32_t)p->h;

	if (j->whole) {
		x += ((uint32_t)p->w - w) / 2;
		y += (room - h) / 2;
	} else {
		y += room / 6 * 6 > h ? room / 6 * 6 - h : 0;
	}
	for (uint32_t r = 0; r < h; r++)
		memcpy(px->rgb + ((size_t)(y + r) * px->w + x) * 3, in->rgb + (size_t)r * in->w * 3,
		       (size_t)w * 3);
	if (p->number)
		sheet_number(px, x, y, p->number, j->setup.cell_h);
}

static enum status draw_part(struct compose_job *j, const struct part *part, struct pixels *px)
{
	size_t n;

	px->w = (uint32_t)(part->rect.w * j->setup.cell_w);
	px->h = (uint32_t)(part->rect.h * j->setup.cell_h);
	px->rgb = mem_mul(px->w, (size_t)px->h * 3, &n) ? mem_try(n) : NULL;
	if (!px->rgb)
		return err_set(&j->err, E_MEMORY, "there is no memory for a row of pictures");
	fill(px, j->setup.background);
	for (int k = part->first; k < part->first + part->n; k++)
		if (j->piece[k].thumb && j->piece[k].thumb->state == PICTURE_READY)
			blit(px, &j->piece[k], j);
	return OK;
}

static enum status encode_part(struct compose_job *j, const struct part *part,
			       const struct quality *q, struct composed_part *out)
{
	const struct picture_setup *s = &j->setup;
	struct sixel_options opt = {
	    .colors = s->colors > 1 && s->colors < q->colors ? s->colors : q->colors,
	    .dither = q->dither,
	    .first_is_background = true, /* what lies between the pictures is not to be seen */
	    .background = s->background,
	};
	struct pixels px = {0};
	struct buf sixel = BUF_INIT;
	enum status st = draw_part(j, part, &px);

	if (st == OK)
		st = sixel_encode_pixels(&px, &opt, &sixel, &j->err);
	if (st == OK) {
		out->rect = part->rect;
		out->n = sixel.n;
		out->sixel = buf_take(&sixel);
	}
	buf_release(&sixel);
	pixels_release(&px);
	return st;
}

static enum status encode_all(struct compose_job *j, const struct quality *q, size_t *bytes)
{
	enum status st = OK;

	*bytes = 0;
	composed_release(&j->out);
	for (int k = 0; k < j->n_parts && st == OK; k++) {
		st = encode_part(j, &j->part[k], q, &j->out.part[k]);
		j->out.n += st == OK;
		*bytes += j->out.part[k].n;
		if (st == OK)
			st = cancel_check(&j->job.cancel, &j->err);
	}
	return st;
}

/* How good it can be shows in the first part; so the whole is rarely done twice. */
static int choose_quality(struct compose_job *j)
{
	int q = 0;

	for (; q < N_QUALITIES - 1 && j->budget && j->n_parts; q++) {
		struct composed_part first = {0};
		size_t n;

		if (encode_part(j, &j->part[0], &ladder[q], &first) != OK)
			break;
		n = first.n;
		free(first.sixel);
		if (n * (size_t)j->n_parts <= j->budget)
			break;
	}
	return q;
}

static void run(struct job *job)
{
	struct compose_job *j = (struct compose_job *)job;
	struct composed as_asked = j->out;
	int q = choose_quality(j);
	size_t bytes;
	enum status st;

	do {
		st = encode_all(j, &ladder[q], &bytes);
	} while (st == OK && j->budget && bytes > j->budget && ++q < N_QUALITIES);
	j->out.page = as_asked.page;
	j->out.version = as_asked.version;
	/* A little too much is better than blocks. */
	j->out.too_large = st != OK || (j->budget && bytes > j->budget / 2 * 3);
}

/* --- on the owner's thread --- */

static void place(struct sheet *s)
{
	const struct composed *c = &s->now;
	struct rect r = {0};

	s->placed = (struct placed_picture){0};
	if (c->too_large || !c->n)
		return;
	r = c->part[0].rect;
	for (int k = 0; k < c->n; k++) {
		const struct composed_part *p = &c->part[k];
		int right = p->rect.x + p->rect.w, low = p->rect.y + p->rect.h;

		s->placed_part[k] = (struct placed_part){p->rect, {p->sixel, p->n}};
		r.w = right > r.x + r.w ? right - r.x : r.w;
		r.h = low > r.y + r.h ? low - r.y : r.h;
		r.w += p->rect.x < r.x ? r.x - p->rect.x : 0;
		r.x = p->rect.x < r.x ? p->rect.x : r.x;
	}
	s->placed = (struct placed_picture){
	    .id = ++s->next_id, .rect = r, .part = s->placed_part, .n_parts = c->n};
}

static void done(struct job *job)
{
	struct compose_job *j = (struct compose_job *)job;
	struct sheet *s = job->owner;

	s->composing = false;
	if (j->out.page != s->page)
		return;
	composed_release(&s->now);
	s->now = j->out;
	j->out = (struct composed){0};
	for (int i = 0; i < s->n && s->now.too_large; i++)
		if (s->thumb[i])
			thumb_blocks(s->thumb[i], &s->setup);
	place(s);
}

static void free_job(struct job *job)
{
	struct compose_job *j = (struct compose_job *)job;

	for (int k = 0; k < j->n_pieces; k++)
		thumb_unref(j->piece[k].thumb);
	composed_release(&j->out);
	free(j);
}

static bool in_part(const struct sheet *s, int i)
{
	return s->slot[i].path && s->slot[i].box.h > 0 &&
	       (!s->thumb[i] || s->thumb[i]->state == PICTURE_READY);
}

/* Does slot i go on where the part ends? */
static bool joins(const struct sheet *s, const struct part *part, int i)
{
	struct rect box = s->slot[i].box;

	if (s->whole)
		return part->n > 0;
	return part->n && box.y == part->rect.y && box.x >= part->rect.x + part->rect.w &&
	       in_part(s, i - 1) && (box.x + box.w - part->rect.x) * s->setup.cell_w <= s->setup.max_w;
}

/* Slots come from the upper left to the lower right. */
static void widen(struct part *part, struct rect box)
{
	if (box.x + box.w > part->rect.x + part->rect.w)
		part->rect.w = box.x + box.w - part->rect.x;
	if (box.y + box.h > part->rect.y + part->rect.h)
		part->rect.h = box.y + box.h - part->rect.y;
	part->n++;
}

static void end_part(struct compose_job *j, const struct part *part)
{
	bool any = false;

	for (int k = part->first; k < part->first + part->n; k++)
		any |= j->piece[k].thumb != NULL;
	/* Nothing of it has come: its cells stay as they are. */
	if (any && j->n_parts < PICTURE_PARTS_MAX)
		j->part[j->n_parts++] = *part;
}

static void lay_parts(const struct sheet *s, struct compose_job *j)
{
	struct part part = {.n = 0};

	for (int i = 0; i < s->n; i++) {
		struct rect box = s->slot[i].box;

		if (!in_part(s, i))
			continue;
		if (!joins(s, &part, i)) {
			end_part(j, &part);
			part = (struct part){.rect = box, .first = j->n_pieces};
		}
		widen(&part, box);
		j->piece[j->n_pieces++] = (struct piece){
		    s->thumb[i], (box.x - part.rect.x) * s->setup.cell_w,
		    (box.y - part.rect.y) * s->setup.cell_h, box.w * s->setup.cell_w,
		    box.h * s->setup.cell_h, s->slot[i].number};
	}
	end_part(j, &part);
}

uint64_t sheet_version(const struct sheet *s)
{
	uint64_t v = 0;

	for (int i = 0; i < s->n; i++)
		if (s->thumb[i])
			v = v * 1099511628211u + s->thumb[i]->id + (uint64_t)i;
	return v;
}

void sheet_compose(struct sheet *s, uint64_t version, size_t budget)
{
	struct compose_job *j = xcalloc(1, sizeof *j);

	j->setup = s->setup;
	j->budget = budget * SHEET_PICTURES;
	j->whole = s->whole;
	j->out.page = s->page;
	j->out.version = version;
	lay_parts(s, j);
	for (int k = 0; k < j->n_pieces; k++)
		if (j->piece[k].thumb)
			j->piece[k].thumb->refs++;
	j->job = (struct job){.key = COMPOSE_KEY, .urgency = 1, .run = run, .done = done,
			      .free_job = free_job, .owner = s};
	s->composing = true;
	pool_submit(s->pool, &j->job);
}

void sheet_stop_composing(struct sheet *s)
{
	if (s->composing)
		pool_cancel(s->pool, COMPOSE_KEY);
	s->composing = false;
}
