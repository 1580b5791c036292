/* The readers of logs and of results that studies publish, on small files of the same shape. */
#include "tests/unit/lib_readers.h"

#define BYTES(lit) {(lit), sizeof(lit) - 1}

static const struct reader_case inspect[] = {
    {.name = "inspect: choices, epochs, texts that stand apart, scores of all kinds",
     .file = "log.json",
     .bytes = BYTES("{\n"
		    " \"version\": 2,\n"
		    " \"status\": \"success\",\n"
		    " \"eval\": {\n"
		    "  \"task\": \"faces\",\n"
		    "  \"created\": \"2025-01-01\",\n"
		    "  \"dataset\": {\n"
		    "   \"name\": \"faces\"\n"
		    "  },\n"
		    "  \"model\": \"openai/gpt-4o\"\n"
		    " },\n"
		    " \"plan\": {},\n"
		    " \"results\": {\n"
		    "  \"total_samples\": 1\n"
		    " },\n"
		    " \"stats\": {},\n"
		    " \"samples\": [\n"
		    "  {\n"
		    "   \"id\": 1,\n"
		    "   \"epoch\": 1,\n"
		    "   \"input\": [\n"
		    "    {\n"
		    "     \"role\": \"system\",\n"
		    "     \"content\": \"S\"\n"
		    "    },\n"
		    "    {\n"
		    "     \"role\": \"user\",\n"
		    "     \"content\": [\n"
		    "      {\n"
		    "       \"type\": \"text\",\n"
		    "       \"text\": \"attachment://ab\"\n"
		    "      },\n"
		    "      {\n"
		    "       \"type\": \"image\",\n"
		    "       \"image\": \"img/1.png\"\n"
		    "      }\n"
		    "     ]\n"
		    "    }\n"
		    "   ],\n"
		    "   \"choices\": [\n"
		    "    \"joy\",\n"
		    "    \"fear\"\n"
		    "   ],\n"
		    "   \"target\": \"B\",\n"
		    "   \"messages\": [],\n"
		    "   \"output\": {\n"
		    "    \"model\": \"g\",\n"
		    "    \"choices\": [\n"
		    "     {\n"
		    "      \"message\": {\n"
		    "       \"content\": \"ANSWER: B\",\n"
		    "       \"role\": \"assistant\"\n"
		    "      },\n"
		    "      \"stop_reason\": \"stop\"\n"
		    "     }\n"
		    "    ],\n"
		    "    \"usage\": {\n"
		    "     \"output_tokens\": 2\n"
		    "    },\n"
		    "    \"time\": 1.5\n"
		    "   },\n"
		    "   \"scores\": {\n"
		    "    \"choice\": {\n"
		    "     \"value\": \"C\",\n"
		    "     \"answer\": \"B\",\n"
		    "     \"explanation\": \"ANSWER: B\"\n"
		    "    }\n"
		    "   },\n"
		    "   \"metadata\": {\n"
		    "    \"kind\": \"easy\",\n"
		    "    \"level\": 2,\n"
		    "    \"long\": [\n"
		    "     \"x\"\n"
		    "    ]\n"
		    "   },\n"
		    "   \"attachments\": {\n"
		    "    \"ab\": \"Which one?\"\n"
		    "   }\n"
		    "  },\n"
		    "  {\n"
		    "   \"id\": 1,\n"
		    "   \"epoch\": 2,\n"
		    "   \"input\": \"Which?\",\n"
		    "   \"choices\": [\n"
		    "    \"joy\",\n"
		    "    \"fear\"\n"
		    "   ],\n"
		    "   \"target\": [\n"
		    "    \"A\",\n"
		    "    \"B\"\n"
		    "   ],\n"
		    "   \"output\": {\n"
		    "    \"model\": \"g\",\n"
		    "    \"choices\": [\n"
		    "     {\n"
		    "      \"message\": {\n"
		    "       \"content\": \"ANSWER: A, B\",\n"
		    "       \"role\": \"assistant\"\n"
		    "      },\n"
		    "      \"stop_reason\": \"stop\"\n"
		    "     }\n"
		    "    ],\n"
		    "    \"usage\": {\n"
		    "     \"output_tokens\": 2\n"
		    "    }\n"
		    "   },\n"
		    "   \"scores\": {\n"
		    "    \"choice\": {\n"
		    "     \"value\": \"I\",\n"
		    "     \"answer\": \"A, B\"\n"
		    "    },\n"
		    "    \"model\": {\n"
		    "     \"value\": {\n"
		    "      \"a\": \"P\",\n"
		    "      \"b\": 0.25,\n"
		    "      \"c\": \"odd\"\n"
		    "     }\n"
		    "    },\n"
		    "    \"ok\": {\n"
		    "     \"value\": true\n"
		    "    }\n"
		    "   },\n"
		    "   \"metadata\": {}\n"
		    "  }\n"
		    " ],\n"
		    " \"reductions\": [\n"
		    "  {\n"
		    "   \"scorer\": \"x\",\n"
		    "   \"samples\": []\n"
		    "  }\n"
		    " ]\n"
		    "}"),
     .reader = "inspect",
     .want = "run 0 model=openai/gpt-4o protocol=MC\n"
	     "prediction 0 key=1 raw=ANSWER: B extracted=B answered(=fear) latency=1500 tokens=2 n"
	     "umber=choice:1 details={\"choice explanation\":\"ANSWER: B\"} of key=1 media=image p"
	     "ath=img/1.png question=Which one? option=joy option=fear facet:kind=easy number:leve"
	     "l=2 truth=original(=fear) creates\n"
	     "run 1 model=openai/gpt-4o protocol=MC handle=openai/gpt-4o/mc#2\n"
	     "prediction 1 key=1 raw=ANSWER: A, B extracted=A, B answered(=joy =fear) tokens=2 num"
	     "ber=choice:0 number=model a:0.5 number=model b:0.25 number=ok:1 details={\"model c\""
	     ":\"odd\"} of key=1 media=none question=Which? option=joy option=fear truth=original("
	     "=joy =fear) creates\n",
     .problems = ""},
    {.name = "inspect: failures, refusals, reasoning, an old score, no id",
     .file = "old.json",
     .bytes = BYTES("{\n"
		    " \"version\": 2,\n"
		    " \"status\": \"success\",\n"
		    " \"eval\": {\n"
		    "  \"task\": \"faces\",\n"
		    "  \"created\": \"2025-01-01\",\n"
		    "  \"dataset\": {\n"
		    "   \"name\": \"faces\"\n"
		    "  },\n"
		    "  \"model\": \"openai/gpt-4o\"\n"
		    " },\n"
		    " \"plan\": {},\n"
		    " \"results\": {\n"
		    "  \"total_samples\": 1\n"
		    " },\n"
		    " \"stats\": {},\n"
		    " \"samples\": [\n"
		    "  {\n"
		    "   \"id\": \"a\",\n"
		    "   \"epoch\": 1,\n"
		    "   \"input\": \"Q\",\n"
		    "   \"target\": \" Yes\",\n"
		    "   \"output\": {\n"
		    "    \"model\": \"g\",\n"
		    "    \"choices\": [\n"
		    "     {\n"
		    "      \"message\": {\n"
		    "       \"content\": [\n"
		    "        {\n"
		    "         \"type\": \"reasoning\",\n"
		    "         \"reasoning\": \"hm\"\n"
		    "        },\n"
		    "        {\n"
		    "         \"type\": \"text\",\n"
		    "         \"text\": \"Yes\"\n"
		    "        }\n"
		    "       ],\n"
		    "       \"role\": \"assistant\"\n"
		    "      },\n"
		    "      \"stop_reason\": \"stop\"\n"
		    "     }\n"
		    "    ],\n"
		    "    \"usage\": {\n"
		    "     \"output_tokens\": 2\n"
		    "    }\n"
		    "   },\n"
		    "   \"score\": {\n"
		    "    \"value\": 1,\n"
		    "    \"answer\": \"Yes\"\n"
		    "   }\n"
		    "  },\n"
		    "  {\n"
		    "   \"id\": \"b\",\n"
		    "   \"epoch\": 1,\n"
		    "   \"input\": \"Q\",\n"
		    "   \"target\": \"\",\n"
		    "   \"output\": {\n"
		    "    \"choices\": []\n"
		    "   },\n"
		    "   \"scores\": null,\n"
		    "   \"error\": {\n"
		    "    \"message\": \"timed out\",\n"
		    "    \"traceback\": \"t\"\n"
		    "   }\n"
		    "  },\n"
		    "  {\n"
		    "   \"id\": \"c\",\n"
		    "   \"epoch\": 1,\n"
		    "   \"input\": [\n"
		    "    {\n"
		    "     \"role\": \"user\",\n"
		    "     \"content\": [\n"
		    "      {\n"
		    "       \"type\": \"image\",\n"
		    "       \"image\": \"data:image/png;base64,AAAA\"\n"
		    "      },\n"
		    "      {\n"
		    "       \"type\": \"image\",\n"
		    "       \"image\": \"attachment://no\"\n"
		    "      }\n"
		    "     ]\n"
		    "    }\n"
		    "   ],\n"
		    "   \"target\": \"x\",\n"
		    "   \"output\": {\n"
		    "    \"model\": \"g\",\n"
		    "    \"choices\": [\n"
		    "     {\n"
		    "      \"message\": {\n"
		    "       \"content\": \"No.\",\n"
		    "       \"role\": \"assistant\"\n"
		    "      },\n"
		    "      \"stop_reason\": \"content_filter\"\n"
		    "     }\n"
		    "    ],\n"
		    "    \"usage\": {\n"
		    "     \"output_tokens\": 2\n"
		    "    }\n"
		    "   },\n"
		    "   \"scores\": {}\n"
		    "  },\n"
		    "  {\n"
		    "   \"id\": \"d\",\n"
		    "   \"epoch\": 1,\n"
		    "   \"input\": \"Q\",\n"
		    "   \"target\": \"x\",\n"
		    "   \"output\": {\n"
		    "    \"choices\": [],\n"
		    "    \"error\": \"overloaded\"\n"
		    "   },\n"
		    "   \"scores\": {}\n"
		    "  },\n"
		    "  {\n"
		    "   \"epoch\": 1,\n"
		    "   \"input\": \"Q\"\n"
		    "  },\n"
		    "  7\n"
		    " ],\n"
		    " \"reductions\": [\n"
		    "  {\n"
		    "   \"scorer\": \"x\",\n"
		    "   \"samples\": []\n"
		    "  }\n"
		    " ]\n"
		    "}"),
     .reader = "inspect",
     .want = "run 0 model=openai/gpt-4o\n"
	     "prediction 0 key=a raw=Yes answered(=Yes) tokens=2 number=score:1 steps=hm of key=a "
	     "media=none question=Q truth=original(=Yes) creates\n"
	     "prediction 0 key=b error() error=timed out of key=b media=none question=Q creates\n"
	     "prediction 0 key=c raw=No. refused() tokens=2 of key=c media=image truth=original(=x"
	     ") creates\n"
	     "prediction 0 key=d error() error=overloaded of key=d media=none question=Q truth=ori"
	     "ginal(=x) creates\n",
     .problems = "skipped 113:1663 id: expected the sample's id, got nothing\n"
		 "skipped 117:1703 expected an object in braces\n"},
    {.name = "inspect: a head without samples",
     .file = "head.json",
     .bytes = BYTES("{\n"
		    " \"version\": 2,\n"
		    " \"status\": \"success\",\n"
		    " \"eval\": {\n"
		    "  \"task\": \"faces\",\n"
		    "  \"created\": \"2025-01-01\",\n"
		    "  \"dataset\": {\n"
		    "   \"name\": \"faces\"\n"
		    "  },\n"
		    "  \"model\": \"openai/gpt-4o\"\n"
		    " },\n"
		    " \"plan\": {},\n"
		    " \"results\": {\n"
		    "  \"total_samples\": 1\n"
		    " },\n"
		    " \"stats\": {},\n"
		    " \"reductions\": [\n"
		    "  {\n"
		    "   \"scorer\": \"x\",\n"
		    "   \"samples\": []\n"
		    "  }\n"
		    " ]\n"
		    "}"),
     .reader = "inspect",
     .want = "",
     .problems = ""},
};

