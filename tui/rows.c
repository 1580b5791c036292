#include "tui/rows.h"

#include <stdlib.h>

#include "core/base/xmalloc.h"

enum { PAGE_ROWS = 64, N_PAGES = 32 };

struct page {
	bool used;
	uint32_t number;
	struct arena arena;
	struct sample_row row[PAGE_ROWS];
};

struct rows {
	struct conn *conn;
	int64_t dataset;
	uint32_t n;
	struct err err;
	struct page page[N_PAGES]; /* page p lives in slot p % N_PAGES, so neighbours never collide */
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
	enum status st;

	arena_clear(&page->arena);
	page->number = number;
	st = fetch_samples(rows->conn, rows->dataset, from, n, page->row, &page->arena, &rows->err);
	return page->used = st == OK;
}

const struct sample_row *rows_get(struct rows *rows, uint32_t ord)
{
	uint32_t number = ord / PAGE_ROWS;
	struct page *page = &rows->page[number % N_PAGES];

	if (ord >= rows->n)
		return NULL;
	if ((!page->used || page->number != number) && !fill(rows, page, number))
		return NULL;
	return &page->row[ord % PAGE_ROWS];
}

const char *rows_error(const struct rows *rows)
{
	return rows->err.code ? rows->err.msg : NULL;
}
