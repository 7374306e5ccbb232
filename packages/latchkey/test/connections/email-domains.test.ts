import { expect, test } from "vitest";

import { isSignedIn } from "../browser/browser.ts";
import { signIn, startTwoProviders, type TwoProvidersSettings } from "./two-providers.ts";

const path = "/api/auth/login/globex";

/** Signs in at a connection for `globex.example` as a user with these claims. */
async function signInAs(
  email: unknown,
  globex: TwoProvidersSettings["globex"] = {},
  more: Readonly<Record<string, unknown>> = {},
) {
  const domains = ["globex.example", "bücher.example"];
  const label = "Globex";
  const world = await startTwoProviders({ globex: { domains, label, ...globex } });
  world.second.behave([
    {
      idToken: {
        claims: ({ email: _own, ...claims }) => ({
          ...claims,
          ...more,
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

test.each([false, "false"])(
  "an address that the provider has not confirmed (%s) is one of others [MX-072]",
  async (confirmed) => {
    const claims = { email_verified: confirmed };
    const { world, browser, answer } = await signInAs("ada@globex.example", {}, claims);
    expect(answer.status).toBe(403);
    expect(world.problems.at(-1)).toMatchObject({
      reason: "email_domain_mismatch",
      organization: { expected: "", email: "ada@globex.example", isUnconfirmed: true },
    });
    expect(answer.text).toContain(
      "Globex hasn&#39;t confirmed ada@globex.example yet. Confirm it there, then try again.",
    );
    expect(answer.text).toMatch(/<div><a href="[^"]+">Try again<\/a>/);
    expect(await isSignedIn(browser)).toBe(false);
    const admitting = await signInAs("ada@globex.example", { otherEmails: "admit" }, claims);
    expect(await isSignedIn(admitting.browser)).toBe(true);
  },
);

test("the page names at most three domains, and none that are not to be revealed [MX-072]", async () => {
  const email = "ada@other.example";
  const open = await signInAs(email, {
    domains: ["one.example", "two.example", "three.example", "four.example"],
  });
  expect(open.answer.text).toContain("addresses of one.example, two.example, three.example from");
  const { answer, world } = await signInAs(email, { revealDomains: false });
  expect(answer.text).toContain(
    "You signed in with Globex as ada@other.example. This app takes only some addresses of Globex.",
  );
  expect(answer.text.replace(/<details>.*<\/details>/, "")).not.toContain("globex.example");
  expect(world.problems.at(-1)?.organization?.expected).toBe("");
});

test("a user who is still signed in reads as whom, and keeps the session [MX-058, MX-072]", async () => {
  const domains = ["globex.example"];
  const world = await startTwoProviders({ globex: { domains, label: "Globex" } });
  const browser = world.browser();
  await signIn(world, browser);
  const answer = await signIn(world, browser, path);
  expect(answer.status).toBe(403);
  expect(answer.text).toMatch(/You&#39;re still signed in as \S+@\S+\./);
  expect(await isSignedIn(browser)).toBe(true);
});
