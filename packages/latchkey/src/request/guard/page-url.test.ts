import { expect, test } from "vitest";

import { configOf } from "../../../test/settings.ts";
import { ConfigError } from "../../errors/config-error.ts";
import type { HostRequest } from "../../http/auth-request.ts";
import { homeTarget } from "../../http/request-target.ts";
import { safeReturnTo } from "../../http/return-to.ts";
import { returnToRules } from "../../config/addresses.ts";
import { requireSignIn } from "./require-sign-in.ts";

const returnToOrigins = ["https://wiki.example/"];
const config = configOf({ returnToOrigins });

function returnToOf(more: Partial<HostRequest>): string | null {
  const request: HostRequest = {
    method: "GET",
    target: "/page",
    url: "https://app.example/page",
    headers: new Headers(),
    body: async () => null,
    ...more,
  };
  const { headers } = requireSignIn(config, request, homeTarget);
  const [, location = ""] = headers.find(([name]) => name === "Location") ?? [];
  return new URL(location).searchParams.get("returnTo");
}

const pageURL = "https://wiki.example/page?x=1";

test("a sign-in leads back to a page of another server that a proxy asks about", () => {
  const returnTo = returnToOf({ pageURL });
  expect(returnTo).toBe(pageURL);
  expect(safeReturnTo(returnTo ?? "", returnToRules(config))).toBe(pageURL);
});

test.each([
  ["its page on that server", "https://wiki.example/form", "https://wiki.example/form"],
  ["the requested address if another site sent it", "https://evil.example/", pageURL],
  ["the requested address without a referrer", "", pageURL],
])("a form that was posted to another server leads back to %s", (_, referer, expected) => {
  expect(returnToOf({ pageURL, method: "POST", headers: new Headers({ referer }) })).toBe(expected);
});

test.each([
  "wiki.example",
  "https://wiki.example/path",
  "ftp://wiki.example",
  "https://a@b.example",
])("%s is no origin to return to", (origin) => {
  expect(() => configOf({ returnToOrigins: [origin] })).toThrow(ConfigError);
});
