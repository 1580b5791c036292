/* The lists and their counts. */
#include "tui/shelf.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tui/app.h"
#include "tui/view/sign.h"

#define SHELF_KEY     ((uint64_t)0x7368656c << 32) /* of the sieve's questions */
#define SUGGESTED_TAG 0x10000

/* --- forgetting --- */

static void release_item(struct app *app, struct shelf_item *item, int tag)
{
	if (item->state_of_count == SHELF_ASKED && app->pool)
		pool_cancel(app->pool, SHELF_KEY | (uint64_t)tag);
	look_release(&item->look);
	free(item->problem);
	*item = (struct shelf_item){0};
}

static void drop_saved(struct app *app)
{
	struct shelf *s = &app->shelf;

	for (size_t i = 0; i < s->n_saved; i++)
		release_item(app, &s->saved[i], (int)i);
	s->saved = NULL;
	s->n_saved = 0;
	arena_clear(&s->arena);
}

static void drop_suggested(struct app *app)
{
	struct shelf *s = &app->shelf;

	for (size_t k = 0; k < s->n_suggested; k++)
		release_item(app, &s->suggested[k], SUGGESTED_TAG + (int)k);
	s->n_suggested = 0;
	arena_clear(&s->suggested_arena);
}

void shelf_drop(struct app *app)
{
	struct shelf *s = &app->shelf;

	drop_saved(app);
	drop_suggested(app);
	memset(s->suggested_shown, 0, sizeof s->suggested_shown);
	look_release(&s->now);
	s->snap = NULL;
	s->strongest = 0;
	s->version++;
}

void shelf_release(struct app *app)
{
	struct shelf *s = &app->shelf;

	shelf_drop(app);
	arena_release(&s->arena);
	arena_release(&s->suggested_arena);
	free(s->renaming);
	free(s->pending);
	s->renaming = s->pending = NULL;
}

/* --- what there is --- */

/* What the filter depends on, or why there is nothing to count. */
static void look_into(struct app *app, struct shelf_item *item, const struct look *look)
{
	struct err err = ERR_INIT;
	const struct filter_ctx *shared = narrow_ctx(app, &err);
	struct filter *f = NULL;
	struct filter_ctx ctx;

	if (shared) {
		ctx = *shared;
		ctx.lens = &look->lens;
		ctx.a = look->a;
		ctx.b = look->b;
		ctx.panel = look->panel;
		ctx.n_panel = look->n_panel;
		ctx.cache = NULL;
	}
	if (shared && filter_parse(str_z(item->filter), &ctx, &f, NULL, &err) == OK) {
		item->uses = filter_uses(f);
	} else {
		item->state_of_count = SHELF_BROKEN;
		item->problem = xstrdup(err.msg);
	}
	filter_free(f);
}

static struct shelf_item *take_items(struct app *app, const struct user_saved *list, size_t n)
{
	struct arena *arena = &app->shelf.arena;
	struct shelf_item *items = arena_zalloc(arena, n + 1, sizeof *items);

	for (size_t i = 0; i < n; i++) {
		items[i] = (struct shelf_item){.name = list[i].name.p,
					       .filter = list[i].filter.p,
					       .state = list[i].state.p,
					       .created = list[i].created.p,
					       .fixed = list[i].fixed};
		look_read(list[i].state, app, &items[i].look);
		look_into(app, &items[i], &items[i].look);
	}
	return items;
}

/* A count that is still true: nothing it depends on has changed, the samples least of all. */
struct kept {
	char *name, *filter, *state;
	uint32_t n;
};

static struct kept *keep_counts(const struct shelf *s, size_t *n)
{
	struct kept *kept = xcalloc(s->n_saved + 1, sizeof *kept);

	*n = 0;
	for (size_t i = 0; i < s->n_saved; i++) {
		const struct shelf_item *item = &s->saved[i];

		if (item->state_of_count != SHELF_COUNTED ||
		    (item->uses & (FILTER_USES_THINGS | FILTER_USES_TEXT)))
			continue;
		kept[(*n)++] = (struct kept){xstrdup(item->name), xstrdup(item->filter),
					     xstrdup(item->state), item->n};
	}
	return kept;
}

static void restore_counts(struct shelf *s, struct kept *kept, size_t n)
{
	for (size_t k = 0; k < n; k++) {
		for (size_t i = 0; i < s->n_saved; i++) {
			struct shelf_item *item = &s->saved[i];

			if (item->state_of_count == SHELF_UNKNOWN && strcmp(item->name, kept[k].name) == 0 &&
			    strcmp(item->filter, kept[k].filter) == 0 &&
			    strcmp(item->state, kept[k].state) == 0) {
				item->state_of_count = SHELF_COUNTED;
				item->n = kept[k].n;
			}
		}
		free(kept[k].name);
		free(kept[k].filter);
		free(kept[k].state);
	}
	free(kept);
}

