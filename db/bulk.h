/*
 * bulk: how a new project's file is written. SQLite's own way of doing it (its VFS), but what comes
 * after the first 32 MB of a transaction goes to the disk past the system's cache, in large pieces,
 * on a thread of its own, while more is made: to fill the cache with hundreds of megabytes that
 * nobody reads soon costs more than to write them. Where the file system cannot do that, the same
 * thread writes as usual, and sends it to the disk now and then.
 *
 * SQLite sees no difference: reads, sizes, syncs and unlocking wait for what is on its way, and an
 * error comes at the next write or, at the latest, at the sync before the commit.
 */
#ifndef QUALM_DB_BULK_H
#define QUALM_DB_BULK_H

/* The name to open a new file by, NULL when there is no such way. No other connection of this
 * process may have the file open when it is closed, for that drops the process's locks on it. */
const char *bulk_vfs(void);

#endif
