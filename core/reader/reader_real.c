/*
 * real: ReaL's real.json, one list of class indices for each ImageNet validation image in the
 * order of file names ("Are we done with ImageNet?", Beyer et al. 2020).
 */
#include <inttypes.h>

#include "core/reader/rows.h"
#include "core/reader/table.h"

#define N_IMAGES 50000
#define N_CLASSES 1000
#define MAX_LABELS 1000
#define PROBE_BYTES 4096

static int probe(struct str path, struct str head)
{
	struct str s = peek_skip_blanks(head), rest;
	size_t lists = 0;

	(void)path;
	if (s.n < 2 || s.p[0] != '[')
		return 0;
	rest = peek_skip_blanks((struct str){s.p + 1, s.n - 1});
	if (!rest.n || rest.p[0] != '[')
		return 0;
	for (size_t i = 0; i < s.n && i < PROBE_BYTES; i++) {
		if (!memchr("0123456789,[]- \t\r\n", s.p[i], 18))
			return 0;
		lists += s.p[i] == '[';
	}
	return lists > 1 ? 95 : 0;
}

static enum rank rank(struct str path, struct str head)
{
	(void)path;
	(void)head;
	return RANK_TRUTH;
}

struct real {
	struct read_ctx *ctx;
	struct str layer;
	struct class_ref refs[MAX_LABELS];
};

/* false: reported. */
static bool read_list(struct real *r, struct str text, struct src src, size_t *n)
{
	struct err why = ERR_INIT;
	const cJSON *item;
	cJSON *list = NULL;
	bool ok = json_parse(text, &list, &why) == OK;

	*n = 0;
	if (ok && !cJSON_IsArray(list))
		ok = err_set(&why, E_FORMAT, "expected a list of class indices") == OK;
	for (item = ok ? list->child : NULL; item && ok; item = item->next) {
		double v;

		if (!json_number(item, &v) || v < 0 || v >= N_CLASSES || v != (double)(int)v)
			ok = err_set(&why, E_FORMAT, "expected class indices from 0 to %d",
				     N_CLASSES - 1) == OK;
		else if (*n == MAX_LABELS)
			ok = err_set(&why, E_LIMIT, "more than %d labels", MAX_LABELS) == OK;
		else
			r->refs[(*n)++] = (struct class_ref){.kind = CLASS_BY_INDEX,
							     .index = (int64_t)v};
	}
	if (!ok)
		report_add(r->ctx->report, PROBLEM_SKIPPED, src, "labels", "%s", why.msg);
	cJSON_Delete(list);
	return ok;
}

static enum status send(struct real *r, uint64_t number, struct src src, size_t n, struct err *err)
{
	char key[40];
	struct rec_truth truth = {.layer = r->layer, .refs = r->refs, .n_refs = n};
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
	return sink_sample(r->ctx->sink, &rec, err);
}

static enum status read_lists(struct real *r, struct json_slice *slice, struct err *err)
{
	uint64_t number = 0;
	struct str text;
	bool more = true;
	enum status st;

	for (;;) {
		struct err why = ERR_INIT;
		struct src src;
		size_t n;

		st = json_slice_next(slice, &text, &more, &why);
		if (st == E_FORMAT && number) {
			report_add(r->ctx->report, PROBLEM_SKIPPED,
				   (struct src){slice->at_line, slice->at_byte}, "", "%s", why.msg);
			break;
		}
		if (st) {
			*err = why;
			return st;
		}
		if (!more)
			break;
		src = (struct src){slice->line, slice->byte};
		number++;
		r->ctx->report->rows++;
		if (read_list(r, text, src, &n) && (st = send(r, number, src, n, err)) != OK)
			return st;
	}
	if (number != N_IMAGES)
		report_note(r->ctx->report, "expected %d lists, got %" PRIu64, N_IMAGES, number);
	return OK;
}

static enum status read_file(struct read_ctx *ctx, struct err *err)
{
	struct real *r = xcalloc(1, sizeof *r);
	struct json_slice slice;
	enum status st;

	r->ctx = ctx;
	ctx->report->by_position = true;
	r->layer = ctx->opt->layer.n ? ctx->opt->layer : STR("reannotated");
	json_slice_init(&slice, ctx->in);
	st = sink_preset(ctx->sink, STR("real"), err);
	if (!st)
		st = read_lists(r, &slice, err);
	json_slice_release(&slice);
	free(r);
	return st;
}

const struct reader reader_real = {
    .name = "real",
    .help = "ReaL labels of the ImageNet validation set (real.json)",
    .probe = probe,
    .rank = rank,
    .read = read_file,
};
