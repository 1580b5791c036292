#include "core/demo/demo.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/path.h"
#include "core/base/xmalloc.h"
#include "core/demo/plan.h"
#include "core/demo/png.h"
#include "core/demo/simulate.h"
#include "core/demo/statements.h"
#include "core/text/json.h"

#define PICTURE 256

static const char *const faces_files[] = {"classes.tsv",
					  "faces.jsonl",
					  "pred-sim-cheerful.jsonl",
					  "pred-sim-gloomy.jsonl",
					  "pred-sim-careful.jsonl",
					  NULL};
static const char *const statements_files[] = {"statements.json", "sim-cheerful/MVEI_predict.json",
					       "sim-gloomy/MVEI_predict.json",
					       "sim-careful/MVEI_predict.json", NULL};

static const char readme[] =
    "A demo project for qualm, made by code: nothing in it was downloaded or asked of a model.\n"
    "\n"
    "images/         252 cartoon faces over six emotions (happiness, sadness, worry, neutrality,\n"
    "                surprise, anger) in three intensities. Some lie between two emotions on\n"
    "                purpose, some show the back of a head.\n"
    "classes.tsv     the class list: idx, name.\n"
    "faces.jsonl     one face a line. `label` is the original label, some of them wrong on\n"
    "                purpose; `labels_reannotated` what a second look found (none for a few faces\n"
    "                that nobody looked at again); `label_prompt` what was to be drawn; `mos` the\n"
    "                degree of the emotion from 0 to 5.\n"
    "pred-*.jsonl    answers of three SIMULATED models. They do not exist: their answers are\n"
    "                dice, loaded so that sim-cheerful sees happiness, sim-gloomy sadness, and\n"
    "                sim-careful errs least but refuses most.\n"
    "statements.json statements about the faces in MVEI's shape, about half of them correct.\n"
    "sim-*/          the same with each SIMULATED model's judgement in `predict`; sim-cheerful\n"
    "                likes to say Correct, sim-gloomy Incorrect.\n";

struct writer {
	const char *dir;
	void (*progress)(void *ctx, unsigned done, unsigned total);
	void *ctx;
	const struct cancel *cancel;
	unsigned done, total;
	struct err *err;
};

const char *const *demo_files(enum demo_part part)
{
	return part == DEMO_PART_FACES ? faces_files : statements_files;
}

const char *demo_dataset(enum demo_part part)
{
	return part == DEMO_PART_FACES ? "faces" : "statements";
}

static enum status make_dir(const struct writer *w, const char *name)
{
	char *path = path_join(w->dir, str_z(name));
	enum status st = path_mkdirs(path, w->err);

	free(path);
	return st;
}

/* Writes and releases the text. */
static enum status write_file(struct writer *w, const char *name, struct buf *text)
{
	char *path = path_join(w->dir, str_z(name));
	FILE *f = NULL;
	enum status st = cancel_check(w->cancel, w->err);

	if (st == OK && text->failed)
		st = err_set(w->err, E_MEMORY, "%s: no memory to make it", path);
	if (st == OK && !(f = fopen(path, "wbe")))
		st = err_errno(w->err, errno, "cannot write %s", path);
	if (f && fwrite(text->p, 1, text->n, f) != text->n)
		st = err_errno(w->err, errno, "cannot write %s", path);
	if (f && fclose(f) != 0 && st == OK)
		st = err_errno(w->err, errno, "cannot write %s", path);
	w->done++;
	if (w->progress && st == OK)
		w->progress(w->ctx, w->done, w->total);
	buf_release(text);
	free(path);
	return st;
}

static enum status write_pictures(struct writer *w, const struct plan_face *face)
{
	uint8_t *pixels = xmalloc((size_t)PICTURE * PICTURE * 3);
	enum status st = make_dir(w, "images");

	for (unsigned i = 0; i < DEMO_FACES && st == OK; i++) {
		struct buf png = BUF_INIT;
		char name[32];

		snprintf(name, sizeof name, "images/face_%03u.png", i + 1);
		face_draw(&face[i].expression, &face[i].look, PICTURE, pixels);
		png_write(&png, pixels, PICTURE, PICTURE);
		st = write_file(w, name, &png);
	}
	free(pixels);
	return st;
}

