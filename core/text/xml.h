/*
 * xml: the tags of an XML text one after the other, and the texts between them; enough for the
 * parts of a workbook. Nothing is checked for being well-formed, and nothing is looked up: there
 * are no entities but the five of XML and characters by number, no document types, no namespaces
 * (a tag's prefix is left out).
 */
#ifndef QUALM_CORE_TEXT_XML_H
#define QUALM_CORE_TEXT_XML_H

#include "core/base/str.h"

struct xml {
	const char *p, *end;
};

struct xml_tag {
	struct str before; /* the text in front of it, as written */
	struct str name;
	struct str attributes; /* as written */
	bool close, empty;     /* </name>, <name/> */
};

void xml_init(struct xml *x, struct str text);
/* false at the end, or where a tag is not closed. Comments, instructions and the like are passed
 * over; CDATA is not known. */
bool xml_next(struct xml *x, struct xml_tag *out);
/* Appends the text with its entities replaced; one that is not known stays as it is. */
void xml_text(struct str raw, struct buf *out);
/* An attribute as written, its prefix counted; p NULL: it is not there. */
struct str xml_attribute(const struct xml_tag *tag, const char *name);

#endif
