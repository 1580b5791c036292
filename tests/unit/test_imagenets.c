/*
 * The datasets around ImageNet and MVEI_PLUS: their readers on small files of the same shape, and what
 * becomes of them in a project.
 */
#include "tests/unit/lib_readers.h"

#include <sys/stat.h>

#include "core/eval/eval.h"
#include "db/store.h"
#include "tests/unit/lib_project.h"

#define BYTES(lit) {(lit), sizeof(lit) - 1}

static const struct reader_case imagenets_cases[] = {
    {.name = "reannotation: boxes, what is not sure, an empty set",
     .file = "reannotation.jsonl",
     .bytes = BYTES("{\"image_name\": \"ILSVRC2012_val_00000293.JPEG\", \"file_path\": \"n01440764/ILSVRC20"
		    "12_val_00000293.JPEG\", \"original_class\": [0], \"reannotated_labels\": [0, 391], \"b"
		    "boxes\": [{\"coordinates\": [12.0, 30.5, 210.0, 180.0], \"labels\": [0], \"group\": nu"
		    "ll, \"crowd_flag\": false, \"reflected_flag\": false, \"rendition_flag\": false, \"ocr"
		    "_needed_flag\": false, \"dominant_object\": true}, {\"coordinates\": [12.0, 30.5, 210."
		    "0, 180.0], \"labels\": [391], \"group\": null, \"crowd_flag\": true, \"reflected_flag"
		    "\": false, \"rendition_flag\": false, \"ocr_needed_flag\": false, \"dominant_object\":"
		    " false}]}\r\n{\"image_name\": \"ILSVRC2012_val_00000294.JPEG\", \"file_path\": \"n0144"
		    "0764/ILSVRC2012_val_00000294.JPEG\", \"original_class\": [0, 1], \"reannotated_labels"
		    "\": [-1], \"bboxes\": [{\"coordinates\": [12.0, 30.5, 210.0, 180.0], \"labels\": [-1],"
		    " \"group\": null, \"crowd_flag\": false, \"reflected_flag\": false, \"rendition_flag\""
		    ": false, \"ocr_needed_flag\": false, \"dominant_object\": false}]}\r\n"
		    "{\"image_name\": \"ILSVRC2012_val_00000295.JPEG\", \"file_path\": \"n01440764/ILSVRC20"
		    "12_val_00000295.JPEG\", \"original_class\": [0], \"reannotated_labels\": [], \"bboxes"
		    "\": []}\r\n{\"image_name\": \"ILSVRC2012_val_00000296.JPEG\", \"file_path\": \"n014407"
		    "64/ILSVRC2012_val_00000296.JPEG\", \"original_class\": [0], \"reannotated_labels\": [5"
		    ", -1, 5], \"bboxes\": [{\"coordinates\": [12.0, 30.5, 210.0, 180.0], \"labels\": [5], "
		    "\"group\": null, \"crowd_flag\": false, \"reflected_flag\": false, \"rendition_flag\":"
		    " false, \"ocr_needed_flag\": true, \"dominant_object\": false}, {\"coordinates\": [12."
		    "0, 30.5, 210.0, 180.0], \"labels\": [-1], \"group\": null, \"crowd_flag\": false, \"re"
		    "flected_flag\": true, \"rendition_flag\": true, \"ocr_needed_flag\": false, \"dominant"
		    "_object\": false}]}\r\n"
		    "{\"image_name\": \"ILSVRC2012_val_00000297.JPEG\", \"file_path\": \"n01440764/ILSVRC20"
		    "12_val_00000297.JPEG\", \"original_class\": [], \"reannotated_labels\": [1000, 7.5, \""
		    "7\", 3], \"bboxes\": null}\r\n"
		    "{\"image_name\": \"x\\\\ILSVRC2012_val_00000298.JPEG\", \"original_class\": 3, \"reann"
		    "otated_labels\": null}\r\n"
		    "{\"file_path\": \"\", \"image_name\": null, \"original_class\": [1], \"reannotated_lab"
		    "els\": [1]}\r\n{broken\r\n"
		    "{\"image_name\": \"ILSVRC2012_val_00000299.JPEG\", \"file_path\": \"n01440764/ILSVRC20"
		    "12_val_00000299.JPEG\", \"original_class\": [2], \"reannotated_labels\": [2], \"bboxes"
		    "\": [], \"seen_twice\": true}"),
     .reader = "reannotation",
     .want = "preset is=reimagenet\n"
	     "sample key=ILSVRC2012_val_00000293 media=image path=n01440764/ILSVRC2012_val_00000293."
	     "JPEG number:boxes=2 facet:crowd=yes facet:reflected=no facet:rendition=no facet:ocr_ne"
	     "eded=no facet:dominant_object=yes facet:unsure=no truth=original(#0:) truth=reannotate"
	     "d(#0: #391:) extra={\"bboxes\":[{\"coordinates\":[12,30.5,210,180],\"labels\":[0],\"gr"
	     "oup\":null,\"crowd_flag\":false,\"reflected_flag\":false,\"rendition_flag\":false,\"oc"
	     "r_needed_flag\":false,\"dominant_object\":true},{\"coordinates\":[12,30.5,210,180],\"l"
	     "abels\":[391],\"group\":null,\"crowd_flag\":true,\"reflected_flag\":false,\"rendition_"
	     "flag\":false,\"ocr_needed_flag\":false,\"dominant_object\":false}]} creates declares\n"
	     "sample key=ILSVRC2012_val_00000294 media=image path=n01440764/ILSVRC2012_val_00000294."
	     "JPEG number:boxes=1 facet:crowd=no facet:reflected=no facet:rendition=no facet:ocr_nee"
	     "ded=no facet:dominant_object=no facet:unsure=yes truth=original(#0:) truth=reannotated"
	     "() extra={\"bboxes\":[{\"coordinates\":[12,30.5,210,180],\"labels\":[-1],\"group\":nul"
	     "l,\"crowd_flag\":false,\"reflected_flag\":false,\"rendition_flag\":false,\"ocr_needed_"
	     "flag\":false,\"dominant_object\":false}]} creates declares\n"
	     "sample key=ILSVRC2012_val_00000295 media=image path=n01440764/ILSVRC2012_val_00000295."
	     "JPEG number:boxes=0 facet:crowd=no facet:reflected=no facet:rendition=no facet:ocr_nee"
	     "ded=no facet:dominant_object=no facet:unsure=no truth=original(#0:) truth=reannotated("
	     ") extra={\"bboxes\":[]} creates declares\n"
	     "sample key=ILSVRC2012_val_00000296 media=image path=n01440764/ILSVRC2012_val_00000296."
	     "JPEG number:boxes=2 facet:crowd=no facet:reflected=yes facet:rendition=yes facet:ocr_n"
	     "eeded=yes facet:dominant_object=no facet:unsure=yes truth=original(#0:) truth=reannota"
	     "ted(#5: #5:) extra={\"bboxes\":[{\"coordinates\":[12,30.5,210,180],\"labels\":[5],\"gr"
	     "oup\":null,\"crowd_flag\":false,\"reflected_flag\":false,\"rendition_flag\":false,\"oc"
	     "r_needed_flag\":true,\"dominant_object\":false},{\"coordinates\":[12,30.5,210,180],\"l"
	     "abels\":[-1],\"group\":null,\"crowd_flag\":false,\"reflected_flag\":true,\"rendition_f"
	     "lag\":true,\"ocr_needed_flag\":false,\"dominant_object\":false}]} creates declares\n"
	     "sample key=ILSVRC2012_val_00000297 media=image path=n01440764/ILSVRC2012_val_00000297."
	     "JPEG facet:unsure=no creates declares\n"
	     "sample key=ILSVRC2012_val_00000298 media=image path=x/ILSVRC2012_val_00000298.JPEG fac"
	     "et:unsure=no truth=original(#3:) creates declares\n"
	     "sample key=ILSVRC2012_val_00000299 media=image path=n01440764/ILSVRC2012_val_00000299."
	     "JPEG number:boxes=0 facet:crowd=no facet:reflected=no facet:rendition=no facet:ocr_nee"
	     "ded=no facet:dominant_object=no facet:unsure=no truth=original(#2:) truth=reannotated("
	     "#2:) extra={\"bboxes\":[],\"seen_twice\":true} creates declares\n",
     .problems = "warning 5:1666 reannotated_labels: expected class indices from 0 to 999, or -1 for wha"
		 "t is not sure: left out\n"
		 "warning 6:1850 reannotated_labels: expected class indices from 0 to 999, or -1 for wha"
		 "t is not sure: left out\n"
		 "skipped 7:1950 file_path: expected the image's name, got nothing\n"
		 "skipped 8:2039 byte 1: expected a key in quotes\n"},
    {.name = "class_update: groups by name",
     .file = "class_update_config.json",
     .bytes = BYTES("{\"eq_classes\": {\"laptops\": [620, 681], \"three\": [\"1\", 2, \"n02124075\"], \"emp"
		    "ty\": [], \"one\": [5], \"odd\": \"x\", \"again\": [681, 7], \"bad\": [1, null]}, \"hi"
		    "er_classes\": {\"dog\": [151, 152]}, \"image_overrides\": {\"ILSVRC2012_val_00000001.J"
		    "PEG\": \"ann1\"}, \"metadata\": {\"version\": 1}}"),
     .reader = "class_update",
     .want = "pair (#620:620)(#681:681)\n"
	     "pair (#1:1)(#2:2)\npair (#1:1)(~n02124075)\n"
	     "pair (#2:2)(~n02124075)\n"
	     "pair (#681:681)(#7:7)\n",
     .problems = "skipped 1:96 eq_classes: expected a list of at most 64 classes\n"
		 "warning 1:108 eq_classes: class 681 is in several groups\n"
		 "warning 1:127 eq_classes: class 1 is in several groups\n"
		 "skipped 1:127 eq_classes: expected classes: an index, a wnid or a name\n"},
    {.name = "class_update: a list of pairs",
     .file = "c.json",
     .bytes = BYTES("{\n \"metadata\": {},\n"
		    " \"equivalent_classes\": [\n"
		    "  [\n   836,\n   837\n"
		    "  ],\n  [\n   742,\n   713\n"
		    "  ],\n  7\n ]\n}"),
     .reader = "class_update",
     .want = "pair (#836:836)(#837:837)\n"
	     "pair (#742:742)(#713:713)\n",
     .problems = "skipped 3:20 equivalent_classes: expected a list of at most 64 classes\n"},
    {.name = "class_update: none in it",
     .file = "class_update_config.json",
     .bytes = BYTES("{\"eq_classes\": {}, \"hier_classes\": {}}"),
     .reader = "class_update",
     .want = "",
     .problems = ""},
    {.name = "flaws: several labels, what was unclear, none, ambiguous",
     .file = "multilabel.csv",
     .bytes = BYTES("\357\273\277id,category,original_label,proposed_labels,manually_validated,unclear_mult"
		    "i_labels,wrong_multi_labels,is_problematic\r\n"
		    "ILSVRC2012_val_00023277.JPEG,M,582,\"415, 813, 868\",True,,\"467, 582, 865, 886, 963\""
		    ",True\r\nILSVRC2012_val_00000002.JPEG,A,7,7,True,\"8, 9\",,False\r\n"
		    "val\\ILSVRC2012_val_00000003.JPEG,Z,7,,True,,,False\r\n"
		    "ILSVRC2012_val_00000004.JPEG,X,7,,True,,,False\r\n"
		    ",A,7,7,True,,,False\r\n"
		    "ILSVRC2012_val_00000005.JPEG,B,tench,\"1, x\",True,,,"),
     .reader = "flaws",
     .want = "sample key=ILSVRC2012_val_00023277 media=image path=ILSVRC2012_val_00023277.JPEG facet"
	     ":category=M facet:manually_validated=yes facet:is_problematic=yes truth=original(#582:"
	     "582) truth=reannotated(#415:415 #813:813 #868:868) truth=reannotated+unclear(#415:415 "
	     "#813:813 #868:868) extra={\"wrong_multi_labels\":\"467, 582, 865, 886, 963\"} creates"
	     "\nsample key=ILSVRC2012_val_00000002 media=image path=ILSVRC2012_val_00000002.JPEG fac"
	     "et:category=A facet:manually_validated=yes facet:is_problematic=no truth=original(#7:7"
	     ") truth=reannotated(#7:7) truth=reannotated+unclear(#7:7 #8:8 #9:9) creates\n"
	     "sample key=ILSVRC2012_val_00000003 media=image path=val/ILSVRC2012_val_00000003.JPEG f"
	     "acet:category=Z facet:manually_validated=yes facet:is_problematic=no truth=original(#7"
	     ":7) truth=reannotated() truth=reannotated+unclear() creates\n"
	     "sample key=ILSVRC2012_val_00000004 media=image path=ILSVRC2012_val_00000004.JPEG facet"
	     ":category=X facet:manually_validated=yes facet:is_problematic=no truth=original(#7:7) "
	     "creates\nsample key=ILSVRC2012_val_00000005 media=image path=ILSVRC2012_val_00000005.J"
	     "PEG facet:category=B facet:manually_validated=yes creates\n",
     .problems = "skipped 6:365 id: expected the image's name, or its number from 1 on\n"
		 "warning 7:386 original_label: expected class indices\n"
		 "warning 7:386 proposed_labels: expected class indices\n"},
    {.name = "flaws: what people voted, in Python's words",
     .file = "label_errors.csv",
     .bytes = BYTES("id,category,original_label,proposed_labels,manually_validated,cl_label,mturk\n"
		    "ILSVRC2012_val_00000293.JPEG,A,0,0,True,48,\"{'given': 5, 'guessed': 0, 'neither': 0, "
		    "'both': 0}\"\nILSVRC2012_val_00037383.JPEG,X,0,,True,389,\"{'given': 2, 'guessed': 1, "
		    "'neither': 2, 'both': 0}\"\n"
		    "ILSVRC2012_val_00046105.JPEG,M,33,\"33, 983\",True,983,{'given': x}\n"),
     .reader = "flaws",
     .want = "sample key=ILSVRC2012_val_00000293 media=image path=ILSVRC2012_val_00000293.JPEG facet"
	     ":category=A facet:manually_validated=yes number:mturk_given=5 number:mturk_guessed=0 n"
	     "umber:mturk_neither=0 number:mturk_both=0 truth=original(#0:0) truth=reannotated(#0:0)"
	     " truth=cl_label(#48:48) creates\n"
	     "sample key=ILSVRC2012_val_00037383 media=image path=ILSVRC2012_val_00037383.JPEG facet"
	     ":category=X facet:manually_validated=yes number:mturk_given=2 number:mturk_guessed=1 n"
	     "umber:mturk_neither=2 number:mturk_both=0 truth=original(#0:0) truth=cl_label(#389:389"
	     ") creates\nsample key=ILSVRC2012_val_00046105 media=image path=ILSVRC2012_val_00046105"
	     ".JPEG facet:category=M facet:manually_validated=yes truth=original(#33:33) truth=reann"
	     "otated(#33:33 #983:983) truth=cl_label(#983:983) creates\n",
     .problems = ""},
    {.name = "flaws: the clean part",
     .file = "clean_validation.csv",
     .bytes = BYTES("id,original_label,proposed_labels,validation\n"
		    "ILSVRC2012_val_00000001.JPEG,65,65,++*\n"
		    "ILSVRC2012_val_00000002.JPEG,970,\"970, 795\",*\n"
		    "ILSVRC2012_val_00000003.JPEG,1,1,\n"),
     .layer = "clean",
     .reader = "flaws",
     .want = "sample key=ILSVRC2012_val_00000001 media=image path=ILSVRC2012_val_00000001.JPEG facet"
	     ":validation=++* number:agreements=2 truth=original(#65:65) truth=clean(#65:65) creates"
	     "\nsample key=ILSVRC2012_val_00000002 media=image path=ILSVRC2012_val_00000002.JPEG fac"
	     "et:validation=* number:agreements=0 truth=original(#970:970) truth=clean(#970:970 #795"
	     ":795) creates\nsample key=ILSVRC2012_val_00000003 media=image path=ILSVRC2012_val_0000"
	     "0003.JPEG truth=original(#1:1) truth=clean(#1:1) creates\n",
     .problems = ""},
    {.name = "flaws: the votes alone",
     .file = "label_err_mturk.json",
     .bytes = BYTES("[{\"id\": 293, \"url\": \"https://x/293\", \"given_original_label\": 0, \"given_origin"
		    "al_label_name\": \"tench\", \"our_guessed_label\": 48, \"our_guessed_label_name\": \"K"
		    "omodo dragon\", \"mturk\": {\"given\": 5, \"guessed\": 0, \"neither\": 0, \"both\": 0}"
		    "}, {\"id\": 0, \"given_original_label\": 1, \"our_guessed_label\": 2, \"mturk\": {\"gi"
		    "ven\": \"5\"}}, {\"id\": null, \"given_original_label\": 1, \"our_guessed_label\": 2}]"),
     .reader = "flaws",
     .want = "sample key=ILSVRC2012_val_00000293 media=image number:mturk_given=5 number:mturk_guess"
	     "ed=0 number:mturk_neither=0 number:mturk_both=0 truth=original(#0:) truth=cl_label(#48"
	     ":) extra={\"url\":\"https://x/293\"} creates\n",
     .problems = "skipped 1:233 id: expected the image's name, or its number from 1 on\n"
		 "skipped 1:320 id: expected the image's name, or its number from 1 on\n"},
    {.name = "weasel: one, none, several, uncertain",
     .file = "356_357_358_359.json",
     .bytes = BYTES("{\"ILSVRC2012_val_00000723.JPEG\": {\"old_label\": 356, \"new_label\": 357, \"detailed"
		    "_labels\": \"\", \"label_type\": \"basic\"}, \"ILSVRC2012_val_00000724.JPEG\": {\"old_"
		    "label\": 358, \"new_label\": null, \"detailed_labels\": \"steppe polecat\", \"label_ty"
		    "pe\": \"custom\"}, \"ILSVRC2012_val_00000725.JPEG\": {\"old_label\": 358, \"new_label"
		    "\": [356, 359], \"detailed_labels\": \"\", \"label_type\": \"multilabel\", \"selected_"
		    "classes\": {\"356\": \"weasel\", \"359\": \"black-footed ferret\"}}, \"ILSVRC2012_val_"
		    "00000726.JPEG\": {\"old_label\": 358, \"new_label\": null, \"detailed_labels\": \"\", "
		    "\"label_type\": \"uncertain\"}, \"ILSVRC2012_val_00000727.JPEG\": {\"old_label\": 358,"
		    " \"new_label\": [], \"detailed_labels\": \"\", \"label_type\": \"basic\"}, \"ILSVRC201"
		    "2_val_00000728.JPEG\": {\"old_label\": null, \"new_label\": -1, \"label_type\": \"basi"
		    "c\"}, \"\": {\"old_label\": 358, \"new_label\": 357, \"label_type\": \"basic\"}}"),
     .reader = "weasel",
     .want = "sample key=ILSVRC2012_val_00000723 media=image path=ILSVRC2012_val_00000723.JPEG facet"
	     ":label_type=basic truth=original(#356:) truth=reannotated(#357:) creates\n"
	     "sample key=ILSVRC2012_val_00000724 media=image path=ILSVRC2012_val_00000724.JPEG facet"
	     ":label_type=custom facet:detailed_labels=steppe polecat truth=original(#358:) truth=re"
	     "annotated() creates\n"
	     "sample key=ILSVRC2012_val_00000725 media=image path=ILSVRC2012_val_00000725.JPEG facet"
	     ":label_type=multilabel truth=original(#358:) truth=reannotated(#356:weasel #359:black-"
	     "footed ferret) creates\n"
	     "sample key=ILSVRC2012_val_00000726 media=image path=ILSVRC2012_val_00000726.JPEG facet"
	     ":label_type=uncertain truth=original(#358:) creates\n"
	     "sample key=ILSVRC2012_val_00000727 media=image path=ILSVRC2012_val_00000727.JPEG facet"
	     ":label_type=basic truth=original(#358:) truth=reannotated() creates\n"
	     "sample key=ILSVRC2012_val_00000728 media=image path=ILSVRC2012_val_00000728.JPEG facet"
	     ":label_type=basic creates\n",
     .problems = "warning 1:682 new_label: expected a class index, a list of them, or null\n"
		 "skipped 1:775 expected the image's name as key\n"},
    {.name = "mistakes: facets carry the model's name",
     .file = "vit3b_mistakes.json",
     .bytes = BYTES("{\"ILSVRC2012_val_00000612.JPEG\": {\"top_prediction\": 192, \"failure category\": \"F"
		    "ine-grained error\", \"failure severity\": \"Minor\"}, \"ILSVRC2012_val_00001409.JPEG"
		    "\": {\"top_prediction\": 843, \"failure category\": \"Non-prototypical\", \"failure se"
		    "verity\": \"Major\"}, \"ILSVRC2012_val_00001410.JPEG\": {\"top_prediction\": null, \"f"
		    "ailure category\": \"\", \"failure severity\": \"Odd\"}, \"\": {\"top_prediction\": 1,"
		    " \"failure category\": \"a\", \"failure severity\": \"b\"}}"),
     .reader = "mistakes",
     .want = "run 0 model=vit3b\nprediction 0 key=ILSVRC2012_val_00000612 raw=192 answered(#192:) nu"
	     "mber=severity:1 of key=ILSVRC2012_val_00000612 media=image path=ILSVRC2012_val_0000061"
	     "2.JPEG facet:vit3b_failure=Fine-grained error facet:vit3b_severity=Minor creates\n"
	     "prediction 0 key=ILSVRC2012_val_00001409 raw=843 answered(#843:) number=severity:3 of "
	     "key=ILSVRC2012_val_00001409 media=image path=ILSVRC2012_val_00001409.JPEG facet:vit3b_"
	     "failure=Non-prototypical facet:vit3b_severity=Major creates\n"
	     "prediction 0 key=ILSVRC2012_val_00001410 empty() of key=ILSVRC2012_val_00001410 media="
	     "image path=ILSVRC2012_val_00001410.JPEG facet:vit3b_severity=Odd creates\n",
     .problems = "skipped 1:364 expected the image's name as key\n"},
    {.name = "mistakes: pairs of classes have no images",
     .file = "class_confusion_wnids.json",
     .bytes = BYTES("[\n  [\n    \"n04525305\",\n"
		    "    \"n04554684\",\n    1\n"
		    "  ],\n  [\n    \"n02497673\",\n"
		    "    \"n02500267\",\n    5\n"
		    "  ],\n  [\n    \"a\",\n"
		    "    \"b\"\n  ]\n]"),
     .reader = "mistakes",
     .want = "",
     .problems = "skipped 12:102 expected two classes and how often they were confused\n"},
    {.name = "mistakes: the same by names",
     .file = "class_confusion_synsets.json",
     .bytes = BYTES("[\n  [\n    \"vending machine\",\n"
		    "    \"washer\",\n    1\n"
		    "  ],\n  [\n    \"Madagascar cat\",\n"
		    "    \"indri\",\n    5\n"
		    "  ]\n]"),
     .reader = "mistakes",
     .want = "",
     .problems = ""},
    {.name = "reimagenet: further forms of a value",
     .file = "preds/qwen_cw.json",
     .bytes = BYTES("{\"ILSVRC2012_val_00000001.JPEG\": \" Dog \", \"ILSVRC2012_val_00000002.JPEG\": \"639;"
		    "445\", \"ILSVRC2012_val_00000003.JPEG\": \"[639, 445]\", \"ILSVRC2012_val_00000004.JPE"
		    "G\": \"dog; cat;\", \"ILSVRC2012_val_00000005.JPEG\": {\"label\": \"dog\"}, \"ILSVRC20"
		    "12_val_00000006.JPEG\": {\"label\": [1, -1]}, \"ILSVRC2012_val_00000007.JPEG\": {\"lab"
		    "el\": \"\"}, \"ILSVRC2012_val_00000008.JPEG\": {\"label\": null, \"prob\": 0.1}, \"ILS"
		    "VRC2012_val_00000009.JPEG\": [-1], \"val/n01/ILSVRC2012_val_00000010.JPEG\": \"-1\", "
		    "\"ILSVRC2012_val_00000011.JPEG\": [\"\"], \"ILSVRC2012_val_00000012.JPEG\": 187.0, \"I"
		    "LSVRC2012_val_00000013.JPEG\": {\"label\": {\"label\": 3}}, \"config\": {\"a\": 1}}"),
     .reader = "reimagenet",
     .want = "run 0 model=qwen protocol=CW\n"
	     "prediction 0 key=ILSVRC2012_val_00000001 raw= Dog  answered(=Dog) of key=ILSVRC2012_va"
	     "l_00000001 media=image path=ILSVRC2012_val_00000001.JPEG creates\n"
	     "prediction 0 key=ILSVRC2012_val_00000002 raw=639;445 answered(#639:639 #445:445) of ke"
	     "y=ILSVRC2012_val_00000002 media=image path=ILSVRC2012_val_00000002.JPEG creates\n"
	     "prediction 0 key=ILSVRC2012_val_00000003 raw=[639, 445] answered(#639:639 #445:445) of"
	     " key=ILSVRC2012_val_00000003 media=image path=ILSVRC2012_val_00000003.JPEG creates\n"
	     "prediction 0 key=ILSVRC2012_val_00000004 raw=dog; cat; answered(=dog =cat) of key=ILSV"
	     "RC2012_val_00000004 media=image path=ILSVRC2012_val_00000004.JPEG creates\n"
	     "prediction 0 key=ILSVRC2012_val_00000005 raw=dog answered(=dog) of key=ILSVRC2012_val_"
	     "00000005 media=image path=ILSVRC2012_val_00000005.JPEG creates\n"
	     "prediction 0 key=ILSVRC2012_val_00000006 raw=[1,-1] answered(#1:) of key=ILSVRC2012_va"
	     "l_00000006 media=image path=ILSVRC2012_val_00000006.JPEG creates\n"
	     "prediction 0 key=ILSVRC2012_val_00000007 raw= empty() of key=ILSVRC2012_val_00000007 m"
	     "edia=image path=ILSVRC2012_val_00000007.JPEG creates\n"
	     "prediction 0 key=ILSVRC2012_val_00000008 empty() score=0.1 of key=ILSVRC2012_val_00000"
	     "008 media=image path=ILSVRC2012_val_00000008.JPEG creates\n"
	     "prediction 0 key=ILSVRC2012_val_00000009 raw=[-1] oop() of key=ILSVRC2012_val_00000009"
	     " media=image path=ILSVRC2012_val_00000009.JPEG creates\n"
	     "prediction 0 key=ILSVRC2012_val_00000010 raw=-1 oop() of key=ILSVRC2012_val_00000010 m"
	     "edia=image path=val/n01/ILSVRC2012_val_00000010.JPEG creates\n"
	     "prediction 0 key=ILSVRC2012_val_00000011 raw=[\"\"] oop() of key=ILSVRC2012_val_000000"
	     "11 media=image path=ILSVRC2012_val_00000011.JPEG creates\n"
	     "prediction 0 key=ILSVRC2012_val_00000012 raw=187 answered(#187:187) of key=ILSVRC2012_"
	     "val_00000012 media=image path=ILSVRC2012_val_00000012.JPEG creates\n"
	     "prediction 0 key=ILSVRC2012_val_00000013 raw=3 answered(#3:3) of key=ILSVRC2012_val_00"
	     "000013 media=image path=ILSVRC2012_val_00000013.JPEG creates\n",
     .problems = ""},
    {.name = "reimagenet: numbers of a column with holes",
     .file = "dino_preds.csv",
     .bytes = BYTES("img_id,original_label,k_1_pred,k_11_pred\n"
		    "a/x.jpg,7.0,1.0,187.0\n"
		    "b/x.jpg,\"[7, 9]\",,\n"
		    "c/x.jpg,7,2.0,\"[3, 4]\"\n"),
     .reader = "reimagenet",
     .want = "run 0 model=dino handle=dino/k11\n"
	     "prediction 0 key=a/x.jpg raw=187.0 answered(#187:187) details={\"k_1_pred\":\"1.0\"} o"
	     "f key=a/x.jpg media=image path=a/x.jpg truth=original(#7:7) creates\n"
	     "prediction 0 key=b/x.jpg empty() of key=b/x.jpg media=image path=b/x.jpg truth=origina"
	     "l(#7:7 #9:9) creates\n"
	     "prediction 0 key=c/x.jpg raw=[3, 4] answered(#3:3 #4:4) details={\"k_1_pred\":\"2.0\"}"
	     " of key=c/x.jpg media=image path=c/x.jpg truth=original(#7:7) creates\n",
     .problems = ""},
    {.name = "imagewikiqa: options out of the text, a picture asked about twice",
     .file = "imagewikiqa.jsonl",
     .bytes = BYTES("{\"image\": \"images/ILSVRC2012_val_00000001.JPEG\", \"text\": \"Which?\\n"
		    "A. one\\nB. two: B. or\\n"
		    "C. three\\nChoose A, B, or C.\", \"label\": \"B\", \"wiki\": \"W.\", \"classname\": \""
		    "stretcher\"}\n{\"image\": \"images\\\\ILSVRC2012_val_00000001.JPEG\", \"text\": \"And?"
		    "\\nA. x\\nB. y\\nChoose A or B.\", \"label\": \"D\", \"wiki\": \"\", \"classname\": \""
		    "stretcher\"}\n{\"image\": \"images/ILSVRC2012_val_00000002.JPEG\", \"text\": \"No opti"
		    "ons here\", \"label\": \"A\", \"wiki\": \"W.\", \"classname\": \"stretcher\"}\n"
		    "{\"image\": \"\", \"text\": \"Q\\n"
		    "A. x\\nB. y\", \"label\": \"A\", \"wiki\": \"W.\", \"classname\": \"stretcher\"}"),
     .reader = "imagewikiqa",
     .want = "sample key=ILSVRC2012_val_00000001 media=image path=images/ILSVRC2012_val_00000001.JPE"
	     "G question=Which? option=one option=two: B. or option=three facet:classname=stretcher "
	     "truth=original(=two: B. or) extra={\"wiki\":\"W.\"} creates declares\n"
	     "sample key=ILSVRC2012_val_00000001#1 media=image path=images/ILSVRC2012_val_00000001.J"
	     "PEG question=And? option=x option=y facet:classname=stretcher creates declares\n"
	     "sample key=ILSVRC2012_val_00000002 media=image path=images/ILSVRC2012_val_00000002.JPE"
	     "G question=No options here facet:classname=stretcher truth=original(=A) extra={\"wiki"
	     "\":\"W.\"} creates declares\n",
     .problems = "warning 2:174 label: expected one of the options\n"
		 "skipped 4:450 image: expected the picture's path\n"},
};

