import { describe, expect, test } from "vitest";

import { createQuickApp, quickRequest } from "../../test/worlds/quick-app.ts";
import { createQuickProvider, metadataOf } from "../../test/worlds/quick-provider.ts";
import { problemIn, startWorld } from "../../test/worlds/world.ts";
import type { Options } from "../host/auth.ts";
import type { AdmittedRequest } from "../host/admitted-request.ts";
import type { LoginOptions } from "../host/request-auth.ts";
import { fromFetchRequest } from "../http/auth-request.ts";
import type { GivenParams } from "../request/login-params.ts";

const loginParams = ["screen_hint", "login_hint", "ui_locales", "max_age", "acr_values"];

/** Returns the parameters that a login sends to the provider. */
async function sent(query: string, options: Partial<Options> = { loginParams }) {
  const app = createQuickApp(options);
  const answer = await app.ask(`/api/auth/login${query}`);
  const location = answer.headers.get("location");
  return {
    status: answer.status,
    asked: location === null ? new URLSearchParams() : new URL(location).searchParams,
    warnings: app.events.filter(({ event }) => event === "warning").map(messageOf),
    reason: app.events.flatMap((each) => (each.event === "refusal" ? [each.reason] : [])).at(0),
    detail: app.events.flatMap((each) => (each.event === "refusal" ? [each.detail] : [])).at(0),
  };
}

function messageOf(event: object): string {
  return "message" in event ? String(event.message) : "";
}

const ofLogin = (messages: readonly string[]) =>
  messages.filter((message) => message.startsWith("Login ignored"));

describe("a parameter in the address of login", () => {
  test("goes to the provider over a real connection if the settings allow it", async () => {
    const world = await startWorld({ options: { loginParams } });
    const browser = world.browser();
    await browser.signIn("/api/auth/login?screen_hint=signup&login_hint=ada%40example.com");
    const seen = world.provider.requests.find(({ path }) => path === "/auth");
    const asked = [seen?.query.get("screen_hint"), seen?.query.get("login_hint")];
    expect(asked).toEqual(["signup", "ada@example.com"]);
    expect((await browser.request("/api/auth/me")).status).toBe(200);
  });

  test("goes to the provider in a posted login, too", async () => {
    const app = createQuickApp({ loginParams });
    const body = new URLSearchParams({ screen_hint: "signup" });
    const answer = await app.ask("/api/auth/login", { method: "POST", body });
    const { searchParams } = new URL(answer.headers.get("location") ?? "");
    expect([answer.status, searchParams.get("screen_hint")]).toEqual([303, "signup"]);
  });

  test("is ignored unless the settings allow it, and logged once with the setting", async () => {
    const app = createQuickApp();
    for (const _ of [1, 2]) {
      // oxlint-disable-next-line no-await-in-loop -- the second one logs nothing
      const answer = await app.ask("/api/auth/login?screen_hint=signup");
      expect(answer.headers.get("location")).not.toContain("screen_hint");
    }
    expect(ofLogin(app.events.map(messageOf))).toEqual([
      "Login ignored the parameter screen_hint. To send it to the provider, add it to LATCHKEY_LOGIN_PARAMS (loginParams in code).",
    ]);
  });

  test("is logged once, whatever names a client invents", async () => {
    const app = createQuickApp();
    for (const name of ["screen_hint", "a", "b", "scope", "SCOPE", "Scope"]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await app.ask(`/api/auth/login?${name}=x`);
    }
    expect(ofLogin(app.events.map(messageOf))).toEqual([
      expect.stringContaining("screen_hint"),
      expect.stringContaining("scope"),
    ]);
  });

  test("is not logged in production", async () => {
    const { warnings } = await sent("?screen_hint=signup", { production: true });
    expect(ofLogin(warnings)).toEqual([]);
  });

  test("is not logged if it is of the login route itself, or has a name that is none", async () => {
    const query = `?returnTo=/x&restart=1&prompt=select_account&a%0Ab=1&${"x".repeat(41)}=1`;
    expect(ofLogin((await sent(query)).warnings)).toEqual([]);
  });

  test("cannot be one of the protocol, which the log says", async () => {
    const { asked, warnings } = await sent(
      "?scope=admin&nonce=n&Redirect_URI=https://evil.example",
    );
    expect(asked.get("scope")).toBe("openid profile email");
    expect(asked.has("Redirect_URI")).toBe(false);
    expect(ofLogin(warnings)).toEqual([
      "Login ignored the parameter scope. No login can set it.",
      "Login ignored the parameter nonce. No login can set it.",
      "Login ignored the parameter Redirect_URI. No login can set it.",
    ]);
  });

  test("is left out if it is empty", async () => {
    expect((await sent("?screen_hint=&login_hint=")).asked.has("screen_hint")).toBe(false);
  });

  test.each([
    ["twice", "?screen_hint=a&screen_hint=b", "parameter_repeated", "screen_hint"],
    ["with a line break", "?screen_hint=a%0d%0ab", "parameter_invalid", "a control character"],
    ["with a NUL", "?screen_hint=%00", "parameter_invalid", "a control character"],
    ["of 2000 characters", `?ui_locales=${"x".repeat(2000)}`, "parameter_invalid", "2000"],
    ["max_age with a fraction", "?max_age=1.5", "parameter_invalid", "no number of seconds"],
    ["max_age below zero", "?max_age=-1", "parameter_invalid", "no number of seconds"],
  ])("is answered 400 %s", async (_, query, reason, detail) => {
    const refused = await sent(query);
    expect([refused.status, refused.reason]).toEqual([400, reason]);
    expect(refused.detail).toContain(detail);
  });

  test("keeps the destination of a login that is refused for it", async () => {
    const world = await startWorld({ options: { loginParams } });
    const answer = await world.browser().request("/api/auth/login?max_age=x&returnTo=/reports");
    const { searchParams } = new URL(problemIn(answer).signInURL);
    expect(searchParams.get("returnTo")).toBe(`${world.baseURL}/reports`);
  });
});

