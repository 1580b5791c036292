/*
 * fer2013: FER2013's table, `emotion,pixels,Usage` in any order, whose
 * pixels, 2,304 numbers parted by blanks, are a picture of 48 by 48 in grey. It is written into a
 * file beside the project. Rows have no names: they go by their place, row00000, as the votes of
 * FER+ do (reader_votes.c).
 */
#include "core/reader/embedded.h"
#include "core/reader/emotions.h"
#include "core/reader/stored.h"
#include "core/reader/table.h"

#define SIDE_MAX 256

/* What stands in front of the pixels of a BMP of 8 bits: two headers, and a grey for each value. */
#define BMP_HEADERS 54
#define BMP_COLOURS (256 * 4)

static int probe(struct str path, struct str head)
{
	struct peek p;
	bool mine;

	(void)path;
	peek_open(&p, head);
	mine = p.shape == SHAPE_CSV && peek_has(&p, "pixels") && peek_has(&p, "emotion");
	peek_release(&p);
	return mine ? 98 : 0;
}

struct fer2013 {
	struct stored s; /* first */
	struct str picture;
	uint64_t row;
	uint8_t grey[SIDE_MAX * SIDE_MAX];
	bool settled;
};

/* --- the picture --- */

static bool next_number(struct str *rest, unsigned *out)
{
	size_t i = 0;

	while (i < rest->n && rest->p[i] == ' ')
		i++;
	*rest = (struct str){rest->p + i, rest->n - i};
	*out = 0;
	for (i = 0; i < rest->n && rest->p[i] >= '0' && rest->p[i] <= '9' && i < 4; i++)
		*out = *out * 10 + (unsigned)(rest->p[i] - '0');
	if (!i || (i < rest->n && rest->p[i] != ' '))
		return false;
	*rest = (struct str){rest->p + i, rest->n - i};
	return *out <= 255;
}

/* Its side, 0: these are not the pixels of a square. */
static unsigned read_pixels(struct fer2013 *f, struct str text)
{
	struct str rest = str_trim(text);
	unsigned value, side = 0;
	size_t n = 0;

	while (rest.n && n < sizeof f->grey) {
		if (!next_number(&rest, &value))
			return 0;
		f->grey[n++] = (uint8_t)value;
	}
	while (side * side < n)
		side++;
	return rest.n || side * side != n ? 0 : side;
}

static void put_le(struct buf *out, uint32_t value, int bytes)
{
	for (; bytes > 0; bytes--, value >>= 8)
		buf_ch(out, (char)(value & 0xff));
}

/* Rows from the lowest up, each filled up to four bytes. */
static void put_bmp(const uint8_t *grey, unsigned side, struct buf *out)
{
	uint32_t stride = (side + 3) / 4 * 4, bytes = stride * side;

	buf_z(out, "BM");
	put_le(out, BMP_HEADERS + BMP_COLOURS + bytes, 4);
	put_le(out, 0, 4);
	put_le(out, BMP_HEADERS + BMP_COLOURS, 4);
	put_le(out, 40, 4);
	put_le(out, side, 4);
	put_le(out, side, 4);
	put_le(out, 1, 2);
	put_le(out, 8, 2);
	put_le(out, 0, 4);
	put_le(out, bytes, 4);
	put_le(out, 2835, 4); /* 72 dots an inch */
	put_le(out, 2835, 4);
	put_le(out, 256, 4);
	put_le(out, 0, 4);
	for (uint32_t i = 0; i < 256; i++)
		put_le(out, i << 16 | i << 8 | i, 4);
	for (unsigned y = side; y-- > 0;) {
		buf_put(out, grey + (size_t)y * side, side);
		put_le(out, 0, (int)(stride - side));
	}
}

static void picture_of(struct fer2013 *f, struct rec_sample *out)
{
	struct stored *s = &f->s;
	unsigned side = read_pixels(f, cell_text(row_find(&s->rows, &s->row, "pixels")));
	struct buf bmp = BUF_INIT;

	if (!side) {
		report_add(s->ctx->report, PROBLEM_WARNING, s->row.src, "pixels",
			   "expected the pixels of a square, numbers of 0 to 255 with blanks between");
		return;
	}
	if (!s->ctx->opt->pictures.n)
		return;
	put_bmp(f->grey, side, &bmp);
	f->picture = embedded_bytes(s->ctx, &s->row.arena, buf_view(&bmp), s->row.src);
	buf_release(&bmp);
	out->paths = &f->picture;
	out->n_paths = f->picture.n > 0;
	out->media = f->picture.n ? MEDIA_IMAGE : MEDIA_NONE;
}

/* --- rows --- */

static enum status take(struct stored *s, struct err *err)
{
	struct fer2013 *f = (struct fer2013 *)s;
	const struct cell *label = row_find(&s->rows, &s->row, "emotion");
	size_t emotion = emotions_by_code(&emotions_fer2013, cell_text(label));
	struct class_ref ref;
	struct rec_truth truth = {s->ctx->opt->layer.n ? s->ctx->opt->layer : STR("original"), &ref, 1, NULL};
	struct rec_sample rec = {.src = s->row.src, .truths = &truth, .creates = true, .declares = true};
	enum status st = OK;

	if (!f->settled)
		st = emotions_send(&emotions_fer2013, s->ctx->sink, s->row.src, err);
	f->settled = true;
	f->s.ctx->report->by_position = true;
	rec.key = str_z(arena_printf(&s->row.arena, "row%05llu", (unsigned long long)f->row++));
	if (emotion != SIZE_MAX) {
		ref = emotions_ref(&emotions_fer2013, emotion);
		rec.n_truths = 1;
	} else if (label) {
		report_add(s->ctx->report, PROBLEM_WARNING, s->row.src, "emotion", "expected 0 to 6");
	}
	stored_facet(s, "usage", cell_text(row_find(&s->rows, &s->row, "Usage")));
	rec.facets = s->facets.v;
	rec.n_facets = s->facets.n;
	picture_of(f, &rec);
	return st ? st : sink_sample(s->ctx->sink, &rec, err);
}

static enum status read_file(struct read_ctx *ctx, struct err *err)
{
	struct fer2013 *f = xcalloc(1, sizeof *f);
	enum status st;

	stored_init(&f->s, ctx);
	st = stored_rows(&f->s, take, err);
	stored_release(&f->s);
	free(f);
	return st;
}

const struct reader reader_fer2013 = {
    .name = "fer2013",
    .help = "FER2013: labels, and pixels that become pictures (emotion, pixels, Usage)",
    .probe = probe,
    .rank = reader_rank_samples,
    .read = read_file,
};
