/** Answers to a session that is bound to a device, without a proof of it (decision 0141). */
import type { Config } from "../../config/config.ts";
import { textOf } from "../../errors/reasons.ts";
import { Refusal } from "../../errors/refusal.ts";
import type { AuthRequest } from "../../http/auth-request.ts";
import { unauthorized } from "../../http/error-json.ts";
import { oneLine } from "../../errors/one-line.ts";
import type { ResponseParts } from "../../http/response-parts.ts";
import type { SessionResult } from "../../session/read-session.ts";
import { sessionChallenge } from "./require-sign-in.ts";

/** The response to a script, which no redirect helps. */
export function proofMissing(config: Config): ResponseParts {
  const description = textOf("device_proof_missing");
  return unauthorized({ error: "device_proof_missing", description }, sessionChallenge(config));
}

/**
 * An outage is no reason to sign in again: the browser proves its key a little later. What a client
 * says here never lets it through.
 *
 * @throws {Refusal} `device_proof_missing` if a browser could not reach the route that renews its
 *   proof
 * @param returnTo - the requested page, if there is one
 */
export function checkProofReached(
  { headers }: Pick<AuthRequest, "headers">,
  { state }: SessionResult,
  returnTo?: string,
): void {
  const skipped = headers.get("secure-session-skipped");
  if (state !== "unproved" || skipped === null || !outage.test(skipped)) return;
  const detail = oneLine(`the browser says: Secure-Session-Skipped: ${skipped}`, 200);
  throw new Refusal("device_proof_missing", { detail, returnTo });
}

/** Reasons of browsers (Device Bound Session Credentials, W3C draft). */
const outage = /\b(?:unreachable|server_error)\b/;
