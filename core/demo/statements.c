#include "core/demo/statements.h"

#include "core/base/dice.h"
#include "core/demo/simulate.h"
#include "core/text/json.h"

enum { DICE_STATEMENT = 20 };
enum dimension { POLARITY, INTERPRETATION, CONTEXT, SUBJECTIVITY, N_DIMENSIONS };

#define SECOND_EVERY 5 /* each fifth face has two statements */

static const char *const dimensions[N_DIMENSIONS] = {"sentiment polarity", "emotion interpretation",
						     "scene context", "perception subjectivity"};

static const char *const adjectives[N_FACE_EMOTIONS] = {"happy",   "sad",       "worried",
							"neutral", "surprised", "angry"};

static const char *const feelings[N_FACE_EMOTIONS] = {
    "happiness", "sadness", "worry", "nothing in particular", "surprise", "anger"};

static const char *const cues[N_FACE_EMOTIONS] = {
    "the corners of the mouth are lifted and the cheeks push up the eyes",
    "the mouth turns down, the lids are heavy and a tear runs down",
    "the inner ends of the brows are raised, the lips waver and sweat stands on the forehead",
    "brows and mouth are level and nothing in it is tense",
    "the eyes are wide open, the brows are high and the mouth is round",
    "the brows are drawn down and together and the teeth are clenched",
};

static const char *const scenes[N_FACE_SCENES] = {"a plain wall", "a wallpaper with pale dots",
						  "green hills under the sun", "a sky full of rain",
						  "a night sky with a moon"};

/* From Parrott's words, so that they find their place in the tree; calm has none there. */
static const char *const words[N_FACE_EMOTIONS][3] = {
    {"contentment", "cheerfulness", "elation"}, {"gloom", "sorrow", "grief"},
    {"uneasiness", "worry", "dread"},           {"calm", "calm", "calm"},
    {"surprise", "amazement", "astonishment"},  {"annoyance", "anger", "fury"},
};

static enum face_emotion another(const struct plan_face *f, struct dice *d)
{
	enum face_emotion e = dice_below(d, N_FACE_EMOTIONS);

	while (e == f->drawn || e == f->second)
		e = (e + 1) % N_FACE_EMOTIONS;
	return e;
}

static const char *mood(enum face_emotion e)
{
	static const char *const moods[] = {"an unpleasant one", "a pleasant one",
					    "neither clearly pleasant nor clearly unpleasant"};

	if (e == FACE_HAPPINESS)
		return moods[1];
	return moods[e == FACE_NEUTRALITY || e == FACE_SURPRISE ? 2 : 0];
}

static void polarity(struct buf *out, const struct plan_face *f, bool truth, struct dice *d)
{
	bool glad = f->drawn == FACE_HAPPINESS || f->second == FACE_HAPPINESS;
	const char *said = mood(f->drawn);

	if (!truth)
		said = mood(glad ? FACE_ANGER : FACE_HAPPINESS);
	else if (mood(f->second) != said)
		said = "a mixed one, hard to call good or bad";
	switch (dice_below(d, 3)) {
	case 0:
		buf_printf(out,
			   "Whoever looks at this picture will find that the feeling in it is %s.",
			   said);
		break;
	case 1:
		buf_printf(out, "Taken as a whole, the feeling that this face gives away is %s.",
			   said);
		break;
	default:
		buf_printf(out,
			   "Asked for the sentiment alone, most people would say that it is %s.",
			   said);
	}
}

static void interpretation(struct buf *out, const struct plan_face *f, bool truth, struct dice *d)
{
	enum face_emotion e = truth ? f->drawn : another(f, d);
	enum face_emotion seen =
	    truth || dice_percent(d, 50) ? e : f->drawn; /* true cues, false name */

	if (truth && plan_is_between(f)) {
		buf_printf(out, "The person looks half %s and half %s.", adjectives[e],
			   adjectives[f->second]);
		return;
	}
	switch (dice_below(d, 3)) {
	case 0:
		buf_printf(out, "The person looks %s: %s.", adjectives[e], cues[seen]);
		break;
	case 1:
		buf_printf(out, "This is somebody who feels %s, for in the face %s.", feelings[e],
			   cues[seen]);
		break;
	default:
		buf_printf(out, "If one word had to do for this face it would be %s, since %s.",
			   plan_emotions[e], cues[seen]);
	}
}

