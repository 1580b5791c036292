#include "core/protocol/extract.h"

const struct protocol protocols[] = {
    {"ow", "open world: what is in the image, in the model's own words", "ow", "", true, true, LIST_ANY_HIT,
     extract_class},
    {"cw", "closed world: one of the classes, all of them in the prompt", "cw", "classes", true, false,
     LIST_ANY_HIT, extract_class},
    {"cw+", "closed world; answers outside of the classes are mapped afterwards", "cw", "classes", true, false,
     LIST_ANY_HIT, extract_class},
    {"mc", "multiple choice: the letter of an option", "mc", "options", false, false, LIST_ANY_HIT,
     extract_letter},
    {"esj", "emotion statement judgement: Correct or Incorrect", "esj", "statement", false, false,
     LIST_ANY_HIT, extract_esj},
    {"memo", "the emotion of a portrait, and its degree from 0 to 5", "memo", "classes", false, false,
     LIST_ANY_HIT, extract_memo},
    {"mme", "a video's emotion, reasoned step by step, out of the question's label set", "mme", "label_set",
     false, false, LIST_ANY_HIT, extract_label},
    {"mme-multi", "the same with every emotion that applies", "mme-multi", "label_set", false, false,
     LIST_ALL_HIT, extract_labels},
    {"mme-sentiment", "the same for sentiment", "mme-sentiment", "label_set", false, false, LIST_ANY_HIT,
     extract_label},
    {"mme-intent", "the same for intent", "mme-intent", "label_set", false, false, LIST_ANY_HIT,
     extract_label},
    {"all-labels", "every class that is in the image", "all-labels", "classes", false, false, LIST_ANY_HIT,
     extract_labels},
    {NULL, NULL, NULL, NULL, false, false, LIST_ANY_HIT, NULL},
};

const struct protocol *protocol_find(struct str name)
{
	for (const struct protocol *p = protocols; p->name; p++)
		if (str_eq_nocase(name, str_z(p->name)))
			return p;
	return NULL;
}

void extraction_init(struct extraction *f)
{
	*f = (struct extraction){.outcome = OUTCOME_UNPARSED, .rule = "", .degree = NAN};
}

void protocol_extract(const struct protocol *p, struct arena *arena, const struct ask *ask,
		      struct str raw, struct extraction *out)
{
	for (size_t i = 0; i < ask->n_samples; i++)
		extraction_init(&out[i]);
	if (!str_trim(raw).n)
		for (size_t i = 0; i < ask->n_samples; i++)
			out[i].outcome = OUTCOME_EMPTY;
	else if (answer_body(raw).text.n)
		p->extract(arena, ask, raw, out);
}
