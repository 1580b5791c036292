#include "tui/asking.h"

#include <stdlib.h>

#include "core/base/nearest.h"
#include "core/base/xmalloc.h"
#include "tui/app.h"
#include "tui/asking_memory.h"
#include "tui/editor.h"
#include "tui/view/chooser.h"
#include "tui/view/sign.h"

#define LEAST_SHARED 2 /* letters and digits that a name must have to stand for a longer one */
#define FEW_CLASSES 60 /* so many fit into a prompt that is read */

void asking_changed(struct app *app)
{
	app->asking.version++;
	app->dirty = true;
	if (!app->headless && app->scene.snap && app->asking.protocol)
		asking_memorize(&app->asking, conn_uuid(app->conn), app->scene.snap->dataset);
}

/* --- at first --- */

/* Letters and digits alone, lower case: "MobileNet-v2" is "mobilenetv2". */
static void put_core(const char *name, struct buf *out)
{
	for (; *name; name++) {
		char c = *name >= 'A' && *name <= 'Z' ? (char)(*name + 32) : *name;

		if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
			buf_ch(out, c);
	}
}

bool asking_same_model(const char *a, const char *b)
{
	struct buf x = BUF_INIT, y = BUF_INIT;
	bool same;

	put_core(a, &x);
	put_core(b, &y);
	same = x.n >= LEAST_SHARED && y.n >= LEAST_SHARED &&
	       (str_starts(buf_view(&x), buf_view(&y)) || str_starts(buf_view(&y), buf_view(&x)));
	same |= x.n && str_eq(buf_view(&x), buf_view(&y));
	buf_release(&x);
	buf_release(&y);
	return same;
}

static const struct endpoint *first_endpoint(const struct app *app)
{
	const struct endpoint_list *list = app->cli->endpoints;
	const struct scene *s = &app->scene;

	for (size_t i = 0; list && s->a >= 0 && i < list->n; i++)
		if (list->v[i].model && asking_same_model(list->v[i].model, s->snap->runs[s->a].model))
			return &list->v[i];
	return list && list->n ? &list->v[0] : NULL;
}

static const struct protocol *first_protocol(struct app *app)
{
	const struct scene *s = &app->scene;
	const struct protocol *p = s->a >= 0 ? protocol_find(str_z(s->snap->runs[s->a].protocol)) : NULL;
	const struct sample_row *row = rows_get(app->rows, s->current);

	if (p)
		return p;
	if (row && row->text_kind == TEXT_STATEMENT)
		return protocol_find(STR("esj"));
	if (row && row->text.n && row->option_set)
		return protocol_find(STR("mc"));
	return protocol_find(s->snap->n_classes > 0 && s->snap->n_classes <= FEW_CLASSES ? STR("cw") : STR("ow"));
}

/* Options of their own where the samples have some, else drawn ones. */
static void first_options(struct app *app)
{
	const struct sample_row *row = rows_get(app->rows, app->scene.current);

	app->asking.options = row && row->option_set ? QUERY_OPTIONS_STORED : QUERY_OPTIONS_RANDOM;
	app->asking.truth = snapshot_layer(app->scene.snap, STR("original")) >= 0 ? CHOICES_ORIGINAL
										   : CHOICES_REANNOTATED;
	app->asking.seed = 0;
	free(app->asking.encoder);
	app->asking.encoder = NULL;
}

void asking_ready(struct app *app)
{
	struct asking *a = &app->asking;

	if (!app->scene.snap || a->dataset == app->scene.snap->dataset_id)
		return;
	if (!a->endpoint)
		a->endpoint = first_endpoint(app);
	a->protocol = first_protocol(app);
	a->form = ASK_LIST;
	a->ids = a->own_classes = false;
	a->repeats = 1;
	free(a->prompt);
	a->prompt = NULL;
	a->crop = (struct send_crop){0};
	a->dataset = app->scene.snap->dataset_id;
	first_options(app);
	if (!app->headless)
		asking_remember(a, conn_uuid(app->conn), app->scene.snap->dataset, app->cli->endpoints);
	a->version++;
	app->dirty = true;
}

