#include "tui/place.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/xmalloc.h"
#include "tui/state_file.h"

#define FOLDER "places"
#define VIEWS  "views"

/* --- lines --- */

/* Filters may hold anything; a line and its fields may not. */
static void put_escaped(struct buf *out, const char *text)
{
	for (; text && *text; text++) {
		if (*text == '\\' || *text == '\t' || *text == '\n')
			buf_ch(out, '\\');
		buf_ch(out, *text == '\t' ? 't' : *text == '\n' ? 'n' : *text);
	}
}

static char *unescaped(struct str s)
{
	struct buf out = BUF_INIT;

	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '\\' && i + 1 < s.n) {
			i++;
			buf_ch(&out, s.p[i] == 't' ? '\t' : s.p[i] == 'n' ? '\n' : s.p[i]);
		} else {
			buf_ch(&out, s.p[i]);
		}
	}
	return out.n ? buf_take(&out) : NULL;
}

/* The fields behind the name in the line of the named dataset; NULL: in the first line. */
static bool find_line(struct str text, const char *name, struct str *dataset, struct str *fields)
{
	while (text.p && text.n) {
		struct str line;

		text = str_cut(text, '\n', &line);
		*fields = str_cut(line, '\t', dataset);
		if (fields->p && (!name || str_eqz(*dataset, name)))
			return true;
	}
	return false;
}

/* --- loading --- */

bool place_load(const char *uuid, const char *name, char **dataset, char **key)
{
	struct buf text = BUF_INIT;
	struct str head, fields, first;

	*dataset = *key = NULL;
	if (state_file_read(FOLDER, uuid, &text) && find_line(buf_view(&text), name, &head, &fields)) {
		str_cut(fields, '\t', &first);
		*dataset = xstrndup(head.p, head.n);
		*key = xstrndup(first.p, first.n);
	}
	buf_release(&text);
	return *dataset != NULL;
}

bool place_load_filter(const char *uuid, const char *name, struct narrow_place *out)
{
	struct buf text = BUF_INIT;
	struct str head, rest, field;

	*out = (struct narrow_place){0};
	if (state_file_read(FOLDER, uuid, &text) && find_line(buf_view(&text), name, &head, &rest)) {
		rest = str_cut(rest, '\t', &field); /* the key */
		rest = rest.p ? str_cut(rest, '\t', &field) : rest;
		out->off = rest.p && str_eqz(field, "1");
		if (rest.p) {
			rest = str_cut(rest, '\t', &field);
			out->filter = unescaped(field);
			out->base = rest.p ? unescaped(rest) : NULL;
		}
	}
	buf_release(&text);
	return out->filter || out->base;
}

/* --- saving --- */

static bool plain(struct str s)
{
	return s.n && !memchr(s.p, '\n', s.n) && !memchr(s.p, '\t', s.n);
}

/* The new line, then the old ones of other datasets. */
static void compose(struct str old, const char *dataset, struct str key,
		    const struct narrow_place *filter, struct buf *out)
{
	struct str line, head;

	buf_printf(out, "%s\t", dataset);
	buf_str(out, key);
	if (filter && (filter->filter || filter->base)) {
		buf_printf(out, "\t%d\t", filter->off);
		put_escaped(out, filter->filter);
		buf_ch(out, '\t');
		put_escaped(out, filter->base);
	}
	buf_ch(out, '\n');
	while (old.p && old.n) {
		old = str_cut(old, '\n', &line);
		str_cut(line, '\t', &head);
		if (!line.n || str_eqz(head, dataset))
			continue;
		buf_str(out, line);
		buf_ch(out, '\n');
	}
}

void place_save_filter(const char *uuid, const char *dataset, struct str key,
		       const struct narrow_place *filter)
{
	struct buf old = BUF_INIT, text = {.max = STATE_FILE_MAX};

	if (!plain(str_z(dataset)) || !plain(key))
		return;
	state_file_read(FOLDER, uuid, &old);
	compose(buf_view(&old), dataset, key, filter, &text);
	if (!text.failed && !str_eq(buf_view(&text), buf_view(&old)))
		state_file_write(FOLDER, uuid, buf_view(&text));
	buf_release(&old);
	buf_release(&text);
}

void place_save(const char *uuid, const char *dataset, struct str key)
{
	place_save_filter(uuid, dataset, key, NULL);
}

char *place_view(const char *uuid)
{
	struct buf text = BUF_INIT;
	struct str view = STR_NONE;
	char *out;

	if (state_file_read(VIEWS, uuid, &text))
		str_cut(buf_view(&text), '\n', &view);
	out = view.n ? xstrndup(view.p, view.n) : NULL;
	buf_release(&text);
	return out;
}

void place_save_view(const char *uuid, const char *view)
{
	char *before = place_view(uuid), *line = xasprintf("%s\n", view);

	if (!before || strcmp(before, view) != 0)
		state_file_write(VIEWS, uuid, str_z(line));
	free(before);
	free(line);
}
