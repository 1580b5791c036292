/* The readers of what evaluation tools store, on small files of the same shape. */
#include "tests/unit/lib_readers.h"

#define BYTES(lit) {(lit), sizeof(lit) - 1}

static const struct reader_case vlmeval[] = {
    {.name = "vlmeval: letters, option texts, no rule, failure, empty, an open one",
     .file = "m/T20250101_G1/m_EmoBench.tsv",
     .bytes = BYTES("\"index\"\t\"question\"\t\"A\"\t\"B\"\t\"answer\"\t\"category\"\t\"split\"\t"
		    "\"prediction\"\n"
		    "\"12\"\t\"Which?\"\t\"joy\"\t\"anger\"\t\"B\"\t\"emotion\"\t\"dev\"\t\"B. ang"
		    "er\"\n"
		    "\"13\"\t\"Which?\"\t\"joy\"\t\"anger\"\t\"A\"\t\"emotion\"\t\"dev\"\t\"It sho"
		    "ws anger.\"\n"
		    "\"14\"\t\"Which?\"\t\"joy\"\t\"anger\"\t\"A\"\t\"\"\t\"dev\"\t\"Either (A) or"
		    " (B)\"\n"
		    "\"15\"\t\"Which?\"\t\"joy\"\t\"anger\"\t\"A\"\t\"\"\t\"dev\"\t\"Failed to obt"
		    "ain answer via API.\"\n"
		    "\"16\"\t\"Which?\"\t\"joy\"\t\"anger\"\t\"A\"\t\"\"\t\"dev\"\t\"\"\n"
		    "\"17\"\t\"Name it\"\t\"\"\t\"\"\t\"fear\"\t\"\"\t\"dev\"\t\"fear\"\n"
		    "\"\"\t\"Name it\"\t\"\"\t\"\"\t\"fear\"\t\"\"\t\"dev\"\t\"fear\"\n"),
     .reader = "vlmeval",
     .want = "run 0 model=m protocol=MC\n"
	     "prediction 0 key=12 raw=B. anger answered(=anger) of key=12 media=none question=Whic"
	     "h? option=joy option=anger facet:split=dev facet:category=emotion truth=original(=an"
	     "ger) creates\n"
	     "prediction 0 key=13 raw=It shows anger. answered(=anger) of key=13 media=none questi"
	     "on=Which? option=joy option=anger facet:split=dev facet:category=emotion truth=origi"
	     "nal(=joy) creates\n"
	     "prediction 0 key=14 raw=Either (A) or (B) unparsed() of key=14 media=none question=W"
	     "hich? option=joy option=anger facet:split=dev truth=original(=joy) creates\n"
	     "prediction 0 key=15 raw=Failed to obtain answer via API. error() error=Failed to obt"
	     "ain answer via API. of key=15 media=none question=Which? option=joy option=anger fac"
	     "et:split=dev truth=original(=joy) creates\n"
	     "prediction 0 key=16 empty() of key=16 media=none question=Which? option=joy option=a"
	     "nger facet:split=dev truth=original(=joy) creates\n"
	     "prediction 0 key=17 raw=fear answered(=fear) of key=17 media=none question=Name it f"
	     "acet:split=dev truth=original(=fear) creates\n",
     .problems = "skipped 8:418 index: expected the question's index, got nothing\n"},
    {.name = "vlmeval: an array of records, evaluated; ids are numbers",
     .file = "x/m_MME_result.json",
     .bytes = BYTES("[\n"
		    " {\n"
		    "  \"index\": 0,\n"
		    "  \"question\": \"Q\",\n"
		    "  \"hint\": \"H\",\n"
		    "  \"A\": \"cat\",\n"
		    "  \"B\": \"dog\",\n"
		    "  \"answer\": \"A\",\n"
		    "  \"image_path\": \"i\\\\0.jpg\",\n"
		    "  \"prediction\": \"the dog\",\n"
		    "  \"hit\": 0,\n"
		    "  \"log\": \"Prefetch\"\n"
		    " },\n"
		    " {\n"
		    "  \"index\": 1.0,\n"
		    "  \"question\": \"Q\",\n"
		    "  \"hint\": null,\n"
		    "  \"A\": \"cat\",\n"
		    "  \"B\": \"dog\",\n"
		    "  \"answer\": \"A\",\n"
		    "  \"image_path\": \"['a.jpg','b.jpg']\",\n"
		    "  \"prediction\": \"Sorry, I can't help with images of people yet.\",\n"
		    "  \"hit\": 0,\n"
		    "  \"log\": null\n"
		    " }\n"
		    "]"),
     .reader = "vlmeval",
     .want = "run 0 model=m_MME protocol=MC\n"
	     "prediction 0 key=0 raw=the dog answered(=dog) number=hit:0 details={\"log\":\"Prefet"
	     "ch\"} of key=0 media=image path=i/0.jpg question=H\n"
	     "Q option=cat option=dog truth=original(=cat) creates\n"
	     "prediction 0 key=1 raw=Sorry, I can't help with images of people yet. refused() numb"
	     "er=hit:0 of key=1 media=none question=Q option=cat option=dog truth=original(=cat) c"
	     "reates\n",
     .problems = ""},
    {.name = "vlmeval: yes or no, extracted by its rules",
     .file = "r/m/m_POPE_auxmatch.tsv",
     .bytes = BYTES("\"index\"\t\"question\"\t\"answer\"\t\"prediction\"\t\"extracted\"\t\"score\""
		    "\n"
		    "\"1\"\t\"Is it?\"\t\"Yes\"\t\"Yes, it is\"\t\"Yes\"\t\"True\"\n"
		    "\"2\"\t\"Is it?\"\t\"No\"\t\"Hm\"\t\"Unknown\"\t\"False\"\n"),
     .reader = "vlmeval",
     .want = "run 0 model=m\n"
	     "prediction 0 key=1 raw=Yes, it is extracted=Yes answered(=Yes) number=score:1 of key"
	     "=1 media=none question=Is it? truth=original(=Yes) creates\n"
	     "prediction 0 key=2 raw=Hm extracted=Unknown unparsed() number=score:0 of key=2 media"
	     "=none question=Is it? truth=original(=No) creates\n",
     .problems = ""},
};

