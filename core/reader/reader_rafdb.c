/*
 * rafdb: RAF-DB's list of labels, lines of "train_00001.jpg 5". The numbers are RAF-DB's own, 1 to 7. The
 * list of compound emotions has the same form and other numbers, 1 to 11: it is refused.
 */
#include <unistd.h>

#include "core/base/path.h"
#include "core/base/utf8.h"
#include "core/reader/emotions.h"
#include "core/reader/table.h"

#define LINES_TO_TELL 5
#define COMPOUND_MAX  11
#define COMPOUND_ROWS 3 /* above 7, of the first lines, that are no slips */

/* "train_00001.jpg 5", also with the suffix of aligned pictures. */
static bool is_line(struct str line, struct str *name, struct str *code)
{
	struct str rest = str_cut(str_trim(line), ' ', name);
	int64_t number;

	*code = str_trim(rest);
	return (str_starts(*name, STR("train_")) || str_starts(*name, STR("test_"))) &&
	       looks_like_image(*name) && str_int(*code, &number) && number > 0 && number < 100;
}

static struct str first_line(struct str *head, char end)
{
	struct str line;

	*head = str_cut(*head, end, &line);
	return str_trim(line);
}

static int probe(struct str path, struct str head)
{
	struct str line, name, code;
	char end = memchr(head.p ? head.p : "", '\n', head.n) ? '\n' : '\r';
	int n = 0;

	(void)path;
	while (head.p && n < LINES_TO_TELL) {
		line = first_line(&head, end);
		if (line.n && !is_line(line, &name, &code))
			return 0;
		n += line.n > 0;
	}
	return n > 0 ? 95 : 0;
}

static bool is_compound(struct str head)
{
	struct str line, name, code;
	char end = memchr(head.p ? head.p : "", '\n', head.n) ? '\n' : '\r';
	int64_t number;
	int n = 0;

	while (head.p && n < COMPOUND_ROWS) {
		line = first_line(&head, end);
		n += is_line(line, &name, &code) && str_int(code, &number) && number > 7 && number <= COMPOUND_MAX;
	}
	return n == COMPOUND_ROWS;
}

/* Is there NAME_aligned.jpg, in the folder of pictures or where RAF-DB has it below? */
static bool is_aligned(const struct read_options *opt, struct str name)
{
	static const char *const below[] = {"", "aligned/", "Image/aligned/", "basic/Image/aligned/"};
	struct str stem = path_stem(name);
	bool found = false;

	for (size_t i = 0; i < sizeof below / sizeof *below && opt->images.n && !found; i++) {
		char *path = xasprintf("%.*s/%s%.*s_aligned.jpg", STR_ARG(opt->images), below[i], STR_ARG(stem));

		found = access(path, F_OK) == 0;
		free(path);
	}
	return found;
}

struct rafdb {
	struct read_ctx *ctx;
	struct buf path;
	bool aligned, looked;
};

/* The pictures that people use are cut and turned, and are called NAME_aligned.jpg. */
static struct str path_of(struct rafdb *r, struct str name)
{
	if (!r->looked)
		r->aligned = is_aligned(r->ctx->opt, name);
	r->looked = true;
	if (!r->aligned)
		return name;
	buf_clear(&r->path);
	buf_str(&r->path, path_stem(name));
	buf_z(&r->path, "_aligned.jpg");
	return buf_view(&r->path);
}

static enum status take(struct rafdb *r, const struct line *line, struct err *err)
{
	struct read_ctx *ctx = r->ctx;
	struct src src = {line->number, line->byte};
	struct str name, code, split, path;
	struct class_ref ref;
	struct rec_truth truth = {ctx->opt->layer.n ? ctx->opt->layer : STR("original"), &ref, 1, NULL};
	struct rec_facet facet = {STR("split"), STR_NONE, NAN, false};
	struct rec_sample rec = {.src = src, .media = MEDIA_IMAGE, .paths = &path, .n_paths = 1, .truths = &truth,
				 .facets = &facet, .n_facets = 1, .creates = true, .declares = true};
	size_t emotion, at;

	ctx->report->rows++;
	if (line->too_long || !is_line(line->text, &name, &code) || utf8_fault(name, &at)) {
		report_add(ctx->report, PROBLEM_SKIPPED, src, "", "expected a picture's name, a blank and a number");
		return OK;
	}
	emotion = emotions_by_code(&emotions_rafdb, code);
	if (emotion == SIZE_MAX)
		report_add(ctx->report, PROBLEM_WARNING, src, "label", "expected 1 to 7");
	else
		ref = emotions_ref(&emotions_rafdb, emotion);
	rec.n_truths = emotion != SIZE_MAX;
	str_cut(name, '_', &split);
	facet.value = split;
	rec.key = name;
	path = path_of(r, name);
	return sink_sample(ctx->sink, &rec, err);
}

static enum status read_file(struct read_ctx *ctx, struct err *err)
{
	struct rafdb r = {.ctx = ctx, .path = BUF_INIT};
	struct lines lines;
	struct line line;
	bool more = true;
	enum status st;

	if (is_compound(buf_view(&ctx->in->head)))
		return err_set(err, E_FORMAT, "labels above 7: this is RAF-DB's list of compound emotions, whose "
			       "numbers are others; the list of the seven basic ones can be imported");
	st = emotions_send(&emotions_rafdb, ctx->sink, (struct src){1, 0}, err);
	lines_init(&lines, ctx->in);
	while (!st && more) {
		st = lines_next(&lines, &line, &more, err);
		if (!st && more && str_trim(line.text).n)
			st = take(&r, &line, err);
	}
	lines_release(&lines);
	buf_release(&r.path);
	return st;
}

const struct reader reader_rafdb = {
    .name = "rafdb",
    .help = "RAF-DB: a picture's name and one of seven emotions a line (list_patition_label.txt)",
    .probe = probe,
    .rank = reader_rank_samples,
    .read = read_file,
};
