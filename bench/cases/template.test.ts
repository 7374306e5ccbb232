import { expect, test } from "vitest";

import { sealingAll, templateOf } from "./template.ts";

test("the template of a response leaves out headers from Node itself", () => {
  const headers = {
    "content-type": "application/json",
    "set-cookie": ["a=1; Path=/", "b=2"],
    date: "now",
    connection: "keep-alive",
  };
  expect(templateOf({ status: 200, headers, body: "{}" })).toEqual({
    status: 200,
    headers: ["Content-Type", "application/json"],
    setCookies: ["a=1; Path=/", "b=2"],
    body: "{}",
  });
});

test("the floor sends the whole session if a server sends the small cookie", () => {
  const template = { status: 200, headers: [], setCookies: ["s.t=1; Path=/"], body: "{}" };
  expect(sealingAll(template, "s.0=a; s.1=b").setCookies).toEqual([
    "s.0=a; Path=/",
    "s.1=b; Path=/",
  ]);
});
