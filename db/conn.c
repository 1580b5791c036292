#include "db/conn_impl.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/vfs.h>
#endif

#include "core/base/log.h"
#include "core/base/path.h"
#include "core/base/xmalloc.h"
#include "db/bulk.h"
#include "db/cache.h"

#define BUSY_TIMEOUT_MS 5000
#define BUSY_SLEEP_MS   50
#define PROGRESS_STEPS  2000 /* between two looks at the cancel */
#define STATEMENT_BYTES (1 << 20)

/* On a network a commit must have left this machine before it counts. */
static bool is_network(const char *dir)
{
#ifdef __linux__
	static const unsigned long magic[] = {
	    0x6969,     /* NFS */
	    0x517b,     /* SMB */
	    0xff534d42, /* CIFS */
	    0xfe534d42, /* SMB2 */
	    0x0bd00bd0, /* Lustre */
	    0x47504653, /* GPFS */
	    0x65735546, /* FUSE: sshfs and the like */
	    0x5346414f, /* AFS */
	    0x00c36400, /* Ceph */
	    0x19830326, /* BeeGFS */
	    0x01021997, /* 9P */
	};
	struct statfs fs;

	if (statfs(dir, &fs) != 0)
		return false;
	for (size_t i = 0; i < sizeof magic / sizeof *magic; i++)
		if (((unsigned long)fs.f_type & 0xffffffff) == magic[i])
			return true;
	return false;
#else
	(void)dir;
	return true;
#endif
}

static char *folder_of(const char *path)
{
	struct str dir = path_dir(str_z(path));

	return xstrndup(dir.p, dir.n);
}

/* SQLite also makes a journal beside the file, so that the folder counts as well. */
static bool can_write(const char *path)
{
	char *real = realpath(path, NULL), *dir;
	bool yes;

	if (!real)
		return false;
	dir = folder_of(real);
	yes = faccessat(AT_FDCWD, real, W_OK, AT_EACCESS) == 0 &&
	      faccessat(AT_FDCWD, dir, W_OK | X_OK, AT_EACCESS) == 0;
	free(dir);
	free(real);
	return yes;
}

/* SQLite itself would only say that it cannot open the file. */
static bool can_create(const char *path)
{
	char *dir = folder_of(path);
	bool yes = faccessat(AT_FDCWD, dir, W_OK | X_OK, AT_EACCESS) == 0;
	int why = errno;

	free(dir);
	errno = why;
	return yes;
}

/* Does the file system lock at all? Asked in a child, for closing a descriptor of a file drops
 * every lock that the process holds on it. */
static bool has_locks(const char *path)
{
	int status;
	pid_t pid = fork();

	if (pid < 0)
		return true;
	if (pid == 0) {
		struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_len = 1};
		int fd = open(path, O_RDONLY | O_CLOEXEC);

		_exit(fd >= 0 && fcntl(fd, F_SETLK, &lock) != 0 && errno != EAGAIN &&
		      errno != EACCES && errno != EINTR);
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return true;
	return !(WIFEXITED(status) && WEXITSTATUS(status) == 1);
}

static bool is_lock_trouble(struct conn *c)
{
	switch (sqlite3_extended_errcode(c->db)) {
	case SQLITE_IOERR_RDLOCK:
	case SQLITE_IOERR_LOCK:
	case SQLITE_IOERR_UNLOCK:
	case SQLITE_IOERR_CHECKRESERVEDLOCK:
		return true;
	case SQLITE_BUSY: /* how SQLite takes "no locks available" */
		return !has_locks(c->path);
	default:
		return false;
	}
}

static int poll_cancel(void *ctx)
{
	return cancel_is(((struct conn *)ctx)->cancel);
}

/* Sleeps are short at first: most locks last a few milliseconds. A big transaction asks each time
 * its cache is full, and goes on in memory when it may not write yet; it waits for that once, and
 * once more at its end (conn_commit). */
static int on_busy(void *ctx, int count)
{
	struct conn *c = ctx;
	int ramp = BUSY_SLEEP_MS / 5, sleep_ms = count < ramp ? count + 1 : BUSY_SLEEP_MS;
	int64_t waited = count < ramp ? (int64_t)count * (count + 1) / 2
				      : (int64_t)ramp * (ramp + 1) / 2 +
					    (int64_t)(count - ramp) * BUSY_SLEEP_MS;
	struct timespec t = {.tv_nsec = sleep_ms * 1000000L};

	if (sqlite3_get_autocommit(c->db))
		c->gave_up = false;
	c->was_busy = true;
	if (c->hurry || c->gave_up || cancel_is(c->cancel))
		return 0;
	c->gave_up = waited >= (c->patience ? c->patience : BUSY_TIMEOUT_MS) ||
		     (c->wait && !c->wait(c->wait_ctx, waited));
	if (c->gave_up)
		return 0;
	c->was_busy = false;
	nanosleep(&t, NULL);
	return 1;
}

