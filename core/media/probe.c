#include "core/media/decode.h"

/* Numbers in the head; beyond its end everything is 0, so that a cut head says "unknown". */
static uint32_t byte_at(struct str s, size_t at)
{
	return at < s.n ? (uint8_t)s.p[at] : 0;
}

static uint32_t be16(struct str s, size_t at)
{
	return byte_at(s, at) << 8 | byte_at(s, at + 1);
}

static uint32_t be32(struct str s, size_t at)
{
	return be16(s, at) << 16 | be16(s, at + 2);
}

static uint32_t le16(struct str s, size_t at)
{
	return byte_at(s, at) | byte_at(s, at + 1) << 8;
}

static uint32_t le24(struct str s, size_t at)
{
	return le16(s, at) | byte_at(s, at + 2) << 16;
}

static uint32_t le32(struct str s, size_t at)
{
	return le16(s, at) | le16(s, at + 2) << 16;
}

static struct str slice(struct str s, size_t at, size_t n)
{
	if (at >= s.n)
		return STR_NONE;
	return (struct str){s.p + at, n < s.n - at ? n : s.n - at};
}

static bool has(struct str s, size_t at, struct str what)
{
	return str_eq(slice(s, at, what.n), what);
}

/* --- JPEG --- */

struct segment {
	uint8_t marker;
	struct str body; /* what of it is there */
};

/* The marker segment at *at; moves *at behind it. False at the picture's data or the end. */
static bool next_segment(struct str s, size_t *at, struct segment *out)
{
	uint32_t n;

	while (*at + 1 < s.n && byte_at(s, *at) == 0xff && byte_at(s, *at + 1) == 0xff)
		++*at; /* fill bytes */
	if (*at + 4 > s.n || byte_at(s, *at) != 0xff)
		return false;
	out->marker = (uint8_t)byte_at(s, *at + 1);
	if (out->marker == 0xda || out->marker == 0xd9)
		return false;
	n = be16(s, *at + 2);
	if (n < 2)
		return false;
	out->body = slice(s, *at + 4, n - 2);
	*at += 2 + (size_t)n;
	return true;
}

static bool is_frame(uint8_t marker)
{
	return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 &&
	       marker != 0xcc;
}

static void probe_frame(const struct segment *seg, struct media_facts *out)
{
	uint32_t components = byte_at(seg->body, 5);

	out->height = be16(seg->body, 1);
	out->width = be16(seg->body, 3);
	out->grey = components == 1;
	out->cmyk = components == 4;
	out->progressive = seg->marker != 0xc0 && seg->marker != 0xc1;
}

static void probe_jpeg(struct str s, struct media_facts *out)
{
	struct segment seg;
	size_t at = 2;

	while (next_segment(s, &at, &seg)) {
		if (seg.marker == 0xe1 && str_starts(seg.body, STR("Exif\0")))
			exif_orientation(slice(seg.body, 6, seg.body.n), out);
		else if (is_frame(seg.marker) && seg.body.n >= 6)
			probe_frame(&seg, out);
	}
}

bool jpeg_has_adobe_marker(struct str bytes)
{
	struct segment seg;
	size_t at = 2;

	while (next_segment(bytes, &at, &seg))
		if (seg.marker == 0xee && str_starts(seg.body, STR("Adobe")))
			return true;
	return false;
}

/* --- PNG, BMP, GIF --- */

static void probe_png(struct str s, struct media_facts *out)
{
	uint32_t colour = byte_at(s, 25);
	size_t at = 8;

	if (!has(s, 12, STR("IHDR")))
		return;
	out->width = be32(s, 16);
	out->height = be32(s, 20);
	out->grey = (colour & 3) == 0;
	out->alpha = colour & 4;
	while (at + 8 <= s.n && !has(s, at + 4, STR("IDAT"))) {
		uint32_t n = be32(s, at);

		if (has(s, at + 4, STR("tRNS")))
			out->alpha = true;
		if (has(s, at + 4, STR("eXIf")))
			exif_orientation(slice(s, at + 8, n), out);
		at += 12 + (size_t)n;
	}
}

static bool is_bmp(struct str s)
{
	uint32_t n = le32(s, 14);

	return has(s, 0, STR("BM")) && (n == 12 || (n >= 40 && n <= 124));
}

static void probe_bmp(struct str s, struct media_facts *out)
{
	uint32_t n = le32(s, 14), h = le32(s, 22);

	if (n == 12) {
		out->width = le16(s, 18);
		out->height = le16(s, 20);
		return;
	}
	out->width = le32(s, 18);
	out->height = h >> 31 ? 0 - h : h; /* negative: rows from the top */
	out->alpha = le16(s, 28) == 32 && n >= 56 && le32(s, 66) != 0;
}

static void probe_gif(struct str s, struct media_facts *out)
{
	out->width = le16(s, 6);
	out->height = le16(s, 8);
}

/* --- WebP --- */

/* The EXIF chunk stands behind the picture's data: it is found when the whole file is here. Some
 * writers put the JPEG's "Exif" in front of it. */
static void webp_exif(struct str s, struct media_facts *out)
{
	size_t at = 12;

	while (at + 8 <= s.n) {
		uint32_t n = le32(s, at + 4);

		if (has(s, at, STR("EXIF"))) {
			bool jpeg = has(s, at + 8, STR("Exif\0\0"));

			exif_orientation(slice(s, at + (jpeg ? 14 : 8), n - (jpeg ? 6 : 0)), out);
			return;
		}
		at += 8 + (size_t)n + (n & 1);
	}
}

