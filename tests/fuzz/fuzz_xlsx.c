/* Archives as they come, and workbooks of a sheet and shared strings, with a NUL between the two. */
#include "core/reader/table.h"
#include "core/text/archive.h"
#include "core/text/csv.h"
#include "core/text/xlsx.h"
#include "tests/fixtures/zip_make.h"
#include "tests/fuzz/fuzz_sink.h"

static int file_of(struct str bytes)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	FUZZ_CHECK(fd >= 0 && (!bytes.n || write(fd, bytes.p, bytes.n) == (ssize_t)bytes.n));
	return fd;
}

/* What comes out of a sheet are rows that csv reads. */
static void check_table(struct str table)
{
	struct err err = ERR_INIT;
	struct input in;
	struct csv *csv;
	struct csv_row row;
	bool more = true;

	if (!fuzz_input(&in, table, 0))
		return; /* looks like UTF-16 */
	csv = csv_new(&in, ',');
	while (more)
		FUZZ_CHECK(csv_next(csv, &row, &more, &err) == OK);
	csv_free(csv);
	input_close(&in);
}

static void read_sheet(struct str archive)
{
	struct err err = ERR_INIT;
	struct buf table = BUF_INIT;
	int fd = file_of(archive);
	enum status st = xlsx_table(fd, &table, &err);

	FUZZ_CHECK(!st == !*err.msg);
	if (!st)
		check_table(buf_view(&table));
	buf_release(&table);
	close(fd);
}

static void read_members(struct str archive)
{
	struct err err = ERR_INIT;
	struct buf bytes = BUF_INIT;
	int fd = file_of(archive);
	struct archive *a = archive_open(fd, &err);

	FUZZ_CHECK(!a == !!*err.msg);
	for (size_t i = 0; a && i < archive_n(a) && i < 16; i++) {
		struct err why = ERR_INIT;

		FUZZ_CHECK(archive_read(a, i, 1 << 16, &bytes, &why) != OK || bytes.n <= 1 << 16);
	}
	archive_close(a);
	buf_release(&bytes);
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str bytes = fuzz_str(data, size), sheet;
	struct zip_made zip = {0};

	if (str_starts(bytes, STR("PK"))) {
		read_members(bytes);
		read_sheet(bytes);
		fuzz_reader(&reader_inspect, bytes, 0);
		return 0;
	}
	bytes = str_cut(bytes, '\0', &sheet);
	zip_add(&zip, "xl/worksheets/sheet1.xml", sheet);
	if (bytes.p)
		zip_add(&zip, "xl/sharedStrings.xml", bytes);
	read_sheet(zip_end(&zip));
	zip_made_release(&zip);
	return 0;
}
