import { describe, expect, test, vi } from "vitest";

import { createAuth, type Options } from "../../host/auth.ts";
import { anonymous } from "../../host/anonymous.ts";
import type { RequestAuth } from "../../host/request-auth.ts";
import { namesIn } from "../../../test/browser/cookie-jar.ts";
import { signedInApp } from "../../../test/sessions/signed-in-app.ts";
import { memoryStore } from "../../stores/memory.ts";
import { latchkey } from "./index.ts";

const own = "https://app.example";
const login = `${own}/api/auth/login?returnTo=%2Forders%3Fa%3D1`;

type Page = (locals: { readonly auth?: RequestAuth }) => Response | Promise<Response>;

const tellUser: Page = ({ auth }) => new Response(`for ${auth?.user?.sub ?? "nobody"}`);

interface Asked {
  readonly isDataRequest?: boolean;
  readonly remote?: string;
  readonly route?: string;
  readonly params?: Readonly<Record<string, string | number>>;
}

/**
 * An app of SvelteKit. Its client requests the data of a page at an address hidden by SvelteKit.
 * For a remote function, the event has the page named by the client in place of the address.
 */
async function world(options: Parameters<typeof latchkey>[1] = {}, changes: Partial<Options> = {}) {
  const { auth, cookie } = await signedInApp(changes);
  const handle = latchkey(auth, options);
  function ask(path: string, init: RequestInit & Asked = {}, page = tellUser) {
    const { isDataRequest = false, remote = path, route = null, params = {}, ...asked } = init;
    const [pathname = "", query] = path.split("?");
    const sent = isDataRequest ? `${pathname}/__data.json?${query}` : remote;
    const locals = {};
    const event = {
      request: new Request(own + sent, asked),
      url: new URL(own + path),
      route: { id: route },
      params,
      locals,
      isDataRequest,
      isRemoteRequest: remote !== path,
    };
    return handle({ event, resolve: () => page(locals) });
  }
  return { ask, cookie };
}

test("missing settings are no error of the app: the response points to the log", async () => {
  const auth = createAuth({ baseURL: "", log: () => undefined } as unknown as Options);
  const event = { request: new Request(`${own}/orders`), url: new URL(`${own}/orders`) };
  const plain = { locals: {}, route: { id: "/orders" }, params: {} };
  const asked = { ...event, ...plain, isDataRequest: false, isRemoteRequest: false };
  const response = await latchkey(auth)({ event: asked, resolve: () => new Response("reached") });
  expect(await response.text()).toBe("Sign-in is not set up yet. The log says why.");
});

test("a page knows who makes the request, and its response carries the session", async () => {
  const { ask, cookie } = await world();
  const response = await ask("/orders", { headers: { cookie } });
  expect(await response.text()).toBe("for ada");
  expect(namesIn(response.headers.getSetCookie()).set).toEqual(["appSession.t"]);
});

describe("the page chosen by the hook reroute", () => {
  const accessRules = { "/orders": { claim: { name: "Eve" } } };
  const publicPaths = ["/de/", "/about", "/files/"];

  test.each([
    ["/de/orders", "/orders", {}, 403],
    ["/de/orders?a=1", "/(shop)/orders/[[page]]", {}, 403],
    ["/de/orders/7/", "/orders/[id=number]", { id: 7 }, 403],
    ["/de/orders/x/y", "/[...rest]", { rest: "orders/x/y" }, 403],
    ["/de/%C3%BC", "/(a)/(b)/[[lang]]/[name]", { lang: "de", name: "\u00fc" }, 200],
    ["/files/@ada", "/files/[x+40][name]", { name: "ada" }, 200],
    ["/files/a-b.txt", "/files/[one]-[two].txt", { one: "a", two: "b" }, 200],
    ["/files/%", "/files/[name]", { name: "%" }, 200],
  ])("counts with its rules: %s by %s %j: %i", async (path, route, params, status) => {
    const { ask, cookie } = await world({}, { accessRules, publicPaths });
    const page = await ask(path, { headers: { cookie }, route, params });
    expect(page.status).toBe(status);
    const data = await ask(path, { headers: { cookie }, route, params, isDataRequest: true });
    const isLed = (await data.text()).includes("/api/auth/refused?refusal=");
    expect([data.status, isLed]).toEqual([200, status === 403]);
  });

  test.each([
    ["/de/about", "/about", 200],
    ["/de/about", "/account", 302],
    ["/about/", "/about", 200],
  ])("is public if both addresses are: %s as %s: %i", async (path, route, status) => {
    const { ask } = await world({}, { publicPaths: ["/de/", "/about", "/about/"] });
    expect((await ask(path, { route })).status).toBe(status);
  });
});

