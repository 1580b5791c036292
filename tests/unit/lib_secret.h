/*
 * Is a secret where others can read it? Looked for after every test that uses a key, in all files
 * below the test's folder, whatever their names (the project and its journal, logs, the cache, the
 * state, exports, saved screens), and in the command lines of all programs that run.
 */
#ifndef QUALM_TESTS_LIB_SECRET_H
#define QUALM_TESTS_LIB_SECRET_H

/* The first file that has it, owned by the caller; NULL: none has. `but`: the name of a file that is
 * meant to hold it; may be NULL. Fails the test when the folder cannot be read, or has no file. */
char *secret_in_files(const char *folder, const char *secret, const char *but);
/* The process whose command line has it; 0: none. */
long secret_in_processes(const char *secret);
/* Fails the test where it is found, says where. */
void secret_is_nowhere(const char *folder, const char *secret);

#endif
