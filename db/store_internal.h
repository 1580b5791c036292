/*
 * The inside of db/store, shared by its files only. A store holds what one file said:
 *
 *   classes   the dataset's class list, loaded once and changed in memory   store_classes.c
 *   refs      distinct ways in which the file names classes; sets of them,
 *             resolved to class ordinals when the file has ended            store_refs.c
 *   samples   keys by ordinal, what is known of each                        store_samples.c
 *             letters that mean a sample's options                          store_choice.c
 *   facets    loaded at first mention, changed in memory                    store_facets.c
 *   layers    truths of the file, compared at the end                       store_layers.c
 *   runs      answers of the file, compared at the end     store_runs.c, store_plain.c,
 *                                                          store_answers.c, store_merge.c,
 *                                                          store_extend.c, store_staged.c
 *             looked at and laid out by other threads, written
 *                                                  store_ahead.c, store_runs_write.c
 *   texts     chunks of answers, written as they fill                       store_text.c
 *   said      texts that repeat, each once in its run's stream    store_said.c, store_packed.h
 *   writer    the thread that writes chunks and samples meanwhile   store_writer.c, store_rows.c
 *
 * Whatever is indexed by a sample is a dense array over the dataset's ordinals.
 */
#ifndef QUALM_DB_STORE_INTERNAL_H
#define QUALM_DB_STORE_INTERNAL_H

#include <pthread.h>

#include "core/base/map.h"
#include "core/model/column.h"
#include "core/reader/match.h"
#include "db/column.h"
#include "db/fetch.h"
#include "db/sharers.h"
#include "db/stmt.h"
#include "db/store.h"
#include "db/store_hash.h"

#define STORE_CHUNK_BYTES ((size_t)128 * 1024)
#define STORE_TEXT_MAX	  ((size_t)512 << 20) /* one answer */
#define STORE_KEY_MAX	  ((size_t)4096)
#define STORE_NAME_MAX	  ((size_t)1024)
#define STORE_SAMPLES_MAX ((uint32_t)1 << 30)
#define STORE_RUNS_MAX	  ((size_t)2000)
#define STORE_SUFFIX_MAX  1000 /* NAME#2 … NAME#1000 */

/* --- store_util.c --- */

/* A growing array over sample ordinals; elements never set are `fill` bytes. Its size comes from
 * input, so that growing can fail. */
struct dense {
	void *data;
	size_t n;
	uint8_t size, fill;
	bool scattered; /* comes in no order: in the system's largest pages, where it has them */
};

#define DENSE(type, fill_byte) ((struct dense){NULL, 0, sizeof(type), (fill_byte), false})
#define dense_at(D, type, i)   (((type *)(D)->data)[i])

/* Room for element i; `hint` elements at once when that is more. */
enum status store_dense_reach(struct dense *d, size_t i, size_t hint, struct err *err);
void store_dense_release(struct dense *d);
static inline uint32_t dense_u32(const struct dense *d, size_t i)
{
	return i < d->n ? dense_at(d, const uint32_t, i) : 0;
}

/* Room for n more bytes. For what is small: without memory the program ends (xmalloc.h). */
void store_room(struct buf *b, size_t n);
/* column_new, or E_MEMORY. */
enum status store_column(struct column *out, enum dtype dtype, size_t n, struct err *err);
/* Elements 0 … n - 1 of an unsigned column; none of v is "none". */
void store_column_fill(struct column *col, const uint32_t *v, size_t n);
/* The form under which names are compared: trimmed, case-folded. */
struct str store_fold(struct str s, struct buf *scratch);
/* NAME, NAME#2, NAME#3 …; k = 1 is the name itself. A name that ends in #k counts on from it. */
const char *store_suffixed(struct arena *a, struct str name, int k);
void store_now(char out[32]); /* UTC, ISO 8601 */
const char *store_count(char out[32], uint64_t v); /* "12,345" */

/* --- classes --- */

