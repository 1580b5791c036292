#include "core/base/library.h"

#include <assert.h>
#include <dlfcn.h>
#include <string.h>

/* Of several names the first is the one that was built for: why that one fails is told. */
static void *open_any(const struct library *l, const char **file, struct err *err)
{
	struct err why = ERR_INIT;

	for (const char *const *f = l->files; *f; f++) {
		void *handle = dlopen(*f, RTLD_NOW | RTLD_LOCAL);
		const char *said = handle ? NULL : dlerror();

		if (handle) {
			*file = *f;
			return handle;
		}
		if (!why.code)
			err_set(&why, E_UNSUPPORTED, "%s cannot be loaded: is it installed? (%s)",
				l->name, said ? said : *f);
	}
	*err = why;
	return NULL;
}

static enum status find_calls(const struct library *l, void *handle, const char *file,
			      struct err *err)
{
	static_assert(sizeof(void *) == sizeof(void (*)(void)),
		      "POSIX: dlsym() hands out functions");

	for (size_t i = 0; i < l->n; i++) {
		void *call = dlsym(handle, l->calls[i]);

		if (!call)
			return err_set(err, E_UNSUPPORTED, "%s is too old: there is no %s in it",
				       file, l->calls[i]);
		memcpy((char *)l->to + i * sizeof call, &call, sizeof call);
	}
	return OK;
}

static enum status load(const struct library *l, struct err *err)
{
	const char *file = NULL;
	void *handle = open_any(l, &file, err);
	enum status st;

	if (!handle)
		return err->code;
	st = find_calls(l, handle, file, err);
	if (!st && l->begin)
		st = l->begin(err);
	if (st)
		dlclose(handle);
	return st;
}

enum status library_need(struct library *l, struct err *err)
{
	enum status st = OK;

	pthread_mutex_lock(&l->lock);
	if (!l->loaded)
		st = load(l, err);
	l->loaded = !st;
	pthread_mutex_unlock(&l->lock);
	return st;
}
