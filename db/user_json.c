/* Steps as they lie in the journal: a JSON list; samples as ranges of ordinals, "0-11,15". */
#include <inttypes.h>

#include "core/text/json.h"
#include "db/user_impl.h"

static const char *const words[] = {
    [USER_TAG] = "tag",       [USER_UNTAG] = "untag", [USER_MARK] = "mark",
    [USER_UNMARK] = "unmark", [USER_NOTE] = "note",   [USER_UNNOTE] = "unnote",
    [USER_SAVE] = "save",     [USER_UNSAVE] = "unsave", [USER_LABEL] = "label",
    [USER_UNLABEL] = "unlabel",
};
enum { N_WORDS = sizeof words / sizeof *words };

static bool has_no_samples(const struct step *s)
{
	return step_is_saved(s) || step_is_label(s);
}

/* --- writing --- */

static void put_ords(const struct step *s, struct buf *out)
{
	for (size_t i = 0, end; i < s->ords.n; i = end) {
		for (end = i + 1; end < s->ords.n && s->ords.v[end] == s->ords.v[end - 1] + 1; end++)
			;
		buf_printf(out, "%s%" PRIu32, i ? "," : "", s->ords.v[i]);
		if (end - i > 1)
			buf_printf(out, "-%" PRIu32, s->ords.v[end - 1]);
	}
}

static void put_text(struct buf *out, const char *key, struct str text)
{
	if (!text.n)
		return;
	buf_printf(out, ",\"%s\":", key);
	json_quote(out, text);
}

static void put_step(const struct step *s, struct buf *out)
{
	buf_printf(out, "{\"do\":\"%s\"", words[s->what]);
	if (!has_no_samples(s)) {
		buf_z(out, ",\"samples\":\"");
		put_ords(s, out);
		buf_ch(out, '"');
	}
	if (s->id)
		buf_printf(out, ",\"id\":%" PRId64, s->id);
	put_text(out, "name", s->name);
	put_text(out, "at", s->at);
	put_text(out, "text", s->text);
	put_text(out, "author", s->author);
	put_text(out, "created", s->created);
	put_text(out, "changed", s->changed);
	put_text(out, "state", s->state);
	buf_ch(out, '}');
}

void steps_json(const struct steps *s, bool reversed, struct buf *out)
{
	buf_ch(out, '[');
	for (size_t i = 0; i < s->list.n; i++) {
		if (i)
			buf_ch(out, ',');
		put_step(&s->list.v[reversed ? s->list.n - 1 - i : i], out);
	}
	buf_ch(out, ']');
}

/* --- reading --- */

static bool ordinal(struct str s, uint32_t n, uint32_t *out)
{
	int64_t v;

	if (!str_int(s, &v) || v < 0 || v >= (int64_t)n)
		return false;
	*out = (uint32_t)v;
	return true;
}

static bool read_ords(struct str text, uint32_t n, struct step *out)
{
	struct str rest = text, part, first;

	while (rest.p && rest.n) {
		uint32_t from, to;
		struct str last;

		rest = str_cut(rest, ',', &part);
		last = str_cut(part, '-', &first);
		if (!ordinal(first, n, &from) || !ordinal(last.p ? last : first, n, &to) ||
		    to < from || (out->ords.n && from <= out->ords.v[out->ords.n - 1]))
			return false;
		for (uint32_t ord = from; ord <= to; ord++)
			vec_push(&out->ords, ord);
	}
	return out->ords.n > 0;
}

static struct str text_of(const cJSON *item, const char *key)
{
	return json_text(json_get(item, key));
}

static bool read_step(const cJSON *item, uint32_t n, struct steps *out)
{
	struct str word = text_of(item, "do");
	struct step like = {.name = text_of(item, "name"),
			    .at = text_of(item, "at"),
			    .text = text_of(item, "text"),
			    .author = text_of(item, "author"),
			    .created = text_of(item, "created"),
			    .changed = text_of(item, "changed"),
			    .state = text_of(item, "state")};
	struct buf scratch = BUF_INIT;
	int what = 0;
	bool good, named;

	while (what < N_WORDS && !str_eqz(word, words[what]))
		what++;
	like.what = (enum user_what)what;
	named = what == USER_TAG || what == USER_UNTAG || has_no_samples(&like);
	good = what < N_WORDS && (like.name.n > 0) == named;
	if (good && (what == USER_NOTE || what == USER_UNNOTE))
		good = str_int(json_scalar(json_get(item, "id"), &scratch), &like.id) && like.id > 0;
	/* Class 0 is not written. */
	if (good && what == USER_LABEL && json_get(item, "id"))
		good = str_int(json_scalar(json_get(item, "id"), &scratch), &like.id) && like.id >= 0;
	buf_release(&scratch);
	if (good && has_no_samples(&like)) {
		steps_add(out, &like);
		return true;
	}
	return good && read_ords(text_of(item, "samples"), n, steps_add(out, &like));
}

enum status steps_parse(struct str json, uint32_t n, struct steps *out, struct err *err)
{
	cJSON *list = NULL;
	const cJSON *item;
	bool good;
	enum status st = json_parse(json, &list, err);

	if (st != OK)
		return st;
	good = cJSON_IsArray(list);
	if (good)
		cJSON_ArrayForEach(item, list) good = good && read_step(item, n, out);
	cJSON_Delete(list);
	return good ? OK : err_set(err, E_FORMAT, "it is no list of changes to these samples");
}
