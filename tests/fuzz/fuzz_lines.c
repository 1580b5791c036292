/* Lines over blocks of every small size, with a low ceiling too; the same bytes as ini. */
#include "core/text/ini.h"
#include "tests/fuzz/fuzz.h"

static void show(struct input *in, size_t max, struct buf *out)
{
	struct err err = ERR_INIT;
	struct lines l;
	struct line line;
	bool more = true;

	lines_init(&l, in);
	if (max)
		l.max = max;
	while (lines_next(&l, &line, &more, &err) == OK && more) {
		buf_printf(out, "%llu %llu %d ", (unsigned long long)line.number,
			   (unsigned long long)line.byte, line.too_long);
		buf_str(out, line.text);
	}
	FUZZ_CHECK(err.code == OK);
	lines_release(&l);
}

static void show_whole(struct input *in, struct buf *out)
{
	show(in, 0, out);
}

static void show_short(struct input *in, struct buf *out)
{
	show(in, 10, out);
}

static enum status show_entry(void *ctx, const char *section, const char *name, const char *value,
			      unsigned line, struct err *err)
{
	if (strcmp(name, "refuse") == 0)
		return err_set(err, E_USAGE, "refused");
	buf_printf(ctx, "%u %s %s %s", line, section, name, value);
	return OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err err = ERR_INIT;
	struct buf out = BUF_INIT;

	fuzz_blocks(fuzz_str(data, size), show_whole);
	fuzz_blocks(fuzz_str(data, size), show_short);
	FUZZ_CHECK((ini_read(fuzz_str(data, size), show_entry, &out, &err) == OK) == !err.msg[0]);
	buf_release(&out);
	return 0;
}
