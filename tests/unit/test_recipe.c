/* Recipes: the file, paths into what is nested, what the generic reader makes of it, and drafts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include <sys/stat.h>
#include <unistd.h>

#include "core/base/path.h"
#include "core/base/xmalloc.h"
#include "core/reader/draft.h"
#include "core/reader/recipe_file.h"
#include "core/reader/rows.h"
#include "tests/unit/lib_project.h"
#include "tests/unit/lib_sink.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static struct recipe must_read(const char *text)
{
	struct err err = ERR_INIT;
	struct recipe r;

	if (recipe_read(str_z(text), &r, &err) != OK)
		fail_msg("%s", err.msg);
	return r;
}

/* --- the file --- */

static const char whole[] = "[table]\nholds = predictions\nheader = no\nrows = data.items\ncolumn = a\n"
			    "column = \" b \\u003b c\"\n"
			    "\n[fields]\nimage = a\nlabel = a.b[0]\nlabel@second = c\n"
			    "\n[constants]\nmodel = gpt-4o\nsplit = test\n"
			    "\n[separators]\nlabel = |\n"
			    "\n[spelling]\nhappiness = happy\nhappiness = \"joy \\u003b ful\"\n";

static void comes_back(void **state)
{
	struct recipe r = must_read(whole), again;
	struct buf text = BUF_INIT, twice = BUF_INIT;
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(r.holds, HOLDS_PREDICTIONS);
	assert_int_equal(r.header, HEADER_NO);
	assert_string_equal(r.rows[1], "items");
	assert_null(r.rows[2]);
	assert_string_equal(r.columns.v[1].p, " b ; c");
	assert_string_equal(r.spelling.v[1].value.p, "joy ; ful");
	assert_int_equal(recipe_write(&r, &text, &err), OK);
	recipe_copy(&r, &again);
	assert_int_equal(recipe_write(&again, &twice, &err), OK);
	assert_string_equal(buf_cstr(&text), buf_cstr(&twice));
	recipe_release(&again);
	again = must_read(buf_cstr(&text));
	buf_clear(&twice);
	assert_int_equal(recipe_write(&again, &twice, &err), OK);
	assert_string_equal(buf_cstr(&text), buf_cstr(&twice));
	recipe_release(&again);
	recipe_release(&r);
	buf_release(&text);
	buf_release(&twice);
}

