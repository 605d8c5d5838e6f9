/* internal/http_parser/http_parser.c -- native half of internal/http_parser: messages from the
 * bytes of a socket, for the client of node:http and for servers on sockets of any kind. */
#include "builtins/builtins.h"
#include "http/http_parse.h"
#include "util/mem.h"

typedef enum { AT_HEAD, AT_BODY, AT_END } Stage;

typedef struct {
    HttpHead head;
    HttpBody body;
    Buf in;
    usize at; /* what of `in` was used */
    u8 stage;
    bool is_broken;
} Parser;

static void free_parser(void *p)
{
    Parser *parser = p;
    http_head_deinit(&parser->head);
    http_body_deinit(&parser->body);
    Buf_deinit(&parser->in);
    mem_free(parser);
}

static const JsClass parser_class = {.name = "HTTPParser", .finalize = free_parser};

static Parser *parser_of(Js *js, JsArgs args)
{
    return js_unwrap_handle(js, js_arg(args, 0), &parser_class);
}

/* create(isResponse, headSizeMax, isLenient) */
JS_NATIVE(parser_create)
{
    Parser *p = MEM_NEW(Parser);
    p->head.is_response = js_truthy(js, js_arg(args, 0));
    p->head.size_max = (u32)js_get_i32(js, js_arg(args, 1));
    p->head.fields_max = UINT32_MAX;
    p->head.is_lenient = p->body.is_lenient = js_truthy(js, js_arg(args, 2));
    return js_wrap(js, &parser_class, p);
}

/* feed(parser, bytes) */
JS_NATIVE(parser_feed)
{
    Parser *p = parser_of(js, args);
    if (!p) return NULL;
    JsBytes bytes;
    if (!js_take_bytes(js, js_arg(args, 1), &bytes)) return NULL;
    if (p->at) buf_drop(&p->in, p->at);
    p->at = 0;
    buf_push(&p->in, (Str){(const char *)bytes.p, bytes.n});
    return JS_UNDEFINED;
}

static JsVal list_of_fields(Js *js, const HttpHead *h, Str text)
{
    JsVal list = js_array(js, NULL, 0);
    for (u32 i = 0; i < h->n_fields; i++) {
        Str name = http_field_name(h, text, i), value = http_field_value(h, text, i);
        JsVal n = js_str_latin1(js, (const u8 *)name.p, name.n);
        JsVal v = js_str_latin1(js, (const u8 *)value.p, value.n);
        if (!js_set_index(js, list, 2 * i, n) || !js_set_index(js, list, 2 * i + 1, v)) return NULL;
    }
    return list;
}

enum {
    FLAG_KEEPS = 1,
    FLAG_UPGRADE = 2,
    FLAG_CHUNKED = 4,
    FLAG_LENGTH = 8,
    FLAG_BODY = 16,
    FLAG_EXPECTS = 32,
    FLAG_NO_HOST = 64
};

static HttpMethod method_of(Js *js, JsVal v)
{
    i32 i = js_is_number(js, v) ? js_get_i32(js, v) : 0;
    return i >= 0 && i < HTTP_METHOD_COUNT ? (HttpMethod)i : HTTP_GET;
}

static JsVal next_head(Js *js, Parser *p, HttpMethod method)
{
    HttpHead *h = &p->head;
    Str text = str_skip(buf_str(&p->in), p->at);
    int n = http_head_parse(h, text);
    if (n < 0) p->is_broken = true;
    if (n <= 0) return n ? js_int(js, n) : JS_UNDEFINED;
    HttpBodyKind kind = h->is_response ? http_response_body(h, method) : http_request_body(h);
    /* Informational answers are followed by another head. */
    http_body_start(&p->body, kind, h->length);
    p->stage = AT_BODY;
    p->at += (usize)n;
    i32 flags = (http_head_keeps_alive(h) && kind != HTTP_BODY_TO_CLOSE ? FLAG_KEEPS : 0) |
                (h->has_upgrade ? FLAG_UPGRADE : 0) | (h->is_chunked ? FLAG_CHUNKED : 0) |
                (h->has_length ? FLAG_LENGTH : 0) | (kind ? FLAG_BODY : 0) |
                (h->expects_continue ? FLAG_EXPECTS : 0) | (h->n_host ? 0 : FLAG_NO_HOST);
    JsVal list = list_of_fields(js, h, text);
    if (!list) return NULL;
    JsVal at[6] = {
        js_int(js, 1),
        js_int(js, h->minor),
        h->is_response ? js_int(js, h->status)
                       : js_str(js, http_method_text((HttpMethod)h->method)),
        js_str_latin1(js, (const u8 *)text.p + h->text, h->text_len),
        list,
        js_int(js, flags),
    };
    return js_array(js, at, COUNT(at));
}

