// node:_stream_writable -- deprecated name of stream.Writable (Node: DEP0125).
return require("node:stream").Writable;