/* A project may come from anywhere: nothing in it is run, and nothing is believed. */
static void distrust(sqlite3 *db)
{
	static const struct {
		int option, on;
	} config[] = {
	    {SQLITE_DBCONFIG_DEFENSIVE, 1},      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
	    {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0}, {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
	    {SQLITE_DBCONFIG_DQS_DML, 0},        {SQLITE_DBCONFIG_DQS_DDL, 0},
	    {SQLITE_DBCONFIG_ENABLE_FKEY, 1},
	};

	for (size_t i = 0; i < sizeof config / sizeof *config; i++)
		sqlite3_db_config(db, config[i].option, config[i].on, NULL);
	sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, 1000000);
	sqlite3_limit(db, SQLITE_LIMIT_COLUMN, 200);
	sqlite3_limit(db, SQLITE_LIMIT_EXPR_DEPTH, 100);
	sqlite3_limit(db, SQLITE_LIMIT_TRIGGER_DEPTH, 1);
	sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 2);
	sqlite3_limit(db, SQLITE_LIMIT_WORKER_THREADS, 0);
}

/* Characters that mean something in a file: URI. */
static char *uri_of(const char *path)
{
	struct buf b = BUF_INIT;

	buf_z(&b, "file:");
	for (const char *p = path; *p; p++) {
		if (*p == '%' || *p == '?' || *p == '#')
			buf_printf(&b, "%%%02x", (unsigned char)*p);
		else
			buf_ch(&b, *p);
	}
	buf_z(&b, "?nolock=1");
	return buf_take(&b);
}

/* Nobody asks how much memory SQLite holds, and to count it takes a lock for every piece. What one
 * statement may have to undo needs no file. */
static void configure(void)
{
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
	sqlite3_config(SQLITE_CONFIG_STMTJRNL_SPILL, STATEMENT_BYTES);
}

/* A new file may be filled by an import. On a network it is written as ever. */
static const char *way_to_write(const struct conn *c, enum conn_mode mode)
{
	bool wide = false;
	struct stat sb;
	char *dir;

	if (mode == CONN_CREATE && !c->read_only && lstat(c->path, &sb) != 0) {
		dir = folder_of(c->path);
		wide = !is_network(dir);
		free(dir);
	}
	return wide ? bulk_vfs() : NULL;
}

static enum status open_handle(struct conn *c, enum conn_mode mode, struct err *err)
{
	int flags = SQLITE_OPEN_NOMUTEX | (c->read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE);
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	char *uri = c->no_locks ? uri_of(c->path) : NULL;
	int rc;

	pthread_once(&once, configure);
	if (mode == CONN_CREATE && !c->read_only)
		flags |= SQLITE_OPEN_CREATE;
	if (uri)
		flags |= SQLITE_OPEN_URI;
	rc = sqlite3_open_v2(uri ? uri : c->path, &c->db, flags, way_to_write(c, mode));
	free(uri);
	if (!c->db)
		return err_set(err, E_MEMORY, "%s: there is not enough memory", c->path);
	if (rc != SQLITE_OK)
		return stmt_error(c, err, c->path);
	sqlite3_extended_result_codes(c->db, 1);
	sqlite3_busy_handler(c->db, on_busy, c);
	distrust(c->db);
	return stmt_exec(c, "PRAGMA page_size = 65536; PRAGMA cell_size_check = ON; "
			    "PRAGMA mmap_size = 0", err);
}

static void close_handle(struct conn *c)
{
	for (int i = 0; i < N_STMTS; i++) {
		sqlite3_finalize(c->stmts[i]);
		c->stmts[i] = NULL;
	}
	sqlite3_close_v2(c->db);
	c->db = NULL;
}

/* Temporary files stay in the project's folder: /tmp of a cluster's node may be small. */
static enum status prepare_writing(struct conn *c, struct err *err)
{
	char *real = realpath(c->path, NULL), *dir = real ? folder_of(real) : NULL, *sql;
	enum status st;

