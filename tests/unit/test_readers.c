/* Every reader on small files of every shape and mess: what the sink gets, what is reported. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/unit/lib_readers.h"

#define BYTES(lit) {(lit), sizeof(lit) - 1}
#define BOM "\xef\xbb\xbf"

static const struct reader_case generic_samples[] = {
    {.name = "JSONL with index, name, synonyms, numbers",
     .file = "items.jsonl",
     .bytes = BYTES("{\"id\":\"a\",\"image\":\"x/a.jpg\",\"label\":\"tench\","
		    "\"label_full\":\"tench, Tinca tinca\",\"label_index\":0,\"width\":320}\n"
		    "{\"id\":\"b\",\"image\":\"x/b.jpg\",\"label\":\"cock\",\"label_index\":7,"
		    "\"width\":32.5}\n"),
     .reader = "generic",
     .want = "class 0 name=tench alias=tench, Tinca tinca alias=tench alias=Tinca tinca\n"
	     "sample key=a media=image path=x/a.jpg number:width=320 truth=original(#0:tench) "
	     "creates declares\n"
	     "class 7 name=cock\n"
	     "sample key=b media=image path=x/b.jpg number:width=32.5 truth=original(#7:cock) "
	     "creates declares\n"},
    {.name = "a class is sent once",
     .file = "a.jsonl",
     .bytes = BYTES("{\"id\":1,\"label\":\"a\",\"label_index\":0}\n"
		    "{\"id\":2,\"label\":\"a\",\"label_index\":0}\n"),
     .reader = "generic",
     .want = "class 0 name=a\n"
	     "sample key=1 media=none truth=original(#0:a) creates declares\n"
	     "sample key=2 media=none truth=original(#0:a) creates declares\n"},
    {.name = "array of objects, keys as numbers, further layers, nested rest",
     .file = "a.json",
     .bytes = BYTES("[ {\"id\": 12, \"question\": \"Q?\", \"options\": [\"x\", 2],\n"
		    "   \"label\": [\"joy\", \"fear\"], \"labels_reannotated\": [3, 4],\n"
		    "   \"meta\": {\"k\": [1, 2.50]}},\n"
		    "  {\"id\": 12.0, \"label\": null, \"reannotated_labels\": [], \"meta\": null} ]"),
     .reader = "generic",
     .want = "sample key=12 media=none question=Q? option=x option=2 "
	     "truth=original(=joy =fear) truth=reannotated(#3: #4:) "
	     "extra={\"meta\":{\"k\":[1,2.5]}} creates declares\n"
	     "sample key=12 media=none truth=reannotated() creates declares\n"},
    {.name = "a list of texts is several values of a facet, any other list stays what it is",
     .file = "a.jsonl",
     .bytes = BYTES("{\"id\":1,\"label\":\"a\",\"tags\":[\"x\",\" y\"],\"n\":[1],\"m\":[\"x\",2]}\n"
		    "{\"id\":2,\"label\":\"a\",\"tags\":[],\"n\":[2],\"m\":[\"x\"]}\n"
		    "{\"id\":3,\"label\":\"a\",\"tags\":\"z\"}\n"),
     .reader = "generic",
     .want = "sample key=1 media=none facet:tags=x facet:tags=y truth=original(=a) "
	     "extra={\"n\":[1],\"m\":[\"x\",2]} creates declares\n"
	     "sample key=2 media=none truth=original(=a) extra={\"n\":[2],\"m\":[\"x\"]} "
	     "creates declares\n"
	     "sample key=3 media=none facet:tags=z truth=original(=a) creates declares\n"},
    {.name = "a table of samples with columns c1 and c2",
     .file = "a.csv",
     .bytes = BYTES("id,label,c1,c2\n1,a,x,y\n"),
     .reader = "generic",
     .want = "sample key=1 media=none facet:c1=x facet:c2=y truth=original(=a) creates declares\n"},
    {.name = "map of records: the member's key is the sample's",
     .file = "a.json",
     .bytes = BYTES("{\"k/1\": {\"ground_truth\": \"joy\", \"id\": \"other\"},\n"
		    " \"k/2\": {\"ground_truth\": {\"joy\": 3, \"fear\": 1}}}"),
     .reader = "generic",
     .want = "sample key=k/1 media=none truth=original(=joy) creates declares\n"
	     "sample key=k/2 media=none truth=original(=joy*3 =fear*1) creates declares\n"},
    {.name = "CSV with BOM, CRLF, quotes, no final newline, back-slashes",
     .file = "a.csv",
     .bytes = BYTES(BOM "Image Path,Statement,LABEL\r\n"
			"images\\1.JPG,\"a, \"\"b\"\"\nc\",HAPPY\r\n"
			"images\\2.JPG,d,happy"),
     .reader = "generic",
     .want = "sample key=1 media=image path=images/1.JPG statement=a, \"b\"\nc "
	     "truth=original(=HAPPY) creates declares\n"
	     "sample key=2 media=image path=images/2.JPG statement=d truth=original(=happy) "
	     "creates declares\n"},
    {.name = "CR-only without a header",
     .file = "a.csv",
     .bytes = BYTES("906,A_3.jpg,fear\r906,A_4.jpg,joy\r907,A_5.jpg,joy"),
     .map = {{BYTES("label"), BYTES("column3")}},
     .reader = "generic",
     .want = "sample key=A_3 media=image path=A_3.jpg number:column1=906 "
	     "truth=original(=fear) creates declares\n"
	     "sample key=A_4 media=image path=A_4.jpg number:column1=906 "
	     "truth=original(=joy) creates declares\n"
	     "sample key=A_5 media=image path=A_5.jpg number:column1=907 "
	     "truth=original(=joy) creates declares\n"},
    {.name = "TSV, Python literals, index lists, options in a dict",
     .file = "a.tsv",
     .bytes = BYTES("id\toptions\tlabel\toriginal_class\n"
		    "1\t{'A': 'No.', 'B': \"it's\"}\t['joy', \"fear\"]\t[7, 9]\n"
		    "2\t['x', None]\t\t7,9\n"),
     .reader = "generic",
     .want = "sample key=1 media=none option=No. option=it's truth=original(=joy =fear) "
	     "extra={\"original_class\":\"[7, 9]\"} creates declares\n"
	     "sample key=2 media=none option=x truth=original(#7:7 #9:9) creates declares\n"},
    {.name = "numeric, categorical and long columns",
     .file = "a.csv",
     .bytes = BYTES("id,mos,gen,note,label\n"
		    "1,3.5,sd,0123456789012345678901234567890123456789012345678901234567890123456789,a\n"
		    "2,,mj,x,a\n"
		    "3,n/a,sd,,b\n"),
     .reader = "generic",
     /* "n/a" among numbers makes a column of texts of it */
     .want = "sample key=1 media=none facet:mos=3.5 facet:gen=sd truth=original(=a) "
	     "extra={\"note\":"
	     "\"0123456789012345678901234567890123456789012345678901234567890123456789\"} "
	     "creates declares\n"
	     "sample key=2 media=none facet:gen=mj truth=original(=a) extra={\"note\":\"x\"} "
	     "creates declares\n"
	     "sample key=3 media=none facet:mos=n/a facet:gen=sd truth=original(=b) "
	     "creates declares\n"},
    {.name = "wnid beside a name",
     .file = "a.csv",
     .bytes = BYTES("id,image,wnid,label\n1,a.png,n01440764,tench\n"),
     .reader = "generic",
     .want = "class -1 wnid=n01440764 name=tench\n"
	     "sample key=1 media=image path=a.png truth=original(~n01440764) creates declares\n"},
    {.name = "--map wins over usual names",
     .file = "a.csv",
     .bytes = BYTES("id,my key,label,emo\n1,K,x,joy\n"),
     .map = {{BYTES("key"), BYTES("my key")}, {BYTES("label"), BYTES("EMO")}},
     .reader = "generic",
     .want = "sample key=K media=none number:id=1 facet:label=x truth=original(=joy) "
	     "creates declares\n"},
    {.name = "a label by --map stands without another label's index",
     .file = "a.csv",
     .bytes = BYTES("id,class_id,emo\n1,3,joy\n"),
     .map = {{BYTES("label"), BYTES("emo")}},
     .reader = "generic",
     .want = "sample key=1 media=none number:class_id=3 truth=original(=joy) creates declares\n"},
    {.name = "one line of JSON that begins with something nested is one row",
     .file = "a.jsonl",
     .bytes = BYTES("{\"meta\":{\"a\":1},\"id\":\"x\",\"label\":\"joy\"}\n"),
     .reader = "generic",
     .want = "sample key=x media=none truth=original(=joy) extra={\"meta\":{\"a\":1}} creates "
	     "declares\n"},
    {.name = "dicts that Python printed, one a line",
     .file = "a.jsonl",
     .bytes = BYTES("{'id': 1, 'image': 'a.jpg', 'model': 'm', 'prediction': \"it's\", 'ok': True,"
		    " 'none': None, 'tags': ('x', 'y')}\n"
		    "{'id': 2, 'image': 'b.jpg', 'model': 'm', 'prediction': object()}\n"),
     .reader = "generic",
     .want = "run 0 model=m\n"
	     "prediction 0 key=1 raw=it's answered(=it's) details={\"ok\":true,\"tags\":[\"x\",\"y\"]} of key=1 "
	     "media=image path=a.jpg facet:ok=true creates\n",
     .problems = "skipped 2:110 is neither JSON nor a dict as Python prints it\n"},
    {.name = "--layer for labels alone adds to samples",
     .file = "a.csv",
     .bytes = BYTES("id,label\n1,joy\n"),
     .layer = "second",
     .reader = "generic",
     .want = "sample key=1 media=none truth=second(=joy)\n"},
    {.name = "--layer for labels alone, keys are names of pictures",
     .file = "a.csv",
     .bytes = BYTES("id,label\n1.jpg,joy\n"),
     .layer = "second",
     .reader = "generic",
     .want = "sample key=1.jpg media=none truth=second(=joy)\n"},
    {.name = "videos, several images, pictures inside",
     .file = "a.jsonl",
     .bytes = BYTES("{\"id\":\"v\",\"image\":\"v.MP4\"}\n"
		    "{\"id\":\"p\",\"image\":[\"a.png\",\"b.png\"]}\n"
		    "{\"id\":\"d\",\"image\":\"data:image/png;base64,AAAA\"}\n"),
     .reader = "generic",
     .want = "sample key=v media=video path=v.MP4 creates declares\n"
	     "sample key=p media=images path=a.png path=b.png creates declares\n"
	     "sample key=d media=none creates declares\n",
     .problems = "warning 3:64 image: expected a path, got what looks like the picture itself\n"},
    {.name = "bad rows: the others go on",
     .file = "a.jsonl",
     .bytes = BYTES("{\"id\":\"a\",\"label\":\"x\"}\n"
		    "{\"id\":\"b\",\"label\":\n"
		    "\n"
		    "{\"id\":\"c\",\"label\":\"\xff\"}\n"
		    "[1]\n"
		    "{\"label\":\"x\"}\n"
		    "{\"id\":\"\",\"label\":\"x\"}\n"
		    "{\"id\":\"d\",\"label\":\"x\",\"w\":NaN}\n"),
     .reader = "generic",
     .want = "sample key=a media=none truth=original(=x) creates declares\n"
	     "sample key=d media=none truth=original(=x) creates declares\n",
     .problems = "skipped 2:23 byte 18: expected a value\n"
		 "skipped 4:62 label: is not UTF-8\n"
		 "skipped 5:66 expected an object in braces\n"
		 "skipped 6:70 id: expected the sample's key, got nothing; --map key=COLUMN names "
		 "one\n"
		 "skipped 7:84 id: expected the sample's key, got nothing; --map key=COLUMN names "
		 "one\n"},
    {.name = "bad rows of a CSV",
     .file = "a.csv",
     .bytes = BYTES("id,label\n1,a\n2,b,c\n3,\xfe\n4\n5,e\n"),
     .reader = "generic",
     .want = "sample key=1 media=none truth=original(=a) creates declares\n"
	     "sample key=4 media=none creates declares\n"
	     "sample key=5 media=none truth=original(=e) creates declares\n",
     .problems = "skipped 3:13 expected 2 fields as in the first row, got 3\n"
		 "skipped 4:19 label: is not UTF-8 (byte 0 of the field)\n"
		 "warning 5:23 expected 2 fields as in the first row, got 1\n"},
    {.name = "a zero byte ends no name: the row is left out, a column has a number",
     .file = "a.csv",
     .bytes = BYTES("id,label,w\0x\n1,a\0b,\n2\0,b,\n3,c,9\n"),
     .reader = "generic",
     .want = "sample key=3 media=none number:column3=9 truth=original(=c) creates declares\n",
     .problems = "skipped 2:13 label: has a zero byte in it (byte 1 of the field)\n"
		 "skipped 3:20 id: has a zero byte in it (byte 1 of the field)\n"},
    {.name = "an array that ends early keeps what was whole",
     .file = "a.json",
     .bytes = BYTES("[{\"id\":1,\"label\":\"a\"},\n{\"id\":2,\"la"),
     .reader = "generic",
     .want = "sample key=1 media=none truth=original(=a) creates declares\n",
     .n_problems = 1},
    {.name = "a score of a sample is a facet, an ImageNet name a number",
     .file = "a.csv",
     .bytes = BYTES("Image,Score,Model\nval/n01/ILSVRC2012_val_00000293.JPEG,3.42,sd\n"),
     .map = {{BYTES("facet"), BYTES("x")}},
     .reader = "generic",
     .want = "sample key=ILSVRC2012_val_00000293 media=image "
	     "path=val/n01/ILSVRC2012_val_00000293.JPEG number:Score=3.42 facet:Model=sd "
	     "creates declares\n"},
    {.name = "ImageNet keys match without folder and extension",
     .file = "a.json",
     .bytes = BYTES("{\"n01/ILSVRC2012_val_00000293.JPEG\": {\"truth\": [7, -1]}}"),
     .reader = "generic",
     .want = "sample key=ILSVRC2012_val_00000293 media=image "
	     "path=n01/ILSVRC2012_val_00000293.JPEG truth=original(#7:) creates declares\n"},
    {.name = "--map of an unknown field",
     .file = "a.csv",
     .bytes = BYTES("id,label\n1,a\n"),
     .map = {{BYTES("kye"), BYTES("id")}},
     .want = "",
     .problems = "",
     .error = "--map kye=…: there is no such field"},
    {.name = "no field names the samples",
     .file = "a.csv",
     .bytes = BYTES("what,label,score\n1,a,3\n"),
     .want = "",
     .problems = "",
     .error = "which one of: what, label, score"},
    {.name = "of two fields of one name the first counts",
     .file = "a.jsonl",
     .bytes = BYTES("{\"id\":\"a\",\"label\":\"x\",\"label\":\"y\"}\n"),
     .reader = "generic",
     .want = "sample key=a media=none truth=original(=x) creates declares\n"},
    {.name = "a field without a name is kept, and is no facet",
     .file = "a.jsonl",
     .bytes = BYTES("{\"id\":\"a\",\"label\":\"x\",\"\":\"y\"}\n"),
     .reader = "generic",
     .want = "sample key=a media=none truth=original(=x) extra={\"\":\"y\"} creates declares\n"},
};