struct cls {
	int64_t index; /* -1 = none */
	struct str wnid, name, parent_text;
	struct src src;
	uint32_t parent; /* UINT32_MAX = none */
	bool declared, fresh, changed, claimed;
};

struct alias {
	uint32_t cls;
	struct str scheme, text;
};

struct name_node {
	uint32_t cls, next; /* next: index into nodes, UINT32_MAX = end */
};

struct classes {
	VEC(struct cls) v;
	struct intern by_id; /* "i" + index, "w" + wnid, "c" + scheme NUL code */
	VEC(uint32_t) id_class;
	struct intern names; /* folded */
	VEC(uint32_t) name_head;
	VEC(struct name_node) nodes;
	struct intern schemes;
	VEC(struct alias) aliases; /* new ones */
	struct intern map;	   /* folded text → class: the user's label map */
	VEC(uint32_t) map_class;
	int64_t next_index;
	bool loaded, declared;
};

typedef VEC(uint32_t) ordinals;

enum status store_classes_load(struct store *s, struct err *err);
enum status store_class_add(struct store *s, const struct rec_class *rec, struct err *err);
/* A class that the data make up. */
uint32_t store_class_make(struct store *s, int64_t index, struct str wnid, struct str name);
uint32_t store_class_by_index(const struct classes *cl, int64_t index);
uint32_t store_class_by_wnid(const struct classes *cl, struct str wnid);
uint32_t store_class_by_code(const struct classes *cl, struct str scheme, struct str code);
/* Adds to out (not sorted): what the label map says, else every class that bears the name. */
void store_classes_by_name(struct store *s, struct str name, ordinals *out);
/* The second half of it alone, and the first: the map's class, UINT32_MAX = it does not say. */
void store_classes_named(struct store *s, struct str name, ordinals *out);
uint32_t store_class_mapped(struct store *s, struct str name);
/* What an answer of this name would be without the label map: ANSWERED by a class that bears it, or
 * OOP. MISSING: the map does not say anything about it. */
enum outcome store_unmapped(struct store *s, struct str name);
/* "#12" becomes the name that came with the index. */
void store_class_name_blank(struct store *s, uint32_t cls, struct str name);
void store_classes_parents(struct store *s);
enum status store_classes_write(struct store *s, struct err *err);
void store_classes_release(struct classes *cl);

/* --- refs and sets of them --- */

struct alone { /* the set that has one ref, or none at all, and no votes */
	uint32_t set; /* + 1; 0 = none yet */
	uint8_t tag;
};

struct ref {
	bool makes; /* a truth or an option: may make up a class */
	uint8_t was; /* store_unmapped() of a name, 0 of others */
	struct alone alone;
	size_t from, n; /* in refs.classes */
};

struct set {
	size_t from, n; /* in refs.classes: ascending, distinct */
	uint32_t unknown; /* a ref of it that means no class, UINT32_MAX = none */
	uint8_t tag;
	uint8_t was; /* of a set of one ref: its */
};

#define SET_TRUTH 0x80 /* tags; answers' sets have their outcome */
#define SET_VOTES 0x81

/* A name that was met before, as most are, by its ends, which are all of it up to 16 bytes. */
struct memo {
	uint64_t head, tail;
	const char *text; /* the ref's */
	uint32_t n;
	uint32_t ref; /* + 1; 0 = free */
};

#define STORE_MEMOS 4096

struct refs {
	struct intern ref_keys, set_keys;
	struct memo *memos; /* STORE_MEMOS of them, by hash */
	struct alone empty; /* the set without a ref */
	VEC(struct ref) ref;
	VEC(struct set) set;
	ordinals classes;
	struct buf scratch;
};

/* The set's number. Names that are too long to be one stand for a class that does not exist. */
uint32_t store_set_add(struct store *s, uint8_t tag, const struct class_ref *refs, size_t n,
		       const double *votes, bool makes);
