/*
 * affectnet-npy: AffectNet's releases with an array a file: annotations/5_exp.npy holds the expression
 * of images/5.jpg, 5_val.npy and 5_aro.npy its valence and arousal, 5_lnd.npy landmarks, which are not
 * read. One of them is read for itself, or with all beside it (read_options.folder). Numbers mean what
 * they do in AffectNet's tables (reader_affectnet.c).
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/path.h"
#include "core/reader/along.h"
#include "core/reader/emotions.h"
#include "core/reader/stored.h"
#include "core/reader/table.h"
#include "core/text/npy.h"

#define ARRAY_MAX 4096 /* bytes of an array of one number */
#define NO_VALUE  (-2)

/* Another array is taken only where it is named itself and nothing else takes it, to say what it is. */
static int probe(struct str path, struct str head)
{
	if (!npy_begins(head))
		return 0;
	return along_is_array(path_base(path)) ? 100 : 20;
}

struct arrays {
	struct stored s; /* first */
	const char *folder;
	struct str pictures; /* what stands in front of a picture's name; empty or with a '/' at its end */
	struct str split;
	uint64_t samples, unlabelled;
	VEC(const char *) ids;
};

/* --- one array --- */

static enum status load(const char *path, struct buf *out, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	enum status st = OK;
	ssize_t n = 1;
	char *p;

	if (fd < 0)
		return err_errno(err, errno, "%s", path);
	while (n > 0 && out->n <= ARRAY_MAX && (p = buf_reserve(out, ARRAY_MAX + 1)) != NULL) {
		n = read(fd, p, ARRAY_MAX + 1);
		if (n < 0)
			st = err_errno(err, errno, "%s", path);
		else
			out->n += (size_t)n;
	}
	close(fd);
	if (st == OK && out->n > ARRAY_MAX)
		st = err_set(err, E_LIMIT, "more than %d bytes", ARRAY_MAX);
	return st;
}

static enum status parse(struct str bytes, double *out, struct err *err)
{
	struct npy array;
	enum status st = npy_parse(bytes, &array, err);

	if (st == OK && (array.n != 1 || !npy_number(&array, 0, out))) {
		struct buf what = BUF_INIT;

		npy_describe(bytes, &what);
		st = err_set(err, E_FORMAT, "expected one number, got an array of %s", buf_cstr(&what));
		buf_release(&what);
	}
	return st;
}

/* The number in ID_WHAT.npy; false: there is no such file, or it is unusable, which is reported. */
static bool number_of(struct arrays *a, const char *id, const char *what, double *out)
{
	char *name = xasprintf("%s_%s.npy", id, what), *path = path_join(a->folder, str_z(name));
	struct buf bytes = BUF_INIT;
	struct err why = ERR_INIT;
	bool is_there = access(path, F_OK) == 0;
	enum status st = is_there ? load(path, &bytes, &why) : E_NOT_FOUND;

	if (st == OK)
		st = parse(buf_view(&bytes), out, &why);
	if (st != OK && is_there)
		report_add(a->s.ctx->report, PROBLEM_WARNING, a->s.row.src, name, "%s", why.msg);
	buf_release(&bytes);
	free(path);
	free(name);
	return st == OK;
}

/* --- one sample --- */

static void add_level(struct arrays *a, const char *id, const char *what, const char *facet)
{
	double v;

	if (!number_of(a, id, what, &v) || v == NO_VALUE)
		return;
	if (v >= -1 && v <= 1)
		vec_push(&a->s.facets, ((struct rec_facet){str_z(facet), STR_NONE, v, true}));
	else
		report_add(a->s.ctx->report, PROBLEM_WARNING, a->s.row.src, facet,
			   "expected a number of -1 to 1, or -2 for \"%s\"", id);
}

/* SIZE_MAX: there is none. */
static size_t emotion_of(struct arrays *a, const char *id)
{
	size_t emotion = SIZE_MAX;
	char code[16];
	double v;

	if (number_of(a, id, "exp", &v)) {
		if (v >= 0 && v <= 100 && v == (double)(int)v) {
			snprintf(code, sizeof code, "%d", (int)v);
			emotion = emotions_by_code(&emotions_affectnet, str_z(code));
		}
		if (emotion == SIZE_MAX)
			report_add(a->s.ctx->report, PROBLEM_WARNING, a->s.row.src, "expression",
				   "expected 0 to 10 for \"%s\"", id);
	}
	a->unlabelled += emotion == SIZE_MAX;
	return emotion;
}

static enum status take(struct arrays *a, const char *id, struct err *err)
{
	struct stored *s = &a->s;
	struct class_ref ref;
	struct rec_truth truth = {s->ctx->opt->layer.n ? s->ctx->opt->layer : STR("original"), &ref, 1, NULL};
	struct str path;
	struct rec_sample rec = {.media = MEDIA_IMAGE, .paths = &path, .n_paths = 1, .truths = &truth,
				 .creates = true, .declares = true};
	size_t emotion;

