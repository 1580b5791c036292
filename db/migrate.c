#include "db/migrate.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "core/base/log.h"
#include "db/conn_impl.h"

extern const char schema_sql[];
extern const struct embedded migrations[];

const struct ladder project_ladder = {PROJECT_VERSION, schema_sql, migrations, 1};

static enum status query_int(struct conn *c, const char *sql, int64_t *out, struct err *err)
{
	sqlite3_stmt *s = NULL;
	enum status st = OK;

	if (sqlite3_prepare_v2(c->db, sql, -1, &s, NULL) != SQLITE_OK)
		return stmt_error(c, err, c->path);
	if (sqlite3_step(s) == SQLITE_ROW)
		*out = sqlite3_column_int64(s, 0);
	else
		st = stmt_error(c, err, c->path);
	sqlite3_finalize(s);
	return st;
}

static enum status read_ids(struct conn *c, int64_t *app, int64_t *version, int64_t *objects,
			    struct err *err)
{
	enum status st = query_int(c, "PRAGMA application_id", app, err);

	if (st == OK)
		st = query_int(c, "PRAGMA user_version", version, err);
	if (st == OK)
		st = query_int(c, "SELECT count(*) FROM sqlite_schema", objects, err);
	return st;
}

enum status migrate_look(struct conn *c, const struct ladder *ladder, enum file_state *state,
			 struct err *err)
{
	int64_t app, version, objects;
	enum status st = read_ids(c, &app, &version, &objects, err);

	if (st != OK)
		return st;
	if (objects == 0 && version == 0 && (app == 0 || app == PROJECT_APPLICATION_ID)) {
		*state = FILE_BLANK;
		return OK;
	}
	if (app != PROJECT_APPLICATION_ID)
		return err_set(err, E_FORMAT, "%s is an SQLite database, but not a qualm project",
			       c->path);
	if (version > ladder->version)
		return err_set(err, E_NEWER,
			       "%s was written by a newer qualm (project version %lld; this qualm "
			       "knows versions up to %d)",
			       c->path, (long long)version, ladder->version);
	if (version < 1)
		return err_set(err, E_FORMAT, "%s has no project version", c->path);
	*state = FILE_CURRENT;
	if (version < ladder->version)
		*state = ladder->readable && version >= ladder->readable ? FILE_READABLE : FILE_OLD;
	return OK;
}

static enum status new_uuid(char out[UUID_LENGTH + 1], struct err *err)
{
	unsigned char b[16];

	if (getrandom(b, sizeof b, 0) != (ssize_t)sizeof b)
		return err_set(err, E_IO, "the system gives no random numbers");
	b[6] = (unsigned char)((b[6] & 0x0f) | 0x40); /* version 4 */
	b[8] = (unsigned char)((b[8] & 0x3f) | 0x80); /* variant 1 */
	snprintf(out, UUID_LENGTH + 1,
		 "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", b[0], b[1],
		 b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14],
		 b[15]);
	return OK;
}

static enum status make_schema(struct conn *c, const struct ladder *ladder, struct err *err)
{
	char uuid[UUID_LENGTH + 1], sql[256];
	enum status st = new_uuid(uuid, err);

	if (st == OK)
		st = stmt_exec(c, ladder->schema, err);
	if (st != OK)
		return st;
	snprintf(sql, sizeof sql,
		 "INSERT INTO meta (key, value) VALUES ('uuid', '%s'), ('generation', 0), "
		 "('created', strftime('%%Y-%%m-%%dT%%H:%%M:%%SZ', 'now'))",
		 uuid);
	return stmt_exec(c, sql, err);
}

static enum status climb(struct conn *c, const struct ladder *ladder, int64_t from, struct err *err)
{
	for (int64_t v = from + 1; v <= ladder->version; v++) {
		const struct embedded *step = ladder->steps;
		char name[32];
		enum status st;

		snprintf(name, sizeof name, "migrate-%d", (int)v);
		while (step->name && strcmp(step->name, name) != 0)
			step++;
		if (!step->name)
			return err_set(err, E_UNSUPPORTED,
				       "%s has project version %lld, which this qualm cannot read",
				       c->path, (long long)from);
		st = stmt_exec(c, step->text, err);
		if (st != OK) {
			err_prefix(err, "%s cannot be brought to project version %d", c->path, (int)v);
			return st;
		}
		log_line("db", "migrated to version %d", (int)v);
	}
	return OK;
}

/* Looks again: another process may have been here since the first look. */
static enum status raise_inside(struct conn *c, const struct ladder *ladder, bool *made,
				struct err *err)
{
	enum file_state state;
	int64_t version;
	char sql[128];
	enum status st = migrate_look(c, ladder, &state, err);

	if (st != OK)
		return st;
	*made = state == FILE_BLANK;
	if (state == FILE_CURRENT)
		return OK;
	if (*made) {
		st = make_schema(c, ladder, err);
	} else {
		st = query_int(c, "PRAGMA user_version", &version, err);
		if (st == OK)
			st = climb(c, ladder, version, err);
	}
	if (st != OK)
		return st;
	snprintf(sql, sizeof sql, "PRAGMA application_id = %d; PRAGMA user_version = %d",
		 PROJECT_APPLICATION_ID, ladder->version);
	return stmt_exec(c, sql, err);
}

enum status migrate_up(struct conn *c, const struct ladder *ladder, bool *made, struct err *err)
{
	enum status st = conn_begin(c, err);

	if (st != OK)
		return st;
	st = raise_inside(c, ladder, made, err);
	if (st == OK)
		st = conn_commit(c, err);
	if (st != OK)
		conn_rollback(c);
	return st;
}
