#include "tui/fields.h"

#include <errno.h>

#include "tui/print.h"

void field_csv(struct buf *out, struct str s)
{
	bool quote = false;

	for (size_t i = 0; i < s.n && !quote; i++)
		quote = memchr(",\"\r\n", s.p[i], 4) != NULL;
	if (!quote) {
		buf_str(out, s);
		return;
	}
	buf_ch(out, '"');
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '"')
			buf_ch(out, '"');
		buf_ch(out, s.p[i]);
	}
	buf_ch(out, '"');
}

void field_md(struct buf *out, struct str s)
{
	buf_z(out, " ");
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '|' || s.p[i] == '\\')
			buf_ch(out, '\\');
		buf_ch(out, s.p[i] == '\n' || s.p[i] == '\r' ? ' ' : s.p[i]);
	}
	buf_z(out, " |");
}

void field_tsv(struct buf *out, struct str s)
{
	static const char plain[] = "\t\n\r\\", escaped[] = "tnr\\";

	for (size_t i = 0; i < s.n; i++) {
		const char *at = memchr(plain, s.p[i], 4);

		if (at)
			buf_ch(out, '\\');
		buf_ch(out, at ? escaped[at - plain] : s.p[i]);
	}
}

enum status fields_put(struct buf *b, FILE *out, bool tty, struct err *err)
{
	struct str rest = buf_view(b), line;

	if (b->failed)
		return err_set(err, E_MEMORY, "there is no memory for a row");
	while (tty && rest.n) {
		rest = str_cut(rest, '\n', &line);
		print_clean(out, line);
		fputc('\n', out);
	}
	if (!tty && fwrite(b->p, 1, b->n, out) != b->n)
		return err_errno(err, errno, "the rows cannot be written");
	if (ferror(out))
		return err_errno(err, errno, "the rows cannot be written");
	buf_clear(b);
	return OK;
}
