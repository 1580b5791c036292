#include "tui/term/term.h"

static const char letters[N_STYLES] = {
#define X(id, name, letter, help) letter,
    STYLE_ROLES(X)
#undef X
};

static const char *const names[N_STYLES] = {
#define X(id, name, letter, help) name,
    STYLE_ROLES(X)
#undef X
};

static void trim_to(struct buf *out, size_t from, char c)
{
	while (out->n > from && out->p[out->n - 1] == c)
		out->n--;
	buf_ch(out, '\n');
}

void cells_dump(const struct cells *c, struct buf *out)
{
	bool used[N_STYLES] = {false};

	for (int y = 0; y < c->h; y++) {
		size_t from = out->n;

		for (int x = 0; x < c->w; x++) {
			const struct cell *cell = cells_at(c, y, x);

			if (cell->width)
				buf_z(out, cell->text[0] ? cell->text : " ");
		}
		trim_to(out, from, ' ');
	}
	buf_z(out, "--\n");
	for (int y = 0; y < c->h; y++) {
		size_t from = out->n;

		for (int x = 0; x < c->w; x++) {
			unsigned style = cells_at(c, y, x)->style;

			used[style] = true;
			buf_ch(out, letters[style]);
		}
		trim_to(out, from, letters[STYLE_NORMAL]);
	}
	for (int i = 0; i < N_STYLES; i++)
		if (used[i])
			buf_printf(out, "%c %s\n", letters[i], names[i]);
}
