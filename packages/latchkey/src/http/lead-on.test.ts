import { expect, test } from "vitest";

import { leadOn } from "./lead-on.ts";

const location = "https://id.example/end?id_token_hint=a.b&state='\"<x";
const lead = (method: string, dest?: string) =>
  leadOn(
    { method, headers: new Headers(dest === undefined ? {} : { "sec-fetch-dest": dest }) },
    location,
    [["Set-Cookie", "a=b"]],
  );

test("a form in a tab gets a page that goes on at once, without an ID token in its link", () => {
  const { status, headers, body } = lead("POST", "document");
  expect([status, headers]).toEqual([
    200,
    [
      ["Content-Type", "text/html; charset=utf-8"],
      ["Refresh", `0;url=${location}`],
      ["Set-Cookie", "a=b"],
    ],
  ]);
  expect(body).toContain('href="https://id.example/end?state=&#39;&quot;&lt;x"');
});

test.each([
  ["POST", undefined, 303],
  ["POST", "empty", 303],
  ["POST", "iframe", 303],
  ["GET", "document", 302],
  ["HEAD", undefined, 302],
  ["PUT", "document", 303],
] as const)("%s with Sec-Fetch-Dest %s gets a redirect %i", (method, dest, status) => {
  expect(lead(method, dest)).toMatchObject({
    status,
    headers: [
      ["Location", location],
      ["Set-Cookie", "a=b"],
    ],
    body: null,
  });
});
