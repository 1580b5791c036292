/* core/net without a network: base64, secrets, retries, sayings, events, answers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/net/base64.h"
#include "core/net/chat_parse.h"
#include "core/net/retry.h"
#include "core/net/saying.h"
#include "core/net/sse.h"

#define Z(lit) ((char *)(lit)) /* where nobody writes */

/* --- base64 --- */

static void base64_both_ways(void **state)
{
	static const struct {
		struct str bytes;
		const char *text;
	} cases[] = {{STR(""), ""},
		     {STR("f"), "Zg=="},
		     {STR("fo"), "Zm8="},
		     {STR("foo"), "Zm9v"},
		     {STR("foob"), "Zm9vYg=="},
		     {STR("fooba"), "Zm9vYmE="},
		     {STR("foobar"), "Zm9vYmFy"},
		     {STR("\xff\xfe\0"), "//4A"}};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf text = BUF_INIT, bytes = BUF_INIT;

		base64_put(&text, cases[i].bytes);
		assert_string_equal(buf_cstr(&text), cases[i].text);
		assert_true(base64_take(buf_view(&text), &bytes));
		assert_true(str_eq(buf_view(&bytes), cases[i].bytes));
		buf_release(&text);
		buf_release(&bytes);
	}
}

static void base64_refuses(void **state)
{
	static const char *const bad[] = {"Z",    "Zg=",    "Zg===", "Zh==", "Zm9v ",
					  "Z=g=", "Zm9v\n", "====",  "Zm9vY"};
	struct buf out = BUF_INIT;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		if (base64_take(str_z(bad[i]), &out))
			fail_msg("\"%s\" was taken", bad[i]);
	assert_int_equal(out.n, 0);
	assert_true(base64_take(STR("Zg"), &out));
	assert_true(base64_take(STR("Zm8"), &out));
	assert_string_equal(buf_cstr(&out), "ffo");
	buf_release(&out);
}

/* --- secrets --- */