describe("prompt in the address of login", () => {
  test("has any value if the settings allow it", async () => {
    expect((await sent("?prompt=create", { loginParams: ["prompt"] })).asked.get("prompt")).toBe(
      "create",
    );
  });

  test("chooses an account without any setting, and is logged with another value", async () => {
    expect((await sent("?prompt=select_account", {})).asked.get("prompt")).toBe("select_account");
    const { asked, warnings } = await sent("?prompt=create", {});
    expect(asked.has("prompt")).toBe(false);
    expect(ofLogin(warnings)).toHaveLength(1);
  });

  test("still chooses an account at a provider without a chooser if it is allowed", async () => {
    const app = createQuickApp({ loginParams: ["prompt"] });
    app.provider.answers.metadata = () =>
      Response.json({ ...metadataOf(app.provider.issuer), prompt_values_supported: ["login"] });
    const answer = await app.ask("/api/auth/login?prompt=select_account");
    expect(answer.headers.get("location")).toContain("prompt=login");
  });

  test.each([
    ["?prompt=none&max_age=0", {}],
    ["?prompt=none", { maxAge: 0 }],
  ])("cannot be none beside max_age 0: %s with %j", async (query, more) => {
    const options = { loginParams: ["prompt", "max_age"], ...more };
    expect((await sent(query, options)).reason).toBe("parameter_invalid");
  });
});

