#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "core/media/media.h"
#include "tui/cli.h"

/* `qualm --decode-process FD` is the helper that decodes pictures (core/media/media.h). */
static int decode_process(const char *word)
{
	int64_t fd;

	if (!str_int(str_z(word), &fd) || fd < 0 || fd > 1023)
		return EXIT_USAGE;
	return decoder_main((int)fd);
}

int main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "--decode-process") == 0)
		return decode_process(argv[2]);
	setvbuf(stderr, NULL, _IOLBF, BUFSIZ); /* over a slow line characters do not go one by one */
	/* Only the characters: numbers in files and output keep their point. */
	setlocale(LC_CTYPE, "");
	return cli_main(argc, argv);
}
