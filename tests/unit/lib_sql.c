#include "tests/unit/lib_sql.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "core/base/vec.h"
#include "core/text/json.h"

void listed_release(struct listed *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->v[i]);
	vec_release(l);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void put_value(const struct sql_value *v, struct buf *b)
{
	if (v->type == SQL_NULL)
		buf_z(b, "NULL");
	else if (v->type == SQL_INTEGER)
		buf_printf(b, "%lld", (long long)v->i);
	else if (v->type == SQL_REAL)
		json_put_number(b, v->f);
	else
		buf_printf(b, "'%.*s'", (int)v->s.n, v->s.p);
}

static enum status on_begin(void *ctx, const char *const *names, int n, struct err *err)
{
	(void)ctx, (void)names, (void)n, (void)err;
	return OK;
}

static enum status on_row(void *ctx, const struct sql_value *v, int n, struct err *err)
{
	struct listed *l = ctx;
	struct buf b = BUF_INIT;

	(void)err;
	for (int i = 0; i < n; i++) {
		buf_z(&b, i ? "|" : "");
		put_value(&v[i], &b);
	}
	vec_push(l, buf_take(&b));
	return OK;
}

enum status sql_ask(struct sql *s, const char *text, struct listed *l, struct err *err)
{
	struct sql_sink sink = {l, on_begin, on_row};

	return sql_run(s, str_z(text), &sink, err);
}

void must_ask(struct sql *s, const char *text, struct listed *l)
{
	struct err err = ERR_INIT;

	if (sql_ask(s, text, l, &err) != OK)
		fail_msg("%s: %s", text, err.msg);
}

struct sql *open_sql(struct conn *c, const char *lens, size_t memory)
{
	struct sql_options o = {.lens = lens, .memory = memory};
	struct err err = ERR_INIT;
	struct sql *s = NULL;

	if (sql_open(&s, c, &o, &err) != OK)
		fail_msg("%s", err.msg);
	return s;
}

void same_rows(const char *what, struct listed *got, struct listed *want, bool in_order)
{
	if (!in_order && got->n)
		qsort(got->v, got->n, sizeof *got->v, by_text);
	if (!in_order && want->n)
		qsort(want->v, want->n, sizeof *want->v, by_text);
	for (size_t i = 0; i < got->n && i < want->n; i++)
		if (strcmp(got->v[i], want->v[i]) != 0)
			fail_msg("%s: row %zu is %s, not %s", what, i, got->v[i], want->v[i]);
	if (got->n != want->n)
		fail_msg("%s: %zu rows, not %zu", what, got->n, want->n);
	listed_release(got);
	listed_release(want);
}

void must_refuse(struct sql *s, const char *text, enum status want, const char *words)
{
	struct err err = ERR_INIT;
	struct listed l = {0};
	enum status st = sql_ask(s, text, &l, &err);

	listed_release(&l);
	if (st != want || !strstr(err.msg, words))
		fail_msg("%s: status %d \"%s\", not %d with \"%s\"", text, st, err.msg, want,
			 words);
}
