/* The readers of emotion sets, on small files of the same shape. */
#include <ftw.h>
#include <stdio.h>
#include <unistd.h>

#include "core/base/path.h"
#include "core/reader/along.h"
#include "core/reader/emotions.h"
#include "tests/unit/lib_project.h"
#include "tests/unit/lib_readers.h"
#include "tui/view/preview_extra.h"

#define BYTES(lit) {(lit), sizeof(lit) - 1}

#define EMOSET \
	"class -1 name=amusement scheme=emoset code=0\n" "class -1 name=awe scheme=emoset code=1\n" \
	"class -1 name=contentment scheme=emoset code=2\n" "class -1 name=excitement scheme=emoset code=3\n" \
	"class -1 name=anger scheme=emoset code=4\n" "class -1 name=disgust scheme=emoset code=5\n" \
	"class -1 name=fear scheme=emoset code=6\n" "class -1 name=sadness scheme=emoset code=7\n"

static const struct reader_case cases[] = {
    {.name = "emotion6: shares, levels; brackets, back-slashes, shares that do not add up, no share at all",
     .file = "ground_truth.txt",
     .bytes = BYTES("[image_filename]\t[valence]\t[arousal]\t[prob. anger]\t[prob. disgust]\t[prob. fear]\t"
		    "[prob. joy]\t[prob. sadness]\t[prob. surprise]\t[prob. neutral]\r\n"
		    "disgust/1.jpg\t2.5\t3.8\t0.133333\t0.7\t0\t0.0666667\t0.1\t0\t0\r\n"
		    "joy\\2.jpg\tx\t\t0\t0\t0\t0.5\t0\t0\t0\r\n"
		    "3.jpg\t1\t1\t0\t0\tfear\t0\t0\t0\t1\r\n"
		    "\t1\t1\t0\t0\t0\t0\t0\t0\t1"),
     .reader = "emotion6",
     .want = "class -1 name=anger\n"
	     "class -1 name=disgust\n"
	     "class -1 name=fear\n"
	     "class -1 name=joy\n"
	     "class -1 name=sadness\n"
	     "class -1 name=surprise\n"
	     "class -1 name=neutral\n"
	     "sample key=disgust/1.jpg media=image path=disgust/1.jpg number:valence=2.5 "
	     "number:arousal=3.8 facet:searched=disgust truth=original(=anger*0.133333 =disgust*0.7 "
	     "=fear*0 =joy*0.0666667 =sadness*0.1 =surprise*0 =neutral*0) creates declares\n"
	     "sample key=joy/2.jpg media=image path=joy/2.jpg facet:searched=joy truth=original(=anger*0 "
	     "=disgust*0 =fear*0 =joy*0.5 =sadness*0 =surprise*0 =neutral*0) creates declares\n"
	     "sample key=3.jpg media=image path=3.jpg number:valence=1 number:arousal=1 creates declares\n",
     .problems = "warning 3:198 valence: expected a number\n"
		 "warning 3:198 prob.: the shares add up to 0.5\n"
		 "warning 4:228 fear: expected a share of 0 to 1\n"
		 "skipped 5:256 image_filename: expected a picture's name\n"},
    {.name = "artemis: rows of a painting are its votes, wherever they are; said in quotes; no such emotion",
     .file = "artemis_dataset_release_v0.csv",
     .bytes = BYTES("art_style,painting,emotion,utterance,repetition\n"
		    "Post_Impressionism,vincent-van-gogh_portrait,something else,\"She, \"\"you\"\" know\",2\n"
		    "Cubism,picasso_guernica.jpg,Sadness,It hurts.,1\n"
		    "Post_Impressionism,vincent-van-gogh_portrait,awe,,2\n"
		    "Cubism,picasso_guernica.jpg,joy,It is,1\n"
		    "Cubism,,awe,x,1\n"),
     .reader = "artemis",
     .want = "class -1 name=amusement\n"
	     "class -1 name=awe\n"
	     "class -1 name=contentment\n"
	     "class -1 name=excitement\n"
	     "class -1 name=anger\n"
	     "class -1 name=disgust\n"
	     "class -1 name=fear\n"
	     "class -1 name=sadness\n"
	     "class -1 name=something else\n"
	     "sample key=Post_Impressionism/vincent-van-gogh_portrait media=image "
	     "path=Post_Impressionism/vincent-van-gogh_portrait.jpg facet:art_style=Post_Impressionism "
	     "truth=original(=amusement*0 =awe*1 =contentment*0 =excitement*0 =anger*0 =disgust*0 =fear*0 "
	     "=sadness*0 =something else*1) extra={\"utterances\":[{\"something else\":\"She, \\\"you\\\" "
	     "know\"}]} creates declares\n"
	     "sample key=Cubism/picasso_guernica.jpg media=image path=Cubism/picasso_guernica.jpg "
	     "facet:art_style=Cubism truth=original(=amusement*0 =awe*0 =contentment*0 =excitement*0 "
	     "=anger*0 =disgust*0 =fear*0 =sadness*1 =something else*0) "
	     "extra={\"utterances\":[{\"sadness\":\"It hurts.\"}]} creates declares\n",
     .problems = "skipped 5:230 emotion: \"joy\" is none of the nine answers\n"
		 "skipped 6:270 painting: expected a painting's name\n"},
    {.name = "emotic: people of a picture, Python's lists, a category of its own, a list that is none",
     .file = "train.csv",
     .bytes = BYTES("Index,Folder,Filename,Image Size,BBox,Categorical_Labels,Continuous_Labels,Gender,Age\n"
		    "0,mscoco/images,a.jpg,\"[640, 480]\",\"[86, 58, 564, 628]\",\"['Disconnection', "
		    "'Doubt/Confusion']\",\"[5.0, 3.0, 9.0]\",Male,Adult\n"
		    "1,mscoco/images,a.jpg,\"[640, 480]\",\"[1, 2, 3, 4]\",\"['peace', 'Peace', 'Boredom']\","
		    "\"[5.0, 3.0]\",Female,Kid\n"
		    "2,emodb_small\\images,b.jpg,,,\"['Peace'\",,,\n"
		    "3,framesdb/images,,,,Peace,,,\n"),
     .reader = "emotic",
     .want = "class -1 name=Affection\n" "class -1 name=Anger\n" "class -1 name=Annoyance\n"
	     "class -1 name=Anticipation\n" "class -1 name=Aversion\n" "class -1 name=Confidence\n"
	     "class -1 name=Disapproval\n" "class -1 name=Disconnection\n" "class -1 name=Disquietment\n"
	     "class -1 name=Doubt/Confusion\n" "class -1 name=Embarrassment\n" "class -1 name=Engagement\n"
	     "class -1 name=Esteem\n" "class -1 name=Excitement\n" "class -1 name=Fatigue\n"
	     "class -1 name=Fear\n" "class -1 name=Happiness\n" "class -1 name=Pain\n"
	     "class -1 name=Peace\n" "class -1 name=Pleasure\n" "class -1 name=Sadness\n"
	     "class -1 name=Sensitivity\n" "class -1 name=Suffering\n" "class -1 name=Surprise\n"
	     "class -1 name=Sympathy\n" "class -1 name=Yearning\n"
	     "sample key=mscoco/images/a.jpg#0 media=image path=mscoco/images/a.jpg number:valence=5 "
	     "number:arousal=3 number:dominance=9 facet:gender=Male facet:age=Adult facet:split=train "
	     "truth=original(=Disconnection =Doubt/Confusion) extra={\"bbox\":\"[86, 58, 564, "
	     "628]\",\"image_size\":\"[640, 480]\"} creates declares\n"
	     "class -1 name=Boredom\n"
	     "sample key=mscoco/images/a.jpg#1 media=image path=mscoco/images/a.jpg facet:gender=Female "
	     "facet:age=Kid facet:split=train truth=original(=Peace =Boredom) extra={\"bbox\":\"[1, 2, 3, "
	     "4]\",\"image_size\":\"[640, 480]\"} creates declares\n"
	     "sample key=emodb_small/images/b.jpg#0 media=image path=emodb_small/images/b.jpg "
	     "facet:split=train creates declares\n",
     .problems = "warning 3:210 Continuous_Labels: expected three numbers, got 2\n"
		 "warning 4:316 Categorical_Labels: expected a list\n"
		 "skipped 5:359 Filename: expected a picture's name\n"},
    {.name = "affectnet: its own numbers, -2 is no value, what is out of them",
     .file = "validation.csv",
     .bytes = BYTES("subDirectory_filePath,face_x,face_y,face_width,face_height,facial_landmarks,expression,"
		    "valence,arousal\n"
		    "689/737d.jpg,134,134,899,899,181.6;530.1;188.3,1,0.785714,-0.0555556\n"
		    "392\\c40.jpg,9,9,9,9,,6,-0.3,0.4\n"
		    "10/n.jpg,0,0,0,,,10,-2,-2\n"
		    "11/m.jpg,0,0,0,0,,11,7,-2.0\n"
		    ",0,0,0,0,,1,0,0\n"),
     .reader = "affectnet",
     .want = "class -1 name=neutral alias=Neutral scheme=affectnet code=0\n"
	     "class -1 name=happiness alias=Happy scheme=affectnet code=1\n"
	     "class -1 name=sadness alias=Sad scheme=affectnet code=2\n"
	     "class -1 name=surprise alias=Surprise scheme=affectnet code=3\n"
	     "class -1 name=fear alias=Fear scheme=affectnet code=4\n"
	     "class -1 name=disgust alias=Disgust scheme=affectnet code=5\n"
	     "class -1 name=anger alias=Anger scheme=affectnet code=6\n"
	     "class -1 name=contempt alias=Contempt scheme=affectnet code=7\n"
	     "class -1 name=none alias=None scheme=affectnet code=8\n"
	     "class -1 name=uncertain alias=Uncertain scheme=affectnet code=9\n"
	     "class -1 name=no face alias=No-Face scheme=affectnet code=10\n"
	     "sample key=689/737d.jpg media=image path=689/737d.jpg number:valence=0.785714 "
	     "number:arousal=-0.0555556 facet:split=validation truth=original(=happiness) "
	     "extra={\"face\":[134,134,899,899]} creates declares\n"
	     "sample key=392/c40.jpg media=image path=392/c40.jpg number:valence=-0.3 number:arousal=0.4 "
	     "facet:split=validation truth=original(=anger) extra={\"face\":[9,9,9,9]} creates declares\n"
	     "sample key=10/n.jpg media=image path=10/n.jpg facet:split=validation truth=original(=no "
	     "face) creates declares\n"
	     "sample key=11/m.jpg media=image path=11/m.jpg facet:split=validation "
	     "extra={\"face\":[0,0,0,0]} creates declares\n",
     .problems = "warning 5:230 expression: expected 0 to 10\n"
		 "warning 5:230 valence: expected a number of -1 to 1, or -2\n"
		 "skipped 6:258 subDirectory_filePath: expected a path, got nothing\n"},
    {.name = "rafdb: its own numbers, CRLF, a number that is none, a line that is none, no end",
     .file = "list_patition_label.txt",
     .bytes = BYTES("train_00001.jpg 5\r\ntrain_00002.jpg 1\r\n\r\ntest_0001.jpg 6\r\ntest_0002.jpg 3\r\n"
		    "test_0003.jpg 7\r\ntest_0004.jpg 9\r\nother.jpg 1\r\ntest_0005.jpg 4"),
     .reader = "rafdb",
     .want = "class -1 name=surprise alias=Surprise scheme=rafdb code=1\n"
	     "class -1 name=fear alias=Fear scheme=rafdb code=2\n"
	     "class -1 name=disgust alias=Disgust scheme=rafdb code=3\n"
	     "class -1 name=happiness alias=Happiness scheme=rafdb code=4\n"
	     "class -1 name=sadness alias=Sadness scheme=rafdb code=5\n"
	     "class -1 name=anger alias=Anger scheme=rafdb code=6\n"
	     "class -1 name=neutral alias=Neutral scheme=rafdb code=7\n"
	     "sample key=train_00001.jpg media=image path=train_00001.jpg facet:split=train "
	     "truth=original(=sadness) creates declares\n"
	     "sample key=train_00002.jpg media=image path=train_00002.jpg facet:split=train "
	     "truth=original(=surprise) creates declares\n"
	     "sample key=test_0001.jpg media=image path=test_0001.jpg facet:split=test "
	     "truth=original(=anger) creates declares\n"
	     "sample key=test_0002.jpg media=image path=test_0002.jpg facet:split=test "
	     "truth=original(=disgust) creates declares\n"
	     "sample key=test_0003.jpg media=image path=test_0003.jpg facet:split=test "
	     "truth=original(=neutral) creates declares\n"
	     "sample key=test_0004.jpg media=image path=test_0004.jpg facet:split=test creates declares\n"
	     "sample key=test_0005.jpg media=image path=test_0005.jpg facet:split=test "
	     "truth=original(=happiness) creates declares\n",
     .problems = "warning 7:91 label: expected 1 to 7\n"
		 "skipped 8:108 expected a picture's name, a blank and a number\n"},
    {.name = "rafdb: cr alone",
     .file = "list.txt",
     .bytes = BYTES("train_00001.jpg 5\rtest_0001.jpg 7\r"),
     .reader = "rafdb",
     .skip_to = "scheme=rafdb code=7\n",
     .want = "sample key=train_00001.jpg media=image path=train_00001.jpg facet:split=train "
	     "truth=original(=sadness) creates declares\n"
	     "sample key=test_0001.jpg media=image path=test_0001.jpg facet:split=test "
	     "truth=original(=neutral) creates declares\n",
     .problems = ""},
    {.name = "rafdb: the list of compound emotions has other numbers",
     .file = "list_patition_label.txt",
     .bytes = BYTES("train_0001.jpg 1\ntrain_0002.jpg 11\ntrain_0003.jpg 8\ntrain_0004.jpg 9\ntest_0001.jpg 2\n"),
     .reader = "rafdb",
     .want = "",
     .problems = "",
     .error = "compound emotions"},
    {.name = "fer2013: its own numbers, by rows, columns in another order",
     .file = "icml_face_data.csv",
     .bytes = BYTES("emotion, Usage, pixels\n3,Training,1 2 3 4\n7,PublicTest,0 0 0 255\n0,PrivateTest,1 2 3\n"
		    "6,Training,1 2 3 256\n"),
     .reader = "fer2013",
     .want = "class -1 name=anger alias=Angry scheme=fer2013 code=0\n"
	     "class -1 name=disgust alias=Disgust scheme=fer2013 code=1\n"
	     "class -1 name=fear alias=Fear scheme=fer2013 code=2\n"
	     "class -1 name=happiness alias=Happy scheme=fer2013 code=3\n"
	     "class -1 name=sadness alias=Sad scheme=fer2013 code=4\n"
	     "class -1 name=surprise alias=Surprise scheme=fer2013 code=5\n"
	     "class -1 name=neutral alias=Neutral scheme=fer2013 code=6\n"
	     "sample key=row00000 media=none facet:usage=Training truth=original(=happiness) creates "
	     "declares\n"
	     "sample key=row00001 media=none facet:usage=PublicTest creates declares\n"
	     "sample key=row00002 media=none facet:usage=PrivateTest truth=original(=anger) creates "
	     "declares\n"
	     "sample key=row00003 media=none facet:usage=Training truth=original(=neutral) creates "
	     "declares\n",
     .problems = "warning 3:42 emotion: expected 0 to 6\n"
		 "warning 4:65 pixels: expected the pixels of a square, numbers of 0 to 255 with blanks "
		 "between\n"
		 "warning 5:85 pixels: expected the pixels of a square, numbers of 0 to 255 with blanks "
		 "between\n"},
    {.name = "emoset: an annotation alone, without most of it",
     .file = "amusement_00000.json",
     .bytes = BYTES("{\n \"image_id\": \"amusement_00000\", \"emotion\": \"amusement\",\n \"brightness\": 0.3,\n"
		    " \"object\": [\"Person\", \"Tree\"], \"scene\": \"park\", \"facial_expression\": null\n}\n"),
     .reader = "emoset",
     .want = EMOSET
	     "sample key=amusement_00000 media=image path=image/amusement/amusement_00000.jpg "
	     "number:brightness=0.3 facet:scene=park facet:object=Person facet:object=Tree "
	     "facet:sentiment=positive truth=original(=amusement) creates declares\n",
     .problems = ""},
    {.name = "emoset: an index whose annotations are not there, or lead elsewhere",
     .file = "val.json",
     .bytes = BYTES("[[\"amusement\", 7, \"image/amusement/amusement_00001.jpg\", "
		    "\"annotation/amusement/amusement_00001.json\"],\n"
		    "[\"Fear\", \"x\", \"image\\\\fear\\\\fear_1.jpg\", \"../annotation/fear_1.json\"],\n"
		    "[\"joy\", \"image/joy/joy_2.jpg\"], [\"awe\", 1], 5]"),
     .reader = "emoset",
     .want = EMOSET
	     "sample key=amusement_00001 media=image path=image/amusement/amusement_00001.jpg "
	     "facet:sentiment=positive facet:split=val truth=original(=amusement) creates declares\n"
	     "sample key=fear_1 media=image path=image/fear/fear_1.jpg facet:sentiment=negative "
	     "facet:split=val truth=original(=fear) creates declares\n"
	     "sample key=joy_2 media=image path=image/joy/joy_2.jpg facet:split=val creates declares\n",
     .problems = "warning 2:103 annotation: a path that leads out of the index's folder is not followed\n"
		 "warning 3:174 emotion: \"joy\" is none of the eight emotions\n"
		 "skipped 3:206 expected [emotion, id, image, annotation]\n"
		 "skipped 3:218 expected [emotion, id, image, annotation]\n"},
    {.name = "emoset: info.json",
     .file = "info.json",
     .bytes = BYTES("{\"emotion\": {\"label2idx\": {\"amusement\": 0}, \"idx2label\": {\"0\": \"amusement\"}},\n"
		    "\"brightness\": {\"label2idx\": {\"0.0\": 0}, \"idx2label\": {\"0\": 0.0}},\n"
		    "\"scene\": {\"label2idx\": {\"airfield\": 0, \"arch\": 1}},\n"
		    "\"object\": {\"label2idx\": {\"Axe\": 0}}}"),
     .reader = "emoset",
     .want = EMOSET
	     "tree facet=scene value=airfield\n"
	     "tree facet=scene value=arch\n"
	     "tree facet=object value=Axe\n",
     .problems = ""},
    {.name = "eibench: questions, of which one is none; another of the same picture",
     .file = "user.jsonl",
     .bytes = BYTES("{\"CAER-S/train/Angry/0006.png\": \"What made the man angry?\"}\n"
		    "{\"EmoSet-118k/image/sadness/sadness_1.jpg\": \"Why'?'\"}\n"
		    "{\"a.jpg\": \"I'm unable to say.\"}\nnot json\n{\"a.jpg\": null}"),
     .reader = "eibench",
     .want = "sample key=CAER-S/train/Angry/0006.png media=image path=CAER-S/train/Angry/0006.png "
	     "question=What made the man angry? facet:source=CAER-S facet:emotion=anger facet:part=basic "
	     "creates declares\n"
	     "sample key=EmoSet-118k/image/sadness/sadness_1.jpg media=image "
	     "path=EmoSet-118k/image/sadness/sadness_1.jpg question=Why'?' facet:source=EmoSet-118k "
	     "facet:emotion=sadness facet:part=basic creates declares\n"
	     "sample key=a.jpg media=image path=a.jpg question=I'm unable to say. facet:part=basic "
	     "creates declares\n",
     .problems = "skipped 4:146 byte 0: expected a value\n"
		 "skipped 5:155 expected a text\n"},
    {.name = "eibench: complex, several questions of one picture, no end of the last line",
     .file = "ec_complex.jsonl",
     .bytes = BYTES("{\"EmoSet-118k/image/anger/anger_1.jpg\": {\"Why angry?\": \"1. Claws.\\n2. Eyes.\"}}\n"
		    "{\"EmoSet-118k/image/anger/anger_1.jpg\": {\"Why happy?\": \"1. Toys.\"}}"),
     .reader = "eibench",
     .want = "sample key=EmoSet-118k/image/anger/anger_1.jpg#0 media=image "
	     "path=EmoSet-118k/image/anger/anger_1.jpg question=Why angry? facet:source=EmoSet-118k "
	     "facet:emotion=anger facet:part=complex extra={\"triggers\":\"1. Claws.\\n2. Eyes.\"} "
	     "creates declares\n"
	     "sample key=EmoSet-118k/image/anger/anger_1.jpg#1 media=image "
	     "path=EmoSet-118k/image/anger/anger_1.jpg question=Why happy? facet:source=EmoSet-118k "
	     "facet:emotion=anger facet:part=complex extra={\"triggers\":\"1. Toys.\"} creates declares\n",
     .problems = ""},
    {.name = "eibench: triggers",
     .file = "basic_ground_truth.json",
     .bytes = BYTES("{\n    \"CAER-S/train/Happy/1.png\": \"1. A smile.\",\n    \"a.jpg\": \"1. A tear.\",\n"
		    "    \"b.jpg\": 5\n}"),
     .reader = "eibench",
     .want = "sample key=CAER-S/train/Happy/1.png media=image path=CAER-S/train/Happy/1.png "
	     "facet:source=CAER-S facet:emotion=happiness facet:part=basic extra={\"triggers\":\"1. A "
	     "smile.\"} creates declares\n"
	     "sample key=a.jpg media=image path=a.jpg facet:part=basic extra={\"triggers\":\"1. A "
	     "tear.\"} creates declares\n",
     .problems = "skipped 4:80 expected a path and a text\n"},
    {.name = "eibench: answers to complex questions follow their order; an empty one",
     .file = "api_qwen_complex.jsonl",
     .bytes = BYTES("{\"anger_1.jpg\": \"He is angry as of claws.\"}\n{\"anger_1.jpg\": \"\"}\n"),
     .reader = "eibench",
     .want = "run 0 model=qwen protocol=EI\n"
	     "prediction 0 key=anger_1.jpg#0 raw=He is angry as of claws. oop() of key=anger_1.jpg#0 "
	     "media=image path=anger_1.jpg creates\n"
	     "prediction 0 key=anger_1.jpg#1 raw= empty() of key=anger_1.jpg#1 media=image "
	     "path=anger_1.jpg creates\n",
     .problems = ""},
    {.name = "eibench: a judge's words, one without a score, one above all",
     .file = "qwen_basic_scores.jsonl",
     .bytes = BYTES("{\"a.jpg\": \"{score: 2/5}\\nGood.\"}\n{\"b.jpg\": \"{score: 3/2}\"}\n{\"c.jpg\": \"No.\"}\n"
		    "{\"d.jpg\": \"I say {score: 0/4}.\"}\n"),
     .reader = "eibench",
     .want = "run 0 model=qwen protocol=EI\n"
	     "prediction 0 key=a.jpg missing() number=rec:0.4 number=hits:2 number=triggers:5 "
	     "details={\"judge\":\"{score: 2/5}\\nGood.\"}\n"
	     "prediction 0 key=b.jpg missing() details={\"judge\":\"{score: 3/2}\"}\n"
	     "prediction 0 key=c.jpg missing() details={\"judge\":\"No.\"}\n"
	     "prediction 0 key=d.jpg missing() number=rec:0 number=hits:0 number=triggers:4 "
	     "details={\"judge\":\"I say {score: 0/4}.\"}\n",
     .problems = "warning 2:33 score: there is no {score: HITS/TRIGGERS}\n"
		 "warning 3:59 score: there is no {score: HITS/TRIGGERS}\n"},
    {.name = "eibench: people's scores",
     .file = "score_7861.jsonl",
     .bytes = BYTES("{\"a.jpg\": \"5\"}\n{\"b.jpg\": 4}\n{\"c.jpg\": \"six\"}\n"),
     .reader = "eibench",
     .want = "sample key=a.jpg media=none number:score_7861=5\n"
	     "sample key=b.jpg media=none number:score_7861=4\n",
     .problems = "skipped 3:28 score: expected a score of 0 to 5\n"},
    {.name = "eibench: a map of names of classes is none of its files",
     .file = "pred.json",
     .bytes = BYTES("{\"a.jpg\": \"cat\",\n\"b.jpg\": \"dog\"}"),
     .error = "looks like none"},
    {.name = "votes: MultiEmo-Bench, eight columns of votes; our own form of it",
     .file = "votes.csv",
     .bytes = BYTES("image,amusement,anger,awe,contentment,disgust,excitement,fear,sadness\n"
		    "0001.jpg,3,0,1,12,0,4,0,0\n"),
     .reader = "votes",
     .want = "class -1 name=amusement\n"
	     "class -1 name=anger\n"
	     "class -1 name=awe\n"
	     "class -1 name=contentment\n"
	     "class -1 name=disgust\n"
	     "class -1 name=excitement\n"
	     "class -1 name=fear\n"
	     "class -1 name=sadness\n"
	     "sample key=0001.jpg media=image path=0001.jpg truth=original(=amusement*3 =anger*0 =awe*1 "
	     "=contentment*12 =disgust*0 =excitement*4 =fear*0 =sadness*0) creates declares\n",
     .problems = ""},
    {.name = "generic: EmoVerse's fields",
     .file = "emoverse.csv",
     .bytes = BYTES("image,description,emotion_category,confidence_score,background,subject,source\n"
		    "a.jpg,A dog sits.,joy,0.9,park,dog,EmoSet\n"),
     .reader = "generic",
     .want = "sample key=a media=image path=a.jpg facet:description=A dog sits. number:confidence_score=0.9 "
	     "facet:background=park facet:subject=dog facet:source=EmoSet truth=original(=joy) creates "
	     "declares\n",
     .problems = ""},
    {.name = "mme: audio clues lie beside the question; one is blank",
     .file = "IR_qwen2_audio_clues.json",
     .bytes = BYTES("[{\"video_id\":\"MC-EIU/a.mkv\",\"ground_truth\":\"wishing\",\"audio_clue\":\"Her \\\"voice\\\" "
		    "trembles.\"},{\"video_id\":\"b.mkv\",\"ground_truth\":\"wishing\",\"audio_clue\":\"\"}]"),
     .reader = "mme",
     .want = "class -1 name=wishing\n"
	     "sample key=IR/MC-EIU/a.mkv media=video path=MC-EIU/a.mkv facet:mme_task=IR "
	     "facet:source=MC-EIU truth=original(=wishing) extra={\"audio_clue\":\"Her \\\"voice\\\" "
	     "trembles.\"} creates declares\n"
	     "sample key=IR/b.mkv media=video path=b.mkv facet:mme_task=IR truth=original(=wishing) "
	     "creates declares\n",
     .problems = "warning 1:93 audio_clue: expected a text, got nothing\n"},
};

