import { randomBytes } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import type { Members } from "../behavior.ts";
import type { Entry } from "./entry.ts";
import { badIDToken, without } from "./entry.ts";

const logoutEvent = "http://schemas.openid.net/event/backchannel-logout";

/** ID tokens with a wrong encoding, and tokens of another kind. */
export const idTokenForm = {
  "CERT-091/encrypted": form("is encrypted although the client registered no encryption", () =>
    withEncryption({ alg: "dir", enc: "A256GCM" }),
  ),
  "CERT-091/rsa1_5": form("is encrypted with RSA1_5", () =>
    withEncryption({ alg: "RSA1_5", enc: "A128CBC-HS256" }),
  ),
  "STD-081/two-parts": form("has two parts", (token) => token.split(".").slice(0, 2).join(".")),
  "STD-081/four-parts": form("has four parts", (token) => `${token}.AAAA`),
  "STD-081/five-parts": form("has five parts", (token) => `${token}.AAAA.AAAA`),
  "STD-081/empty-signature": form("has an empty signature", (token) =>
    token.replace(/[^.]+$/u, ""),
  ),
  "STD-081/extra-dot": form("has an extra dot", (token) => token.replace(".", "..")),
  "STD-081/whitespace": form("has a line break in it", (token) => token.replace(".", ".\n")),
  "STD-081/padding": form("has padded base64url", (token) => `${token}==`),
  "STD-081/standard-alphabet": badIDToken("is written in plain base64", {
    // Bytes for "-" and "_" in base64url, or "+" and "/" in base64.
    claims: (claims) => ({ "urn:example:bytes": "ÿþ~~??>>ûïü", ...claims }),
    text: (token) => token.replaceAll("-", "+").replaceAll("_", "/"),
  }),
  "STD-081/trailing-bits": form("has stray bits after the signature", setStrayBits),
  "STD-084": badIDToken("is compressed", {
    header: (header) => ({ ...header, zip: "DEF" }),
    payload: (json) => deflateRawSync(json),
  }),
  "STD-086/access-token": withType("at+jwt"),
  "STD-086/logout-token-type": withType("logout+jwt"),
  "STD-086/proof": withType("dpop+jwt"),
  "STD-086/logout-token": badIDToken("is a logout token", {
    claims: (claims) => ({
      ...without(claims, "nonce", "auth_time", "at_hash"),
      events: { [logoutEvent]: {} },
      jti: "logout-token",
    }),
  }),
  "STD-087": badIDToken("demands an extension that nobody knows", {
    header: (header) => ({ ...header, crit: ["urn:example:unknown"], "urn:example:unknown": true }),
  }),
  "STD-088/duplicate-member": badIDToken("has sub twice", {
    payload: (json) => json.replace(/\}$/u, ',"sub":"someone-else"}'),
  }),
  "STD-088/byte-order-mark": badIDToken("begins with a byte order mark", {
    payload: (json) => `\uFEFF${json}`,
  }),
  "STD-088/invalid-utf8": badIDToken("holds bytes that are no UTF-8", {
    payload: (json) =>
      Buffer.concat([Buffer.from(json.slice(0, -1)), Buffer.from(',"x":"\xFF\xFE"}', "latin1")]),
  }),
  "STD-088/lone-surrogate": badIDToken("holds half of a character", {
    payload: (json) => json.replace(/\}$/u, ',"x":"\\ud800"}'),
  }),
  "STD-088/deep": badIDToken("is nested 100 levels deep", {
    payload: (json) => json.replace(/\}$/u, `,"x":${"[".repeat(100)}${"]".repeat(100)}}`),
  }),
  "STD-088/array": badIDToken("is an array", { payload: (json) => `[${json}]` }),
  "STD-089/large-token": badIDToken("is larger than 64 KiB", {
    claims: (claims) => ({ ...claims, "urn:example:padding": "x".repeat(70_000) }),
  }),
} satisfies Readonly<Record<string, Entry>>;

function form(says: string, text: (token: string) => string): Entry {
  return badIDToken(says, { text });
}

function withType(typ: string): Entry {
  return badIDToken(`is of the type ${typ}`, { header: (header) => ({ ...header, typ }) });
}

/** A compact JWE of random bytes, which no key decrypts. */
function withEncryption(header: Members): string {
  const parts = [
    Buffer.from(JSON.stringify(header)),
    ...[256, 12, 500, 16].map((n) => randomBytes(n)),
  ];
  return parts.map((part) => part.toString("base64url")).join(".");
}

/** Sets an unused bit of the last character of the signature. */
function setStrayBits(token: string): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const last = alphabet.indexOf(token.at(-1) ?? "A");
  return token.slice(0, -1) + (alphabet[last ^ 1] ?? "A");
}
