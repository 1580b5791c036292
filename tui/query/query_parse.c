#include "tui/query/query_parse.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/nearest.h"
#include "core/base/xmalloc.h"
#include "core/text/json.h"
#include "db/fetch.h"
#include "db/store.h"

#define ROWS 512 /* samples in one look at the file */

struct parsing {
	const struct parse_job *job;
	const struct run *run;
	struct arena arena; /* of ROWS samples */
	struct buf handle;
	struct sink *sink;
	uint32_t into; /* the new run */
	uint32_t *ords;
	size_t n;
	struct parse_result *out;
	/* of ROWS samples */
	struct sample_row *rows;
	struct str *raw, *extracted, *error, *details;
};

static enum outcome outcome_at(const struct parsing *p, uint32_t ord)
{
	uint64_t o = column_u(&p->run->outcome, ord);

	return o < N_OUTCOMES ? (enum outcome)o : OUTCOME_MISSING;
}

/* PARENT/PROTOCOL/r1, or of the rule, the first one that is free. */
static enum status put_handle(struct parsing *p, struct err *err)
{
	const struct snapshot *snap = p->job->snap;

	for (unsigned k = 1; k < 100000; k++) {
		uint32_t r = 0;

		buf_clear(&p->handle);
		buf_printf(&p->handle, "%s/%s/r%u", p->run->handle,
			   p->job->rule ? p->job->rule->name : p->job->protocol->name, k);
		while (r < snap->n_runs && !str_eqz(buf_view(&p->handle), snap->runs[r].handle))
			r++;
		if (r == snap->n_runs)
			return OK;
	}
	return err_set(err, E_LIMIT, "%s was taken apart too often", p->run->handle);
}

/* --- the ask that an answer belongs to --- */

static uint32_t class_named(const struct snapshot *snap, struct str name)
{
	for (uint32_t c = 0; c < snap->n_classes; c++)
		if (str_eq_nocase(name, str_z(snap->classes[c].name)))
			return c;
	return UINT32_MAX;
}

/* Options that were drawn stand beside the answer; else they are the sample's own. */
static enum status put_options(struct parsing *p, size_t i, struct ask_sample *s, struct err *err)
{
	cJSON *o = NULL;
	const cJSON *list;
	struct err ignored = ERR_INIT;
	struct option_row *rows = NULL;
	struct ask_option *options;
	size_t n = 0;
	enum status st = OK;

	if (p->details[i].n)
		json_parse(p->details[i], &o, &ignored);
	list = json_get(o, "options");
	if (list) {
		options = arena_alloc(&p->arena, ((size_t)cJSON_GetArraySize(list) + 1) * sizeof *options);
		for (const cJSON *e = list->child; e; e = e->next, n++) {
			struct str text = arena_str(&p->arena, json_text(e));

			options[n] = (struct ask_option){text, class_named(p->job->snap, text)};
		}
	} else {
		st = fetch_options(p->job->conn, p->rows[i].option_set, &rows, &n, &p->arena, err);
		options = arena_alloc(&p->arena, (n + 1) * sizeof *options);
		for (size_t k = 0; k < n; k++)
			options[k] = (struct ask_option){rows[k].text, rows[k].class_ord};
	}
	cJSON_Delete(o);
	s->options = options;
	s->n_options = n;
	return st;
}

/* Several samples' answers in one text: those of the others are not known, and need not be. */
static enum status extract_one(struct parsing *p, size_t i, struct extraction *x, struct err *err)
{
	double size = fetch_number(p->job->conn, p->run->id, "batch_size", p->ords[i]);
	double place = fetch_number(p->job->conn, p->run->id, "batch_pos", p->ords[i]);
	bool batch = size > 1 && size <= ASK_MAX_BATCH && place >= 1 && place <= size &&
		     (p->job->form == ASK_JSON || p->job->rule);
	size_t n = batch ? (size_t)size : 1, at = batch ? (size_t)place - 1 : 0;
	struct ask_sample *samples = arena_zalloc(&p->arena, n, sizeof *samples);
	struct extraction *all = arena_zalloc(&p->arena, n, sizeof *all);
	const struct ask ask = {.classes = p->job->snap->classes, .n_classes = p->job->snap->n_classes,
				.samples = samples, .n_samples = n, .form = p->job->form, .ids = p->job->ids};

	samples[at].text = p->rows[i].text;
	if (put_options(p, i, &samples[at], err) != OK)
		return err->code;
	if (p->job->rule)
		extract_by_rule(p->job->rule, p->job->protocol, &p->arena, &ask, p->raw[i], all);
	else
		protocol_extract(p->job->protocol, &p->arena, &ask, p->raw[i], all);
	*x = all[at];
	return OK;
}

/* --- the new run --- */

static struct str details_of(struct parsing *p, const struct extraction *x)
{
	cJSON *o = cJSON_CreateObject();
	struct str out;
	char *text;