static void context(struct buf *out, const struct plan_face *f, bool truth, struct dice *d)
{
	unsigned scene = f->look.scene;
	enum face_emotion e = f->drawn;

	if (!truth && dice_percent(d, 60))
		scene = (scene + 1 + dice_below(d, N_FACE_SCENES - 1)) % N_FACE_SCENES;
	else if (!truth)
		e = another(f, d);
	switch (dice_below(d, 3)) {
	case 0:
		buf_printf(out, "Behind the person one sees %s, and the face before it looks %s.",
			   scenes[scene], adjectives[e]);
		break;
	case 1:
		buf_printf(out,
			   "With %s in the background, the %s look of the person comes from the "
			   "face and not from the place.",
			   scenes[scene], adjectives[e]);
		break;
	default:
		buf_printf(out, "The scene shows %s; in front of it somebody is %s.", scenes[scene],
			   adjectives[e]);
	}
}

/* Of a clear face all say the same; between two emotions people differ. */
static void subjectivity(struct buf *out, const struct plan_face *f, bool truth, struct dice *d)
{
	bool between = plan_is_between(f);
	enum face_emotion other = between ? f->second : another(f, d);

	if (between == truth)
		buf_printf(out,
			   dice_percent(d, 50)
			       ? "Some viewers may see %s in this face while others, with good "
				 "reason, see %s."
			       : "Whether this is %s or %s depends on the mood of the one who "
				 "looks.",
			   plan_emotions[f->drawn], plan_emotions[other]);
	else
		buf_printf(out,
			   dice_percent(d, 50)
			       ? "People of quite different temper would agree that this face "
				 "shows %s."
			       : "Hardly anyone could take this face for anything but %s.",
			   plan_emotions[f->drawn]);
}

/* Nobody can say much about the back of a head. */
static void turned_away(struct buf *out, const struct plan_face *f, bool truth)
{
	if (truth)
		buf_printf(out,
			   "The person is turned towards %s, so that no feeling can be read from "
			   "the face.",
			   scenes[f->look.scene]);
	else
		buf_printf(out, "The face of the person plainly shows %s.",
			   plan_emotions[f->drawn]);
}

static void statement(struct buf *out, const struct plan_face *f, enum dimension dimension,
		      bool truth, struct dice *d)
{
	static void (*const say[N_DIMENSIONS])(struct buf *, const struct plan_face *, bool,
					       struct dice *) = {polarity, interpretation, context,
								 subjectivity};

	if (f->kind == PLAN_TURNED_AWAY)
		turned_away(out, f, truth);
	else
		say[dimension](out, f, truth, d);
}

static void put_words(struct buf *out, const struct plan_face *f)
{
	buf_z(out, "    \"ov_emotion\": [");
	if (f->kind != PLAN_TURNED_AWAY) {
		json_quote(out, str_z(words[f->drawn][f->intensity]));
		if (f->second != f->drawn) {
			buf_z(out, ", ");
			json_quote(out, str_z(words[f->second][f->intensity]));
		}
	}
	buf_z(out, "],\n");
}

static void put_statement(struct buf *out, const struct plan_face *f, unsigned i, unsigned k,
			  int model)
{
	struct dice d = dice_for(DICE_STATEMENT, i, k);
	enum dimension dimension = (i + 2 * k + i / 4) % N_DIMENSIONS;
	bool truth = dice_percent(&d, 50);
	struct buf text = BUF_INIT;

	statement(&text, f, dimension, truth, &d);
	buf_z(out, k ? ",\n      {\n        \"statement\": " : "      {\n        \"statement\": ");
	json_quote(out, buf_view(&text));
	buf_printf(out, ",\n        \"label\": \"%s\"", truth ? "correct" : "incorrect");
	buf_printf(out, ",\n        \"class\": \"%s\",\n        \"subclass\": \"none\"",
		   dimensions[dimension]);
	if (model != STATEMENTS_METADATA) {
		buf_z(out, ",\n        \"predict\": ");
		json_quote(out, str_z(simulate_judgement((unsigned)model, i, k, dimension, truth)));
	}
	buf_z(out, "\n      }");
	buf_release(&text);
}

void statements_file(struct buf *out, const struct plan_face face[DEMO_FACES], int model)
{
	buf_z(out, "[\n");
	for (unsigned i = 0; i < DEMO_FACES; i++) {
		unsigned n = i % SECOND_EVERY == 0 ? 2 : 1;

		buf_printf(out, "  {\n    \"image_id\": \"face_%03u.png\",\n", i + 1);
		put_words(out, &face[i]);
		buf_z(out, "    \"statement_list\": [\n");
		for (unsigned k = 0; k < n; k++)
			put_statement(out, &face[i], i, k, model);
		buf_z(out, i + 1 < DEMO_FACES ? "\n    ]\n  },\n" : "\n    ]\n  }\n");
	}
	buf_z(out, "]\n");
}
