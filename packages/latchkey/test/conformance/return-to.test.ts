import { beforeAll, describe, expect, test } from "vitest";

import { deriveKeyRing, type KeyRing } from "../../src/crypto/key-ring.ts";
import { openedText } from "../opened-text.ts";
import { safeReturnTo } from "../../src/http/return-to.ts";
import { jarAfter } from "../cookie-jar.ts";
import { hostileReturnTos } from "../hostile-return-to.ts";
import { type Begun, createQuickApp, type QuickApp } from "./quick-app.ts";

const secret = "a-secret-of-the-return-address-tests-0123456789";
let app: QuickApp;
let keys: KeyRing;
let values: readonly string[];
beforeAll(async () => {
  app = createQuickApp({ secret });
  keys = deriveKeyRing([secret], "transaction");
  values = hostileReturnTos(app.baseURL);
});

/** The expression of RFC 3986, appendix B: another reader than the URL parser of browsers. */
const rfc3986 = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)/;

/** Why an address leads away from the app, by either reader; `null` where it does not. */
function wayOut(location: string): string | null {
  const base = new URL(app.baseURL);
  // oxlint-disable-next-line no-control-regex -- control characters are what must not be there
  if (/[\u0000-\u001f\u007f-\u009f\\\u2028\u2029]/.test(location)) return "control character";
  const url = new URL(location, base);
  if (url.origin !== base.origin || url.username + url.password !== "") return "another origin";
  const [, scheme, authority, path = ""] = rfc3986.exec(location) ?? [];
  if (`${scheme}:` !== base.protocol || authority !== base.host) return "another authority";
  if (/^\/[/\\]/.test(path) || /^\/(?:%(?:25)*(?:2f|5c))/i.test(path)) return "a second slash";
  return /^\/api\/auth(?:\/|$)/.test(url.pathname) ? "an auth route" : null;
}

const encoded = (name: string, value: string) => `${name}=${encodeURIComponent(value)}`;

/** Where the browser is to go after this sign-in: what its pending login says. */
async function kept({ jar }: Begun): Promise<string> {
  const opened = openedText(keys, jar["auth_verification"] ?? "");
  const transaction = Object(JSON.parse(opened)) as { readonly returnTo?: string };
  return transaction.returnTo ?? "nothing is kept";
}

async function landing(begun: Begun): Promise<string> {
  const answer = await app.finish(begun);
  return answer.headers.get("location") ?? `answered ${answer.status}`;
}

/** Every value, by the place that it is given to; what leads out, with the value that did it. */
async function waysOut(
  list: readonly string[],
  place: (value: string, index: number) => Promise<string>,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [index, value] of list.entries()) {
    const location = await place(value, index);
    const fault = wayOut(location);
    if (fault !== null) found.push(`${fault}: ${JSON.stringify(value)} led to ${location}`);
  }
  return found;
}

const every = (count: number) => values.filter((_, index) => index % count === 0);

describe("no hostile return address leads out of the app", () => {
  test("given to login as returnTo: more than 20,000, every sixteenth to the end of its sign-in [ATK-100, STD-040, ATK-002, ATK-018, ATK-026, ATK-045, ATK-050]", async () => {
    expect(values.length).toBeGreaterThanOrEqual(20_000);
    const found = await waysOut(values, async (value, index) => {
      const begun = await app.begin(`?${encoded("returnTo", value)}`);
      return index % 16 === 0 ? landing(begun) : kept(begun);
    });
    expect(found).toEqual([]);
  }, 60_000);

  test("given to login by a third party as target_link_uri: more than 20,000 [STD-019, ATK-100, ATK-050]", async () => {
    const iss = encoded("iss", app.provider.issuer);
    const found = await waysOut(values, async (value, index) => {
      const begun = await app.begin(`?${iss}&${encoded("target_link_uri", value)}`);
      return index % 64 === 0 ? landing(begun) : kept(begun);
    });
    expect(found).toEqual([]);
  }, 60_000);

  test("as the path of a protected page: the guard leads to login, and login back into the app [ATK-100, STD-040]", async () => {
    const found = await waysOut(every(8), async (value) => {
      const guarded = await app.auth.guard(new Request(`${app.baseURL}/${encodeIllegal(value)}`));
      if (guarded.passed) return app.baseURL;
      const toLogin = guarded.response.headers.get("location") ?? "";
      if (!toLogin.startsWith(`${app.baseURL}/api/auth/login?returnTo=`)) return toLogin;
      return kept(await app.begin(new URL(toLogin).search));
    });
    expect(found).toEqual([]);
  }, 60_000);

  test("given to logout in whatever name: it is not looked at [ATK-100, STD-127]", async () => {
    const found: string[] = [];
    for (const value of every(16)) {
      for (const name of ["returnTo", "post_logout_redirect_uri", "redirect"]) {
        const answer = await app.ask(`/api/auth/logout?${encoded(name, value)}`);
        const location = new URL(answer.headers.get("location") ?? "about:blank");
        const back = location.searchParams.get("post_logout_redirect_uri");
        if (back !== `${app.baseURL}/_auth/signed-out` || location.origin !== app.provider.issuer) {
          found.push(value);
        }
      }
    }
    expect(found).toEqual([]);
  }, 60_000);

  test("that was kept, where a page of ours moves on by itself [ATK-100, STD-040]", async () => {
    const found = await waysOut(every(64), async (value) => {
      const begun = await app.begin(`?${encoded("returnTo", value)}`);
      const signedIn = await app.finish(begun);
      const jar = { ...begun.jar, ...jarAfter(signedIn.headers.getSetCookie()) };
      const query = new URLSearchParams({ code: begun.code, state: begun.state }).toString();
      const again = await app.ask(`/api/auth/callback?${query}`, {
        jar,
        headers: { accept: "text/html" },
      });
      return again.headers.get("refresh")?.slice("0; url=".length) ?? "no way on";
    });
    expect(found).toEqual([]);
  }, 60_000);
});

