/*
 * Budgets 10 to 12: pictures. Usage: pictures QUALM PROJECT JSON [PICTURE...]. Prints medians and
 * ratios, and writes the same as JSON. Nothing is asserted: people compare.
 */
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base/xmalloc.h"
#include "tests/bench/bench.h"
#include "tests/fixtures/pictures.h"

#define ROUNDS   5
#define SETTINGS (int)(sizeof settings / sizeof *settings)

static const struct media_rgb black = {0, 0, 0};
static char folder[] = "/tmp/qualm-bench-XXXXXX";

/* What the user may ask of `qualm preview`. */
static const struct {
	const char *colors;
	bool dither;
} settings[] = {{"16", false}, {"32", false}, {"64", false}, {"128", false}, {"256", false},
		{"16", true},  {"24", true},  {"32", true},  {"48", true},   {"64", true},
		{"96", true},  {"128", true}, {"192", true}, {"256", true}};

enum tool { CHAFA, IMG2SIXEL, N_TOOLS };
static const char *const tool_name[N_TOOLS] = {"chafa", "img2sixel"};

static char *in_folder(const char *name)
{
	return xasprintf("%s/%s", folder, name);
}

static char *write_jpeg(const char *name, uint32_t w, uint32_t h)
{
	struct pixels px = picture_photo(w, h);
	struct buf jpeg = picture_jpeg(&px, 90, 2, false);
	char *path = *name == '/' ? xstrdup(name) : in_folder(name);
	FILE *f = fopen(path, "we");

	if (!f || fwrite(jpeg.p, 1, jpeg.n, f) != jpeg.n || fclose(f) != 0)
		exit(1);
	buf_release(&jpeg);
	pixels_release(&px);
	return path;
}

/* --- budget 10 --- */

static double cpu_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void once(const char *path, struct buf *out)
{
	struct sixel_options opt = {.colors = 128, .dither = true};
	struct media_facts facts;
	struct pixels px;
	struct err err = ERR_INIT;

	if (media_load(path, 320, 240, 1, black, NULL, NULL, &facts, &px, &err) ||
	    sixel_encode_pixels(&px, &opt, out, &err)) {
		fprintf(stderr, "bench: %s\n", err.msg);
		exit(1);
	}
	pixels_release(&px);
}

static void in_process(const char *path, const char *what, double budget, FILE *json)
{
	double t[15], c[15];

	for (int n = 0; n < 15; n++) {
		struct buf out = BUF_INIT;
		double wall = bench_ms(), cpu = cpu_ms();

		once(path, &out);
		t[n] = bench_ms() - wall;
		c[n] = cpu_ms() - cpu;
		buf_release(&out);
	}
	t[0] = bench_median(t, 15);
	c[0] = bench_median(c, 15);
	printf("10  %-24s %7.1f ms, %.1f of the processor   (budget %.0f)\n", what, t[0], c[0],
	       budget);
	fprintf(json, "  \"in_process_%s_ms\": %.2f,\n  \"in_process_%s_cpu_ms\": %.2f,\n", what, t[0],
		what, c[0]);
}

/* --- budget 11 --- */

struct result {
	double ms, db;
	size_t bytes;
	int setting;
};

/* The original, scaled to what a tool has made of it. */
struct original {
	const char *path;
	struct pixels whole, scaled;
};

static bool open_original(struct original *o, const char *path)
{
	struct media_facts facts;
	struct err err = ERR_INIT;

	*o = (struct original){.path = path};
	return media_load(path, 16384, 16384, 1, black, NULL, NULL, &facts, &o->whole, &err) == OK;
}

static const struct pixels *scaled(struct original *o, uint32_t w, uint32_t h)
{
	struct err err = ERR_INIT;

	if (o->scaled.w == w && o->scaled.h == h)
		return &o->scaled;
	pixels_release(&o->scaled);
	media_scale(&o->whole, w, h, &o->scaled, &err);
	return &o->scaled;
}

/* The picture's rows and columns in a frame. */
static void crop(struct pixels *px, uint32_t x, uint32_t y, uint32_t w, uint32_t h)
{
	for (uint32_t i = 0; i < h; i++)
		memmove(px->rgb + (size_t)i * w * 3, px->rgb + ((size_t)(y + i) * px->w + x) * 3,
			(size_t)w * 3);
	px->w = w;
	px->h = h;
}