static void secrets_are_hidden(void **state)
{
	struct secrets s = {.key = {Z("sk-peer-test"), 12},
			    .n_headers = 2,
			    .header = {{Z("none"), 4}, {Z("peer-te"), 7}}};
	static const char *const cases[][2] = {
	    {"", ""},
	    {"nothing here", "nothing here"},
	    {"key sk-peer-test.", "key [key]."},
	    {"sk-peer-testsk-peer-test", "[key][key]"},
	    {"sk-peer-sk-peer-test!", "sk-peer-[key]!"},
	    {"sk-peer-tes", "sk-[key]s"}, /* the header's value is in the key's beginning */
	    {"none", "none"},
	    {"peer-te", "[key]"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf whole = BUF_INIT;

		secrets_hide(&s, str_z(cases[i][0]), &whole);
		assert_string_equal(buf_cstr(&whole), cases[i][1]);
		buf_release(&whole);
		for (size_t piece = 1; piece < 5; piece++) {
			struct hider h = {.secrets = &s};
			struct buf out = BUF_INIT;
			size_t n = strlen(cases[i][0]);

			for (size_t at = 0; at < n; at += piece)
				hider_feed(
				    &h,
				    (struct str){cases[i][0] + at, n - at < piece ? n - at : piece},
				    &out);
			hider_end(&h, &out);
			assert_string_equal(buf_cstr(&out), cases[i][1]);
			hider_release(&h);
			buf_release(&out);
		}
	}
}

/* --- retries --- */

static void retry_after_is_read(void **state)
{
	static const struct {
		const char *text;
		double seconds; /* NAN: not taken */
	} cases[] = {
	    {"0", 0},
	    {"20", 20},
	    {" 1.5 ", 1.5},
	    {"-1", NAN},
	    {"soon", NAN},
	    {"", NAN},
	    {"1e300", 366.0 * 86400},
	    {"Sun, 06 Nov 1994 08:49:37 GMT", 7},
	    {"Sunday, 06-Nov-94 08:49:37 GMT", 7},
	    {"Sun Nov  6 08:49:37 1994", 7},
	    {"Sun, 06 Nov 1994 08:49:29 GMT", 0},
	    {"Mon, 07 Nov 1994 08:49:30 GMT", 86400},
	    {"Sun, 06 Nov 1994 25:49:37 GMT", NAN},
	    {"Sun, 06 Foo 1994 08:49:37 GMT", NAN},
	    {"Sun, 06 Nov", NAN},
	    {"Sun Nov", NAN},
	    {"Sun, 32 Nov 1994 08:49:37 GMT", NAN},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		double s = -7;
		bool taken = retry_after(str_z(cases[i].text), 784111770, &s);

		if (taken != !isnan(cases[i].seconds) || (taken && s != cases[i].seconds))
			fail_msg("\"%s\": %d %g", cases[i].text, taken, s);
	}
}

static void delays_grow(void **state)
{
	(void)state;
	assert_true(retry_delay(0.5, 1, -1, 0) == 0.5);
	assert_true(retry_delay(0.5, 3, -1, 0) == 2);
	assert_true(retry_delay(0.5, 3, -1, 0.5) == 1.5);
	assert_true(retry_delay(0.5, 40, -1, 0) == 60);
	assert_true(retry_delay(0.5, 1, 20, 0) == 20);
	assert_true(retry_delay(0.5, 1, 20, 0.4) == 22);
	assert_true(retry_delay(8, 1, 1, 0) == 8);
	assert_true(retry_delay(0.5, 1, 0, 0.9) > 0);
	assert_true(retry_is_safe(NET_RATE) && retry_is_safe(NET_CONNECT));
	assert_false(retry_is_safe(NET_TIMEOUT) || retry_is_safe(NET_QUOTA) ||
		     retry_is_safe(NET_REQUEST) || retry_is_safe(NET_TLS));
}

static void fails_have_words(void **state)
{
	(void)state;
	for (int i = 0; i < N_NET_FAILS; i++) {
		assert_true(net_fail_word((enum net_fail)i)[0]);
		for (int k = 0; k < i; k++)
			assert_string_not_equal(net_fail_word((enum net_fail)i),
						net_fail_word((enum net_fail)k));
		assert_true((net_fail_status((enum net_fail)i) == OK) == (i == NET_NONE));
	}
	assert_true(net_fail_is_lasting(NET_AUTH));
	assert_false(net_fail_is_lasting(NET_RATE) || net_fail_is_lasting(NET_NONE));
}

/* --- sayings --- */

static void messages_are_found(void **state)
{
	static const char *const cases[][2] = {
	    {"{\"error\":{\"message\":\"no such model\",\"code\":404}}", "no such model"},
	    {"{\"error\":\"just words\"}", "just words"},
	    {"{\"message\":\"flat\",\"object\":\"error\"}", "flat"},
	    {"{\"detail\":\"Not Found\"}", "Not Found"},
	    {"{\"detail\":[{\"loc\":[\"body\"],\"msg\":\"field required\"}]}", "field required"},
	    {"[{\"error\":{\"message\":\"in an array\"}}]", "in an array"},
	    {"{\"error\":{\"code\":3}}", ""},
	    {"<html><head><TITLE>502 Bad\r\nGateway</TITLE></head></html>", "502 Bad Gateway"},
	    {"<html>nothing</html>", ""},
	    {"upstream says hello\n", "upstream says hello"},
	    {"  ", ""},
	    {"{\"error\":", ""},
	    {"a\033[31mred\xe2\x80\xae\x07z", "a [31mred z"},
	    {"bad \xff byte", "bad byte"},
	    {"key sk-peer-test is wrong", "key [key] is wrong"},
	    {"{\"error\":{\"message\":\"sk-\\u0070eer-test\"}}", "[key]"},
	};
	struct secrets s = {.key = {Z("sk-peer-test"), 12}};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf out = BUF_INIT;

		saying_of(&s, str_z(cases[i][0]), &out);
		assert_string_equal(buf_cstr(&out), cases[i][1]);
		buf_release(&out);
	}
}

static void long_messages_are_cut(void **state)
{
	struct buf in = BUF_INIT, out = BUF_INIT;

	(void)state;
	for (int i = 0; i < 400; i++)
		buf_z(&in, "é");
	saying_of(NULL, buf_view(&in), &out);
	assert_int_equal(out.n, SAYING_MAX_BYTES + 3);
	assert_true(str_ends(buf_view(&out), STR("é…")));
	buf_release(&in);
	buf_release(&out);
}

