#include "core/base/utf8.h"

uint32_t utf8_decode(const char *s, size_t n, size_t *len)
{
	static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *p = (const unsigned char *)s;
	size_t k = p[0] < 0x80 ? 1 : (p[0] >> 5) == 6 ? 2 : (p[0] >> 4) == 14 ? 3 : (p[0] >> 3) == 30 ? 4 : 0;
	uint32_t cp;

	*len = 1;
	if (k == 1)
		return p[0];
	if (k == 0 || k > n)
		return UTF8_BAD;
	cp = p[0] & (0x7fu >> k);
	for (size_t i = 1; i < k; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return UTF8_BAD;
		cp = cp << 6 | (p[i] & 0x3f);
	}
	if (cp < least[k] || cp > 0x10ffff || (cp >= 0xd800 && cp <= 0xdfff))
		return UTF8_BAD;
	*len = k;
	return cp;
}

size_t utf8_encode(uint32_t cp, char out[4])
{
	if (cp > 0x10ffff || (cp >= 0xd800 && cp <= 0xdfff))
		cp = UTF8_BAD;
	if (cp < 0x80) {
		out[0] = (char)cp;
		return 1;
	}
	if (cp < 0x800) {
		out[0] = (char)(0xc0 | cp >> 6);
		out[1] = (char)(0x80 | (cp & 0x3f));
		return 2;
	}
	if (cp < 0x10000) {
		out[0] = (char)(0xe0 | cp >> 12);
		out[1] = (char)(0x80 | (cp >> 6 & 0x3f));
		out[2] = (char)(0x80 | (cp & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | cp >> 18);
	out[1] = (char)(0x80 | (cp >> 12 & 0x3f));
	out[2] = (char)(0x80 | (cp >> 6 & 0x3f));
	out[3] = (char)(0x80 | (cp & 0x3f));
	return 4;
}

size_t utf8_valid_prefix(struct str s)
{
	size_t i = 0, len;
	uint64_t w;

	while (i < s.n) {
		if (i + 8 <= s.n) { /* eight ASCII bytes at once */
			memcpy(&w, s.p + i, 8);
			if (!(w & 0x8080808080808080u)) {
				i += 8;
				continue;
			}
		}
		if ((unsigned char)s.p[i] < 0x80) {
			i++;
			continue;
		}
		utf8_decode(s.p + i, s.n - i, &len);
		if (len == 1)
			return i;
		i += len;
	}
	return s.n;
}

const char *utf8_fault(struct str s, size_t *at)
{
	const char *zero = s.n ? memchr(s.p, '\0', s.n) : NULL;

	*at = utf8_valid_prefix(s);
	if (*at < s.n)
		return "is not UTF-8";
	*at = zero ? (size_t)(zero - s.p) : s.n;
	return zero ? "has a zero byte in it" : NULL;
}

void utf8_repair(struct str s, struct buf *out)
{
	while (s.n) {
		size_t k = utf8_valid_prefix(s);

		buf_put(out, s.p, k);
		s.p += k;
		s.n -= k;
		if (s.n) {
			buf_z(out, "\xef\xbf\xbd");
			s.p++;
			s.n--;
		}
	}
}

bool utf8_is_unsafe(uint32_t cp)
{
	return cp < 0x20 || (cp >= 0x7f && cp < 0xa0) || cp == 0x061c || cp == 0x200e || cp == 0x200f ||
	       (cp >= 0x2028 && cp <= 0x202e) || (cp >= 0x2066 && cp <= 0x2069) || cp == 0xfeff ||
	       (cp >= 0xfff9 && cp <= 0xfffb) || (cp >= 0xe0000 && cp <= 0xe007f);
}
