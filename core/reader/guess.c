#include "core/reader/guess.h"

#define NAME_MAX_BYTES 64

struct usual {
	const char *name;
	enum role role;
	int rank;
};

static const struct usual usual[] = {
    {"id", ROLE_KEY, 0},
    {"key", ROLE_KEY, 1},
    {"sample_id", ROLE_KEY, 2},
    {"sample", ROLE_KEY, 3},
    {"image_id", ROLE_KEY, 4},
    {"img_id", ROLE_KEY, 5},
    {"img_key", ROLE_KEY, 6},
    {"question_id", ROLE_KEY, 7},
    {"qid", ROLE_KEY, 8},
    {"uid", ROLE_KEY, 9},
    {"video_id", ROLE_KEY, 10},
    {"doc_id", ROLE_KEY, 11},
    {"index", ROLE_KEY, 12},
    {"idx", ROLE_KEY, 13},
    {"image", ROLE_IMAGE, 0},
    {"image_path", ROLE_IMAGE, 1},
    {"img_path", ROLE_IMAGE, 2},
    {"file_path", ROLE_IMAGE, 3},
    {"filepath", ROLE_IMAGE, 4},
    {"path", ROLE_IMAGE, 5},
    {"file_name", ROLE_IMAGE, 6},
    {"filename", ROLE_IMAGE, 7},
    {"image_name", ROLE_IMAGE, 8},
    {"img_name", ROLE_IMAGE, 9},
    {"image_file", ROLE_IMAGE, 10},
    {"img", ROLE_IMAGE, 11},
    {"images", ROLE_IMAGE, 12},
    {"video", ROLE_IMAGE, 13},
    {"video_path", ROLE_IMAGE, 14},
    {"file", ROLE_IMAGE, 15},
    {"question", ROLE_QUESTION, 0},
    {"prompt", ROLE_QUESTION, 1},
    {"query", ROLE_QUESTION, 2},
    {"text", ROLE_QUESTION, 3},
    {"statement", ROLE_STATEMENT, 0},
    {"options", ROLE_OPTIONS, 0},
    {"choices", ROLE_OPTIONS, 1},
    {"candidates", ROLE_OPTIONS, 2},
    {"label_set", ROLE_OPTIONS, 3},
    {"label", ROLE_LABEL, 0},
    {"labels", ROLE_LABEL, 1},
    {"ground_truth", ROLE_LABEL, 2},
    {"gt", ROLE_LABEL, 3},
    {"truth", ROLE_LABEL, 4},
    {"gt_label", ROLE_LABEL, 5},
    {"true_label", ROLE_LABEL, 6},
    {"correct_emotion", ROLE_LABEL, 7},
    {"correct_answer", ROLE_LABEL, 8},
    {"target", ROLE_LABEL, 9},
    {"gold", ROLE_LABEL, 10},
    {"class", ROLE_LABEL, 11},
    {"class_name", ROLE_LABEL, 12},
    {"emotion", ROLE_LABEL, 13},
    {"emotion_category", ROLE_LABEL, 14},
    {"label_index", ROLE_LABEL_INDEX, 0},
    {"label_idx", ROLE_LABEL_INDEX, 1},
    {"label_id", ROLE_LABEL_INDEX, 2},
    {"class_index", ROLE_LABEL_INDEX, 3},
    {"class_idx", ROLE_LABEL_INDEX, 4},
    {"class_id", ROLE_LABEL_INDEX, 5},
    {"target_index", ROLE_LABEL_INDEX, 6},
    {"gt_index", ROLE_LABEL_INDEX, 7},
    {"label_wnid", ROLE_LABEL_WNID, 0},
    {"wnid", ROLE_LABEL_WNID, 1},
    {"synset", ROLE_LABEL_WNID, 2},
    {"label_full", ROLE_LABEL_FULL, 0},
    {"prediction", ROLE_PREDICTION, 0},
    {"predicted", ROLE_PREDICTION, 1},
    {"pred", ROLE_PREDICTION, 2},
    {"predicted_label", ROLE_PREDICTION, 3},
    {"pred_label", ROLE_PREDICTION, 4},
    {"predicted_class", ROLE_PREDICTION, 5},
    {"predict", ROLE_PREDICTION, 6},
    {"predictions", ROLE_PREDICTION, 7},
    {"extracted", ROLE_PREDICTION, 8},
    {"extracted_answer", ROLE_PREDICTION, 9},
    {"model_answer", ROLE_PREDICTION, 10},
    {"top_1_pred", ROLE_PREDICTION, 11},
    {"prediction_index", ROLE_PREDICTION_INDEX, 0},
    {"predicted_index", ROLE_PREDICTION_INDEX, 1},
    {"pred_index", ROLE_PREDICTION_INDEX, 2},
    {"pred_idx", ROLE_PREDICTION_INDEX, 3},
    {"prediction_id", ROLE_PREDICTION_INDEX, 4},
    {"raw", ROLE_RAW, 0},
    {"raw_response", ROLE_RAW, 1},
    {"full_response", ROLE_RAW, 2},
    {"model_response", ROLE_RAW, 3},
    {"response", ROLE_RAW, 4},
    {"model_output", ROLE_RAW, 5},
    {"output", ROLE_RAW, 6},
    {"generation", ROLE_RAW, 7},
    {"completion", ROLE_RAW, 8},
    {"raw_output", ROLE_RAW, 9},
    {"score", ROLE_SCORE, 0},
    {"confidence", ROLE_SCORE, 1},
    {"confidence_score", ROLE_SCORE, 4},
    {"prob", ROLE_SCORE, 2},
    {"probability", ROLE_SCORE, 3},
    {"latency_ms", ROLE_LATENCY, 0},
    {"latency", ROLE_LATENCY, 1},
    {"latencyms", ROLE_LATENCY, 2},
    {"tokens", ROLE_TOKENS, 0},
    {"output_tokens", ROLE_TOKENS, 1},
    {"completion_tokens", ROLE_TOKENS, 2},
    {"total_tokens", ROLE_TOKENS, 3},
    {"degree", ROLE_DEGREE, 0},
    {"predicted_degree", ROLE_DEGREE, 1},
    {"pred_degree", ROLE_DEGREE, 2},
    {"answered_degree", ROLE_DEGREE, 3},
    {"degree_prediction", ROLE_DEGREE, 4},
    {"batch_size", ROLE_BATCH_SIZE, 0},
    {"batch_pos", ROLE_BATCH_POS, 0},
    {"batch_position", ROLE_BATCH_POS, 1},
    {"position", ROLE_BATCH_POS, 2},
    {"model", ROLE_MODEL, 0},
    {"model_name", ROLE_MODEL, 1},
    {"model_id", ROLE_MODEL, 2},
    {"run", ROLE_RUN, 0},
    {"run_id", ROLE_RUN, 1},
    {"protocol", ROLE_PROTOCOL, 0},
    {"error", ROLE_ERROR, 0},
    {"error_message", ROLE_ERROR, 1},
    {"refusal", ROLE_REFUSAL, 0},
    {"refused", ROLE_REFUSAL, 1},
    {"answer", ROLE_ANSWER, 0},
    {"correct", ROLE_JUDGED, 0},
    {"is_correct", ROLE_JUDGED, 0},
    {"hit", ROLE_JUDGED, 0},
    {"finish_reason", ROLE_JUDGED, 0},
    {"status", ROLE_JUDGED, 0},
    {"timestamp", ROLE_JUDGED, 0},
    {"created", ROLE_JUDGED, 0},
    {"seed", ROLE_JUDGED, 0},
    {"temperature", ROLE_JUDGED, 0},
};

