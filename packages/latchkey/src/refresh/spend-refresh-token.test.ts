import { describe, expect, test } from "vitest";

import { askWith } from "../../test/handle-request.ts";
import { chanceOf, failed, twoInstances } from "../../test/refresh/two-instances.ts";
import { AccessTokenError } from "../errors/access-token-error.ts";
import { isTokenReason, type Reason, reasons } from "../errors/reasons.ts";
import type { RequestAuth } from "../host/request-auth.ts";

type Answer = () => Response;
type Answers = Partial<Record<"metadata" | "token", Answer>>;

/** A provider that gives these answers, and how often a refresh token was sent. */
async function world(answers: Answers) {
  const calls = { token: 0 };
  const onCall = async (input: string, send: () => Promise<Response>) => {
    const asked = input.endsWith("/token") ? "token" : "metadata";
    if (asked === "token") calls.token += 1;
    return answers[asked]?.() ?? send();
  };
  return { ...(await twoInstances({ onCall, settings: { random: chanceOf(255) } })), calls };
}

const answer = (status: number, body: object) => () => Response.json(body, { status });

const [refused, rejected, targetless, unknown, broken] = [
  answer(400, { error: "invalid_grant" }),
  answer(401, { error: "invalid_client" }),
  answer(400, { error: "invalid_target" }),
  answer(400, { error: "unknown_to_us" }),
  answer(500, {}),
];
const unreachable: Answer = () => {
  throw failed("ECONNREFUSED");
};
const unusable = answer(200, { access_token: "at", token_type: "Bearer", id_token: "none" });

/** The token, or the code of the error, and after how many seconds the request may be repeated. */
const ask = (refresh: boolean) => (here: RequestAuth) =>
  here.accessToken({ refresh }).then(
    (token) => [token],
    (error: unknown) =>
      error instanceof AccessTokenError
        ? [error.code, error.retryAfterSeconds, error.message.replace(/(?<=CAUSE: ).*/, "…")]
        : [String(error)],
  );

const message = "The request to refresh the access token failed. CAUSE: …";
const forGood = ["ERR_FAILED_REFRESH_GRANT", undefined, message];
const forOnce = ["ERR_FAILED_REFRESH_GRANT", 1, message];
const forNoTarget = ["ERR_INVALID_TARGET", undefined, expect.stringContaining("of the sign-in")];
const inHand = ["at.2.0"];
const [good, over] = [50, -5];

interface Case {
  readonly provider: string;
  readonly answers: Answers;
  readonly left: number;
  readonly isForced?: boolean;
  readonly made: readonly unknown[];
  readonly reason: Reason;
  readonly outcome?: string;
  readonly calls: number;
}

const unasked = { answers: { metadata: unreachable }, reason: "provider_unreachable", calls: 0 };
const unsent = { answers: { token: unreachable }, reason: "provider_unreachable", calls: 1 };
const unanswered = { answers: { token: broken }, reason: "provider_failed", calls: 2 };
const notTaken = { answers: { token: rejected }, reason: "client_rejected", calls: 1 };
const noTarget = { answers: { token: targetless }, reason: "target_refused", calls: 1 };
const other = { answers: { token: unknown }, reason: "token_response_invalid", calls: 1 };
const spent = { outcome: "refused", calls: 1 };
const refusal = { ...spent, answers: { token: refused }, reason: "code_rejected" };
const notUsed = { ...spent, answers: { token: unusable }, reason: "token_malformed" };

