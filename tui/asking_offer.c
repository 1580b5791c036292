/* What is offered: how classes are listed, how the options of questions are drawn. */
#include <stdlib.h>

#include "core/base/nearest.h"
#include "core/base/xmalloc.h"
#include "db/vectors.h"
#include "tui/app.h"
#include "tui/view/chooser.h"
#include "tui/view/sign.h"

#define SEED_MAX    INT32_MAX
#define ENCODERS_MAX 64 /* that the project keeps */

enum offer {
	OFFER_LIST, OFFER_JSON, OFFER_IDS, OFFER_OWN, /* of classes */
	OFFER_STORED, OFFER_RANDOM, OFFER_HARD, OFFER_NEAR, /* of options, as enum query_options */
	OFFER_ORIGINAL, OFFER_REANNOTATED, OFFER_BOTH, /* as enum choices_truth */
	OFFER_REDRAW, N_OFFERS
};

static const struct {
	const char *word; /* typed */
	const char *name, *help;
} offers[N_OFFERS] = {
    {"names", "names", "between commas; the answer is bare"},
    {"json", "JSON", "in a JSON list; the answer is a JSON object"},
    {"ids", "ids", "the answer is a wnid, or an index"},
    {"own", "the sample's own", "the sample's options are the classes, by their names"},
    {"stored", "stored", "the sample's own options, as letters"},
    {"random", "random", "the label and random classes, drawn by seed"},
    {"hard", "hard", "the label and what a takes it for"},
    {"near", "near", "the label and classes with near names"},
    {"original", "original label", "the label is that of the layer original"},
    {"reannotated", "reannotated label", "the label is one of the layer reannotated"},
    {"both", "both labels", "both are among the options"},
    {"redraw", "other options", "drawn anew, by the next seed"},
};

static bool is_choice(const struct asking *a)
{
	return strcmp(a->protocol->name, "mc") == 0;
}

static bool has_layer(const struct app *app, enum offer o)
{
	bool original = snapshot_layer(app->scene.snap, STR("original")) >= 0;
	bool reannotated = snapshot_layer(app->scene.snap, STR("reannotated")) >= 0;

	return o == OFFER_ORIGINAL ? original : o == OFFER_REANNOTATED ? reannotated : original && reannotated;
}

static bool can_offer(const struct app *app, enum offer o)
{
	const struct asking *a = &app->asking;

	if (is_choice(a) && o >= OFFER_ORIGINAL)
		return a->options != QUERY_OPTIONS_STORED && (o == OFFER_REDRAW || has_layer(app, o));
	if (is_choice(a))
		return o >= OFFER_STORED;
	if (!strstr(a->protocol->needs, "classes"))
		return o == OFFER_LIST || (o == OFFER_JSON && a->protocol->batches);
	return o < OFFER_STORED && (o != OFFER_JSON || a->protocol->batches);
}

static bool is_now(const struct asking *a, enum offer o)
{
	if (o >= OFFER_ORIGINAL)
		return o == OFFER_ORIGINAL + (enum offer)a->truth;
	if (is_choice(a))
		return o == OFFER_STORED + (enum offer)a->options;
	return o == (a->own_classes ? OFFER_OWN : a->ids ? OFFER_IDS : a->form == ASK_JSON ? OFFER_JSON : OFFER_LIST);
}

/* --- by which encoder --- */

static bool is_kept(const struct str *names, size_t n, const char *model)
{
	for (size_t i = 0; i < n && model; i++)
		if (str_eqz(names[i], model))
			return true;
	return false;
}

static bool is_configured(const struct endpoint_list *list, struct str name)
{
	for (size_t i = 0; list && i < list->n; i++)
		if (list->v[i].model && str_eqz(name, list->v[i].model))
			return true;
	return false;
}

