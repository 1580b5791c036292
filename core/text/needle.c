#include "core/text/needle.h"

#include <stdlib.h>
#include <utf8proc.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "core/base/clones.h"
#include "core/base/utf8.h"
#include "core/base/xmalloc.h"
#include "core/text/regex.h"

#define FORMS     6  /* a letter as written, lower, upper, folded, and what else folds to it */
#define BLOCK     64 /* places looked at in one go */
#define DEPTH_MAX 50 /* parentheses in a regular expression */

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
	struct needle *literal; /* of a regular expression: in every match; NULL: not known */
	struct letter *letters;
	size_t n;
	uint8_t *ascii;    /* of letters that are all ASCII: [n][2] a bit to set, what it then is */
	size_t shortest;   /* bytes that a match has at least */
	bool probes;       /* there are two; they may be the same one */
	struct probe probe[2];
	size_t reach;      /* the larger offset of the two */
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

/* Letters that fold to another one and are neither its lower nor its upper case: title case and
 * shapes of the Greek. The few that take more bytes than their fellows (the signs of ohm and
 * ångström, old Cyrillic shapes) are left out, and so are those that fold to ASCII: every search
 * for an s or a k would pay for them. */
static const uint16_t odd_forms[][2] = {
    {0xb5, 0x3bc},  {0x1c5, 0x1c6}, {0x1c8, 0x1c9}, {0x1cb, 0x1cc}, {0x1f2, 0x1f3}, {0x345, 0x3b9},
    {0x3c2, 0x3c3}, {0x3d0, 0x3b2}, {0x3d1, 0x3b8}, {0x3d5, 0x3c6}, {0x3d6, 0x3c0}, {0x3f0, 0x3ba},
    {0x3f1, 0x3c1}, {0x3f4, 0x3b8}, {0x3f5, 0x3b5}, {0x1e9b, 0x1e61},
};

static void add_cases(struct letter *l, uint32_t cp)
{
	add_form(l, cp);
	add_form(l, (uint32_t)utf8proc_tolower((utf8proc_int32_t)cp));
	add_form(l, (uint32_t)utf8proc_toupper((utf8proc_int32_t)cp));
}

