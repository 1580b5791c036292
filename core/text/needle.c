#include "core/text/needle.h"

#include <regex.h>
#include <stdlib.h>
#include <utf8proc.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "core/base/utf8.h"
#include "core/base/xmalloc.h"

#define FORMS       3  /* a letter as written, lower, upper */
#define DEPTH_MAX   50 /* parentheses in a regular expression */
#define REPEAT_ONCE 255

/* One letter of the needle: the different ways it may be written. */
struct letter {
	uint8_t n;
	uint8_t len[FORMS];
	char form[FORMS][4];
};

/* The at most two values that the byte at an offset of every match has. */
struct probe {
	size_t offset;
	uint8_t byte[2];
};

struct needle {
	bool regex;
	regex_t re;
	struct letter *letters;
	size_t n;
	size_t shortest;   /* bytes that a match has at least */
	bool probes;       /* first and last are known */
	struct probe first, last;
};

/* --- a text --- */

static void add_form(struct letter *l, uint32_t cp)
{
	char form[4];
	size_t n = utf8_encode(cp, form);

	for (int k = 0; k < l->n; k++)
		if (l->len[k] == n && memcmp(l->form[k], form, n) == 0)
			return;
	memcpy(l->form[l->n], form, n);
	l->len[l->n++] = (uint8_t)n;
}

static size_t least_len(const struct letter *l)
{
	size_t least = l->len[0];

	for (int k = 1; k < l->n; k++)
		if (l->len[k] < least)
			least = l->len[k];
	return least;
}

static bool same_len(const struct letter *l)
{
	for (int k = 1; k < l->n; k++)
		if (l->len[k] != l->len[0])
			return false;
	return true;
}

/* The byte at `at` of every form of the letter; false when there are more than two. */
static bool probe_letter(struct probe *p, const struct letter *l, size_t at)
{
	p->byte[0] = p->byte[1] = (uint8_t)l->form[0][at];
	for (int k = 1; k < l->n; k++) {
		uint8_t b = (uint8_t)l->form[k][at];

		if (b == p->byte[0] || b == p->byte[1])
			continue;
		if (p->byte[0] != p->byte[1])
			return false;
		p->byte[1] = b;
	}
	return true;
}

/* First and last byte tell most places apart; with letters whose forms differ in length the
 * last one's place is not known. */
static void choose_probes(struct needle *nd)
{
	const struct letter *last = &nd->letters[nd->n - 1];
	bool fixed = true;

	for (size_t i = 0; i < nd->n; i++)
		fixed = fixed && same_len(&nd->letters[i]);
	nd->probes = probe_letter(&nd->first, &nd->letters[0], 0);
	nd->last = nd->first;
	if (fixed && probe_letter(&nd->last, last, last->len[0] - 1u))
		nd->last.offset = nd->shortest - 1;
	else
		nd->last = nd->first;
}

static void make_letters(struct needle *nd, struct str text)
{
	size_t len;

	nd->letters = xcalloc(text.n, sizeof *nd->letters);
	for (size_t i = 0; i < text.n; i += len) {
		struct letter *l = &nd->letters[nd->n++];
		uint32_t cp = utf8_decode(text.p + i, text.n - i, &len);

		add_form(l, cp);
		add_form(l, (uint32_t)utf8proc_tolower((utf8proc_int32_t)cp));
		add_form(l, (uint32_t)utf8proc_toupper((utf8proc_int32_t)cp));
		nd->shortest += least_len(l);
	}
	choose_probes(nd);
}

/* Does a match begin at p? Its length, or 0. */
static size_t match_at(const struct needle *nd, const char *p, size_t n)
{
	size_t at = 0;

	for (size_t i = 0; i < nd->n; i++) {
		const struct letter *l = &nd->letters[i];
		int k = 0;

		while (k < l->n &&
		       (l->len[k] > n - at || memcmp(p + at, l->form[k], l->len[k]) != 0))
			k++;
		if (k == l->n)
			return 0;
		at += l->len[k];
	}
	return at;
}

static bool is_probed(const struct needle *nd, const uint8_t *p)
{
	uint8_t a = p[0], b = p[nd->last.offset];

	return !nd->probes || ((a == nd->first.byte[0] || a == nd->first.byte[1]) &&
			       (b == nd->last.byte[0] || b == nd->last.byte[1]));
}

#ifdef __SSE2__
static unsigned candidates(const struct needle *nd, const uint8_t *p)
{
	__m128i a = _mm_loadu_si128((const __m128i *)(const void *)p);
	__m128i b = _mm_loadu_si128((const __m128i *)(const void *)(p + nd->last.offset));
	__m128i fa = _mm_or_si128(_mm_cmpeq_epi8(a, _mm_set1_epi8((char)nd->first.byte[0])),
				  _mm_cmpeq_epi8(a, _mm_set1_epi8((char)nd->first.byte[1])));
	__m128i fb = _mm_or_si128(_mm_cmpeq_epi8(b, _mm_set1_epi8((char)nd->last.byte[0])),
				  _mm_cmpeq_epi8(b, _mm_set1_epi8((char)nd->last.byte[1])));

	return (unsigned)_mm_movemask_epi8(_mm_and_si128(fa, fb));
}

/* As far as whole vectors reach. *from: where the rest begins. */
static size_t find_fast(const struct needle *nd, struct str hay, size_t *from, size_t *len)
{
	size_t i = *from;

	for (; nd->probes && i + 16 + nd->last.offset <= hay.n; i += 16) {
		unsigned m = candidates(nd, (const uint8_t *)hay.p + i);

		for (; m; m &= m - 1) {
			size_t at = i + (unsigned)__builtin_ctz(m);

			*len = match_at(nd, hay.p + at, hay.n - at);
			if (*len)
				return at;
		}
	}
	*from = i;
	return SIZE_MAX;
}
#else
static size_t find_fast(const struct needle *nd, struct str hay, size_t *from, size_t *len)
{
	(void)nd, (void)hay, (void)from, (void)len;
	return SIZE_MAX;
}
#endif

