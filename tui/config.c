#include "tui/config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/path.h"
#include "core/base/xmalloc.h"
#include "core/text/ini.h"

static enum status entry(void *ctx, const char *section, const char *name, const char *value,
			 unsigned line, struct err *err)
{
	struct config *config = ctx;
	enum option_id id;

	(void)line;
	if (endpoint_is_section(section))
		return endpoint_entry(&config->endpoints, section, name, value, err);
	if (strcmp(section, "screen") != 0)
		return err_set(err, E_USAGE,
			       "there is no section [%s]; there are [screen] and [endpoint NAME]",
			       section);
	if (option_find(str_z(name), &id, err) != OK)
		return err_prefix(err, "[screen]");
	return option_set(&config->options, id, str_z(value), err);
}

static enum status read_file(const char *path, bool must_exist, struct buf *text, struct err *err)
{
	FILE *f = fopen(path, "re");
	char block[4096];
	size_t n;

	if (!f && errno == ENOENT && !must_exist)
		return OK;
	if (!f)
		return err_errno(err, errno, "%s cannot be read", path);
	text->max = INI_MAX_TEXT + 1;
	while ((n = fread(block, 1, sizeof block, f)) > 0 && !text->failed)
		buf_put(text, block, n);
	if (ferror(f))
		err_errno(err, errno, "%s cannot be read", path);
	fclose(f);
	if (err->code == OK && text->failed)
		err_set(err, E_LIMIT, "%s is too long for a configuration", path);
	return err->code;
}

static char *users_file(void)
{
	char *dir = path_xdg(PATH_CONFIG), *file = dir ? path_join(dir, STR("config")) : NULL;

	free(dir);
	return file;
}

enum status config_load(struct config *config, const char *path, struct err *err)
{
	char *file = path ? xstrdup(path) : users_file();
	struct buf text = BUF_INIT;
	enum status st = OK;

	*config = (struct config){0};
	if (file)
		st = read_file(file, path != NULL, &text, err);
	if (!st && text.n) {
		st = ini_read(buf_view(&text), entry, config, err);
		if (!st)
			st = endpoint_list_check(&config->endpoints, err);
		if (st)
			st = err_prefix(err, "%s", file);
	}
	if (st)
		config_release(config);
	buf_release(&text);
	free(file);
	return st;
}

void config_release(struct config *config)
{
	option_values_release(&config->options);
	endpoint_list_release(&config->endpoints);
}

void config_apply(const struct config *config, struct cli *cli)
{
	cli->options = &config->options;
	cli->endpoints = &config->endpoints;
}