static void make_letter(struct letter *l, uint32_t cp)
{
	uint32_t folded = (uint32_t)utf8proc_tolower((utf8proc_int32_t)cp);

	add_cases(l, cp);
	if (folded < 0x80)
		return;
	for (size_t i = 0; i < sizeof odd_forms / sizeof *odd_forms; i++)
		if (odd_forms[i][0] == cp)
			folded = odd_forms[i][1];
	add_cases(l, folded);
	for (size_t i = 0; i < sizeof odd_forms / sizeof *odd_forms; i++)
		if (odd_forms[i][1] == folded)
			add_form(l, odd_forms[i][0]);
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

/* How often a byte is met in answers and questions, roughly; of letters the pair of cases. */
static int commonness(uint8_t b)
{
	static const char letters[] = "zqjxkvbygpwfmucdlhrsnioate ";
	const char *at;

	if (b >= 0x80)
		return b >= 0xc0 ? 24 : 14;
	at = b ? strchr(letters, b >= 'A' && b <= 'Z' ? b - 'A' + 'a' : b) : NULL;
	return at ? 4 + (int)(at - letters) : 3;
}

static int probe_cost(const struct probe *p)
{
	int a = commonness(p->byte[0]), b = commonness(p->byte[1]);

	return a > b ? a : b;
}

/* Of all places with at most two values, `distance` or more from `from`, the one whose bytes are
 * met least. Behind a letter whose forms differ in length nothing has a fixed place. */
static bool choose_probe(const struct needle *nd, size_t from, size_t distance, struct probe *out)
{
	bool fixed = true, found = false;
	size_t at = 0;

	for (size_t i = 0; i < nd->n && fixed; i++) {
		const struct letter *l = &nd->letters[i];

		for (size_t k = 0; k < least_len(l); k++) {
			struct probe p = {at + k, {0, 0}};
			size_t away = p.offset > from ? p.offset - from : from - p.offset;

			if (away < distance || !probe_letter(&p, l, k))
				continue;
			if (!found || probe_cost(&p) < probe_cost(out))
				*out = p;
			found = true;
		}
		at += l->len[0];
		fixed = same_len(l);
	}
	return found;
}

/* The second is well away from the first: neighbours tell the same. */
static void choose_probes(struct needle *nd)
{
	size_t distance = nd->shortest / 2 ? nd->shortest / 2 : 1;

	nd->probes = choose_probe(nd, 0, 0, &nd->probe[0]);
	nd->probe[1] = nd->probe[0];
	choose_probe(nd, nd->probe[0].offset, distance, &nd->probe[1]);
	nd->reach = nd->probe[0].offset > nd->probe[1].offset ? nd->probe[0].offset
							      : nd->probe[1].offset;
}

/* Letters of ASCII differ from their other case by one bit. */
static void make_ascii(struct needle *nd)
{
	nd->ascii = xcalloc(nd->n, 2);
	for (size_t i = 0; i < nd->n; i++) {
		char c = nd->letters[i].form[0][0];

		nd->ascii[2 * i] = nd->letters[i].n > 1 ? 0x20 : 0;
		nd->ascii[2 * i + 1] = (uint8_t)c | nd->ascii[2 * i];
	}
}

static void make_letters(struct needle *nd, struct str text)
{
	size_t len;
	bool ascii = true;

	nd->letters = xcalloc(text.n, sizeof *nd->letters);
	for (size_t i = 0; i < text.n; i += len) {
		struct letter *l = &nd->letters[nd->n++];

		make_letter(l, utf8_decode(text.p + i, text.n - i, &len));
		nd->shortest += least_len(l);
		ascii = ascii && (uint8_t)text.p[i] < 0x80;
	}
	if (ascii)
		make_ascii(nd);
	choose_probes(nd);
}

static size_t match_ascii(const struct needle *nd, const char *p, size_t n)
{
	if (n < nd->n)
		return 0;
	for (size_t i = 0; i < nd->n; i++)
		if (((uint8_t)p[i] | nd->ascii[2 * i]) != nd->ascii[2 * i + 1])
			return 0;
	return nd->n;
}

static size_t match_letters(const struct needle *nd, const char *p, size_t n)
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

/* Does a match begin at p? Its length, or 0. */
static size_t match_at(const struct needle *nd, const char *p, size_t n)
{
	return nd->ascii ? match_ascii(nd, p, n) : match_letters(nd, p, n);
}

static bool is_probed(const struct needle *nd, const uint8_t *p)
{
	for (int k = 0; nd->probes && k < 2; k++) {
		const struct probe *pr = &nd->probe[k];

		if (p[pr->offset] != pr->byte[0] && p[pr->offset] != pr->byte[1])
			return false;
	}
	return true;
}

/* Bits of the 16 places from p on where the probes say yes. */
static unsigned candidates(const struct needle *nd, const uint8_t *p)
{
	unsigned out = 0xffff;

#ifdef __SSE2__
	for (int k = 0; k < 2; k++) {
		const struct probe *pr = &nd->probe[k];
		__m128i v = _mm_loadu_si128((const __m128i *)(const void *)(p + pr->offset));
		__m128i hit = _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8((char)pr->byte[0])),
					   _mm_cmpeq_epi8(v, _mm_set1_epi8((char)pr->byte[1])));

		out &= (unsigned)_mm_movemask_epi8(hit);
	}
#else
	for (unsigned i = 0; i < 16; i++)
		if (!is_probed(nd, p + i))
			out &= ~(1u << i);
#endif
	return out;
}

/* How many of n places, in whole blocks, can be passed over: a and b are the bytes that are probed. */
static CLONES size_t pass_blocks(const uint8_t *a, const uint8_t *b, size_t n, const uint8_t a2[2],
				 const uint8_t b2[2])
{
	const uint8_t a0 = a2[0], a1 = a2[1], b0 = b2[0], b1 = b2[1];
	size_t i = 0;

	for (; i + BLOCK <= n; i += BLOCK) {
		uint8_t any = 0;

		for (size_t k = 0; k < BLOCK; k++)
			any |= (uint8_t)(((a[i + k] == a0) | (a[i + k] == a1)) &
					 ((b[i + k] == b0) | (b[i + k] == b1)));
		if (any)
			break;
	}
	return i;
}

/* As far as whole blocks reach. *from: where the rest begins. */
static size_t find_fast(const struct needle *nd, struct str hay, size_t *from, size_t *len)
{
	const uint8_t *h = (const uint8_t *)hay.p;
	const struct probe *a = &nd->probe[0], *b = &nd->probe[1];
	size_t end = hay.n > nd->reach ? hay.n - nd->reach : 0;

	if (!nd->probes)
		return SIZE_MAX;
	for (; *from + BLOCK <= end; *from += BLOCK) {
		*from += pass_blocks(h + *from + a->offset, h + *from + b->offset, end - *from, a->byte,
				     b->byte);
		if (*from + BLOCK > end)
			break;
		for (size_t i = *from; i < *from + BLOCK; i += 16)
			for (unsigned m = candidates(nd, h + i); m; m &= m - 1) {
				size_t at = i + (unsigned)__builtin_ctz(m);

				*len = match_at(nd, hay.p + at, hay.n - at);
				if (*len)
					return at;
			}
	}
	return SIZE_MAX;
}

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
		n = n > NEEDLE_REPEAT_MAX ? n : n * 10 + (unsigned)(*p - '0');
	m = *p == ',' && p[1] >= '0' && p[1] <= '9' ? strtoul(p + 1, NULL, 10) : n;
	n = n > m ? n : m;
	return n > NEEDLE_REPEAT_MAX ? NEEDLE_REPEAT_MAX + 1 : n ? (unsigned)n : 1;
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

