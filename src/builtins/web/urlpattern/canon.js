// web/urlpattern/canon -- canonical texts of the components of a URL pattern (URL Pattern Standard,
// section 3.2), by way of the URL parser.

const { URL } = require("web/url");

const kIpv6 = /^[0-9a-f:[\]]*$/i;
const kHostEnd = /[/?#\\]/;

function fail(what, value) {
  throw new TypeError(`Invalid URLPattern: "${value}" is no ${what}`);
}

function parse(text, what, value) {
  try {
    return new URL(text);
  } catch {
    return fail(what, value);
  }
}

const dummy = () => new URL("http://dummy.test");

exports.protocol = (value) => {
  if (value === "") return "";
  return parse(`${value}://dummy.test`, "protocol", value).protocol.slice(0, -1);
};

exports.username = (value) => {
  const url = dummy();
  url.username = value;
  return url.username;
};

exports.password = (value) => {
  const url = dummy();
  url.password = value;
  return url.password;
};

exports.hostname = (value) => {
  if (value === "") return "";
  // What ends a host in a URL ends it here: the rest would be another component.
  const end = value.search(kHostEnd);
  const host = (end < 0 ? value : value.slice(0, end)).replace(/[\t\n\r]/g, "");
  if (/[@:]/.test(host) && !host.startsWith("[")) fail("hostname", value);
  return parse(`http://${host}`, "hostname", value).hostname;
};

exports.ipv6Hostname = (value) => {
  if (!kIpv6.test(value)) fail("IPv6 address", value);
  return value.toLowerCase();
};

exports.port = (value, protocol = "") => {
  if (value === "") return "";
  const digits = value.replace(/[\t\n\r]/g, "");
  const match = /^[0-9]+/.exec(digits);
  if (match === null || Number(match[0]) > 65535) fail("port", value);
  const scheme = protocol === "" ? "dummy" : protocol;
  return parse(`${scheme}://dummy.test:${match[0]}`, "port", value).port;
};

exports.pathname = (value) => {
  if (value === "") return "";
  const isRooted = value[0] === "/";
  const url = dummy();
  url.pathname = isRooted ? value : `/-${value}`;
  return isRooted ? url.pathname : url.pathname.slice(2);
};

exports.opaquePathname = (value) => {
  if (value === "") return "";
  const url = parse(`data:${value}`, "pathname", value);
  return url.href.slice(5);
};

exports.search = (value) => {
  const url = dummy();
  url.search = value;
  return url.search.slice(1);
};

exports.hash = (value) => {
  const url = dummy();
  url.hash = value;
  return url.hash.slice(1);
};
