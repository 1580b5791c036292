/* thread: threads that leave signals to the program's loop. */
#ifndef QUALM_CORE_BASE_THREAD_H
#define QUALM_CORE_BASE_THREAD_H

#include <pthread.h>

/* 0, or as pthread_create: there is none to be had. */
int thread_start(pthread_t *thread, void *(*run)(void *), void *arg);

#endif