/* The size it takes in a box. */
static void fitted(const struct original *o, uint32_t *w, uint32_t *h)
{
	double s = fmin((double)*w / o->whole.w, (double)*h / o->whole.h);

	s = s > 1 ? 1 : s;
	*w = (uint32_t)lround(o->whole.w * s);
	*h = (uint32_t)lround(o->whole.h * s);
}

/* Qualm centres a picture in its bands. The others begin at the top, or stretch it to whole cells:
 * whichever fits better counts for them. */
static bool look(struct original *o, const char *out, bool centred, struct result *r)
{
	struct pixels px;
	uint32_t w, h;
	double cropped;

	if (!bench_sixel(out, &px, &r->bytes))
		return false;
	w = px.w;
	h = px.h;
	fitted(o, &w, &h);
	r->db = centred ? 0 : bench_psnr(&px, scaled(o, px.w, px.h));
	if (w < px.w || h < px.h)
		crop(&px, centred ? (px.w - w) / 2 : 0, centred ? (px.h - h) / 2 : 0, w, h);
	cropped = bench_psnr(&px, scaled(o, w, h));
	r->db = cropped > r->db ? cropped : r->db;
	pixels_release(&px);
	return true;
}

static double timed(const char *const *argv, const char *out)
{
	double t[ROUNDS];

	for (int i = 0; i < ROUNDS; i++)
		t[i] = bench_run(argv, out);
	return bench_median(t, ROUNDS);
}

static void tool_argv(enum tool tool, const char *path, const char *width, const char *argv[10])
{
	const char *chafa[] = {"chafa", "-f", "sixel", "--size", "40x30", "--font-ratio", "1/1",
			       path, NULL};
	const char *img2sixel[] = {"img2sixel", "-w", width, path, NULL};

	memset(argv, 0, 10 * sizeof *argv);
	if (tool == CHAFA)
		memcpy(argv, chafa, sizeof chafa);
	else
		memcpy(argv, img2sixel, sizeof img2sixel);
}

static void qualm_argv(const char *qualm, const char *path, const char *size, int i,
		       const char *argv[10])
{
	const char *q[] = {qualm, "preview", path, "--size", size, "--colors", settings[i].colors,
			   settings[i].dither ? NULL : "--no-dither", NULL};

	memcpy(argv, q, sizeof q);
}