static void statuses_are_told(void **state)
{
	static const struct {
		int status;
		const char *message;
		double wait;
		enum net_fail fail;
		const char *says;
	} cases[] = {
	    {401, "bad key", -1, NET_AUTH, "the server refuses the key from $K (401): bad key"},
	    {403, "", -1, NET_AUTH, "the server forbids it (403)"},
	    {404, "The model `m` does not exist", -1, NET_MODEL,
	     "the server has no model m (404): The model `m` does not exist"},
	    {404, "Not Found", -1, NET_PATH,
	     "nothing answers there: is base_url http://h/v1 right? (404): Not Found"},
	    {413, "", -1, NET_TOO_LARGE,
	     "the request is too large for the server: lower image_max_side or image_max_bytes "
	     "(413)"},
	    {429, "slow down", 20, NET_RATE,
	     "the server is asked too often (429) and asks to wait 20 s: slow down"},
	    {429, "You exceeded your current quota", -1, NET_QUOTA,
	     "nothing is left to spend (429): You exceeded your current quota"},
	    {402, "", -1, NET_QUOTA, "nothing is left to spend (402)"},
	    {500, "oops", -1, NET_SERVER, "the server failed (500): oops"},
	    {503, "", 2, NET_SERVER,
	     "the server is overloaded or not ready (503) and asks to wait 2 s"},
	    {529, "", -1, NET_SERVER, "the server is overloaded or not ready (529)"},
	    {400, "bad field", -1, NET_REQUEST, "the server refuses the request (400): bad field"},
	    {422, "", -1, NET_REQUEST, "the server refuses the request (422)"},
	    {429, "", 10800, NET_RATE, "the server is asked too often (429) and asks to wait 3 h"},
	};
	struct endpoint e = {.name = Z("x"), .base_url = Z("http://h/v1"), .key_env = Z("K")};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct err err = ERR_INIT;

		assert_int_equal(saying_status(&e, "m", cases[i].status, str_z(cases[i].message),
					       cases[i].wait, &err),
				 cases[i].fail);
		assert_string_equal(err.msg, cases[i].says);
		assert_int_equal(err.code, net_fail_status(cases[i].fail));
	}
	e.key_env = NULL;
	{
		struct err err = ERR_INIT;

		saying_status(&e, "m", 401, STR(""), -1, &err);
		assert_non_null(strstr(err.msg, "wants a key"));
	}
}

/* --- events --- */

static enum status note_event(void *ctx, struct str event, struct str data, struct err *err)
{
	struct buf *out = ctx;

	if (str_eqz(data, "stop"))
		return err_set(err, E_IO, "stopped here");
	buf_str(out, event);
	buf_ch(out, '=');
	buf_str(out, data);
	buf_ch(out, '|');
	return OK;
}

