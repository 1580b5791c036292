/*
 * A damaged project file never crashes what loads and fetches. The input is either a whole file,
 * or (so that small inputs reach deep) a list of changes to a real one: four bytes of place, one
 * of value.
 */
#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>

#include "db/search_everywhere.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/lib_project.c"

#define CHANGE 5

struct base {
	char path[128];
	uint8_t *bytes;
	size_t n;
};

static void remove_files(const char *path)
{
	char journal[160];

	snprintf(journal, sizeof journal, "%s-journal", path);
	unlink(path);
	unlink(journal);
}

/* The tiny project as a file in memory: in small pages, so that most bytes mean something. */
static struct base *base_project(void)
{
	static struct base base;
	struct stat sb;
	int fd;

	if (base.n)
		return &base;
	snprintf(base.path, sizeof base.path, "/tmp/qualm-fuzz-%ld.qualm", (long)getpid());
	remove_files(base.path);
	project_make_tiny(base.path, 512);
	fd = open(base.path, O_RDONLY | O_CLOEXEC);
	FUZZ_CHECK(fd >= 0 && fstat(fd, &sb) == 0);
	base.n = (size_t)sb.st_size;
	base.bytes = malloc(base.n);
	FUZZ_CHECK(base.bytes && read(fd, base.bytes, base.n) == (ssize_t)base.n);
	close(fd);
	return &base;
}

static void write_damaged(const struct base *base, const uint8_t *data, size_t size)
{
	int fd = open(base->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	bool whole = size >= 16 && memcmp(data, "SQLite format 3", 16) == 0;

	FUZZ_CHECK(fd >= 0);
	if (whole)
		FUZZ_CHECK(write(fd, data, size) == (ssize_t)size);
	else
		FUZZ_CHECK(write(fd, base->bytes, base->n) == (ssize_t)base->n);
	for (size_t i = 0; !whole && i + CHANGE <= size; i += CHANGE) {
		uint32_t at;

		memcpy(&at, data + i, sizeof at);
		FUZZ_CHECK(pwrite(fd, data + i + 4, 1, (off_t)(at % base->n)) == 1);
	}
	close(fd);
}

/* Touches whatever a view would. */
static double walk(const struct snapshot *s)
{
	double sum = 0;

	for (uint32_t i = 0; i < s->n_classes; i++)
		for (uint32_t k = i; k != UINT32_MAX; k = s->classes[k].parent)
			sum += s->classes[k].name[0];
	for (uint32_t i = 0; i < s->n_facets; i++)
		for (uint32_t k = 0; k < s->facets[i].n_values; k++)
			for (uint32_t v = k; v != UINT32_MAX; v = s->facets[i].parents[v])
				sum += s->facets[i].values[v][0];
	for (uint32_t i = 0; i < s->n_layers; i++)
		for (size_t k = 0; k < csr_n(&s->layers[i].sets); k++) {
			size_t from, n = csr_row(&s->layers[i].sets, k, &from);

			while (n--) {
				uint64_t class = column_u(&s->layers[i].sets.val, from + n);

				FUZZ_CHECK(class < s->n_classes);
				sum += s->classes[class].name[0];
			}
		}
	for (uint32_t i = 0; i < s->n_runs; i++)
		for (size_t k = 0; k < s->runs[i].outcome.n; k++) {
			uint64_t class = column_u(&s->runs[i].label, k);

			FUZZ_CHECK(column_u(&s->runs[i].outcome, k) < N_OUTCOMES);
			FUZZ_CHECK(class == COLUMN_NONE || class < s->n_classes);
		}
	return sum;
}

static void fetch_all(struct conn *c, const struct snapshot *s)
{
	struct arena arena = ARENA_INIT;
	struct err err = ERR_INIT;
	struct sample_row rows[8];
	struct option_row *options;
	struct str text;
	uint32_t ord;
	size_t n;

	if (fetch_samples(c, s->dataset_id, 0, 8, rows, &arena, &err) == OK)
		for (size_t i = 0; i < 8; i++) {
			fetch_options(c, rows[i].option_set, &options, &n, &arena, &err);
			free(fetch_picture_path(c, s, rows[i].path));
		}
	for (uint32_t r = 0; r < s->n_runs; r++)
		for (uint32_t i = 0; i < 6; i++) {
			fetch_text(c, s->runs[r].id, FIELD_RAW, i, &text, &arena, &err);
			fetch_number(c, s->runs[r].id, "score", i);
		}
	fetch_ordinal(c, s->dataset_id, STR("s3"), &ord, &err);
	arena_release(&arena);
}

static void search_all(struct conn *c, const struct snapshot *s)
{
	struct err err = ERR_INIT;
	struct search *search = NULL;
	struct search_everywhere what = {.run = s->n_runs ? 0 : -1, .from = 2};
	struct needle *needle = NULL;
	uint64_t *bits = bits_new(s->n);

	if (bits && search_new(&search, c, s, &err) == OK &&
	    needle_new(&needle, STR("number 4"), false, &err) == OK) {
		what.needle = needle;
		FUZZ_CHECK(search_everywhere(search, &what, bits, &err) == err.code);
	}
	needle_free(needle);
	search_free(search);
	free(bits);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct base *base = base_project();
	struct snapshot *s = NULL;
	struct err err = ERR_INIT;
	struct conn *c = NULL;
	enum status st;

	write_damaged(base, data, size);
	st = conn_open(&c, base->path, CONN_READ, &err);
	if (st == OK)
		st = snapshot_load(c, NULL, &s, &err);
	FUZZ_CHECK(st == OK ? s != NULL : s == NULL && err.code == st && err.msg[0]);
	if (s) {
		FUZZ_CHECK(!isnan(walk(s)));
		fetch_all(c, s);
		search_all(c, s);
	}
	snapshot_free(s);
	conn_close(c);
	remove_files(base->path);
	return 0;
}