	sql = sqlite3_mprintf("PRAGMA journal_mode = DELETE; PRAGMA synchronous = %s; "
			      "PRAGMA temp_store_directory = %Q",
			      dir && is_network(dir) ? "FULL" : "NORMAL", dir ? dir : "");
	st = sql ? stmt_exec(c, sql, err) : err_set(err, E_MEMORY, "there is not enough memory");
	sqlite3_free(sql);
	free(dir);
	free(real);
	return st;
}

/* The uuid names the overlay's file: it must be one. */
static bool uuid_valid(struct str s)
{
	if (s.n != UUID_LENGTH)
		return false;
	for (size_t i = 0; i < s.n; i++) {
		bool dash = i == 8 || i == 13 || i == 18 || i == 23;

		if (dash ? s.p[i] != '-' : !memchr("0123456789abcdef", s.p[i], 16))
			return false;
	}
	return true;
}

static enum status read_uuid(struct conn *c, struct err *err)
{
	sqlite3_stmt *s = stmt_get(c, STMT_META_GET, err);
	struct str uuid;
	enum status st;
	bool row;

	if (!s)
		return err->code;
	stmt_bind_str(s, 1, STR("uuid"));
	st = stmt_step(c, s, &row, err);
	if (st != OK)
		return st;
	uuid = row ? stmt_str(s, 0) : STR_NONE;
	if (uuid_valid(uuid))
		memcpy(c->uuid, uuid.p, UUID_LENGTH);
	else
		st = err_set(err, E_FORMAT, "%s is damaged: it has no valid uuid", c->path);
	sqlite3_reset(s);
	return st;
}

static enum status settle(struct conn *c, enum conn_mode mode, const struct ladder *ladder,
			  struct err *err)
{
	enum file_state state;
	enum status st = migrate_look(c, ladder, &state, err);

	if (st != OK)
		return st;
	if (state == FILE_BLANK && (mode != CONN_CREATE || c->read_only))
		return err_set(err, E_FORMAT, "%s is empty, not a qualm project", c->path);
	if (state == FILE_OLD && c->read_only)
		return err_set(err, E_UNSUPPORTED,
			       "%s was written by an older qualm; open it once where it can be "
			       "written, so that it can be brought up to date",
			       c->path);
	if (!c->read_only)
		st = prepare_writing(c, err);
	if (st == OK && !c->read_only && state != FILE_CURRENT)
		st = migrate_up(c, ladder, &c->is_new, err);
	return st == OK ? read_uuid(c, err) : st;
}

static enum status look_at_file(const char *path, enum conn_mode mode, bool *exists, struct err *err)
{
	struct stat sb;

	*exists = stat(path, &sb) == 0;
	if (!*exists && errno != ENOENT)
		return err_errno(err, errno, "%s", path);
	if (!*exists && mode != CONN_CREATE)
		return err_set(err, E_NOT_FOUND, "there is no project %s", path);
	if (!*exists && !can_create(path))
		return err_errno(err, errno, "%s cannot be made", path);
	if (*exists && !S_ISREG(sb.st_mode))
		return err_set(err, E_FORMAT, "%s is not a file", path);
	if (*exists && sb.st_size == 1) /* SQLite would take it for empty, and overwrite it */
		return err_set(err, E_FORMAT, "%s is not a qualm project", path);
	return OK;
}

static enum status open_settled(struct conn *c, enum conn_mode mode, const struct ladder *ladder,
				struct err *err)
{
	enum status st = open_handle(c, mode, err);

	return st == OK ? settle(c, mode, ladder, err) : st;
}

/* Did a program die while it wrote, and we may only read? */
static bool is_interrupted(struct conn *c)
{
	return c->db && sqlite3_extended_errcode(c->db) == SQLITE_READONLY_ROLLBACK;
}

/* A reader cannot undo what was half written, so the file is opened for writing for as long as
 * SQLite needs to roll it back from its journal. */
static bool roll_back(struct conn *c)
{
	struct err why = ERR_INIT;
	bool done;

	close_handle(c);
	c->read_only = false;
	done = open_handle(c, CONN_WRITE, &why) == OK &&
	       stmt_exec(c, "SELECT count(*) FROM sqlite_schema", &why) == OK;
	close_handle(c);
	c->read_only = true;
	log_line("db", "rolling back what was interrupted: %s", done ? "done" : why.msg);
	return done;
}

