/* qualm doctor --endpoint: what it says of good and bad endpoints. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/xmalloc.h"
#include "tests/unit/lib_ask.h"
#include "tests/unit/lib_text.h"
#include "tui/doctor.h"

/* What it says of a section with base_url at the script and these lines; words are joined again
 * that were wrapped. The caller frees it. */
static char *told(struct asking *a, const char *script, const char *lines, struct doctor *d)
{
	char *text =
	    xasprintf("[endpoint it]\nbase_url = http://127.0.0.1:%d/%s/v1\nretries = 0\n%s",
		      server_port(a->server), script, lines);
	char *path = temp_file(str_z(text)), *out = NULL;
	struct cli cli = {.config = path};
	size_t size = 0;

	*d = (struct doctor){.out = open_memstream(&out, &size)};
	assert_non_null(d->out);
	doctor_endpoint(d, &cli, "it");
	fclose(d->out);
	for (char *p; (p = strstr(out, "\n                  "));) {
		*p = ' ';
		memmove(p + 1, p + 19, strlen(p + 19) + 1);
	}
	unlink(path);
	free(path);
	free(text);
	return out;
}

static const struct {
	const char *script, *lines;
	int notes, fixes;
	const char *says[3];
} cases[] = {
    {"good",
     "model = m\nkey_env = NET_TEST_KEY\n",
     0,
     0,
     {"ok    key         $NET_TEST_KEY\n", "ok    model       m, one of 2\n",
      "ok    answer      \"kit fox\" in "}},
    {"good", "model = m\n", 0, 0, {"ok    key         no key\n"}},
    {"good",
     "model = mm\n",
     1,
     0,
     {"note  model       mm is not among the server's 2 models", "answer"}},
    {"good", "", 0, 1, {"fix   model       the endpoint names no model; the server has 2: m, n\n"}},
    {"good",
     "model = m\nkey_env = NET_NO_SUCH_KEY\n",
     0,
     1,
     {"fix   key         $NET_NO_SUCH_KEY, which has the key, is not set\n"}},
    {"401",
     "model = m\nkey_env = NET_TEST_KEY\n",
     0,
     1,
     {"fix   server      endpoint it: the server refuses the key from $NET_TEST_KEY (401)"}},
    {"404",
     "model = m\n",
     1,
     1,
     {"note  models      no list of them is to be had",
      "fix   answer      endpoint it: nothing answers there"}},
    {"plain",
     "model = m\n",
     2,
     0,
     {"note  models", "ok    answer      \"kit fox\"",
      "note  stream      answers come in one piece"}},
    {"vectors",
     "model = m\n",
     1,
     0,
     {"note  models", "ok    vectors     3 numbers for a text"}},
    {"500", "model = m\n", 0, 1, {"fix   server      endpoint it: the server failed (500)"}},
    {"echo", "model = m\nkey_env = NET_TEST_KEY\n", 2, 0, {"note  models", "answer"}},
    {"good",
     "model = m\nkey = " TEST_KEY "\n",
     0,
     1,
     {"fix   config", "is not written into the configuration"}},
};

static void endpoints_are_told_of(void **state)
{
	struct asking *a = *state;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct doctor d;
		char *out = told(a, cases[i].script, cases[i].lines, &d);

		if (d.n_notes != cases[i].notes || d.n_fixes != cases[i].fixes)
			fail_msg("%s %s: %s", cases[i].script, cases[i].lines, out);
		for (size_t k = 0; k < 3 && cases[i].says[k]; k++)
			if (!strstr(out, cases[i].says[k]))
				fail_msg("nothing says %s: %s", cases[i].says[k], out);
		assert_null(strstr(out, TEST_KEY));
		free(out);
	}
}

static void names_are_needed(void **state)
{
	char *path = temp_file(STR("[endpoint one]\nbase_url = http://h/v1\n")), *out = NULL;
	struct cli cli = {.config = path};
	size_t size = 0;
	struct doctor d = {.out = open_memstream(&out, &size)};

	(void)state;
	doctor_endpoint(&d, &cli, "onee");
	fclose(d.out);
	assert_int_equal(d.n_fixes, 1);
	assert_non_null(strstr(out, "there is no endpoint onee; did you mean one?"));
	unlink(path);
	free(path);
	free(out);
}

static void a_proxy_is_told_of(void **state)
{
	struct asking *a = *state;
	struct doctor d;
	char *out;

	setenv("http_proxy", "http://user:proxy-pass@127.0.0.1:1", 1);
	setenv("no_proxy", "127.0.0.1", 1);
	out = told(a, "good", "model = m\n", &d);
	assert_non_null(strstr(out, "note  proxy       $http_proxy is set"));
	assert_non_null(strstr(out, "kit fox"));
	assert_null(strstr(out, "proxy-pass"));
	free(out);
	unsetenv("http_proxy");
	unsetenv("no_proxy");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define T(f) cmocka_unit_test_setup_teardown(f, asking_setup, asking_teardown)
	    T(endpoints_are_told_of),
	    T(names_are_needed),
	    T(a_proxy_is_told_of),
#undef T
	};

	signal(SIGPIPE, SIG_IGN);
	if (!net_available()) {
		puts("[  SKIPPED ] without_libcurl");
		return 0;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