const char *role_word(enum role r)
{
	static const char *const words[] = {
#define X(id, word) word,
	    ROLES(X)
#undef X
	};

	return (unsigned)r < N_ROLES ? words[r] : "";
}

/* What follows "label_" or stands before it without naming a layer. */
static bool is_layer_name(struct str s)
{
	static const char *const not_layers[] = {
	    "score", "confidence", "source", "type", "count", "id",  "name", "text", "prob",
	    "raw",   "no",         "num",    "n",    "set",   "top", "file", "path", "error",
	    "pred",  "predicted",  "model",  "quality", "status", NULL,
	};

	for (const char *const *w = not_layers; *w; w++)
		if (str_eq_nocase(s, str_z(*w)))
			return false;
	return s.n > 0;
}

/* labels_NAME, label_NAME, gt_NAME; NAME_labels, NAME_label, NAME_class. */
static struct str layer_in(struct str plain, struct str name)
{
	static const char *const before[] = {"labels_", "label_", "gt_", NULL};
	static const char *const after[] = {"_labels", "_label", "_class", NULL};
	struct str layer = STR_NONE;

	for (const char *const *w = before; *w && !layer.p; w++)
		if (str_starts(plain, str_z(*w)))
			layer = (struct str){name.p + strlen(*w), name.n - strlen(*w)};
	for (const char *const *w = after; *w && !layer.p; w++)
		if (str_ends(plain, str_z(*w)))
			layer = (struct str){name.p, name.n - strlen(*w)};
	return is_layer_name(layer) ? layer : STR_NONE;
}

struct guess guess_role(struct str name)
{
	char plain[NAME_MAX_BYTES];
	struct guess g = {ROLE_OTHER, 0, STR_NONE};
	struct str p = {plain, 0};

	name = str_trim(name);
	if (!name.n || name.n > sizeof plain)
		return g;
	for (size_t i = 0; i < name.n; i++) {
		char c = name.p[i];

		plain[p.n++] = memchr(" -.", c, 3) ? '_' : c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
	}
	for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
		if (str_eqz(p, usual[i].name))
			return (struct guess){usual[i].role, usual[i].rank, STR_NONE};
	g.layer = layer_in(p, name);
	if (g.layer.p)
		g.role = ROLE_LAYER;
	else if (str_ends(p, STR("_correct")))
		g.role = ROLE_JUDGED;
	return g;
}

bool guess_is_predictions(const struct str *names, size_t n, bool named)
{
	bool answer = false;

	for (size_t i = 0; i < n; i++) {
		enum role role = guess_role(names[i]).role;

		if (role == ROLE_PREDICTION || role == ROLE_PREDICTION_INDEX || role == ROLE_RAW)
			return true;
		answer |= role == ROLE_ANSWER;
		named |= role == ROLE_MODEL || role == ROLE_RUN;
	}
	return answer && named;
}
