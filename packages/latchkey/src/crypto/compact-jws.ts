import { decodeBase64url } from "./base64url.ts";
import { type JSONObject, kindOf, withoutNulls } from "./json-object.ts";
import { faultOfJSON, parseStrictJSON } from "./strict-json.ts";

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
 * 8725, sections 3.1 to 3.6), the payload encoded (RFC 7797, section 7). A member of the header
 * that is null counts as absent. `null` for anything else.
 */
export function readCompactJWS(token: unknown): CompactJWS | null {
  if (typeof token !== "string" || token.length > longest) return null;
  const parts = token.split(".", 4);
  const [head, body, signature] = parts.map(decodeBase64url);
  if (parts.length !== 3 || !head?.length || !body?.length || !signature?.length) return null;
  const header = parseStrictJSON(head);
  const payload = parseStrictJSON(body);
  if (header === null || payload === null || faultOfHeader(header) !== null) return null;
  return { token, header: withoutNulls(header) as CompactJWS["header"], payload };
}

/** Returns which rule a token breaks that `readCompactJWS` refuses, for the log. */
export function faultOfCompactJWS(token: unknown): string {
  if (typeof token !== "string" || token === "") return `it is ${kindOf(token)}`;
  if (token.length > longest) return `it has ${token.length} characters, more than ${longest}`;
  const parts = token.split(".");
  if (parts.length === 5) return "it is encrypted (five parts): a signed token has three";
  if (parts.length === 1) return "it is opaque: a signed token has three parts";
  if (parts.length !== 3) return `it has ${parts.length} parts: a signed token has three`;
  const [head, body, signature] = parts.map(decodeBase64url);
  if (!head?.length) return "its header is not base64url";
  if (!body?.length) return "its payload is not base64url";
  const header = parseStrictJSON(head);
  if (header === null) return `its header is not a JSON object: ${faultOfJSON(head)}`;
  if (parseStrictJSON(body) === null) {
    return `its payload is not a JSON object: ${faultOfJSON(body)}`;
  }
  if (signature === null) return "its signature is not base64url";
  return faultOfHeader(header) ?? (signature?.length ? "it has no fault" : "it is not signed");
}

/** A header that changes how a token is read is refused whatever its value. */
function faultOfHeader({ alg, kid, ...others }: JSONObject): string | null {
  if (typeof alg !== "string") return `alg is ${kindOf(alg)}, not a text`;
  if (alg.toLowerCase() === "none") return 'alg is "none"';
  if (kid != null && typeof kid !== "string") return `kid is ${kindOf(kid)}, not a text`;
  const extension = ["crit", "zip", "b64"].find((name) => name in others);
  return extension === undefined ? null : `its header has ${extension}`;
}
