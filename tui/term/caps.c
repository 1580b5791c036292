#include "tui/term/caps.h"

#include <ctype.h>
#include <stdlib.h>

#define DEFAULT_CELL_W 10
#define DEFAULT_CELL_H 20
#define DEFAULT_MAX    1000 /* xterm shows nothing larger unless told; it tells its limit */
#define MEDIA_SIDE     4096 /* the encoder's limit */

static bool take(int *slot, int v, int lo, int hi)
{
	if (v < lo || v > hi || *slot == v)
		return false;
	*slot = v;
	return true;
}

static bool has_sixel(const struct event *e)
{
	for (int i = 1; i < e->n; i++) /* the first number is the terminal's class */
		if (e->arg[i] == 4)
			return true;
	return false;
}

/* tmux says "1;2" and what it can do; whatever shows sixel around it is of a newer class. */
static bool is_outer(const struct replies *r, const struct event *e)
{
	bool tmux_like = e->n >= 2 && e->arg[0] == 1 && e->arg[1] == 2;

	if (!r->outer_asked)
		return false;
	return strncmp(r->name, "tmux ", 5) == 0 ? !tmux_like : r->da1;
}

static bool take_da1(struct replies *r, const struct event *e)
{
	bool outer = is_outer(r, e), sixel = has_sixel(e);
	bool *known = outer ? &r->outer_da1 : &r->da1;
	bool *can = outer ? &r->outer_sixel : &r->sixel;

	if (*known && (!outer || *can == sixel))
		return false;
	*known = true;
	*can = sixel; /* the outer one may change: another client is attached */
	return true;
}

static bool take_name(struct replies *r, struct str text)
{
	size_t n = 0;

	for (size_t i = 0; i < text.n && n < sizeof r->name - 1; i++)
		if (text.p[i] >= ' ' && text.p[i] < 0x7f)
			r->name[n++] = text.p[i];
	r->name[n] = '\0';
	return n > 0;
}

static bool take_background(struct replies *r, const struct event *e)
{
	struct media_rgb c = {(uint8_t)e->arg[0], (uint8_t)e->arg[1], (uint8_t)e->arg[2]};

	if (r->has_background && memcmp(&c, &r->background, sizeof c) == 0)
		return false;
	r->has_background = true;
	r->background = c;
	return true;
}

bool caps_light(struct media_rgb c)
{
	return 299 * c.r + 587 * c.g + 114 * c.b > 127500;
}

bool caps_reply(struct replies *r, const struct event *e)
{
	bool news;

	switch (e->kind) {
	case EVENT_DA1:
		return take_da1(r, e);
	case EVENT_NAME:
		return take_name(r, e->text);
	case EVENT_CELL:
		if (e->arg[0] < 4 || e->arg[0] > 200 || e->arg[1] < 2 || e->arg[1] > 200)
			return false;
		news = take(&r->cell_h, e->arg[0], 4, 200);
		return take(&r->cell_w, e->arg[1], 2, 200) || news;
	case EVENT_REGISTERS:
		return take(&r->registers, e->arg[0], 2, 1 << 24);
	case EVENT_MAX_SIZE:
		if (e->arg[0] < 6 || e->arg[1] < 6)
			return false;
		news = take(&r->max_w, e->arg[0], 6, 1 << 20);
		return take(&r->max_h, e->arg[1], 6, 1 << 20) || news;
	case EVENT_MODE:
		if (e->arg[0] != 2026 || e->arg[1] < 1 || e->arg[1] > 3 || r->sync)
			return false;
		r->sync = true;
		return true;
	case EVENT_BACKGROUND:
		return take_background(r, e);
	case EVENT_KEY:
	case EVENT_PASTE:
	case EVENT_CURSOR:
		break;
	}
	return false;
}

static bool starts(const char *s, const char *prefix)
{
	return s && strncmp(s, prefix, strlen(prefix)) == 0;
}

static bool is(const char *s, const char *word)
{
	return s && strcmp(s, word) == 0;
}

bool caps_may_ask(const struct caps_env *env)
{
	return env->term && *env->term && !is(env->term, "dumb") && !is(env->term, "unknown") &&
	       !starts(env->term, "linux") && !starts(env->term, "vt5") &&
	       !starts(env->term, "cons25");
}

bool caps_parse_cell(const char *s, int *w, int *h)
{
	char *end;
	long a, b;

	if (!s || !isdigit((unsigned char)*s))
		return false;
	a = strtol(s, &end, 10);
	if ((*end != 'x' && *end != 'X') || !isdigit((unsigned char)end[1]))
		return false;
	b = strtol(end + 1, &end, 10);
	if (*end || a < 2 || a > 200 || b < 4 || b > 200)
		return false;
	*w = (int)a;
	*h = (int)b;
	return true;
}

/* "tmux 3.3a" → 303; 0 when it is not tmux or does not say. */
static int tmux_version(const char *name)
{
	const char *p = name + 5;
	int major, minor = 0;

	if (!starts(name, "tmux "))
		return 0;
	while (*p && !isdigit((unsigned char)*p)) /* "next-3.5" */
		p++;
	major = isdigit((unsigned char)*p) ? *p++ - '0' : 0;
	if (*p == '.')
		for (p++; isdigit((unsigned char)*p) && minor < 100; p++)
			minor = minor * 10 + (*p - '0');
	return major * 100 + minor;
}

static bool in_tmux(const struct caps_env *env, const struct replies *r)
{
	if (r->name[0]) /* a terminal started from inside tmux inherits TMUX */
		return starts(r->name, "tmux ");
	return env->tmux && *env->tmux && (starts(env->term, "tmux") || starts(env->term, "screen"));
}

