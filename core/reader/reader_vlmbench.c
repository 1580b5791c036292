/*
 * vlmbench: VLMEvalKit's benchmarks, DATASET.tsv: a question a row, the sample's key its `index`, the
 * picture as base64 in `image`, or the index of the row whose picture it is (up to 64 characters), or a
 * list of pictures; `image_path` beside or instead. Pictures become files of their own; where they are
 * left out (--images), a sample's picture goes by the name that VLMEvalKit gives the file, INDEX.jpg.
 *
 * A row is as long as its pictures and is let go before the next one. Rows that show the picture of one
 * that comes later wait for it without their pictures.
 */
#include "core/base/path.h"
#include "core/reader/embedded.h"
#include "core/reader/literal.h"
#include "core/reader/relay.h"
#include "core/reader/table.h"
#include "core/reader/vlmeval.h"

#define MAX_REFERENCE 64 /* characters of `image` that name another row */
#define MAX_PICTURES  64

static int probe(struct str path, struct str head)
{
	struct peek p;
	int score = 0;

	(void)path;
	peek_open(&p, head);
	if (p.shape == SHAPE_CSV && !p.headerless && peek_has(&p, "index") && peek_has(&p, "question") &&
	    (peek_has(&p, "image") || peek_has(&p, "image_path")) && !peek_has(&p, "prediction") &&
	    !peek_has(&p, "model") &&
	    (peek_has(&p, "answer") || peek_has(&p, "A") || peek_has(&p, "category") ||
	     peek_has(&p, "split") || p.delimiter == '\t'))
		score = 85;
	peek_release(&p);
	return score;
}

struct vlmbench {
	struct stored s; /* first */
	struct vlmeval_row row;
	struct intern indices;	      /* of rows with a picture of their own */
	VEC(struct str) pictures;     /* by indices, in s.arena */
	struct relay waiting;	      /* samples whose picture is another row's */
	VEC(struct str) wanted;	      /* by sample of these: that row's index, in s.arena */
	struct vlmeval_groups groups;
	uint64_t unshown;	      /* pictures that are none, or could not be kept */
};

static const struct cell *cell_of(struct vlmbench *v, const char *name)
{
	return row_find(&v->s.rows, &v->s.row, name);
}

/* --- pictures --- */

/* One text, or the items of a list that Python printed. */
static size_t items_of(struct vlmbench *v, const struct cell *c, struct str out[MAX_PICTURES])
{
	struct str text = cell_text(c);
	struct literal list;
	size_t n = 0;

	if (c && c->type == CELL_LIST) {
		for (const cJSON *i = c->json->child; i && n < MAX_PICTURES; i = i->next)
			out[n++] = str_trim(json_text(i));
	} else if (text.n && text.p[0] == '[' && literal_parse(text, &v->s.row.arena, &list)) {
		for (; n < list.items.n && n < MAX_PICTURES; n++)
			out[n] = str_trim(list.items.v[n]);
		literal_release(&list);
	} else if (text.n && !cell_blank(c)) {
		out[n++] = text;
	}
	return n;
}

static struct str file_name(struct vlmbench *v, struct str index)
{
	return str_z(arena_printf(&v->s.row.arena, "%.*s.jpg", (int)index.n, index.p));
}

/* The picture in the row, else the path beside it, else the name that the file would have. */
static struct str picture_of(struct vlmbench *v, struct str image, struct str path)
{
	struct str kept = STR_NONE;

	if (image.n)
		kept = embedded_picture(v->s.ctx, &v->s.row.arena, image, v->s.row.src);
	if (image.n && !kept.n && v->s.ctx->opt->pictures.n)
		v->unshown++;
	if (kept.n)
		return kept;
	kept = stored_picture(&v->s, path);
	return kept.n || !image.n ? kept : file_name(v, v->row.key);
}

static void own_pictures(struct vlmbench *v, struct rec_sample *out)
{
	struct str images[MAX_PICTURES], paths[MAX_PICTURES];
	size_t n = items_of(v, cell_of(v, "image"), images);
	size_t n_paths = items_of(v, cell_of(v, "image_path"), paths), all = n > n_paths ? n : n_paths;
	struct str *found = arena_zalloc(&v->s.row.arena, all + 1, sizeof *found);

	for (size_t i = 0; i < all; i++)
		found[i] = picture_of(v, i < n ? images[i] : STR_NONE, i < n_paths ? paths[i] : STR_NONE);
	stored_pictures(out, found, all);
	if (out->n_paths != 1 || intern_find(&v->indices, v->row.key) != INTERN_NONE)
		return;
	intern_add(&v->indices, v->row.key);
	vec_push(&v->pictures, arena_str(&v->s.arena, out->paths[0]));
}