uint32_t store_ref_add(struct store *s, const struct class_ref *ref, bool makes);
/* Makes up classes, then resolves every ref and set. */
enum status store_refs_resolve(struct store *s, struct err *err);
uint8_t store_set_tag(const struct store *s, uint32_t set);
/* Refs of a set, and their votes behind them (not aligned: copy). */
size_t store_set_refs(const struct store *s, uint32_t set, const char **refs, const char **votes);
/* The same refs in the same order; before they are resolved. */
bool store_sets_same(const struct store *s, uint32_t a, uint32_t b);
bool store_sets_equal(const struct store *s, uint32_t a, uint32_t b);
/* As the file wrote it, for messages. */
struct str store_ref_text(const struct store *s, uint32_t ref, char *buf, size_t size);
void store_refs_release(struct refs *r);
/* Sorts what was added from `from` on and drops repeats; returns how many are left of it. */
size_t store_tidy(ordinals *classes, size_t from);

/* --- samples --- */

struct sample_meta { /* hashes: 0 = blank */
	uint32_t path, text, extra;
	uint32_t options; /* option set as in options.keys, + 1 */
	uint8_t media, text_kind;
	uint8_t seen; /* in this file: 1 as a sample, 2 with a prediction */
};

enum fill_kind { FILL_TEXT, FILL_PATH, FILL_OPTIONS, FILL_EXTRA };

struct fill { /* for a sample that exists */
	enum fill_kind kind;
	uint32_t ord;
	uint8_t word; /* text or media kind */
	struct str value;
	int64_t number;
};

struct media_path {
	uint32_t ord, pos;
	struct str path;
};

struct samples {
	struct intern keys; /* id = ordinal; appended, while they come in ascending order */
	bool disordered;    /* they did not */
	struct dense meta;
	VEC(struct fill) fills;
	VEC(struct media_path) media;
	uint32_t n_stored, next; /* next: the ordinal that is guessed first */
	bool keys_loaded, meta_loaded, media_changed;
	bool astray;	/* the last guess was wrong */
	bool unindexed; /* the index of keys is made when all are there; the writer's */
	struct match match;   /* keys that rows may mean otherwise written: made by need */
	struct intern loose;  /* such keys of this file */
	struct dense claimed; /* u32: by sample, which of them means it, + 1; of rows that are no answers */
	struct intern options; /* texts, each with its length in front */
	VEC(int64_t) option_id;
	size_t options_stored;
	int64_t next_option;
	struct buf scratch;
};

struct run_in;

enum status store_samples_load(struct store *s, struct err *err);
/* Leaves the keys to the next store; everything is committed. */
void store_samples_leave(struct store *s);
/* Loads what is known of the stored samples (meta), once. */
enum status store_samples_describe(struct store *s, struct err *err);
uint32_t store_sample_find(struct store *s, struct str key);
bool store_joins_by_place(const struct store *s); /* do keys mean places? */
/* A key that is a sample's to the byte, or its place where the file's keys are places, was joined. */
void store_count_exact(struct store *s);
enum status store_sample_add(struct store *s, const struct rec_sample *rec, struct err *err);
/* The sample of run r's prediction; *ord = INTERN_NONE: there is none, which has been reported. */
enum status store_sample_known(struct store *s, struct run_in *r, struct src src, struct str key,
			       uint32_t *ord, struct err *err);
/* A row with this key was taken for sample `ord`: another key that had been, though it is not the
 * sample's own, is doubted. r as in claimed. */
void store_doubt_claim(struct store *s, const struct run_in *r, uint32_t ord, struct str key);
/* The sample that a prediction's row describes. *ord = INTERN_NONE when it does not exist. */
enum status store_sample_of(struct store *s, const struct rec_prediction *p, uint32_t *ord,
			    struct err *err);
enum status store_samples_write(struct store *s, struct err *err);
enum status store_samples_index(struct store *s, struct err *err); /* of a new project's keys */
void store_samples_release(struct samples *sm);

/* --- store_choice.c --- */

/* Where a letter was answered and the sample has options, *out is that option's text; else p's own
 * answer stands and *is_option is false. */
enum status store_choice(struct store *s, const struct rec_prediction *p, uint32_t ord,
			 struct class_ref *out, bool *is_option, struct err *err);

