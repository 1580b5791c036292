#include "tui/import_summary.h"

#include <inttypes.h>

#include "tui/print.h"

#define LEFT_MAX   100 /* reasons why files are left out that are told */
#define LEFT_NAMED 4   /* files of one reason; fewer have a line each */

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

void counts_text(const struct report *r, struct buf *out)
{
	put_noun(out, r->classes, "class", "classes");
	put_noun(out, r->classes_filled, "class completed", "classes completed");
	put_noun(out, r->pairs, "equivalent pair", "equivalent pairs");
	put_noun(out, r->values, "value of a tree", "values of a tree");
	put_noun(out, r->samples_new, "sample", "samples");
	put_noun(out, r->samples_filled, "sample completed", "samples completed");
	put_noun(out, r->truths, "truth", "truths");
	put_noun(out, r->predictions, "prediction", "predictions");
	put_noun(out, r->predictions_filled, "prediction completed", "predictions completed");
	put_noun(out, r->references, "reference figure", "reference figures");
}

void known_text(const struct report *r, struct buf *out)
{
	put_noun(out, r->samples_known, "sample", "samples");
	put_noun(out, r->predictions_known, "prediction", "predictions");
	put_noun(out, r->duplicates, "repeated row", "repeated rows");
}

void located_text(const uint64_t located[N_LOCATED], struct buf *out)
{
	for (int i = 0; i < N_LOCATED; i++)
		put_count(out, located[i], located_word((enum located)i));
}

