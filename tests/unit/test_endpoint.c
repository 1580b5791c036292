/* Endpoints in the configuration, and where their keys come from. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/xmalloc.h"
#include "core/net/secrets.h"
#include "tests/unit/lib_text.h"
#include "tui/config.h"

static enum status load(const char *text, struct config *config, struct err *err)
{
	char *path = temp_file(str_z(text));
	enum status st = config_load(config, path, err);

	unlink(path);
	free(path);
	return st;
}

static const char whole[] = "[screen]\nwheel = yes\n"
			    "[endpoint one]\n"
			    "base_url = HTTPS://host.example:8000/v1//\n"
			    "model = a model/with: all\n"
			    "key_env = ONE_KEY\n"
			    "header.HTTP-Referer_env = REFERER\n"
			    "header.X-Title_env = TITLE\n"
			    "max_tokens_field = max_completion_tokens\n"
			    "temperature = 0.7\n"
			    "extra_body = {\"a\": 1,\n"
			    "   \"b\": [2]}\n"
			    "image_max_side = 1024\n"
			    "image_max_bytes = 0\n"
			    "timeout = 1.5\n"
			    "retries = 0\n"
			    "concurrency = 64\n"
			    "ca_file = ~/ca.pem\n"
			    "[endpoint two]\n"
			    "base_url = http://[::1]:8080\n"
			    "key_file = /k\n"
			    "temperature = omit\n";

static void all_is_read(void **state)
{
	struct config c;
	struct err err = ERR_INIT;
	const struct endpoint *e;

	(void)state;
	if (load(whole, &c, &err) != OK)
		fail_msg("%s", err.msg);
	assert_int_equal(c.endpoints.n, 2);
	assert_int_equal(endpoint_find(&c.endpoints, "one", &e, &err), OK);
	assert_string_equal(e->base_url, "HTTPS://host.example:8000/v1");
	assert_true(str_eqz(endpoint_host(e), "host.example:8000"));
	assert_string_equal(e->model, "a model/with: all");
	assert_string_equal(e->key_env, "ONE_KEY");
	assert_int_equal(e->n_headers, 2);
	assert_string_equal(e->header[0].name, "HTTP-Referer");
	assert_string_equal(e->header[1].env, "TITLE");
	assert_string_equal(e->max_tokens_field, "max_completion_tokens");
	assert_true(e->send_temperature && e->temperature == 0.7);
	assert_string_equal(e->extra_body, "{\"a\": 1,\n\"b\": [2]}");
	assert_int_equal(e->image_max_side, 1024);
	assert_int_equal(e->image_max_bytes, 0);
	assert_true(e->timeout == 1.5);
	assert_int_equal(e->retries, 0);
	assert_int_equal(e->concurrency, 64);
	assert_string_equal(e->ca_file, "~/ca.pem");
	assert_int_equal(endpoint_find(&c.endpoints, "two", &e, &err), OK);
	assert_false(e->send_temperature);
	assert_true(str_eqz(endpoint_host(e), "[::1]:8080"));
	assert_null(e->model);
	config_release(&c);
}

static void a_list_is_copied(void **state)
{
	struct endpoint_list copy;
	struct config c;
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(load(whole, &c, &err), OK);
	endpoint_list_copy(&c.endpoints, &copy);
	config_release(&c);
	assert_int_equal(copy.n, 2);
	assert_string_equal(copy.v[0].header[1].name, "X-Title");
	assert_string_equal(copy.v[1].key_file, "/k");
	endpoint_list_release(&copy);
}

static void what_is_not_given_is_initial(void **state)
{
	struct config c;
	struct err err = ERR_INIT;
	const struct endpoint *e;

	(void)state;
	assert_int_equal(load("[endpoint x]\nbase_url = http://h/v1\n", &c, &err), OK);
	assert_int_equal(endpoint_find(&c.endpoints, NULL, &e, &err), OK);
	assert_string_equal(e->max_tokens_field, endpoint_keys[ENDPOINT_MAX_TOKENS_FIELD].initial);
	assert_true(e->send_temperature && e->temperature == 0);
	assert_int_equal(e->retries, 2);
	assert_int_equal(e->concurrency, 4);
	assert_int_equal(e->image_max_bytes, 20000000);
	assert_true(e->timeout == 120);
	assert_int_equal(e->given, 1u << ENDPOINT_BASE_URL);
	config_release(&c);
}

/* Each refused, and told so; what stands behind the = is never repeated. */
static const struct {
	const char *line, *says;
} refused[] = {
    {"key = s3cr3t-value", "is not written into the configuration"},
    {"api_key = s3cr3t-value", "key_env"},
    {"token = s3cr3t-value", "key_env"},
    {"header.X-Api-Key = s3cr3t-value", "header.NAME_env"},
    {"key_env = s3cr3t-value", "not the key itself"},
    {"header.X-Api-Key_env = s3cr3t-value", "not the value itself"},
    {"key_env = hf_s3cr3t0value0s3cr3t0value", "not the key itself"},
    {"key_env = AIzaS3cr3t0value0s3cr3t0value", "not the key itself"},
    {"header.X-Api-Key_env = gsk_s3cr3t0value0s3cr3t0value", "not the value itself"},
    {"extra_body = {\"api_key\":\"s3cr3t-value\"}", "extra_body has a key in it"},
    {"extra_body = {\"a\":[{\"Authorization\":\"s3cr3t-value\"}]}", "extra_body has a key in it"},
    {"header.Host_env = H", "no header that can be set"},
    {"header.a b_env = H", "no header that can be set"},
    {"key_file = s3cr3t-value", "a path from / or ~/"},
    {"ca_file = ca.pem", "a path from / or ~/"},
    {"base_url = https://me:s3cr3t-value@host/v1", "where a key may be read"},
    {"base_url = https://host/v1?key=s3cr3t-value", "where a key may be read"},
    {"base_url = ftp://host/v1", "an http or https address"},
    {"base_url = https://", "an http or https address"},
    {"base_url = https:///v1", "an http or https address"},
    {"base_url = https://a b/v1", "an http or https address"},
    {"base_url = https://host/v1/chat/completions", "leave that out"},
    {"basurl = http://h", "did you mean base_url"},
    {"zzzzzz = 1", "has no zzzzzz"},
    {"temperature = 2.5", "0 to 2, or omit"},
    {"temperature = hot", "0 to 2, or omit"},
    {"temperature = nan", "0 to 2, or omit"},
    {"timeout = 0", "1 to 3600"},
    {"retries = 11", "0 to 10"},
    {"retries = -1", "0 to 10"},
    {"concurrency = 0", "1 to 64"},
    {"concurrency = 1.5", "1 to 64"},
    {"image_max_side = 99999", "0 to 16384"},
    {"max_tokens_field = a b", "max_tokens"},
    {"extra_body = [1]", "not a JSON object"},
    {"extra_body = {\"a\":", "no JSON"},
    {"extra_body = {\"messages\":[]}", "cannot replace messages"},
    {"model =", "a name"},
    {"model = a\nmodel = b", "given twice"},
    {"key_env = A\nkey_file = /k", "exclude each other"},
    {"key_env = A\nheader.authorization_env = B", "exclude each other"},
    {"header.X-A_env = A\nheader.x-a_env = B", "given twice"},
};

