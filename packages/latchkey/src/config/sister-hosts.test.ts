import { expect, test } from "vitest";

import { configOf } from "../../test/settings.ts";
import { sisterHosts } from "./sister-hosts.ts";
import { startUpWarnings } from "./warnings.ts";

test.each([
  [["https://app.example.com", "https://admin.example.com"]],
  [["https://example.com", "https://www.example.com"]],
  [["https://app.example.com", "https://other.example", "https://b.app.example.com"]],
  [["https://other.example", "https://*.app.example.com"]],
  [["https://a.example.co.uk", "https://b.example.co.uk"]],
])("the hosts of %j are of one site [MX-023]", (baseURLs) => {
  expect(sisterHosts(baseURLs)).not.toBeNull();
});

test.each([
  [["https://app.example.com"]],
  [["https://app.example.com", "https://app.example.org"]],
  [["https://a.vercel.app", "https://b.vercel.app"]],
  [["https://shop.netlify.app", "https://*--shop.netlify.app"]],
  [["https://a.co.uk", "https://b.co.uk"]],
  [["http://localhost:3000", "http://*.localhost:3000"]],
  [["https://10.0.0.1", "https://10.0.0.2", "https://[::1]"]],
])("the hosts of %j are of no common site [MX-023]", (baseURLs) => {
  expect(sisterHosts(baseURLs)).toBeNull();
});

test.each([
  ["by default", {}, true],
  ["with a name for one host", { name: "__Host-session" }, false],
  ["with a domain for all of them", { cookie: { domain: "example.com" } }, false],
])("the start advises a name for one host %s: %j, %s [MX-023]", (_, session, isAdvised) => {
  const baseURL = ["https://app.example.com", "https://admin.example.com"];
  const warnings = startUpWarnings(configOf({ baseURL, session }), null);
  const advice = warnings.filter((warning) => warning.includes("__Host-session"));
  expect(advice).toHaveLength(isAdvised ? 1 : 0);
});
