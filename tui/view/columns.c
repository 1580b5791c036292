/* The table, and lists of columns as text. */
#include "tui/view/columns.h"

#include "core/base/nearest.h"

struct kind {
	const char *name, *title, *help;
	bool right;
	enum column_of of;
	enum sort_by sort;
};

static const struct kind kinds[N_COLUMNS] = {
#define X(id, name, title, w, least, right, priority, of, sort, help)                              \
	{name, title, help, right, of, SORT_##sort},
    COLUMNS(X)
#undef X
};

const char *column_name(enum column_id id)
{
	return kinds[id].name;
}

const char *column_help(enum column_id id)
{
	return kinds[id].help;
}

enum column_of column_of(enum column_id id)
{
	return kinds[id].of;
}

bool column_is_number(enum column_id id)
{
	return id >= COLUMN_SCORE && id <= COLUMN_STEPS;
}

bool column_right(const struct list_column *c, const struct snapshot *snap)
{
	return kinds[c->id].right || (c->id == COLUMN_FACET && snap->facets[c->of].numeric);
}

static bool of_runs(enum column_id id)
{
	return kinds[id].of == OF_A_RUN || kinds[id].of == OF_BOTH_RUNS;
}

int column_run(const struct scene *s, const struct list_column *c)
{
	if (!of_runs(c->id))
		return -1;
	return c->of == COLUMN_OF_B ? s->b : c->of >= 0 ? c->of : s->a;
}

struct sort column_sort(const struct scene *s, const struct list_column *c)
{
	struct sort sort = {.by = kinds[c->id].sort, .facet = -1};

	if (c->id == COLUMN_FACET)
		sort.facet = c->of;
	else if (c->id == COLUMN_TRUTH && c->of >= 0)
		sort.of = (uint32_t)c->of + 1;
	else if (of_runs(c->id) && column_run(s, c) >= 0 && c->of != COLUMN_OF_A && c->of != COLUMN_OF_AB)
		sort.of = (uint32_t)column_run(s, c) + 1;
	return sort;
}

void columns_usual(struct columns *out)
{
	static const struct list_column usual[] = {
	    {.id = COLUMN_KEY, .of = -1},
	    {.id = COLUMN_PAIR, .of = -1},
	    {.id = COLUMN_TEXT, .of = -1, .least = 28},
	    {.id = COLUMN_CATEGORY, .of = -1, .from = 44},
	    {.id = COLUMN_VERDICT, .of = COLUMN_OF_AB},
	    {.id = COLUMN_PANEL, .of = -1},
	};

	*out = (struct columns){.n = sizeof usual / sizeof *usual};
	memcpy(out->v, usual, sizeof usual);
}

/* --- writing --- */

static bool is_bare(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c != '\0' && strchr("_.-+/#", c)) || (unsigned char)c >= 0x80;
}

static void put_name(struct buf *out, const char *name)
{
	bool bare = *name && *name != '.';

	for (const char *p = name; *p; p++)
		bare &= is_bare(*p);
	if (bare) {
		buf_z(out, name);
		return;
	}
	buf_ch(out, '"');
	for (const char *p = name; *p; p++) {
		if (*p == '"' || *p == '\\')
			buf_ch(out, '\\');
		buf_ch(out, *p);
	}
	buf_ch(out, '"');
}

static int kind_named(struct str name)
{
	for (int k = 0; k < COLUMN_FACET; k++)
		if (str_eqz(name, kinds[k].name))
			return k;
	return -1;
}

static void put_who(const struct scene *s, const struct list_column *c, bool written_out,
		    struct buf *out)
{
	const struct snapshot *snap = s->snap;
	int run = column_run(s, c), layer = c->of >= 0 ? c->of : s->lens.layer;

	if (c->id == COLUMN_TRUTH && (c->of >= 0 || written_out) && layer >= 0) {
		buf_ch(out, '@');
		put_name(out, snap->layers[layer].name);
	} else if (of_runs(c->id) && run >= 0 && (c->of >= 0 || written_out)) {
		buf_ch(out, '@');
		put_name(out, snap->runs[run].handle);
	} else if (of_runs(c->id) && c->of == COLUMN_OF_B) {
		buf_z(out, "@b");
	} else if (c->id == COLUMN_VERDICT && c->of == COLUMN_OF_A) {
		buf_z(out, "@a");
	}
}

void column_format(const struct scene *s, const struct list_column *c, bool written_out,
		   struct buf *out)
{
	if (c->id == COLUMN_FACET) {
		const char *name = s->snap->facets[c->of].name;

		buf_z(out, kind_named(str_z(name)) >= 0 ? "." : "");
		put_name(out, name);
	} else {
		buf_z(out, kinds[c->id].name);
		put_who(s, c, written_out, out);
	}
	if (c->width && !written_out)
		buf_printf(out, "=%d", c->width);
}

void columns_format(const struct scene *s, const struct columns *columns, const char *sep,
		    struct buf *out)
{
	for (int i = 0; i < columns->n; i++) {
		buf_z(out, i ? sep : "");
		column_format(s, &columns->v[i], false, out);
	}
}

/* --- reading --- */

/* A name up to a character that needs quotes; in quotes: with \" and \\. */
static bool take_name(struct str *rest, struct buf *out)
{
	bool quoted = rest->n && *rest->p == '"', closed = !quoted;
	size_t i = quoted;

	for (; i < rest->n; i++) {
		char c = rest->p[i];

		if (quoted && c == '"') {
			closed = true;
			i++;
			break;
		}
		if (!quoted && !is_bare(c))
			break;
		if (quoted && c == '\\' && i + 1 < rest->n)
			c = rest->p[++i];
		buf_ch(out, c);
	}
	rest->p += i;
	rest->n -= i;
	return closed && out->n > 0;
}