static void mistakes_are_told(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
		bool url = strncmp(refused[i].line, "base_url", 8) == 0;
		char *text = xasprintf("[endpoint x]\n%s%s\n",
				       url ? "" : "base_url = http://h/v1\n", refused[i].line);
		struct config c;
		struct err err = ERR_INIT;

		if (load(text, &c, &err) == OK)
			fail_msg("%s was taken", refused[i].line);
		assert_int_equal(err.code, E_USAGE);
		if (!strstr(err.msg, refused[i].says) || !strstr(err.msg, "[endpoint x]"))
			fail_msg("%s: %s", refused[i].line, err.msg);
		assert_null(strstr(err.msg, "s3cr3t"));
		assert_int_equal(c.endpoints.n, 0);
		free(text);
	}
}

static void sections_are_checked(void **state)
{
	static const char *const bad[][2] = {
	    {"[endpoint]\nbase_url = http://h\n", "[endpoint NAME]"},
	    {"[endpoint a b]\nbase_url = http://h\n", "[endpoint NAME]"},
	    {"[endpoint x]\nmodel = m\n", "base_url is missing"},
	    {"[endpoints]\nmodel = m\n", "there is no section [endpoints]"},
	    {"[endpoint 12345678901234567890123456789012345678901]\nmodel = m\n",
	     "a name longer than"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct config c;
		struct err err = ERR_INIT;

		if (load(bad[i][0], &c, &err) == OK || !strstr(err.msg, bad[i][1]))
			fail_msg("%s: %s", bad[i][0], err.msg);
	}
}

static void names_are_found(void **state)
{
	struct endpoint_list none = {0};
	struct config c;
	struct err err = ERR_INIT;
	const struct endpoint *e = NULL;

	(void)state;
	assert_int_equal(endpoint_find(&none, "x", &e, &err), E_NOT_FOUND);
	assert_non_null(strstr(err.msg, "[endpoint NAME]"));
	assert_int_equal(endpoint_find(NULL, NULL, &e, &err), E_NOT_FOUND);
	err_clear(&err);
	assert_int_equal(load(whole, &c, &err), OK);
	assert_int_equal(endpoint_find(&c.endpoints, "onee", &e, &err), E_NOT_FOUND);
	assert_non_null(strstr(err.msg, "did you mean one?"));
	assert_int_equal(endpoint_find(&c.endpoints, "zzzzzzz", &e, &err), E_NOT_FOUND);
	assert_non_null(strstr(err.msg, "there are one, two"));
	assert_int_equal(endpoint_find(&c.endpoints, NULL, &e, &err), E_NOT_FOUND);
	assert_non_null(strstr(err.msg, "say which: one, two"));
	assert_null(e);
	config_release(&c);
}

/* Every key of the table: told in the manual, its range told when it is broken. */
static void keys_are_told(void **state)
{
	char man[1 << 16];
	FILE *f = fopen("man/qualm.5", "r");
	size_t n;

	(void)state;
	assert_non_null(f);
	n = fread(man, 1, sizeof man - 1, f);
	man[n] = '\0';
	fclose(f);
	for (int i = 0; i < N_ENDPOINT_KEYS; i++) {
		const struct endpoint_key_row *row = &endpoint_keys[i];
		char *line = xasprintf(".It Cm %s No = ", row->name);

		assert_true(row->help[0] && row->range[0]);
		if (!strstr(man, line))
			fail_msg("qualm.5 does not tell of %s", row->name);
		if (row->least < row->most && !strstr(row->range, " to "))
			fail_msg("the range of %s does not say from where to where", row->name);
		free(line);
	}
}

/* --- keys --- */

static void keys_come_from_variables(void **state)
{
	char name[] = "NET_TEST_KEY", odd[] = "sk_pasted_by_mistake", title[] = "X-Title",
	     env[] = "NET_TEST_TITLE";
	struct endpoint e = {.key_env = name, .n_headers = 1, .header = {{title, env}}};
	struct secrets s;
	struct err err = ERR_INIT;

	(void)state;
	unsetenv(name);
	unsetenv(env);
	assert_int_equal(secrets_fetch(&e, &s, &err), E_NOT_FOUND);
	assert_non_null(strstr(err.msg, "$NET_TEST_KEY"));
	secrets_release(&s);
	setenv(name, "  sk-abc\n", 1);
	assert_int_equal(secrets_fetch(&e, &s, &err), E_NOT_FOUND);
	assert_non_null(strstr(err.msg, "X-Title"));
	secrets_release(&s);
	setenv(env, "two words", 1);
	err_clear(&err);
	assert_int_equal(secrets_fetch(&e, &s, &err), OK);
	assert_string_equal(s.key.value, "sk-abc");
	assert_string_equal(s.header[0].value, "two words");
	secrets_release(&s);
	setenv(name, "sk-a\r\nHost: evil", 1);
	assert_int_equal(secrets_fetch(&e, &s, &err), E_USAGE);
	assert_null(strstr(err.msg, "sk-a"));
	secrets_release(&s);
	setenv(name, "", 1);
	assert_int_equal(secrets_fetch(&e, &s, &err), E_NOT_FOUND);
	secrets_release(&s);
	e.key_env = odd;
	assert_int_equal(secrets_fetch(&e, &s, &err), E_NOT_FOUND);
	assert_null(strstr(err.msg, odd));
	secrets_release(&s);
	unsetenv(name);
	unsetenv(env);
}

static void keys_come_from_files(void **state)
{
	char *path = temp_file(STR("sk-from-file\n"));
	struct endpoint e = {.key_file = path};
	struct secrets s;
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(chmod(path, 0600), 0);
	assert_int_equal(secrets_fetch(&e, &s, &err), OK);
	assert_string_equal(s.key.value, "sk-from-file");
	secrets_release(&s);
	assert_int_equal(chmod(path, 0640), 0);
	assert_int_equal(secrets_fetch(&e, &s, &err), E_USAGE);
	assert_non_null(strstr(err.msg, "(mode 0640): chmod 600"));
	assert_null(s.key.value);
	secrets_release(&s);
	unlink(path);
	assert_int_equal(secrets_fetch(&e, &s, &err), E_IO);
	secrets_release(&s);
	free(path);
	e.key_file = (char[]){"/"};
	assert_int_equal(secrets_fetch(&e, &s, &err), E_USAGE);
	secrets_release(&s);
}

static void a_key_file_has_a_ceiling(void **state)
{
	struct buf big = BUF_INIT;
	char *path;
	struct endpoint e = {0};
	struct secrets s;
	struct err err = ERR_INIT;

	(void)state;
	for (int i = 0; i < SECRET_MAX_BYTES + 1; i++)
		buf_ch(&big, 'k');
	path = temp_file(buf_view(&big));
	e.key_file = path;
	assert_int_equal(chmod(path, 0600), 0);
	assert_int_equal(secrets_fetch(&e, &s, &err), E_LIMIT);
	secrets_release(&s);
	unlink(path);
	free(path);
	buf_release(&big);
}

static void home_is_put_in(void **state)
{
	char *old = getenv("HOME") ? xstrdup(getenv("HOME")) : NULL, *path;

	(void)state;
	setenv("HOME", "/home/of", 1);
	path = endpoint_file("~/.config/key");
	assert_string_equal(path, "/home/of/.config/key");
	free(path);
	path = endpoint_file("/abs");
	assert_string_equal(path, "/abs");
	free(path);
	if (old)
		setenv("HOME", old, 1);
	free(old);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(all_is_read),
	    cmocka_unit_test(a_list_is_copied),
	    cmocka_unit_test(what_is_not_given_is_initial),
	    cmocka_unit_test(mistakes_are_told),
	    cmocka_unit_test(sections_are_checked),
	    cmocka_unit_test(names_are_found),
	    cmocka_unit_test(keys_are_told),
	    cmocka_unit_test(keys_come_from_variables),
	    cmocka_unit_test(keys_come_from_files),
	    cmocka_unit_test(a_key_file_has_a_ceiling),
	    cmocka_unit_test(home_is_put_in),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
