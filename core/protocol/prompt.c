#include "core/protocol/prompt.h"

#include <string.h>

#include "core/protocol/protocol.h"
#include "core/text/json.h"

const char *protocol_prompt(const struct protocol *p, enum ask_form form)
{
	bool batch = p->batches && form == ASK_JSON;
	size_t n = strlen(p->prompt);

	for (const struct prompt_source *s = prompt_sources; s->name; s++)
		if (strncmp(s->name, p->prompt, n) == 0 && strcmp(s->name + n, batch ? "-batch" : "") == 0)
			return s->text;
	return "";
}

/* --- what is put in --- */

static void put_class(const struct ask *ask, size_t i, struct buf *out)
{
	const struct class_info *c = &ask->classes[i];
	struct buf text = BUF_INIT;

	if (ask->ids && c->wnid[0])
		buf_printf(&text, "%s: %s", c->wnid, c->name);
	else if (ask->ids)
		buf_printf(&text, "%lld: %s", (long long)c->index, c->name);
	else
		buf_z(&text, c->name);
	if (ask->form == ASK_JSON)
		json_quote(out, buf_view(&text));
	else
		buf_str(out, buf_view(&text));
	buf_release(&text);
}

static bool put_classes(const struct ask *ask, struct buf *out)
{
	const char *between = ask->ids || ask->form == ASK_JSON ? ",\n" : ", ";

	if (ask->form == ASK_JSON)
		buf_ch(out, '[');
	for (size_t i = 0; i < ask->n_classes; i++) {
		buf_z(out, i ? between : "");
		put_class(ask, i, out);
	}
	if (ask->form == ASK_JSON)
		buf_ch(out, ']');
	return ask->n_classes > 0;
}

static bool put_text(const struct ask *ask, struct buf *out)
{
	buf_str(out, ask->samples[0].text);
	return ask->samples[0].text.n > 0;
}

static bool put_options(const struct ask *ask, struct buf *out)
{
	const struct ask_sample *s = &ask->samples[0];

	for (size_t i = 0; i < s->n_options; i++) {
		buf_printf(out, "%s%c. ", i ? "\n" : "", (char)('A' + i));
		buf_str(out, s->options[i].text);
	}
	return s->n_options > 1 && s->n_options <= 26;
}

static bool put_label_set(const struct ask *ask, struct buf *out)
{
	const struct ask_sample *s = &ask->samples[0];

	for (size_t i = 0; i < s->n_options; i++) {
		buf_z(out, i ? ", " : "");
		buf_str(out, s->options[i].text);
	}
	return s->n_options ? true : put_classes(ask, out);
}

static bool put_n(const struct ask *ask, struct buf *out)
{
	buf_printf(out, "%zu", ask->n_samples);
	return true;
}

/* One row per placeholder; a row's `lacking` completes "the samples have". */
static const struct placeholder {
	const char *name;
	bool (*put)(const struct ask *ask, struct buf *out);
	const char *lacking;
} placeholders[] = {
    {"classes", put_classes, "no classes"},
    {"statement", put_text, "no statement"},
    {"question", put_text, "no question"},
    {"options", put_options, "no options, or more than 26"},
    {"label_set", put_label_set, "neither a label set nor classes"},
    {"n", put_n, ""},
};

static const struct placeholder *placeholder_find(struct str name)
{
	for (size_t i = 0; i < sizeof placeholders / sizeof *placeholders; i++)
		if (str_eqz(name, placeholders[i].name))
			return &placeholders[i];
	return NULL;
}

/* --- filling --- */

static size_t line_of(struct str prompt, size_t at)
{
	size_t line = 1;

	for (size_t i = 0; i < at; i++)
		line += prompt.p[i] == '\n';
	return line;
}

/* The name in "{name}" at i; n 0: it is no placeholder. */
static struct str name_at(struct str prompt, size_t i)
{
	size_t n = 0;

	while (i + 1 + n < prompt.n && ((prompt.p[i + 1 + n] >= 'a' && prompt.p[i + 1 + n] <= 'z') ||
					prompt.p[i + 1 + n] == '_'))
		n++;
	if (i + 1 + n >= prompt.n || prompt.p[i + 1 + n] != '}')
		n = 0;
	return (struct str){prompt.p + i + 1, n};
}

static enum status fill_one(const struct ask *ask, struct str prompt, size_t at, struct str name,
			    struct buf *out, struct err *err)
{
	const struct placeholder *p = placeholder_find(name);

	if (!p)
		return err_set(err, E_USAGE,
			       "line %zu of the prompt: {%.*s} is not known; expected {classes}, "
			       "{statement}, {question}, {options}, {label_set}, {n}, or {{ for a brace",
			       line_of(prompt, at), STR_ARG(name));
	if (!p->put(ask, out))
		return err_set(err, E_USAGE, "line %zu of the prompt: {%s}, but the sample has %s",
			       line_of(prompt, at), p->name, p->lacking);
	return OK;
}

static enum status fill(struct str prompt, const struct ask *ask, struct buf *out, struct err *err)
{
	enum status st = OK;

	for (size_t i = 0; i < prompt.n && st == OK; i++) {
		struct str name = prompt.p[i] == '{' ? name_at(prompt, i) : STR_NONE;

		if (name.n) {
			st = fill_one(ask, prompt, i, name, out, err);
			i += name.n + 1;
			continue;
		}
		buf_ch(out, prompt.p[i]);
		i += prompt.p[i] == '{' && i + 1 < prompt.n && prompt.p[i + 1] == '{';
	}
	return st;
}

static bool prompt_has(struct str prompt, struct str name)
{
	for (size_t i = 0; i < prompt.n; i++)
		if (prompt.p[i] == '{' && str_eq(name_at(prompt, i), name))
			return true;
	return false;
}

enum status protocol_build(const struct protocol *p, struct str prompt, const struct ask *ask,
			   struct buf *out, struct err *err)
{
	struct str rest = str_z(p->needs), name;
	enum status st;

	while (rest.n) {
		rest = str_cut(rest, ' ', &name);
		if (!prompt_has(prompt, name))
			return err_set(err, E_USAGE, "the prompt has no {%.*s}, which %s needs",
				       STR_ARG(name), p->name);
	}
	st = fill(prompt, ask, out, err);
	if (st == OK && out->failed)
		return err_set(err, E_LIMIT, "the prompt is too long");
	return st;
}
