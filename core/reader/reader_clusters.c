/*
 * clusters: classes by clusters, which become the level above them in the tree of classes. JSON: an
 * object {CLUSTER: [classes]}, or a list [{"classes": {"72": "garden spider"}, "category": [2, 6]}] as
 * Flaws of ImageNet has it, whose clusters have no names; tables with a column `cluster` (superclass,
 * supercategory, coarse_label, group) and one for the class. Classes are indices, wnids or names.
 *
 * A cluster is called as it is, with "(group)" behind it, so that no answer means it.
 */
#include "core/base/path.h"
#include "core/reader/answer.h"
#include "core/reader/classes.h"
#include "core/reader/guess.h"
#include "core/reader/stored.h"
#include "core/reader/table.h"

#define MAX_GROUP 1000

/* --- which file --- */

static const char *const cluster_names[] = {"cluster", "cluster_name", "cluster_id", "superclass",
					    "super_class", "supercategory", "super_category", "coarse",
					    "coarse_label", "group", NULL};
static const char *const class_names[] = {"class", "class_name", "classname", "name", "label", "fine",
					  "fine_label", NULL};
static const char *const index_names[] = {"index", "idx", "class_id", "class_idx", "class_index",
					  "label_id", NULL};
static const char *const wnid_names[] = {"wnid", "synset", "synset_id", NULL};

static bool has_one(const struct peek *p, const char *const *list)
{
	for (; *list; list++)
		if (peek_has(p, *list))
			return true;
	return false;
}

static int table_score(const struct peek *p)
{
	bool figures = peek_has(p, "metric") && peek_has(p, "value"); /* of a group of samples: a reference */

	if (p->headerless || figures || !has_one(p, cluster_names) ||
	    (!has_one(p, class_names) && !has_one(p, index_names) && !has_one(p, wnid_names)))
		return 0;
	for (size_t i = 0; i < p->n; i++) {
		enum role role = guess_role(p->name[i]).role;

		if (role == ROLE_IMAGE || role == ROLE_QUESTION || role == ROLE_STATEMENT ||
		    role == ROLE_PREDICTION || role == ROLE_RAW || role == ROLE_MODEL ||
		    role == ROLE_SCORE || (role == ROLE_KEY && !has_one(p, index_names) &&
					   !has_one(p, wnid_names)))
			return 0;
	}
	return peek_has(p, "cluster") || peek_has(p, "cluster_name") || peek_has(p, "cluster_id") ? 93 : 91;
}

static bool is_called_clusters(struct str path)
{
	static const char *const words[] = {"cluster", "superclass", "super_class", "group", "hierarch",
					    "coarse", "supercateg", NULL};
	struct str base = path_base(path);

	for (const char *const *w = words; *w; w++)
		if (str_find_nocase(base, str_z(*w)) != SIZE_MAX)
			return true;
	return false;
}

/* Members that are all lists of classes, none of them a picture's. The same shape has other meanings:
 * the file's name has to say this one. */
static bool is_map_of_lists(struct str object)
{
	struct member m;
	int64_t number;
	size_t n = 0;

	while (peek_member(&object, &m) && m.value.n) {
		struct str inner = peek_skip_blanks((struct str){m.value.p + 1, m.value.n - 1});

		if (m.value.p[0] != '[' || looks_like_image(m.key) || str_int(m.key, &number) ||
		    looks_like_wnid(m.key) || str_starts(m.key, STR("ILSVRC2012")))
			return false;
		if (inner.p[0] != '"' && inner.p[0] != ']' && (inner.p[0] < '0' || inner.p[0] > '9'))
			return false;
		n++;
	}
	return n > 0;
}

static bool is_list_of_clusters(const struct peek *p)
{
	struct str first = p->first, inner;
	struct member m, class;
	bool classes = false;
	int64_t number;

	if (p->shape != SHAPE_ARRAY || !first.n || first.p[0] != '{')
		return false;
	while (peek_member(&first, &m)) {
		if (str_eqz(m.key, "classes") && m.value.n && m.value.p[0] == '{') {
			inner = m.value;
			classes = peek_member(&inner, &class) && str_int(class.key, &number);
		} else if (!str_eqz(m.key, "category") && !str_eqz(m.key, "name") && !str_eqz(m.key, "id")) {
			return false;
		}
	}
	return classes;
}

