#include <stdio.h>

#include "core/base/utf8.h"
#include "tui/term/reply.h"
#include "tui/term/term.h"

static const struct {
	const char *name;
	uint32_t key;
} key_names[] = {
    {"Up", KEYC_UP},           {"Down", KEYC_DOWN},
    {"Left", KEYC_LEFT},       {"Right", KEYC_RIGHT},
    {"Home", KEYC_HOME},       {"End", KEYC_END},
    {"PgUp", KEYC_PGUP},       {"PgDn", KEYC_PGDN},
    {"Insert", KEYC_INSERT},   {"Delete", KEYC_DELETE},
    {"Enter", KEYC_ENTER},     {"Tab", KEYC_TAB},
    {"Shift-Tab", KEYC_BACKTAB}, {"Backspace", KEYC_BACKSPACE},
    {"Esc", KEYC_ESC},         {"F1", KEYC_F1},
    {"F2", KEYC_F1 + 1},       {"F3", KEYC_F1 + 2},
    {"F4", KEYC_F1 + 3},       {"F5", KEYC_F1 + 4},
    {"F6", KEYC_F1 + 5},       {"F7", KEYC_F1 + 6},
    {"F8", KEYC_F1 + 7},       {"F9", KEYC_F1 + 8},
    {"F10", KEYC_F1 + 9},      {"F11", KEYC_F1 + 10},
    {"F12", KEYC_F12},         {"Resize", KEYC_RESIZE},
    {"Paste", KEYC_PASTE},     {"FocusIn", KEYC_FOCUS_IN},
    {"FocusOut", KEYC_FOCUS_OUT}, {"Space", ' '},
};
#define N_KEY_NAMES (sizeof key_names / sizeof *key_names)

size_t key_text(uint32_t key, char out[32])
{
	uint32_t base = key & ~(uint32_t)(KEYC_CTRL | KEYC_ALT);
	int n = snprintf(out, 32, "%s%s", key & KEYC_CTRL ? "Ctrl-" : "",
			 key & KEYC_ALT ? "Alt-" : "");

	for (size_t i = 0; i < N_KEY_NAMES; i++)
		if (key_names[i].key == base) {
			n += snprintf(out + n, 32 - (size_t)n, "%s", key_names[i].name);
			return (size_t)n;
		}
	if (base && base < 0x110000 && !utf8_is_unsafe(base)) {
		n += (int)utf8_encode(base, out + n);
		out[n] = '\0';
		return (size_t)n;
	}
	return (size_t)snprintf(out, 32, "key-%x", (unsigned)key);
}

static uint32_t parse_base(struct str name)
{
	size_t len;
	uint32_t cp;

	for (size_t i = 0; i < N_KEY_NAMES; i++)
		if (str_eq_nocase(name, str_z(key_names[i].name)))
			return key_names[i].key;
	if (str_eq_nocase(name, STR("BackTab")))
		return KEYC_BACKTAB;
	cp = utf8_decode(name.p, name.n, &len);
	return len == name.n && cp != UTF8_BAD && !utf8_is_unsafe(cp) ? cp : KEY_NONE_;
}

/* What a terminal sends for Ctrl-i, Ctrl-m and Ctrl-[ are other keys' bytes. */
static uint32_t with_ctrl(uint32_t key)
{
	if (key >= 'A' && key <= 'Z')
		key += 'a' - 'A';
	if (key == 'i')
		return KEYC_TAB;
	if (key == 'm')
		return KEYC_ENTER;
	if (key == '[')
		return KEYC_ESC;
	return key | KEYC_CTRL;
}

