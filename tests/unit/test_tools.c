/* Readers of HELM, promptfoo, DeepEval, FiftyOne, VLMEvalKit's benchmarks and folders, on small files of the
 * same shape. */
#include <stdlib.h>
#include <unistd.h>

#include "tests/unit/lib_readers.h"

#define BYTES(lit) {(lit), sizeof(lit) - 1}

static const struct reader_case helm[] = {
    {.name = "helm: letters and their mapping, pictures, failures, trials and completions",
     .file = "runs/v1/emo:model=x/scenario_state.json",
     .bytes = BYTES("{\"adapter_spec\":{\"method\":\"multiple_choice_joint\",\"model\":\"openai/gpt-4o\",\"num_trai"
		    "n_trials\":2},\"request_states\":[{\"instance\":{\"input\":{\"text\":\"Which emotion?\"},\"ref"
		    "erences\":[{\"output\":{\"text\":\"joy\"},\"tags\":[\"correct\"]},{\"output\":{\"text\":\"fear"
		    "\"},\"tags\":[]}],\"split\":\"test\",\"id\":\"id1\"},\"train_trial_index\":0,\"output_mapping\""
		    ":{\"A\":\"joy\",\"B\":\"fear\"},\"request\":{\"model\":\"openai/gpt-4o\",\"prompt\":\"P\"},\"r"
		    "esult\":{\"success\":true,\"embedding\":[],\"completions\":[{\"text\":\" B\",\"logprob\":-0.5,"
		    "\"tokens\":[{\"text\":\" B\",\"logprob\":-0.5}],\"finish_reason\":{\"reason\":\"stop\"}}],\"ca"
		    "ched\":false,\"request_time\":0.25},\"num_train_instances\":0,\"prompt_truncated\":false},{\"i"
		    "nstance\":{\"input\":{\"text\":\"Which emotion?\"},\"references\":[{\"output\":{\"text\":\"joy"
		    "\"},\"tags\":[\"correct\"]},{\"output\":{\"text\":\"fear\"},\"tags\":[]}],\"split\":\"test\",\""
		    "id\":\"id2\"},\"train_trial_index\":0,\"output_mapping\":{\"A\":\"joy\",\"B\":\"fear\"},\"requ"
		    "est\":{\"model\":\"openai/gpt-4o\",\"prompt\":\"P\"},\"result\":{\"success\":true,\"embedding\""
		    ":[],\"completions\":[{\"text\":\"Neither\",\"logprob\":-0.5,\"tokens\":[{\"text\":\"Neither\","
		    "\"logprob\":-0.5}],\"finish_reason\":{\"reason\":\"stop\"}}],\"cached\":false,\"request_time\""
		    ":0.25},\"num_train_instances\":0,\"prompt_truncated\":false},{\"instance\":{\"input\":{\"text\""
		    ":\"\",\"multimedia_content\":{\"media_objects\":[{\"content_type\":\"image/jpeg\",\"location\""
		    ":\"imgs\\\\a.jpg\"},{\"content_type\":\"image/png\",\"location\":\"https://x.org/b.png\"},{\"c"
		    "ontent_type\":\"text/plain\",\"text\":\"What now?\"}]}},\"references\":[{\"output\":{\"text\":"
		    "\"joy\"},\"tags\":[\"correct\"]},{\"output\":{\"text\":\"fear\"},\"tags\":[]}],\"split\":\"tes"
		    "t\",\"id\":\"id3\",\"sub_split\":\"toxic\",\"perturbation\":{\"name\":\"typos\"}},\"train_tria"
		    "l_index\":0,\"output_mapping\":{\"A\":\"joy\",\"B\":\"fear\"},\"request\":{\"model\":\"openai/"
		    "gpt-4o\",\"prompt\":\"P\"},\"result\":{\"success\":true,\"embedding\":[],\"completions\":[{\"t"
		    "ext\":\"Fear, surely\",\"logprob\":-0.5,\"tokens\":[{\"text\":\"Fear, surely\",\"logprob\":-0."
		    "5}],\"finish_reason\":{\"reason\":\"stop\"}}],\"cached\":false,\"request_time\":0.25},\"num_tr"
		    "ain_instances\":0,\"prompt_truncated\":false},{\"instance\":{\"input\":{\"text\":\"Which emoti"
		    "on?\"},\"references\":[{\"output\":{\"text\":\"joy\"},\"tags\":[\"correct\"]},{\"output\":{\"t"
		    "ext\":\"fear\"},\"tags\":[]}],\"split\":\"test\",\"id\":\"id4\"},\"train_trial_index\":0,\"out"
		    "put_mapping\":{\"A\":\"joy\",\"B\":\"fear\"},\"request\":{\"model\":\"openai/gpt-4o\",\"prompt"
		    "\":\"P\"},\"result\":{\"success\":false,\"embedding\":[],\"completions\":[],\"cached\":false,\""
		    "error\":\"429 too many\"},\"num_train_instances\":0,\"prompt_truncated\":false},{\"instance\":"
		    "{\"input\":{\"text\":\"Which emotion?\"},\"references\":[{\"output\":{\"text\":\"joy\"},\"tags"
		    "\":[\"correct\"]},{\"output\":{\"text\":\"fear\"},\"tags\":[]}],\"split\":\"test\",\"id\":\"id"
		    "5\"},\"train_trial_index\":1,\"output_mapping\":{\"A\":\"joy\",\"B\":\"fear\"},\"request\":{\""
		    "model\":\"openai/gpt-4o\",\"prompt\":\"P\"},\"result\":{\"success\":true,\"embedding\":[],\"co"
		    "mpletions\":[{\"text\":\"A\",\"logprob\":-0.5,\"tokens\":[{\"text\":\"A\",\"logprob\":-0.5}],\""
		    "finish_reason\":{\"reason\":\"stop\"}},{\"text\":\" joy\",\"logprob\":0,\"tokens\":[]}],\"cach"
		    "ed\":false,\"request_time\":0.25},\"num_train_instances\":0,\"prompt_truncated\":false},{\"ins"
		    "tance\":{\"input\":{\"text\":\"Which emotion?\"},\"references\":[{\"output\":{\"text\":\"joy\""
		    "},\"tags\":[\"correct\"]},{\"output\":{\"text\":\"fear\"},\"tags\":[]}],\"split\":\"test\"},\""
		    "train_trial_index\":0,\"output_mapping\":{\"A\":\"joy\",\"B\":\"fear\"},\"request\":{\"model\""
		    ":\"openai/gpt-4o\",\"prompt\":\"P\"},\"result\":{\"success\":true,\"embedding\":[],\"completio"
		    "ns\":[{\"text\":\"A\",\"logprob\":-0.5,\"tokens\":[{\"text\":\"A\",\"logprob\":-0.5}],\"finish"
		    "_reason\":{\"reason\":\"stop\"}}],\"cached\":false,\"request_time\":0.25},\"num_train_instance"
		    "s\":0,\"prompt_truncated\":false},7]}"),
     .reader = "helm",
     .want = "run 0 model=openai/gpt-4o protocol=MC\n"
	     "prediction 0 key=id1 raw= B answered(=fear) score=-0.5 latency=250 tokens=1 details={\"finish_"
	     "reason\":\"stop\"} of key=id1 media=none question=Which emotion? option=joy option=fear facet:"
	     "split=test truth=original(=joy) creates\n"
	     "prediction 0 key=id2 raw=Neither unparsed() score=-0.5 latency=250 tokens=1 details={\"finish_"
	     "reason\":\"stop\"} of key=id2 media=none question=Which emotion? option=joy option=fear facet:"
	     "split=test truth=original(=joy) creates\n"
	     "prediction 0 key=id3/typos raw=Fear, surely answered(=fear) score=-0.5 latency=250 tokens=1 de"
	     "tails={\"finish_reason\":\"stop\"} of key=id3/typos media=image path=imgs/a.jpg question=What "
	     "now? option=joy option=fear facet:split=test facet:sub_split=toxic facet:perturbation=typos tr"
	     "uth=original(=joy) creates\n"
	     "prediction 0 key=id4 error() error=429 too many of key=id4 media=none question=Which emotion? "
	     "option=joy option=fear facet:split=test truth=original(=joy) creates\n"
	     "run 1 model=openai/gpt-4o protocol=MC handle=openai/gpt-4o/mc#3\n"
	     "prediction 1 key=id5 raw=A answered(=joy) score=-0.5 latency=250 tokens=1 details={\"finish_re"
	     "ason\":\"stop\"} of key=id5 media=none question=Which emotion? option=joy option=fear facet:sp"
	     "lit=test truth=original(=joy) creates\n"
	     "run 2 model=openai/gpt-4o protocol=MC handle=openai/gpt-4o/mc#4\n"
	     "prediction 2 key=id5 raw= joy answered(=joy) latency=250 of key=id5 media=none question=Which "
	     "emotion? option=joy option=fear facet:split=test truth=original(=joy) creates\n",
     .problems = "skipped 1:2964 instance: expected an instance with an id\n"
		 "skipped 1:3478 expected an object in braces\n"},
    {.name = "helm: several references that are right, an open answer",
     .file = "scenario_state.json",
     .bytes = BYTES("{\"adapter_spec\":{\"method\":\"generation\"},\"request_states\":[{\"instance\":{\"input\":{\""
		    "text\":\"Which emotion?\"},\"references\":[{\"output\":{\"text\":\"joy\"},\"tags\":[\"correct\""
		    "]},{\"output\":{\"text\":\"bliss\"},\"tags\":[\"correct\"]}],\"split\":\"test\",\"id\":\"id1\""
		    "},\"train_trial_index\":0,\"output_mapping\":null,\"request\":{\"model\":\"openai/gpt-4o\",\"p"
		    "rompt\":\"P\"},\"result\":{\"success\":true,\"embedding\":[],\"completions\":[{\"text\":\"blis"
		    "s\",\"logprob\":-0.5,\"tokens\":[{\"text\":\"bliss\",\"logprob\":-0.5}],\"finish_reason\":{\"r"
		    "eason\":\"stop\"}}],\"cached\":false,\"request_time\":0.25},\"num_train_instances\":0,\"prompt"
		    "_truncated\":false}]}"),
     .reader = "helm",
     .want = "run 0 model=openai/gpt-4o\n"
	     "prediction 0 key=id1 raw=bliss answered(=bliss) score=-0.5 latency=250 tokens=1 details={\"fin"
	     "ish_reason\":\"stop\"} of key=id1 media=none question=Which emotion? facet:split=test truth=or"
	     "iginal(=joy =bliss) creates\n",
     .problems = ""},
    {.name = "helm: references scored one by one",
     .file = "scenario_state.json",
     .bytes = BYTES("{\"adapter_spec\":{\"method\":\"multiple_choice_separate_original\",\"model\":\"m\"},\"request"
		    "_states\":[{\"instance\":{\"input\":{\"text\":\"Which emotion?\"},\"references\":[{\"output\":"
		    "{\"text\":\"joy\"},\"tags\":[\"correct\"]},{\"output\":{\"text\":\"fear\"},\"tags\":[]}],\"spl"
		    "it\":\"test\",\"id\":\"id1\"},\"reference_index\":0,\"request_mode\":\"original\",\"train_tria"
		    "l_index\":0,\"request\":{\"prompt\":\"P\"},\"result\":{\"success\":true,\"completions\":[{\"te"
		    "xt\":\"P joy\",\"logprob\":-9,\"tokens\":[{\"text\":\"P\",\"logprob\":-8},{\"text\":\" j\",\"l"
		    "ogprob\":-2.0},{\"text\":\"oy\",\"logprob\":-2.0}]}],\"cached\":false}},{\"instance\":{\"input"
		    "\":{\"text\":\"Which emotion?\"},\"references\":[{\"output\":{\"text\":\"joy\"},\"tags\":[\"co"
		    "rrect\"]},{\"output\":{\"text\":\"fear\"},\"tags\":[]}],\"split\":\"test\",\"id\":\"id1\"},\"r"
		    "eference_index\":1,\"request_mode\":\"original\",\"train_trial_index\":0,\"request\":{\"prompt"
		    "\":\"P\"},\"result\":{\"success\":true,\"completions\":[{\"text\":\"P joy\",\"logprob\":-9,\"t"
		    "okens\":[{\"text\":\"P\",\"logprob\":-8},{\"text\":\" f\",\"logprob\":-0.5},{\"text\":\"ear\","
		    "\"logprob\":-0.5}]}],\"cached\":false}},{\"instance\":{\"input\":{\"text\":\"Which emotion?\"}"
		    ",\"references\":[{\"output\":{\"text\":\"joy\"},\"tags\":[\"correct\"]},{\"output\":{\"text\":"
		    "\"fear\"},\"tags\":[]}],\"split\":\"test\",\"id\":\"id2\"},\"reference_index\":1,\"request_mod"
		    "e\":\"original\",\"train_trial_index\":0,\"request\":{\"prompt\":\"P\"},\"result\":{\"success\""
		    ":true,\"completions\":[{\"text\":\"P joy\",\"logprob\":-9,\"tokens\":[{\"text\":\"P\",\"logpro"
		    "b\":-8},{\"text\":\" f\",\"logprob\":-1.0},{\"text\":\"ear\",\"logprob\":-1.0}]}],\"cached\":f"
		    "alse}}]}"),
     .reader = "helm",
     .want = "run 0 model=m protocol=MC\n"
	     "prediction 0 key=id1 raw=fear answered(=fear) score=-0.5 of key=id1 media=none question=Which "
	     "emotion? option=joy option=fear facet:split=test truth=original(=joy) creates\n"
	     "prediction 0 key=id2 raw=fear answered(=fear) score=-1 of key=id2 media=none question=Which em"
	     "otion? option=joy option=fear facet:split=test truth=original(=joy) creates\n",
     .problems = ""},
    {.name = "helm: references less their calibration",
     .file = "scenario_state.json",
     .bytes = BYTES("{\"adapter_spec\":{\"method\":\"multiple_choice_separate_calibrated\",\"model\":\"m\"},\"reque"
		    "st_states\":[{\"instance\":{\"input\":{\"text\":\"Which emotion?\"},\"references\":[{\"output\""
		    ":{\"text\":\"joy\"},\"tags\":[\"correct\"]},{\"output\":{\"text\":\"fear\"},\"tags\":[]}],\"sp"
		    "lit\":\"test\",\"id\":\"id1\"},\"reference_index\":0,\"request_mode\":\"original\",\"train_tri"
		    "al_index\":0,\"request\":{\"prompt\":\"P\"},\"result\":{\"success\":true,\"completions\":[{\"t"
		    "ext\":\"P joy\",\"logprob\":-9,\"tokens\":[{\"text\":\"P\",\"logprob\":-8},{\"text\":\" j\",\""
		    "logprob\":-1.5},{\"text\":\"oy\",\"logprob\":-1.5}]}],\"cached\":false}},{\"instance\":{\"inpu"
		    "t\":{\"text\":\"Which emotion?\"},\"references\":[{\"output\":{\"text\":\"joy\"},\"tags\":[\"c"
		    "orrect\"]},{\"output\":{\"text\":\"fear\"},\"tags\":[]}],\"split\":\"test\",\"id\":\"id1\"},\""
		    "reference_index\":0,\"request_mode\":\"calibration\",\"train_trial_index\":0,\"request\":{\"pr"
		    "ompt\":\"P\"},\"result\":{\"success\":true,\"completions\":[{\"text\":\"P joy\",\"logprob\":-9"
		    ",\"tokens\":[{\"text\":\"P\",\"logprob\":-8},{\"text\":\" j\",\"logprob\":-1.25},{\"text\":\"o"
		    "y\",\"logprob\":-1.25}]}],\"cached\":false}},{\"instance\":{\"input\":{\"text\":\"Which emotio"
		    "n?\"},\"references\":[{\"output\":{\"text\":\"joy\"},\"tags\":[\"correct\"]},{\"output\":{\"te"
		    "xt\":\"fear\"},\"tags\":[]}],\"split\":\"test\",\"id\":\"id1\"},\"reference_index\":1,\"reques"
		    "t_mode\":\"original\",\"train_trial_index\":0,\"request\":{\"prompt\":\"P\"},\"result\":{\"suc"
		    "cess\":true,\"completions\":[{\"text\":\"P joy\",\"logprob\":-9,\"tokens\":[{\"text\":\"P\",\""
		    "logprob\":-8},{\"text\":\" f\",\"logprob\":-1.75},{\"text\":\"ear\",\"logprob\":-1.75}]}],\"ca"
		    "ched\":false}},{\"instance\":{\"input\":{\"text\":\"Which emotion?\"},\"references\":[{\"outpu"
		    "t\":{\"text\":\"joy\"},\"tags\":[\"correct\"]},{\"output\":{\"text\":\"fear\"},\"tags\":[]}],\""
		    "split\":\"test\",\"id\":\"id1\"},\"reference_index\":1,\"request_mode\":\"calibration\",\"trai"
		    "n_trial_index\":0,\"request\":{\"prompt\":\"P\"},\"result\":{\"success\":true,\"completions\":"
		    "[{\"text\":\"P joy\",\"logprob\":-9,\"tokens\":[{\"text\":\"P\",\"logprob\":-8},{\"text\":\" f"
		    "\",\"logprob\":-0.5},{\"text\":\"ear\",\"logprob\":-0.5}]}],\"cached\":false}},{\"instance\":{"
		    "\"input\":{\"text\":\"Which emotion?\"},\"references\":[{\"output\":{\"text\":\"joy\"},\"tags\""
		    ":[\"correct\"]},{\"output\":{\"text\":\"fear\"},\"tags\":[]}],\"split\":\"test\",\"id\":\"id2\""
		    "},\"reference_index\":0,\"request_mode\":\"calibration\",\"train_trial_index\":0,\"request\":{"
		    "\"prompt\":\"P\"},\"result\":{\"success\":false,\"error\":\"down\"}}]}"),
     .reader = "helm",
     .want = "run 0 model=m protocol=MC\n"
	     "prediction 0 key=id1 raw=joy answered(=joy) score=-0.5 of key=id1 media=none question=Which em"
	     "otion? option=joy option=fear facet:split=test truth=original(=joy) creates\n"
	     "prediction 0 key=id2 error() error=down of key=id2 media=none question=Which emotion? option=j"
	     "oy option=fear facet:split=test truth=original(=joy) creates\n",
     .problems = ""},
};