static void reads(void **state)
{
	run_reader_case(*state);
}

/* No other reader is as sure of it. */
static void is_of_one_reader(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		const struct reader_case *c = &cases[i];
		int best = -1, second = -1;

		for (const struct reader *const *r = readers; c->reader && *r; r++) {
			int score = (*r)->probe(str_z(c->file), c->bytes);

			if (str_eqz(str_z((*r)->name), c->reader))
				best = score;
			else if (score > second)
				second = score;
		}
		if (c->reader && best <= second)
			fail_msg("%s: %d against %d", c->name, best, second);
	}
}

/* What 3 means. */
static void numbers_mean_something_beside_their_set_alone(void **state)
{
	static const struct {
		const struct emotion_set *set;
		const char *name;
	} three[] = {{&emotions_fer2013, "happiness"}, {&emotions_rafdb, "disgust"},
		     {&emotions_affectnet, "surprise"}, {&emotions_emoset, "excitement"}};

	(void)state;
	for (size_t i = 0; i < COUNT(three); i++) {
		size_t at = emotions_by_code(three[i].set, STR("3"));

		assert_true(at < three[i].set->n);
		assert_string_equal(three[i].set->v[at].name, three[i].name);
		assert_int_equal(emotions_by_code(three[i].set, STR("3.5")), SIZE_MAX);
		assert_int_equal(emotions_by_code(three[i].set, STR("-1")), SIZE_MAX);
	}
	assert_int_equal(emotions_by_code(&emotions_rafdb, STR("0")), SIZE_MAX);
	assert_int_equal(emotions_by_name(&emotions_affectnet, STR(" happy")), 1);
}

