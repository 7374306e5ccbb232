import type { HttpBindings } from "@hono/node-server";
import { createAuth } from "latchkey";
import { expect, test, vi } from "vitest";

import { createCheck } from "./create-check.ts";

test("operators read once what a proxy does wrong, and the first host without rules", async () => {
  const warn = vi.fn<(message: string) => void>();
  const identity = { preset: "latchkey", userClaim: "sub", nameClaim: "name" } as const;
  const check = createCheck({
    hosts: [],
    identity: { ...identity, groupsClaim: "groups", sendsAccessToken: false },
    audiences: [],
    auth: createAuth({
      issuerBaseURL: "http://localhost:9",
      baseURL: "http://localhost:3000",
      clientID: "app",
      secret: "s".repeat(32),
    }),
    headers: [],
    warn,
  });
  const ask = async (host: string) => {
    const forwarded = { Method: "GET", Host: host, Uri: "/" };
    const rawHeaders = Object.entries(forwarded).flatMap(([name, value]) =>
      value === "" ? [] : [`X-Forwarded-${name}`, value],
    );
    const incoming = { url: "/check/caddy", rawHeaders };
    return check(new Request("http://localhost/"), { incoming } as HttpBindings);
  };
  for (const host of ["", "", "a.example", "a.example"]) await ask(host);
  expect(warn.mock.calls.flat()).toEqual([
    "The proxy sent no X-Forwarded-Host: set it in its configuration.",
    "The check has no rules for the host a.example. Add it to LATCHKEY_CHECK_RULES.",
  ]);
  await Promise.all(Array.from({ length: 100 }, (_, number) => ask(`${number}.example`)));
  expect(warn).toHaveBeenCalledTimes(2);
});
