/* core/net without a network: the bodies of requests, vectors, lists of models. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/net/chat.h"
#include "core/net/embed_parse.h"
#include "core/net/models.h"
#include "core/text/json.h"

#define Z(lit) ((char *)(lit)) /* where nobody writes */

/* --- bodies --- */

static struct endpoint an_endpoint(void)
{
	return (struct endpoint){.name = Z("x"),
				 .base_url = Z("http://h/v1"),
				 .model = Z("m"),
				 .key_env = Z("THE_KEY"),
				 .max_tokens_field = Z("max_completion_tokens"),
				 .send_temperature = true,
				 .image_max_bytes = 100,
				 .n_headers = 1,
				 .header = {{Z("X-Title"), Z("TITLE")}}};
}

static void check_shown(const struct endpoint *e, const struct chat_request *q, const char *want)
{
	struct err err = ERR_INIT;
	struct buf out = BUF_INIT;

	if (chat_show_body(e, q, &out, &err) != OK)
		fail_msg("%s", err.msg);
	assert_string_equal(buf_cstr(&out), want);
	buf_release(&out);
}

static void bodies_are_built(void **state)
{
	struct endpoint e = an_endpoint();
	struct chat_part text = {.kind = CHAT_TEXT, .text = STR("a\"b\xff\0c")};
	struct chat_part parts[] = {
	    {.kind = CHAT_TEXT, .text = STR("look")},
	    {.kind = CHAT_IMAGE, .bytes = STR("foob"), .mime = "image/png", .detail = "low"}};
	struct chat_message messages[] = {{"system", &text, 1}, {"user", parts, 2}};
	struct chat_request q = {.messages = messages, .n_messages = 1};
	struct err err = ERR_INIT;
	cJSON *body = NULL;

	(void)state;
	check_shown(&e, &q,
		    "{\"model\":\"m\",\"messages\":[{\"role\":\"system\",\"content\":"
		    "\"a\\\"b\xef\xbf\xbd\xef\xbf\xbd"
		    "c\"}],\"temperature\":0}");
	e.extra_body = Z("{\"top_p\":0.5,\"temperature\":null,"
			 "\"stream_options\":{\"x\":{\"y\":1,\"z\":null}}}");
	q.stream = true;
	q.max_tokens = 9;
	q.has_seed = true;
	q.seed = INT64_MAX;
	q.model = "other";
	q.messages = messages + 1;
	q.extra = "{\"top_p\":1,\"response_format\":{\"type\":\"json_object\"}}";
	check_shown(
	    &e, &q,
	    "{\"model\":\"other\",\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\","
	    "\"text\":\"look\"},{\"type\":\"image_url\",\"image_url\":{\"url\":\"data:image/"
	    "png;base64,[4 bytes]\","
	    "\"detail\":\"low\"}}]}],\"max_completion_tokens\":9,\"seed\":9223372036854775807,"
	    "\"stream\":true,"
	    "\"stream_options\":{\"include_usage\":true,\"x\":{\"y\":1}},\"top_p\":1,"
	    "\"response_format\":{\"type\":\"json_object\"}}");
	assert_int_equal(chat_body(&e, &q, &body, &err), OK);
	{
		const cJSON *content =
		    json_get(cJSON_GetArrayItem(json_get(body, "messages"), 0), "content");
		const cJSON *url =
		    json_get(json_get(cJSON_GetArrayItem(content, 1), "image_url"), "url");

		assert_true(str_eqz(json_text(url), "data:image/png;base64,Zm9vYg=="));
	}
	cJSON_Delete(body);
}

static void temperature_is_chosen(void **state)
{
	struct endpoint e = an_endpoint();
	struct chat_part text = {.kind = CHAT_TEXT, .text = STR("a")};
	struct chat_message m = {"user", &text, 1};
	struct chat_request q = {
	    .messages = &m, .n_messages = 1, .has_temperature = true, .temperature = 0.7};

	(void)state;
	check_shown(&e, &q,
		    "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"a\"}],"
		    "\"temperature\":0.7}");
	e.send_temperature = false;
	check_shown(&e, &q,
		    "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"a\"}]}");
}