/* --- what lies in several files --- */

static char folder[] = "/tmp/qualm-emotions-XXXXXX";

static void read_file(const char *name, struct read_options *opt, struct buf *lines, struct buf *problems)
{
	char *path = path_join(folder, str_z(name));
	struct err err = ERR_INIT;
	struct sink_log log;
	struct report report;

	sink_log_init(&log);
	report_init(&report, name, NULL);
	if (read_path(path, opt, &log.sink, &report, NULL, &err) != OK)
		fail_msg("%s", err.msg);
	buf_clear(lines);
	buf_str(lines, buf_view(&log.text));
	report_lines(&report, problems);
	for (size_t i = 0; i < report.notes.n; i++)
		buf_printf(problems, "note %s\n", report.notes.v[i]);
	report_release(&report);
	sink_log_release(&log);
	free(path);
}

static void has(const struct buf *text, const char *what)
{
	if (!strstr(buf_cstr(text), what))
		fail_msg("expected \"%s\" in:\n%s", what, buf_cstr(text));
}

/* Behind their index, which is told of once a folder; without one behind the first of them. */
static void annotations_are_read_along(void)
{
	static const struct {
		const char *path;
		enum along_as as;
		bool told;
	} want[] = {{"emoset/annotation/awe/awe_1.json", ALONG_FOLLOWS, true},
		    {"emoset/annotation/fear/fear_2.json", ALONG_FOLLOWS, false},
		    {"emoset/annotation/readme.txt", ALONG_ALONE, false},
		    {"emoset/test.json", ALONG_ALONE, false},
		    {"other/annotation/awe/awe_1.json", ALONG_LEADS, false},
		    {"other/annotation/awe/awe_2.json", ALONG_FOLLOWS, false},
		    {"other/annotation/awe/more.json", ALONG_ALONE, false},
		    {"other/annotation/fear/fear_2.json", ALONG_ALONE, false}};
	struct along along = {.root = folder};

	project_put(folder, "other/train.json", STR("[[\"a\",1]]"));
	project_put(folder, "other/annotation/awe/awe_1.json", STR("{\"image_id\":\"awe_1\",\"emotion\":\"awe\",\"brightness\":0}"));
	project_put(folder, "other/annotation/awe/awe_2.json",
		   STR("{\"image_id\":\"awe_2\",\"emotion\":\"awe\",\"brightness\":1,\"scene\":\"arch\"}"));
	project_put(folder, "other/annotation/fear/fear_2.json", STR("{\"image_id\":\"fear_2\"}"));
	for (size_t i = 0; i < COUNT(want); i++) {
		char *path = path_join(folder, str_z(want[i].path));
		const char *told;

		if (along_look(&along, path, &told) != want[i].as)
			fail_msg("%s: not %d", want[i].path, (int)want[i].as);
		assert_int_equal(told != NULL, want[i].told);
		free(path);
	}
	along_release(&along);
}

