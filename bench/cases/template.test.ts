import { expect, test } from "vitest";

import { templateOf } from "./template.ts";

test("a floor is told everything but what the connection adds by itself", () => {
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
