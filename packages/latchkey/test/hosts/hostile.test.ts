import { expect, test } from "vitest";

import { isOneSite } from "../second-site.ts";
import { inParallel } from "../in-parallel.ts";
import { rawBytes } from "../browser/raw-bytes.ts";
import { type HostWorld, worldOfTest } from "./world/host-world.ts";
import { onEveryHost } from "./world/hosts.ts";

const end = "Connection: close\r\n\r\n";
const long = "x".repeat(12_000);

/** Heads which no browser sends. `HOST` stands for the host of the base URL. */
const heads: readonly string[] = [
  `GET /private HTTP/1.0\r\n\r\n`,
  `GET /api/auth/login HTTP/1.0\r\n\r\n`,
  `GET /private HTTP/1.1\r\n${end}`,
  `GET /api/auth/login HTTP/1.1\r\nHost: HOST\r\nHost: evil.example\r\n${end}`,
  `GET /api/auth/login HTTP/1.1\r\nHost: evil.example\r\nHost: HOST\r\n${end}`,
  `GET /private HTTP/1.1\r\nHost: HOST\r\nX-Folded: a\r\n b\r\n${end}`,
  `GET /private HTTP/1.1\r\nHost: HOST\r\nCookie: appSession=a\r\n b\r\n${end}`,
  `GET /private HTTP/1.1\r\nHost: HOST\r\nCookie: appSession=\xff\xfe; \xe9=\xe9; =; ;;; a\r\n${end}`,
  `GET /private HTTP/1.1\r\nHost: HOST\r\nCookie: __proto__=a; constructor=b; toString=c; appSession=__proto__\r\n${end}`,
  `GET /private HTTP/1.1\r\nHost: HOST\r\nCookie: appSession=${long}\r\n${end}`,
  `GET /private HTTP/1.1\r\nHost: HOST\r\nAccept: \xe9\xff, ${"a/b;q=".repeat(50)}\r\nAccept-Language: ${"x-".repeat(400)}\r\n${end}`,
  `GET /private HTTP/1.1\r\nHost: HOST\r\nSec-Fetch-Mode: \xff\r\nSec-Fetch-Dest: ;;"\r\nOrigin: \xff\r\nReferer: \xff\r\n${end}`,
  `GET /api/auth/login HTTP/1.1\r\nHost: HOST\r\nUser-Agent: \xff${long.slice(0, 2000)}\r\nX-Forwarded-For: \xff, ,\r\n${end}`,
  `GET /api/auth/login?returnTo=${long} HTTP/1.1\r\nHost: HOST\r\n${end}`,
  `GET /api/auth/login?returnTo=%ff%fe%ud800&returnTo=a&prompt=%00&login_hint=%0d%0a&iss=%ff HTTP/1.1\r\nHost: HOST\r\n${end}`,
  `GET /api/auth/login?stepUp=${long.slice(0, 3000)}&__proto__=1 HTTP/1.1\r\nHost: HOST\r\n${end}`,
  `GET /api/auth/callback?code=${long.slice(0, 5000)}&state=%ff HTTP/1.1\r\nHost: HOST\r\n${end}`,
  `GET /api/auth/callback?error=%0d%0aSet-Cookie:a=b&error_description=%ff&state=a HTTP/1.1\r\nHost: HOST\r\n${end}`,
  `GET /_auth/session-events HTTP/1.1\r\nHost: HOST\r\nLast-Event-ID: \xff\r\n${end}`,
  `GET /_auth/session.json HTTP/1.1\r\nHost: HOST\r\nIf-None-Match: *\r\nRange: bytes=0-1\r\n${end}`,
  `GET /_auth/signed-out?provider=%ff&state=${long.slice(0, 2000)} HTTP/1.1\r\nHost: HOST\r\n${end}`,
  `GET /_auth/form HTTP/1.1\r\nHost: HOST\r\nCookie: auth_form=a; auth_form.0=b; auth_loop=c; auth_verification=d\r\n${end}`,
  `GET /api/auth/frontchannel-logout?iss=%ff&sid=%00 HTTP/1.1\r\nHost: HOST\r\n${end}`,
  `GET /api/auth/nothing/%ff/.. HTTP/1.1\r\nHost: HOST\r\n${end}`,
  `OPTIONS * HTTP/1.1\r\nHost: HOST\r\n${end}`,
  `OPTIONS /api/auth/login HTTP/1.1\r\nHost: HOST\r\nAccess-Control-Request-Method: POST\r\n${end}`,
  `TRACE /api/auth/login HTTP/1.1\r\nHost: HOST\r\n${end}`,
  `CONNECT HOST HTTP/1.1\r\nHost: HOST\r\n${end}`,
  `CONNECT /private HTTP/1.1\r\nHost: HOST\r\n${end}`,
  `M-SEARCH /api/auth/login HTTP/1.1\r\nHost: HOST\r\n${end}`,
  `QUERY /api/auth/login HTTP/1.1\r\nHost: HOST\r\nContent-Length: 3\r\nContent-Type: text/x\r\nConnection: close\r\n\r\na=b`,
  `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`,
  `GET /private HTTP/1.1\r\nHost: HOST\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\nConnection: Upgrade, HTTP2-Settings\r\n\r\n`,
  `GET /_auth/session-events HTTP/1.1\r\nHost: HOST\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n`,
  `POST /api/auth/login HTTP/1.1\r\nHost: HOST\r\nExpect: 100-continue\r\nContent-Length: 5\r\nContent-Type: application/x-www-form-urlencoded\r\nConnection: close\r\n\r\na=b&c`,
  `POST /api/auth/backchannel-logout HTTP/1.1\r\nHost: HOST\r\nContent-Length: 30\r\nContent-Type: application/x-www-form-urlencoded; charset=\xff\r\nConnection: close\r\n\r\nlogout_token=%ff%fe.%00.__prot`,
  `POST /api/auth/backchannel-logout HTTP/1.1\r\nHost: HOST\r\nContent-Length: 2\r\nContent-Encoding: gzip\r\nContent-Type: application/x-www-form-urlencoded\r\nConnection: close\r\n\r\n\x1f\x8b`,
  `POST /api/auth/logout HTTP/1.1\r\nHost: HOST\r\nOrigin: null\r\nContent-Length: 0\r\n${end}`,
  `POST /api/auth/login HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\nContent-Type: application/x-www-form-urlencoded\r\nConnection: close\r\n\r\nffffffff\r\na=b\r\n`,
  `POST /private HTTP/1.1\r\nHost: HOST\r\nContent-Length: 3\r\nContent-Type: multipart/form-data; boundary=\r\nConnection: close\r\n\r\n--a`,
  `GET /private HTTP/1.1\r\nHost: HOST\r\nX-HTTP-Method-Override: DELETE\r\nX-Original-URL: /public/x\r\nX-Rewrite-URL: /public/x\r\nX-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: javascript\r\nForwarded: host="evil\r\n${end}`,
];

