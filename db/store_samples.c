#include <inttypes.h>

#include "core/base/path.h"
#include "core/reader/recipe.h"
#include "db/store_internal.h"

#define SEEN_SAMPLE 1 /* as a sample's own row */
#define SEEN_ANY    2 /* in this file at all */

/* 0 is for blanks. Two different texts with one hash pass for equal: the stored one stays, as it
 * would anyway, only unsaid. */
static uint32_t hash_text(struct str text, uint8_t word)
{
	uint64_t h;

	if (!text.n)
		return 0;
	h = store_hash(text.p, text.n, word);
	return (uint32_t)(h ^ h >> 32) | 1;
}

static uint32_t hash_next(uint32_t hash, struct str path)
{
	return (uint32_t)store_hash(path.p, path.n, hash) | 1;
}

static uint32_t hash_paths(const struct str *paths, size_t n, uint8_t media)
{
	uint32_t h = n ? hash_text(paths[0], media) : 0;

	for (size_t i = 1; h && i < n; i++)
		h = hash_next(h, paths[i]);
	return h;
}

static struct sample_meta *meta_of(struct store *s, uint32_t ord)
{
	return &dense_at(&s->samples.meta, struct sample_meta, ord);
}

/* --- loading --- */

struct store_memory {
	int64_t dataset, generation; /* dataset 0: nothing was left */
	struct intern keys;
	bool disordered;
};

struct store_memory *store_memory_new(void)
{
	return xcalloc(1, sizeof(struct store_memory));
}

void store_memory_free(struct store_memory *m)
{
	if (!m)
		return;
	intern_release(&m->keys);
	free(m);
}

void store_remember(struct store *s, struct store_memory *m)
{
	s->memory = m;
}

static bool recall(struct store *s)
{
	struct store_memory *m = s->memory;

	if (!m || m->dataset != s->dataset || m->generation != s->generation)
		return false;
	s->samples.keys = m->keys;
	s->samples.disordered = m->disordered;
	s->samples.n_stored = store_n_samples(s);
	*m = (struct store_memory){.keys = INTERN_INIT};
	return true;
}

void store_samples_leave(struct store *s)
{
	struct store_memory *m = s->memory;

	if (!m || !s->samples.keys_loaded)
		return;
	intern_release(&m->keys);
	*m = (struct store_memory){s->dataset, s->generation + s->changed, s->samples.keys,
				   s->samples.disordered};
	s->samples.keys = (struct intern)INTERN_INIT;
}

/* Does the key come after all that are there, so that it is none of them? */
static bool comes_last(const struct samples *sm, struct str key)
{
	size_t n = sm->keys.keys.n;

	return !sm->disordered && (!n || str_cmp(sm->keys.keys.v[n - 1], key) < 0);
}

/* A key that is none of those that are there. */
static uint32_t add_key(struct samples *sm, struct str key)
{
	sm->disordered = !comes_last(sm, key);
	return intern_append(&sm->keys, key);
}

enum status store_samples_load(struct store *s, struct err *err)
{
	struct samples *sm = &s->samples;
	sqlite3_stmt *st;
	bool row;

	if (sm->keys_loaded)
		return OK;
	sm->keys_loaded = true;
	if (recall(s))
		return OK;
	if (store_quiet(s, err) != OK)
		return err->code;
	st = stmt_get(s->c, STMT_STORE_SAMPLE_KEYS, err);
	if (!st)
		return err->code;
	sqlite3_bind_int64(st, 1, s->dataset);
	for (;;) {
		uint32_t ord;

		if (stmt_step(s->c, st, &row, err) != OK)
			return err->code;
		if (!row)
			break;
		ord = add_key(sm, stmt_str(st, 1)); /* the project has no two with one key */
		if (ord != sqlite3_column_int64(st, 0))
			return err_set(err, E_FORMAT, "the project's list of samples has gaps");
	}
	sm->n_stored = store_n_samples(s);
	return OK;
}

static enum status load_options(struct store *s, struct err *err)
{
	struct samples *sm = &s->samples;
	sqlite3_stmt *st = stmt_get(s->c, STMT_STORE_OPTION_TEXTS, err);
	bool row;

