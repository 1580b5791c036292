#include "core/reader/naming.h"

#include "core/base/map.h"
#include "core/base/path.h"
#include "core/protocol/protocol.h"

#define PARTS_MAX 64

/* --- one file --- */

static struct str without_prefix(struct str s)
{
	static const char *const list[] = {
	    "predictions", "prediction", "preds", "pred", "results", "result", "outputs",
	    "output",      "answers",    "responses", "evaluation_report", NULL,
	};

	for (const char *const *w = list; *w; w++) {
		size_t n = strlen(*w);

		if (s.n > n + 1 && str_eq_nocase((struct str){s.p, n}, str_z(*w)) &&
		    memchr("-_. ", s.p[n], 4))
			return (struct str){s.p + n + 1, s.n - n - 1};
	}
	return s;
}

static struct str without_suffix(struct str s)
{
	static const char *const list[] = {
	    "predictions", "prediction", "preds", "pred", "predict", "results", "result",
	    "outputs",     "output",     "answers", "responses", "mistakes", NULL,
	};

	for (const char *const *w = list; *w; w++) {
		size_t n = strlen(*w);

		if (s.n > n + 1 && str_ends_nocase(s, str_z(*w)) &&
		    memchr("-_. ", s.p[s.n - n - 1], 4))
			return (struct str){s.p, s.n - n - 1};
	}
	return s;
}

/* Words that name no model, as file or folder. */
static bool says_nothing(struct str s)
{
	static const char *const list[] = {
	    "",        "-",       ".",        "..",     "predictions", "prediction", "predict",
	    "preds",   "pred",    "results",  "result", "outputs",     "output",     "answers",
	    "responses", "data",  "test",     "val",    "mvei",        "std_mvei",   "esj",
	    "mvei_metadata", NULL,
	};

	for (const char *const *w = list; *w; w++)
		if (str_eq_nocase(s, str_z(*w)))
			return true;
	return false;
}

/* Without the number at its end: "bench_0" and "bench_1" are shards of one. */
static struct str unnumbered(struct str s)
{
	size_t n = s.n;

	while (n > 0 && s.p[n - 1] >= '0' && s.p[n - 1] <= '9')
		n--;
	return n > 1 && n < s.n && s.p[n - 1] == '_' ? (struct str){s.p, n - 1} : s;
}

static struct str bare_stem(struct str path)
{
	struct str base = path_base(path), ext = path_ext(base);

	if (str_eq_nocase(ext, STR("gz")) || str_eq_nocase(ext, STR("zst")))
		base = path_stem(base);
	base = path_stem(base);
	if (str_starts(base, STR("evaluation_report_")))
		base = unnumbered(base); /* how many it is of */
	return without_suffix(without_prefix(base));
}

/* "gpt-4_vision_", as "gpt-4(vision)" becomes in a file's name: without what parts words at its ends. */
static struct str neat(struct str name)
{
	struct str s = name;

	while (s.n && memchr("_-. ", s.p[s.n - 1], 4))
		s.n--;
	while (s.n && memchr("_ ", s.p[0], 2))
		s = (struct str){s.p + 1, s.n - 1};
	return s.n ? s : name;
}

struct str reader_model_from_path(struct str path)
{
	struct str name = bare_stem(path);

	while (says_nothing(name)) {
		struct str dir = path_dir(path);

		if (dir.n >= path.n || str_eqz(dir, ".") || str_eqz(dir, "/"))
			return STR("model");
		path = dir;
		name = path_base(path);
	}
	return neat(name);
}

struct str reader_model(const struct read_options *opt, struct str path)
{
	if (opt->model.n)
		return opt->model;
	return opt->path_model.n ? opt->path_model : reader_model_from_path(path);
}

/* --- several --- */

enum part_kind { PART_NOTHING, PART_PROTOCOL, PART_NAME };

struct parts {
	struct str v[PARTS_MAX]; /* folders, then the stem */
	int n;
	int model; /* which of them is; -1: none */
};

static bool is_protocol(struct str s)
{
	for (const struct protocol *p = protocols; p->name; p++)
		if (str_eq_nocase(s, str_z(p->name)))
			return true;
	return false;
}

/* A date, a time, a number: digits and what stands between them. */
static bool is_number(struct str s)
{
	size_t digits = 0;

	for (size_t i = 0; i < s.n; i++) {
		bool digit = s.p[i] >= '0' && s.p[i] <= '9';

		if (!digit && !memchr("-_.:T ", s.p[i], 6))
			return false;
		digits += digit;
	}
	return digits > 0;
}

