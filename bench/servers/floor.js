/**
 * The floor under an encrypted cookie that is renewed on each read: bare `node:http` that parses the cookie, opens
 * it with a key made once, seals the same bytes anew and gives the same answer. No JSON is read, no time compared,
 * nobody asked whether the session was ended.
 */
import { parseCookie } from "cookie";
import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  randomFillSync,
} from "node:crypto";
import { createServer } from "node:http";
import { templateFromEnvironment } from "./template.js";

const { status, headers, body } = templateFromEnvironment();
const lines = headers.filter((_, at) => headers[at - 1] === "Set-Cookie");
const otherHeaders = headers.filter(
  (text, at) => text !== "Set-Cookie" && headers[at - 1] !== "Set-Cookie",
);
const chunks = lines.map((line) => {
  const [name = "", value = ""] = line.split(";", 1)[0]?.split("=") ?? [];
  return { name, length: value.length, attributes: line.slice(line.indexOf(";")) };
});
const secret = process.env["LATCHKEY_SECRET"] ?? "";
const key = createSecretKey(Buffer.from(hkdfSync("sha256", secret, "", "JWE CEK", 32)));
const ivs = Buffer.alloc(12 * 256);
let used = ivs.length;

/** Random bytes for many messages at once, as we do it ourselves. */
function freshIV() {
  if (used === ivs.length) {
    randomFillSync(ivs);
    used = 0;
  }
  used += 12;
  return ivs.subarray(used - 12, used);
}

/**
 * The protected header is kept as it is: a text that is authenticated.
 *
 * @param {string} value - compact JWE
 */
function renewed(value) {
  const [aad = "", , iv = "", ciphertext = "", tag = ""] = value.split(".");
  const authenticated = Buffer.from(aad, "latin1");
  const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(iv, "base64url"));
  decipher.setAAD(authenticated);
  decipher.setAuthTag(Buffer.from(tag, "base64url"));
  const plaintext = decipher.update(ciphertext, "base64url");
  decipher.final();
  const newIV = freshIV();
  const cipher = createCipheriv("aes-256-gcm", key, newIV);
  cipher.setAAD(authenticated);
  const sealed = cipher.update(plaintext, undefined, "base64url") + cipher.final("base64url");
  const newTag = cipher.getAuthTag().toString("base64url");
  return `${aad}..${newIV.toString("base64url")}.${sealed}.${newTag}`;
}

createServer({ maxHeaderSize: 64 * 1024 }, (request, response) => {
  const cookies = parseCookie(request.headers.cookie ?? "");
  const value = renewed(chunks.map(({ name }) => cookies[name] ?? "").join(""));
  const answered = [...otherHeaders];
  let start = 0;
  for (const { name, length, attributes } of chunks) {
    answered.push("Set-Cookie", `${name}=${value.slice(start, start + length)}${attributes}`);
    start += length;
  }
  response.writeHead(status, answered);
  response.end(body);
}).listen(Number(process.env["PORT"]), "localhost", () => process.send?.({ ready: true }));
