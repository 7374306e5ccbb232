import { expect, test } from "vitest";

import { templateOf } from "./template.ts";

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
