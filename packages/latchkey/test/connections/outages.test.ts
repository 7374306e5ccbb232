import { type Fault, hostileAudience } from "@latchkey/provider/hostile";
import { describe, expect, test } from "vitest";

import { api } from "../../src/api/index.ts";
import type { Browser } from "../browser/browser.ts";
import { inParallel } from "../in-parallel.ts";
import {
  callsTo,
  signedIn,
  startTwoProviders,
  tokenOf,
  type TwoProviders,
} from "./two-providers.ts";

const navigation = { "sec-fetch-dest": "document", accept: "text/html" };
const logins = { default: "/api/auth/login/default", globex: "/api/auth/login/globex" } as const;
const timeoutMs = 4000;
const impatient = { scope: "openid offline_access", httpTimeout: timeoutMs };
/** More than the refreshes that may be under way at one client. */
const crowd = 40;

/** An app with users of both providers, most of them of the second; the documents are old. */
async function startWithUsers(others = 4) {
  const options = { ...impatient, api: api({ audience: hostileAudience }) };
  const world = await startTwoProviders({ options, globex: impatient });
  const one = await signedIn(world, logins.default);
  const ofGlobex: Browser[] = [];
  const signInOne = async () => void ofGlobex.push(await signedIn(world, logins.globex));
  await inParallel(Array.from({ length: others }), signInOne, 4);
  world.advance(7200);
  return { world, one, ofGlobex };
}

/** The status of a call with an access token of a provider. */
async function callAPI({ baseURL }: TwoProviders, provider: TwoProviders["first"]) {
  const headers = { authorization: `Bearer ${provider.mintAccessToken()}` };
  return (await fetch(`${baseURL}/private`, { headers })).status;
}

/** What users of a provider do, each of which must succeed. */
async function useAll(world: TwoProviders, browser: Browser) {
  expect(await tokenOf(world, browser)).not.toMatch(/^ERR_/);
  expect((await browser.request("/private")).status).toBe(200);
  expect(await callAPI(world, world.first)).toBe(200);
  await signedIn(world, logins.default);
}

const rubbish: Fault = { kind: "replace", response: { status: 200, headers: {}, body: "<html>" } };
const failure: Fault = { kind: "replace", response: { status: 500, headers: {}, body: "{}" } };
const busy: Fault = {
  kind: "replace",
  response: { status: 429, headers: { "retry-after": "60" }, body: "" },
};

describe("while one provider fails, users of the other sign in, refresh, read and call the API", () => {
  test.each<[string, Fault]>([
    ["it answers 500", failure],
    ["it is busy", busy],
    ["it resets connections", { kind: "reset" }],
    ["its documents and answers are rubbish", rubbish],
  ])("since %s [MX-059]", async (_, fault) => {
    const { world, one, ofGlobex } = await startWithUsers();
    const { first, second } = world;
    second.behave({ faults: { metadata: fault, keys: fault, token: fault, refresh: fault } });
    const failing = Promise.all(ofGlobex.map((browser) => tokenOf(world, browser)));
    await useAll(world, one);
    expect(callsTo(first)).toContain("refresh");
    expect((await failing).filter((each) => each?.startsWith("ERR_") !== true)).toEqual([]);
    const reading = await Promise.all(ofGlobex.map((browser) => browser.request("/private")));
    expect(new Set(reading.map(({ status }) => status))).toEqual(new Set([200]));
  });

  test.each<[string, Fault]>([
    ["is silent", { kind: "hang" }],
    ["sends a byte a second", { kind: "slow" }],
  ])("before the calls to it are given up, if it %s [MX-059]", async (_, fault) => {
    const { world, one, ofGlobex } = await startWithUsers(crowd);
    const { second } = world;
    second.behave({ faults: { metadata: fault, keys: fault, token: fault, refresh: fault } });
    const settled: unknown[] = [];
    const waiting = ofGlobex.map((browser) =>
      tokenOf(world, browser).then((each) => settled.push(each)),
    );
    const bearers = Array.from({ length: 5 }, () => callAPI(world, second));
    const before = second.requests.length;
    await expect.poll(() => second.requests.length).toBeGreaterThan(before + 20);
    await useAll(world, one);
    // 32 refreshes of one client may be under way: the others have ended at once.
    expect(settled.length).toBeLessThanOrEqual(crowd - 32);
    await Promise.all([...waiting, ...bearers]);
  });
});

test("a provider with new keys that cannot be read refuses its own users alone [MX-059]", async () => {
  const { world, one } = await startWithUsers();
  const { second } = world;
  await second.rotateKeys();
  second.behave({ faults: { keys: rubbish } });
  const browser = world.browser();
  await expect(signedIn(world, logins.globex)).rejects.toThrow(/^(?:4|5)\d\d: /);
  expect(await callAPI(world, second)).toBeGreaterThanOrEqual(400);
  expect((await browser.request("/public")).status).toBeLessThan(500);
  await useAll(world, one);
});

test("a provider that refuses its client ends no session, and its users go on with the right secret", async () => {
  const { world, one, ofGlobex } = await startWithUsers();
  const { second, events } = world;
  const refused: Fault = {
    kind: "replace",
    response: { status: 401, headers: {}, body: JSON.stringify({ error: "invalid_client" }) },
  };
  second.behave({ faults: { token: refused, refresh: refused } });
  const [browser = one, other = one] = ofGlobex;
  expect(await tokenOf(world, browser)).toMatch(/^ERR_/);
  await expect(signedIn(world, logins.globex)).rejects.toThrow(/^400: /);
  expect((await browser.request("/private")).status).toBe(200);
  await useAll(world, one);
  const failures = events.flatMap((each) =>
    each.event === "refresh" || each.event === "refusal" ? [[each.connection, each.reason]] : [],
  );
  expect(failures).toContainEqual(["globex", "client_rejected"]);
  expect(failures.filter(([id, reason]) => id === "default" && reason !== undefined)).toEqual([]);
  second.behave("well");
  await signedIn(world, logins.globex);
  expect(await tokenOf(world, other)).not.toMatch(/^ERR_/);
});

test("a page whose token cannot be refreshed now leads to a sign-in with its connection, and back", async () => {
  const world = await startTwoProviders({ options: impatient, globex: impatient });
  const browser = await signedIn(world, logins.globex);
  world.second.behave({ faults: { refresh: busy } });
  world.advance(7200);
  const headers = { ...navigation, cookie: await browser.cookies() };
  const request = new Request(`${world.baseURL}/reports?page=2`, { headers });
  const { auth, baseURL, events, problems } = world;
  const { status } = await auth.respond(
    request,
    async (passed) => new Response(await auth.of(passed).accessToken()),
  );
  const reason = "refresh_unavailable";
  expect(status).toBe(503);
  expect(problems.at(-1)).toMatchObject({
    reason,
    signInURL: `${baseURL}/api/auth/login/globex?returnTo=%2Freports%3Fpage%3D2`,
  });
  expect(events).toContainEqual(expect.objectContaining({ reason, connection: "globex" }));
});