/* --- facets --- */

struct facet_in {
	int64_t id;
	struct str name;
	bool fresh, changed, numeric, text;
	struct intern raw; /* as written → value */
	VEC(uint32_t) raw_value;
	struct intern folded;	/* id = value's ordinal */
	VEC(struct str) values; /* display */
	VEC(uint32_t) parents;
	VEC(uint32_t) alone; /* the set of one value, + 1; 0 = none yet */
	size_t values_stored;
	bool parents_changed;
	struct intern sets; /* u32[] of values */
	struct dense set;   /* u32: set + 1 by sample */
	struct dense num;   /* f64 by sample */
};

struct facets {
	VEC(struct facet_in *) v;
	struct intern raw; /* as written → facet */
	VEC(uint32_t) raw_facet;
	struct intern folded;
	int64_t next_id;
	uint32_t expected; /* the name, in raw, that most likely comes next */
	VEC(uint32_t) row, values; /* scratch of one record */
};

/* The number, in f->sets, of the set of these values. */
uint32_t store_facet_set(struct facet_in *f, const uint32_t *values, size_t n);
/* *changed and *differs tell what the sample's facets did. */
enum status store_facets_add(struct store *s, uint32_t ord, const struct rec_sample *rec,
			     bool *changed, struct err *err);
enum status store_tree_add(struct store *s, const struct rec_tree *rec, struct err *err);
/* store_references.c: a figure that was there with another value is replaced. */
enum status store_reference_add(struct store *s, const struct rec_reference *rec, struct err *err);
enum status store_references_write(struct store *s, struct err *err);
enum status store_facets_write(struct store *s, struct err *err);
void store_facets_release(struct facets *f);

/* --- layers --- */

struct late_truth {
	uint32_t ord, set;
	struct src src;
};

/* What a file says of one layer. Labels and votes of one name are two layers: one that is stored
 * has votes for all of its samples, or for none. Empty truths go with either. */
struct layer_in {
	struct str name;
	uint8_t tag; /* SET_TRUTH or SET_VOTES; 0: empty truths alone */
	struct dense set; /* u32: set + 1 */
	struct dense src; /* struct src */
	VEC(struct late_truth) late;
};

typedef VEC(struct layer_in) layers_in;

enum status store_truths_add(struct store *s, uint32_t ord, const struct rec_sample *rec,
			     bool *changed, struct err *err);
enum status store_layers_write(struct store *s, struct err *err);
void store_layers_release(layers_in *l);

/* --- texts --- */

/* Are its texts stored once however many samples have them? Then `ord` means nothing below. */
static inline bool store_field_shared(enum text_field field)
{
	return field == FIELD_EXTRACTED;
}

struct text_out {
	struct buf data;
	VEC(uint32_t) ords, lens; /* ords: of fields that are not shared */
	uint64_t start; /* of the chunk in the stream */
};

enum status store_text_put(struct store *s, bool stage, int64_t run, enum text_field field,
			   struct text_out *out, uint32_t ord, struct str text, uint64_t *place,
			   struct err *err);
/* The same where the entry fits into the chunk at hand, as nearly all do; of a field that is not
 * shared. */
static inline bool store_text_fits(const struct text_out *out, size_t n)
{
	return out->data.n + n <= STORE_CHUNK_BYTES && n < out->data.cap - out->data.n &&
	       out->ords.n < out->ords.cap && out->lens.n < out->lens.cap;
}

static inline uint64_t store_text_append(struct text_out *out, uint32_t ord, struct str text)
{
	uint64_t place = out->start + out->data.n;

	memcpy(out->data.p + out->data.n, text.p, text.n);
	out->data.n += text.n;
	out->ords.v[out->ords.n++] = ord;
	out->lens.v[out->lens.n++] = (uint32_t)text.n;
	return place;
}

enum status store_text_flush(struct store *s, bool stage, int64_t run, enum text_field field,
			     struct text_out *out, struct err *err);
