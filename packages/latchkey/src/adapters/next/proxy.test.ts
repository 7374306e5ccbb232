import { describe, expect, test } from "vitest";

import { createApiApp } from "../../../test/api/api-app.ts";
import { boundToClient, proofFor } from "../../../test/api/proof.ts";
import { cookieHeader, jarAfter, jarOf, namesIn } from "../../../test/browser/cookie-jar.ts";
import { pagesPart } from "../../../test/pages-part.ts";
import { quickWorld } from "../../../test/worlds/quick-world.ts";
import { createAuth, type Options } from "../../host/auth.ts";
import { createProxy, type OwnProxy } from "./proxy.ts";

const own = "http://localhost:3000";

/** An app of Next whose `proxy.ts` does something itself, and a person who is signed in to it. */
async function appWith(options: Partial<Options> = {}, ownProxy: OwnProxy = () => undefined) {
  const world = quickWorld({ options: { publicPaths: ["/about"], ...options } });
  const browser = await world.signedIn();
  const cookie = await browser.cookies();
  const proxy = createProxy(world.auth, ownProxy);
  const ask = (path: string, init?: RequestInit) => proxy(new Request(own + path, init));
  return {
    world,
    cookie,
    ask,
    askSignedIn: (path: string, init?: RequestInit) => ask(path, { ...init, headers: { cookie } }),
  };
}

/** A header of the request with which Next goes on. */
const handedOn = ({ headers }: Response, name: string) =>
  headers.get(`x-middleware-request-${name}`);

const caching = ({ headers }: Response) => headers.get("cache-control");
const setBy = ({ headers }: Response) => namesIn(headers.getSetCookie()).set;

describe("a request without a session", () => {
  test("is led to login", async () => {
    const { ask } = await appWith();
    const { status, headers } = await ask("/orders");
    expect([status, headers.get("location")]).toEqual([
      302,
      `${own}/api/auth/login?returnTo=%2Forders`,
    ]);
  });

  test.each([
    ["an action", "/orders", "POST", "next-action", [200, "x-action-redirect"]],
    ["data", "/_next/data/build/orders.json", "GET", "x-nextjs-data", [302, "location"]],
  ] as const)(
    "is led there as the client of Next follows it, for %s",
    async (_, path, method, mark, [status, header]) => {
      const { ask } = await appWith();
      const fetched = { "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" };
      const response = await ask(path, { method, headers: { ...fetched, [mark]: "1" } });
      expect(response.status).toBe(status);
      expect(response.headers.get(header)).toContain("/api/auth/login");
    },
  );

  test("goes on to a public page, which any cache may keep", async () => {
    const { ask } = await appWith();
    const response = await ask("/about");
    expect(Object.fromEntries(response.headers)).toEqual({
      "x-middleware-next": "1",
      "x-middleware-override-headers": "x-latchkey-target",
      "x-middleware-request-x-latchkey-target": "/about",
    });
  });
});

describe("a request with a session", () => {
  test("renews it before the page is rendered, which reads the new one and renews nothing", async () => {
    const { askSignedIn } = await appWith({ session: { stateful: false } });
    const response = await askSignedIn("/orders?a=1");
    expect([caching(response), setBy(response)]).toEqual(["private, no-store", ["appSession.t"]]);
    const [renewed = ""] = response.headers.getSetCookie();
    expect(handedOn(response, "cookie")).toContain(renewed.split(";", 1)[0]);
    expect(handedOn(response, "x-latchkey-target")).toBe("/orders?a=1");
    expect(handedOn(response, "x-latchkey-renewed")).toBe("1");
  });

  test("refreshes due tokens before the page is rendered", async () => {
    const { world, askSignedIn } = await appWith();
    const outcomes = () => world.events.filter(({ event }) => event === "refresh");
    await askSignedIn("/orders");
    expect(outcomes()).toEqual([]);
    world.advance(290);
    await askSignedIn("/orders");
    expect(outcomes()).toMatchObject([{ outcome: "renewed" }]);
  });

  test("renders the page if a refresh fails", async () => {
    const { world, askSignedIn } = await appWith();
    world.advance(400);
    world.provider.answers.token = () => Response.json({ error: "invalid_grant" }, { status: 400 });
    const response = await askSignedIn("/orders");
    expect(response.headers.get("x-middleware-next")).toBe("1");
    expect(world.events).toContainEqual(expect.objectContaining({ outcome: "refused" }));
  });

  test("brings a token for each API of the settings, once, and again after a minute if it is refused", async () => {
    const resources = ["https://orders.example", "https://refused.example"];
    const { world, cookie } = await appWith({ session: { stateful: false } });
    const { fetch: send = fetch } = world.options;
    const asked: (string | null)[] = [];
    const proxy = createProxy(
      createAuth({
        ...world.options,
        resources,
        fetch: async (input, init) => {
          const form = init.body instanceof URLSearchParams ? init.body : new URLSearchParams();
          if (form.get("grant_type") === "refresh_token") asked.push(form.get("resource"));
          return form.get("resource") === resources[1]
            ? Response.json({ error: "invalid_target" }, { status: 400 })
            : send(input, init);
        },
      }),
      () => undefined,
    );
    let jar = jarOf(cookie);
    const open = async () => {
      const headers = { cookie: cookieHeader(jar) };
      const response = await proxy(new Request(`${own}/orders`, { headers }));
      jar = jarAfter(response.headers.getSetCookie(), jar);
    };
    await open();
    await open();
    expect(asked).toEqual(resources);
    world.advance(61);
    await open();
    expect(asked).toEqual([...resources, resources[1]]);
  });

  test("leaves it to an action or a handler to refresh tokens and to write the session, and lets no cache keep what they say", async () => {
    const { world, askSignedIn } = await appWith();
    world.advance(290);
    const response = await askSignedIn("/orders", { method: "POST" });
    expect([caching(response), setBy(response)]).toEqual(["private, no-store", []]);
    expect(world.events.filter(({ event }) => event === "refresh")).toEqual([]);
    expect(handedOn(response, "x-latchkey-renewed")).toBeNull();
  });
});

