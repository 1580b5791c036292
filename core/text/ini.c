#include "core/text/ini.h"

#include <ini.h>

struct feed {
	struct str rest;
	unsigned line;
	ini_entry *entry;
	void *ctx;
	enum status status;
	struct err *err;
};

static enum status stop(struct feed *f, enum status code, const char *why)
{
	f->status = err_set(f->err, code, "line %u: %s", f->line, why);
	return f->status;
}

/* The next line for inih, as fgets() would give it. NULL ends the reading. */
static char *next_line(char *to, int size, void *feed)
{
	struct feed *f = feed;
	size_t n = 0, end = 1;

	if (f->status != OK || f->rest.n == 0)
		return NULL;
	f->line++;
	while (n < f->rest.n && f->rest.p[n] != '\n' && f->rest.p[n] != '\r')
		n++;
	if (n + 1 < f->rest.n && f->rest.p[n] == '\r' && f->rest.p[n + 1] == '\n')
		end = 2;
	if (n > INI_MAX_LINE_BYTES || n + 2 > (size_t)size) {
		stop(f, E_LIMIT, "longer than 196 bytes; continue it on an indented line");
		return NULL;
	}
	if (memchr(f->rest.p, '\0', n)) {
		stop(f, E_FORMAT, "a NUL byte");
		return NULL;
	}
	memcpy(to, f->rest.p, n);
	to[n] = '\n';
	to[n + 1] = '\0';
	end = n + end > f->rest.n ? f->rest.n : n + end;
	f->rest.p += end;
	f->rest.n -= end;
	return to;
}

/* inih cuts longer names silently. */
static int on_entry(void *feed, const char *section, const char *name, const char *value)
{
	struct feed *f = feed;

	if (f->status != OK)
		return 1;
	if (strlen(section) > INI_MAX_NAME_BYTES || strlen(name) > INI_MAX_NAME_BYTES) {
		stop(f, E_LIMIT, "a name longer than 48 bytes");
		return 1;
	}
	f->status = f->entry(f->ctx, section, name, value, f->line, f->err);
	if (f->status != OK)
		err_prefix(f->err, "line %u", f->line);
	return 1;
}

enum status ini_read(struct str text, ini_entry *entry, void *ctx, struct err *err)
{
	struct feed f = {.rest = text, .entry = entry, .ctx = ctx, .err = err};
	int bad;

	if (text.n > INI_MAX_TEXT)
		return err_set(err, E_LIMIT, "%zu bytes, over the ceiling of %zu", text.n,
			       INI_MAX_TEXT);
	bad = ini_parse_stream(next_line, &f, on_entry, &f);
	if (f.status == OK && bad != 0)
		f.status = err_set(err, E_FORMAT,
				   "line %d: expected \"[section]\" or \"name = value\"", bad);
	return f.status;
}
