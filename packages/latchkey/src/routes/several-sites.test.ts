import { describe, expect, test } from "vitest";

import { type Jar, jarAfter } from "../../test/browser/cookie-jar.ts";
import { createQuickApp, type QuickApp } from "../../test/worlds/quick-app.ts";
import type { Options } from "../index.ts";
import { memoryStore } from "../stores/memory.ts";

const [app, other] = ["https://app.example.com", "https://other.example"];

function world(options: Partial<Options> = {}): QuickApp {
  return createQuickApp({ baseURL: [app, other], production: true, ...options });
}

/** What a browser brings from the provider after a login at a site. */
async function begin({ ask, provider }: QuickApp, site: string, query = "", jar: Jar = {}) {
  const login = await ask(`${site}/api/auth/login${query}`, { jar });
  const { searchParams } = new URL(login.headers.get("location") ?? "");
  const state = searchParams.get("state") ?? "";
  const code = provider.newCode(searchParams.get("nonce") ?? "");
  const response = new URLSearchParams({ code, state }).toString();
  return { jar: jarAfter(login.headers.getSetCookie(), jar), response };
}

async function signIn(made: QuickApp, site: string, query = "") {
  const { jar, response } = await begin(made, site, query);
  const callback = await made.ask(`${site}/api/auth/callback?${response}`, { jar });
  return { callback, jar: jarAfter(callback.headers.getSetCookie(), jar) };
}

const page = { accept: "text/html" };

describe("a sign-in at one of several sites", () => {
  test.each([app, other])("begins and ends at %s [MX-019]", async (site) => {
    const made = world();
    const { callback, jar } = await signIn(made, site, "?returnTo=/orders");
    expect([callback.status, callback.headers.get("location")]).toEqual([302, `${site}/orders`]);
    expect((await made.open(`${site}/orders`, { jar })).status).toBe(200);
    for (const line of callback.headers.getSetCookie()) expect(line).not.toMatch(/domain=/i);
  });

  test("is not finished at another one, and stays as it was [MX-028]", async () => {
    const made = world();
    const { jar, response } = await begin(made, app);
    const wrong = await made.ask(`${other}/api/auth/callback?${response}`, { jar, headers: page });
    expect([wrong.status, wrong.headers.getSetCookie()]).toEqual([400, []]);
    expect(made.events).toContainEqual(
      expect.objectContaining({ reason: "connection_mismatch", route: "callback" }),
    );
    const right = await made.ask(`${app}/api/auth/callback?${response}`, { jar });
    expect([right.status, right.headers.get("location")]).toEqual([302, `${app}/`]);
  });

  test("without its cookies at another one gets our page, and no loop [MX-024]", async () => {
    const made = createQuickApp({ baseURL: ["https://example.com", "https://www.example.com"] });
    const { response } = await begin(made, "https://example.com");
    const address = `https://www.example.com/api/auth/callback?${response}`;
    const answer = await made.ask(address, { headers: page });
    expect([answer.status, answer.headers.get("location")]).toEqual([400, null]);
    expect(await answer.text()).toContain("https://www.example.com/api/auth/login");
  });
});

describe("the way back from one of several sites", () => {
  const backFrom = async (options: Partial<Options>, returnTo: string) => {
    const query = `?returnTo=${encodeURIComponent(returnTo)}`;
    return (await signIn(world(options), app, query)).callback.headers.get("location");
  };

  test("stays at the site of the request [MX-021]", async () => {
    expect(await backFrom({}, `${app}/orders`)).toBe(`${app}/orders`);
    expect(await backFrom({}, `${other}/orders`)).toBe(`${app}/`);
    expect(await backFrom({}, "//other.example/orders")).toBe(`${app}/`);
  });

  test("leads to another one if the settings list it [MX-021]", async () => {
    expect(await backFrom({ returnToOrigins: [other] }, `${other}/orders`)).toBe(`${other}/orders`);
  });
});

