import { describe, expect, test } from "vitest";
import { primarySite, transactionKeys } from "../../../test/sealing.ts";

import { cookieHeader, jarAfter } from "../../../test/browser/cookie-jar.ts";
import { emptyPages, pagesPart } from "../../../test/pages-part.ts";
import { goodSettings } from "../../../test/settings.ts";
import { createAuth, type Options } from "../../host/auth.ts";
import type { AdmittedRequest } from "../../host/admitted-request.ts";
import { fromFetchRequest } from "../../http/auth-request.ts";
import type { LogEvent } from "../../telemetry/log-event.ts";
import { type StepUp, StepUpRequired } from "../../errors/access-errors.ts";
import { signedInCookies } from "../../testing/index.ts";
import { createLoginSeal } from "../../transaction/login-seal.ts";

const own = "https://app.example";
const now = 1_800_000_000;
const clock = () => now * 1000;

type Asked = Omit<RequestInit, "headers"> & { readonly headers?: Record<string, string> };

/** An app whose rules need more than the user has proved. */
function world(settings: Partial<Options> = {}) {
  const events: LogEvent[] = [];
  const options: Options = {
    ...goodSettings,
    accessRules: {
      "/transfer": { acr: ["mfa", "phr"], maxAge: 300 },
      "/gold": { acr: "gold" },
      "/api/pay": { acr: ["mfa", "phr"], maxAge: 300 },
      "/api/recent": { maxAge: 0 },
    },
    clock,
    log: (event) => void events.push(event),
    renderProblem: ({ kind, signInURL }) => JSON.stringify({ kind, signInURL }),
    renderKeptForm: (form) => JSON.stringify(form),
    ...settings,
  };
  const auth = createAuth(options);
  return {
    events,
    async ask(target: string, init: Asked = {}, others = ""): Promise<Response> {
      const cookie = await signedInCookies({ options, session: { user: { sub: "ada" } } });
      const headers = { cookie: `${cookie}; ${others}`, accept: "text/html", ...init.headers };
      const request = new Request(own + target, { ...init, headers });
      return auth.respond(request, () => new Response("the page"));
    },
  };
}

/** The destination of a response, and what the sign-in there must prove. */
function leadOf(response: Response) {
  const url = new URL(response.headers.get("location") ?? "");
  const keys = transactionKeys([goodSettings.secret]);
  const { searchParams } = url;
  return {
    login: url.origin + url.pathname,
    returnTo: searchParams.get("returnTo"),
    stepUp: createLoginSeal({ site: primarySite, keys, clock }).open(searchParams.get("stepUp"))
      .stepUp,
  };
}

const login = `${own}/api/auth/login`;
const stepUp = { acr: ["mfa", "phr"], maxAge: 300 };

test.each(["GET", "HEAD"])("a page requested by %s leads to login and back", async (method) => {
  const response = await world().ask("/transfer?to=ben", { method });
  expect(response.status).toBe(302);
  expect(leadOf(response)).toEqual({ login, returnTo: "/transfer?to=ben", stepUp });
});

describe("with a page that explains the sign-in", () => {
  const pages = pagesPart(() => ({ ...emptyPages, stepUp: "/why" }));
  const accessRules = { "/transfer": { acr: "mfa", maxAge: 300 }, "/recent": { maxAge: 300 } };
  const { ask } = world({ pages, accessRules });

  test("a page leads there, with everything for login", async () => {
    const response = await ask("/transfer?to=1");
    expect(leadOf(response)).toEqual({
      login: `${own}/_auth/why`,
      returnTo: "/transfer?to=1",
      stepUp: { acr: ["mfa"], maxAge: 300 },
    });
    expect(response.headers.get("location")).not.toContain("maxAge");
  });

  test("the page gets the time if only this counts", async () => {
    const { headers } = await ask("/recent");
    expect(headers.get("location")).toMatch(/&maxAge=300$/);
  });

  test("a page leads there in a host that cannot wait for our response", async () => {
    const options: Options = { ...goodSettings, pages, publicPaths: ["/"], clock };
    const cookie = await signedInCookies({ options, session: { user: { sub: "ada" } } });
    const request = new Request(`${own}/recent`, { headers: { cookie, accept: "text/html" } });
    const { host } = createAuth(options);
    const received = await host.receive(request, (origin) => fromFetchRequest(request, origin));
    const { admitted } = received as { readonly admitted: AdmittedRequest };
    const error = new StepUpRequired([], { maxAge: 300 });
    expect(admitted.leadOf(error)).toMatch(/_auth\/why\?returnTo=%2Frecent&stepUp=.*&maxAge=300$/);
  });

  test("a script gets the challenge as before", async () => {
    const { status } = await ask("/recent", { headers: { "sec-fetch-mode": "cors" } });
    expect(status).toBe(401);
  });
});

