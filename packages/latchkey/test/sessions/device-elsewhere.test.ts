/** A proof counts at its own app and host alone, even if others have the same secret. */
import { describe, expect, test } from "vitest";

import type { Options } from "../../src/index.ts";
import { cookieHeader, type Jar, jarAfter } from "../browser/cookie-jar.ts";
import { createDevice, post, type Registered } from "../browser/device.ts";
import { createQuickApp, type QuickApp } from "../worlds/quick-app.ts";
import { createQuickProvider } from "../worlds/quick-provider.ts";
import { asDocument } from "./device-world.ts";

/** Two apps at one provider, with the same secret. */
interface TwoApps {
  readonly one: At;
  readonly other: At;
  advance(seconds: number): void;
}

/** An app at its address. */
interface At {
  readonly app: QuickApp;
  readonly origin: string;
  readonly name: string;
}

const [here, there] = ["https://app.example", "https://other.example"];

/** What differs between the two. */
const pairs: readonly (readonly [string, () => TwoApps])[] = [
  ["two hosts of one app", () => twoApps([{ baseURL: [here, there] }], [here, there])],
  ["two apps at two hosts", () => twoApps([{ baseURL: here }, { baseURL: there }], [here, there])],
  [
    "two names of cookies at one host",
    () => twoApps([{ baseURL: here }, { baseURL: here, session: { name: "shop" } }], [here, here]),
  ],
  [
    "two paths of one host",
    () =>
      twoApps(
        [
          { baseURL: `${here}/one`, session: { name: "one" } },
          { baseURL: `${here}/two`, session: { name: "two" } },
        ],
        [`${here}/one`, `${here}/two`],
      ),
  ],
];

describe.each(pairs)("of %s", (_, create) => {
  test("each has a device session of its own in the browser [DB-010]", async () => {
    const { one, other } = create();
    const [first, second] = [await register(one), await register(other)];
    expect(first.registered.identifier).not.toBe(second.registered.identifier);
    expect(first.registered.identifier).toMatch(/^[\w-]{22}$/);
  });

  test("none registers a key for the offer of the other [DB-010, DB-011]", async () => {
    const { one, other } = create();
    const { callback } = await signIn(one);
    const device = await createDevice({ ask: (...given) => ask(other, ...given) });
    const { response } = await device.register(atPathOf(other, callback));
    expect([response.status, response.headers.getSetCookie()]).toEqual([400, []]);
  });

  test("none renews a proof for the other [DB-010, DB-011]", async () => {
    const { one, other } = create();
    const { device, registered } = await register(one);
    const { search } = new URL(registered.refreshAddress, here);
    const response = await post(
      { ask: (...given) => ask(other, ...given) },
      `/api/auth/device${search}`,
      {
        "sec-secure-session-id": registered.identifier,
        "secure-session-response": await device.prove(registered.challenge, false),
      },
    );
    expect([response.status, response.headers.getSetCookie()]).toEqual([400, []]);
  });

  test("the cookie of a proof for one is no proof for the other [DB-010]", async () => {
    const { one, other, advance } = create();
    const [first, second] = [await register(one), await register(other)];
    const { jar } = await open(other, { ...second.jar, ...second.registered.jar });
    advance(61);
    const [foreign = ""] = Object.values(first.registered.jar);
    const bound = { ...jar, [`${other.name}.device`]: foreign };
    expect((await open(other, bound)).isPage).toBe(false);
    expect((await open(other, { ...bound, ...second.registered.jar })).isPage).toBe(true);
  });
});

test("of two connections, none renews a proof for a session of the other [DB-011]", async () => {
  const { one } = twoApps(
    [{ baseURL: here, connections: { acme: { uses: "default", organization: "org_acme" } } }],
    [here, here],
  );
  const [first, second] = [await register(one, "/default"), await register(one, "/acme")];
  const response = await post(
    { ask: (...given) => ask(one, ...given) },
    first.registered.refreshAddress,
    {
      "sec-secure-session-id": first.registered.identifier,
      "secure-session-response": await second.device.prove(second.registered.challenge, false),
    },
  );
  expect([response.status, response.headers.getSetCookie()]).toEqual([403, []]);
});

function twoApps(
  [first, second = first]: readonly [Partial<Options>, Partial<Options>?],
  [origin, otherOrigin]: readonly [string, string],
): TwoApps {
  let now = 1_800_000_000_000;
  const clock = () => (now += 1);
  const provider = createQuickProvider(clock);
  const at = (options: Partial<Options>, its: string): At => {
    const session = { deviceBound: "enforce" as const, ...options.session };
    const app = createQuickApp({ clock, ...options, session }, provider);
    return { app, origin: its, name: session.name ?? "appSession" };
  };
  return {
    one: at(first, origin),
    other: at(second, otherOrigin),
    advance: (seconds) => void (now += seconds * 1000),
  };
}

/** Sends a request to an app at its own address. */
function ask({ app, origin }: At, address: string, init: Parameters<QuickApp["ask"]>[1] = {}) {
  const { pathname, search } = new URL(address, origin);
  const path = pathname.startsWith(new URL(origin).pathname) ? "" : new URL(origin).pathname;
  return app.open(new URL(path + pathname + search, origin).href, init);
}

async function open(at: At, jar: Jar) {
  const response = await ask(at, "/page", { jar, headers: asDocument });
  return {
    jar: jarAfter(response.headers.getSetCookie(), jar),
    isPage: response.status === 200,
  };
}

async function signIn(at: At, connection = "") {
  const login = await ask(at, `/api/auth/login${connection}`, { headers: asDocument });
  const { searchParams } = new URL(login.headers.get("location") ?? "");
  const code = at.app.provider.newCode(searchParams.get("nonce") ?? "");
  at.app.provider.people.set(code, { org_id: "org_acme" });
  const answer = new URLSearchParams({ code, state: searchParams.get("state") ?? "" });
  const begun = jarAfter(login.headers.getSetCookie());
  const headers = { ...asDocument, cookie: cookieHeader(begun) };
  const callback = await ask(at, `${searchParams.get("redirect_uri")}?${answer.toString()}`, {
    headers,
  });
  return { callback, jar: jarAfter(callback.headers.getSetCookie(), begun) };
}

async function register(at: At, connection = "") {
  const { callback, jar } = await signIn(at, connection);
  const device = await createDevice({ ask: (...given) => ask(at, ...given) });
  const registered: Registered = await device.register(callback);
  return { device, registered, jar };
}

/** The offer of one app as if it came from the other. */
function atPathOf({ origin }: At, { headers }: Response): Response {
  const offer = headers.get("secure-session-registration") ?? "";
  const path = `${new URL(origin).pathname.replace(/\/$/, "")}/api/auth/device`;
  const changed = offer.replace(/path="[^"]*"/, `path="${path}"`);
  return new Response(null, { headers: { "secure-session-registration": changed } });
}
