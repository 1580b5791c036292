/* The demo project: the same bytes every time, and what it promises is in it. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#define STBI_ONLY_PNG
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb_image.h>

#include "core/base/path.h"
#include "core/demo/demo.h"
#include "core/demo/plan.h"
#include "core/text/csv.h"
#include "core/text/json.h"

#define PIXELS_HASH 0xb4251291fa556591u
#define TEXTS_HASH  0x78e3ebf5cbb7d6bcu

/* FNV-1a, for the test must not depend on this process. */
static uint64_t hash(uint64_t h, struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		h = (h ^ (unsigned char)s.p[i]) * 0x100000001b3u;
	return h;
}

static struct buf load(const char *dir, const char *name)
{
	char *path = path_join(dir, str_z(name));
	struct err err = ERR_INIT;
	struct buf b = BUF_INIT;
	struct input in;

	if (input_open(&in, path, &err) != OK || input_all(&in, 16 << 20, &b, &err) != OK)
		fail_msg("%s", err.msg);
	input_close(&in);
	free(path);
	return b;
}

static void remove_tree(const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *e;

	while (d && (e = readdir(d))) {
		char *path;

		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		path = path_join(dir, str_z(e->d_name));
		if (unlink(path) != 0)
			remove_tree(path);
		free(path);
	}
	if (d)
		closedir(d);
	rmdir(dir);
}

static void count_progress(void *ctx, unsigned done, unsigned total)
{
	unsigned *last = ctx;

	assert_int_equal(done, *last + 1);
	assert_int_equal(total, DEMO_FACES + 10);
	*last = done;
}

/* Shared by the tests: written once. */
static int write_demo(void **state)
{
	char *dir = strdup("/tmp/qualm-test-XXXXXX");
	struct err err = ERR_INIT;
	unsigned last = 0;

	if (!mkdtemp(dir) || demo_write(dir, count_progress, &last, NULL, &err) != OK) {
		fprintf(stderr, "%s\n", err.msg);
		return 1;
	}
	assert_int_equal(last, DEMO_FACES + 10);
	*state = dir;
	return 0;
}

static int remove_demo(void **state)
{
	remove_tree(*state);
	free(*state);
	return 0;
}

#define HASH_BEGIN 0xcbf29ce484222325u

static uint64_t hash_of_texts(const char *dir)
{
	uint64_t h = HASH_BEGIN;

	for (enum demo_part part = 0; part < N_DEMO_PARTS; part++)
		for (const char *const *f = demo_files(part); *f; f++) {
			struct buf b = load(dir, *f);

			h = hash(h, buf_view(&b));
			buf_release(&b);
		}
	return h;
}

static uint64_t hash_of_pictures(const char *dir)
{
	uint64_t h = HASH_BEGIN;

	for (int i = 1; i <= DEMO_FACES; i++) {
		char name[32];
		struct buf b;

		snprintf(name, sizeof name, "images/face_%03d.png", i);
		b = load(dir, name);
		h = hash(h, buf_view(&b));
		buf_release(&b);
	}
	return h;
}

static void the_same_bytes_again(void **state)
{
	void *again = NULL;

	assert_int_equal(write_demo(&again), 0);
	assert_true(hash_of_texts(*state) == hash_of_texts(again));
	assert_true(hash_of_pictures(*state) == hash_of_pictures(again));
	remove_demo(&again);
}

/* Not only twice here, but on every machine. Whoever changes the demo changes these, knowingly. */
static void the_same_bytes_everywhere(void **state)
{
	static struct plan_face face[DEMO_FACES];
	static uint8_t pixels[64 * 64 * 3];
	uint64_t h = HASH_BEGIN, texts = hash_of_texts(*state);

	plan_faces(face);
	for (int i = 0; i < DEMO_FACES; i++) {
		face_draw(&face[i].expression, &face[i].look, 64, pixels);
		h = hash(h, (struct str){(const char *)pixels, sizeof pixels});
	}
	if (h != PIXELS_HASH || texts != TEXTS_HASH)
		fail_msg("pixels 0x%016llx, texts 0x%016llx", (unsigned long long)h,
			 (unsigned long long)texts);
}

/* --- faces --- */

