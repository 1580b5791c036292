#include "tests/unit/lib_vt.h"

#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#include "core/base/utf8.h"

#define VT340_DA1 "\033[?63;1;2;4;6;9;15;16;22;28c"

enum { VT_GROUND, VT_ESC, VT_ESC_INTER, VT_CSI, VT_STRING, VT_STRING_ESC };

static void step(struct vt *v, unsigned char b);

void vt_init(struct vt *v, int h, int w)
{
	*v = (struct vt){.h = h, .w = w, .cell_h = 20, .cell_w = 10, .receipts = true};
	for (int y = 0; y < VT_MAX_H; y++)
		for (int x = 0; x < VT_MAX_W; x++)
			v->cell[y][x] = ' ';
}

void vt_release(struct vt *v)
{
	buf_release(&v->replies);
	buf_release(&v->copied);
	buf_release(&v->seq);
}

static void put(struct vt *v, int y, int x, uint32_t cp)
{
	if (y < 0 || y >= v->h || x < 0 || x >= v->w)
		return;
	v->cell[y][x] = cp;
	v->pixels[y][x] = v->pixels[y][x] && v->konsole;
}

static void wipe(struct vt *v, int y0, int x0, int y1, int x1)
{
	for (int y = y0; y <= y1 && y < v->h; y++)
		for (int x = y == y0 ? x0 : 0; x < (y == y1 ? x1 : v->w); x++) {
			bool stays = v->pixels[y][x] && v->tmux >= 304; /* only characters wipe it */

			put(v, y, x, ' ');
			v->pixels[y][x] |= stays;
		}
}

static void print(struct vt *v, uint32_t cp)
{
	int width = cp < 0x80 ? 1 : wcwidth((wchar_t)cp);

	if (width <= 0)
		return;
	if (v->wrap && v->y < v->h - 1) {
		v->y++;
		v->x = 0;
	}
	v->wrap = false;
	put(v, v->y, v->x, cp);
	if (width == 2)
		put(v, v->y, v->x + 1, 0);
	v->x += width;
	if (v->x >= v->w) {
		v->x = v->w - 1;
		v->wrap = true;
	}
}

static int clamp(int v, int hi)
{
	return v < 0 ? 0 : v > hi ? hi : v;
}

static void move(struct vt *v, int y, int x)
{
	v->y = clamp(y, v->h - 1);
	v->x = clamp(x, v->w - 1);
	v->wrap = false;
}

static void sixel(struct vt *v, struct str s)
{
	size_t q = str_find(s, STR("q\"1;1;"));
	int w, h, rows, cols;

	if (q == SIZE_MAX || sscanf(s.p + q + 6, "%d;%d", &w, &h) != 2)
		return;
	v->picture = (struct vt_picture){v->y, v->x, w, h, s.n};
	v->n_pictures++;
	h = (h + 5) / 6 * 6;
	rows = (h + v->cell_h - 1) / v->cell_h;
	cols = (w + v->cell_w - 1) / v->cell_w;
	if (v->y + rows >= v->h)
		v->last_row_hits++;
	for (int y = v->y; y < v->y + rows && y < v->h; y++)
		for (int x = v->x; x < v->x + cols && x < v->w; x++)
			v->pixels[y][x] = true;
	move(v, v->y + rows - 1, v->x);
}

static void da1(struct vt *v)
{
	if (v->tmux)
		buf_z(&v->replies, v->tmux >= 304 ? "\033[?1;2;4c" : "\033[?1;2c");
	else
		buf_z(&v->replies, v->konsole ? "\033[?62;1;4c" : VT340_DA1);
}

void vt_answer_probe(struct vt *v)
{
	if (v->tmux)
		buf_printf(&v->replies, "\033P>|tmux %d.%da\033\\", v->tmux / 100, v->tmux % 100);
	else if (v->konsole)
		buf_z(&v->replies, "\033P>|Konsole 22.12.3\033\\");
	else
		buf_z(&v->replies, "\033P>|XTerm(379)\033\\\033[6;20;10t\033[?1;0;1024S"
				   "\033[?2;0;1000;1000S");
	da1(v);
	if (v->outer_sixel)
		buf_z(&v->replies, VT340_DA1);
}