static void load_saved(struct app *app)
{
	struct shelf *s = &app->shelf;
	struct err err = ERR_INIT;
	struct user_saved *list;
	size_t n, n_kept;
	struct kept *kept = keep_counts(s, &n_kept);

	drop_saved(app);
	if (user_saved_list(app->conn, app->scene.snap->dataset, &list, &n, &s->arena, &err) == OK) {
		s->saved = take_items(app, list, n);
		s->n_saved = n;
	} else {
		app_message(app, STYLE_WARNING, "the saved filters cannot be read: %s", err.msg);
	}
	restore_counts(s, kept, n_kept);
	s->version++;
}

/* --- suggestions --- */

enum needs { NEEDS_A = 1, NEEDS_B = 2, NEEDS_LAYERS = 4, NEEDS_PANEL = 8, NEEDS_REPEATS = 16,
	     NEEDS_STRONGEST = 32 };

static const struct {
	const char *name, *filter;
	unsigned needs;
} suggestions[] = {
    {"wrong answers of a", "wrong", NEEDS_A},
    {"regressed: b right, a wrong", "regressed", NEEDS_A | NEEDS_B},
    {"flips between a and b", "flip", NEEDS_A | NEEDS_B},
    {"original label rejected", "cat:S-,M-", NEEDS_LAYERS},
    {"all agree against the label", "vote:wrong vote>=", NEEDS_PANEL}, /* and how many all are */
    {"a strong run fails an easy sample", "difficulty>=0.6 wrong", NEEDS_STRONGEST}, /* and which */
    {"repeats of a disagree", "unstable", NEEDS_A | NEEDS_REPEATS},
    {"unmapped answers of a", "oop pred:(none)", NEEDS_A},
    {"no answer of a", "refused or empty or unparsed or error or missing", NEEDS_A},
};
enum { N_SUGGESTIONS = sizeof suggestions / sizeof *suggestions };
_Static_assert(N_SUGGESTIONS <= SHELF_SUGGESTIONS, "a place for each suggestion");

static unsigned what_there_is(const struct scene *s)
{
	unsigned has = 0;

	has |= s->a >= 0 ? NEEDS_A : 0u;
	has |= s->b >= 0 ? NEEDS_B : 0u;
	has |= eval_category_layer(s->snap, &s->lens) >= 0 ? NEEDS_LAYERS : 0u;
	has |= s->n_panel > 2 ? NEEDS_PANEL : 0u;
	has |= s->a >= 0 && snapshot_n_repeats(s->snap, s->a) > 1 ? NEEDS_REPEATS : 0u;
	return has;
}

static void suggest_one(struct app *app, size_t k, unsigned has)
{
	struct shelf *s = &app->shelf;
	struct shelf_item *item = &s->suggested[k];

	*item = (struct shelf_item){
	    .name = suggestions[k].name, .filter = suggestions[k].filter, .state = "", .created = ""};
	if (suggestions[k].needs & ~has) {
		item->state_of_count = SHELF_BROKEN; /* there is nothing of the kind */
		return;
	}
	if (suggestions[k].needs & NEEDS_PANEL)
		item->filter = arena_printf(&s->suggested_arena, "%s%d", item->filter, app->scene.n_panel);
	if (suggestions[k].needs & NEEDS_STRONGEST) {
		struct buf who = BUF_INIT;

		filter_put_who(&who, app->scene.snap->runs[s->strongest - 1].handle);
		item->filter = arena_printf(&s->suggested_arena, "%s%s", item->filter, buf_cstr(&who));
		buf_release(&who);
	}
	look_into(app, item, &s->now);
}

void shelf_strongest(struct app *app, int run)
{
	struct shelf *s = &app->shelf;

	if (s->snap != app->scene.snap || app->scene.n_panel <= 2 || run < 0 || s->strongest == (uint32_t)run + 1)
		return;
	s->strongest = (uint32_t)run + 1;
	for (size_t k = 0; k < s->n_suggested; k++)
		if (suggestions[k].needs & NEEDS_STRONGEST) {
			release_item(app, &s->suggested[k], SUGGESTED_TAG + (int)k);
			suggest_one(app, k, NEEDS_STRONGEST);
		}
	s->version++;
}

static void suggest(struct app *app)
{
	struct shelf *s = &app->shelf;
	unsigned has = what_there_is(&app->scene) | (s->strongest ? NEEDS_STRONGEST : 0u);

	drop_suggested(app);
	for (size_t k = 0; k < N_SUGGESTIONS; k++)
		suggest_one(app, s->n_suggested++, has);
	s->version++;
}

