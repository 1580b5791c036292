/* inorder: labels or answers alone, see inorder.h. What they are is said by the options, the header or
 * the file's name; else they are answers, as these can be taken away again. */
#include "core/reader/inorder.h"

#include <inttypes.h>

#include "core/base/path.h"
#include "core/base/utf8.h"
#include "core/reader/guess.h"
#include "core/reader/literal.h"
#include "core/reader/stored.h"
#include "core/reader/table.h"

#define LEAST_ITEMS  4
#define LONGEST_ITEM 200 /* bytes; of what repeats */
#define SCORE_NAMED  70
#define SCORE_PLAIN  24 /* below what a file in a folder must have: any log has lines that repeat */

/* --- what it is --- */

static bool is_number(struct str text)
{
	double value;

	return str_num(text, &value);
}

/* As CSV or Python may write it, too. */
static struct str unquoted(struct str text)
{
	text = str_trim(text);
	if (text.n >= 2 && (text.p[0] == '"' || text.p[0] == '\'') && text.p[text.n - 1] == text.p[0])
		return str_trim((struct str){text.p + 1, text.n - 2});
	return text;
}

static bool is_header(struct str line, struct inorder *out)
{
	switch (guess_role(line).role) {
	case ROLE_PREDICTION:
	case ROLE_PREDICTION_INDEX:
	case ROLE_ANSWER:
	case ROLE_RAW:
		out->answers = true;
		return true;
	case ROLE_LABEL:
	case ROLE_LABEL_INDEX:
		return true;
	default:
		return false;
	}
}

/* false: it is no label. */
static bool count(struct intern *seen, struct str item, struct inorder *out)
{
	if (item.n > LONGEST_ITEM || memchr(item.p, '\t', item.n) || utf8_valid_prefix(item) < item.n)
		return false;
	out->numbers &= is_number(item);
	intern_add(seen, item);
	out->n++;
	return true;
}

static bool look_at_lines(struct str head, struct intern *seen, struct inorder *out)
{
	char end = memchr(head.p, '\n', head.n) ? '\n' : '\r';
	struct str line, rest = head;

	while (rest.p) {
		rest = str_cut(rest, end, &line);
		if (!rest.p && head.n >= INPUT_HEAD)
			break; /* may be cut off */
		line = unquoted(line);
		if (!line.n)
			continue;
		if (!out->n && !out->header && is_header(line, out))
			out->header = true;
		else if (!count(seen, line, out))
			return false;
	}
	return true;
}

static bool look_at_list(struct str head, struct intern *seen, struct inorder *out)
{
	struct str s = peek_skip_blanks((struct str){head.p + 1, head.n - 1});
	size_t n;

	while (s.n && s.p[0] != ']' && (n = peek_json_span(s)) > 0) {
		struct str item = {s.p, n};

		if (s.p[0] == '{' || s.p[0] == '[' || !count(seen, unquoted(item), out))
			return false;
		s = peek_skip_blanks((struct str){s.p + n, s.n - n});
		if (s.n && s.p[0] == ',')
			s = peek_skip_blanks((struct str){s.p + 1, s.n - 1});
	}
	return true;
}

bool inorder_look(struct str head, struct inorder *out)
{
	struct intern seen = INTERN_INIT;
	struct str s = peek_skip_blanks(head);
	bool is;

	*out = (struct inorder){.numbers = true};
	if (!s.n || s.p[0] == '{')
		return false;
	out->list = s.p[0] == '[';
	is = out->list ? look_at_list(s, &seen, out) : look_at_lines(head, &seen, out);
	out->distinct = seen.keys.n;
	out->numbers &= out->n > 0;
	intern_release(&seen);
	return is && out->n >= LEAST_ITEMS && out->distinct * 2 <= out->n;
}

static bool is_called(struct str path, const char *const *words)
{
	struct str base = path_base(path);

	for (; *words; words++)
		if (str_find_nocase(base, str_z(*words)) != SIZE_MAX)
			return true;
	return false;
}

static const char *const answer_words[] = {"pred", "answer", "output", "response", "result", "generat", NULL};
static const char *const label_words[] = {"label", "truth", "target", "annot", "class", "categor", "gt", NULL};

static bool are_answers(const struct read_options *opt, struct str path, const struct inorder *look)
{
	if (opt->layer.n)
		return false;
	if (opt->model.n || opt->run.n)
		return true;
	if (look->header)
		return look->answers;
	return is_called(path, answer_words) || !is_called(path, label_words);
}

static int probe(struct str path, struct str head)
{
	struct inorder look;
	struct peek p;
	bool table;

	if (!inorder_look(head, &look))
		return 0;
	peek_open(&p, head);
	table = p.shape == SHAPE_CSV && p.n > 1;
	peek_release(&p);
	if (table)
		return 0;
	return look.header || is_called(path, answer_words) || is_called(path, label_words) ? SCORE_NAMED
											     : SCORE_PLAIN;
}

static enum rank rank(struct str path, struct str head)
{
	struct inorder look;
	struct read_options none = {0};

	inorder_look(head, &look);
	return are_answers(&none, path, &look) ? RANK_PREDICTIONS : RANK_TRUTH;
}

/* --- reading --- */

