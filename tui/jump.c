#include "tui/jump.h"

#include "tui/app.h"

#define JUMPS_MAX 100

static struct jump here(struct app *app)
{
	struct jump j = {0};
	const struct view *v = app->top ? app_main_view(app) : NULL;

	if (!app->scene.snap || !v)
		return j;
	j = (struct jump){app->scene.snap->dataset_id, app->scene.current, v->class, v->class};
	for (; v; v = v->below)
		j.base = v->class;
	return j;
}

static bool same(const struct jump *a, const struct jump *b)
{
	return a->dataset == b->dataset && a->ord == b->ord && a->base == b->base &&
	       a->top == b->top;
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

static void push(struct jumps *j, struct jump place)
{
	if (j->list.n && same(&j->list.v[j->list.n - 1], &place))
		return;
	if (j->list.n == JUMPS_MAX) {
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

	if (--j->depth > 0)
		return;
	j->walked = false;
	if (walked || !before.dataset || !now.dataset || is_step(command) || same(&before, &now))
		return;
	if (j->at < j->list.n)
		j->list.n = j->at;
	push(j, before);
	j->at = j->list.n;
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

static void go_to(struct app *app, const struct jump *place)
{
	struct err err = ERR_INIT;
	char command[64];

	if (app->scene.snap->dataset_id != place->dataset &&
	    !load_dataset(app, place->dataset, &err)) {
		app_message(app, STYLE_WARNING, "%s", err.code ? err.msg : "the dataset is gone");
		return;
	}
	if (here(app).base != place->base || here(app).top != place->top) {
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
	struct jump place, now = here(app);

	j->walked = true;
	if (!now.dataset || (by < 0 ? j->at == 0 : j->at + 1 >= j->list.n))
		return false;
	if (j->at == j->list.n) { /* so that one can come back */
		size_t n = j->list.n;

		push(j, now);
		j->at = j->list.n - 1;
		if (j->list.n == n && j->at == 0)
			return false;
	}
	j->at = by < 0 ? j->at - 1 : j->at + 1;
	place = j->list.v[j->at];
	go_to(app, &place);
	return true;
}

void jumps_release(struct jumps *j)
{
	vec_release(&j->list);
}
