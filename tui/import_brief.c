/* Several files, in brief: a line for each file and run while they are read; then, for all, how rows
 * were joined, which were not used, and what looks off. */
#include <inttypes.h>

#include "tui/import_summary.h"
#include "tui/print.h"

#define TAIL_MAX 20 /* lines of one kind at the end */

/* The check that is about this run: "RUN: answered 90 % …"; what is behind the name. */
static const char *check_of(const struct report *r, const char *run)
{
	size_t n = strlen(run);

	for (size_t i = 0; i < r->checks.n; i++)
		if (strncmp(r->checks.v[i], run, n) == 0 && strncmp(r->checks.v[i] + n, ": ", 2) == 0)
			return r->checks.v[i] + n + 2;
	return NULL;
}

static bool is_of_run(const struct report *r, const char *check)
{
	struct str handle;

	str_cut(str_z(check), ':', &handle);
	for (size_t i = 0; i < r->runs_new.n; i++)
		if (str_eqz(handle, r->runs_new.v[i]))
			return true;
	for (size_t i = 0; i < r->runs_known.n; i++)
		if (str_eqz(handle, r->runs_known.v[i]))
			return true;
	return false;
}

static void put_run(const struct report *r, const char *word, const char *run, struct buf *out)
{
	const char *check = check_of(r, run);

	buf_printf(out, "%s %s%s%s", word, run, check ? ": " : "", check ? check : "");
}

/* Its answers alone are new, and how many samples have one is told with the run. */
static bool says_all(const struct report *r)
{
	return r->predictions && !r->samples_new && !r->samples_filled && !r->truths && !r->classes &&
	       !r->classes_filled && !r->predictions_filled && !r->values && !r->references && !r->pairs &&
	       r->runs_new.n == 1 && !r->runs_known.n && check_of(r, r->runs_new.v[0]);
}

/* A file of one run is one line; more runs have theirs below it. */
static void say_runs(const struct report *r, struct buf *head, struct paper *out)
{
	bool one = r->runs_new.n + r->runs_known.n == 1;
	struct buf line = BUF_INIT;

	if (one) {
		buf_z(head, says_all(r) ? "" : ", ");
		put_run(r, r->runs_new.n ? "new run" : "known run",
			r->runs_new.n ? r->runs_new.v[0] : r->runs_known.v[0], head);
	}
	paper_say(out, STYLE_POPUP, 2, "%s", buf_cstr(head));
	for (size_t i = 0; !one && i < r->runs_new.n + r->runs_known.n; i++) {
		bool fresh = i < r->runs_new.n;

		buf_clear(&line);
		put_run(r, fresh ? "new run" : "known run",
			fresh ? r->runs_new.v[i] : r->runs_known.v[i - r->runs_new.n], &line);
		paper_say(out, STYLE_POPUP, 4, "%s", buf_cstr(&line));
	}
	buf_release(&line);
}

/* What its truths and classes are like is told with the file that brings them. */
static bool brings_samples(const struct report *r)
{
	return r->samples_new || r->truths || r->classes || r->classes_filled;
}

static void say_file(const struct report *r, struct str folder, struct paper *out)
{
	const char *name = within_folder(r->file, folder);
	struct buf head = BUF_INIT, counts = BUF_INIT;

	counts_text(r, &counts);
	if (counts.n) {
		buf_printf(&head, "%s: %s", name, says_all(r) ? "" : buf_cstr(&counts));
	} else {
		known_text(r, &counts);
		buf_printf(&head, "%s: nothing new%s%s%s", name, counts.n ? " (" : "", buf_cstr(&counts),
			   counts.n ? " known before)" : "");
	}
	say_runs(r, &head, out);
	for (size_t i = 0; i < r->checks.n && brings_samples(r); i++)
		if (!is_of_run(r, r->checks.v[i]))
			paper_say(out, STYLE_DIM, 4, "%s", r->checks.v[i]);
	buf_release(&counts);
	buf_release(&head);
}

/* --- for the end --- */

