# Makefile -- the only front door.
#
#   make run      installs what is missing (Debian 12), builds build/cob, runs an example with it
#   make test     the same set-up, then every test; ends with "N passed, N failed"
#   make          build/cob, the release binary: one file, needs libc, libm and ld.so only
#   make debug    build/cob-debug, with ASan and UBSan, engine as a shared library
#   make check    format, layers, banned words, sizes, clang-tidy
#   make bench    budgets and micro-benchmarks      make fuzz   each parser for FUZZ_SECONDS
#   make install PREFIX=/usr/local                  make clean
#
# ENGINE=shared links build/cob against the system's engine library instead of embedding it.

CC ?= cc
ifeq ($(origin CC),default)
CC := gcc
endif
BUILD := build
ENGINE ?= static
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 30
VERSION := $(shell cat VERSION)
REVISION := $(shell git rev-parse --short=9 HEAD 2>/dev/null || echo unknown)

# V=1 shows the commands.
ifeq ($(V),1)
Q :=
say = :
else
Q := @
say = echo "  $(1)"
endif

.DEFAULT_GOAL := all
.SUFFIXES:
.DELETE_ON_ERROR:

WARN := -Wall -Wextra -Werror -Wshadow -Wconversion -Wsign-conversion -Wstrict-prototypes \
  -Wmissing-prototypes -Wvla -Wimplicit-fallthrough -Wundef -Wformat=2 -Wcast-qual
# Asked for once, by the first recipe that wants it: before the set-up there is no pkg-config.
GLIB_CFLAGS = $(eval GLIB_CFLAGS := $(shell pkg-config --cflags glib-2.0))$(GLIB_CFLAGS)
CPPFLAGS := -D_GNU_SOURCE -Isrc -I$(BUILD)/gen
ENGINE_CPPFLAGS = -isystem /usr/include/webkitgtk-4.1 $(patsubst -I%,-isystem %,$(GLIB_CFLAGS))
CFLAGS_COMMON := -std=gnu17 $(WARN) -fno-strict-aliasing -ffunction-sections -fdata-sections
CFLAGS_release := -O2 -g1 -fno-pie -fno-semantic-interposition
CFLAGS_debug := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined \
  -fno-sanitize-recover=undefined -DCOB_DEBUG -fno-pie
# The options for ASan by name: nobody asks the archive for them.
LDFLAGS_debug := -Wl,--build-id=sha1 -fsanitize=address,undefined -no-pie $(BUILD)/obj/debug/src/engine/js_sanitize.o

SETUP := $(BUILD)/.setup
-include tools/so2obj/rules.mk
-include tools/embed/rules.mk
-include tools/check/rules.mk

# ---- Sources: every .c below src; *_test.c are unit tests -----------------------------------------
ALL_C := $(sort $(shell find src -name '*.c'))
TEST_C := $(filter %_test.c,$(ALL_C)) tests/unit_main.c
LIB_C := $(filter-out %_test.c src/main.c,$(ALL_C))
GEN_C := $(EMBED_TABLE)

objs = $(patsubst %.c,$(BUILD)/obj/$(1)/%.o,$(2))

all: $(SETUP) $(BUILD)/cob
debug: $(SETUP) $(BUILD)/cob-debug
.PHONY: all debug run test check bench fuzz install clean

# Packages first: nothing can be compiled before they are there.
$(SETUP): tools/setup/setup.sh tools/setup/packages
	@mkdir -p $(BUILD)
	sh tools/setup/setup.sh tools/setup/packages
	@touch $@

define VARIANT
$(BUILD)/obj/$(1)/%.o: %.c | $(SETUP)
	@mkdir -p $$(@D)
	@$$(call say,CC $(1) $$<)
	$$(Q)$$(CC) $$(CPPFLAGS) $$(EXTRA_CPPFLAGS) $$(CFLAGS_COMMON) $$(CFLAGS_$(1)) -MMD -MP -c -o $$@ $$<
$(BUILD)/obj/$(1)/libcob.a: $(call objs,$(1),$(LIB_C) $(GEN_C))
	@rm -f $$@
	$$(Q)ar rcs $$@ $$^
$(BUILD)/obj/$(1)/src/engine/%.o: EXTRA_CPPFLAGS = $$(ENGINE_CPPFLAGS)
$(BUILD)/obj/$(1)/src/cli/%.o: EXTRA_CPPFLAGS = -DCOB_VERSION='"$(VERSION)"' -DCOB_REVISION='"$(REVISION)"'
$(BUILD)/obj/$(1)/src/runtime/%.o: EXTRA_CPPFLAGS = -DCOB_VERSION='"$(VERSION)"' -DCOB_REVISION='"$(REVISION)"'
-include $(patsubst %.o,%.d,$(call objs,$(1),$(ALL_C) $(GEN_C) tests/unit_main.c))
endef
$(eval $(call VARIANT,release))
$(eval $(call VARIANT,debug))