uint32_t key_parse(struct str name)
{
	bool ctrl = false, alt = false;
	uint32_t key;

	for (;;) {
		if (name.n > 5 && str_eq_nocase((struct str){name.p, 5}, STR("Ctrl-"))) {
			ctrl = true;
			name.p += 5, name.n -= 5;
		} else if (name.n > 4 && str_eq_nocase((struct str){name.p, 4}, STR("Alt-"))) {
			alt = true;
			name.p += 4, name.n -= 4;
		} else {
			break;
		}
	}
	if (!name.n)
		return KEY_NONE_;
	key = parse_base(name);
	if (key && ctrl)
		key = with_ctrl(key);
	return key && alt ? key | KEYC_ALT : key;
}

/* --- what terminals send --- */

static const struct {
	char final; /* of CSI and SS3 */
	uint32_t key;
} letter_keys[] = {
    {'A', KEYC_UP},    {'B', KEYC_DOWN},    {'C', KEYC_RIGHT}, {'D', KEYC_LEFT},
    {'H', KEYC_HOME},  {'F', KEYC_END},     {'P', KEYC_F1},    {'Q', KEYC_F1 + 1},
    {'S', KEYC_F1 + 3}, {'Z', KEYC_BACKTAB}, {'I', KEYC_FOCUS_IN}, {'O', KEYC_FOCUS_OUT},
};

static const struct {
	int number; /* of CSI number ~ */
	uint32_t key;
} tilde_keys[] = {
    {1, KEYC_HOME},     {2, KEYC_INSERT},   {3, KEYC_DELETE},    {4, KEYC_END},
    {5, KEYC_PGUP},     {6, KEYC_PGDN},     {7, KEYC_HOME},      {8, KEYC_END},
    {11, KEYC_F1},      {12, KEYC_F1 + 1},  {13, KEYC_F1 + 2},   {14, KEYC_F1 + 3},
    {15, KEYC_F1 + 4},  {17, KEYC_F1 + 5},  {18, KEYC_F1 + 6},   {19, KEYC_F1 + 7},
    {20, KEYC_F1 + 8},  {21, KEYC_F1 + 9},  {23, KEYC_F1 + 10},  {24, KEYC_F12},
};

uint32_t key_of_letter(char final)
{
	for (size_t i = 0; i < sizeof letter_keys / sizeof *letter_keys; i++)
		if (letter_keys[i].final == final)
			return letter_keys[i].key;
	return KEY_NONE_;
}

uint32_t key_of_tilde(int number)
{
	for (size_t i = 0; i < sizeof tilde_keys / sizeof *tilde_keys; i++)
		if (tilde_keys[i].number == number)
			return tilde_keys[i].key;
	return KEY_NONE_;
}

uint32_t key_of_ss3(char final)
{
	if (final == 'R')
		return KEYC_F1 + 2;
	if (final == 'M')
		return KEYC_ENTER;
	if (final >= 'j' && final <= 'y') /* the keypad: * + , - . / 0 … 9 */
		return (uint32_t)(final - 'j' + '*');
	return final == 'I' || final == 'O' || final == 'Z' ? KEY_NONE_ : key_of_letter(final);
}

uint32_t key_of_byte(unsigned char b, unsigned char erase)
{
	if (b == 0x7f || (b == erase && b < 0x20 && b != 0))
		return KEYC_BACKSPACE;
	if (b == '\r' || b == '\n') /* typed before the terminal was ours, Enter is a line feed */
		return KEYC_ENTER;
	if (b == '\t')
		return KEYC_TAB;
	if (b == 0x1b)
		return KEYC_ESC;
	if (b == 0)
		return KEYC_CTRL | ' ';
	if (b < 0x1b)
		return KEYC_CTRL | (uint32_t)(b + 'a' - 1);
	return b < 0x20 ? KEYC_CTRL | (uint32_t)(b + 0x40) : b;
}

uint32_t key_with_modifier(uint32_t key, int modifier)
{
	unsigned bits = modifier > 1 && modifier <= 16 ? (unsigned)modifier - 1 : 0;

	if (key && bits & 4)
		key = key < 0x110000 ? with_ctrl(key) : key | KEYC_CTRL;
	if (key && bits & (2 | 8))
		key |= KEYC_ALT;
	return key;
}