/* The first row of the file, and how many there are. */
static void keep_problems(struct import_totals *t, const struct report *r, enum problem kind)
{
	uint64_t n = problems_of(r, kind);
	const struct report_example *e = NULL;
	char count[32], place[48] = "", more[64] = "";

	for (size_t i = r->examples.n; i > 0; i--)
		if (r->examples.v[i - 1].kind == kind)
			e = &r->examples.v[i - 1];
	if (!n)
		return;
	if (e && e->src.line)
		snprintf(place, sizeof place, ":%" PRIu64 ":%" PRIu64, e->src.line, e->src.byte);
	if (n > 1)
		snprintf(more, sizeof more, " (and %s more)", print_count(count, n - 1));
	paper_say(&t->examples[kind], STYLE_POPUP, 2, "%s%s%s%s%s",
		  within_folder(r->file, buf_view(&t->folder)), place, e ? ": " : "",
		  e ? e->text : "", more);
}

static void say_dataset(struct import_totals *t, const struct report *r, struct paper *out)
{
	if (!r->dataset.n || str_eq(buf_view(&t->dataset), r->dataset))
		return;
	buf_clear(&t->dataset);
	buf_str(&t->dataset, r->dataset);
	t->doubts_before = t->doubts.lines.n;
	paper_say(out, STYLE_BOLD, 0, "into %.*s", STR_ARG(r->dataset));
}

/* Files of one dataset that hold its truths, as tools write them, are in doubt for one reason. */
static void keep_doubt(struct import_totals *t, const char *file, const char *doubt)
{
	struct str text = str_z(doubt);

	t->n_doubts++;
	for (size_t i = t->doubts_before; i < t->doubts.lines.n; i++)
		if (str_ends(str_z(t->doubts.lines.v[i].text), text))
			return;
	paper_say(&t->doubts, STYLE_WARNING, 2, "%s: %s", file, doubt);
}

void import_brief_say(struct import_totals *t, const struct report *r, struct paper *out)
{
	struct str folder = buf_view(&t->folder);

	say_dataset(t, r, out);
	say_file(r, folder, out);
	for (int k = 0; k < N_PROBLEMS; k++)
		keep_problems(t, r, (enum problem)k);
	for (size_t i = 0; i < r->notes.n; i++)
		paper_say(&t->notes, STYLE_POPUP, 2, "%s: %s", within_folder(r->file, folder), r->notes.v[i]);
	for (size_t i = 0; i < r->doubts.n; i++)
		keep_doubt(t, within_folder(r->file, folder), r->doubts.v[i]);
}

static void put_tail(const struct paper *tail, struct paper *out)
{
	char n[32];

	for (size_t i = 0; i < tail->lines.n && i < TAIL_MAX; i++)
		paper_say(out, tail->lines.v[i].style, tail->lines.v[i].indent, "%s", tail->lines.v[i].text);
	if (tail->lines.n > TAIL_MAX)
		paper_say(out, STYLE_DIM, 2, "… and %s more", print_count(n, tail->lines.n - TAIL_MAX));
}

static void say_rows(const struct import_totals *t, enum problem kind, const char *what, struct paper *out)
{
	uint64_t n = t->problems[kind] - (kind == PROBLEM_WARNING ? t->n_doubts : 0);
	char count[32];

	if (!n)
		return;
	paper_say(out, STYLE_WARNING, 0, "%s: %s %s of %u %s", what, print_count(count, n),
		  n == 1 ? "row" : "rows", t->troubled[kind], t->troubled[kind] == 1 ? "file" : "files");
	put_tail(&t->examples[kind], out);
}

void import_brief_end(const struct import_totals *t, struct paper *out)
{
	struct buf text = BUF_INIT;

	joins_text(t->joined, &text);
	if (text.n)
		paper_say(out, STYLE_POPUP, 0, "joined: %s", buf_cstr(&text));
	buf_clear(&text);
	located_text(t->located, &text);
	if (text.n)
		paper_say(out, STYLE_POPUP, 0, "pictures: %s", buf_cstr(&text));
	buf_release(&text);
	if (t->notes.lines.n)
		paper_say(out, STYLE_POPUP, 0, "to know:");
	put_tail(&t->notes, out);
	say_rows(t, PROBLEM_SKIPPED, "skipped", out);
	say_rows(t, PROBLEM_UNMATCHED, "unmatched", out);
	say_rows(t, PROBLEM_WARNING, "warnings", out);
	if (t->doubts.lines.n)
		paper_say(out, STYLE_WARNING, 0, "doubt:");
	put_tail(&t->doubts, out);
}
