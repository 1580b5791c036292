#include "core/text/regex.h"

#include <langinfo.h>
#include <locale.h>
#include <pthread.h>
#include <string.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static locale_t utf8; /* 0: the system has none */

static void find_utf8(void)
{
	static const char *const names[] = {"C.UTF-8", "C.utf8", "en_US.UTF-8", "UTF-8"};

	for (size_t i = 0; !utf8 && i < sizeof names / sizeof *names; i++)
		utf8 = newlocale(LC_CTYPE_MASK, names[i], (locale_t)0);
}

/* What leave() sets again; 0: nothing. */
static locale_t enter(void)
{
	if (strcmp(nl_langinfo(CODESET), "UTF-8") == 0)
		return (locale_t)0;
	pthread_once(&once, find_utf8);
	return utf8 ? uselocale(utf8) : (locale_t)0;
}

static void leave(locale_t before)
{
	if (before)
		uselocale(before);
}

int regex_make(regex_t *re, const char *pattern, int flags)
{
	locale_t before = enter();
	int rc = regcomp(re, pattern, flags);

	leave(before);
	return rc;
}

int regex_match(const regex_t *re, const char *text, size_t n, regmatch_t m[], int flags)
{
	locale_t before = enter();
	int rc = regexec(re, text, n, m, flags);

	leave(before);
	return rc;
}
