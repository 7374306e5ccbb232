import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { startProvider } from "@latchkey/provider";
import { expect, onTestFinished, test, vi } from "vitest";

import { protect } from "../adapters/node.ts";
import { createAuth, type Options } from "../index.ts";
import { memoryStore } from "../stores/memory.ts";
import { createTestKit, type TestKit } from "./test-kit.ts";

const ada = { sub: "person-ada", name: "Ada Okafor" };

interface World {
  readonly kit: TestKit;
  readonly events: readonly string[];
  get(path: string, cookie: string): Promise<Response>;
}

/** An app on a socket, and the kit of a second `auth` with the same settings, as in a test. */
async function world(changes: Partial<Options> = {}, kitStore = changes.store): Promise<World> {
  const provider = await startProvider();
  onTestFinished(() => provider.close());
  const events: string[] = [];
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, "localhost", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const options: Options = {
    secret: "a-secret-of-the-tests-that-is-long",
    baseURL: `http://localhost:${port}`,
    issuerBaseURL: provider.issuer,
    clientID: "latchkey",
    clientSecret: "local-trial-secret-that-everyone-may-know",
    log: ({ event }) => void events.push(event),
    ...changes,
  };
  const auth = createAuth(options);
  const handler = protect(auth, async (request, response) => {
    const { user, accessToken } = auth.of(request);
    const token = request.url === "/token" ? await accessToken().catch(codeOf) : "";
    response.end(`${user?.name} ${token}`.trim());
  });
  server.on("request", handler);
  return {
    kit: createTestKit(createAuth({ ...options, store: kitStore })),
    events,
    get: (path, cookie) =>
      fetch(options.baseURL + path, {
        headers: { cookie, accept: "text/html" },
        redirect: "manual",
      }),
  };
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}

test("the header of the kit signs a user in at a running app", async () => {
  const { kit, get } = await world();
  const { header } = await kit.signIn(ada);
  const response = await get("/", header);
  expect([response.status, await response.text()]).toEqual([200, "Ada Okafor"]);
});

test("an app with sessions in its store accepts a session of the kit", async () => {
  const { kit, get } = await world(
    { session: { stateful: true }, store: memoryStore() },
    memoryStore(),
  );
  const { header } = await kit.signIn(ada);
  expect((await get("/", header)).status).toBe(200);
});

test.each(["expired", "after-25-hours"] as const)(
  "a session of the kit with the state %s leads to login",
  async (state) => {
    const { kit, get } = await world();
    const { header } = await kit.signIn(ada, { state });
    const response = await get("/", header);
    expect(response.status).toBe(302);
    expect(response.headers.get("location")).toContain("/api/auth/login");
  },
);

test("a session of the kit that was ended elsewhere leads to login, and others stay", async () => {
  const store = memoryStore();
  const { kit, get } = await world({ store });
  const [other, ended] = [await kit.signIn(ada), await kit.signIn(ada, { state: "ended" })];
  expect((await get("/", ended.header)).status).toBe(302);
  expect((await get("/", other.header)).status).toBe(200);
});

test("eight workers that use the kit at the same time do not meet [FH-061]", async () => {
  const { kit, get } = await world({ store: memoryStore() });
  const states = [undefined, "ended", "expired", "after-25-hours"] as const;
  const workers = Array.from({ length: 8 }, async (_, index) => {
    const state = states[index % states.length];
    const user = { sub: `user-${index}`, name: `User ${index}` };
    const { header } = await kit.signIn(user, state && { state });
    const response = await get("/", header);
    return response.status === 200 ? response.text() : response.status;
  });
  const out = [302, 302, 302];
  expect(await Promise.all(workers)).toEqual(["User 0", ...out, "User 4", ...out]);
});

test("the kit ends no session of an app without a store", async () => {
  const { kit } = await world();
  await expect(kit.signIn(ada, { state: "ended" })).rejects.toThrow("Without a store");
});

test("the provider refuses the refresh token of a session of the kit", async () => {
  const { kit, get } = await world({ scope: "openid offline_access" });
  const { header } = await kit.signIn(ada, { state: "refresh-refused" });
  const response = await get("/token", header);
  expect(await response.text()).toContain("ERR_FAILED_REFRESH_GRANT");
});

test("access token, time and kind of authentication are part of the session", async () => {
  const { kit, get } = await world({
    accessRules: { "/": { acr: "mfa", maxAge: 60 } },
  });
  const data = { accessToken: "token-of-ada" };
  const { header } = await kit.signIn(ada, { data, acr: "mfa" });
  expect(await (await get("/token", header)).text()).toBe("Ada Okafor token-of-ada");
  const long = await kit.signIn(ada, { acr: "mfa", authTime: Date.now() / 1000 - 3600 });
  expect((await get("/token", long.header)).status).not.toBe(200);
});

test("the cookies have the form of Playwright", async () => {
  const { kit } = await world();
  const { cookies, storageState } = await kit.signIn(ada);
  expect(cookies).toEqual([
    {
      name: "appSession",
      value: expect.stringMatching(/^ey/),
      domain: "localhost",
      path: "/",
      expires: expect.any(Number),
      httpOnly: true,
      secure: false,
      sameSite: "Lax",
    },
  ]);
  expect(cookies[0]?.expires).toBeGreaterThan(Date.now() / 1000 + 3600);
  expect(storageState).toEqual({ cookies, origins: [] });
});

test.each([
  ["the setting production", { production: true }],
  ["a base URL that is not on this machine", { baseURL: "https://app.example.com" }],
])("the kit signs no user in with %s", async (_what, changes) => {
  const { kit } = await world(changes);
  await expect(kit.signIn(ada)).rejects.toThrow("only outside production");
});

test("the kit signs no user in if NODE_ENV is production", async () => {
  const { kit } = await world();
  vi.stubEnv("NODE_ENV", "production");
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(kit.signIn(ada)).rejects.toThrow("only outside production");
});

test("the kit logs nothing", async () => {
  const { kit, events } = await world();
  await kit.signIn(ada);
  expect(events).toEqual([]);
});
