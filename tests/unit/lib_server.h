/*
 * A server of HTTP/1.1 on 127.0.0.1 for tests, good or hostile as the handler wants it: a thread
 * accepts, a thread a connection reads requests and calls the handler, which writes what it likes.
 */
#ifndef QUALM_TESTS_LIB_SERVER_H
#define QUALM_TESTS_LIB_SERVER_H

#include "core/base/str.h"

struct server;
struct server_conn;

struct server_request {
	char method[8], path[512];
	struct buf headers; /* as they came, with their line ends */
	struct buf body;
	int number;	    /* of the request, from 1, over all connections */
	int connection;	    /* from 1 */
};

/* Writes the answer; returns false to hang up, true to read the next request. On a thread of the
 * connection. */
typedef bool server_handler(void *ctx, struct server_conn *conn, const struct server_request *q);

enum server_tls { SERVER_PLAIN, SERVER_TLS, SERVER_TLS_OTHER_HOST, SERVER_TLS_EXPIRED };

/* Is TLS there? Else the tests of it are skipped. */
bool server_has_tls(void);
/* Fails the test when it cannot be started. The certificate of the authority
 * that has signed the server's is written to ca_file (TLS alone). */
struct server *server_start(server_handler *handler, void *ctx, enum server_tls tls,
			    const char *ca_file);
void server_stop(struct server *s); /* hangs up everywhere and joins; NULL is fine */
int server_port(const struct server *s);

void server_write(struct server_conn *c, struct str bytes);
void server_z(struct server_conn *c, const char *text);
/* A whole answer; extra: further header lines, each with its line end, or "". */
void server_reply(struct server_conn *c, int status, const char *type, const char *extra,
		  struct str body);
/* Head of an answer in chunks; then server_chunk() for each, an empty one last. */
void server_begin_chunks(struct server_conn *c, const char *type);
void server_chunk(struct server_conn *c, struct str bytes);
/* Waits, less when the client hangs up or the server stops: then false. */
bool server_wait(struct server_conn *c, int ms);

/* The value of a header, "" when there is none, copied to out. */
const char *server_header(const struct server_request *q, const char *name, char *out, size_t size);

/* So far. */
int server_requests(struct server *s);
int server_connections(struct server *s);
/* Everything that was received, of all connections, one after the other. */
void server_received(struct server *s, struct buf *out);

#endif
