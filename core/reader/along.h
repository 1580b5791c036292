/*
 * along: files of a folder that are not read by themselves, because there are too many of them for
 * that: EmoSet's annotations, 118,102, and AffectNet's arrays, of which a picture has four. EmoSet's
 * follow the index that lies beside their folder; where there is none, the first one of a folder leads
 * the others: it is read with all of its kind beside it (read_options.folder).
 */
#ifndef QUALM_CORE_READER_ALONG_H
#define QUALM_CORE_READER_ALONG_H

#include <stdbool.h>

#include "core/base/str.h"

enum along_as { ALONG_ALONE, ALONG_LEADS, ALONG_FOLLOWS };

struct along { /* the root alone at first */
	const char *root;  /* the folder that is walked; borrowed. An index outside of it is none */
	char *annotations; /* the last such folder that was looked at, with its '/' */
	char *dir;	   /* of the last annotation that follows no index */
	char *arrays;	   /* of the last array */
	bool has_index, told, leads, arrays_lead;
};

/* Paths come folder by folder. Looks into the index, or the first annotation of a folder. *folder: that
 * of files which follow an index, the first time that one of it comes, else NULL; it lives until the
 * next call. */
enum along_as along_look(struct along *a, const char *path, const char **folder);
void along_release(struct along *a);

/* "amusement_00000.json" */
bool along_is_annotation(struct str name);
/* "5_exp.npy", "5_val.npy", "5_aro.npy" or "5_lnd.npy" */
bool along_is_array(struct str name);

#endif