static void events_are_cut(void **state)
{
	static const struct {
		struct str bytes;
		const char *shown;
	} cases[] = {
	    {STR("data: a\n\ndata: b\n\n"), "=a|=b|"},
	    {STR("data:a\r\n\r\ndata:b\r\n\r\n"), "=a|=b|"},
	    {STR("data:a\r\rdata:b\r\r"), "=a|=b|"},
	    {STR("\xef\xbb\xbf"
		 "data: a\n\n"),
	     "=a|"},
	    {STR("data: a\ndata:  b\n\n"), "=a\n b|"},
	    {STR(": ping\n\nid: 1\nretry: 10\nevent: message\n\ndata: a\n\n"), "=a|"},
	    {STR("event: error\ndata: x\n\ndata: y\n\n"), "error=x|=y|"},
	    {STR("data\n\n"), "=|"},
	    {STR("data:\n\n"), "=|"},
	    {STR("\n\n\n"), ""},
	    {STR("data: no blank line"), "=no blank line|"},
	    {STR("data: no blank line\n"), "=no blank line|"},
	    {STR("datax: a\n\ndata a: b\n\n"), ""},
	    {STR("data: a:b\n\n"), "=a:b|"},
	    {STR("data: \0z\n\n"), NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (size_t piece = 1; piece <= cases[i].bytes.n; piece++) {
			struct buf out = BUF_INIT;
			struct err err = ERR_INIT;
			struct sse s;

			sse_init(&s, note_event, &out);
			for (size_t at = 0; at < cases[i].bytes.n; at += piece) {
				size_t left = cases[i].bytes.n - at;
				struct str part = {cases[i].bytes.p + at,
						   left < piece ? left : piece};

				assert_int_equal(sse_feed(&s, part, &err), OK);
			}
			assert_int_equal(sse_end(&s, &err), OK);
			if (cases[i].shown)
				assert_string_equal(buf_cstr(&out), cases[i].shown);
			else
				assert_true(str_eq(buf_view(&out), STR("=\0z|")));
			sse_release(&s);
			buf_release(&out);
		}
}

static void events_have_a_ceiling(void **state)
{
	struct buf out = BUF_INIT, line = BUF_INIT;
	struct err err = ERR_INIT;
	enum status st = OK;
	struct sse s;

	(void)state;
	for (int i = 0; i < 65536; i++)
		buf_ch(&line, 'x');
	sse_init(&s, note_event, &out);
	for (int i = 0; i < 65 && !st; i++)
		st = sse_feed(&s, buf_view(&line), &err);
	assert_int_equal(st, E_LIMIT);
	sse_release(&s);
	err_clear(&err);

	/* many lines of one event */
	buf_clear(&line);
	buf_z(&line, "data: ");
	for (int i = 0; i < 65536; i++)
		buf_ch(&line, 'x');
	buf_ch(&line, '\n');
	sse_init(&s, note_event, &out);
	st = OK;
	for (int i = 0; i < 65 && !st; i++)
		st = sse_feed(&s, buf_view(&line), &err);
	assert_int_equal(st, E_LIMIT);
	sse_release(&s);
	err_clear(&err);

	sse_init(&s, note_event, &out);
	assert_int_equal(sse_feed(&s, STR("data: stop\n\ndata: more\n\n"), &err), E_IO);
	assert_int_equal(out.n, 0);
	sse_release(&s);
	buf_release(&out);
	buf_release(&line);
}

/* --- answers --- */

#define CHUNK(delta)                                                                               \
	"data: {\"id\":\"c1\",\"model\":\"m-1\",\"choices\":[{\"index\":0,\"delta\":" delta        \
	",\"finish_reason\":null}]}\n\n"
#define STOPS "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
#define USAGE                                                                                      \
	"data: "                                                                                   \
	"{\"choices\":[],\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":3,\"completion_"     \
	"tokens_details\":{\"reasoning_tokens\":2}}}\n\n"
#define DONE "data: [DONE]\n\n"

static const struct {
	const char *name, *bytes;
	const char *text, *reasoning, *refusal, *finish;
	int64_t in, out;
	enum net_fail fail;
	const char *says; /* is in the message */
} answers[] = {
    {"a stream",
     CHUNK("{\"role\":\"assistant\",\"content\":\"\"}") CHUNK("{\"content\":\"kit \"}")
	 CHUNK("{\"content\":\"fox\"}") STOPS USAGE DONE,
     "kit fox", "", "", "stop", 7, 3, NET_NONE, ""},
    {"no done line", CHUNK("{\"content\":\"a\"}") STOPS, "a", "", "", "stop", -1, -1, NET_NONE, ""},
    {"done alone", CHUNK("{\"content\":\"a\"}") DONE, "a", "", "", "", -1, -1, NET_NONE, ""},
    {"done without its blank line", CHUNK("{\"content\":\"a\"}") "data: [DONE]", "a", "", "", "",
     -1, -1, NET_NONE, ""},
    {"cut between events", CHUNK("{\"content\":\"kit \"}"), "kit ", "", "", "", -1, -1, NET_CUT,
     "after 4 bytes"},
    {"cut inside an event", CHUNK("{\"content\":\"kit \"}") "data: {\"choices\":[{\"de", "kit ", "",
     "", "", -1, -1, NET_CUT, "ended before"},
    {"an error in the middle",
     CHUNK("{\"content\":\"a\"}") "data: {\"error\":{\"message\":\"out of memory\"}}\n\n", "a", "",
     "", "", -1, -1, NET_SERVER, "in the middle: out of memory"},
    {"an event called error",
     CHUNK("{\"content\":\"a\"}") "event: error\ndata: {\"message\":\"gone\"}\n\n", "a", "", "", "",
     -1, -1, NET_SERVER, "in the middle: gone"},
    {"an error that is null",
     "data: "
     "{\"error\":null,\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}"
     "\n\n",
     "a", "", "", "stop", -1, -1, NET_NONE, ""},
    {"no JSON in the stream", CHUNK("{\"content\":\"a\"}") "data: {oops}\n\n" DONE, "a", "", "", "",
     -1, -1, NET_GARBLED, "no JSON"},
    {"thoughts", CHUNK("{\"reasoning_content\":\"hm\"}") CHUNK("{\"content\":\"a\"}") STOPS, "a",
     "hm", "", "stop", -1, -1, NET_NONE, ""},
    {"thoughts by another name", CHUNK("{\"reasoning\":\"hm\"}") CHUNK("{\"content\":\"a\"}") STOPS,
     "a", "hm", "", "stop", -1, -1, NET_NONE, ""},
    {"thoughts by both names", CHUNK("{\"reasoning\":\"hm\",\"reasoning_content\":\"hm\"}") STOPS,
     "", "hm", "", "stop", -1, -1, NET_NONE, ""},
    {"a refusal", CHUNK("{\"refusal\":\"I can\"}") CHUNK("{\"refusal\":\"not\"}") STOPS, "", "",
     "I cannot", "stop", -1, -1, NET_NONE, ""},
    {"another choice is passed over",
     "data: "
     "{\"choices\":[{\"index\":1,\"delta\":{\"content\":\"b\"}},{\"index\":0,\"delta\":{"
     "\"content\":\"a\"},\"finish_reason\":\"length\"}]}\n\n",
     "a", "", "", "length", -1, -1, NET_NONE, ""},
    {"after done nothing counts", CHUNK("{\"content\":\"a\"}") DONE CHUNK("{\"content\":\"b\"}"),
     "a", "", "", "", -1, -1, NET_NONE, ""},
    {"comments", ": hello\n\n: ping\n\n" CHUNK("{\"content\":\"a\"}") ": ping\n\n" STOPS, "a", "",
     "", "stop", -1, -1, NET_NONE, ""},
    {"the key is echoed over two events",
     CHUNK("{\"content\":\"it is sk-pe\"}") CHUNK("{\"content\":\"er-test!\"}") STOPS,
     "it is [key]!", "", "", "stop", -1, -1, NET_NONE, ""},
    {"plain JSON",
     "\n "
     "{\"id\":\"c\",\"model\":\"m-1\",\"choices\":[{\"index\":0,\"message\":{\"role\":"
     "\"assistant\",\"content\":\"kit fox\",\"refusal\":null},\"finish_reason\":\"stop\"}],"
     "\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":3}}",
     "kit fox", "", "", "stop", 7, 3, NET_NONE, ""},
    {"content is null",
     "{\"choices\":[{\"message\":{\"content\":null,\"refusal\":\"no\"},\"finish_reason\":\"stop\"}]"
     "}",
     "", "", "no", "stop", -1, -1, NET_NONE, ""},
    {"content in parts",
     "{\"choices\":[{\"message\":{\"content\":[{\"type\":\"thinking\",\"thinking\":\"hm\"},{"
     "\"type\":\"text\",\"text\":\"a\"}]},\"finish_reason\":\"stop\"}]}",
     "a", "hm", "", "stop", -1, -1, NET_NONE, ""},
    {"a tool was called",
     "{\"choices\":[{\"message\":{\"content\":null,\"tool_calls\":[{}]},\"finish_reason\":\"tool_"
     "calls\"}]}",
     "", "", "", "tool_calls", -1, -1, NET_NONE, ""},
    {"an error with status 200", "{\"error\":{\"message\":\"no\"}}", "", "", "", "", -1, -1,
     NET_SERVER, "no"},
    {"an error in an array", "[{\"error\":{\"message\":\"no\"}}]", "", "", "", "", -1, -1,
     NET_SERVER, "no"},
    {"JSON that is torn", "{\"choices\":[{\"mess", "", "", "", "", -1, -1, NET_GARBLED, "no JSON"},
    {"no choices", "{\"ok\":true}", "", "", "", "", -1, -1, NET_GARBLED, "not as the API does"},
    {"an empty choice list", "{\"choices\":[]}", "", "", "", "", -1, -1, NET_GARBLED, "no choice"},
    {"words", "upstream says hello\n", "", "", "", "", -1, -1, NET_GARBLED, "upstream says hello"},
    {"HTML", "<html><title>Sign in</title></html>", "", "", "", "", -1, -1, NET_GARBLED, "Sign in"},
    {"nothing", "", "", "", "", "", -1, -1, NET_GARBLED, "no bytes"},
    {"counts that are none",
     "{\"choices\":[{\"message\":{\"content\":\"a\"}}],\"usage\":{\"prompt_tokens\":-4,"
     "\"completion_tokens\":1e300}}",
     "a", "", "", "", -1, -1, NET_NONE, ""},
};