static const struct reader_case promptfoo[] = {
    {.name = "promptfoo: prompts are runs, a failed assertion is no failed request",
     .file = "results.json",
     .bytes = BYTES("{\"evalId\":\"eval-1\",\"results\":{\"version\":3,\"timestamp\":\"2025\",\"prompts\":[{\"raw\""
		    ":\"Which?\",\"label\":\"Which?\",\"provider\":\"openai:gpt-4o\"},{\"raw\":\"b\",\"label\":\"sh"
		    "ort\",\"provider\":\"openai:gpt-4o\"}],\"results\":[{\"promptIdx\":0,\"testIdx\":0,\"testCase\""
		    ":{\"vars\":{\"image\":\"file://faces/0.png\",\"label\":\"joy\",\"age\":30,\"style\":\"photo\"}"
		    ",\"assert\":[{\"type\":\"llm-rubric\",\"value\":\"x\"},{\"type\":\"icontains\",\"value\":\"{{l"
		    "abel}}\"}]},\"provider\":{\"id\":\"openai:gpt-4o\",\"label\":\"\"},\"prompt\":{\"raw\":\"Which"
		    "? ...\",\"label\":\"Which?\"},\"vars\":{\"image\":\"file://faces/0.png\",\"label\":\"joy\",\"a"
		    "ge\":30,\"style\":\"photo\"},\"response\":{\"output\":\"joy\",\"tokenUsage\":{\"completion\":7"
		    ",\"total\":20}},\"success\":true,\"score\":1,\"namedScores\":{\"tone\":0.5},\"latencyMs\":120,"
		    "\"cost\":0.001,\"gradingResult\":{\"pass\":true,\"score\":1,\"reason\":\"ok\"},\"failureReason"
		    "\":0},{\"promptIdx\":1,\"testIdx\":0,\"testCase\":{\"vars\":{\"image\":\"file://faces/0.png\","
		    "\"label\":\"joy\",\"age\":30,\"style\":\"photo\"},\"assert\":[{\"type\":\"llm-rubric\",\"value"
		    "\":\"x\"},{\"type\":\"icontains\",\"value\":\"{{label}}\"}]},\"provider\":{\"id\":\"openai:gpt"
		    "-4o\",\"label\":\"\"},\"prompt\":{\"raw\":\"b\",\"label\":\"short\"},\"vars\":{\"image\":\"fil"
		    "e://faces/0.png\",\"label\":\"joy\",\"age\":30,\"style\":\"photo\"},\"response\":{\"output\":\""
		    "fear\",\"tokenUsage\":{\"completion\":7,\"total\":20}},\"success\":false,\"score\":1,\"namedSc"
		    "ores\":{\"tone\":0.5},\"latencyMs\":120,\"cost\":0.001,\"gradingResult\":{\"pass\":true,\"scor"
		    "e\":1,\"reason\":\"ok\"},\"failureReason\":1,\"error\":\"Expected output to contain joy\"},{\""
		    "promptIdx\":0,\"testIdx\":1,\"testCase\":{\"vars\":{\"image\":\"file://faces/1.png\",\"label\""
		    ":\"joy\",\"age\":30,\"style\":\"photo\"},\"assert\":[{\"type\":\"llm-rubric\",\"value\":\"x\"}"
		    ",{\"type\":\"icontains\",\"value\":\"{{label}}\"}]},\"provider\":{\"id\":\"openai:gpt-4o\",\"l"
		    "abel\":\"\"},\"prompt\":{\"raw\":\"Which? ...\",\"label\":\"Which?\"},\"vars\":{\"image\":\"fi"
		    "le://faces/1.png\",\"label\":\"joy\",\"age\":30,\"style\":\"photo\"},\"response\":{\"error\":\""
		    "API error: 500\"},\"success\":true,\"score\":1,\"namedScores\":{\"tone\":0.5},\"latencyMs\":12"
		    "0,\"cost\":0.001,\"gradingResult\":{\"pass\":true,\"score\":1,\"reason\":\"ok\"},\"failureReas"
		    "on\":2,\"error\":\"API error: 500\"},{\"promptIdx\":0,\"testIdx\":2,\"testCase\":{\"vars\":{\""
		    "image\":\"file://faces/2.png\",\"label\":\"joy\",\"age\":30,\"style\":\"photo\"},\"assert\":[{"
		    "\"type\":\"llm-rubric\",\"value\":\"x\"},{\"type\":\"icontains\",\"value\":\"{{label}}\"}]},\""
		    "provider\":{\"id\":\"openai:gpt-4o\",\"label\":\"\"},\"prompt\":{\"raw\":\"Which? ...\",\"labe"
		    "l\":\"Which?\"},\"vars\":{\"image\":\"file://faces/2.png\",\"label\":\"joy\",\"age\":30,\"styl"
		    "e\":\"photo\"},\"response\":{\"output\":{\"label\":\"joy\",\"why\":\"smile\"},\"tokenUsage\":{"
		    "\"completion\":7,\"total\":20}},\"success\":true,\"score\":1,\"namedScores\":{\"tone\":0.5},\""
		    "latencyMs\":120,\"cost\":0.001,\"gradingResult\":{\"pass\":true,\"score\":1,\"reason\":\"ok\"}"
		    ",\"failureReason\":0},{\"promptIdx\":0,\"testIdx\":3,\"testCase\":{\"vars\":{\"image\":\"file:"
		    "//faces/3.png\",\"label\":\"joy\",\"age\":30,\"style\":\"photo\"},\"assert\":[{\"type\":\"llm-"
		    "rubric\",\"value\":\"x\"},{\"type\":\"icontains\",\"value\":\"{{label}}\"}]},\"provider\":{\"i"
		    "d\":\"openai:gpt-4o\",\"label\":\"\"},\"prompt\":{\"raw\":\"Which? ...\",\"label\":\"Which?\"}"
		    ",\"vars\":{\"image\":\"file://faces/3.png\",\"label\":\"joy\",\"age\":30,\"style\":\"photo\"},"
		    "\"response\":{\"output\":\"I cannot\",\"isRefusal\":true},\"success\":true,\"score\":1,\"named"
		    "Scores\":{\"tone\":0.5},\"latencyMs\":120,\"cost\":0.001,\"gradingResult\":{\"pass\":true,\"sc"
		    "ore\":1,\"reason\":\"ok\"},\"failureReason\":0},{\"promptIdx\":0,\"provider\":\"p\"},3],\"stat"
		    "s\":{}},\"config\":{},\"shareableUrl\":null}"),
     .reader = "promptfoo",
     .want = "run 0 model=openai:gpt-4o\n"
	     "prediction 0 key=0 raw=joy answered(=joy) latency=120 tokens=7 number=success:1 number=graded:"
	     "1 number=cost:0.001 number=tone:0.5 details={\"reason\":\"ok\"} of key=0 media=image path=face"
	     "s/0.png question=Which? ... number:age=30 facet:style=photo truth=original(=joy) creates\n"
	     "run 1 model=openai:gpt-4o handle=openai:gpt-4o/short\n"
	     "prediction 1 key=0 raw=fear answered(=fear) latency=120 tokens=7 number=success:0 number=grade"
	     "d:1 number=cost:0.001 number=tone:0.5 details={\"reason\":\"ok\"} of key=0 media=image path=fa"
	     "ces/0.png number:age=30 facet:style=photo truth=original(=joy) creates\n"
	     "prediction 0 key=1 error() latency=120 number=success:1 number=graded:1 number=cost:0.001 numb"
	     "er=tone:0.5 error=API error: 500 details={\"reason\":\"ok\"} of key=1 media=image path=faces/1"
	     ".png question=Which? ... number:age=30 facet:style=photo truth=original(=joy) creates\n"
	     "prediction 0 key=2 raw={\"label\":\"joy\",\"why\":\"smile\"} extracted=joy answered(=joy) late"
	     "ncy=120 tokens=7 number=success:1 number=graded:1 number=cost:0.001 number=tone:0.5 details={\""
	     "reason\":\"ok\"} of key=2 media=image path=faces/2.png question=Which? ... number:age=30 facet"
	     ":style=photo truth=original(=joy) creates\n"
	     "prediction 0 key=3 raw=I cannot refused() latency=120 number=success:1 number=graded:1 number="
	     "cost:0.001 number=tone:0.5 details={\"reason\":\"ok\"} of key=3 media=image path=faces/3.png q"
	     "uestion=Which? ... number:age=30 facet:style=photo truth=original(=joy) creates\n",
     .problems = "skipped 1:3207 testIdx: expected the test's number, got nothing\n"
		 "skipped 1:3238 expected an object in braces\n"},
    {.name = "promptfoo: lines, by variables alone",
     .file = "out.jsonl",
     .bytes = BYTES("{\"promptIdx\":0,\"testIdx\":0,\"provider\":{\"id\":\"openai:gpt-4o\",\"label\":\"\"},\"prompt"
		    "\":{\"raw\":\"Which? ...\",\"label\":\"Which?\"},\"vars\":{\"image\":\"file://faces/0.png\",\""
		    "label\":\"joy\",\"age\":30,\"style\":\"photo\"},\"response\":{\"output\":\"joy\",\"tokenUsage\""
		    ":{\"completion\":7,\"total\":20}},\"success\":true,\"score\":1,\"namedScores\":{\"tone\":0.5},"
		    "\"latencyMs\":120,\"cost\":0.001,\"gradingResult\":{\"pass\":true,\"score\":1,\"reason\":\"ok\""
		    "}}\n"
		    "{\"promptIdx\":1,\"testIdx\":1,\"provider\":\"local\",\"prompt\":{\"raw\":\"Which? ...\",\"lab"
		    "el\":\"Which?\"},\"vars\":{\"image\":\"file://faces/1.png\",\"label\":\"joy\",\"age\":30,\"sty"
		    "le\":\"photo\"},\"response\":null,\"success\":true,\"score\":1,\"namedScores\":{\"tone\":0.5},"
		    "\"latencyMs\":120,\"cost\":0.001,\"gradingResult\":{\"pass\":true,\"score\":1,\"reason\":\"ok\""
		    "},\"error\":\"no answer\"}\n"
		    "{\"promptIdx\":\n"
		    "\n"),
     .reader = "promptfoo",
     .want = "run 0 model=openai:gpt-4o\n"
	     "prediction 0 key=0 raw=joy answered(=joy) latency=120 tokens=7 number=success:1 number=graded:"
	     "1 number=cost:0.001 number=tone:0.5 details={\"reason\":\"ok\"} of key=0 media=image path=face"
	     "s/0.png question=Which? ... number:age=30 facet:style=photo truth=original(=joy) creates\n"
	     "run 1 model=local\n"
	     "prediction 1 key=1 error() latency=120 number=success:1 number=graded:1 number=cost:0.001 numb"
	     "er=tone:0.5 error=no answer details={\"reason\":\"ok\"} of key=1 media=image path=faces/1.png "
	     "question=Which? ... number:age=30 facet:style=photo truth=original(=joy) creates\n",
     .problems = "skipped 3:743 byte 13: expected a value\n"},
};

