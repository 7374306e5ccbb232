import { expect, test } from "vitest";

import { configOf, faultsBy, goodSettings } from "../../test/settings.ts";
import { configAt } from "./config.ts";
import { optionsFromEnvironment } from "./environment.ts";

const first = "https://app.example.com";

test("the first base URL is the primary site, and the others keep their spelling", () => {
  const { baseURL, origin, isPrimary, baseURLs } = configOf({
    baseURL: [`${first}/`, "https://*.app.example.com/", "https://BÜCHER.example./shop/"],
  });
  expect([baseURL, origin, isPrimary]).toEqual([first, first, true]);
  expect(baseURLs).toEqual([
    first,
    "https://*.app.example.com",
    "https://xn--bcher-kva.example/shop",
  ]);
});

test("a list of one base URL is that base URL [MX-014]", () => {
  expect(configOf({ baseURL: [goodSettings.baseURL] })).toEqual(configOf());
});

test.each([
  ["https://a.example https://b.example", ["https://a.example", "https://b.example"]],
  [
    " https://a.example\n https://*.b.example.com ",
    ["https://a.example", "https://*.b.example.com"],
  ],
  ["https://a.example", "https://a.example"],
])("the variable %j has the base URLs %j", (text, baseURL) => {
  const { options } = optionsFromEnvironment({ LATCHKEY_BASE_URL: text });
  expect(options.baseURL).toEqual(baseURL);
});

test.each([
  ["https://*.app.example.com"],
  ["https://*--shop.netlify.app"],
  ["https://*-acme.vercel.app"],
  ["https://*.app.example.com:8443"],
  ["https://*.app.example.com/shop"],
  ["https://other.example"],
  ["http://localhost:3000"],
  ["http://*.localhost:3000"],
])("another base URL may be %s [MX-018]", (other) => {
  expect(faultsBy({ baseURL: [first, other] })).toEqual([]);
});

test.each([
  ["https://*.vercel.app", "baseURL.1: has a star directly above vercel.app"],
  ["https://*.com", "baseURL.1: has a star directly above com"],
  ["https://*.co.uk", "baseURL.1: has a star directly above co.uk"],
  ["https://*.*.example.com", "baseURL.1: may have one star"],
  ["https://a.*.example.com", "baseURL.1: may have one star"],
  ["https://a*.example.com", "baseURL.1: may have one star"],
  ["https://*", "baseURL.1: may have one star"],
  ["https://*.0.0.1", "baseURL.1: must be"],
  ["https://app.example.com:*", "baseURL.1: must be"],
  ["https://b.example/*", "baseURL.1: must have no star in its path"],
  ["http://b.example", "baseURL.1: must be https"],
  ["http://*.example.com", "baseURL.1: must be https"],
  ["https://user@b.example", "baseURL.1: must have no query"],
  ["https://b.example?a", "baseURL.1: must have no query"],
  ["b.example", "baseURL.1: must be a valid uri"],
  ["", "baseURL.1: must be a valid uri"],
  [7, "baseURL.1: must be a valid uri"],
  ["https://APP.example.com./", "baseURL: must name each host once"],
])("another base URL must not be %j [MX-018]", (other, fault) => {
  expect(faultsBy({ baseURL: [first, other] })).toEqual([expect.stringContaining(fault)]);
});

test.each([
  [["https://*.example.com", first], "baseURL: must be the address of one host"],
  [["http://a.example", first], "baseURL: must be https beyond this machine"],
  [[], "baseURL: is required"],
])("the list %j has a fault in its first address [MX-018]", (baseURL, fault) => {
  expect(faultsBy({ baseURL })).toEqual([expect.stringContaining(fault)]);
});

test("every fault of a list is reported at once", () => {
  expect(
    faultsBy({ baseURL: [first, "https://*.com", "https://*.dev", "http://b.example"] }),
  ).toHaveLength(3);
});

test("a rule that all sites break is reported once", () => {
  const session = { cookie: { secure: false } };
  expect(faultsBy({ baseURL: [first, "https://other.example"], session })).toHaveLength(1);
});

test("cookies are as the scheme of each site wants them", () => {
  const config = configOf({ baseURL: [first, "http://localhost:3000"] });
  const local = configAt(config, "http://localhost:3000");
  const secureAt = ({ session, transactionCookie }: typeof config) => [
    session.cookie.secure,
    transactionCookie.attributes.secure,
    transactionCookie.binding !== null,
  ];
  expect([secureAt(config), secureAt(local)]).toEqual([
    [true, true, true],
    [false, false, false],
  ]);
  expect(local.isPrimary).toBe(false);
});

test("the domain of a cookie counts at the hosts below it, and others have cookies of their own [MX-046]", () => {
  const baseURL = [first, "https://*.example.com", "https://other.example"];
  const config = configOf({ baseURL, session: { cookie: { domain: "example.com" } } });
  const domainAt = (site: string) => configAt(config, site).session.cookie.domain;
  expect(config.session.cookie.domain).toBe("example.com");
  expect(domainAt("https://admin.example.com")).toBe("example.com");
  expect(domainAt("https://other.example")).toBeUndefined();
});

test("a domain that does not cover the primary site is a fault [MX-046]", () => {
  const session = { cookie: { domain: "other.example" } };
  const faults = faultsBy({ baseURL: [first, "https://other.example"], session });
  expect(faults).toEqual([
    expect.stringContaining("session.cookie.domain: must be app.example.com"),
  ]);
});

test("an app is in production if one of its sites is beyond this machine", () => {
  expect(configOf({ baseURL: ["http://localhost:3000", first] }).production).toBe(true);
  expect(
    configOf({ baseURL: ["http://localhost:3000", "http://*.localhost:3000"] }).production,
  ).toBe(false);
});
