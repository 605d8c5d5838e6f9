// node:_stream_transform -- deprecated name of stream.Transform (Node: DEP0125).
return require("node:stream").Transform;
