import { expect, test } from "vitest";

import {
  createObserver,
  type Measurement,
  type Operation,
  type OperationEnd,
  type Telemetry,
} from "../../telemetry/telemetry.ts";
import { recordedProvider } from "../../../test/worlds/recorded-provider.ts";
import { words } from "../../../test/words.ts";
import { Refusal } from "../../errors/refusal.ts";
import { observeCalls } from "./observed-fetch.ts";
import type { ProviderFetch } from "./provider-fetch.ts";
import { pushAuthorizationRequest } from "../pushed-authorization-request.ts";
import { requestTokens } from "../token-request.ts";
import { revokeToken } from "../token-revocation.ts";
import { fetchUserinfo } from "../userinfo.ts";

test("each call is reported under the name of its endpoint", async () => {
  const metadata = {
    revocation_endpoint: "https://op.example/a",
    pushed_authorization_request_endpoint: "https://op.example/b",
  };
  const refuse = () => new Response("", { status: 400 });
  const { connection, endpoints } = recordedProvider(refuse, { metadata });
  const profile = { accessToken: "a-token", subject: "ada", now: 0 };
  const grant = { code: "a-code", codeVerifier: "a-verifier", redirectURI: "https://app.example" };
  const token = { kind: "access", value: "a-token" } as const;
  for (const call of [
    () => requestTokens(connection, grant),
    () => fetchUserinfo(connection, profile),
    () => revokeToken(connection, token),
    () => pushAuthorizationRequest(connection, {}),
    () => connection.issuer.warmUp(),
  ]) {
    // oxlint-disable-next-line no-await-in-loop -- in this order
    await call().catch(() => undefined);
  }
  expect(endpoints).toEqual(words`metadata token userinfo revocation par keys`);
});

/** Makes calls with a clock of two ticks; returns the reports to telemetry. */
function watchedCalls(call: ProviderFetch) {
  const measured: Measurement[] = [];
  const spans: [Operation, OperationEnd][] = [];
  let now = 0;
  const telemetry: Telemetry = {
    onMeasurement: (measurement) => measured.push(measurement),
    async around(operation, run) {
      const end = await run();
      spans.push([operation, end]);
      return end;
    },
  };
  const observer = createObserver(() => undefined, [telemetry], {
    mode: "cookie",
    labelsOf: () => ({}),
  });
  const timing = { monotonic: () => (now += 20) };
  const watched = observeCalls(call, { observer, timing });
  const request = { endpoint: "keys", method: "GET", headers: {} } as const;
  return { measured, spans, ask: () => watched("https://op.example/k?tenant=secret", request) };
}

const named = { kind: "provider", name: "keys" };
const timed = { of: "provider-request", endpoint: "keys", durationMs: 20 };

test("each call is measured and is one operation, by the name of its endpoint, with the status of the response", async () => {
  const { ask, measured, spans } = watchedCalls(async () => new Response("", { status: 418 }));
  expect((await ask()).status).toBe(418);
  expect(measured).toEqual([{ ...timed, status: 418 }]);
  expect(spans).toEqual([[named, { status: 418 }]]);
});

test("a call without a response has a reason, and no status of a response", async () => {
  const refusal = new Refusal("provider_unreachable");
  const { ask, measured, spans } = watchedCalls(() => Promise.reject(refusal));
  await expect(ask()).rejects.toBe(refusal);
  expect(measured).toEqual([{ ...timed, reason: "provider_unreachable" }]);
  expect(spans).toEqual([[named, { reason: "provider_unreachable" }]]);
});
