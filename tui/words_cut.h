/* words_cut: a line into words, as a shell does it: blanks part them, '…' and "…" hold blanks, a
 * back-slash takes the next character as it is. */
#ifndef QUALM_TUI_WORDS_CUT_H
#define QUALM_TUI_WORDS_CUT_H

#include "core/base/str.h"

/* The next word, owned by the caller, with "~" as the home folder when it stood outside of quotes;
 * NULL: there is none left. */
char *word_cut(struct str *rest);
char *word_cut_raw(struct str *rest); /* the same, and "~" stays */
/* Where the last word begins: the line's end when that is a blank. */
size_t word_last(struct str line);
/* Appends the word so that it is cut as one again. */
void word_quote(struct str word, struct buf *out);

#endif
