import { expect, test } from "vitest";

import {
  empty,
  html,
  json,
  redirect,
  redirectAsJSON,
  type ResponseParts,
  text,
  toResponse,
} from "./response-parts.ts";

const own = [
  ["Set-Cookie", "a=1"],
  ["Set-Cookie", "b=2"],
] as const;

test.each<[string, () => ResponseParts, string | null, string]>([
  ["a page", () => html("<p>", 400, own), "text/html; charset=utf-8", "<p>"],
  ["JSON", () => json({ a: "ä" }, 400, own), "application/json; charset=utf-8", '{"a":"ä"}'],
  ["a text", () => text("x", 400, own), "text/plain; charset=utf-8", "x"],
  ["nothing", () => empty(400, own), null, ""],
])("a response with %s carries its status, type and every header", async (_, made, type, body) => {
  const response = toResponse(made());
  expect(response.status).toBe(400);
  expect(response.headers.get("content-type")).toBe(type);
  expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  expect(await response.text()).toBe(body);
});

test.each([
  ["one cookie", 1],
  ["two cookies", 2],
])("lines of one name in any letters become one, and %s stay apart", (_, count) => {
  const lines = [
    ["vary", "Accept"],
    ["Set-Cookie", "a=1"],
    ["set-cookie", "b=2"],
  ] as const;
  const headers = [...lines.slice(0, 1 + count), ["Vary", "Cookie"] as const];
  const response = toResponse(empty(200, headers));
  expect(response.headers.get("vary")).toBe("Accept, Cookie");
  expect(response.headers.getSetCookie()).toHaveLength(count);
});

test("a redirect names its destination and has an empty body", async () => {
  const response = toResponse(redirect("https://app.example/x?y=1", 303));
  expect([response.status, response.headers.get("location")]).toEqual([
    303,
    "https://app.example/x?y=1",
  ]);
  expect(await response.text()).toBe("");
});

test("a response has no unexpected header", () => {
  const names = [html("", 200), json("", 200), text("", 200), empty(204), redirect("/", 302)].map(
    ({ headers }) => headers.map(([name]) => name),
  );
  expect(names).toEqual([["Content-Type"], ["Content-Type"], ["Content-Type"], [], ["Location"]]);
});

test("a streaming body is sent in pieces, and is closed when its reader leaves", async () => {
  let hasLeft = false;
  const streaming = (isWhole: boolean) =>
    toResponse({
      status: 200,
      headers: [],
      body: (sink) => {
        sink.write("ä");
        if (isWhole) sink.end();
        return () => void (hasLeft = true);
      },
    });
  expect(await streaming(true).text()).toBe("ä");
  expect(hasLeft).toBe(false);
  await streaming(false).body?.cancel();
  expect(hasLeft).toBe(true);
});

test("a redirect becomes JSON with its other headers, and any other response stays as it is", async () => {
  const headers = { location: "/x", "set-cookie": "a=1" };
  const asJSON = (made: Response) =>
    redirectAsJSON(made, (location, status) => ({ location, status }));
  const led = asJSON(new Response(null, { status: 300, headers }));
  expect(Object.fromEntries(led.headers)).toEqual({
    "content-type": "application/json",
    "set-cookie": "a=1",
  });
  expect([led.status, await led.json()]).toEqual([200, { location: "/x", status: 300 }]);
  for (const other of [new Response("x", { headers }), new Response("x", { status: 404 })])
    expect(asJSON(other)).toBe(other);
});
