/*
 * mistakes: imagenet-mistakes (Vasudevan et al. 2022), what is left of a model's mistakes after a
 * look at each: an object by image of top_prediction, "failure category" and "failure severity"
 * (vit3b_mistakes.json). A run of the wrong answers alone; category and severity are of that model,
 * so their facets carry its name. class_confusion_*.json, counts of pairs of classes without images,
 * are told about and not kept.
 */
#include <inttypes.h>

#include "core/reader/stored.h"
#include "core/reader/table.h"

#define CATEGORY "failure category"
#define SEVERITY "failure severity"

/* [["n04525305", "n04554684", 1], …: names or wnids of two classes, how often. */
static bool is_confusion(struct str head)
{
	struct str rest = peek_skip_blanks(head);
	int strings = 0, digits = 0;
	bool inside = false;

	if (rest.n < 2 || rest.p[0] != '[')
		return false;
	rest = peek_skip_blanks((struct str){rest.p + 1, rest.n - 1});
	if (!rest.n || rest.p[0] != '[')
		return false;
	for (size_t i = 1; i < rest.n && i < 1000; i++) {
		char c = rest.p[i];

		if (c == ']' && !inside)
			return strings == 2 && digits > 0;
		if (c == '"') {
			inside = !inside;
			strings += !inside;
		} else if (!inside && c >= '0' && c <= '9') {
			if (strings != 2)
				return false;
			digits++;
		} else if (!inside && !memchr(", \t\r\n", c, 5)) {
			return false;
		}
	}
	return false;
}

static int probe(struct str path, struct str head)
{
	struct peek p;
	bool mine;

	(void)path;
	peek_open(&p, head);
	mine = p.shape == SHAPE_OBJECT && peek_has(&p, "top_prediction") && peek_has(&p, CATEGORY);
	peek_release(&p);
	return mine || is_confusion(head) ? 100 : 0;
}

struct mistakes {
	struct stored s; /* first */
	struct stored_run run;
	const char *category, *severity; /* names of facets */
	uint64_t pairs, confused;
};

static double severity_number(struct str word)
{
	static const char *const words[] = {"minor", "borderline", "major"};

	for (int i = 0; i < 3; i++)
		if (str_eq_nocase(word, str_z(words[i])))
			return i + 1;
	return NAN;
}

static struct str text_of(struct mistakes *m, const char *field)
{
	return cell_text(row_find(&m->s.rows, &m->s.row, field));
}

static void answer_of(struct mistakes *m, struct rec_prediction *out)
{
	const struct cell *c = row_find(&m->s.rows, &m->s.row, "top_prediction");
	struct refs refs = refs_from_cell(&m->s.row.arena, c);

	out->raw = cell_text(c);
	out->outcome = refs.n ? OUTCOME_ANSWERED : out->raw.n ? OUTCOME_OOP : OUTCOME_EMPTY;
	out->refs = refs.v;
	out->n_refs = refs.n;
}

/* Where something has declared the samples, the row only adds its facets to the one it means. */
static enum status take(struct stored *s, struct err *err)
{
	struct mistakes *m = (struct mistakes *)s;
	struct str key = path_with_slashes(&s->row.arena, str_trim(s->row.key)), severity = text_of(m, SEVERITY);
	struct rec_sample sample = {.src = s->row.src, .key = imagenet_key(key), .media = MEDIA_IMAGE,
				    .paths = &key, .n_paths = 1,
				    .creates = sink_wants_samples(s->ctx->sink)};
	struct rec_prediction out;
	enum status st;

	if (!key.n) {
		report_add(s->ctx->report, PROBLEM_SKIPPED, s->row.src, "", "expected the image's name as key");
		return OK;
	}
	rec_prediction_init(&out);
	out.src = s->row.src;
	out.key = sample.key;
	answer_of(m, &out);
	stored_facet(s, m->category, text_of(m, CATEGORY));
	stored_facet(s, m->severity, severity);
	sample.facets = s->facets.v;
	sample.n_facets = s->facets.n;
	out.sample = &sample;
	if (severity_number(severity) > 0)
		vec_push(&s->numbers, ((struct rec_number){STR("severity"), severity_number(severity)}));
	out.numbers = s->numbers.v;
	out.n_numbers = s->numbers.n;
	st = stored_run(s, &m->run, &out.run, err);
	return st ? st : sink_prediction(s->ctx->sink, &out, err);
}

/* --- pairs of classes --- */

static enum status count_pair(struct stored *s, const struct stored_value *v, struct err *err)
{
	struct mistakes *m = (struct mistakes *)s;
	const cJSON *times = cJSON_GetArraySize(v->tree) == 3 ? v->tree->child->next->next : NULL;
	double n;

	(void)err;
	s->ctx->report->rows++;
	if (json_number(times, &n) && n >= 0 && n < 1e9) {
		m->pairs++;
		m->confused += (uint64_t)n;
	} else {
		report_add(s->ctx->report, PROBLEM_SKIPPED, s->row.src, "",
			   "expected two classes and how often they were confused");
	}
	return OK;
}

static enum status read_confusion(struct mistakes *m, struct err *err)
{
	enum status st = stored_values(&m->s, NULL, count_pair, err);

	if (!st)
		report_note(m->s.ctx->report,
			    "%" PRIu64 " pairs of classes, confused %" PRIu64 " times, but no images: there is "
			    "nothing to keep; the files of mistakes have the images",
			    m->pairs, m->confused);
	return st;
}

static enum status read_file(struct read_ctx *ctx, struct err *err)
{
	struct mistakes *m = xcalloc(1, sizeof *m);
	struct str model = reader_model(ctx->opt, str_z(ctx->in->path));
	enum status st;

	stored_init(&m->s, ctx);
	m->run.rec.list_rule = LIST_ANY_HIT;
	m->category = arena_printf(&m->s.arena, "%.*s_failure", STR_ARG(model));
	m->severity = arena_printf(&m->s.arena, "%.*s_severity", STR_ARG(model));
	if (is_confusion(buf_view(&ctx->in->head)))
		st = read_confusion(m, err);
	else
		st = stored_rows(&m->s, take, err);
	stored_release(&m->s);
	free(m);
	return st;
}

const struct reader reader_mistakes = {
    .name = "mistakes",
    .help = "imagenet-mistakes: a model's wrong answers with the kind of failure (JSON)",
    .probe = probe,
    .rank = stored_rank,
    .read = read_file,
};