static void is_refused(void **state)
{
	static const struct { const char *text, *why; } cases[] = {
	    {"", "[fields] is empty"},
	    {"[fields]\nkye = a\n", "line 2: there is no field \"kye\""},
	    {"[fields]\nlabel@ = a\n", "there is no field"},
	    {"[fields]\nkey =\n", "there is no value"},
	    {"[fields]\nkey = \"a\n", "expected a string in quotes"},
	    {"[table]\nholds = nothing\n", "expected any, samples or predictions"},
	    {"[table]\nrows = a.b.c.d\n", "up to 3 names"},
	    {"[table]\nrows = a[0]\n", "up to 3 names"},
	    {"[table]\nnonsense = 1\n", "not \"nonsense\""},
	    {"[other]\na = 1\n", "not \"other\""},
	    {"[fields]\nkey = a\n[separators]\nlabel = |\n", "[separators] has label"},
	    {"[table]\njoin = position\n[fields]\nkey = a\n", "then no field is the key"},
	    {"[fields]\nkey = a\nfacet = b\nfacet = c\nkey = d\n", "[fields] has key twice"},
	    {"[fields]\nkey = a\n[constants]\nmodel = x\nmodel = y\n", "[constants] has model twice"},
	    {"key\n", "line 1"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct err err = ERR_INIT;
		struct recipe r;

		assert_int_not_equal(recipe_read(str_z(cases[i].text), &r, &err), OK);
		if (!strstr(err.msg, cases[i].why))
			fail_msg("%s: \"%s\"", cases[i].text, err.msg);
		assert_int_equal(r.fields.n, 0);
	}
}

static void too_long_is_told(void **state)
{
	struct recipe r = {.name = NULL};
	struct buf text = BUF_INIT;
	struct err err = ERR_INIT;
	char long_name[300];

	(void)state;
	memset(long_name, 'x', sizeof long_name);
	recipe_set_field(&r, (struct str){long_name, sizeof long_name}, STR("key"));
	assert_int_equal(recipe_write(&r, &text, &err), E_LIMIT);
	recipe_release(&r);
	buf_clear(&text);
	r = (struct recipe){.name = NULL};
	assert_int_equal(recipe_write(&r, &text, &err), E_FORMAT); /* it would not be read again */
	recipe_set_field(&r, STR("a"), STR("key"));
	recipe_add_spelling(&r, STR("a=b"), STR("c"));
	assert_int_equal(recipe_write(&r, &text, &err), E_LIMIT);
	recipe_release(&r);
	r = (struct recipe){.name = NULL};
	recipe_set_field(&r, STR("a\0b"), STR("key"));
	assert_int_equal(recipe_write(&r, &text, &err), E_LIMIT);
	assert_non_null(strstr(err.msg, "zero byte"));
	recipe_release(&r);
	buf_release(&text);
}

/* --- paths --- */

static void paths(void **state)
{
	static const char json[] = "{\"b\":[{\"c\":\"x\"},[1,2]],\"d.e\":5,\"f\":{\"g[0]\":true}}";
	static const struct { const char *path, *want; } cases[] = {
	    {"a.b[0].c", "x"}, {"a.b[1][1]", "2"},   {"a[\"d.e\"]", "5"}, {"a.f[\"g[0]\"]", "true"},
	    {"a.b[2]", ""},    {"a.b.c", ""},	     {"a.d", ""},	 {"a.", NULL},
	    {".a", NULL},      {"a[x]", NULL},	     {"a[-1]", NULL},	 {"a[0", NULL},
	    {"[0]", NULL},     {"a[99999999]", NULL}, {"", NULL},	 {"a[0]b", NULL},
	    {"a[\"\"]", NULL}, {"a..b", NULL},
	    {"a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q", NULL},
	};
	struct err err = ERR_INIT;
	cJSON *tree;

	(void)state;
	assert_int_equal(json_parse(STR(json), &tree, &err), OK);
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct reach_path p;
		struct buf scratch = BUF_INIT;
		bool good = reach_parse(str_z(cases[i].path), &p);
		const cJSON *item;

		if (good != (cases[i].want != NULL))
			fail_msg("%s is %sa path", cases[i].path, good ? "" : "no ");
		item = good ? reach_walk(tree, p.step + 1, p.n - 1) : NULL;
		if (good && !str_eqz(item ? json_scalar(item, &scratch) : STR(""), cases[i].want))
			fail_msg("%s", cases[i].path);
		buf_release(&scratch);
	}
	cJSON_Delete(tree);
}

/* --- what is read by one --- */

struct reading_case {
	const char *recipe, *file, *text, *want, *problems;
};

