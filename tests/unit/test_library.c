/* Libraries that are loaded when they are needed: which one, once, and what is said when not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <pthread.h>

#include <cjson/cJSON.h>

#include "core/base/library.h"

#define NOT_THERE "libqualm-is-not-there.so.0"
#define THREADS   8

static struct {
	cJSON_bool (*is_true)(const cJSON *);
} call;

static const char *const files[] = {NOT_THERE, "libcjson.so.1", "libcjson.dylib", NULL};
static const char *const names[] = {"cJSON_IsTrue"};
static int begun;

static enum status begin(struct err *err)
{
	(void)err;
	begun++;
	return call.is_true ? OK : E_IO;
}

static enum status refuse(struct err *err)
{
	begun++;
	return err_set(err, E_MEMORY, "it will not begin");
}

static struct library made(void)
{
	memset(&call, 0, sizeof call);
	begun = 0;
	return (struct library){.name = "libcjson",
				.files = files,
				.calls = names,
				.n = 1,
				.to = &call,
				.begin = begin,
				.lock = PTHREAD_MUTEX_INITIALIZER};
}

static void *needs(void *ctx)
{
	const cJSON yes = {.type = cJSON_True}, no = {.type = cJSON_False};
	struct err err = ERR_INIT;

	return library_need(ctx, &err) == OK && call.is_true(&yes) && !call.is_true(&no) ? ctx : NULL;
}

static void once_for_all(void **state)
{
	struct library l = made();
	pthread_t thread[THREADS];
	void *out;

	(void)state;
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, needs, &l), 0);
	for (int i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(thread[i], &out), 0);
		assert_ptr_equal(out, &l);
	}
	assert_int_equal(begun, 1);
}

static void not_there_yet(void **state)
{
	static const char *const none[] = {NOT_THERE, "libqualm-neither.so.0", NULL};
	struct library l = made();
	struct err err = ERR_INIT;

	(void)state;
	l.files = none;
	assert_int_equal(library_need(&l, &err), E_UNSUPPORTED);
	assert_int_equal(err.code, E_UNSUPPORTED);
	assert_non_null(strstr(err.msg, "libcjson cannot be loaded"));
	assert_non_null(strstr(err.msg, NOT_THERE));
	assert_null(strstr(err.msg, "neither"));
	assert_int_equal(begun, 0);

	l.files = files;
	err_clear(&err);
	assert_int_equal(library_need(&l, &err), OK);
	assert_int_equal(err.code, OK);
	assert_string_equal(err.msg, "");
	assert_int_equal(begun, 1);
}

static void function_missing(void **state)
{
	static const char *const newer[] = {"cJSON_FromTheFuture"};
	struct library l = made();
	struct err err = ERR_INIT;

	(void)state;
	l.calls = newer;
	assert_int_equal(library_need(&l, &err), E_UNSUPPORTED);
	assert_non_null(strstr(err.msg, "is too old"));
	assert_non_null(strstr(err.msg, "cJSON_FromTheFuture"));
	assert_int_equal(begun, 0);
}

static void does_not_begin(void **state)
{
	struct library l = made();
	struct err err = ERR_INIT;

	(void)state;
	l.begin = refuse;
	assert_int_equal(library_need(&l, &err), E_MEMORY);
	assert_string_equal(err.msg, "it will not begin");
	l.begin = begin;
	assert_int_equal(library_need(&l, &err), OK);
	assert_int_equal(begun, 2);
	l.begin = NULL;
	l.loaded = false;
	assert_int_equal(library_need(&l, &err), OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(once_for_all),
	    cmocka_unit_test(not_there_yet),
	    cmocka_unit_test(function_missing),
	    cmocka_unit_test(does_not_begin),
	};

	return cmocka_run_group_tests_name("library", tests, NULL, NULL);
}
