/* engine/js_bytes_test.c -- buffers and views. */
#include "engine/js_testing.h"

static JsVal eval(Js *js, const char *source)
{
    JsVal v = js_eval(js, str_z(source), S("/t.js"), 1);
    if (!v) test_fail(__FILE__, __LINE__, source);
    return v ? v : JS_UNDEFINED;
}

/* Every case is bytes 1, 2, 3, ... of that length. */
TEST(js_bytes_of_every_view)
{
    static const struct {
        const char *source;
        usize n;
    } cases[] = {
        {"fill(new Uint8Array(5))", 5},
        {"fill(new Uint8Array(5000))", 5000},
        {"fill(new Uint8Array(0))", 0},
        {"fill(new Int8Array(3))", 3},
        {"fill(new Uint8ClampedArray(3))", 3},
        {"fill(new Uint16Array(3))", 6},
        {"fill(new Float16Array(3))", 6},
        {"fill(new Int32Array(3))", 12},
        {"fill(new Float32Array(3))", 12},
        {"fill(new Float64Array(3))", 24},
        {"fill(new BigUint64Array(3))", 24},
        {"fill(new ArrayBuffer(7))", 7},
        {"fill(new SharedArrayBuffer(7))", 7},
        {"fill(new DataView(new ArrayBuffer(9), 2, 5))", 5},
        {"fill(new DataView(new ArrayBuffer(9)))", 9},
        {"fill(new Uint8Array(new ArrayBuffer(64), 8, 4))", 4},
        {"fill(new Uint16Array(new ArrayBuffer(64), 8, 4))", 8},
        {"fill(new Uint8Array(8).subarray(2, 6))", 4},
        {"let b = new ArrayBuffer(4, {maxByteLength: 64}); b.resize(9); fill(b)", 9},
        {"let c = new ArrayBuffer(4, {maxByteLength: 64}), u = new Uint8Array(c); c.resize(9); "
         "fill(u)",
         9},
        {"let d = new ArrayBuffer(8, {maxByteLength: 64}), w = new Uint16Array(d); d.resize(6); "
         "fill(w)",
         6},
        {"let s = new SharedArrayBuffer(4, {maxByteLength: 64}); s.grow(10); fill(s)", 10},
        {"let g = new SharedArrayBuffer(4, {maxByteLength: 64}), x = new Uint8Array(g); "
         "g.grow(10); fill(x)",
         10},
        {"let h = new ArrayBuffer(8, {maxByteLength: 64}), y = new Uint8Array(h, 4, 4); "
         "h.resize(6); y",
         0},
        {"let i = new ArrayBuffer(8), z = new Uint8Array(i); i.transfer(); z", 0},
        {"let j = new ArrayBuffer(8); j.transfer(); j", 0},
        {"fill(new WebAssembly.Memory({initial: 1}).buffer)", 65536},
    };
    Js *js = test_js();
    (void)eval(
        js,
        "function fill(v) {"
        "  const u = ArrayBuffer.isView(v) ? new Uint8Array(v.buffer, v.byteOffset, v.byteLength)"
        "                                  : new Uint8Array(v);"
        "  for (let i = 0; i < u.length; i++) u[i] = i + 1; return v }");
    for (u32 i = 0; i < COUNT(cases); i++) {
        JsBytes bytes = {0};
        JsVal v = eval(js, cases[i].source);
        CHECK(js_bytes(js, v, &bytes));
        CHECK_INT(bytes.n, cases[i].n);
        for (usize k = 0; k < bytes.n; k++) {
            if (bytes.p[k] != (u8)(k + 1))
                test_fail_int(__FILE__, __LINE__, bytes.p[k], (u8)(k + 1));
        }
    }
    js_free(js);
}

TEST(js_bytes_of_other_things)
{
    static const char *const cases[] = {"1",
                                        "'s'",
                                        "({})",
                                        "[1]",
                                        "null",
                                        "() => 1",
                                        "new Proxy(new Uint8Array(1), {})",
                                        "({buffer: 1, byteLength: 5})"};
    Js *js = test_js();
    JsBytes bytes;
    for (u32 i = 0; i < COUNT(cases); i++) CHECK(!js_bytes(js, eval(js, cases[i]), &bytes));
    CHECK(!js_is_pending(js));
    js_free(js);
}

TEST(js_detached_is_told_from_empty)
{
    Js *js = test_js();
    CHECK(!js_is_detached(js, eval(js, "new ArrayBuffer(0)")));
    CHECK(!js_is_detached(js, eval(js, "new Uint8Array(0)")));
    CHECK(!js_is_detached(js, eval(js, "new Uint8Array(new ArrayBuffer(0))")));
    CHECK(!js_is_detached(js, eval(js, "new Uint8Array(4)")));
    CHECK(!js_is_detached(js, eval(js, "5")));
    CHECK(js_is_detached(js, eval(js, "let a = new ArrayBuffer(4); a.transfer(); a")));
    CHECK(js_is_detached(js, eval(js, "let b = new Uint8Array(4); b.buffer.transfer(); b")));
    js_free(js);
}

