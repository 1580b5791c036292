/*
 * emoset: EmoSet-118K. train.json, val.json, test.json: arrays of [emotion, id, image, annotation],
 * whose last two are paths relative to the index. What a picture shows is in its annotation, a file of
 * its own, which is read along; it may lack any field. Such a file alone is one sample, or stands for
 * those beside it. info.json names
 * the classes and the values of the attributes.
 */
#include <dirent.h>

#include "core/base/path.h"
#include "core/reader/along.h"
#include "core/reader/emotions.h"
#include "core/reader/stored.h"
#include "core/reader/table.h"

#define ANNOTATION_MAX ((size_t)1 << 20)
#define INFO_MAX       ((size_t)16 << 20)

static const char *const attributes[] = {"scene", "object", "facial_expression", "human_action"};
static const char *const levels[] = {"brightness", "colorfulness"};

/* --- which of them it is --- */

enum kind { KIND_OTHER, KIND_INDEX, KIND_ANNOTATION, KIND_INFO };

/* [emotion, …, image, …]. */
static bool is_entry(const cJSON *v)
{
	bool image = false;

	if (!cJSON_IsArray(v) || cJSON_GetArraySize(v) < 3 || cJSON_GetArraySize(v) > 4 ||
	    emotions_by_name(&emotions_emoset, json_text(v->child)) == SIZE_MAX)
		return false;
	for (const cJSON *part = v->child; part; part = part->next)
		image |= looks_like_image(json_text(part));
	return image;
}

static bool begins_with_entry(struct str head)
{
	struct str first = peek_skip_blanks(head);
	struct err ignored = ERR_INIT;
	cJSON *tree = NULL;
	bool yes;

	if (!first.n || first.p[0] != '[')
		return false;
	first = peek_skip_blanks((struct str){first.p + 1, first.n - 1});
	first.n = first.n && first.p[0] == '[' ? peek_json_span(first) : 0;
	yes = first.n && json_parse(first, &tree, &ignored) == OK && is_entry(tree);
	cJSON_Delete(tree);
	return yes;
}

/* The members of the one object that the file is. */
static enum kind kind_of_object(struct str head)
{
	struct str rest = peek_skip_blanks(head), value;
	bool id = false, emotion = false, level = false;
	struct member m;

	while (peek_member(&rest, &m)) {
		value = (struct str){m.value.p, (size_t)(head.p + head.n - m.value.p)};
		if (value.n && value.p[0] == '{' && str_eqz(m.key, "emotion"))
			return peek_member(&value, &m) && (str_eqz(m.key, "label2idx") || str_eqz(m.key, "idx2label"))
				   ? KIND_INFO : KIND_OTHER;
		id |= str_eqz(m.key, "image_id");
		emotion |= str_eqz(m.key, "emotion");
		level |= str_eqz(m.key, "brightness") || str_eqz(m.key, "colorfulness");
	}
	rest = peek_skip_blanks(head);
	value.n = peek_json_span(rest);
	value = (struct str){rest.p + value.n, rest.n - value.n};
	return id && emotion && level && !peek_skip_blanks(value).n ? KIND_ANNOTATION : KIND_OTHER;
}

static enum kind kind_of(struct str head)
{
	struct str s = peek_skip_blanks(head);

	if (begins_with_entry(head))
		return KIND_INDEX;
	return s.n && s.p[0] == '{' ? kind_of_object(head) : KIND_OTHER;
}

static int probe(struct str path, struct str head)
{
	(void)path;
	return kind_of(head) != KIND_OTHER ? 100 : 0;
}

static enum rank rank(struct str path, struct str head)
{
	(void)path;
	return kind_of(head) == KIND_INFO ? RANK_CLASSES : RANK_SAMPLES;
}

struct emoset {
	struct stored s; /* first */
	struct str folder, split;
	struct class_ref ref;
	struct rec_truth truth;
	uint64_t entries, absent; /* annotation files that are not there */
	bool settled;
	VEC(const char *) beside; /* names of annotations in the file's folder */
};

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* --- one sample --- */

static void add_attribute(struct emoset *e, const char *name, const cJSON *value)
{
	if (cJSON_IsArray(value)) {
		for (const cJSON *v = value->child; v; v = v->next)
			stored_facet(&e->s, name, json_text(v));
	} else {
		stored_facet(&e->s, name, json_text(value));
	}
}

static void add_annotation(struct emoset *e, const cJSON *tree)
{
	double level;

	for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
		if (json_number(json_get(tree, levels[i]), &level))
			vec_push(&e->s.facets, ((struct rec_facet){str_z(levels[i]), STR_NONE, level, true}));
	for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
		add_attribute(e, attributes[i], json_get(tree, attributes[i]));
}