/* The index of the row whose picture it is; empty: the row has its own, or none. */
static struct str other_row(struct vlmbench *v)
{
	struct str text = cell_text(cell_of(v, "image"));

	if (cell_blank(cell_of(v, "image")) || text.n > MAX_REFERENCE || text.p[0] == '[')
		return STR_NONE;
	return cell_key(&v->s.row.arena, cell_of(v, "image"));
}

static bool show_other(const struct vlmbench *v, struct str index, struct str *path,
		       struct rec_sample *out)
{
	uint32_t id = intern_find(&v->indices, index);

	if (id == INTERN_NONE)
		return false;
	*path = v->pictures.v[id];
	stored_pictures(out, path, 1);
	return true;
}

/* --- rows --- */

static enum status send(struct vlmbench *v, struct rec_sample *sample, struct err *err)
{
	struct stored *s = &v->s;
	struct str other = other_row(v), *path = arena_zalloc(&s->row.arena, 1, sizeof *path);

	if (!other.n) {
		own_pictures(v, sample);
		return sink_sample(s->ctx->sink, sample, err);
	}
	if (show_other(v, other, path, sample))
		return sink_sample(s->ctx->sink, sample, err);
	vec_push(&v->wanted, arena_str(&s->arena, other));
	return sink_sample(&v->waiting.sink, sample, err);
}

static enum status take(struct stored *s, struct err *err)
{
	static const char *const none[] = {NULL};
	struct vlmbench *v = (struct vlmbench *)s;
	struct rec_truth truth = {.layer = STR("original")};
	struct rec_sample sample = {.src = s->row.src, .creates = true, .declares = true};
	struct refs label;

	vlmeval_row(s, &v->row);
	if (!v->row.key.n) {
		report_add(s->ctx->report, PROBLEM_SKIPPED, s->row.src, "index",
			   "expected the question's index, got nothing");
		return OK;
	}
	if (s->ctx->opt->layer.n)
		truth.layer = s->ctx->opt->layer;
	vlmeval_question(s, &v->row, &sample);
	vlmeval_facets(s, &v->row, none);
	label = vlmeval_truth(s, &v->row);
	if (cell_blank(cell_of(v, "answer")))
		label.known = false;
	truth.refs = label.v;
	truth.n_refs = label.n;
	vlmeval_note_group(&v->groups, s, v->row.key);
	sample.key = v->row.key;
	sample.facets = s->facets.v;
	sample.n_facets = s->facets.n;
	sample.truths = &truth;
	sample.n_truths = label.known;
	return send(v, &sample, err);
}

/* --- what had to wait --- */

static enum status send_waiting(struct vlmbench *v, struct err *err)
{
	enum status st = OK;

	for (size_t i = 0; i < v->waiting.list.n && !st; i++) {
		struct rec_sample *sample = v->waiting.list.v[i].rec.sample;
		struct str path, wanted = v->wanted.v[i];

		if (!show_other(v, wanted, &path, sample))
			report_add(v->s.ctx->report, PROBLEM_WARNING, sample->src, "image",
				   "no row %.*s has a picture that this one could show",
				   (int)wanted.n, wanted.p);
		st = sink_sample(v->s.ctx->sink, sample, err);
	}
	return st;
}

static void release(struct vlmbench *v)
{
	intern_release(&v->indices);
	vec_release(&v->pictures);
	relay_release(&v->waiting);
	vec_release(&v->wanted);
	vlmeval_release_groups(&v->groups);
	stored_release(&v->s);
	free(v);
}

static enum status read_file(struct read_ctx *ctx, struct err *err)
{
	struct vlmbench *v = xcalloc(1, sizeof *v);
	enum status st;

	stored_init(&v->s, ctx);
	relay_init(&v->waiting);
	st = stored_rows(&v->s, take, err);
	if (!st)
		st = send_waiting(v, err);
	if (!st)
		st = vlmeval_send_groups(&v->groups, &v->s, err);
	if (!st && v->unshown)
		report_note(ctx->report, "%llu pictures inside could not be kept, or are none that can be shown",
			    (unsigned long long)v->unshown);
	release(v);
	return st;
}

const struct reader reader_vlmbench = {
    .name = "vlmbench",
    .help = "VLMEvalKit's benchmarks (TSV): questions with pictures as base64",
    .probe = probe,
    .rank = reader_rank_samples,
    .read = read_file,
};
