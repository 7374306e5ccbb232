import { kindsOf, type TokenFault, type TokenReason, tokenReasons } from "./token-reasons.ts";

/**
 * Names of reasons before the kind of token stood beside them, such as `id_token_issuer`. Logs,
 * bookmarks and searches have them.
 */
export const formerReasons: ReadonlyMap<string, TokenFault> = new Map(
  (Object.keys(tokenReasons) as readonly TokenReason[]).flatMap((reason) =>
    kindsOf(reason).map((kind) => {
      const check = reason === "token_typ" ? "type" : reason.replace("token_", "");
      return [`${kind}_${check}`, { reason, kind } as TokenFault];
    }),
  ),
);
