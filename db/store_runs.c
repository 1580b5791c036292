#include <inttypes.h>
#include <stdio.h>

#include "core/base/path.h"
#include "db/store_packed.h"

#define NO_TEXT 0xff /* fill of `place` */

/* --- handles --- */

static bool handle_char(unsigned char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
	       (c && strchr("_.-+/#", c));
}

/* A '_' stands for a character that a handle cannot have, but none stands at the end of a part. */
static void put_handle(struct buf *b, struct str s, bool lower)
{
	size_t start = b->n, stand_ins = 0; /* at the end */

	for (size_t i = 0; i < s.n && b->n < 200; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if ((c & 0xc0) == 0x80)
			continue; /* one '_' a character */
		if (lower && c >= 'A' && c <= 'Z')
			c = (unsigned char)(c + 32);
		if ((c == '/' || c == '#') && b->n - stand_ins > start)
			b->n -= stand_ins;
		stand_ins = handle_char(c) ? 0 : stand_ins + 1;
		buf_ch(b, handle_char(c) ? (char)c : '_');
	}
	if (b->n - stand_ins > start)
		b->n -= stand_ins;
}

void store_handle(const struct rec_run *rec, struct buf *b)
{
	if (str_trim(rec->handle).n) {
		put_handle(b, str_trim(rec->handle), false);
	} else {
		put_handle(b, str_trim(rec->model), false);
		if (str_trim(rec->protocol).n) {
			buf_ch(b, '/');
			put_handle(b, str_trim(rec->protocol), true);
		}
	}
	if (!b->n)
		buf_z(b, "run");
}

static struct str make_handle(struct store *s, const struct rec_run *rec)
{
	struct buf b = BUF_INIT;
	struct str out;

	store_room(&b, 2 * 200 + 8);
	store_handle(rec, &b);
	out = arena_str(&s->arena, buf_view(&b));
	buf_release(&b);
	return out;
}

static bool same_run(const struct run_in *r, const struct rec_run *rec, struct str handle)
{
	return str_eq(r->handle, handle) && str_eq(r->model, str_trim(rec->model)) &&
	       str_eq(r->protocol, str_trim(rec->protocol)) &&
	       (!rec->title.n || str_eq(r->title, rec->title));
}

static bool handle_taken(const struct store *s, struct str handle)
{
	for (size_t i = 0; i < s->runs.n; i++)
		if (str_eq(s->runs.v[i].handle, handle))
			return true;
	return false;
}

static void describe(struct store *s, struct run_in *r, const struct rec_run *rec)
{
	struct arena *a = &s->arena;

	r->title = arena_str(a, rec->title.n ? rec->title : r->handle);
	r->model = arena_str(a, str_trim(rec->model));
	r->protocol = arena_str(a, str_trim(rec->protocol));
	r->prompt = arena_str(a, rec->prompt);
	r->response_format = arena_str(a, rec->response_format);
	r->encoder = arena_str(a, rec->encoder);
	r->source = arena_str(a, rec->source.n ? rec->source
					       : path_base(str_z(s->report->file ? s->report->file : "")));
	r->settings = arena_str(a, rec->settings);
	r->parent = arena_str(a, rec->parent);
	r->scratch = rec->scratch;
	r->list_rule = rec->list_rule;
	r->open_world = rec->open_world;
	r->staged = rec->staged;
}

static void number_new(struct run_in *r, struct str name, enum dtype dtype)
{
	struct number_in n = {name, store_number_salt(name), dtype, DENSE(float, 0xff)}; /* f32 and u32: four bytes, all set */

	vec_push(&r->numbers, n);
}

enum status store_run_add(struct store *s, const struct rec_run *rec, uint32_t *run,
			  struct err *err)
{
	struct run_in r = {.packed = DENSE(struct packed, 0),
			   .claimed = DENSE(uint32_t, 0),
			   .high = {DENSE(uint32_t, 0), DENSE(uint32_t, 0)},
			   .said = SAID_PLACES,
			   .set = DENSE(uint32_t, 0),
			   .hash = DENSE(uint64_t, 0)};
	struct str handle = make_handle(s, rec);