	if (!st || store_int(s, STMT_STORE_OPTION_NEXT, 0, &sm->next_option, err) != OK)
		return err->code;
	sqlite3_bind_int64(st, 1, s->dataset);
	for (int64_t id = 0, now; ; id = now) {
		if (stmt_step(s->c, st, &row, err) != OK)
			return err->code;
		now = row ? sqlite3_column_int64(st, 0) : 0;
		if (id && id != now && intern_add(&sm->options, buf_view(&sm->scratch)) == sm->option_id.n)
			vec_push(&sm->option_id, id);
		if (!row)
			break;
		if (id != now)
			buf_clear(&sm->scratch);
		struct str text = stmt_str(st, 1);
		uint32_t len = (uint32_t)text.n;

		store_room(&sm->scratch, sizeof len + len);
		buf_put(&sm->scratch, &len, sizeof len);
		buf_str(&sm->scratch, text);
	}
	sm->options_stored = sm->option_id.n;
	return OK;
}

/* Stored sets come in the order of their ids. */
static uint32_t option_ordinal(const struct samples *sm, int64_t id)
{
	size_t lo = 0, hi = sm->options_stored;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (sm->option_id.v[mid] < id)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo < sm->options_stored && sm->option_id.v[lo] == id)
		return (uint32_t)lo + 1;
	return id ? UINT32_MAX : 0; /* an unknown set is no blank either */
}

static enum status load_further_paths(struct store *s, struct err *err)
{
	sqlite3_stmt *st = stmt_get(s->c, STMT_STORE_MEDIA_PATHS, err);
	bool row;

	if (!st)
		return err->code;
	sqlite3_bind_int64(st, 1, s->dataset << 32);
	sqlite3_bind_int64(st, 2, (s->dataset + 1) << 32);
	for (;;) {
		uint32_t ord;

		if (stmt_step(s->c, st, &row, err) != OK)
			return err->code;
		if (!row)
			return OK;
		ord = (uint32_t)sqlite3_column_int64(st, 0);
		if (ord < s->samples.n_stored)
			meta_of(s, ord)->path = hash_next(meta_of(s, ord)->path, stmt_str(st, 1));
	}
}

/* What is known of the stored samples: only files that describe samples need it. */
enum status store_samples_describe(struct store *s, struct err *err)
{
	struct samples *sm = &s->samples;
	sqlite3_stmt *st;
	bool row;

	if (sm->meta_loaded)
		return OK;
	sm->meta_loaded = true;
	if (store_quiet(s, err) != OK || store_samples_load(s, err) != OK ||
	    load_options(s, err) != OK)
		return err->code;
	if (sm->n_stored &&
	    store_dense_reach(&sm->meta, sm->n_stored - 1, sm->n_stored, err) != OK)
		return err->code;
	st = stmt_get(s->c, STMT_STORE_SAMPLE_METAS, err);
	if (!st)
		return err->code;
	sqlite3_bind_int64(st, 1, s->dataset);
	for (;;) {
		struct sample_meta m = {0};
		uint32_t ord;

		if (stmt_step(s->c, st, &row, err) != OK)
			return err->code;
		if (!row)
			break;
		ord = (uint32_t)sqlite3_column_int64(st, 0);
		if (ord >= sm->n_stored)
			return err_set(err, E_BUSY, "another process is importing into the project");
		m.media = (uint8_t)sqlite3_column_int(st, 1);
		m.path = hash_text(stmt_str(st, 2), m.media);
		m.text_kind = (uint8_t)sqlite3_column_int(st, 3);
		m.text = hash_text(stmt_str(st, 4), m.text_kind);
		m.options = option_ordinal(sm, sqlite3_column_int64(st, 5));
		m.extra = hash_text(stmt_str(st, 6), 0);
		*meta_of(s, ord) = m;
	}
	return load_further_paths(s, err);
}

