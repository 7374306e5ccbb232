import { expect, test } from "vitest";

import { readOriginPattern } from "./origin-pattern.ts";

function matches(pattern: string, origin: string): boolean {
  const read = readOriginPattern(pattern);
  if (typeof read !== "function") throw new TypeError(read.fault);
  return read(origin);
}

const long = "a".repeat(63);

test.each([
  ["https://app.example.com", "https://app.example.com"],
  ["https://app.example.com/", "https://app.example.com"],
  ["https://APP.example.com:443", "https://app.example.com"],
  ["https://app.example.com:8443", "https://app.example.com:8443"],
  ["https://*.app.example.com", "https://pr-7.app.example.com"],
  ["https://*.app.example.com", `https://${long}.app.example.com`],
  ["https://*.app.example.com:8443", "https://a.app.example.com:8443"],
  ["https://*--shop.netlify.app", "https://deploy-preview-12--shop.netlify.app"],
  ["https://*-acme.vercel.app", "https://shop-git-main-acme.vercel.app"],
  ["https://*-shop.github.io", "https://acme-shop.github.io"],
  ["https://*.shop.pages.dev", "https://3f2a.shop.pages.dev"],
  ["https://*.bücher.example", "https://a.xn--bcher-kva.example"],
  ["http://localhost:3000", "http://localhost:3000"],
  ["http://*.localhost:3000", "http://a.localhost:3000"],
  ["http://127.0.0.1:3000", "http://127.0.0.1:3000"],
])("MX-018: the pattern %s matches %s", (pattern, origin) => {
  expect(matches(pattern, origin)).toBe(true);
});

test.each([
  ["https://app.example.com", "https://b.example.com"],
  ["https://app.example.com", "http://app.example.com"],
  ["https://app.example.com", "https://app.example.com:8443"],
  ["https://*.app.example.com", "https://app.example.com"],
  ["https://*.app.example.com", "https://.app.example.com"],
  ["https://*.app.example.com", "https://a.b.app.example.com"],
  ["https://*.app.example.com", "https://a.app.example.com:8443"],
  ["https://*.app.example.com", "https://a.app.example.com.evil.example"],
  ["https://*.app.example.com", "https://a.app.example.com."],
  ["https://*.app.example.com", "https://a_b.app.example.com"],
  ["https://*.app.example.com", "https://-a.app.example.com"],
  ["https://*.app.example.com", `https://${long}a.app.example.com`],
  ["https://*.app.example.com", "https://aXappYexampleZcom"],
  ["https://*.app.example.com", "https://evil.example/.app.example.com"],
  ["https://*--shop.netlify.app", "https://shop.netlify.app"],
  ["https://*--shop.netlify.app", "https://--shop.netlify.app"],
  ["https://*--shop.netlify.app", "https://a.b--shop.netlify.app"],
  ["https://*--shop.netlify.app", `https://${long}--shop.netlify.app`],
  ["https://*--shop.netlify.app", "https://a--shop.netlify.app.evil.example"],
])("MX-018: the pattern %s does not match %s", (pattern, origin) => {
  expect(matches(pattern, origin)).toBe(false);
});

const form = "must be an origin such as";
const stars = "may have one star";
const suffix = "anyone can get a name";

test.each([
  ["app.example.com", form],
  ["https://app.example.com/path", form],
  ["https://app.example.com?a", form],
  ["https://app.example.com#a", form],
  ["https://user@app.example.com", form],
  ["https://user:secret@app.example.com", form],
  ["https://app.example.com:*", form],
  ["https://app.exa mple.com", form],
  [" https://app.example.com", form],
  ["https://evil.example\\@app.example.com", form],
  ["https://app.example.com.", form],
  ["https://*.vercel.app.", form],
  ["ftp://app.example.com", form],
  ["https://%2a.app.example.com", form],
  ["", form],
  ["https://*.*.example.com", stars],
  ["https://**.example.com", stars],
  ["https://a*.app.example.com", stars],
  ["https://a.*.example.com", stars],
  ["https://*", stars],
  ["https://*:443", stars],
  ["http://app.example.com", "must be https"],
  ["http://*.example.com", "must be https"],
  ["https://*.0.0.1", form],
  ["https://*.com", suffix],
  ["https://*.co.uk", suffix],
  ["https://*shop.co.uk", suffix],
  ["https://*-shop.co.uk", suffix],
  ["https://*-shop.com", suffix],
  ["https://*.vercel.app", suffix],
  ["https://*shop.vercel.app", suffix],
  ["https://*-.vercel.app", suffix],
  ["https://*.netlify.app", suffix],
  ["https://*.NETLIFY.app", suffix],
  ["https://*.pages.dev", suffix],
  ["https://*.workers.dev", suffix],
  ["https://*.github.io", suffix],
  ["https://*shop.github.io", suffix],
  ["https://*.onrender.com", suffix],
  ["https://*.fly.dev", suffix],
  ["https://*.web.app", suffix],
  ["https://*.herokuapp.com", suffix],
  ["https://*.azurewebsites.net", suffix],
  ["https://*.westeurope-01.azurewebsites.net", suffix],
  ["https://*.europe-west1.run.app", suffix],
  ["https://*.a.run.app", suffix],
])("MX-018: refuses the pattern %s", (pattern, fault) => {
  expect(readOriginPattern(pattern)).toEqual({ fault: expect.stringContaining(fault) });
});
