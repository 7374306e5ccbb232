/** Device-bound sessions on every host, over sockets. */
import { createAuth, type Options } from "latchkey";
import { memoryStore } from "latchkey/memory";
import { expect, test } from "vitest";

import { isOneSite } from "../second-site.ts";
import { cookieHeader, type Jar, jarAfter } from "../browser/cookie-jar.ts";
import { createDevice } from "../browser/device.ts";
import { startServer } from "../servers/server.ts";
import { createQuickApp, type QuickApp, type QuickRequest } from "../worlds/quick-app.ts";
import { type Host, onEveryHost } from "./world/hosts.ts";
import { sendRequest } from "./world/wire.ts";

const document = {
  "sec-fetch-dest": "document",
  "sec-fetch-mode": "navigate",
  accept: "text/html",
};

/** An app on a host behind TLS, which ends at a proxy before it. */
async function appOn({ catchAll }: Host, options: Partial<Options> = {}) {
  let now = 1_800_000_000_000;
  const clock = () => (now += 1);
  const session = { deviceBound: "enforce" as const };
  const quick = createQuickApp({ baseURL: "https://app.example", clock, session, ...options });
  const server = await startServer();
  server.serve(catchAll([createAuth(quick.options)], () => "the page"));
  const ask = async (target: string, { method = "GET", jar = {}, headers }: QuickRequest = {}) => {
    const cookie = cookieHeader(jar);
    const all = { ...(cookie === "" ? {} : { cookie }), ...headers };
    const answer = await sendRequest(server.origin, { method, target, headers: all });
    const empty = [204, 304].includes(answer.status);
    return new Response(empty ? null : answer.body, {
      status: answer.status,
      headers: answer.headers.map(([name, value]): [string, string] => [name, value]),
    });
  };
  return { quick, ask, server, advance: (seconds: number) => void (now += seconds * 1000) };
}

async function signIn(quick: QuickApp, ask: QuickApp["ask"]) {
  const { jar, code, state } = await quick.begin();
  const query = new URLSearchParams({ code, state }).toString();
  const callback = await ask(`/api/auth/callback?${query}`, { jar, headers: document });
  return { callback, jar: jarAfter(callback.headers.getSetCookie(), jar) };
}

test.runIf(isOneSite)(
  "a session is bound to its device, and a copy is refused, on every host [DB-004, DB-005]",
  async () => {
    await onEveryHost(async (host) => {
      const { quick, ask, server, advance } = await appOn(host);
      const open = (jar: Jar) => ask("/page", { jar, headers: document });
      try {
        const device = await createDevice({ ask });
        const { callback, jar } = await signIn(quick, ask);
        const registered = await device.register(callback);
        const first = await open({ ...jar, ...registered.jar });
        const bound = jarAfter(first.headers.getSetCookie(), jar);
        advance(61);
        const renewed = await device.refresh(registered);
        const proof = jarAfter(renewed.headers.getSetCookie());
        const [copied, owned] = [await open(bound), await open({ ...bound, ...proof })];
        expect([host.name, registered.response.status, renewed.status]).toEqual([
          host.name,
          200,
          200,
        ]);
        expect([host.name, copied.status, owned.status]).toEqual([host.name, 302, 200]);
        expect(await owned.text()).toBe("the page");
      } finally {
        await server.close();
      }
    });
  },
);

test("the route of devices refuses what is nothing of ours on every host [DB-003, DB-005]", async () => {
  await onEveryHost(async (host) => {
    const { ask, server } = await appOn(host);
    const statusOf = async (target: string, headers: Readonly<Record<string, string>>) =>
      (await ask(target, { method: "POST", headers })).status;
    try {
      expect([
        host.name,
        await statusOf("/api/auth/device", {}),
        await statusOf("/api/auth/device?k=x", { "sec-secure-session-id": "x" }),
        await statusOf("/api/auth/device", { "secure-session-response": "a.b.c" }),
      ]).toEqual([host.name, 400, 400, 400]);
    } finally {
      await server.close();
    }
  });
});

test("a store that hangs ends no device session on any host: 503 within three seconds [DB-005, DB-006]", async () => {
  await onEveryHost(async (host) => {
    const memory = memoryStore();
    let hangs = false;
    const get: typeof memory.get = (keys) =>
      hangs ? new Promise(() => undefined) : memory.get(keys);
    const { quick, ask, server } = await appOn(host, { store: { ...memory, get } });
    try {
      const device = await createDevice({ ask });
      const registered = await device.register((await signIn(quick, ask)).callback);
      hangs = true;
      const began = performance.now();
      const { status } = await device.refresh(registered);
      const isInTime = performance.now() - began < 3000;
      expect([host.name, status, isInTime]).toEqual([host.name, 503, true]);
    } finally {
      await server.close();
    }
  });
});
