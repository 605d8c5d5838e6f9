/* runtime/vm.h -- a Vm is one running program (or worker): the engine's machine, the loop, the
 * built-in modules and what decides when the program ends.  One per thread.
 *
 * The order after every callback is Node's: process.nextTick queue, microtasks, both again until
 * empty, then rejections without a handler are reported. */
#pragma once

#include "codec/sourcemap.h"
#include "engine/js.h"
#include "loop/loop.h"
#include "resolve/resolve.h"
#include "runtime/env_file.h"
#include "runtime/vm_watch.h"
#include "util/arena.h"
#include "util/base.h"
#include "util/map.h"
#include "util/str.h"

/* ---- The table of built-in modules, made by tools/embed (builtins/builtins.h)
 * -------------------- */

enum { BUILTIN_NO_NATIVE = 0xffff, BUILTIN_INTERNAL = 1 };

typedef struct {
    u32 id_off, id_len;     /* "node:os", in builtin_text */
    u32 src_off, src_len;   /* `(function (exports, require, native) {...})` */
    u32 path_off, path_len; /* "node/os/os.js", for debug builds that read it from disk */
    u16 native_idx;         /* into natives, or BUILTIN_NO_NATIVE */
    u16 flags;              /* BUILTIN_INTERNAL */
    u64 src_hash;
} BuiltinEntry;

/* What the texts were compiled to when this program was built (tools/embed/encode.c): one record
 * for each entry, then the code, each aligned to 16 bytes. */
typedef struct {
    u64 src_hash;
    u32 off, len; /* from the start of the whole; len 0: none */
} BuiltinCode;
typedef struct {
    u64 n;
    u64 unused;
    BuiltinCode at[];
} BuiltinCodes;

typedef struct {
    u32 name_off;
    u32 export_off;
    u16 name_len, export_len;
    u16 entry; /* index of the module that exports it */
} BuiltinGlobal;

typedef struct {
    const BuiltinEntry *entries; /* sorted by id */
    u32 n_entries;
    const char *text;
    const BuiltinCodes *codes; /* NULL: not in this build */
    const JsFnTable *const *natives;
    const BuiltinGlobal *globals; /* sorted by name */
    u32 n_globals;
    /* Makes the engine's console object ours; false: it cannot be, the module makes one. */
    bool (*start_console)(Js *js);
} VmBuiltins;

/* ---- Options and life
 * ----------------------------------------------------------------------------- */

typedef enum {
    VM_REJECTIONS_THROW, /* an unhandled rejection is an uncaught exception */
    VM_REJECTIONS_STRICT,
    VM_REJECTIONS_WARN,
    VM_REJECTIONS_WARN_CODE,
    VM_REJECTIONS_NONE,
} VmRejections;

typedef struct {
    const VmBuiltins *builtins;
    Str exec_path;        /* of this program */
    Str argv0;            /* as it was called */
    const Str *exec_argv; /* flags for us */
    u32 n_exec_argv;
    const Str *args; /* what the program sees behind process.argv[1] */
    u32 n_args;
    u32 console_depth; /* 0 = infinite */
    VmRejections rejections;
    const Str *preload; /* modules to load first */
    u32 n_preload;
    bool is_brief; /* as in JsOptions */
    bool smol, expose_internals, expose_gc, no_warnings, no_deprecation, trace_deprecation,
        throw_deprecation, trace_warnings, gc_stress, no_fast_natives;
    Str redirect_warnings;       /* a file, "" for standard error */
    const Str *disable_warnings; /* codes and types */
    u32 n_disable_warnings;
    u32 stack_trace_limit; /* 0 = 10 */
    const Str *loaders;    /* ".ending:loader" */
    u32 n_loaders;
    const struct Defines
        *defines; /* what stands for names of the program (--define); may be NULL */
    const ResolveOptions *resolve; /* what flags say about it; NULL: nothing */
    bool (*covers)(Str path);      /* is it counted what runs of a file?  NULL: of none */
    Str code_cache;                /* a folder, "0": none, "": the usual one (vm_code.c) */
} VmOptions;

typedef struct VmRejection {
    JsRef promise, reason;
} VmRejection;

