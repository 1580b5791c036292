/*
 * imagewikiqa: ImageWikiQA (Zhang et al. 2024), questions about what Wikipedia says of the object in an
 * ImageNet picture: image, text (question, the options "A. …" a line each, a last line that asks for a
 * letter), label, wiki, classname. Some pictures are asked about several times: the first question has
 * the picture's key, the others KEY#1, KEY#2 in their order.
 */
#include "core/base/path.h"
#include "core/reader/stored.h"
#include "core/reader/table.h"

#define MAX_OPTIONS 26

static int probe(struct str path, struct str head)
{
	struct peek p;
	int score;

	(void)path;
	peek_open(&p, head);
	score = p.shape != SHAPE_TEXT && peek_has(&p, "image") && peek_has(&p, "text") && peek_has(&p, "label") &&
			peek_has(&p, "wiki") && peek_has(&p, "classname")
		    ? 100
		    : 0;
	peek_release(&p);
	return score;
}

struct wikiqa {
	struct stored s; /* first */
	struct intern images;
	VEC(uint32_t) asked; /* by images: questions so far */
	struct str options[MAX_OPTIONS];
	size_t n_options;
};

static struct str text_of(struct wikiqa *w, const char *field)
{
	return cell_text(row_find(&w->s.rows, &w->s.row, field));
}

static bool is_option(struct str line, size_t k)
{
	return k < MAX_OPTIONS && line.n > 2 && line.p[0] == (char)('A' + (int)k) && line.p[1] == '.' &&
	       line.p[2] == ' ';
}

/* Takes the options out of the text; what stands before them is the question. Without two of them all
 * of it is. */
static struct str question_of(struct wikiqa *w, struct str text)
{
	struct str rest = text, line, question = text;

	w->n_options = 0;
	while (rest.p) {
		rest = str_cut(rest, '\n', &line);
		if (is_option(line, w->n_options)) {
			if (!w->n_options)
				question.n = (size_t)(line.p - text.p);
			w->options[w->n_options++] = str_trim((struct str){line.p + 2, line.n - 2});
		}
	}
	if (w->n_options < 2)
		w->n_options = 0;
	return w->n_options ? str_trim(question) : text;
}

static struct str key_of(struct wikiqa *w, struct str image)
{
	struct str key = path_stem(path_base(image));
	uint32_t id = intern_add(&w->images, key), before;

	while (w->asked.n <= id)
		vec_push(&w->asked, 0);
	before = w->asked.v[id]++;
	return before ? str_z(arena_printf(&w->s.row.arena, "%.*s#%u", (int)(key.n < 4000 ? key.n : 4000), key.p,
					   before))
		      : key;
}

static struct refs label_of(struct wikiqa *w)
{
	struct str text = text_of(w, "label");

	if (w->n_options && choice_option(text, w->options, w->n_options) == SIZE_MAX) {
		report_add(w->s.ctx->report, PROBLEM_WARNING, w->s.row.src, "label", "expected one of the options");
		return (struct refs){0};
	}
	return stored_truth_text(&w->s, text, w->options, w->n_options);
}

static struct str extra_of(struct wikiqa *w)
{
	struct str wiki = text_of(w, "wiki");
	struct buf *out = &w->s.details;

	if (!wiki.n)
		return STR_NONE;
	buf_z(out, "{\"wiki\":");
	json_quote(out, wiki);
	buf_ch(out, '}');
	return buf_view(out);
}

static enum status take(struct stored *s, struct err *err)
{
	struct wikiqa *w = (struct wikiqa *)s;
	struct str image = path_with_slashes(&s->row.arena, text_of(w, "image"));
	struct rec_truth truth = {.layer = s->ctx->opt->layer.n ? s->ctx->opt->layer : STR("original")};
	struct rec_sample rec = {.src = s->row.src, .media = MEDIA_IMAGE, .paths = &image, .n_paths = 1,
				 .text_kind = TEXT_QUESTION, .options = w->options, .truths = &truth,
				 .creates = true, .declares = true};
	struct refs label;

	if (!path_base(image).n) {
		report_add(s->ctx->report, PROBLEM_SKIPPED, s->row.src, "image", "expected the picture's path");
		return OK;
	}
	rec.key = key_of(w, image);
	rec.text = question_of(w, text_of(w, "text"));
	rec.n_options = w->n_options;
	label = label_of(w);
	truth.refs = label.v;
	truth.n_refs = label.n;
	rec.n_truths = label.n > 0;
	stored_facet(s, "classname", text_of(w, "classname"));
	rec.facets = s->facets.v;
	rec.n_facets = s->facets.n;
	rec.extra = extra_of(w);
	return sink_sample(s->ctx->sink, &rec, err);
}

static enum status read_file(struct read_ctx *ctx, struct err *err)
{
	struct wikiqa *w = xcalloc(1, sizeof *w);
	enum status st;

	stored_init(&w->s, ctx);
	st = stored_rows(&w->s, take, err);
	stored_release(&w->s);
	intern_release(&w->images);
	vec_release(&w->asked);
	free(w);
	return st;
}

const struct reader reader_imagewikiqa = {
    .name = "imagewikiqa",
    .help = "ImageWikiQA: questions with options about ImageNet pictures (JSONL)",
    .probe = probe,
    .rank = reader_rank_samples,
    .read = read_file,
};
