#include "tui/editor.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/path.h"
#include "core/base/utf8.h"
#include "core/base/xmalloc.h"
#include "core/text/input.h"

extern char **environ;

struct edited {
	const char *command;
	char *file;
	int status; /* of the editor, as waitpid() gives it */
	int error;  /* errno of what could not be started; 0: it was */
};

/* A script has no keyboard for an editor that it did not name. */
static const char *editor_command(const struct term *term)
{
	static const char *const names[] = {"VISUAL", "EDITOR"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *value = getenv(names[i]);

		if (value && *value)
			return value;
	}
	return term_fd(term) >= 0 ? "vi" : NULL;
}

/* --- the child --- */

/* Keys that stop or suspend are the editor's while it runs; Ctrl-Z stops both, and fg brings both
 * back. */
static const int keys[] = {SIGINT, SIGQUIT, SIGTSTP, SIGCONT};
enum { N_KEYS = sizeof keys / sizeof *keys };

static void stand_back(struct sigaction old[N_KEYS])
{
	for (int i = 0; i < N_KEYS; i++) {
		struct sigaction act = {.sa_handler = i < 2 ? SIG_IGN : SIG_DFL};

		sigemptyset(&act.sa_mask);
		sigaction(keys[i], &act, &old[i]);
	}
}

static void come_back(const struct sigaction old[N_KEYS])
{
	for (int i = 0; i < N_KEYS; i++)
		sigaction(keys[i], &old[i], NULL);
}

static bool has_terminal(void)
{
	int fd = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static int spawn(const struct edited *e, pid_t *pid)
{
	char *const argv[] = {(char *)"sh", (char *)"-c", (char *)"eval \"$0 \\\"\\$1\\\"\"",
			      (char *)e->command, e->file, NULL};
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t usual;
	int rc;

	posix_spawnattr_init(&attr);
	posix_spawn_file_actions_init(&files);
	sigemptyset(&usual);
	for (int i = 0; i < N_KEYS; i++)
		sigaddset(&usual, keys[i]);
	sigaddset(&usual, SIGPIPE);
	sigaddset(&usual, SIGXFSZ);
	posix_spawnattr_setsigdefault(&attr, &usual);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF);
	for (int fd = 0; fd < 3 && has_terminal(); fd++) /* the screen may be on one that is none of these */
		if (!isatty(fd))
			posix_spawn_file_actions_addopen(&files, fd, "/dev/tty", fd ? O_WRONLY : O_RDONLY, 0);
	rc = posix_spawn(pid, "/bin/sh", &files, &attr, argv, environ);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attr);
	return rc;
}

static void run_editor(void *ctx)
{
	struct edited *e = ctx;
	struct sigaction old[N_KEYS];
	pid_t pid;

	stand_back(old);
	e->error = spawn(e, &pid);
	while (!e->error && waitpid(pid, &e->status, 0) < 0)
		if (errno != EINTR)
			e->error = errno;
	come_back(old);
}

/* --- the file --- */

static enum status write_all(int fd, struct str s, struct err *err)
{
	while (s.n) {
		ssize_t n = write(fd, s.p, s.n);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_errno(err, errno, "the text cannot be written for the editor");
		s.p += n;
		s.n -= (size_t)n;
	}
	return OK;
}

/* mkostemp() makes it with mode 0600. */
static enum status write_file(struct str text, char **file, struct err *err)
{
	const char *tmp = getenv("TMPDIR");
	enum status st;
	int fd;

	*file = path_join(tmp && *tmp == '/' ? tmp : "/tmp", STR("qualm-prompt-XXXXXX"));
	fd = mkostemp(*file, O_CLOEXEC);
	if (fd < 0)
		return err_errno(err, errno, "no file can be made for the editor");
	st = write_all(fd, text, err);
	if (close(fd) != 0 && st == OK)
		st = err_errno(err, errno, "the text cannot be written for the editor");
	if (st != OK)
		unlink(*file);
	return st;
}

static enum status read_file(const char *file, struct buf *out, struct err *err)
{
	struct input in;
	enum status st = input_open(&in, file, err);

	if (st != OK)
		return st;
	st = input_all(&in, EDITOR_MAX_TEXT, out, err);
	input_close(&in);
	if (st == OK && !str_trim(buf_view(out)).n)
		st = err_set(err, E_FORMAT, "the text is empty: it stays as it was");
	if (st == OK && utf8_valid_prefix(buf_view(out)) != out->n)
		st = err_set(err, E_FORMAT, "the text is not UTF-8: it stays as it was");
	return st;
}

/* Editors end the last line. */
static bool is_other(struct str now, struct str before)
{
	return !str_eq(str_trim(now), str_trim(before));
}

static enum status how_it_ended(const struct edited *e, struct err *err)
{
	if (e->error)
		return err_errno(err, e->error, "the editor cannot be started");
	if (WIFEXITED(e->status) && WEXITSTATUS(e->status) == 0)
		return OK;
	if (WIFEXITED(e->status))
		return err_set(err, E_IO, "%s ended with status %d: the text stays as it was", e->command,
			       WEXITSTATUS(e->status));
	return err_set(err, E_IO, "%s was killed: the text stays as it was", e->command);
}

enum status editor_edit(struct term *term, struct buf *text, bool *changed, struct err *err)
{
	struct edited e = {.command = editor_command(term)};
	struct buf now = BUF_INIT;
	enum status st;

	*changed = false;
	if (!e.command)
		return err_set(err, E_USAGE, "there is no terminal to edit on; $EDITOR names what edits without one");
	st = write_file(buf_view(text), &e.file, err);
	if (st == OK) {
		term_outside(term, run_editor, &e);
		st = how_it_ended(&e, err);
		if (st == OK)
			st = read_file(e.file, &now, err);
		unlink(e.file);
	}
	*changed = st == OK && is_other(buf_view(&now), buf_view(text));
	if (*changed) {
		buf_clear(text);
		buf_str(text, str_trim(buf_view(&now)));
	}
	buf_release(&now);
	free(e.file);
	return st;
}
