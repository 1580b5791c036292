#include <stdio.h>
#include <stdlib.h>

#include "core/media/media.h"
#include "tui/cmd.h"

#define DEFAULT_W      640
#define DEFAULT_H      480
#define DEFAULT_COLORS 128
#define SIDE_MAX       4096 /* of a sixel */

struct preview {
	uint32_t w, h;
	int colors;
	bool dither;
};

static int complain(const struct err *err)
{
	fprintf(stderr, "qualm: %s\n", err->msg);
	return err->code == E_USAGE ? EXIT_USAGE : EXIT_DATA;
}

static bool parse_size(const char *text, uint32_t *w, uint32_t *h)
{
	struct str left, right = str_cut(str_z(text), 'x', &left);
	int64_t a, b;

	if (!str_int(left, &a) || !right.p || !str_int(right, &b))
		return false;
	if (a < 6 || b < 6 || a > SIDE_MAX || b > SIDE_MAX)
		return false;
	*w = (uint32_t)a;
	*h = (uint32_t)b;
	return true;
}

static enum status parse(const struct cmd_args *args, struct preview *p, struct err *err)
{
	const char *size = cmd_option(args, "size"), *colors = cmd_option(args, "colors");
	int64_t n = DEFAULT_COLORS;

	*p = (struct preview){DEFAULT_W, DEFAULT_H, DEFAULT_COLORS, true};
	if (args->n_words != 1)
		return err_set(err, E_USAGE, "preview wants one IMAGE");
	if (size && !parse_size(size, &p->w, &p->h))
		return err_set(err, E_USAGE, "--size wants WxH in pixels, 6 to %d each, not '%s'",
			       SIDE_MAX, size);
	if (colors && (!str_int(str_z(colors), &n) || n < 2 || n > 256))
		return err_set(err, E_USAGE, "--colors wants a number from 2 to 256, not '%s'",
			       colors);
	p->colors = (int)n;
	p->dither = !cmd_option(args, "no-dither");
	return OK;
}

static uint32_t whole_bands(uint32_t h, uint32_t max)
{
	uint32_t up = (h + 5) / 6 * 6;

	return up <= max ? up : max;
}

static enum status encode(struct cli *cli, const char *path, const struct preview *p,
			  struct buf *out, struct err *err)
{
	struct media_rgb black = {0, 0, 0};
	struct sixel_options opt = {.colors = p->colors, .dither = p->dither, .background = black};
	struct decoder *decoder = decoder_new(cli->self);
	struct media_facts facts;
	struct pixels px;
	enum status rc =
	    media_load(path, p->w, p->h, 1, black, decoder, cli->cancel, &facts, &px, err);

	if (rc == OK) {
		if (facts.partial)
			fprintf(stderr, "qualm: %s is cut off or damaged: what is there is shown\n",
				path);
		opt.pad_w = px.w < 6 ? 6 : px.w;
		opt.pad_h = whole_bands(px.h, p->h);
		rc = sixel_encode_pixels(&px, &opt, out, err);
		pixels_release(&px);
	} else if (rc != E_CANCELLED) {
		err_prefix(err, "%s", path);
	}
	decoder_free(decoder);
	return rc;
}

static int preview(struct cli *cli, const struct cmd_args *args)
{
	struct err err = ERR_INIT;
	struct buf out = BUF_INIT;
	struct preview p;
	enum status rc = parse(args, &p, &err);

	if (rc == OK)
		rc = encode(cli, args->words[0], &p, &out, &err);
	if (rc == OK && cli->stdout_tty)
		buf_ch(&out, '\n'); /* the prompt goes below the picture */
	if (rc == OK)
		fwrite(out.p, 1, out.n, stdout); /* what fails is told at the end of the program */
	buf_release(&out);
	return rc ? complain(&err) : EXIT_OK;
}

static const struct cmd_option options[] = {
    {"size", "WxH", "the box to fit into, in pixels (default 640x480); never enlarged", false},
    {"colors", "N", "colours of the palette, 2 to 256 (default 128)", false},
    {"no-dither", NULL, "only the nearest colours: quicker, smaller, with bands", false},
    {NULL, NULL, NULL, false},
};

const struct command cmd_preview = {
    .name = "preview",
    .args = "IMAGE",
    .help = "Write a picture as sixel to standard output, even into a pipe.",
    .group = "Pictures",
    .options = options,
    .shell = preview,
};
