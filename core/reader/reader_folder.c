/*
 * folder: pictures in folders that are called as their classes, CLASS/image.jpg. What is read is a
 * list of paths, a line each, which an import makes of a folder (folder.h) or somebody's find(1) did;
 * a line that ends in '/' is a folder without pictures.
 *
 * A folder train, val, test … is the facet split, one called images, data … says nothing; of what is
 * left the innermost is the class, the ones around it are the facet folder. A WordNet id in front names
 * the class (n02085620-Chihuahua), a number in front is left out (001.Laysan_Albatross), a number alone
 * is a class's index. Classes come in the order of the folders' names, as torchvision numbers them.
 */
#include "core/base/path.h"
#include "core/base/utf8.h"
#include "core/reader/answer.h"
#include "core/reader/classes.h"
#include "core/reader/table.h"

#define MAX_PARTS 64
#define MAX_PATH  4096

static bool is_one_of(struct str part, const char *const *list)
{
	for (; *list; list++)
		if (str_eq_nocase(part, str_z(*list)))
			return true;
	return false;
}

static bool is_split(struct str part)
{
	static const char *const list[] = {"train", "training", "val", "valid", "validation",
					   "test",  "testing",	"dev", NULL};

	return is_one_of(part, list);
}

static bool says_nothing(struct str part)
{
	static const char *const list[] = {"images", "image", "imgs",	"img",	    "jpg",
					   "jpegs",  "jpeg",  "png",	"jpegimages", "data",
					   "dataset", "pictures", "photos", "videos", "frames", NULL};

	return is_one_of(part, list);
}

static bool is_shown(struct str path)
{
	return looks_like_image(path) || looks_like_video(path);
}

static int probe(struct str path, struct str head)
{
	char end = head.n && !memchr(head.p, '\n', head.n) ? '\r' : '\n';
	struct str rest = head, line;
	size_t lines = 0, folders = 0;

	(void)path;
	while (rest.p) {
		rest = str_cut(rest, end, &line);
		if (!rest.p && lines && head.n >= INPUT_HEAD)
			break; /* may be cut off */
		line = str_trim(line);
		if (!line.n)
			continue;
		if (line.n > MAX_PATH || memchr("{[\"'#", line.p[0], 5) || memchr(line.p, '\t', line.n) ||
		    (line.p[line.n - 1] != '/' && !is_shown(line)))
			return 0;
		lines++;
		folders += memchr(line.p, '/', line.n) || memchr(line.p, '\\', line.n);
	}
	return lines && folders == lines ? 75 : lines > 1 && folders ? 60 : 0;
}

struct tree {
	struct read_ctx *ctx;
	struct intern sent;	 /* names of classes, without case */
	VEC(bool) filled;	 /* by sent: has pictures */
	struct arena row;	 /* of a line */
	uint64_t unplaced;	 /* pictures in no class's folder */
};

/* A path taken apart; slices of it, or in t->row. */
struct place {
	struct str split, class, around;
};

static struct place place_of(struct tree *t, struct str folder)
{
	struct str part[MAX_PARTS], rest = folder, one;
	struct place out = {STR_NONE, STR_NONE, STR_NONE};
	struct buf around = BUF_INIT;
	size_t n = 0, class = MAX_PARTS;

	while (rest.p && n < MAX_PARTS) {
		rest = str_cut(rest, '/', &one);
		if (!one.n || str_eqz(one, ".") || str_eqz(one, "..") || says_nothing(one))
			continue;
		if (is_split(one))
			out.split = one;
		else
			part[n++] = one;
	}
	for (size_t i = 0; i < n; i++)
		if (class == MAX_PARTS && part[i].n >= 9 &&
		    looks_like_wnid((struct str){part[i].p, 9}))
			class = i;
	if (class == MAX_PARTS && n)
		class = n - 1;
	for (size_t i = 0; i < n; i++) {
		if (i == class) {
			out.class = part[i];
			continue;
		}
		if (around.n)
			buf_ch(&around, '/');
		buf_str(&around, part[i]);
	}
	out.around = arena_str(&t->row, buf_view(&around));
	buf_release(&around);
	return out;
}

/* --- classes --- */

static struct str blanks(struct tree *t, struct str name)
{
	char *copy;

	if (!memchr(name.p, '_', name.n))
		return name;
	copy = arena_strndup(&t->row, name.p, name.n);
	for (size_t i = 0; i < name.n; i++)
		if (copy[i] == '_')
			copy[i] = ' ';
	return str_trim((struct str){copy, name.n});
}

/* What the folder's name says of its class, which is then sent once. */
struct naming_of {
	struct class_ref ref;
	struct str wnid, name;
};

static void name_class(struct tree *t, struct str folder, struct naming_of *out)
{
	struct str rest = folder;

	*out = (struct naming_of){.name = STR_NONE};
	if (folder.n >= 9 && looks_like_wnid((struct str){folder.p, 9})) {
		out->wnid = (struct str){folder.p, 9};
		rest = (struct str){folder.p + 9, folder.n - 9};
		while (rest.n && memchr("-_ .", rest.p[0], 4))
			rest = (struct str){rest.p + 1, rest.n - 1};
		if (rest.n)
			out->name = blanks(t, rest);
		out->ref = (struct class_ref){.kind = CLASS_BY_WNID, .text = out->wnid};
		return;
	}
	if (ref_from_text(folder, &out->ref) && out->ref.kind == CLASS_BY_INDEX)
		return;
	out->name = blanks(t, classes_bare_name(folder));
	out->ref = (struct class_ref){.kind = CLASS_BY_NAME, .text = out->name};
}

static struct str folded(struct tree *t, struct str s)
{
	char *copy = arena_strndup(&t->row, s.p ? s.p : "", s.n);

