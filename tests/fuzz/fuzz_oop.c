/* The first line is a class's name, the second one of a second list, the rest an answer. */
#include "core/eval/oop.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct oop_names *o = oop_names_new();
	struct str rest = fuzz_str(data, size), name, alias;
	enum oop_kind kind;

	rest = str_cut(rest, '\n', &name);
	oop_names_class(o, name);
	rest = str_cut(rest.p ? rest : STR(""), '\n', &alias);
	oop_names_alias(o, alias);
	kind = oop_kind_of(o, rest.p ? rest : STR(""));
	FUZZ_CHECK(kind < N_OOP_KINDS);
	FUZZ_CHECK(oop_kind_of(o, rest.p ? rest : STR("")) == kind); /* nothing stays behind */
	oop_names_free(o);
	return 0;
}
