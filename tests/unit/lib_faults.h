/*
 * faults: makes SQLite's reads, writes and locks fail on purpose. A layer over the default file
 * system of SQLite; install it before a project is opened, remove it after all are closed.
 * A "write" is a write, a truncation, a sync or a deletion of a journal: whatever could be the
 * last thing that happens before the lights go out.
 */
#ifndef QUALM_TESTS_UNIT_LIB_FAULTS_H
#define QUALM_TESTS_UNIT_LIB_FAULTS_H

#include <stdbool.h>

#define FAULTS_EXIT 9 /* exit status of faults_exit_at_write() */

void faults_install(void);
void faults_remove(void);              /* nothing fails any more; the counts are zero */
void faults_fail_write_at(unsigned long n);   /* the n-th write from now fails once; 0 = none */
void faults_fail_writes_from(unsigned long n); /* the n-th and all later ones; 0 = none */
void faults_exit_at_write(unsigned long n); /* the process ends before the n-th, as if killed */
void faults_fail_read_at(unsigned long n);
void faults_fail_locks(bool yes);      /* as on a file system without locks */
unsigned long faults_writes(void);     /* since the last call of one of the above */
unsigned long faults_reads(void);
bool faults_hit(void);                 /* has anything failed since? */

#endif
