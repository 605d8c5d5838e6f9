/* tests/napi/objects.c -- objects, properties, functions, classes, references, errors. */
#include "addon.h"

/* ---- Properties ---- */

FN(getSet)
{
    ARGS(3);
    bool has, own = false;
    napi_value v;
    OK(napi_set_property(env, arg[0], arg[1], arg[2]));
    OK(napi_has_property(env, arg[0], arg[1], &has));
    (void)napi_has_own_property(env, arg[0], arg[1], &own);
    OK(napi_get_property(env, arg[0], arg[1], &v));
    OK(napi_create_array(env, &out));
    OK(napi_set_element(env, out, 0, boolean(env, has)));
    OK(napi_set_element(env, out, 1, boolean(env, own)));
    OK(napi_set_element(env, out, 2, v));
    return out;
}

FN(named)
{
    ARGS(1);
    bool before, after;
    OK(napi_has_named_property(env, arg[0], "name", &before));
    OK(napi_set_named_property(env, arg[0], "name", arg[0]));
    OK(napi_has_named_property(env, arg[0], "name", &after));
    OK(napi_get_named_property(env, arg[0], "name", &out));
    return !before && after ? out : NULL;
}

FN(elements)
{
    ARGS(1);
    bool has, deleted;
    uint32_t n;
    napi_value v;
    OK(napi_get_array_length(env, arg[0], &n));
    OK(napi_get_element(env, arg[0], n - 1, &v));
    OK(napi_set_element(env, arg[0], n, v));
    OK(napi_has_element(env, arg[0], n, &has));
    OK(napi_delete_element(env, arg[0], 0, &deleted));
    return boolean(env, has && deleted);
}

FN(sum)
{
    ARGS(1);
    uint32_t n;
    double total = 0;
    OK(napi_get_array_length(env, arg[0], &n));
    for (uint32_t i = 0; i < n; i++) {
        napi_value v;
        double d;
        OK(napi_get_element(env, arg[0], i, &v));
        OK(napi_get_value_double(env, v, &d));
        total += d;
    }
    return number(env, total);
}

FN(isArray)
{
    ARGS(1);
    bool b;
    OK(napi_is_array(env, arg[0], &b));
    return boolean(env, b);
}

FN(deleteProperty)
{
    ARGS(2);
    bool b;
    OK(napi_delete_property(env, arg[0], arg[1], &b));
    return boolean(env, b);
}

FN(names)
{
    ARGS(4);
    int32_t mode, filter, conversion;
    if (argc == 1) {
        OK(napi_get_property_names(env, arg[0], &out));
        return out;
    }
    OK(napi_get_value_int32(env, arg[1], &mode));
    OK(napi_get_value_int32(env, arg[2], &filter));
    OK(napi_get_value_int32(env, arg[3], &conversion));
    OK(napi_get_all_property_names(env, arg[0], (napi_key_collection_mode)mode,
                                   (napi_key_filter)filter, (napi_key_conversion)conversion, &out));
    return out;
}

FN(freeze)
{
    ARGS(1);
    OK(napi_object_freeze(env, arg[0]));
    return arg[0];
}
FN(seal)
{
    ARGS(1);
    OK(napi_object_seal(env, arg[0]));
    return arg[0];
}

FN(prototypes)
{
    ARGS(2);
    OK(node_api_set_prototype(env, arg[0], arg[1]));
    OK(napi_get_prototype(env, arg[0], &out));
    return out;
}

FN(withProperties)
{
    ARGS(2);
    napi_value keys[2], values[2];
    OK(napi_create_string_utf8(env, "a", 1, &keys[0]));
    OK(napi_create_string_utf8(env, "b", 1, &keys[1]));
    values[0] = arg[1];
    values[1] = number(env, 2);
    OK(node_api_create_object_with_properties(env, arg[0], keys, values, 2, &out));
    return out;
}

FN(instanceOf)
{
    ARGS(2);
    bool b;
    OK(napi_instanceof(env, arg[0], arg[1], &b));
    return boolean(env, b);
}

