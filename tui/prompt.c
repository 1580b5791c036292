#include "tui/prompt.h"

#include "core/base/utf8.h"
#include "tui/term/text.h"

void prompt_open(struct prompt *p, char sign)
{
	p->sign = sign;
	p->text.max = PROMPT_MAX_BYTES;
	buf_clear(&p->text);
	p->at = 0;
	p->older = 0;
}

static const struct {
	char sign;
	const char *label;
} kinds[PROMPT_KINDS] = {{':', ":"}, {'/', "/"}, {'c', "note: "}, {'t', "tag: "}, {'@', "name: "}, {'x', "write to: "}};

static size_t kind(const struct prompt *p)
{
	size_t k = PROMPT_KINDS - 1;

	while (k && kinds[k].sign != p->sign)
		k--;
	return k;
}

void prompt_close(struct prompt *p, bool remember)
{
	size_t n = p->history[kind(p)].n;
	const char *last = n ? p->history[kind(p)].v[n - 1] : "";

	if (remember && p->text.n && strcmp(last, buf_cstr(&p->text)) != 0)
		vec_push(&p->history[kind(p)], xstrdup(buf_cstr(&p->text)));
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
}

void prompt_set(struct prompt *p, struct str text)
{
	buf_clear(&p->text);
	p->text.failed = false;
	buf_str(&p->text, text);
	p->at = p->text.n;
}

static void splice(struct prompt *p, size_t from, size_t to, struct str with)
{
	struct buf out = {.max = PROMPT_MAX_BYTES};
	size_t at = from + with.n;

	buf_put(&out, p->text.p, from);
	buf_str(&out, with);
	buf_put(&out, buf_cstr(&p->text) + to, p->text.n - to);
	if (!out.failed) {
		prompt_set(p, buf_view(&out));
		p->at = at;
	}
	buf_release(&out);
}

void prompt_insert(struct prompt *p, uint32_t cp)
{
	char utf8[4];

	if (cp < 0x20 || utf8_is_unsafe(cp))
		return;
	splice(p, p->at, p->at, (struct str){utf8, utf8_encode(cp, utf8)});
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
	p->older = by > 0 ? p->older + 1 : p->older - 1;
	prompt_set(p, p->older ? str_z(p->history[kind(p)].v[n - p->older]) : STR_NONE);
}

bool prompt_command(struct prompt *p, const char *name)
{
	if (strcmp(name, "prompt-erase") == 0)
		splice(p, previous_at(p), p->at, STR_NONE);
	else if (strcmp(name, "prompt-delete") == 0)
		splice(p, p->at, next_at(p, p->at), STR_NONE);
	else if (strcmp(name, "prompt-erase-word") == 0)
		splice(p, word_at(p), p->at, STR_NONE);
	else if (strcmp(name, "prompt-erase-all") == 0)
		splice(p, 0, p->at, STR_NONE);
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

/* The part before the cursor is kept in sight; the cursor is a cell in reverse. */
void prompt_draw(const struct prompt *p, struct cells *grid, struct rect line)
{
	struct str text = buf_view(&p->text), before = {text.p, p->at};
	size_t from = 0;
	struct str label = str_z(kinds[kind(p)].label);
	int x = text_width(label), w = line.w - x - 2;
	struct str at = {text.p + p->at, next_at(p, p->at) - p->at};

	cells_fill(grid, line, STYLE_PROMPT);
	cells_put(grid, line.y, line.x, line.w, STYLE_PROMPT, label);
	while (from < p->at && text_width((struct str){before.p + from, before.n - from}) > w)
		from = next_at(p, from);
	x += cells_put(grid, line.y, line.x + x, w, STYLE_PROMPT,
		       (struct str){text.p + from, p->at - from});
	x += cells_put(grid, line.y, line.x + x, 2, STYLE_CURSOR, at.n ? at : STR(" "));
	cells_put(grid, line.y, line.x + x, line.w - x, STYLE_PROMPT,
		  (struct str){text.p + p->at + at.n, text.n - p->at - at.n});
}
