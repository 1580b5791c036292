/*
 * folder: the files below a folder, for an import that is given a folder. Links to files are
 * followed, links to folders are not, so that no link leads in circles; a file that is met again
 * under another name counts once. What begins with a dot, and pictures, videos and sound, are
 * passed over unread; of pictures and videos there is a list.
 */
#ifndef QUALM_CORE_READER_FOLDER_H
#define QUALM_CORE_READER_FOLDER_H

#include "core/base/cancel.h"
#include "core/base/map.h"

#define FOLDER_FILES_MAX   2000000 /* that are kept; AffectNet has four for each of 291,650 pictures */
#define FOLDER_ENTRIES_MAX 5000000 /* that are looked at */
#define FOLDER_DEPTH_MAX   64

struct folder_file {
	const char *path; /* the folder as given, and below it; in the arena */
	uint64_t size;
	const char *why;  /* it is left out: half a sentence; NULL: it is not */
	bool unreadable;  /* that is why */
};

struct folder {
	struct arena arena;
	VEC(struct folder_file) files; /* by their paths, folder by folder */
	uint64_t hidden, media;	       /* passed over: counts */
	uint64_t looked_at;
	/* Pictures and videos, and folders that hold neither these nor folders (with a '/' at the end):
	 * a path below the folder each line, in order; of those that can be read. */
	struct buf pictures;
	size_t below; /* how many bytes of a path are not below the folder */
	void (*look)(void *ctx, uint64_t looked_at); /* on the way, now and then; may be NULL */
	void *look_ctx;
	VEC(const char *) links; /* to files: looked at last */
	struct intern met; /* device and number of every file */
};

/* Adds the files below `path`. E_IO: the folder itself cannot be read; E_LIMIT, E_CANCELLED. out
 * begins as zeroes, but for look, and is released by the caller, whatever the status. */
enum status folder_walk(struct folder *out, const char *path, const struct cancel *cancel,
			struct err *err);
void folder_release(struct folder *f);

#endif
