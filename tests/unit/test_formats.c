/* The readers of published formats, on small files of the same shape. */
#include "tests/unit/lib_readers.h"

#define BYTES(lit) {(lit), sizeof(lit) - 1}

static const struct reader_case class_lists[] = {
    {.name = "table with wnid, devkit id, several names; a repeated name",
     .file = "names.tsv",
     .bytes = BYTES("idx\twnid\tilsvrc_id\tclsloc_name\tmodified_name\n"
		    "0\tn01440764\t449\ttench\ttench\n"
		    "1\tn00000002\t450\tgold_fish\tTENCH\n"
		    "x\tn00000003\t451\ta\tb\n"),
     .reader = "classes",
     .want = "class 0 wnid=n01440764 name=tench alias=tench scheme=ilsvrc code=449\n"
	     "class 1 wnid=n00000002 name=TENCH alias=gold_fish scheme=ilsvrc code=450\n",
     .problems = "skipped 4:105 idx: expected a class index from 0 on\n"
		 "warning 3:73 name: \"TENCH\" is the name of several classes\n"},
    {.name = "table with aliases in one field and parents",
     .file = "c.csv",
     .bytes = BYTES("class_id,name,aliases,parent\n0,joy,\"bliss; glee\",positive\n1,fear,,\n"),
     .reader = "classes",
     .want = "class 0 name=joy alias=bliss; glee alias=bliss alias=glee parent=positive\n"
	     "class 1 name=fear\n",
     .problems = ""},
    {.name = "Keras index: from 0",
     .file = "imagenet_class_index.json",
     .bytes = BYTES("{\"0\": [\"n01440764\", \"tench\"], \"1\": [\"n02119789\", \"kit_fox\"]}"),
     .reader = "classes",
     .want = "class 0 wnid=n01440764 name=tench\n"
	     "class 1 wnid=n02119789 name=kit fox alias=kit_fox\n",
     .problems = ""},
    {.name = "the other file of that name: devkit numbers from 1",
     .file = "imagenet_class_index.json",
     .bytes = BYTES("{\n\"1\": [\n\"n02119789\", \"kit_fox\"\n],\n\"2\": [\"n02100735\", \"x\"]}"),
     .reader = "classes",
     .want = "class -1 wnid=n02119789 name=kit fox alias=kit_fox scheme=ilsvrc code=1\n"
	     "class -1 wnid=n02100735 name=x scheme=ilsvrc code=2\n",
     .problems = ""},
    {.name = "id2label",
     .file = "id2label.json",
     .bytes = BYTES("{\"0\": \"tench, Tinca tinca\", \"1\": \"goldfish\", \"x\": \"y\"}"),
     .reader = "classes",
     .want = "class 0 name=tench alias=tench, Tinca tinca alias=Tinca tinca\n"
	     "class 1 name=goldfish\n",
     .problems = "skipped 1:45 expected a class: a number with a name or [wnid, name]\n"},
    {.name = "array of names",
     .file = "classes.json",
     .bytes = BYTES("[\"tench, Tinca tinca\",\"goldfish\"]\n"),
     .reader = "classes",
     .want = "class 0 name=tench alias=tench, Tinca tinca alias=Tinca tinca\n"
	     "class 1 name=goldfish\n",
     .problems = ""},
    {.name = "Python list body with comments",
     .file = "modified_classnames.txt",
     .bytes = BYTES("'tench',\n\"jack-o'-lantern\",\n'bikini', # two-piece bikini\n"
		    "'a\\'b, c',\n'missing,\n"),
     .reader = "classes",
     .want = "class 0 name=tench\nclass 1 name=jack-o'-lantern\nclass 2 name=bikini\n"
	     "class 3 name=a'b, c\n",
     .problems = "skipped 5:68 name: expected a closing quote\n"},
    {.name = "Python list with its brackets",
     .file = "names.py",
     .bytes = BYTES("[\n  'tench',\n  'cock'\n]\n"),
     .reader = "classes",
     .want = "class 0 name=tench\nclass 1 name=cock\n",
     .problems = ""},
    {.name = "map_clsloc and synset words",
     .file = "map_clsloc.txt",
     .bytes = BYTES("n02119789 1 kit_fox\nn01440764 tench, Tinca tinca\n"),
     .reader = "classes",
     .want = "class -1 wnid=n02119789 name=kit fox alias=kit_fox scheme=ilsvrc code=1\n"
	     "class -1 wnid=n01440764 name=tench alias=tench, Tinca tinca alias=Tinca tinca\n",
     .problems = ""},
    {.name = "a name a line, CR-only, commas stay",
     .file = "names.txt",
     .bytes = BYTES("tench\rkite (bird of prey)\rmaillot, tank suit"),
     .as = "classes",
     .reader = "classes",
     .want = "class 0 name=tench\nclass 1 name=kite (bird of prey)\n"
	     "class 2 name=maillot, tank suit\n",
     .problems = ""},
    {.name = "commas in every line are no columns where the name speaks of classes",
     .file = "classes.txt",
     .bytes = BYTES("anger, rage\njoy, happiness\n"),
     .reader = "classes",
     .want = "class 0 name=anger, rage\nclass 1 name=joy, happiness\n",
     .problems = ""},
    {.name = "pictures and classes are columns whatever the name speaks of",
     .file = "labels.txt",
     .bytes = BYTES("a.jpg,anger\nb.jpg,joy\n"),
     .reader = "generic",
     .want = "sample key=a media=image path=a.jpg facet:column2=anger creates declares\n"
	     "sample key=b media=image path=b.jpg facet:column2=joy creates declares\n",
     .problems = ""},
    {.name = "prose is no class list",
     .file = "LICENSE",
     .bytes = BYTES("A licence\n\nYou may do this.\nYou may do that.\n"),
     .error = "looks like none of the known formats (tried mvei, mme"},
    {.name = "nothing in it",
     .file = "e.csv",
     .bytes = BYTES(""),
     .error = "e.csv is empty"},
    {.name = "an unknown --as",
     .file = "a.txt",
     .bytes = BYTES("a\n"),
     .as = "xml",
     .error = "there is no format \"xml\"; --as takes mvei, mme"},
};

