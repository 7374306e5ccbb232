import { describe, expect, test } from "vitest";

import { returnFrom, sendCallback } from "./world/attempt.ts";
import { startHostileWorld } from "./world/hostile-world.ts";

const world = await startHostileWorld();
const loginParams = ["max_age", "acr_values"];

/** Signs in by this login at a provider whose ID token has these claims; returns the outcome. */
async function outcome(
  login: string,
  claims: (nowSeconds: number) => Readonly<Record<string, unknown>>,
  options: Partial<(typeof world)["defaults"]> = {},
) {
  world.setUp({
    conduct: {
      idToken: { claims: (good, { nowSeconds }) => ({ ...good, ...claims(nowSeconds) }) },
    },
    options: {
      loginParams,
      userinfo: "never",
      publicPaths: ["/step-up"],
      ...options,
    },
    page: (request, auth) => auth.of(request).login({ params: { acr_values: "mfa phr" } }),
  });
  const before = world.events.length;
  const browser = world.browser();
  const { location } = await browser.request(login);
  const address = location.includes("/api/auth/login") ? location : login;
  const start = await browser.request(address);
  const { answer } = await sendCallback(world, browser, await returnFrom(world, start));
  const refusal = world.events.slice(before).find((each) => each.event === "refusal");
  return [answer.status, refusal?.reason, (await browser.request("/api/auth/me")).status];
}

const refused = [403, "step_up_unmet", 204];

describe("an ID token", () => {
  test("that is older than the max_age of its login is refused", async () => {
    const login = "/api/auth/login?max_age=60";
    expect(await outcome(login, (now) => ({ auth_time: now - 100 }))).toEqual([
      302,
      undefined,
      200,
    ]);
    expect(await outcome(login, (now) => ({ auth_time: now - 130 }))).toEqual(refused);
    expect(await outcome(login, () => ({ auth_time: undefined }))).toEqual(refused);
  });

  test("without an acr of its login is refused", async () => {
    const login = "/api/auth/login?acr_values=mfa%20phr";
    expect(await outcome(login, () => ({ acr: "phr" }))).toEqual([302, undefined, 200]);
    expect(await outcome(login, () => ({ acr: "mfa phr" }))).toEqual(refused);
    expect(await outcome(login, () => ({}))).toEqual(refused);
  });

  test("without an acr of the login in a handler is refused", async () => {
    expect(await outcome("/step-up", () => ({ acr: "mfa" }))).toEqual([302, undefined, 200]);
    expect(await outcome("/step-up", () => ({ acr: "pwd" }))).toEqual(refused);
  });

  test("is compared with its login in a posted response, too", async () => {
    const options = { responseMode: "form_post" } as const;
    const login = "/api/auth/login?max_age=60";
    expect((await outcome(login, (now) => ({ auth_time: now }), options))[0]).toBe(303);
    expect(await outcome(login, (now) => ({ auth_time: now - 130 }), options)).toEqual(refused);
  });
});

test("a parameter that the settings allow is pushed with the others", async () => {
  const options = { loginParams: ["screen_hint"], pushedAuthorizationRequests: true };
  world.setUp({ options });
  world.provider.resetLog();
  const { location } = await world.browser().request("/api/auth/login?screen_hint=signup");
  expect([...new URL(location).searchParams.keys()].toSorted()).toEqual([
    "client_id",
    "request_uri",
  ]);
  const [pushed] = world.provider.requestsTo("pushed");
  expect(pushed?.form.get("screen_hint")).toBe("signup");
});
