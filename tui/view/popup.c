#include "tui/view/popup.h"

#include "tui/view/sign.h"

struct rect popup_box(struct rect area, int w, int h)
{
	w = w > area.w - 4 ? area.w - 4 : w;
	if (w < 20)
		w = area.w;
	h = h > area.h ? area.h : h;
	return (struct rect){area.y + (area.h - h) / 2, area.x + (area.w - w) / 2, h, w};
}

struct rect popup_inside(struct rect box)
{
	return (struct rect){box.y + 1, box.x + 1, box.h > 2 ? box.h - 2 : 0,
			     box.w > 2 ? box.w - 2 : 0};
}

static void draw_border(struct cells *grid, struct rect b)
{
	int right = b.x + b.w - 1, low = b.y + b.h - 1;

	for (int x = b.x; x <= right; x++) {
		cells_putz(grid, b.y, x, 1, STYLE_POPUP_BORDER, sign(SIGN_LINE));
		cells_putz(grid, low, x, 1, STYLE_POPUP_BORDER, sign(SIGN_LINE));
	}
	for (int y = b.y; y <= low; y++) {
		cells_putz(grid, y, b.x, 1, STYLE_POPUP_BORDER, sign(SIGN_RULE));
		cells_putz(grid, y, right, 1, STYLE_POPUP_BORDER, sign(SIGN_RULE));
	}
	cells_putz(grid, b.y, b.x, 1, STYLE_POPUP_BORDER, sign(SIGN_TOP_LEFT));
	cells_putz(grid, b.y, right, 1, STYLE_POPUP_BORDER, sign(SIGN_TOP_RIGHT));
	cells_putz(grid, low, b.x, 1, STYLE_POPUP_BORDER, sign(SIGN_BOTTOM_LEFT));
	cells_putz(grid, low, right, 1, STYLE_POPUP_BORDER, sign(SIGN_BOTTOM_RIGHT));
}

void popup_draw(struct cells *grid, struct rect box, const char *title, bool more)
{
	cells_fill(grid, box, STYLE_POPUP);
	draw_border(grid, box);
	if (*title)
		cells_printf(grid, box.y, box.x + 2, box.w - 4, STYLE_POPUP_BORDER, " %s ", title);
	if (more)
		cells_putz(grid, box.y + box.h - 1, box.x + box.w - 3, 1, STYLE_POPUP_BORDER,
			   sign(SIGN_MORE));
}