static const struct reader_case standard_cases[] = {
    {.name = "standard: statements of MVEI",
     .file = "benchmarks/MVEI/Std-MVEI.json",
     .bytes = BYTES("{\"m1\": {\"image_path\": \"../benchmarks/MVEI/images/awe/awe_00012.jpg\", \"prompt\":"
		    " \"P1\", \"ground_truth\": \"correct\", \"other_info\": {\"statement_meta\": {\"class"
		    "\": \"scene context\"}}}, \"m2\": {\"image_path\": [\"..\\\\benchmarks\\\\x.jpg\"], \""
		    "prompt\": \"P2\", \"ground_truth\": \"Incorrect\", \"other_info\": {\"statement_meta\""
		    ": {\"class\": \"sentiment polarity\"}}}, \"\": {\"image_path\": \"a.jpg\", \"prompt\":"
		    " \"P3\", \"ground_truth\": \"correct\", \"other_info\": {}}, \"m3\": {\"image_path\": "
		    "\"./a.jpg\", \"prompt\": \"P3\", \"ground_truth\": \"correct\", \"other_info\": null}}"),
     .reader = "observer",
     .want = "preset is=mvei\nclass 0 name=Incorrect\n"
	     "class 1 name=Correct\n"
	     "sample key=m1 media=image path=benchmarks/MVEI/images/awe/awe_00012.jpg statement=P1 f"
	     "acet:dimension=scene context truth=original(#1:Correct) creates declares\n"
	     "sample key=m2 media=image path=benchmarks/x.jpg statement=P2 facet:dimension=sentiment"
	     " polarity truth=original(#0:Incorrect) creates declares\n"
	     "sample key=m3 media=image path=a.jpg statement=P3 truth=original(#1:Correct) creates d"
	     "eclares\n",
     .problems = "skipped 1:336 expected the sample's id as key\n"},
    {.name = "standard: pairs of images in their order",
     .file = "Std-EEmo-Bench-Pair-Perception.json",
     .bytes = BYTES("{\n \"0\": {\n  \"image_path\": [\n"
		    "   \"images\\\\2.jpg\",\n"
		    "   \"images/1.jpg\"\n"
		    "  ],\n  \"prompt\": \"Which?\",\n"
		    "  \"ground_truth\": \"B\",\n"
		    "  \"other_info\": {\n"
		    "   \"question_type\": \"What/How\"\n"
		    "  }\n },\n \"1\": {\n"
		    "  \"image_path\": [\n"
		    "   \"a.jpg\"\n  ],\n  \"prompt\": \"Q\",\n"
		    "  \"ground_truth\": \"A\",\n"
		    "  \"other_info\": {\n"
		    "   \"question_type\": \"Yes-or-No\"\n"
		    "  }\n },\n \"2\": {\n"
		    "  \"image_path\": [],\n"
		    "  \"prompt\": \"Q\",\n"
		    "  \"ground_truth\": null,\n"
		    "  \"other_info\": {}\n"
		    " }\n}"),
     .reader = "observer",
     .want = "sample key=0 media=images path=images/2.jpg path=images/1.jpg question=Which? facet:qu"
	     "estion_type=What/How truth=original(=B) creates declares\n"
	     "sample key=1 media=image path=a.jpg question=Q facet:question_type=Yes-or-No truth=ori"
	     "ginal(=A) creates declares\n"
	     "sample key=2 media=none question=Q creates declares\n",
     .problems = ""},
    {.name = "standard: candidates, tasks below their groups",
     .file = "Std-VECBench.json",
     .bytes = BYTES("{\"v1\": {\"image_path\": \"a.jpg\", \"prompt\": \"P\", \"ground_truth\": \"awe\", \"o"
		    "ther_info\": {\"candidates\": [\"amusement\", \"awe\"], \"task\": \"EmoSet-8\"}}, \"v2"
		    "\": {\"image_path\": \"b.jpg\", \"prompt\": \"P\", \"ground_truth\": [\"joy\", \"love"
		    "\"], \"other_info\": {\"candidates\": [\"joy\", \"love\"], \"task\": \"UnbaisedEmo-6\""
		    "}}}"),
     .reader = "observer",
     .want = "tree facet=task value=id_ver parent=\n"
	     "tree facet=task value=EmoSet-8 parent=id_ver\n"
	     "tree facet=task value=FI-8 parent=id_ver\n"
	     "tree facet=task value=WebEmo-25 parent=id_ver\n"
	     "tree facet=task value=WebEmo-7 parent=id_ver\n"
	     "tree facet=task value=id_vsa parent=\n"
	     "tree facet=task value=FI-2 parent=id_vsa\n"
	     "tree facet=task value=WebEmo-2 parent=id_vsa\n"
	     "tree facet=task value=ood_ver parent=\n"
	     "tree facet=task value=UnbiasedEmo-6 parent=ood_ver\n"
	     "tree facet=task value=Abstract-8 parent=ood_ver\n"
	     "tree facet=task value=Artphoto-8 parent=ood_ver\n"
	     "sample key=v1 media=image path=a.jpg question=P option=amusement option=awe facet:task"
	     "=EmoSet-8 truth=original(=awe) creates declares\n"
	     "sample key=v2 media=image path=b.jpg question=P option=joy option=love facet:task=Unbi"
	     "asedEmo-6 truth=original(=joy =love) creates declares\n",
     .problems = ""},
};

