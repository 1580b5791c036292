#include <ctype.h>

#include "core/protocol/extract.h"

static struct str from(struct str s, size_t at)
{
	return (struct str){s.p + at, s.n - at};
}

/* What is behind the last closing tag of the thoughts; nothing while one is open. */
struct body answer_without_thoughts(struct str raw)
{
	static const struct {
		struct str open, close;
	} tags[] = {{STR("<think>"), STR("</think>")}, {STR("<thinking>"), STR("</thinking>")},
		    {STR("<reasoning>"), STR("</reasoning>")}};
	struct body b = {raw, ""};

	for (size_t t = 0; t < sizeof tags / sizeof *tags; t++) {
		size_t at;

		while ((at = str_find_nocase(b.text, tags[t].close)) != SIZE_MAX)
			b = (struct body){from(b.text, at + tags[t].close.n), "after thought"};
		at = str_find_nocase(b.text, tags[t].open);
		if (at != SIZE_MAX)
			b.text.n = at;
	}
	b.text = str_trim(b.text);
	return b;
}

static void last_answer_tag(struct body *b)
{
	size_t at = 0, found = SIZE_MAX, next, end;

	while ((next = str_find_nocase(from(b->text, at), STR("<answer>"))) != SIZE_MAX)
		found = at += next + strlen("<answer>");
	if (found == SIZE_MAX)
		return;
	b->text = from(b->text, found);
	end = str_find_nocase(b->text, STR("</answer>"));
	if (end != SIZE_MAX)
		b->text.n = end;
	b->text = str_trim(b->text);
	b->rule = "answer tag";
}

/* Only where one fenced block is all there is, or all that is fenced. */
static void lone_fence(struct body *b)
{
	size_t open = str_find(b->text, STR("```")), line, close;
	struct str inside;

	if (open == SIZE_MAX)
		return;
	inside = from(b->text, open + 3);
	line = str_find(inside, STR("\n"));
	if (line != SIZE_MAX)
		inside = from(inside, line + 1);
	close = str_find(inside, STR("```"));
	if (close == SIZE_MAX || str_find(from(inside, close + 3), STR("```")) != SIZE_MAX)
		return;
	inside.n = close;
	b->text = str_trim(inside);
	b->rule = "fence";
}

struct str answer_tagged(struct str raw)
{
	struct body b = answer_without_thoughts(raw);
	const char *before = b.rule;

	last_answer_tag(&b);
	return b.rule == before ? STR_NONE : b.text;
}

struct str answer_fenced(struct str raw)
{
	struct body b = answer_without_thoughts(raw);
	const char *before = b.rule;

	lone_fence(&b);
	return b.rule == before ? STR_NONE : b.text;
}

struct body answer_body(struct str raw)
{
	struct body b = answer_without_thoughts(raw);

	last_answer_tag(&b);
	lone_fence(&b);
	return b;
}

struct str answer_bare(struct str text)
{
	text = str_trim(text);
	if (text.n > 1 && text.p[text.n - 1] == '.')
		text.n--;
	while (text.n > 1 && text.p[text.n - 1] == '*')
		text.n--;
	while (text.n > 1 && text.p[0] == '*')
		text = from(text, 1);
	while (text.n > 1 && text.p[0] == text.p[text.n - 1] && strchr("\"'`", text.p[0]))
		text = str_trim((struct str){text.p + 1, text.n - 2});
	return text;
}

bool answer_is_word(struct str text, size_t i, size_t n)
{
	return (i == 0 || !isalnum((unsigned char)text.p[i - 1])) &&
	       (i + n >= text.n || !isalnum((unsigned char)text.p[i + n]));
}

/* Where the word ends that stands first in text, caseless; 0: another one stands there. */
static size_t word_at(struct str text, size_t i, const char *word)
{
	size_t n = strlen(word);

	return text.n - i >= n && str_eq_nocase((struct str){text.p + i, n}, str_z(word)) &&
		       answer_is_word(text, i, n)
		   ? i + n
		   : 0;
}

static size_t skip_of(struct str text, size_t i, const char *set)
{
	while (i < text.n && strchr(set, text.p[i]))
		i++;
	return i;
}

/* After one of the markers at i: ":", "=", "is", with what is between; 0: none. */
static size_t marker_at(struct str line, size_t i)
{
	static const char *const markers[] = {"answer", "label", "class", "prediction", "emotion", "option",
					      "choice", "sentiment", "intent"};

	for (size_t m = 0; m < sizeof markers / sizeof *markers; m++) {
		size_t end = word_at(line, i, markers[m]), is;

		if (!end)
			continue;
		end = skip_of(line, end, " *\"'`");
		if (end < line.n && (line.p[end] == ':' || line.p[end] == '='))
			return skip_of(line, end + 1, " *");
		is = word_at(line, end, "is");
		if (is)
			return skip_of(line, is, " :*");
	}
	return 0;
}

struct str answer_marked(struct str text)
{
	struct str found = STR_NONE, line;

	while (text.n) {
		text = str_cut(text, '\n', &line);
		line = str_trim(line); /* what follows a marker has no blanks at its end to look for then */
		for (size_t i = 0; i < line.n; i++) {
			bool begins = isalpha((unsigned char)line.p[i]) &&
				      !(i && isalnum((unsigned char)line.p[i - 1]));
			size_t at = begins ? marker_at(line, i) : 0;

			if (at && at < line.n && str_trim(from(line, at)).n)
				found = str_trim(from(line, at));
		}
	}
	return found;
}
