#include "tests/unit/lib_tls.h"

#include <stdio.h>
#include <stdlib.h>

#ifdef HAVE_OPENSSL
#include <openssl/ec.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

bool tls_there(void)
{
	return true;
}

static void must(int ok, const char *what)
{
	if (ok == 1)
		return;
	fprintf(stderr, "lib_tls: %s failed\n", what);
	abort();
}

static EVP_PKEY *new_key(void)
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_id(EVP_PKEY_EC, NULL);
	EVP_PKEY *key = NULL;

	must(EVP_PKEY_keygen_init(ctx), "keygen_init");
	must(EVP_PKEY_CTX_set_ec_paramgen_curve_nid(ctx, NID_X9_62_prime256v1), "curve");
	must(EVP_PKEY_keygen(ctx, &key), "keygen");
	EVP_PKEY_CTX_free(ctx);
	return key;
}

static void add_extension(X509 *cert, X509 *issuer, int nid, const char *value)
{
	X509V3_CTX ctx;
	X509_EXTENSION *ext;

	X509V3_set_ctx_nodb(&ctx);
	X509V3_set_ctx(&ctx, issuer, cert, NULL, NULL, 0);
	ext = X509V3_EXT_conf_nid(NULL, &ctx, nid, value);
	must(ext != NULL, "extension");
	must(X509_add_ext(cert, ext, -1), "add_ext");
	X509_EXTENSION_free(ext);
}

/* Valid until `to` seconds from now; without issuer, extensions and signature yet. */
static X509 *new_cert(EVP_PKEY *key, long number, const char *who, long to)
{
	X509 *cert = X509_new();

	must(X509_set_version(cert, 2), "version");
	ASN1_INTEGER_set(X509_get_serialNumber(cert), number);
	X509_gmtime_adj(X509_getm_notBefore(cert), -7200);
	X509_gmtime_adj(X509_getm_notAfter(cert), to);
	must(X509_set_pubkey(cert, key), "pubkey");
	must(X509_NAME_add_entry_by_txt(X509_get_subject_name(cert), "CN", MBSTRING_ASC,
					(const unsigned char *)who, -1, -1, 0),
	     "name");
	return cert;
}

static X509 *new_authority(EVP_PKEY *key)
{
	X509 *cert = new_cert(key, 1, "qualm test authority", 86400);

	must(X509_set_issuer_name(cert, X509_get_subject_name(cert)), "issuer");
	add_extension(cert, cert, NID_basic_constraints, "critical,CA:TRUE");
	add_extension(cert, cert, NID_key_usage, "critical,keyCertSign");
	must(X509_sign(cert, key, EVP_sha256()) > 0, "sign");
	return cert;
}

static X509 *new_leaf(EVP_PKEY *key, const char *name, bool expired, X509 *authority, EVP_PKEY *authority_key)
{
	X509 *cert = new_cert(key, 2, "qualm test", expired ? -3600 : 86400);

	must(X509_set_issuer_name(cert, X509_get_subject_name(authority)), "issuer");
	add_extension(cert, authority, NID_basic_constraints, "critical,CA:FALSE");
	add_extension(cert, authority, NID_subject_alt_name, name);
	must(X509_sign(cert, authority_key, EVP_sha256()) > 0, "sign");
	return cert;
}

struct tls_server {
	SSL_CTX *ctx;
};

struct tls_conn {
	SSL *ssl;
};

struct tls_server *tls_new(const char *name, bool expired, const char *file)
{
	struct tls_server *s = calloc(1, sizeof *s);
	EVP_PKEY *authority_key = new_key(), *key = new_key();
	X509 *authority = new_authority(authority_key);
	X509 *cert = new_leaf(key, name, expired, authority, authority_key);
	FILE *f = fopen(file, "we");

	must(s && f && PEM_write_X509(f, authority) && fclose(f) == 0, "writing the certificate");
	s->ctx = SSL_CTX_new(TLS_server_method());
	must(SSL_CTX_use_certificate(s->ctx, cert), "use_certificate");
	must(SSL_CTX_use_PrivateKey(s->ctx, key), "use_PrivateKey");
	X509_free(cert);
	X509_free(authority);
	EVP_PKEY_free(key);
	EVP_PKEY_free(authority_key);
	return s;
}

void tls_free(struct tls_server *s)
{
	SSL_CTX_free(s->ctx);
	free(s);
}

struct tls_conn *tls_accept(struct tls_server *s, int fd)
{
	struct tls_conn *c = calloc(1, sizeof *c);

	must(c != NULL, "calloc");
	c->ssl = SSL_new(s->ctx);
	must(SSL_set_fd(c->ssl, fd), "set_fd");
	if (SSL_accept(c->ssl) == 1)
		return c;
	SSL_free(c->ssl);
	free(c);
	return NULL;
}

ssize_t tls_read(struct tls_conn *c, char *p, size_t n)
{
	return SSL_read(c->ssl, p, (int)n);
}

ssize_t tls_write(struct tls_conn *c, const char *p, size_t n)
{
	return SSL_write(c->ssl, p, (int)n);
}

bool tls_pending(struct tls_conn *c)
{
	return SSL_pending(c->ssl) > 0;
}

void tls_close(struct tls_conn *c)
{
	SSL_shutdown(c->ssl);
	SSL_free(c->ssl);
	free(c);
}
#else
bool tls_there(void)
{
	return false;
}

static void *no_tls(void)
{
	fputs("lib_tls: built without OpenSSL\n", stderr);
	abort();
}

struct tls_server *tls_new(const char *name, bool expired, const char *file)
{
	(void)name;
	(void)expired;
	(void)file;
	return no_tls();
}

void tls_free(struct tls_server *s)
{
	(void)s;
}

struct tls_conn *tls_accept(struct tls_server *s, int fd)
{
	(void)s;
	(void)fd;
	return NULL;
}

ssize_t tls_read(struct tls_conn *c, char *p, size_t n)
{
	(void)c;
	(void)p;
	(void)n;
	return -1;
}

ssize_t tls_write(struct tls_conn *c, const char *p, size_t n)
{
	(void)c;
	(void)p;
	(void)n;
	return -1;
}

bool tls_pending(struct tls_conn *c)
{
	(void)c;
	return false;
}

void tls_close(struct tls_conn *c)
{
	(void)c;
}
#endif
