import { expect, test } from "vitest";

import {
  createObserver,
  type Measurement,
  type Operation,
  type OperationEnd,
  type Telemetry,
} from "../config/telemetry/telemetry.ts";
import { words } from "../../test/words.ts";
import { Refusal } from "../errors/refusal.ts";
import { createEndpointNames, observed } from "./observed-fetch.ts";
import type { ProviderFetch } from "./provider-fetch.ts";

const metadata = {
  issuer: "https://op.example",
  authorization_endpoint: "https://op.example/authorize",
  jwks_uri: "https://op.example/jwks",
  token_endpoint: "https://op.example/t?tenant=1",
  userinfo_endpoint: "https://op.example/u",
  revocation_endpoint: "https://op.example/r",
  pushed_authorization_request_endpoint: "https://op.example/p",
};

test("calls are told by the name of their endpoint, never by its address", () => {
  const { nameOf, learn } = createEndpointNames();
  expect(nameOf(metadata.jwks_uri)).toBe("metadata");
  learn({ ...metadata, token_endpoint: "https://op.example/t" });
  const addresses = ["jwks", "t?code=secret", "u", "r", "p", ".well-known/openid-configuration"];
  expect(addresses.map((path) => nameOf(`https://op.example/${path}`))).toEqual(words`
    keys token userinfo revocation par metadata
  `);
});

/** Calls by a clock of two ticks, with what telemetry is told of them. */
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
  const observer = createObserver(() => undefined, [telemetry], "cookie");
  const timing = { monotonic: () => (now += 20) };
  const watched = observed(call, { endpoints: createEndpointNames(), observer, timing });
  return { measured, spans, ask: () => watched(metadata.jwks_uri, { method: "GET", headers: {} }) };
}

const named = { kind: "provider", name: "metadata" };
const timed = { of: "provider-request", endpoint: "metadata", durationMs: 20 };

test("each call is measured and is one operation, which ends with the status of the response", async () => {
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