STATIC_LIBS := -l:liburing.a $(patsubst %,-l:lib%.a,ssl crypto nghttp2 cares sodium crypt fyaml \
  deflate brotlienc brotlidec brotlicommon zstd z ffi)
SHARED_LIBS := $(JSC_SHARED_LIBS) -licui18n -licuuc -luring -lssl -lcrypto -lnghttp2 -lcares -lsodium \
  -lcrypt -lfyaml -ldeflate -lbrotlienc -lbrotlidec -lbrotlicommon -lzstd -lz -lffi
GLIB_SHARED = $(shell pkg-config --libs glib-2.0)
LINK_MAP := -Wl,--gc-sections -Wl,--build-id=sha1

# Add-ons find Node-API, and nothing else, in the executable: the list of its functions says what
# the linker must keep and what it shows.
NAPI_SYMBOLS := src/napi/symbols
NAPI_LIST := $(BUILD)/gen/napi.list
NAPI_ARGS := $(BUILD)/gen/napi.args
LINK_NAPI := @$(NAPI_ARGS) -Wl,--dynamic-list=$(NAPI_LIST)
$(NAPI_LIST): $(NAPI_SYMBOLS)
	@mkdir -p $(@D)
	@(echo '{'; sed '/^#/d; s/$$/;/' $<; echo '};') >$@
$(NAPI_ARGS): $(NAPI_SYMBOLS)
	@mkdir -p $(@D)
	@sed '/^#/d; s/^/-Wl,--require-defined=/' $< >$@
$(BUILD)/cob $(BUILD)/cob-debug: $(NAPI_LIST) $(NAPI_ARGS)
$(BUILD)/cob: LINK_MAP += $(LINK_NAPI)

# For the program that compiles the built-ins (tools/embed).
$(BUILD)/obj/release/libengine.a: $(filter $(addprefix $(BUILD)/obj/release/src/,engine/% util/% codec/%), \
  $(call objs,release,$(LIB_C)))
	@rm -f $@
	$(Q)ar rcs $@ $^

RELEASE_PROGRAMS := $(BUILD)/cob $(BUILD)/native_call
$(BUILD)/cob: $(BUILD)/obj/release/src/main.o
$(BUILD)/native_call: $(BUILD)/obj/release/bench/native_call.o

ifeq ($(ENGINE),static)
$(BUILD)/cob: $(EMBED_CODE)
$(RELEASE_PROGRAMS): $(BUILD)/obj/release/libcob.a $(JSC_OBJS)
	@$(call say,LINK $@)
	$(Q)$(CC) -o $@ $(filter %.o,$^) $(BUILD)/obj/release/libcob.a $(LINK_MAP) $(STATIC_LIBS) \
	  $(JSC_LINK_FLAGS) $(JSC_STATIC_LIBS)
else
$(RELEASE_PROGRAMS): $(BUILD)/obj/release/libcob.a
	@$(call say,LINK $@)
	$(Q)$(CC) -no-pie -o $@ $(filter %.o,$^) $(BUILD)/obj/release/libcob.a $(LINK_MAP) $(SHARED_LIBS) $(GLIB_SHARED) -lm
endif

# Needs no engine.
$(BUILD)/transpile: $(BUILD)/obj/release/bench/transpile.o $(BUILD)/obj/release/libcob.a
	@$(call say,LINK $@)
	$(Q)$(CC) -no-pie -o $@ $^ $(LINK_MAP) -lm

$(BUILD)/cob-debug: $(BUILD)/obj/debug/src/main.o $(BUILD)/obj/debug/libcob.a
	@$(call say,LINK $@)
	$(Q)$(CC) $(LDFLAGS_debug) -o $@ $< $(BUILD)/obj/debug/libcob.a $(LINK_NAPI) $(SHARED_LIBS) $(GLIB_SHARED) -lm

$(BUILD)/unit: $(call objs,debug,$(TEST_C)) $(BUILD)/obj/debug/libcob.a
	@$(call say,LINK $@)
	$(Q)$(CC) $(LDFLAGS_debug) -o $@ $(filter %.o,$^) $(BUILD)/obj/debug/libcob.a $(SHARED_LIBS) \
	  $(GLIB_SHARED) -lm

run: all
	$(BUILD)/cob run examples/hello.js

test: all debug $(BUILD)/unit
	bash tests/run.sh $(BUILD)

bench: all $(BUILD)/native_call $(BUILD)/transpile
	bash bench/run.sh $(BUILD)

fuzz: $(SETUP)
	bash tests/fuzz/run.sh $(BUILD) $(FUZZ_SECONDS)

install: all
	install -D -m 755 $(BUILD)/cob $(DESTDIR)$(PREFIX)/bin/cob

clean:
	rm -rf $(BUILD)
