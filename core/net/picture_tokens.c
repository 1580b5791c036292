#include "core/net/picture_tokens.h"

#include <math.h>
#include <stddef.h>

#include "core/base/str.h"

enum rule {
	TILES,	   /* OpenAI: within 2048 × 2048, then 768 the shorter side, in tiles of 512 */
	PATCHES,   /* squares of `side` pixels, at most `most`, times `each` */
	AREA,	   /* Anthropic: within 1568 × 1568, pixels by 750 */
	WHOLE,	   /* Gemini: one up to 384 × 384, else tiles of 768 */
	DYNAMIC	   /* InternVL, LLaVA: tiles of `side`, at most `most`, and the whole in small */
};

/* The first row whose word is in the model's name. */
static const struct {
	const char *word;
	enum rule rule;
	double base, each;
	uint32_t side, most;
} rules[] = {
    {"claude", AREA, 0, 0, 0, 0},
    {"gemini", WHOLE, 0, 258, 768, 0},
    {"gemma", PATCHES, 256, 0, 1, 0}, /* always as many */
    {"qwen3-vl", PATCHES, 2, 1, 32, 16384},
    {"qwen", PATCHES, 2, 1, 28, 16384},
    {"internvl", DYNAMIC, 0, 256, 448, 12},
    {"llava", DYNAMIC, 0, 729, 384, 9},
    {"gpt-4o-mini", TILES, 2833, 5667, 512, 0},
    {"gpt-4.1-mini", PATCHES, 0, 1.62, 32, 1536},
    {"gpt-4.1-nano", PATCHES, 0, 2.46, 32, 1536},
    {"gpt-5-mini", PATCHES, 0, 1.62, 32, 1536},
    {"gpt-5-nano", PATCHES, 0, 2.46, 32, 1536},
    {"o4-mini", PATCHES, 0, 1.72, 32, 1536},
    {"gpt-5", TILES, 70, 140, 512, 0},
    {"", TILES, 85, 170, 512, 0},
};

static double least(double a, double b)
{
	return a < b ? a : b;
}

/* How often `side` goes into both sides, begun ones counted. */
static double squares(double w, double h, double side)
{
	return ceil(w / side - 1e-9) * ceil(h / side - 1e-9);
}

static double in_tiles(double w, double h, double side)
{
	double by = least(1, 2048 / (w > h ? w : h));

	by *= least(1, 768 / (by * least(w, h)));
	return squares(w * by, h * by, side);
}

static double in_area(double w, double h)
{
	double by = least(1, 1568 / (w > h ? w : h));

	return ceil(w * by * h * by / 750);
}

uint64_t picture_tokens(const char *model, uint32_t w, uint32_t h)
{
	size_t i = 0;
	double n = 0;

	if (!w || !h)
		return 0;
	while (*rules[i].word && str_find_nocase(str_z(model), str_z(rules[i].word)) == SIZE_MAX)
		i++;
	switch (rules[i].rule) {
	case TILES:
		n = rules[i].base + rules[i].each * in_tiles(w, h, rules[i].side);
		break;
	case PATCHES:
		n = rules[i].base + rules[i].each * least(squares(w, h, rules[i].side), rules[i].most);
		break;
	case AREA:
		n = in_area(w, h);
		break;
	case WHOLE:
		n = rules[i].each * (w <= 384 && h <= 384 ? 1 : squares(w, h, rules[i].side));
		break;
	case DYNAMIC:
		n = least(squares(w, h, rules[i].side), rules[i].most);
		n = rules[i].each * (n > 1 ? n + 1 : 1);
	}
	return (uint64_t)ceil(n);
}