const char *asking_template(const struct asking *a)
{
	return a->prompt ? a->prompt : protocol_prompt(a->protocol, a->form);
}

struct send_crop asking_crop(const struct asking *a, uint32_t ord)
{
	return a->crop.w > 0 && a->crop_ord == ord ? a->crop : (struct send_crop){0};
}

void asking_set_crop(struct app *app, uint32_t ord, struct send_crop crop)
{
	app->asking.crop = crop;
	app->asking.crop_ord = ord;
	app->asking.version++; /* of this sample alone: not remembered */
	app->dirty = true;
}

static const char how_to[] = "no endpoint is configured: [endpoint NAME] with base_url and model in the "
			     "configuration (man 5 qualm)";

enum status asking_spec(struct app *app, uint32_t ord, struct query_spec *spec, struct err *err)
{
	const struct asking *a = &app->asking;
	const struct scene *s = &app->scene;

	*spec = (struct query_spec){0};
	if (!a->endpoint)
		return err_set(err, E_USAGE, "%s", how_to);
	query_spec_init(spec, a->endpoint, a->protocol);
	free(spec->prompt);
	spec->prompt = xstrdup(asking_template(a));
	spec->form = a->form;
	spec->ids = a->ids;
	spec->own_classes = a->own_classes;
	spec->options = a->options;
	spec->truth = a->truth;
	spec->seed = a->seed;
	spec->encoder = a->options == QUERY_OPTIONS_NEAR && a->encoder ? xstrdup(a->encoder) : NULL;
	spec->crop = asking_crop(a, ord);
	if (a->options == QUERY_OPTIONS_HARD && s->a >= 0)
		spec->reference = xstrdup(s->snap->runs[s->a].handle);
	return query_spec_check(spec, s->snap, err);
}

/* --- choosing --- */

static void gather_endpoints(struct app *app, struct chooser *c)
{
	const struct endpoint_list *list = app->cli->endpoints;

	for (size_t i = 0; list && i < list->n; i++) {
		const struct endpoint *e = &list->v[i];
		struct str host = endpoint_host(e);
		char *at = xstrndup(host.p, host.n);

		chooser_add(c, &(struct choice){e == app->asking.endpoint ? sign(SIGN_CHOSEN) : "", e->name,
						e->model ? e->model : "no model is named", at});
		if (e == app->asking.endpoint)
			chooser_start(c, (uint32_t)i);
		free(at);
	}
}

static unsigned use_endpoint(struct app *app, uint32_t at)
{
	app->asking.endpoint = &app->cli->endpoints->v[at];
	asking_changed(app);
	return REACT_REDRAW;
}

unsigned asking_choose_endpoint(struct app *app)
{
	static const struct chooser_spec spec = {.title = "ask which model", .nothing = how_to,
						 .gather = gather_endpoints, .accept = use_endpoint, .words = true};

	return chooser_open(app, &spec);
}

bool asking_use_endpoint(struct app *app, struct str name)
{
	static const struct endpoint_list none;
	const struct endpoint_list *list = app->cli->endpoints ? app->cli->endpoints : &none;
	char *text = xstrndup(name.p, name.n);
	const struct endpoint *e;
	struct err err = ERR_INIT;
	bool found = endpoint_find(list, text, &e, &err) == OK;

	if (found)
		use_endpoint(app, (uint32_t)(e - list->v));
	else
		app_message(app, STYLE_WARNING, "%s", err.msg);
	free(text);
	return found;
}

static void gather_protocols(struct app *app, struct chooser *c)
{
	for (const struct protocol *p = protocols; p->name; p++) {
		chooser_add(c, &(struct choice){p == app->asking.protocol ? sign(SIGN_CHOSEN) : "", p->name,
						p->help, ""});
		if (p == app->asking.protocol)
			chooser_start(c, (uint32_t)(p - protocols));
	}
}

