# rules.mk -- builds so2obj and, with it, the object that holds JavaScriptCore.
#
# Included by the Makefile at the top, which sets CC and BUILD.  The link of the release binary is
#   $(CC) OBJECTS $(JSC_OBJS) LIBRARIES $(JSC_LINK_FLAGS) $(JSC_STATIC_LIBS)
# with $(JSC_OBJS) among the prerequisites, and that of a build with the shared library
#   $(CC) OBJECTS LIBRARIES $(JSC_SHARED_LIBS)

SO2OBJ_DIR := tools/so2obj
SO2OBJ := $(BUILD)/tools/so2obj
SO2OBJ_SRCS := $(addprefix $(SO2OBJ_DIR)/,report.c elf_in.c elf_sym.c elf_drop.c versions.c object.c \
  image.c reloc.c text.c export.c stubs.c main.c)
SO2OBJ_CFLAGS := -std=gnu17 -D_GNU_SOURCE -O2 -g -Wall -Wextra -Werror -Wshadow -Wconversion \
  -Wsign-conversion -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wimplicit-fallthrough -Wundef \
  -Wformat=2 -Wcast-qual

JSC_LIB_DIR ?= /usr/lib/x86_64-linux-gnu
JSC_LIB := $(JSC_LIB_DIR)/libjavascriptcoregtk-6.0.so.1
JSC_BASE := 0x20000000
JSC_GEN := $(BUILD)/gen
JSC_OBJ := $(JSC_GEN)/jsc.o
JSC_ARGS := $(JSC_GEN)/jsc.ld
JSC_STUBS_C := $(JSC_GEN)/jsc_stubs.c
JSC_OBJS := $(JSC_OBJ) $(JSC_GEN)/jsc_stubs.o $(JSC_GEN)/jsc_support.o

# Libraries whose functions the parts that an embedder uses never call: they get stubs.
JSC_UNLINKED := $(addprefix $(JSC_LIB_DIR)/,libgio-2.0.so.0 libgobject-2.0.so.0 libsystemd.so.0)
# Libraries that stay shared: the versions that JavaScriptCore wants must be their default ones.
JSC_LINKED := $(addprefix $(JSC_LIB_DIR)/,libc.so.6 libm.so.6 ld-linux-x86-64.so.2)

# The standard streams of C++, which jsc_support.c leaves unprepared.
JSC_FORBIDDEN := _ZSt4cout _ZSt4cerr _ZSt4clog _ZSt3cin _ZSt5wcout _ZSt5wcerr

# The engine forgets the time zone whenever it is entered, its threads end after ten seconds
# without work, and code that it kept is of one executable; jsc_support.c knows better.
JSC_THREAD := _ZN3WTF15AutomaticThreadC2ERKNS_14AbstractLockerENS_3BoxINS_4LockEEEONS_3RefINS_24$\
  AutomaticThreadConditionENS_12RawPtrTraitsIS8_EENS_21DefaultRefDerefTraitsIS8_EEEE
JSC_DIVERTED := _ZN3JSC9DateCache20resetIfNecessarySlowEv=jsc_reset_dates \
  $(JSC_THREAD)NS_7SecondsE=jsc_make_thread \
  $(JSC_THREAD)NS_10ThreadTypeENS_7SecondsE=jsc_make_typed_thread \
  _ZN3JSC30computeJSCBytecodeCacheVersionEv=jsc_code_version

JSC_LINK_FLAGS = -no-pie -static-libgcc @$(JSC_ARGS)
JSC_STATIC_LIBS = $(addprefix $(JSC_LIB_DIR)/,libglib-2.0.a libpcre2-8.a libicui18n.a libicuuc.a \
  libicudata.a) -Wl,-Bstatic -lstdc++ -Wl,-Bdynamic -lc -lm
JSC_SHARED_LIBS = -ljavascriptcoregtk-6.0

# Package files keep the time of their build, so that an update can look older than what was made
# from the version before: the stamp changes when the identity of a file does.
JSC_STAMP := $(JSC_GEN)/jsc.stamp
JSC_IDENTITY = $(shell stat -Lc '%n %s %Y %Z' $(JSC_LIB) $(JSC_UNLINKED) $(JSC_LINKED) 2>&1)

$(SO2OBJ): $(SO2OBJ_SRCS) $(SO2OBJ_DIR)/so2obj.h | $(SETUP)
	@mkdir -p $(@D)
	$(CC) $(SO2OBJ_CFLAGS) -o $@ $(SO2OBJ_SRCS)

