/* jsc_probe.c -- a small embedder, to see that JavaScriptCore works embedded as it does shared.
 *
 * Without arguments it runs snippets that reach far apart parts of the engine and its libraries,
 * and prints their results.  With the argument `frames` it unwinds from a native function. */
#include <JavaScriptCore/JavaScript.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unwind.h>

#define FRAMES_WANTED 5

extern void jsc_register_frames(void) __attribute__((weak));

static const char *const snippets[] = {
    "[1,2,3].map(x => x * 2).join()",
    "JSON.stringify({a: [1, 'x', null], b: {c: true}})",
    "'a-b-c'.replace(/-(.)/g, (m, x) => x.toUpperCase())",
    "(2n ** 200n).toString()",
    "Math.hypot(3, 4) + Math.sin(0) + Math.pow(2, 0.5).toFixed(6)",
    "new Intl.NumberFormat('de-DE').format(1234567.891)",
    "new Date(0).toLocaleDateString('ja-JP', {timeZone: 'Asia/Tokyo', dateStyle: 'full'})",
    "['\\u00e4', 'z', 'a'].sort(new Intl.Collator('sv').compare).join()",
    "'\\u0130stanbul'.normalize('NFD').length + 'I'.toLocaleLowerCase('tr').charCodeAt(0)",
    "try { null.x } catch (e) { e.constructor.name }",
    "function f() { return f() + 1 } try { f() } catch (e) { e.constructor.name }",
    "var s = 0; for (let i = 0; i < 2e6; i++) s = (s + i * 3) | 0; s",
    "var o = []; for (let i = 0; i < 2e5; i++) o.push({i}); o.length",
    "[...(function* () { yield* [1, 2]; yield new Map([[1, 2]]).get(1) })()].join()",
    "class A { #x = 4; get x() { return this.#x } static { A.y = 1 } } new A().x + A.y",
    "new Uint8Array(new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])) && "
    "3).length",
    "new WebAssembly.Instance(new WebAssembly.Module(new "
    "Uint8Array([0,97,115,109,1,0,0,0,1,7,1,96,2,"
    "127,127,1,127,3,2,1,0,7,7,1,3,97,100,100,0,0,10,9,1,7,0,32,0,32,1,106,11]))).exports.add(40, "
    "2)",
    "Atomics.add(new Int32Array(new ArrayBuffer(8)), 0, 5) + typeof structuredClone",
    "new Error('message').message + (typeof new Error('x').stack)",
    "parseFloat('1e23') + Number('0x1f') + (0.1 + 0.2) + (123.456).toPrecision(4)",
    "/(?<y>\\d{4})-(?<m>\\d\\d)/u.exec('on 2026-11-30').groups.m",
    "String.fromCodePoint(128512).length + encodeURIComponent('\\u20ac')",
};

static void print_value(JSContextRef ctx, JSValueRef value)
{
    static char text[4096];
    JSStringRef string = JSValueToStringCopy(ctx, value, NULL);
    if (!string) return;
    (void)JSStringGetUTF8CString(string, text, sizeof text);
    JSStringRelease(string);
    puts(text);
}

static JSValueRef evaluate(JSContextRef ctx, const char *source)
{
    JSStringRef script = JSStringCreateWithUTF8CString(source);
    JSValueRef error = NULL;
    JSValueRef value = JSEvaluateScript(ctx, script, NULL, NULL, 1, &error);
    JSStringRelease(script);
    return value ? value : error;
}

static void *run_snippets(void *arg)
{
    JSGlobalContextRef ctx = JSGlobalContextCreateInGroup(NULL, NULL);
    for (size_t i = 0; i < sizeof snippets / sizeof snippets[0]; i++)
        print_value(ctx, evaluate(ctx, snippets[i]));
    JSGlobalContextRelease(ctx);
    return arg;
}

static _Unwind_Reason_Code count_frame(struct _Unwind_Context *context, void *arg)
{
    (void)context;
    ++*(int *)arg;
    return _URC_NO_REASON;
}

/* Called by JavaScriptCore, with several of its frames below, for the property `x`. */
static JSValueRef get_x(JSContextRef ctx, JSObjectRef object, JSStringRef name,
                        JSValueRef *exception)
{
    (void)object;
    (void)name;
    (void)exception;
    int n = 0;
    (void)_Unwind_Backtrace(count_frame, &n);
    return JSValueMakeNumber(ctx, n);
}

static int count_frames(void)
{
    static const JSStaticValue values[] = {{"x", get_x, NULL, kJSPropertyAttributeNone}, {0}};
    JSClassDefinition definition = kJSClassDefinitionEmpty;
    definition.staticValues = values;
    JSGlobalContextRef ctx = JSGlobalContextCreateInGroup(NULL, NULL);
    JSObjectRef object = JSObjectMake(ctx, JSClassCreate(&definition), NULL);
    JSStringRef name = JSStringCreateWithUTF8CString("x");
    if (jsc_register_frames) jsc_register_frames();
    int n = (int)JSValueToNumber(ctx, JSObjectGetProperty(ctx, object, name, NULL), NULL);
    printf("%d frames\n", n);
    return n >= FRAMES_WANTED ? 0 : 1;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "frames") == 0) return count_frames();
    (void)run_snippets(NULL);
    pthread_t thread;
    if (pthread_create(&thread, NULL, run_snippets, NULL) != 0) return 1;
    (void)pthread_join(thread, NULL);
    puts("done");
    return 0;
}
