/* Paths as text, folders, and where the user's things live. All results owned by the caller. */
#ifndef QUALM_CORE_BASE_PATH_H
#define QUALM_CORE_BASE_PATH_H

#include <stdbool.h>

#include "core/base/err.h"
#include "core/base/str.h"

struct str path_base(struct str path);          /* after the last '/'; borrows */
struct str path_dir(struct str path);           /* before the last '/', "." if none; borrows */
struct str path_stem(struct str base);          /* without the last ".ext"; borrows */
struct str path_ext(struct str path);           /* without the dot, empty if none; borrows */
char *path_join(const char *dir, struct str rest); /* rest absolute: rest alone */
/* Textual: does `rest`, taken inside a folder, stay inside it? No absolute path, no "..". */
bool path_is_inside(struct str rest);
/* Absolute, links resolved; the file must exist. NULL with err set otherwise. */
char *path_real(const char *path, struct err *err);
/* Two names of one file that is there. Opens nothing: to close a project drops SQLite's locks. */
bool path_same(const char *a, const char *b);
enum status path_mkdirs(const char *dir, struct err *err); /* mode 0700 for new ones */

enum path_kind { PATH_CONFIG, PATH_CACHE, PATH_STATE, PATH_DATA };
/* $XDG_..._HOME/qualm or the default below $HOME; not created. NULL when there is no home. */
char *path_xdg(enum path_kind kind);

#endif
