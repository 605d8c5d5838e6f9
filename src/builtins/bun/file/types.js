// @internal
// bun:file/types -- the MIME type of a file by its extension, as Bun has it.

const kRows = `
text/javascript;charset=utf-8 js cjs mjs jsx ts tsx mts cts
application/json;charset=utf-8 json map
text/html;charset=utf-8 htm html
text/css;charset=utf-8 css
text/plain;charset=utf-8 txt log conf ini
audio/x-aac aac
application/x-abiword abw
application/x-freearc arc
image/avif avif
video/x-msvideo avi
application/vnd.amazon.ebook azw
image/x-ms-bmp bmp
application/x-bzip bz
application/x-bzip2 bz2
application/x-csh csh
text/csv csv
application/msword doc
application/vnd.openxmlformats-officedocument.wordprocessingml.document docx
application/vnd.ms-fontobject eot
application/epub+zip epub
application/gzip gz
image/gif gif
image/x-icon ico
text/calendar ics
application/java-archive jar
image/jpeg jpeg jpg
application/json5 json5
application/ld+json jsonld
text/markdown md markdown
audio/midi mid midi
audio/mpeg mp3
video/mp4 mp4
video/mpeg mpeg mpg
application/vnd.oasis.opendocument.presentation odp
application/vnd.oasis.opendocument.spreadsheet ods
application/vnd.oasis.opendocument.text odt
audio/ogg oga opus
video/ogg ogv
application/ogg ogx
font/otf otf
image/png png
application/pdf pdf
application/x-httpd-php php
application/vnd.ms-powerpoint ppt
application/vnd.openxmlformats-officedocument.presentationml.presentation pptx
application/x-rar-compressed rar
text/rtf rtf
application/x-sh sh
image/svg+xml svg svgz
application/x-tar tar
image/tiff tif tiff
application/toml toml
text/yaml yaml yml
font/ttf ttf
application/vnd.visio vsd
audio/x-wav wav
audio/webm weba
video/webm webm
image/webp webp
application/manifest+json webmanifest
font/woff woff
font/woff2 woff2
application/xhtml+xml xhtml
application/vnd.ms-excel xls
application/vnd.openxmlformats-officedocument.spreadsheetml.sheet xlsx
application/xml xml
application/vnd.mozilla.xul+xml xul
application/zip zip
video/3gpp 3gp
video/3gpp2 3g2
application/x-7z-compressed 7z
application/wasm wasm
application/x-sql sql
video/quicktime mov
audio/x-m4a m4a
video/x-m4v m4v
audio/x-flac flac
image/apng apng
image/heic heic
image/heif heif
model/gltf-binary glb
model/gltf+json gltf
model/obj obj
application/x-shockwave-flash swf
application/x-msdownload exe msi
application/x-apple-diskimage dmg
application/x-iso9660-image iso
application/x-debian-package deb
application/x-redhat-package-manager rpm
application/vnd.android.package-archive apk
application/postscript ps ai eps
image/vnd.adobe.photoshop psd
text/x-c c h cpp
application/rls-services+xml rs
text/x-java-source java
application/atom+xml atom
application/rss+xml rss
application/pkix-cert cer
application/x-x509-ca-cert crt pem
application/x-iwork-keynote-sffkey key
application/x-pkcs12 p12
application/wsdl+xml wsdl
application/xml-dtd dtd
application/xslt+xml xsl xslt
application/dash+xml mpd
application/vnd.apple.mpegurl m3u8
audio/x-aiff aif
text/vtt vtt
application/x-subrip srt
text/tab-separated-values tsv
`;
const kUnknown = "application/octet-stream";

let types;

function load() {
  types = new Map();
  for (const row of kRows.trim().split("\n")) {
    const [type, ...extensions] = row.split(" ");
    for (const extension of extensions) types.set(extension, type);
  }
}

/** "text/html;charset=utf-8" of "a/b.html". */
exports.typeOf = function typeOf(path) {
  if (types === undefined) load();
  const dot = path.lastIndexOf(".");
  if (dot < 0 || path.indexOf("/", dot) >= 0) return kUnknown;
  return types.get(path.slice(dot + 1).toLowerCase()) ?? kUnknown;
};