test("a signed-out user signs in once for a page that demands more", async () => {
  const auth = createAuth({ ...goodSettings, accessRules: { "/transfer": stepUp }, clock });
  const request = new Request(`${own}/transfer`, { headers: { accept: "text/html" } });
  const response = await auth.respond(request, () => expect.unreachable());
  const first = { ...stepUp, isFirst: true };
  expect(leadOf(response)).toEqual({ login, returnTo: "/transfer", stepUp: first });
});

test("a signed-out user signs in once for a handler that demands more", async () => {
  const auth = createAuth({ ...goodSettings, publicPaths: ["/transfer"], clock });
  const request = new Request(`${own}/transfer`, { headers: { accept: "text/html" } });
  const response = await auth.respond(request, (given) => {
    auth.of(given).require(stepUp);
    return new Response("the page");
  });
  const first = { ...stepUp, isFirst: true };
  expect(leadOf(response)).toEqual({ login, returnTo: "/transfer", stepUp: first });
});

test.each([
  ["/api/pay", stepUp, 'acr_values="mfa phr", max_age="300"'],
  ["/api/recent", { maxAge: 0 }, 'max_age="0"'],
])(
  "a request to %s gets the parameters of RFC 9470, section 3, for its session [AP-022]",
  async (target, asked, given) => {
    const response = await world().ask(target);
    const description = "A different authentication of the user is required.";
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe(
      `Cookie realm="https://app.example", error="insufficient_user_authentication", error_description="${description}", ${given}`,
    );
    const { acr, maxAge } = asked as StepUp;
    expect(await response.json()).toEqual({
      error: "insufficient_user_authentication",
      description,
      acr_values: acr?.join(" "),
      max_age: maxAge,
    });
  },
);

describe("a form posted", () => {
  const body = new URLSearchParams([
    ["to", "ben"],
    ["to", "clara"],
  ]);

  test("waits in the browser while its person signs in, and is offered again", async () => {
    const { ask } = world();
    const response = await ask("/transfer?from=1", { method: "POST", body });
    expect(response.status).toBe(303);
    expect(leadOf(response)).toMatchObject({ login, returnTo: "/_auth/form", stepUp });
    const cookies = cookieHeader(jarAfter(response.headers.getSetCookie()));
    const offer = await ask("/_auth/form", {}, cookies);
    expect(await offer.json()).toMatchObject({
      action: `${own}/transfer?from=1`,
      fields: [...body],
    });
  });

  test("is offered at our address, also if its path alone would be another one", async () => {
    const { ask } = world();
    const response = await ask("//transfer", { method: "POST", body });
    const cookies = cookieHeader(jarAfter(response.headers.getSetCookie()));
    const offer = await ask("/_auth/form", {}, cookies);
    expect(await offer.json()).toMatchObject({ action: `${own}//transfer` });
  });

  test.each<[string, Asked]>([
    ["another site", { body, headers: { "sec-fetch-site": "cross-site" } }],
    ["nobody: it is empty", { body: new URLSearchParams() }],
    ["nobody: it is too large", { body: new URLSearchParams({ text: "x".repeat(9000) }) }],
    ["nobody: it is JSON", { body: "{}", headers: { "content-type": "application/json" } }],
    ["nobody: it is to be put", { method: "PUT", body }],
  ])("and comes from %s is not kept, and the page says so", async (_, init) => {
    const { ask, events } = world();
    const response = await ask("/transfer", { method: "POST", ...init });
    expect([response.status, await response.json()]).toEqual([
      403,
      {
        kind: "form-not-sent",
        signInURL: expect.stringMatching(/\?returnTo=%2Ftransfer&stepUp=[\w.-]+$/) as string,
      },
    ]);
    expect(response.headers.getSetCookie().join()).not.toContain("auth_form");
    expect(events.at(-1)).toMatchObject({ event: "refusal", reason: "form_not_sent" });
  });
});
