import { expect, test } from "vitest";

import { shortestRun } from "../../test/own-time.ts";
import { createSiteMap } from "./site-map.ts";

const sites = createSiteMap([
  "https://app.example.com",
  "https://*.app.example.com/shop",
  "https://*--shop.netlify.app",
  "https://*-acme.netlify.app",
  "https://xn--bcher-kva.example",
  "https://b.example.com:8443",
  "http://localhost:3000",
  "http://[::1]:3000",
]);

test.each([
  ["app.example.com", "https://app.example.com"],
  ["APP.Example.COM", "https://app.example.com"],
  ["app.example.com.", "https://app.example.com"],
  ["app.example.com:443", "https://app.example.com"],
  ["app.example.com:", "https://app.example.com"],
  ["app.example.com:0443", "https://app.example.com"],
  ["app.example.com.:443", "https://app.example.com"],
  ["acme.app.example.com", "https://acme.app.example.com/shop"],
  ["ACME.app.example.com.:443", "https://acme.app.example.com/shop"],
  ["xn--bcher-kva.app.example.com", "https://xn--bcher-kva.app.example.com/shop"],
  ["bücher.app.example.com", "https://xn--bcher-kva.app.example.com/shop"],
  ["bücher.example", "https://xn--bcher-kva.example"],
  ["BÜCHER.example", "https://xn--bcher-kva.example"],
  ["deploy-preview-7--shop.netlify.app", "https://deploy-preview-7--shop.netlify.app"],
  ["shop-git-main-acme.netlify.app", "https://shop-git-main-acme.netlify.app"],
  ["b.example.com:8443", "https://b.example.com:8443"],
  ["localhost:3000", "http://localhost:3000"],
  ["[::1]:3000", "http://[::1]:3000"],
  ["[0:0:0:0:0:0:0:1]:3000", "http://[::1]:3000"],
])("the host %s is that of the site %s [MX-015]", (host, baseURL) => {
  expect(sites.baseURLAt(host)).toBe(baseURL);
});

test.each([
  "",
  " ",
  "other.example",
  "example.com",
  "app.example.com:80",
  "app.example.com:8443",
  "b.example.com",
  "app.example.com..",
  "a.b.app.example.com",
  ".app.example.com",
  "-a.app.example.com",
  "a-.app.example.com",
  "a_b.app.example.com",
  "*.app.example.com",
  `${"a".repeat(64)}.app.example.com`,
  "--shop.netlify.app",
  "shop.netlify.app",
  "netlify.app",
  "user@app.example.com",
  "user:secret@app.example.com",
  "app.example.com,other.example",
  "app.example.com, app.example.com",
  "app.example.com/path",
  "app.example.com\\",
  "app.example.com?a",
  "app.example.com#a",
  "app%2eexample.com",
  "app.example.com\t",
  "app.exa\u0000mple.com",
  "app.example.com:99999999",
  "app.example.com:70000",
  "app.example.com:4a3",
  "https://app.example.com",
  "[::1]",
  "::1:3000",
  "[::1",
  "__proto__",
  "constructor",
  "a".repeat(10_000),
])("no site has the host %j [MX-015]", (host) => {
  expect(sites.baseURLAt(host)).toBeNull();
});

test("a host is found as fast among ten thousand as among ten [MX-107]", async () => {
  const mapOf = (count: number) =>
    createSiteMap(Array.from({ length: count }, (_, nth) => `https://*.s${nth}.example.com`));
  const [few, many] = [mapOf(10), mapOf(10_000)];
  const look = (map: typeof few) => () => {
    for (let nth = 0; nth < 20_000; nth += 1) map.baseURLAt("a.s9.example.com");
  };
  await shortestRun(look(few));
  expect(await shortestRun(look(many))).toBeLessThan(4 * (await shortestRun(look(few))));
});