static bool find_text(const struct needle *nd, struct str hay, size_t from, size_t *at, size_t *len)
{
	size_t hit = find_fast(nd, hay, &from, len);

	for (; hit == SIZE_MAX && from + nd->shortest <= hay.n; from++) {
		if (!is_probed(nd, (const uint8_t *)hay.p + from))
			continue;
		*len = match_at(nd, hay.p + from, hay.n - from);
		if (*len)
			hit = from;
	}
	*at = hit;
	return hit != SIZE_MAX;
}

/* --- a regular expression --- */

/* "{n}" "{n,}" "{n,m}" "{,m}" at p: the most copies it makes of what stands before; 0: none of these. */
static unsigned repeat_at(const char *p)
{
	unsigned long n = 0, m;

	if (*p != '{' || (p[1] != ',' && (p[1] < '0' || p[1] > '9')))
		return 0;
	for (p++; *p >= '0' && *p <= '9'; p++)
		n = n > REPEAT_ONCE ? n : n * 10 + (unsigned)(*p - '0');
	m = *p == ',' && p[1] >= '0' && p[1] <= '9' ? strtoul(p + 1, NULL, 10) : n;
	n = n > m ? n : m;
	return n > REPEAT_ONCE ? REPEAT_ONCE + 1 : n ? (unsigned)n : 1;
}

/* The library copies what a repetition counts and calls itself for each parenthesis, so both
 * are bounded before it sees them. Brackets are not told apart: what they hold counts too. */
static enum status check_regex(const char *re, struct err *err)
{
	unsigned long copies = 1;
	int depth = 0;

	for (const char *p = re; *p; p++) {
		unsigned times = repeat_at(p);

		if (*p == '\\' && p[1] >= '1' && p[1] <= '9')
			return err_set(err, E_USAGE, "back-references such as \\%c are not supported",
				       p[1]);
		if (*p == '\\' && p[1])
			p++;
		else if (*p == '(' && ++depth > DEPTH_MAX)
			return err_set(err, E_USAGE, "more than %d parentheses inside each other",
				       DEPTH_MAX);
		else if (*p == ')' && depth)
			depth--;
		else if (times && (copies *= times) > NEEDLE_REPEAT_MAX)
			return err_set(err, E_USAGE, "its repetitions multiply to more than %d",
				       NEEDLE_REPEAT_MAX);
	}
	return OK;
}

static enum status make_regex(struct needle *nd, struct str text, struct err *err)
{
	char z[NEEDLE_REGEX_MAX + 1], why[200];
	int rc;

	if (text.n > NEEDLE_REGEX_MAX)
		return err_set(err, E_USAGE, "it is longer than %d bytes", NEEDLE_REGEX_MAX);
	memcpy(z, text.p, text.n);
	z[text.n] = '\0';
	if (check_regex(z, err) != OK)
		return err->code;
	rc = regcomp(&nd->re, z, REG_EXTENDED | REG_ICASE | REG_NEWLINE);
	if (rc == 0) {
		nd->regex = true;
		return OK;
	}
	regerror(rc, &nd->re, why, sizeof why);
	return err_set(err, E_USAGE, "%s", why);
}

/* Empty matches are passed over. */
static bool find_regex(const struct needle *nd, struct str hay, size_t from, size_t *at, size_t *len)
{
	while (from < hay.n) {
		regmatch_t m = {(regoff_t)from, (regoff_t)hay.n};

		if (hay.n > INT32_MAX ||
		    regexec(&nd->re, hay.p, 1, &m, REG_STARTEND | (from ? REG_NOTBOL : 0)) != 0)
			return false;
		*at = (size_t)m.rm_so;
		*len = (size_t)(m.rm_eo - m.rm_so);
		if (*len)
			return true;
		from = *at + 1;
	}
	return false;
}

/* --- both --- */

enum status needle_new(struct needle **out, struct str text, bool regex, struct err *err)
{
	struct needle *nd;
	enum status st = OK;

	if (!text.n)
		return err_set(err, E_USAGE, "there is nothing to look for");
	if (text.n > NEEDLE_MAX)
		return err_set(err, E_USAGE, "it is longer than %d bytes", NEEDLE_MAX);
	if (utf8_valid_prefix(text) != text.n || memchr(text.p, '\0', text.n))
		return err_set(err, E_USAGE, "it is not UTF-8 text");
	nd = xcalloc(1, sizeof *nd);
	if (regex)
		st = make_regex(nd, text, err);
	else
		make_letters(nd, text);
	if (st == OK)
		*out = nd;
	else
		needle_free(nd);
	return st;
}

void needle_free(struct needle *nd)
{
	if (!nd)
		return;
	if (nd->regex)
		regfree(&nd->re);
	free(nd->letters);
	free(nd);
}

bool needle_is_regex(const struct needle *nd)
{
	return nd->regex;
}

bool needle_find(const struct needle *nd, struct str hay, size_t from, size_t *at, size_t *len)
{
	return nd->regex ? find_regex(nd, hay, from, at, len) : find_text(nd, hay, from, at, len);
}

bool needle_is_in(const struct needle *nd, struct str hay)
{
	size_t at, len;

	return needle_find(nd, hay, 0, &at, &len);
}