static void append(void *ctx, struct str piece)
{
	buf_str(ctx, piece);
}

/* Fed in pieces of so many bytes; what was told must be what was kept. */
static void check_answer(size_t i, size_t piece)
{
	struct secrets secrets = {.key = {Z("sk-peer-test"), 12}};
	struct buf told = BUF_INIT;
	struct chat_watch watch = {.text = append, .ctx = &told};
	struct chat_reply r;
	struct chat_parse p;
	struct err err = ERR_INIT;
	struct str bytes = str_z(answers[i].bytes);
	enum status st = OK;

	chat_reply_init(&r);
	chat_parse_init(&p, &r, &secrets, &watch);
	for (size_t at = 0; at < bytes.n && !st; at += piece)
		st = chat_parse_feed(
		    &p, (struct str){bytes.p + at, bytes.n - at < piece ? bytes.n - at : piece},
		    &err);
	if (!st)
		st = chat_parse_end(&p, "text/plain", &err);
	if (p.fail != answers[i].fail || !strstr(err.msg, answers[i].says))
		fail_msg("%s in %zu: %s: %s", answers[i].name, piece, net_fail_word(p.fail),
			 err.msg);
	assert_int_equal(st, net_fail_status(p.fail));
	assert_int_equal(r.complete, p.fail == NET_NONE);
	assert_string_equal(buf_cstr(&r.text), answers[i].text);
	assert_string_equal(buf_cstr(&r.reasoning), answers[i].reasoning);
	assert_string_equal(buf_cstr(&r.refusal), answers[i].refusal);
	assert_string_equal(r.finish, answers[i].finish);
	assert_int_equal(r.tokens_in, answers[i].in);
	assert_int_equal(r.tokens_out, answers[i].out);
	assert_string_equal(buf_cstr(&told), answers[i].text);
	assert_int_equal(p.told, told.n > 0);
	chat_parse_release(&p);
	chat_reply_release(&r);
	buf_release(&told);
}