/* Files go through the samples in order, run after run. */
static inline uint32_t guess(const struct samples *sm, struct str key)
{
	if (sm->next < sm->keys.keys.n && str_eq(sm->keys.keys.v[sm->next], key))
		return sm->next;
	return sm->keys.keys.n && str_eq(sm->keys.keys.v[0], key) ? 0 : INTERN_NONE;
}

uint32_t store_sample_find(struct store *s, struct str key)
{
	struct samples *sm = &s->samples;
	uint32_t ord = guess(sm, key);

	sm->astray = ord == INTERN_NONE;
	if (sm->astray) {
		intern_index(&sm->keys);
		ord = intern_find(&sm->keys, key);
	}
	if (ord != INTERN_NONE)
		sm->next = ord + 1;
	return ord;
}

static uint32_t find_or_add(struct store *s, struct str key, bool *added)
{
	struct samples *sm = &s->samples;
	uint32_t ord = guess(sm, key);

	*added = ord == INTERN_NONE && comes_last(sm, key);
	if (*added) {
		ord = intern_append(&sm->keys, key);
	} else if (ord == INTERN_NONE) {
		ord = intern_put(&sm->keys, key, added);
		sm->disordered |= *added;
	}
	sm->next = ord + 1;
	return ord;
}

/* --- option sets --- */

static uint32_t option_set(struct store *s, const struct str *options, size_t n)
{
	struct samples *sm = &s->samples;
	uint32_t id;

	if (!n)
		return 0;
	buf_clear(&sm->scratch);
	for (size_t i = 0; i < n; i++) {
		uint32_t len = (uint32_t)options[i].n;

		store_room(&sm->scratch, sizeof len + len);
		buf_put(&sm->scratch, &len, sizeof len);
		buf_put(&sm->scratch, options[i].p, len);
	}
	id = intern_add(&sm->options, buf_view(&sm->scratch));
	if (id == sm->option_id.n) {
		vec_push(&sm->option_id, sm->next_option++);
		for (size_t i = 0; i < n; i++)
			store_ref_add(s, &(struct class_ref){.kind = CLASS_BY_NAME, .text = options[i]},
				      true);
	}
	return id + 1;
}

/* --- rows --- */

static void keep_further_paths(struct store *s, uint32_t ord, const struct rec_sample *rec)
{
	for (size_t i = 1; i < rec->n_paths; i++)
		vec_push(&s->samples.media, ((struct media_path){ord, (uint32_t)i,
								 arena_str(&s->arena, rec->paths[i])}));
}

static struct sample_meta describe(struct store *s, const struct rec_sample *rec)
{
	struct sample_meta m = {.media = (uint8_t)rec->media, .text_kind = (uint8_t)rec->text_kind};

	m.path = hash_paths(rec->paths, rec->n_paths, m.media);
	m.text = hash_text(rec->text, m.text_kind);
	m.extra = hash_text(rec->extra, 0);
	m.options = option_set(s, rec->options, rec->n_options);
	return m;
}

/* What the row tells of sample `ord`, whose key has just been added. */
static enum status create(struct store *s, const struct rec_sample *rec, uint32_t ord,
			  struct err *err)
{
	struct samples *sm = &s->samples;
	struct sample_meta m = describe(s, rec);

	if (ord >= STORE_SAMPLES_MAX)
		return err_set(err, E_LIMIT, "more than %" PRIu32 " samples", STORE_SAMPLES_MAX);
	if (store_dense_reach(&sm->meta, ord, 0, err) != OK)
		return err->code;
	*meta_of(s, ord) = m;
	keep_further_paths(s, ord, rec);
	s->report->samples_new++;
	return store_put_sample(s, ord, rec, &m, err);
}

/* --- what a row adds to a sample that exists --- */

struct merge {
	bool filled, differs;
};

static bool takes(struct store *s, struct merge *merge, const struct rec_sample *rec,
		  const char *field, uint32_t stored, uint32_t given)
{
	if (!given || stored == given)
		return false;
	if (!stored) {
		merge->filled = true;
		return true;
	}
	merge->differs = true;
	report_add(s->report, PROBLEM_WARNING, rec->src, field,
		   "\"%.*s\" has another one already, which is kept",
		   (int)(rec->key.n > 100 ? 100 : rec->key.n), rec->key.p);
	return false;
}

