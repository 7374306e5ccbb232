import { describe, expect, test } from "vitest";

import { exchangeErrorOf } from "./exchange-error.ts";
import type { ExchangeTarget } from "../oidc/token-exchange.ts";

describe("the message about a failed exchange", () => {
  test.each<[string, ExchangeTarget]>([
    ["mail", { audience: "mail", resource: "https://mail.example" }],
    ["https://mail.example", { resource: "https://mail.example", scopes: ["read"] }],
    ["read send", { scopes: ["read", "send"] }],
    ["another API", { scopes: [] }],
    ["another API", {}],
  ])("names the API as %j for %j", (name, target) => {
    expect(exchangeErrorOf(new Error("a secret"), target).message).toBe(
      `The token exchange for ${name} failed at the provider: internal`,
    );
  });
});
