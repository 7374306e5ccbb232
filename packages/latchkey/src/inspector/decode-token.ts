import { decodeBase64url } from "../crypto/base64url.ts";
import { isJSONObject, type JSONObject, parseJSON } from "../crypto/json-object.ts";
import { lengthOnly, shorten } from "./mask.ts";
import type { Document } from "./sign-in.ts";

/** Header and claims of a token, verified or not. */
interface DecodedToken {
  readonly header: JSONObject;
  readonly payload: JSONObject;
}

/** Returns what can be read of a signed token, however wrong it is; `null` for an opaque one. */
function decodeToken(token: string): DecodedToken | null {
  const [header, payload] = token.split(".").slice(0, 2).map(decodePart);
  return isJSONObject(header) && isJSONObject(payload) ? { header, payload } : null;
}

function decodePart(part: string): unknown {
  const bytes = decodeBase64url(part);
  return bytes === null ? null : parseJSON(new TextDecoder().decode(bytes));
}

/** Describes a token: header and claims, never its signature. */
export function describeToken(name: string, token: string): readonly Document[] {
  const decoded = decodeToken(token);
  const parts = token.split(".").length;
  if (decoded === null) {
    const kind = parts === 5 ? "encrypted (JWE)" : "opaque";
    return [{ title: name, text: `${kind} ${lengthOnly(token)}` }];
  }
  const signature = token.split(".").slice(2).join(".");
  return [
    { title: `${name}: header`, text: toText(decoded.header) },
    { title: `${name}: claims`, text: toText(decoded.payload) },
    { title: `${name}: signature`, text: `not shown ${lengthOnly(signature)}` },
  ];
}

/** Members whose values no one needs to see, wherever they are. */
const secretMembers = /^(?:nonce|code|state|password|.*secret.*|.*_token|.*Token)$/;

const longestText = 20_000;

/** JSON, indented. Values of secret members are shortened. */
export function toText(value: unknown): string {
  const text = JSON.stringify(
    value,
    (name, member: unknown) =>
      typeof member === "string" && secretMembers.test(name) ? shorten(member) : member,
    2,
  );
  return (text ?? "nothing").slice(0, longestText);
}
