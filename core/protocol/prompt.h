/* The prompts that the program comes with, made from prompts/ at build time. */
#ifndef QUALM_CORE_PROTOCOL_PROMPT_H
#define QUALM_CORE_PROTOCOL_PROMPT_H

struct prompt_source {
	const char *name, *text;
};
extern const struct prompt_source prompt_sources[]; /* ends with a NULL name */

#endif
