import type { BehaviorName } from "@latchkey/provider/hostile";
import { parse } from "node-html-parser";
import { beforeAll, describe, expect, test } from "vitest";

import { SignInRefused } from "../../src/errors/sign-in-refused.ts";
import { inspector } from "../../src/inspector/index.ts";
import type { Browser } from "../browser/browser.ts";
import { signIn } from "./world/attempt.ts";
import { signInUnder } from "./world/behavior-cases.ts";
import { type HostileWorld, startHostileWorld } from "./world/hostile-world.ts";

const address = "/api/auth/inspector";
let world: HostileWorld;
beforeAll(async () => {
  world = await startHostileWorld();
});

/** The newest sign-in of the page. */
async function newest(browser: Browser) {
  const page = await browser.request(address);
  const entry = parse(page.text).querySelector("details");
  const rows = entry?.querySelectorAll("tr").map((row) => row.querySelectorAll("th, td")) ?? [];
  const checks = rows.map((cells) => cells.map((cell) => cell.text));
  return { page, checks, id: entry?.querySelector("div")?.id, text: entry?.text ?? "" };
}

function isFailed([, verdict]: readonly string[]): boolean {
  return verdict === "✗ failed";
}

describe("a failed sign-in", () => {
  test.each<[BehaviorName, check: string]>([
    ["CERT-022", "iss"],
    ["FAPI-005/wrong", "aud"],
    ["STD-007/azp-of-another", "azp"],
    ["CERT-025", "sub"],
    ["CERT-027", "nonce"],
    ["FAPI-010/expired", "exp"],
    ["REL-F16/nbf-61-ahead", "nbf"],
    ["STD-012/future", "iat"],
    ["STD-015/too-old", "auth_time"],
    ["CERT-036", "c_hash"],
    ["CERT-038", "at_hash"],
    ["FAPI-009", "alg"],
    ["STD-023", "kid"],
    ["CERT-031", "Signature"],
    ["STD-080/None", "ID token"],
    ["CERT-091/encrypted", "ID token"],
    ["REL-F04/keys/html-200", "Keys of the provider"],
    ["REL-F15/503/token", "Token response"],
    ["REL-F15/503/userinfo", "Userinfo"],
    ["CERT-042/bad-signature", "Userinfo token: Signature"],
    ["CERT-040", "Userinfo: sub"],
  ])("of the behavior %s shows %s as the one failed check [FH-050]", async (name, check) => {
    const { browser } = await signInUnder(world, { name, responseType: "code" }, { inspector });
    const { id, checks } = await newest(browser);
    const failed = checks.filter(isFailed);
    expect(failed.map(([of]) => of)).toEqual([check]);
    const [[, , expected, actual] = []] = failed;
    expect(expected).not.toBe(actual);
    expect(id).toBe(world.problems.at(-1)?.reference);
  });

  test("by the signature of a userinfo token shows that of the ID token as valid [FH-050]", async () => {
    const attempt = { name: "CERT-042/bad-signature", responseType: "code" } as const;
    const { browser } = await signInUnder(world, attempt, { inspector });
    const { checks } = await newest(browser);
    expect(checks).toContainEqual(["Signature", "✓ passed", "valid", "valid"]);
  });

  test("is linked from its problem page by its reference [FH-050]", async () => {
    const { callback } = await signInUnder(
      world,
      { name: "FAPI-005/wrong", responseType: "code" },
      { inspector },
    );
    const link = parse(callback?.answer.text ?? "").querySelector("details a");
    const reference = world.problems.at(-1)?.reference;
    expect(link?.getAttribute("href")).toBe(`${world.baseURL}${address}#${reference}`);
  });

  test("without the cookie of its start shows which check has failed [FH-050]", async () => {
    world.setUp({ options: { inspector } });
    const browser = world.browser();
    await browser.request(`/api/auth/callback?code=a-code-from-nowhere&state=a-state-from-nowhere`);
    const { checks, id } = await newest(browser);
    expect(checks).toContainEqual([
      "Cookie of the started sign-in",
      "✗ failed",
      "at least one that can be read",
      "0 readable",
    ]);
    expect(id).toBe(world.problems.at(-1)?.reference);
  });

  test("by a hook of the app shows that step [FH-050]", async () => {
    const afterCallback = () => {
      throw new SignInRefused("Not today.");
    };
    world.setUp({ options: { inspector, hooks: { afterCallback } } });
    const { browser } = await signIn(world);
    const { checks } = await newest(browser);
    const row = ["Hooks of the app", "✗ failed", "a session", "an error"];
    expect(checks.filter(isFailed)).toEqual([row]);
  });

  test("before its end names the checks to which it has not come [FH-050]", async () => {
    const attempt = { name: "CERT-027", responseType: "code" } as const;
    const { browser } = await signInUnder(world, attempt, { inspector });
    const { text } = await newest(browser);
    const [, missed = ""] = /not reached: (.*?)\d\. Refused/s.exec(text) ?? [];
    expect(missed).toMatch(/^auth_time, .*Organization, .*Userinfo: sub, .*Session$/);
    expect(missed).not.toMatch(/\bnonce\b/);
  });
});

