/*
 * table: every reader, in the order in which they are asked. A new one is a line here and a
 * file reader_NAME.c.
 */
#ifndef QUALM_CORE_READER_TABLE_H
#define QUALM_CORE_READER_TABLE_H

#include "core/reader/reader.h"

/* X(name) stands for `const struct reader reader_NAME`. */
#define READERS(X)                                                                                 \
	X(mvei)                                                                                    \
	X(mme)                                                                                     \
	X(faces)                                                                                   \
	X(memo)                                                                                    \
	X(ratings)                                                                                 \
	X(fer2013)                                                                                 \
	X(emoset)                                                                                  \
	X(emotion6)                                                                                \
	X(artemis)                                                                                 \
	X(emotic)                                                                                  \
	X(affectnet)                                                                               \
	X(affectnet_npy)                                                                           \
	X(rafdb)                                                                                   \
	X(eibench)                                                                                 \
	X(votes)                                                                                   \
	X(real)                                                                                    \
	X(devkit)                                                                                  \
	X(reannotation)                                                                            \
	X(class_update)                                                                            \
	X(flaws)                                                                                   \
	X(weasel)                                                                                  \
	X(mistakes)                                                                                \
	X(imagewikiqa)                                                                             \
	X(pairs)                                                                                   \
	X(tree)                                                                                    \
	X(clusters)                                                                                \
	X(vlmbench)                                                                                \
	X(vlmeval)                                                                                 \
	X(lmeval)                                                                                  \
	X(opencompass)                                                                             \
	X(batch)                                                                                   \
	X(inspect)                                                                                 \
	X(fiftyone)                                                                                \
	X(helm)                                                                                    \
	X(promptfoo)                                                                               \
	X(deepeval)                                                                                \
	X(observer)                                                                                \
	X(eemo)                                                                                    \
	X(reimagenet)                                                                              \
	X(reference)                                                                               \
	X(folder)                                                                                  \
	X(inorder)                                                                                 \
	X(classes)                                                                                 \
	X(generic)

#define X(name) extern const struct reader reader_##name;
READERS(X)
#undef X

#endif
