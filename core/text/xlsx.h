/*
 * xlsx: the first sheet of a workbook (Office Open XML) as CSV, so that whatever reads tables
 * reads it. Every field is in quotes; a row is as long as the first one at least; texts with or
 * without shared strings, numbers as they are stored, true and false as True and False. Dates are
 * the numbers that a workbook keeps for them; formulas are their last results.
 */
#ifndef QUALM_CORE_TEXT_XLSX_H
#define QUALM_CORE_TEXT_XLSX_H

#include "core/base/err.h"
#include "core/base/str.h"

#define XLSX_MAX_PART	 ((size_t)256 << 20) /* bytes of one part, unpacked */
#define XLSX_MAX_TABLE	 ((size_t)512 << 20) /* bytes of the CSV */
#define XLSX_MAX_COLUMNS 4096

/* By the first bytes of the file. */
bool xlsx_is(struct str head);
/* E_FORMAT for what is no workbook after all, E_LIMIT above the ceilings, E_UNSUPPORTED without
 * libzip. */
enum status xlsx_table(int fd, struct buf *out, struct err *err);

#endif
