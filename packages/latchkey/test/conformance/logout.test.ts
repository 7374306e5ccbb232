import { describe, expect, test } from "vitest";

import type { SignedOut } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { sqliteStore } from "../../src/stores/sqlite.ts";
import type { Browser } from "../browser/browser.ts";
import { signIn } from "./world/attempt.ts";
import { type SetUp, startHostileWorld } from "./world/hostile-world.ts";
import { expectAnonymous, profileOf } from "./world/oracles.ts";
import { logsStayQuiet } from "./world/quiet-logs.ts";

const world = await startHostileWorld();

/** The page after logout says what became of the session at the provider. */
const renderSignedOut = ({ provider }: SignedOut) => `the provider's session: ${provider}`;

async function signedIn(setUp: SetUp = {}): Promise<Browser> {
  world.setUp({ ...setUp, options: { renderSignedOut, ...setUp.options } });
  const { browser } = await signIn(world);
  await profileOf(browser);
  world.provider.resetLog();
  return browser;
}

async function endSessionRequest(browser: Browser): Promise<URL> {
  const { location } = await browser.request("/api/auth/logout");
  const url = new URL(location);
  world.canaries.addParameters(url.searchParams);
  return url;
}

describe("logout at the provider", () => {
  test("is asked for with the ID token that was kept, our client id, the exact return address and a new state (RP-Initiated Logout 1.0, 2) [CERT-070, STD-124]", async () => {
    const states = new Set<string | null>();
    for (const _ of [1, 2]) {
      const browser = await signedIn();
      const { searchParams, pathname } = await endSessionRequest(browser);
      expect(pathname).toBe("/end-session");
      expect([...searchParams.keys()].toSorted()).toEqual([
        "client_id",
        "id_token_hint",
        "post_logout_redirect_uri",
        "state",
      ]);
      expect(searchParams.get("client_id")).toBe(world.provider.client.id);
      expect(searchParams.get("post_logout_redirect_uri")).toBe(
        `${world.baseURL}/_auth/signed-out`,
      );
      expect(Buffer.from(searchParams.get("state") ?? "", "base64url").length).toBe(16);
      states.add(searchParams.get("state"));
    }
    expect(states.size).toBe(2);
    expect(world.provider.complaints).toEqual([]);
  });

  test.each([
    ["CERT-070", "ended"],
    ["CERT-071", "unconfirmed"],
    ["CERT-072", "unconfirmed"],
    ["STD-127", "unconfirmed"],
  ] as const)(
    "under %s is reported as %s, and our session is gone whatever state comes back (RP-Initiated Logout 1.0, 3) [CERT-070, CERT-071, CERT-072, STD-127]",
    async (conduct, outcome) => {
      const browser = await signedIn();
      world.provider.behave(conduct);
      const before = world.events.length;
      const landed = await browser.open("/api/auth/logout");
      expect(landed.url.origin + landed.url.pathname).toBe(`${world.baseURL}/_auth/signed-out`);
      expect(landed.text).toBe(`the provider's session: ${outcome}`);
      await expectAnonymous(world, browser);
      const logged = world.events.slice(before).map(({ event }) => event);
      expect(logged).toEqual([
        "sign-out",
        ...(outcome === "ended" ? [] : ["logout-state-mismatch"]),
      ]);
      expect(world.provider.complaints).toEqual([]);
    },
  );
});

describe("logout ends the session here", () => {
  test.each([
    ["cookies, memory", () => ({ store: memoryStore() })],
    ["cookies, SQLite", () => ({ store: sqliteStore(":memory:") })],
    ["sessions in memory", () => ({ store: memoryStore(), session: { stateful: true } })],
    ["sessions in SQLite", () => ({ store: sqliteStore(":memory:"), session: { stateful: true } })],
  ] as const)(
    "for whoever has copied its cookie: %s [ASVS-7.4.1, ATK-033, ATK-057]",
    async (_, optionsOf) => {
      const options = optionsOf();
      const browser = await signedIn({ options });
      const copy = await browser.cookies();
      await browser.request("/api/auth/logout");
      await expectAnonymous(world, copy, { clears: true });
    },
  );
});

logsStayQuiet(world);
