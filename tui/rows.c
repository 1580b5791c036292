#include "tui/rows.h"

#include <stdlib.h>

#include "core/base/xmalloc.h"

/* Small pages, because a sorted list asks for samples from all over the dataset. */
enum { PAGE_ROWS = 16, N_PAGES = 192 };

struct page {
	uint32_t number;
	uint64_t used; /* when last; 0 = never */
	struct arena arena;
	struct sample_row row[PAGE_ROWS];
};

struct rows {
	struct conn *conn;
	int64_t dataset;
	uint32_t n;
	uint64_t clock;
	struct err err;
	struct page page[N_PAGES];
};

struct rows *rows_new(struct conn *conn, int64_t dataset, uint32_t n)
{
	struct rows *rows = xcalloc(1, sizeof *rows);

	rows->conn = conn;
	rows->dataset = dataset;
	rows->n = n;
	return rows;
}

void rows_free(struct rows *rows)
{
	if (!rows)
		return;
	for (int i = 0; i < N_PAGES; i++)
		arena_release(&rows->page[i].arena);
	free(rows);
}

static bool fill(struct rows *rows, struct page *page, uint32_t number)
{
	uint32_t from = number * PAGE_ROWS;
	uint32_t n = rows->n - from < PAGE_ROWS ? rows->n - from : PAGE_ROWS;

	err_clear(&rows->err);
	arena_clear(&page->arena);
	page->number = number;
	page->used = 0;
	return fetch_samples(rows->conn, rows->dataset, from, n, page->row, &page->arena,
			     &rows->err) == OK;
}

/* The page, or the one that was not asked for the longest. */
static struct page *find(struct rows *rows, uint32_t number)
{
	struct page *oldest = &rows->page[0];

	for (int i = 0; i < N_PAGES; i++) {
		struct page *p = &rows->page[i];

		if (p->used && p->number == number)
			return p;
		if (p->used < oldest->used)
			oldest = p;
	}
	return oldest;
}

const struct sample_row *rows_get(struct rows *rows, uint32_t ord)
{
	uint32_t number = ord / PAGE_ROWS;
	struct page *page;

	if (ord >= rows->n)
		return NULL;
	page = find(rows, number);
	if ((!page->used || page->number != number) && !fill(rows, page, number))
		return NULL;
	page->used = ++rows->clock;
	return &page->row[ord % PAGE_ROWS];
}

const char *rows_error(const struct rows *rows)
{
	return rows->err.code ? rows->err.msg : NULL;
}

bool rows_busy(const struct rows *rows)
{
	return rows->err.code == E_BUSY;
}