static const struct reader_case more_class_lists[] = {
    {.name = "a Python dict by index, comments",
     .file = "imagenet1000_clsidx_to_labels.txt",
     .bytes = BYTES("# labels\n"
		    "{0: 'tench, Tinca tinca',\n"
		    " 1: \"jack-o'-lantern\",  # it's one\n"
		    " 2: 'it\\'s',\n"
		    " 4: 'cut\n"
		    "}\n"),
     .reader = "classes",
     .want = "class 0 name=tench alias=tench, Tinca tinca alias=Tinca tinca\n"
	     "class 1 name=jack-o'-lantern\n"
	     "class 2 name=it's\n",
     .problems = "skipped 5:83 name: expected a closing quote\n"},
    {.name = "a Python list with a name, several a line",
     .file = "names.py",
     .bytes = BYTES("imagenet_classes = [\"tench\", \"goldfish\", # two\r\n"
		    " \"maillot\", 'maillot',\r\n"
		    "\t'collie, and \\u00e9',]\r\n"),
     .reader = "classes",
     .want = "class 0 name=tench\n"
	     "class 1 name=goldfish\n"
	     "class 2 name=maillot\n"
	     "class 3 name=maillot\n"
	     "class 4 name=collie, and \303\251\n",
     .problems = "warning 2:48 name: \"maillot\" is the name of several classes\n"},
    {.name = "a Python list with names that are no text",
     .file = "names.py",
     .bytes = BYTES("names = ['tench', 'gold\xff" "fish',\n"
		    " 'k\0it', 'a\\x00b', 'end']\n"),
     .reader = "classes",
     .want = "class 0 name=tench\n"
	     "class 1 name=a\xef\xbf\xbd" "b\n"
	     "class 2 name=end\n",
     .problems = "skipped 1:0 name: is not UTF-8\n"
		 "skipped 2:31 name: has a zero byte in it\n"},
    {.name = "numbers before the names",
     .file = "classes.txt",
     .bytes = BYTES("1 001.Black_footed_Albatross\n"
		    "2 002.Laysan_Albatross\n"
		    "3 crane, bird\n"),
     .reader = "classes",
     .want = "class 1 name=Black footed Albatross alias=001.Black_footed_Albatross alias=Black_footed_Albatr"
	     "oss\n"
	     "class 2 name=Laysan Albatross alias=002.Laysan_Albatross alias=Laysan_Albatross\n"
	     "class 3 name=crane alias=crane, bird alias=bird\n",
     .problems = ""},
    {.name = "numbers from 0, by colons, the last line cut short",
     .file = "labels.txt",
     .bytes = BYTES("0: tench\r\n"
		    "1: goldfish\r\n"
		    "2: Eskimo dog"),
     .reader = "classes",
     .want = "class 0 name=tench\n"
	     "class 1 name=goldfish\n"
	     "class 2 name=Eskimo dog\n",
     .problems = ""},
    {.name = "numbers, wnids and names, by commas",
     .file = "map.csv",
     .bytes = BYTES("0,n01440764,\"tench, Tinca tinca\"\n"
		    "1,n01443537,goldfish\n"),
     .reader = "classes",
     .want = "class 0 wnid=n01440764 name=tench alias=tench, Tinca tinca alias=Tinca tinca\n"
	     "class 1 wnid=n01443537 name=goldfish\n",
     .problems = ""},
    {.name = "wnids and numbers from 0",
     .file = "map.txt",
     .bytes = BYTES("n01440764 0 tench\n"
		    "n01443537 1 goldfish\n"),
     .reader = "classes",
     .want = "class 0 wnid=n01440764 name=tench\n"
	     "class 1 wnid=n01443537 name=goldfish\n",
     .problems = ""},
    {.name = "indices by name",
     .file = "class_to_idx.json",
     .bytes = BYTES("{\"tench\": 0, \"goldfish\": 1,\n"
		    " \"crane\": 2}"),
     .reader = "classes",
     .want = "class 0 name=tench\n"
	     "class 1 name=goldfish\n"
	     "class 2 name=crane\n",
     .problems = ""},
    {.name = "indices by wnid",
     .file = "class_to_idx.json",
     .bytes = BYTES("{\"n01440764\": 0, \"n01443537\": 1}"),
     .reader = "classes",
     .want = "class 0 wnid=n01440764 name=\n"
	     "class 1 wnid=n01443537 name=\n",
     .problems = ""},
    {.name = "names by wnid",
     .file = "words.json",
     .bytes = BYTES("{\"n01440764\": \"tench, Tinca tinca\", \"n01443537\": \"goldfish\", \"x\": \"y\"}"),
     .reader = "classes",
     .want = "class -1 wnid=n01440764 name=tench alias=tench, Tinca tinca alias=Tinca tinca\n"
	     "class -1 wnid=n01443537 name=goldfish\n",
     .problems = "skipped 1:61 expected a class: a number with a name or [wnid, name]\n"},
    {.name = "pairs of wnid and name",
     .file = "list.json",
     .bytes = BYTES("[[\"n01440764\", \"tench\"], [\"n01443537\", \"gold_fish\"]]"),
     .reader = "classes",
     .want = "class 0 wnid=n01440764 name=tench\n"
	     "class 1 wnid=n01443537 name=gold fish alias=gold_fish\n",
     .problems = ""},
    {.name = "pairs of wnids are no classes",
     .file = "class_confusion_wnids.json",
     .bytes = BYTES("[[\"n04525305\", \"n04554684\", 1]]"),
     .reader = "mistakes",
     .want = "",
     .problems = ""},
    {.name = "a model's configuration",
     .file = "config.json",
     .bytes = BYTES("{\"architectures\": [\"ViT\"], \"id2label\": {\"0\": \"tench, Tinca tinca\", \"1\": \"goldfish"
		    "\"}, \"label2id\": {\"tench, Tinca tinca\": 0}}"),
     .reader = "classes",
     .want = "class 0 name=tench alias=tench, Tinca tinca alias=Tinca tinca\n"
	     "class 1 name=goldfish\n",
     .problems = ""},
    {.name = "lists of names by index",
     .file = "names.json",
     .bytes = BYTES("{\"0\": [\"tench\", \"Tinca tinca\"], \"1\": [\"goldfish\"]}"),
     .reader = "classes",
     .want = "class 0 name=tench alias=tench, Tinca tinca alias=Tinca tinca\n"
	     "class 1 name=goldfish\n",
     .problems = ""},
    {.name = "objects with id and name",
     .file = "cats.json",
     .bytes = BYTES("[{\"id\": 0, \"name\": \"tench\"}, {\"id\": 1, \"name\": \"gold_fish\", \"supercategory\": \"f"
		    "ish\"}]"),
     .reader = "classes",
     .want = "class 0 name=tench\n"
	     "class 1 name=gold fish alias=gold_fish\n",
     .problems = ""},
    {.name = "indices of pictures are no classes",
     .file = "x.json",
     .bytes = BYTES("{\"a.jpg\": 0, \"b.jpg\": 1}"),
     .reader = "generic",
     .error = "no field",
     .want = "",
     .problems = ""},
};

