#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/lib_secret.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/str.h"
#include "core/base/xmalloc.h"

#define BLOCK 65536

/* In pieces that overlap, so that none hides between two. */
static bool file_has(const char *path, struct str secret)
{
	FILE *f = fopen(path, "re");
	char *block = xmalloc(BLOCK);
	size_t kept = 0, n;
	bool found = false;

	while (f && !found && (n = fread(block + kept, 1, BLOCK - kept, f)) > 0) {
		struct str all = {block, kept + n};

		found = str_find(all, secret) != SIZE_MAX;
		kept = all.n < secret.n ? all.n : secret.n - 1;
		memmove(block, all.p + all.n - kept, kept);
	}
	if (f)
		fclose(f);
	free(block);
	return found;
}

struct search {
	struct str secret;
	const char *but;
	size_t files;
};

static char *look_below(struct search *s, const char *folder)
{
	DIR *d = opendir(folder);
	char *found = NULL;
	struct dirent *e;

	while (d && !found && (e = readdir(d))) {
		char *path = xasprintf("%s/%s", folder, e->d_name);
		struct stat st;

		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0 && lstat(path, &st) == 0) {
			s->files += S_ISREG(st.st_mode);
			if (S_ISDIR(st.st_mode))
				found = look_below(s, path);
			else if (S_ISREG(st.st_mode) && !(s->but && strcmp(e->d_name, s->but) == 0) &&
				 file_has(path, s->secret))
				found = xstrdup(path);
		}
		free(path);
	}
	if (d)
		closedir(d);
	return found;
}

char *secret_in_files(const char *folder, const char *secret, const char *but)
{
	struct search s = {.secret = str_z(secret), .but = but};
	char *found = look_below(&s, folder);

	if (!s.files)
		fail_msg("%s: there is nothing to look into", folder);
	return found;
}

long secret_in_processes(const char *secret)
{
	DIR *d = opendir("/proc");
	struct dirent *e;
	long pid = 0;

	while (d && !pid && (e = readdir(d))) {
		char path[300];

		snprintf(path, sizeof path, "/proc/%s/cmdline", e->d_name);
		if (isdigit((unsigned char)e->d_name[0]) && file_has(path, str_z(secret)))
			pid = strtol(e->d_name, NULL, 10);
	}
	if (d)
		closedir(d);
	return pid;
}

void secret_is_nowhere(const char *folder, const char *secret)
{
	char *found = secret_in_files(folder, secret, NULL);
	long pid = secret_in_processes(secret);

	if (found)
		fail_msg("the key is in %s", found);
	if (pid)
		fail_msg("the key is in the command line of process %ld", pid);
}
