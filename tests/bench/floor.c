/*
 * floor OUT BYTES FILE...: what no import can go below: two threads read the files and look for
 * the ends of lines, while as many bytes as the import leaves are written, and synced.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK ((size_t)1 << 20)

struct part {
	pthread_t thread;
	const char *path;
	off_t from, to;
	uint64_t lines;
};

static void *read_part(void *arg)
{
	struct part *p = arg;
	char *block = malloc(BLOCK);
	int fd = open(p->path, O_RDONLY | O_CLOEXEC);
	ssize_t n = 1;

	while (block && fd >= 0 && p->from < p->to && n > 0) {
		size_t want = p->to - p->from < (off_t)BLOCK ? (size_t)(p->to - p->from) : BLOCK;

		n = pread(fd, block, want, p->from);
		for (char *at = block; n > 0 && (at = memchr(at, '\n', (size_t)(block + n - at))); at++)
			p->lines++;
		p->from += n > 0 ? n : 0;
	}
	if (fd >= 0)
		close(fd);
	free(block);
	return NULL;
}

static uint64_t read_file(const char *path)
{
	struct stat sb;
	struct part parts[2];

	if (stat(path, &sb) != 0)
		return 0;
	for (int i = 0; i < 2; i++) {
		parts[i] = (struct part){.path = path, .from = i ? sb.st_size / 2 : 0,
					 .to = i ? sb.st_size : sb.st_size / 2};
		if (pthread_create(&parts[i].thread, NULL, read_part, &parts[i]) != 0)
			return 0;
	}
	for (int i = 0; i < 2; i++)
		pthread_join(parts[i].thread, NULL);
	return parts[0].lines + parts[1].lines;
}

static int write_out(const char *path, uint64_t bytes)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	char *block = malloc(BLOCK);
	int bad = fd < 0 || !block;

	if (!bad)
		memset(block, 'x', BLOCK);
	while (!bad && bytes) {
		size_t n = bytes < BLOCK ? (size_t)bytes : BLOCK;

		bad = write(fd, block, n) != (ssize_t)n;
		bytes -= n;
	}
	bad |= fd < 0 || fsync(fd) != 0;
	if (fd >= 0)
		close(fd);
	free(block);
	return bad;
}

int main(int argc, char **argv)
{
	uint64_t lines = 0;

	if (argc < 4) {
		fprintf(stderr, "usage: floor OUT BYTES FILE...\n");
		return 2;
	}
	for (int i = 3; i < argc; i++)
		lines += read_file(argv[i]);
	return !lines || write_out(argv[1], strtoull(argv[2], NULL, 10));
}
