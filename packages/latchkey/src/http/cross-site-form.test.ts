import { expect, test } from "vitest";

import { refuseCrossSiteForm } from "./cross-site-form.ts";

const own = "https://app.example";
const trusted = "https://shop.example";

async function refusalOf(method: string, headers: Record<string, string>) {
  const request = { method, url: own, headers: new Headers(headers) };
  const response = refuseCrossSiteForm(request, [own, trusted]);
  return response && [response.status, await response.text()];
}

const evil = { origin: "https://evil.example" };
const form = { "content-type": "application/x-www-form-urlencoded" };

test.each([
  ["POST", { ...form, ...evil }],
  ["PUT", { ...form, ...evil }],
  ["PATCH", { ...form, ...evil }],
  ["DELETE", { ...form, ...evil }],
  ["POST", form],
  ["POST", evil],
  ["POST", { ...evil, "content-type": "Multipart/Form-Data ; boundary=x" }],
  ["POST", { ...evil, "content-type": "text/plain" }],
  ["POST", { ...evil, "content-type": "application/x-sveltekit-formdata" }],
] as [string, Record<string, string>][])(
  "a %s with %j may be a form of another site, and is refused",
  async (method, headers) => {
    expect(await refusalOf(method, headers)).toEqual([
      403,
      `Cross-site ${method} form submissions are forbidden`,
    ]);
  },
);

test.each([
  ["GET", { ...form, ...evil }],
  ["HEAD", evil],
  ["POST", { ...form, origin: own }],
  ["POST", { ...form, origin: trusted }],
  ["POST", { ...evil, "content-type": "application/json" }],
] as [string, Record<string, string>][])("a %s with %j passes", async (method, headers) => {
  expect(await refusalOf(method, headers)).toBeNull();
});
