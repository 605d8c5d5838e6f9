// node:_stream_readable -- deprecated name of stream.Readable (Node: DEP0125).
return require("node:stream").Readable;
