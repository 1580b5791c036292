#include "core/net/base64.h"

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void base64_put(struct buf *out, struct str bytes)
{
	const unsigned char *p = (const unsigned char *)bytes.p;
	size_t n = bytes.n, n_out = (n / 3 + (n % 3 != 0)) * 4;
	char *to = buf_reserve(out, n_out);

	if (!to)
		return;
	out->n += n_out;
	for (; n >= 3; n -= 3, p += 3, to += 4) {
		to[0] = digits[p[0] >> 2];
		to[1] = digits[(p[0] & 3) << 4 | p[1] >> 4];
		to[2] = digits[(p[1] & 15) << 2 | p[2] >> 6];
		to[3] = digits[p[2] & 63];
	}
	if (n) {
		to[0] = digits[p[0] >> 2];
		to[1] = digits[(p[0] & 3) << 4 | (n > 1 ? p[1] >> 4 : 0)];
		to[2] = n > 1 ? digits[(p[1] & 15) << 2] : '=';
		to[3] = '=';
		to += 4;
	}
	*to = '\0';
}

static int value(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	return c == '+' ? 62 : c == '/' ? 63 : -1;
}

bool base64_take(struct str text, struct buf *out)
{
	size_t before = out->n;
	uint32_t bits = 0;
	int n_bits = 0;

	for (int pad = text.n % 4 ? 0 : 2; pad && text.n && text.p[text.n - 1] == '='; pad--)
		text.n--;
	for (size_t i = 0; i < text.n; i++) {
		int v = value(text.p[i]);

		if (v < 0)
			goto no;
		bits = bits << 6 | (uint32_t)v;
		n_bits += 6;
		if (n_bits >= 8) {
			n_bits -= 8;
			buf_ch(out, (char)(bits >> n_bits & 0xff));
		}
	}
	/* Left over are the bits that fill up the last digit: fewer than one digit, and zero. */
	if (n_bits < 6 && (bits & ((1u << n_bits) - 1)) == 0 && !out->failed)
		return true;
no:
	out->n = before;
	return false;
}
