#include "tui/term/terminfo.h"

#include "tui/term/ask.h"

/* These name things as we do: they come last. */
#define NCURSES_NOMACROS
#include <curses.h>
#include <term.h>

bool terminfo_colors(const char *type, int *colors)
{
	int error = 0, n;
	const char *cup;

	*colors = 2;
	if (!type || setupterm(type, 1, &error) == ERR)
		return false;
	n = tigetnum("colors");
	*colors = n > 256 ? 1 << 24 : n == 256 ? 256 : n >= 16 ? 16 : n >= 8 ? 8 : 2;
	cup = tigetstr("cup");
	del_curterm(cur_term);
	return cup && cup != (char *)-1;
}

const char *term_library(void)
{
	return curses_version();
}
