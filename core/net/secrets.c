#include "core/net/secrets.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/path.h"
#include "core/base/xmalloc.h"

/* --- fetching --- */

static enum status take(struct secret *to, struct str value, const char *what, struct err *err)
{
	value = str_trim(value);
	if (value.n == 0)
		return err_set(err, E_NOT_FOUND, "%s is empty", what);
	if (value.n > SECRET_MAX_BYTES)
		return err_set(err, E_LIMIT, "%s is over %d bytes", what, SECRET_MAX_BYTES);
	for (size_t i = 0; i < value.n; i++)
		if (value.p[i] < ' ' || value.p[i] > '~')
			return err_set(err, E_USAGE,
				       "%s holds what no header can: it should be "
				       "one line of ASCII",
				       what);
	to->value = xstrndup(value.p, value.n);
	to->n = value.n;
	return OK;
}

static enum status from_variable(struct secret *to, const char *name, const char *what,
				 struct err *err)
{
	const char *value = getenv(name);

	if (!value)
		return err_set(err, E_NOT_FOUND, "%s is not set", what);
	return take(to, str_z(value), what, err);
}

static enum status check_mode(int fd, const char *what, struct err *err)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return err_errno(err, errno, "%s cannot be read", what);
	if (!S_ISREG(st.st_mode))
		return err_set(err, E_USAGE, "%s is no file", what);
	if (st.st_mode & 077)
		return err_set(err, E_USAGE, "%s can be read by others (mode %04o): chmod 600 it",
			       what, (unsigned)st.st_mode & 07777);
	return OK;
}

static enum status from_file(struct secret *to, const char *path, const char *what, struct err *err)
{
	char *file = endpoint_file(path);
	char text[SECRET_MAX_BYTES + 2];
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	enum status st;
	ssize_t n;

	free(file);
	if (fd < 0)
		return err_errno(err, errno, "%s cannot be opened", what);
	st = check_mode(fd, what, err);
	if (!st) {
		n = read(fd, text, sizeof text);
		st = n < 0 ? err_errno(err, errno, "%s cannot be read", what)
			   : take(to, (struct str){text, (size_t)n}, what, err);
	}
	close(fd);
	explicit_bzero(text, sizeof text);
	return st;
}

static enum status fetch_header(const struct endpoint_header *h, struct secret *to, struct err *err)
{
	char *what = xasprintf("the variable of header %s", h->name);
	enum status st = from_variable(to, h->env, what, err);

	free(what);
	return st;
}

enum status secrets_fetch(const struct endpoint *e, struct secrets *out, struct err *err)
{
	struct buf source = BUF_INIT;
	enum status st = OK;

	*out = (struct secrets){.n_headers = e->n_headers};
	endpoint_key_source(e, &source);
	if (e->key_env || e->key_file) {
		char *what = xasprintf("%s, which has the key,", buf_cstr(&source));

		st = e->key_env ? from_variable(&out->key, e->key_env, what, err)
				: from_file(&out->key, e->key_file, what, err);
		free(what);
	}
	for (size_t i = 0; !st && i < e->n_headers; i++)
		st = fetch_header(&e->header[i], &out->header[i], err);
	buf_release(&source);
	return st;
}

static void wipe(struct secret *s)
{
	if (s->value)
		explicit_bzero(s->value, s->n);
	free(s->value);
	*s = (struct secret){0};
}

void secrets_release(struct secrets *s)
{
	wipe(&s->key);
	for (size_t i = 0; i < s->n_headers; i++)
		wipe(&s->header[i]);
	s->n_headers = 0;
}

/* --- hiding --- */

static const struct secret *nth(const struct secrets *s, size_t i)
{
	return i == 0 ? &s->key : &s->header[i - 1];
}

/* The length of the secret that text begins with, 0 when none. *may: text, shorter than a secret,
 * is the beginning of one. */
static size_t secret_at(const struct secrets *s, struct str text, bool *may)
{
	size_t best = 0;

	*may = false;
	for (size_t i = 0; i <= s->n_headers; i++) {
		const struct secret *k = nth(s, i);
		size_t n = text.n < k->n ? text.n : k->n;

		if (!k->value || k->n < SECRET_HIDE_FROM || memcmp(k->value, text.p, n) != 0)
			continue;
		if (n < k->n)
			*may = true;
		else if (n > best)
			best = n;
	}
	return best;
}

/* Returns how much of text was done with; the rest, unless it is the last there is, may be the
 * beginning of a secret. */
static size_t hide(const struct secrets *s, struct str text, bool last, struct buf *out)
{
	size_t i = 0, from = 0;

	while (i < text.n) {
		bool may;
		size_t n = secret_at(s, (struct str){text.p + i, text.n - i}, &may);

		if (may && !last)
			break;
		if (n) {
			buf_put(out, text.p + from, i - from);
			buf_z(out, "[key]");
			from = i + n;
		}
		i += n ? n : 1;
	}
	buf_put(out, text.p + from, i - from);
	return i;
}

void secrets_hide(const struct secrets *s, struct str text, struct buf *out)
{
	struct hider h = {.secrets = s};

	hider_feed(&h, text, out);
	hider_end(&h, out);
	hider_release(&h);
}

void hider_feed(struct hider *h, struct str piece, struct buf *out)
{
	size_t done;

	if (!piece.n)
		return;
	if (!h->secrets) {
		buf_str(out, piece);
		return;
	}
	if (h->held.n) {
		buf_str(&h->held, piece);
		piece = buf_view(&h->held);
	}
	done = hide(h->secrets, piece, false, out);
	if (h->held.n) {
		memmove(h->held.p, h->held.p + done, h->held.n - done);
		h->held.n -= done;
	} else {
		buf_put(&h->held, piece.p + done, piece.n - done);
	}
}

void hider_end(struct hider *h, struct buf *out)
{
	if (h->held.n)
		hide(h->secrets, buf_view(&h->held), true, out);
	buf_clear(&h->held);
}

void hider_release(struct hider *h)
{
	buf_release(&h->held);
}