static const struct reader_case deepeval[] = {
    {.name = "deepeval: metrics are numbers, pictures by id or in parts",
     .file = "m/20250101_000000",
     .bytes = BYTES("{\"testCases\":[{\"name\":\"test_case_0\",\"input\":\"Which emotion? [DEEPEVAL:IMAGE:u1]\",\"a"
		    "ctualOutput\":\"joy\",\"expectedOutput\":\"joy\",\"success\":true,\"metricsData\":[{\"name\":\""
		    "Exact Match\",\"threshold\":0.5,\"success\":true,\"score\":1.0,\"reason\":\"same\"},{\"name\":"
		    "\"G-Eval\",\"score\":null,\"error\":\"judge down\"}],\"completionTime\":0.5,\"tags\":[\"easy\""
		    "],\"imagesMapping\":{\"u1\":{\"url\":\"faces\\\\1.jpg\",\"local\":true}},\"order\":0,\"metadat"
		    "a\":{\"source\":\"web\"}},{\"name\":\"test_case_1\",\"multimodalInput\":[\"Which?\",{\"url\":\""
		    "file:///data/2.jpg\",\"local\":true},{\"url\":\"https://x.org/3.jpg\",\"local\":false}],\"actu"
		    "alOutput\":null,\"expectedOutput\":\"fear\",\"success\":false,\"metricsData\":[],\"order\":1},"
		    "{\"input\":\"x\",\"actualOutput\":\"a\",\"order\":2,\"success\":null},{\"input\":\"y\",\"actua"
		    "lOutput\":\"z\",\"metricsData\":null}],\"conversationalTestCases\":[{\"name\":\"c\",\"turns\":"
		    "[]}],\"metricsScores\":[],\"hyperparameters\":{\"model\":\"gpt-4o\"}}"),
     .reader = "deepeval",
     .want = "run 0 model=20250101_000000\n"
	     "prediction 0 key=test_case_0 raw=joy answered(=joy) latency=500 number=success:1 number=Exact "
	     "Match:1 details={\"Exact Match reason\":\"same\",\"G-Eval error\":\"judge down\"} of key=test_"
	     "case_0 media=image path=faces/1.jpg question=Which emotion? [DEEPEVAL:IMAGE:u1] facet:source=w"
	     "eb facet:tag=easy truth=original(=joy) creates\n"
	     "prediction 0 key=test_case_1 empty() number=success:0 of key=test_case_1 media=image path=/dat"
	     "a/2.jpg question=Which? truth=original(=fear) creates\n"
	     "prediction 0 key=2 raw=a answered(=a) of key=2 media=none question=x creates\n",
     .problems = "skipped 1:708 name: expected the test case's name, got nothing\n"},
    {.name = "deepeval: the last test run",
     .file = ".latest_test_run.json",
     .bytes = BYTES("{\"testRunData\":{\"testFile\":null,\"testCases\":[{\"name\":\"test_case_0\",\"input\":\"Which"
		    " emotion? [DEEPEVAL:IMAGE:u1]\",\"actualOutput\":\"joy\",\"expectedOutput\":\"joy\",\"success\""
		    ":true,\"metricsData\":[{\"name\":\"Exact Match\",\"threshold\":0.5,\"success\":true,\"score\":"
		    "1.0,\"reason\":\"same\"},{\"name\":\"G-Eval\",\"score\":null,\"error\":\"judge down\"}],\"comp"
		    "letionTime\":0.5,\"tags\":[\"easy\"],\"imagesMapping\":{\"u1\":{\"url\":\"faces\\\\1.jpg\",\"l"
		    "ocal\":true}},\"order\":0,\"metadata\":{\"source\":\"web\"}}]},\"testRunLink\":\"\"}"),
     .model = "gpt-4o",
     .reader = "deepeval",
     .want = "run 0 model=gpt-4o\n"
	     "prediction 0 key=test_case_0 raw=joy answered(=joy) latency=500 number=success:1 number=Exact "
	     "Match:1 details={\"Exact Match reason\":\"same\",\"G-Eval error\":\"judge down\"} of key=test_"
	     "case_0 media=image path=faces/1.jpg question=Which emotion? [DEEPEVAL:IMAGE:u1] facet:source=w"
	     "eb facet:tag=easy truth=original(=joy) creates\n",
     .problems = ""},
};

