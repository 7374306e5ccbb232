import { describe, expect, test } from "vitest";

import { handleRequest } from "../../test/handle-request.ts";
import { startWorld, type World } from "../../test/worlds/world.ts";
import { type Auth, createAuth, type Options } from "../host/auth.ts";
import type { Problem } from "../errors/problem.ts";

const inOneStore = await startWorld();
const page = { accept: "text/html", "sec-fetch-mode": "navigate" };

/** A response of the provider, and the request with which the browser brings it. */
async function untilAnswer(world: World, login = "/reports", person?: string) {
  const browser = world.browser();
  const { address, init } = await browser.untilCallback(login, person);
  const headers = { ...(init.headers as object), ...page, cookie: await browser.cookies() };
  return { browser, request: () => new Request(address, { ...init, headers }) };
}

async function send(auth: Auth, request: Request): Promise<Response> {
  return (await handleRequest(auth, request, () => expect.unreachable())).response;
}

const tokenCalls = ({ provider }: World) =>
  provider.requests.filter(({ path }) => path === "/token").length;

async function worldWith(options: Partial<Options>): Promise<World> {
  return startWorld({ options });
}

async function problemOf(response: Response) {
  return JSON.parse(await response.text()) as Problem;
}

describe("the same response twice", () => {
  test.each(["query", "form_post"] as const)(
    "by %s leads both requests to the same page, one with cookies, by one token request",
    async (responseMode) => {
      const its = await worldWith({ responseMode });
      const { request } = await untilAnswer(its);
      its.provider.clearRequests();
      const answers = await Promise.all([send(its.auth, request()), send(its.auth, request())]);
      const late = await send(its.auth, request());
      const status = responseMode === "query" ? 302 : 303;
      for (const answer of [...answers, late]) {
        expect(answer.status).toBe(status);
        expect(answer.headers.get("location")).toBe(`${its.baseURL}/reports`);
      }
      const [first, second] = answers.map(({ headers }) => headers.getSetCookie());
      expect(first?.some((line) => line.startsWith("appSession"))).toBe(true);
      expect([second, late.headers.getSetCookie()]).toEqual([[], []]);
      expect(tokenCalls(its)).toBe(1);
    },
  );

  test("leads both requests to the same problem if the first one fails", async () => {
    const hooks = { afterCallback: () => Promise.reject(new Error("not today")) };
    const its = await worldWith({ hooks });
    const { request } = await untilAnswer(its);
    const answers = await Promise.all([send(its.auth, request()), send(its.auth, request())]);
    for (const answer of answers) {
      expect(answer.status).toBe(500);
      expect(await problemOf(answer)).toMatchObject({ reason: "internal" });
    }
  });

  test("brings nothing to a stranger with the address", async () => {
    const { request } = await untilAnswer(inOneStore);
    const stranger = new Request(request().url, { headers: page });
    const [signedIn, answer] = await Promise.all([
      send(inOneStore.auth, request()),
      send(inOneStore.auth, stranger),
    ]);
    expect([signedIn.status, answer.status]).toEqual([302, 400]);
    expect(answer.headers.get("location")).toBe(null);
  });

  test("is another response with another code, and is refused", async () => {
    const { request } = await untilAnswer(inOneStore);
    const other = new URL(request().url);
    other.searchParams.set("code", "another");
    await send(inOneStore.auth, request());
    const answer = await send(inOneStore.auth, new Request(other, request()));
    expect(answer.status).toBe(400);
    expect(await problemOf(answer)).toMatchObject({ reason: "code_rejected" });
  });
});

describe("the same response at two instances", () => {
  test("with a store leads to the same page, by one token request", async () => {
    const another = createAuth(inOneStore.options);
    const { request } = await untilAnswer(inOneStore);
    inOneStore.provider.clearRequests();
    const [first, second] = await Promise.all([
      send(inOneStore.auth, request()),
      send(another, request()),
    ]);
    const late = await send(another, request());
    for (const answer of [first, second, late]) {
      expect([answer.status, answer.headers.get("location")]).toEqual([
        302,
        `${inOneStore.baseURL}/reports`,
      ]);
    }
    expect(second.headers.getSetCookie()).toEqual([]);
    expect(tokenCalls(inOneStore)).toBe(1);
  });

  test("with a store that fails, still signs in", async () => {
    const its = await worldWith({ session: { stateful: false } });
    const { request } = await untilAnswer(its);
    its.store.add = () => Promise.reject(new Error("no writes"));
    expect((await send(its.auth, request())).status).toBe(302);
  });

  test("without a store leads to a page that looks once whether the user is signed in", async () => {
    const its = await worldWith({ store: undefined, backchannelLogout: false });
    const another = createAuth(its.options);
    const { browser, request } = await untilAnswer(its);
    expect((await send(its.auth, request())).status).toBe(302);
    const second = await send(another, request());
    const { redirectTo = "" } = await problemOf(second);
    const destination = `${its.baseURL}/reports`;
    const look = `${its.baseURL}/api/auth/login?returnTo=${encodeURIComponent(destination)}&restart=if-needed`;
    expect(redirectTo).toBe(look);
    expect(second.headers.get("refresh")).toBe(`0; url=${look}`);
    const signedIn = await its.signedIn();
    expect((await signedIn.request(look)).location).toBe(destination);
    expect((await browser.request(look)).location).toContain(its.provider.issuer);
  });
});