/* When only the annotations are imported their index is not there to be followed. */
static void an_index_outside_leads_nobody(void)
{
	char *root = path_join(folder, STR("emoset/annotation/")), *path = path_join(root, STR("awe/awe_1.json"));
	struct along along = {.root = root};
	const char *told;

	assert_int_equal(along_look(&along, path, &told), ALONG_LEADS);
	along_release(&along);
	free(path);
	free(root);
}

static void an_annotation_may_stand_for_its_folder(void)
{
	struct read_options opt = {0};
	struct buf lines = BUF_INIT, problems = BUF_INIT;

	read_file("other/annotation/awe/awe_1.json", &opt, &lines, &problems);
	assert_null(strstr(lines.p, "key=awe_2"));
	opt.folder = true;
	read_file("other/annotation/awe/awe_1.json", &opt, &lines, &problems);
	has(&lines, "sample key=awe_1 media=image path=image/awe/awe_1.jpg number:brightness=0 ");
	has(&lines, "sample key=awe_2 media=image path=image/awe/awe_2.jpg number:brightness=1 facet:scene=arch ");
	assert_int_equal(problems.n, 0);
	buf_release(&lines);
	buf_release(&problems);
}

static void emoset_reads_the_annotations_of_its_index(void **state)
{
	struct read_options opt = {0};
	struct buf lines = BUF_INIT, problems = BUF_INIT;

	(void)state;
	project_put(folder, "emoset/test.json",
		   STR("[[\"awe\",0,\"image/awe/awe_1.jpg\",\"annotation/awe/awe_1.json\"],"
		       "[\"fear\",1,\"image/fear/fear_2.jpg\",\"annotation/fear/fear_2.json\"],"
		       "[\"fear\",2,\"image/fear/fear_3.jpg\",\"annotation/fear/fear_3.json\"]]"));
	project_put(folder, "emoset/annotation/awe/awe_1.json",
		   STR("\xef\xbb\xbf{\"image_id\":\"awe_1\",\"emotion\":\"awe\",\"brightness\":0.0,\"colorfulness\":1.0,"
		       "\"scene\":\"arch\",\"object\":[\"Axe\",\"Tree\"],\"facial_expression\":\"happy\","
		       "\"human_action\":\"archery\"}"));
	project_put(folder, "emoset/annotation/fear/fear_2.json", STR("{\"image_id\":\"fear_2\","));
	read_file("emoset/test.json", &opt, &lines, &problems);
	has(&lines, "sample key=awe_1 media=image path=image/awe/awe_1.jpg number:brightness=0 number:colorfulness=1 "
		    "facet:scene=arch facet:object=Axe facet:object=Tree facet:facial_expression=happy "
		    "facet:human_action=archery facet:sentiment=positive facet:split=test truth=original(=awe)");
	has(&lines, "sample key=fear_3 media=image path=image/fear/fear_3.jpg facet:sentiment=negative facet:split=test");
	has(&problems, "annotation/fear/fear_2.json: ");
	has(&problems, "note 1 of 3 annotation files are not there");
	annotations_are_read_along();
	an_index_outside_leads_nobody();
	an_annotation_may_stand_for_its_folder();
	buf_release(&lines);
	buf_release(&problems);
}

