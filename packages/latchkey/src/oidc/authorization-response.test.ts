import { describe, expect, test } from "vitest";

import { metadataOf, type Members } from "../../test/worlds/quick-provider.ts";
import { goodSettings } from "../../test/settings.ts";
import { recordedProvider } from "../../test/worlds/recorded-provider.ts";
import type { Settings } from "../config/settings.ts";
import {
  readAuthorizationResponse,
  responseForm,
  responseParameters,
} from "./authorization-response.ts";
import { runChecks } from "./checks/check.ts";
import type { Metadata } from "./issuer/metadata.ts";

const issuer = goodSettings.issuerBaseURL;
const promised = { authorization_response_iss_parameter_supported: true };

/** Reads a response to an app with these settings, from a provider with these metadata. */
function read(
  parameters: Readonly<Record<string, string>>,
  responseType: Settings["responseType"] = "code",
  more: Members = {},
) {
  const { connection } = recordedProvider(Response.error, { settings: { responseType } });
  // The rest of the metadata is not read here.
  const metadata = { ...metadataOf(issuer), ...more } as unknown as Metadata;
  return readAuthorizationResponse(connection, new Map(Object.entries(parameters)), metadata);
}

test("only what the standards name is read of a response", () => {
  expect(new Set(responseParameters)).toEqual(
    new Set(["code", "error", "error_description", "id_token", "iss", "state"]),
  );
});

test.each([
  ["code", { code: "c", idToken: undefined }],
  ["id_token", { code: undefined, idToken: "t" }],
  ["code id_token", { code: "c", idToken: "t" }],
] as const)("a response of the type %s brings just that", (responseType, brought) => {
  expect(read({ code: "c", id_token: "t" }, responseType)).toEqual(brought);
});

test.each([
  ["code", { id_token: "t" }, "code is missing"],
  ["code", { code: "" }, "code is missing"],
  ["id_token", { code: "c" }, "id_token is missing"],
  ["code id_token", { code: "c", id_token: "" }, "id_token is missing"],
  ["code id_token", { id_token: "t" }, "code is missing"],
] as const)("a response of the type %s with %j alone is refused", (type, brought, detail) => {
  const refusal = expect.objectContaining({ reason: "response_incomplete", detail }) as Error;
  expect(() => read(brought, type)).toThrow(refusal);
});

describe("the issuer in a response (RFC 9207, 2.4)", () => {
  test("may be the provider's, and may be absent unless the metadata promise it", () => {
    expect(read({ code: "c", iss: issuer }, "code", promised)).toHaveProperty("code", "c");
    expect(read({ code: "c" })).toHaveProperty("code", "c");
    expect(read({ id_token: "t" }, "id_token", promised)).toHaveProperty("idToken", "t");
  });

  test.each([
    ["another", { code: "c", iss: "https://evil.example" }, {}, "response_iss_mismatch"],
    ["one with a slash more", { code: "c", iss: `${issuer}/` }, {}, "response_iss_mismatch"],
    ["an empty one", { code: "c", iss: "" }, {}, "response_iss_mismatch"],
    ["none, where it was promised", { code: "c" }, promised, "response_iss_missing"],
    [
      "none, where it was promised, beside an ID token that nobody asked for",
      { code: "c", id_token: "t" },
      promised,
      "response_iss_missing",
    ],
    ["none of its error, where it was promised", { error: "x" }, promised, "response_iss_missing"],
  ])("%s is refused", (_, brought, metadata, reason) => {
    expect(() => read(brought, "code", metadata)).toThrow(
      expect.objectContaining({ reason }) as Error,
    );
  });

  test.each([{ code: "c" }, { error: "access_denied" }])(
    "%j without one is refused at a shared redirect URI, whatever the metadata say [MX-030]",
    (parameters) => {
      const { connection } = recordedProvider(Response.error);
      const readShared = (given: Readonly<Record<string, string>>) =>
        readAuthorizationResponse(
          { ...connection, callback: "shared" },
          new Map(Object.entries(given)),
          metadataOf(issuer) as unknown as Metadata,
        );
      expect(() => readShared(parameters)).toThrow(
        expect.objectContaining({ reason: "response_iss_missing" }) as Error,
      );
      expect(readShared({ code: "c", iss: issuer })).toHaveProperty("code", "c");
    },
  );

  test("rejects an error without a promised issuer, even with an ID token", () => {
    expect(() => read({ error: "x" }, "id_token", promised)).toThrow(
      expect.objectContaining({ reason: "response_iss_missing" }) as Error,
    );
  });
});

describe("an error of the provider (RFC 6749, 4.1.2.1)", () => {
  test.each([
    [{ error: "access_denied" }, "sign_in_cancelled", "access_denied"],
    [{ error: "access_denied", error_description: "" }, "sign_in_cancelled", ""],
    [{ error: "access_denied", error_description: "no" }, "provider_denied", "no"],
    [{ error: "login_required" }, "provider_interaction_required", "login_required"],
    [{ error: "temporarily_unavailable" }, "provider_trouble", "temporarily_unavailable"],
    [{ error: "invented" }, "provider_denied", "invented"],
    [{ error: "constructor" }, "provider_denied", "constructor"],
    [{ error: "__proto__" }, "provider_denied", "__proto__"],
    [{ code: "c", error: "access_denied" }, "response_ambiguous", undefined],
  ])("%j is %s", (brought, reason, providerText) => {
    expect(() => read(brought)).toThrow(expect.objectContaining({ reason, providerText }) as Error);
  });

  test("its words are one line in the log", () => {
    expect(() => read({ error: "x", error_description: "a\r\nb" })).toThrow(
      expect.objectContaining({ detail: "x (a b)" }) as Error,
    );
  });
});

test("a response with a repeated parameter is refused, with its name (RFC 6749, 3.1)", () => {
  expect(() => runChecks(responseForm, { repeated: [] })).not.toThrow();
  expect(() => runChecks(responseForm, { repeated: ["state", "code"] })).toThrow(
    expect.objectContaining({ reason: "parameter_repeated", detail: "state" }) as Error,
  );
});
