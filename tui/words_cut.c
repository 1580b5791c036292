#include "tui/words_cut.h"

#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tui/complete_file.h"

/* Takes one word from the beginning of s, which is no blank: its bytes into out (NULL: none). */
static size_t scan(struct str s, struct buf *out)
{
	char quote = 0;
	size_t i = 0;

	for (; i < s.n; i++) {
		char c = s.p[i];

		if (c == '\\' && quote != '\'' && i + 1 < s.n) {
			c = s.p[++i];
		} else if (quote && c == quote) {
			quote = 0;
			continue;
		} else if (!quote && (c == '\'' || c == '"')) {
			quote = c;
			continue;
		} else if (!quote && (c == ' ' || c == '\t')) {
			break;
		}
		if (out)
			buf_ch(out, c);
	}
	return i;
}

static size_t skip_blanks(struct str s, size_t at)
{
	while (at < s.n && (s.p[at] == ' ' || s.p[at] == '\t'))
		at++;
	return at;
}

char *word_cut_raw(struct str *rest)
{
	struct buf word = BUF_INIT;
	size_t at = skip_blanks(*rest, 0), n;
	char *out;

	if (at == rest->n)
		return NULL;
	n = scan((struct str){rest->p + at, rest->n - at}, &word);
	*rest = (struct str){rest->p + at + n, rest->n - at - n};
	out = xstrdup(buf_cstr(&word));
	buf_release(&word);
	return out;
}

char *word_cut(struct str *rest)
{
	size_t at = skip_blanks(*rest, 0);
	bool home = at < rest->n && rest->p[at] == '~';
	char *word = word_cut_raw(rest), *out;

	if (!word || !home)
		return word;
	out = file_expand(str_z(word));
	free(word);
	return out;
}

size_t word_last(struct str line)
{
	size_t at = 0;

	for (;;) {
		size_t from = skip_blanks(line, at);

		at = from + scan((struct str){line.p + from, line.n - from}, NULL);
		if (at >= line.n)
			return from;
	}
}

void word_quote(struct str word, struct buf *out)
{
	for (size_t i = 0; i < word.n; i++) {
		if (strchr(" \t'\"\\", word.p[i]))
			buf_ch(out, '\\');
		buf_ch(out, word.p[i]);
	}
}
