/*
 * asked: a model of the tests' own behind lib_server.h, an endpoint that leads to it, and a project
 * to ask it about.
 *
 * The project, dataset "d": classes cock (7, n07), hen (8, n08), owl (9, n09), cat (10, n10); six
 * samples s0 … s5 with the question "what?", label hen at even and cock at odd numbers; all have the
 * picture a.jpg of 32 × 16 but s5, whose gone.jpg is not there. Run m0/cw answered "owl" about s0.
 */
#ifndef QUALM_TESTS_UNIT_LIB_ASKED_H
#define QUALM_TESTS_UNIT_LIB_ASKED_H

#include <stdatomic.h>

#include "core/net/endpoint.h"
#include "tests/unit/lib_server.h"
#include "tests/unit/lib_store.h"

#define ASKED_KEY "sk-a-secret-of-the-test" /* in $QUERY_TEST_KEY */

#define ASKED_TICK_MS 10

enum asked_how {
	ASKED_WHOLE,  /* the answer in one piece of JSON */
	ASKED_STREAM, /* streamed by characters, with usage and [DONE] */
	ASKED_HOLD,   /* the first half is streamed, the rest when `go` is set, or never */
	ASKED_CUT,    /* half is streamed, then it hangs up */
	ASKED_TRICKLE, /* a word every ASKED_TICK_MS, for ever; ticks counts them */
};

struct asked_world {
	struct place p;
	struct endpoint_list endpoints; /* "e": model "m 1"; "other": model "m-2" at the same server */
	struct server *server;
	const char *answer; /* content */
	_Atomic(enum asked_how) how;
	atomic_int broken; /* requests that are still to be refused with `status` */
	atomic_int status;
	atomic_bool go;
	atomic_int ticks; /* of the trickle */
	atomic_bool gone; /* the client of it has hung up */
};

void asked_begin(struct asked_world *w);
/* Looks for the key in everything that was written (lib_secret.h) before it goes. */
void asked_end(struct asked_world *w);

/* Vectors of its class names: cock and owl are near the hen, the cat is not. */
#define ASKED_NAMES                                                                                \
	"{\"text\":\"cock\",\"vector\":[1,0.1]}\n{\"text\":\"hen\",\"vector\":[1,0]}\n"            \
	"{\"text\":\"owl\",\"vector\":[3,1]}\n{\"text\":\"cat\",\"vector\":[-1,0.2]}\n"
/* Kept in the project as those of the file names.jsonl; by which name: owned by the caller. */
char *asked_vectors(struct asked_world *w, const char *lines);

#endif
