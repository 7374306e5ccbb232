import { decodeBase64url } from "./base64url.ts";
import type { JSONObject } from "./json-object.ts";
import { parseStrictJSON } from "./strict-json.ts";

/** A signed token taken apart; nothing in it may be believed before its signature was verified. */
export interface CompactJWS {
  readonly token: string;
  readonly header: JSONObject & { readonly alg: string; readonly kid?: string };
  readonly payload: JSONObject;
}

/** Longest token we look at, in characters. */
const longest = 64 * 1024;

/**
 * Takes a compact JWS apart: three parts, each in its one canonical spelling, header and payload
 * strict JSON objects, an algorithm other than `none`, nothing compressed, nothing critical (RFC
 * 8725, sections 3.1 to 3.6). `null` for anything else.
 */
export function readCompactJWS(token: unknown): CompactJWS | null {
  if (typeof token !== "string" || token.length > longest) return null;
  const parts = token.split(".", 4);
  const [head, body, signature] = parts.map(decodeBase64url);
  if (parts.length !== 3 || !head?.length || !body?.length || !signature?.length) return null;
  const header = parseStrictJSON(head);
  const payload = parseStrictJSON(body);
  if (header === null || payload === null || !isHeader(header)) return null;
  return { token, header, payload };
}

function isHeader(header: JSONObject): header is CompactJWS["header"] {
  const { alg, kid } = header;
  return (
    typeof alg === "string" &&
    alg.toLowerCase() !== "none" &&
    (kid === undefined || typeof kid === "string") &&
    !("crit" in header) &&
    !("zip" in header)
  );
}