static const struct reading_case reading_cases[] = {
    {"[fields]\nkey=meta.id\nlabel=gold\nraw=out[0].text\nscore=out[0].p\n[constants]\nmodel=m\n", "a.jsonl",
     "{\"meta\":{\"id\":\"x\"},\"gold\":\"joy\",\"out\":[{\"text\":\"fear\",\"p\":0.5}]}\n"
     "{\"meta\":{\"id\":7},\"gold\":\"joy\",\"out\":[]}\n",
     "run 0 model=m\n"
     "prediction 0 key=x raw=fear answered(=fear) score=0.5 "
     "details={\"meta\":{\"id\":\"x\"},\"out\":[{\"text\":\"fear\",\"p\":0.5}]} "
     "of key=x media=none truth=original(=joy) creates\n",
     "skipped 2:65 prediction: expected an answer, a response or an error, got nothing\n"},
    /* a member that is called as the path is wins; JSON in a field of a table */
    {"[fields]\nkey=a.b\n", "a.jsonl", "{\"a.b\":\"x\",\"a\":{\"b\":\"y\"}}\n{\"a\":{\"b\":\"z\"}}\n",
     "sample key=x media=none extra={\"a\":{\"b\":\"y\"}} creates declares\n"
     "sample key=z media=none extra={\"a\":{\"b\":\"z\"}} creates declares\n", ""},
    {"[fields]\nkey=n\nlabel=j.l[1]\nignore=j\n", "a.csv", "n,j\nx,\"{\"\"l\"\":[1,\"\"joy\"\"]}\"\n",
     "sample key=x media=none truth=original(=joy) creates declares\n", ""},
    /* one column, two fields; ordinary columns by hand */
    {"[fields]\nimage=f\nlabel=f\n", "a.csv", "f,g\nx.png,1\n",
     "sample key=x media=image path=x.png number:g=1 truth=original(=x.png) creates declares\n", ""},
    {"[fields]\nkey=a\nfacet=b\nnumber=c\ndetails=d\nignore=e\nlabel@second=f\n", "a.csv",
     "a,b,c,d,e,f\nx,1,2,3,4,joy\ny,5,no,6,7,joy\n",
     "sample key=x media=none facet:b=1 number:c=2 truth=second(=joy) extra={\"d\":\"3\"} creates declares\n"
     "sample key=y media=none facet:b=5 truth=second(=joy) extra={\"c\":\"no\",\"d\":\"6\"} creates declares\n",
     "warning 3:26 c: expected a number, as in the first rows\n"},
    /* constants: a field, a facet that the row itself may have */
    {"[fields]\nkey=a\n[constants]\nquestion=Which?\nsplit=test\n", "a.jsonl",
     "{\"a\":1,\"b\":\"x\"}\n{\"a\":2,\"split\":\"train\"}\n",
     "sample key=1 media=none question=Which? facet:b=x facet:split=test creates declares\n"
     "sample key=2 media=none question=Which? facet:split=train creates declares\n", ""},
    {"[fields]\nkey=a\nlabel=l\noptions=o\n[separators]\nlabel=|\noptions=\" / \"\n", "a.csv",
     "a,l,o\nx,joy | fear,yes / no / maybe\ny,joy,\n",
     "sample key=x media=none option=yes option=no option=maybe truth=original(=joy =fear) creates "
     "declares\n"
     "sample key=y media=none truth=original(=joy) creates declares\n", ""},
    {"[fields]\nkey=a\nprediction=p\n[constants]\nmodel=m\n[separators]\nprediction=;\n", "a.csv",
     "a,p\nx,joy;fear\n",
     "run 0 model=m\nprediction 0 key=x raw=joy;fear answered(=joy =fear) of key=x media=none creates\n", ""},
    {"[fields]\nkey=a\nlabel=l\nprediction=p\n[constants]\nmodel=m\n[spelling]\nhappiness=happy\nhappiness=3\n",
     "a.csv", "a,l,p\nx,HAPPY,3\n",
     "run 0 model=m\nprediction 0 key=x raw=3 answered(=happiness) of key=x media=none "
     "truth=original(=happiness) creates\n", ""},
    {"[table]\nheader=no\n[fields]\nkey=column1\nlabel=column2\n", "a.csv", "a,joy\nb,fear\n",
     "sample key=a media=none truth=original(=joy) creates declares\n"
     "sample key=b media=none truth=original(=fear) creates declares\n", ""},
    {"[table]\nheader=yes\n[fields]\nkey=1.png\nlabel=2\n", "a.csv", "1.png,2\nb,fear\n",
     "sample key=b media=none truth=original(=fear) creates declares\n", ""},
    {"[table]\nrows=data.items\n[fields]\nkey=k\nlabel=l\n", "a.json",
     "{\"v\":1,\"data\":{\"note\":{\"k\":\"no\"},\"items\":[{\"k\":\"a\",\"l\":\"joy\"},{\"k\":\"b\",\"l\":\"fear\"}]},\"w\":{\"k\":9}}",
     "sample key=a media=none truth=original(=joy) creates declares\n"
     "sample key=b media=none truth=original(=fear) creates declares\n", ""},
    {"[table]\nholds=samples\n[fields]\nkey=id\n", "a.csv", "id,prediction\na,x\n",
     "sample key=a media=none creates declares\n", ""},
    {"[table]\njoin=position\n[fields]\nprediction=p\n[constants]\nmodel=m\n", "a.csv", "p,n\njoy,1\nfear,2\n",
     "run 0 model=m\nprediction 0 key=1 raw=joy answered(=joy) number=n:1\n"
     "prediction 0 key=2 raw=fear answered(=fear) number=n:2\n", ""},
    /* in a map of records a field that was named wins over the member's key */
    {"[fields]\nkey=k\nlabel=l\n", "a.json", "{\"m1\":{\"k\":\"a\",\"l\":\"x\"},\n\"m2\":{\"k\":\"b\",\"l\":\"y\"}}",
     "sample key=a media=none truth=original(=x) creates declares\n"
     "sample key=b media=none truth=original(=y) creates declares\n", ""},
};

