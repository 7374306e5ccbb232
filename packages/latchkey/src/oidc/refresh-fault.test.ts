import { ResponseBodyError } from "oauth4webapi";
import { expect, test } from "vitest";

import { Refusal } from "../errors/refusal.ts";
import { refreshFaultOf } from "./refresh-fault.ts";

const withCode = (code: string) => Object.assign(new Error("failed"), { code });
const ownWords = new ResponseBodyError("refused", {
  cause: { error: "closed" },
  response: new Response(),
});
const unreachable = (cause: unknown) => new Refusal("provider_unreachable", { cause });

test.each([
  ["a grant that is refused", new Refusal("code_rejected"), "refused"],
  ["a client that is refused", new Refusal("client_rejected"), "rejected"],
  ["a provider that denies it", new Refusal("provider_denied"), "rejected"],
  ["a wish for the person", new Refusal("provider_interaction_required"), "rejected"],
  ["a redirect", new Refusal("provider_redirected"), "rejected"],
  [
    "an error in the provider's own words",
    new Refusal("token_response_invalid", { cause: ownWords }),
    "rejected",
  ],
  [
    "such words of a server in trouble",
    new Refusal("provider_failed", { cause: ownWords }),
    "unanswered",
  ],
  ["a provider that is busy", new Refusal("provider_busy"), "unsent"],
  [
    "a failure known before the call",
    new Refusal("provider_timeout", { cause: new Refusal("provider_timeout") }),
    "unsent",
  ],
  [
    "no connection under fetch",
    unreachable(new TypeError("", { cause: withCode("ENOTFOUND") })),
    "unsent",
  ],
  ["a connection that breaks", unreachable(withCode("ECONNRESET")), "unanswered"],
  [
    "a failure without a code",
    unreachable(new TypeError("", { cause: new Error("x") })),
    "unanswered",
  ],
  ["a failure that is no error", unreachable("ECONNREFUSED"), "unanswered"],
  [
    "no time left, whatever came before",
    new Refusal("provider_timeout", { cause: withCode("ECONNREFUSED") }),
    "unanswered",
  ],
  ["a server error", new Refusal("provider_failed"), "unanswered"],
  ["a response that makes no sense", new Refusal("token_response_invalid"), "unanswered"],
  ["a fault of ours", new Error("x"), "unanswered"],
])("a refresh that ends with %s counts the token as such", (_, error, fault) => {
  expect(refreshFaultOf(error)).toBe(fault);
});

test.each([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
])("a refresh token is unspent where the connection fails with %s", (code) => {
  expect(refreshFaultOf(unreachable(withCode(code)))).toBe("unsent");
});
