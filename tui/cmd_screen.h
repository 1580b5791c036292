/*
 * cmd_screen: the commands that only the screen knows, for the table in cmd_table.c and, in this
 * order, for the help: a group stands together. X(ID): `const struct
 * command cmd_ID`, defined in cmd_screen_*.c.
 */
#ifndef QUALM_TUI_CMD_SCREEN_H
#define QUALM_TUI_CMD_SCREEN_H

#define SCREEN_COMMANDS(X)                                                                         \
	X(down) X(up) X(left) X(right) X(first) X(last) X(half_down) X(half_up)                    \
	X(page_down) X(page_up) X(goto_row) X(next_class) X(previous_class) X(older_place)         \
	X(newer_place)                                                                             \
	X(search) X(search_next) X(search_previous)                                                \
	X(next_wrong) X(previous_wrong) X(next_flip) X(previous_flip) X(next_run)                  \
	X(previous_run)                                                                            \
	X(facet_only) X(facet_exclude) X(facet_order)                                              \
	X(filter_edit) X(filter) X(filter_by) X(filter_out) X(filter_toggle) X(conditions) X(base) \
	X(run_a) X(run_b) X(swap) X(panel) X(lens) X(sort)                                         \
	X(group_by) X(cluster) X(explain) X(unfold)                                                \
	X(columns) X(column_earlier) X(column_later) X(column_wider) X(column_narrower)            \
	X(column_auto)                                                                             \
	X(matrix_order) X(matrix_diagonal) X(matrix_share) X(matrix_shade) X(matrix_difference)      \
	X(matrix_fold) X(matrix_unfold) X(contact_sheet)                                           \
	X(agreement_measure) X(agreement_order)                                                     \
	X(filters) X(save) X(rename_filter) X(erase_filter) X(write)                               \
	X(note) X(tag) X(untag) X(mark) X(unmark_all) X(range) X(all) X(adopt) X(undo) X(redo)     \
	X(copy_id) X(copy_path) X(copy_answer) X(copy_json)                                        \
	X(endpoint) X(protocol) X(offer) X(edit_prompt) X(repeats) X(crop) X(failures)              \
	X(field) X(constant) X(separator) X(spelling) X(rows_in) X(recipe) X(save_recipe)           \
	X(import_now)                                                                               \
	X(enter) X(back) X(escape) X(view) X(zoom) X(dataset) X(next_pane) X(toggle)               \
	X(keys) X(command) X(cancel) X(redraw) X(suspend) X(save_screen) X(set) X(quit)            \
	X(prompt_accept) X(prompt_cancel) X(prompt_complete) X(prompt_complete_back)               \
	X(prompt_older) X(prompt_newer) X(prompt_left) X(prompt_right) X(prompt_home) X(prompt_end) \
	X(prompt_erase) X(prompt_delete) X(prompt_erase_word) X(prompt_erase_all)                  \
	X(answer_yes) X(answer_no)

#define X(id) extern const struct command cmd_##id;
#include "tui/cmd.h"
SCREEN_COMMANDS(X)
#undef X

/* What "lens NAME" turns; NULL: there is no such switch. */
const char *lens_switch_help(struct str name);
/* Has the current sample a picture? Else a message says that there is none to `for_what`. */
bool cmd_has_picture(struct app *app, const char *for_what);
/* On the screen, what the shell knows as well (cmd_screen_asking.c). */
unsigned query_screen(struct app *app, struct str args);
unsigned map_screen(struct app *app, struct str args);
unsigned reparse_screen(struct app *app, struct str args);

#endif
