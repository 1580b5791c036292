#include "core/reader/memo.h"

#include "core/base/path.h"

#define N_WORDS 3

static const char *const emotions[][N_WORDS] = {
    {"happiness", "happy", "HAP"},   {"sadness", "sad", NULL},
    {"worry", "worried", "WOR"},     {"neutrality", "neutral", "NEU"},
    {"surprise", "surprised", "SUR"}, {"anger", "angry", "ANG"},
};
#define N_EMOTIONS (sizeof emotions / sizeof *emotions)

enum status memo_begin(struct sink *sink, struct err *err)
{
	enum status st = sink_preset(sink, STR("memo"), err);

	for (size_t i = 0; i < N_EMOTIONS && st == OK; i++) {
		struct str aliases[N_WORDS];
		struct rec_class rec = {.index = -1, .name = str_z(emotions[i][0]), .aliases = aliases};

		for (size_t k = 1; k < N_WORDS && emotions[i][k]; k++)
			aliases[rec.n_aliases++] = str_z(emotions[i][k]);
		st = sink_class(sink, &rec, err);
	}
	return st;
}

struct str memo_emotion(struct str word)
{
	for (size_t i = 0; i < N_EMOTIONS; i++)
		for (size_t k = 0; k < N_WORDS && emotions[i][k]; k++)
			if (str_eq_nocase(word, str_z(emotions[i][k])))
				return str_z(emotions[i][0]);
	return STR_NONE;
}

struct str memo_key(struct str image)
{
	struct str base = path_base(image);

	return looks_like_image(base) ? path_stem(base) : base;
}
