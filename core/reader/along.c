#include "core/reader/along.h"

#include "core/base/path.h"
#include "core/reader/peek.h"
#include "core/reader/table.h"

#define ANNOTATIONS "/annotation/"

/* Does the folder that holds `annotations`, a path that ends in "annotation/", hold an index? */
static bool has_index(struct str annotations)
{
	static const char *const names[] = {"train.json", "val.json", "test.json"};
	bool found = false;

	for (size_t i = 0; i < 3 && !found; i++) {
		char *path = xasprintf("%.*s%s", (int)(annotations.n - strlen(ANNOTATIONS) + 1), annotations.p, names[i]);
		struct err ignored = ERR_INIT;
		struct input in;

		if (input_open(&in, path, &ignored) == OK) {
			struct str head = peek_skip_blanks(buf_view(&in.head));

			found = head.n && head.p[0] == '[' && reader_emoset.probe(str_z(path), head) > 0;
			input_close(&in);
		}
		free(path);
	}
	return found;
}

bool along_with_another(struct along *a, const char *path, const char **folder)
{
	size_t at = str_find(str_z(path), STR(ANNOTATIONS));
	struct str annotations;

	*folder = NULL;
	if (at == SIZE_MAX || !str_ends_nocase(str_z(path), STR(".json")))
		return false;
	annotations = (struct str){path, at + strlen(ANNOTATIONS)};
	if (!a->folder || !str_eq(annotations, str_z(a->folder))) {
		free(a->folder);
		a->folder = xstrndup(annotations.p, annotations.n);
		a->is = has_index(annotations);
		a->told = false;
	}
	if (a->is && !a->told)
		*folder = a->folder;
	a->told = true;
	return a->is;
}

void along_release(struct along *a)
{
	free(a->folder);
	*a = (struct along){0};
}
