#include "core/protocol/mapping.h"

#include <math.h>

/* v scaled to length 1; false: it is zero, or no number. */
static bool unit(const float *v, size_t dim, double *out)
{
	double sum = 0, length;

	for (size_t i = 0; i < dim; i++)
		sum += (double)v[i] * v[i];
	length = sqrt(sum);
	if (!(length > 0) || isinf(length))
		return false;
	for (size_t i = 0; i < dim; i++)
		out[i] = v[i] / length;
	return true;
}

static void to_unit(const double *sum, size_t dim, float *out)
{
	double squares = 0;

	for (size_t i = 0; i < dim; i++)
		squares += sum[i] * sum[i];
	for (size_t i = 0; i < dim; i++)
		out[i] = squares > 1e-24 ? (float)(sum[i] / sqrt(squares)) : 0;
}

void mapping_embed(const float *bare, const float *v, size_t n, size_t dim, float *out)
{
	double *one = xcalloc(dim + 1, sizeof *one), *sum = xcalloc(dim + 1, sizeof *sum);
	bool known = unit(bare, dim, one);

	for (size_t i = 0; i < dim && known && !n; i++)
		sum[i] = one[i];
	for (size_t k = 0; k < n && known; k++)
		if (unit(v + k * dim, dim, one))
			for (size_t i = 0; i < dim; i++)
				sum[i] += one[i];
	to_unit(sum, dim, out);
	free(one);
	free(sum);
}

static double dot(const float *a, const float *b, size_t dim)
{
	double sum = 0;

	for (size_t i = 0; i < dim; i++)
		sum += (double)a[i] * b[i];
	return sum;
}

static bool is_zero(const float *v, size_t dim)
{
	for (size_t i = 0; i < dim; i++)
		if (v[i] != 0)
			return false;
	return true;
}

struct mapped mapping_nearest(const float *answer, const float *classes, size_t n_classes, size_t dim)
{
	struct mapped m = {UINT32_MAX, UINT32_MAX, NAN, NAN};

	for (size_t c = 0; c < n_classes && !is_zero(answer, dim); c++) {
		double cosine = dot(answer, classes + c * dim, dim);

		if (is_zero(classes + c * dim, dim))
			continue;
		if (m.class_ord == UINT32_MAX || cosine > m.cosine) {
			m.second = m.class_ord;
			m.second_cosine = m.cosine;
			m.class_ord = (uint32_t)c;
			m.cosine = cosine;
		} else if (m.second == UINT32_MAX || cosine > m.second_cosine) {
			m.second = (uint32_t)c;
			m.second_cosine = cosine;
		}
	}
	return m;
}

enum status mapping_templates(struct str text, struct templates *out, struct err *err)
{
	struct str line;

	for (size_t n = 1; text.n; n++) {
		text = str_cut(text, '\n', &line);
		line = str_trim(line);
		if (!line.n || line.p[0] == '#')
			continue;
		if (str_find(line, STR("{}")) == SIZE_MAX)
			return err_set(err, E_FORMAT, "line %zu of the templates has no {}", n);
		if (out->lines.n == MAPPING_MAX_TEMPLATES)
			return err_set(err, E_LIMIT, "there are more than %d templates",
				       MAPPING_MAX_TEMPLATES);
		vec_push(&out->lines, line);
	}
	return out->lines.n ? OK : err_set(err, E_FORMAT, "there are no templates");
}

void mapping_fill(struct str template_text, struct str name, struct buf *out)
{
	size_t at;

	while ((at = str_find(template_text, STR("{}"))) != SIZE_MAX) {
		buf_put(out, template_text.p, at);
		buf_str(out, name);
		template_text = (struct str){template_text.p + at + 2, template_text.n - at - 2};
	}
	buf_str(out, template_text);
}
