# tools/embed/rules.mk -- builds the host program that embeds the built-ins, and runs it.
# Offers: $(EMBED_TABLE), the generated C file; test-embed, which ends with "N passed, N failed".

HOST_CC ?= $(CC)
HOST_CFLAGS ?= -std=gnu17 -O1 -g -D_GNU_SOURCE -Wall -Wextra -Werror -Wshadow -Wconversion \
  -Wsign-conversion -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wimplicit-fallthrough -Wundef \
  -Wformat=2 -Wcast-qual

EMBED := build/tools/embed
EMBED_TABLE := build/gen/builtins_table.c
EMBED_HEADERS := $(wildcard tools/embed/*.h)
EMBED_LIB := tools/embed/host.c tools/embed/jslex.c tools/embed/jsstrip.c

BUILTIN_FILES := $(sort $(shell find src/builtins -name '*.js' -o -name '*.c' 2>/dev/null))
BUILTIN_HALVES := $(filter-out %.test.js,$(filter %.js,$(BUILTIN_FILES)))

$(EMBED): tools/embed/embed.c $(EMBED_LIB) $(EMBED_HEADERS)
	@mkdir -p $(@D)
	$(HOST_CC) $(HOST_CFLAGS) -Itools -o $@ $(filter %.c,$^)

# The list changes only when a file came or went: then the table is made again too.
build/gen/builtins.list: embed-always
	@mkdir -p $(@D)
	@printf '%s\n' $(BUILTIN_FILES) | cmp -s - $@ || printf '%s\n' $(BUILTIN_FILES) >$@

$(EMBED_TABLE): $(EMBED) build/gen/builtins.list $(BUILTIN_HALVES)
	$(EMBED) src/builtins $@

build/tools/embed_test: tools/embed/embed_test.c tools/embed/hosttest.c $(EMBED_LIB) $(EMBED_HEADERS)
	@mkdir -p $(@D)
	$(HOST_CC) $(HOST_CFLAGS) -Itools -o $@ $(filter %.c,$^)

test-embed: $(EMBED) build/tools/embed_test
	build/tools/embed_test $(EMBED) $(HOST_CC)

.PHONY: embed-always test-embed
