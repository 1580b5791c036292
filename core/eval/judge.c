#include "core/eval/judge.h"

/* NULL p: no such part. */
static struct str scored(struct str marks)
{
	size_t from = str_find(marks, STR("<score>")), to;

	if (from == SIZE_MAX)
		return STR_NONE;
	marks = (struct str){marks.p + from + 7, marks.n - from - 7};
	to = str_find(marks, STR("</score>"));
	if (to == SIZE_MAX || (to && memchr(marks.p, '\n', to)))
		return STR_NONE;
	return (struct str){marks.p, to};
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* At most nine digits; *at moves behind them. */
static bool number(struct str s, size_t *at, int *out)
{
	size_t i = *at;
	int v = 0;

	while (i < s.n && i < *at + 9 && is_digit(s.p[i]))
		v = v * 10 + (s.p[i++] - '0');
	if (i == *at)
		return false;
	*at = i;
	*out = v;
	return true;
}

/* ": 1/1" */
static int parse_ratios(struct str s, struct judge_mark *out)
{
	int n = 0;

	for (size_t i = 0; i < s.n && n < JUDGE_STEPS_MAX; i++) {
		struct judge_mark m;
		size_t at = i + 1;

		if (s.p[i] != ':')
			continue;
		while (at < s.n && (s.p[at] == ' ' || s.p[at] == '\t'))
			at++;
		if (!number(s, &at, &m.points) || at >= s.n || s.p[at++] != '/' ||
		    !number(s, &at, &m.most))
			continue;
		out[n++] = m;
		i = at - 1;
	}
	return n;
}

/* "[1, 0, 1]" */
static int parse_list(struct str s, struct judge_mark *out)
{
	int n = 0;

	s = str_trim(s);
	if (s.n < 2 || s.p[0] != '[' || s.p[s.n - 1] != ']')
		return 0;
	for (size_t i = 1; i < s.n - 1 && n < JUDGE_STEPS_MAX; i++) {
		struct judge_mark m = {0, 1};

		if (s.p[i] == ',' || s.p[i] == ' ')
			continue;
		if (!number(s, &i, &m.points))
			return 0;
		i--;
		out[n++] = m;
	}
	return n;
}

double judge_mark_value(const struct judge_mark *m)
{
	return m->most ? (double)m->points / m->most : 0;
}

int judge_parse(struct str marks, struct judge_mark out[JUDGE_STEPS_MAX])
{
	struct str s = scored(marks);

	return s.p ? parse_ratios(s, out) : parse_list(marks, out);
}

bool judge_scores(struct str marks, struct judge_scores *out)
{
	struct judge_mark mark[JUDGE_STEPS_MAX];
	double sum = 0;

	*out = (struct judge_scores){.n = judge_parse(marks, mark)};
	if (!out->n)
		return false;
	for (int i = 0; i < out->n - 1; i++) {
		sum += judge_mark_value(&mark[i]);
		out->wrong += mark[i].points < mark[i].most || !mark[i].most;
	}
	out->rec = judge_mark_value(&mark[out->n - 1]);
	out->rea = out->n > 1 ? sum / (out->n - 1) : 0;
	return true;
}

/* --- steps --- */

/* Where "Step 12:" begins; *end: behind it. SIZE_MAX: nowhere. */
static size_t find_head(struct str s, size_t *end)
{
	for (size_t from = 0; from < s.n;) {
		size_t at = str_find_nocase((struct str){s.p + from, s.n - from}, STR("step "));
		int ignored;

		if (at == SIZE_MAX)
			break;
		at += from;
		*end = at + 5;
		if (number(s, end, &ignored) && *end < s.n && s.p[*end] == ':') {
			++*end;
			return at;
		}
		from = at + 5;
	}
	return SIZE_MAX;
}

struct str judge_steps(struct str text)
{
	size_t from = str_find_nocase(text, STR("<step>")), to;

	if (from != SIZE_MAX)
		text = (struct str){text.p + from + 6, text.n - from - 6};
	to = str_find_nocase(text, STR("</step>"));
	if (to != SIZE_MAX)
		text.n = to;
	from = find_head(text, &to);
	return str_trim(from == SIZE_MAX ? text : (struct str){text.p + from, text.n - from});
}

/* A text without heads is one step. */
bool judge_step_next(struct str *rest, struct str *step)
{
	struct str s = *rest;
	size_t end = 0, next, after;

	if (!s.n)
		return false;
	if (find_head(s, &end) != 0)
		end = 0;
	*step = (struct str){s.p + end, s.n - end};
	next = find_head(*step, &after);
	if (next == SIZE_MAX) {
		*rest = STR_NONE;
	} else {
		*rest = (struct str){step->p + next, step->n - next};
		step->n = next;
	}
	*step = str_trim(*step);
	return true;
}
