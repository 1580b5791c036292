/*
 * sets: which files of samples are one dataset, by where they lie and what their samples are
 * called. Files of one folder are one set; "train", "val", "annotations" and the like name no
 * folder of their own; a folder inside another one belongs to it; and files that share a key, other
 * than a mere number, or are of one publication, are one. Of one folder only what other files speak of ("gpt-4o_emoset.jsonl"
 * beside emoset.jsonl and fi.jsonl) are sets of their own, and files that are called after the
 * benchmark that they hold.
 */
#ifndef QUALM_CORE_READER_SETS_H
#define QUALM_CORE_READER_SETS_H

#include "core/base/arena.h"
#include "core/base/str.h"

#define SETS_PLACES_MAX 256 /* folders that are told apart; more of them are one set */

struct set_file {
	struct str path;
	const struct str *keys; /* of samples, some of them */
	size_t n_keys;
	struct str preset; /* of the publication that the file is of; may be empty */
	uint32_t set; /* out: 0 … */
	bool named; /* of a format whose files are called after their benchmarks */
};

/* How many sets there are. others: paths of the files that are no samples. *names: by set, in the
 * arena or borrowed from the paths; one set alone has none that means anything. */
uint32_t sets_by_paths(struct set_file *files, size_t n, const struct str *others, size_t n_others,
		       struct str **names, struct arena *arena);
/* Where in the path, as a folder or as a word of the file's name, the name stands last: bytes + 1;
 * 0: nowhere. ASCII case does not matter. */
size_t sets_mention(struct str path, struct str name);
/* How many folders two paths of folders share from the beginning on. */
size_t sets_common(struct str a, struct str b);

#endif
