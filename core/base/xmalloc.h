/*
 * Memory. Small allocations (x...) never return NULL: they end the program after the hook has
 * restored the terminal. A size that comes from input goes through mem_try/mem_retry, which
 * return NULL, so that the caller can say which ceiling or file was too much.
 */
#ifndef QUALM_CORE_BASE_XMALLOC_H
#define QUALM_CORE_BASE_XMALLOC_H

#include <stdbool.h>
#include <stddef.h>

void *xmalloc(size_t n);
void *xcalloc(size_t count, size_t size);
void *xrealloc(void *p, size_t n);
char *xstrdup(const char *s);
char *xstrndup(const char *s, size_t n);
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Fallible: NULL when there is no memory. */
void *mem_try(size_t n);
void *mem_retry(void *p, size_t n);
/* *out = a * b; false on overflow. */
bool mem_mul(size_t a, size_t b, size_t *out);

/* Called before the program ends for want of memory (the screen restores the terminal). */
void xmalloc_set_hook(void (*hook)(void));
/* Tests: the n-th allocation from now (1-based) fails, 0 = none. Counts all of the above. */
void xmalloc_fail_at(unsigned long n);
unsigned long xmalloc_count(void);

#define XMALLOC_EXIT_STATUS 70

/* From now on large blocks go back to the system when they are freed, whatever sizes were freed
 * before: for a program that runs for hours and replaces what is large. */
void mem_give_back(void);

#endif