/* 2 by 2: a row is filled up to four bytes, and the lowest one comes first. */
static void fer2013_pixels_become_a_picture(void **state)
{
	char *pictures = path_join(folder, STR("p.pictures")), *path, *at;
	struct read_options opt = {.pictures = str_z(pictures)};
	struct buf lines = BUF_INIT, problems = BUF_INIT;
	unsigned char bytes[2000];
	size_t n;
	FILE *f;

	(void)state;
	project_put(folder, "fer2013.csv", STR("emotion,pixels,Usage\n0,10 20 30 255,Training\n0,10 20 30 255,Training\n"));
	read_file("fer2013.csv", &opt, &lines, &problems);
	at = strstr(lines.p, "path=p.pictures/");
	assert_non_null(at);
	at += strlen("path=p.pictures/");
	at[strcspn(at, " ")] = '\0';
	path = path_join(pictures, str_z(at));
	f = fopen(path, "rb");
	assert_non_null(f);
	n = fread(bytes, 1, sizeof bytes, f);
	fclose(f);
	assert_int_equal(n, 54 + 1024 + 8);
	assert_memory_equal(bytes, "BM", 2);
	assert_memory_equal(bytes + 54 + 1024, "\x1e\xff\0\0\x0a\x14\0\0", 8);
	assert_memory_equal(bytes + 54 + 4 * 30, "\x1e\x1e\x1e\0", 4);
	free(path);
	free(pictures);
	buf_release(&lines);
	buf_release(&problems);
}