static const struct reader_case fiftyone[] = {
    {.name = "fiftyone: indices, names, null, confidences, lists",
     .file = "labels.json",
     .bytes = BYTES("{\"classes\":[\"cat\",\"dog\"],\"labels\":{\"img1\":0,\"sub\\\\img2.jpg\":{\"label\":\"dog\",\""
		    "confidence\":0.8,\"attributes\":{\"pose\":\"side\",\"age\":3}},\"img3\":null,\"img4\":[\"cat\""
		    ",\"dog\"],\"img5\":[],\"img6\":2,\"img7\":\"cat\",\"img8\":{\"label\":1,\"confidence\":null}}}"),
     .reader = "fiftyone",
     .want = "class 0 name=cat\n"
	     "class 1 name=dog\n"
	     "sample key=img1 media=image path=data/img1 truth=original(#0:cat) creates declares\n"
	     "sample key=sub/img2.jpg media=image path=data/sub/img2.jpg number:confidence=0.8 facet:pose=si"
	     "de number:age=3 truth=original(=dog) creates declares\n"
	     "sample key=img3 media=image path=data/img3 creates declares\n"
	     "sample key=img4 media=image path=data/img4 truth=original(=cat =dog) creates declares\n"
	     "sample key=img5 media=image path=data/img5 truth=original() creates declares\n"
	     "sample key=img6 media=image path=data/img6 creates declares\n"
	     "sample key=img7 media=image path=data/img7 truth=original(=cat) creates declares\n"
	     "sample key=img8 media=image path=data/img8 truth=original(#1:dog) creates declares\n",
     .problems = "skipped 1:173 labels: expected a name or an index below 2\n"},
    {.name = "fiftyone: the same as a model's answers",
     .file = "labels.json",
     .bytes = BYTES("{\"classes\":[\"cat\",\"dog\"],\"labels\":{\"img1\":0,\"img2\":{\"label\":\"dog\",\"confidence"
		    "\":0.8},\"img3\":null,\"img4\":[{\"label\":\"cat\",\"confidence\":0.3},{\"label\":\"dog\",\"co"
		    "nfidence\":0.6}],\"img5\":[\"cat\",\"dog\"],\"img6\":-1}}"),
     .model = "m",
     .reader = "fiftyone",
     .want = "class 0 name=cat\n"
	     "class 1 name=dog\n"
	     "run 0 model=m\n"
	     "prediction 0 key=img1 raw=cat answered(#0:cat) of key=img1 media=image path=data/img1 creates\n"
	     "prediction 0 key=img2 raw=dog answered(=dog) score=0.8 of key=img2 media=image path=data/img2 "
	     "creates\n"
	     "prediction 0 key=img3 empty() of key=img3 media=image path=data/img3 creates\n"
	     "prediction 0 key=img4 raw=dog answered(=dog) score=0.6 details={\"labels\":[{\"label\":\"cat\""
	     ",\"confidence\":0.3},{\"label\":\"dog\",\"confidence\":0.6}]} of key=img4 media=image path=dat"
	     "a/img4 creates\n"
	     "prediction 0 key=img5 raw=[\"cat\",\"dog\"] answered(=cat =dog) of key=img5 media=image path=d"
	     "ata/img5 creates\n"
	     "prediction 0 key=img6 raw=-1 unparsed() of key=img6 media=image path=data/img6 creates\n",
     .problems = "skipped 1:192 labels: expected a name or an index below 2\n"},
    {.name = "fiftyone: without a list of classes",
     .file = "predictions.json",
     .bytes = BYTES("{\"classes\":null,\"labels\":{\"a\":\"joy\"}}"),
     .model = "m",
     .reader = "fiftyone",
     .want = "run 0 model=m\n"
	     "prediction 0 key=a raw=joy answered(=joy) of key=a media=image path=data/a creates\n",
     .problems = ""},
    {.name = "fiftyone: samples, layers and runs",
     .file = "samples.json",
     .bytes = BYTES("{\"samples\":[{\"_id\":{\"$oid\":\"6\"},\"filepath\":\"data/000001.jpg\",\"tags\":[\"test\",\""
		    "hard\"],\"_media_type\":\"image\",\"metadata\":{\"_cls\":\"ImageMetadata\",\"width\":3},\"grou"
		    "nd_truth\":{\"_id\":{\"$oid\":\"7\"},\"_cls\":\"Classification\",\"tags\":[],\"label\":\"cat\""
		    ",\"confidence\":null,\"logits\":null},\"resnet\":{\"_cls\":\"Classification\",\"label\":\"dog\""
		    ",\"confidence\":0.9},\"predictions\":{\"_cls\":\"Classifications\",\"classifications\":[{\"_cl"
		    "s\":\"Classification\",\"label\":\"cat\",\"confidence\":0.2},{\"_cls\":\"Classification\",\"la"
		    "bel\":\"cow\",\"confidence\":0.7}]},\"expert\":{\"_cls\":\"Classifications\",\"classifications"
		    "\":[{\"label\":\"cat\"},{\"label\":\"lynx\"}]},\"uniqueness\":0.5,\"weather\":\"rain\",\"indoo"
		    "r\":true,\"degree\":{\"_cls\":\"Regression\",\"value\":4.5},\"boxes\":{\"_cls\":\"Detections\""
		    ",\"detections\":[]},\"created_at\":{\"$date\":1}},{\"_id\":{\"$oid\":\"8\"},\"filepath\":\"/mn"
		    "t/x/b.mp4\",\"tags\":[],\"_media_type\":\"video\",\"ground_truth\":null,\"resnet\":{\"_cls\":\""
		    "Classification\",\"label\":null}},{\"_id\":{\"$oid\":\"9\"},\"tags\":[]}]}"),
     .reader = "fiftyone",
     .want = "sample key=000001.jpg media=image path=data/000001.jpg facet:tag=test facet:tag=hard number:un"
	     "iqueness=0.5 facet:weather=rain facet:indoor=true number:degree=4.5 truth=original(=cat) truth"
	     "=expert(=cat =lynx) creates declares\n"
	     "run 0 model=resnet\n"
	     "prediction 0 key=000001.jpg raw=dog answered(=dog) score=0.9\n"
	     "run 1 model=predictions\n"
	     "prediction 1 key=000001.jpg raw=cow answered(=cow) score=0.7 details={\"labels\":[{\"_cls\":\""
	     "Classification\",\"label\":\"cat\",\"confidence\":0.2},{\"_cls\":\"Classification\",\"label\":"
	     "\"cow\",\"confidence\":0.7}]}\n"
	     "sample key=/mnt/x/b.mp4 media=video path=/mnt/x/b.mp4 creates declares\n"
	     "prediction 0 key=/mnt/x/b.mp4 empty()\n",
     .problems = "skipped 1:908 filepath: expected a path, got nothing\n"},
    {.name = "fiftyone: metadata lists the classes",
     .file = "metadata.json",
     .bytes = BYTES("{\"name\":\"d\",\"media_type\":\"image\",\"sample_fields\":[{\"name\":\"id\"}],\"classes\":{\""
		    "ground_truth\":[\"cat\",\"dog\"]},\"default_classes\":[\"x\"],\"info\":{}}"),
     .reader = "fiftyone",
     .want = "class 0 name=cat\n"
	     "class 1 name=dog\n",
     .problems = ""},
    {.name = "fiftyone: the classes of an export before 0.8",
     .file = "metadata.json",
     .bytes = BYTES("{\"name\":\"d\",\"media_type\":\"image\",\"sample_fields\":{\"filepath\":"
		    "\"fiftyone.core.fields.StringField\"},\"info\":{\"author\":\"a\",\"classes\":{\"gt\":[\"cat\","
		    "\"dog\"]},\"default_classes\":[\"x\"]}}"),
     .reader = "fiftyone",
     .want = "class 0 name=cat\n"
	     "class 1 name=dog\n",
     .problems = ""},
    {.name = "fiftyone: one list of an export before 0.8, without a media type",
     .file = "metadata.json",
     .bytes = BYTES("{\"name\":\"d\",\"sample_fields\":{\"id\":\"x\"},\"info\":{\"classes\":[\"cat\"]}}"),
     .reader = "fiftyone",
     .want = "class 0 name=cat\n",
     .problems = ""},
    {.name = "fiftyone: a sample of an export before 0.8",
     .file = "samples.json",
     .bytes = BYTES("{\"samples\":[{\"tags\":[\"train\"],\"metadata\":null,\"filepath\":\"data/1.jpg\","
		    "\"ground_truth\":{\"_id\":{\"$oid\":\"5f\"},\"_cls\":\"Classification\",\"label\":\"cat\","
		    "\"confidence\":null,\"logits\":null}}]}"),
     .reader = "fiftyone",
     .want = "sample key=1.jpg media=image path=data/1.jpg facet:tag=train truth=original(=cat) creates declares\n",
     .problems = ""},
};

