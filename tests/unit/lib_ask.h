/*
 * One endpoint at a server of the tests, whose scripts are named by the first part of the path:
 * http://127.0.0.1:PORT/SCRIPT/v1. A second server, `other`, is where hostile redirects lead.
 */
#ifndef QUALM_TESTS_LIB_ASK_H
#define QUALM_TESTS_LIB_ASK_H

#include "core/net/chat.h"
#include "tests/unit/lib_server.h"

#define TEST_KEY "sk-test-0123456789"

struct asking {
	struct server *server, *other;
	struct net *net;
	struct endpoint endpoint;
	struct chat_part part;
	struct chat_message message;
	struct chat_request request;
	/* of the last ask() */
	struct chat_reply reply;
	struct err err;
	struct buf told; /* to watch.text */
	int n_waits;
	double waited;
	bool silent; /* without watch.text */
	char *ca_file, *url;
	char *folder; /* of the log, and of all that ask() has brought; searched for the key at the end */
	char text[4][32]; /* a header's name and variable, a file that is not there, key_env */
};

/* For cmocka; *state is a struct asking. */
int asking_setup(void **state);
int asking_teardown(void **state);

/* The handler of the scripts; ctx is a struct asking. */
server_handler answer;

void set_url(struct asking *a, const char *script);
/* Asks the endpoint with this script, or at this address. */
enum status ask(struct asking *a, const char *script, struct cancel *cancel);
enum status ask_url(struct asking *a, const char *url, struct cancel *cancel);

#endif