static JsVal end_message(Js *js, Parser *p)
{
    p->stage = AT_HEAD;
    JsVal list = JS_UNDEFINED;
    if (p->body.trailer.len) {
        int rc = http_body_trailer(&p->body, &p->head);
        if (rc < 0) {
            p->is_broken = true;
            return js_int(js, rc);
        }
        list = list_of_fields(js, &p->head, buf_str(&p->body.trailer));
        if (!list) return NULL;
    }
    JsVal at[2] = {js_int(js, 3), list};
    return js_array(js, at, 2);
}

/* next(parser, method): [1, minor, status | method, reason | target, fields, flags], [2, bytes],
 * [3, trailer fields | undefined]; undefined: more bytes are needed; a number: an HttpError.
 * `method` is that of the request which a response answers, as a number. */
JS_NATIVE(parser_next)
{
    Parser *p = parser_of(js, args);
    if (!p) return NULL;
    if (p->is_broken) return JS_UNDEFINED;
    if (p->stage == AT_HEAD) {
        return p->at < p->in.len ? next_head(js, p, method_of(js, js_arg(args, 1))) : JS_UNDEFINED;
    }
    Str in = str_skip(buf_str(&p->in), p->at), data = {0};
    int rc = http_body_next(&p->body, &in, &data);
    p->at = p->in.len - in.n;
    if (rc < 0) {
        p->is_broken = true;
        return js_int(js, rc);
    }
    if (rc == HTTP_BODY_MORE) return JS_UNDEFINED;
    if (rc == HTTP_BODY_DONE) return end_message(js, p);
    JsVal at[2] = {js_int(js, 2), js_u8array(js, data.p, data.n)};
    return js_array(js, at, 2);
}

/* skipBody(parser): the message has none after all */
JS_NATIVE(parser_skip_body)
{
    Parser *p = parser_of(js, args);
    if (!p) return NULL;
    http_body_start(&p->body, HTTP_BODY_NONE, 0);
    return JS_UNDEFINED;
}

/* finish(parser), at the end of the bytes: 0: nothing was under way; 1: a message ends with them;
 * else an HttpError */
JS_NATIVE(parser_finish)
{
    Parser *p = parser_of(js, args);
    if (!p) return NULL;
    if (p->is_broken) return js_int(js, 0);
    if (p->stage == AT_HEAD) {
        /* Empty lines belong to no message. */
        while (p->at < p->in.len && (p->in.p[p->at] == '\r' || p->in.p[p->at] == '\n')) p->at++;
        return js_int(js, p->at < p->in.len ? HTTP_ERR_INVALID_EOF_STATE : 0);
    }
    p->stage = AT_HEAD;
    return js_int(js, http_body_may_end(&p->body) ? 1 : HTTP_ERR_INVALID_EOF_STATE);
}

/* isIdle(parser): nothing of a message has come */
JS_NATIVE(parser_is_idle)
{
    Parser *p = parser_of(js, args);
    if (!p) return NULL;
    usize at = p->at;
    while (at < p->in.len && (p->in.p[at] == '\r' || p->in.p[at] == '\n')) at++;
    return js_boolean(p->stage == AT_HEAD && at >= p->in.len);
}

/* rest(parser) -> the bytes that were not used */
JS_NATIVE(parser_rest)
{
    Parser *p = parser_of(js, args);
    if (!p) return NULL;
    Str rest = str_skip(buf_str(&p->in), p->at);
    JsVal v = js_u8array(js, rest.p ? rest.p : "", rest.n);
    p->at = p->in.len;
    return v;
}

/* errorOf(rc) -> [name, text] */
JS_NATIVE(parser_error_of)
{
    i32 rc = js_get_i32(js, js_arg(args, 0));
    JsVal at[2] = {js_str(js, http_error_name(rc)), js_str(js, http_error_text(rc))};
    return js_array(js, at, 2);
}

static const JsFn fns[] = {
    JS_FN("create", parser_create),    JS_FN("feed", parser_feed),
    JS_FN("next", parser_next),        JS_FN("skipBody", parser_skip_body),
    JS_FN("finish", parser_finish),    JS_FN("rest", parser_rest),
    JS_FN("errorOf", parser_error_of), JS_FN("isIdle", parser_is_idle),
};
BUILTIN_NATIVE(internal_http_parser, fns)
