#include "tui/options.h"

#include <stdlib.h>

#include "core/base/nearest.h"
#include "core/base/xmalloc.h"
#include "tui/term/caps.h"

const struct option option_table[N_OPTIONS] = {
#define X(id, name, type, initial, range, least, most, help)                                       \
	[OPTION_##id] = {name, OPTION_##type, initial, range, least, most, help},
    OPTIONS(X)
#undef X
};

enum status option_find(struct str name, enum option_id *out, struct err *err)
{
	struct nearest near = {.word = name};
	struct buf names = BUF_INIT;

	for (int i = 0; i < N_OPTIONS; i++) {
		if (str_eqz(name, option_table[i].name)) {
			*out = (enum option_id)i;
			buf_release(&names);
			return OK;
		}
		nearest_offer(&near, option_table[i].name);
		buf_printf(&names, "%s%s", i ? ", " : "", option_table[i].name);
	}
	if (near.best)
		err_set(err, E_USAGE, "there is no option %.*s; did you mean %s?",
			name.n > 40 ? 40 : (int)name.n, name.p, near.best);
	else
		err_set(err, E_USAGE, "there is no option %.*s; there are %s",
			name.n > 40 ? 40 : (int)name.n, name.p, buf_cstr(&names));
	buf_release(&names);
	return err->code;
}

static bool is_one_of(struct str value, const char *words)
{
	struct str rest = str_z(words), word;

	while (rest.p) {
		rest = str_cut(rest, ' ', &word);
		if (str_eq(word, value))
			return true;
	}
	return false;
}

static bool in_range(const struct option *o, const char *value)
{
	int64_t n;
	int w, h;

	switch (o->type) {
	case OPTION_CHOICE:
		return is_one_of(str_z(value), o->range);
	case OPTION_NUMBER:
		return str_int(str_z(value), &n) && n >= o->least && n <= o->most;
	case OPTION_SIZE:
		return strcmp(value, "auto") == 0 || caps_parse_cell(value, &w, &h);
	case OPTION_TEXT:
		break;
	}
	return *value != '\0';
}

enum status option_set(struct option_values *v, enum option_id id, struct str value,
		       struct err *err)
{
	const struct option *o = &option_table[id];
	char *text = xstrndup(value.p ? value.p : "", value.n);

	if (!in_range(o, text)) {
		err_set(err, E_USAGE, "%s is not \"%.60s\" but %s%s", o->name, text,
			o->type == OPTION_CHOICE ? "one of " : "", o->range);
		free(text);
		return err->code;
	}
	free(v->value[id]);
	v->value[id] = text;
	return OK;
}

const char *option_get(const struct option_values *v, enum option_id id)
{
	return v->value[id] ? v->value[id] : option_table[id].initial;
}

int option_number(const struct option_values *v, enum option_id id)
{
	int64_t n = 0;

	str_int(str_z(option_get(v, id)), &n);
	return (int)n;
}

const char *option_unless_auto(const struct option_values *v, enum option_id id)
{
	const char *value = option_get(v, id);

	return strcmp(value, "auto") == 0 ? NULL : value;
}

void option_values_copy(const struct option_values *from, struct option_values *to)
{
	for (int i = 0; i < N_OPTIONS; i++)
		to->value[i] = from->value[i] ? xstrdup(from->value[i]) : NULL;
}

void option_values_release(struct option_values *v)
{
	for (int i = 0; i < N_OPTIONS; i++)
		free(v->value[i]);
	*v = (struct option_values){0};
}