TEST(js_reading_bytes_does_not_pin_the_buffer)
{
    if (getenv("COB_TEST_JS")) return; /* the C API does pin */
    Js *js = test_js();
    JsBytes bytes;
    JsVal v = eval(js, "globalThis.u = new Uint8Array(8)");
    REQUIRE(js_bytes(js, v, &bytes));
    CHECK_EVAL(js, "u.buffer.transfer().byteLength + ' ' + u.length", "8 0");
    js_free(js);
}

static u32 frees;
static void count_free(void *p, void *data)
{
    (void)p;
    __atomic_add_fetch((u32 *)data, 1, __ATOMIC_RELAXED);
}

TEST(js_buffers_from_native_memory)
{
    Js *js = test_js();
    static u8 memory[4096];
    memory[0] = 7;
    test_global(js, "a", js_u8array(js, "\1\2\3", 3));
    test_global(js, "b", js_array_buffer(js, "\4\5", 2));
    test_global(js, "z", js_u8array(js, NULL, 0));
    CHECK_EVAL(js, "a.join() + '|' + new Uint8Array(b).join() + '|' + z.length", "1,2,3|4,5|0");
    CHECK_EVAL(js, "a instanceof Uint8Array && b instanceof ArrayBuffer", "true");
    frees = 0;
    test_global(js, "c", js_u8array_take(js, memory, sizeof memory, count_free, &frees));
    test_global(js, "d", js_array_buffer_take(js, memory, sizeof memory, count_free, &frees));
    CHECK_EVAL(js, "c[1] = 9; c[0] + new Uint8Array(d)[1] + c.length", "4112");
    CHECK_INT(memory[1], 9);
    test_global(js, "e", js_u8array_take(js, memory, 0, count_free, &frees));
    test_global(js, "f", js_array_buffer_take(js, memory, 0, count_free, &frees));
    CHECK_EVAL(js, "e.length + f.byteLength", "0");
    CHECK_INT(frees, 2);
    js_free(js);
    CHECK_INT(frees, 4);
}

TEST(js_arrays_over_shared_memory)
{
    static u32 words[4];
    static f64 numbers[2];
    Js *js = test_js();
    test_global(js, "w", js_u32array_shared(js, words, 4));
    test_global(js, "f", js_f64array_shared(js, numbers, 2));
    words[2] = 4000000000u;
    numbers[1] = 1.5;
    CHECK_EVAL(js, "w[3] = 8; f[0] = 2.5; w[2] + '|' + f[1]", "4000000000|1.5");
    CHECK_INT(words[3], 8);
    CHECK(numbers[0] == 2.5);
    js_free(js);
}

TEST(js_shared_memory_is_told_from_other_memory)
{
    Js *js = test_js();
    static const struct {
        const char *source;
        bool is_shared;
    } cases[] = {
        {"new Uint8Array(3)", false},
        {"new Uint8Array(3000)", false},
        {"new Uint8Array(new ArrayBuffer(8), 2, 3)", false},
        {"new Uint8Array(new ArrayBuffer(8, { maxByteLength: 16 }))", false},
        {"(() => { const a = new Uint16Array(4); a.buffer; a.more = 1; return a; })()", false},
        {"new DataView(new ArrayBuffer(8))", false},
        {"new ArrayBuffer(8)", false},
        {"({})", false},
        {"new SharedArrayBuffer(8)", true},
        {"new Uint8Array(new SharedArrayBuffer(8), 1)", true},
        {"new Float64Array(new SharedArrayBuffer(8, { maxByteLength: 16 }))", true},
        {"new DataView(new SharedArrayBuffer(8))", true},
        {"(() => { const a = new Uint8Array(new SharedArrayBuffer(4)); a.more = 1; return a; })()",
         true},
    };
    for (u32 i = 0; i < COUNT(cases); i++) {
        JsVal v = eval(js, cases[i].source);
        if (js_is_shared(js, v) != cases[i].is_shared)
            test_fail(__FILE__, __LINE__, cases[i].source);
    }
}

TEST(js_wasm_modules_are_made_of_the_same_code)
{
    Js *js = test_js();
    JsVal module = eval(js, "new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0))");
    CHECK(!js_wasm_is(js, eval(js, "({})")));
    if (js_wasm_is(js, module)) {
        void *code = js_wasm_take(js, module);
        u32 n_owners = *(u32 *)code;
        test_global(js, "copy", js_wasm_make(js, code, module));
        CHECK_INT(*(u32 *)code, (int)n_owners); /* what was taken is the new module's now */
        CHECK_EVAL(js, "copy instanceof WebAssembly.Module", "true");
        CHECK_EVAL(js, "new WebAssembly.Instance(copy) instanceof WebAssembly.Instance", "true");
    }
    js_free(js);
}
