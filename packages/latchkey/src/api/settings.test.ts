import { expect, test } from "vitest";

import { goodSettings } from "../../test/settings.ts";
import { createAuth } from "../host/auth.ts";
import { faultsOfOptions } from "../config/option-forms.ts";
import { api, type ApiOptions } from "./index.ts";

const audience = "https://api.example";

/** The faults of options, as the start reports them. */
function faultsOf(options: unknown): readonly string[] {
  const faults = faultsOfOptions(api(options as ApiOptions).written);
  return faults.map(({ option, message }) => `${option}: ${message}`);
}

test.each([
  [undefined, "api: must be an object of options"],
  [null, "api: must be an object of options"],
  ["https://api.example", "api: must be an object of options"],
  [{}, "api.audience: is required"],
  [{ audience: "" }, "api.audience: must be text, or a list of texts"],
  [{ audience: [] }, "api.audience: must be text, or a list of texts"],
  [{ audience: [""] }, "api.audience: must be text, or a list of texts"],
  [{ audience: 7 }, "api.audience: must be text, or a list of texts"],
])("%j names no audience [AP-001]", (options, fault) => {
  expect(faultsOf(options)).toEqual([fault]);
});

test.each<[Partial<Record<keyof ApiOptions, unknown>>, string]>([
  [{ profile: "azure" }, "api.profile: must be one of rfc9068, entra"],
  [{ profile: "constructor" }, "api.profile: must be one of"],
  [{ algorithms: [] }, "api.algorithms: must be a list of"],
  [{ algorithms: ["HS256"] }, "api.algorithms: must be a list of"],
  [{ algorithms: "ES256" }, "api.algorithms: must be a list of"],
  [{ profile: "cognito" }, "api.clientIDs: is required"],
  [{ profile: "cognito", clientIDs: [] }, "api.clientIDs: must list client IDs"],
  [{ profile: "cognito", clientIDs: [""] }, "api.clientIDs: must list client IDs"],
  [{ clientIDs: ["a"] }, "api.clientIDs: is for the profile cognito only"],
  [{ paths: "/v1" }, "api.paths: must be a list of paths"],
  [{ paths: ["v1"] }, "api.paths: must be a list of paths"],
  [{ paths: ["//v1"] }, "api.paths: must be a list of paths"],
  [{ paths: [7] }, "api.paths: must be a list of paths"],
  [{ origins: ["https://spa.example/"] }, "api.origins: must be a list of origins"],
  [{ origins: ["*"] }, "api.origins: must be a list of origins"],
  [{ origins: [7] }, "api.origins: must be a list of origins"],
  [{ issuers: {} }, "api.issuers: must be a list"],
  [{ issuers: [null] }, "api.issuers[0]: must be an object"],
  [{ issuers: [{ issuer: "op" }] }, "api.issuers[0].issuer: must be the address"],
  [{ issuers: [{ issuer: 7 }] }, "api.issuers[0].issuer: must be the address"],
  [{ issuers: [{ issuer: "http://op.example" }] }, "issuer, https except on this machine"],
  [{ issuers: [{ issuer: "ftp://localhost" }] }, "issuer, https except on this machine"],
  [{ issuers: [{ issuer: "javascript:alert(1)" }] }, "issuer, https except on this machine"],
  [{ issuers: [{ issuer: audience, audience: [] }] }, "api.issuers[0].audience: must be text"],
  [{ issuers: [{ issuer: audience, profile: "x" }] }, "api.issuers[0].profile: must be one of"],
  [{ introspection: "yes" }, "api.introspection: must be true, false"],
  [{ introspection: null }, "api.introspection: must be true, false"],
  [{ introspection: { endpoint: "x" } }, "api.introspection.endpoint: must be an address"],
  [{ introspection: { endpoint: 7 } }, "api.introspection.endpoint: must be an address"],
  [{ introspection: { endpoint: "http://op.example" } }, "address, https except on this machine"],
  [{ introspection: { clientID: "a" } }, "api.introspection.clientSecret: is required"],
  [{ introspection: { clientSecret: "a" } }, "api.introspection.clientID: is required"],
  [{ introspection: { clientID: 7, clientSecret: "a" } }, "clientID: must be text"],
  [{ introspection: { clientID: "a", clientSecret: "" } }, "clientSecret: must be text"],
  [{ introspection: { tokens: "jwt" } }, "api.introspection.tokens: must be one of all, opaque"],
  [{ introspection: { cacheSeconds: 31 } }, "api.introspection.cacheSeconds: must be a number"],
  [{ introspection: { cacheSeconds: -1 } }, "api.introspection.cacheSeconds: must be a number"],
  [{ introspection: { cacheSeconds: "9" } }, "api.introspection.cacheSeconds: must be a number"],
  [{ introspection: { jwt: 1 } }, "api.introspection.jwt: must be true or false"],
  [{ dpop: "on" }, "api.dpop: must be true, false or an object"],
  [{ dpop: null }, "api.dpop: must be true, false or an object"],
  [{ dpop: { nonce: 1 } }, "api.dpop.nonce: must be true or false"],
  [{ dpop: { isRequired: 1 } }, "api.dpop.isRequired: must be true or false"],
])("%j is a fault", (options, expected) => {
  const faults = faultsOf({ audience, ...options });
  expect(faults).toHaveLength(1);
  expect(faults[0]).toContain(expected);
});

