/* Texts of answers: chunks one behind the other, and a column that says where each text is. */
#include <stdlib.h>

#include "core/base/utf8.h"
#include "db/verify_impl.h"

static const char *const columns[N_FIELDS] = {
    [FIELD_RAW] = "text_raw",     [FIELD_EXTRACTED] = "text_extracted",
    [FIELD_STEPS] = "text_steps", [FIELD_MARKS] = "text_marks",
    [FIELD_ERROR] = "text_error", [FIELD_DETAILS] = "text_details",
    [FIELD_PEOPLE] = "text_people",
};

#define TEXTS_MAX ((size_t)256 << 20) /* bytes of one chunk that the program reads */

const char *verify_text_column(enum text_field field)
{
	return columns[field];
}

bool verify_superseded(const struct verify_run *r, enum text_field field, const struct column *place,
		       uint32_t ord, uint64_t at)
{
	uint64_t now = column_u(place, ord);

	if (!r->scratch || ord >= r->d->n || !place->n)
		return false;
	if (now != COLUMN_NONE)
		return now > at;
	return field == FIELD_DETAILS ||
	       (field == FIELD_ERROR && column_u(&r->outcome, ord) != OUTCOME_ERROR);
}

struct field_pass {
	struct verify *k;
	struct verify_run *r;
	struct text_field_parts parts;
	uint8_t *seen; /* [n]: its text is where it should be */
	uint64_t end;  /* of the stream so far */
	bool bad;
	struct finding sizes, starts, nowhere, strange, unsaid, utf8, absent, beyond;
};

struct chunk_row {
	int64_t id, start, n, codec;
	const char *ords, *lens;
	struct str data;
};

static uint32_t u32_at(const char *p, size_t i)
{
	uint32_t v;

	memcpy(&v, p + i * sizeof v, sizeof v);
	return v;
}

static bool sizes_fit(sqlite3_stmt *s, struct chunk_row *c)
{
	struct str ords = stmt_blob(s, 4), lens = stmt_blob(s, 5);
	uint64_t sum = 0;

	*c = (struct chunk_row){sqlite3_column_int64(s, 0),
				sqlite3_column_int64(s, 1),
				sqlite3_column_int64(s, 2),
				sqlite3_column_int64(s, 3),
				ords.p,
				lens.p,
				stmt_blob(s, 6)};
	if (c->start < 0 || c->n < 1 || c->n > UINT32_MAX ||
	    lens.n != (uint64_t)c->n * sizeof(uint32_t) || !codec_fits(c->codec, ords.n, lens.n) ||
	    !c->data.n ||
	    ords.n + lens.n + c->data.n > TEXTS_MAX)
		return false;
	for (size_t i = 0; i < (size_t)c->n; i++)
		sum += u32_at(lens.p, i);
	return sum == c->data.n;
}

static void take_text(struct field_pass *p, uint32_t ord, struct str text, uint64_t at)
{
	if (ord >= p->r->d->n || !text.n) {
		finding_see(&p->strange, "ordinal %u", ord);
		p->bad = true;
		return;
	}
	p->k->counts->texts++;
	if (column_u(&p->parts.place, ord) == at) {
		p->seen[ord] = 1;
		verify_words_hear(p->r->words, p->r, p->parts.field, &ord, 1, text);
	} else if (!verify_superseded(p->r, p->parts.field, &p->parts.place, ord, at)) {
		finding_see(&p->nowhere, "sample %u", ord);
		p->bad = true;
	}
	if (utf8_valid_prefix(text) != text.n)
		finding_see(&p->utf8, "sample %u", ord);
}

/* In a scratch run it may have been a failure's, which was asked again. */
static void take_shared(struct field_pass *p, const uint32_t *ords, size_t n, struct str text,
			uint64_t at)
{
	if (!text.n) {
		finding_see(&p->strange, "at %llu", (unsigned long long)at);
		p->bad = true;
		return;
	}
	if (!n && !p->r->scratch) {
		finding_see(&p->unsaid, "at %llu", (unsigned long long)at);
		p->bad = true;
	}
	for (size_t i = 0; i < n; i++)
		p->seen[ords[i]] = 1;
	verify_words_hear(p->r->words, p->r, p->parts.field, ords, n, text);
	p->k->counts->texts += n;
	if (utf8_valid_prefix(text) != text.n)
		finding_see(&p->utf8, "at %llu", (unsigned long long)at);
}

static void take_texts(struct field_pass *p, const struct chunk_row *c)
{
	uint64_t at = (uint64_t)c->start;
	const char *data = c->data.p;
	size_t next = p->parts.shared ? sharers_from(&p->parts.sharers, at) : 0;

	for (size_t i = 0; i < (size_t)c->n; i++) {
		struct str text = {data, u32_at(c->lens, i)};
		const uint32_t *ords;
		size_t n;

		if (c->codec == CODEC_SHARED) {
			n = sharers_at(&p->parts.sharers, at, &next, &ords);
			take_shared(p, ords, n, text, at);
		} else {
			take_text(p, u32_at(c->ords, i), text, at);
		}
		data += text.n;
		at += text.n;
	}
}

static void take_chunk(struct field_pass *p, sqlite3_stmt *s)
{
	struct chunk_row c;

	if (!sizes_fit(s, &c)) {
		finding_see(&p->sizes, "chunk %lld", (long long)c.id);
		p->parts.lost += c.n > 0 && c.n <= UINT32_MAX ? (uint64_t)c.n : 0;
		p->bad = true;
		vec_push(&p->parts.damaged, c.id);
		return;
	}
	if ((uint64_t)c.start < p->end || ((uint64_t)c.start > p->end && !p->parts.damaged.n)) {
		finding_see(&p->starts, "chunk %lld", (long long)c.id);
		p->bad = true;
	}
	vec_push(&p->parts.chunks, ((struct text_chunk){c.id, (uint64_t)c.start, p->end,
							c.codec == CODEC_SHARED}));
	take_texts(p, &c);
	p->end = (uint64_t)c.start + c.data.n;
	verify_progress(p->k, p->r->where, c.data.n);
}