static const struct reader_case lmeval[] = {
    {.name = "lmeval: each filter is a run; a failed one is unparsed",
     .file = "out/org__m/samples_gsm_2025-01-01T00-00-00.1.jsonl",
     .bytes = BYTES("{\"doc_id\":0,\"doc\":{\"question\":\"How?\",\"choices\":[\"joy\",\"fear\"]},"
		    "\"target\":\"B\",\"arguments\":{\"gen_args_0\":{\"arg_0\":\"prompt\",\"arg_1"
		    "\":{\"until\":[]}}},\"resps\":[[\"The answer is B.\"]],\"filtered_resps\":[\""
		    "[invalid]\"],\"filter\":\"strict-match\",\"metrics\":[\"exact_match\"],\"doc_"
		    "hash\":\"d\",\"prompt_hash\":\"p\",\"target_hash\":\"t\",\"exact_match\":0.0}"
		    "\n"
		    "{\"doc_id\":0,\"doc\":{\"question\":\"How?\",\"choices\":[\"joy\",\"fear\"]},"
		    "\"target\":\"B\",\"arguments\":{\"gen_args_0\":{\"arg_0\":\"prompt\",\"arg_1"
		    "\":{\"until\":[]}}},\"resps\":[[\"The answer is B.\"]],\"filtered_resps\":[\""
		    "B\"],\"filter\":\"flexible-extract\",\"metrics\":[\"exact_match\"],\"doc_hash"
		    "\":\"d\",\"exact_match\":1.0}\n"),
     .reader = "lmeval",
     .want = "run 0 model=org/m handle=org/m/strict-match\n"
	     "prediction 0 key=0 raw=The answer is B. extracted=[invalid] unparsed() number=exact_"
	     "match:0 of key=0 media=none question=How? option=joy option=fear truth=original(=fea"
	     "r) creates\n"
	     "run 1 model=org/m handle=org/m/flexible-extract\n"
	     "prediction 1 key=0 raw=The answer is B. extracted=B answered(=fear) number=exact_mat"
	     "ch:1 of key=0 media=none question=How? option=joy option=fear truth=original(=fear) "
	     "creates\n",
     .problems = ""},
    {.name = "lmeval: likelihoods of choices, the target is a number",
     .file = "out/m/samples_arc_2025.jsonl",
     .bytes = BYTES("{\"doc_id\":3,\"doc\":{\"text\":\"x\"},\"target\":\"1\",\"arguments\":{\"gen_"
		    "args_0\":{\"arg_0\":\"Is it\",\"arg_1\":\" no\"},\"gen_args_1\":{\"arg_0\":\""
		    "Is it\",\"arg_1\":\" yes\"}},\"resps\":[[[-1.5,false]],[[-0.25,true]]],\"filt"
		    "ered_resps\":[[-1.5,false],[-0.25,true]],\"filter\":\"none\",\"metrics\":[\"a"
		    "cc\"],\"acc\":1.0}\n"
		    "{\"doc_id\":4,\"doc\":{\"choices\":{\"text\":[\"no\",\"yes\"],\"label\":[\"A"
		    "\",\"B\"]}},\"target\":0,\"arguments\":[],\"resps\":[],\"filtered_resps\":[-3"
		    ".0,-2.0],\"filter\":\"none\",\"acc\":0.0}\n"),
     .reader = "lmeval",
     .want = "run 0 model=m\n"
	     "prediction 0 key=3 raw=yes answered(=yes) score=-0.25 number=acc:1 details={\"filter"
	     "ed_resps\":[[-1.5,false],[-0.25,true]]} of key=3 media=none question=Is it option=no"
	     " option=yes truth=original(=yes) creates\n"
	     "prediction 0 key=4 raw=yes answered(=yes) score=-2 number=acc:0 details={\"filtered_"
	     "resps\":[-3,-2]} of key=4 media=none option=no option=yes truth=original(=no) create"
	     "s\n",
     .problems = ""},
    {.name = "lmeval: lmms-eval before 0.3, with doc and nested resps",
     .file = "l/org__v/20240101_000000_samples_emo.jsonl",
     .bytes = BYTES("{\"doc_id\":0,\"doc\":{\"question\":\"Q\"},\"target\":\"happy\",\"arguments\""
		    ":[\"Q?\\nAnswer\",{\"max_new_tokens\":16}],\"resps\":[[\"Happy.\"]],\"filtere"
		    "d_resps\":[\"happy\"],\"doc_hash\":\"h\",\"exact_match\":{\"s\":1.0},\"submis"
		    "sion\":null}\n"),
     .reader = "lmeval",
     .want = "run 0 model=org/v\n"
	     "prediction 0 key=0 raw=Happy. extracted=happy answered(=happy) details={\"exact_matc"
	     "h\":{\"s\":1}} of key=0 media=none question=Q truth=original(=happy) creates\n",
     .problems = ""},
    {.name = "lmeval: lmms-eval 0.7, resps flat or left out",
     .file = "l/v/20250101_000000_samples_emo.jsonl",
     .bytes = BYTES("{\"doc_id\":0,\"target\":\"happy\",\"filtered_resps\":[\"happy\"],\"resps\":["
		    "\"Happy.\"],\"input\":\"<prompt>\",\"token_counts\":[{\"output_tokens\":2}],"
		    "\"doc_hash\":\"h\",\"exact_match\":1.0}\n"
		    "{\"doc_id\":\"1\",\"target\":\"sad\",\"filtered_resps\":[\"\"],\"input\":\"<p"
		    "rompt>\",\"exact_match\":0.0}\n"
		    "{\"target\":\"sad\",\"filtered_resps\":[\"x\"]}\n"),
     .reader = "lmeval",
     .want = "run 0 model=v\n"
	     "prediction 0 key=0 raw=Happy. extracted=happy answered(=happy) tokens=2 number=exact"
	     "_match:1 of key=0 media=none question=<prompt> truth=original(=happy) creates\n"
	     "prediction 0 key=1 raw= empty() number=exact_match:0 of key=1 media=none question=<p"
	     "rompt> truth=original(=sad) creates\n",
     .problems = "skipped 3:254 doc_id: expected the document's number, got nothing\n"},
};

static void run_case(void **state)
{
	run_reader_case(*state);
}

int main(void)
{
	struct CMUnitTest tests[200];
	size_t n = 0;

	n = add_reader_cases(tests, n, run_case, vlmeval, COUNT(vlmeval));
	n = add_reader_cases(tests, n, run_case, lmeval, COUNT(lmeval));
	return _cmocka_run_group_tests("stored", tests, n, NULL, NULL);
}
