// web/structured_clone/classes -- the classes of ours whose objects can be cloned, by the names
// that stand in a list of tokens, so that data can be told from one thread to another.
//
// Each has make(data) -> object.  The data, which kClone gave, goes as it is within a thread; for
// another it must be what can be cloned, so pack(data) makes that of it, and unpack turns it back.

const classes = {
  __proto__: null,
  Blob: () => require("web/blob").blobCloning,
  BlockList: () => require("node:net/addresses").listCloning,
  CryptoKey: () => require("web/crypto/crypto_key").cloning,
  DOMException: () => require("internal/errors/dom_exception").cloning,
  File: () => require("web/blob").fileCloning,
  KeyObject: () => require("node:crypto/keys").cloning,
  LatticeKey: () => require("web/crypto/subtle_lattice").cloning,
  SocketAddress: () => require("node:net/addresses").addressCloning,
  X509Certificate: () => require("node:crypto/x509").cloning,
};

/** { make, pack, unpack } of a class; the last two are there when the data must change. */
exports.classOf = (name) => classes[name]();
