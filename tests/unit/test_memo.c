/* The readers of MEMO-Bench's annotations and of tables of ratings. */
#include <math.h>

#include "core/reader/locate.h"
#include "tests/unit/lib_readers.h"

#define BYTES(lit) {(lit), sizeof(lit) - 1}

#define SIX                                                                                        \
	"preset is=memo\n"                                                                            \
	"class -1 name=happiness alias=happy alias=HAP\n"                                          \
	"class -1 name=sadness alias=sad\n"                                                        \
	"class -1 name=worry alias=worried alias=WOR\n"                                            \
	"class -1 name=neutrality alias=neutral alias=NEU\n"                                       \
	"class -1 name=surprise alias=surprised alias=SUR\n"                                       \
	"class -1 name=anger alias=angry alias=ANG\n"

static const struct reader_case annotations[] = {
    {.name = "memo: emotion and degree; BOM, CRLF, a failure, a label of its own, folders",
     .file = "annotation_emo.csv",
     .bytes = BYTES("\xef\xbb\xbfImage,Score,Distortions\r\n0001.png,3.42,happy\r\nsd1.5\\0002,,Sad\r\n"
		    "0003.jpg,5.5,failed\r\n0004.png,x,boredom\r\n,1,sad\r\n0005.png,1,boredom\r\n"),
     .reader = "memo",
     .want = SIX
     "sample key=0001 media=image path=0001.png number:degree=3.42 truth=original(=happiness) creates "
     "declares\n"
     "sample key=0002 media=image path=sd1.5/0002 truth=original(=sadness) creates declares\n"
     "sample key=0003 media=image path=0003.jpg number:degree=5.5 creates declares\n"
     "class -1 name=boredom\n"
     "sample key=0004 media=image path=0004.png truth=original(=boredom) creates declares\n"
     "sample key=0005 media=image path=0005.png number:degree=1 truth=original(=boredom) creates "
     "declares\n",
     .problems = "warning 4:66 Score: a mean opinion score outside of 0 to 5\n"
		 "warning 5:87 Score: expected a mean opinion score, a number\n"
		 "skipped 6:107 Image: expected a picture's name, got nothing\n"},
    {.name = "memo: quality",
     .file = "annotation_quality.csv",
     .bytes = BYTES("Image,Quality\nv1.5_01,2\n0002.PNG,nan\n"),
     .reader = "memo",
     .want = SIX
     "sample key=v1.5_01 media=image path=v1.5_01 number:quality=2 creates declares\n"
     "sample key=0002 media=image path=0002.PNG creates declares\n",
     .problems = ""},
    {.name = "memo: all in one table, the prompt's emotion a layer, a prompt's text a question",
     .file = "all.tsv",
     .bytes = BYTES("image\tgenerator\tprompt\temotion\tdegree\tquality\n"
		    "a.png\tSD1\thappy\tworried\t1\t2\nb.png\tSDX\ta sad man\tSAD\t3\t4\n"),
     .reader = "memo",
     .want = SIX
     "sample key=a media=image path=a.png number:degree=1 number:quality=2 facet:generator=SD1 "
     "truth=original(=worry) truth=prompt(=happiness) creates declares\n"
     "sample key=b media=image path=b.png question=a sad man number:degree=3 number:quality=4 "
     "facet:generator=SDX truth=original(=sadness) creates declares\n",
     .problems = ""},
    {.name = "memo: further columns are facets; key and label by --map",
     .file = "x.csv",
     .bytes = BYTES("Image,Score,Distortions,Mine,age,note\na.png,1,sad,happy,30,tall\nb.png,2,sad,happy,old,7\n"),
     .map = {{BYTES("key"), BYTES("Image")}, {BYTES("label"), BYTES("Mine")}},
     .reader = "memo",
     .want = SIX
     "sample key=a.png media=image path=a.png number:degree=1 facet:Distortions=sad number:age=30 facet:note=tall "
     "truth=original(=happiness) creates declares\n"
     "sample key=b.png media=image path=b.png number:degree=2 facet:Distortions=sad facet:note=7 "
     "truth=original(=happiness) creates declares\n",
     .problems = "warning 3:64 age: expected a number, as in the first rows\n"},
    {.name = "memo: another layer",
     .file = "x.csv",
     .bytes = BYTES("Image,Score,Distortions\na.png,1,sad\n"),
     .layer = "second",
     .reader = "memo",
     .skip_to = "ANG\n",
     .want = "sample key=a media=image path=a.png number:degree=1 truth=second(=sadness) creates declares\n",
     .problems = ""},
    {.name = "memo: a quality among other things is any table's",
     .file = "x.csv",
     .bytes = BYTES("filename,label,quality\na.png,tench,1\n"),
     .reader = "generic",
     .problems = ""},
};

