/*
 * vlmeval: VLMEvalKit's files of predictions, {model}/{…}/{model}_{dataset}.xlsx, .tsv or .json: the
 * benchmark's columns and `prediction`; evaluated ones have `hit` or `extracted` and `score`
 * beside it. `answer` is a letter of the options, or a text.
 */
#include "core/base/path.h"
#include "core/reader/naming.h"
#include "core/reader/table.h"
#include "core/reader/vlmeval.h"

#define CELL_MAX_CHARACTERS 32767 /* of Excel */

static int probe(struct str path, struct str head)
{
	static const char *const benchmark[] = {"A", "category", "l2-category", "split", "hint",
						"image_path", "hit", "extracted"};
	struct peek p;
	int score = 0, seen = 0;

	(void)path;
	peek_open(&p, head);
	for (size_t i = 0; i < sizeof benchmark / sizeof *benchmark; i++)
		seen += peek_has(&p, benchmark[i]);
	if ((p.shape == SHAPE_CSV || p.shape == SHAPE_ARRAY) && !p.headerless &&
	    peek_has(&p, "index") && peek_has(&p, "prediction") && peek_has(&p, "question") &&
	    seen && !peek_has(&p, "model"))
		score = 80;
	peek_release(&p);
	return score;
}

struct vlmeval {
	struct stored s; /* first */
	struct str model, dataset;
	struct vlmeval_row row;
	struct vlmeval_groups groups;
};

/* The file's name begins with that of a folder above: the model's. What follows is the dataset,
 * and what an evaluation has put behind it. */
static void names_of(struct vlmeval *v)
{
	struct str stem = path_stem(path_base(str_z(v->s.ctx->in->path)));

	for (int above = 0; above < 4; above++) {
		struct str folder = stored_folder(&v->s, above);

		if (folder.n && folder.n + 1 < stem.n && str_starts(stem, folder) &&
		    stem.p[folder.n] == '_') {
			v->model = folder;
			v->dataset = naming_without_judge(
			    (struct str){stem.p + folder.n + 1, stem.n - folder.n - 1});
			return;
		}
	}
}

/* Of the answer: numbers and details; the rest describes the question. */
static const char *const of_answer[] = {"hit", "score", "log", "thinking", "extra_records",
					"res", "judge", NULL};

static bool is_refusal(struct str text)
{
	static const char *const list[] = {
	    "Sorry, I can't help with images of people yet.",
	    "I can't process this file.",
	    "I'm sorry, but without the image provided",
	};

	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		if (str_find(text, str_z(list[i])) != SIZE_MAX)
			return true;
	return false;
}

static bool is_cut(struct str text)
{
	size_t n = 0;

	if (text.n < CELL_MAX_CHARACTERS)
		return false;
	for (size_t i = 0; i < text.n; i++)
		n += ((unsigned char)text.p[i] & 0xc0) != 0x80;
	return n == CELL_MAX_CHARACTERS;
}

/* What the judge extracted counts, where the file has it; Z and Unknown say that it found none. */
static void answer_of(struct vlmeval *v, struct rec_prediction *out)
{
	struct stored *s = &v->s;
	const struct cell *said = row_find(&s->rows, &s->row, "prediction");
	const struct cell *found = row_find(&s->rows, &s->row, "extracted");

	out->raw = cell_text(said);
	if (is_cut(out->raw)) {
		report_add(s->ctx->report, PROBLEM_WARNING, s->row.src, "prediction",
			   "is %d characters long, which is where Excel cuts a cell",
			   CELL_MAX_CHARACTERS);
		vec_push(&s->numbers, ((struct rec_number){STR("cut"), 1}));
	}
	if (!cell_blank(found) && !stored_is_failure(out->raw)) {
		out->extracted = cell_text(found);
		if (str_eqz(out->extracted, "Z") || str_eq_nocase(out->extracted, STR("Unknown")))
			out->outcome = OUTCOME_UNPARSED;
	} else if (is_refusal(out->raw)) {
		out->outcome = OUTCOME_REFUSED;
	}
	stored_answer(s, v->row.options, v->row.n_options, out);
}

static void sample_of(struct vlmeval *v, struct rec_sample *out)
{
	struct stored *s = &v->s;
	static const char *const paths[] = {"image_path", "video_path", "video"};
	struct str *path = arena_zalloc(&s->row.arena, 1, sizeof *path);

	for (size_t i = 0; i < sizeof paths / sizeof *paths && !path->n; i++)
		*path = cell_text(row_find(&s->rows, &s->row, paths[i]));
	/* several paths stand in a list, which one path is not */
	if (path->n && path->p[0] != '[' && path->n < 4096) {
		*path = path_with_slashes(&s->row.arena, *path);
		out->paths = path;
		out->n_paths = 1;
		out->media = looks_like_video(*path) ? MEDIA_VIDEO : MEDIA_IMAGE;
	}
	vlmeval_question(s, &v->row, out);
}

static enum status take(struct stored *s, struct err *err)
{
	struct vlmeval *v = (struct vlmeval *)s;
	/* a file and the one that an evaluation made of it say each a part */
	struct stored_run run = {.rec = {.model = v->model, .staged = true}};
	struct rec_truth truth = {.layer = STR("original")};
	struct rec_prediction out;
	struct rec_sample sample = {.media = MEDIA_NONE};
	struct refs label;
	enum status st;

	rec_prediction_init(&out);
	vlmeval_row(s, &v->row);
	out.key = v->row.key;
	if (!out.key.n) {
		report_add(s->ctx->report, PROBLEM_SKIPPED, s->row.src, "index",
			   "expected the question's index, got nothing");
		return OK;
	}
	answer_of(v, &out);
	sample_of(v, &sample);
	vlmeval_facets(s, &v->row, of_answer);
	if (sink_wants_samples(s->ctx->sink))
		vlmeval_note_group(&v->groups, s, v->row.key);
	label = vlmeval_truth(s, &v->row);
	truth.refs = label.v;
	truth.n_refs = label.n;
	sample.truths = &truth;
	sample.n_truths = label.known;
	/* by the columns, not the row: open questions stand between the others in one run */
	if (row_find(&s->rows, &s->row, "A") && row_find(&s->rows, &s->row, "B"))
		run.rec.protocol = STR("MC");
	st = stored_run(s, &run, &out.run, err);
	return st ? st : stored_send(s, &out, &sample, err);
}

static enum status read_file(struct read_ctx *ctx, struct err *err)
{
	struct vlmeval *v = xcalloc(1, sizeof *v);
	enum status st;

	stored_init(&v->s, ctx);
	names_of(v);
	sink_task(ctx->sink, v->dataset);
	st = stored_rows(&v->s, take, err);
	if (!st)
		st = vlmeval_send_groups(&v->groups, &v->s, err);
	vlmeval_release_groups(&v->groups);
	stored_release(&v->s);
	free(v);
	return st;
}

const struct reader reader_vlmeval = {
    .name = "vlmeval",
    .help = "VLMEvalKit's predictions (TSV, JSON, XLSX), evaluated or not",
    .probe = probe,
    .rank = stored_rank,
    .read = read_file,
};