static void bodies_are_refused(void **state)
{
	struct endpoint e = an_endpoint();
	char big[101] = {0};
	struct chat_part part = {.kind = CHAT_IMAGE, .bytes = {big, 101}, .mime = "image/png"};
	struct chat_message m = {"user", &part, 1};
	struct chat_request q = {.messages = &m, .n_messages = 1};
	struct buf out = BUF_INIT;
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(chat_show(&e, &q, &out, &err), E_LIMIT);
	assert_string_equal(err.msg,
			    "the picture has 101 bytes; endpoint x takes 100 (image_max_bytes)");
	e.image_max_bytes = 0;
	part.bytes.n = CHAT_MAX_BODY / 4 * 3 + 3; /* they are not read */
	assert_int_equal(chat_show(&e, &q, &out, &err), E_LIMIT);
	part.bytes.n = 1;
	q.extra = "[1]";
	assert_int_equal(chat_show(&e, &q, &out, &err), E_USAGE);
	q.extra = "{";
	assert_int_equal(chat_show(&e, &q, &out, &err), E_USAGE);
	q.extra = NULL;
	q.has_temperature = true;
	q.temperature = NAN;
	assert_int_equal(chat_show(&e, &q, &out, &err), E_USAGE);
	q.has_temperature = false;
	e.model = NULL;
	assert_int_equal(chat_show(&e, &q, &out, &err), E_USAGE);
	q.model = "m";
	q.n_messages = 0;
	assert_int_equal(chat_show(&e, &q, &out, &err), E_USAGE);
	assert_int_equal(out.n, 0);
	buf_release(&out);
}

static void dry_run_elides(void **state)
{
	struct endpoint e = an_endpoint();
	struct chat_part part = {.kind = CHAT_TEXT, .text = STR("a")};
	struct chat_message m = {"user", &part, 1};
	struct chat_request q = {.messages = &m, .n_messages = 1};
	struct buf out = BUF_INIT;
	struct err err = ERR_INIT;

	(void)state;
	setenv("THE_KEY", "sk-very-secret", 1);
	setenv("TITLE", "a-secret-title", 1);
	assert_int_equal(chat_show(&e, &q, &out, &err), OK);
	assert_non_null(strstr(buf_cstr(&out), "POST http://h/v1/chat/completions\n"));
	assert_non_null(strstr(buf_cstr(&out), "Authorization: Bearer [$THE_KEY]\n"));
	assert_non_null(strstr(buf_cstr(&out), "X-Title: [a variable]\n"));
	assert_null(strstr(buf_cstr(&out), "secret"));
	unsetenv("THE_KEY");
	unsetenv("TITLE");
	buf_release(&out);
}

/* --- vectors --- */

