/*
 * CLONES: before a loop that wide vectors or popcount make faster: one copy for each kind of
 * processor, chosen when the program starts. Nothing where that cannot be: it needs x86-64 and
 * glibc, and programs under ThreadSanitizer crash before main() with it. For static functions
 * alone: Clang 14 gives the chosen copy another name, which other files do not find.
 */
#ifndef QUALM_CORE_BASE_CLONES_H
#define QUALM_CORE_BASE_CLONES_H

#include <stddef.h> /* defines __GLIBC__ by way of features.h, where there is one */
#include <stdint.h>

#if defined __has_feature
#if __has_feature(thread_sanitizer)
#define QUALM_NO_CLONES
#endif
#endif
#if defined __SANITIZE_THREAD__ || !defined __x86_64__ || !defined __GLIBC__
#define QUALM_NO_CLONES
#endif

#ifdef QUALM_NO_CLONES
#define CLONES
#else
#define CLONES __attribute__((target_clones("avx512f", "avx2", "popcnt", "default")))
#endif

#endif