/** A tunnel without a listener, and an endless chunk: no byte comes back. */
const closedByNode = /^CONNECT |ffffffff/;

/** Heads of a signed-in user. `COOKIE` stands for the cookies. */
const signedIn: readonly string[] = [
  `GET /private HTTP/1.0\r\nCookie: COOKIE\r\n\r\n`,
  `GET http://HOST/private HTTP/1.1\r\nHost: HOST\r\nCookie: COOKIE\r\n${end}`,
  `GET /private?x.css HTTP/1.1\r\nHost: HOST\r\nCookie: COOKIE\r\nRange: bytes=0-3\r\n${end}`,
  `GET /private HTTP/1.1\r\nHost: HOST\r\nCookie: COOKIE\r\nIf-None-Match: *\r\n${end}`,
  `GET /private HTTP/1.1\r\nHost: HOST\r\nCOOKIE: COOKIE\r\nCookie: appSession=x\r\n${end}`,
  `GET /private HTTP/1.1\r\nHost: HOST\r\nCookie: appSession.0=x; COOKIE\r\nCache-Control: only-if-cached\r\n${end}`,
];

/** Some heads keep their connection open until the client gives up, so all hosts run at once. */
function checkEveryHost(check: (world: HostWorld, answerTo: Answer) => Promise<void>) {
  const options = { streams: 10, frontchannelLogout: true };
  return onEveryHost(async ({ app }) => {
    const world = await worldOfTest({ app, options });
    await check(world, (head) => {
      const patience = closedByNode.test(head) ? 1000 : undefined;
      return rawBytes(world.baseURL, head, patience);
    });
  });
}

type Answer = (head: string) => Promise<string>;

test("a head unlike any of a browser is answered below 500 on every host, and never with a page of a user", async () => {
  await checkEveryHost(async (world, answerTo) => {
    await inParallel(heads, async (head) => {
      const answer = await answerTo(head);
      const status = Number(/^HTTP\/1\.1 (?!1\d\d)(\d{3})/m.exec(answer)?.[1] ?? 0);
      const isGood = status === 0 ? closedByNode.test(head) : status < 500;
      expect([head, status, isGood]).toEqual([head, status, true]);
      expect(answer).not.toContain("Private page of");
      expect(answer).not.toMatch(/^location: https?:\/\/(?:evil|x)/im);
    });
    expect(world.complaints()).toEqual([]);
  });
});

test("no cache keeps the page of a signed-in user on any host, whatever the head says", async () => {
  await checkEveryHost(async (world, answerTo) => {
    const cookie = await (await world.signedIn()).cookies();
    // Of several sites, none is chosen by a request of HTTP/1.0.
    const sent = signedIn.filter((head) => isOneSite || head.includes("HOST"));
    await inParallel(sent, async (head) => {
      const answer = await answerTo(
        head.replaceAll(": COOKIE", `: ${cookie}`).replaceAll("; COOKIE", `; ${cookie}`),
      );
      expect(answer).toMatch(/^HTTP\/1\.1 (?:304 |200 [^]*Private page of Ada)/);
      expect(answer).toMatch(/^cache-control: private, no-store\r$/im);
    });
  });
});