static const struct reader_case vlmbench[] = {
    {.name = "vlmbench: options, other rows' pictures, turned questions",
     .file = "EmoBench.tsv",
     .bytes = BYTES("index\timage\tquestion\thint\tA\tB\tC\tanswer\tcategory\tl2-category\tsplit\tsource\n"
		    "1\tiVBORw0KGgoAAAANYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYQ==\tWhich?\tLook.\tjo"
		    "y\tfear\t\tB\temotion\tperception\tdev\tweb\n"
		    "2\t1\tWhich?\t\tjoy\tfear\tanger\tjoy\temotion\t\tdev\tweb\n"
		    "3\t4\tWhich?\tnan\tjoy\tfear\tnan\t\temotion\tperception\ttest\tweb\n"
		    "4\t/9j/YmJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmI=\tName it\t\t\t\t\t"
		    "surprise\topen\t\tdev\tweb\n"
		    "1000001\t1\tWhich?\tLook.\tfear\tjoy\t\tA\temotion\tperception\tdev\tweb\n"
		    "5\t99\tLost?\t\tjoy\tfear\t\tA\t\t\t\t\n"
		    "\t1\tx\t\ta\tb\t\tA\t\t\t\t\n"),
     .reader = "vlmbench",
     .want = "sample key=1 media=image path=1.jpg question=Look.\n"
	     "Which? option=joy option=fear facet:l2-category=perception facet:split=dev facet:source=web fa"
	     "cet:category=emotion truth=original(=fear) creates declares\n"
	     "sample key=2 media=image path=1.jpg question=Which? option=joy option=fear option=anger facet:"
	     "split=dev facet:source=web facet:category=emotion truth=original(=joy) creates declares\n"
	     "sample key=4 media=image path=4.jpg question=Name it facet:split=dev facet:source=web facet:ca"
	     "tegory=open truth=original(=surprise) creates declares\n"
	     "sample key=1000001 media=image path=1.jpg question=Look.\n"
	     "Which? option=fear option=joy facet:l2-category=perception facet:split=dev facet:source=web fa"
	     "cet:category=emotion facet:g_index=1 truth=original(=fear) creates declares\n"
	     "sample key=3 media=image path=4.jpg question=Which? option=joy option=fear facet:l2-category=p"
	     "erception facet:split=test facet:source=web facet:category=emotion creates declares\n"
	     "sample key=5 media=none question=Lost? option=joy option=fear truth=original(=joy) creates dec"
	     "lares\n"
	     "sample key=1 media=none facet:g_index=1\n",
     .problems = "skipped 8:505 index: expected the question's index, got nothing\n"
		 "warning 7:477 image: no row 99 has a picture that this one could show\n"},
    {.name = "vlmbench: lists of pictures, paths, groups by a column",
     .file = "Multi.tsv",
     .bytes = BYTES("index\timage\timage_path\tquestion\tanswer\tg_index\n"
		    "1.0\t\"['iVBORw0KGgoAAAANYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYQ==', '/9j/YmJiY"
		    "mJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmI=']\"\t\"['a.jpg', 'sub\\\\b.jpg"
		    "']\"\tTwo?\tyes\t7\n"
		    "2\t\t\"['x/c.png']\"\tPath?\tno\t7\n"
		    "3\tAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\t\tHuge?\t"
		    "no\t8\n"),
     .reader = "vlmbench",
     .want = "sample key=1.0 media=images path=a.jpg path=sub/b.jpg question=Two? facet:g_index=7 truth=orig"
	     "inal(=yes) creates declares\n"
	     "sample key=2 media=image path=x/c.png question=Path? facet:g_index=7 truth=original(=no) creat"
	     "es declares\n"
	     "sample key=3 media=image path=3.jpg question=Huge? facet:g_index=8 truth=original(=no) creates"
	     " declares\n",
     .problems = ""},
};