static const struct reader_case observer[] = {
    {.name = "observer: statements of MVEI, rollouts are repeats",
     .file = "baselines/Qwen2.5-VL/Std_MVEI_results.json",
     .bytes = BYTES("{\"m1\": {\"image_path\": \"../benchmarks/MVEI/images/awe/1.jpg\", \"prompt\""
		    ": \"P\", \"ground_truth\": \"correct\", \"other_info\": {\"statement_meta\": "
		    "{\"class\": \"scene context\"}}, \"generations\": [\"<think>A</think><answer>"
		    "Incorrect</answer>\", \"Correct.\"]}, \"m2\": {\"image_path\": \"..\\\\benchm"
		    "arks\\\\x.jpg\", \"prompt\": \"P\", \"ground_truth\": \"incorrect\", \"other_"
		    "info\": {}, \"generations\": [\"<think>hm</think> b\", \"I do not know\", \""
		    "\"]}, \"m3\": {\"image_path\": \"x.jpg\", \"prompt\": \"P\", \"ground_truth\""
		    ": \"incorrect\", \"other_info\": {}, \"generations\": []}}"),
     .reader = "observer",
     .want = "preset is=mvei\n"
	     "class 0 name=Incorrect\n"
	     "class 1 name=Correct\n"
	     "run 0 model=Qwen2.5-VL protocol=ESJ\n"
	     "prediction 0 key=m1 raw=<think>A</think><answer>Incorrect</answer> extracted=Incorre"
	     "ct answered(#0:Incorrect) of key=m1 media=image path=benchmarks/MVEI/images/awe/1.jp"
	     "g statement=P facet:dimension=scene context truth=original(#1:Correct) creates\n"
	     "run 1 model=Qwen2.5-VL protocol=ESJ handle=Qwen2.5-VL/esj#2\n"
	     "prediction 1 key=m1 raw=Correct. answered(#1:Correct) of key=m1 media=image path=ben"
	     "chmarks/MVEI/images/awe/1.jpg statement=P facet:dimension=scene context truth=origin"
	     "al(#1:Correct) creates\n"
	     "prediction 0 key=m2 raw=<think>hm</think> b extracted=b answered(#0:Incorrect) of ke"
	     "y=m2 media=image path=benchmarks/x.jpg statement=P truth=original(#0:Incorrect) crea"
	     "tes\n"
	     "prediction 1 key=m2 raw=I do not know refused() of key=m2 media=image path=benchmark"
	     "s/x.jpg statement=P truth=original(#0:Incorrect) creates\n"
	     "run 2 model=Qwen2.5-VL protocol=ESJ handle=Qwen2.5-VL/esj#3\n"
	     "prediction 2 key=m2 raw= empty() of key=m2 media=image path=benchmarks/x.jpg stateme"
	     "nt=P truth=original(#0:Incorrect) creates\n",
     .problems = "skipped 1:411 generations: expected a list of answers\n"},
    {.name = "observer: candidates; the first one where none is named",
     .file = "b/m/Std_VECBench_results.json",
     .bytes = BYTES("{\n"
		    " \"v1\": {\n"
		    "  \"image_path\": \"a.jpg\",\n"
		    "  \"prompt\": \"P\",\n"
		    "  \"ground_truth\": \"awe\",\n"
		    "  \"other_info\": {\n"
		    "   \"candidates\": [\n"
		    "    \"joy\",\n"
		    "    \"awe\"\n"
		    "   ],\n"
		    "   \"task\": \"FI-8\"\n"
		    "  },\n"
		    "  \"generations\": [\n"
		    "   \"It is Awe or joy\"\n"
		    "  ]\n"
		    " },\n"
		    " \"v2\": {\n"
		    "  \"image_path\": \"a.jpg\",\n"
		    "  \"prompt\": \"P\",\n"
		    "  \"ground_truth\": \"awe\",\n"
		    "  \"other_info\": {\n"
		    "   \"candidates\": [\n"
		    "    \"joy\",\n"
		    "    \"awe\"\n"
		    "   ],\n"
		    "   \"task\": \"FI-8\"\n"
		    "  },\n"
		    "  \"generations\": [\n"
		    "   \"nothing\"\n"
		    "  ]\n"
		    " }\n"
		    "}"),
     .reader = "observer",
     .skip_to = "value=Artphoto-8 parent=ood_ver\n",
     .want = "run 0 model=m\n"
	     "prediction 0 key=v1 raw=It is Awe or joy answered(=joy) of key=v1 media=image path=a"
	     ".jpg question=P option=joy option=awe facet:task=FI-8 truth=original(=awe) creates\n"
	     "prediction 0 key=v2 raw=nothing answered(=joy) number=fallback:1 of key=v2 media=ima"
	     "ge path=a.jpg question=P option=joy option=awe facet:task=FI-8 truth=original(=awe) "
	     "creates\n",
     .problems = ""},
    {.name = "observer: pairs of images, letters",
     .file = "b/m/Std_EEmo_Bench_Pair_Perception_results.json",
     .bytes = BYTES("{\"e1\": {\"image_path\": [\"a.jpg\", \"b.jpg\"], \"prompt\": \"P\", \"ground"
		    "_truth\": \"B\", \"other_info\": {\"question_type\": \"What/How\"}, \"generat"
		    "ions\": [\"<answer>b.\"]}, \"e2\": {\"image_path\": [\"a.jpg\", \"b.jpg\"], "
		    "\"prompt\": \"P\", \"ground_truth\": \"B\", \"other_info\": {\"question_type"
		    "\": \"What/How\"}, \"generations\": [\"second\"]}}"),
     .reader = "observer",
     .want = "run 0 model=m\n"
	     "prediction 0 key=e1 raw=<answer>b. extracted=b. answered(=B) of key=e1 media=images "
	     "path=a.jpg path=b.jpg question=P facet:question_type=What/How truth=original(=B) cre"
	     "ates\n"
	     "prediction 0 key=e2 raw=second answered(=A) number=fallback:1 of key=e2 media=images"
	     " path=a.jpg path=b.jpg question=P facet:question_type=What/How truth=original(=B) cr"
	     "eates\n",
     .problems = ""},
};