describe("a return address", () => {
  const rules = () => ({ baseURL: app.baseURL, authPath: "/api/auth" });

  test("that is taken stays the same when it is taken again [REL-P04]", () => {
    const taken = values
      .map((value) => safeReturnTo(value, rules()))
      .filter((each) => each !== null);
    expect(taken.length).toBeGreaterThan(1000);
    expect(taken.filter((each) => safeReturnTo(each, rules()) !== each)).toEqual([]);
    expect(taken.filter((each) => wayOut(each) !== null)).toEqual([]);
  });

  test("that is dropped is logged by its length alone, and the base URL is used [STD-040]", async () => {
    const before = app.events.length;
    const begun = await app.begin(`?${encoded("returnTo", "https://evil.example/")}`);
    expect(await landing(begun)).toBe(`${app.baseURL}/`);
    expect(app.events.slice(before, before + 1)).toEqual([
      { event: "return-to-dropped", length: 21 },
    ]);
  });

  test.each([
    ["no host", "http://"],
    ["two slashes", "//"],
    ["half of an IPv6 address", "https://["],
    ["a percent sign", "%"],
    ["a broken escape", "%zz"],
    ["half of a character", "\ud800"],
    ["a host with a space", "http://a b/"],
    ["100,000 letters", "x".repeat(100_000)],
  ])("that nobody can read breaks nothing and takes no time: %s [ATK-017]", async (_, value) => {
    const started = process.threadCpuUsage().user;
    const begun = await app.begin(`?returnTo=${encodeIllegal(value)}`);
    expect(wayOut(await kept(begun))).toBeNull();
    expect(process.threadCpuUsage().user - started).toBeLessThan(100_000);
  });
});

describe("what stands in a return address never becomes part of the request to the provider [ATK-008]", () => {
  const names = [
    "client_id",
    "redirect_uri",
    "response_type",
    "scope",
    "state",
    "nonce",
    "connection",
  ];
  const attacks = [
    "/x?scope=admin&redirect_uri=https://evil.example&connection=evil&client_id=evil",
    "/x%26scope=admin%26redirect_uri=https://evil.example",
    "/x%23&scope=admin",
    `/x?returnTo=${encodeURIComponent("/y?scope=admin&client_id=evil")}`,
  ];

  test.each([
    ...attacks.map((attack) => encoded("returnTo", attack)),
    ...attacks.map((attack) => `returnTo=${attack}`),
    names.map((name) => `${name}=evil`).join("&"),
    "prompt=none",
    "prompt=select_account%20none",
    "login_hint=evil",
    "max_age=0",
    "audience=evil",
    "response_mode=fragment",
    "request=evil",
    "__proto__=evil&constructor=evil",
  ])("%s", async (query) => {
    const answer = await app.ask(`/api/auth/login?${query}`);
    const { origin, pathname, searchParams } = new URL(answer.headers.get("location") ?? "");
    expect(origin + pathname).toBe(`${app.provider.issuer}/authorize`);
    expect([...searchParams.keys()].toSorted()).toEqual([
      "client_id",
      "code_challenge",
      "code_challenge_method",
      "nonce",
      "redirect_uri",
      "response_type",
      "scope",
      "state",
    ]);
    expect(searchParams.get("scope")).toBe("openid profile email");
    expect([...searchParams.values()].join(" ")).not.toMatch(/evil|admin/);
  });
});

/** What no client can put into an address as it is. */
function encodeIllegal(value: string): string {
  return value.replaceAll(/[^\u0021-\u007e]|[#]/gu, (each) =>
    encodeURIComponent(each.toWellFormed()),
  );
}