/* FER+ has no other names in common with fer2013.csv than the places of its rows. */
static void fer_plus_beside_fer2013_goes_by_rows(void **state)
{
	static const char votes[] =
	    "Usage,Image name,neutral,happiness,surprise,sadness,anger,disgust,fear,contempt,unknown,NF\n"
	     "Training,fer0000000.png,4,0,0,1,3,2,0,0,0,0\nTraining,,0,0,0,0,0,0,0,0,0,10\n";
	struct mapping by_name = {STR("key"), STR("Image name")};
	struct read_options opt = {0}, named = {.map = &by_name, .n_map = 1};
	struct buf lines = BUF_INIT, problems = BUF_INIT;

	(void)state;
	project_put(folder, "fer2013.csv", STR("emotion,pixels,Usage\n0,1,Training\n"));
	project_put(folder, "fer2013new.csv", str_z(votes));
	read_file("fer2013new.csv", &opt, &lines, &problems);
	has(&lines, "sample key=row00000 media=none facet"); /* the picture is fer2013.csv's */
	opt.images = str_z(folder);
	read_file("fer2013new.csv", &opt, &lines, &problems);
	has(&lines, "sample key=row00000 media=image path=fer0000000.png");
	has(&problems, "note the rows are those of fer2013.csv");
	read_file("fer2013new.csv", &named, &lines, &problems);
	has(&lines, "sample key=fer0000000.png media=image");
	has(&lines, "sample key=row00001 ");
	buf_release(&lines);
	buf_release(&problems);
}