void store_text_release(struct text_out *out);
/* Every entry of a run's field, in the stream's order. */
struct text_stream {
	bool stage;
	int64_t run;
	enum text_field field;
	const struct column *place; /* of the field; NULL: nobody asks whose shared texts are */
};
struct text_entry {
	uint64_t place;
	const uint32_t *ords; /* whose text it is; they may lie beyond the dataset */
	size_t n;
	struct str text;
	bool shared;
};
struct text_visit {
	void *ctx;
	enum status (*entry)(void *ctx, const struct text_entry *e, struct err *err);
};
enum status store_text_each(struct store *s, const struct text_stream *from,
			    const struct text_visit *visit, struct err *err);
/* Places as the store holds them, as a column; borrowed. */
static inline struct column store_places_column(const struct dense *place)
{
	return (struct column){DT_U64, place->n, place->data};
}
enum status store_text_end(struct store *s, int64_t run, enum text_field field, uint64_t *end,
			   struct err *err);

/* --- texts that repeat: store_said.c --- */

#define SAID_NONE UINT32_MAX

/* Extracted answers are most often some names over and over. Texts have numbers here, which all
 * runs share; how many are kept has a ceiling, and when it is reached all are forgotten: what is
 * said again after that stands in its stream once more. */
struct said {
	struct intern texts;
	VEC(uint64_t) mix;   /* by text: store_text_mix() of an extracted answer */
	VEC(uint32_t) usual; /* by set: the text that last came with it, + 1; 0 = none */
	size_t bytes;
	uint32_t epoch; /* how often all was forgotten */
};

/* Where a stream has which of them. */
struct said_places {
	struct dense at; /* u32, by text: its place + 1; 0 = it is not there */
	uint32_t epoch;	 /* of `at` */
};

#define SAID_PLACES {DENSE(uint32_t, 0), 0}

/* The text's number, SAID_NONE: too long to have one. set: of the answer that it came
 * with, or SAID_NONE. */
uint32_t store_said_find(struct store *s, uint32_t set, struct str text);
/* Puts a text at the end of its stream and remembers where. */
enum status store_said_put(struct store *s, bool stage, int64_t run, struct text_out *out,
			   struct said_places *known, uint32_t said, struct str text,
			   uint64_t *place, struct err *err);
/* The same for one that may be there already; of a stored run. */
enum status store_said_share(struct store *s, int64_t run, struct text_out *out,
			     struct said_places *known, struct str text, uint64_t *place,
			     struct err *err);
/* The stream has the text at this place. */
enum status store_said_learn(const struct store *s, struct said_places *known, uint32_t said,
			     uint64_t place, struct err *err);
void store_said_release(struct said *said);

/* --- rows of samples: store_rows.c --- */

struct row_out {
	uint32_t ord;
	uint8_t media, text_kind;
	int64_t options; /* 0 = none */
	struct str key, path, text, extra;
};

struct rows_shape { /* what the statement is like that puts them */
	unsigned asked; /* columns that differ from row to row, by bit */
	uint8_t media, text_kind; /* of all rows, where they do not */
	bool append; /* SQLite gives the ids */
};

struct rows_in { /* the writer's */
	const struct row_out *v; /* those that are being written */
	size_t n;
	sqlite3_stmt *put;
	struct rows_shape shape;
	bool has_module; /* the table that the statement reads */
	int64_t last; /* the greatest id, where rows follow it; 0 = not known */
	struct buf last_key; /* of the row before */
};

enum status store_rows_write(struct store *s, const struct row_out *rows, size_t n,
			     struct err *err);
void store_rows_end(struct store *s);

/* --- the writer: store_writer.c --- */

struct writer;

/* From here on rows and chunks are written by another thread, if there may be one. */
void store_writer_start(struct store *s);
/* Everything that was handed over is in the database, and the connection is the caller's. */
enum status store_quiet(struct store *s, struct err *err);
enum status store_writer_stop(struct store *s, struct err *err);
enum status store_put_sample(struct store *s, uint32_t ord, const struct rec_sample *rec,
			     const struct sample_meta *m, struct err *err);
