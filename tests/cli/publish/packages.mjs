import { createHash } from "node:crypto";

// What comes is looked at, and told in one line.
export default ({ answers, publish }) => {
  publish({ name: "known", version: "1.0.0" });
  const accept = (req, body) => {
    if (req.method !== "PUT") return [404, "{}"];
    if (req.headers.authorization !== "Bearer good") return [401, '{"error":"who are you"}'];
    const doc = JSON.parse(body);
    const [version, release] = Object.entries(doc.versions)[0];
    const [file, attached] = Object.entries(doc._attachments)[0];
    const data = Buffer.from(attached.data, "base64");
    const digest = (name, form) => createHash(name).update(data).digest(form);
    console.error([doc._id, doc.name, JSON.stringify(doc["dist-tags"]), version, release._id, doc.access, file,
      attached.length === data.length, release.dist.shasum === digest("sha1", "hex"),
      release.dist.integrity === `sha512-${digest("sha512", "base64")}`,
      release.dist.tarball.replace(/:\d+/, ""), release.description, release.readme?.trim(),
      req.headers["npm-otp"], req.headers["npm-auth-type"], req.headers["npm-command"]].join(" "));
    return [200, "{}"];
  };
  answers.set("/mine", accept);
  answers.set("/@me/mine", accept);
  answers.set("/other/mine", accept);
  answers.set("/otp", (req) => req.headers["npm-otp"] === "123" ? [200, "{}"] :
    [401, '{"error":"You must provide a one-time pass."}']);
  answers.set("/taken", () => [403, '{"error":"You cannot publish over the previously published versions"}']);
  answers.set("/failing", () => [500, "no"]);
};
