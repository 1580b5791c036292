/* GIF by giflib: the first picture, on the background where it is transparent. Runs in the decode
 * process; every size is checked before memory is taken for it. */
#include "core/media/decode.h"

#ifdef HAVE_GIF
#include <gif_lib.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"

struct gif {
	GifFileType *file;
	struct str rest; /* what giflib has not read yet */
	int transparent; /* colour of the first picture, -1: none */
	uint32_t w, h;   /* of the canvas */
	uint8_t *rgba;
};

static int read_bytes(GifFileType *file, GifByteType *to, int n)
{
	struct gif *g = file->UserData;
	size_t k = n < 0 ? 0 : (size_t)n < g->rest.n ? (size_t)n : g->rest.n;

	memcpy(to, g->rest.p, k);
	g->rest.p += k;
	g->rest.n -= k;
	return (int)k;
}

static enum status damaged(const struct gif *g, struct err *err)
{
	const char *why = g->file ? GifErrorString(g->file->Error) : NULL;

	return err_set(err, E_FORMAT, "the GIF is damaged (%s)", why ? why : "no reason given");
}

static bool skip_extension(struct gif *g)
{
	GraphicsControlBlock control;
	GifByteType *block = NULL;
	int code;

	if (DGifGetExtension(g->file, &code, &block) == GIF_ERROR)
		return false;
	while (block) {
		if (code == GRAPHICS_EXT_FUNC_CODE &&
		    DGifExtensionToGCB(block[0], block + 1, &control) == GIF_OK)
			g->transparent = control.TransparentColor;
		if (DGifGetExtensionNext(g->file, &block) == GIF_ERROR)
			return false;
	}
	return true;
}

/* Goes on to the first picture. */
static enum status find_image(struct gif *g, struct err *err)
{
	GifRecordType type;

	for (;;) {
		if (DGifGetRecordType(g->file, &type) == GIF_ERROR)
			return damaged(g, err);
		if (type == IMAGE_DESC_RECORD_TYPE)
			return DGifGetImageDesc(g->file) == GIF_OK ? OK : damaged(g, err);
		if (type == TERMINATE_RECORD_TYPE)
			return err_set(err, E_FORMAT, "the GIF has no picture in it");
		if (type == EXTENSION_RECORD_TYPE && !skip_extension(g))
			return damaged(g, err);
	}
}

/* What lies outside of the canvas is left away. */
static void put_line(struct gif *g, const GifPixelType *line, const ColorMapObject *map, uint32_t y)
{
	const GifImageDesc *at = &g->file->Image;

	for (uint32_t x = 0; x < (uint32_t)at->Width && (uint32_t)at->Left + x < g->w; x++) {
		uint8_t *to = g->rgba + ((size_t)y * g->w + (uint32_t)at->Left + x) * 4;
		const GifColorType *c = line[x] < map->ColorCount ? &map->Colors[line[x]] : NULL;

		if (!c || line[x] == g->transparent)
			continue;
		to[0] = c->Red;
		to[1] = c->Green;
		to[2] = c->Blue;
		to[3] = 255;
	}
}

/* Rows come in four passes when the picture is interlaced. False where the data ends. */
static bool read_lines(struct gif *g, const ColorMapObject *map, GifPixelType *line)
{
	static const struct {
		int from, step;
	} passes[] = {{0, 8}, {4, 8}, {2, 4}, {1, 2}, {0, 1}};
	const GifImageDesc *at = &g->file->Image;
	int pass = at->Interlace ? 0 : 4, last = at->Interlace ? 3 : 4;

	for (; pass <= last; pass++)
		for (int y = passes[pass].from; y < at->Height; y += passes[pass].step) {
			if (DGifGetLine(g->file, line, at->Width) == GIF_ERROR)
				return false;
			if ((uint32_t)at->Top + (uint32_t)y < g->h)
				put_line(g, line, map, (uint32_t)at->Top + (uint32_t)y);
		}
	return true;
}

static enum status read_image(struct gif *g, struct decoded *out, struct err *err)
{
	const GifImageDesc *at = &g->file->Image;
	const ColorMapObject *map = at->ColorMap ? at->ColorMap : g->file->SColorMap;
	struct media_facts size = {.format = MEDIA_FORMAT_GIF,
				   .width = (uint32_t)at->Width,
				   .height = (uint32_t)at->Height};
	GifPixelType *line;
	enum status rc = decode_check_size(&size, err);

	if (rc)
		return rc;
	if (!map || at->Left < 0 || at->Top < 0)
		return err_set(err, E_FORMAT, "the GIF is damaged (no colours)");
	g->rgba = mem_try((size_t)g->w * g->h * 4);
	line = mem_try((size_t)at->Width * sizeof *line);
	if (g->rgba && line) {
		memset(g->rgba, 0, (size_t)g->w * g->h * 4);
		out->partial = !read_lines(g, map, line);
	} else {
		rc = err_set(err, E_MEMORY, "no memory for %u × %u pixels", g->w, g->h);
	}
	free(line);
	return rc;
}

static enum status open_gif(struct gif *g, struct err *err)
{
	struct media_facts size = {.format = MEDIA_FORMAT_GIF};
	int code = 0;

	g->file = DGifOpen(g, read_bytes, &code);
	if (!g->file)
		return err_set(err, E_FORMAT, "the GIF's header is damaged");
	g->w = size.width = g->file->SWidth > 0 ? (uint32_t)g->file->SWidth : 0;
	g->h = size.height = g->file->SHeight > 0 ? (uint32_t)g->file->SHeight : 0;
	return decode_check_size(&size, err);
}

enum status gif_decode(struct str bytes, const struct decode_want *want, struct decoded *out,
		       struct err *err)
{
	struct gif g = {.rest = bytes, .transparent = -1};
	struct samples samples = {.n = 4};
	enum status rc = open_gif(&g, err);

	if (rc == OK)
		rc = find_image(&g, err);
	if (rc == OK)
		rc = read_image(&g, out, err);
	if (rc == OK) {
		samples.p = g.rgba;
		samples.w = g.w;
		samples.h = g.h;
		rc = reduce_to_want(&samples, want, out, err);
	}
	free(g.rgba);
	if (g.file)
		DGifCloseFile(g.file, NULL);
	return rc;
}
#else
enum status gif_decode(struct str bytes, const struct decode_want *want, struct decoded *out,
		       struct err *err)
{
	(void)bytes, (void)want, (void)out;
	return err_set(err, E_UNSUPPORTED, "GIF pictures are not shown: this build has no giflib");
}
#endif