static int by_bytes(const void *a, const void *b)
{
	const struct result *x = a, *y = b;

	return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* Of the settings that are at least as good as `db` the fastest: time goes with colours and
 * bytes, so only the three smallest are timed. False when none is as good. */
static bool fastest(struct original *o, const char *qualm, const char *size, double db,
		    struct result *best)
{
	char *out = in_folder("q.six");
	struct result r[SETTINGS];
	const char *argv[10];
	int n = 0;

	for (int i = 0; i < SETTINGS; i++) {
		qualm_argv(qualm, o->path, size, i, argv);
		r[n].setting = i;
		if (bench_run(argv, out) >= 0 && look(o, out, true, &r[n]) && r[n].db >= db)
			n++;
	}
	qsort(r, (size_t)n, sizeof *r, by_bytes);
	best->ms = 1e9;
	for (int i = 0; i < n && i < 3; i++) {
		qualm_argv(qualm, o->path, size, r[i].setting, argv);
		r[i].ms = timed(argv, out);
		if (r[i].ms < best->ms)
			*best = r[i];
	}
	unlink(out);
	free(out);
	return n > 0;
}

static void compare(struct original *o, const char *qualm, enum tool tool, FILE *json)
{
	const char *argv[10], *name = strrchr(o->path, '/') + 1;
	struct result it = {.ms = 0}, q = {.ms = 0};
	char *out = in_folder("t.six"), size[32], width[16];
	uint32_t w = 320, h = tool == CHAFA ? 240 : 16384;

	fitted(o, &w, &h);
	snprintf(size, sizeof size, "%ux%u", w, (h + 5) / 6 * 6);
	snprintf(width, sizeof width, "%u", w);
	tool_argv(tool, o->path, width, argv);
	if (bench_run(argv, out) < 0 || !look(o, out, false, &it)) {
		printf("11  %-20.20s %-9s makes no sixel of it\n", name, tool_name[tool]);
	} else if (!fastest(o, qualm, size, it.db, &q)) {
		printf("11  %-20.20s %-9s is better than any setting of qualm: %.1f dB\n", name,
		       tool_name[tool], it.db);
	} else {
		it.ms = timed(argv, out);
		printf("11  %-20.20s %-9s %6.1f ms %6zu B %4.1f dB | qualm %3s%s %6.1f ms %6zu B "
		       "%4.1f dB | time %.2f bytes %.2f\n",
		       name, tool_name[tool], it.ms, it.bytes, it.db, settings[q.setting].colors,
		       settings[q.setting].dither ? "  " : "nd", q.ms, q.bytes, q.db, q.ms / it.ms,
		       (double)q.bytes / (double)it.bytes);
		fprintf(json,
			"  \"%s_%s\": {\"ms\": %.2f, \"bytes\": %zu, \"db\": %.2f, \"qualm_ms\": "
			"%.2f, \"qualm_bytes\": %zu, \"qualm_db\": %.2f},\n",
			tool_name[tool], name, it.ms, it.bytes, it.db, q.ms, q.bytes, q.db);
	}
	unlink(out);
	free(out);
}

static void race(const char *qualm, const char *path, const bool there[N_TOOLS], FILE *json)
{
	struct original o;

	if (!open_original(&o, path))
		return;
	for (int t = 0; t < N_TOOLS; t++)
		if (there[t])
			compare(&o, qualm, (enum tool)t, json);
	pixels_release(&o.whole);
	pixels_release(&o.scaled);
}

static void versions(const char *qualm, bool there[N_TOOLS], FILE *json)
{
	const char *q[] = {qualm, "--version", NULL};
	char line[80];

	bench_version(q, line);
	printf("%s\n%s\n", bench_machine(), line);
	fprintf(json, "  \"machine\": \"%s\",\n  \"qualm\": \"%s\",\n", bench_machine(), line);
	for (int i = 0; i < N_TOOLS; i++) {
		const char *argv[] = {tool_name[i], "--version", NULL};

		bench_version(argv, line);
		there[i] = *line != '\0';
		if (there[i])
			printf("%s\n", line);
		else
			printf("%s is not there\n", tool_name[i]);
		fprintf(json, "  \"%s\": \"%s\",\n", tool_name[i], line);
	}
}

/* Small pictures for the samples of a project. */
static int make_samples(const char *dir)
{
	if (mkdir(dir, 0700) != 0)
		return 1;
	for (uint32_t i = 0; i < 60; i++) {
		char *path = xasprintf("%s/p%02u.jpg", dir, i);

		free(write_jpeg(path, 400 + i * 3, 300));
		free(path);
	}
	return 0;
}

int main(int argc, char **argv)
{
	bool there[N_TOOLS];
	FILE *json = argc > 3 ? fopen(argv[3], "we") : NULL;
	char *made[3];

	if (argc == 3 && strcmp(argv[1], "--make") == 0)
		return make_samples(argv[2]);
	if (!json || !mkdtemp(folder))
		return 2;
	fprintf(json, "{\n");
	versions(argv[1], there, json);
	made[0] = write_jpeg("made-500x375.jpg", 500, 375);
	made[1] = write_jpeg("made-4000x3000.jpg", 4000, 3000);
	made[2] = write_jpeg("made-1024x1024.jpg", 1024, 1024);
	in_process(made[0], "500x375", 15, json);
	in_process(made[1], "4000x3000", 40, json);
	for (int i = 0; i < 3; i++)
		race(argv[1], made[i], there, json);
	for (int i = 4; i < argc; i++)
		race(argv[1], argv[i], there, json);
	bench_hold(argv[1], argv[2], 1000, json);
	fprintf(json, "  \"rounds\": %d\n}\n", ROUNDS);
	fclose(json);
	for (int i = 0; i < 3; i++) {
		unlink(made[i]);
		free(made[i]);
	}
	rmdir(folder);
	return 0;
}
