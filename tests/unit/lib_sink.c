#include "tests/unit/lib_sink.h"

#include <stdlib.h>
#include <unistd.h>

#include "core/base/path.h"

static const char *outcome_name(enum outcome o)
{
	static const char *const words[] = {
#define X(id, word, glyph) word,
	    OUTCOMES(X)
#undef X
	};

	return words[o];
}

static struct sink_log *self(struct sink *s)
{
	return (struct sink_log *)s;
}

static void put(struct sink_log *s, const char *name, struct str value)
{
	if (!value.p)
		return;
	buf_printf(&s->text, " %s=", name);
	buf_str(&s->text, value);
}

static void put_number(struct sink_log *s, const char *name, double value)
{
	if (!isnan(value))
		buf_printf(&s->text, " %s=%g", name, value);
}

static void put_refs(struct sink_log *s, const struct class_ref *refs, size_t n,
		     const double *votes)
{
	buf_ch(&s->text, '(');
	for (size_t i = 0; i < n; i++) {
		static const char kinds[] = "=#~@";

		if (i)
			buf_ch(&s->text, ' ');
		buf_ch(&s->text, kinds[refs[i].kind]);
		if (refs[i].kind == CLASS_BY_INDEX)
			buf_printf(&s->text, "%lld:", (long long)refs[i].index);
		buf_str(&s->text, refs[i].text);
		if (votes)
			buf_printf(&s->text, "*%g", votes[i]);
	}
	buf_ch(&s->text, ')');
}

static enum status add_class(struct sink *sink, const struct rec_class *r, struct err *err)
{
	struct sink_log *s = self(sink);

	(void)err;
	s->classes++;
	if (s->quiet)
		return OK;
	buf_printf(&s->text, "class %lld", (long long)r->index);
	put(s, "wnid", r->wnid.n ? r->wnid : STR_NONE);
	put(s, "name", r->name);
	for (size_t i = 0; i < r->n_aliases; i++)
		put(s, "alias", r->aliases[i]);
	for (size_t i = 0; i < r->n_codes; i++) {
		put(s, "scheme", r->codes[i][0]);
		put(s, "code", r->codes[i][1]);
	}
	put(s, "parent", r->parent.n ? r->parent : STR_NONE);
	if (r->group)
		buf_z(&s->text, " group");
	buf_ch(&s->text, '\n');
	return OK;
}

static enum status add_pair(struct sink *sink, const struct rec_pair *r, struct err *err)
{
	struct sink_log *s = self(sink);

	(void)err;
	s->pairs++;
	if (s->quiet)
		return OK;
	buf_z(&s->text, "pair ");
	put_refs(s, &r->a, 1, NULL);
	put_refs(s, &r->b, 1, NULL);
	buf_ch(&s->text, '\n');
	return OK;
}

static enum status add_tree(struct sink *sink, const struct rec_tree *r, struct err *err)
{
	struct sink_log *s = self(sink);

	(void)err;
	s->trees++;
	if (s->quiet)
		return OK;
	buf_z(&s->text, "tree");
	put(s, "facet", r->facet);
	put(s, "value", r->value);
	put(s, "parent", r->parent);
	buf_ch(&s->text, '\n');
	return OK;
}

static void put_sample(struct sink_log *s, const struct rec_sample *r)
{
	static const char *const media[] = {"none", "image", "images", "video"};

	put(s, "key", r->key);
	put(s, "media", str_z(media[r->media]));
	for (size_t i = 0; i < r->n_paths; i++)
		put(s, "path", r->paths[i]);
	if (r->text_kind)
		put(s, r->text_kind == TEXT_STATEMENT ? "statement" : "question", r->text);
	for (size_t i = 0; i < r->n_options; i++)
		put(s, "option", r->options[i]);
	for (size_t i = 0; i < r->n_facets; i++) {
		char *name = xasprintf("%s:%.*s", r->facets[i].numeric ? "number" : "facet",
				       STR_ARG(r->facets[i].name));

		if (r->facets[i].numeric)
			put_number(s, name, r->facets[i].number);
		else
			put(s, name, r->facets[i].value);
		free(name);
	}
	for (size_t i = 0; i < r->n_truths; i++) {
		put(s, "truth", r->truths[i].layer);
		put_refs(s, r->truths[i].refs, r->truths[i].n_refs, r->truths[i].votes);
	}
	put(s, "extra", r->extra.n ? r->extra : STR_NONE);
	if (r->creates)
		buf_z(&s->text, " creates");
	if (r->declares)
		buf_z(&s->text, " declares");
}

static enum status add_sample(struct sink *sink, const struct rec_sample *r, struct err *err)
{
	struct sink_log *s = self(sink);

	(void)err;
	s->samples++;
	intern_add(&s->keys, r->key);
	if (s->quiet)
		return OK;
	buf_z(&s->text, "sample");
	put_sample(s, r);
	buf_ch(&s->text, '\n');
	return OK;
}

static enum status add_run(struct sink *sink, const struct rec_run *r, uint32_t *run,
			   struct err *err)
{
	struct sink_log *s = self(sink);

	(void)err;
	s->runs++;
	*run = (uint32_t)s->of_run.n;
	vec_push(&s->of_run, 0);
	intern_add(&s->handles, r->handle.n ? r->handle : r->model);
	if (s->quiet)
		return OK;
	buf_printf(&s->text, "run %u", *run);
	put(s, "model", r->model);
	put(s, "protocol", r->protocol.n ? r->protocol : STR_NONE);
	put(s, "handle", r->handle.n ? r->handle : STR_NONE);
	buf_ch(&s->text, '\n');
	return OK;
}

