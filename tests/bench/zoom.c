/*
 * zoom JSON [PICTURE]: one picture zoomed and moved under the screen, milliseconds from the wish to what
 * is sent to the terminal (without the rest that a cursor is given): the first zoom, which reads the
 * file, and those after it. Without PICTURE one of 4000 × 3000 is made.
 */
#include <stdlib.h>
#include <unistd.h>

#include "core/base/xmalloc.h"
#include "tests/bench/bench.h"
#include "tests/fixtures/pictures.h"
#include "tui/view/zoom.h"

#define ROUNDS 9
#define COLS   120
#define ROWS   40

static char *made_picture(void)
{
	char *path = xstrdup("/tmp/qualm-zoom-XXXXXX");
	struct pixels px = picture_photo(4000, 3000);
	struct buf jpeg = picture_jpeg(&px, 90, 2, false);
	int fd = mkstemp(path);

	if (fd < 0 || write(fd, jpeg.p, jpeg.n) != (ssize_t)jpeg.n || close(fd) != 0)
		exit(1);
	buf_release(&jpeg);
	pixels_release(&px);
	return path;
}

struct world {
	struct pool *pool;
	struct pictures *pictures;
	const char *path;
	struct zoom_sight sight;
	int64_t now;
};

/* Of the wish, made anew. */
static double show(struct world *w, const struct picture_zoom *zoom, struct picture *out)
{
	struct picture_wish wish = {.path = w->path, .box = {0, 0, ROWS, COLS}, .zoom = *zoom};
	double began = bench_ms();

	w->now += 1000;
	pictures_want(w->pictures, &wish, w->now);
	pictures_tick(w->pictures, w->now + PICTURE_REST_MS);
	pool_settle(w->pool);
	*out = pictures_get(w->pictures);
	if (out->state != PICTURE_READY) {
		fprintf(stderr, "zoom: %s\n", out->error ? out->error : "no picture");
		exit(1);
	}
	return bench_ms() - began;
}

static void setup(struct world *w, enum picture_kind kind)
{
	struct picture_setup setup = {.kind = kind, .cell_w = 10, .cell_h = 20, .max_w = 2000, .max_h = 2000,
				      .colors = 256, .unicode = true};

	pictures_setup(w->pictures, &setup);
	pictures_forget(w->pictures);
	pictures_room(w->pictures, (struct rect){0, 0, ROWS, COLS}, &w->sight.room_w, &w->sight.room_h);
	w->sight.dot = pictures_dot(w->pictures);
}

static void measure(struct world *w, enum picture_kind kind, const char *what, FILE *json)
{
	struct zoom_place place = {0, 0.5, 0.5};
	struct picture_zoom zoom = {0};
	struct picture p;
	double fit, first, t[ROUNDS];

	setup(w, kind);
	fit = show(w, &zoom, &p);
	w->sight.w = p.facts.width;
	w->sight.h = p.facts.height;
	zoom_original(&place, &w->sight);
	zoom = zoom_part(&place, &w->sight);
	first = show(w, &zoom, &p);
	for (int i = 0; i < ROUNDS; i++) {
		zoom_pan(&place, &w->sight, i % 2 ? 0.11 : -0.07, 0.03);
		zoom = zoom_part(&place, &w->sight);
		t[i] = show(w, &zoom, &p);
	}
	printf("zoom in %-7s %u x %u: all of it %.0f ms, the first at 100 %% %.0f ms, each move %.0f ms\n", what,
	       w->sight.w, w->sight.h, fit, first, bench_median(t, ROUNDS));
	fprintf(json, "  \"zoom_%s_first_ms\": %.2f,\n  \"zoom_%s_move_ms\": %.2f,\n", what, first, what, t[ROUNDS / 2]);
}

int main(int argc, char **argv)
{
	char *made = argc > 2 ? NULL : made_picture();
	struct world w = {.path = argc > 2 ? argv[2] : made};
	struct err err = ERR_INIT;
	FILE *json = argc > 1 ? fopen(argv[1], "we") : NULL;

	if (!json) {
		fprintf(stderr, "usage: zoom JSON [PICTURE]\n");
		return 2;
	}
	w.pool = pool_new(1, &err);
	w.pictures = pictures_new(w.pool);
	fputs("{\n", json);
	measure(&w, PICTURE_SIXEL, "sixel", json);
	measure(&w, PICTURE_BLOCKS, "blocks", json);
	fprintf(json, "  \"machine\": \"%s\"\n}\n", bench_machine());
	pool_free(w.pool);
	pictures_free(w.pictures);
	if (made)
		unlink(made);
	free(made);
	return fclose(json) == 0 ? 0 : 1;
}