describe("a change that another site sends", () => {
  const ofOther = { origin: other, "content-type": "application/x-www-form-urlencoded" };
  const post = { method: "POST", body: new URLSearchParams({ a: "1" }) };

  test("is one of another origin for the setting checkOrigin [MX-021]", async () => {
    const made = world({ checkOrigin: true });
    const { jar } = await signIn(made, app);
    const send = async (origin: string) =>
      (await made.open(`${app}/orders`, { ...post, jar, headers: { ...ofOther, origin } })).status;
    expect([await send(app), await send(other)]).toEqual([200, 403]);
  });

  test("signs out at its own site alone, and leads there afterwards [MX-021, MX-051]", async () => {
    const made = world({ store: memoryStore(), idpLogout: false });
    for (const site of [app, other]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const { jar } = await signIn(made, site);
      const send = (origin: string) =>
        made.ask(`${site}/api/auth/logout`, { ...post, jar, headers: { ...page, origin } });
      const foreign = site === app ? other : app;
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect((await send(foreign)).headers.get("location")).toBeNull();
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const own = await send(site);
      expect(own.headers.get("location")).toMatch(new RegExp(`^${site}/`));
    }
  });

  test("is not kept as a form during a step-up [MX-021]", async () => {
    const made = world({ accessRules: { "/admin": { maxAge: 1 } }, clock: () => (now += 1) });
    let now = 1_800_000_000_000;
    const { jar } = await signIn(made, app);
    now += 60_000;
    const send = (origin: string) =>
      made.open(`${app}/admin`, { ...post, jar, headers: { ...page, ...ofOther, origin } });
    const keeps = (response: Response) =>
      response.headers.getSetCookie().some((line) => line.startsWith("auth_form"));
    expect([keeps(await send(app)), keeps(await send(other))]).toEqual([true, false]);
  });
});

describe("the cookie of a session at one of several sites", () => {
  const admin = "https://admin.example.com";
  const isSignedIn = async (made: QuickApp, site: string, jar: Jar) =>
    (await made.open(`${site}/orders`, { jar, headers: page })).status === 200;

  test.each([undefined, memoryStore()])(
    "signs no user in at another one, as if a sister host had planted it [MX-023, MX-040]",
    async (store) => {
      const made = world({ baseURL: [app, admin, other], store });
      const [ofApp, ofOther] = [await signIn(made, app), await signIn(made, other)];
      const seen = [app, admin, other].map(async (site) => [
        await isSignedIn(made, site, ofApp.jar),
        await isSignedIn(made, site, ofOther.jar),
      ]);
      expect(await Promise.all(seen)).toEqual([
        [true, false],
        [false, false],
        [false, true],
      ]);
    },
  );

  test("of a sister host signs no user in beside that of this one, and the log names the remedy [MX-023]", async () => {
    const made = world({ baseURL: [app, admin] });
    const [ofApp, ofAdmin] = [await signIn(made, app), await signIn(made, admin)];
    const [own, planted] = [ofApp, ofAdmin].map(({ jar }) => `appSession=${jar["appSession"]}`);
    const statusWith = async (cookie: string) =>
      (await made.open(`${app}/orders`, { headers: { ...page, cookie } })).status;
    expect(await statusWith(`${own}; ${planted}`)).toBe(200);
    // With a longer path the planted one comes first (RFC 6265, section 5.4).
    expect(await statusWith(`${planted}; ${own}`)).toBe(302);
    expect(made.events).toContainEqual(
      expect.objectContaining({
        event: "warning",
        message: expect.stringContaining("LATCHKEY_SESSION_NAME=__Host-session") as string,
      }),
    );
  });

  test("counts at every listed host below its domain, and nowhere else [MX-046]", async () => {
    const session = { cookie: { domain: "example.com" } };
    const made = world({ baseURL: [app, admin, other], session });
    for (const site of [app, admin]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const { jar, callback } = await signIn(made, site);
      expect(callback.headers.getSetCookie().join("\n")).toMatch(/Domain=example\.com/i);
      const seen = [app, admin, other].map((each) => isSignedIn(made, each, jar));
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect([site, ...(await Promise.all(seen))]).toEqual([site, true, true, false]);
    }
    const { jar, callback } = await signIn(made, other);
    expect(callback.headers.getSetCookie().join("\n")).not.toMatch(/domain=/i);
    const seen = [app, admin, other].map((each) => isSignedIn(made, each, jar));
    expect(await Promise.all(seen)).toEqual([false, false, true]);
  });
});
