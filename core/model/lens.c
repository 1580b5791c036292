#include "core/model/lens.h"

#include "core/model/snapshot.h"

static const char *const n_words[] = {"right", "exclude", "wrong"};
static const char *const abstain_words[] = {"wrong", "exclude"};
static const char *const rule_words[] = {"regt", "reimagenet"};
static const char *const switch_words[] = {"off", "on"};
#define COUNT(a) ((int)(sizeof(a) / sizeof *(a)))

/* The publications' settings, as benchmarks.md §1 lists them. */
struct preset {
	const char *name, *layer;
	bool equiv;
	enum n_policy n;
	enum category_rule rule;
};

static const struct preset presets[] = {
    {"regt", "reannotated", true, N_RIGHT, RULE_REGT},
    {"reimagenet", "reannotated", true, N_EXCLUDE, RULE_REIMAGENET},
    {"real", "reannotated", false, N_EXCLUDE, RULE_REGT},
    {"mvei", "original", false, N_RIGHT, RULE_REGT},
    {"memo", "original", false, N_RIGHT, RULE_REGT},
};

static const struct preset *preset_find(struct str name)
{
	for (int i = 0; i < COUNT(presets); i++)
		if (str_eqz(name, presets[i].name))
			return &presets[i];
	return NULL;
}

struct lens lens_default(const struct snapshot *snap)
{
	struct lens lens = {
	    .n = N_RIGHT,
	    .abstain = ABSTAIN_WRONG,
	    .rule = RULE_REGT,
	    .original = snapshot_layer(snap, STR("original")),
	    .layer = snapshot_layer(snap, STR("reannotated")),
	};

	if (lens.layer < 0)
		lens.layer = lens.original;
	if (lens.layer < 0)
		lens.layer = snap->n_layers ? 0 : -1;
	return lens;
}

struct lens lens_preset(const struct snapshot *snap, const char *name)
{
	struct lens lens = lens_default(snap);
	const struct preset *p = preset_find(str_z(name));
	int layer;

	if (!p)
		return lens;
	layer = snapshot_layer(snap, str_z(p->layer));
	if (layer >= 0)
		lens.layer = layer;
	lens.equiv = p->equiv && snap->n_pairs > 0;
	lens.n = p->n;
	lens.rule = p->rule;
	return lens;
}

static enum status parse_preset(struct lens *lens, const struct snapshot *snap, struct str name,
				struct err *err)
{
	const struct preset *p = preset_find(name);

	if (!p)
		return err_set(err, E_USAGE,
			       "\"%.*s\" is neither key=value nor a preset "
			       "(regt, reimagenet, real, mvei, memo)",
			       STR_ARG(name));
	if (p->equiv && !snap->n_pairs)
		return err_set(err, E_USAGE,
			       "the preset %s needs equivalent classes, and dataset %s has none",
			       p->name, snap->dataset);
	*lens = lens_preset(snap, p->name);
	return OK;
}

static enum status parse_word(const char *key, struct str value, const char *const *words, int n,
			      int *out, struct err *err)
{
	struct buf list = BUF_INIT;

	for (int i = 0; i < n; i++) {
		if (str_eqz(value, words[i])) {
			*out = i;
			buf_release(&list);
			return OK;
		}
		buf_printf(&list, "%s%s", i ? ", " : "", words[i]);
	}
	err_set(err, E_USAGE, "%s=%.*s is not known; expected one of %s", key, STR_ARG(value),
		buf_cstr(&list));
	buf_release(&list);
	return err->code;
}

static enum status parse_layer(const struct snapshot *snap, struct str value, int *out,
			       struct err *err)
{
	struct buf list = BUF_INIT;
	int layer;

	if (str_eqz(value, "(none)")) {
		*out = -1;
		return OK;
	}
	layer = snapshot_layer(snap, value);
	if (layer >= 0) {
		*out = layer;
		return OK;
	}
	for (uint32_t i = 0; i < snap->n_layers; i++)
		buf_printf(&list, "%s%s", i ? ", " : "", snap->layers[i].name);
	err_set(err, E_USAGE, "dataset %s has no layer \"%.*s\"; it has %s", snap->dataset,
		STR_ARG(value), list.n ? buf_cstr(&list) : "none");
	buf_release(&list);
	return err->code;
}

static enum status parse_equiv(struct lens *lens, const struct snapshot *snap, struct str value,
			       struct err *err)
{
	int on;
	enum status st = parse_word("equiv", value, switch_words, COUNT(switch_words), &on, err);

	if (st)
		return st;
	if (on && !snap->n_pairs)
		return err_set(err, E_USAGE,
			       "equiv=on needs equivalent classes, and dataset %s has none",
			       snap->dataset);
	lens->equiv = on;
	return OK;
}