static const struct reader_case insets_cases[] = {
    {.name = "insets: several statements an image, keys that nobody knows",
     .file = "INSETS_metadata.json",
     .bytes = BYTES("[{\"image_id\": \"awe/awe_1.jpg\", \"ov_emotion\": [\"wonder\", \"fear\"], \"candidate"
		    "_emotions\": {\"m\": [\"a\"]}, \"prototype_statements\": [{\"statement\": \"no\"}], \""
		    "statement_list\": [{\"statement\": \"S1.\", \"label\": \"correct\", \"class\": \"scene"
		    " context\", \"subclass\": \"none\", \"source\": \"m\", \"prototype\": {\"x\": [1]}}, {"
		    "\"statement\": \"S2.\", \"label\": \"incorrect\", \"class\": \"sentiment polarity\", "
		    "\"subclass\": \"mixed\"}, {\"statement\": \"S3.\", \"label\": \"correct\", \"class\": "
		    "\"perception subjectivity\", \"subclass\": \"none\"}]}]"),
     .reader = "mvei",
     .want = "sample key=awe/awe_1.jpg#0 media=image path=awe/awe_1.jpg statement=S1. facet:emotion="
	     "wonder facet:emotion=fear facet:emoset=awe facet:dimension=scene context truth=origina"
	     "l(#1:Correct) creates declares\n"
	     "sample key=awe/awe_1.jpg#1 media=image path=awe/awe_1.jpg statement=S2. facet:emotion="
	     "wonder facet:emotion=fear facet:emoset=awe facet:dimension=sentiment polarity facet:su"
	     "bclass=mixed truth=original(#0:Incorrect) creates declares\n"
	     "sample key=awe/awe_1.jpg#2 media=image path=awe/awe_1.jpg statement=S3. facet:emotion="
	     "wonder facet:emotion=fear facet:emoset=awe facet:dimension=perception subjectivity tru"
	     "th=original(#1:Correct) creates declares\n",
     .problems = ""},
};


