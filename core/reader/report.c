#include "core/reader/report.h"

#include <inttypes.h>
#include <stdarg.h>

#include "core/base/utf8.h"

#define MESSAGE_MAX 2048

const char *located_word(enum located l)
{
	static const char *const words[N_LOCATED] = {
	    "by path", "by key", "by base name", "ignoring case", "without extension",
	    "ambiguous", "not found",
	};

	return (unsigned)l < N_LOCATED ? words[l] : "?";
}

void report_init(struct report *r, const char *file, FILE *errors)
{
	*r = (struct report){.file = file, .errors = errors};
}

void report_release(struct report *r)
{
	vec_release(&r->examples);
	vec_release(&r->runs_new);
	vec_release(&r->runs_known);
	vec_release(&r->notes);
	vec_release(&r->checks);
	vec_release(&r->doubts);
	arena_release(&r->arena);
}

/* Text of files ends up on terminals: what could steer one becomes U+FFFD, line ends blanks. */
static char *clean(struct arena *arena, const char *text)
{
	struct str rest = str_z(text);
	char *out = arena_alloc(arena, rest.n * 3 + 1), *at = out;

	while (rest.n) {
		size_t len;
		uint32_t cp = utf8_decode(rest.p, rest.n, &len);

		if (cp == '\n' || cp == '\r' || cp == '\t')
			cp = ' ';
		else if (utf8_is_unsafe(cp))
			cp = UTF8_BAD;
		at += utf8_encode(cp, at);
		rest.p += len;
		rest.n -= len;
	}
	*at = '\0';
	return out;
}

static char *__attribute__((format(printf, 3, 0)))
clean_format(struct arena *arena, const char *field, const char *fmt, va_list args)
{
	char text[MESSAGE_MAX];
	int used = 0;

	text[0] = '\0';
	if (field && *field)
		used = snprintf(text, sizeof text, "%.*s: ", 200, field);
	if (used >= 0 && (size_t)used < sizeof text)
		vsnprintf(text + used, sizeof text - (size_t)used, fmt, args);
	return clean(arena, text);
}

static const char *problem_word(enum problem kind)
{
	static const char *const words[N_PROBLEMS] = {"", "unmatched: ", "warning: "};

	return words[kind];
}

/* Scanners say where they are as well; once is enough. */
static const char *without_place(const char *text, struct src src)
{
	char place[64];
	int n = snprintf(place, sizeof place, "line %" PRIu64 ", byte %" PRIu64 ": ", src.line, src.byte);

	return n > 0 && strncmp(text, place, (size_t)n) == 0 ? text + n : text;
}

void report_add(struct report *r, enum problem kind, struct src src, const char *field,
		const char *fmt, ...)
{
	struct arena scratch = ARENA_INIT;
	size_t same = 0;
	va_list args;
	bool keep;

	r->problems[kind]++;
	for (size_t i = 0; i < r->examples.n; i++)
		same += r->examples.v[i].kind == kind;
	keep = same < REPORT_EXAMPLES;
	if (!keep && !r->errors)
		return;
	va_start(args, fmt);
	const char *text = clean_format(keep ? &r->arena : &scratch, field, fmt, args);
	va_end(args);
	text = without_place(text, src);
	if (keep)
		vec_push(&r->examples, ((struct report_example){kind, src, text}));
	if (r->errors)
		fprintf(r->errors, "%s:%" PRIu64 ":%" PRIu64 ": %s%s\n",
			clean(&scratch, r->file ? r->file : "-"), src.line, src.byte,
			problem_word(kind), text);
	arena_release(&scratch);
}

void report_note(struct report *r, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vec_push(&r->notes, clean_format(&r->arena, "", fmt, args));
	va_end(args);
}

void report_check(struct report *r, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vec_push(&r->checks, clean_format(&r->arena, "", fmt, args));
	va_end(args);
}

void report_doubt(struct report *r, const char *fmt, ...)
{
	const char *text;
	va_list args;

	va_start(args, fmt);
	text = clean_format(&r->arena, "", fmt, args);
	va_end(args);
	vec_push(&r->doubts, text);
	r->problems[PROBLEM_WARNING]++;
	if (r->errors)
		fprintf(r->errors, "%s:0:0: doubt: %s\n", r->file ? r->file : "-", text);
}

bool report_changed(const struct report *r)
{
	return r->classes || r->pairs || r->samples_new || r->truths || r->predictions ||
	       r->runs_new.n || r->classes_filled || r->samples_filled || r->predictions_filled || r->values || r->references;
}
