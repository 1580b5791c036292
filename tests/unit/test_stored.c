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
    {.name = "lmeval: likelihoods are texts since 2024",
     .file = "out/m/samples_arc_2025.jsonl",
     .bytes = BYTES("{\"doc_id\":3,\"doc\":{\"choices\":[\"no\",\"yes\"]},\"target\":\"1\",\"argume"
		    "nts\":{},\"filtered_resps\":[[\"-1.5\",\"False\"],[\"-0.25\",\"True\"]],\"filter\":"
		    "\"none\"}\n"
		    "{\"doc_id\":4,\"doc\":{\"choices\":[\"no\",\"yes\"]},\"target\":\"1\",\"argumen"
		    "ts\":{},\"filtered_resps\":[[\"-3.5\",\"False\"],[\"-inf\",\"False\"]],\"filter\":\""
		    "none\"}\n"
		    "{\"doc_id\":5,\"doc\":{\"choices\":[\"no\",\"yes\"]},\"target\":\"1\",\"argumen"
		    "ts\":{},\"filtered_resps\":[[\"yes\",\"False\"]],\"filter\":\"none\"}\n"),
     .reader = "lmeval",
     .want = "run 0 model=m\n"
	     "prediction 0 key=3 raw=yes answered(=yes) score=-0.25 details={\"filtered_resps\":[[\"-1."
	     "5\",\"False\"],[\"-0.25\",\"True\"]]} of key=3 media=none option=no option=yes truth=orig"
	     "inal(=yes) creates\n"
	     "prediction 0 key=4 raw=no answered(=no) score=-3.5 details={\"filtered_resps\":[[\"-3.5\","
	     "\"False\"],[\"-inf\",\"False\"]]} of key=4 media=none option=no option=yes truth=original("
	     "=yes) creates\n"
	     "prediction 0 key=5 raw=yes answered(=yes) of key=5 media=none option=no option=yes trut"
	     "h=original(=yes) creates\n",
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
    {.name = "lmeval: lmms-eval's pictures, and metrics that are objects",
     .file = "l/v/20260101_000000_samples_mme.jsonl",
     .bytes = BYTES("{\"doc_id\":0,\"target\":\"Yes\",\"filtered_resps\":\"No\",\"token_counts\":[{"
		    "\"output_tokens\":2}],\"input_media\":[\"colour/0020.png\",\"https://x.org/a.pn"
		    "g\",7],\"mme_score\":{\"question_id\":\"colour/0020.png\",\"category\":\"colour"
		    "\",\"score\":0.0},\"input\":\"Is it red?\"}\n"
		    "{\"doc_id\":1,\"target\":\"B\",\"arguments\":[\"Which?\\nA. a\\nB. b\",{\"until"
		    "\":[]},1,\"mmmu_val\",\"validation\"],\"filtered_resps\":[\"Let me see\"],\"mmmu_acc"
		    "\":{\"id\":\"v_1\",\"subdomain\":\"Art\",\"parsed_pred\":[\"B\"]},\"mmmu_pass\":{\""
		    "subdomain\":\"Art\",\"parsed_pred\":[\"B\"]},\"submission\":{\"v_1\":\"B\"}}\n"
		    "{\"doc_id\":2,\"target\":\"B\",\"filtered_resps\":[\"B\"],\"mv_acc\":{\"pred_answer"
		    "\":\"B\",\"score\":true}}\n"
		    "{\"doc_id\":3,\"target\":\"B\",\"filtered_resps\":[\"b?\"],\"mv_acc\":{\"pred_answer"
		    "\":\"\",\"score\":false},\"f1\":[\"B\",[\"\"]]}\n"),
     .reader = "lmeval",
     .want = "run 0 model=v\n"
	     "prediction 0 key=0 raw=No answered(=No) tokens=2 number=mme_score:0 details={\"mme_score\":{"
	     "\"question_id\":\"colour/0020.png\",\"category\":\"colour\",\"score\":0}} of key=0 medi"
	     "a=image path=colour/0020.png question=Is it red? facet:category=colour truth=original(=Yes) "
	     "creates\n"
	     "prediction 0 key=1 raw=Let me see extracted=B answered(=B) details={\"mmmu_acc\":{\"id\":\""
	     "v_1\",\"subdomain\":\"Art\",\"parsed_pred\":[\"B\"]},\"mmmu_pass\":{\"subdomain\":\"Art"
	     "\",\"parsed_pred\":[\"B\"]},\"submission\":{\"v_1\":\"B\"}} of key=1 media=none question="
	     "Which?\nA. a\nB. b facet:subdomain=Art truth=original(=B) creates\n"
	     "prediction 0 key=2 raw=B answered(=B) number=mv_acc:1 details={\"mv_acc\":{\"pred_answer\":"
	     "\"B\",\"score\":true}} of key=2 media=none truth=original(=B) creates\n"
	     "prediction 0 key=3 raw=b? extracted= unparsed() number=mv_acc:0 details={\"mv_acc\":{\"pred_answer\""
	     ":\"\",\"score\":false},\"f1\":[\"B\",[\"\"]]} of key=3 media=none truth=original(=B) crea"
	     "tes\n",
     .problems = ""},
};

