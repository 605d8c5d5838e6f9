/* web/form_data/parse.c -- native half of web/form_data/parse. */
#include "builtins/builtins.h"
#include "codec/multipart.h"
#include "util/vec.h"

/* multipart(bytes, boundary) -> flat rows [name, fileName, type, start, end], or what is wrong. */
JS_NATIVE(form_data_multipart)
{
    AUTO(Scratch) s = scratch_begin(NULL);
    JsBytes bytes;
    Str boundary;
    if (!js_take_bytes(js, js_arg(args, 0), &bytes)) return NULL;
    if (!js_to_str(js, s.arena, js_arg(args, 1), &boundary)) return NULL;
    Str body = {(const char *)bytes.p, bytes.n};
    MultipartParser parser = multipart_begin(body, boundary);
    MultipartPart part;
    JsVal rows = js_array(js, NULL, 0);
    u32 n = 0;
    while (multipart_next(&parser, s.arena, &part)) {
        JsVal row[] = {
            js_str(js, part.name),
            part.file_name.p ? js_str(js, part.file_name) : JS_UNDEFINED,
            js_str(js, part.type),
            js_number(js, (f64)(part.content.p - body.p)),
            js_number(js, (f64)(part.content.p - body.p) + (f64)part.content.n),
        };
        for (u32 i = 0; i < COUNT(row); i++)
            if (!js_set_index(js, rows, n++, row[i])) return NULL;
    }
    return parser.error ? js_str(js, str_z(parser.error)) : rows;
}

static const JsFn fns[] = {JS_FN("multipart", form_data_multipart)};
BUILTIN_NATIVE(web_form_data_parse, fns)
