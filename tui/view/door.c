#include "tui/app.h"
#include "tui/view/door.h"

void door_release(struct door *d)
{
	narrow_place_release(&d->before);
	narrow_place_release(&d->opened);
}

unsigned door_open(struct door *d, struct app *app, const struct view *from, struct str condition)
{
	return door_open_in(d, app, from, condition, &browse_view);
}

unsigned door_narrow(struct app *app, struct str condition, bool out)
{
	struct err err = ERR_INIT;

	if (!condition.n)
		app_message(app, STYLE_MESSAGE, "that is everything here: there is nothing to filter by");
	else if (narrow_and(app, condition, out, &err) != OK)
		app_message(app, STYLE_WARNING, "%s", err.msg);
	else
		return REACT_REDRAW | REACT_REFILTER;
	return REACT_REDRAW;
}

unsigned door_open_in(struct door *d, struct app *app, const struct view *from, struct str condition,
		      const struct view_class *class)
{
	struct err err = ERR_INIT;

	door_release(d);
	narrow_mark(app, &d->before);
	if (condition.n && narrow_and(app, condition, false, &err) != OK)
		app_message(app, STYLE_WARNING, "%s", err.msg);
	else
		app_push(app, class);
	narrow_mark(app, &d->opened);
	d->away = app->top != from;
	return REACT_REDRAW | REACT_REFILTER;
}

unsigned door_back(struct door *d, struct app *app, const struct view *to)
{
	struct narrow_place now;
	struct err err = ERR_INIT;

	if (!d->away || app->top->below != to)
		return REACT_UNHANDLED;
	narrow_mark(app, &now);
	d->away = false;
	app_pop(app);
	if (narrow_place_eq(&now, &d->opened) && narrow_return(app, &d->before, &err) != OK)
		app_message(app, STYLE_WARNING, "%s", err.msg);
	narrow_place_release(&now);
	return REACT_REDRAW;
}
