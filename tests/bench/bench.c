#include "tests/bench/bench.h"

#include <fcntl.h>
#include <ftw.h>
#include <math.h>
#include <sixel.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/base/xmalloc.h"

extern char **environ;

double bench_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double bench_median(double *v, int n)
{
	qsort(v, (size_t)n, sizeof *v, by_value);
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

const char *bench_machine(void)
{
	static char text[160];
	char line[256], *name;
	FILE *f = fopen("/proc/cpuinfo", "re");

	snprintf(text, sizeof text, "unknown processor, %ld cores", sysconf(_SC_NPROCESSORS_ONLN));
	while (f && fgets(line, sizeof line, f))
		if (strncmp(line, "model name", 10) == 0 && (name = strchr(line, ':'))) {
			name[strcspn(name, "\n")] = '\0';
			snprintf(text, sizeof text, "%.100s, %ld cores", name + 2,
				 sysconf(_SC_NPROCESSORS_ONLN));
			break;
		}
	if (f)
		fclose(f);
	return text;
}

/* --- other programs --- */

static int run(const char *const *argv, const char *out)
{
	posix_spawn_file_actions_t files;
	pid_t pid;
	int status = -1;

	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&files, 1, out, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
	if (posix_spawnp(&pid, argv[0], &files, NULL, (char *const *)argv, environ) == 0)
		waitpid(pid, &status, 0);
	posix_spawn_file_actions_destroy(&files);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

double bench_run(const char *const *argv, const char *out)
{
	double begin = bench_ms();

	return run(argv, out) == 0 ? bench_ms() - begin : -1;
}

void bench_version(const char *const *argv, char line[80])
{
	char path[] = "/tmp/qualm-bench-XXXXXX";
	int fd = mkstemp(path);
	FILE *f;

	line[0] = '\0';
	if (fd < 0)
		return;
	if (run(argv, path) == 0 && (f = fdopen(fd, "r"))) {
		if (fgets(line, 80, f))
			line[strcspn(line, "\n")] = '\0';
		fclose(f);
	} else {
		close(fd);
	}
	unlink(path);
}

static int remove_one(const char *path, const struct stat *sb, int type, struct FTW *at)
{
	(void)sb;
	(void)type;
	(void)at;
	return remove(path);
}

void bench_remove(const char *folder)
{
	nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* --- sixels --- */

static bool read_file(const char *path, struct buf *out)
{
	FILE *f = fopen(path, "re");
	char block[65536];
	size_t n;

	while (f && (n = fread(block, 1, sizeof block, f)) > 0)
		buf_put(out, block, n);
	if (f)
		fclose(f);
	return out->n > 0;
}

/* Of programs that are known and their own output, so libsixel's decoder will do. */
static bool decode(struct str s, struct pixels *px)
{
	unsigned char *index = NULL, *palette = NULL;
	int w, h, n;

	if (SIXEL_FAILED(sixel_decode_raw((unsigned char *)s.p, (int)s.n, &index, &w, &h, &palette,
					  &n, NULL)))
		return false;
	*px = (struct pixels){(uint32_t)w, (uint32_t)h, xmalloc((size_t)w * (size_t)h * 3)};
	for (size_t i = 0; i < (size_t)w * (size_t)h; i++)
		memcpy(px->rgb + i * 3, palette + index[i] * 3, 3);
	free(index);
	free(palette);
	return true;
}

bool bench_sixel(const char *path, struct pixels *px, size_t *bytes)
{
	struct buf file = BUF_INIT;
	struct str s;
	size_t from, to;
	bool good = false;

	if (read_file(path, &file)) {
		s = buf_view(&file);
		from = str_find(s, STR("\033P"));
		to = str_find(s, STR("\033\\"));
		if (from < to && to != SIZE_MAX)
			good = decode((struct str){s.p + from, to + 2 - from}, px);
	}
	*bytes = file.n;
	buf_release(&file);
	return good;
}

static int blurred(const struct pixels *p, uint32_t x, uint32_t y, uint32_t c)
{
	int sum = 0;

	for (uint32_t i = 0; i < 9; i++)
		sum += p->rgb[((size_t)(y + i / 3) * p->w + x + i % 3) * 3 + c];
	return sum;
}

double bench_psnr(const struct pixels *a, const struct pixels *b)
{
	double sum = 0, n = 0;

	for (uint32_t y = 0; y + 2 < a->h; y++)
		for (uint32_t x = 0; x + 2 < a->w; x++)
			for (uint32_t c = 0; c < 3; c++, n++) {
				double d = (blurred(a, x, y, c) - blurred(b, x, y, c)) / 9.0;

				sum += d * d;
			}
	return sum > 0 ? 10 * log10(255 * 255 * n / sum) : 99;
}
