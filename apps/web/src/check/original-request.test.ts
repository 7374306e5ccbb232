import { expect, test } from "vitest";

import { readOriginal } from "./original-request.ts";
import { proxies, type ProxyContract } from "./proxies.ts";

function read(proxy: string, rawHeaders: readonly string[]) {
  const contract = proxies.get(proxy) as ProxyContract;
  return readOriginal(contract, "/", { method: "GET", rawHeaders: [...rawHeaders] });
}

const good = [
  ["x-forwarded-method", "GET"],
  ["X-FORWARDED-HOST", "Wiki.example"],
  ["X-Forwarded-Uri", "/a?b"],
  ["Host", "check"],
].flat();

test.each([
  ["caddy", "X-Forwarded-Method"],
  ["caddy", "X-Forwarded-Host"],
  ["caddy", "X-Forwarded-Uri"],
  ["envoy", "Host"],
])("a question of %s with %s twice is refused, with the remedy [GW-060]", (proxy, name) => {
  expect(read(proxy, [...good, name, "other"])).toEqual({
    fault: `The proxy sent ${name} 2 times: set it instead of adding to what the client sent.`,
  });
});

test("a header counts in any case of letters, and the value of another one does not", () => {
  expect(read("caddy", ["X-Note", "X-Forwarded-Method", ...good])).toEqual({
    method: "GET",
    host: "wiki.example",
    target: "/a?b",
  });
});
