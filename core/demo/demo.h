/*
 * core/demo: a small honest project made by code, to try qualm without any download: drawn faces
 * with labels in three layers, statements about them, and three simulated models. The same bytes
 * in every run on every machine.
 *
 * The folder then holds images/face_NNN.png and the files that a person would import:
 *   faces       classes.tsv, faces.jsonl, pred-sim-*.jsonl
 *   statements  statements.json (MVEI's shape), MVEI_predict.json in a folder for each model
 * and README.txt, which says what they are. Pictures lie in images/ for both.
 */
#ifndef QUALM_CORE_DEMO_DEMO_H
#define QUALM_CORE_DEMO_DEMO_H

#include "core/base/cancel.h"

#define DEMO_FACES  252
#define DEMO_MODELS 3

enum demo_part { DEMO_PART_FACES, DEMO_PART_STATEMENTS, N_DEMO_PARTS };

/* Makes dir when it is not there; files of these names in it are overwritten. progress may be
 * NULL. E_IO, E_CANCELLED (files so far stay). */
enum status demo_write(const char *dir, void (*progress)(void *ctx, unsigned done, unsigned total),
		       void *ctx, const struct cancel *cancel, struct err *err);

/* The files to import for one dataset, relative to the folder; ends with NULL. */
const char *const *demo_files(enum demo_part part);
/* The name of that dataset. */
const char *demo_dataset(enum demo_part part);

#endif