static enum status add_prediction(struct sink *sink, const struct rec_prediction *r,
				  struct err *err)
{
	struct sink_log *s = self(sink);

	if (r->run >= s->of_run.n)
		return err_set(err, E_USAGE, "run %u was never announced", r->run);
	s->predictions++;
	s->of_run.v[r->run]++;
	s->outcomes[r->outcome]++;
	intern_add(&s->keys, r->key);
	if (s->quiet)
		return OK;
	buf_printf(&s->text, "prediction %u", r->run);
	put(s, "key", r->key);
	put(s, "raw", r->raw);
	put(s, "extracted", r->extracted);
	buf_printf(&s->text, " %s", outcome_name(r->outcome));
	put_refs(s, r->refs, r->n_refs, NULL);
	put_number(s, "score", r->score);
	put_number(s, "latency", r->latency_ms);
	put_number(s, "tokens", r->tokens < 0 ? NAN : (double)r->tokens);
	put_number(s, "size", r->batch_size < 0 ? NAN : (double)r->batch_size);
	put_number(s, "pos", r->batch_pos < 0 ? NAN : (double)r->batch_pos);
	for (size_t i = 0; i < r->n_numbers; i++) {
		put(s, "number", r->numbers[i].name);
		buf_printf(&s->text, ":%g", r->numbers[i].value);
	}
	put(s, "error", r->error.n ? r->error : STR_NONE);
	put(s, "details", r->details.n ? r->details : STR_NONE);
	put(s, "steps", r->steps.n ? r->steps : STR_NONE);
	put(s, "marks", r->marks.n ? r->marks : STR_NONE);
	put(s, "people", r->people.n ? r->people : STR_NONE);
	if (r->sample) {
		buf_z(&s->text, " of");
		put_sample(s, r->sample);
	}
	buf_ch(&s->text, '\n');
	return OK;
}

static enum status set_preset(struct sink *sink, struct str preset, struct err *err)
{
	struct sink_log *s = self(sink);

	(void)err;
	intern_add(&s->preset, preset);
	if (!s->quiet) {
		buf_z(&s->text, "preset");
		put(s, "is", preset);
		buf_ch(&s->text, '\n');
	}
	return OK;
}

static enum status add_reference(struct sink *sink, const struct rec_reference *r, struct err *err)
{
	struct sink_log *s = self(sink);

	(void)err;
	s->references++;
	if (s->quiet)
		return OK;
	buf_z(&s->text, "reference");
	put(s, "name", r->name);
	put(s, "group", r->group);
	put(s, "metric", r->metric);
	buf_printf(&s->text, " value=%g\n", r->value);
	return OK;
}

static void set_task(struct sink *sink, struct str task)
{
	struct sink_log *s = self(sink);

	buf_clear(&s->task);
	buf_str(&s->task, task);
}

static const struct sink_ops ops = {
    .add_class = add_class,
    .add_pair = add_pair,
    .add_tree = add_tree,
    .add_sample = add_sample,
    .add_run = add_run,
    .add_prediction = add_prediction,
    .set_preset = set_preset,
    .add_reference = add_reference,
    .set_task = set_task,
};

void sink_log_init(struct sink_log *s)
{
	*s = (struct sink_log){.sink.ops = &ops};
}

void sink_log_release(struct sink_log *s)
{
	buf_release(&s->text);
	buf_release(&s->task);
	intern_release(&s->keys);
	intern_release(&s->handles);
	intern_release(&s->preset);
	vec_release(&s->of_run);
}

enum status read_path(const char *path, const struct read_options *opt, struct sink *sink,
		      struct report *report, const struct reader **used, struct err *err)
{
	const struct reader *reader;
	struct input in;
	struct read_ctx ctx = {&in, opt, sink, report};
	enum status st = input_open(&in, path, err);

	if (st)
		return st;
	st = reader_for(opt, str_z(path), buf_view(&in.head), &reader, err);
	if (used)
		*used = reader;
	if (!st)
		st = reader->read(&ctx, err);
	input_close(&in);
	return st;
}

enum status read_bytes(const char *name, struct str bytes, const struct read_options *opt,
		       struct sink *sink, struct report *report, const struct reader **used,
		       struct err *err)
{
	char folder[] = "/tmp/qualm-reader-XXXXXX";
	char *path, *dirs;
	struct str dir;
	FILE *file;
	enum status st;

	if (!mkdtemp(folder))
		return err_set(err, E_IO, "no temporary folder");
	path = xasprintf("%s/%s", folder, name);
	dir = path_dir(str_z(path));
	dirs = xstrndup(dir.p, dir.n);
	file = path_mkdirs(dirs, err) == OK ? fopen(path, "wb") : NULL;
	if (!file || fwrite(bytes.p, 1, bytes.n, file) != bytes.n || fclose(file) != 0)
		abort();
	st = read_path(path, opt, sink, report, used, err);
	unlink(path);
	for (; dir.n >= strlen(folder); dir = path_dir(dir)) {
		dirs[dir.n] = 0;
		rmdir(dirs);
	}
	free(dirs);
	free(path);
	return st;
}

void report_lines(const struct report *r, struct buf *out)
{
	static const char *const kinds[] = {"skipped", "unmatched", "warning"};

	for (size_t i = 0; i < r->examples.n; i++)
		buf_printf(out, "%s %llu:%llu %s\n", kinds[r->examples.v[i].kind],
			   (unsigned long long)r->examples.v[i].src.line,
			   (unsigned long long)r->examples.v[i].src.byte, r->examples.v[i].text);
}
