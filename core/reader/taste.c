#include "core/reader/taste.h"

#include <fcntl.h>

#include "core/reader/peek.h"

/* Told as the model of a file: where it comes back the file has no word of its own. */
#define BY_PATH "\x01path"

struct tasting {
	struct sink sink; /* first */
	struct taste *out;
	struct intern runs;
};

static struct taste *of(struct sink *s)
{
	return ((struct tasting *)s)->out;
}

static uint32_t stir(uint32_t hash, struct str text)
{
	text = str_trim(text);
	return text.n ? (hash << 5 | hash >> 27) ^ hash_bytes(text.p, text.n) : hash;
}

uint32_t taste_asked(struct str text, const struct str *options, size_t n_options)
{
	uint32_t hash = stir(0, text);

	for (size_t i = 0; i < n_options; i++)
		hash = stir(hash, options[i]);
	return hash ? hash | 1 : 0;
}

static uint32_t told_of(const struct rec_sample *s)
{
	uint32_t hash = taste_asked(s->text, s->options, s->n_options);

	for (size_t i = 0; i < s->n_paths; i++)
		hash = stir(hash, s->paths[i]);
	for (size_t i = 0; i < s->n_truths; i++)
		for (size_t k = 0; k < s->truths[i].n_refs; k++)
			hash = stir(hash, s->truths[i].refs[k].text) ^ (uint32_t)s->truths[i].refs[k].index;
	return hash ? hash | 1 : 0;
}

static void keep_key(struct taste *t, struct str key, const struct rec_sample *sample)
{
	if (t->n_keys == TASTE_KEYS || !key.n || (t->n_keys && str_eq(t->key[t->n_keys - 1], key)))
		return;
	t->asked[t->n_keys] = sample ? taste_asked(sample->text, sample->options, sample->n_options) : 0;
	t->told[t->n_keys] = sample ? told_of(sample) : 0;
	t->key[t->n_keys++] = arena_str(&t->arena, key);
}


bool taste_too_few(size_t same, size_t both)
{
	return same * 4 < both * 3;
}

bool taste_differs(const struct taste *a, const struct taste *b)
{
	size_t both = 0, same = 0;

	for (size_t i = 0; i < a->n_keys; i++)
		for (size_t k = 0; k < b->n_keys; k++) {
			if (!a->told[i] || !b->told[k] || !str_eq(a->key[i], b->key[k]))
				continue;
			both++;
			same += a->told[i] == b->told[k];
		}
	return taste_too_few(same, both);
}

static enum status add_class(struct sink *s, const struct rec_class *r, struct err *err)
{
	(void)r;
	(void)err;
	of(s)->classes++;
	return OK;
}

static enum status add_pair(struct sink *s, const struct rec_pair *r, struct err *err)
{
	(void)r;
	(void)err;
	of(s)->pairs++;
	return OK;
}

static enum status add_tree(struct sink *s, const struct rec_tree *r, struct err *err)
{
	(void)r;
	(void)err;
	of(s)->values++;
	return OK;
}

static enum status add_sample(struct sink *s, const struct rec_sample *r, struct err *err)
{
	(void)err;
	of(s)->samples++;
	of(s)->truths += r->n_truths;
	of(s)->hollow &= !r->n_truths && !r->n_paths && !r->text.n && !looks_like_image(r->key) &&
			 !looks_like_video(r->key);
	keep_key(of(s), r->key, r);
	return OK;
}

static void keep_run(struct taste *t, const struct rec_run *r)
{
	bool by_path = str_eqz(r->model, BY_PATH);
	struct str handle = r->handle;

	t->by_path |= by_path;
	if (t->n_runs++ >= TASTE_RUNS)
		return;
	if (by_path && str_starts(handle, STR(BY_PATH)))
		handle = (struct str){handle.p + strlen(BY_PATH), handle.n - strlen(BY_PATH)};
	t->run[t->n_runs - 1] = (struct taste_run){
	    .model = by_path ? STR("") : arena_str(&t->arena, r->model),
	    .protocol = arena_str(&t->arena, r->protocol),
	    .handle = arena_str(&t->arena, handle),
	    .by_path = by_path,
	};
}

