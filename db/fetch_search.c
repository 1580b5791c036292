#include "core/base/cancel.h"
#include "db/conn_impl.h"
#include "db/fetch.h"

/* Rows read before the file is let go for a moment, so that a writer gets its turn. */
#define SLICE 4096

struct needle {
	unsigned char lower[256]; /* what each byte counts as */
	struct str text;          /* already lower-case */
	struct buf memory;
};

static void needle_init(struct needle *nd, struct str text)
{
	for (unsigned i = 0; i < 256; i++)
		nd->lower[i] = (unsigned char)(i >= 'A' && i <= 'Z' ? i - 'A' + 'a' : i);
	nd->memory = (struct buf)BUF_INIT;
	for (size_t i = 0; i < text.n; i++)
		buf_ch(&nd->memory, (char)nd->lower[(unsigned char)text.p[i]]);
	nd->text = buf_view(&nd->memory);
}

static bool is_in(const struct needle *nd, struct str hay)
{
	const unsigned char *h = (const unsigned char *)hay.p,
			    *n = (const unsigned char *)nd->text.p;
	size_t len = nd->text.n;

	for (size_t i = 0; i + len <= hay.n; i++) {
		size_t k = 0;

		while (k < len && nd->lower[h[i + k]] == n[k])
			k++;
		if (k == len)
			return true;
	}
	return false;
}

struct scan {
	struct conn *c;
	const struct needle *needle;
	const struct cancel *cancel;
	bool forward;
};

/* Ids first..last in the direction of the scan, one slice of them. *found: the id, or -1. *next:
 * where the next slice begins (forward) or ends, or -1 after the last one. */
static enum status scan_slice(const struct scan *sc, int64_t first, int64_t last, int64_t *found,
			      int64_t *next, struct err *err)
{
	sqlite3_stmt *s = stmt_get(sc->c, sc->forward ? STMT_SEARCH_FORWARD : STMT_SEARCH_BACKWARD, err);
	enum status st;
	int64_t id = -1;
	int n = 0;
	bool row;

	*found = *next = -1;
	if (!s)
		return err->code;
	sqlite3_bind_int64(s, 1, first);
	sqlite3_bind_int64(s, 2, last);
	sqlite3_bind_int(s, 3, SLICE);
	while ((st = stmt_step(sc->c, s, &row, err)) == OK && row) {
		id = sqlite3_column_int64(s, 0);
		n++;
		if (is_in(sc->needle, stmt_str(s, 1)) || is_in(sc->needle, stmt_str(s, 2))) {
			*found = id;
			sqlite3_reset(s);
			return OK;
		}
	}
	if (st == OK && n == SLICE)
		*next = sc->forward ? id + 1 : id - 1;
	return st == OK ? cancel_check(sc->cancel, err) : st;
}

static enum status scan_range(const struct scan *sc, int64_t first, int64_t last, int64_t *found,
			      struct err *err)
{
	*found = -1;
	while (first <= last) {
		int64_t next;
		enum status st = scan_slice(sc, first, last, found, &next, err);

		if (st != OK || *found >= 0 || next < 0)
			return st;
		*(sc->forward ? &first : &last) = next;
	}
	return OK;
}

enum status fetch_search(struct conn *c, int64_t dataset, uint32_t n_samples, struct str needle,
			 uint32_t from, bool forward, uint32_t *ord, const struct cancel *cancel,
			 struct err *err)
{
	int64_t base = (int64_t)((uint64_t)dataset << 32), last = base + n_samples - 1, at, found;
	struct needle nd;
	struct scan sc = {c, &nd, cancel, forward};
	enum status st;

	if (needle.n == 0 || n_samples == 0)
		return err_set(err, E_NOT_FOUND, "there is nothing to look for");
	at = base + (from < n_samples ? from : n_samples - 1);
	needle_init(&nd, needle);
	st = forward ? scan_range(&sc, at, last, &found, err) : scan_range(&sc, base, at, &found, err);
	if (st == OK && found < 0)
		st = forward ? scan_range(&sc, base, at - 1, &found, err)
			     : scan_range(&sc, at + 1, last, &found, err);
	buf_release(&nd.memory);
	if (st == OK && found < 0)
		st = err_set(err, E_NOT_FOUND, "no sample contains %.*s",
			     (int)(needle.n < 200 ? needle.n : 200), needle.p);
	if (st == OK)
		*ord = (uint32_t)found;
	return st;
}

enum status fetch_search_all(struct conn *c, int64_t dataset, uint32_t n_samples,
			     struct str needle, uint8_t *hit, const struct cancel *cancel,
			     struct err *err)
{
	int64_t base = (int64_t)((uint64_t)dataset << 32), last = base + n_samples - 1, found;
	struct needle nd;
	struct scan sc = {c, &nd, cancel, true};
	enum status st = OK;

	memset(hit, 0, n_samples);
	if (needle.n == 0)
		return OK;
	needle_init(&nd, needle);
	for (int64_t at = base; at <= last; at = found + 1) {
		st = scan_range(&sc, at, last, &found, err);
		if (st != OK || found < 0)
			break;
		hit[found - base] = 1;
	}
	buf_release(&nd.memory);
	return st;
}