static const struct reader_case clusters[] = {
    {.name = "clusters: of Flaws of ImageNet, without names",
     .file = "clusters.json",
     .bytes = BYTES("[{\"category\":[2,6],\"classes\":{\"72\":\"black and gold garden spider, Argiope aurantia\",\""
		    "73\":\"barn spider\"}},\n"
		    "{\"category\":[],\"classes\":{\"1\":\"goldfish\",\"x\":\"y\"}},{\"classes\":{}},7]"),
     .reader = "clusters",
     .want = "class 72 name=black and gold garden spider parent=cluster 1: alike, together (group)\n"
	     "class 73 name=barn spider parent=cluster 1: alike, together (group)\n"
	     "class 1 name=goldfish parent=cluster 2 (group)\n"
	     "class -1 name=cluster 1: alike, together (group) group\n"
	     "class -1 name=cluster 2 (group) group\n",
     .problems = "skipped 2:106 classes: expected a class's index\n"
		 "skipped 2:172 expected a cluster of classes\n"},
    {.name = "clusters: lists by name",
     .file = "superclasses.json",
     .bytes = BYTES("{\"spider\": [72, \"n01773549\", \"Garden spider\", null], \"fish\": []}"),
     .reader = "clusters",
     .want = "class 72 parent=spider (group)\n"
	     "class -1 wnid=n01773549 parent=spider (group)\n"
	     "class -1 name=Garden spider parent=spider (group)\n"
	     "class -1 name=spider (group) group\n",
     .problems = "skipped 1:1 expected a class: an index, a wnid or a name\n"},
    {.name = "clusters: a table",
     .file = "t.tsv",
     .bytes = BYTES("idx\tcluster\tname\n"
		    "72\tspider\tgarden spider\n"
		    "x\tspider\tbarn spider\n"
		    "1\t\tgoldfish\n"),
     .reader = "clusters",
     .want = "class 72 name=garden spider parent=spider (group)\n"
	     "class -1 name=spider (group) group\n",
     .problems = "skipped 3:41 index: expected a class index from 0 on\n"
		 "skipped 4:62 cluster: expected a name, got nothing\n"},
    {.name = "clusters: a table of wnids",
     .file = "t.csv",
     .bytes = BYTES("class,superclass\n"
		    "n01773549,spider\n"
		    "1,fish\n"),
     .reader = "clusters",
     .want = "class -1 wnid=n01773549 parent=spider (group)\n"
	     "class 1 parent=fish (group)\n"
	     "class -1 name=spider (group) group\n"
	     "class -1 name=fish (group) group\n",
     .problems = ""},
};

