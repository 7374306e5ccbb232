import { defineWebSocketHandler, H3 } from "h3";
import { describe, expect, onTestFinished, test, vi } from "vitest";

import { listenerOfH3 } from "../../../test/listeners.ts";
import { signedInApp } from "../../../test/sessions/signed-in-app.ts";
import { servedApp } from "../../../test/sessions/served-app.ts";
import { goodSettings } from "../../../test/settings.ts";
import { signedInCookies } from "../../testing/index.ts";
import { type Auth, createAuth, type Options } from "../../host/auth.ts";
import { latchkey as h3Middleware, latchkeyPlugin } from "./index.ts";

const page = { accept: "text/html" };

describe("h3", () => {
  test("runs a cached handler signed out [AD-022]", async () => {
    const world = await servedApp((auth) => {
      const app = new H3().use(h3Middleware(auth));
      app.get("/private", ({ context }) => `for ${context.auth.user?.sub}`);
      app.get("/private/kept", (event) => {
        // As ocache does, of which defineCachedHandler of h3 and Nitro comes.
        Object.assign(event, { req: new Request(event.req.url) });
        return `for ${event.context.auth.user?.sub}`;
      });
      return listenerOfH3(app);
    });
    const headers = { cookie: world.cookie };
    expect((await world.send({ target: "/private", headers })).body).toMatch(/^for [^u]/);
    expect((await world.send({ target: "/private/kept", headers })).body).toBe("for undefined");
  });

  test("values of every kind carry the session's headers, and each hook of the app runs once [AD-021, AD-025]", async () => {
    const hooked: string[] = [];
    const failed: number[] = [];
    const world = await servedApp((auth) => {
      const app = new H3({
        silent: true,
        onError: ({ status }) => void failed.push(status),
        onResponse: (_response, event) => void hooked.push(event.url.pathname),
      }).use(h3Middleware(auth));
      app.get("/private/object", () => ({ a: 1 }));
      app.get("/private/nothing", () => null);
      app.get("/private/bytes", () => new Uint8Array([104, 105]));
      app.get("/private/stream", () => new Blob(["hi"]).stream());
      app.get("/private/error", () => {
        throw new Error("broken");
      });
      return listenerOfH3(app);
    });
    const headers = { cookie: world.cookie };
    const kinds = ["object", "nothing", "bytes", "stream", "error", "missing"];
    const seen = [];
    for (const kind of kinds) {
      const response = await world.send({ target: `/private/${kind}`, headers });
      const { status, setCookies } = response;
      seen.push([kind, status, setCookies.length, response.header("cache-control")]);
    }
    const own = "private, no-store";
    const statuses = [200, 200, 200, 200, 500, 404];
    expect(seen).toEqual(kinds.map((kind, place) => [kind, statuses[place], 1, own]));
    expect(failed).toEqual([500, 404]);
    expect(hooked).toEqual(kinds.map((kind) => `/private/${kind}`));
  });

  test("without an error handler of the app, require() is answered the same, and nothing is printed [AD-030]", async () => {
    const world = await servedApp(
      (auth) => {
        const app = new H3().use(h3Middleware(auth));
        app.get("/", ({ context }) => context.auth.require().user.sub);
        app.get("/rule", ({ context }) => context.auth.require(() => false).user.sub);
        app.get("/step-up", ({ context }) => context.auth.require({ acr: "mfa" }).user.sub);
        return listenerOfH3(app);
      },
      { publicPaths: ["/"] },
    );
    const headers = { ...page, cookie: world.cookie };
    const errors = vi.spyOn(console, "error").mockReturnValue();
    onTestFinished(() => errors.mockRestore());
    const stranger = await world.send({ target: "/", headers: page });
    const refused = await world.send({ target: "/rule", headers });
    const stepUp = await world.send({ target: "/step-up", headers });
    expect([stranger.status, refused.status, stepUp.status]).toEqual([302, 403, 302]);
    expect(errors.mock.calls).toEqual([]);
    expect(refused.header("content-type")).toBe("text/html; charset=utf-8");
  });

  test("a copy of the context has the newest of two sign-ins, one behind the other", async () => {
    const seen: unknown[] = [];
    const world = await servedApp((auth) => {
      const staff = createAuth({ ...goodSettings, publicPaths: ["/"], log: () => undefined });
      const app = new H3().use(h3Middleware(auth)).use(h3Middleware(staff));
      app.get("/", ({ req, context }) => {
        const copy = { ...context };
        seen.push(copy.auth === staff.of(req), copy.auth === auth.of(req));
        return "the page";
      });
      return listenerOfH3(app);
    });
    expect((await world.send({ target: "/" })).status).toBe(200);
    expect(seen).toEqual([true, false]);
  });

  test.each([
    ["/private?tab=2", 302],
    ["/public/x?tab=2", 200],
  ])("an app without Node is guarded: %s is answered %i", async (target, status) => {
    const { auth, origin } = await servedApp(() => () => undefined);
    const app = new H3().use(h3Middleware(auth)).use(() => "the page");
    const request = new Request(origin + target, { headers: page });
    for (const each of [request, Object.assign(request.clone(), { runtime: { name: "deno" } })]) {
      expect((await app.fetch(each)).status).toBe(status);
    }
  });
});