static const struct reader_case opencompass[] = {
    {.name = "opencompass: generated; gold is a letter",
     .file = "predictions/qwen-7b/ceval.json",
     .bytes = BYTES("{\n"
		    "    \"0\": {\n"
		    "        \"origin_prompt\": [\n"
		    "            {\n"
		    "                \"role\": \"HUMAN\",\n"
		    "                \"prompt\": \"1+1?\"\n"
		    "            },\n"
		    "            {\n"
		    "                \"role\": \"BOT\",\n"
		    "                \"prompt\": \"\"\n"
		    "            }\n"
		    "        ],\n"
		    "        \"prediction\": \"The answer is C.\",\n"
		    "        \"gold\": \"C\"\n"
		    "    },\n"
		    "    \"1\": {\n"
		    "        \"origin_prompt\": \"2+2?\",\n"
		    "        \"prediction\": \"joy\",\n"
		    "        \"gold\": [\n"
		    "            \"joy\",\n"
		    "            \"bliss\"\n"
		    "        ]\n"
		    "    },\n"
		    "    \"2\": {\n"
		    "        \"origin_prompt\": \"x\",\n"
		    "        \"prediction\": \"\"\n"
		    "    },\n"
		    "    \"3\": {\n"
		    "        \"gold\": [\n"
		    "            \"a\",\n"
		    "            \"b\"\n"
		    "        ],\n"
		    "        \"prediction\": [\n"
		    "            \"a\",\n"
		    "            \"C\"\n"
		    "        ],\n"
		    "        \"origin_prompt\": [\n"
		    "            [\n"
		    "                {\n"
		    "                    \"role\": \"HUMAN\",\n"
		    "                    \"prompt\": \"q\"\n"
		    "                }\n"
		    "            ]\n"
		    "        ]\n"
		    "    }\n"
		    "}"),
     .reader = "opencompass",
     .want = "run 0 model=qwen-7b\n"
	     "prediction 0 key=0 raw=The answer is C. extracted=C answered(=C) of key=0 media=none"
	     " question=1+1? truth=original(=C) creates\n"
	     "prediction 0 key=1 raw=joy answered(=joy) of key=1 media=none question=2+2? truth=or"
	     "iginal(=joy =bliss) creates\n"
	     "prediction 0 key=2 raw= empty() of key=2 media=none question=x creates\n"
	     "prediction 0 key=3 raw=C answered(=C) of key=3 media=none truth=original(=a =b) crea"
	     "tes\n",
     .problems = ""},
    {.name = "opencompass: perplexities; a blank one",
     .file = "predictions/m/piqa.json",
     .bytes = BYTES("{\n"
		    "    \"0\": {\n"
		    "        \"in-context examples\": \"\",\n"
		    "        \"origin_prompt\": \"Q\",\n"
		    "        \"label: A\": {\n"
		    "            \"testing input\": \"Q\",\n"
		    "            \"prompt\": \"Q A\",\n"
		    "            \"PPL\": 1.5\n"
		    "        },\n"
		    "        \"label: B\": {\n"
		    "            \"testing input\": \"Q\",\n"
		    "            \"prompt\": \"Q B\",\n"
		    "            \"PPL\": 0.25\n"
		    "        },\n"
		    "        \"prediction\": \"B\",\n"
		    "        \"gold\": \"A\"\n"
		    "    },\n"
		    "    \"1\": {\n"
		    "        \"label: A\": {\n"
		    "            \"PPL\": NaN\n"
		    "        },\n"
		    "        \"label: B\": \"x\",\n"
		    "        \"prediction\": \"A\"\n"
		    "    }\n"
		    "}"),
     .reader = "opencompass",
     .want = "run 0 model=m\n"
	     "prediction 0 key=0 raw=B answered(=B) score=0.25 number=PPL A:1.5 number=PPL B:0.25 "
	     "of key=0 media=none question=Q option=A option=B truth=original(=A) creates\n"
	     "prediction 0 key=1 raw=A answered(=A) of key=1 media=none option=A creates\n",
     .problems = ""},
    {.name = "opencompass: conditional probabilities of choices",
     .file = "predictions/m/clp.json",
     .bytes = BYTES("{\"0\": {\"testing input\": \"t\", \"prompt\": \"p\", \"choices\": [\"no\", "
		    "\"yes\"], \"prediction\": [0.25, 0.75], \"pred_label\": 1, \"gold\": 0}}"),
     .reader = "opencompass",
     .want = "run 0 model=m\n"
	     "prediction 0 key=0 raw=yes answered(=yes) score=0.75 of key=0 media=none question=t "
	     "option=no option=yes truth=original(=no) creates\n",
     .problems = ""},
    {.name = "opencompass: lines of a run that was interrupted",
     .file = "predictions/m/tmp_x.json",
     .bytes = BYTES("{\"idx\":4,\"origin_prompt\":\"a\",\"prediction\":\"joy\",\"gold\":\"joy\"}\n"
		    "{\"idx\":\"5\",\"origin_prompt\":\"b\",\"prediction\":\"fear\"}\n"
		    "{\"origin_prompt\":\"b\",\"prediction\":\"fear\"}\n"),
     .reader = "opencompass",
     .want = "run 0 model=m\n"
	     "prediction 0 key=4 raw=joy answered(=joy) of key=4 media=none question=a truth=origi"
	     "nal(=joy) creates\n"
	     "prediction 0 key=5 raw=fear answered(=fear) of key=5 media=none question=b creates\n",
     .problems = "skipped 3:114 idx: expected the row's position, got nothing\n"},
    {.name = "opencompass: a number behind the name alone makes no shard",
     .file = "predictions/m/set_3.json",
     .bytes = BYTES("{\"0\":{\"origin_prompt\":\"q\",\"prediction\":\"joy\"}}"),
     .reader = "opencompass",
     .want = "run 0 model=m\n"
	     "prediction 0 key=0 raw=joy answered(=joy) of key=0 media=none question=q creates\n",
     .problems = ""},
};

