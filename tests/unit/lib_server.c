#include "tests/unit/lib_server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/base/xmalloc.h"
#include "tests/unit/lib_tls.h"

#define MAX_CONNECTIONS 256

struct server {
	server_handler *handler;
	void *ctx;
	struct tls_server *tls; /* NULL: plain */
	int listener, port, stop[2];
	pthread_t acceptor;
	pthread_mutex_t lock;
	/* under the lock */
	pthread_t thread[MAX_CONNECTIONS];
	int n_threads, n_requests;
	struct buf received;
};

struct server_conn {
	struct server *server;
	struct tls_conn *tls;
	int fd, number;
	bool gone;
	struct buf in; /* read, not used yet */
};

static void die(const char *what)
{
	fprintf(stderr, "lib_server: %s: %s\n", what, strerror(errno));
	abort();
}

/* --- bytes --- */

static bool wait_for(struct server_conn *c, int ms)
{
	struct pollfd p[2] = {{c->fd, POLLIN, 0}, {c->server->stop[0], POLLIN, 0}};

	if (c->tls && tls_pending(c->tls))
		return true;
	return poll(p, 2, ms) > 0 && !p[1].revents;
}

static ssize_t read_some(struct server_conn *c, char *p, size_t n)
{
	ssize_t got;

	if (!wait_for(c, -1))
		return 0;
	got = c->tls ? tls_read(c->tls, p, n) : read(c->fd, p, n);
	if (got > 0) {
		pthread_mutex_lock(&c->server->lock);
		buf_put(&c->server->received, p, (size_t)got);
		pthread_mutex_unlock(&c->server->lock);
	}
	return got;
}

void server_write(struct server_conn *c, struct str bytes)
{
	while (bytes.n && !c->gone) {
		struct pollfd p[2] = {{c->fd, POLLOUT, 0}, {c->server->stop[0], POLLIN, 0}};
		ssize_t n;

		if (poll(p, 2, -1) <= 0 || p[1].revents)
			n = -1;
		else
			n = c->tls ? tls_write(c->tls, bytes.p, bytes.n)
				   : send(c->fd, bytes.p, bytes.n, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (n < 0 && errno == EAGAIN && !c->tls)
			continue;
		c->gone = n <= 0;
		if (n > 0) {
			bytes.p += n;
			bytes.n -= (size_t)n;
		}
	}
}

void server_z(struct server_conn *c, const char *text)
{
	server_write(c, str_z(text));
}

bool server_wait(struct server_conn *c, int ms)
{
	struct pollfd p[2] = {{c->fd, POLLIN | POLLRDHUP, 0}, {c->server->stop[0], POLLIN, 0}};

	if (poll(p, 2, ms) > 0)
		c->gone = true;
	return !c->gone;
}

/* --- answers --- */

void server_reply(struct server_conn *c, int status, const char *type, const char *extra,
		  struct str body)
{
	struct buf b = BUF_INIT;

	buf_printf(&b, "HTTP/1.1 %d Said\r\nContent-Type: %s\r\nContent-Length: %zu\r\n%s\r\n",
		   status, type, body.n, extra);
	buf_str(&b, body);
	server_write(c, buf_view(&b));
	buf_release(&b);
}

void server_begin_chunks(struct server_conn *c, const char *type)
{
	struct buf b = BUF_INIT;

	buf_printf(&b, "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nTransfer-Encoding: chunked\r\n\r\n",
		   type);
	server_write(c, buf_view(&b));
	buf_release(&b);
}

void server_chunk(struct server_conn *c, struct str bytes)
{
	struct buf b = BUF_INIT;

	buf_printf(&b, "%zx\r\n", bytes.n);
	buf_str(&b, bytes);
	buf_z(&b, "\r\n");
	server_write(c, buf_view(&b));
	buf_release(&b);
}

/* --- requests --- */

const char *server_header(const struct server_request *q, const char *name, char *out, size_t size)
{
	struct str rest = buf_view(&q->headers), line;

	*out = '\0';
	while (rest.p) {
		struct str head, value;

		rest = str_cut(rest, '\n', &line);
		value = str_cut(line, ':', &head);
		if (!value.p || !str_eq_nocase(head, str_z(name)))
			continue;
		value = str_trim(value);
		snprintf(out, size, "%.*s", (int)value.n, value.p);
	}
	return out;
}

static bool fill(struct server_conn *c)
{
	char block[65536];
	ssize_t n = read_some(c, block, sizeof block);

	if (n > 0)
		buf_put(&c->in, block, (size_t)n);
	return n > 0;
}

static void drop(struct server_conn *c, size_t n)
{
	memmove(c->in.p, c->in.p + n, c->in.n - n);
	c->in.n -= n;
}

static bool read_request(struct server_conn *c, struct server_request *q)
{
	char length[32];
	int64_t n = 0;
	size_t end;

	while ((end = str_find(buf_view(&c->in), STR("\r\n\r\n"))) == SIZE_MAX)
		if (!fill(c))
			return false;
	buf_put(&q->headers, c->in.p, end + 2);
	drop(c, end + 4);
	if (sscanf(buf_cstr(&q->headers), "%7s %511s", q->method, q->path) != 2)
		return false;
	str_int(str_z(server_header(q, "content-length", length, sizeof length)), &n);
	while (c->in.n < (size_t)n)
		if (!fill(c))
			return false;
	buf_put(&q->body, c->in.p, (size_t)n);
	drop(c, (size_t)n);
	return true;
}

static bool serve_one(struct server_conn *c)
{
	struct server *s = c->server;
	struct server_request q = {.connection = c->number};
	bool more = read_request(c, &q);

	if (more) {
		pthread_mutex_lock(&s->lock);
		q.number = ++s->n_requests;
		pthread_mutex_unlock(&s->lock);
		more = s->handler(s->ctx, c, &q) && !c->gone;
	}
	buf_release(&q.headers);
	buf_release(&q.body);
	return more;
}

static void *serve(void *arg)
{
	struct server_conn *c = arg;

	if (c->server->tls) {
		c->tls = tls_accept(c->server->tls, c->fd);
		c->gone = !c->tls;
	}
	while (!c->gone && serve_one(c))
		;
	if (c->tls)
		tls_close(c->tls);
	close(c->fd);
	buf_release(&c->in);
	free(c);
	return NULL;
}

/* --- the server --- */

static void *accept_all(void *arg)
{
	struct server *s = arg;
	int on = 1;

	for (;;) {
		struct pollfd p[2] = {{s->listener, POLLIN, 0}, {s->stop[0], POLLIN, 0}};
		struct server_conn *c;
		int fd;

		if (poll(p, 2, -1) < 0 || p[1].revents)
			return NULL;
		fd = accept4(s->listener, NULL, NULL, SOCK_CLOEXEC);
		if (fd < 0)
			continue;
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
		c = xcalloc(1, sizeof *c);
		c->server = s;
		c->fd = fd;
		pthread_mutex_lock(&s->lock);
		if (s->n_threads == MAX_CONNECTIONS)
			die("too many connections");
		c->number = s->n_threads + 1;
		if (pthread_create(&s->thread[s->n_threads++], NULL, serve, c))
			die("no thread");
		pthread_mutex_unlock(&s->lock);
	}
}

static void listen_on(struct server *s)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t n = sizeof a;

	s->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (s->listener < 0 || bind(s->listener, (struct sockaddr *)&a, sizeof a) ||
	    listen(s->listener, 64) || getsockname(s->listener, (struct sockaddr *)&a, &n))
		die("cannot listen");
	s->port = ntohs(a.sin_port);
}