static bool holds(const cJSON *list, const char *text)
{
	for (const cJSON *c = list->child; c; c = c->next)
		if (str_eqz(json_text(c), text))
			return true;
	return false;
}

static void each_line(struct str text, void (*body)(const cJSON *row, struct str line, void *ctx),
		      void *ctx)
{
	struct str line;

	while (text.n) {
		struct err err = ERR_INIT;
		cJSON *row;

		text = str_cut(text, '\n', &line);
		if (json_parse(line, &row, &err) != OK)
			fail_msg("%s", err.msg);
		body(row, line, ctx);
		cJSON_Delete(row);
	}
}

struct counted {
	int rows, s_plus, s_minus, m_plus, m_minus, none, uncovered, ambiguous;
	int by_label[N_FACE_EMOTIONS], by_intensity[3];
};

static int emotion_index(struct str s)
{
	static const char *const names[] = {"happiness",  "sadness",  "worry",
					    "neutrality", "surprise", "anger"};

	for (int e = 0; e < N_FACE_EMOTIONS; e++)
		if (str_eqz(s, names[e]))
			return e;
	return -1;
}

static void count_face(const cJSON *row, struct str line, void *ctx)
{
	struct counted *c = ctx;
	const cJSON *set = json_get(row, "labels_reannotated");
	struct str label = json_text(json_get(row, "label"));
	int n = cJSON_GetArraySize(set), e = emotion_index(label);
	bool hit = set && holds(set, label.p);
	struct flat flat;

	(void)line;
	assert_true(flat_scan(line, &flat)); /* made for the fast gear */
	assert_true(e >= 0);
	assert_true(emotion_index(json_text(json_get(row, "label_prompt"))) >= 0);
	c->rows++;
	c->by_label[e]++;
	c->uncovered += !set;
	c->none += set && n == 0;
	c->s_plus += n == 1 && hit;
	c->s_minus += n == 1 && !hit;
	c->m_plus += n > 1 && hit;
	c->m_minus += n > 1 && !hit;
	c->ambiguous += str_eqz(json_text(json_get(row, "ambiguous")), "yes");
	c->by_intensity[0] += str_eqz(json_text(json_get(row, "intensity")), "low");
	c->by_intensity[1] += str_eqz(json_text(json_get(row, "intensity")), "medium");
	c->by_intensity[2] += str_eqz(json_text(json_get(row, "intensity")), "high");
}

static void categories_are_filled(void **state)
{
	struct buf b = load(*state, "faces.jsonl");
	struct counted c = {0};

	each_line(buf_view(&b), count_face, &c);
	assert_int_equal(c.rows, DEMO_FACES);
	assert_int_equal(c.s_plus, 150);
	assert_int_equal(c.s_minus, 32);
	assert_int_equal(c.m_plus, 38);
	assert_int_equal(c.m_minus, 14);
	assert_int_equal(c.none, 6);
	assert_int_equal(c.uncovered, 12);
	assert_int_equal(c.ambiguous, 52);
	for (int e = 0; e < N_FACE_EMOTIONS; e++)
		assert_in_range(c.by_label[e], 30, 56);
	for (int i = 0; i < 3; i++)
		assert_int_equal(c.by_intensity[i], 84);
	buf_release(&b);
}

static void classes_are_six(void **state)
{
	struct buf b = load(*state, "classes.tsv");

	assert_string_equal(buf_cstr(&b), "idx\tname\n0\thappiness\n1\tsadness\n2\tworry\n"
					  "3\tneutrality\n4\tsurprise\n5\tanger\n");
	buf_release(&b);
}

struct answers {
	int rows, answered, oop, refused, empty, errors, says[N_FACE_EMOTIONS];
	const char *model;
};

static void count_answer(const cJSON *row, struct str line, void *ctx)
{
	struct answers *a = ctx;
	struct str said = json_text(json_get(row, "prediction")),
		   raw = json_text(json_get(row, "raw"));
	int e = emotion_index(said);
	double score = 0;
	char id[32];

	(void)line;
	snprintf(id, sizeof id, "face_%03d", ++a->rows);
	assert_true(str_eqz(json_text(json_get(row, "id")), id));
	assert_true(str_eqz(json_text(json_get(row, "model")), a->model));
	a->errors += json_get(row, "error") != NULL;
	a->refused += cJSON_IsTrue(json_get(row, "refusal"));
	a->empty += raw.p && raw.n == 0;
	if (!said.n)
		return;
	a->answered += e >= 0;
	a->oop += e < 0;
	if (e >= 0)
		a->says[e]++;
	assert_true(json_number(json_get(row, "score"), &score));
	assert_true(score > 0 && score < 1);
	assert_true(str_find_nocase(raw, said) != SIZE_MAX);
}