/* "part-3", "rank0", "shard_00001". */
static bool is_shard(struct str s)
{
	static const char *const words[] = {"part", "shard", "chunk", "rank", "split", "run",
					    "seed", "rollout", NULL};

	for (const char *const *w = words; *w; w++) {
		struct str word = str_z(*w);

		if (s.n >= word.n && str_eq_nocase((struct str){s.p, word.n}, word))
			return s.n == word.n || is_number((struct str){s.p + word.n, s.n - word.n});
	}
	return false;
}

static enum part_kind kind_of(struct str s)
{
	if (is_protocol(s))
		return PART_PROTOCOL;
	return says_nothing(s) || is_number(s) || is_shard(s) ? PART_NOTHING : PART_NAME;
}

static bool is_between(char c)
{
	return c && memchr("-_. ", c, 4);
}

/* Is the text at s.p + at a word of s? */
static bool is_word(struct str s, size_t at, size_t n)
{
	return (!at || is_between(s.p[at - 1])) && (at + n == s.n || is_between(s.p[at + n]));
}

/* A part without a name (the dataset's, the model's), where that is a word of it. */
static struct str without_word(struct str s, struct str word, struct arena *arena)
{
	size_t at = word.n ? str_find_nocase(s, word) : SIZE_MAX, end;

	if (at == SIZE_MAX || !is_word(s, at, word.n))
		return s;
	end = at + word.n;
	if (!at)
		return end == s.n ? STR("") : (struct str){s.p + end + 1, s.n - end - 1};
	if (end == s.n)
		return (struct str){s.p, at - 1};
	return str_z(arena_printf(arena, "%.*s%.*s", (int)(at - 1), s.p, (int)(s.n - end), s.p + end));
}

static void cut_path(const struct naming *f, struct str dataset, struct parts *out,
		     struct arena *arena)
{
	struct str rest = path_dir(f->path), part, stem = bare_stem(f->path);

	*out = (struct parts){.model = -1};
	while (rest.p && out->n < PARTS_MAX - 1) {
		rest = str_cut(rest, '/', &part);
		if (part.n && !str_eqz(part, "."))
			out->v[out->n++] = without_word(part, dataset, arena);
	}
	if (f->judged)
		stem = naming_without_judge(path_stem(path_base(f->path)));
	out->v[out->n++] = without_word(stem, dataset, arena);
}

static struct str part_at(const struct parts *p, int i)
{
	return i < p->n ? p->v[i] : STR_NONE;
}

/* "gpt54-ow-siglip2_templated": answers that were mapped to classes are named by what they were
 * mapped with, too; it belongs to how they were made. */
static void split_mapped(struct naming *f)
{
	static const char *const words[] = {"ow", "cw", "cw+", NULL};
	struct str rest = f->model, part;

	while (rest.p) {
		rest = str_cut(rest, '-', &part);
		for (const char *const *w = words; *w && rest.n && part.p > f->model.p; w++) {
			if (!str_eq_nocase(part, str_z(*w)))
				continue;
			f->protocol = (struct str){part.p, (size_t)(rest.p + rest.n - part.p)};
			f->model.n = (size_t)(part.p - f->model.p) - 1;
			return;
		}
	}
}

/* "gpt-4o_cw" is a model and its protocol. */
static void split_protocol(struct naming *f)
{
	if (!f->protocol.n)
		split_mapped(f);
	for (size_t i = f->model.n; i > 1; i--) {
		struct str tail = {f->model.p + i, f->model.n - i};

		if (!memchr("-_.", f->model.p[i - 1], 3) || !is_protocol(tail))
			continue;
		f->model.n = i - 1;
		if (!f->protocol.n)
			f->protocol = tail;
		return;
	}
}

static void take_part(struct naming *f, struct parts *p, int i, bool may_name)
{
	enum part_kind kind = kind_of(p->v[i]);

	if (kind == PART_PROTOCOL && !f->protocol.n)
		f->protocol = p->v[i];
	else if (kind == PART_NAME && may_name && p->model < 0)
		p->model = i;
}

/* The first part that differs between all files and names something, else the nearest one before
 * all that differ, else what there is. */