static void reads(void **state)
{
	run_reader_case(*state);
}

/* What comes before the first sample is the words of the tree. */
static void reads_insets(void **state)
{
	struct reader_case c = *(const struct reader_case *)*state;

	c.skip_to = "value=dread parent=nervousness\n";
	run_reader_case(&c);
}

/* --- many statements --- */

#define IMAGES	   4000
#define STATEMENTS 5

static void put_entry(struct buf *out, int image)
{
	buf_printf(out, "%s{\"image_id\":\"awe/awe_%05d.jpg\",\"ov_emotion\":[\"wonder\"],\"candidates\":{\"m\":"
		   "[\"a\",\"b\"]},\"statement_list\":[", image ? ",\n" : "[", image);
	for (int k = 0; k < STATEMENTS; k++)
		buf_printf(out, "%s{\"statement\":\"Statement %d of %d.\",\"label\":\"%s\",\"class\":\"scene context\","
			   "\"subclass\":\"none\",\"votes\":[1,2]}", k ? "," : "", k, image,
			   (image + k) % 2 ? "correct" : "incorrect");
	buf_z(out, "]}");
}

static void thousands_of_statements(void **state)
{
	struct read_options opt = {0};
	struct buf bytes = BUF_INIT;
	struct sink_log log;
	struct report report;
	struct err err = ERR_INIT;

	(void)state;
	for (int i = 0; i < IMAGES; i++)
		put_entry(&bytes, i);
	buf_z(&bytes, "]\n");
	sink_log_init(&log);
	log.quiet = true;
	report_init(&report, "INSETS.json", NULL);
	assert_int_equal(read_bytes("INSETS.json", buf_view(&bytes), &opt, &log.sink, &report, NULL, &err), OK);
	assert_int_equal(log.samples, IMAGES * STATEMENTS);
	assert_int_equal(log.keys.keys.n, IMAGES * STATEMENTS);
	assert_int_equal(report.rows, IMAGES);
	assert_int_equal(report.problems[PROBLEM_SKIPPED] + report.problems[PROBLEM_WARNING], 0);
	assert_true(intern_find(&log.keys, STR("awe/awe_03999.jpg#4")) != INTERN_NONE);
	report_release(&report);
	sink_log_release(&log);
	buf_release(&bytes);
}

