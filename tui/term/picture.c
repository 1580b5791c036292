#include "tui/term/backend.h"

#define TMUX_SEQUENCE_MAX ((size_t)1 << 20) /* tmux drops a longer one without a word */

/* "ESC P params q " 1 ; 1 ; W ; H" */
bool picture_size(struct str sixel, int *w, int *h)
{
	int v[4] = {0}, k = 0;
	size_t i = 2;

	if (sixel.n < 4 || sixel.p[0] != 0x1b || sixel.p[1] != 'P')
		return false;
	while (i < sixel.n && i < 40 && sixel.p[i] != 'q')
		i++;
	if (i + 1 >= sixel.n || sixel.p[i] != 'q' || sixel.p[i + 1] != '"')
		return false;
	for (i += 2; i < sixel.n && k < 4; i++) {
		if (sixel.p[i] >= '0' && sixel.p[i] <= '9') {
			if (v[k] > 1000000)
				return false;
			v[k] = v[k] * 10 + (sixel.p[i] - '0');
		} else if (sixel.p[i] == ';') {
			k++;
		} else {
			break;
		}
	}
	*w = v[2];
	*h = v[3];
	return k == 3 && v[2] > 0 && v[3] > 0;
}

int picture_parts(const struct placed_picture *pic)
{
	return pic->n_parts > 0 ? pic->n_parts : 1;
}

struct placed_part picture_part(const struct placed_picture *pic, int k)
{
	return pic->n_parts > 0 ? pic->part[k] : (struct placed_part){pic->rect, pic->sixel};
}

struct shown_picture picture_shown(const struct placed_picture *pic)
{
	struct shown_picture s = {.id = pic->id, .rect = pic->rect, .n = picture_parts(pic)};

	for (int k = 0; k < s.n; k++)
		s.part[k] = picture_part(pic, k).rect;
	return s;
}

/* A picture that touches the last row scrolls the screen, whatever the modes say. */
static bool part_fits(const struct term_caps *caps, int h, int w, struct placed_part part)
{
	struct rect r = part.rect;
	int pw, ph;

	if (r.h <= 0 || r.w <= 0 || r.y < 0 || r.x < 0 || r.h > h - 1 - r.y || r.w > w - r.x)
		return false;
	if (!picture_size(part.sixel, &pw, &ph))
		return false;
	if (pw > r.w * caps->cell_w || (ph + 5) / 6 * 6 > r.h * caps->cell_h)
		return false;
	if (caps->tmux && part.sixel.n > TMUX_SEQUENCE_MAX - 1024)
		return false;
	return pw <= caps->max_w && ph <= caps->max_h;
}

bool picture_fits(const struct term_caps *caps, int h, int w, const struct placed_picture *pic)
{
	if (pic->n_parts > PICTURE_PARTS_MAX || (pic->n_parts > 1 && caps->single))
		return false;
	for (int k = 0; k < picture_parts(pic); k++)
		if (!part_fits(caps, h, w, picture_part(pic, k)))
			return false;
	return true;
}

/* For the terminal around tmux every ESC is doubled. */
static void wrap(struct str s, struct buf *out)
{
	buf_z(out, "\033Ptmux;");
	while (s.n) {
		const char *esc = memchr(s.p, 0x1b, s.n);
		size_t k = esc ? (size_t)(esc - s.p) : s.n;

		buf_put(out, s.p, k);
		if (esc)
			buf_z(out, "\033\033");
		k += esc ? 1 : 0;
		s.p += k;
		s.n -= k;
	}
	buf_z(out, "\033\\");
}

void picture_place(const struct placed_picture *pic, bool passthrough, struct buf *out)
{
	struct rect r = picture_part(pic, 0).rect;

	buf_printf(out, "\033[%d;%dH", r.y + 1, r.x + 1);
	if (passthrough)
		buf_z(out, "\033[?25h\033[6n"); /* the real cursor is moved only when it shows */
}

/* The receipt is a cursor report, which tmux answers itself; through it, the device attributes.
 * No ESC 7/8: they carry character sets along, which mlterm restores wrongly. */
size_t picture_bytes(const struct placed_picture *pic, bool passthrough, int cy, int cx,
		     struct buf *out)
{
	size_t from = out->n, sixel;

	for (int k = 0; k < picture_parts(pic); k++) {
		struct placed_part part = picture_part(pic, k);

		if (k)
			buf_printf(out, "\033[%d;%dH", part.rect.y + 1, part.rect.x + 1);
		if (passthrough)
			wrap(part.sixel, out);
		else
			buf_str(out, part.sixel);
	}
	sixel = out->n - from;
	if (passthrough) {
		buf_z(out, "\033[?25l" OUTER_DA1);
	} else {
		buf_z(out, "\033[6n");
	}
	buf_printf(out, "\033[%d;%dH", cy + 1, cx + 1);
	return sixel;
}

static bool part_covered(const struct cells *grid, struct rect r)
{
	for (int y = r.y; y < r.y + r.h; y++)
		for (int x = r.x; x < r.x + r.w; x++) {
			const struct cell *c = cells_at(grid, y, x);

			if (!c || c->width != 1 || c->colored ||
			    (c->style != STYLE_PICTURE && c->style != STYLE_NORMAL) ||
			    (c->text[0] && c->text[0] != ' '))
				return true;
		}
	return false;
}

bool picture_covered(const struct cells *grid, const struct placed_picture *pic)
{
	for (int k = 0; k < picture_parts(pic); k++)
		if (part_covered(grid, picture_part(pic, k).rect))
			return true;
	return false;
}