/* Each simulated model has every kind of outcome somewhere, and its own bias. */
static void models_differ(void **state)
{
	struct answers a[DEMO_MODELS] = {{0}};
	int oop = 0, refused = 0, empty = 0, errors = 0;

	for (int m = 0; m < DEMO_MODELS; m++) {
		const char *file = demo_files(DEMO_PART_FACES)[2 + m];
		struct str name = path_stem(str_z(file));
		struct buf b = load(*state, file);
		char model[32];

		snprintf(model, sizeof model, "%.*s", (int)name.n - 5, name.p + 5);
		a[m].model = model;
		each_line(buf_view(&b), count_answer, &a[m]);
		assert_int_equal(a[m].rows, DEMO_FACES);
		assert_int_equal(a[m].answered + a[m].oop + a[m].refused + a[m].empty + a[m].errors,
				 DEMO_FACES);
		oop += a[m].oop;
		refused += a[m].refused;
		empty += a[m].empty;
		errors += a[m].errors;
		buf_release(&b);
	}
	assert_true(oop >= 10 && refused >= 5 && empty >= 3 && errors >= 3);
	assert_true(a[0].says[FACE_HAPPINESS] > a[1].says[FACE_HAPPINESS] + 20);
	assert_true(a[1].says[FACE_SADNESS] > a[0].says[FACE_SADNESS] + 20);
	assert_true(a[2].refused > a[0].refused + a[1].refused);
}

/* --- statements --- */

struct said {
	int images, statements, correct, by_class[4];
	int yes, no, give_up, empty, right;
};

static void count_statement(const cJSON *s, struct said *c)
{
	static const char *const classes[] = {"sentiment polarity", "emotion interpretation",
					      "scene context", "perception subjectivity"};
	struct str label = json_text(json_get(s, "label")),
		   text = json_text(json_get(s, "statement"));
	const cJSON *predict = json_get(s, "predict");
	bool truth = str_eqz(label, "correct");
	int known = 0;

	assert_true(truth || str_eqz(label, "incorrect"));
	assert_true(text.n > 20 && text.p[text.n - 1] == '.' && text.p[0] >= 'A' &&
		    text.p[0] <= 'Z');
	c->statements++;
	c->correct += truth;
	for (int i = 0; i < 4; i++)
		if (str_eqz(json_text(json_get(s, "class")), classes[i])) {
			c->by_class[i]++;
			known++;
		}
	assert_int_equal(known, 1);
	if (!predict)
		return;
	if (str_find_nocase(json_text(predict), STR("incorrect")) != SIZE_MAX) {
		c->no++;
		c->right += !truth;
	} else if (str_find_nocase(json_text(predict), STR("correct")) != SIZE_MAX) {
		c->yes++;
		c->right += truth;
	} else {
		c->give_up++;
		c->empty += json_text(predict).n == 0;
	}
}

static struct said count_statements(const char *dir, const char *file)
{
	struct buf b = load(dir, file);
	struct err err = ERR_INIT;
	struct said c = {0};
	cJSON *tree;

	assert_int_equal(json_parse(buf_view(&b), &tree, &err), OK);
	for (const cJSON *image = tree->child; image; image = image->next) {
		c.images++;
		assert_true(cJSON_IsArray(json_get(image, "ov_emotion")));
		assert_true(str_starts(json_text(json_get(image, "image_id")), STR("face_")));
		for (const cJSON *s = json_get(image, "statement_list")->child; s; s = s->next)
			count_statement(s, &c);
	}
	cJSON_Delete(tree);
	buf_release(&b);
	return c;
}

