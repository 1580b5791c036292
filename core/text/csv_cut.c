#include "core/text/csv.h"

/* From an opening quote on: *p is left behind the closing one. false: not in these bytes, or
 * (*sure = false) something stands behind it. */
static bool pass_quoted(const char **p, const char *end, char delimiter, bool *sure)
{
	const char *quote = *p + 1;

	while ((quote = memchr(quote, '"', (size_t)(end - quote)))) {
		quote++;
		if (quote == end)
			return false;
		if (*quote == '"') {
			quote++;
			continue;
		}
		*p = quote;
		if (*quote == '\r' && ++quote == end)
			return false;
		*sure = *quote == '\n' || (quote == *p && *quote == delimiter);
		return *sure;
	}
	return false;
}

/* Most fields have no quotes: only these are looked at. */
size_t csv_whole_rows(struct str bytes, char delimiter, bool *sure)
{
	const char *p = bytes.p, *end = p + bytes.n, *whole = p, *quote, *line;

	*sure = true;
	for (;;) {
		quote = memchr(p, '"', (size_t)(end - p));
		line = memrchr(p, '\n', (size_t)((quote ? quote : end) - p));
		if (line)
			whole = line + 1;
		if (!quote)
			break;
		p = quote;
		if (p == bytes.p || p[-1] == delimiter || p[-1] == '\n') {
			if (!pass_quoted(&p, end, delimiter, sure))
				break;
		} else if (p[-1] == '\r') { /* blank lines before it, or part of a plain field? */
			*sure = false;
			break;
		} else {
			p++;
		}
	}
	return (size_t)(whole - bytes.p);
}
