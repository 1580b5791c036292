/*
 * asking_memory: how was asked last, of each dataset, in a state file of the project
 * (state_file.h), so that the next start asks the same way. Names alone: an endpoint's key, address
 * and headers are in the configuration and stay there.
 */
#ifndef QUALM_TUI_ASKING_MEMORY_H
#define QUALM_TUI_ASKING_MEMORY_H

#include "tui/asking.h"

/* Into a, which has what is usual: what is remembered and still known; the rest stays. */
void asking_remember(struct asking *a, const char *uuid, const char *dataset, const struct endpoint_list *endpoints);
void asking_memorize(const struct asking *a, const char *uuid, const char *dataset);

#endif