/** An app of Nitro 3 with the plugin, and its responses. */
function nitroApp(auth: Auth, app: H3) {
  const nitro = { fetch: (request: Request) => app.fetch(request), h3: app };
  latchkeyPlugin(auth)(nitro);
  return (path: string, headers: Record<string, string> = {}) =>
    nitro.fetch(new Request(`https://app.example${path}`, { headers }));
}

describe("the plugin of Nitro", () => {
  const own = "private, no-store";

  test("guards handlers before the stack of h3 [AD-010, AD-022]", async () => {
    const { auth, cookie } = await signedInApp({ publicPaths: ["/open"] });
    const app = new H3({ silent: true })
      .use(({ res }) => {
        res.headers.set("cache-control", "public");
      })
      .use("/file", () => "for members")
      .get("/own", ({ context }) => `for ${context.auth.user?.sub}`)
      .get("/open", ({ context }) => context.auth.require().user.sub);
    const fetchApp = nitroApp(auth, app);
    const ask = async (path: string, headers: Record<string, string>) => {
      const answer = await fetchApp(path, headers);
      const text = answer.ok ? await answer.text() : answer.status;
      return [text, answer.headers.get("cache-control"), answer.headers.getSetCookie().length];
    };
    expect(await ask("/file", page)).toEqual([302, own, 0]);
    expect(await ask("/open", page)).toEqual([302, own, 0]);
    expect(await ask("/own", { cookie })).toEqual(["for ada", own, 1]);
    expect(await ask("/file", { cookie })).toEqual(["for members", own, 1]);
  });

  test("answers a refusal of require() or of accessToken(), and nothing is printed [AD-030]", async () => {
    const { auth, options } = await signedInApp({ publicPaths: ["/", "/token"] });
    const cookie = await signedInCookies({ options, session: { user: { sub: "ada" } } });
    const app = new H3()
      .get("/", ({ context }) => context.auth.require().user.sub)
      .get("/rule", ({ context }) => context.auth.require(() => false).user.sub)
      .get("/token", ({ context }) => context.auth.accessToken());
    const fetchApp = nitroApp(auth, app);
    const errors = vi.spyOn(console, "error").mockReturnValue();
    onTestFinished(() => errors.mockRestore());
    const ask = async (path: string, headers: Record<string, string>) => {
      const { status, headers: sent } = await fetchApp(path, { ...page, ...headers });
      return [status, sent.get("location"), sent.getSetCookie().length];
    };
    const login = "https://app.example/api/auth/login?returnTo=%2F";
    expect(await ask("/", {})).toEqual([302, login, 0]);
    expect(await ask("/token", {})).toEqual([302, `${login}token`, 0]);
    expect(await ask("/token", { cookie })).toEqual([302, `${login}token`, 1]);
    expect(await ask("/rule", { cookie })).toEqual([403, null, 1]);
    expect(errors.mock.calls).toEqual([]);
  });

  test("changes nothing while the build prerenders, and needs no setting [AD-037]", () => {
    const app = new H3();
    const fetch = () => new Response("built");
    const nitro = { fetch, h3: app };
    latchkeyPlugin(createAuth({ baseURL: "" } as Options), { prerender: true })(nitro);
    expect([nitro.fetch, app["~middleware"]]).toEqual([fetch, []]);
  });

  test("stops the start if Nitro has no h3 app", async () => {
    const { auth } = await signedInApp();
    const start = () => latchkeyPlugin(auth)({ fetch: () => new Response("page") });
    expect(start).toThrow("latchkeyPlugin needs Nitro 3 with its h3 app.");
  });
});

describe("a WebSocket opened by crossws", () => {
  type Upgrade = Response & { readonly crossws?: { upgrade?(): Response } };

  test.each([
    ["the guard refuses it", "/private", 401],
    ["a handler refuses it", "/", 401],
    ["the app knows no such page", "/public/nothing", 404],
  ])("is refused if %s", async (_, path, status) => {
    const { auth } = await signedInApp({ publicPaths: ["/", "/public/"] });
    const app = new H3({ silent: true }).get("/", ({ context }) => context.auth.require().user.sub);
    const fetchApp = nitroApp(auth, app);
    const headers = { "sec-fetch-mode": "websocket" };
    const response: Upgrade = await fetchApp(path, { ...headers, upgrade: "WebSocket" });
    expect([response.crossws?.upgrade?.() === response, response.status]).toEqual([true, status]);
    expect(await fetchApp(path, { ...headers, upgrade: "h2c" })).not.toHaveProperty("crossws");
  });

  test("keeps the hooks of the app, even if their response is copied", async () => {
    const { auth } = await signedInApp({ publicPaths: ["/"] });
    const hooks = { message: () => undefined };
    const app = new H3().get(
      "/",
      defineWebSocketHandler(() => hooks),
    );
    const upgrade = { upgrade: "websocket" };
    const response: Upgrade = await nitroApp(auth, app)("/", upgrade);
    expect(response.crossws).toBe(hooks);
    const copying = new H3().use(
      async (_event, next) => new Response(null, (await next()) as Response),
    );
    expect(await nitroApp(auth, copying.mount("", app))("/", upgrade)).not.toHaveProperty(
      "crossws",
    );
  });
});
