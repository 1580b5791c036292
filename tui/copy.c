#include "tui/copy.h"

#include <stdlib.h>

#include "core/text/json.h"
#include "tui/view/sign.h"

struct copy {
	struct app *app;
	const struct sample_row *row;
	struct buf *out;
	struct arena arena;
};

static enum status put_path(struct copy *c, struct err *err)
{
	char *path = fetch_picture_paths(c->app->conn, c->app->scene.snap, c->row);

	(void)err;
	if (path)
		buf_z(c->out, path);
	free(path);
	return OK;
}

static enum status answer_text(struct copy *c, int run, struct str *text, struct err *err)
{
	int64_t id = c->app->scene.snap->runs[run].id;
	enum status st =
	    fetch_text(c->app->conn, id, FIELD_RAW, c->row->ord, text, &c->arena, err);

	if (st == OK && !text->n)
		st = fetch_text(c->app->conn, id, FIELD_EXTRACTED, c->row->ord, text, &c->arena, err);
	return st;
}

static enum status put_answer(struct copy *c, struct err *err)
{
	const struct scene *s = &c->app->scene;
	struct str text = STR_NONE;
	enum status st;

	if (s->run < 0)
		return OK;
	st = answer_text(c, s->run, &text, err);
	if (st == OK && text.n)
		buf_str(c->out, text);
	else if (st == OK)
		scene_answer(s, s->run, c->row->ord, c->out);
	return st;
}

/* --- JSON --- */

static void put_pair(struct buf *out, const char *key, struct str value)
{
	if (!value.n)
		return;
	buf_z(out, ",\"");
	buf_z(out, key);
	buf_z(out, "\":");
	json_quote(out, value);
}

static void put_class(const struct snapshot *snap, uint64_t class, struct buf *out)
{
	json_quote(out, str_z(class < snap->n_classes ? snap->classes[class].name : ""));
}

static void put_labels(struct copy *c)
{
	const struct snapshot *snap = c->app->scene.snap;
	const char *sep = "";

	buf_z(c->out, ",\"labels\":{");
	for (uint32_t l = 0; l < snap->n_layers; l++) {
		const struct layer *layer = &snap->layers[l];
		size_t from, n = csr_row(&layer->sets, c->row->ord, &from);

		if (column_u(&layer->covered, c->row->ord) != 1)
			continue;
		buf_z(c->out, sep);
		sep = ",";
		json_quote(c->out, str_z(layer->name));
		buf_z(c->out, ":[");
		for (size_t k = 0; k < n; k++) {
			buf_z(c->out, k ? "," : "");
			put_class(snap, column_u(&layer->sets.val, from + k), c->out);
		}
		buf_ch(c->out, ']');
	}
	buf_ch(c->out, '}');
}

static enum status put_run(struct copy *c, int run, struct err *err)
{
	const struct scene *s = &c->app->scene;
	struct buf answer = BUF_INIT;
	struct str text = STR_NONE;
	enum status st = answer_text(c, run, &text, err);

	scene_answer(s, run, c->row->ord, &answer);
	buf_z(c->out, "{\"run\":");
	json_quote(c->out, str_z(s->snap->runs[run].handle));
	put_pair(c->out, "answer", buf_view(&answer));
	put_pair(c->out, "mark", str_z(mark_word(scene_mark(s, run, c->row->ord))));
	put_pair(c->out, "text", text);
	buf_ch(c->out, '}');
	buf_release(&answer);
	return st;
}

static enum status put_runs(struct copy *c, struct err *err)
{
	const struct scene *s = &c->app->scene;
	enum status st = OK;

	buf_z(c->out, ",\"answers\":[");
	for (int p = 0; p < s->n_panel && st == OK; p++) {
		buf_z(c->out, p ? "," : "");
		st = put_run(c, s->panel[p], err);
	}
	buf_ch(c->out, ']');
	return st;
}

static enum status put_mine(struct copy *c, struct err *err)
{
	const struct user_things *t = c->app->scene.mine;
	struct user_note *notes;
	const char *sep = ",\"tags\":[";
	size_t n = 0;
	enum status st;

	if (!t)
		return OK;
	for (uint32_t i = 0; i < t->n_tags; i++) {
		if (!user_has_tag(&t->tags[i], c->row->ord))
			continue;
		buf_z(c->out, sep);
		json_quote(c->out, str_z(t->tags[i].name));
		sep = ",";
	}
	buf_z(c->out, sep[1] ? "" : "]");
	st = user_notes(c->app->edit.user, c->row->ord, &notes, &n, &c->arena, err);
	for (size_t i = 0; i < n; i++) {
		buf_z(c->out, i ? "," : ",\"notes\":[");
		json_quote(c->out, notes[i].text);
	}
	buf_z(c->out, n ? "]" : "");
	return st;
}

static enum status put_json(struct copy *c, struct err *err)
{
	const struct sample_row *row = c->row;
	enum status st;

	buf_z(c->out, "{\"id\":");
	json_quote(c->out, row->key);
	put_pair(c->out, "dataset", str_z(c->app->scene.snap->dataset));
	put_pair(c->out, "path", row->path);
	put_pair(c->out, row->text_kind == TEXT_STATEMENT ? "statement" : "question", row->text);
	put_labels(c);
	st = put_runs(c, err);
	if (st == OK)
		st = put_mine(c, err);
	buf_ch(c->out, '}');
	return st;
}

/* --- all --- */

static enum status put_sample(struct copy *c, enum copy_what what, struct err *err)
{
	switch (what) {
	case COPY_ID:
		buf_str(c->out, c->row->key);
		return OK;
	case COPY_PATH:
		return put_path(c, err);
	case COPY_ANSWER:
		return put_answer(c, err);
	default:
		return put_json(c, err);
	}
}

enum status copy_compose(struct app *app, enum copy_what what, const struct targets *t,
			 struct buf *out, struct err *err)
{
	static const char *const nothing[] = {"id", "picture", "answer", "sample"};
	struct copy c = {.app = app, .out = out};
	enum status st = OK;

	scene_ready(&app->scene);
	for (size_t i = 0; i < t->n && st == OK; i++) {
		size_t before = out->n;

		c.row = rows_get(app->rows, t->ords[i]);
		st = c.row ? put_sample(&c, what, err)
			   : err_set(err, E_DB, "%s", rows_error(app->rows));
		if (out->n > before && t->n > 1)
			buf_ch(out, '\n');
		if (st == OK && out->n > COPY_MAX)
			st = err_set(err, E_LIMIT, "that is more than the %d bytes that a terminal takes",
				     COPY_MAX);
		arena_clear(&c.arena);
	}
	if (st == OK && !out->n)
		st = err_set(err, E_NOT_FOUND, "there is no %s to copy", nothing[what]);
	arena_release(&c.arena);
	return st;
}
