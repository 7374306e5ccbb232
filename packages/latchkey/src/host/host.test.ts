import { describe, expect, test } from "vitest";

import { failingStore } from "../../test/failing-store.ts";
import { setCookiesOfAda } from "../../test/sessions/set-cookies-of-ada.ts";
import { goodSettings } from "../../test/settings.ts";
import { readConfig } from "../config/config.ts";
import type { Settings } from "../config/settings.ts";
import type { Log, LogEvent } from "../telemetry/log-event.ts";
import type { HostRequest } from "../http/auth-request.ts";
import { memoryStore } from "../stores/memory.ts";
import type { Store } from "../stores/store.ts";
import { createContext } from "./create-context.ts";
import type { AdmittedRequest, Received } from "./admitted-request.ts";
import { createHost } from "./host.ts";

function world(
  store: Store | null = null,
  settings: Partial<Settings> = {},
  log: Log = () => undefined,
) {
  const config = readConfig(
    { ...goodSettings, publicPaths: ["/public/", "/"], ...settings },
    { hasStore: store !== null },
  );
  const context = createContext(config, { store, log });
  const onFault = (fault: unknown) => {
    throw fault;
  };
  const host = createHost({
    open: async () => ({ sites: { primary: context, of: () => context }, opened: {} }),
    onFault,
  });
  return {
    context,
    receive(request: Partial<HostRequest>, outer?: AdmittedRequest) {
      const target = request.target ?? "/";
      const whole = {
        method: "GET",
        url: goodSettings.baseURL + target,
        target,
        headers: new Headers(),
        body: async () => null,
        ...request,
      };
      return host.receive({}, () => whole, outer);
    },
  };
}

describe("a request rewritten by an earlier middleware", () => {
  test.each([
    ["/public/a", "/public/b", true],
    ["/public/a", "/private", false],
    ["/public/a", "/public/../private", false],
    ["/public/a", "no target", false],
    ["/private", "/public/a", false],
  ])("from %s to %s, it passes without a sign-in: %s", async (target, other, passes) => {
    const request = { target, otherTargets: [other] };
    expect("admitted" in (await world().receive(request))).toBe(passes);
  });
});

describe("an internal sub-request of the app", () => {
  async function signedIn() {
    const { context, receive: received } = world();
    const setCookies = await setCookiesOfAda(context);
    const cookie = setCookies.map((line) => line.split(";", 1)[0]).join("; ");
    const outer = passed(await received({ headers: new Headers({ cookie }) }));
    return { received, cookie, outer };
  }

  test("a change of the session is seen by both, and goes out with the outer response only [AD-018]", async () => {
    const { received, cookie, outer } = await signedIn();
    const asked = { target: "/private", headers: new Headers({ cookie }) };
    const inner = passed(await received(asked, outer));
    await inner.auth.update((data) => ({ ...data, theme: "dark" }));
    expect(namesOf(inner.commit())).toEqual(["Cache-Control", "Vary"]);
    expect(outer.auth.session).toHaveProperty("theme", "dark");
    expect(namesOf(outer.commit())).toEqual(["Cache-Control", "Vary", "Set-Cookie"]);
    await expect(inner.auth.update((data) => data)).rejects.toMatchObject({
      code: "ERR_HEADERS_SENT",
    });
  });

  test("one without a read of the session leaves the outer response as it is", async () => {
    const { received, cookie, outer } = await signedIn();
    const inner = passed(await received({ headers: new Headers({ cookie }) }, outer));
    expect([inner.commit(), outer.commit()]).toEqual([[], []]);
  });

  test("one with other cookies, or with none, has a session of its own", async () => {
    const { received, outer } = await signedIn();
    const inner = await received({ target: "/private" }, outer);
    expect("response" in inner && inner.response.status).toBe(302);
    expect(outer.auth.user).toEqual({ sub: "ada" });
  });
});

function passed(received: Received): AdmittedRequest {
  if ("admitted" in received) return received.admitted;
  throw new Error(`refused: ${received.response.status}`);
}

function namesOf(headers: ReturnType<AdmittedRequest["commit"]>): readonly string[] {
  return headers.map(([name]) => name);
}

test("a public page stays open while the store is down, and only reading the session throws", async () => {
  const store = failingStore(memoryStore());
  const { context, receive: received } = world(store);
  const setCookies = await setCookiesOfAda(context);
  store.fail(true);
  const cookie = setCookies.map((line) => line.split(";", 1)[0]).join("; ");
  const outcome = await received({ headers: new Headers({ cookie }) });
  if ("response" in outcome) throw new Error(`the page is closed: ${outcome.response.status}`);
  expect(() => outcome.admitted.auth.session).toThrow("does not answer");
});

test.each([
  [{}, ["LATCHKEY_BASE_URL"]],
  [{ production: true }, []],
])("with %j, the log names another port of a page once", async (settings, told) => {
  const warnings: string[] = [];
  const log = (event: LogEvent) => void ("message" in event && warnings.push(event.message));
  const { receive } = world(null, { baseURL: "http://localhost:3000", ...settings }, log);
  for (const target of ["/private", "/other"]) {
    await receive({ target, headers: new Headers({ host: "localhost:5173" }) });
  }
  const about = warnings.filter((text) => text.includes("localhost:5173"));
  expect(about).toEqual(told.map((name) => expect.stringContaining(name)));
});

test.each([
  ["of ours", { target: "/api/auth/unknown" }],
  ["to a page without a sign-in", { target: "/private" }],
  ["to a target that nobody can read", { target: "/a b" }],
])("no cache keeps our response to a request %s", async (_, request) => {
  const outcome = await world().receive(request);
  const headers = "response" in outcome ? outcome.response.headers : [];
  expect(new Map(headers).get("Cache-Control")).toMatch(/^(private, )?no-store$/);
});
