# tools/check/rules.mk -- `make check`: format, layers, style, clang-tidy; test-check tests the
# checkers. Each check remembers what was good and looks only at what changed since (build/check,
# build/tidy). CPPFLAGS and ENGINE_CPPFLAGS come from the top Makefile.

CHECK_BIN := build/tools
CHECK_LIB := tools/check/ctok.c tools/check/findings.c tools/embed/host.c
CHECK_HEADERS := $(wildcard tools/check/*.h tools/embed/*.h)
CHECK_FLAGS = -std=gnu17 $(CPPFLAGS) $(ENGINE_CPPFLAGS)

# Inputs of tests are not ours to format.
CHECK_DATA := tests/cli tests/bundle tests/install tests/compat tests/runtime
CHECK_FIND = find src tests tools \( -name fixtures $(patsubst %,-o -path %,$(CHECK_DATA)) \) \
  -prune -o -type f

$(CHECK_BIN)/check_layers: tools/check/check_layers.c tools/check/layers.c $(CHECK_LIB) \
  $(CHECK_HEADERS)
$(CHECK_BIN)/check_style: tools/check/check_style.c tools/check/style_c.c tools/check/style_js.c \
  tools/check/style_text.c tools/check/style_words.c tools/embed/jslex.c $(CHECK_LIB) \
  $(CHECK_HEADERS)
$(CHECK_BIN)/check_test: tools/check/check_test.c tools/embed/hosttest.c tools/embed/host.c \
  $(CHECK_HEADERS)
$(CHECK_BIN)/check_layers $(CHECK_BIN)/check_style $(CHECK_BIN)/check_test:
	@mkdir -p $(@D)
	$(HOST_CC) $(HOST_CFLAGS) -Itools -o $@ $(filter %.c,$^)

# All of them, also after one has failed.
check:
	@$(MAKE) --no-print-directory -k check-format check-layers check-style check-tidy \
	  check-duplicates

FORMAT_STAMP := build/check/format.ok
check-format:
	@mkdir -p build/check; touch $(FORMAT_STAMP).next; \
	newer=; test $(FORMAT_STAMP) -nt .clang-format && newer='-newer $(FORMAT_STAMP)'; \
	$(CHECK_FIND) -name '*.[ch]' $$newer -print0 | \
	  xargs -0 -r -n 16 -P 2 clang-format --dry-run -Werror && \
	mv $(FORMAT_STAMP).next $(FORMAT_STAMP) && echo 'format: good'

check-layers: $(CHECK_BIN)/check_layers
	@$< build/check/headers $(CC) $(CHECK_FLAGS) -Wall -Wextra -Werror

check-style: $(CHECK_BIN)/check_style
	@$<

# A stamp a file; it depends on what the file includes, as the compiler lists it.
TIDY_JOBS ?= 2
TIDY_C = $(sort $(shell $(CHECK_FIND) -name '*.c' -print))
TIDY_FLAGS = $(CHECK_FLAGS)
build/tidy/tools/%: TIDY_FLAGS = -std=gnu17 -D_GNU_SOURCE -Itools
build/tidy/src/cli/% build/tidy/src/runtime/%: TIDY_FLAGS = $(CHECK_FLAGS) \
  -DCOB_VERSION='"0"' -DCOB_REVISION='"0"'

check-tidy:
	@$(MAKE) --no-print-directory -k -j$(TIDY_JOBS) tidy-files && echo 'clang-tidy: good'

ifneq ($(filter tidy-files,$(MAKECMDGOALS)),)
tidy-files: $(patsubst %.c,build/tidy/%.ok,$(TIDY_C))
-include $(patsubst %.c,build/tidy/%.d,$(TIDY_C))
endif

build/tidy/%.ok: %.c .clang-tidy
	@mkdir -p $(@D)
	@clang-tidy --quiet $< -- $(TIDY_FLAGS) >$@.log 2>$@.err || \
	  { grep -A 2 'error: ' $@.log || cat $@.log $@.err; rm -f $@; exit 1; }
	@rm -f $@.log $@.err
	@$(CC) $(TIDY_FLAGS) -MM -MP -MT $@ -MF build/tidy/$*.d $<
	@touch $@

# For information only: what a change wrote again.
check-duplicates:
	@if command -v duplicates >/dev/null; then duplicates --change; fi

test-check: $(CHECK_BIN)/check_layers $(CHECK_BIN)/check_style $(CHECK_BIN)/check_test
	$(CHECK_BIN)/check_test $(CHECK_BIN) $(HOST_CC)

.PHONY: check check-format check-layers check-style check-tidy check-duplicates tidy-files test-check
