#include "db/store.h"

#include <inttypes.h>

#include "core/base/path.h"
#include "core/text/json.h"
#include "db/conn_impl.h"
#include "db/store_internal.h"

enum status store_int(struct store *s, enum stmt_id id, int64_t arg, int64_t *out, struct err *err)
{
	sqlite3_stmt *st;
	enum status rc;
	bool row;

	if (store_quiet(s, err) != OK)
		return err->code;
	st = stmt_get(s->c, id, err);
	if (!st)
		return err->code;
	if (sqlite3_bind_parameter_count(st))
		sqlite3_bind_int64(st, 1, arg);
	rc = stmt_step(s->c, st, &row, err);
	if (rc == OK && row)
		*out = sqlite3_column_int64(st, 0);
	sqlite3_reset(st);
	return rc;
}

/* --- the sink --- */

static struct store *of(struct sink *sink)
{
	return (struct store *)sink;
}

static enum status op_class(struct sink *sink, const struct rec_class *rec, struct err *err)
{
	return store_class_add(of(sink), rec, err);
}

static enum status op_pair(struct sink *sink, const struct rec_pair *rec, struct err *err)
{
	struct store *s = of(sink);
	struct pair_in pair = {rec->src, store_ref_add(s, &rec->a, false),
			       store_ref_add(s, &rec->b, false)};

	(void)err;
	vec_push(&s->pairs, pair);
	return OK;
}

static enum status op_tree(struct sink *sink, const struct rec_tree *rec, struct err *err)
{
	return store_tree_add(of(sink), rec, err);
}

static enum status op_sample(struct sink *sink, const struct rec_sample *rec, struct err *err)
{
	return store_sample_add(of(sink), rec, err);
}

static enum status op_reference(struct sink *sink, const struct rec_reference *rec, struct err *err)
{
	return store_reference_add(of(sink), rec, err);
}

static enum status op_run(struct sink *sink, const struct rec_run *rec, uint32_t *run,
			  struct err *err)
{
	return store_run_add(of(sink), rec, run, err);
}

static enum status op_prediction(struct sink *sink, const struct rec_prediction *rec,
				 struct err *err)
{
	return store_prediction_add(of(sink), rec, err);
}

static enum status op_plains(struct sink *sink, const struct rec_plain *const *v, size_t n,
			     struct err *err)
{
	return store_plains_add(of(sink), v, n, err);
}

static void op_expect(struct sink *sink, struct str key)
{
	intern_expect(&of(sink)->samples.keys, key);
}

static enum status op_preset(struct sink *sink, struct str preset, struct err *err)
{
	struct store *s = of(sink);

	(void)err;
	if (!s->preset.n && preset.n) {
		s->preset = arena_str(&s->arena, preset);
		s->dataset_changed = true;
	}
	return OK;
}

static bool op_wants_samples(const struct sink *sink)
{
	return !((const struct store *)sink)->declared;
}

static const struct sink_ops ops = {
    .add_class = op_class,
    .add_pair = op_pair,
    .add_tree = op_tree,
    .add_sample = op_sample,
    .add_run = op_run,
    .add_prediction = op_prediction,
    .set_preset = op_preset,
    .add_reference = op_reference,
    .wants_samples = op_wants_samples,
    .add_plains = op_plains,
    .expect = op_expect,
};

struct sink *store_sink(struct store *s)
{
	return &s->sink;
}

/* --- beginning and ending --- */

static enum status read_generation(struct store *s, int64_t *out, struct err *err)
{
	*out = 0;
	return store_int(s, STMT_STORE_GENERATION, 0, out, err);
}

static enum status find_dataset(struct store *s, struct str name, struct err *err)
{
	sqlite3_stmt *st = stmt_get(s->c, STMT_STORE_DATASET_GET, err);
	bool row;

	if (!st)
		return err->code;
	s->name = arena_str(&s->arena, name);
	s->preset = s->image_root = STR("");
	stmt_bind_str(st, 1, name);
	if (stmt_step(s->c, st, &row, err) != OK)
		return err->code;
	if (row) {
		s->dataset = sqlite3_column_int64(st, 0);
		s->preset = arena_str(&s->arena, stmt_str(st, 1));
		s->image_root = arena_str(&s->arena, stmt_str(st, 2));
		s->declared = sqlite3_column_int(st, 3) != 0;
		sqlite3_reset(st);
		return OK;
	}
	s->dataset_fresh = s->dataset_changed = true;
	return store_int(s, STMT_STORE_DATASET_NEXT, 0, &s->dataset, err);
}