/* --- in a project --- */

#define MAX_FILES 4

struct bench {
	char *root, *project, *paths[MAX_FILES];
	struct import_job job;
	uint64_t problems;
	struct conn *c;
	struct snapshot *s;
};

static void bench_init(struct bench *b)
{
	memset(b, 0, sizeof *b);
	b->root = project_folder();
	b->project = project_file(b->root, "p.qualm");
	b->job = (struct import_job){.project = b->project, .dataset = STR("d"),
				     .paths = (const char *const *)b->paths};
}

/* name may be below one folder. */
static void add_file(struct bench *b, const char *name, const char *text)
{
	char *path = project_file(b->root, name), *slash = strrchr(path, '/');
	FILE *f;

	*slash = '\0';
	mkdir(path, 0700);
	*slash = '/';
	f = fopen(path, "w");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
	b->paths[b->job.n_paths++] = path;
}

static void bring_in(struct bench *b)
{
	struct err err = ERR_INIT;

	if (import_run(&b->job, &b->problems, &err) != OK)
		fail_msg("%s", err.msg);
	b->c = project_open(b->project, CONN_READ);
	if (snapshot_load(b->c, NULL, &b->s, &err) != OK)
		fail_msg("%s", err.msg);
}

static void bench_release(struct bench *b)
{
	snapshot_free(b->s);
	conn_close(b->c);
	for (size_t i = 0; i < b->job.n_paths; i++)
		free(b->paths[i]);
	free(b->project);
	project_remove(b->root);
}