static void passthrough(struct vt *v, struct str s)
{
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < s.n; i++) {
		buf_ch(&b, s.p[i]);
		if (s.p[i] == 0x1b && i + 1 < s.n && s.p[i + 1] == 0x1b)
			i++;
	}
	if (!v->outer_sixel)
		;
	else if (str_eq(buf_view(&b), STR("\033[c"))) {
		if (v->n_pictures && v->receipts)
			buf_z(&v->replies, VT340_DA1);
		v->n_receipts_due += v->n_pictures && !v->receipts;
	} else if (str_starts(buf_view(&b), STR("\033P"))) {
		sixel(v, buf_view(&b));
	}
	buf_release(&b);
}

static void string_done(struct vt *v)
{
	struct str s = buf_view(&v->seq);

	if (str_starts(s, STR("\033Ptmux;"))) {
		passthrough(v, (struct str){s.p + 7, s.n - 7});
	} else if (str_starts(s, STR("\033P"))) {
		if (v->tmux == 0 || v->tmux >= 304)
			sixel(v, s);
	} else if (str_starts(s, STR("\033]52;c;"))) {
		v->n_copied++;
		buf_clear(&v->copied);
		buf_put(&v->copied, s.p + 7, s.n - 7);
	}
	v->state = VT_GROUND;
}

static void mode(struct vt *v, int number, bool on)
{
	switch (number) {
	case 25:
		v->cursor_hidden = !on;
		break;
	case 1049:
		v->alternate += on ? 1 : -1;
		break;
	case 2004:
		v->paste_mode = on;
		break;
	case 2026:
		v->sync_begun += on;
		v->sync_ended += !on && v->sync_depth; /* an end without a beginning is harmless */
		v->sync_depth = on;
		break;
	default:
		break;
	}
}

static void report(struct vt *v)
{
	if (!v->receipts)
		v->n_receipts_due++;
	else
		buf_printf(&v->replies, "\033[%d;%dR", v->y + 1, v->x + 1);
}

static void erase_display(struct vt *v, int a)
{
	bool all = a == 2 || (a == 0 && v->y == 0 && v->x == 0);

	v->n_clears += all;
	if (all)
		memset(v->pixels, 0, sizeof v->pixels);
	wipe(v, a == 0 ? v->y : 0, a == 0 ? v->x : 0, a == 1 ? v->y : v->h - 1,
	     a == 1 ? v->x + 1 : v->w);
}

static void erase(struct vt *v, char final, int a)
{
	if (final == 'X')
		wipe(v, v->y, v->x, v->y, clamp(v->x + (a ? a : 1), v->w));
	else if (final == 'K')
		wipe(v, v->y, a == 0 ? v->x : 0, v->y, a == 1 ? v->x + 1 : v->w);
	else
		erase_display(v, a);
}

/* Numbers 30 to 49 and 90 to 107, but for 39 and 49, which choose none. */
static bool chooses_color(struct buf seq)
{
	struct str rest = {seq.p + 2, seq.n - 2}, part;
	int64_t k;

	for (rest.n -= rest.n > 0; rest.p && rest.n;) {
		rest = str_cut(rest, ';', &part);
		str_cut(part, ':', &part);
		if (str_int(part, &k) && ((k >= 30 && k < 50 && k != 39 && k != 49) ||
					  (k >= 90 && k < 108)))
			return true;
	}
	return false;
}

