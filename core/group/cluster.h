/*
 * cluster: samples that hang together, such as several statements about one image: what the
 * cluster bootstrap (paired.h) draws whole.
 */
#ifndef QUALM_CORE_GROUP_CLUSTER_H
#define QUALM_CORE_GROUP_CLUSTER_H

#include "core/base/err.h"
#include "core/model/snapshot.h"

struct clustering_of {
	uint32_t n;   /* clusters */
	uint32_t *of; /* [samples] < n; owned */
};

/* The samples with one value of the facet are a cluster; each without a value is one by itself.
 * E_USAGE: there is no such facet (says what there is), or samples have several values of it. */
enum status cluster_make(const struct snapshot *snap, struct str facet, struct clustering_of *out,
			 struct err *err);
void cluster_release(struct clustering_of *c);

#endif
