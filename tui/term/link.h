/*
 * link: how fast is what lies between us and the glass? Pure: fed with what was sent and how long
 * its acknowledgement took, it keeps an estimate and says how many bytes a picture may have.
 *
 * An acknowledgement takes the latency (the least that was ever seen) plus the bytes' own time.
 * The rate follows bad news at once and good news by and by: a picture too large for the line
 * holds the keys up, one too small only looks plain.
 */
#ifndef QUALM_TUI_TERM_LINK_H
#define QUALM_TUI_TERM_LINK_H

#include "core/base/str.h"

#define LINK_PICTURE_MS  400               /* a picture is to be through in that time */
#define LINK_PICTURE_MAX ((size_t)1 << 20) /* and has at most so many bytes on any line */
#define LINK_UNKNOWN_MAX ((size_t)64 << 10)  /* while nothing is known of a line to afar */

struct link {
	double rate;        /* bytes a second; 0 = not known */
	double latency_us;  /* 0 = not known */
	bool afar;          /* not this machine: the rate is unknown rather than high */
};

/* An answer to a question of a few bytes took so long. */
void link_latency(struct link *l, int64_t us);
/* `bytes` took `us` to be acknowledged, from the first byte on; the latency is taken off. */
void link_sample(struct link *l, size_t bytes, int64_t us);
/* The same of bytes that were sent for this alone, on a line that was empty and right behind a
 * measured latency: believed at once, whatever was known. */
void link_probe(struct link *l, size_t bytes, int64_t us);
/* How many bytes a picture may have. */
size_t link_budget(const struct link *l);
/* How long so many bytes are on their way, milliseconds; 0 while the rate is not known. */
double link_ms(const struct link *l, size_t bytes);
/* "3.1 MB/s", "20 KB/s"; "" while it is not known. */
void link_text(double rate, char out[24]);

#endif
