/*
 * gen: the benchmark's corpora, the same bytes every time.
 *
 *   gen samples N          the samples, JSON lines
 *   gen ordered N RUNS     predictions, run after run
 *   gen shuffled N RUNS    the same lines in a fixed random order
 *   gen csv N RUNS         the same predictions as CSV
 *
 * A line depends on its number alone, so that any order can be written without keeping anything.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CLASSES 1000

static uint64_t mix(uint64_t x)
{
	x += 0x9e3779b97f4a7c15u;
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

struct dice {
	uint64_t state;
};

static uint32_t roll(struct dice *d, uint32_t sides)
{
	d->state = mix(d->state);
	return (uint32_t)((d->state >> 32) * sides >> 32);
}

static const char *const words[] = {
    "the",  "picture", "shows", "a",    "small", "furry", "animal", "that",  "looks", "quite",
    "calm", "near",    "some",  "green", "plants", "with", "soft",  "light", "and",   "shade",
};

static void put_words(FILE *out, struct dice *d, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		fprintf(out, "%s%s", i ? " " : "", words[roll(d, sizeof words / sizeof *words)]);
}

static uint32_t truth_of(uint32_t sample)
{
	return (uint32_t)(mix(sample ^ 0x5eedu) % CLASSES);
}

static void put_sample(FILE *out, uint32_t i)
{
	static const char *const cats[] = {"S+", "S-", "M+", "M-", "N"};
	static const char *const moods[] = {"amusement", "anger", "awe", "contentment", "disgust",
					    "excitement", "fear", "sadness"};
	static const char *const dims[] = {"size", "light", "crowd", "texture"};
	struct dice d = {mix(i)};
	uint32_t n = roll(&d, 6);

	fprintf(out, "{\"id\": \"val_%08" PRIu32 "\", \"image\": \"images/%03" PRIu32 "/val_%08" PRIu32 ".jpg\", ",
		i, i / 1000, i);
	fprintf(out, "\"label\": \"class %" PRIu32 "\", \"category\": \"%s\", \"emotion_word\": \"%s\", ",
		truth_of(i), cats[roll(&d, 5)], moods[roll(&d, 8)]);
	fprintf(out, "\"dimension\": \"%s\", \"labels_multi\": [", dims[roll(&d, 4)]);
	for (uint32_t k = 0; k < n; k++)
		fprintf(out, "%s\"class %" PRIu32 "\"", k ? ", " : "",
			k ? roll(&d, CLASSES) : truth_of(i));
	fprintf(out, "], \"question\": \"");
	put_words(out, &d, 8 + roll(&d, 8));
	fprintf(out, "?\"}\n");
}

struct answer {
	uint32_t label, score, latency, tokens;
	struct dice text;
	bool odd; /* holds an escape and a character that is not ASCII */
};

static struct answer answer_of(uint32_t sample, uint32_t run)
{
	struct dice d = {mix((uint64_t)run << 32 | sample)};
	struct answer a;

	a.label = roll(&d, 100) < 50 + run ? truth_of(sample) : roll(&d, CLASSES);
	a.score = roll(&d, 10000);
	a.latency = 80 + roll(&d, 4000);
	a.tokens = 12 + roll(&d, 60);
	a.odd = roll(&d, 50) == 0;
	a.text = d;
	return a;
}

static void put_prediction(FILE *out, uint32_t sample, uint32_t run)
{
	struct answer a = answer_of(sample, run);

	fprintf(out, "{\"sample_id\": \"val_%08" PRIu32 "\", \"model\": \"vendor/model-%02" PRIu32
		     "\", \"protocol\": \"CW\", ", sample, run);
	fprintf(out, "\"prediction\": \"class %" PRIu32 "\", \"confidence\": 0.%04" PRIu32
		     ", \"latency_ms\": %" PRIu32 ".%" PRIu32 ", \"tokens\": %" PRIu32 ", \"response\": \"",
		a.label, a.score, a.latency, a.score % 10, a.tokens);
	if (a.odd)
		fprintf(out, "\\\"Caf\xc3\xa9\\\" ");
	put_words(out, &a.text, 13 + roll(&a.text, 5));
	fprintf(out, "\"}\n");
}

static void put_csv(FILE *out, uint32_t sample, uint32_t run)
{
	struct answer a = answer_of(sample, run);

	fprintf(out, "val_%08" PRIu32 ",vendor/model-%02" PRIu32 ",CW,class %" PRIu32 ",0.%04" PRIu32
		     ",%" PRIu32 ".%" PRIu32 ",%" PRIu32 ",%s",
		sample, run, a.label, a.score, a.latency, a.score % 10, a.tokens,
		a.odd ? "\"\"\"Caf\xc3\xa9\"\" " : "");
	put_words(out, &a.text, 13 + roll(&a.text, 5));
	fprintf(out, "%s\n", a.odd ? "\"" : "");
}

/* A permutation of 0 … n - 1: a small Feistel network over the next even power of two, walked
 * until it lands below n. */
static uint64_t shuffled(uint64_t i, uint64_t n)
{
	unsigned half = 1;
	uint64_t mask;

	while ((uint64_t)1 << 2 * half < n)
		half++;
	mask = ((uint64_t)1 << half) - 1;
	do {
		uint64_t left = i >> half, right = i & mask;

		for (uint64_t round = 0; round < 4; round++) {
			uint64_t next = left ^ (mix(right ^ round << 40) & mask);

			left = right;
			right = next;
		}
		i = left << half | right;
	} while (i >= n);
	return i;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	uint64_t n = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
	uint64_t runs = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
	bool mixed = strcmp(what, "shuffled") == 0, csv = strcmp(what, "csv") == 0;

	if (!n || !runs || n > UINT32_MAX || runs > 10000) {
		fprintf(stderr, "usage: gen samples|ordered|shuffled|csv N [RUNS]\n");
		return 2;
	}
	if (strcmp(what, "samples") == 0) {
		for (uint64_t i = 0; i < n; i++)
			put_sample(stdout, (uint32_t)i);
		return fflush(stdout) != 0;
	}
	if (csv)
		printf("sample_id,model,protocol,prediction,confidence,latency_ms,tokens,response\n");
	for (uint64_t i = 0; i < n * runs; i++) {
		uint64_t at = mixed ? shuffled(i, n * runs) : i;

		(csv ? put_csv : put_prediction)(stdout, (uint32_t)(at % n), (uint32_t)(at / n));
	}
	return fflush(stdout) != 0;
}
