/*
 * project: a folder for a test's files and a tiny project made by hand, through db's own API.
 * Whatever fails here ends the program with a message.
 *
 * The tiny project, dataset "tiny", preset "regt", 6 samples s0 … s5, image root "pics":
 *   classes     0 cat (index 0, n001)  1 dog (1, n002)  2 fox (2, n003, parent dog); pair {1, 2}
 *   media       image for all but s5 (none); path sN.png; s5 is a statement, the others questions
 *   facet       emotion (values joy > delight, fear): 0 1 2 0 1 –
 *   facet       tags (multi; x, y): {0} {} {0,1} {1} {} beyond: –
 *   facet       size (number): 1 2.5 – 4 5 6
 *   layer       original: 0 1 2 0 1 2, one class each
 *   layer       reannotated: {0} {} {0,2} {2} {1}; s5 unlabelled
 *   layer       votes (fields cat, dog): 3:1 0:4 2:2 1:0 0:0 –
 *   run         m1/cw: answered 0, answered 1, answered {0,2}, oop, refused; s5 missing
 *   run         m2 ("Model Two", scratch, open world): missing, answered 2, error, …
 *   texts       m1/cw raw: "answer N" for s0 … s4, two entries a chunk; s3 has none
 *   numbers     m1/cw: score f32 0.5 × N, tokens u16 10 × N
 */
#ifndef QUALM_TESTS_UNIT_LIB_PROJECT_H
#define QUALM_TESTS_UNIT_LIB_PROJECT_H

#include "core/model/snapshot.h"
#include "db/column.h"
#include "db/conn.h"
#include "db/fetch.h"
#include "db/stmt.h"

char *project_folder(void);               /* a new one below the temporary folder; caller frees */
void project_remove(char *folder);        /* with everything in it; frees folder */
char *project_file(const char *folder, const char *name); /* folder/name; caller frees */
/* A file of these bytes; name may have folders of its own, which are made. */
void project_put(const char *folder, const char *name, struct str bytes);

/* Make the tiny project at path and close it. page_size 0: as qualm does. */
void project_make_tiny(const char *path, int page_size);
struct conn *project_open(const char *path, enum conn_mode mode);
void project_exec(struct conn *c, const char *sql);
int64_t project_int(struct conn *c, const char *sql); /* first column of the first row */
/* Values as doubles; NaN = none. */
void project_column(struct conn *c, enum owner_kind kind, int64_t owner, const char *name,
		    enum dtype d, const double *v, size_t n);
/* texts[n] by ordinal; NULL or empty = absent. A text for each, as before version 2 all were. */
void project_texts(struct conn *c, int64_t run, enum text_field field, const char *const *texts,
		   size_t n, size_t per_chunk);
/* The same, each text once. */
void project_shared_texts(struct conn *c, int64_t run, enum text_field field,
			  const char *const *texts, size_t n, size_t per_chunk);
/* Extracted answers as version 1 stored them, and that version. */
void project_as_version_1(const char *path);

#endif