bool server_has_tls(void)
{
	return tls_there();
}

struct server *server_start(server_handler *handler, void *ctx, enum server_tls tls,
			    const char *ca_file)
{
	struct server *s = xcalloc(1, sizeof *s);

	s->handler = handler;
	s->ctx = ctx;
	if (tls != SERVER_PLAIN)
		s->tls = tls_new(tls == SERVER_TLS_OTHER_HOST ? "DNS:other.invalid" : "IP:127.0.0.1",
				 tls == SERVER_TLS_EXPIRED, ca_file);
	pthread_mutex_init(&s->lock, NULL);
	if (pipe2(s->stop, O_CLOEXEC))
		die("no pipe");
	listen_on(s);
	if (pthread_create(&s->acceptor, NULL, accept_all, s))
		die("no thread");
	return s;
}

void server_stop(struct server *s)
{
	if (!s)
		return;
	if (write(s->stop[1], "", 1) != 1)
		die("cannot stop");
	pthread_join(s->acceptor, NULL);
	for (int i = 0; i < s->n_threads; i++)
		pthread_join(s->thread[i], NULL);
	close(s->listener);
	close(s->stop[0]);
	close(s->stop[1]);
	if (s->tls)
		tls_free(s->tls);
	pthread_mutex_destroy(&s->lock);
	buf_release(&s->received);
	free(s);
}

int server_port(const struct server *s)
{
	return s->port;
}

int server_requests(struct server *s)
{
	int n;

	pthread_mutex_lock(&s->lock);
	n = s->n_requests;
	pthread_mutex_unlock(&s->lock);
	return n;
}

int server_connections(struct server *s)
{
	int n;

	pthread_mutex_lock(&s->lock);
	n = s->n_threads;
	pthread_mutex_unlock(&s->lock);
	return n;
}

void server_received(struct server *s, struct buf *out)
{
	pthread_mutex_lock(&s->lock);
	buf_str(out, buf_view(&s->received));
	pthread_mutex_unlock(&s->lock);
}
