#include "tui/import_summary.h"

#include <inttypes.h>

#include "tui/print.h"

#define LEFT_MAX 200 /* files that are left out and told one by one */

static const char *const problem_words[N_PROBLEMS] = {
    [PROBLEM_SKIPPED] = "skipped",
    [PROBLEM_UNMATCHED] = "unmatched",
    [PROBLEM_WARNING] = "warnings",
};

/* "1 ONE" or "1,000 MANY", with a comma in front when it is not the first. */
static void put_noun(struct buf *out, uint64_t n, const char *one, const char *many)
{
	char text[32];

	if (n)
		buf_printf(out, "%s%s %s", out->n ? ", " : "", print_count(text, n), n == 1 ? one : many);
}

static void put_count(struct buf *out, uint64_t n, const char *word)
{
	put_noun(out, n, word, word);
}

void joins_text(const uint64_t joined[N_MATCHED], struct buf *out)
{
	for (int i = 0; i < N_MATCHED; i++)
		put_count(out, joined[matched_told(i)], matched_word(matched_told(i)));
}

/* --- one file --- */

static void say_counts(const struct report *r, struct paper *out)
{
	struct buf text = BUF_INIT;

	put_noun(&text, r->classes, "class", "classes");
	put_noun(&text, r->classes_filled, "class completed", "classes completed");
	put_noun(&text, r->pairs, "equivalent pair", "equivalent pairs");
	put_noun(&text, r->values, "value of a tree", "values of a tree");
	put_noun(&text, r->samples_new, "sample", "samples");
	put_noun(&text, r->samples_filled, "sample completed", "samples completed");
	put_noun(&text, r->truths, "truth", "truths");
	put_noun(&text, r->predictions, "prediction", "predictions");
	put_noun(&text, r->predictions_filled, "prediction completed", "predictions completed");
	put_noun(&text, r->references, "reference figure", "reference figures");
	paper_say(out, STYLE_POPUP, 2, "imported: %s", text.n ? buf_cstr(&text) : "nothing new");
	buf_clear(&text);
	put_noun(&text, r->samples_known, "sample", "samples");
	put_noun(&text, r->predictions_known, "prediction", "predictions");
	put_noun(&text, r->duplicates, "repeated row", "repeated rows");
	if (text.n)
		paper_say(out, STYLE_POPUP, 2, "known before: %s", buf_cstr(&text));
	buf_release(&text);
}

static void say_runs(const struct report *r, struct paper *out)
{
	for (size_t i = 0; i < r->runs_new.n; i++)
		paper_say(out, STYLE_POPUP, 2, "new run: %s", r->runs_new.v[i]);
	for (size_t i = 0; i < r->runs_known.n; i++)
		paper_say(out, STYLE_POPUP, 2, "known run: %s", r->runs_known.v[i]);
}

static void say_located(const struct report *r, struct paper *out)
{
	struct buf text = BUF_INIT;

	for (int i = 0; i < N_LOCATED; i++)
		put_count(&text, r->located[i], located_word((enum located)i));
	if (text.n)
		paper_say(out, STYLE_POPUP, 2, "pictures: %s", buf_cstr(&text));
	buf_release(&text);
}

/* Ambiguous ones and those not found are told as unmatched as well, with examples. */
static void say_joined(const struct report *r, struct paper *out)
{
	struct buf text = BUF_INIT;

	joins_text(r->joined, &text);
	if (text.n)
		paper_say(out, STYLE_POPUP, 2, "joined: %s", buf_cstr(&text));
	buf_release(&text);
}

static void say_problems(const struct report *r, enum problem kind, struct paper *out)
{
	uint64_t shown = 0, n;
	char text[32], place[48];

	if (!r->problems[kind] || (kind == PROBLEM_WARNING && r->problems[kind] == r->doubts.n))
		return;
	n = r->problems[kind] - (kind == PROBLEM_WARNING ? r->doubts.n : 0);
	paper_say(out, STYLE_WARNING, 2, "%s: %s", problem_words[kind], print_count(text, n));
	for (size_t i = 0; i < r->examples.n; i++) {
		const struct report_example *e = &r->examples.v[i];

		if (e->kind != kind)
			continue;
		place[0] = '\0';
		if (e->src.line)
			snprintf(place, sizeof place, ":%" PRIu64 ":%" PRIu64, e->src.line, e->src.byte);
		paper_say(out, STYLE_POPUP, 4, "%s%s: %s", r->file, place, e->text);
		shown++;
	}
	if (shown && n > shown)
		paper_say(out, STYLE_POPUP, 4, "… and %s more", print_count(text, n - shown));
}

void import_summary_say(const struct report *r, struct paper *out)
{
	char rows[32];

	paper_say(out, STYLE_BOLD, 0, "%s: %s, %s %s, into %.*s", r->file, r->reader ? r->reader : "?",
		  print_count(rows, r->rows), r->rows == 1 ? "row" : "rows", STR_ARG(r->dataset));
	say_counts(r, out);
	say_runs(r, out);
	say_located(r, out);
	say_joined(r, out);
	for (int k = 0; k < N_PROBLEMS; k++)
		say_problems(r, (enum problem)k, out);
	for (size_t i = 0; i < r->notes.n; i++)
		paper_say(out, STYLE_POPUP, 2, "%s", r->notes.v[i]);
	for (size_t i = 0; i < r->checks.n; i++)
		paper_say(out, STYLE_POPUP, 2, "check: %s", r->checks.v[i]);
	for (size_t i = 0; i < r->doubts.n; i++)
		paper_say(out, STYLE_WARNING, 2, "doubt: %s", r->doubts.v[i]);
}

/* --- all files --- */