	for (uint32_t i = 0; i < s->runs.n; i++) {
		if (same_run(&s->runs.v[i], rec, handle)) {
			*run = i;
			return OK;
		}
	}
	if (s->runs.n >= STORE_RUNS_MAX)
		return err_set(err, E_LIMIT,
			       "the file has more than %zu runs; is the field that names the model "
			       "the right one?",
			       STORE_RUNS_MAX);
	if (!s->next_run && store_int(s, STMT_STORE_RUN_NEXT, 0, &s->next_run, err) != OK)
		return err->code;
	r.handle = handle;
	for (int k = 2; handle_taken(s, r.handle); k++) /* two models whose names differ in blanks */
		r.handle = str_z(store_suffixed(&s->arena, handle, k));
	describe(s, &r, rec);
	r.id = s->next_run++;
	for (int f = 0; f < N_FIELDS; f++)
		r.place[f] = DENSE(uint64_t, NO_TEXT);
	number_new(&r, STR("score"), DT_F32);
	number_new(&r, STR("latency"), DT_F32);
	number_new(&r, STR("tokens"), DT_U32);
	number_new(&r, STR("batch_size"), DT_U32);
	number_new(&r, STR("batch_pos"), DT_U32);
	vec_push(&s->runs, r);
	*run = (uint32_t)(s->runs.n - 1);
	return OK;
}

/* --- one answer --- */

static void texts_of(const struct rec_prediction *p, struct str texts[N_FIELDS])
{
	bool same = !p->extracted.p || str_eq(p->extracted, p->raw);

	texts[FIELD_RAW] = p->raw;
	texts[FIELD_EXTRACTED] = same ? STR_NONE : p->extracted;
	texts[FIELD_STEPS] = p->steps;
	texts[FIELD_MARKS] = p->marks;
	texts[FIELD_ERROR] = p->error;
	texts[FIELD_DETAILS] = p->details;
	texts[FIELD_PEOPLE] = p->people;
}

/* Columns have names of their own that a file's number cannot take. */
static bool is_reserved(struct str name)
{
	return str_eqz(name, "outcome") || str_eqz(name, "label") || str_starts(name, STR("list_")) ||
	       str_starts(name, STR("text_"));
}

static size_t number_get(struct store *s, struct run_in *r, struct str name)
{
	char own[256];

	name = str_trim(name);
	for (size_t i = 0; i < r->numbers.n; i++)
		if (str_eq(r->numbers.v[i].name, name))
			return i;
	if (!name.n || name.n > 200 || r->numbers.n >= 256)
		return SIZE_MAX;
	if (is_reserved(name)) {
		snprintf(own, sizeof own, "_%.*s", STR_ARG(name));
		return number_get(s, r, str_z(own));
	}
	number_new(r, arena_str(&s->arena, name), DT_F32);
	return r->numbers.n - 1;
}

static bool number_fits(const struct number_in *n, double v)
{
	return isfinite(v) && (n->dtype != DT_U32 || (v >= 0 && v < UINT32_MAX));
}

static enum status number_put(struct store *s, struct number_in *n, uint32_t ord, double v,
			      struct err *err)
{
	if (store_dense_reach(&n->v, ord, store_n_samples(s), err) != OK)
		return err->code;
	if (n->dtype == DT_U32)
		dense_at(&n->v, uint32_t, ord) = (uint32_t)v;
	else
		dense_at(&n->v, float, ord) = (float)v;
	return OK;
}

/* The fixed numbers of a record, in the order of the enum. */
static void fixed_numbers(const struct rec_prediction *p, double v[N_NUMBERS])
{
	v[NUMBER_SCORE] = p->score;
	v[NUMBER_LATENCY] = p->latency_ms;
	v[NUMBER_TOKENS] = p->tokens < 0 ? NAN : (double)p->tokens;
	v[NUMBER_BATCH_SIZE] = p->batch_size < 0 ? NAN : (double)p->batch_size;
	v[NUMBER_BATCH_POS] = p->batch_pos < 0 ? NAN : (double)p->batch_pos;
}

static void collect_number(struct store *s, const struct run_in *r, size_t which, double v)
{
	if (which == SIZE_MAX || !number_fits(&r->numbers.v[which], v))
		return;
	for (size_t i = 0; i < s->numbers.n; i++)
		if (s->numbers.v[i].which == which)
			return; /* the first of a name counts */
	vec_push(&s->numbers, ((struct number_value){which, v}));
}

