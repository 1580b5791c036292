/* What the words of `import` mean, on the command line as on the screen. */
#ifndef QUALM_TUI_IMPORT_WORDS_H
#define QUALM_TUI_IMPORT_WORDS_H

#include "core/reader/recipe.h"
#include "db/store.h"
#include "tui/cmd.h"

struct import_words {
	VEC(struct mapping) map, facets; /* borrow the words */
	VEC(struct recipe *) recipes;	 /* owned */
	bool ask; /* --map without a value: which column is which field is asked on the screen */
};

extern const struct cmd_option import_options[];

/* Fills project, dataset, paths and options of the job, which borrow args and words. E_USAGE. */
enum status import_words_read(const struct cmd_args *args, const char *dataset,
			      struct import_words *words, struct import_job *job, struct err *err);
/* One more recipe for the job, taken. */
void import_words_add(struct import_words *words, struct import_job *job, struct recipe *recipe);
void import_words_release(struct import_words *words);

#endif
