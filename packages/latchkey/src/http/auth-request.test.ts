import { expect, test } from "vitest";

import { fromFetchRequest, targetOf } from "./auth-request.ts";

test.each([
  ["http://localhost:3000", "/"],
  ["http://localhost:3000/a?x=/y#z", "/a?x=/y"],
  ["http://localhost:3000/a#z?x=1", "/a"],
  ["http://localhost:3000/%61%2fb/", "/%61%2fb/"],
  ["https://[::1]:3000//double//x", "//double//x"],
])("the target of a Web request for %s is %s", (address, target) => {
  expect(targetOf(new Request(address))).toBe(target);
});

test.each([
  "/private/public/x",
  "http:///private",
  "http://localhost\\private?/public/x",
  "http://localhost?/public/x",
  "http://localhost#/public/x",
  "http://user@localhost/public/x",
  "http://a b/public/x",
  "http://a,b/public/x",
  "http://%/public/x",
  "javascript://localhost/public/x",
])("an ambiguous address has no target: %s", (url) => {
  expect(targetOf({ url })).toBe("");
});

const origin = "https://app.example.com";

test("the method and the headers of a Web request are passed on, and its target below the base URL's origin", () => {
  const headers = { "x-own": "1" };
  const sent = new Request("http://evil.example/a?b", { method: "PUT", headers });
  const { method, url, target, headers: passed } = fromFetchRequest(sent, origin);
  expect([method, url, target]).toEqual(["PUT", `${origin}/a?b`, "/a?b"]);
  expect(passed.get("X-Own")).toBe("1");
});

test("an AuthRequest rejects a body which was read before, instead of taking it for an empty form", async () => {
  const request = new Request("http://localhost/", { method: "POST", body: "a=1" });
  await request.text();
  await expect(fromFetchRequest(request, origin).body()).rejects.toMatchObject({
    reason: "body_malformed",
    detail: "it was read before",
  });
});