/* The prompt and what is offered go with the protocol. */
static unsigned use_protocol(struct app *app, uint32_t at)
{
	struct asking *a = &app->asking;

	a->protocol = &protocols[at];
	if (!a->protocol->batches)
		a->form = ASK_LIST;
	a->own_classes = false;
	free(a->prompt);
	a->prompt = NULL;
	asking_changed(app);
	return REACT_REDRAW;
}

unsigned asking_choose_protocol(struct app *app)
{
	static const struct chooser_spec spec = {.title = "ask by which protocol", .nothing = "",
						 .gather = gather_protocols, .accept = use_protocol, .words = true};

	return chooser_open(app, &spec);
}

bool asking_use_protocol(struct app *app, struct str name)
{
	const struct protocol *p = protocol_find(name);
	struct nearest near = {.word = name};

	if (p) {
		use_protocol(app, (uint32_t)(p - protocols));
		return true;
	}
	for (p = protocols; p->name; p++)
		nearest_offer(&near, p->name);
	app_message(app, STYLE_WARNING, "there is no protocol %.*s%s%s", (int)(name.n > 60 ? 60 : name.n), name.p,
		    near.best ? "; is meant: " : "", near.best ? near.best : "");
	return false;
}

/* --- how often --- */

static const char *const often[] = {"1", "2", "3", "5", "10", "20"};

static void gather_often(struct app *app, struct chooser *c)
{
	for (uint32_t i = 0; i < sizeof often / sizeof *often; i++) {
		bool now = app->asking.repeats == (uint32_t)strtoul(often[i], NULL, 10);

		chooser_add(c, &(struct choice){now ? sign(SIGN_CHOSEN) : "", often[i],
						i ? "times, each in a run of its own" : "time", ""});
		if (now)
			chooser_start(c, i);
	}
}

bool asking_use_repeats(struct app *app, struct str n)
{
	int64_t k;

	if (!str_int(n, &k) || k < 1 || k > ASKING_MAX_REPEATS) {
		app_message(app, STYLE_WARNING, "a model is asked 1 to %d times", ASKING_MAX_REPEATS);
		return false;
	}
	app->asking.repeats = (uint32_t)k;
	asking_changed(app);
	return true;
}

static unsigned use_often(struct app *app, uint32_t at)
{
	asking_use_repeats(app, str_z(often[at]));
	return REACT_REDRAW;
}

unsigned asking_choose_repeats(struct app *app)
{
	static const struct chooser_spec spec = {.title = "ask how often", .nothing = "", .gather = gather_often,
						 .accept = use_often, .words = true};

	return chooser_open(app, &spec);
}

/* --- the prompt --- */

unsigned asking_edit_prompt(struct app *app, bool own)
{
	struct asking *a = &app->asking;
	struct buf text = BUF_INIT;
	struct err err = ERR_INIT;
	bool new = false;

	if (own) {
		free(a->prompt);
		a->prompt = NULL;
		asking_changed(app);
		return REACT_REDRAW;
	}
	buf_z(&text, asking_template(a));
	if (editor_edit(app->term, &text, &new, &err) != OK) {
		app_message(app, STYLE_WARNING, "%s", err.msg);
	} else if (!new) {
		app_message(app, STYLE_MESSAGE, "the prompt is as it was");
	} else {
		free(a->prompt);
		a->prompt = buf_take(&text);
		asking_changed(app);
	}
	buf_release(&text);
	return REACT_REDRAW;
}

/* --- the end --- */

void asking_look_release(struct asking_look *l)
{
	free(l->error);
	free(l->handle);
	free(l->prompt);
	free(l->picture);
	free(l->change);
	free(l->unlike);
	*l = (struct asking_look){0};
}

void asking_grew(struct app *app, int64_t wait_ms)
{
	app->grow.quiet = true;
	app->grow.hold_until = wait_ms ? app_clock() + wait_ms : 0;
	grow_look(app);
	app->dirty = true;
}