	cJSON_AddStringToObject(o, "rule", x->rule);
	if (x->flag)
		cJSON_AddStringToObject(o, "flag", x->flag);
	text = cJSON_PrintUnformatted(o);
	out = arena_str(&p->arena, str_z(text ? text : ""));
	cJSON_free(text);
	cJSON_Delete(o);
	return out;
}

static bool is_other(const struct parsing *p, size_t i, const struct extraction *x)
{
	enum outcome was = outcome_at(p, p->ords[i]);
	struct str taken = p->extracted[i].n ? p->extracted[i] : p->raw[i];
	size_t from;

	if (x->outcome != (was == OUTCOME_OOP ? OUTCOME_ANSWERED : was) ||
	    (x->n_refs > 1) != (csr_row(&p->run->labels, p->ords[i], &from) > 1))
		return true;
	return x->span.p && !str_eq(str_trim(x->span), str_trim(taken));
}

static void take(struct parsing *p, size_t i, const struct extraction *x, struct rec_prediction *r,
		 struct rec_number *degree)
{
	r->outcome = x->outcome;
	r->raw = p->raw[i];
	r->extracted = x->span.p ? x->span : STR_NONE;
	r->refs = x->refs;
	r->n_refs = x->n_refs;
	r->details = details_of(p, x);
	*degree = (struct rec_number){STR("degree"), x->degree};
	if (!isnan(x->degree)) {
		r->numbers = degree;
		r->n_numbers = 1;
	}
	p->out->answers++;
	p->out->others += is_other(p, i, x);
}

/* What has no text stays what it is: a failure, or an answer whose class alone was stored. */
static void keep(struct parsing *p, size_t i, struct rec_prediction *r, struct class_ref *ref)
{
	const struct snapshot *snap = p->job->snap;
	uint64_t c = column_u(&p->run->label, p->ords[i]);

	r->outcome = outcome_at(p, p->ords[i]);
	r->error = p->error[i];
	r->details = p->details[i];
	if (c >= snap->n_classes)
		return;
	*ref = (struct class_ref){.kind = snap->classes[c].index >= 0 ? CLASS_BY_INDEX : CLASS_BY_NAME,
				  .index = snap->classes[c].index, .text = str_z(snap->classes[c].name)};
	r->refs = ref;
	r->n_refs = 1;
}

/* Where a request was answered by an empty text, nothing is stored of it. */
static bool has_text(const struct parsing *p, size_t i)
{
	enum outcome o = outcome_at(p, p->ords[i]);

	return p->raw[i].n || o == OUTCOME_EMPTY;
}

static enum status put_one(struct parsing *p, size_t i, struct err *err)
{
	const struct run *run = p->run;
	struct conn *c = p->job->conn;
	struct extraction x = {.rule = ""};
	struct rec_prediction r;
	struct rec_number degree;
	struct class_ref ref;
	uint32_t ord = p->ords[i];

	rec_prediction_init(&r);
	r.run = p->into;
	r.key = p->rows[i].key;
	r.latency_ms = fetch_number(c, run->id, "latency", ord);
	r.score = fetch_number(c, run->id, "score", ord);
	if (!isnan(fetch_number(c, run->id, "tokens", ord)))
		r.tokens = (int64_t)fetch_number(c, run->id, "tokens", ord);
	if (!isnan(fetch_number(c, run->id, "batch_size", ord))) {
		r.batch_size = (int64_t)fetch_number(c, run->id, "batch_size", ord);
		r.batch_pos = (int64_t)fetch_number(c, run->id, "batch_pos", ord);
	}
	if (outcome_at(p, ord) == OUTCOME_ERROR || !has_text(p, i))
		keep(p, i, &r, &ref);
	else if (extract_one(p, i, &x, err) != OK)
		return err->code;
	else
		take(p, i, &x, &r, &degree);
	return sink_prediction(p->sink, &r, err);
}

static enum status fetch_rows(struct parsing *p, size_t n, struct err *err)
{
	static const enum text_field fields[] = {FIELD_RAW, FIELD_EXTRACTED, FIELD_ERROR, FIELD_DETAILS};
	struct str **const into[] = {&p->raw, &p->extracted, &p->error, &p->details};
	struct conn *c = p->job->conn;

	p->rows = arena_zalloc(&p->arena, n, sizeof *p->rows);
	for (size_t k = 0; k < sizeof fields / sizeof *fields; k++) {
		*into[k] = arena_zalloc(&p->arena, n, sizeof **into[k]);
		if (fetch_texts(c, p->run->id, fields[k], p->ords, n, *into[k], &p->arena, err) != OK)
			return err->code;
	}
	return fetch_sample_list(c, p->job->snap->dataset_id, p->ords, (uint32_t)n, p->rows, &p->arena, err);
}

static enum status put_rows(struct parsing *p, size_t n, struct err *err)
{
	enum status st = fetch_rows(p, n, err);

	for (size_t i = 0; i < n && st == OK; i++)
		st = put_one(p, i, err);
	return st == OK ? cancel_check(p->job->cancel, err) : st;
}