/* ---- Functions ---- */

FN(callWith)
{
    ARGS(3);
    OK(napi_call_function(env, arg[0], arg[1], 1, &arg[2], &out));
    return out;
}

FN(construct)
{
    ARGS(2);
    OK(napi_new_instance(env, arg[0], 1, &arg[1], &out));
    return out;
}

FN(report)
{
    ARGS(3);
    napi_value target;
    OK(napi_get_new_target(env, info, &target));
    OK(napi_create_array(env, &out));
    OK(napi_set_element(env, out, 0, number(env, (double)argc)));
    OK(napi_set_element(env, out, 1, arg[2]));
    OK(napi_set_element(env, out, 2, self));
    OK(napi_set_element(env, out, 3, boolean(env, target != NULL)));
    OK(napi_set_element(env, out, 4, number(env, (double)(uintptr_t)data)));
    return out;
}

FN(makeFunction)
{
    ARGS(0);
    OK(napi_create_function(env, "reporter", NAPI_AUTO_LENGTH, report, (void *)42, &out));
    return out;
}

FN(runScript)
{
    ARGS(1);
    OK(napi_run_script(env, arg[0], &out));
    return out;
}

/* ---- A class ---- */

static int n_live, n_finalized;

static void drop_counter(napi_env env, void *p, void *hint)
{
    (void)env, (void)hint;
    n_live--;
    n_finalized++;
    free(p);
}

FN(counterNew)
{
    ARGS(1);
    napi_value target;
    OK(napi_get_new_target(env, info, &target));
    if (!target) {
        napi_throw_type_error(env, "ERR_NEW", "use new");
        return NULL;
    }
    double *n = malloc(sizeof(*n));
    *n = 0;
    (void)napi_get_value_double(env, arg[0], n);
    n_live++;
    OK(napi_wrap(env, self, n, drop_counter, NULL, NULL));
    return self;
}

static double *counter(napi_env env, napi_value self)
{
    void *p;
    if (napi_unwrap(env, self, &p) == napi_ok) return p;
    napi_throw_type_error(env, NULL, "not a Counter");
    return NULL;
}

FN(counterAdd)
{
    ARGS(1);
    double *n = counter(env, self), by = 1;
    if (!n) return NULL;
    if (argc) OK(napi_get_value_double(env, arg[0], &by));
    *n += by;
    return self;
}
FN(counterGet)
{
    ARGS(0);
    double *n = counter(env, self);
    return n ? number(env, *n) : NULL;
}
FN(counterSet)
{
    ARGS(1);
    double *n = counter(env, self);
    if (n) OK(napi_get_value_double(env, arg[0], n));
    return NULL;
}
FN(counterLive)
{
    ARGS(0);
    return number(env, n_live);
}
FN(finalized)
{
    ARGS(0);
    return number(env, n_finalized);
}

FN(makeClass)
{
    ARGS(0);
    const napi_property_descriptor all[] = {
        {"add", NULL, counterAdd, NULL, NULL, NULL, napi_writable | napi_configurable, NULL},
        {"value", NULL, NULL, counterGet, counterSet, NULL, napi_enumerable, NULL},
        {"live", NULL, NULL, counterLive, NULL, NULL, napi_static, NULL},
        {"kind", NULL, NULL, NULL, NULL, number(env, 7), napi_enumerable | napi_static, NULL},
    };
    OK(napi_define_class(env, "Counter", NAPI_AUTO_LENGTH, counterNew, NULL, 4, all, &out));
    return out;
}

FN(wrapTwice)
{
    ARGS(1);
    void *p;
    static int first, second;
    napi_status a = napi_wrap(env, arg[0], &first, NULL, NULL, NULL);
    napi_status b = napi_wrap(env, arg[0], &second, NULL, NULL, NULL);
    napi_status c = napi_remove_wrap(env, arg[0], &p);
    napi_status d = napi_unwrap(env, arg[0], &p);
    napi_status e = napi_wrap(env, arg[0], &second, NULL, NULL, NULL);
    napi_status f = napi_unwrap(env, arg[0], &p);
    int list[] = {a, b, c, d, e, f, p == &second};
    OK(napi_create_array(env, &out));
    for (uint32_t i = 0; i < 7; i++) OK(napi_set_element(env, out, i, number(env, list[i])));
    return out;
}

