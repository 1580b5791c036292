/*
 * tui/map: the answers of a run to the nearest class name in an embedding space, as a run derived
 * from it (benchmarks.md §2.3; core/protocol/mapping.h). Vectors come from an endpoint, and are kept
 * in the project, or from a file of them.
 */
#ifndef QUALM_TUI_MAP_MAP_H
#define QUALM_TUI_MAP_MAP_H

#include "core/net/endpoint.h"
#include "core/protocol/mapping.h"
#include "db/conn.h"
#include "core/model/snapshot.h"

/* Where vectors come from: an endpoint, or a file, or, with neither, what the project keeps alone. */
struct encoder {
	const struct endpoint *endpoint; /* or */
	const char *file; /* lines {"text": …, "vector": […]} (or "embedding") */
	char *name;	  /* part of the run: the model, or the file's name; owned */
	struct templates templates; /* none: the bare text alone */
	struct buf template_text;   /* what the templates borrow */
};
/* name: an endpoint of the list, which is borrowed, or else a file, whose name is borrowed. E_USAGE
 * when it is neither, or an endpoint without a model. Released by the caller in any case. */
enum status encoder_find(struct encoder *e, const char *name, const struct endpoint_list *endpoints,
			 struct err *err);
/* Sentences to embed each text in, a line each. */
enum status encoder_templates(struct encoder *e, const char *path, struct err *err);
/* Appends by which name the project keeps the vectors of an endpoint (db/vectors.h). */
void encoder_key(const struct encoder *e, struct buf *out);
void encoder_release(struct encoder *e);

struct map_job {
	struct conn *conn;
	const struct snapshot *snap;
	int run;
	struct encoder *encoder;
	bool all; /* every answer; else those outside of the classes */
	struct cancel *cancel;
	/* Texts that have their vectors, of how many; may be NULL. */
	void (*progress)(void *ctx, size_t done, size_t n);
	void *ctx;
};

struct map_result {
	char handle[512]; /* of the new run */
	size_t answers, texts; /* that were to be mapped; how many different ones */
	size_t mapped;	       /* answers */
	size_t zero;	       /* answers whose vector is zero: they stay what they are */
	size_t sent;	       /* texts whose vectors were not kept already */
};

/* E_USAGE when the run has nothing to map. Vectors that came are kept even when it is cancelled. */
enum status map_run(const struct map_job *job, struct map_result *out, struct err *err);

/* For map_run(): out[n × *dim] as mapping_embed() makes them; the caller frees *out. */
enum status encoder_embed(struct encoder *e, struct conn *c, const struct str *texts, size_t n,
			  const struct map_job *job, uint32_t *dim, float **out, size_t *sent, struct err *err);

/* --- map_classes.c: vectors of all class names, kept in the project --- */

struct class_vectors {
	struct conn *conn; /* writes, unless all are kept */
	const struct snapshot *snap;
	/* An endpoint of the list, else a name by which the project keeps vectors, else a file; NULL: the
	 * only one that the project keeps. */
	const char *encoder;
	const char *templates; /* a file; NULL: none */
	const struct endpoint_list *endpoints;
	bool dry; /* nothing may be sent: what is not kept fails */
	struct cancel *cancel;
	void (*progress)(void *ctx, size_t done, size_t n); /* as in map_job */
	void *ctx;
};
/* *key: by which name they are kept now, owned by the caller. E_USAGE tells what an encoder is when
 * there is none, or which there are. */
enum status class_vectors_keep(const struct class_vectors *v, char **key, struct err *err);

#endif