static int probe(struct str path, struct str head)
{
	struct peek p;
	int score = 0;

	peek_open(&p, head);
	if (p.shape == SHAPE_CSV)
		score = table_score(&p);
	else if (is_list_of_clusters(&p))
		score = 97;
	else if ((p.shape == SHAPE_OBJECT || p.shape == SHAPE_JSONL) && is_called_clusters(path) &&
		 is_map_of_lists(peek_skip_blanks(head)))
		score = 96;
	peek_release(&p);
	return score;
}

static enum rank rank(struct str path, struct str head)
{
	(void)path;
	(void)head;
	return RANK_TREE; /* behind the lists that have the classes' names */
}

/* --- reading --- */

struct clusters {
	struct stored s; /* first */
	struct intern groups;
	int64_t n; /* of clusters without a name */
};

static enum status send_class(struct clusters *k, struct rec_class *rec, struct str group, struct err *err)
{
	struct str name;

	if (group.n > MAX_GROUP) {
		report_add(k->s.ctx->report, PROBLEM_SKIPPED, k->s.row.src, "",
			   "the cluster's name has more than %d bytes", MAX_GROUP);
		return OK;
	}
	name = str_z(arena_printf(&k->s.row.arena, "%.*s (group)", (int)group.n, group.p));
	intern_add(&k->groups, name);
	rec->parent = name;
	rec->src = k->s.row.src;
	return sink_class(k->s.ctx->sink, rec, err);
}

static enum status take_ref(struct clusters *k, struct str text, struct str group, struct err *err)
{
	struct rec_class rec = {.index = -1};
	struct class_ref ref;

	if (!ref_from_text(text, &ref) || ref.text.n > CLASSES_MAX_NAME) {
		report_add(k->s.ctx->report, PROBLEM_SKIPPED, k->s.row.src, "",
			   "expected a class: an index, a wnid or a name");
		return OK;
	}
	if (ref.kind == CLASS_BY_INDEX)
		rec.index = ref.index;
	else if (ref.kind == CLASS_BY_WNID)
		rec.wnid = ref.text;
	else
		rec.name = ref.text;
	return send_class(k, &rec, group, err);
}

static enum status take_list(struct clusters *k, const cJSON *list, struct str group, struct err *err)
{
	struct buf scratch = BUF_INIT;
	enum status st = OK;

	for (const cJSON *c = list->child; c && !st; c = c->next) {
		struct str text = json_scalar(c, &scratch);

		st = take_ref(k, text.p ? arena_str(&k->s.row.arena, text) : STR_NONE, group, err);
	}
	buf_release(&scratch);
	return st;
}

/* {"72": "black and gold garden spider, Argiope aurantia"} */
static enum status take_map(struct clusters *k, const cJSON *map, struct str group, struct err *err)
{
	enum status st = OK;

	for (const cJSON *c = map->child; c && !st; c = c->next) {
		struct rec_class rec = {.index = -1};
		struct str first;

		str_cut(json_text(c), ',', &first);
		if (!str_int(str_z(c->string), &rec.index) || rec.index < 0) {
			report_add(k->s.ctx->report, PROBLEM_SKIPPED, k->s.row.src, "classes",
				   "expected a class's index");
			continue;
		}
		rec.name = str_trim(first);
		if (rec.name.n > CLASSES_MAX_NAME)
			rec.name = STR_NONE;
		st = send_class(k, &rec, group, err);
	}
	return st;
}

/* 1 easy, 2 alike for lay people … of Flaws of ImageNet, into the cluster's name. */
static struct str name_of(struct clusters *k, const cJSON *cluster)
{
	static const char *const kinds[] = {"", "easy", "alike", "subclass", "part of", "synonyms",
					    "together"};
	const cJSON *list = json_get(cluster, "category");
	struct str name = str_trim(json_text(json_get(cluster, "name")));
	struct buf b = BUF_INIT;
	double number;

