/**
 * What a session in an encrypted cookie costs at the least, when it is renewed on each read: the cookie parsed and
 * opened with a key made once, the same bytes sealed anew. No JSON is read, no time compared, nobody asked whether
 * the session was ended.
 */
import { parseCookie } from "cookie";
import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  randomFillSync,
} from "node:crypto";

const secret = process.env["LATCHKEY_SECRET"] ?? "";
const key = createSecretKey(Buffer.from(hkdfSync("sha256", secret, "", "JWE CEK", 32)));
const ivs = Buffer.alloc(12 * 256);
let used = ivs.length;

/**
 * @param {readonly string[]} lines - `Set-Cookie` values as the measured server writes them
 * @returns {(cookie: string) => string[]} from a `Cookie` header to lines of the same form
 */
export function cookieRenewal(lines) {
  const chunks = lines.map((line) => {
    const [name = "", value = ""] = line.split(";", 1)[0]?.split("=") ?? [];
    return { name, length: value.length, attributes: line.slice(line.indexOf(";")) };
  });
  return (cookie) => {
    const cookies = parseCookie(cookie);
    const value = renewed(chunks.map(({ name }) => cookies[name] ?? "").join(""));
    let end = 0;
    return chunks.map(({ name, length, attributes }) => {
      end += length;
      return `${name}=${value.slice(end - length, end)}${attributes}`;
    });
  };
}

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
