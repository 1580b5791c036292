#include "tests/unit/lib_faults.h"

#include <sqlite3.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

struct shim_file {
	sqlite3_file base;
	sqlite3_file *real; /* behind this struct */
};

static struct {
	sqlite3_vfs vfs, *real;
	sqlite3_io_methods methods;
	atomic_ulong writes, reads, write_at, writes_from, read_at, exit_at;
	atomic_bool no_locks, hit, installed;
} shim;

static bool write_fails(void)
{
	unsigned long n = atomic_fetch_add(&shim.writes, 1) + 1;
	unsigned long from = atomic_load(&shim.writes_from);
	bool fails = n == atomic_load(&shim.write_at) || (from && n >= from);

	if (n == atomic_load(&shim.exit_at))
		_exit(FAULTS_EXIT);
	if (fails)
		atomic_store(&shim.hit, true);
	return fails;
}

static bool read_fails(void)
{
	bool fails = atomic_fetch_add(&shim.reads, 1) + 1 == atomic_load(&shim.read_at);

	if (fails)
		atomic_store(&shim.hit, true);
	return fails;
}

static sqlite3_file *real_of(sqlite3_file *f)
{
	return ((struct shim_file *)f)->real;
}

static int shim_close(sqlite3_file *f)
{
	return real_of(f)->pMethods->xClose(real_of(f));
}

static int shim_read(sqlite3_file *f, void *p, int n, sqlite3_int64 at)
{
	if (read_fails())
		return SQLITE_IOERR_READ;
	return real_of(f)->pMethods->xRead(real_of(f), p, n, at);
}

static int shim_write(sqlite3_file *f, const void *p, int n, sqlite3_int64 at)
{
	if (write_fails())
		return SQLITE_FULL;
	return real_of(f)->pMethods->xWrite(real_of(f), p, n, at);
}

static int shim_truncate(sqlite3_file *f, sqlite3_int64 n)
{
	if (write_fails())
		return SQLITE_IOERR_TRUNCATE;
	return real_of(f)->pMethods->xTruncate(real_of(f), n);
}

static int shim_sync(sqlite3_file *f, int flags)
{
	if (write_fails())
		return SQLITE_IOERR_FSYNC;
	return real_of(f)->pMethods->xSync(real_of(f), flags);
}

static int shim_size(sqlite3_file *f, sqlite3_int64 *n)
{
	return real_of(f)->pMethods->xFileSize(real_of(f), n);
}

static int shim_lock(sqlite3_file *f, int level)
{
	if (atomic_load(&shim.no_locks)) {
		atomic_store(&shim.hit, true);
		return SQLITE_IOERR_LOCK;
	}
	return real_of(f)->pMethods->xLock(real_of(f), level);
}

static int shim_unlock(sqlite3_file *f, int level)
{
	return real_of(f)->pMethods->xUnlock(real_of(f), level);
}

static int shim_reserved(sqlite3_file *f, int *out)
{
	return real_of(f)->pMethods->xCheckReservedLock(real_of(f), out);
}

static int shim_control(sqlite3_file *f, int op, void *arg)
{
	return real_of(f)->pMethods->xFileControl(real_of(f), op, arg);
}

static int shim_sector(sqlite3_file *f)
{
	return real_of(f)->pMethods->xSectorSize(real_of(f));
}

static int shim_traits(sqlite3_file *f)
{
	return real_of(f)->pMethods->xDeviceCharacteristics(real_of(f));
}

static int shim_open(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *f, int flags, int *out)
{
	struct shim_file *sf = (struct shim_file *)f;
	int rc;

	(void)vfs;
	sf->real = (sqlite3_file *)(void *)(sf + 1);
	rc = shim.real->xOpen(shim.real, name, sf->real, flags, out);
	sf->base.pMethods = rc == SQLITE_OK ? &shim.methods : NULL;
	return rc;
}

static int shim_delete(sqlite3_vfs *vfs, const char *name, int sync)
{
	(void)vfs;
	if (write_fails())
		return SQLITE_IOERR_DELETE;
	return shim.real->xDelete(shim.real, name, sync);
}

static void reset(void)
{
	atomic_store(&shim.writes, 0);
	atomic_store(&shim.reads, 0);
	atomic_store(&shim.write_at, 0);
	atomic_store(&shim.writes_from, 0);
	atomic_store(&shim.read_at, 0);
	atomic_store(&shim.exit_at, 0);
	atomic_store(&shim.no_locks, false);
	atomic_store(&shim.hit, false);
}

void faults_install(void)
{
	if (atomic_exchange(&shim.installed, true))
		return;
	reset();
	shim.methods = (sqlite3_io_methods){1,           shim_close,   shim_read,    shim_write,
					    shim_truncate, shim_sync,    shim_size,    shim_lock,
					    shim_unlock, shim_reserved, shim_control, shim_sector,
					    shim_traits, 0, 0, 0, 0, 0, 0};
	shim.real = sqlite3_vfs_find(NULL);
	shim.vfs = *shim.real;
	shim.vfs.zName = "faults";
	shim.vfs.szOsFile = (int)sizeof(struct shim_file) + shim.real->szOsFile;
	shim.vfs.xOpen = shim_open;
	shim.vfs.xDelete = shim_delete;
	sqlite3_vfs_register(&shim.vfs, 1);
}

void faults_remove(void)
{
	if (!atomic_exchange(&shim.installed, false))
		return;
	reset();
	sqlite3_vfs_unregister(&shim.vfs);
	sqlite3_vfs_register(shim.real, 1);
}

void faults_fail_write_at(unsigned long n)
{
	reset();
	atomic_store(&shim.write_at, n);
}

void faults_fail_writes_from(unsigned long n)
{
	reset();
	atomic_store(&shim.writes_from, n);
}

void faults_exit_at_write(unsigned long n)
{
	reset();
	atomic_store(&shim.exit_at, n);
}

void faults_fail_read_at(unsigned long n)
{
	reset();
	atomic_store(&shim.read_at, n);
}

void faults_fail_locks(bool yes)
{
	reset();
	atomic_store(&shim.no_locks, yes);
}

unsigned long faults_writes(void)
{
	return atomic_load(&shim.writes);
}

unsigned long faults_reads(void)
{
	return atomic_load(&shim.reads);
}

bool faults_hit(void)
{
	return atomic_load(&shim.hit);
}