/* ---- References, externals, tags ---- */

static napi_ref kept;

FN(keep)
{
    ARGS(2);
    uint32_t count;
    OK(napi_get_value_uint32(env, arg[1], &count));
    OK(napi_create_reference(env, arg[0], count, &kept));
    return NULL;
}
FN(keptValue)
{
    ARGS(0);
    OK(napi_get_reference_value(env, kept, &out));
    return out;
}
FN(keepMore)
{
    ARGS(0);
    uint32_t n;
    OK(napi_reference_ref(env, kept, &n));
    return number(env, n);
}
FN(keepLess)
{
    ARGS(0);
    uint32_t n;
    OK(napi_reference_unref(env, kept, &n));
    return number(env, n);
}
FN(letGo)
{
    ARGS(0);
    OK(napi_delete_reference(env, kept));
    return NULL;
}

static void count_final(napi_env env, void *p, void *hint)
{
    (void)env, (void)p;
    n_finalized += hint == &n_finalized;
}
FN(watch)
{
    ARGS(1);
    OK(napi_add_finalizer(env, arg[0], NULL, count_final, &n_finalized, NULL));
    return NULL;
}
FN(external)
{
    ARGS(0);
    OK(napi_create_external(env, &n_live, count_final, &n_finalized, &out));
    return out;
}
FN(isOurExternal)
{
    ARGS(1);
    void *p;
    napi_valuetype type;
    OK(napi_get_value_external(env, arg[0], &p));
    OK(napi_typeof(env, arg[0], &type));
    return boolean(env, p == &n_live && type == napi_external);
}
static const napi_type_tag tags[] = {{1, 2}, {3, 4}};
FN(tag)
{
    ARGS(2);
    uint32_t i;
    OK(napi_get_value_uint32(env, arg[1], &i));
    OK(napi_type_tag_object(env, arg[0], &tags[i]));
    return NULL;
}
FN(hasTag)
{
    ARGS(2);
    uint32_t i;
    bool b;
    OK(napi_get_value_uint32(env, arg[1], &i));
    OK(napi_check_object_type_tag(env, arg[0], &tags[i], &b));
    return boolean(env, b);
}

/* ---- Scopes ---- */

FN(scopes)
{
    ARGS(1);
    uint32_t n;
    napi_value list[64];
    OK(napi_get_value_uint32(env, arg[0], &n));
    for (uint32_t i = 0; i < 64; i++) OK(napi_create_object(env, &list[i]));
    for (uint32_t i = 0; i < n; i++) {
        napi_handle_scope scope;
        napi_value v;
        OK(napi_open_handle_scope(env, &scope));
        for (int k = 0; k < 20; k++) OK(napi_create_object(env, &v));
        OK(napi_close_handle_scope(env, scope));
    }
    for (uint32_t i = 0; i < 64; i++)
        OK(napi_set_named_property(env, list[i], "i", number(env, i)));
    OK(napi_create_array(env, &out));
    for (uint32_t i = 0; i < 64; i++) OK(napi_set_element(env, out, i, list[i]));
    return out;
}
FN(escape)
{
    ARGS(0);
    napi_escapable_handle_scope scope;
    napi_value v, again;
    OK(napi_open_escapable_handle_scope(env, &scope));
    OK(napi_create_object(env, &v));
    OK(napi_escape_handle(env, scope, v, &out));
    napi_status twice = napi_escape_handle(env, scope, v, &again);
    OK(napi_close_escapable_handle_scope(env, scope));
    OK(napi_set_named_property(env, out, "twice", status_value(env, twice)));
    return out;
}
FN(closeNothing)
{
    ARGS(0);
    return status_value(env, napi_close_handle_scope(env, (napi_handle_scope)1));
}