static const struct reader_case eemo[] = {
    {.name = "eemo: a run for each model that the keys name",
     .file = "GPT4o.json",
     .bytes = BYTES("[{\"id\": 0, \"image1\": \"images\\\\0.jpg\", \"image1_url\": \"u\", \"image1"
		    "_label\": \"[Image1] Ranking\", \"question\": \"Q\", \"options\": \"{'A': 'No"
		    ".', 'B': 'Yes.'}\", \"correct_answer\": \"B\", \"question_type\": \"Yes-or-No"
		    "\", \"perceptual_dimension\": \"Emotion perception\", \"question_concern\": "
		    "\"x\", \"response(gpt-4o)\": \"B: Yes.\", \"eval_result(gpt-4o)\": 1, \"if_in"
		    "valid(gpt-4o)\": 0}, {\"id\": 1, \"image1\": \"images\\\\1.jpg\", \"image1_ur"
		    "l\": \"u\", \"image1_label\": \"[Image1] Ranking\", \"question\": \"Q\", \"op"
		    "tions\": \"{'A': 'No.', 'B': 'Yes.'}\", \"correct_answer\": \"B\", \"question"
		    "_type\": \"Yes-or-No\", \"perceptual_dimension\": \"Emotion perception\", \"q"
		    "uestion_concern\": \"x\", \"response(gpt-4o)\": \"hm\", \"eval_result(gpt-4o)"
		    "\": 1, \"if_invalid(gpt-4o)\": 0, \"response(qwen vl)\": \"A\", \"eval_result"
		    "(qwen vl)\": 0, \"image2\": \"images\\\\2.jpg\"}, {\"id\": 2, \"image1\": \"a"
		    ".jpg\", \"question\": \"Describe\", \"question_type\": \"Open_ended\", \"desc"
		    "ribing_dimension\": \"d\", \"correct_answer\": \"It is sad.\", \"response(gpt-"
		    "4o)\": \"A long text\", \"eval_resu"
		    "lt(gpt-4o)\": [\"0\", \"2\"]}, {\"response(gpt-4o)\": \"x\"}]"),
     .reader = "eemo",
     .want = "run 0 model=gpt-4o\n"
	     "prediction 0 key=0 raw=B: Yes. answered(=Yes.) number=eval_result:1 number=if_invali"
	     "d:0 of key=0 media=image path=images/0.jpg question=Q option=No. option=Yes. facet:q"
	     "uestion_type=Yes-or-No facet:perceptual_dimension=Emotion perception facet:question_"
	     "concern=x truth=original(=Yes.) creates\n"
	     "prediction 0 key=1 raw=hm unparsed() number=eval_result:1 number=if_invalid:0 of key"
	     "=1 media=images path=images/1.jpg path=images/2.jpg question=Q option=No. option=Yes"
	     ". facet:question_type=Yes-or-No facet:perceptual_dimension=Emotion perception facet:"
	     "question_concern=x truth=original(=Yes.) creates\n"
	     "run 1 model=qwen vl\n"
	     "prediction 1 key=1 raw=A answered(=No.) number=eval_result:0 of key=1 media=images p"
	     "ath=images/1.jpg path=images/2.jpg question=Q option=No. option=Yes. facet:question_"
	     "type=Yes-or-No facet:perceptual_dimension=Emotion perception facet:question_concern="
	     "x truth=original(=Yes.) creates\n"
	     "prediction 0 key=2 raw=A long text answered(=A long text) details={\"eval_result\":["
	     "\"0\",\"2\"]} of key=2 media=image path=a.jpg question=Describe facet:question_type="
	     "Open_ended facet:describing_dimension=d extra={\"correct_answer\":\"It is sad.\"} creates\n",
     .problems = "skipped 1:1004 id: expected the question's id, got nothing\n"},
    {.name = "eemo: an option is said without its full stop, too",
     .file = "m.json",
     .bytes = BYTES("[{\"id\": 0, \"options\": \"{'A': 'No.', 'B': 'Yes.'}\", \"correct_answer\": "
		    "\"B\", \"response(m)\": \"yes\"},"
		    "{\"id\": 1, \"options\": \"{'A': 'No.', 'B': 'Yes.'}\", \"correct_answer\": "
		    "\"A\", \"response(m)\": \"No, they are not\"},"
		    "{\"id\": 2, \"options\": \"{'A': '10.', 'B': '10'}\", \"correct_answer\": "
		    "\"A\", \"response(m)\": \"10\"}]"),
     .reader = "eemo",
     .want = "run 0 model=m\n"
	     "prediction 0 key=0 raw=yes answered(=Yes.) of key=0 media=none option=No. option=Yes. "
	     "truth=original(=Yes.) creates\n"
	     "prediction 0 key=1 raw=No, they are not answered(=No.) of key=1 media=none option=No. "
	     "option=Yes. truth=original(=No.) creates\n"
	     "prediction 0 key=2 raw=10 answered(=10) of key=2 media=none option=10. option=10 "
	     "truth=original(=10.) creates\n",
     .problems = ""},
};

