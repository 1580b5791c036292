#include "tui/query/query_words.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/base/nearest.h"
#include "core/base/vec.h"
#include "core/text/input.h"
#include "tui/map/map.h"

#define FILE_MAX ((size_t)4 << 20) /* of a prompt */

static enum status read_text(const char *path, struct buf *out, struct err *err)
{
	struct input in;
	enum status st = input_open(&in, path, err);

	if (st != OK)
		return st;
	st = input_all(&in, FILE_MAX, out, err);
	input_close(&in);
	return st;
}

static enum status find_protocol(const char *name, const struct protocol **out, struct err *err)
{
	struct nearest near = {.word = str_z(name ? name : "")};

	if (!name)
		return err_set(err, E_USAGE, "which --protocol? ow, cw, cw+, mc, esj, memo, mme, … (man qualm)");
	*out = protocol_find(near.word);
	if (*out)
		return OK;
	for (const struct protocol *p = protocols; p->name; p++)
		nearest_offer(&near, p->name);
	return near.best ? err_set(err, E_USAGE, "there is no protocol %s; is %s meant?", name, near.best)
			 : err_set(err, E_USAGE, "there is no protocol %s", name);
}

/* The place of a word among n; -1: it is none of them, which is told. */
static int choose(const struct cmd_args *args, const char *option, const char *const *words, int n,
		  struct err *err)
{
	const char *value = cmd_option(args, option);
	struct buf all = BUF_INIT;

	for (int i = 0; i < n; i++) {
		if (!value || strcmp(value, words[i]) == 0) {
			buf_release(&all);
			return i;
		}
		buf_printf(&all, "%s%s", i == 0 ? "" : i + 1 < n ? ", " : " or ", words[i]);
	}
	err_set(err, E_USAGE, "--%s %s is not known; expected %s", option, value, buf_cstr(&all));
	buf_release(&all);
	return -1;
}

static enum status number(const struct cmd_args *args, const char *option, int64_t least, int64_t most,
			  int64_t *out, struct err *err)
{
	const char *value = cmd_option(args, option);

	if (!value || (str_int(str_z(value), out) && *out >= least && *out <= most))
		return OK;
	return err_set(err, E_USAGE, "--%s takes a number from %lld to %lld, not %s", option, (long long)least,
		       (long long)most, value);
}

static enum status read_crop(const char *value, struct send_crop *out, struct err *err)
{
	double *const into[4] = {&out->x, &out->y, &out->w, &out->h};
	struct str rest = str_z(value), part;

	for (int i = 0; i < 4; i++) {
		rest = str_cut(rest, ',', &part);
		if (!str_num(str_trim(part), into[i]) || *into[i] < 0 || *into[i] > 1)
			return err_set(err, E_USAGE, "--crop takes four shares from 0 to 1, as 0.25,0,0.5,1");
	}
	return OK;
}

static enum status set_choices(const struct cmd_args *args, struct query_spec *s, struct err *err)
{
	const char *options[N_QUERY_OPTIONS], *truths[N_QUERY_TRUTHS];
	int option, truth;
	int64_t seed = 0;

	for (int i = 0; i < N_QUERY_OPTIONS; i++)
		options[i] = query_options_word((enum query_options)i);
	for (int i = 0; i < N_QUERY_TRUTHS; i++)
		truths[i] = query_truth_word((enum choices_truth)i);
	option = choose(args, "options", options, N_QUERY_OPTIONS, err);
	truth = option < 0 ? -1 : choose(args, "truth", truths, N_QUERY_TRUTHS, err);
	if (truth < 0 || number(args, "seed", 0, INT32_MAX, &seed, err) != OK)
		return err->code;
	if (option != QUERY_OPTIONS_NEAR && (cmd_option(args, "encoder") || cmd_option(args, "templates")))
		return err_set(err, E_USAGE, "--encoder and --templates are of --options near");
	s->options = (enum query_options)option;
	s->truth = (enum choices_truth)truth;
	s->seed = (uint64_t)seed;
	if (cmd_option(args, "reference"))
		s->reference = xstrdup(cmd_option(args, "reference"));
	return OK;
}

static enum status set_form(const struct cmd_args *args, struct query_spec *s, struct err *err)
{
	static const char *const forms[] = {"list", "json"};
	int form = choose(args, "form", forms, 2, err);
	int64_t batch = 1;

	if (form < 0 || number(args, "batch", 1, ASK_MAX_BATCH, &batch, err) != OK)
		return err->code;
	s->form = form ? ASK_JSON : ASK_LIST;
	s->ids = cmd_option(args, "ids") != NULL;
	s->batch = (uint32_t)batch;
	free(s->prompt);
	s->prompt = xstrdup(protocol_prompt(s->protocol, s->form));
	return cmd_option(args, "crop") ? read_crop(cmd_option(args, "crop"), &s->crop, err) : OK;
}

static enum status set_files(const struct cmd_args *args, const struct snapshot *snap, struct query_spec *s,
			     struct err *err)
{
	const char *prompt = cmd_option(args, "prompt"), *classes = cmd_option(args, "classes");
	struct buf text = BUF_INIT;
	enum status st = OK;

	if (prompt && (st = read_text(prompt, &text, err)) == OK) {
		free(s->prompt);
		s->prompt = xstrdup(buf_cstr(&text));
	}
	s->own_classes = classes && strcmp(classes, "options") == 0;
	if (st == OK && classes && !s->own_classes)
		st = query_spec_class_file(s, snap, classes, err);
	buf_release(&text);
	return st;
}

enum status query_words(const struct cmd_args *args, const struct endpoint_list *endpoints,
			const struct snapshot *snap, struct query_spec *spec, struct err *err)
{
	const struct endpoint *e = NULL;
	const struct protocol *p = NULL;

	*spec = (struct query_spec){0};
	if (endpoint_find(endpoints, cmd_option(args, "endpoint"), &e, err) != OK ||
	    find_protocol(cmd_option(args, "protocol"), &p, err) != OK)
		return err->code = E_USAGE;
	query_spec_init(spec, e, p);
	if (set_form(args, spec, err) != OK || set_choices(args, spec, err) != OK ||
	    set_files(args, snap, spec, err) != OK)
		return err->code;
	return query_spec_check(spec, snap, err);
}

static void tell(void *ctx, size_t done, size_t n)
{
	const struct cli *cli = ctx;

	if (cli->stderr_tty)
		fprintf(stderr, "\r%zu of %zu class names have their vectors\033[K%s", done, n,
			done == n ? "\r\033[K" : "");
}

enum status query_words_near(struct cli *cli, const struct cmd_args *args, const struct endpoint_list *endpoints,
			     struct conn *c, const struct snapshot *snap, bool dry, struct query_spec *spec,
			     struct err *err)
{
	const struct class_vectors v = {.conn = c, .snap = snap, .encoder = cmd_option(args, "encoder"),
					.templates = cmd_option(args, "templates"), .endpoints = endpoints,
					.dry = dry, .cancel = cli->cancel, .progress = tell, .ctx = cli};

	return spec->options == QUERY_OPTIONS_NEAR && strcmp(spec->protocol->name, "mc") == 0
		       ? class_vectors_keep(&v, &spec->encoder, err)
		       : OK;
}
