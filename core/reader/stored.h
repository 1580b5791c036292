/*
 * stored: what readers of evaluation tools' own files of predictions share: a walk over rows or
 * over the values of one big JSON file, runs that are announced once, responses into outcomes,
 * and the rest of a record into numbers and details.
 */
#ifndef QUALM_CORE_READER_STORED_H
#define QUALM_CORE_READER_STORED_H

#include "core/reader/answer.h"
#include "core/reader/choice.h"

struct stored {
	struct read_ctx *ctx;
	struct rows rows;   /* of stored_rows() */
	struct row row;	    /* the row at hand; its arena lives as long */
	struct arena arena; /* of the file */
	struct intern runs;
	VEC(uint32_t) run_ids; /* by runs */
	struct buf details;    /* JSON object of the record at hand, without its braces */
	VEC(struct rec_number) numbers; /* likewise */
	VEC(struct rec_facet) facets;
};

void stored_init(struct stored *s, struct read_ctx *ctx);
void stored_release(struct stored *s);

/* Every row of the file; the row is s->row. `s` may be the first member of something larger. */
typedef enum status stored_take(struct stored *s, struct err *err);
enum status stored_rows(struct stored *s, stored_take *take, struct err *err);

/* Every value of a JSON array or object; those of its member `enter`, if not NULL, one by one, and
 * with "results/cases" those of the member `cases` in there. A value that is no JSON is reported.
 * s->row has the arena and where the value began. */
struct stored_value {
	struct str key;	   /* of the member; NULL p: an item of an array */
	const cJSON *tree; /* dies with the next one */
	bool inside;	   /* of the last member of `enter` */
	size_t depth;	   /* how many of them it is in */
};
typedef enum status stored_take_value(struct stored *s, const struct stored_value *v,
				      struct err *err);
enum status stored_values(struct stored *s, const char *enter, stored_take_value *take,
			  struct err *err);
/* Nothing of the value before is kept: arena, details, numbers, facets. */
void stored_next(struct stored *s, struct src src);

/* A run, announced once. The options' words win; without a model it comes from the path. `repeat`
 * from 2 on is the model's further answer to the same question: HANDLE#repeat. `variant`, not
 * empty, stands behind the model in the handle, as a filter of answers does. */
struct stored_run {
	struct rec_run rec;
	struct str variant;
	uint32_t repeat;
};
enum status stored_run(struct stored *s, const struct stored_run *run, uint32_t *id, struct err *err);

/* The folder that holds the file, the one above (1), …; empty: there is none. */
struct str stored_folder(const struct stored *s, int above);
/* A model's name as tools write it into a path: "Qwen__Qwen2-VL" is Qwen/Qwen2-VL. */
struct str stored_model_name(struct arena *arena, struct str name);

/* What the model said, out->raw (and out->extracted, where the tool found an answer in it), into
 * outcome and refs; with options their letters and texts are what counts. */
void stored_answer(struct stored *s, const struct str *options, size_t n, struct rec_prediction *out);
/* The answer that the tool looked for, `found`, is not there (a failed regular expression). */
bool stored_is_failure(struct str text);

/* A truth as the tool wrote it: a text, a number, a list of them; letters are options'. */
struct refs stored_truth(struct stored *s, const cJSON *tree, const struct str *options, size_t n);
struct refs stored_truth_text(struct stored *s, struct str text, const struct str *options, size_t n);

/* Further values of the record: a number or a yes or no becomes a number of that name, else a
 * detail. */
void stored_put(struct stored *s, struct str name, const cJSON *value);
void stored_put_cell(struct stored *s, const struct cell *c);
void stored_put_text(struct stored *s, const char *name, struct str text);
void stored_facet(struct stored *s, const char *name, struct str value); /* if it is not empty */

/* The text of a message, or of a list of messages' last one by `role` (any, when NULL): content is
 * a text or parts, whose texts are put together. In the arena where it was made of parts. */
struct str stored_content(struct stored *s, const cJSON *content);
struct str stored_last_message(struct stored *s, const cJSON *messages, const char *role);

/* The path of a picture as tools write it, in the arena or borrowed: "file://" and back-slashes are
 * taken away, what is inside the file (embedded.h) is put into one of its own. Empty: it is elsewhere
 * (a URL), or could not be kept. */
struct str stored_picture(struct stored *s, struct str text);
/* out's media and paths from these; what is blank is left out. Sorts and owns nothing. */
void stored_pictures(struct rec_sample *out, struct str *paths, size_t n);

/* Hands over the prediction with numbers and details; the sample goes along where it is wanted. */
enum status stored_send(struct stored *s, struct rec_prediction *p, struct rec_sample *sample,
			struct err *err);

/* For struct reader: a file of answers, whatever is in it. */
enum rank stored_rank(struct str path, struct str head);

#endif