static void fill(struct store *s, enum fill_kind kind, uint32_t ord, uint8_t word, struct str value,
		 int64_t number)
{
	struct fill f = {kind, ord, word, arena_str(&s->arena, value), number};

	vec_push(&s->samples.fills, f);
}

/* One picture with its folder and without: the name alone says what the key says. */
static bool is_same_picture(const struct rec_sample *rec, const struct sample_meta *m)
{
	struct str path = rec->n_paths == 1 ? rec->paths[0] : STR_NONE, base = path_base(path);

	if (base.n == path.n)
		return path.n && str_eq(path_stem(base), rec->key);
	return m->path == hash_text(base, (uint8_t)rec->media);
}

/* --images is the user's word on where pictures are: it replaces what a file said before. */
static bool takes_path(struct store *s, struct merge *merge, const struct rec_sample *rec,
		       const struct sample_meta *m, const struct sample_meta *now)
{
	if (s->opt->images.n && now->path && m->path && now->path != m->path &&
	    !(m->seen & SEEN_ANY)) {
		merge->filled = true;
		return true;
	}
	if (m->path && m->path != now->path && is_same_picture(rec, m))
		return false;
	return takes(s, merge, rec, "path", m->path, now->path);
}

static struct merge merge_known(struct store *s, uint32_t ord, const struct rec_sample *rec)
{
	struct sample_meta now = describe(s, rec), *m = meta_of(s, ord);
	struct merge merge = {0};

	if (takes_path(s, &merge, rec, m, &now)) {
		fill(s, FILL_PATH, ord, now.media, rec->paths[0], 0);
		keep_further_paths(s, ord, rec);
		m->path = now.path;
		m->media = now.media;
	}
	if (takes(s, &merge, rec, "text", m->text, now.text)) {
		fill(s, FILL_TEXT, ord, now.text_kind, rec->text, 0);
		m->text = now.text;
		m->text_kind = now.text_kind;
	}
	if (takes(s, &merge, rec, "options", m->options, now.options)) {
		fill(s, FILL_OPTIONS, ord, 0, STR_NONE, s->samples.option_id.v[now.options - 1]);
		m->options = now.options;
	}
	if (takes(s, &merge, rec, "extra", m->extra, now.extra)) {
		fill(s, FILL_EXTRA, ord, 0, rec->extra, 0);
		m->extra = now.extra;
	}
	return merge;
}

static bool key_ok(struct store *s, struct src src, struct str key)
{
	if (key.n && key.n <= STORE_KEY_MAX)
		return true;
	if (key.n)
		report_add(s->report, PROBLEM_SKIPPED, src, "key", "a key of %zu bytes (at most %zu)",
			   key.n, STORE_KEY_MAX);
	else
		report_add(s->report, PROBLEM_SKIPPED, src, "key", "the row has no key");
	return false;
}

static void unmatched(struct store *s, struct src src, struct str key, bool ambiguous)
{
	if (!s->lost_key.n)
		s->lost_key = arena_str(&s->arena, key);
	report_add(s->report, PROBLEM_UNMATCHED, src, "key", "%s \"%.*s\"",
		   ambiguous ? "several samples or rows might be meant by" : "there is no sample",
		   (int)(key.n > 100 ? 100 : key.n), key.p);
}

/* --- keys that are a sample's only by the way they look --- */

static struct str doubt_name(struct store *s, const struct run_in *r, struct str key)
{
	uint32_t run = r ? (uint32_t)(r - s->runs.v) : UINT32_MAX;
	struct buf *b = &s->samples.scratch;

	buf_clear(b);
	store_room(b, sizeof run + key.n);
	buf_put(b, &run, sizeof run);
	buf_str(b, key);
	return buf_view(b);
}

static bool is_doubted(struct store *s, const struct run_in *r, struct str key)
{
	return s->doubts && s->doubts->keys.keys.n &&
	       intern_find(&s->doubts->keys, doubt_name(s, r, key)) != INTERN_NONE;
}

