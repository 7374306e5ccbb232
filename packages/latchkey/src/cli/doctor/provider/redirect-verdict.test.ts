import { expect, test } from "vitest";

import type { Answer } from "../ask.ts";
import { judgeAuthorization } from "./redirect-verdict.ts";

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
  ["Google", answer(400, "", "Error 400: redirect_uri_mismatch")],
])("the page of %s for an unknown address is refused", (_what, given) => {
  expect(judgeAuthorization(given, address, state)).toBe("refused");
});

test.each([
  ["a page of sign-in", answer(200, "", "<form action='/login'>")],
  ["a redirect to a page of sign-in", answer(302, "https://id.example/login")],
  ["our address without our state", answer(302, `${address}?error=login_required&state=other`)],
  ["an address that only begins like ours", answer(302, `${address}.evil.example?state=${state}`)],
  ["an error about something else", answer(400, "", "invalid_scope")],
  ["no response", { kind: "fault", url: "", code: "", message: "" } as const],
])("%s proves nothing", (_what, given) => {
  expect(judgeAuthorization(given, address, state)).toBe("not-known");
});