static enum status has_shared(const struct field_pass *p, bool *out, struct err *err)
{
	sqlite3_stmt *s = stmt_get(p->k->c, STMT_VERIFY_SHARED, err);
	enum status st;
	bool row;

	if (!s)
		return err->code;
	sqlite3_bind_int64(s, 1, p->r->id);
	sqlite3_bind_int64(s, 2, (int64_t)p->parts.field);
	st = stmt_step(p->k->c, s, &row, err);
	*out = st == OK && row && sqlite3_column_int(s, 0);
	sqlite3_reset(s);
	return st;
}

static enum status read_chunks(struct field_pass *p, struct err *err)
{
	sqlite3_stmt *s = stmt_get(p->k->c, STMT_VERIFY_CHUNKS, err);
	enum status st = s ? OK : err->code;
	bool row;

	if (s) {
		sqlite3_bind_int64(s, 1, p->r->id);
		sqlite3_bind_int64(s, 2, (int64_t)p->parts.field);
	}
	while (st == OK && (st = stmt_step(p->k->c, s, &row, err)) == OK && row) {
		take_chunk(p, s);
		st = cancel_check(p->k->job->cancel, err);
	}
	if (s)
		sqlite3_reset(s);
	return st;
}

/* Places that lead to no text, and texts of samples that have no answer. */
static void verify_places(struct field_pass *p)
{
	for (uint32_t i = 0; i < p->r->d->n; i++) {
		uint64_t place = column_u(&p->parts.place, i), o = column_u(&p->r->outcome, i);

		if (place == COLUMN_NONE)
			continue;
		if (!p->seen[i]) {
			finding_see(&p->absent, "sample %u", i);
			p->bad = true;
		} else if (o == OUTCOME_MISSING || o == COLUMN_NONE) {
			finding_see(&p->beyond, "sample %u", i);
		}
	}
}

/* --- a field --- */

static void begin_findings(struct field_pass *p)
{
	const char *name = columns[p->parts.field];

	finding_init(&p->sizes, "%s: chunks that are not as long as they say", name);
	finding_init(&p->starts, "%s: chunks that do not begin where the one before ends", name);
	finding_init(&p->strange, "%s: texts of samples that do not exist, or empty ones", name);
	finding_init(&p->nowhere, "%s: texts whose place is another one than said", name);
	finding_init(&p->unsaid, "%s: texts that no sample has", name);
	finding_init(&p->absent, "%s: places where there is no text", name);
	finding_init(&p->beyond, "%s: texts of answers that are missing", name);
	finding_init(&p->utf8, "%s: texts that are no valid UTF-8", name);
}

/* What becomes of places that do not fit. */
static const char *places_fix(const struct field_pass *p)
{
	return p->parts.shared ? "places that lead nowhere are dropped"
			       : "places are made again from the texts";
}

static void end_findings(struct field_pass *p)
{
	struct verify *k = p->k;
	const char *where = p->r->where, *again = places_fix(p);

	finding_end(k, &p->sizes, where, "they are dropped");
	finding_end(k, &p->starts, where, "they are put in order");
	finding_end(k, &p->strange, where, again);
	finding_end(k, &p->nowhere, where, again);
	finding_end(k, &p->unsaid, where, "they are dropped");
	finding_end(k, &p->absent, where, again);
	p->r->bad |=
	    finding_end(k, &p->beyond, where, "the answers are made again from what is left");
	finding_end(k, &p->utf8, where, NULL);
}

static enum status read_places(struct field_pass *p, struct err *err)
{
	struct text_field_parts *parts = &p->parts;
	const char *name = columns[parts->field];
	bool there;
	enum status st = has_shared(p, &parts->shared, err);

	if (st == OK)
		st = verify_column(p->k, OWNER_RUN, p->r->id, p->r->where, name, places_fix(p),
				   &parts->place, &there, &p->bad, err);
	if (st == OK && there &&
	    (!column_is_unsigned(&parts->place) || parts->place.n > p->r->d->n)) {
		finding_one(p->k, p->r->where, places_fix(p), "column %s is of the wrong type or length",
			    name);
		p->bad = true;
		column_release(&parts->place);
	}
	return st == OK && parts->shared ? sharers_init(&parts->sharers, &parts->place, err) : st;
}

static enum status verify_field(struct field_pass *p, struct err *err)
{
	enum status st = read_places(p, err);

	if (st != OK)
		return st;
	p->seen = mem_try((size_t)p->r->d->n + 1);
	if (!p->seen)
		return err_set(err, E_MEMORY, "there is no memory to look at %u texts", p->r->d->n);
	memset(p->seen, 0, (size_t)p->r->d->n + 1);
	begin_findings(p);
	st = read_chunks(p, err);
	if (st == OK)
		verify_places(p);
	end_findings(p);
	return st == OK && p->bad && p->k->repair ? verify_repair_texts(p->k, p->r, &p->parts, err)
						  : st;
}

enum status verify_texts(struct verify *k, struct verify_run *r, struct err *err)
{
	enum status st = OK;

	for (int f = 0; f < N_FIELDS && st == OK; f++) {
		struct field_pass p = {.k = k, .r = r, .parts.field = (enum text_field)f};

		st = verify_field(&p, err);
		sharers_release(&p.parts.sharers);
		column_release(&p.parts.place);
		vec_release(&p.parts.chunks);
		vec_release(&p.parts.damaged);
		free(p.seen);
	}
	return st;
}