static void doubt(struct store *s, const struct run_in *r, struct str key)
{
	bool added;

	if (!s->doubts)
		return;
	intern_put(&s->doubts->keys, doubt_name(s, r, key), &added);
	s->doubts->grown |= added;
}

void store_doubt_claim(struct store *s, const struct run_in *r, uint32_t ord, struct str key)
{
	uint32_t id = dense_u32(r ? &r->claimed : &s->samples.claimed, ord);

	if (id && !str_eq(intern_key(&s->samples.loose, id - 1), key))
		doubt(s, r, intern_key(&s->samples.loose, id - 1));
}

/* Has a row with the sample's own key been there? Asked before another key claims it. */
static bool met_exactly(const struct store *s, const struct run_in *r, uint32_t ord)
{
	if (r)
		return ord < r->packed.n && dense_at(&r->packed, const struct packed, ord).set;
	return ord < s->samples.meta.n &&
	       (dense_at(&s->samples.meta, const struct sample_meta, ord).seen & SEEN_SAMPLE);
}

/* Of two different keys that mean the same sample the one that is its own is believed, else neither.
 * What has been believed by then is taken back by reading the file again, if that can be done. */
static enum status claim(struct store *s, struct run_in *r, struct str key, uint32_t ord,
			 enum matched *how, struct err *err)
{
	struct dense *claimed = r ? &r->claimed : &s->samples.claimed;
	uint32_t id = intern_add(&s->samples.loose, key) + 1, *first;

	if (store_dense_reach(claimed, ord, store_n_samples(s), err) != OK)
		return err->code;
	first = &dense_at(claimed, uint32_t, ord);
	if (is_doubted(s, r, key) || (!*first && met_exactly(s, r, ord))) {
		doubt(s, r, key);
		*how = MATCHED_AMBIGUOUS;
	} else if (!*first) {
		*first = id;
	} else if (*first != id) {
		store_doubt_claim(s, r, ord, key);
		doubt(s, r, key);
		*how = MATCHED_AMBIGUOUS;
	}
	return OK;
}

void store_count_exact(struct store *s)
{
	s->report->joined[s->report->by_position ? MATCHED_POSITION : MATCHED_EXACT]++;
}

bool store_joins_by_place(const struct store *s)
{
	return s->report->by_place || (s->opt->recipe && s->opt->recipe->join == JOIN_POSITION);
}

/* The key is the row's number: it means the sample at this place. */
static void join_by_place(struct store *s, struct src src, struct str key, uint32_t *ord)
{
	int64_t place = 0;

	*ord = INTERN_NONE;
	if (str_int(key, &place) && place >= 1 && (uint64_t)place <= store_n_samples(s))
		*ord = (uint32_t)(place - 1);
	s->report->joined[*ord != INTERN_NONE ? MATCHED_POSITION : MATCHED_NOT]++;
	if (*ord == INTERN_NONE)
		unmatched(s, src, key, false);
}

/* The one place where a row's key becomes a sample: to the byte, else as match.h has it when only
 * one sample can be meant, unless a recipe says otherwise. r: whose answer the row is; NULL: it tells
 * of samples. *ord = INTERN_NONE: none, which is reported. */
static enum status join(struct store *s, struct run_in *r, struct src src, struct str key,
			uint32_t *ord, struct err *err)
{
	enum recipe_join wish = store_joins_by_place(s) ? JOIN_POSITION
				: s->opt->recipe	? s->opt->recipe->join
							: JOIN_LOOSE;
	struct samples *sm = &s->samples;
	enum matched how;

	if (wish == JOIN_POSITION) {
		join_by_place(s, src, key, ord);
		return OK;
	}
	*ord = store_sample_find(s, key);
	if (*ord == INTERN_NONE && wish == JOIN_EXACT) {
		s->report->joined[MATCHED_NOT]++;
		unmatched(s, src, key, false);
	}
	if (*ord != INTERN_NONE)
		store_count_exact(s);
	if (*ord != INTERN_NONE || wish == JOIN_EXACT)
		return OK;
	while (sm->match.n < store_n_samples(s))
		match_add(&sm->match, intern_key(&sm->keys, sm->match.n), sm->match.n);
	how = match_find(&sm->match, key, ord);
	if (how < MATCHED_AMBIGUOUS && claim(s, r, key, *ord, &how, err) != OK)
		return err->code;
	s->report->joined[how]++;
	if (how < MATCHED_AMBIGUOUS)
		return OK;
	*ord = INTERN_NONE;
	unmatched(s, src, key, how == MATCHED_AMBIGUOUS);
	return OK;
}

