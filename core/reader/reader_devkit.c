/*
 * devkit: ILSVRC2012_validation_ground_truth.txt: one number of 1..1000 a line, in the ILSVRC
 * devkit's own numbering of classes (which is not the sorted order of wnids).
 */
#include <inttypes.h>

#include "core/base/path.h"
#include "core/reader/inorder.h"
#include "core/reader/table.h"
#include "core/text/input.h"

#define N_IMAGES 50000
#define N_CLASSES 1000
/* So many lines of plain numbers are no class list; fewer need the file's name as a hint. */
#define MIN_LINES 100
/* So many different ones are no labels of a few classes. */
#define MIN_DIFFERENT 500

static bool number_of(struct str line, int64_t *out)
{
	return str_int(str_trim(line), out) && *out >= 1 && *out <= N_CLASSES;
}

static int probe(struct str path, struct str head)
{
	bool named = str_find_nocase(path_base(path), STR("ground_truth")) != SIZE_MAX;
	bool ilsvrc = str_find_nocase(path_base(path), STR("ilsvrc")) != SIZE_MAX;
	size_t lines = 0, start = 0;
	struct inorder column;
	int64_t number;

	for (size_t i = 0; i < head.n; i++) {
		struct str line = {head.p + start, i - start};

		if (head.p[i] != '\n' && head.p[i] != '\r')
			continue;
		start = i + 1;
		if (!str_trim(line).n)
			continue;
		if (!number_of(line, &number))
			return 0;
		lines++;
	}
	if (!(named && ilsvrc) && inorder_look(head, &column) && column.distinct < MIN_DIFFERENT)
		return 0;
	return lines >= MIN_LINES ? 95 : named && lines ? 90 : 0;
}

static enum status send(struct read_ctx *ctx, uint64_t number, struct str code, struct src src,
			struct err *err)
{
	char key[40];
	struct class_ref ref = {.kind = CLASS_BY_CODE, .text = code, .scheme = STR("ilsvrc")};
	struct rec_truth truth = {
	    .layer = ctx->opt->layer.n ? ctx->opt->layer : STR("original"),
	    .refs = &ref,
	    .n_refs = 1,
	};
	struct rec_sample rec = {
	    .src = src,
	    .media = MEDIA_IMAGE,
	    .truths = &truth,
	    .n_truths = 1,
	    .creates = true,
	    .declares = true,
	};

	snprintf(key, sizeof key, "ILSVRC2012_val_%08" PRIu64, number);
	rec.key = str_z(key);
	return sink_sample(ctx->sink, &rec, err);
}

static enum status read_lines(struct read_ctx *ctx, struct lines *lines, struct err *err)
{
	uint64_t images = 0, blank = 0;
	struct line line;
	bool more = true;
	enum status st;

	while ((st = lines_next(lines, &line, &more, err)) == OK && more) {
		struct str code = str_trim(line.text);
		struct src src = {line.number, line.byte};
		int64_t number;

		if (!code.n) {
			blank++;
			continue;
		}
		/* The position of a line is the image: a blank one in between is a hole. */
		images += blank + 1;
		blank = 0;
		ctx->report->rows++;
		if (!number_of(code, &number))
			report_add(ctx->report, PROBLEM_SKIPPED, src, "label",
				   "expected a number from 1 to %d", N_CLASSES);
		else if ((st = send(ctx, images, code, src, err)) != OK)
			return st;
	}
	if (!st && images != N_IMAGES)
		report_note(ctx->report, "expected %d lines, got %" PRIu64, N_IMAGES, images);
	return st;
}

static enum status read_file(struct read_ctx *ctx, struct err *err)
{
	struct lines lines;
	enum status st;

	ctx->report->by_position = true;
	lines_init(&lines, ctx->in);
	st = read_lines(ctx, &lines, err);
	lines_release(&lines);
	return st;
}

const struct reader reader_devkit = {
    .name = "devkit",
    .help = "ILSVRC2012 validation ground truth: a devkit class id of 1..1000 a line",
    .probe = probe,
    .rank = reader_rank_samples,
    .read = read_file,
};
