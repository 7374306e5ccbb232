import { describe, expect, test } from "vitest";

import { handleRequest } from "../../test/handle-request.ts";
import { cookieHeader, type Jar, jarAfter, namesIn } from "../../test/browser/cookie-jar.ts";
import { metadataOf } from "../../test/worlds/quick-provider.ts";
import { goodSettings } from "../../test/settings.ts";
import { createAuth, type Options } from "../host/auth.ts";

const own = "https://app.example";
const binding = "__Host-auth_verification_binding";

/** An app over https. The token request rejects each code, so it is the last step reached. */
function app(options: Partial<Options> = {}) {
  const auth = createAuth({
    ...goodSettings,
    log: () => undefined,
    renderProblem: ({ reason }) => reason,
    fetch: (input) =>
      Promise.resolve(
        input.endsWith("/token")
          ? Response.json({ error: "invalid_grant" }, { status: 400 })
          : Response.json(metadataOf(goodSettings.issuerBaseURL)),
      ),
    ...options,
  });
  async function ask(path: string, jar: Jar) {
    const headers = { cookie: cookieHeader(jar), accept: "text/html" };
    const request = new Request(own + path, { headers });
    return (await handleRequest(auth, request, () => expect.unreachable())).response;
  }
  return {
    /** Starts a login: its state, and the browser's cookies afterwards. */
    async login(jar: Jar = {}) {
      const response = await ask("/api/auth/login", jar);
      const { searchParams } = new URL(response.headers.get("location") ?? "");
      const state = searchParams.get("state") ?? "";
      return { state, jar: jarAfter(response.headers.getSetCookie(), jar) };
    },
    /**
     * Returns from the provider with this state. Returns the reason of the rejection and the
     * cleared cookies.
     */
    async callback(state: string, jar: Jar) {
      const response = await ask(`/api/auth/callback?code=c&state=${state}`, jar);
      const { cleared } = namesIn(response.headers.getSetCookie());
      return { reason: await response.text(), cleared };
    },
  };
}

test("a callback finds a transaction with its companion cookie, and reaches the token request", async () => {
  const { login, callback } = app();
  const { state, jar } = await login();
  expect(await callback(state, jar)).toEqual({
    reason: "code_rejected",
    cleared: ["auth_verification"],
  });
});

describe("a transaction planted by a sister host [RFC 6265bis, section 4.1.3.2]", () => {
  test("is ignored and kept without a companion cookie", async () => {
    const { login, callback } = app();
    const { state, jar } = await login();
    const { [binding]: _companion, ...planted } = jar;
    expect(await callback(state, planted)).toEqual({ reason: "state_cookie_missing", cleared: [] });
  });
});

test("a callback ignores and keeps a transaction of another app on this host", async () => {
  const other = app({ secret: "another-secret-0123456789abcdef-0123" });
  const { state, jar } = await other.login();
  expect(await app().callback(state, jar)).toEqual({ reason: "state_cookie_missing", cleared: [] });
  expect(await other.callback(state, jar)).toMatchObject({ reason: "code_rejected" });
});

test("two apps on one host sign in at the same time", async () => {
  const [one, other] = [app(), app({ secret: "another-secret-0123456789abcdef-0123" })];
  const first = await one.login();
  const second = await other.login(first.jar);
  expect(await one.callback(first.state, second.jar)).toMatchObject({ reason: "code_rejected" });
  expect(await other.callback(second.state, second.jar)).toMatchObject({ reason: "code_rejected" });
});

test.each([
  ["a character more", (state: string) => `${state}x`],
  ["a character less", (state: string) => state.slice(0, -1)],
  [
    "another last character",
    (state: string) => state.slice(0, -1) + (state.endsWith("A") ? "B" : "A"),
  ],
])("a callback ignores a transaction for a state with %s [ATK-019]", async (_, change) => {
  const { login, callback } = app();
  const { state, jar } = await login();
  expect(await callback(change(state), jar)).toMatchObject({ reason: "state_mismatch" });
});
