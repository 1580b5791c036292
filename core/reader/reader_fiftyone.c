/*
 * fiftyone: what FiftyOne exports. ImageClassificationDataset: labels.json, {"classes": […], "labels":
 * {image: V}}, where V is an index, a name, null, {"label": …, "confidence": …} or a list of these.
 * With --model, or a file called as predictions are, they are a model's answers. FiftyOneDataset:
 * samples.json, {"samples": [{filepath, tags, FIELD: {"_cls": "Classification", "label": …}}]}, where a
 * field with confidences, or called as predictions are, is a run and another one a layer; and
 * metadata.json, which may list the classes, before version 0.8 inside `info`.
 */
#include "core/base/path.h"
#include "core/reader/stored.h"
#include "core/reader/table.h"

#define MAX_FACET_TEXT 256
#define MAX_LABELS     10000 /* of one image */

enum file { NEITHER, LABELS, SAMPLES, METADATA };

static bool is_sample(struct str list)
{
	struct member m;
	bool path = false, ours = false;

	list = peek_skip_blanks((struct str){list.p + 1, list.n - 1});
	while (peek_member(&list, &m)) {
		path |= str_eqz(m.key, "filepath");
		ours |= str_eqz(m.key, "_media_type") || str_eqz(m.key, "_id") ||
			(m.value.n && str_find(m.value, STR("\"_cls\"")) != SIZE_MAX);
	}
	return path && ours;
}

/* An object, an index, a name, a list or null: no list of records by number as others have it. */
static bool is_label_map(struct str object)
{
	struct member m;
	bool any = false;

	while (peek_member(&object, &m) && m.value.n) {
		if (m.value.p[0] == '{' && str_find(m.value, STR("\"label\"")) == SIZE_MAX)
			return false;
		any = true;
	}
	return any;
}

static enum file kind_of(struct str head)
{
	struct str rest = peek_skip_blanks(head), at;
	bool labels = false, others = false, media = false, fields = false, info = false;
	struct member m;

	while (peek_member(&rest, &m)) {
		if (m.value.p >= head.p + head.n)
			break;
		at = (struct str){m.value.p, (size_t)(head.p + head.n - m.value.p)};
		if (str_eqz(m.key, "samples") && at.p[0] == '[' && is_sample(at))
			return SAMPLES;
		if (str_eqz(m.key, "labels") && at.p[0] == '{' && is_label_map(at))
			labels = true;
		else if (!str_eqz(m.key, "classes") || (at.p[0] != '[' && at.p[0] != 'n'))
			others = true;
		media |= str_eqz(m.key, "media_type");
		/* a list of fields, before version 0.8 types by name */
		fields |= str_eqz(m.key, "sample_fields") && (at.p[0] == '[' || at.p[0] == '{');
		info |= str_eqz(m.key, "info") && at.p[0] == '{';
	}
	if (fields && (media || info))
		return METADATA;
	return labels && !others ? LABELS : NEITHER;
}

static int probe(struct str path, struct str head)
{
	(void)path;
	return kind_of(head) == NEITHER ? 0 : 97;
}

static bool is_called_predictions(struct str name)
{
	return str_find_nocase(name, STR("pred")) != SIZE_MAX ||
	       str_find_nocase(name, STR("answer")) != SIZE_MAX;
}

static enum rank rank(struct str path, struct str head)
{
	switch (kind_of(head)) {
	case METADATA:
		return RANK_CLASSES;
	case LABELS:
		return is_called_predictions(path_base(path)) ? RANK_PREDICTIONS : RANK_SAMPLES;
	default:
		return RANK_SAMPLES;
	}
}

enum use { USE_TRUTH, USE_RUN };

struct field { /* of samples.json, by its name */
	enum use use;
	struct str layer;
};

struct fiftyone {
	struct stored s; /* first */
	bool answers;	 /* labels.json is a model's */
	VEC(struct str) classes;
	struct intern names;
	VEC(struct field) fields; /* by names */
};

/* --- classes --- */

static enum status take_classes(struct fiftyone *f, const cJSON *list, struct err *err)
{
	enum status st = OK;

	if (!cJSON_IsArray(list) || f->classes.n)
		return OK;
	for (const cJSON *c = list->child; c && !st; c = c->next) {
		struct rec_class rec = {.src = f->s.row.src,
					.index = (int64_t)f->classes.n,
					.name = arena_str(&f->s.arena, str_trim(json_text(c)))};

		vec_push(&f->classes, rec.name);
		if (rec.name.n)
			st = sink_class(f->s.ctx->sink, &rec, err);
		else
			report_add(f->s.ctx->report, PROBLEM_SKIPPED, f->s.row.src, "classes",
				   "expected a name as class %lld", (long long)rec.index);
	}
	return st;
}

