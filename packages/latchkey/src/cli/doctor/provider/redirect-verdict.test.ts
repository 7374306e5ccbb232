import { expect, test } from "vitest";

import type { Answer } from "../ask.ts";
import { judgeAuthorization, refusalIn } from "./redirect-verdict.ts";

const address = "https://app.example/api/auth/callback";
const state = "the-state";

function answer(status: number, location = "", text = ""): Answer {
  const headers = new Headers(location === "" ? {} : { location });
  const url = "https://id.example/authorize";
  return { kind: "response", url, status, headers, text, sentAt: 0, receivedAt: 0 };
}

test.each([
  ["an error at our address", answer(302, `${address}?error=login_required&state=${state}`)],
  ["an error in the fragment", answer(303, `${address}#error=login_required&state=${state}`)],
  ["a pushed request that was stored", answer(201, "", '{"request_uri":"urn:x"}')],
  ["the login page of Zitadel", answer(302, "https://id.example/ui/v2/login?authRequest=V2_1")],
  ["a form to our address", answer(200, "", `<form method="post" action="${address}">`)],
])("%s is accepted", (_what, given) => {
  expect(judgeAuthorization(given, address, state)).toBe("accepted");
});

test.each([
  ["Keycloak", answer(400, "", "Invalid parameter: redirect_uri")],
  ["Auth0", answer(403, "", "Callback URL mismatch.")],
  ["Okta", answer(400, "", "The 'redirect_uri' parameter must be a Login redirect URI")],
  ["Zitadel", answer(400, "", '{"error_description":"The requested redirect_uri is missing"}')],
  ["Cognito", answer(302, "https://id.example/error?error=redirect_mismatch")],
  ["Entra ID", answer(400, "", "AADSTS50011: The redirect URI specified does not match.")],
  ["authentik", answer(400, "", "a mismatching redirection URI (redirect_uri).")],
  ["Google", answer(400, "", "Error 400: redirect_uri_mismatch")],
])("the page of %s for an unknown address is refused", (_what, given) => {
  expect(judgeAuthorization(given, address, state)).toBe("refused");
});

test.each([
  ["the sign-in page of GitLab", answer(302, "https://gitlab.example/users/sign_in")],
  ["a page of sign-in", answer(200, "", "<form action='/login'>")],
  ["a redirect to a page of sign-in", answer(302, "https://id.example/login")],
  ["our address without our state", answer(302, `${address}?error=login_required&state=other`)],
  ["an address that only begins like ours", answer(302, `${address}.evil.example?state=${state}`)],
  ["an error about something else", answer(400, "", "invalid_scope")],
  ["no response", { kind: "fault", url: "", code: "", message: "" } as const],
])("%s proves nothing", (_what, given) => {
  expect(judgeAuthorization(given, address, state)).toBe("not-known");
});

const form = `<form method="post" action="${address}"><input name="error" value="invalid_scope"></form>`;

test.each([
  ["the query", answer(302, `${address}?error=invalid_scope&error_description=no+x`), "no x"],
  ["the fragment", answer(303, `${address}#error=invalid_scope&error_description=no+x`), "no x"],
  ["a form", answer(200, "", form), "invalid_scope"],
  ["a pushed request", answer(400, "", '{"error":"invalid_scope"}'), "invalid_scope"],
])("an error in %s is a refusal", (_what, given, text) => {
  const refusal = refusalIn(given, address);
  expect(refusal).toMatchObject({ code: "invalid_scope", text: expect.stringContaining(text) });
});

test.each([
  ["that no user is signed in", answer(302, `${address}?error=login_required`)],
  ["that the provider is busy", answer(302, `${address}?error=temporarily_unavailable`)],
  ["nothing", answer(302, `${address}?code=1`)],
  ["something at another address", answer(302, "https://id.example/?error=invalid_scope")],
])("an answer that says %s is no refusal", (_what, given) => {
  expect(refusalIn(given, address)).toBeNull();
});
