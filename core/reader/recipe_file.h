/*
 * recipe_file: where recipes are kept: NAME.recipe in $XDG_CONFIG_HOME/qualm/recipes, for whatever
 * project is open, and beside the data, so that who gets the folder gets its recipes too. A path
 * names one anywhere.
 */
#ifndef QUALM_CORE_READER_RECIPE_FILE_H
#define QUALM_CORE_READER_RECIPE_FILE_H

#include "core/reader/recipe.h"
#include "core/text/input.h"

#define RECIPES_MAX	   500 /* of one folder */
#define RECIPE_NAME_BYTES 100

/* The user's folder for them; owned by the caller. NULL without a home. */
char *recipe_folder(void);
/* A path (it has a slash, or ends in .recipe), or a name: looked for beside `data` (may be NULL)
 * first. E_NOT_FOUND; what is wrong in it is told with the file's name. */
enum status recipe_find(const char *word, const char *data, struct recipe *out, struct err *err);
/* The best known one for a table with these columns, beside `data` or the user's. False: there is
 * none that is like it; out is empty. */
bool recipe_propose(const char *data, const struct str *names, size_t n, struct recipe *out);
/* Names of the user's recipes and of those beside data, as words parted by commas. */
void recipe_names(const char *data, struct buf *out);
/* As NAME among the user's, or as a path. E_USAGE: no name, or another one is called so and
 * `replace` is false. All or nothing. */
enum status recipe_save(const struct recipe *r, const char *word, bool replace, struct err *err);
/* Does a file that begins so have all columns that r wants? Else *missing, in arena. */
bool recipe_fits(const struct recipe *r, const struct input *in, struct arena *arena,
		 struct str *missing);

#endif