static void statements_in_four_dimensions(void **state)
{
	struct said c = count_statements(*state, "statements.json");

	assert_int_equal(c.images, DEMO_FACES);
	assert_true(c.statements >= 240);
	assert_in_range(c.correct, c.statements * 42 / 100, c.statements * 58 / 100);
	for (int i = 0; i < 4; i++)
		assert_in_range(c.by_class[i], c.statements / 5, c.statements / 3);
	assert_int_equal(c.yes + c.no + c.give_up, 0);
}

static void judgements_are_biased(void **state)
{
	struct said c[DEMO_MODELS];
	int give_up = 0, empty = 0;

	for (int m = 0; m < DEMO_MODELS; m++) {
		c[m] = count_statements(*state, demo_files(DEMO_PART_STATEMENTS)[1 + m]);
		assert_int_equal(c[m].yes + c[m].no + c[m].give_up, c[m].statements);
		give_up += c[m].give_up;
		empty += c[m].empty;
	}
	assert_true(c[0].yes > c[0].statements * 60 / 100);
	assert_true(c[1].yes < c[1].statements * 46 / 100);
	assert_true(c[2].right > c[0].right && c[2].right > c[1].right);
	assert_true(give_up >= 5 && empty >= 2 && empty < give_up);
}

/* --- pictures --- */

static void pictures_decode(void **state)
{
	for (int i = 1; i <= DEMO_FACES; i += 50) {
		char name[32];
		struct buf b;
		int w = 0, h = 0, n = 0;
		stbi_uc *px;

		snprintf(name, sizeof name, "images/face_%03d.png", i);
		b = load(*state, name);
		assert_true(b.n < 60000);
		px = stbi_load_from_memory((const stbi_uc *)b.p, (int)b.n, &w, &h, &n, 3);
		assert_non_null(px);
		assert_int_equal(w, 256);
		assert_int_equal(h, 256);
		assert_memory_not_equal(px, px + 128 * 256 * 3, 256 * 3);
		stbi_image_free(px);
		buf_release(&b);
	}
}

static void emotions_look_different(void **state)
{
	static uint8_t a[64 * 64 * 3], b[64 * 64 * 3];
	struct face_look look = {.head_width = 0.5, .eye_gap = 0.5};

	(void)state;
	for (int e = 0; e < N_FACE_EMOTIONS; e++) {
		struct face_expression x = face_of(e, 1), y = face_of((e + 1) % N_FACE_EMOTIONS, 1);
		struct face_expression same = face_between(&x, &y, 0);
		int different = 0;

		face_draw(&x, &look, 64, a);
		face_draw(&y, &look, 64, b);
		for (size_t i = 0; i < sizeof a; i += 3)
			different += abs(a[i] - b[i]) > 40;
		assert_true(different > 60);
		face_draw(&same, &look, 64, b);
		assert_memory_equal(a, b, sizeof a);
	}
}

/* --- being stopped --- */

struct stopper {
	struct cancel cancel;
	unsigned at;
};

static void stop_at_five(void *ctx, unsigned done, unsigned total)
{
	struct stopper *s = ctx;

	(void)total;
	s->at = done;
	if (done == 5)
		cancel_now(&s->cancel);
}

static void it_can_be_stopped(void **state)
{
	char dir[] = "/tmp/qualm-test-XXXXXX";
	struct err err = ERR_INIT;
	struct stopper s = {.at = 0};

	(void)state;
	assert_non_null(mkdtemp(dir));
	cancel_init(&s.cancel);
	assert_int_equal(demo_write(dir, stop_at_five, &s, &s.cancel, &err), E_CANCELLED);
	assert_int_equal(s.at, 5);
	assert_int_equal(demo_write("/dev/null/x", NULL, NULL, NULL, &err), E_IO);
	remove_tree(dir);
	cancel_release(&s.cancel);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_same_bytes_again),
	    cmocka_unit_test(the_same_bytes_everywhere),
	    cmocka_unit_test(categories_are_filled),
	    cmocka_unit_test(classes_are_six),
	    cmocka_unit_test(models_differ),
	    cmocka_unit_test(statements_in_four_dimensions),
	    cmocka_unit_test(judgements_are_biased),
	    cmocka_unit_test(pictures_decode),
	    cmocka_unit_test(emotions_look_different),
	    cmocka_unit_test(it_can_be_stopped),
	};

	return cmocka_run_group_tests(tests, write_demo, remove_demo);
}
