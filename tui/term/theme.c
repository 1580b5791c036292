#include "tui/term/theme.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <ini.h>

#include "core/base/str.h"

#define THEME_MAX_BYTES 65536

static const char *const role_names[] = {
#define X(id, name, letter, help) name,
    STYLE_ROLES(X)
#undef X
};
_Static_assert(sizeof role_names / sizeof *role_names == N_STYLES, "a name for each role");

static const struct {
	const char *word;
	unsigned attr;
} attr_words[] = {
    {"bold", ATTR_BOLD},       {"dim", ATTR_DIM},       {"underline", ATTR_UNDERLINE},
    {"reverse", ATTR_REVERSE}, {"italic", ATTR_ITALIC},
};

struct reading {
	struct theme *theme;
	bool given[N_STYLES];
	char why[200]; /* of the first bad line */
};

static struct str next_word(struct str *rest)
{
	struct str word;

	do {
		*rest = str_cut(*rest, ' ', &word);
	} while (!word.n && rest->p);
	return word;
}

static bool parse_color(struct str word, int *out)
{
	int64_t v;

	if (str_eqz(word, "-")) {
		*out = -1;
		return true;
	}
	if (!str_int(word, &v) || v < 0 || v > 255)
		return false;
	*out = (int)v;
	return true;
}

static bool parse_attr(struct str word, unsigned *attr)
{
	for (size_t i = 0; i < sizeof attr_words / sizeof *attr_words; i++)
		if (str_eqz(word, attr_words[i].word)) {
			*attr |= attr_words[i].attr;
			return true;
		}
	return false;
}

static bool parse_style(struct reading *r, struct str value, struct theme_style *out)
{
	struct theme_style st = {-1, -1, 0};
	struct str fg = next_word(&value), bg = next_word(&value), word;

	if (!parse_color(fg, &st.fg) || !parse_color(bg, &st.bg)) {
		struct str bad = parse_color(fg, &st.fg) ? bg : fg;

		snprintf(r->why, sizeof r->why,
			 "a colour is 0 to 255 or \"-\" (foreground, then background), not \"%.*s\"",
			 bad.n > 40 ? 40 : (int)bad.n, bad.n ? bad.p : "");
		return false;
	}
	while ((word = next_word(&value)).n)
		if (!parse_attr(word, &st.attr)) {
			snprintf(r->why, sizeof r->why,
				 "\"%.*s\" is not one of bold, dim, underline, reverse, italic",
				 word.n > 40 ? 40 : (int)word.n, word.p);
			return false;
		}
	*out = st;
	return true;
}

static bool parse_background(struct reading *r, const char *value)
{
	char *end;
	unsigned long v = strtoul(value, &end, 16);

	if (strlen(value) != 6 || *end || strspn(value, "0123456789abcdefABCDEF") != 6) {
		snprintf(r->why, sizeof r->why, "background is six hexadecimal digits, RRGGBB");
		return false;
	}
	r->theme->background =
	    (struct media_rgb){(uint8_t)(v >> 16), (uint8_t)(v >> 8), (uint8_t)v};
	return true;
}

/* inih's handler: 0 makes ini_parse_string() remember the line. */
static int take_line(void *user, const char *section, const char *name, const char *value)
{
	struct reading *r = user;

	if (r->why[0])
		return 0;
	if (section[0]) {
		snprintf(r->why, sizeof r->why, "a theme has no sections");
		return 0;
	}
	if (strcmp(name, "background") == 0)
		return parse_background(r, value);
	for (int i = 0; i < N_STYLES; i++)
		if (strcmp(name, role_names[i]) == 0) {
			r->given[i] = true;
			return parse_style(r, str_z(value), &r->theme->style[i]);
		}
	snprintf(r->why, sizeof r->why, "there is no role \"%.40s\"", name);
	return 0;
}

/* inih does not show the handler a line without a value: what r.why says is about a later one. */
static bool has_value(const char *text, int line)
{
	while (--line > 0 && (text = strchr(text, '\n')))
		text++;
	return text && text[strcspn(text, "=:\n")] != '\n' && text[strcspn(text, "=:\n")];
}

static enum status parse(const char *text, const char *name, struct theme *out, struct err *err)
{
	static const char expected[] = "expected: role = foreground background attributes";
	struct theme t = {.mono = true};
	struct reading r = {.theme = &t};
	int line;

	for (int i = 0; i < N_STYLES; i++)
		t.style[i] = (struct theme_style){-1, -1, 0};
	line = ini_parse_string(text, take_line, &r);
	if (line < 0)
		return err_set(err, E_MEMORY, "no memory to read the theme %s", name);
	if (line > 0)
		return err_set(err, E_FORMAT, "theme %s, line %d: %s", name, line,
			       r.why[0] && has_value(text, line) ? r.why : expected);
	for (int i = 0; i < N_STYLES; i++) {
		if (!r.given[i])
			t.style[i] = t.style[STYLE_NORMAL];
		t.mono = t.mono && t.style[i].fg < 0 && t.style[i].bg < 0;
	}
	snprintf(t.name, sizeof t.name, "%.31s", name);
	*out = t;
	return OK;
}

static enum status load_file(const char *path, struct theme *out, struct err *err)
{
	const char *base = strrchr(path, '/');
	char *text = NULL;
	size_t n = 0;
	ssize_t k;
	enum status st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	if (fd < 0)
		return err_errno(err, errno, "cannot open the theme %s", path);
	text = malloc(THEME_MAX_BYTES + 1);
	if (!text) {
		st = err_set(err, E_MEMORY, "no memory to read the theme %s", path);
		goto out;
	}
	while (n < THEME_MAX_BYTES && (k = read(fd, text + n, THEME_MAX_BYTES - n)) != 0) {
		if (k < 0 && errno == EINTR)
			continue;
		if (k < 0) {
			st = err_errno(err, errno, "cannot read the theme %s", path);
			goto out;
		}
		n += (size_t)k;
	}
	text[n] = '\0';
	if (n == THEME_MAX_BYTES)
		st = err_set(err, E_LIMIT, "the theme %s is larger than 64 KiB", path);
	else
		st = parse(text, base ? base + 1 : path, out, err);
out:
	free(text);
	close(fd);
	return st;
}

static void list_names(struct buf *b)
{
	for (const struct theme_source *s = theme_sources; s->name; s++)
		buf_printf(b, "%s%s", b->n ? ", " : "", s->name);
}

enum status theme_load(const char *name, struct theme *out, struct err *err)
{
	const char *no_color = getenv("NO_COLOR");
	struct buf names = BUF_INIT;
	bool automatic = !name && !(no_color && *no_color);
	enum status st;

	if (!name)
		name = automatic ? "dark" : "mono";
	for (const struct theme_source *s = theme_sources; s->name; s++)
		if (strcmp(s->name, name) == 0) {
			st = parse(s->text, name, out, err);
			out->automatic = automatic;
			return st;
		}
	if (strchr(name, '/') || str_ends(str_z(name), STR(".theme")))
		return load_file(name, out, err);
	list_names(&names);
	st = err_set(err, E_NOT_FOUND, "there is no theme %.60s; there are %s, or give a file", name,
		     buf_cstr(&names));
	buf_release(&names);
	return st;
}
