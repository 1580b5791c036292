#include "tui/paper.h"

#include <stdarg.h>

#include "tui/print.h"

void paper_say(struct paper *p, enum style style, int indent, const char *fmt, ...)
{
	va_list args, again;
	int n;
	char *text;

	va_start(args, fmt);
	va_copy(again, args);
	n = vsnprintf(NULL, 0, fmt, args);
	va_end(args);
	text = arena_alloc(&p->arena, n > 0 ? (size_t)n + 1 : 1);
	text[0] = '\0';
	if (n > 0)
		vsnprintf(text, (size_t)n + 1, fmt, again);
	va_end(again);
	vec_push(&p->lines, ((struct paper_line){style, indent, text}));
}

void paper_print(const struct paper *p, FILE *out)
{
	for (size_t i = 0; i < p->lines.n; i++) {
		fprintf(out, "%*s", p->lines.v[i].indent, "");
		print_clean(out, str_z(p->lines.v[i].text));
		fputc('\n', out);
	}
}

void paper_release(struct paper *p)
{
	vec_release(&p->lines);
	arena_release(&p->arena);
}