static void answers_are_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
		size_t n = strlen(answers[i].bytes);

		check_answer(i, n ? n : 1);
		for (size_t piece = 1; piece < 40; piece += piece < 8 ? 1 : 7)
			check_answer(i, piece);
	}
}

static void answers_have_a_ceiling(void **state)
{
	struct buf block = BUF_INIT;
	struct chat_reply r;
	struct chat_parse p;
	struct err err = ERR_INIT;
	enum status st;

	(void)state;
	for (int i = 0; i < 1 << 20; i++)
		buf_ch(&block, 'x');
	chat_reply_init(&r);
	chat_parse_init(&p, &r, NULL, NULL);
	st = chat_parse_feed(&p, STR("{\"a\":\""), &err);
	for (int i = 0; i < 17 && !st; i++)
		st = chat_parse_feed(&p, buf_view(&block), &err);
	assert_int_equal(st, E_LIMIT);
	assert_int_equal(p.fail, NET_LIMIT);
	chat_parse_release(&p);
	chat_reply_release(&r);
	buf_release(&block);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(base64_both_ways),
	    cmocka_unit_test(base64_refuses),
	    cmocka_unit_test(secrets_are_hidden),
	    cmocka_unit_test(retry_after_is_read),
	    cmocka_unit_test(delays_grow),
	    cmocka_unit_test(fails_have_words),
	    cmocka_unit_test(messages_are_found),
	    cmocka_unit_test(long_messages_are_cut),
	    cmocka_unit_test(statuses_are_told),
	    cmocka_unit_test(events_are_cut),
	    cmocka_unit_test(events_have_a_ceiling),
	    cmocka_unit_test(answers_are_read),
	    cmocka_unit_test(answers_have_a_ceiling),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