static enum status add_run(struct sink *s, const struct rec_run *r, uint32_t *run, struct err *err)
{
	struct tasting *t = (struct tasting *)s;
	const struct str words[] = {r->handle, r->model, r->protocol};
	struct buf name = BUF_INIT;
	size_t known = t->runs.keys.n;

	(void)err;
	for (int i = 0; i < 3; i++) {
		buf_str(&name, words[i]);
		buf_ch(&name, '\0');
	}
	*run = intern_add(&t->runs, buf_view(&name));
	if (*run == known)
		keep_run(t->out, r);
	buf_release(&name);
	return OK;
}

static enum status add_prediction(struct sink *s, const struct rec_prediction *r, struct err *err)
{
	(void)err;
	of(s)->predictions++;
	of(s)->hollow = false;
	keep_key(of(s), r->key, r->sample);
	if (r->sample) {
		of(s)->samples++;
		of(s)->truths += r->sample->n_truths;
	}
	return OK;
}

static enum status add_reference(struct sink *s, const struct rec_reference *r, struct err *err)
{
	(void)r;
	(void)err;
	of(s)->references++;
	return OK;
}

static enum status set_preset(struct sink *s, struct str preset, struct err *err)
{
	(void)err;
	if (preset.n)
		of(s)->preset = arena_str(&of(s)->arena, preset);
	return OK;
}

static void set_task(struct sink *s, struct str task)
{
	task = str_trim(task);
	if (task.n)
		of(s)->task = arena_str(&of(s)->arena, task);
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

/* The end of the last whole line: a line that is cut off would look broken. */
static struct str whole_lines(struct str head)
{
	size_t n = head.n;

	while (n > 0 && head.p[n - 1] != '\n')
		n--;
	return n ? (struct str){head.p, n} : head;
}

static bool is_object(struct str head)
{
	struct peek p;
	bool object;

	peek_open(&p, head);
	object = p.shape == SHAPE_OBJECT;
	peek_release(&p);
	return object;
}

/* An archive's list is at its end, so that its reader goes to the file itself. */
static bool is_archive(struct str head)
{
	return str_starts(head, STR("PK\x03\x04"));
}

static void open_taste(const struct input *from, bool whole, struct input *in)
{
	struct str head = buf_view(&from->head);

	input_memory(in, whole ? head : whole_lines(head));
	in->path = from->path;
	buf_str(&in->head, in->ahead);
	if (!is_archive(head) || !from->regular || from->size > TASTE_ARCHIVE_MAX)
		return;
	in->fd = fcntl(from->fd, F_DUPFD_CLOEXEC, 3);
	in->regular = true;
}

void taste_file(const struct reader *reader, const struct read_options *opt,
		const struct input *from, struct taste *out)
{
	struct tasting t = {{&ops}, out, INTERN_INIT};
	struct read_options with = *opt;
	struct report report;
	struct input in;
	struct read_ctx ctx = {&in, &with, &t.sink, &report};
	struct err why = ERR_INIT;
	bool whole = from->eof && from->ahead.n == from->head.n;

	*out = (struct taste){.whole = whole, .hollow = true, .why = ERR_INIT};
	with.threads = 1;
	with.pictures = STR_NONE;
	if (!with.path_model.n)
		with.path_model = STR(BY_PATH);
	report_init(&report, from->path, NULL);
	open_taste(from, whole, &in);
	if (is_archive(buf_view(&from->head)))
		out->whole = in.fd >= 0;
	if (reader->read(&ctx, &why) != OK && out->whole)
		out->why = why;
	out->by_place = report.by_place;
	if (out->by_place)
		out->n_keys = 0;
	out->hollow = out->hollow && out->samples && is_object(buf_view(&from->head));
	input_close(&in);
	report_release(&report);
	intern_release(&t.runs);
}

bool taste_found(const struct taste *t)
{
	return t->classes || t->pairs || t->values || t->samples || t->predictions ||
	       t->references;
}

void taste_release(struct taste *t)
{
	arena_release(&t->arena);
	*t = (struct taste){0};
}