#define IMAGE(n, original, labels)                                                                 \
	"{\"image_name\":\"ILSVRC2012_val_0000000" #n ".JPEG\",\"file_path\":\"n01440764/ILSVRC2012_val_0000000" #n \
	".JPEG\",\"original_class\":[" #original "],\"reannotated_labels\":" labels ",\"bboxes\":[]}\n"
#define ANSWER(n, value) "\"ILSVRC2012_val_0000000" #n ".JPEG\":" value

static const char annotations[] =
    IMAGE(1, 0, "[0]") IMAGE(2, 0, "[620]") IMAGE(3, 681, "[620]") IMAGE(4, 5, "[620,681]")
    IMAGE(5, 5, "[5,9]") IMAGE(6, 5, "[8,9]") IMAGE(7, 5, "[]") IMAGE(8, 5, "[-1]") IMAGE(9, 5, "[5,5,-1]");

/* The categories and the accuracy of the authors' rules: equivalent classes are one, -1 is none, an
 * image with nothing to be seen is not counted; of a list any hit counts. */
static void reimagenet_by_its_own_rules(void **state)
{
	static const uint32_t want[N_CATEGORIES] = {3, 2, 1, 1, 2};
	uint32_t count[N_CATEGORIES];
	uint8_t category[9], verdict[9];
	struct bench b;
	struct lens lens;
	struct tally t;
	int r;

	(void)state;
	bench_init(&b);
	add_file(&b, "preds/gpt54-ow-siglip2_templated.json",
		 "{\"predictions\":{" ANSWER(1, "0") "," ANSWER(2, "681") "," ANSWER(3, "\"620\"") "," ANSWER(
		     4, "[1,681]") "," ANSWER(5, "{\"label\":9,\"prob\":0.5}") "," ANSWER(6, "-1") "," ANSWER(
		     7, "3") "," ANSWER(8, "null") "}}");
	add_file(&b, "reannotation.jsonl", annotations);
	add_file(&b, "class_update_config.json", "{\"eq_classes\":{\"laptop\":[620,681]}}");
	bring_in(&b);
	assert_int_equal(b.problems, 0);
	assert_int_equal(b.s->n, 9);
	assert_int_equal(b.s->n_pairs, 1);
	assert_string_equal(b.s->preset, "reimagenet");
	lens = lens_preset(b.s, b.s->preset);
	assert_true(lens.equiv && lens.rule == RULE_REIMAGENET && lens.n == N_EXCLUDE);
	eval_categories(b.s, &lens, category);
	eval_category_counts(category, 9, count);
	for (int i = 0; i < N_CATEGORIES; i++)
		assert_int_equal(count[i], want[i]);
	r = snapshot_run(b.s, STR("gpt54/ow-siglip2_templated"));
	assert_int_equal(r, 0);
	assert_int_equal(b.s->runs[0].open_world, 0);
	eval_verdicts(b.s, &lens, r, verdict);
	t = eval_tally(b.s, r, verdict, NULL);
	assert_int_equal(t.right, 5);
	assert_int_equal(t.n, 6);
	assert_int_equal(t.excluded, 3);
	assert_int_equal(project_int(b.c, "SELECT count(*) FROM run WHERE protocol = 'OW' AND "
					  "encoder = 'siglip2_templated'"), 1);
	bench_release(&b);
}