test("no cache keeps the response to a request with an access token, also from a page [AP-025]", async () => {
  const { auth, token } = await createApiApp();
  const ask = createProxy(auth, () => undefined);
  const headers = { authorization: `Bearer ${await token()}` };
  const response = await ask(new Request("https://app.example/orders", { headers }));
  expect(response.headers.get("x-middleware-next")).toBe("1");
  expect([caching(response), response.headers.get("vary")]).toEqual([
    "private, no-store",
    "Authorization, Cookie",
  ]);
  expect(setBy(response)).toEqual([]);
});

test("a nonce that is due reaches the client, whatever answers the request [AP-030]", async () => {
  const app = await createApiApp({ dpop: { nonce: true } });
  const ask = createProxy(app.auth, () => undefined);
  const token = await app.token(await boundToClient());
  const htu = "https://app.example/orders";
  const send = async (nonce?: string | null) => {
    const dpop = await proofFor(token, { claims: { htu, nonce } });
    return ask(new Request(htu, { headers: { authorization: `DPoP ${token}`, dpop } }));
  };
  const nonce = (await send()).headers.get("dpop-nonce");
  app.clock.seconds = 120;
  const due = await send(nonce);
  expect(due.headers.get("x-middleware-next")).toBe("1");
  expect(due.headers.get("dpop-nonce")).toMatch(/^[\w-]{43}$/);
});

describe("a proxy of the app's own", () => {
  test("knows who makes the request, and its response carries the session", async () => {
    const { askSignedIn } = await appWith({}, (_request, { user }) => new Response(user?.sub));
    const response = await askSignedIn("/orders");
    expect(await response.text()).toBe("person-ada");
    expect(setBy(response)).toEqual(["appSession.t"]);
  });

  test("may change the session of an action, which reads what was changed", async () => {
    const { askSignedIn } = await appWith({}, async (_request, auth) => {
      await auth.update((data) => ({ ...data, theme: "dark" }));
    });
    const response = await askSignedIn("/orders", { method: "POST" });
    expect(setBy(response)).toEqual(["appSession"]);
    expect(handedOn(response, "cookie")).toMatch(/(?:^|; )appSession=/);
  });
});

const neverCreated = () => {
  throw new Error("There are no pages without settings.");
};

test.each<[string, string, Partial<Options>]>([
  ["without pages", "Sign-in is not set up yet.", {}],
  [
    "with pages of its own",
    "Set a secret",
    { production: false, pages: { ...pagesPart(neverCreated), setup: () => "Set a secret" } },
  ],
])(
  "the proxy answers every request 500 if the settings are wrong, %s",
  async (_what, said, more) => {
    const { world } = await appWith();
    const { auth } = quickWorld({
      options: { ...world.options, ...more, secret: "short" },
    });
    const request = new Request(`${own}/orders`, {
      headers: { "next-action": "7f", accept: "text/html" },
    });
    const response = await createProxy(auth, () => undefined)(request);
    expect([response.status, await response.text()]).toEqual([500, expect.stringContaining(said)]);
  },
);
