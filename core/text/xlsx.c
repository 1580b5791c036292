#include "core/text/xlsx.h"

#include "core/base/utf8.h"
#include "core/base/vec.h"
#include "core/text/archive.h"
#include "core/text/xml.h"

struct text_at {
	size_t at, n;
};

struct book {
	struct archive *zip;
	struct buf part;	/* the one that is read */
	struct buf strings;	/* shared ones, decoded, one behind the other */
	VEC(struct text_at) at; /* in strings */
	struct buf cell;
	struct buf *out;
	size_t n_columns; /* of the first row */
};

bool xlsx_is(struct str head)
{
	struct str first = archive_first_name(head);

	return str_eqz(first, "[Content_Types].xml") || str_starts(first, STR("xl/")) ||
	       str_starts(first, STR("_rels/")) || str_starts(first, STR("docProps/"));
}

/* --- parts --- */

static enum status read_part(struct book *b, const char *name, struct err *err)
{
	size_t i = archive_find(b->zip, name);

	if (i == SIZE_MAX)
		return err_set(err, E_FORMAT, "the workbook has no %s in it", name);
	return archive_read(b->zip, i, XLSX_MAX_PART, &b->part, err);
}

/* r:id of the first <sheet> of the workbook; owned by the caller, NULL: there is none. */
static char *first_sheet_id(struct book *b)
{
	struct err ignored = ERR_INIT;
	struct xml_tag tag;
	struct xml x;

	if (read_part(b, "xl/workbook.xml", &ignored))
		return NULL;
	xml_init(&x, buf_view(&b->part));
	while (xml_next(&x, &tag))
		if (str_eqz(tag.name, "sheet") && !tag.close) {
			struct str id = xml_attribute(&tag, "r:id");

			return id.p ? xstrndup(id.p, id.n) : NULL;
		}
	return NULL;
}

/* "worksheets/sheet1.xml" is below xl/, "/xl/worksheets/sheet1.xml" is whole. */
static char *part_name(struct str target)
{
	if (target.n && target.p[0] == '/')
		return xstrndup(target.p + 1, target.n - 1);
	return xasprintf("xl/%.*s", (int)(target.n < 1000 ? target.n : 1000), target.p);
}

/* The part that has this id, or whose type ends so; a usual name when nothing tells. */
static char *find_part(struct book *b, const char *id, const char *type, const char *usual)
{
	struct err ignored = ERR_INIT;
	struct xml_tag tag;
	struct xml x;

	if (read_part(b, "xl/_rels/workbook.xml.rels", &ignored))
		return xstrdup(usual);
	xml_init(&x, buf_view(&b->part));
	while (xml_next(&x, &tag)) {
		struct str target = xml_attribute(&tag, "Target");

		if (!target.n || !str_eqz(tag.name, "Relationship"))
			continue;
		if (id ? str_eqz(xml_attribute(&tag, "Id"), id)
		       : str_ends(xml_attribute(&tag, "Type"), str_z(type)))
			return part_name(target);
	}
	return xstrdup(usual);
}

/* --- texts --- */

/* "_x000D_" is how a workbook writes a carriage return and other characters. */
static size_t escaped(struct str s, char out[4])
{
	uint32_t cp = 0;

	if (s.n < 7 || s.p[0] != '_' || s.p[1] != 'x' || s.p[6] != '_')
		return 0;
	for (size_t i = 2; i < 6; i++) {
		unsigned char c = (unsigned char)s.p[i];
		unsigned digit = c >= '0' && c <= '9' ? c - (unsigned)'0' : (c | 32u) - 'a' + 10;

		if (digit > 15)
			return 0;
		cp = cp * 16 + digit;
	}
	return cp && !(cp >= 0xd800 && cp < 0xe000) ? utf8_encode(cp, out) : 0;
}

static void put_text(struct str raw, struct buf *out)
{
	size_t from = out->n, kept = from;
	char bytes[4];

	xml_text(raw, out);
	for (size_t i = from; i < out->n; i++) {
		size_t n = out->p[i] == '_' ? escaped((struct str){out->p + i, out->n - i}, bytes) : 0;

		if (n) {
			memcpy(out->p + kept, bytes, n); /* shorter than what it stands for */
			kept += n;
			i += 6;
		} else {
			out->p[kept++] = out->p[i];
		}
	}
	if (out->p)
		out->n = kept;
}

/* The <t> texts of a shared or inline string, without readings (<rPh>); up to the closing `end`. */
static void take_string(struct xml *x, const char *end, struct buf *out)
{
	struct xml_tag tag;
	bool reading = false;

	while (xml_next(x, &tag)) {
		if (str_eqz(tag.name, "t") && tag.close && !reading)
			put_text(tag.before, out);
		else if (str_eqz(tag.name, "rPh"))
			reading = !tag.close && !tag.empty;
		else if (str_eqz(tag.name, end) && tag.close)
			return;
	}
}

static enum status read_strings(struct book *b, struct err *err)
{
	char *name = find_part(b, NULL, "/sharedStrings", "xl/sharedStrings.xml");
	bool there = archive_find(b->zip, name) != SIZE_MAX;
	enum status st = there ? read_part(b, name, err) : OK;
	struct xml_tag tag;
	struct xml x;