static void csi(struct vt *v, char final)
{
	const char *p = v->seq.p + 2;
	bool private = *p == '?' || *p == '>';
	int a, b = 0, n;

	n = (int)strtol(p + private, (char **)&p, 10);
	a = n ? n : 1;
	if (*p == ';')
		b = (int)strtol(p + 1, NULL, 10);
	if (private) {
		if (final == 'h' || final == 'l')
			mode(v, n, final == 'h');
		return;
	}
	switch (final) {
	case 'H': move(v, a - 1, (b ? b : 1) - 1); break;
	case 'A': move(v, v->y - a, v->x); break;
	case 'B': move(v, v->y + a, v->x); break;
	case 'C': move(v, v->y, v->x + a); break;
	case 'D': move(v, v->y, v->x - a); break;
	case 'G': move(v, v->y, a - 1); break;
	case 'd': move(v, a - 1, v->x); break;
	case 'b':
		for (uint32_t cp = v->cell[v->y][clamp(v->x - !v->wrap, v->w)]; a > 0; a--)
			print(v, cp);
		break;
	case 'X':
	case 'K':
	case 'J': erase(v, final, n); break;
	case 'n': report(v); break;
	case 'm': v->n_colors += chooses_color(v->seq); break;
	case 'r': v->bottom = b; break;
	case 'S':
	case 'T':
	case 'L':
	case 'M': v->n_scrolled++; break;
	case 'c':
		if (v->answers)
			vt_answer_probe(v);
		break;
	default: break;
	}
}

static void step_ground(struct vt *v, unsigned char b)
{
	size_t need, len;

	if (v->seq.n || b >= 0x80) { /* UTF-8 */
		buf_ch(&v->seq, (char)b);
		need = (unsigned char)v->seq.p[0];
		need = need < 0xe0 ? 2 : need < 0xf0 ? 3 : 4;
		if (v->seq.n < need)
			return;
		print(v, utf8_decode(v->seq.p, v->seq.n, &len));
		buf_clear(&v->seq);
	} else if (b == 0x1b) {
		buf_ch(&v->seq, (char)b);
		v->state = VT_ESC;
	} else if (b == '\r') {
		move(v, v->y, 0);
	} else if (b == '\n') {
		move(v, v->y + 1, v->x);
	} else if (b == '\b') {
		move(v, v->y, v->x - 1);
	} else if (b == '\t') {
		move(v, v->y, (v->x / 8 + 1) * 8);
	} else if (b >= ' ') {
		print(v, b);
	}
}

static void end_seq(struct vt *v)
{
	buf_clear(&v->seq);
	v->state = VT_GROUND;
}

static void step_esc(struct vt *v, unsigned char b)
{
	buf_ch(&v->seq, (char)b);
	if (b == '[')
		v->state = VT_CSI;
	else if (b == 'P' || b == ']' || b == '_')
		v->state = VT_STRING;
	else if (b >= ' ' && b <= '/')
		v->state = VT_ESC_INTER;
	else
		end_seq(v);
}

static void step(struct vt *v, unsigned char b)
{
	switch (v->state) {
	case VT_GROUND:
		step_ground(v, b);
		break;
	case VT_ESC:
		step_esc(v, b);
		break;
	case VT_ESC_INTER:
		end_seq(v);
		break;
	case VT_CSI:
		buf_ch(&v->seq, (char)b);
		if (b >= 0x40) {
			csi(v, (char)b);
			end_seq(v);
		}
		break;
	case VT_STRING:
		if (b == 0x1b)
			v->state = VT_STRING_ESC;
		else if (b == 7)
			string_done(v), end_seq(v);
		else
			buf_ch(&v->seq, (char)b);
		break;
	default: /* VT_STRING_ESC */
		if (b == '\\') {
			string_done(v);
			end_seq(v);
			break;
		}
		buf_ch(&v->seq, 0x1b); /* doubled for tmux, or a part of what is passed through */
		buf_ch(&v->seq, (char)b);
		v->state = VT_STRING;
		break;
	}
}

void vt_write(struct vt *v, struct str bytes)
{
	for (size_t i = 0; i < bytes.n; i++)
		step(v, (unsigned char)bytes.p[i]);
}

void vt_row(const struct vt *v, int y, struct buf *out)
{
	int end = v->w;
	char utf8[4];

	while (end > 0 && v->cell[y][end - 1] == ' ')
		end--;
	for (int x = 0; x < end; x++)
		if (v->cell[y][x])
			buf_put(out, utf8, utf8_encode(v->cell[y][x], utf8));
}

int vt_pixel_cells(const struct vt *v)
{
	int n = 0;

	for (int y = 0; y < v->h; y++)
		for (int x = 0; x < v->w; x++)
			n += v->pixels[y][x];
	return n;
}
