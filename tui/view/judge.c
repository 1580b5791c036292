#include "tui/view/judge.h"

struct str judge_scored(struct str marks)
{
	size_t from = str_find_nocase(marks, STR("<score>")), to;

	if (from == SIZE_MAX)
		return marks;
	marks = (struct str){marks.p + from + 7, marks.n - from - 7};
	to = str_find_nocase(marks, STR("</score>"));
	return to == SIZE_MAX ? marks : (struct str){marks.p, to};
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* At most four digits; *at moves behind them. */
static bool number(struct str s, size_t *at, int *out)
{
	size_t i = *at;
	int v = 0;

	while (i < s.n && i < *at + 4 && is_digit(s.p[i]))
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
		while (at < s.n && s.p[at] == ' ')
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

int judge_parse(struct str marks, struct judge_mark out[JUDGE_STEPS_MAX])
{
	struct str s = judge_scored(marks);
	int n = s.n ? parse_ratios(s, out) : 0;

	return n || !s.n ? n : parse_list(s, out);
}
