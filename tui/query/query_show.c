#include "tui/query/query_show.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "core/eval/eval.h"
#include "core/text/json.h"
#include "db/fetch.h"
#include "tui/print.h"

struct shown {
	struct conn *c;
	const struct snapshot *snap;
	const struct run *run;
	struct arena arena; /* of one answer */
	struct sample_row row;
	struct str raw, extracted, error;
	cJSON *details; /* NULL: none */
	enum verdict verdict;
	uint32_t ord;
};

static enum status fetch_all(struct shown *s, struct err *err)
{
	struct str details;
	struct err ignored = ERR_INIT;
	int64_t id = s->run->id;

	if (fetch_sample(s->c, s->snap->dataset_id, s->ord, &s->row, &s->arena, err) != OK ||
	    fetch_text(s->c, id, FIELD_RAW, s->ord, &s->raw, &s->arena, err) != OK ||
	    fetch_text(s->c, id, FIELD_EXTRACTED, s->ord, &s->extracted, &s->arena, err) != OK ||
	    fetch_text(s->c, id, FIELD_ERROR, s->ord, &s->error, &s->arena, err) != OK ||
	    fetch_text(s->c, id, FIELD_DETAILS, s->ord, &details, &s->arena, err) != OK)
		return err->code;
	s->details = NULL;
	if (details.n)
		json_parse(details, &s->details, &ignored);
	if (!s->extracted.n)
		s->extracted = s->raw;
	return OK;
}

static const char *class_name(const struct shown *s)
{
	uint64_t c = column_u(&s->run->label, s->ord);

	return c < s->snap->n_classes ? s->snap->classes[c].name : NULL;
}

static enum outcome outcome_of(const struct shown *s)
{
	uint64_t o = column_u(&s->run->outcome, s->ord);

	return o < N_OUTCOMES ? (enum outcome)o : OUTCOME_MISSING;
}

static void put_text(cJSON *o, const char *name, struct str text)
{
	char *copy = xstrndup(text.p ? text.p : "", text.n);

	cJSON_AddStringToObject(o, name, copy);
	free(copy);
}

static void put_number(cJSON *o, const char *name, double v)
{
	if (isnan(v))
		cJSON_AddNullToObject(o, name);
	else
		cJSON_AddNumberToObject(o, name, round(v * 1000) / 1000); /* stored with 24 bits */
}

static void put_detail(const struct shown *s, cJSON *o, const char *name)
{
	struct str text = json_text(json_get(s->details, name));

	if (text.p)
		put_text(o, name, text);
	else
		cJSON_AddNullToObject(o, name);
}

static cJSON *object_of(struct shown *s)
{
	cJSON *o = cJSON_CreateObject();

	put_text(o, "id", s->row.key);
	cJSON_AddStringToObject(o, "run", s->run->handle);
	put_text(o, "raw", s->raw);
	put_text(o, "extracted", s->extracted);
	if (class_name(s))
		cJSON_AddStringToObject(o, "class", class_name(s));
	else
		cJSON_AddNullToObject(o, "class");
	cJSON_AddStringToObject(o, "outcome", outcome_word(outcome_of(s)));
	if (s->verdict == VERDICT_UNCOUNTED)
		cJSON_AddNullToObject(o, "right");
	else
		cJSON_AddBoolToObject(o, "right", s->verdict == VERDICT_RIGHT);
	put_detail(s, o, "rule");
	put_detail(s, o, "flag");
	put_detail(s, o, "status");
	if (s->error.n)
		put_text(o, "error", s->error);
	put_number(o, "latency_ms", fetch_number(s->c, s->run->id, "latency", s->ord));
	put_number(o, "tokens", fetch_number(s->c, s->run->id, "tokens", s->ord));
	return o;
}

static enum status show_json(struct shown *s, FILE *out, bool *first, struct err *err)
{
	cJSON *o = object_of(s);
	char *text = cJSON_PrintUnformatted(o);

	fputs(*first ? "[\n" : ",\n", out);
	*first = false;
	print_json_clean(out, str_z(text ? text : "null"));
	cJSON_free(text);
	cJSON_Delete(o);
	return text ? OK : err_set(err, E_MEMORY, "there is no memory for an answer");
}

/* Key, verdict, class or outcome, and what was said behind it. */
static void show_text(struct shown *s, FILE *out, bool *first)
{
	const char *word = class_name(s) ? class_name(s) : outcome_word(outcome_of(s));
	struct str said = s->error.n ? s->error : s->raw, line;

	*first = false;
	str_cut(said, '\n', &line);
	print_clean(out, s->row.key);
	fprintf(out, "  %s  ", verdict_word(s->verdict));
	print_clean(out, str_z(word));
	if (line.n && !str_eq_nocase(line, str_z(word))) {
		fputs("  ", out);
		print_clean(out, line);
		fputs(line.n < said.n ? " …" : "", out);
	}
	fputc('\n', out);
}

enum status query_show(struct conn *c, const struct snapshot *snap, const struct lens *lens, int r,
		       const uint32_t *ords, size_t n, bool json, FILE *out, bool *first,
		       struct err *err)
{
	struct judging *judging = judging_new(snap, lens);
	struct shown s = {.c = c, .snap = snap, .run = &snap->runs[r]};
	enum status st = OK;

	for (size_t i = 0; i < n && st == OK; i++) {
		s.ord = ords[i];
		if (outcome_of(&s) == OUTCOME_MISSING)
			continue;
		s.verdict = judging_one(judging, r, ords[i]);
		st = fetch_all(&s, err);
		if (st == OK && json)
			st = show_json(&s, out, first, err);
		else if (st == OK)
			show_text(&s, out, first);
		cJSON_Delete(s.details);
		arena_clear(&s.arena);
	}
	arena_release(&s.arena);
	judging_free(judging);
	return st;
}
