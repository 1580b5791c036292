/*
 * mapping: answers to the nearest class name in an embedding space (benchmarks.md §2.3; ReGT
 * §2.3). Pure; vectors come from an encoder or a file.
 *
 * A text's embedding is the mean of the unit vectors of its templates, or of the bare text alone,
 * normalized again. A text whose bare vector is zero neither maps nor is a target.
 */
#ifndef QUALM_CORE_PROTOCOL_MAPPING_H
#define QUALM_CORE_PROTOCOL_MAPPING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/str.h"
#include "core/base/vec.h"

/* out[dim]: the normalized mean of n unit vectors made of v[n × dim], row-major. bare[dim]: the
 * text's own vector; when it is zero, or the mean is, out is all zero. Rows that are zero are left
 * out of the mean. n = 0: bare alone. */
void mapping_embed(const float *bare, const float *v, size_t n, size_t dim, float *out);

struct mapped {
	uint32_t class_ord, second; /* UINT32_MAX: none */
	double cosine, second_cosine; /* NaN with none */
};
/* The two nearest of classes[n_classes × dim] to answer[dim], all as mapping_embed() makes them;
 * of equals the lower ordinal. */
struct mapped mapping_nearest(const float *answer, const float *classes, size_t n_classes, size_t dim);

/* Templates, one a line: "a photo of a {}."; blank lines and those that begin with # are left out.
 * E_FORMAT for a line without {}, E_LIMIT for too many. Slices borrow text; release with
 * vec_release(&out->lines), which is due on an error too. */
#define MAPPING_MAX_TEMPLATES 1000
struct templates {
	VEC(struct str) lines;
};
enum status mapping_templates(struct str text, struct templates *out, struct err *err);
/* The template with its {} replaced. */
void mapping_fill(struct str template_text, struct str name, struct buf *out);

#endif
