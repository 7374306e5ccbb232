import { expect, test } from "vitest";

import { readResponse } from "./read-response.ts";

const answer = {
  status: 400,
  headers: { "content-type": "application/json" },
  body: new TextEncoder().encode('{"error":"Zoë"}'),
};

test("says what a real response would say", async () => {
  const [real, read] = [new Response(answer.body, answer), readResponse(answer)];
  expect(read.status).toBe(real.status);
  expect([...read.headers]).toEqual([...real.headers]);
  expect(Object.prototype.toString.call(read)).toBe(Object.prototype.toString.call(real));
  expect(await read.clone().json()).toEqual(await real.clone().json());
  expect(read.bodyUsed).toBe(real.bodyUsed);
  expect(await read.text()).toBe(await real.text());
  expect(read.bodyUsed).toBe(real.bodyUsed);
});

test("is read once", async () => {
  const read = readResponse(answer);
  expect(await read.bytes()).toEqual(answer.body);
  await expect(read.json()).rejects.toBeInstanceOf(TypeError);
});