/* A text that was given to the engine. */
/* The map from what runs to what stands in the file. */
typedef const SourceMap *VmMapOf(void *ctx);

typedef struct VmSource {
    JsRef text;         /* the string; the engine keeps the same characters */
    u32 head_len;       /* characters of wrapper before the program's text */
    bool has_head_line; /* they are a line of their own */
    Str original;       /* what stands in the file, when it is not what runs */
    VmMapOf *map_of;    /* NULL: everything has its place */
    void *map_ctx;
} VmSource;

typedef struct Vm Vm;
struct Vm {
    Js *js;
    Loop *loop;
    Arena arena;
    const VmOptions *options;
    Resolver *resolver;    /* made at first use */
    struct VmModules *esm; /* modules.h; made with the first ES module */
    StrMap sources;        /* url -> VmSource *: the texts that run, for stacks and code frames */
    struct VmCode *code;   /* vm_code.c; NULL: nothing is kept */
    JsRef *modules;        /* exports, by index of BuiltinEntry */
    JsRef require;         /* the `require` of built-ins */
    u32 tick_info[1];      /* shared with internal/tick: are there ticks? */
    JsRef process_ticks;
    JsRef report, report_rejections, report_late; /* internal/report */
    JsRef before_exit, exit;                      /* node:process, once it was loaded */
    VmRejection **rejections;                     /* not reported yet */
    u32 n_rejections, rejections_cap;
    JsRef **late; /* promises handled after they were reported */
    u32 n_late, late_cap;
    u64 start_ns; /* monotonic, when the Vm was made */
    Str main_path;
    Str given_path, given_text; /* vm_give_text */
    JsRef main_promise;         /* of a first module that awaits */
    JsRef main_exports;         /* of a first file that runs without the loader */
    bool is_main_loaded;        /* it has run to its end */
    JsRef console;              /* the console object, when it is the engine's */
    u32 console_indent[1];      /* shared with web:console: how many groups are open */
    u8 console_colors[3];       /* by descriptor: 0 not known yet, 1 no, 2 yes */
    bool is_all_live;           /* vm_esm_set_live */
    bool is_testing;            /* `cob test`: names of other runners mean ours */
    u32 immediate_info[1];      /* shared with node:timers: how many immediates wait */
    JsRef process_timers, process_immediates;
    LoopTimer timer; /* the one deadline of all JavaScript timers; open once `has_timer` */
    bool has_timer;
    struct VmSignals *signals;    /* node:process, made when a signal is first listened to */
    struct VmStdin *stdin_reader; /* internal/stdio, likewise */
    JsRef kept_bytes;             /* web/blob: the last large body, while somebody has it */
    u32 n_kept_uses;              /* of it */
    struct VmHttp *http;          /* internal/http_host: the servers */
    struct WebFetch *fetch;       /* web/fetch/client, made by the first request */
    struct VmNet *net;            /* internal/sockets: connections */
    struct VmWorker *worker;      /* vm_worker.h; NULL: the main thread */
    bool is_stopping;             /* nothing is called any more; other threads write it, too */
    f64 *fs_stat;                 /* shared with node:fs: what the last statSync() found */
    struct NapiHost *napi;        /* napi/: native add-ons, made with the first */
    void (*end_addons)(Vm *vm);   /* callbacks and memory of those; NULL: there are none */
    void (*free_addons)(Vm *vm);
    struct VmCoverage *coverage; /* vm_coverage.c, made with the first file that is counted */
    struct VmTests *tests;       /* internal/test_runner, in `cob test` */
    void (*before_wait)(Vm *vm); /* before the loop may sleep; NULL: nothing */
    int (*before_exit_now)(Vm *vm, int code); /* vm_exit: gives the code; NULL: nothing */
};

/* "0.1.0" and the commit it was built from. */
Str vm_version(void);
Str vm_revision(void);
/* Takes over this thread.  `options` must outlive it. */
Vm *vm_new(const VmOptions *options);
Vm *vm_of(Js *js);
/* Run the program to its end; the result is the exit code.  The path is a file that exists. */
int vm_run_file(Vm *vm, Str path);
/* `name` appears in stacks ("[eval]"); with `is_printed` the result is printed as console.log does.
 */