static const struct reader_case small_formats[] = {
    {.name = "tree: a word on two levels stays on the higher one",
     .file = "t.tsv",
     .bytes = BYTES("primary\tsecondary\ttertiary\n"
		    "anger\trage\tanger\nanger\trage\tfury\nlove\tlonging\tlonging\n"
		    "love\trage\t\n"),
     .reader = "tree",
     .want = "tree facet=emotion value=anger\n"
	     "tree facet=emotion value=love\n"
	     "tree facet=emotion value=rage parent=anger\n"
	     "tree facet=emotion value=longing parent=love\n"
	     "tree facet=emotion value=fury parent=rage\n",
     .problems = "warning 5:81 secondary: \"rage\" hangs below \"anger\" already\n"},
    {.name = "tree of another facet, any depth",
     .file = "t.csv",
     .bytes = BYTES("primary,secondary,tertiary,quaternary\na,b,c,d\n"),
     .map = {{BYTES("facet"), BYTES("scene")}},
     .reader = "tree",
     .want = "tree facet=scene value=a\ntree facet=scene value=b parent=a\n"
	     "tree facet=scene value=c parent=b\ntree facet=scene value=d parent=c\n",
     .problems = ""},
    {.name = "pairs",
     .file = "p.tsv",
     .bytes = BYTES("figure\tc1\tc2\n10\t620\t681\n10\tn01440764\tkite\n10\t\t3\n"),
     .reader = "pairs",
     .want = "pair (#620:620)(#681:681)\npair (~n01440764)(=kite)\n",
     .problems = "skipped 4:42 c1: expected a class: an index, a wnid or a name\n"},
    {.name = "real",
     .file = "real.json",
     .bytes = BYTES("[[], [970, 795],\n [1000], [1.5], [3]]"),
     .as = "real",
     .reader = "real",
     .want = "preset is=real\n"
	     "sample key=ILSVRC2012_val_00000001 media=image truth=reannotated() creates declares\n"
	     "sample key=ILSVRC2012_val_00000002 media=image truth=reannotated(#970: #795:) "
	     "creates declares\n"
	     "sample key=ILSVRC2012_val_00000005 media=image truth=reannotated(#3:) "
	     "creates declares\n",
     .problems = "skipped 2:18 labels: expected class indices from 0 to 999\n"
		 "skipped 2:26 labels: expected class indices from 0 to 999\n"},
    {.name = "devkit: by name when short; a hole is a hole",
     .file = "ILSVRC2012_validation_ground_truth.txt",
     .bytes = BYTES("490\r\n\r\n1001\r\n171"),
     .layer = "imgt",
     .reader = "devkit",
     .want = "sample key=ILSVRC2012_val_00000001 media=image truth=imgt(@490) creates declares\n"
	     "sample key=ILSVRC2012_val_00000004 media=image truth=imgt(@171) creates declares\n",
     .problems = "skipped 3:7 label: expected a number from 1 to 1000\n",
     .as = "devkit"},
    {.name = "faces: four runs, response inside full_response",
     .file = "final_results.csv",
     .bytes = BYTES(
	 "image_name_x,response,full_response,face_type,orientation,prompt_style,img_key,"
	 "image_name_y,correct_emotion,correct\n"
	 "A.JPG,joy,\"joy, a smile\",individual,upright,explanation,a,A.jpg,joy,True\n"
	 "A.JPG,,,individual,inverted,no_explanation,a,A.jpg,joy,False\n"
	 "B.JPG,joy,joy,individual,inverted,no_explanation,,B.jpg,joy,True\n"),
     .reader = "faces",
     .want = "run 0 model=gpt-4 protocol=upright-explanation handle=upright-explanation\n"
	     "prediction 0 key=a raw=joy, a smile extracted=joy answered(=joy) of key=a "
	     "media=image path=A.JPG facet:face_type=individual truth=original(=joy) creates\n"
	     "run 1 model=gpt-4 protocol=inverted-no_explanation "
	     "handle=inverted-no_explanation\n"
	     "prediction 1 key=a empty() of key=a media=image path=A.JPG "
	     "facet:face_type=individual truth=original(=joy) creates\n",
     .problems = "skipped 4:250 img_key: expected a text, got nothing\n"},
    {.name = "faces: the pictures and their emotions",
     .file = "MatrixFace_answers.csv",
     .bytes = BYTES("image_name,correct_emotion\nMatrixFaces1,joy\n,joy\nx\\MatrixFaces2.jpg,"),
     .reader = "faces",
     .want = "sample key=MatrixFaces1 media=image path=MatrixFaces1 facet:face_type=matrixed "
	     "truth=original(=joy) creates declares\n"
	     "sample key=MatrixFaces2 media=image path=x/MatrixFaces2.jpg facet:face_type=matrixed "
	     "creates declares\n",
     .problems = "skipped 3:44 image_name: expected a picture's name, got nothing\n"},
    {.name = "mme: labels split only when they are no label as a whole",
     .file = "ER_SL_Wild_gpt4o.json",
     .bytes = BYTES(
	 "[{\"video_id\":\"MAFW\\\\v\\\\1.mp4\",\"label\":\"Anger, Cold\",\"label_set\":"
	 "[\"anger, cold\",\"joy\"]},\n"
	 "{\"video_id\":\"MAFW/v/2.mp4\",\"label\":\"joy;anger, cold\",\"label_set\":"
	 "[\"anger, cold\",\"joy\"]},\n"
	 "{\"video_id\":\"3.mp4\",\"label\":\"joy,hate\",\"label_set\":[\"joy\"]},\n"
	 "{\"label\":\"joy\",\"label_set\":[\"joy\"]}]"),
     .reader = "mme",
     .want = "class -1 name=anger, cold\nclass -1 name=joy\n"
	     "sample key=ER-Wild/MAFW/v/1.mp4 media=video path=MAFW/v/1.mp4 option=anger, cold "
	     "option=joy facet:mme_task=ER-Wild facet:source=MAFW truth=original(=Anger, Cold) "
	     "creates declares\n"
	     "sample key=ER-Wild/MAFW/v/2.mp4 media=video path=MAFW/v/2.mp4 option=anger, cold "
	     "option=joy facet:mme_task=ER-Wild facet:source=MAFW "
	     "truth=original(=joy =anger, cold) creates declares\n"
	     "class -1 name=hate\n"
	     "sample key=ER-Wild/3.mp4 media=video path=3.mp4 option=joy "
	     "facet:mme_task=ER-Wild truth=original(=joy =hate) creates declares\n",
     .problems = "warning 3:177 label: \"hate\" is not in label_set\n"
		 "skipped 4:238 video_id: expected a path\n"},
    {.name = "mme: what was said, its steps and the marks of them",
     .file = "IR_gpt4o_eval.json",
     .bytes = BYTES(
	 "[{\"video_id\":\"a.mp4\",\"ground_truth\":\"wishing\",\"model_response\":\"He asks.\","
	 "\"step\":\"<step>Step 1: He asks. Step 2: The predicted intent is questioning.</step>\","
	 "\"score\":\"<score>Step 1: 1/1, Step 2: 0/1</score>\",\"tokens\":7,\"input_tokens\":9,"
	 "\"output_tokens\":3},\n"
	 "{\"video_id\":\"b.mp4\",\"ground_truth\":\"wishing\",\"model_response\":\"\","
	 "\"step\":\"Error: timeout\",\"score\":null}]"),
     .reader = "mme",
     .want = "run 0 model=gpt4o protocol=MME\n"
	     "class -1 name=wishing\nclass -1 name=neutral\nclass -1 name=questioning\n"
	     "class -1 name=consoling\nclass -1 name=suggesting\nclass -1 name=encouraging\n"
	     "class -1 name=agreeing\nclass -1 name=acknowledging\n"
	     "prediction 0 key=IR/a.mp4 raw=He asks. extracted=questioning answered(=questioning) "
	     "tokens=7 number=judged:1 number=steps:2 number=rec:0 number=rea:1 number=marks:2 "
	     "number=wrong_steps:0 number=judge_input_tokens:9 number=judge_output_tokens:3 "
	     "steps=<step>Step 1: He asks. Step 2: The predicted intent is questioning.</step> "
	     "marks=<score>Step 1: 1/1, Step 2: 0/1</score> of key=IR/a.mp4 media=video path=a.mp4 "
	     "facet:mme_task=IR truth=original(=wishing) creates\n"
	     "prediction 0 key=IR/b.mp4 raw= empty() number=judged:0 of key=IR/b.mp4 media=video "
	     "path=b.mp4 facet:mme_task=IR truth=original(=wishing) creates\n",
     .problems = "warning 2:256 step: the steps could not be cut: Error: timeout\n"
		 "warning 2:256 score: there are no marks\n"},
    {.name = "mme: people's marks, of tasks that a field names",
     .file = "people.csv",
     .bytes = BYTES("task,video_id,human_score\nER_Lab,a.mp4,\"[1,0]\"\nIR,b.mp4,good\n"),
     .model = "m",
     .reader = "mme",
     .want = "run 0 model=m protocol=MME\n"
	     "prediction 0 key=ER-Lab/a.mp4 missing() number=people_marks:2 people=[1,0]\n"
	     "prediction 0 key=IR/b.mp4 missing()\n",
     .problems = "warning 3:47 human_score: no marks can be read in \"good\"\n"},
    {.name = "votes: FER+, a row without a name and one with that of another",
     .file = "fer2013new.csv",
     .bytes = BYTES("Usage,Image name,neutral,happiness,surprise,sadness,anger,disgust,fear,contempt,"
		    "unknown,NF\nTraining,fer0.png,4,0,0,1,3,2,0,0,0,0\n"
		    "Training,,0,0,0,0,0,0,0,0,0,10\nPublicTest,fer0.png,0,9,0,0,0,0,0,0,1,0\n"
		    "PublicTest,x.png,0,0,0,0,0,0,0,0,0,0\nPublicTest,y.png,-1,2,0,0,0,0,0,0,0,0\n"),
     .reader = "votes",
     .skip_to = "class -1 name=NF\n",
     .want = "sample key=fer0.png media=image path=fer0.png facet:usage=Training "
	     "truth=reannotated(=neutral*4 =happiness*0 =surprise*0 =sadness*1 =anger*3 =disgust*2 "
	     "=fear*0 =contempt*0 =unknown*0 =NF*0) creates declares\n"
	     "sample key=row00001 media=none facet:usage=Training "
	     "truth=reannotated(=neutral*0 =happiness*0 =surprise*0 =sadness*0 =anger*0 =disgust*0 "
	     "=fear*0 =contempt*0 =unknown*0 =NF*10) creates declares\n"
	     "sample key=row00002 media=image path=fer0.png facet:usage=PublicTest "
	     "truth=reannotated(=neutral*0 =happiness*9 =surprise*0 =sadness*0 =anger*0 =disgust*0 "
	     "=fear*0 =contempt*0 =unknown*1 =NF*0) creates declares\n",
     .problems = "skipped 5:200 there is not one vote\n"
		 "skipped 6:237 neutral: expected a number of votes\n"},
    {.name = "votes: a model's shares",
     .file = "s.csv",
     .bytes = BYTES("id,joy,fear,awe,anger\na,0.2,0.5,0.3,0\nb,1,1,0,0\n"),
     .model = "m",
     .reader = "votes",
     .want = "class -1 name=joy\nclass -1 name=fear\nclass -1 name=awe\nclass -1 name=anger\n"
	     "run 0 model=m\n"
	     "prediction 0 key=a raw=fear answered(=fear) number=p_joy:0.2 number=p_fear:0.5 "
	     "number=p_awe:0.3 number=p_anger:0\n"
	     "prediction 0 key=b raw=joy answered(=joy =fear) number=p_joy:1 number=p_fear:1 "
	     "number=p_awe:0 number=p_anger:0\n",
     .problems = ""},
    {.name = "votes: classes that are no emotions, and no column for the sample",
     .file = "v.csv",
     .bytes = BYTES("a,b\n1,2\n"),
     .as = "votes",
     .reader = "votes",
     .want = "class -1 name=a\nclass -1 name=b\n",
     .problems = "",
     .error = "no column names the sample"},
};

