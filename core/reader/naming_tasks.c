/* Tasks in the names of files that are called MODEL_TASK, where either may hold a '_'. */
#include "core/base/map.h"
#include "core/reader/naming.h"

static bool is_judge(struct str s)
{
	static const char *const list[] = {"openai", "gpt", "chatgpt", "deepseek", "qwen", NULL};

	for (const char *const *j = list; *j; j++)
		if (str_starts(s, str_z(*j)))
			return true;
	return false;
}

struct str naming_without_judge(struct str s)
{
	static const char *const ends[] = {"_result", "_auxmatch", "_judge", "_score", NULL};
	struct str cut = s;
	size_t at;

	for (const char *const *e = ends; *e && cut.n == s.n; e++)
		if (str_ends(s, str_z(*e)))
			cut.n -= strlen(*e);
	if (cut.n == s.n || str_ends(s, STR("_auxmatch")))
		return cut;
	if (str_ends(cut, STR("_exact_matching")))
		return (struct str){s.p, cut.n - strlen("_exact_matching")};
	for (at = cut.n; at > 0 && s.p[at - 1] != '_'; at--)
		;
	if (at > 1 && is_judge((struct str){s.p + at, cut.n - at}))
		cut.n = at - 1;
	return cut;
}

/* How many different texts stand beside each text. */
struct pairs {
	struct intern left, right, both;
	VEC(uint32_t) of_left, of_right;
};

static void count_cut(struct pairs *p, struct str left, struct str right)
{
	size_t known = p->both.keys.n;
	uint32_t l, r;
	struct buf both = BUF_INIT;

	l = intern_add(&p->left, left);
	r = intern_add(&p->right, right);
	if (l == p->of_left.n)
		vec_push(&p->of_left, 0);
	if (r == p->of_right.n)
		vec_push(&p->of_right, 0);
	buf_printf(&both, "%u %u", l, r);
	if (intern_add(&p->both, buf_view(&both)) == known) {
		p->of_left.v[l]++;
		p->of_right.v[r]++;
	}
	buf_release(&both);
}

/* The cut with the most on both sides; of equal ones the shortest model. */
static struct str best_task(const struct pairs *p, struct str stem)
{
	struct str task = STR("");
	uint32_t best = 1;

	for (size_t i = 1; i + 1 < stem.n; i++) {
		struct str right = {stem.p + i + 1, stem.n - i - 1};
		uint32_t l, r, score;

		if (stem.p[i] != '_')
			continue;
		l = p->of_left.v[intern_find(&p->left, (struct str){stem.p, i})];
		r = p->of_right.v[intern_find(&p->right, right)];
		score = r < 2 ? 0 : r * (l < 2 ? 1 : l);
		if (score > best) {
			best = score;
			task = right;
		}
	}
	return task;
}

void naming_tasks(const struct str *stems, size_t n, struct str *tasks)
{
	struct pairs p = {INTERN_INIT, INTERN_INIT, INTERN_INIT, {0}, {0}};

	for (size_t k = 0; k < n; k++)
		for (size_t i = 1; i + 1 < stems[k].n; i++)
			if (stems[k].p[i] == '_')
				count_cut(&p, (struct str){stems[k].p, i},
					  (struct str){stems[k].p + i + 1, stems[k].n - i - 1});
	for (size_t k = 0; k < n; k++)
		tasks[k] = best_task(&p, stems[k]);
	intern_release(&p.left);
	intern_release(&p.right);
	intern_release(&p.both);
	vec_release(&p.of_left);
	vec_release(&p.of_right);
}

/* --- by what the files ask --- */

/* Benchmarks of VLMEvalKit, as their datasets' names begin. */
static bool is_benchmark(struct str s)
{
	static const char *const list[] = {
	    "3DSRBench", "A-Bench", "A-OKVQA", "AI2D", "AMBER", "BLINK", "CCBench", "CCOCR", "CMMMU",
	    "CharXiv", "ChartQA", "COCO", "CRPE", "CV-Bench", "DocVQA", "DynaMath", "EmoSet", "GMAI",
	    "GQA", "HallusionBench", "HRBench", "InfoVQA", "LLaVABench", "LogicVista", "MathVerse",
	    "MathVision", "MathVista", "MEGABench", "MIA-Bench", "MLLMGuard", "MMAlignBench", "MMBench",
	    "MMDU", "MME", "MMIFEval", "MMLongBench", "MMMU", "MMStar", "MMT-Bench", "MMVet", "MTVQA",
	    "MVBench", "NaturalBench", "OCRBench", "OCRVQA", "OlympiadBench", "PathVQA", "PhyX", "POPE",
	    "Q-Bench", "R-Bench", "RealWorldQA", "SEEDBench", "ScienceQA", "SLAKE", "SpatialEval",
	    "TableVQABench", "TaskMeAnything", "TextVQA", "VCR", "Video-MME", "VisOnlyQA", "VisuLogic",
	    "VizWiz", "VL-RewardBench", "VLM2Bench", "VQAv2", "VStarBench", "WeMath", "WorldMedQA",
	    "ZEROBench", NULL,
	};

	for (const char *const *w = list; *w; w++) {
		size_t n = strlen(*w);

		if (str_starts(s, str_z(*w)) &&
		    (s.n == n || memchr("_-0123456789", s.p[n], 12)))
			return true;
	}
	return false;
}

