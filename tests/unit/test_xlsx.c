/* Workbooks and archives, made by code; what XML there is in them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/text/archive.h"
#include "core/text/input.h"
#include "core/text/xlsx.h"
#include "core/text/xml.h"
#include "tests/fixtures/zip_make.h"

#define BYTES(lit) {(lit), sizeof(lit) - 1}

static int file_of(struct str bytes)
{
	int fd = memfd_create("test", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes.p, bytes.n), bytes.n);
	return fd;
}

static void show_tags(struct str text, struct buf *out)
{
	struct xml_tag tag;
	struct xml x;

	xml_init(&x, text);
	while (xml_next(&x, &tag)) {
		buf_ch(out, '[');
		xml_text(tag.before, out);
		buf_printf(out, "]%s%.*s%s", tag.close ? "/" : "", STR_ARG(tag.name),
			   tag.empty ? "/" : "");
		if (xml_attribute(&tag, "r:a").p)
			buf_printf(out, "(%.*s)", STR_ARG(xml_attribute(&tag, "r:a")));
	}
}

static void tags_and_texts(void **state)
{
	static const struct {
		struct str text;
		const char *shown;
	} cases[] = {
	    {BYTES(""), ""},
	    {BYTES("<?xml version=\"1.0\"?><a>x</a>"), "[]a[x]/a"},
	    {BYTES("<n:a r:a='1' b=\">\" /> &lt;&#65;&#x42;&gt;&amp;&quot;&apos;<b/>"),
	     "[]a/(1)[ <AB>&\"']b/"},
	    {BYTES("<!-- <b> > --><a r:a = \"2\">&nope; &#0; &#xD800; &#1114112; & &amp</a>"),
	     "[]a(2)[&nope; &#0; &#xD800; &#1114112; & &amp]/a"},
	    {BYTES("<a r:a=1><b r:a=\"x>"), "[]a"},
	    /* a document type is no more than text: nothing in it is followed */
    {BYTES("<!DOCTYPE x [<!ENTITY y \"z\">]><a>&y;</a>"), "[]>]a[&y;]/a"},
	    {BYTES("<><//><a"), "[][]//"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf out = BUF_INIT;

		show_tags(cases[i].text, &out);
		assert_string_equal(buf_cstr(&out), cases[i].shown);
		buf_release(&out);
	}
}

static void nothing_but_archives(void **state)
{
	(void)state;
	assert_false(archive_is(STR("PK\003\004")));
	assert_false(xlsx_is(STR("id,label\n1,joy\n1,joy\n1,joy\n1,joy\n")));
	assert_int_equal(archive_first_name(STR("PK\003\004 too short for the name that it has....")).n,
			 0);
}

static const struct {
	struct str sheet, strings;
	const char *table; /* or the message */
} sheets[] = {
    {BYTES("<sheetData><row r=\"1\"><c r=\"A1\" t=\"s\"><v>1</v></c><c r=\"B1\" t=\"inlineStr\"><is>"
	   "<t>x, y</t></is></c></row><row r=\"3\"><c r=\"B3\"><v>1.50</v></c></row></sheetData>"),
     BYTES("<sst><si><t>no</t></si><si><r><t>in</t></r><r><t xml:space=\"preserve\">dex </t></r>"
	   "<rPh><t>reading</t></rPh></si></sst>"),
     "\"index \",\"x, y\"\n\"\",\"1.50\"\n"},
    {BYTES("<row><c t=\"b\"><v>1</v></c><c t=\"b\"><v>0</v></c><c t=\"e\"><v>#N/A</v></c>"
	   "<c t=\"str\"><f>A1</f><v>say \"hi\"</v></c></row>"),
     {NULL, 0},
     "\"True\",\"False\",\"#N/A\",\"say \"\"hi\"\"\"\n"},
    {BYTES("<x:row><x:c r=\"A1\"><x:v>a_x000D__x005F_x000A_</x:v></x:c></x:row><row/><row></row>"
	   "<row><c r=\"C9\"/></row><row><c r=\"D2\"><v>z</v></c></row>"),
     {NULL, 0},
     "\"a\r_x000A_\"\n\"\",\"\",\"\",\"z\"\n"},
    {BYTES("<row><c t=\"s\"><v>7</v></c><c><v>k</v></c></row>"), {NULL, 0}, "\"\",\"k\"\n"},
    {BYTES("<row><c r=\"B1\"><v>1</v></c><c r=\"A1\"><v>2</v></c></row>"), {NULL, 0},
     "\"\",\"1\",\"2\"\n"},
    {BYTES("<row><c r=\"ZZZ1\"><v>1</v></c></row>"), {NULL, 0}, "more than 4096 columns"},
    {BYTES("<row><c><v>1</v>"), {NULL, 0}, "\"1\"\n"},
    {BYTES(""), {NULL, 0}, ""},
};

static void sheets_become_tables(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof sheets / sizeof *sheets; i++) {
		struct zip_made zip = {0};
		struct buf table = BUF_INIT;
		struct err err = ERR_INIT;
		int fd;

		zip_add(&zip, "xl/worksheets/sheet1.xml", sheets[i].sheet);
		if (sheets[i].strings.p)
			zip_add(&zip, "xl/sharedStrings.xml", sheets[i].strings);
		fd = file_of(zip_end(&zip));
		assert_true(xlsx_is(buf_view(&zip.bytes)));
		if (xlsx_table(fd, &table, &err) == OK)
			assert_string_equal(buf_cstr(&table), sheets[i].table);
		else
			assert_non_null(strstr(err.msg, sheets[i].table));
		close(fd);
		buf_release(&table);
		zip_made_release(&zip);
	}
}