#define MVEI_ENTRY(predict1, predict2)                                                             \
	"[{\"image_id\":\"awe\\\\awe_1.jpg\",\"ov_emotion\":[\"Tranquility\",\"fear\"],"           \
	"\"statement_list\":[{\"statement\":\"S1.\",\"label\":\"incorrect\","                      \
	"\"class\":\"sentiment polarity\",\"subclass\":\"none\"" predict1 "},"                     \
	"{\"statement\":\"S2.\",\"label\":\"Correct\",\"class\":\"scene context\","                \
	"\"subclass\":\"object\"" predict2 "}]},\n"                                                \
	"{\"image_id\":\"x.jpg\",\"statement_list\":[{\"statement\":\"S3.\",\"label\":\"?\"},7]}]"

static const struct reader_case mvei_cases[] = {
    {.name = "mvei metadata",
     .file = "MVEI_metadata.json",
     .bytes = BYTES(MVEI_ENTRY("", "")),
     .reader = "mvei",
     .want = "sample key=awe/awe_1.jpg#0 media=image path=awe/awe_1.jpg statement=S1. "
	     "facet:emotion=Tranquility facet:emotion=fear facet:emoset=awe "
	     "facet:dimension=sentiment polarity truth=original(#0:Incorrect) creates declares\n"
	     "sample key=awe/awe_1.jpg#1 media=image path=awe/awe_1.jpg statement=S2. "
	     "facet:emotion=Tranquility facet:emotion=fear facet:emoset=awe "
	     "facet:dimension=scene context facet:subclass=object truth=original(#1:Correct) "
	     "creates declares\n"
	     "sample key=x.jpg#0 media=image path=x.jpg statement=S3. creates declares\n",
     .problems = "warning 2:256 label: expected correct or incorrect\n"
		 "skipped 2:256 statement_list: expected an object as statement 1\n"},
    {.name = "mvei predictions",
     .file = "MVEI_predict.json",
     .bytes = BYTES(MVEI_ENTRY(",\"predict\":\"It is INCORRECT, not correct\"",
			       ",\"predict\":\"\"")),
     .model = "gpt",
     .reader = "mvei",
     .want = "run 0 model=gpt protocol=ESJ\n"
	     "prediction 0 key=awe/awe_1.jpg#0 raw=It is INCORRECT, not correct "
	     "extracted=INCORRECT answered(#0:Incorrect) of key=awe/awe_1.jpg#0 media=image "
	     "path=awe/awe_1.jpg statement=S1. facet:emotion=Tranquility facet:emotion=fear "
	     "facet:emoset=awe facet:dimension=sentiment polarity truth=original(#0:Incorrect) "
	     "creates\n"
	     "prediction 0 key=awe/awe_1.jpg#1 raw= empty() of key=awe/awe_1.jpg#1 media=image "
	     "path=awe/awe_1.jpg statement=S2. facet:emotion=Tranquility facet:emotion=fear "
	     "facet:emoset=awe facet:dimension=scene context facet:subclass=object "
	     "truth=original(#1:Correct) creates\n"
	     "sample key=x.jpg#0 media=image path=x.jpg statement=S3. creates\n",
     .n_problems = 2},
    {.name = "mvei: not correct is correct, no verdict is refused",
     .file = "MVEI_predict.json",
     .bytes = BYTES(MVEI_ENTRY(",\"predict\":\"This is not Correct.\"",
			       ",\"predict\":\"I cannot say\"")),
     .model = "gpt",
     .reader = "mvei",
     .want = "run 0 model=gpt protocol=ESJ\n"
	     "prediction 0 key=awe/awe_1.jpg#0 raw=This is not Correct. extracted=Correct "
	     "answered(#1:Correct) of key=awe/awe_1.jpg#0 media=image "
	     "path=awe/awe_1.jpg statement=S1. facet:emotion=Tranquility facet:emotion=fear "
	     "facet:emoset=awe facet:dimension=sentiment polarity truth=original(#0:Incorrect) "
	     "creates\n"
	     "prediction 0 key=awe/awe_1.jpg#1 raw=I cannot say refused() of "
	     "key=awe/awe_1.jpg#1 media=image path=awe/awe_1.jpg statement=S2. "
	     "facet:emotion=Tranquility facet:emotion=fear facet:emoset=awe "
	     "facet:dimension=scene context facet:subclass=object truth=original(#1:Correct) "
	     "creates\n"
	     "sample key=x.jpg#0 media=image path=x.jpg statement=S3. creates\n",
     .n_problems = 2},
};