test("a page rendered by the build is the same for all users", async () => {
  const { ask, cookie } = await world({ building: true });
  const seen: unknown[] = [];
  const page: Page = ({ auth }) => (seen.push(auth), new Response("built"));
  const response = await ask("/orders", { headers: { cookie } }, page);
  expect([seen, [...response.headers.keys()]]).toEqual([[anonymous], ["content-type"]]);
});

test.each([
  [own, [], 200],
  ["https://partner.example", ["https://partner.example"], 200],
  ["https://evil.example", [], 403],
])(
  "a form of %s with %j as trusted origins is answered %i",
  async (origin, trustedOrigins, status) => {
    const { ask, cookie } = await world({ trustedOrigins });
    const headers = { cookie, origin, "content-type": "application/x-www-form-urlencoded" };
    expect((await ask("/orders", { method: "POST", headers, body: "a=b" })).status).toBe(status);
  },
);

describe("SvelteKit's client without a session", () => {
  const action = { "x-sveltekit-action": "true" };
  const none = { "x-sveltekit-action": "false" };
  const post = { method: "POST", body: "{}" };
  const posted = { "content-type": "application/json", accept: "application/json" };

  test.each<[string, RequestInit & { readonly isDataRequest?: boolean }, number]>([
    ["asks for the data of a page", { isDataRequest: true }, 302],
    ["posts a form", { method: "POST", headers: { ...posted, ...action }, body: "{}" }, 303],
  ])("gets a JSON redirect to login when it %s", async (_, init, status) => {
    const { ask } = await world();
    const response = await ask("/orders?a=1", init);
    expect([response.status, response.headers.get("location")]).toEqual([200, null]);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    expect(await response.json()).toEqual({ type: "redirect", status, location: login });
  });

  test.each<[string, RequestInit, number, string | null]>([
    ["posts without being the client", { method: "POST", headers: posted, body: "{}" }, 303, login],
    ["says that it is no client", { ...post, headers: { ...posted, ...none } }, 303, login],
    ["only reads", { headers: { ...action, "sec-fetch-mode": "cors" } }, 401, null],
  ])("is answered as any other script when it %s", async (_, init, status, location) => {
    const { ask } = await world();
    const response = await ask("/orders?a=1", init);
    expect([response.status, response.headers.get("location")]).toEqual([status, location]);
  });

  test("gets it from a remote function, too, whatever page it claims to show", async () => {
    const { ask } = await world();
    const headers = { ...posted, ...action };
    const remote = "/_app/remote/abc/write";
    const response = await ask("/", { method: "POST", headers, body: "{}", remote });
    expect(await response.json()).toMatchObject({
      location: expect.stringContaining(encodeURIComponent(remote)),
    });
  });
});

describe("data of a page after a refusal", () => {
  const refusing =
    (body: string, status = 200): Page =>
    ({ auth }) => {
      try {
        auth?.require();
      } catch {
        // SvelteKit makes an error of it, in a response of its own.
      }
      return new Response(body, { status });
    };

  test.each([
    ["give way to login where they hold an error", '{"type":"error"}', 200, "redirect"],
    ["give way to login where they are an error", "broken", 500, "redirect"],
    ["stay where they hold none", '{"type":"data"}', 200, "data"],
  ])("%s", async (_, body, status, type) => {
    const { ask } = await world();
    const response = await ask("/?a=1", { isDataRequest: true }, refusing(body, status));
    expect(response.status).toBe(200);
    expect(await response.json()).toHaveProperty("type", type);
  });
});

