#include "core/base/err.h"

#include <stdio.h>
#include <string.h>

enum status err_set(struct err *err, enum status code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	err->code = code;
	vsnprintf(err->msg, sizeof err->msg, fmt, ap);
	va_end(ap);
	return code;
}

enum status err_errno(struct err *err, int errno_value, const char *fmt, ...)
{
	va_list ap;
	size_t n;

	va_start(ap, fmt);
	err->code = E_IO;
	vsnprintf(err->msg, sizeof err->msg, fmt, ap);
	va_end(ap);
	n = strlen(err->msg);
	snprintf(err->msg + n, sizeof err->msg - n, ": %s", strerror(errno_value));
	return E_IO;
}

enum status err_prefix(struct err *err, const char *fmt, ...)
{
	char old[ERR_MESSAGE_MAX];
	va_list ap;
	size_t n;

	memcpy(old, err->msg, sizeof old);
	va_start(ap, fmt);
	vsnprintf(err->msg, sizeof err->msg, fmt, ap);
	va_end(ap);
	n = strlen(err->msg);
	snprintf(err->msg + n, sizeof err->msg - n, ": %s", old);
	return err->code;
}

void err_clear(struct err *err)
{
	err->code = OK;
	err->msg[0] = '\0';
}
