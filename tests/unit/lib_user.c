#include "tests/unit/lib_user.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"

static void must(enum status st, const struct err *err)
{
	if (st == OK)
		return;
	fprintf(stderr, "lib_user: %s\n", err->msg);
	abort();
}

int user_place_set_up(void **state)
{
	struct user_place *p = xcalloc(1, sizeof *p);

	p->folder = project_folder();
	p->path = project_file(p->folder, "p.qualm");
	project_make_tiny(p->path, 0);
	setenv("XDG_DATA_HOME", p->folder, 1);
	setenv("USER", "ada", 1);
	*state = p;
	return 0;
}

int user_place_tear_down(void **state)
{
	struct user_place *p = *state;

	unsetenv("XDG_DATA_HOME");
	free(p->path);
	project_remove(p->folder);
	free(p);
	return 0;
}

struct user *user_of(struct conn *c, uint32_t n)
{
	struct err err = ERR_INIT;
	struct user *u = NULL;

	must(user_open(&u, c, 1, "tiny", n, &err), &err);
	return u;
}

void project_make_long(const char *path, uint32_t n)
{
	struct conn *c = project_open(path, CONN_CREATE);
	char sql[512];

	snprintf(sql, sizeof sql,
		 "BEGIN; INSERT INTO dataset (id, name, n_samples, created) VALUES "
		 "(1, 'tiny', %u, ''); WITH RECURSIVE k(i) AS (SELECT 0 UNION ALL SELECT i + 1 "
		 "FROM k WHERE i + 1 < %u) INSERT INTO sample (id, dataset, ord, key) "
		 "SELECT (1 << 32) + i, 1, i, printf('k%%07d', i) FROM k; COMMIT", n, n);
	project_exec(c, sql);
	conn_close(c);
}

static void dump_table(struct conn *c, const char *sql, struct buf *out)
{
	sqlite3_stmt *s = NULL;

	if (sqlite3_prepare_v2(stmt_db(c), sql, -1, &s, NULL) != SQLITE_OK)
		abort();
	while (sqlite3_step(s) == SQLITE_ROW) {
		for (int i = 0; i < sqlite3_column_count(s); i++)
			buf_printf(out, "%s%s", i ? "|" : "", (const char *)sqlite3_column_text(s, i));
		buf_ch(out, '\n');
	}
	sqlite3_finalize(s);
}

char *dump_user(struct conn *c)
{
	struct buf out = BUF_INIT;

	buf_ch(&out, '\n');
	dump_table(c, "SELECT 'note', * FROM note ORDER BY id", &out);
	dump_table(c, "SELECT 'tag', * FROM tag ORDER BY sample, name", &out);
	dump_table(c, "SELECT 'mark', * FROM mark ORDER BY sample", &out);
	return buf_take(&out);
}

char *dump_things(const struct user *u)
{
	const struct user_things *t = user_things(u);
	struct buf out = BUF_INIT;

	buf_printf(&out, "\nmarked %u noted %u seen %u tags %u\n", t->n_marked, t->n_noted, t->n_seen,
		   t->n_tags);
	for (uint32_t i = 0; i < t->n; i++)
		if (t->marked[i] || t->seen[i] || t->notes[i])
			buf_printf(&out, "%u: %d %d %d\n", i, t->marked[i], t->seen[i], t->notes[i]);
	for (uint32_t k = 0; k < t->n_tags; k++) {
		buf_printf(&out, "%s:", t->tags[k].name);
		for (uint32_t i = 0; i < t->tags[k].n; i++)
			buf_printf(&out, " %u", t->tags[k].ords[i]);
		buf_ch(&out, '\n');
	}
	return buf_take(&out);
}

void check_memory(struct conn *c, struct user *u)
{
	struct user *fresh = user_of(c, user_things(u)->n);
	char *have = dump_things(u), *want = dump_things(fresh);

	if (strcmp(have, want) != 0) {
		fprintf(stderr, "lib_user: in memory:%sin the file:%s", have, want);
		abort();
	}
	free(have);
	free(want);
	user_close(fresh);
}

uint32_t must_edit(struct user *u, enum user_what what, const uint32_t *ords, size_t n,
		   const char *text, int64_t note)
{
	struct user_change change = {what, ords, n, str_z(text), note};
	struct err err = ERR_INIT;
	struct user_done done = {0};

	must(user_edit(u, "an edit", &change, 1, &done, &err), &err);
	return done.n;
}