describe("a live query", () => {
  const live = { remote: "/_app/remote/abc/watch", headers: { accept: "text/event-stream" } };

  /** Sends one event after the other until the client leaves. */
  function stream(eventOf: (count: number) => string, onCancel?: () => void): Response {
    let count = 0;
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(new TextEncoder().encode(eventOf((count += 1)))),
      ...(onCancel && { cancel: onCancel }),
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  }

  test("breaks off when its session ends elsewhere, and its source with it", async () => {
    const { ask, cookie } = await world({}, { store: memoryStore(), clock: Date.now });
    const onCancel = vi.fn<() => void>();
    const headers = { ...live.headers, cookie };
    const response = await ask("/", { ...live, headers }, ({ auth }) =>
      stream((count) => `data: ${auth?.user?.sub} ${count}\n\n`, onCancel),
    );
    expect(namesIn(response.headers.getSetCookie()).set).toEqual(["appSession.t"]);
    const reader = response.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("data: ada 1\n\n");
    await ask("/end", { headers: { cookie } }, async ({ auth }) => {
      await auth?.endDevices("all");
      return new Response("ended");
    });
    await expect.poll(() => onCancel.mock.calls.length).toBe(1);
    await expect(readToEnd(reader)).rejects.toThrow("The session has ended.");
  });

  test("does not end the process if its source throws on cancel", async () => {
    const { ask, cookie } = await world({}, { store: memoryStore(), clock: Date.now });
    const onCancel = vi.fn<() => void>(() => {
      throw new Error("the source's own fault");
    });
    const headers = { ...live.headers, cookie };
    await ask("/", { ...live, headers }, () => stream(String, onCancel));
    await ask("/end", { headers: { cookie } }, async ({ auth }) => {
      await auth?.endDevices("all");
      return new Response("ended");
    });
    // An unhandled error would fail the whole test run.
    await expect.poll(() => onCancel.mock.calls.length).toBe(1);
  });

  test("ends for its source when the client leaves", async () => {
    const { ask, cookie } = await world({}, { store: memoryStore() });
    const onCancel = vi.fn<() => void>();
    const headers = { ...live.headers, cookie };
    const response = await ask("/", { ...live, headers }, () => stream(String, onCancel));
    await response.body?.cancel();
    await expect.poll(() => onCancel.mock.calls.length).toBe(1);
  });

  test("leads to login if it refuses a user before its first event", async () => {
    const { ask } = await world({}, { publicPaths: ["/_app/"] });
    const response = await ask("/", live, ({ auth }) =>
      stream(() => {
        try {
          return `data: ${auth?.require().user.sub}\n\n`;
        } catch {
          return 'data: {"type":"error"}\n\n';
        }
      }),
    );
    expect(await response.json()).toMatchObject({ type: "redirect" });
  });

  test("goes on if it has caught the refusal", async () => {
    const { ask } = await world({}, { publicPaths: ["/_app/"] });
    const response = await ask("/", live, ({ auth }) => {
      expect(() => auth?.require()).toThrow("active session");
      return stream((count) => `data: ${count}\n\n`);
    });
    const reader = response.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("data: 1\n\n");
    await reader?.cancel();
  });

  test("of which only the head is sent is passed on", async () => {
    const { ask } = await world({}, { publicPaths: ["/_app/"] });
    const headers = { "content-type": "text/event-stream" };
    const response = await ask("/", live, () => new Response(null, { headers }));
    expect(response.headers.get("content-type")).toBe("text/event-stream");
  });

  async function readToEnd(reader: ReadableStreamDefaultReader<Uint8Array> | undefined) {
    while ((await reader?.read())?.done === false);
  }
});

test.each([
  [201, { location: "/orders/1" }, "/orders/1"],
  [200, {}, null],
  [404, {}, null],
])("data with status %i and headers %j are no redirect", async (status, headers, location) => {
  const { ask, cookie } = await world();
  const page: Page = () => new Response("made", { status, headers });
  const response = await ask("/orders?a=1", { isDataRequest: true, headers: { cookie } }, page);
  expect([response.status, response.headers.get("location")]).toEqual([status, location]);
});
