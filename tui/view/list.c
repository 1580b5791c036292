#include "tui/view/list.h"

#include <string.h>

/* Rows kept between the cursor and the edge. */
static uint32_t margin(const struct list *l)
{
	return l->height >= 9 ? 2 : 0;
}

static void keep_in_sight(struct list *l)
{
	uint32_t m = margin(l), h = l->height ? l->height : 1;
	uint32_t last_top = l->n > h ? l->n - h : 0;

	if (l->cursor < l->top + m)
		l->top = l->cursor > m ? l->cursor - m : 0;
	if (l->cursor + m >= l->top + h)
		l->top = l->cursor + m + 1 - h;
	if (l->top > last_top)
		l->top = last_top;
}

void list_go(struct list *l, uint32_t to)
{
	l->cursor = l->n == 0 ? 0 : to >= l->n ? l->n - 1 : to;
	keep_in_sight(l);
}

void list_fit(struct list *l, uint32_t n, uint32_t height)
{
	l->n = n;
	l->height = height;
	list_go(l, l->cursor);
}

static void move_by(struct list *l, int64_t by)
{
	int64_t to = (int64_t)l->cursor + by;

	list_go(l, to < 0 ? 0 : (uint32_t)to);
}

/* The window moves with the cursor, which so keeps its line on the screen. */
static void page_by(struct list *l, int64_t by)
{
	int64_t top = (int64_t)l->top + by;

	l->top = top < 0 ? 0 : (uint32_t)top;
	move_by(l, by);
}

bool list_command(struct list *l, const char *name, struct str args)
{
	int64_t page = l->height > 2 ? l->height - 1 : 1, half = l->height > 2 ? l->height / 2 : 1;
	int64_t row;

	if (strcmp(name, "down") == 0)
		move_by(l, 1);
	else if (strcmp(name, "up") == 0)
		move_by(l, -1);
	else if (strcmp(name, "half-down") == 0)
		page_by(l, half);
	else if (strcmp(name, "half-up") == 0)
		page_by(l, -half);
	else if (strcmp(name, "page-down") == 0)
		page_by(l, page);
	else if (strcmp(name, "page-up") == 0)
		page_by(l, -page);
	else if (strcmp(name, "first") == 0)
		list_go(l, 0);
	else if (strcmp(name, "last") == 0)
		list_go(l, UINT32_MAX);
	else if (strcmp(name, "goto") == 0 && str_int(args, &row) && row >= 0)
		list_go(l, row > UINT32_MAX ? UINT32_MAX : row ? (uint32_t)row - 1 : 0);
	else
		return false;
	return true;
}
