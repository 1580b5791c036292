#include "core/reader/table.h"

#include "core/base/path.h"

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

enum status reader_for(const struct read_options *opt, struct str path, struct str head,
		       const struct reader **out, struct err *err)
{
	int best = 0;

	*out = NULL;
	for (const struct reader *const *r = readers; *r; r++) {
		int score;

		if (opt->as.n) {
			if (str_eqz(opt->as, (*r)->name)) {
				*out = *r;
				return OK;
			}
			continue;
		}
		score = (*r)->probe(path, head);
		if (score > best) {
			best = score;
			*out = *r;
		}
	}
	return *out ? OK : no_reader(opt, path, err);
}

struct str reader_mapped(const struct read_options *opt, const char *field)
{
	for (size_t i = 0; i < opt->n_map; i++)
		if (str_eqz(opt->map[i].name, field))
			return opt->map[i].value;
	return STR_NONE;
}

static struct str without_prefix(struct str s)
{
	static const char *const list[] = {
	    "predictions", "prediction", "preds", "pred", "results", "result", "outputs",
	    "output",      "answers",    "responses", NULL,
	};

	for (const char *const *w = list; *w; w++) {
		size_t n = strlen(*w);

		if (s.n > n + 1 && str_eq_nocase((struct str){s.p, n}, str_z(*w)) &&
		    memchr("-_. ", s.p[n], 4))
			return (struct str){s.p + n + 1, s.n - n - 1};
	}
	return s;
}

static struct str without_suffix(struct str s)
{
	static const char *const list[] = {
	    "predictions", "prediction", "preds", "pred", "predict", "results", "result",
	    "outputs",     "output",     "answers", "responses", NULL,
	};

	for (const char *const *w = list; *w; w++) {
		size_t n = strlen(*w);

		if (s.n > n + 1 && str_ends_nocase(s, str_z(*w)) &&
		    memchr("-_. ", s.p[s.n - n - 1], 4))
			return (struct str){s.p, s.n - n - 1};
	}
	return s;
}

/* Words that name no model, as file or folder. */
static bool says_nothing(struct str s)
{
	static const char *const list[] = {
	    "",        "-",       ".",        "..",     "predictions", "prediction", "predict",
	    "preds",   "pred",    "results",  "result", "outputs",     "output",     "answers",
	    "responses", "data",  "test",     "val",    "mvei",        "std_mvei",   "esj",
	    "mvei_metadata", NULL,
	};

	for (const char *const *w = list; *w; w++)
		if (str_eq_nocase(s, str_z(*w)))
			return true;
	return false;
}

struct str reader_model_from_path(struct str path)
{
	struct str name = without_suffix(without_prefix(path_stem(path_base(path))));

	while (says_nothing(name)) {
		struct str dir = path_dir(path);

		if (dir.n >= path.n || str_eqz(dir, ".") || str_eqz(dir, "/"))
			return STR("model");
		path = dir;
		name = path_base(path);
	}
	return name;
}
