import { expect, test } from "vitest";

import { fromFetchRequest } from "./auth-request.ts";

test.each([
  ["http://localhost:3000", "/"],
  ["http://localhost:3000/a?x=/y#z", "/a?x=/y"],
  ["http://localhost:3000/a#z?x=1", "/a"],
  ["http://localhost:3000/%61%2fb/", "/%61%2fb/"],
  ["https://[::1]:3000//double//x", "//double//x"],
])("the target of a Web request for %s is %s", (address, target) => {
  expect(fromFetchRequest(new Request(address)).target).toBe(target);
});

test("the method, the address and the headers of a Web request are passed on", () => {
  const headers = { "x-own": "1" };
  const request = fromFetchRequest(new Request("http://localhost/a", { method: "PUT", headers }));
  expect([request.method, request.url]).toEqual(["PUT", "http://localhost/a"]);
  expect(request.headers.get("X-Own")).toBe("1");
});

test("a body that was read before is refused, and does not become an empty form", async () => {
  const request = new Request("http://localhost/", { method: "POST", body: "a=1" });
  await request.text();
  await expect(fromFetchRequest(request).body()).rejects.toMatchObject({
    reason: "body_malformed",
    detail: "it was read before",
  });
});
