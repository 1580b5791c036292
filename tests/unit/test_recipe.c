#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>
#include <unistd.h>
#include "core/reader/draft.h"
static void show(void **state)
{
	(void)state;
	const char *f = getenv("F");
	struct draft *d; struct recipe r = {0}; struct err err = ERR_INIT; struct buf b = BUF_INIT;
	if (!f) return;
	if (draft_open(&d, f, NULL, &err)) { printf("%s\n", err.msg); return; }
	draft_find_rows(d, &r);
	draft_read(d, &r, NULL);
	draft_guess(d, &r);
	draft_read(d, &r, NULL);
	draft_sign(d, &r);
	for (size_t i = 0; i < d->columns.n; i++) {
		struct draft_column *c = &d->columns.v[i];
		printf("%-20s %-12s%c n=%u blank=%u num=%u dist=%u sh=%u  %s | %s\n", c->name.p, c->word.p?c->word.p:"", c->by_hand?'*':' ', c->n, c->blank, c->numbers, c->distinct, c->shared, c->n_examples?c->example[0].p:"", c->problem?c->problem:"");
	}
	for (size_t i = 0; i < d->n_rows; i++) printf("row %s: %s -> %s (%s) %d %d\n", d->row[i].key.p, d->row[i].truth.p, d->row[i].answer.p, d->row[i].class_name.p, d->row[i].outcome, d->row[i].right);
	printf("rows %llu skipped %llu trouble %s\n", (unsigned long long)d->rows, (unsigned long long)d->skipped, d->trouble?d->trouble:"");
	recipe_write(&r, &b, &err); puts(buf_cstr(&b)); buf_clear(&b); draft_put_map(&r, &b); puts(buf_cstr(&b));
	buf_release(&b); recipe_release(&r); draft_free(d);
}
int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(show)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