static const struct reader_case folders[] = {
    {.name = "folder: splits, words that say nothing, wnids, numbers in front",
     .file = "list.txt",
     .bytes = BYTES("./train/n01440764/images/n01440764_1.JPEG\n"
		    "train/n02085620-Chihuahua/a.jpg\n"
		    "Val/n01440764/ILSVRC2012_val_00000293.JPEG\n"
		    "001.Laysan_Albatross\\x.png\n"
		    "laysan_albatross/y.PNG\n"
		    "real/dog_big/z.mp4\n"
		    "7/q.gif\n"
		    "empty/\n"
		    "test/images/u.webp\n"),
     .reader = "folder",
     .want = "class -1 wnid=n01440764\n"
	     "sample key=train/n01440764/images/n01440764_1.JPEG media=image path=train/n01440764/images/n01"
	     "440764_1.JPEG facet:split=train truth=original(~n01440764) creates declares\n"
	     "class -1 wnid=n02085620 name=Chihuahua alias=n02085620-Chihuahua\n"
	     "sample key=train/n02085620-Chihuahua/a.jpg media=image path=train/n02085620-Chihuahua/a.jpg fa"
	     "cet:split=train truth=original(~n02085620) creates declares\n"
	     "sample key=ILSVRC2012_val_00000293 media=image path=Val/n01440764/ILSVRC2012_val_00000293.JPEG"
	     " facet:split=val truth=original(~n01440764) creates declares\n"
	     "class -1 name=Laysan Albatross alias=001.Laysan_Albatross\n"
	     "sample key=001.Laysan_Albatross/x.png media=image path=001.Laysan_Albatross/x.png truth=origin"
	     "al(=Laysan Albatross) creates declares\n"
	     "sample key=laysan_albatross/y.PNG media=image path=laysan_albatross/y.PNG truth=original(=lays"
	     "an albatross) creates declares\n"
	     "class -1 name=dog big alias=dog_big\n"
	     "sample key=real/dog_big/z.mp4 media=video path=real/dog_big/z.mp4 facet:folder=real truth=orig"
	     "inal(=dog big) creates declares\n"
	     "sample key=7/q.gif media=image path=7/q.gif truth=original(#7:7) creates declares\n"
	     "class -1 name=empty\n"
	     "sample key=test/images/u.webp media=image path=test/images/u.webp facet:split=test creates dec"
	     "lares\n",
     .problems = ""},
    {.name = "folder: what is no path",
     .file = "list.txt",
     .bytes = BYTES("a/x.jpg\r\n"
		    "\r\n"
		    "b/\377.jpg\r\n"
		    "c/notes.txt\r\n"),
     .as = "folder",
     .layer = "gt",
     .reader = "folder",
     .want = "class -1 name=a\n"
	     "sample key=a/x.jpg media=image path=a/x.jpg truth=gt(=a) creates declares\n",
     .problems = "skipped 3:11 path: is not UTF-8\n"
		 "skipped 4:20 path: expected the path of a picture or a video\n"},
};