static const struct reader_case generic_predictions[] = {
    {.name = "index, name, score, top-5, its own truth",
     .file = "pred-m1.jsonl",
     .bytes = BYTES("{\"id\":\"a\",\"image\":\"x/a.jpg\",\"label\":\"tench\",\"label_index\":0,"
		    "\"prediction\":\"cock\",\"prediction_index\":7,\"score\":0.5,\"correct\":false,"
		    "\"top5\":[{\"label\":\"cock\",\"index\":7}],\"latency_ms\":1.5}\n"),
     .reader = "generic",
     .want = "run 0 model=m1\n"
	     "prediction 0 key=a raw=cock answered(#7:cock) score=0.5 latency=1.5 "
	     "details={\"correct\":false,\"top5\":[{\"label\":\"cock\",\"index\":7}]} "
	     "of key=a media=image path=x/a.jpg truth=original(#0:tench) creates\n"},
    {.name = "an index below 0 leaves the name",
     .file = "pred-m.jsonl",
     .bytes = BYTES("{\"id\":\"a\",\"prediction\":\"background\",\"prediction_index\":-1}\n"),
     .reader = "generic",
     .want = "run 0 model=m\n"
	     "prediction 0 key=a raw=background answered(=background) of key=a media=none "
	     "creates\n"},
    {.name = "raw and extracted, unparsed, empty, error, refusal, failure text",
     .file = "x.jsonl",
     .bytes = BYTES(
	 "{\"id\":1,\"model\":\"m\",\"protocol\":\"CW\",\"raw\":\"It is joy\",\"prediction\":\"joy\"}\n"
	 "{\"id\":2,\"model\":\"m\",\"protocol\":\"CW\",\"raw\":\"Hm\",\"prediction\":null}\n"
	 "{\"id\":3,\"model\":\"m\",\"protocol\":\"CW\",\"raw\":\"\",\"prediction\":\"\"}\n"
	 "{\"id\":4,\"model\":\"m\",\"protocol\":\"CW\",\"prediction\":null,\"error\":\"timeout\"}\n"
	 "{\"id\":5,\"model\":\"m\",\"protocol\":\"CW\",\"raw\":\"no\",\"refusal\":true}\n"
	 "{\"id\":6,\"model\":\"m\",\"protocol\":\"CW\",\"error\":null,\"refusal\":null,"
	 "\"raw\":\"Failed to obtain answer via API.\"}\n"
	 "{\"id\":7,\"model\":\"m2\",\"protocol\":\"OW\",\"prediction\":[\"a\",4]}\n"),
     .reader = "generic",
     .want =
	 "run 0 model=m protocol=CW\n"
	 "prediction 0 key=1 raw=It is joy extracted=joy answered(=joy) of key=1 media=none creates\n"
	 "prediction 0 key=2 raw=Hm extracted= unparsed() of key=2 media=none creates\n"
	 "prediction 0 key=3 raw= empty() of key=3 media=none creates\n"
	 "prediction 0 key=4 error() error=timeout of key=4 media=none creates\n"
	 "prediction 0 key=5 raw=no refused() of key=5 media=none creates\n"
	 "prediction 0 key=6 raw=Failed to obtain answer via API. error() "
	 "error=Failed to obtain answer via API. of key=6 media=none creates\n"
	 "run 1 model=m2 protocol=OW\n"
	 "prediction 1 key=7 raw=[\"a\",4] answered(=a #4:) of key=7 media=none creates\n"},
    {.name = "answer is the truth beside a prediction",
     .file = "GPT_set_predictions.tsv",
     .bytes = BYTES("\"index\"\t\"question\"\t\"answer\"\t\"prediction\"\n"
		    "\"12\"\t\"Which?\"\t\"C\"\t\"C. fear\"\n"),
     .reader = "generic",
     .want = "run 0 model=GPT_set\n"
	     "prediction 0 key=12 raw=C. fear answered(=C. fear) of key=12 media=none "
	     "question=Which? truth=original(=C) creates\n"},
    {.name = "answer is the prediction beside a model",
     .file = "x.csv",
     .bytes = BYTES("id,model,answer,label,tokens,batch_size,batch_pos,judge\n"
		    "1,m,joy,fear,12,10,3,4.5\n"
		    "2,m,joy,fear,many,10,-3,\n"),
     .reader = "generic",
     .want = "run 0 model=m\n"
	     "prediction 0 key=1 raw=joy answered(=joy) tokens=12 size=10 pos=3 number=judge:4.5 "
	     "of key=1 media=none truth=original(=fear) creates\n"
	     "prediction 0 key=2 raw=joy answered(=joy) size=10 of key=2 media=none "
	     "truth=original(=fear) creates\n",
     .problems = "warning 3:81 tokens: expected a number\n"
		 "warning 3:81 batch_pos: expected a whole number from 0 on\n"},
    {.name = "response beside full_response is what was extracted",
     .file = "a.csv",
     .bytes = BYTES("image_name,response,full_response\nA.jpg,joy,\"joy, because\"\n"),
     .model = "gpt",
     .reader = "generic",
     .want = "run 0 model=gpt\n"
	     "prediction 0 key=A raw=joy, because extracted=joy answered(=joy) of key=A "
	     "media=image path=A.jpg creates\n"},
    {.name = "categorical fields describe the sample and stay with the answer",
     .file = "m.jsonl",
     .bytes = BYTES("{\"id\":1,\"pred\":\"a\",\"gt\":\"a\",\"dim\":\"SP\"}\n"
		    "{\"id\":2,\"pred\":\"a\",\"gt\":\"b\",\"dim\":\"EI\"}\n"),
     .reader = "generic",
     .want = "run 0 model=m\n"
	     "prediction 0 key=1 raw=a answered(=a) details={\"dim\":\"SP\"} of key=1 media=none "
	     "facet:dim=SP truth=original(=a) creates\n"
	     "prediction 0 key=2 raw=a answered(=a) details={\"dim\":\"EI\"} of key=2 media=none "
	     "facet:dim=EI truth=original(=b) creates\n"},
    {.name = "a row without any answer is no prediction",
     .file = "m.jsonl",
     .bytes = BYTES("{\"id\":1,\"pred\":\"a\"}\n{\"id\":2}\n"),
     .reader = "generic",
     .want = "run 0 model=m\n"
	     "prediction 0 key=1 raw=a answered(=a) of key=1 media=none creates\n",
     .problems = "skipped 2:20 prediction: expected an answer, a response or an error, got "
		 "nothing\n"},
};

static void reads(void **state)
{
	run_reader_case(*state);
}

int main(void)
{
	struct CMUnitTest tests[64] = {{0}};
	size_t n = 0;

	n = add_reader_cases(tests, n, reads, generic_samples, COUNT(generic_samples));
	n = add_reader_cases(tests, n, reads, generic_predictions, COUNT(generic_predictions));
	return _cmocka_run_group_tests("the generic reader", tests, n, NULL, NULL);
}