static void rafdb_finds_aligned_pictures(void **state)
{
	char *images = path_join(folder, STR("raf"));
	struct read_options opt = {.images = str_z(images)};
	struct buf lines = BUF_INIT, problems = BUF_INIT;

	(void)state;
	project_put(folder, "list.txt", STR("train_00001.jpg 5\n"));
	read_file("list.txt", &opt, &lines, &problems);
	has(&lines, "key=train_00001.jpg media=image path=train_00001.jpg ");
	project_put(folder, "raf/aligned/train_00001_aligned.jpg", STR("x"));
	read_file("list.txt", &opt, &lines, &problems);
	has(&lines, "key=train_00001.jpg media=image path=train_00001_aligned.jpg ");
	free(images);
	buf_release(&lines);
	buf_release(&problems);
}

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	(void)st;
	(void)kind;
	(void)at;
	return remove(path);
}

static int remove_folder(void **state)
{
	(void)state;
	return nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* --- what else is known of a sample --- */

static void further_texts_of_a_sample_are_named(void **state)
{
	struct arena arena = ARENA_INIT;
	struct preview_extra *extra;

	(void)state;
	assert_int_equal(preview_extra_read(STR("{\"audio_clue\":\"Her voice.\",\"face\":[1,2],\"none\":null,\"n\":3,"
						"\"utterances\":[{\"awe\":\"It is vast.\"},{\"fear\":\"Dark.\"}]}"),
					    &arena, &extra), 4);
	assert_string_equal(extra[0].name.p, "audio_clue");
	assert_string_equal(extra[0].text.p, "Her voice.");
	assert_string_equal(extra[1].text.p, "[1,2]");
	assert_string_equal(extra[2].text.p, "3");
	assert_string_equal(extra[3].text.p, "awe: It is vast.\nfear: Dark.");
	assert_int_equal(preview_extra_read(STR("[1]"), &arena, &extra), 0);
	assert_int_equal(preview_extra_read(STR("{\"a\":"), &arena, &extra), 0);
	assert_int_equal(preview_extra_read(STR(""), &arena, &extra), 0);
	arena_release(&arena);
}

int main(void)
{
	struct CMUnitTest tests[64] = {{0}};
	size_t n = add_reader_cases(tests, 0, reads, cases, COUNT(cases));

	tests[n++] = (struct CMUnitTest)cmocka_unit_test(is_of_one_reader);
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(numbers_mean_something_beside_their_set_alone);
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(emoset_reads_the_annotations_of_its_index);
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(fer2013_pixels_become_a_picture);
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(fer_plus_beside_fer2013_goes_by_rows);
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(rafdb_finds_aligned_pictures);
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(further_texts_of_a_sample_are_named);
	return _cmocka_run_group_tests("readers of emotion sets", tests, n, make_folder, remove_folder);
}
