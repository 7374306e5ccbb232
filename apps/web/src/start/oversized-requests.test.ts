import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { rawBytes } from "../../../../packages/latchkey/test/browser/raw-bytes.ts";
import { type RunningApp, runApp } from "./running-app.support.ts";

let app: RunningApp;

beforeAll(async () => {
  app = await runApp();
});

afterAll(() => app.close());

const kilobyte = 1024;

/** What a client receives for the head of a request, sent over a socket of its own. */
function received(lines: readonly string[]): Promise<string> {
  return rawBytes(app.url, `${lines.join("\r\n")}\r\nConnection: close\r\n\r\n`);
}

function requestTo(address: string, ...headers: readonly string[]): readonly string[] {
  return [`GET ${address} HTTP/1.1`, "Host: localhost", "Accept: text/html", ...headers];
}

function addressOf(bytes: number): string {
  return `/?q=${"a".repeat(bytes - 4)}`;
}

function statusOf(response: string): number {
  return Number(response.split(" ", 2)[1]);
}

describe("a too long address from another site signs no user out", () => {
  test.each([10, 20, 31, 33, 63, 65, 100, 200, 250, 300, 500, 1000])(
    "it is %i kB long",
    async (length) => {
      const cookie = `Cookie: ${app.cookies}`;
      const response = await received(requestTo(addressOf(length * kilobyte), cookie));
      expect(response).not.toMatch(/^set-cookie:.*Max-Age=0/im);
      expect([200, 414, 431]).toContain(statusOf(response));
    },
  );

  test("a page explains it in the language of the browser if the head was parsed", async () => {
    const german = "Accept-Language: de";
    const response = await received(requestTo(addressOf(100 * kilobyte), german));
    expect(response).toMatch(/^HTTP\/1\.1 414 URI Too Long\r\n/);
    expect(response).toContain("<h1>Diese Adresse ist zu lang</h1>");
    expect(response).toMatch(/^content-security-policy: /im);
  });

  test("a page explains it if the head was not parsed", async () => {
    const response = await received(requestTo(addressOf(1000 * kilobyte)));
    expect(response).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
    expect(response).toContain("<h1>Your browser sent too much</h1>");
  });

  test("it is too long together with cookies beyond measure", async () => {
    const cookie = `Cookie: a=${"b".repeat(70 * kilobyte)}`;
    const response = await received(requestTo(addressOf(40 * kilobyte), cookie));
    expect(statusOf(response)).toBe(414);
    expect(response).not.toMatch(/^set-cookie:/im);
  });
});

describe("too large cookies are cleared, so that the browser is not locked out", () => {
  test.each([66, 100, 200])("they are %i kB large", async (size) => {
    const cookie = `Cookie: appSession.0=${"b".repeat(size * kilobyte)}`;
    const response = await received(requestTo("/", cookie));
    expect(statusOf(response)).toBe(431);
    expect(response).toContain("<h1>Your browser is holding old sign-in data</h1>");
    expect(response).toMatch(/^set-cookie: appSession=; Max-Age=0; Path=\/\r$/im);
    expect(response).toMatch(/^set-cookie: appSession\.39=; Max-Age=0; Path=\/\r$/im);
    expect(response).toMatch(/^set-cookie: auth_verification=; Max-Age=0; Path=\/\r$/im);
  });

  test("a session of many chunks is read", async () => {
    const cookie = `Cookie: ${app.cookies}; other=${"b".repeat(50 * kilobyte)}`;
    const response = await received(requestTo("/account", cookie));
    expect(statusOf(response)).toBe(200);
  });
});

test.each([40, 100, 300])("other headers of %i kB sign no user out", async (size) => {
  const cookie = `Cookie: ${app.cookies}`;
  const response = await received(
    requestTo("/", cookie, `X-Other: ${"b".repeat(size * kilobyte)}`),
  );
  expect(statusOf(response)).toBe(431);
  expect(response).toContain("<h1>Your browser sent too much</h1>");
  expect(response).not.toMatch(/^set-cookie:/im);
});
