#include "tui/import_words.h"

#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "core/reader/recipe_file.h"
#include "tui/cli.h"

const struct cmd_option import_options[] = {
    {"as", "FORMAT", "read the files as this format instead of recognising them", false},
    {"model", "M", "who answered; else from the file", false},
    {"run", "R", "the run's handle; else MODEL/PROTOCOL", false},
    {"protocol", "P", "how it was asked: OW, CW, CW+, MC, ESJ ...", false},
    {"images", "DIR",
     "where the pictures are: found by path, key, base name, without case, "
     "without extension",
     false},
    {"layer", "L", "the truth goes to this layer; else original, or from the file", false},
    {"map", "[FIELD=COLUMN,...]",
     "which column holds what: key, image, label, prediction ...; without a value: choose on a "
     "screen",
     true},
    {"recipe", "NAME", "read what has its columns by this recipe: a saved one, or a file", true},
    {"facet", "NAME=REGEX", "make a facet, or layer:L, from key or path: the first group, else the match", true},
    {"errors", "FILE", "write every row that had a problem there; - is standard output", false},
    {"dry-run", NULL, "tell the plan, read and compare, and write nothing", false},
    {NULL, NULL, NULL, false},
};

/* "name=value" into a mapping; borrows the text. */
static bool split_mapping(struct str text, struct mapping *out)
{
	out->value = str_cut(text, '=', &out->name);
	out->name = str_trim(out->name);
	return out->value.p && out->name.n && out->value.n;
}

static enum status read_maps(const struct cmd_args *args, struct import_words *out, struct err *err)
{
	const char *value;

	for (int k = 0; (value = cmd_option_at(args, "map", k)); k++) {
		struct str rest = str_z(value), item;

		out->ask |= !rest.n;
		while (rest.n) {
			struct mapping m;

			rest = str_cut(rest, ',', &item);
			if (!split_mapping(item, &m))
				return err_set(err, E_USAGE,
					       "--map wants FIELD=COLUMN,...; \"%.*s\" is not",
					       (int)(item.n < 300 ? item.n : 300), item.p);
			vec_push(&out->map, m);
		}
	}
	return OK;
}

static enum status read_facets(const struct cmd_args *args, struct import_words *out,
			       struct err *err)
{
	const char *value;

	for (int k = 0; (value = cmd_option_at(args, "facet", k)); k++) {
		struct mapping m;

		if (!split_mapping(str_z(value), &m))
			return err_set(err, E_USAGE, "--facet wants NAME=REGEX; \"%s\" is not", value);
		vec_push(&out->facets, m);
	}
	return OK;
}

void import_words_add(struct import_words *words, struct import_job *job, struct recipe *recipe)
{
	struct recipe *own = xmalloc(sizeof *own);

	*own = *recipe;
	*recipe = (struct recipe){.name = NULL};
	vec_push(&words->recipes, own);
	job->recipes = (const struct recipe *const *)words->recipes.v;
	job->n_recipes = words->recipes.n;
}

static enum status read_recipes(const struct cmd_args *args, struct import_words *words,
				struct import_job *job, struct err *err)
{
	const char *value, *data = args->n_words > 1 ? args->words[1] : NULL;
	struct recipe r;

	for (int k = 0; (value = cmd_option_at(args, "recipe", k)); k++) {
		if (recipe_find(value, data, &r, err) != OK)
			return err->code == E_NOT_FOUND ? (err->code = E_USAGE) : err->code;
		import_words_add(words, job, &r);
	}
	return OK;
}

enum status import_words_read(const struct cmd_args *args, const char *dataset,
			      struct import_words *words, struct import_job *job, struct err *err)
{
	enum status st = read_maps(args, words, err);

	if (st == OK)
		st = read_facets(args, words, err);
	if (st == OK)
		st = read_recipes(args, words, job, err);
	if (st != OK)
		return st;
	job->project = args->words[0];
	job->dataset = str_z(dataset);
	job->paths = args->words + 1;
	job->n_paths = (size_t)args->n_words - 1;
	job->options = (struct read_options){
	    .as = str_z(cmd_option(args, "as")),
	    .model = str_z(cmd_option(args, "model")),
	    .run = str_z(cmd_option(args, "run")),
	    .protocol = str_z(cmd_option(args, "protocol")),
	    .layer = str_z(cmd_option(args, "layer")),
	    .images = str_z(cmd_option(args, "images")),
	    .map = words->map.v,
	    .n_map = words->map.n,
	    .facets = words->facets.v,
	    .n_facets = words->facets.n,
	    .dry_run = cmd_option(args, "dry-run") != NULL,
	};
	return OK;
}

void import_words_release(struct import_words *words)
{
	for (size_t i = 0; i < words->recipes.n; i++) {
		recipe_release(words->recipes.v[i]);
		free(words->recipes.v[i]);
	}
	vec_release(&words->recipes);
	vec_release(&words->map);
	vec_release(&words->facets);
}