static const struct reader_case tables[] = {
    {.name = "ratings: long, a value; what a rater says twice counts once",
     .file = "r.csv",
     .bytes = BYTES("sample,rater,value\nA/1,x,1\nA/2,x,3\nA/1,y,2\nA/1,y,5\nA/2,y,4\nA/2,,1\nA/2,z,high\n"),
     .reader = "ratings",
     .want = "sample key=A/1 media=none number:mos=1.91074 creates\n"
	     "sample key=A/2 media=none number:mos=3.08926 creates\n",
     .problems = "skipped 7:59 rater: expected a rater, got nothing\n"
		 "warning 8:66 value: expected a rating, a number\n"
		 "skipped 5:43 rater: \"y\" rated \"A/1\" already\n"},
    {.name = "ratings: wide, by semicolon; a rater of one value alone has no z score",
     .file = "quality.csv",
     .bytes = BYTES("Image;Rater 1;Rater 2;Rater 3\na.png;1;;3\nb.png;2;5;3\nc.png;3;1;3\n"),
     .reader = "ratings",
     .want = "sample key=a media=image path=a.png number:quality=1.66667 creates\n"
	     "sample key=b media=image path=b.png number:quality=2.79463 creates\n"
	     "sample key=c media=image path=c.png number:quality=2.62204 creates\n",
     .problems = ""},
    {.name = "ratings: wide, of words: votes and what most of them are for; ties",
     .file = "votes.csv",
     .bytes = BYTES("image,r1,r2,r3\na.png,joy,Joy,fear\nb.png,fear,,joy\n"),
     .reader = "ratings",
     .want = "sample key=a media=image path=a.png truth=original(=joy) truth=votes(=joy*2 =fear*1) creates\n"
	     "sample key=b media=image path=b.png truth=original(=joy =fear) truth=votes(=joy*1 =fear*1) "
	     "creates\n",
     .problems = ""},
    {.name = "ratings: MEMO-Bench's triples",
     .file = "raw.jsonl",
     .bytes = BYTES("{\"image\":\"a.png\",\"annotator\":7,\"emotion\":\"happy\",\"degree\":4,\"quality\":2}\n"
		    "{\"image\":\"b.png\",\"annotator\":7,\"emotion\":\"Happiness\",\"degree\":2,\"quality\":3}\n"),
     .reader = "ratings",
     .want = SIX
     "sample key=a media=image path=a.png number:degree=3.08926 number:quality=1.91074 "
     "truth=original(=happiness) truth=votes(=happiness*1) creates\n"
     "sample key=b media=image path=b.png number:degree=1.91074 number:quality=3.08926 "
     "truth=original(=happiness) truth=votes(=happiness*1) creates\n",
     .problems = ""},
    {.name = "ratings: names by --map, any columns when told",
     .file = "r.csv",
     .bytes = BYTES("pic,who,how\na,x,1\nb,x,2\n"),
     .map = {{BYTES("key"), BYTES("pic")}, {BYTES("rater"), BYTES("who")}, {BYTES("rating"), BYTES("how")},
	     {BYTES("facet"), BYTES("charm")}},
     .as = "ratings",
     .reader = "ratings",
     .want = "sample key=a media=none number:charm=1.91074 creates\n"
	     "sample key=b media=none number:charm=3.08926 creates\n",
     .problems = ""},
    {.name = "ratings: a run's answers are none",
     .file = "p.csv",
     .bytes = BYTES("id,model,rater,score,prediction\na,m,r,1,x\n"),
     .reader = "generic",
     .problems = ""},
};

