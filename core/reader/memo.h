/*
 * memo: what the readers of MEMO-Bench share: the six emotions with the words for them, and what
 * a picture's name is as a key.
 */
#ifndef QUALM_CORE_READER_MEMO_H
#define QUALM_CORE_READER_MEMO_H

#include "core/reader/rows.h"

#define MEMO_MOS_MAX 5.0 /* degrees and scores are 0 … 5 */

/* The class list in the order of the publication, with adjectives ("happy") and the tables'
 * abbreviations ("HAP") as other names; and the lens preset. */
enum status memo_begin(struct sink *sink, struct err *err);
/* The emotion's name for any word for it, whatever its case: "Happy" is "happiness". NULL p:
 * none of the six. */
struct str memo_emotion(struct str word);

/* A sample's key as the generic reader makes it from a picture: the file name without folders
 * and without the extension of a picture. Whatever else has a dot in it is kept whole. */
struct str memo_key(struct str image);

#endif
