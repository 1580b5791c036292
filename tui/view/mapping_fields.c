/* Which field a column becomes: the list to choose from, and completion of the words. */
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tui/view/chooser.h"
#include "tui/view/mapping_impl.h"

static void gather(struct app *app, struct chooser *c)
{
	const struct mapper *m = mapping_of(app);
	const struct draft_column *column = m ? mapping_column(m) : NULL;
	uint32_t n = 0;

	if (!column)
		return;
	for (const struct recipe_field *f = recipe_fields; f->word; f++, n++) {
		const struct draft_column *has = draft_with(m->draft, f->word);
		bool here = str_eqz(column->word, f->word);

		if (here)
			chooser_start(c, n);
		chooser_add(c, &(struct choice){here ? "*" : "", f->word, f->help,
						has && has != column && has->by_hand ? has->name.p : ""});
	}
}

static unsigned take(struct app *app, uint32_t at)
{
	struct mapper *m = mapping_of(app);
	const struct draft_column *column = m ? mapping_column(m) : NULL;

	if (column)
		mapping_set_field(m, column, str_z(recipe_fields[at].word));
	return REACT_REDRAW;
}

unsigned mapping_choose(struct app *app)
{
	static const struct chooser_spec spec = {
	    .title = "what the column is",
	    .nothing = "this is no column",
	    .gather = gather,
	    .accept = take,
	    .words = true,
	};

	return chooser_open(app, &spec);
}

/* --- completion --- */

static void narrow_down(struct str typed, struct str name, struct str *common)
{
	if (!str_starts(name, typed))
		return;
	if (!common->p)
		*common = name;
	for (size_t k = 0; k < common->n; k++)
		if (k == name.n || name.p[k] != common->p[k])
			common->n = k;
}

static struct str complete_recipe(const struct mapper *m, struct str typed, struct buf *names)
{
	struct str common = STR_NONE, rest, name;

	recipe_names(m->path, names);
	for (rest = buf_view(names); rest.p && names->n;) {
		rest = str_cut(rest, ',', &name);
		narrow_down(typed, str_trim(name), &common);
	}
	return common;
}

bool mapping_complete(struct app *app)
{
	static const char *const commands_of[] = {"field ", "constant ", "save-recipe ", "recipe ", NULL};
	const struct mapper *m = mapping_of(app);
	struct str line = buf_view(&app->prompt.text), common = STR_NONE, typed;
	struct buf whole = BUF_INIT, names = BUF_INIT;
	int k = 0;

	while (commands_of[k] && !str_starts(line, str_z(commands_of[k])))
		k++;
	if (!m || !commands_of[k])
		return false;
	typed = (struct str){line.p + strlen(commands_of[k]), line.n - strlen(commands_of[k])};
	for (const struct recipe_field *f = recipe_fields; k < 2 && f->word; f++)
		narrow_down(typed, str_z(f->word), &common);
	if (k >= 2)
		common = complete_recipe(m, typed, &names);
	if (common.n > typed.n) {
		buf_z(&whole, commands_of[k]);
		buf_str(&whole, common);
		prompt_set(&app->prompt, buf_view(&whole));
	}
	buf_release(&whole);
	buf_release(&names);
	return true;
}
