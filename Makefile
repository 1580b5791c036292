# qualm. `make help` lists the targets.

PREFIX  ?= /usr/local
DESTDIR ?=
CC      ?= cc
CFLAGS  ?= -O2 -g
SAN     ?=
T       ?= 60
V       ?=
JOBS    ?= $(shell nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)

comma := ,
B := build$(if $(SAN),/san-$(subst $(comma),-,$(SAN)))$(if $(COVER),/cover)
Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-8s %s\n' $(1) $(2);)

PC_NEEDED   := ncursesw sqlite3 libcjson libsixel libturbojpeg libutf8proc inih
PC_OPTIONAL := libwebp
# Not linked: loaded when they are first needed (core/base/library.h), by the name that the linker
# would have noted, or where that is not known by the file.
PC_LATER := libzip libcurl
PC := $(foreach p,$(PC_NEEDED) $(PC_OPTIONAL) $(PC_LATER),$(shell pkg-config --exists $(p) 2>/dev/null && echo $(p)))
libdir = $(shell pkg-config --variable=libdir $(1) 2>/dev/null)
soname = $(shell objdump -p $(1) 2>/dev/null | awk '$$1 == "SONAME" { print $$2 }')
later = $(or $(call soname,$(call libdir,$(1))/$(1).so),$(firstword $(wildcard \
	$(foreach e,so dylib,$(call libdir,$(1))/$(1).$(e)))),$(1).so)
have = $(if $(filter $(1),$(PC)),-DHAVE_$(2))
# giflib has no pkg-config file.
GIF := $(shell echo 'int main(void) { return !DGifOpen; }' | $(CC) -include stdio.h -include gif_lib.h \
	-x c - -o /dev/null -lgif 2>/dev/null && echo -lgif)
# What unpacks files is known to one of them alone.
UNPACK := $(foreach p,zlib libzstd,$(shell pkg-config --exists $(p) 2>/dev/null && echo $(p)))
UNPACK_DEFS := $(if $(filter zlib,$(UNPACK)),-DHAVE_ZLIB) $(if $(filter libzstd,$(UNPACK)),-DHAVE_ZSTD)
# The server of the tests speaks TLS by it.
TLS := $(shell pkg-config --exists openssl 2>/dev/null && pkg-config --libs openssl)

WARN := -Wall -Wextra -Wshadow -Wvla -Wformat=2 -Wmissing-prototypes -Wwrite-strings \
        $(if $(WERROR),-Werror)
DEFS := -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 $(call have,libwebp,WEBP) $(call have,libzip,LIBZIP) \
	$(call have,libcurl,CURL) $(if $(GIF),-DHAVE_GIF) $(if $(TLS),-DHAVE_OPENSSL)
ALL_CFLAGS = -std=c11 $(WARN) $(DEFS) -I. -I$(B)/gen -isystem /usr/include/stb \
	$(shell pkg-config --cflags $(PC) 2>/dev/null) $(CFLAGS) -pthread \
	$(if $(SAN),-fsanitize=$(SAN) -fno-omit-frame-pointer -fno-sanitize-recover=all) \
	$(if $(COVER),--coverage -O0)
ALL_LDFLAGS = $(LDFLAGS) -pthread $(if $(SAN),-fsanitize=$(SAN)) $(if $(COVER),--coverage)
# dlopen() was in a library of its own once.
DL := $(if $(filter Linux,$(shell uname -s)),-ldl)
LIBS = $(shell pkg-config --libs $(filter-out $(PC_LATER),$(PC)) $(UNPACK) 2>/dev/null) $(GIF) $(DL) -lm

$(B)/obj/core/text/unpack.o: DEFS += $(UNPACK_DEFS)
$(B)/obj/core/text/zip_load.o: DEFS += -DZIP_FILE='"$(call later,libzip)"'
$(B)/obj/core/net/curl_load.o: DEFS += -DCURL_FILE='"$(call later,libcurl)"'