static const struct reader_case batch[] = {
    {.name = "batch: answers in any order, refusals, errors",
     .file = "batch_1_output.jsonl",
     .bytes = BYTES("{\"id\":\"batch_req_1\",\"custom_id\":\"img-2\",\"response\":{\"status_code\""
		    ":200,\"request_id\":\"r\",\"body\":{\"id\":\"c\",\"object\":\"chat.completion"
		    "\",\"model\":\"m-1\",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assist"
		    "ant\",\"content\":\"joy\",\"refusal\":null},\"logprobs\":null,\"finish_reason"
		    "\":\"stop\"}],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":2,\"total_"
		    "tokens\":11}}},\"error\":null}\n"
		    "{\"id\":\"batch_req_1\",\"custom_id\":\"img-1\",\"response\":{\"status_code\""
		    ":200,\"request_id\":\"r\",\"body\":{\"id\":\"c\",\"object\":\"chat.completion"
		    "\",\"model\":\"m-1\",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assist"
		    "ant\",\"content\":null,\"refusal\":\"I can't.\"},\"logprobs\":null,\"finish_r"
		    "eason\":\"stop\"}],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":2,\"t"
		    "otal_tokens\":11}}},\"error\":null}\n"
		    "{\"id\":\"batch_req_1\",\"custom_id\":\"img-3\",\"response\":{\"status_code\""
		    ":200,\"request_id\":\"r\",\"body\":{\"id\":\"c\",\"object\":\"chat.completion"
		    "\",\"model\":\"m-1\",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assist"
		    "ant\",\"content\":\"\",\"refusal\":null},\"logprobs\":null,\"finish_reason\":"
		    "\"content_filter\"}],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":2,"
		    "\"total_tokens\":11}}},\"error\":null}\n"
		    "{\"id\":\"batch_req_1\",\"custom_id\":\"img-4\",\"response\":{\"status_code\""
		    ":200,\"request_id\":\"r\",\"body\":{\"id\":\"c\",\"object\":\"chat.completion"
		    "\",\"model\":\"m-1\",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assist"
		    "ant\",\"content\":\" \",\"refusal\":null},\"logprobs\":null,\"finish_reason\""
		    ":\"stop\"}],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":2,\"total_to"
		    "kens\":11}}},\"error\":null}\n"
		    "{\"id\":\"b\",\"custom_id\":\"img-5\",\"response\":{\"status_code\":429,\"req"
		    "uest_id\":\"\",\"body\":{\"error\":{\"message\":\"Rate limit\",\"type\":\"t\""
		    "}}},\"error\":null}\n"
		    "{\"id\":\"b\",\"custom_id\":\"img-6\",\"response\":null,\"error\":{\"code\":"
		    "\"batch_expired\",\"message\":\"This request could not be executed\"}}\n"
		    "{\"id\":\"b\",\"custom_id\":\"img-7\",\"response\":{\"status_code\":200,\"bod"
		    "y\":{\"model\":\"m-1\",\"choices\":[]}},\"error\":null}\n"
		    "{\"id\":\"b\",\"custom_id\":\"\",\"response\":null,\"error\":null}\n"),
     .reader = "batch",
     .want = "run 0 model=m-1\n"
	     "prediction 0 key=img-2 raw=joy answered(=joy) tokens=2 details={\"finish_reason\":\""
	     "stop\"} of key=img-2 media=none creates\n"
	     "prediction 0 key=img-1 raw=I can't. refused() tokens=2 details={\"finish_reason\":\""
	     "stop\"} of key=img-1 media=none creates\n"
	     "prediction 0 key=img-3 refused() tokens=2 details={\"finish_reason\":\"content_filte"
	     "r\"} of key=img-3 media=none creates\n"
	     "prediction 0 key=img-4 raw=  empty() tokens=2 details={\"finish_reason\":\"stop\"} o"
	     "f key=img-4 media=none creates\n"
	     "prediction 0 key=img-7 error() error=the response has no answer in it of key=img-7 m"
	     "edia=none creates\n"
	     "prediction 0 key=img-5 error() error=Rate limit of key=img-5 media=none creates\n"
	     "prediction 0 key=img-6 error() error=This request could not be executed of key=img-6"
	     " media=none creates\n",
     .problems = "skipped 8:1808 custom_id: expected the request's id, got nothing\n"},
    {.name = "batch: a failure before any answer belongs to the run that comes",
     .file = "out.jsonl",
     .bytes = BYTES("{\"custom_id\":\"a\",\"response\":null,\"error\":{\"message\":\"late\"}}\n"
		    "{\"custom_id\":\"b\",\"response\":{\"status_code\":200,\"body\":{\"model\":\"m\",\"choices\":"
		    "[{\"message\":{\"content\":\"joy\"}}]}},\"error\":null}\n"),
     .reader = "batch",
     .want = "run 0 model=m\n"
	     "prediction 0 key=b raw=joy answered(=joy) of key=b media=none creates\n"
	     "prediction 0 key=a error() error=late of key=a media=none creates\n"},
    {.name = "batch: what was asked for are samples",
     .file = "in.jsonl",
     .bytes = BYTES("{\"custom_id\":\"a\",\"method\":\"POST\",\"url\":\"/v1/chat/completions\",\"body\":{\"model\":"
		    "\"m\",\"messages\":[{\"role\":\"system\",\"content\":\"Be brief.\"},{\"role\":\"user\",\"content\":"
		    "[{\"type\":\"text\",\"text\":\"What?\"},{\"type\":\"image_url\",\"image_url\":{\"url\":"
		    "\"file:///p/1.jpg\"}},{\"type\":\"image_url\",\"image_url\":{\"url\":\"https://x/2.jpg\"}}]}]}}\n"
		    "{\"custom_id\":\"b\",\"method\":\"POST\",\"url\":\"/v1/responses\",\"body\":{\"model\":\"m\","
		    "\"input\":[{\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":\"Who?\"},{\"type\":"
		    "\"input_image\",\"image_url\":\"file:///p/3.jpg\"}]}]}}\n"
		    "{\"custom_id\":\"c\",\"method\":\"POST\",\"url\":\"/v1/responses\",\"body\":{\"input\":\"Why?\"}}\n"),
     .reader = "batch",
     .want = "sample key=a media=image path=/p/1.jpg question=What? creates declares\n"
	     "sample key=b media=image path=/p/3.jpg question=Who? creates declares\n"
	     "sample key=c media=none question=Why? creates declares\n"},
    {.name = "batch: /v1/responses, and vLLM of old and new",
     .file = "out.jsonl",
     .bytes = BYTES("{\"id\":\"b\",\"custom_id\":1,\"response\":{\"status_code\":200,\"body\":{\"o"
		    "bject\":\"response\",\"model\":\"o\",\"output\":[{\"type\":\"reasoning\",\"co"
		    "ntent\":[{\"type\":\"reasoning_text\",\"text\":\"hm\"}]},{\"type\":\"message"
		    "\",\"content\":[{\"type\":\"output_text\",\"text\":\"fear\"}]}],\"usage\":{\""
		    "output_tokens\":5}}},\"error\":null}\n"
		    "{\"id\":\"b\",\"custom_id\":\"2\",\"response\":{\"status_code\":200,\"body\":"
		    "{\"object\":\"response\",\"model\":\"o\",\"output\":[{\"type\":\"message\",\""
		    "content\":[{\"type\":\"refusal\",\"refusal\":\"No.\"}]}]}},\"error\":null}\n"
		    "{\"id\":\"vllm-1\",\"custom_id\":\"3\",\"response\":{\"id\":\"cmpl\",\"object"
		    "\":\"chat.completion\",\"created\":1,\"model\":\"o\",\"choices\":[{\"index\":"
		    "0,\"message\":{\"role\":\"assistant\",\"content\":\"awe\",\"reasoning_content"
		    "\":\"because\"},\"finish_reason\":\"stop\"}],\"usage\":{\"completion_tokens\""
		    ":1}},\"error\":null}\n"
		    "{\"id\":\"vllm-2\",\"custom_id\":\"4\",\"response\":{\"status_code\":200,\"re"
		    "quest_id\":\"x\",\"body\":{\"model\":\"o\",\"choices\":[{\"message\":{\"conte"
		    "nt\":[{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"text\",\"text\":\"b\"}]}"
		    "}]}},\"error\":null}\n"),
     .reader = "batch",
     .want = "run 0 model=o\n"
	     "prediction 0 key=1 raw=fear answered(=fear) tokens=5 of key=1 media=none creates\n"
	     "prediction 0 key=2 raw=No. refused() of key=2 media=none creates\n"
	     "prediction 0 key=3 raw=awe answered(=awe) tokens=1 details={\"finish_reason\":\"stop"
	     "\"} steps=because of key=3 media=none creates\n"
	     "prediction 0 key=4 raw=a\n"
	     "b answered(=a\n"
	     "b) of key=4 media=none creates\n",
     .problems = ""},
    {.name = "batch: errors alone, in a file of their own",
     .file = "m_errors.jsonl",
     .bytes = BYTES("{\"id\":\"b\",\"custom_id\":\"9\",\"response\":{\"status_code\":400,\"body\":"
		    "{\"error\":{\"message\":\"bad\"}}},\"error\":null}\n"),
     .reader = "batch",
     .want = "run 0 model=m_errors\n"
	     "prediction 0 key=9 error() error=bad of key=9 media=none creates\n",
     .problems = ""},
};

