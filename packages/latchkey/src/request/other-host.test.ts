import { expect, test } from "vitest";

import { signedInExchanges } from "../../test/sessions/signed-in-exchanges.ts";
import { isAtOtherHost, warnOfOtherHost, warnOfPlainRequest } from "./other-host.ts";

async function opened(host: string | null, target = "/") {
  const { context, events, ask } = await signedInExchanges();
  const headers = new Headers(host === null ? {} : { host });
  return { context, events, request: ask({}, { target, headers }).request };
}

test.each([
  ["app.example", "/", false],
  ["APP.example", "/", false],
  [null, "/", false],
  ["127.0.0.1", "/", true],
  ["app.example:3000", "/", true],
  ["app.example", "http://elsewhere.example/", true],
])("a request with Host %s and the target %s is at another host: %s", async (host, target, is) => {
  const { context, events, request } = await opened(host, target);
  expect(isAtOtherHost(context.config, request)).toBe(is);
  warnOfOtherHost(context, request);
  expect(events).toHaveLength(is ? 1 : 0);
});

test("the log names all three remedies: the address, the setting, and a proxy that replaces the host", async () => {
  const { context, events, request } = await opened("127.0.0.1:3000");
  warnOfOtherHost(context, request);
  const remedy =
    "Open the app by its base URL, change LATCHKEY_BASE_URL, or let the proxy in front of the app pass the Host header on.";
  expect(events).toMatchObject([{ message: expect.stringContaining(remedy) as string }]);
});

test("both hosts are logged once, each with at most 100 characters", async () => {
  const { context, events, request } = await opened("x".repeat(101));
  warnOfOtherHost(context, request);
  warnOfOtherHost(context, request);
  const start = `The app was opened at ${"x".repeat(100)}, but LATCHKEY_BASE_URL is https://app.example:`;
  expect(events).toMatchObject([{ message: expect.stringContaining(start) as string }]);
});

test.each([
  ["over http", false, {}, 1],
  ["over https", true, {}, 0],
  ["of a host that does not know", undefined, {}, 0],
  ["behind a proxy with X-Forwarded-Proto", false, { "x-forwarded-proto": "https" }, 0],
  ["behind a proxy with Forwarded", false, { forwarded: "for=192.0.2.1;proto=https" }, 0],
  ["forwarded as http", false, { "x-forwarded-proto": "http" }, 1],
])(
  "a request %s, with an https base URL, is logged once or not at all",
  async (_, encrypted, headers, times) => {
    const { context, events, ask } = await signedInExchanges();
    const { request } = ask({}, { encrypted, headers: new Headers(headers) });
    warnOfPlainRequest(context, request);
    warnOfPlainRequest(context, request);
    expect(events).toHaveLength(times);
  },
);

test("a request over http is no surprise if the base URL is http, and else both remedies are logged", async () => {
  const sent = { encrypted: false };
  const plain = await signedInExchanges({ baseURL: "http://localhost:3000" });
  warnOfPlainRequest(plain.context, plain.ask({}, sent).request);
  expect(plain.events).toEqual([]);
  const { context, events, ask } = await signedInExchanges();
  warnOfPlainRequest(context, ask({}, sent).request);
  const [{ message = "" } = {}] = events as readonly { message?: string }[];
  expect(message).toContain("set LATCHKEY_BASE_URL to http://app.example.");
  expect(message).toContain("let the proxy in front of the app send that header");
});