/* --- labels --- */

/* false: not one; told. */
static bool ref_of(struct fiftyone *f, const cJSON *value, struct class_ref *out)
{
	const cJSON *label = cJSON_IsObject(value) ? json_get(value, "label") : value;
	struct str text = str_trim(json_text(label));
	double number;

	*out = (struct class_ref){.kind = CLASS_BY_NAME, .text = text};
	if (text.n)
		return true;
	if (json_number(label, &number) && number >= 0 && number == (double)(int64_t)number &&
	    (!f->classes.n || number < (double)f->classes.n)) {
		out->kind = CLASS_BY_INDEX;
		out->index = (int64_t)number;
		if (f->classes.n)
			out->text = f->classes.v[out->index];
		return true;
	}
	report_add(f->s.ctx->report, PROBLEM_SKIPPED, f->s.row.src, "labels",
		   f->classes.n ? "expected a name or an index below %zu" : "expected a name or an index",
		   f->classes.n);
	return false;
}

static bool says_nothing(const cJSON *value)
{
	return !value || cJSON_IsNull(value) ||
	       (cJSON_IsObject(value) && cJSON_IsNull(json_get(value, "label")));
}

/* NULL v and n = 0 with known = false: null. With known = true: an empty list. */
static struct refs refs_of(struct fiftyone *f, const cJSON *value)
{
	struct refs out = {0};
	size_t n = 1;

	if (says_nothing(value))
		return out;
	for (const cJSON *i = cJSON_IsArray(value) ? value->child : NULL; i && n < MAX_LABELS; i = i->next)
		n++;
	out.v = arena_zalloc(&f->s.row.arena, n, sizeof *out.v);
	out.known = cJSON_IsArray(value);
	if (!out.known) {
		out.known = ref_of(f, value, &out.v[0]);
		out.n = out.known;
		return out;
	}
	for (const cJSON *i = value->child; i && out.n + 1 < n; i = i->next)
		if (!says_nothing(i))
			out.n += ref_of(f, i, &out.v[out.n]);
	return out;
}

static double confidence_of(const cJSON *value)
{
	double number;

	return json_number(json_get(value, "confidence"), &number) ? number : NAN;
}

/* Of several the surest one alone, where they say how sure they are: they are no list of answers. */
static const cJSON *surest(const cJSON *value)
{
	const cJSON *best = NULL;

	for (const cJSON *i = cJSON_IsArray(value) ? value->child : NULL; i; i = i->next) {
		double one = confidence_of(i);

		if (!isnan(one) && (!best || one > confidence_of(best)))
			best = i;
	}
	return best ? best : value;
}

/* sample: what the row says of it, where nothing else does; may be NULL. */
static enum status send_answer(struct fiftyone *f, struct str key, struct str model, const cJSON *value,
			       struct rec_sample *sample, struct err *err)
{
	struct stored *s = &f->s;
	const cJSON *one = surest(value);
	struct stored_run run = {.rec = {.model = model}};
	struct rec_prediction out;
	struct refs refs = refs_of(f, one);
	char *text;
	enum status st;

	rec_prediction_init(&out);
	vec_clear(&s->numbers);
	buf_clear(&s->details);
	out.key = key;
	out.refs = refs.v;
	out.n_refs = refs.n;
	out.outcome = refs.n ? OUTCOME_ANSWERED : says_nothing(value) ? OUTCOME_EMPTY : OUTCOME_UNPARSED;
	out.score = confidence_of(one);
	if (refs.n == 1)
		out.raw = refs.v[0].text;
	if (!out.raw.n && !says_nothing(value) && (text = cJSON_PrintUnformatted(one)) != NULL) {
		out.raw = arena_str(&s->row.arena, str_z(text));
		cJSON_free(text);
	}
	if (one != value)
		stored_put(s, STR("labels"), value);
	st = stored_run(s, &run, &out.run, err);
	return st ? st : stored_send(s, &out, sample, err);
}

