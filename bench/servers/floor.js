/**
 * The floor, written by hand on node:http: what a session in an encrypted cookie costs at the least when each request
 * renews it. The cookie is parsed and opened with a key made once, and the same bytes are sealed again. No JSON is
 * read, no time is compared, and no store is asked. The response is that of the server above it, byte for byte.
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
import { onListening, port } from "./listening.js";

/** @type {{ status: number, headers: string[], setCookies: string[], body: string }} */
const template = JSON.parse(process.env["BENCH_TEMPLATE"] ?? "");
const secret = process.env["LATCHKEY_SECRET"] ?? "";
const key = createSecretKey(Buffer.from(hkdfSync("sha256", secret, "", "JWE CEK", 32)));
const ivs = Buffer.alloc(12 * 256);
let used = ivs.length;

const chunks = template.setCookies.map((line) => {
  const [name = "", value = ""] = line.split(";", 1)[0]?.split("=") ?? [];
  return { name, length: value.length, attributes: line.slice(line.indexOf(";")) };
});

createServer((request, response) => {
  const headers = [...template.headers];
  for (const line of renewedCookies(request.headers.cookie ?? "")) headers.push("Set-Cookie", line);
  response.writeHead(template.status, headers);
  response.end(template.body);
}).listen(port, "localhost", onListening);

/** @param {string} header - `Cookie` */
function renewedCookies(header) {
  const cookies = parseCookie(header);
  const value = renewed(chunks.map(({ name }) => cookies[name] ?? "").join(""));
  let end = 0;
  return chunks.map(({ name, length, attributes }) => {
    end += length;
    return `${name}=${value.slice(end - length, end)}${attributes}`;
  });
}

/**
 * The protected header stays as it is: a text that is authenticated.
 *
 * @param {string} value - compact JWE
 */
function renewed(value) {
  const [aad = "", , iv = "", ciphertext = "", tag = ""] = value.split(".");
  const authenticated = Buffer.from(aad, "latin1");
  const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(iv, "base64url"));
  decipher.setAAD(authenticated);
  decipher.setAuthTag(Buffer.from(tag, "base64url"));
  const plaintext = decipher.update(Buffer.from(ciphertext, "base64url"));
  decipher.final();
  const newIV = freshIV();
  const cipher = createCipheriv("aes-256-gcm", key, newIV);
  cipher.setAAD(authenticated);
  const sealed = cipher.update(plaintext).toString("base64url");
  cipher.final();
  const newTag = cipher.getAuthTag().toString("base64url");
  return `${aad}..${newIV.toString("base64url")}.${sealed}.${newTag}`;
}

/** Random bytes are drawn for many messages together. */
function freshIV() {
  if (used === ivs.length) {
    randomFillSync(ivs);
    used = 0;
  }
  used += 12;
  return ivs.subarray(used - 12, used);
}
