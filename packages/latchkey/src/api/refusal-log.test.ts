import { expect, test } from "vitest";

import { createApiApp } from "../../test/api/api-app.ts";
import { signedInExchanges } from "../../test/sessions/signed-in-exchanges.ts";
import { Refusal } from "../errors/refusal.ts";
import { createRefusalLog } from "./refusal-log.ts";
import { invalidToken } from "./token-refused.ts";

async function openLog() {
  const { context, events, advance } = await signedInExchanges();
  return { log: createRefusalLog(context), events, advance };
}

test("a refused token without a detail is logged with its code and sentence alone", async () => {
  const app = await createApiApp();
  await app.call({ headers: { authorization: "Bearer" } });
  expect(app.events.at(-1)).toEqual({
    event: "refusal",
    route: "api",
    reason: "access_token_refused",
    status: 400,
    detail: "invalid_request: The Authorization header is malformed.",
  });
});

test("each sentence of a refused token is logged again from the tenth second on, whatever its detail", async () => {
  const { log, events, advance } = await openLog();
  log(invalidToken("The access token has expired.", "exp 1"));
  log(invalidToken("The access token has expired.", "exp 2"));
  log(invalidToken("The access token names no subject."));
  expect(events.map((each) => "detail" in each && each.detail)).toEqual([
    "invalid_token: The access token has expired. exp 1",
    "invalid_token: The access token names no subject.",
  ]);
  advance(9);
  log(invalidToken("The access token has expired.", "exp 3"));
  expect(events).toHaveLength(2);
  advance(1);
  log(invalidToken("The access token has expired.", "exp 4"));
  expect(events).toHaveLength(3);
});

test.each([
  ["the detail of a refusal", new Refusal("store_unavailable", { detail: "slow" }), "slow"],
  [
    "the message of a refusal without a detail",
    new Refusal("store_unavailable"),
    "The session store does not answer.",
  ],
  ["no detail of an error of another origin", new Error("it may name a token"), undefined],
])(
  "a token that cannot be checked now is logged each time, with %s",
  async (_name, error, detail) => {
    const { log, events } = await openLog();
    log(error);
    log(error);
    const reason = "access_token_unchecked";
    const expected = { event: "refusal", route: "api", reason, status: 503, detail, error };
    expect(events).toEqual([expected, expected]);
  },
);
