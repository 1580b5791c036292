#include <math.h>

#include "core/base/log.h"
#include "db/cache.h"
#include "db/conn_impl.h"
#include "db/fetch.h"

static const char *field_column(enum text_field field)
{
	static const char *const names[N_FIELDS] = {
	    [FIELD_RAW] = "text_raw",     [FIELD_EXTRACTED] = "text_extracted",
	    [FIELD_STEPS] = "text_steps", [FIELD_MARKS] = "text_marks",
	    [FIELD_ERROR] = "text_error", [FIELD_DETAILS] = "text_details",
	    [FIELD_PEOPLE] = "text_people",
	};

	return names[field];
}

static enum status find_entry(struct conn *c, const struct chunk *ch, uint64_t offset, uint32_t ord,
			      struct str *out, struct err *err)
{
	uint64_t at = 0, want = offset - ch->start;

	for (uint32_t i = 0; i < ch->n && at <= want; i++) {
		if (at == want && (!ch->ords || ch->ords[i] == ord)) {
			*out = (struct str){ch->data.p + at, ch->lens[i]};
			return OK;
		}
		at += ch->lens[i];
	}
	return err_set(err, E_FORMAT, "%s is damaged: a text is not where it should be", c->path);
}

static enum status find_text(struct conn *c, int64_t run, enum text_field field, uint32_t ord,
			     struct str *out, struct err *err)
{
	const struct column *places = NULL;
	const struct chunk *chunk = NULL;
	uint64_t offset;
	enum status st = cache_column(c, run, field_column(field), &places, err);

	if (st != OK)
		return st;
	offset = column_u(places, ord);
	if (offset == COLUMN_NONE)
		return OK;
	st = cache_chunk(c, run, field, offset, &chunk, err);
	return st == OK ? find_entry(c, chunk, offset, ord, out, err) : st;
}

enum status fetch_text(struct conn *c, int64_t run, enum text_field field, uint32_t ord,
		       struct str *out, struct arena *arena, struct err *err)
{
	return fetch_texts(c, run, field, &ord, 1, out, arena, err);
}

enum status fetch_texts(struct conn *c, int64_t run, enum text_field field, const uint32_t *ords,
			size_t n, struct str *out, struct arena *arena, struct err *err)
{
	bool began;
	enum status st = read_begin(c, &began, err);

	if (st != OK)
		return st;
	st = cache_check(c, err);
	for (size_t i = 0; st == OK && i < n; i++) {
		struct str found = STR("");

		st = find_text(c, run, field, ords[i], &found, err);
		if (st == OK)
			out[i] = found.n ? arena_str(arena, found) : STR("");
	}
	read_end(c, began);
	return st;
}

double fetch_number(struct conn *c, int64_t run, const char *name, uint32_t ord)
{
	struct err err = ERR_INIT;
	const struct column *col = NULL;
	double v = NAN;
	bool began;

	if (read_begin(c, &began, &err) != OK)
		goto out;
	if (cache_check(c, &err) == OK && cache_column(c, run, name, &col, &err) == OK)
		v = column_f(col, ord);
	read_end(c, began);
out:
	if (err.code != OK)
		log_line("db", "fetch_number: %s", err.msg);
	return v;
}

enum status fetch_numbers(struct conn *c, int64_t run, const char *name, uint32_t n, double *out,
			  struct err *err)
{
	const struct column *col = NULL;
	bool began;
	enum status st = read_begin(c, &began, err);

	if (st != OK)
		return st;
	st = cache_check(c, err);
	if (st == OK)
		st = cache_column(c, run, name, &col, err);
	for (uint32_t i = 0; st == OK && i < n; i++)
		out[i] = column_f(col, i);
	read_end(c, began);
	return st;
}