/* Whose vectors are kept: those of no endpoint first, `alone` of them. */
static size_t gather_kept(struct app *app, struct str *names, size_t *alone, struct arena *arena)
{
	struct err ignored = ERR_INIT;
	size_t n = 0;

	*alone = 0;
	if (vectors_encoders(app->conn, ENCODERS_MAX, names, &n, arena, &ignored) != OK)
		return 0;
	for (size_t i = 0; i < n; i++)
		if (!is_configured(app->cli->endpoints, names[i])) {
			struct str own = names[i];

			names[i] = names[*alone];
			names[(*alone)++] = own;
		}
	return n;
}

/* The cursor begins where nothing needs to be sent. */
static void gather_encoders(struct app *app, struct chooser *c)
{
	const struct endpoint_list *list = app->cli->endpoints;
	struct str kept[ENCODERS_MAX];
	struct arena arena = ARENA_INIT;
	size_t alone, n = gather_kept(app, kept, &alone, &arena);
	bool begun = alone > 0;

	for (size_t i = 0; i < alone; i++)
		chooser_add(c, &(struct choice){"", kept[i].p, "", "kept"});
	for (size_t i = 0; list && i < list->n; i++) {
		bool known = is_kept(kept, n, list->v[i].model);

		if (known && !begun)
			chooser_start(c, (uint32_t)i);
		begun |= known;
		chooser_add(c, &(struct choice){"", list->v[i].name, list->v[i].model ? list->v[i].model : "",
						known ? "kept" : "endpoint"});
	}
	arena_release(&arena);
}

static unsigned use_encoder(struct app *app, uint32_t at)
{
	const struct endpoint_list *list = app->cli->endpoints;
	struct str kept[ENCODERS_MAX];
	struct arena arena = ARENA_INIT;
	size_t n = 0;
	unsigned react = REACT_REDRAW;

	gather_kept(app, kept, &n, &arena);
	if (at < n)
		react = asking_embed(app, kept[at]);
	else if (list && at - n < list->n)
		react = asking_embed(app, str_z(list->v[at - n].name));
	arena_release(&arena);
	return react;
}

static unsigned choose_encoder(struct app *app)
{
	static const struct chooser_spec spec = {.title = "names are near by the vectors of", .words = true,
						 .nothing = "near options need vectors of the class names: an endpoint "
							    "that embeds texts (man 5 qualm), or :offer near FILE",
						 .gather = gather_encoders, .accept = use_encoder};

	return chooser_open(app, &spec);
}

/* --- choosing --- */

static unsigned use(struct app *app, enum offer o)
{
	struct asking *a = &app->asking;
	enum ask_form before = a->form;

	if (o == OFFER_NEAR)
		return choose_encoder(app);
	if (o == OFFER_REDRAW) {
		a->seed = a->seed < SEED_MAX ? a->seed + 1 : 0;
	} else if (o >= OFFER_ORIGINAL) {
		a->truth = (enum choices_truth)(o - OFFER_ORIGINAL);
	} else if (is_choice(a)) {
		a->options = (enum query_options)(o - OFFER_STORED);
	} else {
		a->form = o == OFFER_JSON ? ASK_JSON : ASK_LIST;
		a->ids = o == OFFER_IDS;
		a->own_classes = o == OFFER_OWN;
	}
	if (a->form != before) { /* the prompt says how to answer */
		free(a->prompt);
		a->prompt = NULL;
	}
	asking_changed(app);
	return REACT_REDRAW;
}

static void gather_offers(struct app *app, struct chooser *c)
{
	const struct asking *a = &app->asking;
	uint32_t n = 0;
	char seed[40];

	for (int o = 0; o < N_OFFERS; o++) {
		bool now = is_now(a, (enum offer)o);

		if (!can_offer(app, (enum offer)o))
			continue;
		if (now && o < OFFER_ORIGINAL)
			chooser_start(c, n);
		n++;
		snprintf(seed, sizeof seed, "seed %llu", (unsigned long long)a->seed);
		chooser_add(c, &(struct choice){now ? sign(SIGN_CHOSEN) : "", offers[o].name, offers[o].help,
						o == OFFER_REDRAW				      ? seed
						: o == OFFER_NEAR && a->encoder && now ? a->encoder
										      : ""});
	}
}

