#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/map.h"
#include "core/base/vec.h"
#include "core/text/json.h"
#include "db/fetch.h"
#include "db/store.h"
#include "tui/map/map.h"

struct mapping_run {
	const struct map_job *job;
	const struct run *run;
	struct arena arena;
	uint32_t *ords; /* [n] samples with an answer of any kind */
	size_t n;
	struct str *raw, *extracted; /* [n] */
	struct intern texts;	     /* different ones that are to be mapped */
	uint32_t *text; /* [n]: id in texts; INTERN_NONE: this answer stays as it is */
	struct mapped *nearest; /* by text */
	struct buf encoder, handle;
	const char *protocol;
};

/* --- what is to be mapped --- */

static enum outcome outcome_at(const struct mapping_run *m, uint32_t ord)
{
	uint64_t o = column_u(&m->run->outcome, ord);

	return o < N_OUTCOMES ? (enum outcome)o : OUTCOME_MISSING;
}

/* In an open world every answer is mapped, else those outside of the classes. */
static bool is_wanted(const struct mapping_run *m, enum outcome o)
{
	bool all = m->job->all || m->run->open_world;

	return o == OUTCOME_OOP || (all && o == OUTCOME_ANSWERED);
}

static enum status fetch_answers(struct mapping_run *m, struct err *err)
{
	struct conn *c = m->job->conn;
	uint32_t n = m->job->snap->n;

	m->ords = xcalloc((size_t)n + 1, sizeof *m->ords);
	for (uint32_t i = 0; i < n; i++)
		if (outcome_at(m, i) != OUTCOME_MISSING)
			m->ords[m->n++] = i;
	m->raw = xcalloc(m->n + 1, sizeof *m->raw);
	m->extracted = xcalloc(m->n + 1, sizeof *m->extracted);
	m->text = xcalloc(m->n + 1, sizeof *m->text);
	if (fetch_texts(c, m->run->id, FIELD_RAW, m->ords, m->n, m->raw, &m->arena, err) != OK)
		return err->code;
	return fetch_texts(c, m->run->id, FIELD_EXTRACTED, m->ords, m->n, m->extracted, &m->arena, err);
}

/* An answer whose words were not stored is called by its class. */
static struct str words_of(const struct mapping_run *m, size_t i)
{
	struct str said = str_trim(m->extracted[i].n ? m->extracted[i] : m->raw[i]);
	uint64_t c = column_u(&m->run->label, m->ords[i]);

	return said.n || c >= m->job->snap->n_classes ? said : str_z(m->job->snap->classes[c].name);
}

static size_t collect_texts(struct mapping_run *m)
{
	size_t wanted = 0;

	for (size_t i = 0; i < m->n; i++) {
		struct str words = words_of(m, i);
		bool take = is_wanted(m, outcome_at(m, m->ords[i])) && words.n;

		m->text[i] = take ? intern_add(&m->texts, words) : INTERN_NONE;
		wanted += take;
	}
	return wanted;
}

/* --- the nearest classes --- */

static enum status find_nearest(struct mapping_run *m, size_t *sent, struct err *err)
{
	const struct snapshot *snap = m->job->snap;
	size_t n_texts = m->texts.keys.n;
	struct str *names = xcalloc((size_t)snap->n_classes + 1, sizeof *names);
	float *classes = NULL, *answers = NULL;
	uint32_t dim = 0;
	enum status st;

	for (uint32_t c = 0; c < snap->n_classes; c++)
		names[c] = str_z(snap->classes[c].name);
	m->nearest = xcalloc(n_texts + 1, sizeof *m->nearest);
	st = encoder_embed(m->job->encoder, m->job->conn, names, snap->n_classes, m->job, &dim, &classes, sent, err);
	if (st == OK)
		st = encoder_embed(m->job->encoder, m->job->conn, m->texts.keys.v, n_texts, m->job, &dim, &answers,
				   sent, err);
	for (size_t i = 0; i < n_texts && st == OK; i++) {
		m->nearest[i] = mapping_nearest(answers + i * dim, classes, snap->n_classes, dim);
		st = i % 64 ? OK : cancel_check(m->job->cancel, err);
	}
	free(names);
	free(classes);
	free(answers);
	return st;
}

/* --- the derived run --- */

static void put_names(struct mapping_run *m)
{
	const struct encoder *e = m->job->encoder;

	buf_z(&m->encoder, e->name);
	if (e->templates.lines.n)
		buf_printf(&m->encoder, " (%zu templates)", e->templates.lines.n);
	m->protocol = strcmp(m->run->protocol, "cw") == 0 ? "cw+" : m->run->protocol;
	buf_printf(&m->handle, "%s/%s/%s%s", m->run->handle, m->protocol, e->name,
		   e->templates.lines.n ? "+templates" : "");
}

static struct class_ref ref_of(const struct class_info *c)
{
	if (c->index >= 0)
		return (struct class_ref){.kind = CLASS_BY_INDEX, .index = c->index, .text = str_z(c->name)};
	if (c->wnid[0])
		return (struct class_ref){.kind = CLASS_BY_WNID, .index = -1, .text = str_z(c->wnid)};
	return (struct class_ref){.kind = CLASS_BY_NAME, .index = -1, .text = str_z(c->name)};
}

