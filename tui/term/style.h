/*
 * Style roles: what a cell means, never what it looks like. A theme gives each role its colours
 * and attributes; screens are tested by role. X(CONSTANT, name in theme files, letter in dumps,
 * help).
 */
#ifndef QUALM_TUI_TERM_STYLE_H
#define QUALM_TUI_TERM_STYLE_H

#define STYLE_ROLES(X)                                                                             \
	X(NORMAL, "normal", '.', "ordinary text")                                                  \
	X(DIM, "dim", 'd', "labels, units, counts of nothing")                                     \
	X(BOLD, "bold", 'b', "what the cursor is on")                                              \
	X(CURSOR, "cursor", 'c', "the cursor's row")                                               \
	X(CURSOR_DIM, "cursor-dim", 'C', "dim text in the cursor's row")                           \
	X(STATUS, "status", 's', "the top line")                                                   \
	X(STATUS_DIM, "status-dim", 'S', "a filter in the top line that is set aside")             \
	X(LENS, "lens", 'l', "a lens that differs from its preset")                                \
	X(KEYS, "keys", 'k', "keys in the bottom line")                                            \
	X(MESSAGE, "message", 'm', "a message")                                                    \
	X(WARNING, "warning", 'w', "a message about a problem")                                    \
	X(RIGHT, "right", 'R', "a right answer")                                                   \
	X(WRONG, "wrong", 'W', "a wrong answer")                                                   \
	X(UNCOUNTED, "uncounted", 'u', "an answer that is not counted")                            \
	X(TRUTH, "truth", 't', "a true class")                                                     \
	X(MATCH, "match", 'h', "a search hit, an extracted answer")                                \
	X(CURSOR_MATCH, "cursor-match", 'H', "a search hit in the cursor's row")                   \
	X(RULE, "rule", 'r', "lines between panes")                                                \
	X(POPUP, "popup", 'p', "a popup's text")                                                   \
	X(POPUP_BORDER, "popup-border", 'P', "a popup's border")                                   \
	X(PROMPT, "prompt", 'i', "what is being typed")                                           \
	X(FAULT, "fault", 'f', "what is wrong in what is being typed")                                \
	X(BAR, "bar", 'B', "bars and progress")                                                    \
	X(UNSAFE, "unsafe", 'x', "a mark that stands for a control character")                     \
	X(PICTURE, "picture", '#', "cells under a picture")

enum style {
#define X(id, name, letter, help) STYLE_##id,
	STYLE_ROLES(X)
#undef X
	    N_STYLES
};

#endif
