#include "core/reader/table.h"

const struct reader *const readers[] = {
#define X(name) &reader_##name,
    READERS(X)
#undef X
	NULL,
};

static void list_names(struct buf *out)
{
	for (const struct reader *const *r = readers; *r; r++) {
		if (out->n)
			buf_z(out, ", ");
		buf_z(out, (*r)->name);
	}
}

static enum status no_reader(const struct read_options *opt, struct str path, struct err *err)
{
	struct buf names = BUF_INIT;
	enum status st;

	list_names(&names);
	if (opt->as.n)
		st = err_set(err, E_USAGE, "there is no format \"%.*s\"; --as takes %s",
			     STR_ARG(opt->as), buf_cstr(&names));
	else
		st = err_set(err, E_FORMAT,
			     "%.*s looks like none of the known formats (tried %s); --as names one",
			     (int)(path.n < 300 ? path.n : 300), path.p, buf_cstr(&names));
	buf_release(&names);
	return st;
}

enum status reader_best(const struct read_options *opt, struct str path, struct str head,
			const struct reader **out, int *best, struct err *err)
{
	*out = NULL;
	*best = 0;
	for (const struct reader *const *r = readers; *r; r++) {
		int score;

		if (opt->as.n) {
			if (str_eqz(opt->as, (*r)->name)) {
				*out = *r;
				*best = (*r)->probe(path, head);
				return OK;
			}
			continue;
		}
		score = (*r)->probe(path, head);
		if (score > *best) {
			*best = score;
			*out = *r;
		}
	}
	if (!*out && !head.n && !opt->as.n)
		return err_set(err, E_FORMAT, "%.*s is empty", (int)(path.n < 300 ? path.n : 300), path.p);
	return *out ? OK : no_reader(opt, path, err);
}

enum rank reader_rank_samples(struct str path, struct str head)
{
	(void)path;
	(void)head;
	return RANK_SAMPLES;
}

enum status reader_for(const struct read_options *opt, struct str path, struct str head,
		       const struct reader **out, struct err *err)
{
	int best;

	return reader_best(opt, path, head, out, &best, err);
}

struct str reader_mapped(const struct read_options *opt, const char *field)
{
	for (size_t i = 0; i < opt->n_map; i++)
		if (str_eqz(opt->map[i].name, field))
			return opt->map[i].value;
	return STR_NONE;
}