/* Where an existing project's new rows wait, so that others can read and edit it meanwhile. */
static enum status open_stage(struct store *s, struct err *err)
{
	enum status rc = stmt_exec(s->c, "ATTACH '' AS stage", err);

	if (rc != OK)
		return rc;
	s->staging = true;
	return stmt_exec(s->c,
			 "PRAGMA stage.journal_mode = OFF; PRAGMA stage.synchronous = OFF;"
			 "CREATE TABLE stage.stage_chunk (id INTEGER PRIMARY KEY, run INTEGER, field INTEGER,"
			 " start INTEGER, n INTEGER, ords BLOB, lens BLOB, data BLOB);"
			 "CREATE INDEX stage.stage_place ON stage_chunk (run, field, start);"
			 "CREATE TABLE stage.stage_sample (id INTEGER PRIMARY KEY, dataset, ord, key TEXT,"
			 " media, path TEXT, text_kind, text TEXT, option_set, extra TEXT)",
			 err);
}

static void close_stage(struct store *s)
{
	struct err ignored = ERR_INIT;

	if (!s->staging)
		return;
	/* A statement that has not ended would keep the database attached. */
	for (int i = 0; i < N_STMTS; i++)
		sqlite3_reset(s->c->stmts[i]);
	if (stmt_exec(s->c, "DETACH stage", &ignored) == OK)
		s->staging = false;
}

static void free_store(struct store *s)
{
	store_classes_release(&s->classes);
	store_refs_release(&s->refs);
	store_samples_release(&s->samples);
	store_facets_release(&s->facets);
	store_layers_release(&s->layers);
	store_runs_release(&s->runs);
	store_dense_release(&s->named);
	vec_release(&s->pairs);
	vec_release(&s->references);
	vec_release(&s->numbers);
	arena_release(&s->arena);
	free(s);
}

void store_doubt(struct store *s, struct store_doubts *doubts)
{
	s->doubts = doubts;
	doubts->grown = false;
}

void store_abort(struct store *s)
{
	struct err ignored = ERR_INIT;

	if (!s)
		return;
	store_writer_stop(s, &ignored);
	store_rows_end(s);
	conn_set_cancel(s->c, NULL);
	if (s->in_tx)
		conn_rollback(s->c);
	close_stage(s);
	free_store(s);
}

enum status store_begin(struct store **out, struct conn *c, struct str dataset,
			const struct read_options *opt, struct report *report,
			const struct cancel *cancel, struct err *err)
{
	struct store *s = xcalloc(1, sizeof *s);
	enum status rc = OK;

	s->sink.ops = &ops;
	s->c = c;
	s->opt = opt;
	s->report = report;
	s->cancel = cancel;
	s->direct = conn_is_new(c);
	s->samples.meta = DENSE(struct sample_meta, 0);
	s->named = DENSE(uint32_t, 0);
	s->samples.claimed = DENSE(uint32_t, 0);
	conn_set_cancel(c, cancel);
	if (!dataset.n)
		rc = err_set(err, E_USAGE, "the dataset needs a name");
	else if (conn_read_only(c))
		rc = err_set(err, E_IO, "%s cannot be written", conn_path(c));
	if (rc == OK && s->direct) {
		rc = conn_begin(c, err);
		s->in_tx = rc == OK;
	} else if (rc == OK) {
		rc = open_stage(s, err);
	}
	if (rc == OK)
		rc = read_generation(s, &s->generation, err);
	if (rc == OK)
		rc = find_dataset(s, dataset, err);
	if (rc != OK) {
		store_abort(s);
		return rc;
	}
	store_writer_start(s);
	*out = s;
	return OK;
}

/* --- what else there is to write --- */

static enum status write_pair(struct store *s, const struct pair_in *p, struct err *err)
{
	const struct ref *a = &s->refs.ref.v[p->a], *b = &s->refs.ref.v[p->b];
	uint32_t ca, cb;
	char text[256];
	sqlite3_stmt *st;

