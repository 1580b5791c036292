/* Rows against rows. Each check is a row of the table below: a statement that gives a line
 * (where, example) for each case, sorted by where, and one that makes it right (verify.sql). */
#include "db/verify_impl.h"

#define NOTHING N_STMTS

static const struct row_check {
	const char *what;
	enum stmt_id look;
	const char *fix; /* words; NULL: it cannot be repaired */
	enum stmt_id repair;
} row_checks[] = {
    {"the count of changes is no number", STMT_VERIFY_GENERATION, "it begins again",
     STMT_FIX_GENERATION},
    {"a dataset has an impossible number or no name", STMT_VERIFY_DATASET_IDS, NULL, NOTHING},

    /* samples */
    {"samples whose number is not that of their dataset and ordinal", STMT_VERIFY_SAMPLE_IDS,
     "the number decides", STMT_FIX_SAMPLE_IDS},
    {"samples of no dataset", STMT_VERIFY_SAMPLE_DATASETS, NULL, NOTHING},
    {"keys that are no text", STMT_VERIFY_SAMPLE_KEYS, "they become (lost ORDINAL)",
     STMT_FIX_SAMPLE_KEYS},
    {"unknown kinds of media or text", STMT_VERIFY_SAMPLE_KINDS, "they become none",
     STMT_FIX_SAMPLE_KINDS},
    {"options that do not exist", STMT_VERIFY_SAMPLE_OPTIONS, "the samples have none",
     STMT_FIX_SAMPLE_OPTIONS},
    {"options that cannot be read", STMT_VERIFY_OPTION_ITEMS, "they become an empty list",
     STMT_FIX_OPTION_ITEMS},
    {"further fields that cannot be read", STMT_VERIFY_SAMPLE_EXTRA, "they are dropped",
     STMT_FIX_SAMPLE_EXTRA},
    {"pictures of samples that do not exist", STMT_VERIFY_MEDIA_SAMPLES, "they are dropped",
     STMT_FIX_MEDIA_SAMPLES},
    {"ordinals without a sample", STMT_VERIFY_SAMPLE_GAPS, "samples (lost ORDINAL) stand there",
     STMT_FIX_SAMPLE_GAPS},
    {"the ordinals of samples have more gaps than can be filled", STMT_VERIFY_SAMPLE_CHASMS, NULL,
     NOTHING},
    {"the number of samples is wrong", STMT_VERIFY_SAMPLE_COUNT, "it is counted again",
     STMT_FIX_SAMPLE_COUNT},

    /* classes */
    {"numbers that several classes bear", STMT_VERIFY_CLASS_INDICES, NULL, NOTHING},
    {"wnids that several classes bear", STMT_VERIFY_CLASS_WNIDS, NULL, NOTHING},
    {"classes of no dataset", STMT_VERIFY_CLASS_DATASETS, "they are dropped",
     STMT_FIX_CLASS_DATASETS},
    {"texts that mean classes of no dataset", STMT_VERIFY_MAP_DATASETS, "they are dropped",
     STMT_FIX_MAP_DATASETS},

    /* facets, layers */
    {"facets of no dataset", STMT_VERIFY_FACET_DATASETS, "they are dropped",
     STMT_FIX_FACET_DATASETS},
    {"its columns are of another kind than it is said to be", STMT_VERIFY_FACET_KINDS,
     "they say what it is", STMT_FIX_FACET_KINDS},
    {"values of facets that do not exist", STMT_VERIFY_VALUE_FACETS, "they are dropped",
     STMT_FIX_VALUE_FACETS},
    {"values that a facet has twice", STMT_VERIFY_VALUE_NAMES, NULL, NOTHING},
    {"layers of no dataset", STMT_VERIFY_LAYER_DATASETS, "they are dropped",
     STMT_FIX_LAYER_DATASETS},
    {"layers of an unknown kind", STMT_VERIFY_LAYER_KINDS, "they become sets of classes, or votes",
     STMT_FIX_LAYER_KINDS},
    {"fields of layers that do not exist", STMT_VERIFY_FIELD_LAYERS, "they are dropped",
     STMT_FIX_FIELD_LAYERS},

    /* runs */
    {"runs of no dataset", STMT_VERIFY_RUN_DATASETS, "they are dropped", STMT_FIX_RUN_DATASETS},
    {"handles that cannot be typed", STMT_VERIFY_RUN_HANDLES, NULL, NOTHING},
    {"an unknown rule for lists", STMT_VERIFY_RUN_RULES, "it becomes the usual one",
     STMT_FIX_RUN_RULES},
    {"the run that it comes from does not exist, or is itself", STMT_VERIFY_RUN_ORIGINS, "it stands alone",
     STMT_FIX_RUN_ORIGINS},
    {"settings that cannot be read", STMT_VERIFY_RUN_SETTINGS, "they are dropped",
     STMT_FIX_RUN_SETTINGS},
    {"requests of runs that do not exist", STMT_VERIFY_REQUEST_RUNS, "they are dropped",
     STMT_FIX_REQUEST_RUNS},

    /* what is packed */
    {"columns that belong to nothing", STMT_VERIFY_COL_OWNERS, "they are dropped",
     STMT_FIX_COL_OWNERS},
    {"texts that belong to no run, or to an unknown field", STMT_VERIFY_CHUNK_RUNS,
     "they are dropped", STMT_FIX_CHUNK_RUNS},
    {"embeddings that are not as long as they say", STMT_VERIFY_VECTOR_SIZES, "they are dropped",
     STMT_FIX_VECTOR_SIZES},

    /* the rest */
    {"reports that cannot be read", STMT_VERIFY_IMPORT_REPORTS, "they are dropped",
     STMT_FIX_IMPORT_REPORTS},
    {"the dataset of an import does not exist", STMT_VERIFY_IMPORT_DATASETS, "it is forgotten",
     STMT_FIX_IMPORT_DATASETS},
    {"figures of a dataset that does not exist", STMT_VERIFY_REFERENCE_DATASETS, "they are dropped",
     STMT_FIX_REFERENCE_DATASETS},
};