static enum status send_sample(struct fiftyone *f, struct str key, struct str path,
			       const struct rec_truth *truths, size_t n, struct err *err)
{
	struct rec_sample out = {
	    .src = f->s.row.src,
	    .key = key,
	    .paths = &path,
	    .n_paths = 1,
	    .media = looks_like_video(path) ? MEDIA_VIDEO : MEDIA_IMAGE,
	    .facets = f->s.facets.v,
	    .n_facets = f->s.facets.n,
	    .truths = truths,
	    .n_truths = n,
	    .creates = true,
	    .declares = true,
	};

	return sink_sample(f->s.ctx->sink, &out, err);
}

static struct str layer_of(const struct fiftyone *f)
{
	return f->s.ctx->opt->layer.n ? f->s.ctx->opt->layer : STR("original");
}

static void facet(struct fiftyone *f, const char *name, const cJSON *value)
{
	struct str text = str_trim(json_text(value));
	double number;

	if (cJSON_IsBool(value))
		text = cJSON_IsTrue(value) ? STR("true") : STR("false");
	if (!name[0])
		return;
	if (text.n && text.n <= MAX_FACET_TEXT)
		stored_facet(&f->s, name, text);
	else if (json_number(value, &number))
		vec_push(&f->s.facets, ((struct rec_facet){str_z(name), STR_NONE, number, true}));
}

/* A name without an extension is that of a file in the folder data. */
static enum status take_label(struct fiftyone *f, struct str key, const cJSON *value, struct err *err)
{
	struct rec_truth truth = {.layer = layer_of(f)};
	struct rec_sample bare = {0};
	const cJSON *attributes = json_get(value, "attributes");
	struct refs refs;
	struct str path;

	f->s.ctx->report->rows++;
	key = path_with_slashes(&f->s.row.arena, str_trim(key));
	if (!key.n) {
		report_add(f->s.ctx->report, PROBLEM_SKIPPED, f->s.row.src, "labels",
			   "expected an image's name, got nothing");
		return OK;
	}
	path = str_z(arena_printf(&f->s.row.arena, "data/%.*s", (int)key.n, key.p));
	if (f->answers) {
		stored_pictures(&bare, &path, 1);
		return send_answer(f, key, STR_NONE, value, &bare, err);
	}
	refs = refs_of(f, value);
	truth.refs = refs.v;
	truth.n_refs = refs.n;
	if (!isnan(confidence_of(value)))
		facet(f, "confidence", json_get(value, "confidence"));
	for (const cJSON *a = cJSON_IsObject(attributes) ? attributes->child : NULL; a; a = a->next)
		facet(f, a->string, a);
	return send_sample(f, key, path, &truth, refs.known, err);
}

/* --- samples.json --- */

/* The label or labels in a field; NULL: it holds something else. */
static const cJSON *labels_in(const cJSON *value)
{
	struct str type = json_text(json_get(value, "_cls"));

	if (str_eqz(type, "Classification"))
		return value;
	return str_eqz(type, "Classifications") ? json_get(value, "classifications") : NULL;
}

static bool is_called_truth(struct str name)
{
	static const char *const list[] = {"ground_truth", "groundtruth", "gt", "label", "labels", "class"};

	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		if (str_eq_nocase(name, str_z(list[i])))
			return true;
	return false;
}

/* What a field is for is settled by the first sample that has it. */
static struct field *field_of(struct fiftyone *f, const char *name, const cJSON *labels)
{
	size_t known = f->names.keys.n;
	uint32_t id = intern_add(&f->names, str_z(name));
	bool truth = is_called_truth(str_z(name));

	if (id == known) {
		struct field new = {USE_TRUTH, truth ? layer_of(f) : intern_key(&f->names, id)};

		if (!truth && (is_called_predictions(str_z(name)) ||
			       !isnan(confidence_of(surest(labels)))))
			new.use = USE_RUN;
		vec_push(&f->fields, new);
	}
	return &f->fields.v[id];
}

static bool is_own_field(const char *name)
{
	static const char *const list[] = {"id", "filepath", "tags", "metadata", "created_at",
					   "last_modified_at"};

	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		if (strcmp(name, list[i]) == 0)
			return true;
	return name[0] == '_' || !name[0];
}

#define MAX_LAYERS 64

