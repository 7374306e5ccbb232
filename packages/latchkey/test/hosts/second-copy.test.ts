import express from "express";
import Koa from "koa";
import type { Auth } from "latchkey";
import { latchkey } from "latchkey/express";
import { latchkey as koaMiddleware } from "latchkey/koa";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";

import { listenerOfKoa } from "../listeners.ts";
import { worldOfTest } from "./world/host-world.ts";

const page = { accept: "text/html" };

describe("a second copy of the package", () => {
  const src = join(import.meta.dirname, "../../src");

  /** As if two dependencies each bring their own copy. */
  async function secondCopy() {
    const dist = join(src, "../dist");
    mkdirSync(dist, { recursive: true });
    const folder = mkdtempSync(join(dist, "copy-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    cpSync(src, folder, { recursive: true, filter: (name) => !name.includes("react") });
    const errors = (await import(`${folder}/errors/access-errors.ts`)) as {
      Forbidden: new () => Error;
    };
    const adapter = (await import(`${folder}/adapters/express.ts`)) as {
      latchkey: typeof latchkey;
    };
    return { ...errors, ...adapter };
  }

  test("mounted beside the first one renews the session once [AD-016]", async () => {
    const second = await secondCopy();
    const world = await worldOfTest({
      app: (auth) =>
        express()
          .use(latchkey(auth), second.latchkey(auth))
          .use((req, res) => void res.send(`Private page of ${req.auth.user?.name}`)),
    });
    const headers = { cookie: await cookieOf(world.auth) };
    const response = await world.send({ target: "/private", headers });
    expect([response.body, response.setCookies.length]).toEqual(["Private page of Ada", 1]);
    expect((await world.send({ target: "/private", headers: page })).status).toBe(302);
  });

  test("throws refusals which the first one knows [AD-030]", async () => {
    const { Forbidden } = await secondCopy();
    const world = await worldOfTest({
      app: (auth) => listenerOfKoa(new Koa().use(koaMiddleware(auth)).use(() => fail(Forbidden))),
    });
    const headers = { ...page, cookie: await cookieOf(world.auth) };
    expect((await world.send({ target: "/private", headers })).status).toBe(403);
  });
});

function fail(Refusal: new () => Error): never {
  throw new Refusal();
}

/** Ada's cookie, sealed by the app's own keys: these tests are about what comes after sign-in. */
async function cookieOf(auth: Auth): Promise<string> {
  const { baseURL, issuerBaseURL, clientID, secrets } = auth.config;
  const { signedInCookies } = await import("latchkey/testing");
  return signedInCookies({
    options: { baseURL, issuerBaseURL, clientID, clientSecret: "x".repeat(20), secret: secrets },
    session: { user: { sub: "person-ada", name: "Ada" } },
  });
}