static void run_case(void **state)
{
	run_reader_case(*state);
}

/* Beside its facet, what --facet prompt derives is a layer of MEMO-Bench; layer:NAME is one anywhere. */
static void a_layer_hides_in_the_name(void **state)
{
	static const struct mapping rules[] = {{BYTES("prompt"), BYTES("^[^_]+_([a-z]+)")},
					       {BYTES("layer:other"), BYTES("([0-9])$")}};
	static const struct str bytes = BYTES("Image,Score,Distortions\nSD1_happy_3.png,3,sad\n");
	static const struct str plain = BYTES("image,label\nSD1_happy_3.png,sad\n");
	struct read_options opt = {0};
	struct err err = ERR_INIT;
	struct derive *d = derive_new(rules, COUNT(rules), &err);

	(void)state;
	assert_non_null(d);
	for (int k = 0; k < 2; k++) {
		struct sink_log log;
		struct report report;

		sink_log_init(&log);
		report_init(&report, "x.csv", NULL);
		assert_int_equal(read_bytes("x.csv", k ? bytes : plain, &opt, derive_sink(d, &log.sink), &report,
					    NULL, &err), OK);
		assert_non_null(strstr(buf_cstr(&log.text), "facet:prompt=happy "));
		assert_non_null(strstr(buf_cstr(&log.text), "truth=other(=3)"));
		assert_int_equal(strstr(buf_cstr(&log.text), "truth=prompt(=happy)") != NULL, k);
		assert_null(strstr(buf_cstr(&log.text), "facet:layer"));
		report_release(&report);
		sink_log_release(&log);
	}
	derive_free(d);
}

/* The degree that is answered is the run's number, whatever its column is called; one in words is
 * kept as it is; of a sample it is a facet. */
static void a_degree_is_answered(void **state)
{
	static const struct reader_case cases[] = {
	    {.name = "numbers",
	     .file = "m.csv",
	     .bytes = BYTES("id,prediction,Predicted_Degree\na,happy,4\nb,sad,\n"),
	     .reader = "generic",
	     .want = "run 0 model=m\n"
		     "prediction 0 key=a raw=happy answered(=happy) number=degree:4 of key=a media=none creates\n"
		     "prediction 0 key=b raw=sad answered(=sad) of key=b media=none creates\n",
	     .problems = ""},
	    {.name = "words",
	     .file = "m.csv",
	     .bytes = BYTES("id,prediction,degree\na,happy,high\n"),
	     .reader = "generic",
	     .want = "run 0 model=m\n"
		     "prediction 0 key=a raw=happy answered(=happy) details={\"degree\":\"high\"} of key=a "
		     "media=none facet:degree=high creates\n",
	     .problems = ""},
	    {.name = "of a sample",
	     .file = "s.csv",
	     .bytes = BYTES("id,label,degree\na,happy,4\n"),
	     .reader = "generic",
	     .want = "sample key=a media=none number:degree=4 truth=original(=happy) creates declares\n",
	     .problems = ""},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		run_reader_case(&cases[i]);
}

int main(void)
{
	struct CMUnitTest tests[COUNT(annotations) + COUNT(tables) + 2] = {
	    cmocka_unit_test(a_layer_hides_in_the_name), cmocka_unit_test(a_degree_is_answered)};
	size_t n = add_reader_cases(tests, 2, run_case, annotations, COUNT(annotations));

	n = add_reader_cases(tests, n, run_case, tables, COUNT(tables));
	return _cmocka_run_group_tests("memo", tests, n, NULL, NULL);
}
