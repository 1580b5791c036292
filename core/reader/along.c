#include "core/reader/along.h"

#include "core/base/path.h"
#include "core/reader/emotions.h"
#include "core/reader/peek.h"
#include "core/reader/table.h"

#define ANNOTATIONS "/annotation/"

/* Does the file begin with `first`, and is it the reader's? */
static bool is_of(const struct reader *reader, const char *path, char first)
{
	struct err ignored = ERR_INIT;
	struct input in;
	struct str head;
	bool is;

	if (input_open(&in, path, &ignored) != OK)
		return false;
	head = peek_skip_blanks(buf_view(&in.head));
	is = head.n && head.p[0] == first && reader->probe(str_z(path), head) > 0;
	input_close(&in);
	return is;
}

/* Does the folder that holds `annotations`, a path that ends in "annotation/", hold an index? */
static bool has_index(struct str annotations)
{
	static const char *const names[] = {"train.json", "val.json", "test.json"};
	bool found = false;

	for (size_t i = 0; i < 3 && !found; i++) {
		char *path = xasprintf("%.*s%s", (int)(annotations.n - strlen(ANNOTATIONS) + 1), annotations.p, names[i]);

		found = is_of(&reader_emoset, path, '[');
		free(path);
	}
	return found;
}

static bool follows_index(struct along *a, const char *path, const char **folder)
{
	size_t root = strlen(a->root), at;
	struct str annotations;

	while (root > 0 && a->root[root - 1] == '/')
		root--;
	at = strlen(path) > root ? str_find(str_z(path + root), STR(ANNOTATIONS)) : SIZE_MAX;
	if (at == SIZE_MAX)
		return false;
	annotations = (struct str){path, root + at + strlen(ANNOTATIONS)};
	if (!a->annotations || !str_eq(annotations, str_z(a->annotations))) {
		free(a->annotations);
		a->annotations = xstrndup(annotations.p, annotations.n);
		a->has_index = has_index(annotations);
		a->told = false;
	}
	if (a->has_index && !a->told)
		*folder = a->annotations;
	a->told = true;
	return a->has_index;
}

bool along_is_annotation(struct str name)
{
	struct str emotion, number = str_cut(path_stem(name), '_', &emotion);
	int64_t n;

	return str_ends_nocase(name, STR(".json")) && str_int(number, &n) && n >= 0 &&
	       emotions_by_name(&emotions_emoset, emotion) != SIZE_MAX;
}

bool along_is_array(struct str name)
{
	static const char *const ends[] = {"_exp.npy", "_val.npy", "_aro.npy", "_lnd.npy"};

	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		if (str_ends(name, str_z(ends[i])))
			return name.n > strlen(ends[i]) && !memchr(name.p, '/', name.n);
	return false;
}

/* The first of a folder leads, when it is one by its content. */
static enum along_as look_at_array(struct along *a, const char *path)
{
	struct str dir = path_dir(str_z(path));

	if (a->arrays && str_eq(dir, str_z(a->arrays)))
		return a->arrays_lead ? ALONG_FOLLOWS : ALONG_ALONE;
	free(a->arrays);
	a->arrays = xstrndup(dir.p, dir.n);
	a->arrays_lead = is_of(&reader_affectnet_npy, path, '\x93');
	return a->arrays_lead ? ALONG_LEADS : ALONG_ALONE;
}

enum along_as along_look(struct along *a, const char *path, const char **folder)
{
	struct str dir = path_dir(str_z(path));

	*folder = NULL;
	if (along_is_array(path_base(str_z(path))))
		return look_at_array(a, path);
	if (!str_ends_nocase(str_z(path), STR(".json")))
		return ALONG_ALONE;
	if (follows_index(a, path, folder))
		return ALONG_FOLLOWS;
	if (!along_is_annotation(path_base(str_z(path))))
		return ALONG_ALONE;
	if (a->dir && str_eq(dir, str_z(a->dir)))
		return a->leads ? ALONG_FOLLOWS : ALONG_ALONE;
	free(a->dir);
	a->dir = xstrndup(dir.p, dir.n);
	a->leads = is_of(&reader_emoset, path, '{');
	return a->leads ? ALONG_LEADS : ALONG_ALONE;
}

void along_release(struct along *a)
{
	free(a->annotations);
	free(a->dir);
	free(a->arrays);
	*a = (struct along){.root = a->root};
}