/* The byte that stands for itself at p, alone or behind a backslash, and must be there once; 0:
 * there is none. Letters that the library also finds in others beyond ASCII are none. *n: bytes
 * it takes. */
static char plain_at(const char *p, size_t *n)
{
	char c = *p == '\\' ? p[1] : *p;

	*n = *p == '\\' && p[1] ? 2 : 1;
	if (*p == '\\' ? !c || !strchr(".[]()*+?{}|^$\\/", c) : !c || strchr(".[]()*+?{}|^$", c))
		return 0;
	if ((uint8_t)c >= 0x80 || strchr("sSiIkK", c) || strchr("*?{", p[*n] ? p[*n] : '-'))
		return 0;
	return c;
}

/* Behind a bracket expression that begins at p, or at the end. */
static const char *behind_bracket(const char *p)
{
	p += p[1] == '^' ? 2 : 1;
	if (*p == ']')
		p++;
	for (; *p && *p != ']'; p++)
		if (*p == '[' && p[1] && strchr(".:=", p[1])) {
			char end = p[1];

			for (p += 2; *p && !(*p == end && p[1] == ']'); p++)
				;
			if (!*p)
				return p;
			p++;
		}
	return *p ? p + 1 : p;
}

static void keep_longer(struct buf *best, struct buf *row)
{
	if (row->n > best->n) {
		buf_clear(best);
		buf_str(best, buf_view(row));
	}
	buf_clear(row);
}

/* The longest row of bytes that stands outside of parentheses, brackets and alternatives. */
static void find_literal(const char *re, struct buf *best)
{
	struct buf row = BUF_INIT;
	int depth = 0;
	size_t n;

	for (const char *p = re; *p; p += n) {
		char c = plain_at(p, &n);

		if (c && !depth) {
			buf_ch(&row, c);
			if (p[n] != '+')
				continue;
		}
		keep_longer(best, &row);
		if (*p == '|' && !depth) {
			buf_clear(best);
			break;
		}
		depth += *p == '(' ? 1 : *p == ')' && depth ? -1 : 0;
		if (*p == '[')
			n = (size_t)(behind_bracket(p) - p);
		else if (*p == '{')
			n += strcspn(p + 1, "}");
	}
	keep_longer(best, &row);
	buf_release(&row);
}

static void keep_literal(struct needle *nd, const char *z)
{
	struct buf literal = BUF_INIT;
	struct err none = ERR_INIT;

	find_literal(z, &literal);
	if (literal.n > 1)
		needle_new(&nd->literal, buf_view(&literal), false, &none);
	buf_release(&literal);
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
	rc = regex_make(&nd->re, z, REG_EXTENDED | REG_ICASE | REG_NEWLINE);
	if (rc == 0) {
		nd->regex = true;
		keep_literal(nd, z);
		return OK;
	}
	regerror(rc, &nd->re, why, sizeof why);
	return err_set(err, E_USAGE, "%s", why);
}

/* Empty matches are passed over. z: what is left of the text, from `from` on. */
static bool find_in_z(const struct needle *nd, const char *z, bool begins, size_t *at, size_t *len)
{
	size_t i = 0;
	regmatch_t m;

	while (z[i] && regex_match(&nd->re, z + i, 1, &m, begins && !i ? 0 : REG_NOTBOL) == 0) {
		*at = i + (size_t)m.rm_so;
		*len = (size_t)(m.rm_eo - m.rm_so);
		if (*len)
			return true;
		i = *at + 1;
		if (!z[*at])
			break;
	}
	return false;
}

/* The library wants a NUL at the end, and none before. */
static bool find_regex(const struct needle *nd, struct str hay, size_t from, size_t *at, size_t *len)
{
	char small[4096], *z = small, *nul;
	size_t n = hay.n - from;
	bool hit;

	if (!n || (nd->literal && !needle_is_in(nd->literal, (struct str){hay.p + from, n})))
		return false;
	if (n >= sizeof small)
		z = xmalloc(n + 1);
	memcpy(z, hay.p + from, n);
	z[n] = '\0';
	while ((nul = memchr(z, '\0', n)))
		*nul = '\1';
	hit = find_in_z(nd, z, from == 0, at, len);
	*at += hit ? from : 0;
	if (z != small)
		free(z);
	return hit;
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
	needle_free(nd->literal);
	free(nd->letters);
	free(nd->ascii);
	free(nd);
}

bool needle_is_regex(const struct needle *nd)
{
	return nd->regex;
}

const struct needle *needle_literal(const struct needle *nd)
{
	return nd->regex ? nd->literal : nd;
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
