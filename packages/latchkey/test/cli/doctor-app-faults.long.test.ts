import { expect, test } from "vitest";

import { behindNginx, found, nginx, type Planted } from "./doctor-cases.ts";
import {
  answering,
  changingCookies,
  changingHead,
  changingTarget,
  slashing,
} from "./doctor-fronts.ts";
import { runDoctor, secret, type World } from "./doctor-world.ts";

const planted: readonly Planted[] = [
  [
    "the app does not run",
    /^D28 .*does not answer/,
    { front: (request) => void request.socket.destroy() },
  ],
  [
    "the app runs with wrong settings",
    /^D28 .*its settings/,
    { running: () => ({ clientSecret: undefined }) },
  ],
  [
    "the whole app wants a password",
    /^D28 .*401/,
    { front: (_request, response) => void response.writeHead(401).end() },
  ],
  [
    "a firewall refuses the login",
    /^D30 .*403/,
    { front: answering((at) => at.includes("/login"), 403) },
  ],
  [
    "the app is opened with www in front",
    /^D29 /,
    { args: ({ baseURL }) => ["doctor", baseURL.replace("localhost", "www.localhost")] },
  ],
  [
    "the app runs with another base URL",
    /^D30 .*LATCHKEY_BASE_URL/,
    { running: () => ({ baseURL: "http://localhost:3999" }) },
  ],
  ["a single-page app answers every path", /^D28 .*web page/, { front: answering(() => true) }],
  ["the middleware is not mounted", /^D28 .*404/, { front: answering(() => true, 404) }],
  [
    "a development server forwards only the API",
    /^D28 .*\/_auth/,
    { front: answering((at) => !at.startsWith("/api")) },
  ],
  [
    "the app is opened at 127.0.0.1",
    /^D29 /,
    { args: ({ baseURL }) => ["doctor", baseURL.replace("localhost", "127.0.0.1")] },
  ],
  [
    "the app runs with another client",
    /^D30 .*client_id/,
    { running: () => ({ clientID: "old" }) },
  ],
  [
    "the app runs with the former provider",
    /^D30 .*LATCHKEY_ISSUER_BASE_URL/,
    {
      providerFront: changingTarget((at) => at),
      running: ({ issuer }) => ({ issuerBaseURL: issuer }),
    },
  ],
  ["a proxy removes Set-Cookie", /^D31 .*no cookie/, { front: changingCookies(() => null) }],
  [
    "a proxy sets a domain",
    /^D31 .*Domain/,
    { front: changingCookies((line) => `${line}; Domain=localhost`) },
  ],
  [
    "a proxy changes the path of cookies",
    /^D31 .*Path/,
    { front: changingCookies((line) => line.replace("Path=/", "Path=/app")) },
  ],
  [
    "a CDN removes the cookies of requests",
    /^D31 .*Cookie/,
    {
      front: (request, response, next) => {
        delete request.headers.cookie;
        next(request, response);
      },
    },
  ],
  ["the server takes hardly any cookie", /^D32 /, { maxHeaderSize: 3000 }],
  [
    "a proxy takes little of a response",
    /^D33 /,
    {
      front: changingHead((response) =>
        String(response.getHeader("set-cookie")).length < 3500 ? undefined : 502,
      ),
    },
  ],
  [
    "a proxy changes the path of the callback",
    /^D35 /,
    { front: changingTarget((at) => at.replace("/api/auth/callback", "/callback")) },
  ],
  [
    "a proxy does not pass the base path on to the right place",
    /^D(?:28|35) /,
    { basePath: "/shop", front: changingTarget((at) => `/shop${at}`) },
  ],
  [
    "a proxy drops the query",
    /^D35 .*query/,
    { front: changingTarget((at) => at.split("?", 1)[0] ?? "/") },
  ],
  [
    "a cache keeps the answers",
    /^D36 /,
    { front: changingHead((response) => void response.setHeader("Age", "60")) },
  ],
  ["a redirect loses the query", /^D37 /, { front: slashing((at) => `${at}/`) }],
  ["another instance has another secret", /^D39 /, { other: { secret: `other-${secret}` } }],
];

test.each(planted)("the first finding is the cause if %s", async (_name, expected, world) => {
  expect((await found(world))[0]).toMatch(expected);
});

test.skipIf(nginx === null)("an nginx with small buffers is found", async () => {
  const small = ["proxy_buffer_size 4k;", "proxy_buffers 8 4k;", "proxy_busy_buffers_size 8k;"];
  expect((await found({ proxy: (port) => behindNginx(port, small) }))[0]).toMatch(/^D33 /);
});

test("all requests together end after 14 seconds if an app hangs after its first answer", async () => {
  let requests = 0;
  const front: World["front"] = (request, response, next) => {
    requests += 1;
    if (requests === 1) next(request, response);
  };
  const start = performance.now();
  const { stdout } = await runDoctor({ front });
  // Each request alone would end after 5 seconds, and there are seven. The start takes some, too.
  expect(performance.now() - start).toBeLessThan(25_000);
  expect(stdout).toContain("The app takes too long to answer.");
});