	if (a->n != 1 || b->n != 1) {
		store_ref_text(s, a->n != 1 ? p->a : p->b, text, sizeof text);
		report_add(s->report, PROBLEM_SKIPPED, p->src, "class", "%s is not one class of the list",
			   text);
		return OK;
	}
	ca = s->refs.classes.v[a->from];
	cb = s->refs.classes.v[b->from];
	if (ca == cb)
		return OK;
	st = stmt_get(s->c, STMT_STORE_PAIR_PUT, err);
	if (!st)
		return err->code;
	sqlite3_bind_int64(st, 1, s->dataset);
	sqlite3_bind_int64(st, 2, ca < cb ? ca : cb);
	sqlite3_bind_int64(st, 3, ca < cb ? cb : ca);
	if (stmt_run(s->c, st, err) != OK)
		return err->code;
	if (sqlite3_changes(stmt_db(s->c)) > 0) {
		s->report->pairs++;
		s->changed = true;
	}
	return OK;
}

static enum status write_pairs(struct store *s, struct err *err)
{
	for (size_t i = 0; i < s->pairs.n; i++)
		if (write_pair(s, &s->pairs.v[i], err) != OK)
			return err->code;
	return OK;
}

/* --images: kept relative when it is below the project's folder, so that both can move. */
static enum status set_image_root(struct store *s, struct err *err)
{
	struct str root, below = path_dir(str_z(conn_path(s->c)));
	char *asked, *images, *dir, *folder;

	if (!s->opt->images.n)
		return OK;
	asked = xstrndup(s->opt->images.p, s->opt->images.n);
	images = path_real(asked, err);
	free(asked);
	if (!images)
		return err->code;
	folder = xstrndup(below.p, below.n);
	dir = path_real(folder, err);
	free(folder);
	if (!dir) {
		free(images);
		return err->code;
	}
	below = str_z(dir);
	root = str_z(images);
	if (str_eq(root, below))
		root = STR(".");
	else if (str_starts(root, below) && root.p[below.n] == '/')
		root = (struct str){root.p + below.n + 1, root.n - below.n - 1};
	if (!str_eq(root, s->image_root)) {
		s->image_root = arena_str(&s->arena, root);
		s->dataset_changed = true;
		report_note(s->report, "pictures are looked for in %s", images);
	}
	free(images);
	free(dir);
	return OK;
}

static enum status write_dataset(struct store *s, struct err *err)
{
	sqlite3_stmt *st;
	char now[32];

	/* A file of which nothing could be used makes no dataset. */
	if (!s->dataset_changed || (s->dataset_fresh && !s->changed))
		return OK;
	st = stmt_get(s->c, STMT_STORE_DATASET_PUT, err);
	if (!st)
		return err->code;
	s->changed = true;
	store_now(now);
	sqlite3_bind_int64(st, 1, s->dataset);
	stmt_bind_str(st, 2, s->name);
	stmt_bind_str(st, 3, s->preset);
	stmt_bind_str(st, 4, s->image_root);
	sqlite3_bind_int(st, 5, s->declared);
	sqlite3_bind_int64(st, 6, store_n_samples(s));
	stmt_bind_str(st, 7, str_z(now));
	return stmt_run(s->c, st, err);
}

static void put_examples(const struct report *r, struct buf *json)
{
	static const char *const words[N_PROBLEMS] = {"skipped", "unmatched", "warning"};

	buf_z(json, ",\"examples\":[");
	for (size_t i = 0; i < r->examples.n; i++) {
		const struct report_example *e = &r->examples.v[i];

		buf_printf(json, "%s{\"kind\":\"%s\",\"line\":%" PRIu64 ",\"byte\":%" PRIu64 ",\"text\":",
			   i ? "," : "", words[e->kind], e->src.line, e->src.byte);
		json_quote(json, str_z(e->text));
		buf_ch(json, '}');
	}
	buf_ch(json, ']');
}

static void put_texts(const char *name, const char *const *v, size_t n, struct buf *json)
{
	buf_printf(json, ",\"%s\":[", name);
	for (size_t i = 0; i < n; i++) {
		if (i)
			buf_ch(json, ',');
		json_quote(json, str_z(v[i]));
	}
	buf_ch(json, ']');
}

static void put_joined(const struct report *r, struct buf *json)
{
	buf_z(json, ",\"joined\":{");
	for (int i = 0, n = 0; i < N_MATCHED; i++) {
		enum matched how = matched_told(i);

		if (r->joined[how])
			buf_printf(json, "%s\"%s\":%" PRIu64, n++ ? "," : "", matched_word(how),
				   r->joined[how]);
	}
	buf_ch(json, '}');
}

