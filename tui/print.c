#include "tui/print.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

#include "core/base/utf8.h"
#include "core/base/xmalloc.h"
#include "tui/term/text.h"

void print_clean(FILE *out, struct str s)
{
	while (s.n) {
		struct cluster c;

		text_cluster(s, &c);
		fputs(c.show, out);
		s.p += c.bytes;
		s.n -= c.bytes;
	}
}

void print_json_clean(FILE *out, struct str json)
{
	while (json.n) {
		size_t len;
		uint32_t cp = utf8_decode(json.p, json.n, &len);

		/* Outside of strings JSON is ASCII, and cJSON has escaped what lies below a blank. */
		if (cp >= 0x7f && cp <= 0xffff && utf8_is_unsafe(cp))
			fprintf(out, "\\u%04x", cp);
		else if (cp == UTF8_BAD && len == 1)
			fputs("\\ufffd", out);
		else
			fwrite(json.p, 1, len, out);
		json.p += len;
		json.n -= len;
	}
}

const char *print_count(char out[32], uint64_t v)
{
	char digits[24];
	int n = snprintf(digits, sizeof digits, "%" PRIu64, v), at = 0;

	for (int i = 0; i < n; i++) {
		if (i && (n - i) % 3 == 0)
			out[at++] = ',';
		out[at++] = digits[i];
	}
	out[at] = '\0';
	return out;
}

const char *print_about(char out[32], double v)
{
	double step = 1;

	while (v / step >= 99.5 && step < 1e15)
		step *= 10;
	return print_count(out, v >= 1 && v < 1e17 ? (uint64_t)(v / step + 0.5) * (uint64_t)step : 0);
}

const char *print_bytes(char out[32], double v)
{
	static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
	int u = 0;

	for (; v >= 999.5 && u < 4; u++)
		v /= 1000;
	snprintf(out, 32, "%.*f %s", u && v < 99.95 ? 1 : 0, v, units[u]);
	return out;
}

void grid_put(struct grid *g, const char *text)
{
	vec_push(&g->cells, xstrdup(text));
}

void grid_printf(struct grid *g, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	grid_put(g, text);
}

static void widths(const struct grid *g, int width[GRID_COLUMNS])
{
	for (size_t i = 0; i < g->cells.n; i++) {
		int w = text_width(str_z(g->cells.v[i])), column = (int)(i % (size_t)g->n_columns);

		if (w > width[column])
			width[column] = w;
	}
}

void grid_print(const struct grid *g, FILE *out)
{
	int width[GRID_COLUMNS] = {0};

	widths(g, width);
	for (size_t i = 0; i < g->cells.n; i++) {
		int column = (int)(i % (size_t)g->n_columns);
		bool last = column == g->n_columns - 1;
		int pad = width[column] - text_width(str_z(g->cells.v[i]));

		if (column == 0)
			fputs(g->indent, out);
		fprintf(out, "%*s", g->right[column] ? pad : 0, "");
		print_clean(out, str_z(g->cells.v[i]));
		if (last)
			fputc('\n', out);
		else
			fprintf(out, "%*s", 2 + (g->right[column] ? 0 : pad), "");
	}
}

void grid_release(struct grid *g)
{
	for (size_t i = 0; i < g->cells.n; i++)
		free(g->cells.v[i]);
	vec_release(&g->cells);
}
