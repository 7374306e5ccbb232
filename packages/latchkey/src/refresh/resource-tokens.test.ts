import { describe, expect, test } from "vitest";

import { askWith } from "../../test/handle-request.ts";
import { jarAfter, jarOf } from "../../test/browser/cookie-jar.ts";
import { quickWorld } from "../../test/worlds/quick-world.ts";
import { type Auth, createAuth, type Options } from "../host/auth.ts";
import type { LogEvent } from "../telemetry/log-event.ts";
import type { RequestAuth } from "../host/request-auth.ts";

const [orders, invoices] = ["https://orders.example", "https://invoices.example"];

/** The requests to the token endpoint, in order, and how many calls were under way at most. */
interface Calls {
  readonly asked: { readonly resource: string | null; readonly scope: string | null }[];
  underWay: number;
  atMost: number;
}

/**
 * Two instances of one app, at a provider whose refresh tokens are good once. It knows no
 * resource servers: what stands between names them in its access tokens.
 */
async function twoInstances(options: Partial<Options> = {}) {
  const calls: Calls = { asked: [], underWay: 0, atMost: 0 };
  async function fetchNaming(input: string, init: RequestInit): Promise<Response> {
    const form = init.body instanceof URLSearchParams ? init.body : new URLSearchParams();
    if (form.get("grant_type") !== "refresh_token") return world.provider.fetch(input, init);
    const [resource, scope] = [form.get("resource"), form.get("scope")];
    calls.asked.push({ resource, scope });
    form.delete("resource");
    form.delete("scope");
    calls.underWay += 1;
    calls.atMost = Math.max(calls.atMost, calls.underWay);
    const response = await world.provider.fetch(input, init);
    const body = (await response.json()) as Record<string, unknown>;
    calls.underWay -= 1;
    delete body["scope"];
    if (scope === "admin") body["scope"] = "read";
    const named = resource === null ? {} : { access_token: `${resource} ${calls.asked.length}` };
    return Response.json({ ...body, ...named }, { status: response.status });
  }

  const world = quickWorld({ options });
  const events: LogEvent[] = [];
  const instance = () =>
    createAuth({ ...world.options, fetch: fetchNaming, log: (event) => events.push(event) });
  const browser = world.browser();
  await browser.signIn("/private");
  let jar = jarOf(await browser.cookies());

  async function ask<T>(auth: Auth, handle: (its: RequestAuth) => T | Promise<T>): Promise<T> {
    const { made, response } = await askWith(auth, jar, handle, "/private");
    jar = jarAfter(response.headers.getSetCookie(), jar);
    if (made === undefined) throw new Error(`answered with ${response.status}`);
    return made;
  }

  const instances = [instance(), instance()] as const;
  return { instances, ask, calls, events, advance: world.advance };
}

const tokenFor =
  (resource: string, more: object = {}) =>
  (its: RequestAuth) =>
    its.accessToken({ resource, ...more });

describe.each([
  ["that move into the store", {}],
  ["in the store", { session: { stateful: true } }],
])("access tokens for several resource servers, with sessions %s [OP-015]", (_, options) => {
  test("of requests at the same moment each gets the token for its own, and each refresh token is spent once", async () => {
    const { instances, ask, calls, events } = await twoInstances(options);
    const [one] = instances;
    const ofSignIn = await ask(one, (its) => its.accessToken());
    const resources = [orders, invoices, undefined];
    const answers = await Promise.all(
      Array.from({ length: 18 }, async (__, place) => {
        const resource = resources[place % 3];
        const auth = instances[place % 2] ?? one;
        const token = await ask(auth, (its) =>
          its.accessToken(resource === undefined ? {} : { resource }),
        );
        return { resource, token };
      }),
    );
    const tokensFor = (wanted: string | undefined) =>
      answers.flatMap(({ resource, token }) => (resource === wanted ? [token] : []));
    expect(new Set(tokensFor(undefined))).toEqual(new Set([ofSignIn]));
    const [[forOrders = "", ...otherOrders], [forInvoices = "", ...otherInvoices]] = [
      [...new Set(tokensFor(orders))],
      [...new Set(tokensFor(invoices))],
    ];
    expect([forOrders, forInvoices]).toEqual([
      expect.stringContaining(orders),
      expect.stringContaining(invoices),
    ]);
    expect([otherOrders, otherInvoices]).toEqual([[], []]);
    expect(calls.asked).toHaveLength(2);
    expect(calls.atMost).toBe(1);
    const outcomes = events.flatMap((each) => (each.event === "refresh" ? [each.outcome] : []));
    expect(outcomes).not.toContain("refused");

    const before = calls.asked.length;
    const orderToken = await ask(one, tokenFor(orders));
    expect(await ask(instances[1], tokenFor(orders))).toBe(orderToken);
    expect(await ask(one, tokenFor(invoices))).toContain(invoices);
    expect(calls.asked).toHaveLength(before);
  });

  test("the parts of a page request many at the same moment, and each gets its own", async () => {
    const { instances, ask, calls } = await twoInstances(options);
    const resources = Array.from({ length: 9 }, (_name, place) => `https://api-${place}.example`);
    const tokens = await Promise.all(
      resources.map((each, place) => ask(instances[place % 2] ?? instances[0], tokenFor(each))),
    );
    expect(tokens.map((each) => each.split(" ", 1)[0])).toEqual(resources);
    expect([calls.asked.length, calls.atMost]).toEqual([9, 1]);
  });

  test("a forced refresh of the sign-in's token is not answered with that of a resource server", async () => {
    const { instances, ask } = await twoInstances(options);
    const [one, other] = instances;
    const ofSignIn = await ask(one, (its) => its.accessToken());
    const [forOrders, anew] = await Promise.all([
      ask(one, tokenFor(orders)),
      ask(other, (its) => its.accessToken({ refresh: true })),
    ]);
    expect(forOrders).toContain(orders);
    expect(anew).not.toContain(orders);
    expect(anew).not.toBe(ofSignIn);
  });

  test("scopes are requested with the resource, and again if the token at hand lacks one", async () => {
    const { instances, ask, calls } = await twoInstances(options);
    const [one] = instances;
    const read = await ask(one, tokenFor(orders, { scopes: ["read"] }));
    expect(await ask(one, tokenFor(orders, { scopes: ["read"] }))).toBe(read);
    expect(await ask(one, tokenFor(orders, { scopes: ["read", "write"] }))).not.toBe(read);
    expect(calls.asked).toEqual([
      { resource: orders, scope: "read" },
      { resource: orders, scope: "read write" },
    ]);
    const refused = (its: RequestAuth) =>
      tokenFor(orders, { scopes: ["admin"] })(its).catch(String);
    expect(await ask(one, refused)).toContain('access token with scopes "admin"');
  });

  test("they are not the user's: the token of the sign-in stays in its place", async () => {
    const { instances, ask, calls, advance } = await twoInstances(options);
    const [one] = instances;
    const before = await ask(one, (its) => its.session);
    advance(5);
    await ask(one, tokenFor(orders));
    const after = await ask(one, (its) => its.session);
    expect(calls.asked).toEqual([{ resource: orders, scope: null }]);
    expect(after?.accessToken).toBe(before?.accessToken);
    expect(after?.accessTokenScope).toBe(before?.accessTokenScope);
    expect(after?.accessTokenExpiresAt).toBe(before?.accessTokenExpiresAt);
    expect(after?.refreshToken).not.toBe(before?.refreshToken);
    expect(after?.idToken).not.toBe(before?.idToken);
    expect(Object.keys(after?.resourceTokens ?? {})).toEqual([orders]);
  });
});