static size_t truths_of(struct fiftyone *f, const cJSON *sample, struct rec_truth *out)
{
	size_t n = 0;

	for (const cJSON *v = sample->child; v; v = v->next) {
		const cJSON *labels = labels_in(v);
		const struct field *field;
		struct refs refs;

		if (is_own_field(v->string))
			continue;
		if (!labels) {
			facet(f, v->string,
			      str_eqz(json_text(json_get(v, "_cls")), "Regression") ? json_get(v, "value") : v);
			continue;
		}
		field = field_of(f, v->string, labels);
		if (field->use != USE_TRUTH || n == MAX_LAYERS)
			continue;
		refs = refs_of(f, labels);
		if (refs.known)
			out[n++] = (struct rec_truth){.layer = field->layer, .refs = refs.v, .n_refs = refs.n};
	}
	return n;
}

static enum status take_sample(struct fiftyone *f, const cJSON *sample, struct err *err)
{
	const cJSON *tags = json_get(sample, "tags");
	struct rec_truth *truths = arena_zalloc(&f->s.row.arena, MAX_LAYERS, sizeof *truths);
	struct str path = path_with_slashes(&f->s.row.arena, str_trim(json_text(json_get(sample, "filepath"))));
	struct str key = path;
	enum status st;
	size_t n;

	f->s.ctx->report->rows++;
	if (str_starts(path, STR("data/")))
		key = (struct str){path.p + 5, path.n - 5};
	if (!key.n) {
		report_add(f->s.ctx->report, PROBLEM_SKIPPED, f->s.row.src, "filepath",
			   "expected a path, got nothing");
		return OK;
	}
	for (const cJSON *t = cJSON_IsArray(tags) ? tags->child : NULL; t; t = t->next)
		facet(f, "tag", t);
	n = truths_of(f, sample, truths);
	st = send_sample(f, key, path, truths, n, err);
	for (const cJSON *v = sample->child; v && !st; v = v->next) {
		const cJSON *labels = is_own_field(v->string) ? NULL : labels_in(v);
		const struct field *field = labels ? field_of(f, v->string, labels) : NULL;

		if (field && field->use == USE_RUN)
			st = send_answer(f, key, intern_key(&f->names, (uint32_t)(field - f->fields.v)),
					 labels, NULL, err);
	}
	return st;
}

/* --- the file --- */

/* metadata.json: {"ground_truth": […]}, the lists of single fields; the first one counts. */
static enum status take_lists(struct fiftyone *f, const cJSON *list, struct err *err)
{
	if (cJSON_IsObject(list))
		list = json_get(list, "ground_truth") ? json_get(list, "ground_truth") : list->child;
	return take_classes(f, list, err);
}

static enum status take_metadata(struct fiftyone *f, const struct stored_value *v, struct err *err)
{
	enum status st = OK;

	if (str_eqz(v->key, "classes"))
		return take_lists(f, v->tree, err);
	if (str_eqz(v->key, "default_classes"))
		return take_classes(f, v->tree, err);
	if (str_eqz(v->key, "info")) {
		st = take_lists(f, json_get(v->tree, "classes"), err);
		if (!st)
			st = take_classes(f, json_get(v->tree, "default_classes"), err);
	}
	return st;
}

static enum status take_value(struct stored *s, const struct stored_value *v, struct err *err)
{
	struct fiftyone *f = (struct fiftyone *)s;

	if (v->inside && v->key.p)
		return take_label(f, v->key, v->tree, err);
	if (v->inside && cJSON_IsObject(v->tree))
		return take_sample(f, v->tree, err);
	if (v->inside)
		report_add(s->ctx->report, PROBLEM_SKIPPED, s->row.src, "", "expected an object in braces");
	else if (cJSON_IsArray(v->tree) && str_eqz(v->key, "classes"))
		return take_classes(f, v->tree, err);
	return v->inside ? OK : take_metadata(f, v, err);
}

static enum status read_file(struct read_ctx *ctx, struct err *err)
{
	struct fiftyone *f = xcalloc(1, sizeof *f);
	enum file kind = kind_of(buf_view(&ctx->in->head));
	enum status st;

	stored_init(&f->s, ctx);
	f->answers = ctx->opt->model.n || ctx->opt->run.n ||
		     is_called_predictions(path_base(str_z(ctx->in->path)));
	st = stored_values(&f->s, kind == LABELS ? "labels" : kind == METADATA ? NULL : "samples",
			   take_value, err);
	vec_release(&f->classes);
	intern_release(&f->names);
	vec_release(&f->fields);
	stored_release(&f->s);
	free(f);
	return st;
}

const struct reader reader_fiftyone = {
    .name = "fiftyone",
    .help = "FiftyOne's exports: labels.json, samples.json, metadata.json",
    .probe = probe,
    .rank = rank,
    .read = read_file,
};