SRC  := $(sort $(wildcard core/*/*.c db/*.c tui/*.c tui/*/*.c))
GEN  := queries.gen.c schema.gen.c themes.gen.c keys.gen.c prompts.gen.c
OBJ  := $(SRC:%.c=$(B)/obj/%.o) $(GEN:%.c=$(B)/obj/gen/%.o)
MAIN := $(B)/obj/tui/main.o
LIB  := $(B)/libqualm.a

UNIT := $(sort $(wildcard tests/unit/test_*.c))
FUZZ_SRC := $(sort $(wildcard tests/fuzz/fuzz_*.c))
UNIT_BIN := $(UNIT:%.c=$(B)/%)
REPLAY_BIN := $(FUZZ_SRC:%.c=$(B)/%-replay)
TESTLIB := $(sort $(wildcard tests/unit/lib_*.c tests/fixtures/*.c))
TESTLIB_OBJ := $(TESTLIB:%.c=$(B)/obj/%.o)

.PHONY: all help deps demo check tests test lint bench fuzz cover install uninstall clean format
.DEFAULT_GOAL := all
.SECONDARY:
.DELETE_ON_ERROR:

all: $(B)/qualm

help:
	@echo 'make            build build/qualm'
	@echo 'make demo       install what is missing, build, make the demo project, open it'
	@echo 'make check      install what is missing, build, pass every test'
	@echo 'make deps       install what is missing (says what; asks when interactive)'
	@echo 'make install    PREFIX=$(PREFIX) DESTDIR=$(DESTDIR)'
	@echo 'make lint       direction of includes, headers alone, lengths, manual pages'
	@echo 'make bench      measure the budgets; SIZE=10M for ten million answers'
	@echo 'make fuzz       T=60 seconds a target (clang)'
	@echo 'make cover      coverage of the tests'
	@echo 'SAN=address,undefined | SAN=thread    in front of any of them'

$(B)/qualm: $(MAIN) $(LIB)
	$(call say,LINK,$@)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)

$(LIB): $(filter-out $(MAIN),$(OBJ))
	$(call say,AR,$@)rm -f $@ && ar rcs $@ $^

$(B)/obj/%.o: %.c | $(GEN:%=$(B)/gen/%) $(B)/gen/queries.gen.h
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(B)/obj/gen/%.o: $(B)/gen/%.c $(B)/gen/queries.gen.h
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

EMBED = @mkdir -p $(B)/gen; awk -f db/embed.awk
QUERIES := db/sql/queries.sql db/sql/verify.sql
$(B)/gen/queries.gen.h: $(QUERIES) db/embed.awk
	$(EMBED) -v mode=queries -v part=h $(QUERIES) > $@
$(B)/gen/queries.gen.c: $(QUERIES) db/embed.awk
	$(EMBED) -v mode=queries -v part=c $(QUERIES) > $@
$(B)/gen/schema.gen.c: db/sql/schema.sql $(sort $(wildcard db/sql/migrate-*.sql)) db/embed.awk
	$(EMBED) -v mode=text -v name=schema_sql db/sql/schema.sql > $@
	$(Q){ echo 'struct embedded { const char *name, *text; };'; \
	  echo 'extern const struct embedded migrations[]; const struct embedded migrations[] = {'; \
	  awk -f db/embed.awk -v mode=table $(sort $(wildcard db/sql/migrate-*.sql)) /dev/null; \
	  echo '{0, 0}};'; } >> $@
$(B)/gen/themes.gen.c: $(sort $(wildcard themes/*.theme)) db/embed.awk
	@mkdir -p $(B)/gen
	$(Q){ echo '#include "tui/term/theme.h"'; echo 'const struct theme_source theme_sources[] = {'; \
	  awk -f db/embed.awk -v mode=table $(sort $(wildcard themes/*.theme)) /dev/null; \
	  echo '{0, 0}};'; } > $@
$(B)/gen/prompts.gen.c: $(sort $(wildcard core/protocol/prompts/*.prompt)) db/embed.awk
	@mkdir -p $(B)/gen
	$(Q){ echo '#include "core/protocol/prompt.h"'; echo 'const struct prompt_source prompt_sources[] = {'; \
	  awk -f db/embed.awk -v mode=table $(sort $(wildcard core/protocol/prompts/*.prompt)) /dev/null; \
	  echo '{0, 0}};'; } > $@
$(B)/gen/keys.gen.c: tui/default.keys db/embed.awk
	$(EMBED) -v mode=text -v name=default_keys $< > $@

# --- tests ---

$(B)/tests/unit/%: $(B)/obj/tests/unit/%.o $(TESTLIB_OBJ) $(LIB)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS) $(TLS) -lcmocka

$(B)/tests/fuzz/%-replay: $(B)/obj/tests/fuzz/%.o $(B)/obj/tests/fuzz/replay.o $(LIB)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)

BENCH_BIN := $(patsubst %,$(B)/tests/bench/%,floor gen look pictures query runs scan stop turn zoom)
$(B)/tests/bench/pictures: $(B)/obj/tests/bench/hold.o
$(BENCH_BIN): $(B)/tests/bench/%: $(B)/obj/tests/bench/%.o $(B)/obj/tests/bench/bench.o \
		$(B)/obj/tests/bench/screen.o $(TESTLIB_OBJ) $(LIB)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS) $(TLS) -lcmocka

deps:
	@sh .ci/deps

tests: $(B)/qualm $(UNIT_BIN) $(REPLAY_BIN)

test: tests
	@QUALM=$(abspath $(B)/qualm) BUILD=$(B) sh tests/run.sh

# make demo and make check use every core, unless -j says how many.
ALL_CORES = $(if $(findstring -j,$(MAKEFLAGS)),,-j$(JOBS))

# Where packages are missing and cannot be installed, what can be compiled is, and the list of
# what is missing is the last thing said.
check:
	@sh .ci/deps
	@$(MAKE) --no-print-directory -k $(ALL_CORES) test || { sh .ci/deps --list; exit 1; }

demo:
	@sh .ci/deps
	@$(MAKE) --no-print-directory -k $(ALL_CORES) all || { sh .ci/deps --list; exit 1; }
	@$(B)/qualm demo $(B)/demo

lint: all
	@BUILD=$(B) CC="$(CC)" CFLAGS="$(ALL_CFLAGS)" sh tests/lint.sh

bench: all $(BENCH_BIN)
	@QUALM=$(abspath $(B)/qualm) BUILD=$(B) sh tests/bench/run.sh
	@QUALM=$(abspath $(B)/qualm) BUILD=$(B) sh tests/bench/pictures.sh
	@$(B)/tests/bench/zoom $(B)/bench/zoom.json
	@$(B)/tests/bench/stop $(abspath $(B)/qualm) $(B)/bench/stop.json

# Coverage-guided fuzzing with clang's libFuzzer; the corpus under tests/fuzz/corpus is replayed by `make check`.
fuzz:
	@BUILD=$(B) T=$(T) LIBS="$(LIBS)" sh tests/fuzz/run.sh

cover:
	@$(MAKE) --no-print-directory $(ALL_CORES) COVER=1 test
	@sh tests/cover.sh build/cover

install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1 \
		$(DESTDIR)$(PREFIX)/share/man/man5 $(DESTDIR)$(PREFIX)/share/man/man7 \
		$(DESTDIR)$(PREFIX)/share/qualm/themes
	install -m 755 $(B)/qualm $(DESTDIR)$(PREFIX)/bin/qualm
	for m in man/*.[157]; do install -m 644 $$m $(DESTDIR)$(PREFIX)/share/man/man$${m##*.}/; done
	install -m 644 themes/*.theme $(DESTDIR)$(PREFIX)/share/qualm/themes/

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/qualm
	for m in man/*.[157]; do rm -f $(DESTDIR)$(PREFIX)/share/man/man$${m##*.}/$${m##*/}; done
	rm -rf $(DESTDIR)$(PREFIX)/share/qualm

clean:
	rm -rf build

format:
	clang-format -i $(shell git ls-files '*.c' '*.h')

-include $(shell find build -name '*.d' 2>/dev/null)