test.each([
  { audience: [audience, "api"] },
  { audience, paths: ["/", "/v1/", "/a-b/~c.d"], origins: ["https://spa.example"] },
  { audience, profile: "cognito", clientIDs: ["a"] },
  { audience, algorithms: ["ES256"], issuers: [{ issuer: audience, audience: ["a"] }] },
  { audience, introspection: { endpoint: audience, cacheSeconds: 0, tokens: "all", jwt: true } },
  { audience, introspection: { clientID: "a", clientSecret: "b", cacheSeconds: 30 } },
  { audience, introspection: true, dpop: false },
  { audience, issuers: [{ issuer: "http://localhost:9000" }] },
  { audience, introspection: { endpoint: "http://127.0.0.1/introspect" } },
  { audience, dpop: { nonce: true, isRequired: true } },
])("%j is no fault", (options) => {
  expect(faultsOf(options)).toEqual([]);
});

test.each<[object, string, string]>([
  [{ audiences: ["b"] }, "api.audiences", "Did you mean audience?"],
  [{ anything: true }, "api.anything", "Remove it."],
  [{ introspection: { clientId: "a" } }, "api.introspection.clientId", "Did you mean clientID?"],
  [{ dpop: { required: true } }, "api.dpop.required", "Remove it."],
  [{ issuers: [{ issuer: audience, algs: [] }] }, "api.issuers[0].algs", "Remove it."],
])("%j has a member that is no option", (options, option, remedy) => {
  const faults = faultsOfOptions(api({ audience, ...options }).written);
  expect(faults).toEqual([{ option, variable: "", message: "is not an option", remedy }]);
});

test("the start fails without an audience, with one sentence [AP-001]", async () => {
  const options = { ...goodSettings, log: () => undefined, api: api({} as ApiOptions) };
  await expect(createAuth(options).ready()).rejects.toThrow(/api\.audience/);
});

test.each([[7], [null], [{}], [{ faults: [] }], [{ name: "api", open: () => null }]])(
  "%j is no option api",
  async (given) => {
    const options = { ...goodSettings, log: () => undefined, api: given as never };
    await expect(createAuth(options).ready()).rejects.toThrow("must be made by api()");
  },
);

test("a fault names what is seen, and neither a secret nor what is in an object", () => {
  const introspection = { clientID: "a", clientSecret: 7, endpoint: { password: "hidden" } };
  const faults = faultsOfOptions(
    api({ audience, constructor: 1, paths: ["v1"], introspection } as unknown as ApiOptions)
      .written,
  );
  expect(Object.fromEntries(faults.map(({ option, seen }) => [option, seen]))).toEqual({
    "api.introspection.clientSecret": undefined,
    "api.introspection.endpoint": "an object",
    "api.paths": "[v1]",
    "api.constructor": undefined,
  });
});
