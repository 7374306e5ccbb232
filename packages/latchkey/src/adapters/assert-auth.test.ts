import { expect, test } from "vitest";

import { goodSettings } from "../../test/settings.ts";
import { createAuth } from "../host/auth.ts";
import { latchkey as express } from "./express.ts";
import { latchkey as fastify } from "./fastify.ts";
import { latchkey as h3 } from "./h3/index.ts";
import { latchkey as hono } from "./hono/index.ts";
import { latchkey as koa } from "./koa.ts";
import { protect } from "./node.ts";

const adapters = { express, fastify, h3, hono, koa, protect };

test.each(Object.entries(adapters))("%s refuses to be mounted without sign-in", (_, adapter) => {
  const call = adapter as (...given: readonly unknown[]) => unknown;
  const next = () => undefined;
  expect(() => call()).toThrow("latchkey(auth)");
  expect(() => call({ host: "localhost", url: "/" }, next)).toThrow("latchkey(auth)");
  expect(call(createAuth(goodSettings), next)).toBeTypeOf("function");
});

test("protect refuses to be called without a handler", () => {
  const call = protect as (...given: readonly unknown[]) => unknown;
  expect(() => call(createAuth(goodSettings))).toThrow("protect(auth, (request, response)");
});
