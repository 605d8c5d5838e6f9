// node:_stream_passthrough -- deprecated name of stream.PassThrough (Node: DEP0125).
return require("node:stream").PassThrough;
