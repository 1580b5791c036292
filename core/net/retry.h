/* retry: when to try again. Pure. */
#ifndef QUALM_CORE_NET_RETRY_H
#define QUALM_CORE_NET_RETRY_H

#include "core/base/str.h"
#include "core/net/net.h"

/* A header's `Retry-After` (RFC 9110 §10.2.3): seconds, or a date in one of HTTP's three forms,
 * `now` being seconds since 1970. Decimals are taken too. A date that is over gives 0. false: neither. */
bool retry_after(struct str value, int64_t now, double *seconds);

/* May a request that failed so, before anything of its answer was handed on, be made again? */
bool retry_is_safe(enum net_fail fail);

/* Seconds before try number `tried` + 1 (tried >= 1): backoff × 2^(tried - 1), at most a minute,
 * shortened by up to half by chance (0 <= chance < 1). asked: what the server wants, -1 when it
 * said nothing; never less than that, and up to a quarter more. */
double retry_delay(double backoff, int tried, double asked, double chance);

#endif
