/*
 * core/reader: one file per format. To add one: write reader_NAME.c with a probe and a read
 * function, declare it in table.h's X-list, document it in qualm(1), give it a fixture test and
 * a fuzz corpus. The table is ordered; the highest score of all probes wins, ties go to the
 * earlier row. `rank` orders the files of one import command: lists of classes come before
 * samples, samples before predictions, so that PATHs may be given in any order.
 */
#ifndef QUALM_CORE_READER_READER_H
#define QUALM_CORE_READER_READER_H

#include "core/reader/report.h"
#include "core/reader/sink.h"
#include "core/text/input.h"

enum rank { RANK_CLASSES, RANK_TREE, RANK_PAIRS, RANK_SAMPLES, RANK_TRUTH, RANK_PREDICTIONS, RANK_REFERENCES };

/* One `--map field=column` or `--facet name=regex`. */
struct mapping {
	struct str name, value;
};

struct recipe;

struct read_options {
	struct str as;       /* reader's name, empty: probe */
	struct str model, run, protocol, layer; /* overrides; empty: from the file */
	struct str path_model, path_protocol;   /* what a file is told that says neither; may be empty */
	struct str images;   /* folder, empty: none */
	struct str pictures; /* folder for pictures that are inside files (embedded.h); empty: they are
				left out */
	const struct mapping *map;
	size_t n_map;
	const struct mapping *facets;
	size_t n_facets;
	bool folder; /* the file stands for all of its kind beside it (along.h) */
	const struct recipe *recipe; /* what else is known of the file's columns (recipe.h); NULL: nothing */
	bool dry_run;
	unsigned threads; /* that read one file; 0: as many as there are cores, up to 8 */
	size_t piece;     /* bytes that one of them gets at a time; 0: a good size. Tests set small ones */
};

struct read_ctx {
	struct input *in;
	const struct read_options *opt;
	struct sink *sink;
	struct report *report;
};

struct reader {
	const char *name; /* for --as and messages */
	const char *help; /* one line */
	/* 0 = not mine … 100 = certainly. `head` is the first INPUT_HEAD bytes. */
	int (*probe)(struct str path, struct str head);
	enum rank (*rank)(struct str path, struct str head);
	enum status (*read)(struct read_ctx *ctx, struct err *err);
	bool one_set; /* its files of samples are parts of one dataset, whatever folders they lie in */
};

extern const struct reader *const readers[]; /* ends with NULL */

/* The rank of a format whose files are always samples. */
enum rank reader_rank_samples(struct str path, struct str head);

/* By opt->as, else by probing. E_FORMAT names what was tried; E_USAGE for an unknown --as. */
enum status reader_for(const struct read_options *opt, struct str path, struct str head,
		       const struct reader **out, struct err *err);
/* The same; *score: what its probe said. */
enum status reader_best(const struct read_options *opt, struct str path, struct str head,
			const struct reader **out, int *score, struct err *err);
/* The mapped column for a field ("key", "image", "label", …), or NULL p. */
struct str reader_mapped(const struct read_options *opt, const char *field);
/* Model and protocol from a path when the file itself has neither: the file name's stem without
 * "pred-", "predictions_" and the like; else the folder. Borrows path. */
struct str reader_model_from_path(struct str path);
/* The model of a file that names none: by the options, else from its path. Borrows both. */
struct str reader_model(const struct read_options *opt, struct str path);

#endif
