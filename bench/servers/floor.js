/**
 * The floor, written by hand on node:http: the least that a session in an encrypted cookie costs if
 * each request renews it. It parses the cookie, decrypts it with a key made once, parses header and
 * session, and encrypts both again with a new time. It compares no time and queries no store. The
 * response is that of the measured server, byte for byte.
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
  for (const line of renewCookies(request.headers.cookie ?? "")) headers.push("Set-Cookie", line);
  response.writeHead(template.status, headers);
  response.end(template.body);
}).listen(port, "localhost", onListening);

/** @param {string} header - `Cookie` */
function renewCookies(header) {
  const cookies = parseCookie(header);
  const value = renew(chunks.map(({ name }) => cookies[name] ?? "").join(""));
  let end = 0;
  return chunks.map(({ name, length, attributes }) => {
    end += length;
    return `${name}=${value.slice(end - length, end)}${attributes}`;
  });
}

/** @param {string} value - compact JWE */
function renew(value) {
  const [encodedHeader = "", , iv = "", ciphertext = "", tag = ""] = value.split(".");
  const header = JSON.parse(Buffer.from(encodedHeader, "base64url").toString());
  const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(iv, "base64url"));
  decipher.setAAD(Buffer.from(encodedHeader, "latin1"));
  decipher.setAuthTag(Buffer.from(tag, "base64url"));
  const plaintext = decipher.update(Buffer.from(ciphertext, "base64url"));
  decipher.final();
  const session = JSON.parse(plaintext.toString());
  return seal({ ...header, uat: Math.floor(Date.now() / 1000) }, session);
}

/**
 * @param {object} header
 * @param {object} session
 */
function seal(header, session) {
  const encodedHeader = Buffer.from(JSON.stringify(header)).toString("base64url");
  const iv = nextIV();
  const cipher = createCipheriv("aes-256-gcm", key, iv);
  cipher.setAAD(Buffer.from(encodedHeader, "latin1"));
  const ciphertext = cipher.update(JSON.stringify(session)).toString("base64url");
  cipher.final();
  const tag = cipher.getAuthTag().toString("base64url");
  return `${encodedHeader}..${iv.toString("base64url")}.${ciphertext}.${tag}`;
}

/** Draws random bytes for many messages together. */
function nextIV() {
  if (used === ivs.length) {
    randomFillSync(ivs);
    used = 0;
  }
  used += 12;
  return ivs.subarray(used - 12, used);
}
