import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { sealText } from "../../src/crypto/jwe.ts";
import { deriveKeyRing } from "../../src/crypto/key-ring.ts";
import { openedText } from "../sessions/opened-text.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { patience, runs } from "../properties/runs.ts";
import { signIn } from "./world/attempt.ts";
import { notFound, startHostileWorld } from "./world/hostile-world.ts";
import { expectSignedIn, profileOf } from "./world/oracles.ts";
import { createQuickApp } from "../worlds/quick-app.ts";
import { logsStayQuiet } from "./world/quiet-logs.ts";
import { longTests } from "../long-tests.ts";
import { words } from "../words.ts";
import { rawBytes } from "../browser/raw-bytes.ts";

const world = await startHostileWorld();

test("every seal of the same text has its own initialization vector [ASVS-11.3.4, ATK-051]", async () => {
  const ring = deriveKeyRing(["a-secret-of-the-sealing-test-0123456789"], "session");
  const seals = longTests ? 100_000 : 10_000;
  const vectors = new Set<string>();
  let last = "";
  for (let count = 0; count < seals; count += 1) {
    last = sealText(ring, {}, "{}");
    vectors.add(last.split(".")[2] ?? "");
  }
  expect(vectors.size).toBe(seals);
  expect(openedText(ring, last)).toBe("{}");
});

test(
  "no route fails with 5xx, whatever cookies, queries and headers hold [ATK-049]",
  async () => {
    const app = createQuickApp({ backchannelLogout: true, store: memoryStore() });
    const names = words`
      appSession appSession.0 appSession.1 auth_verification auth_loop auth_logout __proto__ a
    `;
    const name = fc.constantFrom(...names);
    const separator = fc.constantFrom("; ", ";", "&", "=", ",", "");
    const cookie = fc
      .array(fc.tuple(name, fc.string({ unit: "binary-ascii" }), separator))
      .map((parts) => parts.map(([key, value, end]) => `${key}=${value}${end}`).join(""));
    const parameter = fc.constantFrom(...words`state code iss error returnTo prompt restart x`);
    const query = fc.array(fc.tuple(parameter, fc.string({ unit: "binary" })));
    const routes = words`login callback logout me unknown ../../_auth/session.json`;
    const route = fc.constantFrom(...routes);
    await fc.assert(
      fc.asyncProperty(cookie, query, route, async (header, parameters, path) => {
        const search = new URLSearchParams(
          parameters.map(([key, value]) => [key, value.toWellFormed()]),
        );
        // oxlint-disable-next-line no-control-regex -- what no HTTP server lets through
        const headers = { cookie: header.replaceAll(/[\u0000-\u001f\u007f]/g, "") };
        const answer = await app.ask(`/api/auth/${path}?${search.toString()}`, { headers });
        expect([answer.status, answer.status < 500]).toEqual([answer.status, true]);
      }),
      runs,
    );
  },
  patience,
);

test("members named like those of prototypes change no prototype and no identity [ATK-075]", async () => {
  const poison = JSON.parse(
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
  ) as object;
  world.setUp({
    conduct: {
      metadata: (own) => ({ ...own, ...poison }),
      tokenResponse: (own) => ({ ...own, ...poison }),
      userinfo: (own) => ({ ...own, ...poison }),
      idToken: {
        payload: (json) => json.replace(/\}$/u, ',"__proto__":{"sub":"eve","polluted":1}}'),
      },
    },
  });
  const attempt = await signIn(world);
  await expectSignedIn(world, attempt);
  expect((await profileOf(attempt.browser))["sub"]).toBe(world.provider.person["sub"]);
  const query = "__proto__[polluted]=1&constructor.prototype.polluted=1&__proto__=x";
  await world.browser().request(`/api/auth/login?${query}`);
  await world
    .browser()
    .request(`/api/auth/callback?${query}`, { headers: { cookie: "__proto__=x; constructor=y" } });
  expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  expect("polluted" in {}).toBe(false);
});

const [length, chunked] = ["Content-Length", "Transfer-Encoding"];
const post = "POST /api/auth/me HTTP/1.1\r\nHost: x\r\n";
const get = "GET /api/auth/me HTTP/1.1\r\nHost: x\r\n";

test.each([
  ["both length and chunks", `${post}${length}: 6\r\n${chunked}: chunked\r\n\r\n0\r\n\r\nX`],
  ["two lengths", `${post}${length}: 1\r\n${length}: 2\r\n\r\nXY`],
  ["a folded header", `${get}X-A: a\r\n b: c\r\n\r\n`],
  ["a bare line feed", "GET /api/auth/me HTTP/1.1\nHost: x\n\n"],
  ["a space before the colon", `${get}${chunked} : chunked\r\n\r\n`],
])(
  "the server refuses a request with %s, and reads nothing behind it as a second request [ATK-112]",
  async (_, bytes) => {
    world.setUp();
    const smuggled = `${bytes}GET /api/auth/logout HTTP/1.1\r\nHost: x\r\n\r\n`;
    const answer = await rawBytes(world.baseURL, smuggled);
    expect(answer.match(/^HTTP\/1\.1 \d+/gm) ?? []).toEqual(["HTTP/1.1 400"]);
  },
);

describe("the app calls no other host because of", () => {
  test.each([
    ["key addresses in a token", "STD-008/jku"],
    ["certificate addresses in a token", "STD-008/x5u"],
    ["distributed claims", "STD-022"],
  ] as const)("%s [ATK-113, ASVS-1.3.6]", async (_, conduct) => {
    world.setUp({ conduct });
    world.provider.resetLog();
    await signIn(world);
    expect(world.provider.stranger.requests).toEqual([]);
  });

  test("an issuer, a request_uri, a request or a jku in a query [ATK-113]", async () => {
    const calls: string[] = [];
    const auth = world.setUp({
      options: {
        fetch: async (input, init) => {
          calls.push(new URL(input).origin);
          return fetch(input, init);
        },
      },
    });
    const evil = encodeURIComponent(world.provider.stranger.url);
    for (const name of words`iss issuer request_uri request jku redirect_uri returnTo`) {
      for (const route of ["login", "callback", "logout", "me"]) {
        const address = `${world.baseURL}/api/auth/${route}?${name}=${evil}&state=x`;
        await auth.respond(new Request(address), notFound);
      }
    }
    expect(new Set(calls)).toEqual(new Set([world.provider.url]));
  });
});

logsStayQuiet(world);
