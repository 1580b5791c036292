/*
 * picture_tokens: about how many tokens a picture is to a model, by the rules that its makers have
 * published. Pure. A model that is not known goes by the tiles of OpenAI, as most that speak its
 * protocol do; what a server bills is its own business.
 */
#ifndef QUALM_CORE_NET_PICTURE_TOKENS_H
#define QUALM_CORE_NET_PICTURE_TOKENS_H

#include <stdint.h>

/* model: as the endpoint names it, caseless, anything before or behind ("qwen/qwen2.5-vl-7b"). w, h:
 * pixels as sent; 0 when they are not known: 0. */
uint64_t picture_tokens(const char *model, uint32_t w, uint32_t h);

#endif
