/* Recipes, and tables read by them: the bytes up to a line "%%" are the recipe, the rest the table.
 * What is read can be written, and what is written is read as the same. */
#include "core/reader/draft.h"
#include "core/reader/draft_impl.h"
#include "core/reader/reach.h"
#include "tests/fuzz/fuzz_sink.h"

static void check_written(const struct recipe *r)
{
	struct buf once = BUF_INIT, twice = BUF_INIT;
	struct err err = ERR_INIT;
	struct recipe again;

	if (recipe_write(r, &once, &err) == OK) {
		FUZZ_CHECK(recipe_read(buf_view(&once), &again, &err) == OK);
		FUZZ_CHECK(recipe_write(&again, &twice, &err) == OK);
		FUZZ_CHECK(str_eq(buf_view(&once), buf_view(&twice)));
		recipe_release(&again);
	} else {
		FUZZ_CHECK(err.msg[0]);
	}
	buf_release(&once);
	buf_release(&twice);
}

static void check_path(struct str text)
{
	struct reach_path p;

	if (!reach_parse(text, &p))
		return;
	FUZZ_CHECK(p.n > 0 && p.n <= REACH_MAX_STEPS && p.step[0].name.n);
}

static void check_draft(const struct recipe *r, struct str table)
{
	struct draft d = {.path = "fuzz", .whole = true};
	struct buf map = BUF_INIT;
	struct recipe copy;
	struct peek p;

	buf_str(&d.bytes, table);
	peek_open(&p, table);
	d.shape = p.shape;
	peek_release(&p);
	recipe_copy(r, &copy);
	draft_find_rows(&d, &copy);
	draft_read(&d, &copy, NULL);
	draft_guess(&d, &copy, NULL);
	draft_sign(&d, &copy);
	draft_read(&d, &copy, NULL);
	for (size_t i = 0; i < d.columns.n; i++)
		check_path(d.columns.v[i].name);
	draft_put_map(&copy, &map);
	check_written(&copy);
	buf_release(&map);
	recipe_release(&copy);
	vec_release(&d.columns);
	intern_release(&d.names);
	arena_release(&d.arena);
	buf_release(&d.bytes);
	buf_release(&d.scratch);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str all = fuzz_str(data, size), table = STR_NONE, text = all;
	size_t at = str_find(all, STR("\n%%\n"));
	struct recipe r = {.name = NULL};
	struct err err = ERR_INIT;

	if (at != SIZE_MAX) {
		text = (struct str){all.p, at + 1};
		table = (struct str){all.p + at + 4, all.n - at - 4};
	}
	check_path(text);
	if (recipe_read(text, &r, &err) == OK)
		check_written(&r);
	else
		FUZZ_CHECK(err.msg[0]);
	if (table.n)
		check_draft(&r, table);
	recipe_release(&r);
	return 0;
}