static void name_one(struct naming *f, struct parts *p, uint64_t vary)
{
	int first = 0;

	while (first < p->n - 1 && !(vary >> first & 1))
		first++;
	for (int i = first; i < p->n; i++)
		take_part(f, p, i, vary >> i & 1);
	for (int i = first - 1; i >= 0 && p->model < 0; i--)
		take_part(f, p, i, true);
	for (int i = first; i < p->n; i++)
		take_part(f, p, i, true);
	f->model = p->model >= 0 ? p->v[p->model] : reader_model_from_path(f->path);
	split_protocol(f);
	f->model = neat(f->model);
}

/* Where files differ that the same part of their paths gives the same model. */
static uint64_t siblings_vary(const struct naming *files, const struct parts *parts, size_t n,
			      struct arena *arena)
{
	size_t *first = arena_zalloc(arena, n + 1, sizeof *first); /* by model */
	struct intern known = INTERN_INIT;
	struct buf key = BUF_INIT;
	uint64_t vary = 0;

	for (size_t k = 0; k < n; k++) {
		size_t before = known.keys.n;
		uint32_t id;

		buf_clear(&key);
		buf_printf(&key, "%d ", parts[k].model);
		buf_str(&key, files[k].model);
		id = intern_add(&known, buf_view(&key));
		if (id == before)
			first[id] = k;
		for (int i = 0; i < PARTS_MAX; i++)
			if (!str_eq(unnumbered(part_at(&parts[k], i)),
				    unnumbered(part_at(&parts[first[id]], i))))
				vary |= (uint64_t)1 << i;
	}
	buf_release(&key);
	intern_release(&known);
	return vary;
}

/* What differs behind the model between files of one model, and names something. */
static struct str difference(const struct parts *own, uint64_t vary)
{
	for (int i = own->model + 1; own->model >= 0 && i < own->n; i++) {
		struct str part = unnumbered(own->v[i]);

		if (vary >> i & 1 && kind_of(part) == PART_NAME)
			return part;
	}
	return STR_NONE;
}

/* Which parts differ between the files; of a single one its stem is to tell. */
static uint64_t all_vary(const struct parts *parts, size_t n)
{
	uint64_t vary = n == 1 ? (uint64_t)1 << (parts[0].n - 1) : 0;

	for (size_t k = 1; k < n; k++)
		for (int i = 0; i < PARTS_MAX; i++)
			if (!str_eq(part_at(&parts[k], i), part_at(&parts[0], i)))
				vary |= (uint64_t)1 << i;
	return vary;
}

void naming_by_paths(struct naming *files, size_t n, struct arena *arena)
{
	naming_in_dataset(files, n, STR(""), arena);
}

void naming_in_dataset(struct naming *files, size_t n, struct str dataset, struct arena *arena)
{
	struct parts *parts = arena_zalloc(arena, n + 1, sizeof *parts);
	uint64_t vary;

	for (size_t i = 0; i < n; i++) {
		files[i].model = files[i].protocol = STR_NONE;
		cut_path(&files[i], dataset, &parts[i], arena);
	}
	vary = all_vary(parts, n);
	for (size_t i = 0; i < n; i++)
		name_one(&files[i], &parts[i], vary);
	vary = siblings_vary(files, parts, n, arena);
	for (size_t i = 0; i < n; i++)
		if (!files[i].protocol.n)
			files[i].protocol = difference(&parts[i], vary);
}

/* --- models that files name, and protocols that only paths do --- */

/* Of the parts that differ a protocol's name, else the first that names something. */
static struct str told_apart(const struct parts *own, uint64_t vary)
{
	struct str first = STR_NONE;

	for (int i = 0; i < own->n; i++) {
		struct str part = unnumbered(own->v[i]);
		enum part_kind kind = vary >> i & 1 ? kind_of(part) : PART_NOTHING;

		if (kind == PART_PROTOCOL)
			return part;
		if (kind == PART_NAME && !first.p)
			first = part;
	}
	return first;
}

void naming_protocols(struct naming *files, size_t n, struct str dataset, struct arena *arena)
{
	struct parts *parts = arena_zalloc(arena, n + 1, sizeof *parts);
	uint64_t vary;

	for (size_t k = 0; k < n; k++) {
		cut_path(&files[k], dataset, &parts[k], arena);
		for (int i = 0; i < parts[k].n; i++)
			parts[k].v[i] = without_word(parts[k].v[i], files[k].model, arena);
	}
	vary = siblings_vary(files, parts, n, arena);
	for (size_t k = 0; k < n; k++)
		files[k].protocol = told_apart(&parts[k], vary);
}