/* A file of mistakes adds its facets to samples that were declared elsewhere, and makes none. */
static void mistakes_of_declared_samples(void **state)
{
	struct bench b;

	(void)state;
	bench_init(&b);
	add_file(&b, "vit3b_mistakes.json",
		 "{\"ILSVRC2012_val_00000001.JPEG\":{\"top_prediction\":5,\"failure category\":\"Fine-grained "
		 "error\",\"failure severity\":\"Major\"},\"ILSVRC2012_val_00000099.JPEG\":{\"top_prediction\":5,"
		 "\"failure category\":\"Other\",\"failure severity\":\"Minor\"}}");
	add_file(&b, "reannotation.jsonl", annotations);
	bring_in(&b);
	assert_int_equal(b.problems, 1); /* the one that no sample has, once */
	assert_int_equal(b.s->n, 9);
	assert_int_equal(b.s->n_runs, 1);
	assert_int_equal(project_int(b.c, "SELECT n FROM run"), 1);
	assert_int_equal(project_int(b.c, "SELECT count(*) FROM facet_value v JOIN facet f ON f.id = v.facet "
					  "WHERE f.name = 'vit3b_failure' AND v.name = 'Fine-grained error'"), 1);
	assert_int_equal(project_int(b.c, "SELECT count(*) FROM facet_value v JOIN facet f ON f.id = v.facet "
					  "WHERE f.name = 'vit3b_failure'"), 1);
	bench_release(&b);
}

