import { expect, test } from "vitest";

import { domainOfEmail } from "./email-domain.ts";

test.each([
  ["ada@acme.example", "acme.example"],
  ["Ada@ACME.Example", "acme.example"],
  ["ada@acme.example.", "acme.example"],
  ["ada@bücher.example", "xn--bcher-kva.example"],
  ["ada@BÜCHER.example", "xn--bcher-kva.example"],
  ["ada@xn--bcher-kva.example", "xn--bcher-kva.example"],
  ["ada@ａｃｍｅ.example", "acme.example"],
  ['"ada@other.example"@acme.example', "acme.example"],
  ["ada+x@sub.acme.example", "sub.acme.example"],
])("%s belongs to %s [MX-069]", (address, domain) => {
  expect(domainOfEmail(address)).toBe(domain);
});

test.each([
  "",
  "ada",
  "@acme.example",
  "ada@",
  "ada@localhost",
  "ada@acme.example/path",
  "ada@acme.example:443",
  "ada@bücher.example/path",
  "ada@eve:x@bücher.example#y",
  "ada@[::1]",
  "ada@acme..example",
  "ada lovelace@acme.example",
  "ada@acme.example\r\nBcc: eve@evil.example",
  `${"a".repeat(250)}@acme.example`,
])("%s is no address [MX-069]", (text) => {
  expect(domainOfEmail(text)).toBeNull();
});