	for (size_t i = 0; i < s.n; i++)
		if (copy[i] >= 'A' && copy[i] <= 'Z')
			copy[i] = (char)(copy[i] + 32);
	return (struct str){copy, s.n};
}

static enum status send_class(struct tree *t, struct src src, struct str folder,
			      const struct naming_of *named, bool filled, struct err *err)
{
	size_t known = t->sent.keys.n;
	struct str word = named->wnid.n ? named->wnid : named->name.n ? named->name : folder;
	uint32_t id = intern_add(&t->sent, folded(t, word));
	struct rec_class rec = {.src = src,
				.index = -1,
				.wnid = named->wnid,
				.name = named->name,
				.aliases = &folder,
				.n_aliases = named->name.n > 0 && !str_eq(named->name, folder)};

	if (id < known) {
		t->filled.v[id] |= filled;
		return OK;
	}
	vec_push(&t->filled, filled);
	if (!named->wnid.n && !named->name.n)
		return OK; /* a number alone: a class that some list tells of */
	return sink_class(t->ctx->sink, &rec, err);
}

/* --- pictures --- */

static enum status send_sample(struct tree *t, struct src src, struct str path,
			       const struct place *place, const struct class_ref *ref, struct err *err)
{
	struct rec_truth truth = {.layer = STR("original"), .refs = ref, .n_refs = 1};
	struct rec_facet facets[2];
	struct rec_sample out = {.src = src,
				 .key = imagenet_key(path),
				 .paths = &path,
				 .n_paths = 1,
				 .media = looks_like_video(path) ? MEDIA_VIDEO : MEDIA_IMAGE,
				 .truths = &truth,
				 .n_truths = ref != NULL,
				 .facets = facets,
				 .creates = true,
				 .declares = true};

	if (t->ctx->opt->layer.n)
		truth.layer = t->ctx->opt->layer;
	if (place->split.n)
		facets[out.n_facets++] =
			(struct rec_facet){STR("split"), folded(t, place->split), NAN, false};
	if (place->around.n)
		facets[out.n_facets++] = (struct rec_facet){STR("folder"), place->around, NAN, false};
	return sink_sample(t->ctx->sink, &out, err);
}

static struct str without_dot(struct str path)
{
	while (str_starts(path, STR("./")))
		path = (struct str){path.p + 2, path.n - 2};
	return path;
}

static enum status take_line(struct tree *t, struct src src, struct str path, struct err *err)
{
	struct naming_of named = {.name = STR_NONE};
	bool filled = path.p[path.n - 1] != '/';
	struct place place;
	enum status st = OK;

	path = without_dot(path_with_slashes(&t->row, path));
	place = place_of(t, filled && memchr(path.p, '/', path.n) ? path_dir(path)
			    : filled				 ? STR_NONE
								 : path);
	if (place.class.n > CLASSES_MAX_NAME)
		place.class = STR_NONE;
	if (place.class.n) {
		name_class(t, place.class, &named);
		st = send_class(t, src, place.class, &named, filled, err);
	}
	if (st || !filled)
		return st;
	t->unplaced += !place.class.n;
	return send_sample(t, src, path, &place, place.class.n ? &named.ref : NULL, err);
}

static bool is_usable(struct tree *t, const struct line *line, struct str path)
{
	struct src src = {line->number, line->byte};
	size_t at;
	const char *fault = utf8_fault(path, &at);

	if (line->too_long || path.n > MAX_PATH)
		report_add(t->ctx->report, PROBLEM_SKIPPED, src, "path", "is longer than %d bytes", MAX_PATH);
	else if (fault)
		report_add(t->ctx->report, PROBLEM_SKIPPED, src, "path", "%s", fault);
	else if (path.p[path.n - 1] != '/' && !is_shown(path))
		report_add(t->ctx->report, PROBLEM_SKIPPED, src, "path",
			   "expected the path of a picture or a video");
	else
		return true;
	return false;
}

static void note_empty(struct tree *t)
{
	struct buf names = BUF_INIT;
	uint64_t n = 0;

	for (size_t i = 0; i < t->filled.n; i++) {
		if (t->filled.v[i])
			continue;
		if (n++ < 5)
			buf_printf(&names, "%s%.*s", n > 1 ? ", " : "", (int)t->sent.keys.v[i].n,
				   t->sent.keys.v[i].p);
	}
	if (n)
		report_note(t->ctx->report, "%llu folders have no picture in them: %s%s",
			    (unsigned long long)n, buf_cstr(&names), n > 5 ? ", …" : "");
	if (t->unplaced)
		report_note(t->ctx->report, "%llu pictures lie in no folder that is called as a class",
			    (unsigned long long)t->unplaced);
	buf_release(&names);
}

static enum status read_file(struct read_ctx *ctx, struct err *err)
{
	struct tree t = {.ctx = ctx};
	struct lines lines;
	struct line line;
	bool more = true;
	enum status st;

	lines_init(&lines, ctx->in);
	while ((st = lines_next(&lines, &line, &more, err)) == OK && more) {
		struct str path = str_trim(line.text);

		if (!path.n)
			continue;
		ctx->report->rows++;
		arena_clear(&t.row);
		if (is_usable(&t, &line, path) &&
		    (st = take_line(&t, (struct src){line.number, line.byte}, path, err)) != OK)
			break;
	}
	if (!st)
		note_empty(&t);
	lines_release(&lines);
	intern_release(&t.sent);
	vec_release(&t.filled);
	arena_release(&t.row);
	return st;
}

const struct reader reader_folder = {
    .name = "folder",
    .help = "pictures in folders that are called as their classes, or a list of such paths",
    .probe = probe,
    .rank = reader_rank_samples,
    .read = read_file,
};
