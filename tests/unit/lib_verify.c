#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/base/str.h"
#include "tests/unit/lib_verify.h"

static void on_found(void *ctx, const struct verify_finding *f)
{
	struct heard *h = ctx;

	buf_printf(&h->text, "%s: %s (%llu: %s)%s\n", f->where, f->what, (unsigned long long)f->n,
		   f->examples, f->fix ? "" : " not to be repaired");
}

static void on_told(void *ctx, const char *where, const char *what)
{
	struct heard *h = ctx;

	buf_printf(&h->text, "told %s: %s\n", where, what);
	buf_printf(&h->told, "%s\n", what);
}

enum status verify_heard(struct conn *c, bool repair, struct heard *h, struct verify_counts *counts,
			 struct verify_counts *left, struct err *err)
{
	struct verify_job job = {.repair = repair, .ctx = h, .found = on_found, .told = on_told};

	*h = (struct heard){BUF_INIT, BUF_INIT};
	return verify_run(c, &job, counts, left, err);
}

void heard_release(struct heard *h)
{
	buf_release(&h->text);
	buf_release(&h->told);
}

void must_be_sound(struct conn *c, const char *what)
{
	struct verify_counts counts, left;
	struct err err = ERR_INIT;
	struct heard h;

	if (verify_heard(c, false, &h, &counts, &left, &err) != OK)
		fail_msg("%s: %s", what, err.msg);
	if (counts.findings)
		fail_msg("%s: %s", what, buf_cstr(&h.text));
	heard_release(&h);
}