#define RECORD(id, truth, more)                                                                    \
	"\"" id "\":{\"image_path\":[\"../benchmarks/" id "_1.png\",\"../benchmarks/" id "_2.png\"],"  \
	"\"prompt\":\"Which one?\",\"ground_truth\":\"" truth "\",\"other_info\":{\"question_type\":\"What/How\"}" more "}"

/* Standard records and results with `generations` are the same samples; rollouts are repeats. */
static void results_meet_their_records(void **state)
{
	struct bench b;
	struct arena arena = {0};
	struct sample_row row;
	struct err err = ERR_INIT;

	(void)state;
	bench_init(&b);
	add_file(&b, "qwen/Std_EEmo_Bench_Pair_Perception_results.json",
		 "{" RECORD("p1", "B", ",\"generations\":[\"<answer>B</answer>\",\"A\"]") ","
		 RECORD("p9", "B", ",\"generations\":[\"B\",\"B\"]") "}");
	add_file(&b, "Std-EEmo-Bench-Pair-Perception.json", "{" RECORD("p1", "B", "") "," RECORD("p2", "A", "") "}");
	bring_in(&b);
	assert_int_equal(b.problems, 2); /* p9 is in no record: both of its answers */
	assert_int_equal(b.s->n, 2);
	assert_int_equal(b.s->n_runs, 2);
	assert_true(snapshot_run(b.s, STR("qwen#2")) >= 0);
	assert_true(snapshot_is_repeat(b.s, snapshot_run(b.s, STR("qwen#2")), snapshot_run(b.s, STR("qwen"))));
	assert_int_equal(fetch_sample(b.c, b.s->dataset_id, 0, &row, &arena, &err), OK);
	assert_int_equal(row.media, MEDIA_IMAGES);
	assert_true(str_eqz(row.path, "benchmarks/p1_1.png"));
	assert_int_equal(project_int(b.c, "SELECT count(*) FROM sample_media WHERE pos = 1 AND path LIKE "
					  "'benchmarks/p__2.png'"), 2);
	arena_release(&arena);
	bench_release(&b);
}

int main(void)
{
	struct CMUnitTest tests[32] = {{0}};
	size_t n = 0;

	n = add_reader_cases(tests, n, reads, imagenets_cases, COUNT(imagenets_cases));
	n = add_reader_cases(tests, n, reads, standard_cases, COUNT(standard_cases));
	n = add_reader_cases(tests, n, reads_insets, insets_cases, COUNT(insets_cases));
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(thousands_of_statements);
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(reimagenet_by_its_own_rules);
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(mistakes_of_declared_samples);
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(results_meet_their_records);
	return _cmocka_run_group_tests("datasets around ImageNet and MVEI_PLUS", tests, n, NULL, NULL);
}