/* The first sheet is the one that the workbook names first, wherever it lies. */
static void the_workbook_says_which_sheet(void **state)
{
	struct zip_made zip = {0};
	struct buf table = BUF_INIT;
	struct err err = ERR_INIT;
	int fd;

	(void)state;
	zip_add(&zip, "[Content_Types].xml", STR("<Types/>"));
	zip_add(&zip, "xl/workbook.xml",
		STR("<workbook><sheets><sheet name=\"b\" r:id=\"rId7\"/><sheet name=\"a\" r:id=\"rId1\"/>"
		    "</sheets></workbook>"));
	zip_add(&zip, "xl/_rels/workbook.xml.rels",
		STR("<Relationships><Relationship Id=\"rId1\" Type=\"t/worksheet\" "
		    "Target=\"worksheets/sheet1.xml\"/><Relationship Id=\"rId7\" Type=\"t/worksheet\" "
		    "Target=\"/xl/other/b.xml\"/><Relationship Id=\"r\" Type=\"t/sharedStrings\" "
		    "Target=\"texts.xml\"/></Relationships>"));
	zip_add(&zip, "xl/worksheets/sheet1.xml", STR("<row><c><v>wrong</v></c></row>"));
	zip_add(&zip, "xl/other/b.xml", STR("<row><c t=\"s\"><v>0</v></c></row>"));
	zip_add(&zip, "xl/texts.xml", STR("<sst><si><t>right</t></si></sst>"));
	fd = file_of(zip_end(&zip));
	assert_int_equal(xlsx_table(fd, &table, &err), OK);
	assert_string_equal(buf_cstr(&table), "\"right\"\n");
	close(fd);
	buf_release(&table);
	zip_made_release(&zip);
}

/* An input over a workbook is one over its table; rows are lines. */
static void an_input_hands_out_the_table(void **state)
{
	char path[] = "/tmp/qualm-xlsx-XXXXXX";
	struct zip_made zip = {0};
	struct err err = ERR_INIT;
	struct input in;
	struct lines lines;
	struct line line;
	bool more;
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	zip_add(&zip, "xl/worksheets/sheet1.xml",
		STR("<row><c><v>id</v></c></row><row><c><v>1</v></c></row>"));
	zip_end(&zip);
	assert_int_equal(write(fd, zip.bytes.p, zip.bytes.n), zip.bytes.n);
	close(fd);
	assert_int_equal(input_open(&in, path, &err), OK);
	assert_string_equal(buf_cstr(&in.head), "\"id\"\n\"1\"\n");
	lines_init(&lines, &in);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(lines_next(&lines, &line, &more, &err), OK);
		assert_true(more && line.number == (uint64_t)i + 1);
	}
	assert_int_equal(lines_next(&lines, &line, &more, &err), OK);
	assert_false(more);
	lines_release(&lines);
	input_close(&in);
	unlink(path);
	zip_made_release(&zip);
}

static void archives_have_ceilings(void **state)
{
	struct zip_made zip = {0};
	struct buf out = BUF_INIT;
	struct err err = ERR_INIT;
	struct archive *a;
	int fd;

	(void)state;
	zip_add(&zip, "a", STR("12345"));
	zip_add(&zip, "b", STR("1234"));
	zip_end(&zip);
	zip.bytes.p[31] ^= 1; /* a's first byte: its checksum no longer fits */
	fd = file_of(buf_view(&zip.bytes));
	a = archive_open(fd, &err);
	assert_non_null(a);
	assert_int_equal(archive_n(a), 2);
	assert_int_equal(archive_find(a, "b"), 1);
	assert_int_equal(archive_find(a, "c"), SIZE_MAX);
	assert_int_equal(archive_read(a, 1, 4, &out, &err), OK);
	assert_string_equal(buf_cstr(&out), "1234");
	assert_int_equal(archive_read(a, 1, 3, &out, &err), E_LIMIT);
	err_clear(&err);
	assert_int_equal(archive_read(a, 0, 100, &out, &err), E_FORMAT);
	archive_close(a);
	close(fd);
	fd = file_of(STR("PK\003\004 and then nothing that is an archive"));
	err_clear(&err);
	assert_null(archive_open(fd, &err));
	assert_int_equal(err.code, E_FORMAT);
	close(fd);
	buf_release(&out);
	zip_made_release(&zip);
}

static void without_libzip_it_says_so(void **state)
{
	struct zip_made zip = {0};
	struct buf table = BUF_INIT;
	struct err err = ERR_INIT;
	int fd;

	(void)state;
	zip_add(&zip, "xl/worksheets/sheet1.xml", STR("<row/>"));
	fd = file_of(zip_end(&zip));
	assert_int_equal(xlsx_table(fd, &table, &err), E_UNSUPPORTED);
	assert_non_null(strstr(err.msg, "libzip"));
	close(fd);
	buf_release(&table);
	zip_made_release(&zip);
}

int main(void)
{
	const struct CMUnitTest with[] = {
	    cmocka_unit_test(tags_and_texts),
	    cmocka_unit_test(nothing_but_archives),
	    cmocka_unit_test(sheets_become_tables),
	    cmocka_unit_test(the_workbook_says_which_sheet),
	    cmocka_unit_test(an_input_hands_out_the_table),
	    cmocka_unit_test(archives_have_ceilings),
	};
	const struct CMUnitTest without[] = {
	    cmocka_unit_test(tags_and_texts),
	    cmocka_unit_test(nothing_but_archives),
	    cmocka_unit_test(without_libzip_it_says_so),
	};

	return archive_library() ? cmocka_run_group_tests_name("workbooks", with, NULL, NULL)
				 : cmocka_run_group_tests_name("workbooks", without, NULL, NULL);
}
