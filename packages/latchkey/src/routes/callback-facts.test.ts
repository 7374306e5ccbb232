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

test.each<[string, (issued: number) => object, number]>([
  ["at login", () => ({}), began],
  ["when the user authenticated after that", authenticated(-1), began + 1],
  ["at login, if the user authenticated before", authenticated(-60), began],
  ["with the ID token, if the authentication is said to come later", authenticated(5), began + 2],
  ["in whole seconds", (issued) => ({ iat: issued + 0.5 }), began],
  ["at login, if the authentication has no time", timeless, began],
])(
  "a callback stores when the sign-in began by the provider's clock: %s",
  async (_, claims, issued) => {
    expect(await signedIn(claims)).toMatchObject({ started: began * 1000, issued });
  },
);

test("a callback counts a sign-in started at another instance from its ID token", async () => {
  const instance = ({ options, provider }: QuickApp) => createQuickApp(options, provider);
  expect(await signedIn(() => ({}), instance)).toHaveProperty("issued", began + 2);
});

test("a callback stores the time of authentication in whole seconds, and its method", async () => {
  const claims = { auth_time: began - 60.5, acr: "a".repeat(255) };
  expect(await signedIn(() => claims)).toMatchObject({ authTime: began - 61, acr: claims.acr });
});

test.each<[string, object]>([
  ["are missing", { sid: undefined }],
  ["are of another type", { sid: 1, auth_time: "1", acr: 1 }],
  ["are empty or negative", { sid: "", auth_time: -1, acr: "" }],
  ["are too long", { sid: undefined, acr: "a".repeat(256) }],
])("a callback stores no sid, auth_time or acr that %s", async (_, claims) => {
  const header = await signedIn(() => claims);
  const noted = Object.keys(header).filter((name) => ["sidTag", "authTime", "acr"].includes(name));
  expect(noted).toEqual([]);
});