static bool take_char(struct str *rest, char c)
{
	if (!rest->n || *rest->p != c)
		return false;
	rest->p++;
	rest->n--;
	return true;
}

static enum status no_column(const struct scene *s, struct str name, struct err *err)
{
	struct nearest near = {.word = name};

	for (int k = 0; k < COLUMN_FACET; k++)
		nearest_offer(&near, kinds[k].name);
	for (uint32_t f = 0; f < s->snap->n_facets; f++)
		nearest_offer(&near, s->snap->facets[f].name);
	if (near.best)
		return err_set(err, E_USAGE, "there is no column or facet \"%.*s\"; did you mean %.200s?",
			       (int)(name.n < 200 ? name.n : 200), name.p, near.best);
	return err_set(err, E_USAGE, "there is no column or facet \"%.*s\"",
		       (int)(name.n < 200 ? name.n : 200), name.p);
}

static enum status find_kind(const struct scene *s, struct str name, bool quoted,
			     struct list_column *out, struct err *err)
{
	int k = quoted ? -1 : kind_named(name);

	*out = (struct list_column){.of = -1};
	if (k >= 0) {
		out->id = (enum column_id)k;
		if (out->id == COLUMN_VERDICT)
			out->of = COLUMN_OF_AB;
		return OK;
	}
	out->id = COLUMN_FACET;
	out->of = snapshot_facet(s->snap, name);
	return out->of >= 0 ? OK : no_column(s, name, err);
}

static enum status find_who(const struct scene *s, struct str who, bool quoted,
			    struct list_column *out, struct err *err)
{
	int n = (int)(who.n < 200 ? who.n : 200);

	if (out->id == COLUMN_TRUTH) {
		out->of = snapshot_layer(s->snap, who);
		return out->of >= 0 ? OK : err_set(err, E_USAGE, "there is no layer \"%.*s\"", n, who.p);
	}
	if (!of_runs(out->id))
		return err_set(err, E_USAGE, "column %s takes no \"@\"", kinds[out->id].name);
	if (!quoted && (str_eqz(who, "a") || str_eqz(who, "b"))) {
		out->of = who.p[0] == 'a' ? COLUMN_OF_A : COLUMN_OF_B;
		return OK;
	}
	out->of = snapshot_run(s->snap, who);
	if (out->of >= 0)
		return OK;
	return err_set(err, E_USAGE, "%s \"%.*s\"",
		       out->of == -2 ? "more than one run begins like" : "there is no run", n, who.p);
}

static enum status take_width(struct str *rest, struct list_column *out, struct err *err)
{
	struct str digits = {rest->p, 0};
	int64_t w;

	while (digits.n < rest->n && rest->p[digits.n] >= '0' && rest->p[digits.n] <= '9')
		digits.n++;
	if (!str_int(digits, &w) || w < 1 || w > 500)
		return err_set(err, E_USAGE, "a column is 1 to 500 wide");
	out->width = (int)w;
	rest->p += digits.n;
	rest->n -= digits.n;
	return OK;
}

static enum status take_column(struct str *rest, const struct scene *s, struct list_column *out,
			       struct err *err)
{
	struct buf name = BUF_INIT, who = BUF_INIT;
	bool dot = rest->n > 1 && take_char(rest, '.'), quoted = rest->n && *rest->p == '"';
	enum status st = OK;

	if (!take_name(rest, &name))
		st = err_set(err, E_USAGE, "a column's name is expected: key, truth, answer@b, a facet");
	else
		st = find_kind(s, buf_view(&name), dot || quoted, out, err);
	if (st == OK && take_char(rest, '@')) {
		quoted = rest->n && *rest->p == '"';
		st = take_name(rest, &who) ? find_who(s, buf_view(&who), quoted, out, err)
					   : err_set(err, E_USAGE, "\"@\" needs a run or a layer");
	}
	if (st == OK && take_char(rest, '='))
		st = take_width(rest, out, err);
	buf_release(&name);
	buf_release(&who);
	return st;
}

static void skip(struct str *rest, const char *what)
{
	while (rest->n && strchr(what, *rest->p)) {
		rest->p++;
		rest->n--;
	}
}

enum status columns_parse(struct str text, const struct scene *s, struct columns *out,
			  struct err *err)
{
	struct str rest = str_trim(text);
	bool lenient = !err;

	*out = (struct columns){.chosen = true};
	while (rest.n) {
		struct err here = ERR_INIT;
		struct list_column c;
		enum status st = take_column(&rest, s, &c, &here);

		skip(&rest, " \t");
		if (st == OK && rest.n && *rest.p != ',' && *rest.p != '\n')
			st = err_set(&here, E_USAGE, "columns have a comma between them, not \"%c\"", *rest.p);
		if (st == OK && out->n == COLUMNS_MAX)
			st = err_set(&here, E_LIMIT, "a list has %d columns at most", COLUMNS_MAX);
		if (st == OK)
			out->v[out->n++] = c;
		if (st != OK && !lenient) {
			*err = here;
			return st;
		}
		while (lenient && rest.n && *rest.p != '\n')
			take_char(&rest, *rest.p);
		skip(&rest, ", \t\n");
	}
	if (out->n || lenient)
		return OK;
	return err_set(err, E_USAGE, "a list has one column at least");
}
