/* TLS for lib_server: an authority made for the test, and a certificate that it has signed. Without
 * OpenSSL at building nothing is there. */
#ifndef QUALM_TESTS_LIB_TLS_H
#define QUALM_TESTS_LIB_TLS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct tls_server;
struct tls_conn;

bool tls_there(void);
/* name: "IP:127.0.0.1"; expired: an hour ago. The authority's certificate is written to file. Ends
 * the program on failure. */
struct tls_server *tls_new(const char *name, bool expired, const char *file);
void tls_free(struct tls_server *s);
struct tls_conn *tls_accept(struct tls_server *s, int fd); /* NULL: the client does not want it */
ssize_t tls_read(struct tls_conn *c, char *p, size_t n);
ssize_t tls_write(struct tls_conn *c, const char *p, size_t n);
bool tls_pending(struct tls_conn *c);
void tls_close(struct tls_conn *c);

#endif
