#include "tui/prompt.h"

#include "core/base/utf8.h"
#include "tui/term/text.h"

void prompt_open(struct prompt *p, char sign)
{
	p->sign = sign;
	p->text.max = PROMPT_MAX_BYTES;
	buf_clear(&p->text);
	buf_clear(&p->draft);
	p->at = 0;
	p->older = 0;
	p->fault_n = 0;
}

static const struct {
	char sign;
	const char *label;
} kinds[PROMPT_KINDS] = {{':', ":"}, {'/', "/"}, {'c', "note: "}, {'t', "tag: "},
		       {'@', "name: "}, {'x', "write to: "}, {PROMPT_FILTER, "filter: "}};

static size_t kind_of(char sign)
{
	size_t k = PROMPT_KINDS - 1;

	while (k && kinds[k].sign != sign)
		k--;
	return k;
}

static size_t kind(const struct prompt *p)
{
	return kind_of(p->sign);
}

void prompt_remember(struct prompt *p, char sign, struct str text)
{
	size_t k = kind_of(sign), kept = 0;

	for (size_t i = 0; i < p->history[k].n; i++) {
		char *old = p->history[k].v[i];

		if (str_eqz(text, old))
			free(old);
		else
			p->history[k].v[kept++] = old;
	}
	p->history[k].n = kept;
	vec_push(&p->history[k], xstrndup(text.p, text.n));
}

void prompt_close(struct prompt *p, bool remember)
{
	if (remember && p->text.n)
		prompt_remember(p, p->sign, buf_view(&p->text));
	p->sign = 0;
}

void prompt_release(struct prompt *p)
{
	for (size_t k = 0; k < PROMPT_KINDS; k++) {
		for (size_t i = 0; i < p->history[k].n; i++)
			free(p->history[k].v[i]);
		vec_release(&p->history[k]);
	}
	buf_release(&p->text);
	buf_release(&p->draft);
}

void prompt_set(struct prompt *p, struct str text)
{
	buf_clear(&p->text);
	p->text.failed = false;
	buf_str(&p->text, text);
	p->at = p->text.n;
}

bool prompt_splice(struct prompt *p, size_t from, size_t to, struct str with)
{
	struct buf out = {.max = PROMPT_MAX_BYTES};
	size_t at = from + with.n;
	bool good;

	buf_put(&out, p->text.p, from);
	buf_str(&out, with);
	buf_put(&out, buf_cstr(&p->text) + to, p->text.n - to);
	good = !out.failed;
	if (good) {
		prompt_set(p, buf_view(&out));
		p->at = at;
	}
	buf_release(&out);
	return good;
}

void prompt_insert(struct prompt *p, uint32_t cp)
{
	char utf8[4];

	if (cp < 0x20 || utf8_is_unsafe(cp))
		return;
	prompt_splice(p, p->at, p->at, (struct str){utf8, utf8_encode(cp, utf8)});
}

static size_t next_at(const struct prompt *p, size_t at)
{
	struct cluster c;

	if (at >= p->text.n)
		return p->text.n;
	text_cluster((struct str){p->text.p + at, p->text.n - at}, &c);
	return at + c.bytes;
}

static size_t previous_at(const struct prompt *p)
{
	size_t at = 0, next;

	while ((next = next_at(p, at)) < p->at)
		at = next;
	return at;
}

static size_t word_at(const struct prompt *p)
{
	size_t at = p->at;

	while (at && p->text.p[at - 1] == ' ')
		at--;
	while (at && p->text.p[at - 1] != ' ')
		at--;
	return at;
}

static void recall(struct prompt *p, int by)
{
	size_t n = p->history[kind(p)].n;

	if (by > 0 ? p->older >= n : p->older == 0)
		return;
	if (!p->older) {
		buf_clear(&p->draft);
		buf_str(&p->draft, buf_view(&p->text));
	}
	p->older = by > 0 ? p->older + 1 : p->older - 1;
	prompt_set(p, p->older ? str_z(p->history[kind(p)].v[n - p->older]) : buf_view(&p->draft));
}

bool prompt_command(struct prompt *p, const char *name)
{
	if (strcmp(name, "prompt-erase") == 0)
		prompt_splice(p, previous_at(p), p->at, STR_NONE);
	else if (strcmp(name, "prompt-delete") == 0)
		prompt_splice(p, p->at, next_at(p, p->at), STR_NONE);
	else if (strcmp(name, "prompt-erase-word") == 0)
		prompt_splice(p, word_at(p), p->at, STR_NONE);
	else if (strcmp(name, "prompt-erase-all") == 0)
		prompt_splice(p, 0, p->at, STR_NONE);
	else if (strcmp(name, "prompt-left") == 0)
		p->at = previous_at(p);
	else if (strcmp(name, "prompt-right") == 0)
		p->at = next_at(p, p->at);
	else if (strcmp(name, "prompt-home") == 0)
		p->at = 0;
	else if (strcmp(name, "prompt-end") == 0)
		p->at = p->text.n;
	else if (strcmp(name, "prompt-older") == 0)
		recall(p, 1);
	else if (strcmp(name, "prompt-newer") == 0)
		recall(p, -1);
	else
		return false;
	return true;
}

/* --- drawing --- */

static int label_width(const struct prompt *p)
{
	return text_width(str_z(kinds[kind(p)].label));
}

/* The part before the cursor is kept in sight: the first byte that is shown. */
static size_t first_shown(const struct prompt *p, int w)
{
	int room = w - label_width(p) - 2;
	size_t from = 0;

	while (from < p->at && text_width((struct str){p->text.p + from, p->at - from}) > room)
		from = next_at(p, from);
	return from;
}

int prompt_column(const struct prompt *p, int w, size_t at)
{
	size_t from = first_shown(p, w);

	at = at < p->text.n ? at : p->text.n;
	return label_width(p) +
	       (at > from ? text_width((struct str){p->text.p + from, at - from}) : 0);
}

static void underline(const struct prompt *p, struct cells *grid, struct rect line)
{
	size_t end = p->fault_at + p->fault_n;
	int from = prompt_column(p, line.w, p->fault_at), to = prompt_column(p, line.w, end);

	if (!p->fault_n)
		return;
	if (to == from)
		to++; /* it is missing at the end */
	to = to < line.w ? to : line.w;
	if (from < to)
		cells_restyle(grid, (struct rect){line.y, line.x + from, 1, to - from}, STYLE_FAULT);
}

/* The cursor is a cell in reverse. */
void prompt_draw(const struct prompt *p, struct cells *grid, struct rect line)
{
	struct str text = buf_view(&p->text), at = {text.p + p->at, next_at(p, p->at) - p->at};
	int x = label_width(p), w = line.w - x - 2;
	size_t from = first_shown(p, line.w);

	cells_fill(grid, line, STYLE_PROMPT);
	cells_putz(grid, line.y, line.x, line.w, STYLE_PROMPT, kinds[kind(p)].label);
	x += cells_put(grid, line.y, line.x + x, w, STYLE_PROMPT,
		       (struct str){text.p + from, p->at - from});
	cells_put(grid, line.y, line.x + x + (at.n ? text_width(at) : 1), line.w - x - 1, STYLE_PROMPT,
		  (struct str){text.p + p->at + at.n, text.n - p->at - at.n});
	underline(p, grid, line);
	cells_put(grid, line.y, line.x + x, 2, STYLE_CURSOR, at.n ? at : STR(" "));
}
