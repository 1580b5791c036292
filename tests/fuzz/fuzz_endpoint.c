/* Sections of endpoints: whatever is taken is whole and can be copied; no value of a key that was
 * written where its source belongs is ever in a message. */
#include "core/net/chat.h"
#include "core/net/secrets.h"
#include "core/text/ini.h"
#include "tests/fuzz/fuzz.h"

static enum status entry(void *ctx, const char *section, const char *name, const char *value,
			 unsigned line, struct err *err)
{
	enum status st;

	(void)line;
	if (!endpoint_is_section(section))
		return OK;
	st = endpoint_entry(ctx, section, name, value, err);
	FUZZ_CHECK(st == OK || err->msg[0]);
	if (st && strlen(value) > 8 && strncmp(value, "sk-", 3) == 0 && !strstr(section, value) &&
	    !strstr(name, value))
		FUZZ_CHECK(!strstr(err->msg, value));
	return st;
}

static void check_one(const struct endpoint *e)
{
	struct chat_part part = {.kind = CHAT_TEXT, .text = STR("a")};
	struct chat_message m = {"user", &part, 1};
	struct chat_request q = {.messages = &m, .n_messages = 1, .max_tokens = 5, .stream = true};
	struct buf out = BUF_INIT;
	struct err err = ERR_INIT;
	struct str host = endpoint_host(e);

	FUZZ_CHECK(e->base_url && host.n && !memchr(host.p, '@', host.n));
	FUZZ_CHECK(!e->key_env || !e->key_file);
	FUZZ_CHECK(e->timeout >= 1 && e->retries >= 0 && e->concurrency >= 1);
	FUZZ_CHECK((chat_show(e, &q, &out, &err) == OK) == (e->model != NULL));
	buf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct endpoint_list list = {0}, copy;
	struct err err = ERR_INIT;

	if (ini_read(fuzz_str(data, size), entry, &list, &err) == OK &&
	    endpoint_list_check(&list, &err) == OK) {
		endpoint_list_copy(&list, &copy);
		for (size_t i = 0; i < copy.n; i++)
			check_one(&copy.v[i]);
		endpoint_list_release(&copy);
	}
	endpoint_list_release(&list);
	return 0;
}
