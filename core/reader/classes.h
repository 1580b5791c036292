/*
 * classes: a class list on its way to a sink. Entries are collected, so that wnids can be ranked
 * and repeated names noticed, and sent at the end.
 */
#ifndef QUALM_CORE_READER_CLASSES_H
#define QUALM_CORE_READER_CLASSES_H

#include "core/base/arena.h"
#include "core/reader/peek.h"
#include "core/reader/reader.h"

#define CLASSES_MAX	 1000000
#define CLASSES_MAX_NAME 1024 /* bytes */

struct class_entry {
	struct src src;
	int64_t index;           /* -1: none */
	struct str wnid, name, code, parent;
	struct str second;       /* its name in a second list: no answer is mapped by it */
	struct str *aliases;
	size_t n_aliases;
};

struct class_list {
	struct read_ctx *ctx;
	VEC(struct class_entry) v;
	struct arena arena;
	bool numbered;	   /* the file gives indices; else they are places in it */
	struct str second; /* the second list's scheme, "names:COLUMN"; empty: there is none */
};

/* All texts of e are copied but for the aliases, which live in l->arena already. */
enum status class_list_add(struct class_list *l, const struct class_entry *e, struct err *err);
/* Names with '_' for ' ' ("kit_fox") get blanks; the name as written becomes an alias. */
void class_list_underscores(struct class_list *l);
/* Gives indices by the order of wnids: ImageNet's 0..999 are the ranks of its 1,000 wnids. */
void class_list_rank(struct class_list *l);
/* "tench, Tinca tinca": the first is the name, the others and the whole are aliases. */
void class_list_synonyms(struct class_list *l, struct str text, struct class_entry *e);
/* "Black_footed_Albatross" of "001.Black_footed_Albatross": without a number in front; borrows. */
struct str classes_bare_name(struct str name);
enum status class_list_send(struct class_list *l, struct err *err);
void class_list_release(struct class_list *l);

/* Lists of ImageNet that count from 1: in the devkit's order the numbers are its ids; in that of the
 * wnids they are one too high. Other lists keep theirs, as labels may count alike. */
void class_list_from_one(struct class_list *l);

/* Whatever form the file has: into l, whose ctx is set; nothing is sent. */
enum status classes_read(struct class_list *l, struct err *err);
/* The kinds of files. */
enum status classes_read_lines(struct class_list *l, struct err *err);
enum status classes_read_json(struct class_list *l, struct err *err);
enum status classes_read_table(struct class_list *l, struct err *err);
enum status classes_read_python(struct class_list *l, struct err *err);

/* As of a probe. */
int classes_json_score(const struct peek *p, struct str head);
int classes_lines_score(struct str head);
int classes_python_score(struct str head);

enum classes_form { CLASSES_NONE, CLASSES_TABLE, CLASSES_JSON, CLASSES_LINES, CLASSES_PYTHON };
/* Does the file's name speak of classes, labels, categories, synsets or names? */
bool classes_called(struct str path);
/* *score as of a probe. */
enum classes_form classes_form(struct str path, struct str head, int *score);

#endif
