const crypto = require("node:crypto");
const tls = require("node:tls");
const util = require("node:util");

const { Certificate, X509Certificate } = crypto;

// Made for these tests: an authority, and a server that it has signed.
const caPem = `-----BEGIN CERTIFICATE-----
MIIBezCCASGgAwIBAgIUZGiay90MHJbGCHacviQf4wqODCowCgYIKoZIzj0EAwIw
EjEQMA4GA1UEAwwHVGVzdCBDQTAgFw0yNjExMzAxODIzMzhaGA8yMTI1MDYyNDE4
MjMzOFowEjEQMA4GA1UEAwwHVGVzdCBDQTBZMBMGByqGSM49AgEGCCqGSM49AwEH
A0IABKiA3Dlu8fRFbkTcdHAq6IEScqfdOiksBUx7cxsyGpJ2HriMTr7f94KKZxPK
HxNOqp4JNQjava2qv75GasExdtujUzBRMB0GA1UdDgQWBBRnQ4mS+TeNWHoE1/cz
4dYeV5JKFjAfBgNVHSMEGDAWgBRnQ4mS+TeNWHoE1/cz4dYeV5JKFjAPBgNVHRMB
Af8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIEDRwNmp/b8oZoN1223CAP1GgnuC
1zO3QBySjKokFjp1AiEAtY78yfSBSSFku/cv3mExKt6CmXWYJq62zZbz4F941VA=
-----END CERTIFICATE-----
`;
const pem = `-----BEGIN CERTIFICATE-----
MIICHjCCAcSgAwIBAgICCrwwCgYIKoZIzj0EAwIwEjEQMA4GA1UEAwwHVGVzdCBD
QTAgFw0yNjExMzAxODIzMzhaGA8yMTI1MDYyNDE4MjMzOFowMzELMAkGA1UEBhMC
REUxDTALBgNVBAoMBEEsIEIxFTATBgNVBAMMDHRlc3QuZXhhbXBsZTBZMBMGByqG
SM49AgEGCCqGSM49AwEHA0IABJtT0dcJcBrUrJNM3Vs2gI6t0iNW8Codi5cbstO5
j1K0U+GS4BLAcJRzIzQjY7hQCtI/RkLmB5VOA9VJQaDhD1ejgeYwgeMwVQYDVR0R
BE4wTIIMdGVzdC5leGFtcGxlgg4qLndpbGQuZXhhbXBsZYcEfwAAAYcQAAAAAAAA
AAAAAAAAAAAAAYEPbWVAdGVzdC5leGFtcGxlggNhLGIwEwYDVR0lBAwwCgYIKwYB
BQUHAwEwNQYIKwYBBQUHAQEEKTAnMCUGCCsGAQUFBzABhhlodHRwOi8vb2NzcC50
ZXN0LmV4YW1wbGUvMB0GA1UdDgQWBBRuVAhVQocY+2k6JbmoWVmtQ0J//DAfBgNV
HSMEGDAWgBRnQ4mS+TeNWHoE1/cz4dYeV5JKFjAKBggqhkjOPQQDAgNIADBFAiBn
oo+4/A0IaHJ6HjijNp1te7Ke+skODFRNaiQQR30UzwIhAKw9Ey2HvBayIJlLi0Dv
uhkjICsc3CrWqP7j27rUewsJ
-----END CERTIFICATE-----
`;
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgw+jyDaXZn1M47Ios
iyB++6ha6ifPh/a9tvMDDGNVA0OhRANCAASbU9HXCXAa1KyTTN1bNoCOrdIjVvAq
HYuXG7LTuY9StFPhkuASwHCUcyM0I2O4UArSP0ZC5geVTgPVSUGg4Q9X
-----END PRIVATE KEY-----
`;
const spkac = [
  "MIHAMGgwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASbU9HXCXAa1KyTTN1bNoCOrdIjVvAqHYuXG7LT",
  "uY9StFPhkuASwHCUcyM0I2O4UArSP0ZC5geVTgPVSUGg4Q9XFgthIGNoYWxsZW5nZTAKBggqhkjOPQQD",
  "AgNIADBFAiEA/GtawrC/LPIA9eOnHNUsEv6m90VtCFHntG+UWvnattMCIEtflEmBu9v0AzEbppsRbX/l",
  "6N2g1ik2blcnJ0qa+DkM",
].join("");

const failure = (fn) => {
  try {
    fn();
  } catch (error) {
    return error;
  }
  return undefined;
};
const codeOf = (fn) => failure(fn)?.code;

describe("X509Certificate", () => {
  const cert = new X509Certificate(pem);
  const ca = new X509Certificate(Buffer.from(caPem));

  test("names, times and numbers as Node has them", () => {
    expect(cert.subject).toBe("C=DE\nO=A\\, B\nCN=test.example");
    expect(cert.issuer).toBe("CN=Test CA");
    expect(cert.subjectAltName).toBe(
      "DNS:test.example, DNS:*.wild.example, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, " +
        "email:me@test.example, DNS:\"a\\u002cb\"",
    );
    expect(cert.infoAccess).toBe("OCSP - URI:http://ocsp.test.example/");
    expect(cert.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"]);
    expect(cert.serialNumber).toBe("0ABC");
    expect(cert.validFromDate.getTime()).toBe(Date.parse(cert.validFrom));
    expect(cert.validToDate.toISOString()).toBe(new Date(cert.validTo).toISOString());
    expect(cert.validTo).toMatch(/^[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4} GMT$/);
    expect(cert.signatureAlgorithm).toBe("ecdsa-with-SHA256");
    expect(cert.signatureAlgorithmOid).toBe("1.2.840.10045.4.3.2");
    expect([cert.ca, ca.ca]).toEqual([false, true]);
    expect([ca.subjectAltName, ca.infoAccess, ca.keyUsage, cert.issuerCertificate])
      .toEqual([undefined, undefined, undefined, undefined]);
  });

  test("forms", () => {
    expect(cert.toString()).toBe(pem);
    expect(JSON.stringify(cert)).toBe(JSON.stringify(pem));
    expect(Buffer.isBuffer(cert.raw)).toBe(true);
    expect(cert.raw).toBe(cert.raw);
    expect(new X509Certificate(cert.raw).fingerprint256).toBe(cert.fingerprint256);
    const digest = crypto.createHash("sha512").update(cert.raw).digest("hex").toUpperCase();
    expect(cert.fingerprint512.replaceAll(":", "")).toBe(digest);
    expect(cert.fingerprint.length).toBe(59);
    expect(util.inspect(cert)).toMatch(/^X509Certificate \{\n {2}subject: /);
    expect(structuredClone(cert).fingerprint).toBe(cert.fingerprint);
  });

  test("toLegacyObject", () => {
    const old = cert.toLegacyObject();
    expect({ ...old.subject }).toEqual({ C: "DE", O: "A, B", CN: "test.example" });
    expect(old.infoAccess["OCSP - URI"]).toEqual(["http://ocsp.test.example/"]);
    expect([old.nistCurve, old.bits, old.ca, old.modulus]).toEqual(["P-256", 256, false, undefined]);
    expect(old.raw).toEqual(cert.raw);
  });

  test("keys and issuers", () => {
    const privateKey = crypto.createPrivateKey(key);
    const other = crypto.generateKeyPairSync("ed25519");
    expect(cert.publicKey.type).toBe("public");
    expect(cert.publicKey.equals(crypto.createPublicKey(key))).toBe(true);
    expect([cert.checkPrivateKey(privateKey), cert.checkPrivateKey(other.privateKey)])
      .toEqual([true, false]);
    expect([cert.verify(ca.publicKey), cert.verify(cert.publicKey), cert.verify(other.publicKey)])
      .toEqual([true, false, false]);
    expect([cert.checkIssued(ca), cert.checkIssued(cert), ca.checkIssued(ca)])
      .toEqual([true, false, true]);
    expect(codeOf(() => cert.verify(privateKey))).toBe("ERR_INVALID_ARG_VALUE");
    expect(codeOf(() => cert.checkPrivateKey(cert.publicKey))).toBe("ERR_INVALID_ARG_VALUE");
    expect(codeOf(() => cert.checkIssued({}))).toBe("ERR_INVALID_ARG_TYPE");
  });

  test("checkHost, checkEmail, checkIP", () => {
    expect(cert.checkHost("test.example")).toBe("test.example");
    expect(cert.checkHost("a.wild.example")).toBe("*.wild.example");
    expect(cert.checkHost("a.wild.example", { wildcards: false })).toBe(undefined);
    expect(cert.checkHost("other.example")).toBe(undefined);
    expect(cert.checkEmail("me@test.example")).toBe("me@test.example");
    expect(cert.checkEmail("you@test.example")).toBe(undefined);
    expect([cert.checkIP("127.0.0.1"), cert.checkIP("::1"), cert.checkIP("127.0.0.2")])
      .toEqual(["127.0.0.1", "::1", undefined]);
    expect(ca.checkHost("Test CA", { subject: "never" })).toBe(undefined);
    expect(codeOf(() => cert.checkHost("a\0b"))).toBe("ERR_INVALID_ARG_VALUE");
    expect(codeOf(() => cert.checkIP("127.0.0.1\0"))).toBe("ERR_INVALID_ARG_VALUE");
    expect(codeOf(() => cert.checkIP("[::]"))).toBe("ERR_INVALID_ARG_VALUE");
    expect(codeOf(() => cert.checkHost("a", { subject: "x" }))).toBe("ERR_INVALID_ARG_VALUE");
    expect(codeOf(() => cert.checkHost("a", null))).toBe("ERR_INVALID_ARG_TYPE");
  });

  test("what is no certificate", () => {
    for (const bad of ["", "abc", Buffer.from([0x30, 0x82]), pem.slice(0, 100), cert.raw.subarray(9)]) {
      expect(failure(() => new X509Certificate(bad))).toBeInstanceOf(Error);
    }
    expect(codeOf(() => new X509Certificate(""))).toBe("ERR_OSSL_PEM_NO_START_LINE");
    expect(codeOf(() => new X509Certificate({}))).toBe("ERR_INVALID_ARG_TYPE");
    expect(codeOf(() => X509Certificate.prototype.subject)).toBe("ERR_INVALID_THIS");
    // Bits that are wrong anywhere must not do harm.
    for (let i = 0; i < cert.raw.length; i++) {
      const broken = Buffer.from(cert.raw);
      broken[i] ^= 0x55;
      failure(() => util.inspect(new X509Certificate(broken)));
      failure(() => new X509Certificate(broken).toLegacyObject());
      failure(() => new X509Certificate(broken).publicKey);
    }
  });

  test("of both ends of a connection", async () => {
    const server = tls.createServer({ key, cert: pem + caPem });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    const accepted = new Promise((resolve) => server.once("secureConnection", resolve));
    const { port } = server.address();
    const socket = tls.connect({ port, host: "127.0.0.1", ca: caPem });
    await new Promise((resolve, reject) =>
      socket.once("secureConnect", resolve).once("error", reject));
    const peer = socket.getPeerX509Certificate();
    expect(peer.fingerprint256).toBe(cert.fingerprint256);
    expect(peer.issuerCertificate.fingerprint256).toBe(ca.fingerprint256);
    expect(peer.issuerCertificate.issuerCertificate).toBe(undefined);
    expect(socket.getX509Certificate()).toBe(undefined);
    const other = await accepted;
    expect(other.getX509Certificate().fingerprint256).toBe(cert.fingerprint256);
    expect(other.getPeerX509Certificate()).toBe(undefined);
    other.destroy();
    socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
});

describe("Certificate (SPKAC)", () => {
  test("static and on an object", () => {
    for (const target of [Certificate, Certificate(), new Certificate()]) {
      expect(target.verifySpkac(spkac)).toBe(true);
      expect(target.verifySpkac(Buffer.from(spkac))).toBe(true);
      expect(target.exportChallenge(spkac).toString()).toBe("a challenge");
      const publicKey = crypto.createPublicKey(target.exportPublicKey(spkac));
      expect(publicKey.equals(crypto.createPublicKey(key))).toBe(true);
    }
  });

  test("what is none", () => {
    for (const bad of ["", "abc", Buffer.alloc(0), "\0", spkac.slice(0, -8), "A".repeat(4096)]) {
      expect(Certificate.verifySpkac(bad)).toBe(false);
      expect(Certificate.exportChallenge(bad)).toBe("");
      expect(Certificate.exportPublicKey(bad)).toBe("");
    }
    expect(codeOf(() => Certificate.verifySpkac(1))).toBe("ERR_INVALID_ARG_TYPE");
  });
});
