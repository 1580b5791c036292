/* What a statement may do: read. Asked by SQLite for each thing that a statement is made of. */
#include <stdio.h>

#include "db/sql_impl.h"

/* Pragmas that tell; those of the second list set something when they are given a value. */
static const char *const telling[] = {
    "table_info",      "table_xinfo",      "table_list",        "index_list",      "index_info",
    "index_xinfo",     "foreign_key_list", "foreign_key_check", "integrity_check", "quick_check",
    "database_list",   "function_list",    "module_list",       "pragma_list",     "collation_list",
    "compile_options", "data_version",     "page_count",        "freelist_count",
};
static const char *const setting[] = {
    "application_id", "user_version", "schema_version", "page_size",  "encoding",
    "journal_mode",   "cache_size",   "foreign_keys",   "query_only", "trusted_schema",
};

static bool is_among(const char *word, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (sqlite3_stricmp(word, list[i]) == 0)
			return true;
	return false;
}

static bool pragma_tells(const char *name, const char *value)
{
	if (!name)
		return false;
	return is_among(name, telling, sizeof telling / sizeof *telling) ||
	       (!value && is_among(name, setting, sizeof setting / sizeof *setting));
}

static bool function_is_harmless(const char *name)
{
	static const char *const refused[] = {"load_extension", "fts3_tokenizer", "readfile",
					      "writefile", "edit"};

	return name && !is_among(name, refused, sizeof refused / sizeof *refused);
}

static void refuse(struct sql *s, int action, const char *a, const char *b)
{
	static const struct {
		int action;
		const char *word;
	} words[] = {
	    {SQLITE_INSERT, "INSERT"},       {SQLITE_UPDATE, "UPDATE"},
	    {SQLITE_DELETE, "DELETE"},       {SQLITE_ATTACH, "ATTACH"},
	    {SQLITE_DETACH, "DETACH"},       {SQLITE_TRANSACTION, "a transaction"},
	    {SQLITE_SAVEPOINT, "SAVEPOINT"}, {SQLITE_ANALYZE, "ANALYZE"},
	    {SQLITE_REINDEX, "REINDEX"},     {SQLITE_ALTER_TABLE, "ALTER TABLE"},
	};
	const char *word = "what changes the schema";

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (words[i].action == action)
			word = words[i].word;
	if (action == SQLITE_PRAGMA)
		snprintf(s->refused, sizeof s->refused, "PRAGMA %.80s%s", a ? a : "",
			 b ? " with a value" : "");
	else if (action == SQLITE_FUNCTION)
		snprintf(s->refused, sizeof s->refused, "%.80s()", b ? b : "");
	else /* creating and dropping are first asked for as changes of SQLite's own table */
		snprintf(s->refused, sizeof s->refused, "%s",
			 a && strncmp(a, "sqlite_", 7) == 0 ? "what changes the schema" : word);
}

int sql_guard(void *ctx, int action, const char *a, const char *b, const char *db,
	      const char *trigger)
{
	bool allowed = false;

	(void)db, (void)trigger;
	switch (action) {
	case SQLITE_SELECT:
	case SQLITE_READ:
	case SQLITE_RECURSIVE:
		allowed = true;
		break;
	case SQLITE_UPDATE: /* SQLite's own words when it meets a virtual table; of others' it says
			       itself that this table may not be modified */
		allowed = a && strcmp(a, "sqlite_master") == 0;
		break;
	case SQLITE_FUNCTION:
		allowed = function_is_harmless(b);
		break;
	case SQLITE_PRAGMA:
		allowed = pragma_tells(a, b);
		break;
	default:
		break;
	}
	if (!allowed)
		refuse(ctx, action, a, b);
	return allowed ? SQLITE_OK : SQLITE_DENY;
}
