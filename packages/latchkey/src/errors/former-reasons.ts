import { isTokenReason, type Reason } from "./reasons.ts";
import { kindsOf, type TokenKind, type TokenReason, tokenReasons } from "./token-reasons.ts";

/** A reason and, if it is about a token, the kind of token. */
interface NamedReason {
  readonly reason: Reason;
  readonly kind?: TokenKind;
}

/** Reasons that are part of another one now: its `detail` says the same (0173). */
const merged = {
  response_code_missing: "response_incomplete",
  response_id_token_missing: "response_incomplete",
  token_access_token_hash: "token_hash",
  token_code_hash: "token_hash",
  token_nonce_changed: "token_nonce",
  token_state_hash: "token_hash",
  token_type_unknown: "token_response_invalid",
} as const satisfies Readonly<Record<string, Reason>>;

/** The type of a logout token had a reason of its own (0174). */
const otherType: NamedReason = { reason: "token_malformed", kind: "logout_token" };

function namesBeforeKinds(reason: TokenReason): readonly [string, NamedReason][] {
  const check = reason.replace("token_", "");
  return kindsOf(reason).map((kind) => [`${kind}_${check}`, { reason, kind }]);
}

function namesBeforeMerge([name, reason]: [string, Reason]): readonly [string, NamedReason][] {
  if (!isTokenReason(reason)) return [[name, { reason }]];
  const ofIDToken = { reason, kind: "id_token" } as const;
  return [
    [name, ofIDToken],
    [`id_${name}`, ofIDToken],
  ];
}

/**
 * Names of earlier versions, such as `id_token_issuer`, from before the kind of token stood beside
 * the reason. Logs, bookmarks and searches have them.
 */
export const formerReasons: ReadonlyMap<string, NamedReason> = new Map([
  ...(Object.keys(tokenReasons) as readonly TokenReason[])
    // It is newer than the kinds.
    .filter((reason) => reason !== "token_hash")
    .flatMap(namesBeforeKinds),
  ...Object.entries(merged).flatMap(namesBeforeMerge),
  ...["token_typ", "logout_token_type"].map((name) => [name, otherType] as const),
]);