static enum status classes(struct emoset *e, struct err *err)
{
	enum status st = e->settled ? OK : emotions_send(&emotions_emoset, e->s.ctx->sink, e->s.row.src, err);

	e->settled = true;
	return st;
}

/* The folder is the emotion; the picture's name is unique without it. */
static enum status send(struct emoset *e, struct str emotion, struct str path, struct err *err)
{
	struct stored *s = &e->s;
	size_t class = emotions_by_name(&emotions_emoset, emotion);
	struct rec_sample rec = {.src = s->row.src, .key = path_stem(path_base(path)), .media = MEDIA_IMAGE,
				 .paths = &path, .n_paths = 1, .truths = &e->truth, .creates = true,
				 .declares = true};
	enum status st = classes(e, err);

	if (class == SIZE_MAX) {
		report_add(s->ctx->report, PROBLEM_WARNING, s->row.src, "emotion",
			   "\"%.*s\" is none of the eight emotions", (int)(emotion.n < 80 ? emotion.n : 80),
			   emotion.p ? emotion.p : "");
	} else {
		e->ref = emotions_ref(&emotions_emoset, class);
		rec.n_truths = 1;
		stored_facet(s, "sentiment", class < 4 ? STR("positive") : STR("negative"));
	}
	stored_facet(s, "split", e->split);
	rec.facets = s->facets.v;
	rec.n_facets = s->facets.n;
	return st ? st : sink_sample(s->ctx->sink, &rec, err);
}

/* --- the index --- */

/* NULL: it is not there, or unusable, which is reported. */
static cJSON *read_annotation(struct emoset *e, struct str name)
{
	struct buf bytes = BUF_INIT;
	struct err why = ERR_INIT;
	struct input in;
	cJSON *tree = NULL;
	char *path = path_join(e->folder.p, name);

	if (input_open_cancel(&in, path, e->s.ctx->in->cancel, &why) != OK) {
		e->absent++;
	} else {
		if (input_all(&in, ANNOTATION_MAX, &bytes, &why) != OK ||
		    json_parse(buf_view(&bytes), &tree, &why) != OK)
			report_add(e->s.ctx->report, PROBLEM_WARNING, e->s.row.src, "annotation", "%.200s: %s",
				   path, why.msg);
		input_close(&in);
	}
	buf_release(&bytes);
	free(path);
	return tree;
}

static enum status take_entry(struct stored *s, const struct stored_value *v, struct err *err)
{
	struct emoset *e = (struct emoset *)s;
	struct str image = STR_NONE, annotation = STR_NONE;
	cJSON *tree = NULL;
	enum status st;

	s->ctx->report->rows++;
	for (const cJSON *part = cJSON_IsArray(v->tree) ? v->tree->child : NULL; part; part = part->next) {
		if (looks_like_image(json_text(part)))
			image = path_with_slashes(&s->row.arena, json_text(part));
		else if (str_ends_nocase(json_text(part), STR(".json")))
			annotation = path_with_slashes(&s->row.arena, json_text(part));
	}
	if (!image.n) {
		report_add(s->ctx->report, PROBLEM_SKIPPED, s->row.src, "", "expected [emotion, id, image, annotation]");
		return OK;
	}
	e->entries++;
	if (annotation.n && path_is_inside(annotation))
		tree = read_annotation(e, annotation);
	else if (annotation.n)
		report_add(s->ctx->report, PROBLEM_WARNING, s->row.src, "annotation",
			   "a path that leads out of the index's folder is not followed");
	add_annotation(e, tree);
	st = send(e, json_text(v->tree->child), image, err);
	cJSON_Delete(tree); /* the facets borrow its texts */
	return st;
}

static enum status read_index(struct emoset *e, struct err *err)
{
	struct str path = str_z(e->s.ctx->in->path), stem = path_stem(path_base(path));
	enum status st;

	e->folder = arena_str(&e->s.arena, path_dir(path));
	if (str_eqz(stem, "train") || str_eqz(stem, "val") || str_eqz(stem, "test"))
		e->split = stem;
	st = stored_values(&e->s, NULL, take_entry, err);
	if (!st && e->absent)
		report_note(e->s.ctx->report, "%llu of %llu annotation files are not there: no attributes for these",
			    (unsigned long long)e->absent, (unsigned long long)e->entries);
	return st;
}

/* --- one annotation, and info.json --- */

