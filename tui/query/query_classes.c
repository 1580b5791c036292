/* Which classes are offered: those of a file. */
#include <stdlib.h>

#include "core/base/vec.h"
#include "core/reader/classes.h"
#include "tui/query/query.h"

#define LINES_MAX ((size_t)4 << 20) /* bytes of a list of lines */

typedef VEC(uint32_t) ordinals;

static uint32_t class_of(const struct snapshot *snap, struct str word)
{
	int64_t index = -1;
	bool numbered = word.n > 1 && word.p[0] == '#' &&
			str_int((struct str){word.p + 1, word.n - 1}, &index);

	for (uint32_t c = 0; c < snap->n_classes; c++)
		if (numbered ? snap->classes[c].index == index
			     : str_eqz(word, snap->classes[c].wnid) ||
				   str_eq_nocase(word, str_z(snap->classes[c].name)))
			return c;
	return UINT32_MAX;
}

enum status query_spec_classes(struct query_spec *s, const struct snapshot *snap, struct str text,
			       struct err *err)
{
	ordinals found = {0};
	struct str line;

	for (size_t n = 1; text.n; n++) {
		uint32_t c;

		text = str_cut(text, '\n', &line);
		line = str_trim(line);
		if (!line.n)
			continue;
		c = class_of(snap, line);
		if (c == UINT32_MAX) {
			vec_release(&found);
			return err_set(err, E_USAGE, "line %zu of the classes: there is no class %.*s", n,
				       (int)(line.n > 100 ? 100 : line.n), line.p);
		}
		vec_push(&found, c);
	}
	if (!found.n)
		return err_set(err, E_USAGE, "the list of classes is empty");
	free(s->candidates);
	s->candidates = found.v;
	s->n_candidates = found.n;
	return OK;
}

/* --- a class list of any form --- */

static bool has_name(const struct class_entry *e, struct str name)
{
	if (str_eq_nocase(e->name, name))
		return true;
	for (size_t i = 0; i < e->n_aliases; i++)
		if (str_eq_nocase(e->aliases[i], name))
			return true;
	return false;
}

static bool is_in(const ordinals *list, uint32_t c)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->v[i] == c)
			return true;
	return false;
}

/* By wnid; by name, where several bear it the one with the list's index, else one that is not in
 * `taken` yet; by an index that the list gives. UINT32_MAX: there is none. */
static uint32_t class_of_entry(const struct snapshot *snap, const struct class_list *l,
			       const struct class_entry *e, const ordinals *taken)
{
	uint32_t named = UINT32_MAX, numbered = UINT32_MAX, again = UINT32_MAX;

	for (uint32_t c = 0; c < snap->n_classes; c++) {
		bool same = l->numbered && e->index >= 0 && snap->classes[c].index == e->index;

		if (e->wnid.n && str_eqz(e->wnid, snap->classes[c].wnid))
			return c;
		if (same)
			numbered = c;
		if (!has_name(e, str_z(snap->classes[c].name)))
			continue;
		if (same)
			return c;
		if (is_in(taken, c))
			again = c;
		else if (named == UINT32_MAX)
			named = c;
	}
	return named != UINT32_MAX ? named : numbered != UINT32_MAX ? numbered : again;
}

static enum status match_entries(const struct snapshot *snap, const struct class_list *l, ordinals *out,
				 struct err *err)
{
	for (size_t i = 0; i < l->v.n; i++) {
		const struct class_entry *e = &l->v.v[i];
		struct str name = e->name.n ? e->name : e->wnid;
		uint32_t c = class_of_entry(snap, l, e, out);

		if (c == UINT32_MAX)
			return err_set(err, E_USAGE, "line %llu of the classes: there is no class %.*s",
				       (unsigned long long)e->src.line, (int)(name.n > 100 ? 100 : name.n),
				       name.p);
		if (!is_in(out, c))
			vec_push(out, c);
	}
	return out->n ? OK : err_set(err, E_USAGE, "the list of classes is empty");
}

static enum status read_list(struct query_spec *s, const struct snapshot *snap, struct input *in,
			     struct err *err)
{
	struct read_options none = {0};
	struct report report;
	struct read_ctx ctx = {.in = in, .opt = &none, .report = &report};
	struct class_list list = {.ctx = &ctx};
	ordinals found = {0};
	enum status st;

	report_init(&report, in->path, NULL);
	st = classes_read(&list, err);
	if (st == OK) {
		class_list_from_one(&list);
		st = match_entries(snap, &list, &found, err);
	}
	if (st == OK) {
		free(s->candidates);
		s->candidates = found.v;
		s->n_candidates = found.n;
	} else {
		vec_release(&found);
	}
	class_list_release(&list);
	report_release(&report);
	return st;
}

enum status query_spec_class_file(struct query_spec *s, const struct snapshot *snap, const char *path,
				  struct err *err)
{
	struct buf text = BUF_INIT;
	struct input in;
	int score;
	enum classes_form form;
	enum status st = input_open(&in, path, err);

	if (st != OK)
		return st;
	form = classes_form(str_z(path), buf_view(&in.head), &score);
	if (form == CLASSES_NONE || (form == CLASSES_LINES && score <= 20)) {
		st = input_all(&in, LINES_MAX, &text, err);
		if (st == OK)
			st = query_spec_classes(s, snap, buf_view(&text), err);
	} else {
		st = read_list(s, snap, &in, err);
	}
	if (st != OK && !strstr(err->msg, path))
		err_prefix(err, "%s", path);
	buf_release(&text);
	input_close(&in);
	return st;
}