int vm_run_text(Vm *vm, Str text, Str name, bool is_printed);
/* Runs a script of the shell of `Bun.$`, whose $0 is `name`; the arguments are those of the Vm. */
int vm_run_shell(Vm *vm, Str text, Str name);
/* Runs the loop and what follows it, up to 'exit'; the code. */
int vm_finish(Vm *vm);
/* Ends a Vm that is not the last: loop, engine, memory.  On its own thread. */
void vm_free(Vm *vm);
/* Ends the process at once: restores the terminal, flushes nothing (nothing is buffered). */
NORETURN void vm_exit(Vm *vm, int code);

/* ---- For natives and loop callbacks
 * ---------------------------------------------------------------- */

/* Exports of a built-in module, evaluated at first use.  NULL and an exception when it throws. */
NODISCARD JsVal vm_builtin(Vm *vm, Str id);
/* Index of a built-in, or -1. */
i32 vm_builtin_find(const Vm *vm, Str id);
/* Gives the program its globals; false and an exception when that fails. */
NODISCARD bool vm_globals_init(Vm *vm);
/* Index of a global of the host, or -1. */
i32 vm_global_find(const Vm *vm, Str name);
bool vm_global_is_enumerable(Str name);
/* Evaluates the module that exports the global. */
NODISCARD JsVal vm_global_load(Vm *vm, u32 i);
/* The id ("node:fs") that a program's specifier ("fs", "node:fs", "bun") names, or an empty Str. */
Str vm_builtin_public(const Vm *vm, Str specifier);
/* A call into JavaScript from a callback of the loop: exceptions are reported as uncaught.  Ticks,
 * microtasks and rejections follow when the callback returns to the loop. */
void vm_call(Vm *vm, JsVal fn, JsArgs args);
/* Runs ticks, microtasks and rejections until there are none.  The loop does it after each of its
 * callbacks. */
void vm_after_callback(Vm *vm);
/* JsRejectionFn: keeps the promise until microtasks are done. */
void vm_on_rejection(Js *js, JsVal promise, JsVal reason, bool is_handled);
/* Reports the pending exception as uncaught. */
void vm_report_pending(Vm *vm);

/* --hot (vm_hot.c): listens for changes, when somebody watches for them. */
void vm_hot_start(Vm *vm);
/* Drops every module that is no built-in, so that the next import or require loads it again. */
void vm_forget_all(Vm *vm);

/* Runs the program's first file; NULL and an exception when it throws. */
NODISCARD JsVal vm_run_main(Vm *vm, Str path);

/* ---- Program text
 * ------------------------------------------------------------------------------------ */

/* Reads a source file as text (UTF-8, a byte order mark removed); throws ENOENT and the like. */
NODISCARD bool vm_read_text(Vm *vm, Arena *a, Str path, Str *ret);
/* The next vm_read_text of the path gets this text instead of reading; borrows both until then, or
 * until something else (an empty path: nothing) is given. */
void vm_give_text(Vm *vm, Str path, Str text);
/* Runs `text` as a script and remembers it under `url`; `head_len` characters of the first line are
 * not the program's. */
NODISCARD JsVal vm_eval(Vm *vm, Str text, Str url, u32 head_len);
/* The same for the text of a lowered ES module: its first line is the wrapper's. */
NODISCARD JsVal vm_eval_module(Vm *vm, Str text, Str url);
/* Compiles the text of a CommonJS module into its wrapper function. */
NODISCARD JsVal vm_compile_cjs(Vm *vm, Str text, Str path);
/* The same with the parameter $cob, for text in which import() was lowered. */
NODISCARD JsVal vm_compile_cjs_with(Vm *vm, Str text, Str path, bool has_importer);
/* Reads and compiles a file for require(): its wrapper, or null when it is an ES module. */
NODISCARD JsVal vm_compile_file(Vm *vm, Str path);
/* Has the text more than plain CommonJS: TypeScript, JSX, import, export, await, a name of
 * --define?
 */
