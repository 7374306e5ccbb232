import { expect, test } from "vitest";

import { quickRelyingParty } from "../../../test/worlds/quick-relying-party.ts";
import { isAdmittedSignIn } from "./verified-elsewhere.ts";

const { connection } = quickRelyingParty();
const { clientID, issuer } = connection;
const ours = { ...connection, trustedAudiences: ["api"], acr: ["phr", "mfa"] };

function isAdmitted(changes: object): boolean {
  const claims = { iss: issuer.name, sub: "ada", aud: clientID, acr: "mfa", ...changes };
  return isAdmittedSignIn(ours, { claims, user: { sub: "ada" } });
}

test.each([
  ["for this client", {}],
  ["for this client among trusted audiences", { aud: [clientID, "api"], azp: clientID }],
  ["of the issuer with a slash at the end", { iss: `${issuer.name}/` }],
])("a sign-in that another library has verified, %s, is admitted", (_, changes) => {
  expect(isAdmitted(changes)).toBe(true);
});

test.each([
  ["for another client", { aud: "another" }],
  ["for a trusted audience alone", { aud: "api" }],
  ["for an audience that is not trusted, too", { aud: [clientID, "another"] }],
  ["issued to another client", { azp: "another" }],
  ["of another issuer", { iss: "https://evil.example" }],
  ["of another class", { acr: "pwd" }],
  ["of no class", { acr: undefined }],
])("a sign-in that another library has verified, %s, is not admitted", (_, changes) => {
  expect(isAdmitted(changes)).toBe(false);
});