/* The row's sample, made if the row may do that; then all that the row says of it. */
static enum status apply(struct store *s, struct run_in *r, const struct rec_sample *rec,
			 uint32_t *ord, struct err *err)
{
	bool own_row = !r;
	struct merge merge = {0};
	struct sample_meta *m;
	bool fresh = false, facets = false, truths = false;

	if (store_samples_describe(s, err) != OK)
		return err->code;
	if (rec->creates)
		*ord = find_or_add(s, rec->key, &fresh);
	else if (join(s, r, rec->src, rec->key, ord, err) != OK)
		return err->code;
	if (*ord == INTERN_NONE)
		return OK;
	if (own_row)
		store_doubt_claim(s, NULL, *ord, rec->key);
	if (fresh && create(s, rec, *ord, err) != OK)
		return err->code;
	if (!fresh && rec->creates)
		store_count_exact(s);
	if (!fresh)
		merge = merge_known(s, *ord, rec);
	if (store_facets_add(s, *ord, rec, &facets, err) != OK ||
	    store_truths_add(s, *ord, rec, &truths, err) != OK)
		return err->code;
	m = meta_of(s, *ord);
	if (!(m->seen & SEEN_ANY) && !fresh)
		s->report->samples_known++;
	merge.filled |= facets;
	if (merge.filled && *ord < s->samples.n_stored)
		s->report->samples_filled++;
	if (own_row && (m->seen & SEEN_SAMPLE) && !merge.filled && !merge.differs && !truths)
		s->report->duplicates++;
	m->seen |= SEEN_ANY | (own_row ? SEEN_SAMPLE : 0);
	return OK;
}

enum status store_sample_add(struct store *s, const struct rec_sample *rec, struct err *err)
{
	uint32_t ord = INTERN_NONE;
	enum status st;

	if (!key_ok(s, rec->src, rec->key))
		return OK;
	if (rec->declares && !s->declared)
		s->declared = s->dataset_changed = true;
	st = apply(s, NULL, rec, &ord, err);
	return st == OK && ord != INTERN_NONE ? store_check_sample(s, ord, rec, err) : st;
}

enum status store_sample_known(struct store *s, struct run_in *r, struct src src, struct str key,
			       uint32_t *ord, struct err *err)
{
	*ord = INTERN_NONE;
	if (!key_ok(s, src, key))
		return OK;
	if (store_samples_load(s, err) != OK)
		return err->code;
	return join(s, r, src, key, ord, err);
}

enum status store_sample_of(struct store *s, const struct rec_prediction *p, uint32_t *ord,
			    struct err *err)
{
	struct run_in *r = &s->runs.v[p->run];

	if (!p->sample || (s->declared && p->sample->creates))
		return store_sample_known(s, r, p->src, p->key, ord, err);
	*ord = INTERN_NONE;
	if (!key_ok(s, p->src, p->key))
		return OK;
	if (store_samples_load(s, err) != OK)
		return err->code;
	return apply(s, r, p->sample, ord, err);
}

void store_samples_release(struct samples *sm)
{
	intern_release(&sm->keys);
	store_dense_release(&sm->meta);
	vec_release(&sm->fills);
	vec_release(&sm->media);
	intern_release(&sm->options);
	vec_release(&sm->option_id);
	buf_release(&sm->scratch);
	match_release(&sm->match);
	intern_release(&sm->loose);
	store_dense_release(&sm->claimed);
}