static enum status parse_pair(struct lens *lens, const struct snapshot *snap, struct str key,
			      struct str value, struct err *err)
{
	enum status st;
	int v = 0;

	if (str_eqz(key, "layer"))
		return parse_layer(snap, value, &lens->layer, err);
	if (str_eqz(key, "original"))
		return parse_layer(snap, value, &lens->original, err);
	if (str_eqz(key, "equiv"))
		return parse_equiv(lens, snap, value, err);
	if (str_eqz(key, "n")) {
		st = parse_word("n", value, n_words, COUNT(n_words), &v, err);
		lens->n = (enum n_policy)v;
	} else if (str_eqz(key, "abstain")) {
		st = parse_word("abstain", value, abstain_words, COUNT(abstain_words), &v, err);
		lens->abstain = (enum abstain_policy)v;
	} else if (str_eqz(key, "rule")) {
		st = parse_word("rule", value, rule_words, COUNT(rule_words), &v, err);
		lens->rule = (enum category_rule)v;
	} else {
		st = err_set(err, E_USAGE,
			     "the lens has no \"%.*s\"; "
			     "it has layer, original, equiv, n, abstain, rule",
			     STR_ARG(key));
	}
	return st;
}

/* Cut the next "key=value" off *text. A value in double quotes may hold commas; a quote in it
 * is doubled. The value without its quotes goes to `unquoted`. */
static enum status next_item(struct str *text, struct str *key, struct str *value,
			     struct buf *unquoted, struct err *err)
{
	size_t i = 0, eq;
	bool quoted = false;

	for (; i < text->n && (quoted || text->p[i] != ','); i++)
		if (text->p[i] == '"')
			quoted = !quoted;
	if (quoted)
		return err_set(err, E_USAGE, "a quote is not closed in the lens");
	*key = str_trim((struct str){text->p, i});
	*value = STR_NONE;
	*text = i < text->n ? (struct str){text->p + i + 1, text->n - i - 1} : STR_NONE;
	eq = str_find(*key, STR("="));
	if (eq == SIZE_MAX)
		return OK;
	*value = str_trim((struct str){key->p + eq + 1, key->n - eq - 1});
	*key = str_trim((struct str){key->p, eq});
	if (value->n < 2 || value->p[0] != '"' || value->p[value->n - 1] != '"')
		return OK;
	buf_clear(unquoted);
	for (i = 1; i + 1 < value->n; i++) {
		buf_ch(unquoted, value->p[i]);
		if (value->p[i] == '"')
			i++;
	}
	*value = buf_view(unquoted);
	return OK;
}

enum status lens_parse(struct lens *lens, const struct snapshot *snap, struct str text,
		       struct err *err)
{
	struct buf unquoted = BUF_INIT;
	struct lens next = *lens;
	struct str key = STR_NONE, value = STR_NONE;
	enum status st = OK;

	text = str_trim(text);
	if (text.n == 0)
		st = err_set(err, E_USAGE, "the lens is empty");
	for (bool first = true; !st && text.n; first = false) {
		st = next_item(&text, &key, &value, &unquoted, err);
		if (st)
			break;
		if (first && value.p == NULL)
			st = parse_preset(&next, snap, key, err);
		else
			st = parse_pair(&next, snap, key, value, err);
	}
	if (!st)
		*lens = next;
	buf_release(&unquoted);
	return st;
}

static void format_layer(struct buf *out, const struct snapshot *snap, int layer)
{
	const char *name = "(none)";

	if (layer >= 0 && (uint32_t)layer < snap->n_layers)
		name = snap->layers[layer].name;
	if (!strpbrk(name, "\",= ")) {
		buf_z(out, name);
		return;
	}
	buf_ch(out, '"');
	for (const char *c = name; *c; c++) {
		if (*c == '"')
			buf_ch(out, '"');
		buf_ch(out, *c);
	}
	buf_ch(out, '"');
}

void lens_format(const struct lens *lens, const struct snapshot *snap, struct buf *out)
{
	buf_z(out, "layer=");
	format_layer(out, snap, lens->layer);
	buf_z(out, ",original=");
	format_layer(out, snap, lens->original);
	buf_printf(out, ",equiv=%s,n=%s,abstain=%s,rule=%s", switch_words[lens->equiv],
		   n_words[lens->n], abstain_words[lens->abstain], rule_words[lens->rule]);
}

bool lens_eq(const struct lens *a, const struct lens *b)
{
	return a->layer == b->layer && a->original == b->original && a->equiv == b->equiv &&
	       a->n == b->n && a->abstain == b->abstain && a->rule == b->rule;
}
