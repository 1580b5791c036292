#include "tui/view/pictures.h"

#include "core/base/utf8.h"
#include "tui/view/pen.h"
#include "tui/view/sign.h"

struct rect picture_rect(const struct picture *pic, struct rect box)
{
	return (struct rect){box.y + (box.h - pic->rows) / 2, box.x + (box.w - pic->cols) / 2,
			     pic->rows, pic->cols};
}

void picture_facts(const struct media_facts *f, struct buf *out)
{
	char size[28];

	if (f->format != MEDIA_FORMAT_UNKNOWN)
		buf_printf(out, "%s ", media_format_word(f->format));
	if (f->width && f->height)
		buf_printf(out, "%u%s%u ", f->width, sign(SIGN_TIMES), f->height);
	if (out->n && f->bytes)
		buf_printf(out, "%s ", sign(SIGN_DOT));
	if (f->bytes)
		buf_z(out, bytes_text(f->bytes, size));
}

static void centred(struct cells *grid, struct rect box, int y, enum style style, struct str s)
{
	int w = text_width(s);

	if (y < 0 || y >= box.h)
		return;
	cells_put(grid, box.y + y, box.x + (w < box.w ? (box.w - w) / 2 : 0), box.w, style, s);
}

static void draw_blocks(const struct picture *pic, struct cells *grid, struct rect place)
{
	for (int y = 0; y < place.h; y++)
		for (int x = 0; x < place.w; x++) {
			const struct block_cell *b = &pic->blocks[y * place.w + x];
			uint8_t fg[3] = {b->fg.r, b->fg.g, b->fg.b};
			uint8_t bg[3] = {b->bg.r, b->bg.g, b->bg.b};

			cells_set_color(grid, place.y + y, place.x + x, b->cp, fg, bg);
		}
}

static void draw_ascii(const struct picture *pic, struct cells *grid, struct rect place)
{
	for (int y = 0; y < place.h; y++)
		for (int x = 0; x < place.w; x++) {
			char utf8[4];
			size_t n = utf8_encode(pic->blocks[y * place.w + x].cp, utf8);

			cells_put(grid, place.y + y, place.x + x, 1, STYLE_PICTURE,
				  (struct str){utf8, n});
		}
}

static void draw_mark(const struct picture *pic, struct cells *grid, struct rect place)
{
	struct buf text = BUF_INIT;

	cells_fill(grid, place, STYLE_PICTURE);
	buf_printf(&text, "%u%s%u", pic->facts.width, sign(SIGN_TIMES), pic->facts.height);
	centred(grid, place, place.h / 2, STYLE_PICTURE, buf_view(&text));
	buf_release(&text);
}

static void draw_card(const struct picture *pic, struct cells *grid, struct rect box)
{
	struct rect inside = {box.y, box.x + 2, box.h, box.w - 4};
	struct str words = str_z(pic->error);
	struct pen counted = {NULL, inside, 0, 0}, p = {grid, inside, 0, 0};

	pen_wrap(&counted, 0, inside.h, STYLE_WARNING, (struct span){0}, words);
	p.y = (inside.h - counted.y) / 2;
	pen_wrap(&p, 0, inside.h, STYLE_WARNING, (struct span){0}, words);
}

void picture_draw(const struct picture *pic, struct cells *grid, struct rect box)
{
	struct rect place = picture_rect(pic, box);

	if (pic->state == PICTURE_WAITING)
		centred(grid, box, box.h / 2, STYLE_DIM, str_z(sign(SIGN_WAIT)));
	else if (pic->state == PICTURE_FAILED)
		draw_card(pic, grid, box);
	else if (pic->state != PICTURE_READY)
		return;
	else if (pic->mark)
		draw_mark(pic, grid, place);
	else if (pic->blocks && pic->colored)
		draw_blocks(pic, grid, place);
	else if (pic->blocks)
		draw_ascii(pic, grid, place);
	else
		cells_fill(grid, place, STYLE_PICTURE);
}
