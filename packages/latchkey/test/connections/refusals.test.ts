import { describe, expect, test } from "vitest";

import { type ConnectionOptions, lookUp } from "../../src/connections/index.ts";
import { relay } from "../../src/relay/index.ts";
import type { Browser } from "../browser/browser.ts";
import { sendRequest } from "../hosts/world/wire.ts";
import {
  begin,
  callsTo,
  settingsAt,
  startTwoProviders,
  type TwoProviders,
} from "./two-providers.ts";

const login = "/api/auth/login";
const callback = "/api/auth/callback";
const previewState = `${"a".repeat(43)}.${"b".repeat(20)}.${"c".repeat(22)}`;

/** A request that is refused, with its own host unless it names another. */
interface Refused {
  readonly target: string;
  readonly host?: string;
}

interface Case {
  readonly reason: string;
  readonly status: number;
  readonly code: string;
  /** A part of the title of the page. */
  readonly title: string;
  /** How often a provider is called for it. */
  readonly calls?: number;
  /** In seconds. */
  readonly retryAfter?: string;
  make(world: TwoProviders, browser: Browser): Refused | Promise<Refused>;
}

const ofCallback = "ERR_CALLBACK_HANDLER_FAILURE";

const cases: readonly Case[] = [
  {
    reason: "host_unknown",
    status: 421,
    code: "ERR_HOST_UNKNOWN",
    title: "Nothing here",
    make: () => ({ target: "/private", host: "stranger.example" }),
  },
  {
    reason: "not_found",
    status: 404,
    code: "ERR_NOT_FOUND",
    title: "Page not found",
    make: () => ({ target: `${login}/unknown` }),
  },
  {
    reason: "foreign_issuer",
    status: 400,
    code: "ERR_LOGIN_HANDLER_FAILURE",
    title: "set up correctly",
    make: () => ({ target: `${login}?iss=https%3A%2F%2Fstranger.example` }),
  },
  {
    reason: "connection_mismatch",
    status: 400,
    code: ofCallback,
    title: "start that again",
    async make(world, browser) {
      const { returned } = await begin(world, browser, `${login}/globex`);
      return { target: callback + new URL(returned.url).search };
    },
  },
  {
    reason: "response_iss_missing",
    status: 400,
    code: ofCallback,
    title: "couldn",
    async make(_, browser) {
      const { location } = await browser.request(`${login}/shared`);
      const state = new URL(location).searchParams.get("state") ?? "";
      return { target: `${callback}?code=a&state=${state}` };
    },
  },
  {
    reason: "connection_invalid",
    status: 500,
    code: "ERR_CONNECTION_INVALID",
    title: "set up correctly",
    retryAfter: "5",
    make: () => ({ target: `${login}/broken` }),
  },
  {
    reason: "connection_unavailable",
    status: 503,
    code: "ERR_CONNECTION_UNAVAILABLE",
    title: "Something went wrong on our side",
    retryAfter: "1",
    make: () => ({ target: `${login}/down` }),
  },
  {
    reason: "email_domain_mismatch",
    status: 403,
    code: ofCallback,
    title: "this email",
    calls: 1,
    async make(world, browser) {
      const { returned } = await begin(world, browser, `${login}/globex`);
      const { pathname, search } = new URL(returned.url);
      return { target: pathname + search };
    },
  },
  {
    reason: "relay_refused",
    status: 400,
    code: ofCallback,
    title: "start that again",
    make: () => ({ target: `${callback}?code=a&state=${previewState}` }),
  },
];

describe("an app with several connections and hosts", () => {
  /** Made late: a server is closed at the end of its test. */
  async function start(): Promise<TwoProviders> {
    const world = await startTwoProviders();
    const globex = { ...settingsAt(world.second), domains: ["globex.example"] };
    const ofShared = { clientID: "shared", callback: "shared" } as const;
    const listed = { globex, shared: { ...settingsAt(world.second), ...ofShared } };
    function byID(id: string): ConnectionOptions | null {
      if (id === "down") throw new Error("the database is down");
      return id === "broken" ? {} : null;
    }
    const origins = ["https://*--shop.netlify.app"];
    world.serve({
      baseURL: [world.baseURL, "https://other.example"],
      production: true,
      connections: lookUp({ listed, byID }),
      relay: relay({ secret: "a-relay-secret-of-the-tests", origins }),
    });
    return world;
  }

  test.each(cases)(
    "refuses by $reason with the status $status, a page, and JSON for a script",
    async ({ reason, status, code, title, calls = 0, retryAfter = null, make }) => {
      const world = await start();
      for (const accept of ["text/html", "application/json"]) {
        const browser = world.browser();
        const { target, host: named = new URL(world.baseURL).host } = await make(world, browser);
        world.first.resetLog();
        world.second.resetLog();
        const headers = { accept, host: named, cookie: await browser.cookies() };
        const answer = await sendRequest(world.baseURL, { target, headers });
        expect(world.events.at(-1)).toMatchObject({ event: "refusal", reason, status });
        expect([answer.status, answer.header("location")]).toEqual([status, null]);
        const shown = accept === "text/html" ? titleOf(answer.body) : errorIn(answer.body);
        expect(shown).toContain(accept === "text/html" ? title : code);
        expect(answer.header("cache-control")).toContain("no-store");
        expect(callsTo(world.first).length + callsTo(world.second).length).toBe(calls);
        expect(answer.header("retry-after")).toBe(retryAfter);
        // No session, in whatever way it ends.
        expect(answer.setCookies.join()).not.toMatch(/appSession=[^;]/);
      }
    },
  );
});

function titleOf(page: string): string | undefined {
  return /<title>(.*?)<\/title>/.exec(page)?.[1];
}

function errorIn(text: string): string {
  return (JSON.parse(text) as { readonly error: string }).error;
}
