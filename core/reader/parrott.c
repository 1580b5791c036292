/* W. G. Parrott (ed.), Emotions in Social Psychology, 2001: 6 primary, 25 secondary, 113 tertiary. */
#include "core/reader/parrott.h"

const struct parrott_branch parrott_branches[PARROTT_SECONDARY] = {
    {"love", "affection",
     {"adoration", "fondness", "liking", "attraction", "caring", "tenderness", "compassion",
      "sentimentality"}},
    {"love", "lust",
     {"desire", "passion", "infatuation"}},
    {"love", "longing",
     {"longing"}},
    {"joy", "cheerfulness",
     {"amusement", "bliss", "gaiety", "glee", "jolliness", "joviality", "joy", "delight",
      "enjoyment", "gladness", "happiness", "jubilation", "elation", "satisfaction", "ecstasy",
      "euphoria"}},
    {"joy", "zest",
     {"enthusiasm", "zeal", "excitement", "thrill", "exhilaration"}},
    {"joy", "contentment",
     {"pleasure"}},
    {"joy", "pride",
     {"triumph"}},
    {"joy", "optimism",
     {"eagerness", "hope"}},
    {"joy", "enthrallment",
     {"enthrallment", "rapture"}},
    {"joy", "relief",
     {"relief"}},
    {"surprise", "surprise",
     {"amazement", "astonishment"}},
    {"anger", "irritability",
     {"aggravation", "agitation", "annoyance", "grouchy", "grumpy", "crosspatch"}},
    {"anger", "exasperation",
     {"frustration"}},
    {"anger", "rage",
     {"anger", "outrage", "fury", "wrath", "hostility", "ferocity", "bitter", "hatred",
      "scorn", "spite", "vengefulness", "dislike", "resentment"}},
    {"anger", "disgust",
     {"revulsion", "contempt", "loathing"}},
    {"anger", "envy",
     {"jealousy"}},
    {"anger", "torment",
     {"torment"}},
    {"sadness", "suffering",
     {"agony", "anguish", "hurt"}},
    {"sadness", "sadness",
     {"depression", "despair", "gloom", "glumness", "unhappy", "grief", "sorrow", "woe",
      "misery", "melancholy"}},
    {"sadness", "disappointment",
     {"dismay", "displeasure"}},
    {"sadness", "shame",
     {"guilt", "regret", "remorse"}},
    {"sadness", "neglect",
     {"alienation", "defeatism", "dejection", "embarrassment", "homesickness", "humiliation",
      "insecurity", "insult", "isolation", "loneliness", "rejection"}},
    {"sadness", "sympathy",
     {"pity"}},
    {"fear", "horror",
     {"alarm", "shock", "fear", "fright", "horror", "terror", "panic", "hysteria",
      "mortification"}},
    {"fear", "nervousness",
     {"anxiety", "suspense", "uneasiness", "apprehension", "worry", "distress", "dread"}},
};

enum parrott_level parrott_find(struct str word, struct str *primary, struct str *secondary)
{
	enum parrott_level best = PARROTT_NONE;

	word = str_trim(word);
	for (size_t i = 0; i < PARROTT_SECONDARY; i++) {
		const struct parrott_branch *b = &parrott_branches[i];
		enum parrott_level level = PARROTT_NONE;

		if (str_eq_nocase(word, str_z(b->primary)))
			level = PARROTT_PRIMARY;
		if (str_eq_nocase(word, str_z(b->secondary)))
			level = PARROTT_IN_SECONDARY;
		for (const char *const *w = b->tertiary; *w; w++)
			if (str_eq_nocase(word, str_z(*w)))
				level = PARROTT_TERTIARY;
		if (level <= best)
			continue;
		best = level;
		*primary = str_z(b->primary);
		*secondary = level > PARROTT_PRIMARY ? str_z(b->secondary) : STR_NONE;
	}
	return best;
}

static bool is_primary(const char *word)
{
	for (size_t i = 0; i < PARROTT_SECONDARY; i++)
		if (strcmp(parrott_branches[i].primary, word) == 0)
			return true;
	return false;
}

static bool is_secondary(const char *word)
{
	for (size_t i = 0; i < PARROTT_SECONDARY; i++)
		if (strcmp(parrott_branches[i].secondary, word) == 0)
			return true;
	return false;
}

static enum status send(struct sink *sink, struct str facet, const char *word, const char *parent,
			struct err *err)
{
	struct rec_tree rec = {.facet = facet, .value = str_z(word), .parent = str_z(parent)};

	return sink_tree(sink, &rec, err);
}

enum status parrott_send(struct sink *sink, struct str facet, struct err *err)
{
	enum status st = OK;
	const char *last = "";

	for (size_t i = 0; i < PARROTT_SECONDARY && !st; i++) {
		const struct parrott_branch *b = &parrott_branches[i];

		if (strcmp(b->primary, last) != 0)
			st = send(sink, facet, b->primary, NULL, err);
		last = b->primary;
		if (!st && !is_primary(b->secondary))
			st = send(sink, facet, b->secondary, b->primary, err);
		for (const char *const *w = b->tertiary; *w && !st; w++)
			if (!is_primary(*w) && !is_secondary(*w))
				st = send(sink, facet, *w, b->secondary, err);
	}
	return st;
}