static void read_with(const struct recipe *r, const char *file, struct str text, unsigned threads,
		      struct sink_log *log, struct buf *problems)
{
	struct read_options opt = {.as = STR("generic"), .threads = threads, .piece = 300};
	struct respell *spell = respell_new(r);
	struct arena arena = ARENA_INIT;
	struct report report;
	struct err err = ERR_INIT;

	recipe_apply(r, &arena, &opt);
	sink_log_init(log);
	report_init(&report, file, NULL);
	if (read_bytes(file, text, &opt, respell_sink(spell, &log->sink), &report, NULL, &err) != OK)
		fail_msg("%s", err.msg);
	report_lines(&report, problems);
	report_release(&report);
	respell_free(spell);
	arena_release(&arena);
}

static void reads(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(reading_cases); i++) {
		const struct reading_case *c = &reading_cases[i];
		struct recipe r = must_read(c->recipe);
		struct buf problems = BUF_INIT;
		struct sink_log log;

		read_with(&r, c->file, str_z(c->text), 1, &log, &problems);
		assert_string_equal(buf_cstr(&log.text), c->want);
		assert_string_equal(buf_cstr(&problems), c->problems);
		sink_log_release(&log);
		buf_release(&problems);
		recipe_release(&r);
	}
}

/* Several threads make of it what one does. */
static void threads_agree(void **state)
{
	static const char *const recipes[] = {
	    "[fields]\nkey=m.id\nprediction=p\n[constants]\nmodel=m\nsplit=a\n[separators]\nprediction=|\n",
	    "[table]\njoin=position\n[fields]\nprediction=p\nignore=m\n[constants]\nmodel=m\n",
	};
	struct buf text = BUF_INIT;

	(void)state;
	for (int i = 0; i < 900; i++)
		buf_printf(&text, "{\"m\":{\"id\":\"k%d\"},\"p\":\"a%d|b\",\"x\":%d}\n", i, i % 7, i);
	for (size_t k = 0; k < COUNT(recipes); k++) {
		struct recipe r = must_read(recipes[k]);
		struct buf one = BUF_INIT, many = BUF_INIT;
		struct sink_log a, b;

		read_with(&r, "a.jsonl", buf_view(&text), 1, &a, &one);
		read_with(&r, "a.jsonl", buf_view(&text), 3, &b, &many);
		assert_int_equal(a.predictions, 900);
		assert_string_equal(buf_cstr(&a.text), buf_cstr(&b.text));
		assert_string_equal(buf_cstr(&one), buf_cstr(&many));
		sink_log_release(&a);
		sink_log_release(&b);
		buf_release(&one);
		buf_release(&many);
		recipe_release(&r);
	}
	buf_release(&text);
}

/* --- drafts --- */

struct place {
	char *folder, *file;
};

static struct place put(const char *name, struct str text)
{
	struct place p = {.folder = project_folder()};
	FILE *f;

	p.file = project_file(p.folder, name);
	f = fopen(p.file, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(text.p, 1, text.n, f), text.n);
	assert_int_equal(fclose(f), 0);
	return p;
}

static void take_away(struct place p)
{
	free(p.file);
	project_remove(p.folder);
}

static struct draft *must_open(const char *path)
{
	struct err err = ERR_INIT;
	struct draft *d;

	if (draft_open(&d, path, NULL, &err) != OK)
		fail_msg("%s", err.msg);
	return d;
}