/* ---- Errors ---- */

FN(makeErrors)
{
    ARGS(2);
    napi_value e[4];
    OK(napi_create_error(env, arg[0], arg[1], &e[0]));
    OK(napi_create_type_error(env, arg[0], arg[1], &e[1]));
    OK(napi_create_range_error(env, NULL, arg[1], &e[2]));
    OK(node_api_create_syntax_error(env, arg[0], arg[1], &e[3]));
    OK(napi_create_array(env, &out));
    for (uint32_t i = 0; i < 4; i++) OK(napi_set_element(env, out, i, e[i]));
    return out;
}
FN(throwKind)
{
    ARGS(1);
    int32_t kind;
    OK(napi_get_value_int32(env, arg[0], &kind));
    if (kind == 0) OK(napi_throw_error(env, "CODE", "message"));
    if (kind == 1) OK(napi_throw_type_error(env, NULL, "message"));
    if (kind == 2) OK(napi_throw_range_error(env, "CODE", "message"));
    if (kind == 3) OK(node_api_throw_syntax_error(env, "CODE", "message"));
    return NULL;
}
FN(throwValue)
{
    ARGS(1);
    OK(napi_throw(env, arg[0]));
    return NULL;
}
FN(isError)
{
    ARGS(1);
    bool b;
    OK(napi_is_error(env, arg[0], &b));
    return boolean(env, b);
}
/* Calls, catches what it throws, and says what calls do while it is pending. */
FN(catchFrom)
{
    ARGS(1);
    napi_value thrown, v;
    bool pending;
    napi_status called = napi_call_function(env, NULL, arg[0], 0, NULL, &v);
    OK(napi_is_exception_pending(env, &pending));
    napi_status meanwhile = napi_call_function(env, NULL, arg[0], 0, NULL, &v);
    OK(napi_get_and_clear_last_exception(env, &thrown));
    OK(napi_create_array(env, &out));
    OK(napi_set_element(env, out, 0, thrown));
    OK(napi_set_element(env, out, 1, status_value(env, called)));
    OK(napi_set_element(env, out, 2, status_value(env, meanwhile)));
    OK(napi_set_element(env, out, 3, boolean(env, pending)));
    return out;
}
FN(lastError)
{
    ARGS(0);
    const napi_extended_error_info *last;
    napi_valuetype type;
    (void)napi_typeof(env, NULL, &type);
    OK(napi_get_last_error_info(env, &last));
    OK(napi_create_string_utf8(env, last->error_message, NAPI_AUTO_LENGTH, &out));
    return out;
}
FN(fatal)
{
    ARGS(0);
    napi_fatal_error("objects.c", NAPI_AUTO_LENGTH, "the end", NAPI_AUTO_LENGTH);
}
FN(fatalException)
{
    ARGS(1);
    OK(napi_fatal_exception(env, arg[0]));
    return NULL;
}

ADDON(EXPORT(getSet), EXPORT(named), EXPORT(elements), EXPORT(sum), EXPORT(isArray),
      EXPORT(deleteProperty), EXPORT(names), EXPORT(freeze), EXPORT(seal), EXPORT(prototypes),
      EXPORT(withProperties), EXPORT(instanceOf), EXPORT(callWith), EXPORT(construct),
      EXPORT(report), EXPORT(makeFunction), EXPORT(runScript), EXPORT(makeClass), EXPORT(finalized),
      EXPORT(wrapTwice), EXPORT(keep), EXPORT(keptValue), EXPORT(keepMore), EXPORT(keepLess),
      EXPORT(letGo), EXPORT(watch), EXPORT(external), EXPORT(isOurExternal), EXPORT(tag),
      EXPORT(hasTag), EXPORT(scopes), EXPORT(escape), EXPORT(closeNothing), EXPORT(makeErrors),
      EXPORT(throwKind), EXPORT(throwValue), EXPORT(isError), EXPORT(catchFrom), EXPORT(lastError),
      EXPORT(fatal), EXPORT(fatalException))
