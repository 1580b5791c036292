/*
 * along: files of a folder that are read along with another one, and not by themselves: EmoSet's
 * annotations, of which there are 118,102, with the index that lies beside their folder.
 */
#ifndef QUALM_CORE_READER_ALONG_H
#define QUALM_CORE_READER_ALONG_H

#include <stdbool.h>

struct along { /* {0} at first */
	char *folder; /* the last one that was looked at, with its '/' */
	bool is, told;
};

/* Looks into the index. *folder: the folder of such files the first time that one of it comes, else
 * NULL; it lives until the next call. */
bool along_with_another(struct along *a, const char *path, const char **folder);
void along_release(struct along *a);

#endif