static void guesses(void **state)
{
	static const struct { const char *file, *text, *map; } cases[] = {
	    {"a.csv", "photo,mood,gpt said,conf\na1,happy,glad,0.5\na2,sad,sad,0.9\na3,happy,happy,0.4\n",
	     "key=photo,label=mood,prediction=gpt said,score=conf"},
	    {"a.csv", "pic,mood\na.jpg,happy\nb.jpg,sad\n", "image=pic,label=mood"},
	    {"a.jsonl", "{\"meta\":{\"pic\":\"a1\"},\"gold\":\"x\",\"out\":[{\"text\":\"y\"}]}\n",
	     "label=gold,key=meta.pic,prediction=out[0].text"},
	    /* what shares the truth's words answers, whatever it is called */
	    {"a.tsv", "no\ttruth\tzebra\tms\n1\tjoy\tfear\t5\n2\tfear\tfear\t6\n3\tjoy\tjoy\t7\n4\tjoy\tjoy\t8\n",
	     "label=truth,key=no,prediction=zebra"},
	    {"a.csv", "Bild,Wahrheit,Antwort des Modells\n"
		      "a.jpg,Hund,Katze\nb.jpg,Katze,Katze\nc.jpg,Hund,Hund\n"
		      "d.jpg,Hund,Hund\ne.jpg,Hund,Hund\nf.jpg,Hund,Hund\ng.jpg,Hund,Hund\nh.jpg,Hund,Hund\n",
	     "image=Bild,label=Wahrheit,prediction=Antwort des Modells"},
	    {"a.csv", "图片,标签,模型预测\na.jpg,狗,猫\nb.jpg,猫,猫\n", "image=图片,label=标签,prediction=模型预测"},
	    {"a.csv", "a,b\nx,1\ny,2\n", "key=a"},
	    {"a.json", "{\"v\":2,\"list\":[{\"file\":\"a.png\",\"class_name\":\"joy\"}]}",
	     "image=file,label=class_name"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct place p = put(cases[i].file, str_z(cases[i].text));
		struct draft *d = must_open(p.file);
		struct recipe r = {.name = NULL};
		struct buf map = BUF_INIT;

		draft_find_rows(d, &r);
		draft_read(d, &r, NULL);
		draft_guess(d, &r, NULL);
		draft_put_map(&r, &map);
		assert_string_equal(buf_cstr(&map), cases[i].map);
		draft_read(d, &r, NULL);
		assert_true(d->n_rows > 0);
		assert_null(d->trouble);
		buf_release(&map);
		recipe_release(&r);
		draft_free(d);
		take_away(p);
	}
}

static const char *problem_of(const struct draft *d, const char *word)
{
	const struct draft_column *c = draft_with(d, word);

	assert_non_null(c);
	return c->problem ? c->problem : "";
}

static void problems(void **state)
{
	struct place p = put("a.csv", STR("n,t,a,s\nx,joy,joy,0.5\nx,fear,anger,no\n,joy,joy,0.1\n"
					  "y,joy,fear,1\nz,joy,,1\nq,joy,joy,1,2\n"
					  "r,joy,joy,1\ns,joy,joy,1\nt,joy,joy,1\nu,joy,joy,1\n"));
	struct recipe r = must_read("[fields]\nkey=n\nlabel=t\nprediction=a\nscore=s\nraw=gone\n");
	struct draft *d = must_open(p.file);

	(void)state;
	draft_read(d, &r, NULL);
	assert_int_equal(d->rows, 10);
	assert_string_equal(problem_of(d, "key"), "empty: 1 of 9; repeated: 1");
	assert_string_equal(problem_of(d, "prediction"), "no such class: 1 of 3");
	assert_string_equal(problem_of(d, "score"), "no number: 1 of 9");
	assert_non_null(strstr(d->trouble, "line 7: expected 4 fields"));
	assert_int_equal(d->skipped, 2);
	assert_int_equal(d->n_rows, DRAFT_SHOWN);
	assert_string_equal(d->row[0].truth.p, "joy");
	assert_int_equal(d->row[0].right, 1);
	assert_int_equal(d->row[1].outcome, OUTCOME_OOP);
	assert_int_equal(d->row[3].outcome, OUTCOME_EMPTY);
	recipe_set_field(&r, STR("s"), STR("label"));
	draft_read(d, &r, NULL);
	assert_string_equal(d->columns.v[3].problem, "not read: t is the label");
	recipe_release(&r);
	draft_free(d);
	take_away(p);
}

/* Only the first part is looked at, and where it is cut nothing is wrong. */
static void big_is_cut(void **state)
{
	static const struct { const char *file, *begin, *row, *between, *end; } kinds[] = {
	    {"a.csv", "k,l\n", "k%d,\"joy\nfear\"", "\n", "\n"},
	    {"a.jsonl", "", "{\"k\":\"k%d\",\"l\":\"joy\"}", "\n", "\n"},
	    {"a.json", "[", "{\"k\":\"k%d\",\"l\":\"joy\"}", ",", "]"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(kinds); i++) {
		struct recipe r = must_read("[fields]\nkey=k\nlabel=l\n");
		struct buf text = BUF_INIT;
		struct place p;
		struct draft *d;

		buf_z(&text, kinds[i].begin);
		for (int k = 0; text.n < 2 * DRAFT_BYTES; k++) {
			struct str row = str_z(kinds[i].row);
			size_t at = str_find(row, STR("%d"));

			buf_z(&text, k ? kinds[i].between : "");
			buf_str(&text, (struct str){row.p, at});
			buf_printf(&text, "%d", k);
			buf_str(&text, (struct str){row.p + at + 2, row.n - at - 2});
		}
		buf_z(&text, kinds[i].end);
		p = put(kinds[i].file, buf_view(&text));
		d = must_open(p.file);
		assert_false(d->whole);
		assert_int_equal(d->size, text.n);
		draft_read(d, &r, NULL);
		if (d->trouble || d->skipped)
			fail_msg("%s: %s", kinds[i].file, d->trouble);
		assert_true(d->rows > DRAFT_ROWS);
		assert_int_equal(d->n_rows, DRAFT_SHOWN);
		draft_free(d);
		take_away(p);
		recipe_release(&r);
		buf_release(&text);
	}
}

static void no_table(void **state)
{
	struct place p = put("notes.txt", STR("only words\nof a person\n"));
	struct err err = ERR_INIT;
	struct draft *d;

	(void)state;
	assert_int_equal(draft_open(&d, p.file, NULL, &err), E_FORMAT);
	assert_non_null(strstr(err.msg, "no rows of fields"));
	take_away(p);
}

/* --- where they are kept --- */

static void kept_and_proposed(void **state)
{
	struct place p = put("a.csv", STR("photo,mood,said\na1,joy,joy\n"));
	struct place other = put("b.csv", STR("photo,mood,said,more\na1,joy,joy,1\n"));
	struct place third = put("c.csv", STR("photo,weather\na1,rain\n"));
	struct recipe r = must_read("[fields]\nkey=photo\nlabel=mood\n"), found;
	struct draft *d = must_open(p.file);
	struct err err = ERR_INIT;
	struct buf names = BUF_INIT;

	(void)state;
	assert_int_equal(setenv("XDG_CONFIG_HOME", p.folder, 1), 0);
	draft_read(d, &r, NULL);
	draft_sign(d, &r);
	assert_int_equal(recipe_save(&r, "no/slash", false, &err), E_IO);
	assert_int_equal(recipe_save(&r, "two words", false, &err), E_USAGE);
	assert_int_equal(recipe_save(&r, "moods", false, &err), OK);
	assert_int_equal(recipe_save(&r, "moods", false, &err), E_USAGE);
	assert_int_equal(recipe_save(&r, "moods", true, &err), OK);
	recipe_names(NULL, &names);
	assert_string_equal(buf_cstr(&names), "moods");
	draft_free(d);
	d = must_open(other.file); /* a column more */
	assert_true(draft_propose(d, &found));
	assert_string_equal(found.name, "moods");
	recipe_release(&found);
	draft_free(d);
	d = must_open(third.file);
	assert_false(draft_propose(d, &found));
	draft_free(d);
	assert_int_equal(recipe_find("moods", NULL, &found, &err), OK);
	assert_int_equal(found.columns.n, 3);
	recipe_release(&found);
	assert_int_equal(recipe_find("mood", NULL, &found, &err), E_NOT_FOUND);
	assert_non_null(strstr(err.msg, "there are: moods"));
	recipe_release(&r);
	buf_release(&names);
	take_away(third);
	take_away(other);
	take_away(p);
}

/* What is saved is read and fits again. (In a CSV it has a name by its place.) */
static void nameless_column(void **state)
{
	struct place p = put("a.jsonl", STR("{\"\":0,\"photo\":\"a1\",\"mood\":\"joy\"}\n"));
	struct recipe r = must_read("[fields]\nkey=photo\nlabel=mood\n"), found;
	struct draft *d = must_open(p.file);
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(setenv("XDG_CONFIG_HOME", p.folder, 1), 0);
	draft_read(d, &r, NULL);
	draft_sign(d, &r);
	assert_int_equal(r.columns.n, 2);
	assert_int_equal(recipe_save(&r, "index", false, &err), OK);
	assert_true(draft_propose(d, &found));
	assert_string_equal(found.name, "index");
	recipe_release(&found);
	recipe_release(&r);
	draft_free(d);
	take_away(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(comes_back),	 cmocka_unit_test(is_refused),
	    cmocka_unit_test(too_long_is_told), cmocka_unit_test(paths),
	    cmocka_unit_test(reads),		 cmocka_unit_test(threads_agree),
	    cmocka_unit_test(guesses),		 cmocka_unit_test(problems),
	    cmocka_unit_test(big_is_cut),	 cmocka_unit_test(no_table),
	    cmocka_unit_test(kept_and_proposed), cmocka_unit_test(nameless_column),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
