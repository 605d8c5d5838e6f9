// node:_stream_duplex -- deprecated name of stream.Duplex (Node: DEP0125).
return require("node:stream").Duplex;
