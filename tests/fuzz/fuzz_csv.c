/* Rows over blocks of every small size; rows written and read again. */
#include "core/text/csv.h"
#include "tests/fuzz/fuzz.h"

static void show_rows(struct input *in, struct buf *out)
{
	char delimiter = csv_guess_delimiter(buf_view(&in->head));
	struct csv *c = csv_new(in, delimiter ? delimiter : ',');
	struct csv_row row;
	bool more = true;

	while (more) {
		struct err err = ERR_INIT;
		enum status st = csv_next(c, &row, &more, &err);

		FUZZ_CHECK(st == OK || st == E_FORMAT);
		if (st == E_FORMAT) {
			more = true;
			buf_z(out, err.msg);
			continue;
		}
		buf_printf(out, "%llu %llu %zu ", (unsigned long long)row.line,
			   (unsigned long long)row.byte, row.n);
		for (size_t i = 0; i < row.n; i++) {
			buf_str(out, row.field[i]);
			buf_ch(out, '|');
		}
	}
	csv_free(c);
}

/* Every row as CSV again behind a first line (which keeps byte order marks inside). */
static void rewrite(struct str text, struct buf *out)
{
	struct err err = ERR_INIT;
	struct csv_row row;
	struct input in;
	struct csv *c;
	bool more = true;

	if (!fuzz_input(&in, text, 0))
		return;
	c = csv_new(&in, ',');
	buf_z(out, "first\n");
	while (more) {
		if (csv_next(c, &row, &more, &err) != OK) {
			more = true;
			continue;
		}
		if (!more ||
		    (row.n == 1 && (row.field[0].n == 0 || str_eqz(row.field[0], "first"))))
			continue;
		for (size_t i = 0; i < row.n; i++) {
			if (i)
				buf_ch(out, ',');
			csv_quote(out, row.field[i], ',');
		}
		buf_ch(out, '\n');
	}
	csv_free(c);
	input_close(&in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = fuzz_str(data, size);
	struct buf once = BUF_INIT, twice = BUF_INIT;

	fuzz_blocks(text, show_rows);
	rewrite(text, &once);
	if (once.n)
		rewrite(buf_view(&once), &twice);
	FUZZ_CHECK(str_eq(buf_view(&once), buf_view(&twice)));
	buf_release(&once);
	buf_release(&twice);
	return 0;
}
