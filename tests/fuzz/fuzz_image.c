/* Headers of every format; then, for small pictures, all that is done with one up to the cells. */
#include "core/media/decode.h"
#include "tests/fuzz/fuzz.h"

#define PIXELS_MAX (1u << 16) /* a few bytes can ask for seconds of work; here they get no answer  \
			       */

static void check_facts(const struct media_facts *f)
{
	FUZZ_CHECK(f->orientation >= 1 && f->orientation <= 8);
	FUZZ_CHECK(f->format <= MEDIA_FORMAT_HEIF);
	FUZZ_CHECK(f->format != MEDIA_FORMAT_UNKNOWN || (f->width == 0 && f->height == 0));
}

static void check_refusal(enum status rc, const struct err *err)
{
	FUZZ_CHECK(rc == E_FORMAT || rc == E_LIMIT || rc == E_UNSUPPORTED || rc == E_MEMORY);
	FUZZ_CHECK(err->code == rc && err->msg[0]);
}

static void show(struct pixels *p, int orientation)
{
	struct block_cell cells[8 * 3];
	struct pixels scaled;
	struct err err = ERR_INIT;

	FUZZ_CHECK(media_scale(p, 13, 11, &scaled, &err) == OK);
	FUZZ_CHECK(pixels_orient(p, orientation, &err) == OK);
	FUZZ_CHECK(blocks_render(p, BLOCKS_QUADRANT, 8, 3, (struct media_rgb){0, 0, 0}, cells,
				 &err) == OK);
	pixels_release(&scaled);
}

static void decode(struct str bytes, struct decode_want want, int orientation)
{
	struct decoded d;
	struct err err = ERR_INIT;
	enum status rc = decode_bytes(bytes, &want, &d, &err);

	if (rc) {
		check_refusal(rc, &err);
		return;
	}
	FUZZ_CHECK(d.step >= 1 && d.px.w >= 1 && d.px.h >= 1);
	show(&d.px, orientation);
	pixels_release(&d.px);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str bytes = fuzz_str(data, size);
	struct media_facts facts;

	media_probe(bytes, size, &facts);
	check_facts(&facts);
	jpeg_has_adobe_marker(bytes);
	if (facts.width > PIXELS_MAX || facts.height > PIXELS_MAX ||
	    (uint64_t)facts.width * facts.height > PIXELS_MAX)
		return 0;
	decode(bytes, (struct decode_want){256, 256, {10, 20, 30}}, facts.orientation);
	decode(bytes, (struct decode_want){7, 5, {0, 0, 0}}, facts.orientation);
	return 0;
}
