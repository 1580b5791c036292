/* Who holds a project? The kernel lists the locks of all programs of this machine in /proc/locks;
 * elsewhere, and on file systems whose locks are another machine's, nobody is named. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "db/conn.h"

#define FIRST_BYTE 0x40000000ul /* SQLite's: pending, reserved, 510 shared ones */
#define LAST_BYTE  (FIRST_BYTE + 511)
#define LINES_MAX  100000

/* "1: POSIX  ADVISORY  READ 30895 fe:00:10969643 1073741826 1073742335": the process of another
 * program's lock on the file, or 0. */
static long holder_of_line(const char *line, const struct stat *st)
{
	unsigned maj, min;
	unsigned long ino, from, to = LAST_BYTE;
	long pid;
	int n = sscanf(line, "%*d: POSIX %*s %*s %ld %x:%x:%lu %lu %lu", &pid, &maj, &min, &ino, &from, &to);

	if (n < 5 || pid <= 0 || pid == (long)getpid())
		return 0;
	if (ino != st->st_ino || maj != major(st->st_dev) || min != minor(st->st_dev))
		return 0;
	return from <= LAST_BYTE && to >= FIRST_BYTE ? pid : 0;
}

static bool is_plain(unsigned char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
	       c == '_' || c == '.' || c == '+';
}

/* Its name, and the word after it when that is a command's: what else it was told is its own. */
static void put_program(long pid, struct buf *out)
{
	char path[64], text[256] = "";
	const char *base, *word;
	size_t n;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%ld/cmdline", pid);
	f = fopen(path, "re");
	n = f ? fread(text, 1, sizeof text - 1, f) : 0;
	if (f)
		fclose(f);
	base = strrchr(text, '/') ? strrchr(text, '/') + 1 : text;
	for (const char *p = base; is_plain((unsigned char)*p); p++)
		buf_ch(out, *p);
	word = text + strlen(text) + 1;
	if (strcmp(base, "qualm") != 0 || word >= text + n || strchr(word, '.') || strchr(word, '/'))
		return;
	buf_ch(out, ' ');
	for (; *word >= 'a' && *word <= 'z'; word++)
		buf_ch(out, *word);
}

bool project_holder(const char *path, struct buf *out)
{
	struct stat st;
	char line[256];
	long pid = 0;
	FILE *f;

	if (stat(path, &st) != 0 || !(f = fopen("/proc/locks", "re")))
		return false;
	for (int i = 0; !pid && i < LINES_MAX && fgets(line, sizeof line, f); i++)
		pid = holder_of_line(line, &st);
	fclose(f);
	if (!pid)
		return false;
	put_program(pid, out);
	buf_printf(out, "%s(process %ld)", out->n ? " " : "", pid);
	return true;
}
