#include "db/user.h"

#include "core/base/xmalloc.h"
#include "db/conn_impl.h"
#include "db/overlay.h"

enum status user_conn(struct conn *c, struct conn **out, struct err *err)
{
	if (c->read_only)
		return overlay_open(c, true, out, err);
	*out = c;
	return OK;
}

/* *value stays NULL when there is none. */
static enum status get(struct conn *c, const char *key, char **value, struct err *err)
{
	sqlite3_stmt *s = stmt_get(c, STMT_SETTING_GET, err);
	struct str v;
	enum status st;
	bool row;

	if (!s)
		return err->code;
	stmt_bind_str(s, 1, str_z(key));
	st = stmt_step(c, s, &row, err);
	if (st != OK || !row)
		return st;
	v = stmt_str(s, 0);
	*value = xstrndup(v.p ? v.p : "", v.n);
	sqlite3_reset(s);
	return OK;
}

enum status user_setting_get(struct conn *c, const char *key, char **value, struct err *err)
{
	struct conn *overlay = NULL;
	enum status st = OK;

	*value = NULL;
	if (c->read_only)
		st = overlay_open(c, false, &overlay, err);
	if (st == OK && overlay)
		st = get(overlay, key, value, err);
	if (st == OK && !*value)
		st = get(c, key, value, err);
	if (st == OK && !*value)
		st = err_set(err, E_NOT_FOUND, "the setting %s is not set", key);
	return st;
}

enum status user_setting_set(struct conn *c, const char *key, struct str value, struct err *err)
{
	struct conn *where;
	sqlite3_stmt *s;
	enum status st = user_conn(c, &where, err);

	if (st != OK)
		return st;
	s = stmt_get(where, STMT_SETTING_PUT, err);
	if (!s)
		return err->code;
	stmt_bind_str(s, 1, str_z(key));
	stmt_bind_str(s, 2, value.p ? value : STR(""));
	return stmt_run(where, s, err);
}