	stored_next(s, (struct src){1, 0});
	s->ctx->report->rows++;
	a->samples++;
	path = str_z(arena_printf(&s->row.arena, "%.*s%s.jpg", STR_ARG(a->pictures), id));
	rec.src = s->row.src;
	rec.key = path;
	emotion = emotion_of(a, id);
	if (emotion != SIZE_MAX)
		ref = emotions_ref(&emotions_affectnet, emotion);
	rec.n_truths = emotion != SIZE_MAX;
	add_level(a, id, "val", "valence");
	add_level(a, id, "aro", "arousal");
	stored_facet(s, "split", a->split);
	rec.facets = s->facets.v;
	rec.n_facets = s->facets.n;
	return sink_sample(s->ctx->sink, &rec, err);
}

/* --- all of a folder --- */

static int by_id(const void *a, const void *b)
{
	const char *x = *(const char *const *)a, *y = *(const char *const *)b;
	size_t n = strlen(x), m = strlen(y);

	return n != m ? (n > m) - (n < m) : strcmp(x, y); /* 9 before 10 */
}

static const char *id_of(struct arrays *a, struct str name)
{
	return arena_str(&a->s.arena, (struct str){name.p, name.n - strlen("_exp.npy")}).p;
}

static void list_ids(struct arrays *a)
{
	DIR *dir = opendir(a->folder);
	const struct dirent *d;
	size_t kept = 0;

	while (dir && (d = readdir(dir)) != NULL)
		if (along_is_array(str_z(d->d_name)) && !str_ends(str_z(d->d_name), STR("_lnd.npy")))
			vec_push(&a->ids, id_of(a, str_z(d->d_name)));
	if (dir)
		closedir(dir);
	if (a->ids.n)
		qsort(a->ids.v, a->ids.n, sizeof *a->ids.v, by_id);
	for (size_t i = 0; i < a->ids.n; i++)
		if (!kept || strcmp(a->ids.v[kept - 1], a->ids.v[i]) != 0)
			a->ids.v[kept++] = a->ids.v[i];
	a->ids.n = kept;
}

/* .../train_set/annotations: its pictures are train_set/images/5.jpg. Else they lie beside the arrays. */
static void find_pictures(struct arrays *a)
{
	struct str name = path_base(str_z(a->folder)), above = stored_folder(&a->s, 1);

	if (!str_eq_nocase(name, STR("annotations")))
		return;
	a->pictures = STR("images/");
	if (!above.n || str_eqz(above, ".") || str_eqz(above, ".."))
		return;
	a->pictures = str_z(arena_printf(&a->s.arena, "%.*s/images/", STR_ARG(above)));
	if (str_starts(above, STR("train")))
		a->split = STR("train");
	else if (str_starts(above, STR("val")))
		a->split = STR("val");
	else if (str_starts(above, STR("test")))
		a->split = STR("test");
}

static enum status read_all(struct arrays *a, struct err *err)
{
	struct input *in = a->s.ctx->in;
	enum status st = emotions_send(&emotions_affectnet, a->s.ctx->sink, (struct src){1, 0}, err);

	for (size_t i = 0; i < a->ids.n && st == OK; i++) {
		if (in->progress && i % 1024 == 0)
			in->progress(in->progress_ctx, in->size * i / a->ids.n, in->size);
		st = cancel_check(in->cancel, err);
		if (st == OK)
			st = take(a, a->ids.v[i], err);
	}
	return st;
}

/* Of an array for each sample in turn there are forms that are read. */
static enum status refuse(const struct input *in, struct err *err)
{
	struct buf what = BUF_INIT;

	npy_describe(buf_view(&in->head), &what);
	err_set(err, E_FORMAT,
		"%s: this is an array of NumPy, of %s. Of arrays those of AffectNet are read, a number a file, "
		"which are called 5_exp.npy, 5_val.npy and 5_aro.npy; labels or answers in the samples' "
		"order are read from a text, one a line",
		in->path, buf_cstr(&what));
	buf_release(&what);
	return E_FORMAT;
}

static enum status read_file(struct read_ctx *ctx, struct err *err)
{
	struct arrays *a = xcalloc(1, sizeof *a);
	struct str path = str_z(ctx->in->path);
	enum status st;

	stored_init(&a->s, ctx);
	a->folder = arena_str(&a->s.arena, path_dir(path)).p;
	find_pictures(a);
	if (ctx->opt->folder)
		list_ids(a);
	else if (along_is_array(path_base(path)))
		vec_push(&a->ids, id_of(a, path_base(path)));
	st = a->ids.n ? read_all(a, err) : refuse(ctx->in, err);
	if (st == OK && a->unlabelled)
		report_note(ctx->report, "%llu of %llu pictures have no expression",
			    (unsigned long long)a->unlabelled, (unsigned long long)a->samples);
	vec_release(&a->ids);
	stored_release(&a->s);
	free(a);
	return st;
}

const struct reader reader_affectnet_npy = {
    .name = "affectnet-npy",
    .help = "AffectNet with an array a file: 5_exp.npy, 5_val.npy, 5_aro.npy beside each other",
    .probe = probe,
    .rank = reader_rank_samples,
    .read = read_file,
    .one_set = true,
};
