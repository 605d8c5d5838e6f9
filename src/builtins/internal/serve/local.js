// internal/serve/local -- server.fetch(): a Request goes to the handlers without the network.

const { isResponse } = require("web/fetch/response");

exports.fetchLocal = async function fetchLocal(core, request) {
  const { server, fetch, error } = core;
  if (fetch === null) throw new TypeError("fetch() requires the server to have a fetch handler");
  try {
    const response = await Reflect.apply(fetch, server, [request, server]);
    if (isResponse(response)) return response;
    throw new TypeError("fetch() returned an empty value");
  } catch (reason) {
    if (error === null) throw reason;
    return Reflect.apply(error, server, [reason]);
  }
};