static void put_face(struct buf *out, unsigned i, const struct plan_face *f)
{
	static const char *const hairs[N_FACE_HAIRS] = {"short", "fringe", "bob",
							"curls", "bun",    "none"};
	static const char *const scenes[N_FACE_SCENES] = {"plain", "dots", "hills", "rain",
							  "night"};
	static const char *const styles[N_FACE_STYLES] = {"flat", "ink", "soft"};
	unsigned mos = f->strength * 5;

	buf_printf(out, "{\"id\":\"face_%03u\",\"image\":\"images/face_%03u.png\",\"label\":\"%s\"",
		   i + 1, i + 1, plan_emotions[f->label]);
	if (f->kind == PLAN_TURNED_AWAY)
		buf_z(out, ",\"labels_reannotated\":[]");
	else if (plan_is_between(f))
		buf_printf(out, ",\"labels_reannotated\":[\"%s\",\"%s\"]", plan_emotions[f->drawn],
			   plan_emotions[f->second]);
	else if (f->kind != PLAN_UNCHECKED)
		buf_printf(out, ",\"labels_reannotated\":[\"%s\"]", plan_emotions[f->drawn]);
	buf_printf(out, ",\"label_prompt\":\"%s\",\"intensity\":\"%s\",\"mos\":%u.%02u",
		   plan_emotions[f->drawn], plan_intensities[f->intensity], mos / 100, mos % 100);
	buf_printf(out, ",\"ambiguous\":\"%s\",\"generator\":\"%s\",\"scene\":\"%s\"",
		   plan_is_between(f) ? "yes" : "no", styles[f->look.style], scenes[f->look.scene]);
	buf_printf(out, ",\"hair\":\"%s\",\"glasses\":\"%s\"}\n", hairs[f->look.hair],
		   f->look.glasses ? "yes" : "no");
}

static enum status write_faces(struct writer *w, const struct plan_face *face)
{
	struct buf b = BUF_INIT;
	enum status st;

	buf_z(&b, "idx\tname\n");
	for (unsigned e = 0; e < N_FACE_EMOTIONS; e++)
		buf_printf(&b, "%u\t%s\n", e, plan_emotions[e]);
	st = write_file(w, faces_files[0], &b);
	for (unsigned i = 0; i < DEMO_FACES && st == OK; i++)
		put_face(&b, i, &face[i]);
	if (st == OK)
		st = write_file(w, faces_files[1], &b);
	for (unsigned m = 0; m < DEMO_MODELS && st == OK; m++) {
		for (unsigned i = 0; i < DEMO_FACES; i++)
			simulate_answer(&b, m, i, &face[i]);
		st = write_file(w, faces_files[2 + m], &b);
	}
	return st;
}

static enum status write_statements(struct writer *w, const struct plan_face *face)
{
	struct buf b = BUF_INIT;
	enum status st;

	statements_file(&b, face, STATEMENTS_METADATA);
	st = write_file(w, statements_files[0], &b);
	for (int m = 0; m < DEMO_MODELS && st == OK; m++) {
		st = make_dir(w, simulate_names[m]);
		if (st != OK)
			break;
		statements_file(&b, face, m);
		st = write_file(w, statements_files[1 + m], &b);
	}
	return st;
}

enum status demo_write(const char *dir, void (*progress)(void *ctx, unsigned done, unsigned total),
		       void *ctx, const struct cancel *cancel, struct err *err)
{
	struct plan_face *face = xcalloc(DEMO_FACES, sizeof *face);
	struct writer w = {.dir = dir,
			   .progress = progress,
			   .ctx = ctx,
			   .cancel = cancel,
			   .total = DEMO_FACES + 10,
			   .err = err};
	struct buf text = BUF_INIT;
	enum status st = path_mkdirs(dir, err);

	plan_faces(face);
	if (st == OK)
		st = write_faces(&w, face);
	if (st == OK)
		st = write_statements(&w, face);
	if (st == OK) {
		buf_z(&text, readme);
		st = write_file(&w, "README.txt", &text);
	}
	if (st == OK)
		st = write_pictures(&w, face);
	free(face);
	return st;
}