void import_totals_add(struct import_totals *t, const struct report *r)
{
	t->files++;
	t->changed += report_changed(r);
	for (int k = 0; k < N_PROBLEMS; k++)
		t->problems[k] += r->problems[k];
}

void import_totals_say(const struct import_totals *t, const char *project, bool dry_run,
		       struct paper *out)
{
	uint64_t skipped = t->problems[PROBLEM_SKIPPED], unmatched = t->problems[PROBLEM_UNMATCHED];
	struct buf text = BUF_INIT;
	char a[32], b[32];

	if (dry_run)
		buf_printf(&text, "dry run, nothing was written; %u of %u files would change it",
			   t->changed, t->files);
	else if (!t->changed)
		buf_z(&text, "nothing changed");
	else
		buf_printf(&text, "%u of %u files brought something new", t->changed, t->files);
	if (skipped || unmatched)
		buf_printf(&text, "; %s rows skipped, %s unmatched", print_count(a, skipped),
			   print_count(b, unmatched));
	paper_say(out, STYLE_BOLD, 0, "%s: %s", project, buf_cstr(&text));
	buf_release(&text);
}

/* --- the plan --- */

static void put_what(const struct plan_file *f, struct buf *out)
{
	const struct taste *t = &f->taste;

	if (t->n_runs) {
		buf_z(out, "answers of ");
		plan_runs(f, out);
		buf_z(out, t->by_place ? ", one for each sample in the samples' order" : "");
		return;
	}
	if (t->classes && !t->samples)
		buf_z(out, "classes");
	else if (t->pairs)
		buf_z(out, "pairs of classes");
	else if (t->values)
		buf_z(out, "a tree");
	else if (t->references)
		buf_z(out, "reference figures");
	else if (t->samples && t->by_place)
		buf_z(out, "labels, one for each sample in the samples' order");
	else if (t->samples && f->rank == RANK_TRUTH)
		buf_z(out, "truths");
	else if (t->samples)
		buf_z(out, "samples");
	else
		buf_z(out, f->reader->help);
}

static void say_file(const struct plan_file *f, int indent, struct paper *out)
{
	struct buf what = BUF_INIT;
	char size[32] = "";

	if (!f->reader) {
		paper_say(out, STYLE_WARNING, indent, "%s", f->err.msg);
		return;
	}
	put_what(f, &what);
	if (f->size)
		print_bytes(size, (double)f->size);
	if (f->apart)
		buf_printf(&what, ", keyed %.*s:…", STR_ARG(f->taste.task));
	paper_say(out, STYLE_POPUP, indent, "%s", f->path);
	paper_say(out, STYLE_DIM, indent + 2, "%s%s%s: %s", f->reader->name, *size ? ", " : "", size,
		  buf_cstr(&what));
	buf_release(&what);
}

static void say_left(const struct import_plan *plan, struct paper *out)
{
	struct buf over = BUF_INIT;
	char n[32];

	if (plan->left.n)
		paper_say(out, STYLE_BOLD, 0, "left out: %s", print_count(n, plan->left.n));
	for (size_t i = 0; i < plan->left.n && i < LEFT_MAX; i++) {
		const struct plan_left *l = &plan->left.v[i];

		paper_say(out, l->unreadable ? STYLE_WARNING : STYLE_DIM, 2, "%s: %s", l->path, l->why);
	}
	if (plan->left.n > LEFT_MAX)
		paper_say(out, STYLE_DIM, 2, "… and %s more",
			  print_count(n, plan->left.n - LEFT_MAX));
	put_count(&over, plan->media, "pictures, videos and sounds");
	put_count(&over, plan->hidden, "hidden");
	if (over.n)
		paper_say(out, STYLE_DIM, 0, "passed over: %s", buf_cstr(&over));
	buf_release(&over);
}

/* One dataset stands in the first line, several have a line each in front of their files. */
static void say_sets(const struct import_plan *plan, struct buf *out)
{
	char n[32];

	if (plan->sets.n == 1)
		buf_printf(out, "dataset %.*s%s", STR_ARG(plan->sets.v[0].name),
			   plan->sets.v[0].id ? "" : ", which is new");
	else
		buf_printf(out, "%s datasets", print_count(n, plan->sets.n));
}

static void say_files(const struct import_plan *plan, struct paper *out)
{
	int indent = plan->sets.n > 1 ? 4 : 2;
	char n[32];

	for (size_t i = 0; i < plan->files.n; i++) {
		const struct plan_file *f = &plan->files.v[i];
		bool first = !i || f->set != plan->files.v[i - 1].set;

		if (first && plan->sets.n > 1 && f->set != PLAN_NO_SET) {
			const struct plan_set *set = &plan->sets.v[f->set];

			paper_say(out, STYLE_BOLD, 2, "%.*s%s: %s file%s", STR_ARG(set->name),
				  set->id ? "" : ", which is new", print_count(n, set->n_files),
				  set->n_files == 1 ? "" : "s");
		}
		say_file(f, f->set == PLAN_NO_SET ? 2 : indent, out);
	}
}

void import_plan_say(const struct import_plan *plan, const char *project, struct paper *out)
{
	struct buf sets = BUF_INIT;
	size_t n = 0;
	char count[32], size[32];

	for (size_t i = 0; i < plan->files.n; i++)
		n += plan->files.v[i].reader != NULL;
	say_sets(plan, &sets);
	paper_say(out, STYLE_BOLD, 0, "%s: %s file%s, %s, into %s", project, print_count(count, n),
		  n == 1 ? "" : "s", print_bytes(size, (double)plan->bytes), buf_cstr(&sets));
	say_files(plan, out);
	say_left(plan, out);
	buf_release(&sets);
}