static enum status take_annotation(struct emoset *e, const cJSON *tree, struct err *err)
{
	struct stored *s = &e->s;
	struct str id = str_trim(json_text(json_get(tree, "image_id"))), emotion = json_text(json_get(tree, "emotion"));
	struct str path = id;

	s->ctx->report->rows++;
	if (!id.n) {
		report_add(s->ctx->report, PROBLEM_SKIPPED, s->row.src, "image_id", "expected the picture's id");
		return OK;
	}
	id = path_with_slashes(&s->row.arena, id);
	if (!looks_like_image(id))
		path = str_z(arena_printf(&s->row.arena, "image/%.*s/%.*s.jpg", STR_ARG(emotion), STR_ARG(id)));
	add_annotation(e, tree);
	return send(e, emotion, path, err);
}

/* Names of annotations in the folder, sorted. */
static void list_beside(struct emoset *e, const char *folder)
{
	DIR *dir = opendir(folder);
	const struct dirent *d;

	while (dir && (d = readdir(dir)) != NULL)
		if (along_is_annotation(str_z(d->d_name)))
			vec_push(&e->beside, arena_strdup(&e->s.arena, d->d_name));
	if (dir)
		closedir(dir);
	if (e->beside.n)
		qsort(e->beside.v, e->beside.n, sizeof *e->beside.v, by_name);
}

/* The file that was opened is among them. */
static enum status read_beside(struct emoset *e, struct err *err)
{
	enum status st = OK;

	e->folder = arena_str(&e->s.arena, path_dir(str_z(e->s.ctx->in->path)));
	list_beside(e, e->folder.p);
	for (size_t i = 0; i < e->beside.n && !st; i++) {
		cJSON *tree;

		stored_next(&e->s, (struct src){1, 0});
		tree = read_annotation(e, str_z(e->beside.v[i]));
		st = cancel_check(e->s.ctx->in->cancel, err);
		if (tree && !st)
			st = take_annotation(e, tree, err);
		cJSON_Delete(tree);
	}
	return st;
}

static enum status send_values(struct emoset *e, const char *facet, const cJSON *labels, struct err *err)
{
	enum status st = OK;

	for (const cJSON *v = cJSON_IsObject(labels) ? labels->child : NULL; v && !st; v = v->next) {
		struct rec_tree rec = {e->s.row.src, str_z(facet), str_trim(str_z(v->string)), STR_NONE};

		if (rec.value.n)
			st = sink_tree(e->s.ctx->sink, &rec, err);
	}
	return st;
}

static enum status take_info(struct emoset *e, const cJSON *tree, struct err *err)
{
	enum status st = classes(e, err);

	e->s.ctx->report->rows++;
	for (size_t i = 0; i < sizeof attributes / sizeof *attributes && !st; i++)
		st = send_values(e, attributes[i], json_get(json_get(tree, attributes[i]), "label2idx"), err);
	return st;
}

static enum status read_object(struct emoset *e, enum kind kind, struct err *err)
{
	struct buf bytes = BUF_INIT;
	cJSON *tree = NULL;
	enum status st = input_all(e->s.ctx->in, kind == KIND_INFO ? INFO_MAX : ANNOTATION_MAX, &bytes, err);

	stored_next(&e->s, (struct src){1, 0});
	if (!st)
		st = json_parse(buf_view(&bytes), &tree, err);
	if (!st)
		st = kind == KIND_INFO ? take_info(e, tree, err) : take_annotation(e, tree, err);
	cJSON_Delete(tree);
	buf_release(&bytes);
	return st;
}

static enum status read_file(struct read_ctx *ctx, struct err *err)
{
	struct emoset *e = xcalloc(1, sizeof *e);
	enum kind kind = kind_of(buf_view(&ctx->in->head));
	enum status st;

	e->truth = (struct rec_truth){ctx->opt->layer.n ? ctx->opt->layer : STR("original"), &e->ref, 1, NULL};
	stored_init(&e->s, ctx);
	if (kind == KIND_ANNOTATION && ctx->opt->folder)
		st = read_beside(e, err);
	else
		st = kind == KIND_INFO || kind == KIND_ANNOTATION ? read_object(e, kind, err) : read_index(e, err);
	vec_release(&e->beside);
	stored_release(&e->s);
	free(e);
	return st;
}

const struct reader reader_emoset = {
    .name = "emoset",
    .help = "EmoSet: train.json, val.json, test.json with their annotations; one annotation; info.json",
    .probe = probe,
    .rank = rank,
    .read = read_file,
    .one_set = true,
};