/* The record's numbers, each name once, into s->numbers. */
static void collect_numbers(struct store *s, struct run_in *r, const struct rec_prediction *p)
{
	double fixed[N_NUMBERS];

	vec_clear(&s->numbers);
	fixed_numbers(p, fixed);
	for (size_t i = 0; i < N_NUMBERS; i++)
		if (number_fits(&r->numbers.v[i], fixed[i]))
			vec_push(&s->numbers, ((struct number_value){i, fixed[i]}));
	for (size_t i = 0; i < p->n_numbers; i++)
		collect_number(s, r, number_get(s, r, p->numbers[i].name), p->numbers[i].value);
}

static enum status put_numbers(struct store *s, struct run_in *r, uint32_t ord,
			       struct packed *packed, struct err *err)
{
	memset(packed->number, 0xff, sizeof packed->number);
	for (size_t i = 0; i < s->numbers.n; i++) {
		const struct number_value *value = &s->numbers.v[i];
		struct number_in *n = &r->numbers.v[value->which];

		if (value->which < PACKED_NUMBERS) {
			packed->number[value->which] = store_number_bits(n->dtype, value->value);
			r->has_number[value->which] = true;
		} else if (number_put(s, n, ord, value->value, err) != OK) {
			return err->code;
		}
	}
	return OK;
}

/* Over what will be stored, so that it can be computed again from the project. */
static uint64_t hash_answer(const struct store *s, const struct run_in *r,
			    const struct str texts[N_FIELDS])
{
	uint64_t h = 0;

	for (int f = 0; f < N_FIELDS; f++)
		h ^= store_text_mix((enum text_field)f, texts[f]);
	for (size_t i = 0; i < s->numbers.n; i++) {
		const struct number_in *n = &r->numbers.v[s->numbers.v[i].which];

		h ^= store_number_mix(n->salt, n->dtype, s->numbers.v[i].value);
	}
	return h;
}

enum status store_high_place(struct store *s, struct run_in *r, enum text_field f, uint32_t ord,
			     uint64_t place, struct err *err)
{
	if (store_dense_reach(&r->high[f], ord, store_n_samples(s), err) != OK)
		return err->code;
	dense_at(&r->high[f], uint32_t, ord) = (uint32_t)(place >> 32);
	return OK;
}

static enum status put_texts(struct store *s, struct run_in *r, uint32_t ord,
			     const struct str texts[N_FIELDS], struct packed *packed,
			     struct err *err)
{
	for (int f = 0; f < N_FIELDS; f++) {
		enum text_field field = (enum text_field)f;

		if (!texts[f].n)
			continue;
		if (field == FIELD_RAW) {
			if (store_packed_raw(s, r, ord, texts[f], packed, err) != OK)
				return err->code;
		} else if (field == FIELD_EXTRACTED) {
			uint32_t said = store_said(s, packed->set - 1, texts[f]);

			if (store_packed_extracted(s, r, ord, said, texts[f], packed, err) != OK)
				return err->code;
		} else if (store_dense_reach(&r->place[f], ord, store_n_samples(s), err) != OK ||
			   store_text_put(s, !s->direct, r->id, field, &r->text[f], ord, texts[f],
					  &dense_at(&r->place[f], uint64_t, ord), err) != OK) {
			return err->code;
		}
	}
	return OK;
}

void store_repeated(struct store *s, const struct run_in *r, uint32_t ord, const struct packed *now,
		    struct src src, struct str key)
{
	const struct packed *first = &dense_at(&r->packed, const struct packed, ord);

	store_doubt_claim(s, r, ord, key);
	if (first->set == now->set && first->hash == now->hash)
		s->report->duplicates++;
	else
		report_add(s->report, PROBLEM_SKIPPED, src, "key",
			   "run %.*s has another answer for \"%.*s\" in this file; the first is kept",
			   STR_ARG(r->handle), (int)(key.n > 100 ? 100 : key.n), key.p);
}

static uint32_t set_of(struct store *s, const struct rec_prediction *p)
{
	uint32_t set;

	if (p->memo && *p->memo)
		return *p->memo - 1;
	set = store_set_add(s, (uint8_t)p->outcome, p->refs, p->n_refs, NULL, false);
	if (p->memo)
		*p->memo = set + 1;
	return set;
}

