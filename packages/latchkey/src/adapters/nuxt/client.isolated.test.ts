import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { locationHeader, pageHeader } from "./client-headers.ts";
import { followSignIn } from "./client.ts";

const origin = "https://app.example";
const asked: Request[] = [];
let answer: Response;
let went: string[];

beforeEach(() => {
  asked.length = 0;
  went = [];
  answer = new Response("data");
  vi.stubGlobal("location", {
    origin,
    pathname: "/orders",
    search: "?a=1",
    assign: (address: string) => void went.push(address),
  });
  vi.stubGlobal("fetch", async (input: string | Request, init?: RequestInit) => {
    asked.push(new Request(input, init));
    return answer;
  });
  followSignIn();
});
afterEach(() => void vi.unstubAllGlobals());

test.each<[string, string | Request, RequestInit | undefined]>([
  ["by an address", `${origin}/data`, { headers: { "x-own": "1" } }],
  ["by a request", new Request(`${origin}/data`, { headers: { "x-own": "1" } }), undefined],
])("a request for data by %s names the page on screen", async (_, input, init) => {
  expect(await (await fetch(input, init)).text()).toBe("data");
  const [sent] = asked;
  expect([sent?.headers.get(pageHeader), sent?.headers.get("x-own")]).toEqual(["/orders?a=1", "1"]);
});

test("another origin gets no name of the page, and leads nowhere", async () => {
  answer = new Response("data", { headers: { [locationHeader]: "https://evil.example" } });
  expect(await (await fetch("https://other.example/data")).text()).toBe("data");
  expect([asked[0]?.headers.has(pageHeader), went]).toEqual([false, []]);
});

test("a request for data waits while the page goes to login", async () => {
  answer = new Response("null", { headers: { [locationHeader]: `${origin}/api/auth/login` } });
  const waited = await Promise.race([
    fetch(`${origin}/data`),
    new Promise((resolve) => setTimeout(() => resolve("still waiting"), 20)),
  ]);
  expect([waited, went]).toEqual(["still waiting", [`${origin}/api/auth/login`]]);
});
