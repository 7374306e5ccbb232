import { expect, test } from "vitest";

import { accessURL } from "./access-url.ts";

const details = {
  page: "https://app.example/reports?year=2026",
  rule: "claim groups: admin",
  account: "ada@example.com",
  reference: "7F3K-92QD",
};

test("an address gets the page, the rule, the account and the reference", () => {
  const address = accessURL("https://help.example/access?team=1")?.(details) ?? "";
  expect(Object.fromEntries(new URL(address).searchParams)).toEqual({ team: "1", ...details });
});

test("a mail has them as lines", () => {
  const address = accessURL("mailto:help@example.com")?.(details) ?? "";
  expect(address).toMatch(/^mailto:help@example\.com\?body=/);
  expect(new URL(address).searchParams.get("body")?.split("\r\n")).toEqual([
    `page: ${details.page}`,
    "rule: claim groups: admin",
    "account: ada@example.com",
    "reference: 7F3K-92QD",
  ]);
});

test("a function makes the address, and none leads nowhere", () => {
  expect(accessURL(({ reference }) => `/access/${reference}`)?.(details)).toBe("/access/7F3K-92QD");
  expect(accessURL(undefined)).toBeUndefined();
});