static unsigned accept(struct app *app, uint32_t at)
{
	for (int o = 0; o < N_OFFERS; o++)
		if (can_offer(app, (enum offer)o) && !at--)
			return use(app, (enum offer)o);
	return REACT_REDRAW;
}

unsigned asking_choose_offer(struct app *app)
{
	static const struct chooser_spec spec = {.title = "what is offered", .nothing = "",
						 .gather = gather_offers, .accept = accept, .words = true};

	return chooser_open(app, &spec);
}

/* --- by words --- */

static int offer_named(struct str word)
{
	for (int o = 0; o < N_OFFERS; o++)
		if (str_eqz(word, offers[o].word))
			return o;
	return -1;
}

static bool refuse(struct app *app, struct str word)
{
	struct nearest near = {.word = word};

	for (int o = 0; o < N_OFFERS; o++)
		if (can_offer(app, (enum offer)o))
			nearest_offer(&near, offers[o].word);
	app_message(app, STYLE_WARNING, "%s offers nothing like %.*s%s%s", app->asking.protocol->name,
		    (int)(word.n > 60 ? 60 : word.n), word.p, near.best ? "; is meant: " : "",
		    near.best ? near.best : "");
	return false;
}

static bool use_seed(struct app *app, struct str word)
{
	int64_t seed;

	if (!str_int(word, &seed) || seed < 0 || seed > SEED_MAX) {
		app_message(app, STYLE_WARNING, "seed takes a number from 0 to %d", SEED_MAX);
		return false;
	}
	app->asking.seed = (uint64_t)seed;
	asking_changed(app);
	return true;
}

/* Behind "near" a word that is none of the others is an encoder. */
static struct str take_encoder(struct str *rest)
{
	struct str word, after = str_trim(str_cut(*rest, ' ', &word));

	if (!word.n || offer_named(word) >= 0 || str_eqz(word, "seed"))
		return STR_NONE;
	*rest = after;
	return word;
}

bool asking_use_offer(struct app *app, struct str words)
{
	struct str word, encoder, rest = str_trim(words);

	while (rest.n) {
		int o;

		rest = str_trim(str_cut(rest, ' ', &word));
		o = offer_named(word);
		if (str_eqz(word, "seed")) {
			rest = str_trim(str_cut(rest, ' ', &word));
			if (!use_seed(app, word))
				return false;
			continue;
		}
		if (o < 0 || !can_offer(app, (enum offer)o))
			return refuse(app, word);
		encoder = o == OFFER_NEAR ? take_encoder(&rest) : STR_NONE;
		if (encoder.n)
			asking_embed(app, encoder);
		else
			use(app, (enum offer)o);
	}
	return true;
}

void asking_offer_text(const struct asking *a, struct buf *out)
{
	if (!is_choice(a) && !strstr(a->protocol->needs, "classes")) {
		buf_printf(out, "no classes%s", a->form == ASK_JSON ? ", JSON" : "");
		return;
	}
	for (int o = 0; o < OFFER_ORIGINAL; o++)
		if (is_now(a, (enum offer)o))
			buf_printf(out, "%s%s", is_choice(a) ? "options: " : "", offers[o].name);
	if (!is_choice(a) || a->options == QUERY_OPTIONS_STORED)
		return;
	if (a->options == QUERY_OPTIONS_NEAR && a->encoder)
		buf_printf(out, " by %s", a->encoder);
	if (a->truth != CHOICES_ORIGINAL)
		buf_printf(out, ", %s", offers[OFFER_ORIGINAL + (int)a->truth].name);
	if (a->seed)
		buf_printf(out, ", seed %llu", (unsigned long long)a->seed);
}
