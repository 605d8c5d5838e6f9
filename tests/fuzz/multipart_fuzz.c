/* multipart/form-data: any bytes; contents lie in the body and behind one another. */
#include "codec/multipart.h"

int LLVMFuzzerTestOneInput(const u8 *data, usize size);

int LLVMFuzzerTestOneInput(const u8 *data, usize size)
{
    Arena a = {0};
    Str body = {(const char *)data, size};
    MultipartParser parser = multipart_begin(body, S("x"));
    MultipartPart part;
    const char *at = body.p;
    while (multipart_next(&parser, &a, &part)) {
        ASSERT(part.content.p >= at);
        ASSERT(part.content.p + part.content.n <= body.p + body.n);
        at = part.content.p + part.content.n;
    }
    arena_deinit(&a);
    return 0;
}
