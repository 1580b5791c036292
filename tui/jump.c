#include "tui/jump.h"

#include "tui/app.h"

#define JUMPS_MAX 100

static struct jump here(struct app *app)
{
	struct jump j = {0};
	const struct view *v = app->top ? app_main_view(app) : NULL;

	if (!app->scene.snap || !v)
		return j;
	j = (struct jump){.dataset = app->scene.snap->dataset_id, .ord = app->scene.current,
			  .base = v->class, .top = v->class};
	for (; v; v = v->below)
		j.base = v->class;
	narrow_mark(app, &j.filter);
	return j;
}

static void release(struct jump *j)
{
	narrow_place_release(&j->filter);
	*j = (struct jump){0};
}

static bool same(const struct jump *a, const struct jump *b)
{
	return a->dataset == b->dataset && a->ord == b->ord && a->base == b->base &&
	       a->top == b->top && narrow_place_eq(&a->filter, &b->filter);
}

static bool is_step(const char *command)
{
	static const char *const steps[] = {"down",      "up",      "left",    "right", "half-down",
					    "half-up",   "page-down", "page-up", "mark",  NULL};

	for (int i = 0; steps[i]; i++)
		if (strcmp(command, steps[i]) == 0)
			return true;
	return false;
}

static void forget_after(struct jumps *j, size_t n)
{
	while (j->list.n > n)
		release(&j->list.v[--j->list.n]);
}

/* Takes place. */
static void push(struct jumps *j, struct jump place)
{
	if (j->list.n && same(&j->list.v[j->list.n - 1], &place)) {
		release(&place);
		return;
	}
	if (j->list.n == JUMPS_MAX) {
		release(&j->list.v[0]);
		memmove(j->list.v, j->list.v + 1, (JUMPS_MAX - 1) * sizeof *j->list.v);
		j->list.n--;
	}
	vec_push(&j->list, place);
}

struct jump jump_begin(struct app *app)
{
	app->jumps.depth++;
	return here(app);
}

/* A jump from the middle of the list forgets what came after, as browsers do. */
void jump_end(struct app *app, struct jump before, const char *command)
{
	struct jumps *j = &app->jumps;
	struct jump now = here(app);
	bool walked = j->walked;

	if (--j->depth == 0) {
		j->walked = false;
		if (!walked && before.dataset && now.dataset && !is_step(command) &&
		    !same(&before, &now)) {
			forget_after(j, j->at);
			push(j, before);
			before = (struct jump){0};
			j->at = j->list.n;
		}
	}
	release(&before);
	release(&now);
}

static bool load_dataset(struct app *app, int64_t id, struct err *err)
{
	struct arena arena = ARENA_INIT;
	struct dataset_name *names;
	size_t n = 0;
	enum status st = fetch_datasets(app->conn, &names, &n, &arena, err);

	for (size_t i = 0; i < n && st == OK; i++)
		if (names[i].id == id)
			st = app_load(app, names[i].name, err);
	arena_release(&arena);
	return st == OK && app->scene.snap->dataset_id == id;
}

static bool is_view(struct app *app, const struct jump *place)
{
	struct jump now = here(app);
	bool is = now.base == place->base && now.top == place->top;

	release(&now);
	return is;
}

static void go_to(struct app *app, const struct jump *place)
{
	struct err err = ERR_INIT;
	char command[64];

	if (app->scene.snap->dataset_id != place->dataset &&
	    !load_dataset(app, place->dataset, &err)) {
		app_message(app, STYLE_WARNING, "%s", err.code ? err.msg : "the dataset is gone");
		return;
	}
	if (narrow_return(app, &place->filter, &err) != OK)
		app_message(app, STYLE_WARNING, "the filter of then does not apply any more: %s", err.msg);
	if (!is_view(app, place)) {
		snprintf(command, sizeof command, "view %s", place->base->name);
		app_exec(app, str_z(command));
		if (place->top != place->base)
			app_push(app, place->top);
	}
	if (place->ord < app->scene.snap->n)
		app_go(app, place->ord);
}

bool jump_walk(struct app *app, int by)
{
	struct jumps *j = &app->jumps;
	struct jump now;

	j->walked = true;
	if (!app->scene.snap || (by < 0 ? j->at == 0 : j->at + 1 >= j->list.n))
		return false;
	now = here(app);
	if (j->at == j->list.n) { /* so that one can come back */
		size_t n = j->list.n;

		push(j, now);
		j->at = j->list.n - 1;
		if (j->list.n == n && j->at == 0)
			return false;
	} else {
		release(&now);
	}
	j->at = by < 0 ? j->at - 1 : j->at + 1;
	go_to(app, &j->list.v[j->at]);
	return true;
}

void jumps_release(struct jumps *j)
{
	forget_after(j, 0);
	vec_release(&j->list);
}
