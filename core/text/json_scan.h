/*
 * json_scan: the grammar of JSON, once, for both gears and nobody else (inside core/text only).
 * Strict, except that NaN, Infinity and -Infinity are taken. Nothing is copied.
 */
#ifndef QUALM_CORE_TEXT_JSON_SCAN_H
#define QUALM_CORE_TEXT_JSON_SCAN_H

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "core/base/err.h"
#include "core/base/str.h"

enum json_seen {
	JSON_SAW_ESCAPE = 1,   /* a backslash in a string */
	JSON_SAW_REPLACED = 2, /* an escape that becomes U+FFFD: \u0000, half a surrogate pair */
	JSON_SAW_NAN = 4,      /* NaN, Infinity, -Infinity */
	JSON_SAW_NUMBER = 8,   /* a number that printing the double might not give back; only
				  with look_at_numbers */
};

struct json_scan {
	const char *p; /* how far it came; on failure: the byte that is wrong */
	const char *end;
	const char *why;  /* on failure: what is wrong, without a place */
	enum status code; /* on failure: E_FORMAT or E_LIMIT */
	bool look_at_numbers;
	unsigned seen; /* JSON_SAW_* bits, added to */
	size_t nodes;  /* values passed, counted up to JSON_MAX_NODES */
};

/* Each goes from the first byte of its thing, which must be there (a string may be at the end),
 * to behind the last one. false: see why and code. */
bool json_scan_string(struct json_scan *s); /* from behind the opening quote */
bool json_scan_number(struct json_scan *s);
bool json_scan_word(struct json_scan *s); /* true false null NaN Infinity -Infinity */
/* A value with all that is in it, `depth` levels down already. */
bool json_scan_value(struct json_scan *s, size_t depth);

static inline void json_skip_blanks(struct json_scan *s)
{
	while (s->p < s->end && (*s->p == ' ' || *s->p == '\t' || *s->p == '\n' || *s->p == '\r'))
		s->p++;
}

#ifdef __SSE2__
/* A bit for every byte that is. With a sign, what is not ASCII is below the blank as well. */
static inline unsigned json_not_plain(__m128i v)
{
	__m128i hit = _mm_cmpgt_epi8(_mm_set1_epi8(' '), v);

	hit = _mm_or_si128(hit, _mm_cmpeq_epi8(v, _mm_set1_epi8('"')));
	hit = _mm_or_si128(hit, _mm_cmpeq_epi8(v, _mm_set1_epi8('\\')));
	return (unsigned)_mm_movemask_epi8(hit);
}
#endif

/* The first byte from p that is a quote, a backslash, a control character or not ASCII. */
static inline const char *json_pass_plain(const char *p, const char *end)
{
#ifdef __SSE2__
	for (; end - p >= 16; p += 16) {
		unsigned mask = json_not_plain(_mm_loadu_si128((const __m128i *)(const void *)p));

		if (mask)
			return p + __builtin_ctz(mask);
	}
#endif
	while (p < end && (unsigned char)*p >= 0x20 && (unsigned char)*p < 0x80 && *p != '"' &&
	       *p != '\\')
		p++;
	return p;
}

/* The escape whose backslash is at p: its length (2, 6, 12) and code point; 0 if it is none.
 * What has no code point (see JSON_SAW_REPLACED) gives U+FFFD and sets *replaced. */
size_t json_escape(const char *p, const char *end, uint32_t *cp, bool *replaced);
/* Append the decoded text of a scanned string (what is between its quotes). */
void json_unescape(struct str raw, struct buf *out);
/* The text of a number token as json_scalar() promises it; borrows token or scratch. */
struct str json_number_text(struct str token, struct buf *scratch);
/* Would printing the double give this very text? */
bool json_number_is_simple(struct str token);

#endif
