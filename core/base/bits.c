#include "core/base/bits.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "core/base/clones.h"
#include "core/base/xmalloc.h"

uint64_t *bits_new(size_t n)
{
	size_t size;
	uint64_t *b;

	if (!mem_mul(bits_words(n) + 1, sizeof *b, &size) || !(b = mem_try(size)))
		return NULL;
	memset(b, 0, size);
	return b;
}

/* The bits of the last word that are samples. */
static uint64_t last_mask(size_t n)
{
	return n % 64 ? ((uint64_t)1 << (n % 64)) - 1 : UINT64_MAX;
}

void bits_fill(uint64_t *b, size_t n, bool value)
{
	size_t w = bits_words(n);

	memset(b, value ? 0xff : 0, w * sizeof *b);
	if (w && value)
		b[w - 1] &= last_mask(n);
}

void bits_not(uint64_t *b, size_t n)
{
	size_t w = bits_words(n);

	for (size_t i = 0; i < w; i++)
		b[i] = ~b[i];
	if (w)
		b[w - 1] &= last_mask(n);
}

void bits_and(uint64_t *b, const uint64_t *other, size_t n)
{
	for (size_t i = 0; i < bits_words(n); i++)
		b[i] &= other[i];
}

void bits_or(uint64_t *b, const uint64_t *other, size_t n)
{
	for (size_t i = 0; i < bits_words(n); i++)
		b[i] |= other[i];
}

void bits_and_not(uint64_t *b, const uint64_t *other, size_t n)
{
	for (size_t i = 0; i < bits_words(n); i++)
		b[i] &= ~other[i];
}

static CLONES size_t count(const uint64_t *b, size_t words)
{
	size_t sum = 0;

	for (size_t i = 0; i < words; i++)
		sum += (size_t)__builtin_popcountll(b[i]);
	return sum;
}

static CLONES size_t count_and(const uint64_t *a, const uint64_t *b, size_t words)
{
	size_t sum = 0;

	for (size_t i = 0; i < words; i++)
		sum += (size_t)__builtin_popcountll(a[i] & b[i]);
	return sum;
}

size_t bits_count(const uint64_t *b, size_t n)
{
	return count(b, bits_words(n));
}

size_t bits_count_and(const uint64_t *a, const uint64_t *b, size_t n)
{
	return count_and(a, b, bits_words(n));
}

bool bits_any(const uint64_t *b, size_t n)
{
	for (size_t i = 0; i < bits_words(n); i++)
		if (b[i])
			return true;
	return false;
}

size_t bits_next(const uint64_t *b, size_t n, size_t from)
{
	size_t w = from / 64;
	uint64_t word;

	if (from >= n)
		return n;
	word = b[w] & (UINT64_MAX << (from % 64));
	while (!word && ++w < bits_words(n))
		word = b[w];
	return word ? w * 64 + (size_t)__builtin_ctzll(word) : n;
}

uint64_t bits_pack(const uint8_t bytes[64])
{
	uint64_t out = 0;

#ifdef __SSE2__
	for (int k = 0; k < 4; k++) {
		__m128i v = _mm_loadu_si128((const __m128i *)(const void *)(bytes + 16 * k));
		int m = _mm_movemask_epi8(_mm_slli_epi16(v, 7));

		out |= (uint64_t)(unsigned)m << (16 * k);
	}
#else
	for (int k = 0; k < 64; k++)
		out |= (uint64_t)(bytes[k] & 1) << k;
#endif
	return out;
}

static CLONES void equal_64(uint64_t *out, const uint8_t *v, size_t words, uint8_t x)
{
	uint8_t hit[64];

	for (size_t w = 0; w < words; w++) {
		for (int k = 0; k < 64; k++)
			hit[k] = v[w * 64 + (size_t)k] == x;
		out[w] = bits_pack(hit);
	}
}

void bits_of_bytes(uint64_t *out, const uint8_t *v, size_t n, uint8_t x)
{
	equal_64(out, v, n / 64, x);
	if (n % 64)
		out[n / 64] = 0;
	for (size_t i = n - n % 64; i < n; i++)
		if (v[i] == x)
			bits_set(out, i);
}

void bits_to_bytes(const uint64_t *b, size_t n, uint8_t *out)
{
	for (size_t i = 0; i < n; i++)
		out[i] = bits_get(b, i);
}