bool vm_needs_transform(const Vm *vm, Str path, Str text);

/* ---- ES modules (modules.h); `id` numbers them ---- */

NODISCARD bool vm_is_esm_file(Vm *vm, Str path, bool *ret);
/* Loads the graph below a specifier, a file, a text.  Nothing runs. */
NODISCARD bool vm_esm_load(Vm *vm, Str specifier, Str importer, Str type, u32 *ret);
NODISCARD bool vm_esm_load_path(Vm *vm, Str path, u32 *ret);
NODISCARD bool vm_esm_load_text(Vm *vm, Str text, Str path, u32 *ret);
/* Links and runs it: undefined, or a promise when it awaits. */
NODISCARD JsVal vm_esm_evaluate(Vm *vm, u32 id);
NODISCARD JsVal vm_esm_namespace(Vm *vm, u32 id);
NODISCARD JsVal vm_esm_request_namespace(Vm *vm, u32 id, u32 request);
/* import defer: the namespace, its first use, and the ids of what has to run before. */
NODISCARD JsVal vm_esm_deferred_namespace(Vm *vm, u32 id);
NODISCARD bool vm_esm_run_deferred(Vm *vm, u32 id);
NODISCARD JsVal vm_esm_async_below(Vm *vm, u32 id);
/* Loads and runs what a module imports late: undefined or a promise; then what it reads of it. */
NODISCARD JsVal vm_esm_late(Vm *vm, u32 id, u32 request);
NODISCARD JsVal vm_esm_late_object(Vm *vm, u32 id, u32 request);
void vm_esm_fulfilled(Vm *vm, u32 id);
void vm_esm_rejected(Vm *vm, u32 id, JsVal error);
bool vm_esm_is_async(Vm *vm, u32 id);
/* Asks `hooks` (internal/module_hooks) about every module from now on. */
void vm_set_module_hooks(Vm *vm, JsVal hooks);
bool vm_has_module_hooks(const Vm *vm);
bool vm_esm_is_module(Vm *vm, u32 id);
/* Is it the value of a data file (TOML, YAML, ...)? */
bool vm_esm_is_data(Vm *vm, u32 id);
Str vm_esm_url(Vm *vm, u32 id);
Str vm_esm_path(Vm *vm, u32 id);
/* For the test runner: files load their modules anew.  Forgets what was loaded since vm_esm_keep,
 * so that the next import loads it again; what has it already keeps it.  `is_over`: nothing of it
 * runs any more, and it is freed. */
void vm_esm_keep(Vm *vm);
void vm_esm_forget(Vm *vm, bool is_over);
/* From now on modules are linked so that every use of an import reads it anew. */
void vm_esm_set_live(Vm *vm, bool is_live);
/* What importers read of the modules that a file has become: an array of objects. */
NODISCARD JsVal vm_esm_objects(Vm *vm, Str path);
/* JsImportFn: import() in code that was not lowered (eval, new Function). */
JsVal vm_import(Js *js, JsVal specifier, JsVal attributes, Str referrer);
/* The lowered text of a program that is no module; NULL p and an exception on failure. */
Str vm_esm_text(Vm *vm, u32 id);

/* Macros are called in this program while a file is compiled: MacroOptions.call, `ctx` is a
 * VmMacros. */
typedef struct {
    Vm *vm;
    Str importer; /* a path: their specifiers are resolved from there */
} VmMacros;
struct MacroCall;
bool vm_macro_call(void *ctx, Arena *a, const struct MacroCall *call, Str *ret);

/* The file that require(request) means in the file `parent` ("" or no absolute path: the current
 * folder), or the id of a built-in.  Throws with Node's codes. */
NODISCARD bool vm_resolve_require(Vm *vm, Str request, Str parent, Str *ret);
NODISCARD bool vm_need_resolver(Vm *vm);
/* The general form: throws with Node's codes.  *ret is valid as long as the resolver. */
NODISCARD bool vm_resolve(Vm *vm, Str specifier, Str importer, ResolveKind kind,
                          ResolveResult *ret);