enum status conn_open_ladder(struct conn **out, const char *path, enum conn_mode mode,
			     const struct ladder *ladder, struct err *err)
{
	struct conn *c;
	bool exists;
	enum status st = look_at_file(path, mode, &exists, err);

	if (st != OK)
		return st;
	c = xcalloc(1, sizeof *c);
	c->path = *path == ':' ? xasprintf("./%s", path) : xstrdup(path); /* not ":memory:" */
	c->read_only = mode == CONN_READ || (exists && !can_write(path));
	st = open_settled(c, mode, ladder, err);
	if (st != OK && is_interrupted(c) && can_write(path) && roll_back(c))
		st = open_settled(c, mode, ladder, err);
	if (st != OK && c->db && exists && is_lock_trouble(c)) {
		log_line("db", "no locks here: opening read-only without them");
		close_handle(c);
		c->read_only = c->no_locks = true;
		st = open_settled(c, mode, ladder, err);
	}
	if (st != OK) {
		struct stat sb;

		conn_close(c);
		if (!exists && stat(path, &sb) == 0 && sb.st_size == 0)
			unlink(path);
		return st;
	}
	*out = c;
	return OK;
}

enum status conn_open(struct conn **out, const char *path, enum conn_mode mode, struct err *err)
{
	return conn_open_ladder(out, path, mode, &project_ladder, err);
}

void conn_close(struct conn *c)
{
	if (!c)
		return;
	conn_close(c->overlay);
	cache_drop(c->cache);
	close_handle(c);
	free(c->path);
	free(c);
}

bool conn_read_only(const struct conn *c)
{
	return c->read_only;
}

bool conn_no_locks(const struct conn *c)
{
	return c->no_locks;
}

bool conn_is_new(const struct conn *c)
{
	return c->is_new;
}

const char *conn_path(const struct conn *c)
{
	return c->path;
}

const char *conn_library(void)
{
	return sqlite3_libversion();
}

const char *conn_uuid(const struct conn *c)
{
	return c->uuid;
}

enum status conn_begin(struct conn *c, struct err *err)
{
	if (c->read_only)
		return err_set(err, E_IO, "%s: the project is read-only", c->path);
	c->gave_up = false;
	return stmt_exec(c, "BEGIN IMMEDIATE", err);
}

enum status conn_commit(struct conn *c, struct err *err)
{
	c->gave_up = false;
	return stmt_exec(c, "COMMIT", err);
}

void conn_rollback(struct conn *c)
{
	if (!sqlite3_get_autocommit(c->db))
		sqlite3_exec(c->db, "ROLLBACK", NULL, NULL, NULL);
}

void conn_set_cancel(struct conn *c, const struct cancel *cancel)
{
	c->cancel = cancel;
	sqlite3_progress_handler(c->db, cancel ? PROGRESS_STEPS : 0, cancel ? poll_cancel : NULL, c);
}

void conn_set_patience(struct conn *c, int64_t ms)
{
	c->patience = ms;
}

void conn_set_wait(struct conn *c, conn_wait_fn *wait, void *ctx)
{
	c->wait = wait;
	c->wait_ctx = ctx;
	if (c->overlay)
		conn_set_wait(c->overlay, wait, ctx);
}

void conn_hurry(struct conn *c, bool yes)
{
	c->hurry = yes;
	if (c->overlay)
		conn_hurry(c->overlay, yes);
}

bool conn_was_busy(struct conn *c)
{
	bool was = c->was_busy || (c->overlay && c->overlay->was_busy);

	c->was_busy = false;
	if (c->overlay)
		c->overlay->was_busy = false;
	return was;
}

enum status conn_generation(struct conn *c, int64_t *out, struct err *err)
{
	sqlite3_stmt *s = stmt_get(c, STMT_META_GET, err);
	enum status st;
	bool row;

	if (!s)
		return err->code;
	stmt_bind_str(s, 1, STR("generation"));
	st = stmt_step(c, s, &row, err);
	if (st != OK)
		return st;
	*out = row ? sqlite3_column_int64(s, 0) : 0;
	sqlite3_reset(s);
	return OK;
}

enum status read_begin(struct conn *c, bool *began, struct err *err)
{
	*began = sqlite3_get_autocommit(c->db) != 0;
	return *began ? stmt_exec(c, "BEGIN", err) : OK;
}

void read_end(struct conn *c, bool began)
{
	if (began)
		conn_rollback(c);
}
