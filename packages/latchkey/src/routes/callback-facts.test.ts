import { expect, test } from "vitest";

import { createQuickApp, type QuickApp } from "../../test/worlds/quick-app.ts";
import { createQuickProvider } from "../../test/worlds/quick-provider.ts";

const began = 1_800_000_000;

/** A sign-in whose ID token comes 2.5 s after login, by the clock of the app. */
async function signedIn(
  claims: (issued: number) => object,
  callbackAt?: (app: QuickApp) => QuickApp,
) {
  let now = began * 1000;
  const clock = () => now;
  const provider = createQuickProvider(clock);
  const app = createQuickApp({ clock }, provider);
  const begun = await app.begin();
  provider.answers.token = (good) => {
    now += 2500;
    const own = provider.goodClaims(begun.nonce);
    return Response.json({ ...good, id_token: provider.sign({ ...own, ...claims(began + 2) }) });
  };
  const other = callbackAt?.(app) ?? app;
  const setCookies = (await other.finish(begun)).headers.getSetCookie();
  return headerIn(setCookies.find((line) => line.startsWith("appSession=")) ?? "");
}

/** What a session in a cookie says of itself without its key. */
function headerIn(line: string): object {
  const [, header = ""] = /=([\w-]+)\./.exec(line) ?? [];
  return JSON.parse(Buffer.from(header, "base64url").toString()) as object;
}

const authenticated = (after: number) => (issued: number) => ({ auth_time: issued + after });
const timeless = () => ({ auth_time: "1" });

test.each<[string, (issued: number) => object, object]>([
  ["from login on", () => ({}), { started: began * 1000, issued: began + 2, took: 2500 }],
  ["from the authentication on, where that came later", authenticated(-1), { took: 1000 }],
  ["from login on, where the authentication came before", authenticated(-60), { took: 2500 }],
  ["as no time, where the authentication is said to come later", authenticated(5), { took: 0 }],
  ["in whole milliseconds", authenticated(-0.123456), { took: 123 }],
  ["from login on, where the authentication has no time", timeless, { took: 2500 }],
])("a session notes how long its sign-in took: %s", async (_, claims, expected) => {
  expect(await signedIn(claims)).toMatchObject(expected);
});

test("a session does not note how long its sign-in took where another instance has begun it", async () => {
  const instance = ({ options, provider }: QuickApp) => createQuickApp(options, provider);
  expect(await signedIn(() => ({}), instance)).not.toHaveProperty("took");
});

test("a session notes when it was issued in whole seconds", async () => {
  expect(await signedIn((issued) => ({ iat: issued + 0.5 }))).toHaveProperty("issued", began + 2);
});

test("a session notes in whole seconds when the person has authenticated, and how", async () => {
  const claims = { auth_time: began - 60.5, acr: "a".repeat(255) };
  expect(await signedIn(() => claims)).toMatchObject({ authTime: began - 61, acr: claims.acr });
});

test.each<[string, object]>([
  ["are missing", { sid: undefined }],
  ["are of another type", { sid: 1, auth_time: "1", acr: 1 }],
  ["are empty or negative", { sid: "", auth_time: -1, acr: "" }],
  ["are too long", { sid: undefined, acr: "a".repeat(256) }],
])("a session notes no sid, no auth_time and no acr that %s", async (_, claims) => {
  const header = await signedIn(() => claims);
  const noted = Object.keys(header).filter((name) => ["sidTag", "authTime", "acr"].includes(name));
  expect(noted).toEqual([]);
});
