import { expect, test } from "vitest";

import type { Observer, Operation, OperationEnd } from "../config/telemetry/telemetry.ts";
import { createEndpointNames, observed } from "./observed-fetch.ts";

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
  expect(addresses.map((path) => nameOf(`https://op.example/${path}`))).toEqual([
    "keys",
    "token",
    "userinfo",
    "revocation",
    "par",
    "metadata",
  ]);
});

test("each call is one operation, which ends with the status of the response", async () => {
  const told: [Operation, OperationEnd | undefined][] = [];
  const run: Observer["run"] = async (operation, work, ends) => {
    const value = await work();
    told.push([operation, ends?.well?.(value)]);
    return value;
  };
  const call = observed(async () => new Response("", { status: 418 }), createEndpointNames(), run);
  expect((await call(metadata.jwks_uri, { method: "GET", headers: {} })).status).toBe(418);
  expect(told).toEqual([[{ kind: "provider", name: "metadata" }, { status: 418 }]]);
});