static const struct reader_case fixed[] = {
    {.name = "vlmeval: lower case, options turned round",
     .file = "m/m_D_result.tsv",
     .bytes = BYTES("index\tquestion\ta\tb\tanswer\tcategory\tprediction\thit\n"
		    "12\tq\tjoy\tfear\tA\tnan\tB\t0\n"
		    "1000012\tq\tfear\tjoy\tB\tnan\tB\t1\n"),
     .model = "m",
     .reader = "vlmeval",
     .want = "run 0 model=m protocol=MC\n"
	     "prediction 0 key=12 raw=B answered(=fear) number=hit:0 of key=12 media=none question=q option="
	     "joy option=fear truth=original(=joy) creates\n"
	     "prediction 0 key=1000012 raw=B answered(=joy) number=hit:1 of key=1000012 media=none question="
	     "q option=fear option=joy facet:g_index=12 truth=original(=joy) creates\n"
	     "sample key=12 media=none facet:g_index=12\n",
     .problems = ""},
    {.name = "inspect: a text that says it is a refusal",
     .file = "log.json",
     .bytes = BYTES("{\"version\":2,\"status\":\"success\",\"eval\":{\"model\":\"m\"},\"samples\":[{\"id\":1,\"epoc"
		    "h\":1,\"input\":\"q\",\"target\":\"joy\",\"output\":{\"choices\":[{\"message\":{\"role\":\"ass"
		    "istant\",\"content\":[{\"type\":\"text\",\"text\":\"No.\",\"refusal\":true}]},\"stop_reason\":"
		    "\"stop\"}]}}]}"),
     .reader = "inspect",
     .want = "run 0 model=m\n"
	     "prediction 0 key=1 raw=No. refused() of key=1 media=none question=q truth=original(=joy) creat"
	     "es\n",
     .problems = ""},
};

