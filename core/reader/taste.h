/*
 * taste: what a file would be read as, told by its first bytes: they are read by its reader into
 * a sink that keeps counts and the names of the runs. Of a file that is longer than INPUT_HEAD the
 * counts are of its beginning, and readers that need all of a file say nothing.
 */
#ifndef QUALM_CORE_READER_TASTE_H
#define QUALM_CORE_READER_TASTE_H

#include "core/base/map.h"
#include "core/reader/reader.h"

#define TASTE_RUNS 8
#define TASTE_KEYS 32

struct taste_run {
	struct str model, protocol, handle; /* as in rec_run; the model is empty when by_path */
	bool by_path; /* the file does not say who answered; then `handle` is what stands behind the
			 model and the protocol that its path gives, "/k11" */
};

struct taste {
	bool whole;   /* the head was all of the file */
	bool by_path; /* one of its runs is */
	bool by_place; /* as report.by_place: its keys tell nothing */
	bool hollow;  /* one JSON object, of whose members only the names were understood */
	struct str task; /* as in sink_task(); empty: none was told */
	struct str preset; /* as in sink_preset(); likewise */
	struct str key[TASTE_KEYS]; /* of samples, the first different ones; in the arena */
	uint32_t asked[TASTE_KEYS]; /* by key: a hash of the question with its options; 0: there is none */
	uint32_t told[TASTE_KEYS];  /* the same with pictures and truths */
	size_t n_keys;
	uint64_t classes, pairs, values, samples, truths, predictions, references;
	struct taste_run run[TASTE_RUNS]; /* in the arena */
	size_t n_runs;			  /* all of them: more than TASTE_RUNS are not kept */
	struct err why;			  /* of a whole file: why it could not be read */
	struct arena arena;
};

#define TASTE_ARCHIVE_MAX ((uint64_t)16 << 20) /* of a ZIP, which is read whole or not at all */

/* from: open, nothing read of it yet; it is as it was afterwards. */
void taste_file(const struct reader *reader, const struct read_options *opt,
		const struct input *from, struct taste *out);
/* As taste.asked, of one process. */
uint32_t taste_asked(struct str text, const struct str *options, size_t n_options);
/* Do the two files tell different things of the samples that both have? Not known: no. */
bool taste_differs(const struct taste *a, const struct taste *b);
/* Is that too few of them for one benchmark, some of whose questions were mended? */
bool taste_too_few(size_t same, size_t both);
/* Was anything in it? */
bool taste_found(const struct taste *t);
void taste_release(struct taste *t);

#endif