describe("a completed sign-in", () => {
  test("shows its steps, its checks, the claims and the cookies, and no secret [FH-050]", async () => {
    world.setUp({ options: { inspector } });
    const { browser } = await signIn(world);
    const { text, checks, page } = await newest(browser);
    const steps = [
      "1. Login request",
      "2. Authorization request",
      "3. Authorization response",
      "4. Token request",
      "5. Userinfo request",
      "6. Checks",
      "7. Session",
    ];
    for (const step of steps) expect(text).toContain(step);
    expect(checks).toContainEqual(["aud", "✓ passed", "hostile-client", "hostile-client"]);
    expect(text).toMatch(/not needed: .*Organization/);
    expect(checks.flat()).not.toContain("✗ failed");
    expect(checks.find(([name]) => name === "appSession")).toEqual([
      "appSession",
      expect.stringMatching(/^\d+ bytes$/),
      expect.stringMatching(/^Path=\/; Expires=.* GMT; HttpOnly; SameSite=Lax$/),
    ]);
    expect(world.canaries.size).toBeGreaterThan(8);
    expect(world.canaries.foundIn(page.text)).toEqual([]);
  });

  test("shows markup in a claim as text [FH-050]", async () => {
    world.setUp({
      conduct: {
        idToken: { claims: (own) => ({ ...own, name: "<img src=x onerror=alert(1)>" }) },
      },
      options: { inspector },
    });
    const { browser } = await signIn(world);
    const { page } = await newest(browser);
    expect(page.text).toContain("&lt;img src=x onerror=alert(1)&gt;");
    expect(page.text).not.toContain("<img");
  });

  test("shows what becomes of its session [FH-050]", async () => {
    world.setUp({ options: { inspector } });
    const { browser } = await signIn(world);
    await browser.request("/api/auth/logout");
    expect((await newest(browser)).text).toMatch(/8\. Sign-out.*reason\s*logout/);
  });
});

test("the page loads nothing, is kept by no cache and shown in no frame [FH-050]", async () => {
  world.setUp({ options: { inspector } });
  const { headers } = await world.browser().request(address);
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("content-security-policy")).toMatch(
    /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; .*frame-ancestors 'none'$/,
  );
});

describe("the inspector is 404", () => {
  test.each<[string, init: RequestInit]>([
    ["another host, which points to this machine", { headers: { host: "evil.example" } }],
    ["another machine, behind a proxy", { headers: { "x-forwarded-for": "203.0.113.7" } }],
    ["a tunnel", { headers: { "x-forwarded-host": "app.tunnel.example" } }],
    ["a proxy that says so in one field", { headers: { forwarded: "for=203.0.113.7" } }],
    ["a form", { method: "POST" }],
  ])("for %s [FH-050]", async (_, init) => {
    const auth = world.setUp({ options: { inspector } });
    expect(await statusFor(auth, init)).toBe(404);
  });

  test.each([
    ["in production", { production: true }],
    ["at a base URL beyond this machine", { baseURL: "https://app.example", production: false }],
  ])("%s [FH-050]", async (_, options) => {
    expect(await statusFor(world.setUp({ options: { inspector, ...options } }))).toBe(404);
  });
});

async function statusFor(
  auth: HostileWorld["auth"],
  { headers = {}, method = "GET" }: RequestInit = {},
): Promise<number> {
  const request = new Request(world.baseURL + address, {
    method,
    headers: { host: new URL(world.baseURL).host, ...(headers as Record<string, string>) },
  });
  return (await auth.respond(request, () => new Response())).status;
}