/* The index of the keys, when there is a writer that makes it meanwhile. */
enum status store_put_index(struct store *s, struct err *err);
/* out's buffers may be others afterwards; what is in them means nothing. */
enum status store_put_chunk(struct store *s, bool stage, int64_t run, enum text_field field,
			    struct text_out *out, struct err *err);

/* --- runs --- */

struct number_in {
	struct str name;
	uint64_t salt;	  /* store_number_salt(name) */
	enum dtype dtype; /* DT_F32 or DT_U32 */
	struct dense v;
};

/* What nearly every answer has, side by side: a shuffled file touches one line of memory an
 * answer. When the file has ended it is laid out column by column, one run after the other. */
#define PACKED_NUMBERS 3 /* score, latency, tokens */
#define PACKED_FIELDS  2 /* raw, extracted */

struct packed {
	uint64_t hash; /* of texts and numbers */
	uint32_t set;  /* + 1; 0 = no answer */
	uint32_t place[PACKED_FIELDS]; /* low half of the place + 1; high halves: run_in.high */
	uint32_t number[PACKED_NUMBERS]; /* f32 or u32, all bits set = none */
};

enum { NUMBER_SCORE, NUMBER_LATENCY, NUMBER_TOKENS, NUMBER_BATCH_SIZE, NUMBER_BATCH_POS, N_NUMBERS };

struct run_in {
	struct str handle, title, model, protocol, prompt, response_format, encoder, source, settings, parent;
	enum list_rule list_rule;
	bool open_world, staged, scratch;
	int64_t id; /* if it becomes a new run */
	uint32_t n;
	struct dense packed;              /* struct packed */
	struct dense claimed;		  /* as samples.claimed, of the run's answers */
	struct dense high[PACKED_FIELDS]; /* u32; only for streams of 4 GiB and more */
	uint64_t last[PACKED_FIELDS];	  /* the highest place so far, + 1; 0 = no text */
	struct said_places said;	  /* of its extracted answers */
	bool has_number[PACKED_NUMBERS];
	/* Of what is packed: by store_run_unpack() only. */
	struct dense set;  /* u32: set + 1; 0 = no answer */
	struct dense hash; /* u64 */
	struct dense place[N_FIELDS]; /* u64; ~0 = no text */
	struct text_out text[N_FIELDS];
	VEC(struct number_in) numbers; /* the first N_NUMBERS are the fixed ones */
};

typedef VEC(struct run_in) runs_in;

struct number_value {
	size_t which; /* in run_in.numbers */
	double value;
};

enum status store_run_add(struct store *s, const struct rec_run *rec, uint32_t *run,
			  struct err *err);
enum status store_prediction_add(struct store *s, const struct rec_prediction *rec,
				 struct err *err);
enum status store_high_place(struct store *s, struct run_in *r, enum text_field f, uint32_t ord,
			     uint64_t place, struct err *err);
/* A second answer of one sample in one file. */
void store_repeated(struct store *s, const struct run_in *r, uint32_t ord, const struct packed *now,
		    struct src src, struct str key);
enum status store_plains_add(struct store *s, const struct rec_plain *v, size_t n,
			     struct err *err); /* store_plain.c */
enum status store_run_unpack(struct store *s, struct run_in *r, struct err *err);
/* All that the run holds about its answers. */
void store_run_release(struct run_in *r);
enum status store_runs_write(struct store *s, struct err *err); /* store_runs_write.c */

/* --- answers as columns: store_answers.c --- */

struct view { /* what an answer amounts to */
	enum outcome outcome;
	const uint32_t *classes; /* ascending */
	size_t n;
	enum outcome was; /* without the label map, which gave it its class; MISSING: it did not */
};

#define STORE_MAPPED "text_mapped" /* the column of view.was */

struct lists { /* of the answers that have several classes */
	ordinals ords, offs, vals;
};

