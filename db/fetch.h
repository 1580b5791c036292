/*
 * db/fetch: the rows and texts behind what is on the screen. Results live in the arena that
 * the caller hands in. Ordinals are those of the snapshot.
 */
#ifndef QUALM_DB_FETCH_H
#define QUALM_DB_FETCH_H

#include "core/base/arena.h"
#include "core/model/snapshot.h"
#include "core/reader/match.h"
#include "db/conn.h"

struct sample_row {
	uint32_t ord;
	struct str key;
	enum media_kind media;
	struct str path; /* relative to the dataset's image root, or absolute; may be empty */
	enum text_kind text_kind;
	struct str text, extra;
	int64_t option_set; /* 0 = none */
};

/* Rows of ordinals [from, from + n). Missing ones have an empty key. */
enum status fetch_samples(struct conn *c, int64_t dataset, uint32_t from, uint32_t n,
			  struct sample_row *rows, struct arena *arena, struct err *err);
/* rows[n]: of n ordinals, in one look at the file; those that follow each other are fetched
 * together. */
enum status fetch_sample_list(struct conn *c, int64_t dataset, const uint32_t *ords, uint32_t n,
			      struct sample_row *rows, struct arena *arena, struct err *err);
enum status fetch_sample(struct conn *c, int64_t dataset, uint32_t ord, struct sample_row *row,
			 struct arena *arena, struct err *err);
/* Exact key. E_NOT_FOUND. */
enum status fetch_ordinal(struct conn *c, int64_t dataset, struct str key, uint32_t *ord,
			  struct err *err);
struct option_row {
	struct str text;
	uint32_t class_ord; /* UINT32_MAX = none */
};
/* The options of a set, in order. */
enum status fetch_options(struct conn *c, int64_t option_set, struct option_row **out, size_t *n,
			  struct arena *arena, struct err *err);

/* Text fields of an answer; stored in chunks (see schema.sql). Append only. */
enum text_field { FIELD_RAW, FIELD_EXTRACTED, FIELD_STEPS, FIELD_MARKS, FIELD_ERROR, FIELD_DETAILS,
		  FIELD_PEOPLE, N_FIELDS };
/* Empty when nothing is stored; E_FORMAT when the chunk is damaged. */
enum status fetch_text(struct conn *c, int64_t run, enum text_field field, uint32_t ord,
		       struct str *out, struct arena *arena, struct err *err);
/* The same for n samples, in one look at the file; quickest by ascending ordinals. */
enum status fetch_texts(struct conn *c, int64_t run, enum text_field field, const uint32_t *ords,
			size_t n, struct str *out, struct arena *arena, struct err *err);
/* One numeric column of a run for one sample ("score", "latency", "tokens", "degree", …); NaN
 * when there is none. Columns are cached in the connection. */
double fetch_number(struct conn *c, int64_t run, const char *name, uint32_t ord);

/* out[n]: that column for the samples 0 … n - 1; all NaN when the run has none. */
enum status fetch_numbers(struct conn *c, int64_t run, const char *name, uint32_t n, double *out,
			  struct err *err);
/* rank[n_samples]: the place of each sample when all are sorted by key (bytes). */
enum status fetch_key_ranks(struct conn *c, int64_t dataset, uint32_t n_samples, uint32_t *rank,
			    struct err *err);

/* The same by question or statement; equal texts in order of import, UINT32_MAX where there is no
 * text. */
enum status fetch_text_ranks(struct conn *c, int64_t dataset, uint32_t n_samples, uint32_t *rank,
			     struct err *err);

/* Absolute or project-relative folder of the dataset's pictures + path; NULL when path is empty
 * or would leave the folder, by its words or through a link. Caller owns. */
char *fetch_picture_path(struct conn *c, const struct snapshot *snap, struct str path);

/* The paths of a sample's pictures in their order, row->path first, in the arena; of more than 256
 * the first. *n = 0: there is none. */
enum status fetch_media(struct conn *c, int64_t dataset, const struct sample_row *row, struct str **paths,
			size_t *n, struct arena *arena, struct err *err);
/* fetch_picture_path() of row->path; of a sample with several pictures of all of them, one a line
 * (media_load_together()), without those that have none. NULL: there is none. Caller owns. */
char *fetch_picture_paths(struct conn *c, const struct snapshot *snap, const struct sample_row *row);

/* How a run was asked. E_NOT_FOUND. */
struct run_asking {
	struct str prompt, settings; /* settings: a JSON object, or empty */
};
enum status fetch_run_asking(struct conn *c, int64_t run, struct run_asking *out, struct arena *arena,
			     struct err *err);

struct layer_count { const char *name; uint32_t n_labelled; };
/* The layers of a dataset without loading it. */
enum status fetch_layers(struct conn *c, int64_t dataset, struct layer_count **out, size_t *n,
			 struct arena *arena, struct err *err);

/* What was imported, the last first; at most max of them. */
struct import_row {
	struct str at, path, reader;
	int64_t dataset;                              /* 0 = none */
	uint64_t rows, skipped, unmatched, warnings;
	struct str example;                           /* "line 12: field: message"; may be empty */
};
enum status fetch_imports(struct conn *c, size_t max, struct import_row **out, size_t *n,
			  struct arena *arena, struct err *err);

/* How the rows of a dataset's files found their samples, summed over the last import of each file. */
enum status fetch_joins(struct conn *c, int64_t dataset, uint64_t joined[N_MATCHED], struct err *err);

/* Every further text that means a class of the dataset: aliases and the label map. class_ord may be
 * UINT32_MAX. */
typedef void fetch_class_text(void *ctx, struct str text, uint32_t class_ord);
enum status fetch_class_texts(struct conn *c, int64_t dataset, fetch_class_text *fn, void *ctx,
			      struct err *err);

struct dataset_name { const char *name; uint32_t n_samples; int64_t id; };
enum status fetch_datasets(struct conn *c, struct dataset_name **out, size_t *n,
			   struct arena *arena, struct err *err);

#endif