	free(name);
	if (st || !there)
		return st;
	xml_init(&x, buf_view(&b->part));
	b->strings.max = XLSX_MAX_PART;
	while (xml_next(&x, &tag)) {
		size_t from = b->strings.n;

		if (!str_eqz(tag.name, "si") || tag.close)
			continue;
		if (!tag.empty)
			take_string(&x, "si", &b->strings);
		vec_push(&b->at, ((struct text_at){from, b->strings.n - from}));
	}
	return b->strings.failed ? err_set(err, E_LIMIT, "the workbook's texts are larger than %zu MiB",
					   XLSX_MAX_PART >> 20)
				 : OK;
}

/* --- the sheet --- */

/* "AB12": 27; SIZE_MAX: no place. */
static size_t column_of(struct str place)
{
	size_t n = 0, i;

	for (i = 0; i < place.n && place.p[i] >= 'A' && place.p[i] <= 'Z' && i < 4; i++)
		n = n * 26 + (size_t)(place.p[i] - 'A') + 1;
	return i ? n - 1 : SIZE_MAX;
}

static void put_field(struct buf *out, struct str text, bool first)
{
	if (!first)
		buf_ch(out, ',');
	buf_ch(out, '"');
	for (size_t i = 0; i < text.n; i++) {
		if (text.p[i] == '"')
			buf_ch(out, '"');
		buf_ch(out, text.p[i]);
	}
	buf_ch(out, '"');
}

/* What the cell's value means: an index of a shared string, true or false, or itself. */
static void put_value(struct book *b, struct str type, struct str value)
{
	int64_t i;

	if (str_eqz(type, "s")) {
		if (str_int(str_trim(value), &i) && i >= 0 && (size_t)i < b->at.n && b->at.v[i].n)
			buf_put(&b->cell, b->strings.p + b->at.v[i].at, b->at.v[i].n);
	} else if (str_eqz(type, "b")) {
		buf_z(&b->cell, str_eqz(str_trim(value), "1") ? "True" : "False");
	} else {
		put_text(value, &b->cell);
	}
}

/* From behind <c> to </c>, into b->cell. */
static void take_cell(struct book *b, struct xml *x, struct str type)
{
	struct xml_tag tag;

	while (xml_next(x, &tag)) {
		if (str_eqz(tag.name, "v") && tag.close)
			put_value(b, type, tag.before);
		else if (str_eqz(tag.name, "is") && !tag.close && !tag.empty)
			take_string(x, "is", &b->cell);
		else if (str_eqz(tag.name, "c") && tag.close)
			return;
	}
}

/* From behind <row> to </row>: a line of CSV, or nothing for a row without values. */
static enum status take_row(struct book *b, struct xml *x, struct err *err)
{
	size_t start = b->out->n, n = 0;
	bool any = false;
	struct xml_tag tag;

	while (xml_next(x, &tag) && !(str_eqz(tag.name, "row") && tag.close)) {
		size_t column;

		if (!str_eqz(tag.name, "c") || tag.close)
			continue;
		column = column_of(xml_attribute(&tag, "r"));
		if (column == SIZE_MAX || column < n)
			column = n;
		if (column >= XLSX_MAX_COLUMNS)
			return err_set(err, E_LIMIT, "the sheet has more than %d columns",
				       XLSX_MAX_COLUMNS);
		buf_clear(&b->cell);
		if (!tag.empty)
			take_cell(b, x, xml_attribute(&tag, "t"));
		for (; n < column; n++)
			put_field(b->out, STR(""), n == 0);
		put_field(b->out, buf_view(&b->cell), n++ == 0);
		any |= b->cell.n > 0;
	}
	if (!any) {
		b->out->n = start;
		return OK;
	}
	if (!b->n_columns)
		b->n_columns = n;
	for (; n < b->n_columns; n++)
		put_field(b->out, STR(""), false);
	buf_ch(b->out, '\n');
	return OK;
}

static enum status read_sheet(struct book *b, struct err *err)
{
	char *id = first_sheet_id(b);
	char *name = find_part(b, id ? id : "", "", "xl/worksheets/sheet1.xml");
	enum status st = read_part(b, name, err);
	struct xml_tag tag;
	struct xml x;

	free(id);
	free(name);
	if (st)
		return st;
	xml_init(&x, buf_view(&b->part));
	b->cell.max = XLSX_MAX_PART;
	b->out->max = XLSX_MAX_TABLE;
	while (!st && xml_next(&x, &tag)) {
		if (str_eqz(tag.name, "row") && !tag.close && !tag.empty)
			st = take_row(b, &x, err);
		if (!st && (b->out->failed || b->cell.failed))
			st = err_set(err, E_LIMIT, "the sheet is larger than %zu MiB as text",
				     XLSX_MAX_TABLE >> 20);
	}
	return st;
}

enum status xlsx_table(int fd, struct buf *out, struct err *err)
{
	struct book b = {.out = out};
	enum status st;

	buf_clear(out);
	b.zip = archive_open(fd, err);
	if (!b.zip)
		return err->code;
	st = read_strings(&b, err);
	if (!st)
		st = read_sheet(&b, err);
	archive_close(b.zip);
	buf_release(&b.part);
	buf_release(&b.strings);
	buf_release(&b.cell);
	vec_release(&b.at);
	return st;
}