	if (name.n)
		return name;
	buf_printf(&b, "cluster %lld", (long long)++k->n);
	for (const cJSON *c = cJSON_IsArray(list) ? list->child : NULL; c; c = c->next)
		if (json_number(c, &number) && number >= 1 && number <= 6)
			buf_printf(&b, "%s%s", c == list->child ? ": " : ", ", kinds[(int)number]);
	name = arena_str(&k->s.row.arena, buf_view(&b));
	buf_release(&b);
	return name;
}

static enum status take_value(struct stored *s, const struct stored_value *v, struct err *err)
{
	struct clusters *k = (struct clusters *)s;
	const cJSON *classes = v->key.p ? v->tree : json_get(v->tree, "classes");
	struct str group;

	s->ctx->report->rows++;
	if (!cJSON_IsArray(classes) && !cJSON_IsObject(classes)) {
		report_add(s->ctx->report, PROBLEM_SKIPPED, s->row.src, "", "expected a cluster of classes");
		return OK;
	}
	group = v->key.p ? str_trim(v->key) : name_of(k, v->tree);
	if (!group.n) {
		report_add(s->ctx->report, PROBLEM_SKIPPED, s->row.src, "", "expected the cluster's name");
		return OK;
	}
	return cJSON_IsArray(classes) ? take_list(k, classes, group, err) : take_map(k, classes, group, err);
}

static struct str column(const struct stored *s, const char *const *list)
{
	for (; *list; list++) {
		const struct cell *c = row_find(&s->rows, &s->row, *list);

		if (c && !cell_blank(c))
			return cell_text(c);
	}
	return STR_NONE;
}

static enum status take_row(struct stored *s, struct err *err)
{
	struct clusters *k = (struct clusters *)s;
	struct str group = column(s, cluster_names), index = column(s, index_names);
	struct rec_class rec = {.index = -1, .wnid = column(s, wnid_names), .name = column(s, class_names)};

	if (index.n && (!str_int(index, &rec.index) || rec.index < 0)) {
		report_add(s->ctx->report, PROBLEM_SKIPPED, s->row.src, "index",
			   "expected a class index from 0 on");
		return OK;
	}
	if (!group.n || (!rec.name.n && !rec.wnid.n && rec.index < 0)) {
		report_add(s->ctx->report, PROBLEM_SKIPPED, s->row.src, group.n ? "class" : "cluster",
			   "expected a name, got nothing");
		return OK;
	}
	if (!rec.wnid.n && rec.index < 0)
		return take_ref(k, rec.name, group, err);
	return send_class(k, &rec, group, err);
}

/* Behind the classes, so that nothing else is taken for one of them. */
static enum status send_groups(struct clusters *k, struct err *err)
{
	enum status st = OK;

	for (size_t i = 0; i < k->groups.keys.n && !st; i++) {
		struct rec_class rec = {.index = -1, .name = k->groups.keys.v[i], .group = true};

		st = sink_class(k->s.ctx->sink, &rec, err);
	}
	return st;
}

static enum status read_file(struct read_ctx *ctx, struct err *err)
{
	struct clusters *k = xcalloc(1, sizeof *k);
	struct peek p;
	enum status st;
	bool table;

	stored_init(&k->s, ctx);
	peek_open(&p, buf_view(&ctx->in->head));
	table = p.shape == SHAPE_CSV;
	peek_release(&p);
	st = table ? stored_rows(&k->s, take_row, err) : stored_values(&k->s, NULL, take_value, err);
	if (!st)
		st = send_groups(k, err);
	intern_release(&k->groups);
	stored_release(&k->s);
	free(k);
	return st;
}

const struct reader reader_clusters = {
    .name = "clusters",
    .help = "classes by clusters (JSON, TSV), the level above them in the tree of classes",
    .probe = probe,
    .rank = rank,
    .read = read_file,
};
