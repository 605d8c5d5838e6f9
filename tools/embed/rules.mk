# tools/embed/rules.mk -- builds the host program that embeds the built-ins, and runs it.
# Offers: $(EMBED_TABLE), the generated C file; $(EMBED_CODE), an object with the code of the built-ins
# for programs that hold the engine; test-embed, which ends with "N passed, N failed".

HOST_CC ?= $(CC)
HOST_CFLAGS ?= -std=gnu17 -O1 -g -D_GNU_SOURCE -Wall -Wextra -Werror -Wshadow -Wconversion \
  -Wsign-conversion -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wimplicit-fallthrough -Wundef \
  -Wformat=2 -Wcast-qual

EMBED := build/tools/embed
EMBED_TABLE := build/gen/builtins_table.c
EMBED_TEXTS := build/gen/builtins.texts
EMBED_CODE := build/gen/builtins_code.o
ENCODE := build/tools/encode
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

$(EMBED_TABLE) $(EMBED_TEXTS) &: $(EMBED) build/gen/builtins.list $(BUILTIN_HALVES)
	$(EMBED) src/builtins $(EMBED_TABLE) $(EMBED_TEXTS)

# The engine and nothing of ours above it: edited halves do not link this again.
ENCODE_C := tools/embed/encode.c tools/embed/host.c
$(ENCODE): $(ENCODE_C) $(EMBED_HEADERS) src/runtime/vm.h $(BUILD)/obj/release/libengine.a $(JSC_OBJS)
	@mkdir -p $(@D)
	@$(call say,LINK $@)
	$(Q)$(CC) $(CPPFLAGS) -Itools $(CFLAGS_COMMON) $(CFLAGS_release) -o $@ $(ENCODE_C) \
	  $(BUILD)/obj/release/libengine.a $(JSC_OBJS) -Wl,--gc-sections -Wl,--build-id=sha1 \
	  $(JSC_LINK_FLAGS) $(JSC_STATIC_LIBS)

build/gen/builtins_code.bin: $(ENCODE) $(EMBED_TEXTS)
	@$(call say,ENCODE $@)
	$(Q)$(ENCODE) $(EMBED_TEXTS) $@

# Pages of its own: they are read when a built-in is, and dropped when the program idles.
$(EMBED_CODE): build/gen/builtins_code.bin
	$(Q)printf '%s\n' '.section .rodata.builtin_codes,"a"' '.balign 4096' \
	  '.globl builtin_codes' 'builtin_codes:' '.incbin "$<"' '.balign 4096' \
	  '.section .note.GNU-stack,""' | $(CC) -x assembler -c -o $@ -

build/tools/embed_test: tools/embed/embed_test.c tools/embed/hosttest.c $(EMBED_LIB) $(EMBED_HEADERS)
	@mkdir -p $(@D)
	$(HOST_CC) $(HOST_CFLAGS) -Itools -o $@ $(filter %.c,$^)

test-embed: $(EMBED) build/tools/embed_test
	build/tools/embed_test $(EMBED) $(HOST_CC)

.PHONY: embed-always test-embed

# For `make check`: it includes what the executable is made of.
build/tidy/tools/embed/encode.ok: TIDY_FLAGS = $(CHECK_FLAGS) -Itools