describe("login() in a handler", () => {
  async function locationOf(login: object, options: Partial<Options> = {}) {
    const app = createQuickApp({ publicPaths: ["/sign-up"], ...options });
    const started = await app.open("/sign-up", {}, (auth) => auth.login(login));
    const address = started.headers.get("location") ?? "";
    const answer = await app.ask(address);
    return { started, address, answer, app };
  }

  test("sets parameters that no setting allows, and hides them in the address", async () => {
    const { address, answer } = await locationOf({ params: { connection: "github" } });
    expect(address).not.toContain("github");
    expect(answer.headers.get("location")).toContain("connection=github");
  });

  test("returns to the home page unless it names another one", async () => {
    const { address } = await locationOf({});
    expect(new URL(address).search).toBe("");
    const { address: named } = await locationOf({ returnTo: "/reports" });
    expect(new URL(named).searchParams.get("returnTo")).toBe("/reports");
  });

  test("leaves out what is undefined, and takes numbers", async () => {
    const params = { login_hint: undefined, max_age: 300 };
    const asked = new URL((await locationOf({ params })).answer.headers.get("location") ?? "")
      .searchParams;
    expect([asked.get("max_age"), asked.has("login_hint")]).toEqual(["300", false]);
  });

  test("redirects also below /api, and a posted form by 303", async () => {
    const app = createQuickApp({ publicPaths: ["/api/sign-up"] });
    const get = await app.open("/api/sign-up", {}, (auth) => auth.login());
    expect(get.status).toBe(302);
    const body = new URLSearchParams({ a: "1" });
    const post = await app.open("/api/sign-up", { method: "POST", body }, (auth) => auth.login());
    expect(post.status).toBe(303);
  });

  test("chooses an account by a new sign-in at a provider without a chooser", async () => {
    const provider = createQuickProvider(Date.now);
    provider.answers.metadata = () =>
      Response.json({ ...metadataOf(provider.issuer), prompt_values_supported: ["login"] });
    const app = createQuickApp({ publicPaths: ["/sign-up"] }, provider);
    const params = { prompt: "select_account" };
    const started = await app.open("/sign-up", {}, (auth) => auth.login({ params }));
    const { headers } = await app.ask(started.headers.get("location") ?? "");
    expect(headers.get("location")).toContain("prompt=login");
  });

  test.each(["state", "scope", "Code_Challenge", "request_uri", "client_id", "response_type"])(
    "throws a TypeError for the parameter %s of the protocol",
    async (name) => {
      const app = createQuickApp({ publicPaths: ["/sign-up"] });
      const page = () =>
        app.open("/sign-up", {}, (auth) => auth.login({ params: { [name]: "x" } }));
      await expect(page()).rejects.toThrow(new TypeError(`login() cannot set ${name}.`));
    },
  );

  test("throws a TypeError for a name that is none", async () => {
    const app = createQuickApp({ publicPaths: ["/sign-up"] });
    const page = () => app.open("/sign-up", {}, (auth) => auth.login({ params: { "a b": "x" } }));
    await expect(page()).rejects.toThrow("login() has no such parameter.");
  });

  test.each([[["a", "b"]], [{ a: 1 }], ["a\nb"], ["x".repeat(2001)], [null], [true]])(
    "answers 400 to a value that came from a request: %j",
    async (value) => {
      const app = createQuickApp({ publicPaths: ["/sign-up"] });
      const params = { login_hint: value } as GivenParams;
      const answer = await app.open("/sign-up", {}, (auth) => auth.login({ params }));
      expect(answer.status).toBe(400);
    },
  );

  test("sealed parameters count for an hour, and forged ones not at all", async () => {
    let now = Date.now();
    const { address, app } = await locationOf(
      { params: { connection: "github" } },
      { clock: () => now },
    );
    const asked = async (at: string) => (await app.ask(at)).headers.get("location");
    expect(await asked(address)).toContain("connection");
    expect(await asked(address.replace("params=ey", "params=eY"))).not.toContain("connection");
    expect(await asked("/api/auth/login?params=connection%3Dgithub")).not.toContain("connection");
    now += 3_600_000;
    expect(await asked(address)).not.toContain("connection");
  });

  describe("in a host that cannot wait for our response", () => {
    async function leadOf(login: LoginOptions, headers: Record<string, string> = {}) {
      const { auth, baseURL } = createQuickApp({ publicPaths: ["/api/"] });
      const request = quickRequest(baseURL, "/api/sign-up", { headers });
      const { admitted } = (await auth.host.receive(request, (origin) =>
        fromFetchRequest(request, origin),
      )) as { admitted: AdmittedRequest };
      try {
        return admitted.auth.login(login);
      } catch (error) {
        return admitted.leadOf(error);
      }
    }

    test("leads to login with its parameters, and a script nowhere", async () => {
      const login = { returnTo: "/reports", params: { screen_hint: "signup" } };
      expect(await leadOf(login)).toMatch(/login\?returnTo=%2Freports&params=[\w.%-]+$/);
      expect(await leadOf(login, { "sec-fetch-mode": "cors" })).toBeNull();
    });

    test("leads to login without parameters if one of them cannot be used", async () => {
      const login = { params: { login_hint: "x".repeat(2001) } };
      expect(await leadOf(login)).toBe("http://localhost:3000/api/auth/login");
      expect(await leadOf(login, { "sec-fetch-mode": "cors" })).toBeNull();
    });
  });

  test("a page that a build renders has no login", async () => {
    const { anonymous } = await import("../host/anonymous.ts");
    expect(() => anonymous.login()).toThrow("not authenticated");
  });
});

describe("an organization requested by a login", () => {
  const options = { loginParams: ["organization"], renderProblem: undefined };

  async function signIn(organization: string, claims: object, more: Partial<Options> = {}) {
    const app = createQuickApp({ ...options, ...more });
    const begun = await app.begin(`?organization=${organization}`);
    app.provider.people.set(begun.code, { sub: "ada", ...claims });
    return { answer: await app.finish(begun), app };
  }

  test("must be that of the user", async () => {
    expect((await signIn("org_a", { org_id: "org_a" })).answer.status).toBe(302);
    const { answer, app } = await signIn("org_a", { org_id: "org_b" });
    expect(answer.status).toBe(400);
    expect(app.events.at(-1)).toMatchObject({ reason: "organization_mismatch" });
  });

  test("does not replace the one organization of an app", async () => {
    const { answer, app } = await signIn(
      "org_evil",
      { org_id: "org_own" },
      { organization: "org_own" },
    );
    expect(answer.status).toBe(302);
    const login = await app.ask("/api/auth/login?organization=org_evil");
    expect(login.headers.get("location")).toContain("organization=org_own");
  });
});

test("an address of login with every bad input is answered without an error of ours", async () => {
  const app = createQuickApp({ loginParams: [...loginParams, "prompt", "organization"] });
  const names = [
    "max_age",
    "acr_values",
    "prompt",
    "organization",
    "params",
    "stepUp",
    "__proto__",
  ];
  const values = ["", "%00", "%ff", "x".repeat(3000), "1e9", "99999999999", "%F0%9F%92%A9", "{}"];
  for (const name of names) {
    for (const value of values) {
      const request = quickRequest(app.baseURL, `/api/auth/login?${name}=${value}`);
      // oxlint-disable-next-line no-await-in-loop -- one request after the other
      const { status } = await app.auth.respond(request, () => new Response());
      expect([302, 400]).toContain(status);
    }
  }
});
