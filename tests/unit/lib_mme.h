/*
 * mme: a project made by code from a seed, through the readers: dataset "mme", three tasks, runs one/mme
 * and two/mme with steps and marks, some of which cannot be read, and people's marks of two/mme;
 * dataset "votes", a table of votes, a run with one answer a sample and a run "crowd" whose shares
 * are the votes. What fails ends the program with a message.
 */
#ifndef QUALM_TESTS_UNIT_LIB_MME_H
#define QUALM_TESTS_UNIT_LIB_MME_H

#include "core/model/snapshot.h"
#include "db/conn.h"

#define MME_PEOPLE 20 /* answers that people marked */

struct mme_project {
	char *folder, *file;
	struct conn *c;
};

void mme_project_make(struct mme_project *p, uint32_t seed);
struct snapshot *mme_project_load(struct mme_project *p, const char *dataset); /* owned by the caller */
void mme_project_end(struct mme_project *p);

#endif