static void reads(void **state)
{
	run_reader_case(*state);
}

#define PNG "iVBORw0KGgoAAAANYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYQ=="
#define PNG_FILE "p.pictures/64f3d53f2a5ea773-34.png" /* FNV-1a of its bytes, their number */

/* The same picture, however many rows show it, is one file. */
static void a_benchmarks_pictures_become_files(void **state)
{
	static const char bytes[] = "index\timage\tquestion\tA\tB\tanswer\n2\t1\tq\ta\tb\tA\n"
				    "1\t" PNG "\tq\ta\tb\tA\n3\t" PNG "\tq\ta\tb\tB\n";
	char folder[] = "/tmp/qualm-tools-XXXXXX", pictures[64], file[96];
	struct read_options opt = {0};
	struct sink_log log;
	struct report report;
	struct err err = ERR_INIT;

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(pictures, sizeof pictures, "%s/p.pictures", folder);
	opt.pictures = str_z(pictures);
	sink_log_init(&log);
	report_init(&report, "b.tsv", NULL);
	assert_int_equal(read_bytes("b.tsv", STR(bytes), &opt, &log.sink, &report, NULL, &err), OK);
	assert_string_equal(buf_cstr(&log.text),
			    "sample key=1 media=image path=" PNG_FILE " question=q option=a option=b "
			    "truth=original(=a) creates declares\n"
			    "sample key=3 media=image path=" PNG_FILE " question=q option=a option=b "
			    "truth=original(=b) creates declares\n"
			    "sample key=2 media=image path=" PNG_FILE " question=q option=a option=b "
			    "truth=original(=a) creates declares\n");
	snprintf(file, sizeof file, "%s/%s", folder, PNG_FILE);
	assert_int_equal(unlink(file), 0);
	assert_int_equal(rmdir(pictures), 0);
	assert_int_equal(rmdir(folder), 0);
	report_release(&report);
	sink_log_release(&log);
}

int main(void)
{
	struct CMUnitTest tests[64] = {{0}};
	size_t n = 0;

	n = add_reader_cases(tests, n, reads, helm, COUNT(helm));
	n = add_reader_cases(tests, n, reads, promptfoo, COUNT(promptfoo));
	n = add_reader_cases(tests, n, reads, deepeval, COUNT(deepeval));
	n = add_reader_cases(tests, n, reads, fiftyone, COUNT(fiftyone));
	n = add_reader_cases(tests, n, reads, vlmbench, COUNT(vlmbench));
	n = add_reader_cases(tests, n, reads, folders, COUNT(folders));
	n = add_reader_cases(tests, n, reads, fixed, COUNT(fixed));
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(a_benchmarks_pictures_become_files);
	return _cmocka_run_group_tests("readers of tools", tests, n, NULL, NULL);
}