static void vectors_are_read(void **state)
{
	static const struct {
		const char *body;
		enum status st;
		uint32_t wanted, dim;
		float v[4];
		const char *says;
	} cases[] = {
	    {"{\"data\":[{\"index\":1,\"embedding\":[3,4]},{\"index\":0,\"embedding\":[1,2.5]}],"
	     "\"usage\":{\"prompt_tokens\":5},\"model\":\"g\"}",
	     OK,
	     0,
	     2,
	     {1, 2.5f, 3, 4},
	     ""},
	    {"{\"data\":[{\"embedding\":\"AACAPwAAIEA=\"},{\"embedding\":\"AABAQAAAgEA=\"}],"
	     "\"usage\":{\"prompt_tokens\":5},\"model\":\"g\"}",
	     OK,
	     2,
	     2,
	     {1, 2.5f, 3, 4},
	     ""},
	    {"{\"data\":[{\"index\":0,\"embedding\":[1,2]}]}",
	     E_FORMAT,
	     0,
	     0,
	     {0},
	     "2 texts were sent, 1 vectors"},
	    {"{\"data\":[{\"index\":0,\"embedding\":[1,2]},{\"index\":1,\"embedding\":[1]}]}",
	     E_FORMAT,
	     0,
	     0,
	     {0},
	     "has 1 numbers, others have 2"},
	    {"{\"data\":[{\"index\":0,\"embedding\":[1,2]},{\"index\":1,\"embedding\":[1,2]}]}",
	     E_FORMAT,
	     3,
	     0,
	     {0},
	     "others have 3"},
	    {"{\"data\":[{\"index\":0,\"embedding\":[1,2]},{\"index\":0,\"embedding\":[1,2]}]}",
	     E_FORMAT,
	     0,
	     0,
	     {0},
	     "twice"},
	    {"{\"data\":[{\"index\":0,\"embedding\":[1,2]},{\"index\":2,\"embedding\":[1,2]}]}",
	     E_FORMAT,
	     0,
	     0,
	     {0},
	     "index 2 of 2"},
	    {"{\"data\":[{\"index\":0,\"embedding\":[1,2]},{\"index\":0.5,\"embedding\":[1,2]}]}",
	     E_FORMAT,
	     0,
	     0,
	     {0},
	     "index"},
	    {"{\"data\":[{\"index\":0,\"embedding\":[]},{\"index\":1,\"embedding\":[]}]}",
	     E_LIMIT,
	     0,
	     0,
	     {0},
	     "has 0 numbers"},
	    {"{\"data\":[{\"index\":0,\"embedding\":[1,1e60]},{\"index\":1,\"embedding\":[1,2]}]}",
	     E_FORMAT,
	     0,
	     0,
	     {0},
	     "not finite"},
	    {"{\"data\":[{\"index\":0,\"embedding\":[1,null]},{\"index\":1,\"embedding\":[1,2]}]}",
	     E_FORMAT,
	     0,
	     0,
	     {0},
	     "no number"},
	    {"{\"data\":[{\"index\":0,\"embedding\":\"AACAfw==\"},{\"index\":1,\"embedding\":"
	     "\"AACAPw==\"}]}",
	     E_FORMAT,
	     0,
	     0,
	     {0},
	     "not finite"},
	    {"{\"data\":[{\"index\":0,\"embedding\":\"!\"},{\"index\":1,\"embedding\":\"\"}]}",
	     E_FORMAT,
	     0,
	     0,
	     {0},
	     "base64"},
	    {"{\"data\":[{\"index\":0,\"embedding\":7},{\"index\":1,\"embedding\":[1]}]}",
	     E_FORMAT,
	     0,
	     0,
	     {0},
	     "no array"},
	    {"{\"error\":{\"message\":\"too long\"}}", E_FORMAT, 0, 0, {0}, "too long"},
	    {"nonsense", E_FORMAT, 0, 0, {0}, "nonsense"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct err err = ERR_INIT;
		enum net_fail fail;
		uint32_t dim = cases[i].wanted;
		int64_t tokens = -7;
		char model[256] = "";
		float *v;

		assert_int_equal(embed_parse(NULL, str_z(cases[i].body), 2, &v, &dim, &tokens,
					     model, &fail, &err),
				 cases[i].st);
		assert_int_equal(fail == NET_NONE, cases[i].st == OK);
		if (!strstr(err.msg, cases[i].says))
			fail_msg("%s: %s", cases[i].body, err.msg);
		if (cases[i].st == OK) {
			assert_int_equal(dim, cases[i].dim);
			assert_memory_equal(v, cases[i].v, sizeof cases[i].v);
			assert_int_equal(tokens, 5);
			assert_string_equal(model, "g");
		} else {
			assert_null(v);
		}
		free(v);
	}
}

static void model_lists_are_read(void **state)
{
	struct models m = {0};

	(void)state;
	assert_true(models_parse(
	    NULL, STR("{\"data\":[{\"id\":\"a\"},{\"id\":7},{\"id\":\"b\\u001bc\"}]}"), &m));
	assert_int_equal(m.n, 2);
	assert_string_equal(m.v[1], "b c");
	models_release(&m);
	assert_true(models_parse(NULL, STR("{\"models\":[{\"name\":\"a\"}]}"), &m));
	assert_int_equal(m.n, 1);
	models_release(&m);
	assert_false(models_parse(NULL, STR("{\"data\":{\"id\":\"a\"}}"), &m));
	assert_false(models_parse(NULL, STR("[]"), &m));
	assert_false(models_parse(NULL, STR("x"), &m));
	models_release(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(bodies_are_built),   cmocka_unit_test(temperature_is_chosen),
	    cmocka_unit_test(bodies_are_refused), cmocka_unit_test(dry_run_elides),
	    cmocka_unit_test(vectors_are_read),   cmocka_unit_test(model_lists_are_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
