/*
 * class_update: ReImageNet's class_update_config.json: groups of equivalent classes by name
 * ("eq_classes", as the authors' reader has it, analysis/src/class_lookup_builder.py), or a list of
 * pairs ("equivalent_classes", as another reader of the file has it). What else the file holds, the
 * authors' own figures do not use; it is told, not kept.
 */
#include <inttypes.h>

#include "core/base/map.h"
#include "core/reader/stored.h"
#include "core/reader/table.h"

#define GROUPS "eq_classes"
#define LIST   "equivalent_classes"
#define MAX_GROUP 64 /* classes of one group: each makes a pair with each */

static int probe(struct str path, struct str head)
{
	struct str rest = peek_skip_blanks(head);
	struct member m;
	int score = 0;

	(void)path;
	if (!rest.n || rest.p[0] != '{')
		return 0;
	while (!score && peek_member(&rest, &m)) {
		char first = m.value.p && m.value.p < head.p + head.n ? *m.value.p : '\0';

		if ((str_eqz(m.key, GROUPS) || str_eqz(m.key, LIST)) && (first == '{' || first == '['))
			score = 100;
	}
	return score;
}

/* After the samples: without a list of classes these are what the labels name. */
static enum rank rank(struct str path, struct str head)
{
	(void)path;
	(void)head;
	return RANK_TRUTH;
}

struct class_update {
	struct stored s; /* first */
	struct intern met; /* classes that are in a group */
	uint64_t groups, other;
	const char *field; /* that has the group at hand */
};

/* What the file calls the class, as it stands there; empty: nothing that is one. */
static struct str class_of(struct class_update *u, const cJSON *item, struct class_ref *ref)
{
	struct buf scratch = BUF_INIT;
	struct str text = str_trim(arena_str(&u->s.row.arena, json_scalar(item, &scratch)));

	buf_release(&scratch);
	return ref_from_text(text, ref) ? text : STR_NONE;
}

/* In the publication's code the last group that names a class counts alone; here all do. */
static void note_repeat(struct class_update *u, struct str name)
{
	size_t known = u->met.keys.n;

	if (intern_add(&u->met, name) < known)
		report_add(u->s.ctx->report, PROBLEM_WARNING, u->s.row.src, u->field,
			   "class %.*s is in several groups", (int)(name.n < 100 ? name.n : 100), name.p);
}

static enum status take_group(struct class_update *u, const cJSON *list, struct err *err)
{
	struct rec_pair pair = {.src = u->s.row.src};
	struct class_ref refs[MAX_GROUP];
	enum status st = OK;
	size_t n = 0;

	u->s.ctx->report->rows++;
	u->groups++;
	if (!cJSON_IsArray(list) || cJSON_GetArraySize(list) > MAX_GROUP) {
		report_add(u->s.ctx->report, PROBLEM_SKIPPED, u->s.row.src, u->field,
			   "expected a list of at most %d classes", MAX_GROUP);
		return OK;
	}
	for (const cJSON *item = list->child; item; item = item->next) {
		struct str name = class_of(u, item, &refs[n]);

		if (!name.n) {
			report_add(u->s.ctx->report, PROBLEM_SKIPPED, u->s.row.src, u->field,
				   "expected classes: an index, a wnid or a name");
			return OK;
		}
		note_repeat(u, name);
		n++;
	}
	for (size_t i = 0; i < n; i++)
		for (size_t k = i + 1; k < n && !st; k++) {
			pair.a = refs[i];
			pair.b = refs[k];
			st = sink_pair(u->s.ctx->sink, &pair, err);
		}
	return st;
}

static enum status take(struct stored *s, const struct stored_value *v, struct err *err)
{
	struct class_update *u = (struct class_update *)s;
	enum status st = OK;

	u->field = v->inside ? GROUPS : LIST;
	if (v->inside)
		return take_group(u, v->tree, err);
	if (str_eqz(v->key, LIST)) {
		for (const cJSON *pair = cJSON_IsArray(v->tree) ? v->tree->child : NULL; pair && !st;
		     pair = pair->next)
			st = take_group(u, pair, err);
		return st;
	}
	if (str_eqz(v->key, "hier_classes") || str_eqz(v->key, "image_overrides"))
		u->other += (uint64_t)cJSON_GetArraySize(v->tree);
	return OK;
}

static enum status read_file(struct read_ctx *ctx, struct err *err)
{
	struct class_update *u = xcalloc(1, sizeof *u);
	enum status st;

	stored_init(&u->s, ctx);
	st = stored_values(&u->s, GROUPS, take, err);
	if (!st && u->other)
		report_note(ctx->report, "%" PRIu64 " entries of hier_classes and image_overrides were left "
			    "out: the publication's figures do not use them", u->other);
	if (!st && !u->groups)
		report_note(ctx->report, "there are no equivalent classes in it");
	stored_release(&u->s);
	intern_release(&u->met);
	free(u);
	return st;
}

const struct reader reader_class_update = {
    .name = "class_update",
    .help = "ReImageNet's equivalent classes (class_update_config.json)",
    .probe = probe,
    .rank = rank,
    .read = read_file,
};