/* They come and go together, so that no line moves while they are counted. */
static void show_suggested(struct shelf *s)
{
	for (size_t k = 0; k < s->n_suggested; k++)
		if (s->suggested[k].state_of_count == SHELF_UNKNOWN ||
		    s->suggested[k].state_of_count == SHELF_ASKED)
			return;
	for (size_t k = 0; k < s->n_suggested; k++)
		s->suggested_shown[k] = s->suggested[k].state_of_count == SHELF_COUNTED &&
					s->suggested[k].n > 0;
}

size_t shelf_n_suggested(const struct shelf *s)
{
	size_t n = 0;

	for (size_t k = 0; k < s->n_suggested; k++)
		n += s->suggested_shown[k];
	return n;
}

const struct shelf_item *shelf_suggestion(const struct shelf *s, size_t at)
{
	for (size_t k = 0; k < s->n_suggested; k++)
		if (s->suggested_shown[k] && at-- == 0)
			return &s->suggested[k];
	return NULL;
}

/* --- counting --- */

static void counted(struct app *app, struct sieve_answer *answer)
{
	struct shelf *s = &app->shelf;
	bool suggested = answer->tag >= SUGGESTED_TAG;
	size_t at = (size_t)(suggested ? answer->tag - SUGGESTED_TAG : answer->tag);
	struct shelf_item *item;

	if (at >= (suggested ? s->n_suggested : s->n_saved))
		return;
	item = suggested ? &s->suggested[at] : &s->saved[at];
	if (answer->st == OK) {
		item->state_of_count = SHELF_COUNTED;
		item->n = answer->n;
	} else {
		item->state_of_count = SHELF_BROKEN;
		free(item->problem);
		item->problem = xstrdup(answer->err.msg);
	}
	show_suggested(s);
	s->version++;
	app->dirty = true;
}

static void ask(struct app *app, struct shelf_item *item, const struct look *look, int tag)
{
	struct sieve_under under = {look->lens, look->a, look->b, look->panel, look->n_panel};
	struct sieve_question q = {.key = SHELF_KEY | (uint64_t)tag,
				   .text = str_z(item->filter),
				   .tag = tag,
				   .under = &under,
				   .done = counted};

	if (item->state_of_count != SHELF_UNKNOWN)
		return;
	item->state_of_count = SHELF_ASKED;
	sieve_ask(app, &q);
}

static bool same_look(const struct look *a, const struct look *b)
{
	return lens_eq(&a->lens, &b->lens) && a->a == b->a && a->b == b->b && a->n_panel == b->n_panel &&
	       (!a->n_panel || memcmp(a->panel, b->panel, (size_t)a->n_panel * sizeof *a->panel) == 0);
}

/* What was lost is as it is on the screen, and changes with it. */
static bool lost_something(const struct shelf *s)
{
	for (size_t i = 0; i < s->n_saved; i++)
		if (s->saved[i].look.lost.n)
			return true;
	return false;
}

void shelf_update(struct app *app)
{
	struct shelf *s = &app->shelf;
	const struct scene *scene = &app->scene;
	uint64_t things = scene->mine ? scene->mine->version + 1 : 0;
	struct look now;
	bool fresh;

	if (s->snap != scene->snap)
		shelf_drop(app);
	if (!scene->snap || !app->pool || scene->snap->partial) /* the whole one is on its way */
		return;
	fresh = s->snap != scene->snap;
	if (fresh || s->things_version != things)
		load_saved(app);
	look_now(app, &now);
	if (!fresh && lost_something(s) && !same_look(&now, &s->now))
		load_saved(app);
	if (fresh || !same_look(&now, &s->now)) {
		look_release(&s->now);
		s->now = now;
		suggest(app);
		show_suggested(s);
	} else {
		look_release(&now);
	}
	s->snap = scene->snap;
	s->things_version = things;
	for (size_t i = 0; i < s->n_saved; i++)
		ask(app, &s->saved[i], &s->saved[i].look, (int)i);
	for (size_t k = 0; k < s->n_suggested; k++)
		ask(app, &s->suggested[k], &s->now, SUGGESTED_TAG + (int)k);
}

const char *shelf_count_text(const struct shelf_item *item, char out[28])
{
	if (item->state_of_count == SHELF_COUNTED)
		return count_text(item->n, out);
	snprintf(out, 28, "%s", item->state_of_count == SHELF_BROKEN ? "?" : sign(SIGN_WAIT));
	return out;
}

const struct shelf_item *shelf_find(const struct shelf *s, struct str name)
{
	for (size_t i = 0; i < s->n_saved; i++)
		if (str_eqz(name, s->saved[i].name))
			return &s->saved[i];
	return NULL;
}
