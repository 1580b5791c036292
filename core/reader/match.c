#include "core/reader/match.h"

#include "core/base/path.h"

const char *matched_word(enum matched m)
{
	static const char *const words[N_MATCHED] = {
	    "by base name", "ignoring case", "without extension", "as numbers",
	    "exactly",	    "by position",   "ambiguous",	  "not found",
	};

	return (unsigned)m < N_MATCHED ? words[m] : "?";
}

enum matched matched_told(int i)
{
	return i < 2 ? (enum matched)(MATCHED_EXACT + i)
	       : i < MATCHED_AMBIGUOUS ? (enum matched)(i - 2) : (enum matched)i;
}

static struct str base_of(struct str name)
{
	for (size_t i = name.n; i > 0; i--)
		if (name.p[i - 1] == '/' || name.p[i - 1] == '\\')
			return (struct str){name.p + i, name.n - i};
	return name;
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* ".jpg" is an extension, the ".5" of "v1.5" and the ".jpg#3" of a statement are none. */
static struct str without_extension(struct str name)
{
	struct str ext = path_ext(name);

	if (!ext.n || ext.n > 5 || !is_letter(ext.p[0]))
		return name;
	for (size_t i = 1; i < ext.n; i++)
		if (!is_letter(ext.p[i]) && !is_digit(ext.p[i]))
			return name;
	return (struct str){name.p, name.n - ext.n - 1};
}

/* Without its zeros in front, and without the ".0" that a table puts behind whole numbers when one of
 * them is missing; empty: it is no number. */
static struct str number_of(struct str name)
{
	size_t n = 0, end;

	while (n < name.n && is_digit(name.p[n]))
		n++;
	for (end = n + 1; end < name.n && name.p[n] == '.' && name.p[end] == '0';)
		end++;
	if (n < name.n && (end < name.n || end < n + 2))
		return STR_NONE;
	name.n = n;
	while (name.n > 1 && name.p[0] == '0') {
		name.p++;
		name.n--;
	}
	return name;
}

/* The name as one of the ways sees it; it lies in name or scratch. Empty: it does not. */
static struct str seen_as(enum matched how, struct str name, char scratch[MATCH_NAME_MAX])
{
	struct str base = base_of(name);

	if (base.n > MATCH_NAME_MAX)
		return STR_NONE;
	if (how == MATCHED_BASE)
		return base;
	for (size_t i = 0; i < base.n; i++)
		scratch[i] = base.p[i] >= 'A' && base.p[i] <= 'Z' ? (char)(base.p[i] + 32) : base.p[i];
	base.p = scratch;
	if (how == MATCHED_FOLDED)
		return base;
	base = without_extension(base);
	return how == MATCHED_STEM ? base : number_of(base);
}

static void names_add(struct match_names *n, struct str name, uint32_t thing)
{
	size_t known = n->keys.keys.n;
	uint32_t id;

	if (!name.n)
		return;
	id = intern_add(&n->keys, name);
	if (id == known) {
		vec_push(&n->first, thing);
		vec_push(&n->several, false);
	} else if (n->first.v[id] != thing) {
		n->several.v[id] = true;
	}
}

void match_add(struct match *m, struct str name, uint32_t thing)
{
	char scratch[MATCH_NAME_MAX];

	for (int how = 0; how <= MATCHED_NUMBER; how++)
		names_add(&m->by[how], seen_as((enum matched)how, name, scratch), thing);
	m->n++;
}

enum matched match_find_by(const struct match *m, enum matched how, struct str name,
			   uint32_t *thing)
{
	const struct match_names *n = &m->by[how];
	char scratch[MATCH_NAME_MAX];
	struct str seen = seen_as(how, name, scratch);
	uint32_t id = seen.n ? intern_find(&n->keys, seen) : INTERN_NONE;

	if (id == INTERN_NONE)
		return MATCHED_NOT;
	if (n->several.v[id])
		return MATCHED_AMBIGUOUS;
	*thing = n->first.v[id];
	return how;
}

enum matched match_find(const struct match *m, struct str name, uint32_t *thing)
{
	enum matched found = MATCHED_NOT;

	for (int how = 0; how <= MATCHED_NUMBER && found == MATCHED_NOT; how++)
		found = match_find_by(m, (enum matched)how, name, thing);
	return found;
}

void match_release(struct match *m)
{
	for (int how = 0; how <= MATCHED_NUMBER; how++) {
		intern_release(&m->by[how].keys);
		vec_release(&m->by[how].first);
		vec_release(&m->by[how].several);
	}
	m->n = 0;
}
