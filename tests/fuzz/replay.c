/* Runs one fuzz target over every file of a folder, without a fuzzer: replay FOLDER. */
#include <dirent.h>

#include "core/base/path.h"
#include "core/base/xmalloc.h"
#include "tests/fuzz/fuzz.h"

static bool run_file(const char *path)
{
	struct buf b = BUF_INIT;
	FILE *f = fopen(path, "rb");
	size_t n;
	char *p;

	if (!f) {
		perror(path);
		return false;
	}
	while ((p = buf_reserve(&b, 65536)) && (n = fread(p, 1, 65536, f)) > 0)
		b.n += n;
	fclose(f);
	p = xmalloc(b.n); /* of the exact size, so that a sanitizer sees the end */
	if (b.n)
		memcpy(p, b.p, b.n);
	LLVMFuzzerTestOneInput((const uint8_t *)p, b.n);
	free(p);
	buf_release(&b);
	return true;
}

int main(int argc, char **argv)
{
	struct dirent *e;
	unsigned n = 0;
	bool ok = true;
	DIR *dir;

	if (argc != 2 || !(dir = opendir(argv[1]))) {
		fprintf(stderr, "usage: replay FOLDER%s%s\n", argc == 2 ? ": cannot open " : "",
			argc == 2 ? argv[1] : "");
		return 2;
	}
	while ((e = readdir(dir))) {
		char *path;

		if (e->d_name[0] == '.')
			continue;
		path = path_join(argv[1], str_z(e->d_name));
		ok = run_file(path) && ok;
		n++;
		free(path);
	}
	closedir(dir);
	printf("%u inputs\n", n);
	return ok && n > 0 ? 0 : 1;
}
