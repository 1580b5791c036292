/* However the bytes are cut, the same events come out of a stream, and the same answer out of it.
 */
#include "core/net/chat_parse.h"
#include "tests/fuzz/fuzz.h"

static enum status note(void *ctx, struct str event, struct str data, struct err *err)
{
	(void)err;
	buf_str(ctx, event);
	buf_ch(ctx, '\0');
	buf_str(ctx, data);
	buf_ch(ctx, '\1');
	return OK;
}

static void show_events(struct str bytes, size_t piece, struct buf *out)
{
	struct err err = ERR_INIT;
	struct sse s;

	sse_init(&s, note, out);
	for (size_t at = 0; at < bytes.n; at += piece) {
		size_t n = bytes.n - at < piece ? bytes.n - at : piece;

		FUZZ_CHECK(sse_feed(&s, (struct str){bytes.p + at, n}, &err) == OK);
	}
	FUZZ_CHECK(sse_end(&s, &err) == OK);
	sse_release(&s);
}

static void tell(void *ctx, struct str piece)
{
	FUZZ_CHECK(piece.n > 0);
	buf_str(ctx, piece);
}

static void show_answer(struct str bytes, size_t piece, struct buf *out)
{
	static char key[] = "sk-key";
	struct secrets secrets = {.key = {key, sizeof key - 1}};
	struct buf told = BUF_INIT;
	struct chat_watch watch = {.text = tell, .ctx = &told};
	struct err err = ERR_INIT;
	struct chat_reply r;
	struct chat_parse p;
	enum status st = OK;

	chat_reply_init(&r);
	chat_parse_init(&p, &r, &secrets, &watch);
	for (size_t at = 0; at < bytes.n && !st; at += piece) {
		size_t n = bytes.n - at < piece ? bytes.n - at : piece;

		st = chat_parse_feed(&p, (struct str){bytes.p + at, n}, &err);
	}
	if (!st)
		st = chat_parse_end(&p, "text/plain", &err);
	FUZZ_CHECK((st == OK) == (p.fail == NET_NONE) && (st == OK) == r.complete);
	FUZZ_CHECK(st == OK || err.msg[0]);
	FUZZ_CHECK(str_find(buf_view(&r.text), STR("sk-key")) == SIZE_MAX);
	FUZZ_CHECK(str_find(str_z(r.model), STR("sk-key")) == SIZE_MAX);
	FUZZ_CHECK(str_find(str_z(err.msg), STR("sk-key")) == SIZE_MAX);
	FUZZ_CHECK(st || str_eq(buf_view(&told), buf_view(&r.text)));
	buf_printf(out, "%s %s %s %s %lld|", net_fail_word(p.fail), err.msg, r.finish, r.model,
		   (long long)r.tokens_out);
	buf_str(out, buf_view(&r.text));
	buf_str(out, buf_view(&r.reasoning));
	buf_str(out, buf_view(&r.refusal));
	buf_release(&told);
	chat_parse_release(&p);
	chat_reply_release(&r);
}

static void compare(struct str bytes, void (*show)(struct str bytes, size_t piece, struct buf *out))
{
	static const size_t pieces[] = {1, 2, 3, 7};
	struct buf want = BUF_INIT;

	show(bytes, bytes.n ? bytes.n : 1, &want);
	for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
		struct buf got = BUF_INIT;

		show(bytes, pieces[i], &got);
		FUZZ_CHECK(str_eq(buf_view(&want), buf_view(&got)));
		buf_release(&got);
	}
	buf_release(&want);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	compare(fuzz_str(data, size), show_events);
	compare(fuzz_str(data, size), show_answer);
	return 0;
}
