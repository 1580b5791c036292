/* Tables that nobody knows: what can be said of them where nobody can be asked. */
#include "core/reader/draft.h"
#include "core/reader/recipe_file.h"
#include "core/reader/table.h"
#include "db/plan_impl.h"
#include "db/store.h"

#define SCORE_SHAPE 10	/* of the generic reader's probe: rows of fields, and nothing more */
#define NAMES_BYTES 300 /* of a message */

bool plan_unknown(const struct import_job *job, const struct input *in, const struct reader *reader,
		  int score)
{
	const struct read_options *opt = &job->options;
	struct peek p;
	bool table;

	if (opt->as.n || opt->n_map || !in->regular)
		return false;
	if (reader && (reader != &reader_generic || score > SCORE_SHAPE))
		return false;
	peek_open(&p, buf_view(&in->head));
	table = p.shape != SHAPE_TEXT;
	peek_release(&p);
	return table;
}

bool plan_is_unknown(const struct import_job *job, const char *path)
{
	struct err ignored = ERR_INIT;
	const struct reader *reader = NULL;
	struct input in;
	bool unknown = false;
	int score = 0;

	if (job->n_recipes || strcmp(path, "-") == 0 ||
	    input_open_cancel(&in, path, job->cancel, &ignored) != OK)
		return false;
	reader_best(&job->options, str_z(path), buf_view(&in.head), &reader, &score, &ignored);
	unknown = plan_unknown(job, &in, reader, score);
	input_close(&in);
	return unknown;
}

/* --- words --- */

/* As a shell takes it for one word. */
static void put_word(struct buf *out, struct str word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "_-+./:,=@%";
	bool quote = !word.n || word.p[0] == '-';

	for (size_t i = 0; i < word.n && !quote; i++)
		quote = !strchr(plain, word.p[i]);
	if (!quote) {
		buf_str(out, word);
		return;
	}
	buf_ch(out, '\'');
	for (size_t i = 0; i < word.n; i++)
		if (word.p[i] == '\'')
			buf_z(out, "'\\''");
		else
			buf_ch(out, word.p[i]);
	buf_ch(out, '\'');
}

static void put_columns(const struct draft *d, struct buf *out)
{
	for (size_t i = 0; i < d->columns.n; i++) {
		struct str name = d->columns.v[i].name;

		if (out->n > NAMES_BYTES) {
			buf_printf(out, " and %zu more", d->columns.n - i);
			return;
		}
		buf_z(out, i ? ", " : "");
		buf_str(out, (struct str){name.p, name.n < 60 ? name.n : 60});
	}
}

static void put_command(const struct import_job *job, const char *path, const char *option,
			struct str value, struct buf *out)
{
	buf_z(out, "qualm import ");
	put_word(out, str_z(job->project));
	buf_ch(out, ' ');
	put_word(out, str_z(path));
	buf_printf(out, " %s ", option);
	put_word(out, value);
}

static void say(const struct import_job *job, const struct draft *d, const struct recipe *guess,
		struct err *err)
{
	struct buf columns = BUF_INIT, map = BUF_INIT, command = BUF_INIT;

	put_columns(d, &columns);
	draft_put_map(guess, &map);
	if (map.n && !guess->rows[0])
		put_command(job, d->path, "--map", buf_view(&map), &command);
	err_set(err, E_FORMAT,
		"%.200s: no column is called as usual; there are: %s. %s%s%s--map without a value opens a "
		"screen to choose on, which makes a recipe for --recipe NAME",
		d->path, buf_cstr(&columns), command.n ? "This might be meant: " : "", buf_cstr(&command),
		command.n ? "; on a terminal " : "On a terminal ");
	buf_release(&columns);
	buf_release(&map);
	buf_release(&command);
}

static void say_proposed(const struct import_job *job, const char *path, const struct recipe *r,
			 struct err *err)
{
	struct buf command = BUF_INIT;

	put_command(job, path, "--recipe", str_z(r->name), &command);
	err_set(err, E_FORMAT, "%.300s: its columns are those of the recipe %s: %s", path, r->name,
		buf_cstr(&command));
	buf_release(&command);
}

void plan_say_unknown(const struct import_job *job, const char *path, struct err *err)
{
	struct err ignored = ERR_INIT;
	struct recipe guess = {.name = NULL}, known;
	struct draft *d;

	if (draft_open(&d, path, job->cancel, &ignored) != OK)
		return;
	if (draft_propose(d, &known)) {
		say_proposed(job, path, &known, err);
		recipe_release(&known);
	} else {
		draft_find_rows(d, &guess);
		draft_read(d, &guess, NULL);
		draft_guess(d, &guess, NULL);
		say(job, d, &guess, err);
	}
	recipe_release(&guess);
	draft_free(d);
}