static void reads(void **state)
{
	run_reader_case(*state);
}

static void reads_mvei(void **state)
{
	struct reader_case c = *(const struct reader_case *)*state;

	c.skip_to = "value=dread parent=nervousness\n";
	run_reader_case(&c);
}

/* What every MVEI file begins with; the cases show what comes after it. */
static void mvei_declares_classes_and_tree(void **state)
{
	static const char begin[] = "preset is=mvei\nclass 0 name=Incorrect\nclass 1 name=Correct\n"
				    "tree facet=emotion value=love\n"
				    "tree facet=emotion value=affection parent=love\n";
	struct read_options opt = {0};
	struct str bytes = BYTES("[{\"image_id\":\"a\",\"statement_list\":[]}]");
	struct sink_log log;
	struct report report;
	struct err err = ERR_INIT;

	(void)state;
	sink_log_init(&log);
	report_init(&report, "m.json", NULL);
	assert_int_equal(read_bytes("m.json", bytes, &opt, &log.sink, &report, NULL, &err), OK);
	assert_true(str_starts(buf_view(&log.text), str_z(begin)));
	assert_int_equal(log.trees, 134);
	assert_int_equal(log.samples, 0);
	report_release(&report);
	sink_log_release(&log);
}

/* A list of plain numbers is never a class list, a list of names never the devkit's truth. */
static void numbers_are_no_names(void **state)
{
	static const struct {
		const char *word, *reader;
	} cases[] = {{"", "devkit"}, {"class ", "classes"}};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct read_options opt = {0};
		const struct reader *used = NULL;
		struct buf bytes = BUF_INIT;
		struct sink_log log;
		struct report report;
		struct err err = ERR_INIT;

		for (int n = 1; n <= 200; n++)
			buf_printf(&bytes, "%s%d\n", cases[i].word, n);
		sink_log_init(&log);
		report_init(&report, "x.txt", NULL);
		assert_int_equal(read_bytes("x.txt", buf_view(&bytes), &opt, &log.sink, &report,
					    &used, &err), OK);
		assert_string_equal(used->name, cases[i].reader);
		assert_int_equal(log.samples + log.classes, 200);
		report_release(&report);
		sink_log_release(&log);
		buf_release(&bytes);
	}
}

int main(void)
{
	struct CMUnitTest tests[64] = {{0}};
	size_t n = 0;

	n = add_reader_cases(tests, n, reads, class_lists, COUNT(class_lists));
	n = add_reader_cases(tests, n, reads, more_class_lists, COUNT(more_class_lists));
	n = add_reader_cases(tests, n, reads, clusters, COUNT(clusters));
	n = add_reader_cases(tests, n, reads, small_formats, COUNT(small_formats));
	n = add_reader_cases(tests, n, reads_mvei, mvei_cases, COUNT(mvei_cases));
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(mvei_declares_classes_and_tree);
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(numbers_are_no_names);
	return _cmocka_run_group_tests("readers of formats", tests, n, NULL, NULL);
}
