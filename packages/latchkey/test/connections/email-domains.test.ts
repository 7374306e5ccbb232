import { expect, test } from "vitest";

import { isSignedIn } from "../browser/browser.ts";
import { signIn, startTwoProviders, type TwoProvidersSettings } from "./two-providers.ts";

const path = "/api/auth/login/globex";

/** Signs in at a connection for `globex.example` as a user with this email claim. */
async function signInAs(email: unknown, globex: TwoProvidersSettings["globex"] = {}) {
  const domains = ["globex.example", "bücher.example"];
  const label = "Globex";
  const world = await startTwoProviders({ globex: { domains, label, ...globex } });
  world.second.behave([
    {
      idToken: {
        claims: ({ email: _own, ...claims }) => ({
          ...claims,
          ...(email !== undefined && { email }),
        }),
      },
    },
  ]);
  const browser = world.browser();
  const answer = await signIn(world, browser, path);
  return { world, browser, answer };
}

test.each(["ada@globex.example", "Ada@GLOBEX.EXAMPLE", "ada@bücher.example", undefined])(
  "a user with the email address %s is admitted by a connection with this domain [MX-072]",
  async (email) => {
    const { browser } = await signInAs(email);
    expect(await isSignedIn(browser)).toBe(true);
  },
);

test.each(["ada@evil.example", "ada@sub.globex.example", "ada@globex.example.evil", "ada", ""])(
  "a user with the email address “%s” is refused before a session is made [MX-072]",
  async (email) => {
    const { world, browser, answer } = await signInAs(email);
    expect(answer.status).toBe(403);
    expect(world.problems.at(-1)).toMatchObject({
      reason: "email_domain_mismatch",
      kind: "email-domain",
      provider: "Globex",
      organization: { expected: "globex.example, xn--bcher-kva.example", email },
      otherWaysURL: expect.stringContaining(`${world.baseURL}/_auth/sign-in`) as string,
      switchAccountURL: expect.stringContaining(`${path}?`) as string,
    });
    expect(await isSignedIn(browser)).toBe(false);
  },
);

test("a connection may admit other addresses, and one without domains admits all [MX-072]", async () => {
  for (const globex of [{ otherEmails: "admit" }, { domains: [] }] as const) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const { browser } = await signInAs("ada@other.example", globex);
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect(await isSignedIn(browser)).toBe(true);
  }
});
