#include "tui/keymap.h"

#include "core/base/utf8.h"
#include "tui/term/term.h"

static const struct mode_info {
	const char *name;
	int parent;
} modes[N_MODES] = {
#define X(id, name, parent) [MODE_##id] = {name, parent},
    MODES(X)
#undef X
};

static int mode_by_name(struct str name)
{
	for (int m = 0; m < N_MODES; m++)
		if (str_eqz(name, modes[m].name))
			return m;
	return -1;
}

/* --- one line --- */

static struct str next_word(struct str *rest)
{
	struct str word;

	*rest = str_trim(*rest);
	for (word = (struct str){rest->p, 0}; word.n < rest->n; word.n++)
		if (rest->p[word.n] == ' ' || rest->p[word.n] == '\t')
			break;
	rest->p += word.n;
	rest->n -= word.n;
	return word;
}

bool keymap_parse_keys(struct str text, uint32_t *key, int max, int *n, struct str *bad)
{
	for (*n = 0;; (*n)++) {
		struct str word = next_word(&text);

		if (!word.n)
			return true;
		*bad = word;
		if (*n == max)
			return false;
		key[*n] = key_parse(word);
		if (key[*n] == KEY_NONE_)
			return false;
	}
}

/* Keys up to the first word that is none, or up to the last word. */
static bool parse_binding(struct str line, struct binding *b, struct str *command)
{
	struct str rest = line;

	for (b->n = 0;;) {
		struct str at = str_trim(rest), word = next_word(&rest);
		uint32_t key = key_parse(word);

		*command = at;
		if (key == KEY_NONE_ || !str_trim(rest).n)
			return b->n > 0 && at.n > 0;
		if (b->n == KEYMAP_MAX_KEYS)
			return false;
		b->key[b->n++] = key;
	}
}

static bool same_keys(const struct binding *x, const struct binding *y)
{
	return x->n == y->n && memcmp(x->key, y->key, (size_t)x->n * sizeof *x->key) == 0;
}

static bool begins(const struct binding *x, const struct binding *y)
{
	return x->n < y->n && memcmp(x->key, y->key, (size_t)x->n * sizeof *x->key) == 0;
}

/* False when the key had a command already and may not be given another. */
static bool add(struct keymap *km, struct binding b)
{
	for (size_t i = 0; i < km->bindings.n; i++) {
		struct binding *old = &km->bindings.v[i];

		if (old->mode != b.mode || !same_keys(old, &b))
			continue;
		if (old->user == b.user) {
			free(b.command);
			return false;
		}
		free(old->command);
		*old = b;
		return true;
	}
	vec_push(&km->bindings, b);
	return true;
}

static void load_line(struct keymap *km, struct str line, int *mode, bool user, const char *where,
		      struct buf *problems)
{
	struct binding b = {.user = user};
	struct str command;

	if (!line.n || line.p[0] == '#')
		return;
	if (line.p[0] == '[' && line.n > 2 && line.p[line.n - 1] == ']') {
		*mode = mode_by_name((struct str){line.p + 1, line.n - 2});
		if (*mode < 0)
			buf_printf(problems, "%s: there is no mode %.*s\n", where, STR_ARG(line));
		return;
	}
	if (*mode < 0)
		return;
	b.mode = (enum mode)*mode;
	if (!parse_binding(line, &b, &command)) {
		buf_printf(problems, "%s: expected key names and a command\n", where);
		return;
	}
	b.command = xstrndup(command.p, command.n);
	if (!add(km, b))
		buf_printf(problems, "%s: the key has two commands\n", where);
}

void keymap_load(struct keymap *km, const char *text, const char *file, bool user,
		 struct buf *problems)
{
	struct str rest = str_z(text), line;
	int mode = MODE_COMMON;

	for (int number = 1; rest.p; number++) {
		char *where = xasprintf("%s:%d", file, number);

		rest = str_cut(rest, '\n', &line);
		load_line(km, str_trim(line), &mode, user, where, problems);
		free(where);
	}
}

static bool is_above(int ancestor, int mode)
{
	for (; mode >= 0; mode = modes[mode].parent)
		if (mode == ancestor)
			return true;
	return false;
}

void keymap_check(const struct keymap *km, struct buf *problems)
{
	for (size_t i = 0; i < km->bindings.n; i++)
		for (size_t k = 0; k < km->bindings.n; k++) {
			const struct binding *x = &km->bindings.v[i], *y = &km->bindings.v[k];

			if (!begins(x, y) || strcmp(x->command, "none") == 0 ||
			    strcmp(y->command, "none") == 0)
				continue;
			if (!is_above(x->mode, y->mode) && !is_above(y->mode, x->mode))
				continue;
			buf_z(problems, "the key ");
			keymap_name(x->key, x->n, problems);
			buf_z(problems, " is the beginning of ");
			keymap_name(y->key, y->n, problems);
			buf_ch(problems, '\n');
		}
}

void keymap_release(struct keymap *km)
{
	for (size_t i = 0; i < km->bindings.n; i++)
		free(km->bindings.v[i].command);
	vec_release(&km->bindings);
}

/* --- looking up --- */

static const struct binding *exact(const struct keymap *km, int mode, const uint32_t *key, int n)
{
	for (; mode >= 0; mode = modes[mode].parent)
		for (size_t i = 0; i < km->bindings.n; i++) {
			const struct binding *b = &km->bindings.v[i];

			if ((int)b->mode == mode && b->n == n &&
			    memcmp(b->key, key, (size_t)n * sizeof *key) == 0)
				return b;
		}
	return NULL;
}

enum keymap_match keymap_find(const struct keymap *km, enum mode mode, const uint32_t *key, int n,
			      const char **command)
{
	const struct binding *b = exact(km, (int)mode, key, n);

	if (b && strcmp(b->command, "none") != 0) {
		*command = b->command;
		return KEYMAP_FOUND;
	}
	for (size_t i = 0; i < km->bindings.n; i++) {
		b = &km->bindings.v[i];
		if (is_above((int)b->mode, (int)mode) && b->n > n &&
		    memcmp(b->key, key, (size_t)n * sizeof *key) == 0)
			return KEYMAP_PREFIX;
	}
	return KEYMAP_NONE;
}

bool keymap_valid(const struct keymap *km, enum mode mode, const struct binding *b)
{
	return strcmp(b->command, "none") != 0 && exact(km, (int)mode, b->key, b->n) == b;
}

bool keymap_keys(const struct keymap *km, enum mode mode, const char *command, int max,
		 struct buf *out)
{
	int found = 0;

	for (size_t i = 0; i < km->bindings.n && found < max; i++) {
		const struct binding *b = &km->bindings.v[i];

		if (strcmp(b->command, command) != 0 || !keymap_valid(km, mode, b))
			continue;
		if (found++)
			buf_ch(out, ' ');
		keymap_name(b->key, b->n, out);
	}
	return found > 0;
}

void keymap_name(const uint32_t *key, int n, struct buf *out)
{
	for (int i = 0; i < n; i++) {
		char name[32];
		size_t len = key_text(key[i], name);

		if (i && len > 1)
			buf_ch(out, ' ');
		buf_put(out, name, len);
	}
}