/* tmux before 3.7 hands a wrapped sixel on; from 3.7 the cells under it stay blank. */
bool caps_passthrough(const struct caps_env *env, const struct replies *r)
{
	int version = tmux_version(r->name);

	return in_tmux(env, r) && !r->sixel && r->outer_da1 && r->outer_sixel && version >= 303 &&
	       version < 307;
}

static void cell_size(const struct caps_env *env, const struct replies *r, struct term_caps *out)
{
	int w = env->cols > 0 ? env->px_w / env->cols : 0;
	int h = env->rows > 0 ? env->px_h / env->rows : 0;

	out->cell_w = DEFAULT_CELL_W;
	out->cell_h = DEFAULT_CELL_H;
	if (caps_parse_cell(env->cell, &out->cell_w, &out->cell_h))
		return;
	if (r->cell_w && r->cell_h) {
		out->cell_w = r->cell_w;
		out->cell_h = r->cell_h;
	} else if (w >= 2 && w <= 200 && h >= 4 && h <= 200) {
		out->cell_w = w;
		out->cell_h = h;
	}
}

/* The best that text cells can do. */
static enum graphics in_text(const struct caps_env *env)
{
	return env->unicode && env->colors >= 16 && !env->mono ? GRAPHICS_BLOCKS : GRAPHICS_ASCII;
}

static void decide_tmux(const struct caps_env *env, const struct replies *r, struct term_caps *out)
{
	int version = tmux_version(r->name);

	if (r->sixel && r->outer_da1 && !r->outer_sixel) {
		out->why = "tmux takes sixel, but the terminal around it does not show it";
	} else if (r->sixel) {
		out->graphics = GRAPHICS_SIXEL;
		out->why = "tmux takes sixel and hands it on";
	} else if (caps_passthrough(env, r)) {
		out->graphics = GRAPHICS_SIXEL;
		out->why = "sixel goes through tmux to the terminal around it";
	} else if (r->outer_da1 && !r->outer_sixel) {
		out->why = "the terminal around tmux does not show sixel";
	} else if (version >= 307) {
		out->why = "this tmux was built without sixel and cannot pass it through; use one "
			   "built with --enable-sixel";
	} else if (r->outer_da1) {
		out->why = "this tmux cannot pass sixel through; use 3.3 or newer";
	} else {
		out->why = "tmux swallows sixel; if the terminal around it shows sixel, say "
			   "\"set -g allow-passthrough on\" in tmux.conf";
	}
}

static void decide_auto(const struct caps_env *env, const struct replies *r, struct term_caps *out)
{
	out->graphics = in_text(env);
	if (!env->term || !*env->term || is(env->term, "dumb"))
		out->why = "TERM says that the terminal can do nothing";
	else if (starts(env->term, "linux"))
		out->why = "the Linux console shows no pictures";
	else if (!r->da1)
		out->why = "the terminal has not said yet whether it shows sixel";
	else if (in_tmux(env, r))
		decide_tmux(env, r, out);
	else if (r->sixel) {
		out->graphics = GRAPHICS_SIXEL;
		out->why = "the terminal says that it shows sixel";
	} else if ((env->screen && *env->screen) || starts(env->term, "screen"))
		out->why = "GNU screen passes no pictures on";
	else if (starts(r->name, "XTerm"))
		out->why = "this xterm does not emulate a terminal with sixel; start it with \"-ti "
			   "vt340\"";
	else
		out->why = "the terminal does not show sixel";
	if (is(env->term, "dumb"))
		out->graphics = GRAPHICS_NONE;
}

static bool decide_asked(const struct caps_env *env, struct term_caps *out)
{
	if (is(env->graphics, "sixel")) {
		out->graphics = GRAPHICS_SIXEL;
		out->why = "sixel is asked for (QUALM_GRAPHICS, or the option pictures)";
	} else if (is(env->graphics, "blocks") && env->unicode) {
		out->graphics = GRAPHICS_BLOCKS;
		out->why = "blocks are asked for (QUALM_GRAPHICS, or the option pictures)";
	} else if (is(env->graphics, "blocks")) {
		out->graphics = GRAPHICS_ASCII;
		out->why = "blocks are asked for, but the locale has no Unicode";
	} else if (is(env->graphics, "ascii")) {
		out->graphics = GRAPHICS_ASCII;
		out->why = "ASCII is asked for (QUALM_GRAPHICS, or the option pictures)";
	} else if (is(env->graphics, "none")) {
		out->graphics = GRAPHICS_NONE;
		out->why = "none are asked for (QUALM_GRAPHICS, or the option pictures)";
	} else {
		return false;
	}
	return true;
}

void caps_decide(const struct caps_env *env, const struct replies *r, struct term_caps *out)
{
	int version = tmux_version(r->name);

	*out = (struct term_caps){.colors = env->colors, .sync = r->sync, .probed = r->da1,
				  .background = r->has_background ? r->background : env->background};
	memcpy(out->name, r->name, sizeof out->name);
	cell_size(env, r, out);
	out->max_w = r->max_w ? r->max_w : DEFAULT_MAX;
	out->max_h = r->max_h ? r->max_h : DEFAULT_MAX;
	out->max_w = out->max_w > MEDIA_SIDE ? MEDIA_SIDE : out->max_w;
	out->max_h = out->max_h > MEDIA_SIDE ? MEDIA_SIDE : out->max_h;
	out->color_registers = r->registers ? r->registers : 256;
	out->konsole = starts(r->name, "Konsole");
	out->tmux = in_tmux(env, r);
	out->tmux_first_background = r->sixel && (version == 304 || version == 305);
	out->single = caps_passthrough(env, r);
	if (!decide_asked(env, out))
		decide_auto(env, r, out);
}
