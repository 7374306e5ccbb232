import express, { type Request } from "express";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";

import { cookieHeader, jarAfter, jarOf } from "../../../test/browser/cookie-jar.ts";
import { servedApp } from "../../../test/sessions/served-app.ts";
import { latchkey } from "../express.ts";

const page = { accept: "text/html", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
const refused = (req: Request) => void req.auth.require({ acr: "mfa" });

/** Posts a form to a handler of Express, and requests the page that offers it again. */
async function posted(length: number, handle: (req: Request) => unknown) {
  const { send, cookie } = await servedApp((auth) => {
    const app = express().set("env", "test").use(latchkey(auth));
    return app.post("/transfer", async (req, res) => void res.send(await handle(req)));
  });
  const headers = { ...page, "content-type": "application/x-www-form-urlencoded" };
  const { status, body, setCookies } = await send({
    method: "POST",
    target: "/transfer",
    headers: { ...headers, cookie },
    body: `to=Ada+Okafor&note=${"x".repeat(length)}`,
    chunked: true,
  });
  const next = cookieHeader(jarAfter(setCookies, jarOf(cookie)));
  const offer = await send({ target: "/_auth/form", headers: { ...page, cookie: next } });
  return { status, body, offer: offer.body };
}

test.each([
  ["as bytes", refused],
  ["as text", (req: Request) => refused(req.setEncoding("utf8"))],
])("a form dropped by Express %s is offered again", async (_, handle) => {
  const { status, offer } = await posted(1000, handle);
  expect([status, offer]).toEqual([200, expect.stringContaining("Ada Okafor")]);
  expect(offer).toContain("x".repeat(1000));
});

test("a form is refused whole if it is too large, and no part of it is offered", async () => {
  const { status, offer } = await posted(200_000, refused);
  expect([status, offer]).toEqual([403, expect.not.stringContaining("Ada Okafor")]);
});

test("a handler reads the form itself after it has caught a refusal", async () => {
  const { status, body } = await posted(5, async (req) => {
    expect(() => refused(req)).toThrow("authentication");
    return text(req);
  });
  expect([status, body]).toEqual([200, "to=Ada+Okafor&note=xxxxx"]);
});