test.each<Case>([
  { ...unasked, provider: "has no metadata", left: good, made: inHand },
  { ...unasked, provider: "has no metadata", left: over, made: forOnce },
  { ...unsent, provider: "cannot be reached", left: good, made: inHand },
  { ...unsent, provider: "cannot be reached", left: good, isForced: true, made: forGood },
  { ...unsent, provider: "cannot be reached", left: over, made: forOnce },
  { ...unanswered, provider: "answers 500", left: good, made: inHand },
  { ...unanswered, provider: "answers 500", left: over, made: forOnce },
  { ...notTaken, provider: "refuses the client", left: good, made: inHand },
  { ...notTaken, provider: "refuses the client", left: good, isForced: true, made: forGood },
  { ...notTaken, provider: "refuses the client", left: over, made: forGood },
  { ...noTarget, provider: "refuses the resource", left: good, made: inHand },
  { ...noTarget, provider: "refuses the resource", left: over, made: forNoTarget },
  { ...other, provider: "answers with any other error", left: good, made: inHand },
  { ...other, provider: "answers with any other error", left: over, made: forGood },
  { ...refusal, provider: "refuses the token", left: good, made: forGood },
  { ...notUsed, provider: "gives what must not be used", left: good, made: forGood },
] as Case[])(
  "a token that is good for $left s, refreshed at a provider that $provider, brings $made",
  async ({ answers, left, isForced = false, made, outcome = "transient", reason, calls: sent }) => {
    const { one, signIn, told, ends, calls } = await world(answers);
    const { jar } = await signIn(left);
    expect((await askWith(one, jar, ask(isForced))).made).toEqual(made);
    expect(calls.token).toBe(sent);
    const kind = isTokenReason(reason) ? "id_token" : undefined;
    expect(told("refresh")).toMatchObject([{ outcome, reason, kind, sub: "ada" }]);
    expect(ends).toEqual([{ outcome, reason, status: reasons[reason].status }]);
  },
);

test("a successful refresh is logged with its duration", async () => {
  const { one, jar, told, ends } = await world({});
  await askWith(one, jar, ask(false));
  const [event] = told("refresh");
  expect(event).toMatchObject({ outcome: "renewed", reason: undefined });
  expect(event).toHaveProperty(
    "durationMs",
    expect.toSatisfy((ms: number) => ms >= 0 && ms < 5000),
  );
  expect(ends).toEqual([{ outcome: "renewed" }]);
});

test("a refused resource is named in the error", async () => {
  const { one, jar } = await world({ token: targetless });
  const { made } = await askWith(one, jar, (here) =>
    here.accessToken({ resource: "https://api.example" }).catch(String),
  );
  expect(made).toContain('no access token for the resource "https://api.example" (invalid_target)');
});

test("a session without an access token has none at hand", async () => {
  const { one, signIn } = await world({ token: unreachable });
  const { jar } = await signIn(good, { accessToken: undefined });
  expect((await askWith(one, jar, ask(false))).made).toEqual(forOnce);
});

describe("after a failed refresh", () => {
  test.each<[string, Answer, string[], boolean?]>([
    ["because the provider could not be reached, others wait", unreachable, ["in-hand"]],
    ["because it refuses the client, others do not wait", rejected, ["renewed"]],
    ["others need not wait once one has succeeded", unreachable, ["renewed", "renewed"], true],
  ])("%s", async (_, token, after, hasSucceeded = false) => {
    const answers: Answers = { token };
    const { one, jar, signIn, outcomes } = await world(answers);
    const another = await signIn();
    await askWith(one, jar, ask(false));
    delete answers.token;
    if (hasSucceeded) await askWith(one, jar, ask(true));
    await askWith(one, another.jar, ask(false));
    expect(outcomes()).toEqual(["transient", ...after]);
  });
});

test("a refresh that brings fewer scopes than a request needs is no success for it", async () => {
  const narrower = { access_token: "at.2.1", token_type: "Bearer", scope: "openid" };
  const { one, signIn } = await world({ token: answer(200, narrower) });
  const { jar } = await signIn(over, { accessTokenScope: "openid admin" });
  const withScope = (scope: string) => (here: RequestAuth) =>
    here.accessToken({ scopes: [scope] }).catch((error: AccessTokenError) => error.code);
  expect((await askWith(one, jar, withScope("admin"))).made).toBe("ERR_INSUFFICIENT_SCOPE");
  expect((await askWith(one, jar, withScope("openid"))).made).toBe("at.2.1");
});