.PHONY: jsc-identity
$(JSC_STAMP): jsc-identity | $(SETUP)
	@mkdir -p $(@D)
	@echo '$(JSC_IDENTITY)' | cmp -s - $@ || echo '$(JSC_IDENTITY)' > $@

$(JSC_OBJ) $(JSC_ARGS) $(JSC_STUBS_C) &: $(SO2OBJ) $(JSC_STAMP) $(SO2OBJ_DIR)/jsc.exports \
    $(SO2OBJ_DIR)/rules.mk
	$(SO2OBJ) --base $(JSC_BASE) --prefix jsc -o $(JSC_OBJ) --args $(JSC_ARGS) \
	  --export-file $(SO2OBJ_DIR)/jsc.exports --stubs $(JSC_STUBS_C) \
	  $(addprefix --stub-from ,$(JSC_UNLINKED)) \
	  $(addprefix --check-versions ,$(JSC_LINKED)) $(addprefix --forbid ,$(JSC_FORBIDDEN)) \
	  $(addprefix --divert ,$(JSC_DIVERTED)) \
	  $(JSC_LIB)

$(JSC_GEN)/jsc_stubs.o: $(JSC_STUBS_C) $(JSC_ARGS)
	$(CC) -std=gnu17 -O2 -fno-pie -fno-builtin -w -c -o $@ $<

$(JSC_GEN)/jsc_support.o: $(SO2OBJ_DIR)/jsc_support.c $(JSC_STAMP)
	@mkdir -p $(@D)
	$(CC) $(SO2OBJ_CFLAGS) -DJSC_CODE_VERSION=$$(cksum <$(JSC_STAMP) | cut -d' ' -f1)u \
	  -fno-pie -fno-builtin -c -o $@ $<

# ---- Tests: the tool with sanitizers, and a small embedder linked in both ways -------------------

JSC_PROBE := $(BUILD)/tools/jsc_probe
JSC_PROBE_CFLAGS := $(SO2OBJ_CFLAGS) -fno-pie -isystem /usr/include/webkitgtk-4.1

$(SO2OBJ)_asan: $(SO2OBJ_SRCS) $(SO2OBJ_DIR)/so2obj.h | $(SETUP)
	@mkdir -p $(@D)
	$(CC) $(SO2OBJ_CFLAGS) -fsanitize=address,undefined -fno-sanitize-recover=undefined -o $@ \
	  $(SO2OBJ_SRCS)

$(SO2OBJ)_test: $(SO2OBJ_DIR)/so2obj_test.c $(SO2OBJ_DIR)/test_run.c $(SO2OBJ_DIR)/test_run.h | $(SETUP)
	@mkdir -p $(@D)
	$(CC) $(SO2OBJ_CFLAGS) -o $@ $(filter %.c,$^)

$(JSC_PROBE).o: $(SO2OBJ_DIR)/jsc_probe.c | $(SETUP)
	@mkdir -p $(@D)
	$(CC) $(JSC_PROBE_CFLAGS) -c -o $@ $<

$(JSC_PROBE): $(JSC_PROBE).o $(JSC_OBJS)
	$(CC) -o $@ $(filter %.o,$^) -Wl,--gc-sections $(JSC_LINK_FLAGS) $(JSC_STATIC_LIBS)

$(JSC_PROBE)_shared: $(JSC_PROBE).o
	$(CC) -no-pie -o $@ $< $(JSC_SHARED_LIBS)

.PHONY: test-so2obj
test-so2obj: $(SO2OBJ)_asan $(SO2OBJ)_test $(JSC_PROBE) $(JSC_PROBE)_shared
	ASAN_OPTIONS=exitcode=99:detect_leaks=0 \
	  $(SO2OBJ)_test $(SO2OBJ)_asan $(CC) $(JSC_PROBE) $(JSC_PROBE)_shared

# For `make check`: the only host program that includes the engine's headers.
$(BUILD)/tidy/$(SO2OBJ_DIR)/jsc_probe.ok: TIDY_FLAGS = -std=gnu17 -D_GNU_SOURCE \
  -isystem /usr/include/webkitgtk-4.1
$(BUILD)/tidy/$(SO2OBJ_DIR)/jsc_support.ok: TIDY_FLAGS = -std=gnu17 -D_GNU_SOURCE \
  -DJSC_CODE_VERSION=0u
