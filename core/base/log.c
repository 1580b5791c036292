#include "core/base/log.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

static FILE *file;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void log_open(const char *path)
{
	pthread_mutex_lock(&lock);
	if (!file)
		file = fopen(path, "ae");
	pthread_mutex_unlock(&lock);
}

void log_close(void)
{
	pthread_mutex_lock(&lock);
	if (file)
		fclose(file);
	file = NULL;
	pthread_mutex_unlock(&lock);
}

void log_line(const char *area, const char *fmt, ...)
{
	struct timespec now;
	va_list ap;

	pthread_mutex_lock(&lock);
	if (file) {
		clock_gettime(CLOCK_REALTIME, &now);
		fprintf(file, "%lld.%03ld %s: ", (long long)now.tv_sec, now.tv_nsec / 1000000, area);
		va_start(ap, fmt);
		vfprintf(file, fmt, ap);
		va_end(ap);
		fputc('\n', file);
		fflush(file);
	}
	pthread_mutex_unlock(&lock);
}
