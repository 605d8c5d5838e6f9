/* node/buffer/buffer_text.h -- encodings, for the native halves of node:buffer. */
#pragma once

#include "builtins/builtins.h"

/* The numbers of the encodings, as in text.js. */
typedef enum { UTF8, UTF16, LATIN1, ASCII, BASE64, BASE64_FOR_URL, HEX } Encoding;

/* All of a string's bytes in that encoding, in the arena. */
JsBytes node_buffer_encode(Arena *a, JsChars c, Encoding encoding);