static void say_counts(const struct report *r, struct paper *out)
{
	struct buf text = BUF_INIT;

	counts_text(r, &text);
	paper_say(out, STYLE_POPUP, 2, "imported: %s", text.n ? buf_cstr(&text) : "nothing new");
	buf_clear(&text);
	known_text(r, &text);
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

	located_text(r->located, &text);
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

uint64_t problems_of(const struct report *r, enum problem kind)
{
	return r->problems[kind] - (kind == PROBLEM_WARNING ? r->doubts.n : 0);
}

static void say_problems(const struct report *r, enum problem kind, struct paper *out)
{
	uint64_t shown = 0, n = problems_of(r, kind);
	char text[32], place[48];

	if (!n)
		return;
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

static void say_in_full(const struct report *r, struct paper *out)
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

/* The folder that all files are in, with a slash at its end; empty: there is none. */
static struct str common_folder(const struct import_plan *plan)
{
	struct str folder = STR_NONE;

	for (size_t i = 0; i < plan->files.n && plan->files.n > 1; i++) {
		const char *path = plan->files.v[i].path, *slash = strrchr(path, '/');
		struct str own = {path, slash ? (size_t)(slash + 1 - path) : 0};

		if (!i)
			folder = own;
		while (folder.n && !str_starts(own, folder))
			for (folder.n--; folder.n && folder.p[folder.n - 1] != '/'; folder.n--)
				;
	}
	return folder;
}

const char *within_folder(const char *path, struct str folder)
{
	return folder.n && str_starts(str_z(path), folder) && path[folder.n] ? path + folder.n : path;
}

void import_totals_begin(struct import_totals *t, const struct import_plan *plan)
{
	t->brief = plan->files.n > 1;
	buf_clear(&t->folder);
	buf_str(&t->folder, common_folder(plan));
}

static void count(struct import_totals *t, const struct report *r)
{
	t->files++;
	t->changed += report_changed(r);
	for (int k = 0; k < N_PROBLEMS; k++) {
		t->problems[k] += r->problems[k];
		t->troubled[k] += problems_of(r, (enum problem)k) > 0;
	}
	for (int k = 0; k < N_MATCHED; k++)
		t->joined[k] += r->joined[k];
	for (int k = 0; k < N_LOCATED; k++)
		t->located[k] += r->located[k];
}

void import_file_say(struct import_totals *t, const struct report *r, struct paper *out)
{
	count(t, r);
	if (t->brief)
		import_brief_say(t, r, out);
	else
		say_in_full(r, out);
}

void import_totals_release(struct import_totals *t)
{
	for (int k = 0; k < N_PROBLEMS; k++)
		paper_release(&t->examples[k]);
	paper_release(&t->notes);
	paper_release(&t->doubts);
	buf_release(&t->dataset);
	buf_release(&t->folder);
	*t = (struct import_totals){0};
}

void import_totals_say(const struct import_totals *t, const char *project, bool dry_run,
		       struct paper *out)
{
	uint64_t skipped = t->problems[PROBLEM_SKIPPED], unmatched = t->problems[PROBLEM_UNMATCHED];
	unsigned all = t->files + t->failed;
	struct buf text = BUF_INIT;
	char a[32], b[32];

	if (t->brief)
		import_brief_end(t, out);
	if (dry_run)
		buf_printf(&text, "dry run, nothing was written; %u of %u files would change it",
			   t->changed, all);
	else if (!t->changed)
		buf_z(&text, "nothing changed");
	else
		buf_printf(&text, "%u of %u files brought something new", t->changed, all);
	if (t->failed > t->stopped)
		buf_printf(&text, "; %u could not be read", t->failed - t->stopped);
	if (skipped || unmatched)
		buf_printf(&text, "; %s %s skipped, %s unmatched", print_count(a, skipped),
			   skipped == 1 ? "row" : "rows", print_count(b, unmatched));
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
	else if (t->samples && t->by_place)
		buf_z(out, "labels, one for each sample in the samples' order");
	else if (t->samples && f->rank == RANK_TRUTH)
		buf_z(out, "truths");
	else if (t->samples)
		buf_z(out, "samples");
	else if (t->values)
		buf_z(out, "a tree");
	else if (t->references)
		buf_z(out, "reference figures");
	else if (t->whole && t->why.code != OK)
		buf_z(out, "nothing that can be read");
	else
		buf_z(out, f->reader->help);
}

static void say_file(const struct plan_file *f, struct str folder, int indent, struct paper *out)
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
	if (f->folder)
		buf_z(&what, ", with all of its kind beside it");
	if (f->apart)
		buf_printf(&what, ", keyed %.*s:…", STR_ARG(f->taste.task));
	paper_say(out, STYLE_POPUP, indent, "%s: %s (%s%s%s)", within_folder(f->path, folder),
		  buf_cstr(&what), f->reader->name, *size ? ", " : "", size);
	buf_release(&what);
}

/* Files that are left out for one reason. */
struct reason {
	size_t n, at[LEFT_NAMED]; /* the first ones */
};
typedef VEC(struct reason) reasons;

static bool is_reason(const struct import_plan *plan, const struct reason *r, const struct plan_left *l)
{
	const struct plan_left *first = &plan->left.v[r->at[0]];

	return first->unreadable == l->unreadable && strcmp(first->why, l->why) == 0;
}

/* How many files have none of the first LEFT_MAX reasons. */
static size_t find_reasons(const struct import_plan *plan, reasons *out)
{
	size_t over = 0, k;

	for (size_t i = 0; i < plan->left.n; i++) {
		for (k = 0; k < out->n && !is_reason(plan, &out->v[k], &plan->left.v[i]); k++)
			;
		if (k == out->n && k == LEFT_MAX) {
			over++;
			continue;
		}
		if (k == out->n)
			vec_push(out, (struct reason){0});
		if (out->v[k].n < LEFT_NAMED)
			out->v[k].at[out->v[k].n] = i;
		out->v[k].n++;
	}
	return over;
}

static void say_reason(const struct import_plan *plan, const struct reason *r, struct str folder,
		       struct paper *out)
{
	const struct plan_left *l = plan->left.v;
	enum style style = l[r->at[0]].unreadable ? STYLE_WARNING : STYLE_DIM;
	struct buf names = BUF_INIT;
	char n[32];

	if (r->n < LEFT_NAMED) {
		for (size_t k = 0; k < r->n; k++)
			paper_say(out, style, 2, "%s: %s", within_folder(l[r->at[k]].path, folder),
				  l[r->at[k]].why);
		return;
	}
	for (size_t k = 0; k < LEFT_NAMED; k++)
		buf_printf(&names, "%s%s", k ? ", " : "", within_folder(l[r->at[k]].path, folder));
	paper_say(out, style, 2, "%s: %s files, %s%s", l[r->at[0]].why, print_count(n, r->n),
		  buf_cstr(&names), r->n > LEFT_NAMED ? ", …" : "");
	buf_release(&names);
}

static void say_left(const struct import_plan *plan, struct str folder, struct paper *out)
{
	struct buf over = BUF_INIT;
	reasons list = {0};
	size_t more = find_reasons(plan, &list);
	char n[32];

	if (plan->left.n)
		paper_say(out, STYLE_BOLD, 0, "left out: %s", print_count(n, plan->left.n));
	for (size_t k = 0; k < list.n; k++)
		say_reason(plan, &list.v[k], folder, out);
	if (more)
		paper_say(out, STYLE_DIM, 2, "… and %s more", print_count(n, more));
	vec_release(&list);
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

static void say_files(const struct import_plan *plan, struct str folder, struct paper *out)
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
		say_file(f, folder, f->set == PLAN_NO_SET ? 2 : indent, out);
	}
}

void import_plan_say(const struct import_plan *plan, const char *project, struct paper *out)
{
	struct str folder = common_folder(plan);
	struct buf sets = BUF_INIT;
	size_t n = 0;
	char count[32], size[32];

	for (size_t i = 0; i < plan->files.n; i++)
		n += plan->files.v[i].reader != NULL;
	say_sets(plan, &sets);
	paper_say(out, STYLE_BOLD, 0, "%s: %s file%s%s%.*s, %s, into %s", project,
		  print_count(count, n), n == 1 ? "" : "s", folder.n ? " of " : "", STR_ARG(folder),
		  print_bytes(size, (double)plan->bytes), buf_cstr(&sets));
	say_files(plan, folder, out);
	say_left(plan, folder, out);
	buf_release(&sets);
}