/* What the run was asked with, and by which rule this is: one of other answers than the run itself. */
static char *settings_of(const struct parsing *p, struct str was)
{
	cJSON *o = NULL;
	struct err ignored = ERR_INIT;
	char *text, *out;

	if (!was.n || json_parse(was, &o, &ignored) != OK || !cJSON_IsObject(o)) {
		cJSON_Delete(o);
		o = cJSON_CreateObject();
	}
	cJSON_DeleteItemFromObjectCaseSensitive(o, "rule");
	cJSON_DeleteItemFromObjectCaseSensitive(o, "parsed");
	if (p->job->rule)
		cJSON_AddStringToObject(o, "rule", p->job->rule->name);
	cJSON_AddStringToObject(o, "parsed", p->job->protocol->name);
	text = cJSON_PrintUnformatted(o);
	out = xstrdup(text ? text : "");
	cJSON_free(text);
	cJSON_Delete(o);
	return out;
}

static enum status put_all(struct parsing *p, const struct run_asking *was, const char *settings, struct err *err)
{
	const struct parse_job *j = p->job;
	const struct rec_run rec = {.model = str_z(p->run->model), .protocol = str_z(j->protocol->name),
				    .handle = buf_view(&p->handle), .source = str_z(p->run->handle),
				    .prompt = was->prompt, .settings = str_z(settings),
				    .parent = str_z(p->run->handle), .list_rule = j->protocol->list_rule,
				    .response_format = j->form == ASK_JSON ? STR("json") : STR(""),
				    .open_world = j->protocol->open_world, .scratch = p->run->scratch};
	uint32_t *all = p->ords;
	size_t total = p->n;
	enum status st = sink_run(p->sink, &rec, &p->into, err);

	for (size_t at = 0; at < total && st == OK; at += ROWS) {
		p->ords = all + at;
		st = put_rows(p, total - at < ROWS ? total - at : ROWS, err);
		arena_clear(&p->arena);
		if (j->progress)
			j->progress(j->ctx, at + ROWS < total ? at + ROWS : total, total);
	}
	p->ords = all;
	if (st == OK && !p->out->answers)
		st = err_set(err, E_USAGE, "%s has no raw texts to take apart", p->run->handle);
	return st;
}

static enum status write_run(struct parsing *p, struct err *err)
{
	struct read_options options = {0};
	struct report report;
	struct store *s = NULL;
	struct arena arena = ARENA_INIT;
	struct run_asking was = {0};
	char *settings = NULL;
	enum status st = fetch_run_asking(p->job->conn, p->run->id, &was, &arena, err);

	report_init(&report, NULL, NULL);
	if (st == OK)
		settings = settings_of(p, was.settings);
	if (st == OK)
		st = store_begin(&s, p->job->conn, str_z(p->job->snap->dataset), &options, &report, p->job->cancel,
				 err);
	if (st == OK) {
		p->sink = store_sink(s);
		st = put_all(p, &was, settings, err);
		if (st == OK)
			st = store_commit(s, err);
		else
			store_abort(s);
	}
	report_release(&report);
	arena_release(&arena);
	free(settings);
	return st;
}

const struct protocol *parse_protocol_of(const struct run *run)
{
	struct str name = str_z(run->protocol);
	const struct protocol *p = protocol_find(name);

	for (size_t n = name.n; !p && n > 1; n--)
		if (strchr("-_/ ", name.p[n - 1]))
			p = protocol_find((struct str){name.p, n - 1});
	return p ? p : protocol_find(STR("cw"));
}

enum status parse_named(struct str name, const struct extract_rule **rule, const struct protocol **protocol,
			struct err *err)
{
	struct nearest near = {.word = name};
	const struct protocol *p = protocol_find(name);

	*rule = p ? NULL : extract_rule_find(name);
	*protocol = p ? p : *protocol;
	if (p || *rule)
		return OK;
	for (p = protocols; p->name; p++)
		nearest_offer(&near, p->name);
	for (const struct extract_rule *r = extract_rules; r->name; r++)
		nearest_offer(&near, r->name);
	return err_set(err, E_USAGE, "there is no rule and no protocol %.*s%s%s%s", (int)(name.n > 60 ? 60 : name.n),
		       name.p, near.best ? "; is " : "", near.best ? near.best : "", near.best ? " meant?" : "");
}

enum status parse_run(const struct parse_job *job, struct parse_result *out, struct err *err)
{
	struct parsing p = {.job = job, .run = &job->snap->runs[job->run], .out = out};
	enum status st;

	*out = (struct parse_result){.handle = ""};
	p.ords = xcalloc((size_t)job->snap->n + 1, sizeof *p.ords);
	for (uint32_t i = 0; i < job->snap->n; i++)
		if (outcome_at(&p, i) != OUTCOME_MISSING)
			p.ords[p.n++] = i;
	st = put_handle(&p, err);
	if (st == OK)
		st = write_run(&p, err);
	if (st == OK)
		snprintf(out->handle, sizeof out->handle, "%s", buf_cstr(&p.handle));
	arena_release(&p.arena);
	buf_release(&p.handle);
	free(p.ords);
	return st;
}
