/* What a server sends that is read in one piece: messages, vectors, lists of models, dates. The
 * first byte picks which. */
#include <math.h>

#include "core/base/utf8.h"
#include "core/net/base64.h"
#include "core/net/embed_parse.h"
#include "core/net/models.h"
#include "core/net/retry.h"
#include "core/net/saying.h"
#include "tests/fuzz/fuzz.h"

static char key[] = "sk-key";
static const struct secrets secrets = {.key = {key, sizeof key - 1}};

static void check_shown(struct str s)
{
	FUZZ_CHECK(s.n <= SAYING_MAX_BYTES + 3);
	FUZZ_CHECK(utf8_valid_prefix(s) == s.n);
	FUZZ_CHECK(str_find(s, STR("sk-key")) == SIZE_MAX);
	while (s.n) {
		size_t len;

		FUZZ_CHECK(!utf8_is_unsafe(utf8_decode(s.p, s.n, &len)));
		s.p += len;
		s.n -= len;
	}
}

static void messages(struct str bytes)
{
	static char name[] = "x", url[] = "http://h";
	struct endpoint e = {.name = name, .base_url = url};
	struct buf out = BUF_INIT;
	struct err err = ERR_INIT;

	saying_of(&secrets, bytes, &out);
	check_shown(buf_view(&out));
	FUZZ_CHECK(saying_status(&e, "m", 404, buf_view(&out), -1, &err) != NET_NONE && err.code);
	buf_release(&out);
}

static void vectors(struct str bytes, size_t n)
{
	struct err err = ERR_INIT;
	enum net_fail fail;
	uint32_t dim = 0;
	int64_t tokens = -1;
	char model[256] = "";
	float *v;

	if (embed_parse(&secrets, bytes, n, &v, &dim, &tokens, model, &fail, &err) == OK) {
		FUZZ_CHECK(dim > 0 && v && fail == NET_NONE);
		for (size_t i = 0; i < n * dim; i++)
			FUZZ_CHECK(isfinite(v[i]));
	} else {
		FUZZ_CHECK(!v && fail && err.msg[0]);
	}
	free(v);
}

static void names(struct str bytes)
{
	struct models m = {0};

	models_parse(&secrets, bytes, &m);
	for (size_t i = 0; i < m.n; i++)
		check_shown(str_z(m.v[i]));
	models_release(&m);
}

static void dates(struct str bytes)
{
	double seconds = -1;

	if (retry_after(bytes, 1700000000, &seconds))
		FUZZ_CHECK(seconds >= 0 && seconds <= 366.0 * 86400);
}

static void digits(struct str bytes)
{
	struct buf out = BUF_INIT, again = BUF_INIT;

	if (base64_take(bytes, &out)) {
		base64_put(&again, buf_view(&out));
		FUZZ_CHECK(again.n >= bytes.n &&
			   memcmp(again.p ? again.p : "", bytes.p, bytes.n) == 0);
	}
	buf_release(&out);
	buf_release(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str bytes;

	if (size == 0)
		return 0;
	bytes = fuzz_str(data + 1, size - 1);
	switch (*data) {
	case 'v':
		vectors(bytes, 1);
		vectors(bytes, 2);
		break;
	case 'm':
		names(bytes);
		break;
	case 'd':
		dates(bytes);
		break;
	case 'b':
		digits(bytes);
		break;
	default:
		messages(bytes);
	}
	return 0;
}