static void probe_webp(struct str s, struct media_facts *out)
{
	if (has(s, 12, STR("VP8X"))) {
		out->width = 1 + le24(s, 24);
		out->height = 1 + le24(s, 27);
		out->alpha = byte_at(s, 20) & 0x10;
		if (byte_at(s, 20) & 0x08)
			webp_exif(s, out);
	} else if (has(s, 12, STR("VP8L")) && byte_at(s, 20) == 0x2f) {
		uint32_t bits = le32(s, 21);

		out->width = 1 + (bits & 0x3fff);
		out->height = 1 + (bits >> 14 & 0x3fff);
		out->alpha = bits >> 28 & 1;
	} else if (has(s, 12, STR("VP8 ")) && has(s, 23, STR("\x9d\x01\x2a"))) {
		out->width = le16(s, 26) & 0x3fff;
		out->height = le16(s, 28) & 0x3fff;
	}
}

/* --- which one it is --- */

/* Files of boxes: MP4 and QuickTime, but also HEIC and AVIF. */
static enum media_format box_format(struct str s)
{
	static const struct str stills[] = {{"heic", 4}, {"heix", 4}, {"heim", 4}, {"heis", 4},
					    {"mif1", 4}, {"msf1", 4}, {"avif", 4}, {"avis", 4}};
	static const struct str boxes[] = {{"moov", 4}, {"mdat", 4}, {"wide", 4}};

	if (has(s, 4, STR("ftyp"))) {
		for (size_t i = 0; i < sizeof stills / sizeof *stills; i++)
			if (has(s, 8, stills[i]))
				return MEDIA_FORMAT_HEIF;
		return MEDIA_FORMAT_VIDEO;
	}
	for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++)
		if (has(s, 4, boxes[i]))
			return MEDIA_FORMAT_VIDEO;
	return MEDIA_FORMAT_UNKNOWN;
}

static bool is_transport_stream(struct str s)
{
	return s.n > 376 && byte_at(s, 0) == 0x47 && byte_at(s, 188) == 0x47 &&
	       byte_at(s, 376) == 0x47;
}

static enum media_format video_format(struct str s)
{
	static const struct str starts[] = {
	    {"\x1a\x45\xdf\xa3", 4},                 /* Matroska, WebM */
	    {"FLV\x01", 4},                          /* Flash */
	    {"\x30\x26\xb2\x75\x8e\x66\xcf\x11", 8}, /* ASF, WMV */
	    {"\x00\x00\x01\xba", 4},                 /* MPEG program stream */
	    {"\x00\x00\x01\xb3", 4},                 /* MPEG video */
	    {"OggS", 4},
	};

	for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
		if (str_starts(s, starts[i]))
			return MEDIA_FORMAT_VIDEO;
	if (is_transport_stream(s) || (has(s, 0, STR("RIFF")) && has(s, 8, STR("AVI "))))
		return MEDIA_FORMAT_VIDEO;
	return box_format(s);
}

static enum media_format format_of(struct str s)
{
	if (has(s, 0, STR("\xff\xd8\xff")))
		return MEDIA_FORMAT_JPEG;
	if (has(s, 0, STR("\x89PNG\r\n\x1a\n")))
		return MEDIA_FORMAT_PNG;
	if (is_bmp(s))
		return MEDIA_FORMAT_BMP;
	if (has(s, 0, STR("GIF87a")) || has(s, 0, STR("GIF89a")))
		return MEDIA_FORMAT_GIF;
	if (has(s, 0, STR("RIFF")) && has(s, 8, STR("WEBP")))
		return MEDIA_FORMAT_WEBP;
	if (has(s, 0, STR("II*\0")) || has(s, 0, STR("MM\0*")))
		return MEDIA_FORMAT_TIFF;
	return video_format(s);
}

void media_probe(struct str head, uint64_t file_bytes, struct media_facts *out)
{
	*out = (struct media_facts){.bytes = file_bytes, .orientation = 1};
	out->format = format_of(head);
	switch (out->format) {
	case MEDIA_FORMAT_JPEG:
		probe_jpeg(head, out);
		break;
	case MEDIA_FORMAT_PNG:
		probe_png(head, out);
		break;
	case MEDIA_FORMAT_BMP:
		probe_bmp(head, out);
		break;
	case MEDIA_FORMAT_GIF:
		probe_gif(head, out);
		break;
	case MEDIA_FORMAT_WEBP:
		probe_webp(head, out);
		break;
	case MEDIA_FORMAT_TIFF:
		tiff_facts(head, out);
		break;
	case MEDIA_FORMAT_UNKNOWN:
	case MEDIA_FORMAT_VIDEO:
	case MEDIA_FORMAT_HEIF:
		break;
	}
}

const char *media_format_word(enum media_format f)
{
	static const char *const words[] = {
	    [MEDIA_FORMAT_UNKNOWN] = "unknown", [MEDIA_FORMAT_JPEG] = "JPEG",
	    [MEDIA_FORMAT_PNG] = "PNG",         [MEDIA_FORMAT_BMP] = "BMP",
	    [MEDIA_FORMAT_GIF] = "GIF",         [MEDIA_FORMAT_WEBP] = "WebP",
	    [MEDIA_FORMAT_TIFF] = "TIFF",       [MEDIA_FORMAT_VIDEO] = "video",
	    [MEDIA_FORMAT_HEIF] = "HEIF",
	};

	return (size_t)f < sizeof words / sizeof *words ? words[f] : "unknown";
}