/* "Did you mean ...?" for a specifier that was not found, or nothing.  Reads whole folders. */
Str vm_resolve_hint(Vm *vm, Arena *a, Str specifier, Str importer, ResolveKind kind);
/* May the text say a name that --define replaces? */
bool vm_has_defines(const Vm *vm, Str text);
/* Says what the file of a text that was evaluated contains; borrows everything. */
void vm_keep_original(Vm *vm, Str url, Str original, VmMapOf *map_of, void *ctx);
/* The text that was kept with `ctx` goes. */
void vm_drop_original(Vm *vm, Str url, const void *ctx);
/* Remembers a text that cannot be run, for the code frame of its syntax error. */
void vm_keep_text(Vm *vm, Str text, Str url);
/* JsMapFn: positions as a reader counts them, without the wrapper of the module. */
bool vm_map_position(Js *js, JsPosition *pos);
/* JsNameAtFn: the variable that is named just before a position. */
bool vm_name_at(Js *js, Arena *a, const JsPosition *pos, Str *ret);
/* Gives the engine's SyntaxError for `text` the message and the place that our parser finds. */
void vm_explain_syntax(Vm *vm, JsVal error, Str text, Str path);
/* Line `line` (1-based) of a source that was run, for code frames; false when there is none. */
bool vm_source_line(Vm *vm, Arena *a, Str url, u32 line, Str *ret);

/* ---- What has run (vm_coverage.c) ---------------------------------------------------------------
 *
 * Files that `options->covers` names are printed with counters, whose memory the printed text
 * shares under a global name.  A file that is loaded again goes on with the same counters. */

typedef struct {
    u32 line; /* from 1 */
    bool is_function;
} VmCounter;

typedef struct {
    Str path;
    Str name; /* of the global */
    u32 n;
    VmCounter *at;
    u32 *counts;
} VmCovered;

bool vm_covers(const Vm *vm, Str path);
/* The file's record, made when it is new. */
VmCovered *vm_covered(Vm *vm, Str path);
struct PrintCounters;
/* Takes what the printer counts in `source`; defines the global. */
NODISCARD bool vm_covered_set(Vm *vm, VmCovered *f, Str source,
                              const struct PrintCounters *counters);
/* Those that there are, in the order of their loading. */
u32 vm_covered_list(const Vm *vm, VmCovered *const **ret);

/* ---- Compiled programs kept on disk (vm_code.c, docs/internals/code-cache.md) -------------------
 *
 * A program of many files spends most of its start on being parsed.  Its first run leaves a mark,
 * the second writes what was compiled (at its end, or when it is idle), later ones take that.  What
 * is taken was compiled from exactly the same text by the same build. */

/* Looks for what is kept of the program whose first file is `path`; `text` is that file.  Small
 * programs of one file are left alone. */
void vm_code_open(Vm *vm, Str path, Str text);
/* The same for a set of programs that run one after another in this machine (tests), by a name that
 * no file has; `is_eager`: its first run writes already. */
void vm_code_open_set(Vm *vm, Str name, bool is_eager);
/* Evaluates a string that runs under `url`. */
NODISCARD JsVal vm_code_eval(Vm *vm, JsVal text, Str url);
/* What the fast path has made of a file, as bytes: found for exactly this source, or to be written
 * later.  `write` returns false when it was not the last word; `ctx` and the Strs live as long as
 * the Vm. */
bool vm_code_find_parsed(Vm *vm, Str path, Str source, Str *ret);
typedef bool VmWriteKept(void *ctx, Buf *b);
void vm_code_keep_parsed(Vm *vm, Str path, Str source, VmWriteKept *write, void *ctx);
/* Writes what is worth it; once a process. */
void vm_code_save(Vm *vm);
/* The same when nothing else is to do: not for very large programs, which would be held up. */
void vm_code_save_idle(Vm *vm);

/* node:module.  Where compiled programs are kept, "" when they are not. */
Str vm_code_dir(Vm *vm);
typedef enum { VM_CODE_FAILED, VM_CODE_ENABLED, VM_CODE_ALREADY, VM_CODE_DISABLED } VmCodeStatus;
/* `dir` may be "": the usual folder. */
VmCodeStatus vm_code_enable(Vm *vm, Str dir);
