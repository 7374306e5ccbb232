import { responseChecks, responseForm } from "../oidc/authorization-response.ts";
import type { CheckList } from "../oidc/checks/check.ts";
import { idTokenClaims, idTokenHeader } from "../oidc/tokens/id-token.ts";
import { formChecks } from "../oidc/tokens/token-claims.ts";
import { algorithmChecks, signatureChecks } from "../oidc/tokens/verify-signature.ts";
import { userinfoSubject } from "../oidc/userinfo.ts";
import { transactionChecks } from "./find-transaction.ts";
import { identityChecks, userChecks } from "./user-checks.ts";

/** The checks of a callback, in their order. Not every sign-in needs each of them. */
export const signInChecks: readonly CheckList<never>[] = [
  transactionChecks,
  responseForm,
  responseChecks,
  formChecks.id_token,
  idTokenHeader,
  algorithmChecks.id_token,
  signatureChecks.id_token,
  idTokenClaims,
  identityChecks,
  userChecks,
  userinfoSubject,
];