enum status store_prediction_add(struct store *s, const struct rec_prediction *p, struct err *err)
{
	struct str texts[N_FIELDS];
	struct packed *packed = NULL, now = {0};
	struct class_ref option;
	struct run_in *r;
	uint32_t ord;
	bool is_option;

	if (p->run >= s->runs.n)
		return err_set(err, E_FORMAT, "an answer belongs to no run");
	if (store_sample_of(s, p, &ord, err) != OK)
		return err->code;
	r = &s->runs.v[p->run];
	if (ord == INTERN_NONE || (p->outcome == OUTCOME_MISSING && !r->staged))
		return OK;
	if (store_packed_at(s, r, ord, &packed, err) != OK)
		return err->code;
	if (store_choice(s, p, ord, &option, &is_option, err) != OK)
		return err->code;
	now.set = is_option ? store_set_add(s, OUTCOME_ANSWERED, &option, 1, NULL, false) + 1
			    : set_of(s, p) + 1;
	collect_numbers(s, r, p);
	texts_of(p, texts);
	now.hash = hash_answer(s, r, texts);
	if (packed->set) {
		store_repeated(s, r, ord, &now, p->src, p->key);
		return OK;
	}
	if (put_texts(s, r, ord, texts, &now, err) != OK || put_numbers(s, r, ord, &now, err) != OK)
		return err->code;
	*packed = now;
	r->n++;
	return OK;
}

/* --- column by column --- */

static enum status unpack_places(struct run_in *r, int f, struct err *err)
{
	uint32_t n = (uint32_t)r->packed.n;

	if (!r->text[f].start && !r->text[f].data.n)
		return OK;
	if (store_dense_reach(&r->place[f], n - 1, n, err) != OK)
		return err->code;
	for (uint32_t i = 0; i < n; i++) {
		uint64_t low = dense_at(&r->packed, struct packed, i).place[f];

		dense_at(&r->place[f], uint64_t, i) =
		    (low | (uint64_t)dense_u32(&r->high[f], i) << 32) - 1;
	}
	return OK;
}

enum status store_run_unpack(struct store *s, struct run_in *r, struct err *err)
{
	uint32_t n = store_n_samples(s) < r->packed.n ? store_n_samples(s) : (uint32_t)r->packed.n;

	if (store_dense_reach(&r->set, n - 1, n, err) != OK ||
	    store_dense_reach(&r->hash, n - 1, n, err) != OK)
		return err->code;
	for (uint32_t i = 0; i < n; i++) {
		dense_at(&r->set, uint32_t, i) = dense_at(&r->packed, struct packed, i).set;
		dense_at(&r->hash, uint64_t, i) = dense_at(&r->packed, struct packed, i).hash;
	}
	for (int f = 0; f < PACKED_FIELDS; f++)
		if (unpack_places(r, f, err) != OK)
			return err->code;
	for (int k = 0; k < PACKED_NUMBERS; k++) {
		struct dense *v = &r->numbers.v[k].v;

		if (r->has_number[k] && store_dense_reach(v, n - 1, n, err) != OK)
			return err->code;
		for (uint32_t i = 0; r->has_number[k] && i < n; i++)
			dense_at(v, uint32_t, i) =
			    dense_at(&r->packed, struct packed, i).set
				? dense_at(&r->packed, struct packed, i).number[k]
				: UINT32_MAX;
	}
	store_dense_release(&r->packed);
	return OK;
}

void store_run_release(struct run_in *r)
{
	store_dense_release(&r->packed);
	store_dense_release(&r->claimed);
	store_dense_release(&r->set);
	store_dense_release(&r->hash);
	for (int f = 0; f < N_FIELDS; f++) {
		store_dense_release(&r->place[f]);
		store_text_release(&r->text[f]);
	}
	for (int f = 0; f < PACKED_FIELDS; f++)
		store_dense_release(&r->high[f]);
	store_dense_release(&r->said.at);
	for (size_t k = 0; k < r->numbers.n; k++)
		store_dense_release(&r->numbers.v[k].v);
}

void store_runs_release(runs_in *runs)
{
	for (size_t i = 0; i < runs->n; i++) {
		store_run_release(&runs->v[i]);
		vec_release(&runs->v[i].numbers);
	}
	vec_release(runs);
}