struct in_order {
	struct stored s; /* first */
	struct inorder look;
	bool answers;
	struct buf printed; /* an item of a list that Python printed */
	uint64_t n; /* items so far: an item's place counts from 1 */
};

/* A whole number of a table that has gaps: "2.0". */
static struct str whole(struct str text)
{
	struct str front, behind = str_cut(text, '.', &front);

	return behind.n == 1 && behind.p[0] == '0' && is_number(text) ? front : text;
}

static enum status send_answer(struct in_order *c, struct str key, struct str text, struct src src,
			       struct err *err)
{
	struct stored_run run = {.rec = {.list_rule = LIST_ANY_HIT}};
	struct rec_prediction p;

	rec_prediction_init(&p);
	p.src = src;
	p.key = key;
	p.raw = text;
	if (stored_run(&c->s, &run, &p.run, err) != OK)
		return err->code;
	stored_answer(&c->s, NULL, 0, &p);
	return stored_send(&c->s, &p, NULL, err);
}

static enum status send_label(struct in_order *c, struct str key, struct str text, struct src src,
			      struct err *err)
{
	const struct read_options *opt = c->s.ctx->opt;
	struct refs refs = stored_truth_text(&c->s, text, NULL, 0);
	struct rec_truth truth = {.layer = opt->layer.n ? opt->layer : STR("original"),
				  .refs = refs.v,
				  .n_refs = refs.n};
	struct rec_sample rec = {.src = src, .key = key, .truths = &truth, .n_truths = 1};

	return refs.n ? sink_sample(c->s.ctx->sink, &rec, err) : OK;
}

static enum status take(struct in_order *c, struct str text, struct src src, struct err *err)
{
	char key[24];
	const char *fault;
	size_t at;

	stored_next(&c->s, src);
	c->n++;
	c->s.ctx->report->rows++;
	text = whole(unquoted(text));
	fault = utf8_fault(text, &at);
	if (fault) {
		report_add(c->s.ctx->report, PROBLEM_SKIPPED, src, "", "%s", fault);
		return OK;
	}
	snprintf(key, sizeof key, "%" PRIu64, c->n);
	return c->answers ? send_answer(c, str_z(key), text, src, err)
			  : text.n ? send_label(c, str_z(key), text, src, err) : OK;
}

/* A blank line in between is a sample of which nothing is said; at the end it is none. */
static enum status read_lines(struct in_order *c, struct err *err)
{
	struct lines lines;
	struct line line;
	bool more = true, header = c->look.header;
	uint64_t blank = 0;
	enum status st;

	lines_init(&lines, c->s.ctx->in);
	while ((st = lines_next(&lines, &line, &more, err)) == OK && more) {
		struct src src = {line.number, line.byte};

		if (!str_trim(line.text).n) {
			blank += c->n > 0 || !header;
			continue;
		}
		if (header) {
			header = false;
			blank = 0;
			continue;
		}
		for (; blank && st == OK; blank--)
			st = take(c, STR(""), src, err);
		if (st == OK && line.too_long)
			report_add(c->s.ctx->report, PROBLEM_SKIPPED, src, "", "the line is longer than %zu MiB",
				   LINE_MAX_BYTES >> 20);
		if (st == OK)
			st = take(c, line.too_long ? STR("") : line.text, src, err);
		if (st != OK)
			break;
	}
	lines_release(&lines);
	return st;
}

static enum status take_item(struct in_order *c, struct str item, struct src src, struct err *err)
{
	struct err why = ERR_INIT;
	struct buf scratch = BUF_INIT;
	cJSON *tree = NULL;
	enum status st;

	if (item.n && item.p[0] != '"' && literal_json(item, &c->s.row.arena, &c->printed))
		item = buf_view(&c->printed);
	if (json_parse(item, &tree, &why) != OK)
		report_add(c->s.ctx->report, PROBLEM_SKIPPED, src, "", "%s", why.msg);
	st = take(c, json_scalar(tree, &scratch), src, err);
	cJSON_Delete(tree);
	buf_release(&scratch);
	return st;
}

static enum status read_list(struct in_order *c, struct err *err)
{
	struct json_slice slice;
	struct str item;
	bool more = true;
	enum status st;

	json_slice_init(&slice, c->s.ctx->in);
	while ((st = json_slice_next(&slice, &item, &more, err)) == OK && more)
		if ((st = take_item(c, item, (struct src){slice.line, slice.byte}, err)) != OK)
			break;
	json_slice_release(&slice);
	return st;
}

static enum status read_file(struct read_ctx *ctx, struct err *err)
{
	struct in_order c = {.look = {.n = 0}};
	enum status st;

	inorder_look(buf_view(&ctx->in->head), &c.look);
	c.answers = are_answers(ctx->opt, str_z(ctx->in->path), &c.look);
	ctx->report->by_position = ctx->report->by_place = true;
	stored_init(&c.s, ctx);
	st = c.look.list ? read_list(&c, err) : read_lines(&c, err);
	if (st == OK)
		report_note(ctx->report, "taken for %s, one for each sample in the samples' order",
			    c.answers ? "answers" : "labels");
	stored_release(&c.s);
	buf_release(&c.printed);
	return st;
}

const struct reader reader_inorder = {
    .name = "inorder",
    .help = "labels or answers alone, one for each sample in the samples' order",
    .probe = probe,
    .rank = rank,
    .read = read_file,
};