static struct str behind(struct str stem, size_t at)
{
	return (struct str){stem.p + at + 1, stem.n - at - 1};
}

static struct str known_task(struct str stem)
{
	for (size_t i = 1; i + 1 < stem.n; i++)
		if (stem.p[i] == '_' && is_benchmark(behind(stem, i)))
			return behind(stem, i);
	return STR("");
}

static struct str first_cut(struct str stem)
{
	for (size_t i = 1; i + 1 < stem.n; i++)
		if (stem.p[i] == '_')
			return behind(stem, i);
	return stem;
}

struct flat {
	const struct str *stems;
	const uint32_t *asks;
	size_t n;
	struct str *tasks;
};

/* What all stems of the group end in, behind a '_'; empty: there is one stem, or nothing. */
static struct str shared_end(const struct flat *f, uint32_t group)
{
	struct str end = STR_NONE;
	bool whole = false; /* one of them has nothing before it */
	size_t n = 0;

	for (size_t k = 0; k < f->n; k++) {
		size_t same = 0;
		struct str stem = f->stems[k];

		if (f->asks[k] != group)
			continue;
		while (n && same < stem.n && same < end.n && stem.p[stem.n - 1 - same] == end.p[end.n - 1 - same])
			same++;
		whole = (n > 1 && whole && same == end.n) || same == stem.n;
		end = n++ ? (struct str){end.p + end.n - same, same} : stem;
	}
	for (size_t i = whole; n > 1 && i + 1 < end.n; i++)
		if (end.p[i] == '_')
			return behind(end, i);
	return STR("");
}

/* What is left of the stem without the most that it shares with one of another group. */
static struct str without_shared(const struct flat *f, size_t k)
{
	struct str stem = f->stems[k];
	size_t best = 0;

	for (size_t i = 0; i < f->n; i++) {
		struct str other = f->stems[i];

		if (f->asks[i] == f->asks[k])
			continue;
		for (size_t at = 0; at + 1 < stem.n && at + 1 < other.n && stem.p[at] == other.p[at]; at++)
			if (stem.p[at] == '_' && at > best)
				best = at;
	}
	return best ? behind(stem, best) : STR("");
}

static bool is_taken(const struct flat *f, uint32_t group, struct str task)
{
	for (size_t k = 0; k < f->n; k++)
		if (f->asks[k] != group && str_eq_nocase(f->tasks[k], task))
			return true;
	return false;
}

static struct str task_of_group(const struct flat *f, size_t k, bool several)
{
	struct str stem = f->stems[k];
	struct str may[] = {known_task(stem), several ? shared_end(f, f->asks[k]) : STR(""),
			    several ? without_shared(f, k) : STR(""), several ? first_cut(stem) : STR(""),
			    several ? stem : STR("")};

	for (size_t i = 0; i < sizeof may / sizeof *may; i++)
		if (may[i].n && !is_taken(f, f->asks[k], may[i]))
			return may[i];
	return STR("");
}

/* The files of one group that have no task get the one that another of them has. */
static bool take_from_group(const struct flat *f, size_t k)
{
	for (size_t i = 0; i < f->n && !f->tasks[k].n; i++)
		if (f->asks[i] == f->asks[k])
			f->tasks[k] = f->tasks[i];
	return f->tasks[k].n > 0;
}

void naming_tasks_asked(const struct str *stems, const uint32_t *asks, size_t n, struct str *tasks)
{
	struct flat f = {stems, asks, n, tasks};
	bool *wrong = xcalloc(n + 1, sizeof *wrong), several = false;

	naming_tasks(stems, n, tasks);
	for (size_t k = 0; k < n; k++) {
		several |= asks[k] != asks[0];
		wrong[k] = tasks[k].n && is_taken(&f, asks[k], tasks[k]);
	}
	for (size_t k = 0; k < n; k++)
		if (wrong[k])
			tasks[k] = STR("");
	for (size_t k = 0; k < n; k++)
		if (!tasks[k].n && !take_from_group(&f, k))
			tasks[k] = task_of_group(&f, k, several);
	free(wrong);
}