static const struct reader_case reimagenet[] = {
    {.name = "reimagenet: top-5 table, labels that are lists",
     .file = "eva02-preds.csv",
     .bytes = BYTES("img_id,original_label,top_1_pred,top_2_pred\n"
		    "ILSVRC2012_val_00000001.JPEG,7,9,7\n"
		    "val/ILSVRC2012_val_00000002.JPEG,\"[7, 9]\",-1,\n"
		    "x/ILSVRC2012_val_00000003.JPEG,\"7,9\",,\n"
		    ",1,2,3\n"),
     .reader = "reimagenet",
     .want = "run 0 model=eva02\n"
	     "prediction 0 key=ILSVRC2012_val_00000001 raw=9 answered(#9:9) details={\"top_2_pred"
	     "\":\"7\"} of key=ILSVRC2012_val_00000001 media=image path=ILSVRC2012_val_00000001.JP"
	     "EG truth=original(#7:7) creates\n"
	     "prediction 0 key=ILSVRC2012_val_00000002 raw=-1 oop() of key=ILSVRC2012_val_00000002"
	     " media=image path=val/ILSVRC2012_val_00000002.JPEG truth=original(#7:7 #9:9) creates"
	     "\n"
	     "prediction 0 key=ILSVRC2012_val_00000003 empty() of key=ILSVRC2012_val_00000003 medi"
	     "a=image path=x/ILSVRC2012_val_00000003.JPEG truth=original(#7:7 #9:9) creates\n",
     .problems = "skipped 5:164 img_id: expected the image's name, got nothing\n"},
    {.name = "reimagenet: nearest neighbours, k = 11",
     .file = "dino.csv",
     .bytes = BYTES("img_id,original_label,k_1_pred,k_11_pred,k_51_pred\n"
		    "ILSVRC2012_val_00000001.JPEG,7,1,2,3\n"),
     .reader = "reimagenet",
     .want = "run 0 model=dino handle=dino/k11\n"
	     "prediction 0 key=ILSVRC2012_val_00000001 raw=2 answered(#2:2) details={\"k_1_pred\":"
	     "\"1\",\"k_51_pred\":\"3\"} of key=ILSVRC2012_val_00000001 media=image path=ILSVRC201"
	     "2_val_00000001.JPEG truth=original(#7:7) creates\n",
     .problems = ""},
    {.name = "reimagenet: values in every form",
     .file = "gpt54-ow-siglip2_templated.json",
     .bytes = BYTES("{\"predictions\": {\"ILSVRC2012_val_00000001.JPEG\": \"dog\", \"ILSVRC2012_va"
		    "l_00000002.JPEG\": \"dog;cat\", \"ILSVRC2012_val_00000003.JPEG\": 187, \"ILSV"
		    "RC2012_val_00000004.JPEG\": \"187\", \"ILSVRC2012_val_00000005.JPEG\": \"639,"
		    "445\", \"ILSVRC2012_val_00000006.JPEG\": [\"dog\", \"cat\"], \"ILSVRC2012_val"
		    "_00000007.JPEG\": [639, 445], \"ILSVRC2012_val_00000008.JPEG\": {\"label\": 8"
		    "20, \"similarity\": 0.5, \"prob\": 0.9}, \"ILSVRC2012_val_00000009.JPEG\": \""
		    "\", \"x/ILSVRC2012_val_00000001.JPEG\": null, \"y/ILSVRC2012_val_00000002.JPE"
		    "G\": [], \"y/ILSVRC2012_val_00000003.JPEG\": -1, \"y/ILSVRC2012_val_00000004."
		    "JPEG\": \"bikini, maillot\"}, \"meta\": {\"a\": 1}}"),
     .reader = "reimagenet",
     .want = "run 0 model=gpt54 protocol=OW handle=gpt54/ow-siglip2_templated\n"
	     "prediction 0 key=ILSVRC2012_val_00000001 raw=dog answered(=dog) of key=ILSVRC2012_va"
	     "l_00000001 media=image path=ILSVRC2012_val_00000001.JPEG creates\n"
	     "prediction 0 key=ILSVRC2012_val_00000002 raw=dog;cat answered(=dog =cat) of key=ILSV"
	     "RC2012_val_00000002 media=image path=ILSVRC2012_val_00000002.JPEG creates\n"
	     "prediction 0 key=ILSVRC2012_val_00000003 raw=187 answered(#187:187) of key=ILSVRC201"
	     "2_val_00000003 media=image path=ILSVRC2012_val_00000003.JPEG creates\n"
	     "prediction 0 key=ILSVRC2012_val_00000004 raw=187 answered(#187:187) of key=ILSVRC201"
	     "2_val_00000004 media=image path=ILSVRC2012_val_00000004.JPEG creates\n"
	     "prediction 0 key=ILSVRC2012_val_00000005 raw=639,445 answered(#639:639 #445:445) of "
	     "key=ILSVRC2012_val_00000005 media=image path=ILSVRC2012_val_00000005.JPEG creates\n"
	     "prediction 0 key=ILSVRC2012_val_00000006 raw=[\"dog\",\"cat\"] answered(=dog =cat) o"
	     "f key=ILSVRC2012_val_00000006 media=image path=ILSVRC2012_val_00000006.JPEG creates"
	     "\n"
	     "prediction 0 key=ILSVRC2012_val_00000007 raw=[639,445] answered(#639: #445:) of key="
	     "ILSVRC2012_val_00000007 media=image path=ILSVRC2012_val_00000007.JPEG creates\n"
	     "prediction 0 key=ILSVRC2012_val_00000008 raw=820 answered(#820:820) score=0.9 number"
	     "=similarity:0.5 of key=ILSVRC2012_val_00000008 media=image path=ILSVRC2012_val_00000"
	     "008.JPEG creates\n"
	     "prediction 0 key=ILSVRC2012_val_00000009 raw= empty() of key=ILSVRC2012_val_00000009"
	     " media=image path=ILSVRC2012_val_00000009.JPEG creates\n"
	     "prediction 0 key=ILSVRC2012_val_00000001 empty() of key=ILSVRC2012_val_00000001 medi"
	     "a=image path=x/ILSVRC2012_val_00000001.JPEG creates\n"
	     "prediction 0 key=ILSVRC2012_val_00000002 empty() of key=ILSVRC2012_val_00000002 medi"
	     "a=image path=y/ILSVRC2012_val_00000002.JPEG creates\n"
	     "prediction 0 key=ILSVRC2012_val_00000003 raw=-1 oop() of key=ILSVRC2012_val_00000003"
	     " media=image path=y/ILSVRC2012_val_00000003.JPEG creates\n"
	     "prediction 0 key=ILSVRC2012_val_00000004 raw=bikini, maillot answered(=bikini, maill"
	     "ot) of key=ILSVRC2012_val_00000004 media=image path=y/ILSVRC2012_val_00000004.JPEG c"
	     "reates\n",
     .problems = ""},
    {.name = "reimagenet: bare, and its reports",
     .file = "evaluation_report_m_2.json",
     .bytes = BYTES("{\n"
		    " \"ILSVRC2012_val_00000001.JPEG\": {\n"
		    "  \"predicted_class\": 3,\n"
		    "  \"annotation_labels\": [\n"
		    "   3,\n"
		    "   4\n"
		    "  ]\n"
		    " },\n"
		    " \"ILSVRC2012_val_00000002.JPEG\": {\n"
		    "  \"predicted_class\": \"dog\",\n"
		    "  \"annotation_labels\": []\n"
		    " }\n"
		    "}"),
     .reader = "reimagenet",
     .want = "run 0 model=m\n"
	     "prediction 0 key=ILSVRC2012_val_00000001 raw=3 answered(#3:3) of key=ILSVRC2012_val_"
	     "00000001 media=image path=ILSVRC2012_val_00000001.JPEG truth=reannotated(#3: #4:) cr"
	     "eates\n"
	     "prediction 0 key=ILSVRC2012_val_00000002 raw=dog answered(=dog) of key=ILSVRC2012_va"
	     "l_00000002 media=image path=ILSVRC2012_val_00000002.JPEG truth=reannotated() creates"
	     "\n",
     .problems = ""},
    {.name = "reimagenet: answers beside their targets",
     .file = "pred_x-cw.json",
     .bytes = BYTES("{\"n01440764/ILSVRC2012_val_00000001.JPEG\": [1, 0], \"n01440764/ILSVRC2012_v"
		    "al_00000002.JPEG\": [0, 0]}"),
     .reader = "reimagenet",
     .want = "run 0 model=x protocol=CW\n"
	     "prediction 0 key=ILSVRC2012_val_00000001 raw=1 answered(#1:1) of key=ILSVRC2012_val_"
	     "00000001 media=image path=n01440764/ILSVRC2012_val_00000001.JPEG truth=original(#0:0"
	     ") creates\n"
	     "prediction 0 key=ILSVRC2012_val_00000002 raw=0 answered(#0:0) of key=ILSVRC2012_val_"
	     "00000002 media=image path=n01440764/ILSVRC2012_val_00000002.JPEG truth=original(#0:0"
	     ") creates\n",
     .problems = ""},
};