/* The classes that the answer has already. */
static size_t own_refs(struct mapping_run *m, uint32_t ord, struct class_ref *refs, size_t max)
{
	size_t from, n = csr_row(&m->run->labels, ord, &from);
	uint64_t label = column_u(&m->run->label, ord);

	n = n > max ? max : n;
	for (size_t i = 0; i < n; i++)
		refs[i] = ref_of(&m->job->snap->classes[column_u(&m->run->labels.val, from + i)]);
	if (!n && label < m->job->snap->n_classes)
		refs[n++] = ref_of(&m->job->snap->classes[label]);
	return n;
}

static struct str runner_up(struct mapping_run *m, const struct mapped *near)
{
	struct buf text = BUF_INIT;
	struct str out;

	if (near->second == UINT32_MAX)
		return STR_NONE;
	buf_z(&text, "{\"runner_up\":");
	json_quote(&text, str_z(m->job->snap->classes[near->second].name));
	buf_z(&text, ",\"runner_up_distance\":");
	json_put_number(&text, 1 - near->second_cosine);
	buf_ch(&text, '}');
	out = arena_str(&m->arena, buf_view(&text));
	buf_release(&text);
	return out;
}

#define REFS_MAX 64

static enum status put_answer(struct mapping_run *m, struct sink *sink, uint32_t run, size_t i,
			      const struct sample_row *row, struct map_result *out, struct err *err)
{
	const struct mapped *near = m->text[i] == INTERN_NONE ? NULL : &m->nearest[m->text[i]];
	struct class_ref refs[REFS_MAX];
	struct rec_number distance = {STR("distance"), near ? 1 - near->cosine : NAN};
	struct rec_prediction p;

	rec_prediction_init(&p);
	p.run = run;
	p.key = row->key;
	p.raw = m->raw[i];
	p.extracted = m->extracted[i].n ? m->extracted[i] : STR_NONE;
	p.outcome = outcome_at(m, m->ords[i]);
	p.refs = refs;
	if (near && near->class_ord != UINT32_MAX) {
		refs[0] = ref_of(&m->job->snap->classes[near->class_ord]);
		p.n_refs = 1;
		p.numbers = &distance;
		p.n_numbers = 1;
		p.details = runner_up(m, near);
		out->mapped++;
	} else if (!near) {
		p.n_refs = own_refs(m, m->ords[i], refs, REFS_MAX);
	} else {
		out->zero++;
		p.outcome = OUTCOME_OOP;
	}
	return sink_prediction(sink, &p, err);
}

static struct rec_run run_record(const struct mapping_run *m)
{
	return (struct rec_run){.model = str_z(m->run->model), .protocol = str_z(m->protocol),
				.handle = buf_view(&m->handle), .encoder = buf_view(&m->encoder),
				.source = str_z(m->run->handle), .parent = str_z(m->run->handle),
				.list_rule = m->run->list_rule};
}

#define ROWS 512 /* samples in one look at the file */

static enum status put_answers(struct mapping_run *m, struct sink *sink, struct map_result *out, struct err *err)
{
	const struct rec_run rec = run_record(m);
	struct sample_row rows[ROWS];
	uint32_t run = 0;
	enum status st = sink_run(sink, &rec, &run, err);

	for (size_t i = 0; i < m->n && st == OK; i += ROWS) {
		size_t n = m->n - i < ROWS ? m->n - i : ROWS;

		st = fetch_sample_list(m->job->conn, m->job->snap->dataset_id, m->ords + i, (uint32_t)n, rows,
				       &m->arena, err);
		for (size_t k = 0; k < n && st == OK; k++)
			st = put_answer(m, sink, run, i + k, &rows[k], out, err);
		if (st == OK)
			st = cancel_check(m->job->cancel, err);
	}
	return st;
}

static enum status write_run(struct mapping_run *m, struct map_result *out, struct err *err)
{
	struct read_options options = {0};
	struct report report;
	struct store *s = NULL;
	enum status st;

	report_init(&report, NULL, NULL);
	st = store_begin(&s, m->job->conn, str_z(m->job->snap->dataset), &options, &report, m->job->cancel, err);
	if (st == OK) {
		st = put_answers(m, store_sink(s), out, err);
		if (st == OK)
			st = store_commit(s, err);
		else
			store_abort(s);
	}
	if (st == OK)
		snprintf(out->handle, sizeof out->handle, "%s",
			 report.runs_new.n ? report.runs_new.v[0]
					   : report.runs_known.n ? report.runs_known.v[0] : "");
	report_release(&report);
	return st;
}

enum status map_run(const struct map_job *job, struct map_result *out, struct err *err)
{
	struct mapping_run m = {.job = job, .run = &job->snap->runs[job->run], .texts = INTERN_INIT};
	enum status st;

	*out = (struct map_result){.handle = ""};
	put_names(&m);
	st = fetch_answers(&m, err);
	if (st == OK) {
		out->answers = collect_texts(&m);
		out->texts = m.texts.keys.n;
		if (!out->answers)
			st = err_set(err, E_USAGE, "%s has no answers outside of the classes%s", m.run->handle,
				     job->all ? "" : "; --only all maps every answer");
	}
	if (st == OK)
		st = find_nearest(&m, &out->sent, err);
	if (st == OK)
		st = write_run(&m, out, err);
	arena_release(&m.arena);
	intern_release(&m.texts);
	buf_release(&m.encoder);
	buf_release(&m.handle);
	free(m.ords);
	free(m.raw);
	free(m.extracted);
	free(m.text);
	free(m.nearest);
	return st;
}
