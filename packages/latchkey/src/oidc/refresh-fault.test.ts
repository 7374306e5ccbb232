import { expect, test } from "vitest";

import { words } from "../../test/words.ts";
import type { PlainReason } from "../errors/reasons.ts";
import { Refusal } from "../errors/refusal.ts";
import { ErrorResponse } from "./error-answer.ts";
import { refreshFaultOf } from "./refresh-fault.ts";

const withCode = (code: string) => Object.assign(new Error("failed"), { code });
const ownWords = new ErrorResponse(new Response(), "closed");
const ofStatus = (status: number) => new ErrorResponse(new Response(null, { status }));
const refusal = (reason: PlainReason, cause?: unknown) => new Refusal(reason, { cause });
const unreachable = (cause: unknown) => refusal("provider_unreachable", cause);
const underFetch = (cause: Error) => unreachable(new TypeError("", { cause }));
const early = refusal("provider_timeout");
const late = withCode("ECONNREFUSED");

test.each([
  ["a grant that is refused", refusal("code_rejected"), "refused"],
  ["a client that is refused", refusal("client_rejected"), "rejected"],
  ["a resource that is refused", refusal("target_refused"), "rejected"],
  ["a provider that denies it", refusal("provider_denied"), "rejected"],
  ["a wish for the person", refusal("provider_interaction_required"), "rejected"],
  ["a redirect", refusal("provider_redirected"), "rejected"],
  ["an error in the provider's own words", refusal("token_response_invalid", ownWords), "rejected"],
  ["such words of a server in trouble", refusal("provider_failed", ownWords), "unanswered"],
  ["a provider that is busy", refusal("provider_busy"), "unsent"],
  ["a failure known before the call", refusal("provider_timeout", early), "unsent"],
  ["no connection under fetch", underFetch(withCode("ENOTFOUND")), "unsent"],
  ["a connection that breaks", unreachable(withCode("ECONNRESET")), "unanswered"],
  ["a failure without a code", underFetch(new Error("x")), "unanswered"],
  ["a failure that is no error", unreachable("ECONNREFUSED"), "unanswered"],
  ["no time left, whatever came before", refusal("provider_timeout", late), "unanswered"],
  ["a server error", refusal("provider_failed"), "unanswered"],
  ["a response that makes no sense", refusal("token_response_invalid"), "unusable"],
  ["a response that is too large", refusal("response_too_large"), "unusable"],
  ["a status that was not wanted", refusal("token_response_invalid", ofStatus(204)), "unusable"],
  ["a page of a proxy", refusal("token_response_invalid", ofStatus(404)), "rejected"],
  ["a fault of ours", new Error("x"), "unanswered"],
])("a refresh that ends with %s counts the token as such", (_, error, fault) => {
  expect(refreshFaultOf(error)).toBe(fault);
});

test.each(words`
  ECONNREFUSED ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH UND_ERR_CONNECT_TIMEOUT
`)("a refresh token is unspent where the connection fails with %s", (code) => {
  expect(refreshFaultOf(unreachable(withCode(code)))).toBe("unsent");
});