static const struct reader_case faces[] = {
    {.name = "faces: responses to one way of asking, by the name of the file",
     .file = "gpt4_image_responses_single_upright_single_noExp.csv",
     .bytes = BYTES("image_name,response,full_response\n"
		    "AD_1.JPG,joy,\"joy, it smiles\"\n"
		    "AD_2.jpg,,\n"
		    ",joy,joy\n"),
     .reader = "faces",
     .want = "run 0 model=gpt-4 protocol=upright-no_explanation handle=upright-no_explanation\n"
	     "prediction 0 key=AD_1 raw=joy, it smiles extracted=joy answered(=joy) of key=AD_1 me"
	     "dia=image path=AD_1.JPG facet:face_type=individual creates\n"
	     "prediction 0 key=AD_2 empty() of key=AD_2 media=image path=AD_2.jpg facet:face_type="
	     "individual creates\n",
     .problems = "skipped 4:75 image_name: expected a picture's name, got nothing\n"},
};

static void run_case(void **state)
{
	run_reader_case(*state);
}

/* Pictures inside a log are told of where they stay there: not by a dry run, which keeps none. */
static void pictures_inside(void **state)
{
	static const char bytes[] =
	    "{\"version\":2,\"status\":\"success\",\"eval\":{\"task\":\"t\",\"model\":\"m\",\"dataset\":{}},"
	    "\"plan\":{},\"samples\":[{\"id\":1,\"epoch\":1,\"input\":[{\"role\":\"user\",\"content\":"
	    "[{\"type\":\"image\",\"image\":\"data:image/png;base64,AAAA\"}]}],\"target\":\"a\","
	    "\"output\":{\"choices\":[]}}]}";

	(void)state;
	for (int given = 0; given < 2; given++) {
		struct read_options opt = {.images = str_z(given ? "photos" : NULL)};
		const struct reader *used;
		struct sink_log log;
		struct report report;
		struct err err = ERR_INIT;

		sink_log_init(&log);
		report_init(&report, "log.json", NULL);
		assert_int_equal(read_bytes("log.json", (struct str){bytes, sizeof bytes - 1}, &opt, &log.sink,
					    &report, &used, &err), OK);
		assert_int_equal(report.notes.n, given);
		if (given)
			assert_string_equal(report.notes.v[0],
					    "the pictures of 1 sample are inside the log and are not shown");
		report_release(&report);
		sink_log_release(&log);
	}
}

int main(void)
{
	struct CMUnitTest tests[200];
	size_t n = 0;

	n = add_reader_cases(tests, n, run_case, inspect, COUNT(inspect));
	n = add_reader_cases(tests, n, run_case, observer, COUNT(observer));
	n = add_reader_cases(tests, n, run_case, eemo, COUNT(eemo));
	n = add_reader_cases(tests, n, run_case, reimagenet, COUNT(reimagenet));
	n = add_reader_cases(tests, n, run_case, faces, COUNT(faces));
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(pictures_inside);
	return _cmocka_run_group_tests("stored", tests, n, NULL, NULL);
}
