import express, { type Express } from "express";
import { expect, test, vi } from "vitest";

import { servedApp } from "../../test/sessions/served-app.ts";
import type { Options } from "../host/auth.ts";
import { type Middleware, latchkey } from "./express.ts";

async function printedBy(
  mount: (app: Express, signIn: Middleware) => unknown,
  options: Partial<Options> = {},
): Promise<readonly unknown[]> {
  const print = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const { send } = await servedApp((auth) => {
    const app = express().set("env", "test");
    mount(app, latchkey(auth));
    return app;
  }, options);
  for (const target of ["/x", "/y"]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect((await send({ target, headers: { accept: "text/html" } })).status).toBe(302);
  }
  const printed = print.mock.calls.flat().filter((each) => String(each).includes("stands behind"));
  print.mockRestore();
  return printed;
}

const open = (app: Express) => app.get("/hello", (_req, res) => void res.end());

test("routes before sign-in are named once in development", async () => {
  expect(await printedBy((app, signIn) => open(app).use(signIn))).toEqual([
    expect.stringContaining("stands behind the routes /hello. It does not guard them"),
  ]);
});

test.each([
  ["that stand behind it", (app: Express, signIn: Middleware) => open(app.use(signIn)), {}],
  [
    "in production",
    (app: Express, signIn: Middleware) => open(app).use(signIn),
    { production: true },
  ],
  [
    "of a router of its own",
    (app: Express, signIn: Middleware) => app.use(express.Router().use(signIn)),
    {},
  ],
])("routes %s are not named", async (_, mount, options) => {
  expect(await printedBy(mount, options)).toEqual([]);
});
