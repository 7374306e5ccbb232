import { expect, test } from "vitest";

import { cookieHeader, jarAfter, namesIn } from "../../../test/browser/cookie-jar.ts";
import { setCookiesOfAda } from "../../../test/sessions/set-cookies-of-ada.ts";
import { configOf } from "../../../test/settings.ts";
import { StepUpRequired } from "../../errors/access-errors.ts";
import { createContext } from "../../host/create-context.ts";
import type { HostRequest, PageClient } from "../../http/auth-request.ts";
import { homeTarget, parseTarget } from "../../http/request-target.ts";
import { json } from "../../http/response-parts.ts";
import { createExchange } from "../exchange.ts";
import { wantsPage, requireSignIn } from "./require-sign-in.ts";
import { requireStepUp } from "./require-step-up.ts";

const config = configOf();
const context = createContext(config, { store: null, log: () => undefined });

function requestOf(
  pageClient: PageClient | undefined,
  more: Partial<HostRequest> = {},
): HostRequest {
  return {
    method: "GET",
    target: "/data",
    url: "https://app.example/data",
    headers: new Headers({ "sec-fetch-mode": "cors" }),
    body: async () => null,
    pageClient,
    ...more,
  };
}

const login = "https://app.example/api/auth/login";
const targetOf = (text: string) => parseTarget(text) ?? homeTarget;
const locationIn = (headers: readonly (readonly [string, string])[]) =>
  headers.find(([name]) => name === "Location")?.[1];
const lead = (location: string) => json({ location }, 202);

test.each<[string, PageClient | undefined, Record<string, string>, boolean]>([
  ["/data", undefined, {}, false],
  ["/data", {}, {}, true],
  ["/data", {}, { "sec-purpose": "prefetch" }, false],
  ["/data", { lead }, { "sec-purpose": "prefetch" }, true],
  ["/api/data", {}, {}, false],
  ["/api/data", { lead }, {}, false],
  ["/api/data", { page: "/page" }, {}, true],
])("%s for a client of %j with %j is a page: %s", (target, client, headers, is) => {
  const asked = new Headers({ "sec-fetch-mode": "cors", ...headers });
  expect(wantsPage(config, requestOf(client, { headers: asked }), targetOf(target))).toBe(is);
});

test("a client is led to login and back to the page it shows", () => {
  const client = { page: "/page?x=1" };
  const { status, headers } = requireSignIn(config, requestOf(client), targetOf("/data"));
  expect([status, locationIn(headers)]).toEqual([302, `${login}?returnTo=%2Fpage%3Fx%3D1`]);
});

test("a client without a readable page is led home", () => {
  const parts = requireSignIn(config, requestOf({ page: "no page" }), targetOf("/data"));
  expect(locationIn(parts.headers)).toBe(`${login}?returnTo=%2F`);
});

test("a client without redirects gets the address", () => {
  const { status, body } = requireSignIn(config, requestOf({ lead }), targetOf("/data"));
  expect([status, body]).toEqual([202, `{"location":"${login}?returnTo=%2Fdata"}`]);
});

test("a client whose form cannot wait is led back to the page with the form", async () => {
  const setCookies = await setCookiesOfAda(context);
  const headersSent = new Headers({ cookie: cookieHeader(jarAfter(setCookies)) });
  const request = requestOf({ page: "/form" }, { method: "POST", headers: headersSent });
  const exchange = createExchange(context, request);
  await exchange.use();
  const required = new StepUpRequired([{ part: "acr", required: ["mfa"] }], { acr: ["mfa"] });
  const target = targetOf("/data");
  const { status, headers } = await requireStepUp(context, { exchange, target }, required);
  expect(status).toBe(303);
  expect(locationIn(headers)).toMatch(/\/login\?returnTo=%2Fform&stepUp=/);
  const lines = headers.filter(([name]) => name === "Set-Cookie").map(([, value]) => value);
  expect(namesIn(lines)).toEqual({ set: [], cleared: [] });
});
