/*
 * artemis: ArtEmis, a row for each person who looked at a painting: art_style, painting, emotion,
 * utterance, repetition. A painting is a sample, what its people felt is a layer of votes, what they
 * said is kept beside it. Rows of one painting need not follow one another, so that all is gathered
 * before anything is handed over.
 */
#include "core/base/path.h"
#include "core/reader/emotions.h"
#include "core/reader/stored.h"
#include "core/reader/table.h"

#define N_EMOTIONS     9
#define PAINTINGS_MAX  1000000
#define UTTERANCES_MAX ((size_t)1 << 20) /* bytes a painting */
#define ALL_MAX	       ((size_t)1 << 30)

static int probe(struct str path, struct str head)
{
	struct peek p;
	bool mine;

	(void)path;
	peek_open(&p, head);
	mine = p.shape == SHAPE_CSV && peek_has(&p, "art_style") && peek_has(&p, "painting") &&
	       peek_has(&p, "emotion");
	peek_release(&p);
	return mine ? 100 : 0;
}

struct painting {
	struct src src;
	struct str style, name;
	double votes[N_EMOTIONS];
	struct buf said; /* members of a JSON list */
};

struct artemis {
	struct stored s; /* first */
	struct intern keys;
	VEC(struct painting) paintings; /* by keys */
	size_t bytes;			/* of all that was said */
	uint64_t left_out;
};

/* --- gathering --- */

static struct painting *painting_of(struct artemis *a, struct str style, struct str name)
{
	struct stored *s = &a->s;
	struct str key = str_z(arena_printf(&s->row.arena, "%.*s/%.*s", STR_ARG(style), STR_ARG(name)));
	size_t known = a->keys.keys.n;
	uint32_t at = intern_add(&a->keys, key);

	if (at == known)
		vec_push(&a->paintings, ((struct painting){.src = s->row.src,
							   .style = arena_str(&s->arena, style),
							   .name = arena_str(&s->arena, name),
							   .said.max = UTTERANCES_MAX}));
	return &a->paintings.v[at];
}

static void keep_utterance(struct artemis *a, struct painting *p, struct str emotion)
{
	struct stored *s = &a->s;
	struct str said = cell_text(row_find(&s->rows, &s->row, "utterance"));
	size_t before = p->said.n;

	if (!said.n)
		return;
	if (p->said.n)
		buf_ch(&p->said, ',');
	buf_ch(&p->said, '{');
	json_quote(&p->said, emotion);
	buf_ch(&p->said, ':');
	json_quote(&p->said, said);
	buf_ch(&p->said, '}');
	if (p->said.failed || a->bytes + p->said.n - before > ALL_MAX) {
		p->said.n = before;
		p->said.failed = false;
		a->left_out++;
	}
	a->bytes += p->said.n - before;
}

static enum status take(struct stored *s, struct err *err)
{
	struct artemis *a = (struct artemis *)s;
	struct str style = cell_text(row_find(&s->rows, &s->row, "art_style"));
	struct str name = cell_text(row_find(&s->rows, &s->row, "painting"));
	struct str emotion = cell_text(row_find(&s->rows, &s->row, "emotion"));
	size_t class = emotions_by_name(&emotions_artemis, emotion);
	struct painting *p;

	if (!name.n || name.n > 2000 || style.n > 200) {
		report_add(s->ctx->report, PROBLEM_SKIPPED, s->row.src, "painting", "expected a painting's name");
		return OK;
	}
	if (class == SIZE_MAX) {
		report_add(s->ctx->report, PROBLEM_SKIPPED, s->row.src, "emotion",
			   "\"%.*s\" is none of the nine answers", (int)(emotion.n < 80 ? emotion.n : 80),
			   emotion.p ? emotion.p : "");
		return OK;
	}
	if (a->paintings.n >= PAINTINGS_MAX)
		return err_set(err, E_LIMIT, "more than %d paintings", PAINTINGS_MAX);
	p = painting_of(a, style, name);
	p->votes[class]++;
	keep_utterance(a, p, emotions_ref(&emotions_artemis, class).text);
	return OK;
}

/* --- handing over --- */

static enum status send(struct artemis *a, uint32_t i, struct err *err)
{
	struct stored *s = &a->s;
	struct painting *p = &a->paintings.v[i];
	struct class_ref refs[N_EMOTIONS];
	struct rec_truth truth = {s->ctx->opt->layer.n ? s->ctx->opt->layer : STR("original"), refs, N_EMOTIONS,
				  p->votes};
	struct str path = STR_NONE;
	struct rec_sample rec = {.src = p->src, .key = intern_key(&a->keys, i), .media = MEDIA_IMAGE,
				 .paths = &path, .n_paths = 1, .truths = &truth, .n_truths = 1, .creates = true,
				 .declares = true};

	stored_next(s, p->src);
	for (size_t k = 0; k < N_EMOTIONS; k++)
		refs[k] = emotions_ref(&emotions_artemis, k);
	path = looks_like_image(p->name) ? intern_key(&a->keys, i)
					 : str_z(arena_printf(&s->row.arena, "%.*s.jpg", STR_ARG(rec.key)));
	stored_facet(s, "art_style", p->style);
	rec.facets = s->facets.v;
	rec.n_facets = s->facets.n;
	if (p->said.n)
		rec.extra = str_z(arena_printf(&s->row.arena, "{\"utterances\":[%.*s]}", STR_ARG(buf_view(&p->said))));
	return sink_sample(s->ctx->sink, &rec, err);
}

static enum status read_file(struct read_ctx *ctx, struct err *err)
{
	struct artemis *a = xcalloc(1, sizeof *a);
	enum status st;

	stored_init(&a->s, ctx);
	st = stored_rows(&a->s, take, err);
	if (!st && a->paintings.n)
		st = emotions_send(&emotions_artemis, ctx->sink, a->paintings.v[0].src, err);
	for (uint32_t i = 0; i < a->paintings.n && !st; i++)
		st = send(a, i, err);
	if (!st && a->left_out)
		report_note(ctx->report, "%llu utterances are not kept: more than %zu bytes of one painting, or %zu of "
			    "all", (unsigned long long)a->left_out, UTTERANCES_MAX, ALL_MAX);
	for (size_t i = 0; i < a->paintings.n; i++)
		buf_release(&a->paintings.v[i].said);
	vec_release(&a->paintings);
	intern_release(&a->keys);
	stored_release(&a->s);
	free(a);
	return st;
}

const struct reader reader_artemis = {
    .name = "artemis",
    .help = "ArtEmis: what people felt and said before paintings, votes for nine emotions",
    .probe = probe,
    .rank = reader_rank_samples,
    .read = read_file,
};