/* One finding for each value of the first column. */
static enum status see_rows(struct verify *k, const struct row_check *rc, sqlite3_stmt *s,
			    bool *any, struct err *err)
{
	struct finding f;
	char *where = NULL;
	enum status st;
	bool row;

	finding_init(&f, "%s", rc->what);
	while ((st = stmt_step(k->c, s, &row, err)) == OK && row) {
		struct str at = stmt_str(s, 0), example = stmt_str(s, 1);

		if (where && !str_eqz(at, where)) {
			finding_end(k, &f, where, rc->fix);
			finding_init(&f, "%s", rc->what);
			free(where);
			where = NULL;
		}
		if (!where)
			where = xstrndup(at.n ? at.p : "", at.n);
		finding_see(&f, "%.*s", (int)(example.n < 60 ? example.n : 60),
			    example.n ? example.p : "");
		*any = true;
	}
	finding_end(k, &f, where ? where : "", rc->fix);
	free(where);
	return st;
}

static enum status verify_row(struct verify *k, const struct row_check *rc, struct err *err)
{
	sqlite3_stmt *s = stmt_get(k->c, rc->look, err);
	bool any = false;
	enum status st = s ? see_rows(k, rc, s, &any, err) : err->code;

	if (st == OK && any && k->repair && rc->repair != NOTHING) {
		s = stmt_get(k->c, rc->repair, err);
		st = s ? stmt_run(k->c, s, err) : err->code;
	}
	return verify_absorb(k, st, "tables", err);
}

enum status verify_rows(struct verify *k, struct err *err)
{
	enum status st = OK;

	for (size_t i = 0; i < sizeof row_checks / sizeof *row_checks && st == OK; i++)
		st = verify_row(k, &row_checks[i], err);
	return st;
}
