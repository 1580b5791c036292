#include "tui/import_summary.h"

#include <inttypes.h>
#include <stdio.h>

#include "tui/print.h"

static const char *const problem_words[N_PROBLEMS] = {
    [PROBLEM_SKIPPED] = "skipped",
    [PROBLEM_UNMATCHED] = "unmatched",
    [PROBLEM_WARNING] = "warnings",
};

/* "1,000 NOUN", with a comma in front when it is not the first. */
static void put_count(bool *first, uint64_t n, const char *noun)
{
	char text[32];

	if (!n)
		return;
	fprintf(stderr, "%s%s %s", *first ? "" : ", ", print_count(text, n), noun);
	*first = false;
}

static void print_counts(const struct report *r)
{
	bool first = true;

	fputs("  imported: ", stderr);
	put_count(&first, r->classes, "classes");
	put_count(&first, r->pairs, "equivalent pairs");
	put_count(&first, r->values, "values of a tree");
	put_count(&first, r->samples_new, "samples");
	put_count(&first, r->samples_filled, "samples completed");
	put_count(&first, r->truths, "truths");
	put_count(&first, r->predictions, "predictions");
	put_count(&first, r->predictions_filled, "predictions completed");
	put_count(&first, r->references, "reference figures");
	fputs(first ? "nothing new\n" : "\n", stderr);
	first = true;
	if (r->samples_known || r->predictions_known || r->duplicates) {
		fputs("  known before: ", stderr);
		put_count(&first, r->samples_known, "samples");
		put_count(&first, r->predictions_known, "predictions");
		put_count(&first, r->duplicates, "repeated rows");
		fputc('\n', stderr);
	}
}

static void print_runs(const struct report *r)
{
	for (size_t i = 0; i < r->runs_new.n; i++) {
		fputs("  new run: ", stderr);
		print_clean(stderr, str_z(r->runs_new.v[i]));
		fputc('\n', stderr);
	}
	for (size_t i = 0; i < r->runs_known.n; i++) {
		fputs("  known run: ", stderr);
		print_clean(stderr, str_z(r->runs_known.v[i]));
		fputc('\n', stderr);
	}
}

static void print_located(const struct report *r)
{
	uint64_t all = 0;
	bool first = true;

	for (int i = 0; i < N_LOCATED; i++)
		all += r->located[i];
	if (!all)
		return;
	fputs("  pictures: ", stderr);
	for (int i = 0; i < N_LOCATED; i++)
		put_count(&first, r->located[i], located_word((enum located)i));
	fputc('\n', stderr);
}

static void print_problems(const struct report *r, enum problem kind)
{
	uint64_t shown = 0;
	char text[32];

	if (!r->problems[kind])
		return;
	fprintf(stderr, "  %s: %s\n", problem_words[kind], print_count(text, r->problems[kind]));
	for (size_t i = 0; i < r->examples.n; i++) {
		const struct report_example *e = &r->examples.v[i];

		if (e->kind != kind)
			continue;
		fputs("    ", stderr);
		print_clean(stderr, str_z(r->file));
		if (e->src.line)
			fprintf(stderr, ":%" PRIu64 ":%" PRIu64, e->src.line, e->src.byte);
		fputs(": ", stderr);
		print_clean(stderr, str_z(e->text));
		fputc('\n', stderr);
		shown++;
	}
	if (shown && r->problems[kind] > shown)
		fprintf(stderr, "    … and %s more\n",
			print_count(text, r->problems[kind] - shown));
}

void import_summary_print(const struct report *r)
{
	char rows[32];

	print_clean(stderr, str_z(r->file));
	fprintf(stderr, ": %s, %s rows\n", r->reader ? r->reader : "?", print_count(rows, r->rows));
	print_counts(r);
	print_runs(r);
	print_located(r);
	for (int k = 0; k < N_PROBLEMS; k++)
		print_problems(r, (enum problem)k);
	for (size_t i = 0; i < r->notes.n; i++) {
		fputs("  ", stderr);
		print_clean(stderr, str_z(r->notes.v[i]));
		fputc('\n', stderr);
	}
}

void import_totals_add(struct import_totals *t, const struct report *r)
{
	t->files++;
	t->changed += report_changed(r);
	for (int k = 0; k < N_PROBLEMS; k++)
		t->problems[k] += r->problems[k];
}

void import_totals_print(const struct import_totals *t, const char *project, bool dry_run)
{
	uint64_t skipped = t->problems[PROBLEM_SKIPPED], unmatched = t->problems[PROBLEM_UNMATCHED];
	char a[32], b[32];

	print_clean(stderr, str_z(project));
	if (dry_run)
		fprintf(stderr, ": dry run, nothing was written; %u of %u files would change it",
			t->changed, t->files);
	else if (!t->changed)
		fputs(": nothing changed", stderr);
	else
		fprintf(stderr, ": %u of %u files brought something new", t->changed, t->files);
	if (skipped || unmatched)
		fprintf(stderr, "; %s rows skipped, %s unmatched", print_count(a, skipped),
			print_count(b, unmatched));
	fputc('\n', stderr);
}
