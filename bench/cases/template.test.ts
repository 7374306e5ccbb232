import { expect, test } from "vitest";

import { templateOf } from "./template.ts";

test("the template of a response leaves out the headers that Node writes by itself", () => {
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