static const struct reader_case letters[] = {
    {.name = "letters are the options of the row; the response stays",
     .file = "p.jsonl",
     .bytes = BYTES("{\"id\":\"a\",\"options\":[\"shark\",\"goldfish\"],\"label\":\"goldfish\",\"p"
		    "rediction\":\"B\",\"model\":\"m\"}\n"
		    "{\"id\":\"b\",\"options\":[\"shark\",\"goldfish\"],\"label\":\"A\",\"predicti"
		    "on\":\"b\",\"model\":\"m\"}\n"
		    "{\"id\":\"c\",\"options\":[\"B\",\"A\"],\"label\":\"A\",\"prediction\":\"B\","
		    "\"model\":\"m\"}\n"
		    "{\"id\":\"d\",\"options\":[\"shark\"],\"label\":\"shark\",\"prediction\":\"B"
		    "\",\"model\":\"m\"}\n"
		    "{\"id\":5,\"options\":{\"A\":\"x\",\"B\":\"y\"},\"labels_x\":\"B\",\"raw\":\""
		    "I say B\",\"prediction\":\"B\",\"model\":\"m\"}\n"
		    "{\"id\":\"6\",\"label\":\"B\",\"prediction\":\"B\",\"model\":\"m\"}\n"),
     .reader = "generic",
     .want = "run 0 model=m\n"
	     "prediction 0 key=a raw=B answered(=goldfish) of key=a media=none option=shark option"
	     "=goldfish truth=original(=goldfish) creates\n"
	     "prediction 0 key=b raw=b answered(=goldfish) of key=b media=none option=shark option"
	     "=goldfish truth=original(=shark) creates\n"
	     "prediction 0 key=c raw=B answered(=B) of key=c media=none option=B option=A truth=or"
	     "iginal(=A) creates\n"
	     "prediction 0 key=d raw=B answered(=B) of key=d media=none option=shark truth=origina"
	     "l(=shark) creates\n"
	     "prediction 0 key=5 raw=I say B extracted=B answered(=y) of key=5 media=none option=x"
	     " option=y truth=x(=y) creates\n"
	     "prediction 0 key=6 raw=B answered(=B) of key=6 media=none truth=original(=B) creates"
	     "\n",
     .problems = ""},
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
	n = add_reader_cases(tests, n, run_case, opencompass, COUNT(opencompass));
	n = add_reader_cases(tests, n, run_case, batch, COUNT(batch));
	n = add_reader_cases(tests, n, run_case, letters, COUNT(letters));
	return _cmocka_run_group_tests("stored", tests, n, NULL, NULL);
}