extern const char *const store_field_column[N_FIELDS];
struct view store_set_view(const struct store *s, uint32_t set);
void store_lists_add(struct lists *l, uint32_t ord, const struct view *v);
enum status store_lists_write(struct store *s, int64_t run, const struct lists *l, struct err *err);
void store_lists_release(struct lists *l);
/* The columns of a new run's packed answers. One that the run does not have stays empty. */
struct laid {
	struct column outcome, label, mapped;
	struct column place[PACKED_FIELDS], number[PACKED_NUMBERS];
	struct lists lists;
	bool labels; /* an answer has a class */
	bool maps;   /* one has it from the label map */
	struct err err; /* of laying them out */
};

/* In one pass; touches nothing but out: from any thread. */
void store_answers_lay(const struct store *s, const struct run_in *r, struct laid *out);
enum status store_answers_write(struct store *s, const struct run_in *r, struct laid *l,
				struct err *err);
void store_laid_release(struct laid *l);
/* The classes live until the next call. */
typedef struct view store_view_fn(void *ctx, uint32_t ord);
/* The run's answers, of the samples 0 … n - 1, instead of those it has. */
enum status store_views_write(struct store *s, int64_t run, uint32_t n, store_view_fn *view,
			      void *ctx, struct err *err);

/* --- runs ahead of the owner: store_ahead.c --- */

struct ahead;
typedef void store_ahead_fn(void *ctx, size_t i);

/* work(ctx, i) for i = 0 … n - 1, each once, a few of them before they are waited for; not for those
 * that never are. */
struct ahead *store_ahead_new(const struct store *s, size_t n, store_ahead_fn *work, void *ctx);
void store_ahead_wait(struct ahead *a, size_t i); /* in this order */
void store_ahead_free(struct ahead *a);
void store_runs_release(runs_in *runs);

/* --- the self-check: store_check.c --- */

struct check_truths {
	const char *layer; /* in the store's arena; NULL: there is none */
	bool own;	   /* the file's own */
	uint32_t *single;  /* owned by the caller: by sample, the class when it is one, else UINT32_MAX */
	uint32_t n;
};

/* Of the file's first layer, else of the first one stored, after names were resolved. */
enum status store_truths_single(struct store *s, struct check_truths *out,
				struct err *err); /* store_layers.c */
/* What the sample's name says of its class is kept for the check. */
enum status store_check_sample(struct store *s, uint32_t ord, const struct rec_sample *rec,
			       struct err *err);
/* Into the report; before anything is written. */
enum status store_check(struct store *s, struct err *err);

/* --- the store --- */

struct pair_in {
	struct src src;
	uint32_t a, b; /* refs */
};

struct store {
	struct sink sink; /* first */
	struct conn *c;
	const struct read_options *opt;
	struct report *report;
	const struct cancel *cancel;
	struct arena arena;
	bool direct;   /* the transaction has been open from the start */
	bool in_tx;
	bool staging;  /* the temporary database is attached */
	bool changed;  /* anything besides the import's own row */
	int64_t generation;
	struct store_memory *memory; /* may be NULL */
	struct store_doubts *doubts; /* likewise */

	int64_t dataset;
	bool dataset_fresh, dataset_changed, declared;
	struct str name, preset, image_root;

	struct classes classes;
	struct refs refs;
	struct samples samples;
	struct facets facets;
	layers_in layers;
	runs_in runs;
	struct said said;
	int64_t next_run;
	struct rows_in rows_in;
	struct writer *writer; /* NULL: what is to be written is written at once */
	VEC(struct number_value) numbers; /* scratch of one record */
	VEC(struct pair_in) pairs;
	struct dense named;  /* u32: wnid in the sample's name + 1, as a number; 0 = none */
	struct str lost_key; /* the first that no sample has */
	VEC(struct rec_reference) references; /* texts in the arena */
};

enum status store_int(struct store *s, enum stmt_id id, int64_t arg, int64_t *out, struct err *err);
static inline uint32_t store_n_samples(const struct store *s)
{
	return (uint32_t)s->samples.keys.keys.n;
}
static inline uint32_t store_n_classes(const struct store *s)
{
	return (uint32_t)s->classes.v.n;
}

#endif