static void report_json(const struct report *r, struct buf *json)
{
	buf_printf(json, "{\"skipped\":%" PRIu64 ",\"unmatched\":%" PRIu64 ",\"warnings\":%" PRIu64
			 ",\"duplicates\":%" PRIu64,
		   r->problems[PROBLEM_SKIPPED], r->problems[PROBLEM_UNMATCHED],
		   r->problems[PROBLEM_WARNING], r->duplicates);
	if (r->task.n) {
		buf_z(json, ",\"task\":");
		json_quote(json, r->task);
		buf_printf(json, ",\"apart\":%d", r->apart);
	}
	put_joined(r, json);
	put_texts("doubts", r->doubts.v, r->doubts.n, json);
	put_examples(r, json);
	put_texts("checks", r->checks.v, r->checks.n, json);
	put_texts("notes", r->notes.v, r->notes.n, json);
	buf_ch(json, '}');
}

static enum status write_import(struct store *s, struct err *err)
{
	const struct report *r = s->report;
	sqlite3_stmt *st = stmt_get(s->c, STMT_STORE_IMPORT_PUT, err);
	struct buf json = BUF_INIT;
	enum status rc;
	char now[32];

	if (!st)
		return err->code;
	if (!r->file)
		return OK; /* answers that were asked for here: they are of no file */
	report_json(r, &json);
	store_now(now);
	stmt_bind_str(st, 1, str_z(now));
	stmt_bind_str(st, 2, str_z(r->file ? r->file : ""));
	stmt_bind_str(st, 3, str_z(r->reader ? r->reader : ""));
	if (!s->dataset_fresh || s->changed)
		sqlite3_bind_int64(st, 4, s->dataset);
	sqlite3_bind_int64(st, 5, (int64_t)r->rows);
	sqlite3_bind_int64(st, 6, (int64_t)r->problems[PROBLEM_SKIPPED]);
	sqlite3_bind_int64(st, 7, (int64_t)r->problems[PROBLEM_UNMATCHED]);
	stmt_bind_str(st, 8, buf_view(&json));
	sqlite3_bind_int(st, 9, s->changed);
	rc = json.failed ? err_set(err, E_MEMORY, "there is no memory for the report")
			 : stmt_run(s->c, st, err);
	buf_release(&json);
	return rc;
}

static enum status begin_merge(struct store *s, struct err *err)
{
	int64_t now;

	if (s->direct)
		return OK;
	if (conn_begin(s->c, err) != OK)
		return err->code;
	s->in_tx = true;
	if (read_generation(s, &now, err) != OK)
		return err->code;
	if (now != s->generation)
		return err_set(err, E_BUSY,
			       "another process imported into %s meanwhile, or an edit of the label map "
			       "moved answers; nothing was changed, import again",
			       conn_path(s->c));
	return OK;
}

static enum status bump(struct store *s, struct err *err)
{
	sqlite3_stmt *st;

	if (!s->changed)
		return OK;
	st = stmt_get(s->c, STMT_STORE_GENERATION_PUT, err);
	if (!st)
		return err->code;
	sqlite3_bind_int64(st, 1, s->generation + 1);
	return stmt_run(s->c, st, err);
}

static enum status write_all(struct store *s, struct err *err)
{
	static enum status (*const parts[])(struct store *, struct err *) = {
	    begin_merge,      store_check,	   store_samples_write, store_facets_write,	store_layers_write,
	    store_runs_write, write_pairs,	   store_classes_write, store_references_write,
	    set_image_root,   write_dataset,	   write_import,	bump,
	};

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (cancel_check(s->cancel, err) != OK || parts[i](s, err) != OK)
			return err->code;
	return OK;
}

/* While the writer is at the rest of its rows and their index, names are resolved; options and
 * parents against the whole class list. */
static enum status resolve(struct store *s, struct err *err)
{
	if (store_classes_load(s, err) != OK || store_put_index(s, err) != OK ||
	    store_refs_resolve(s, err) != OK)
		return err->code;
	store_classes_parents(s);
	return OK;
}

enum status store_commit(struct store *s, struct err *err)
{
	enum status rc = store_samples_load(s, err);

	if (rc == OK)
		rc = resolve(s, err);
	if (rc == OK)
		rc = store_writer_stop(s, err);
	if (rc == OK)
		rc = write_all(s, err);
	if (rc == OK && s->opt->dry_run) {
		store_abort(s);
		return OK;
	}
	if (rc == OK)
		rc = conn_commit(s->c, err);
	if (rc == OK) {
		s->in_tx = false;
		store_samples_leave(s);
	}
	store_abort(s);
	return rc;
}
