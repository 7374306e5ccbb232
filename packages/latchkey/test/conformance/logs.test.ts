import { type BehaviorName, behaviorNames, behaviorOf } from "@latchkey/provider/hostile";
import { describe, expect, test, vi } from "vitest";

import { reasons } from "../../src/errors/reasons.ts";
import { type LogEvent, Refusal } from "../../src/index.ts";
import { signIn } from "./world/attempt.ts";
import { signInUnder } from "./world/behavior-cases.ts";
import { createCanaries, everythingIn } from "./world/canaries.ts";
import { startHostileWorld } from "./world/hostile-world.ts";
import { logsStayQuiet } from "./world/quiet-logs.ts";

const world = await startHostileWorld();

describe("the search for secrets in logs", () => {
  const secret = "an-access-token-that-must-not-be-seen-anywhere";
  const planted: readonly (readonly [string, unknown])[] = [
    ["a message", { event: "warning", message: `token ${secret}` }],
    ["a detail that was cut short", { detail: `got ${secret.slice(0, 24)}` }],
    ["an error", { error: new Error(secret) }],
    [
      "the cause of a cause",
      { error: new Error("a", { cause: new Refusal("internal", { cause: new Error(secret) }) }) },
    ],
    ["a member of an error", { error: Object.assign(new Error("a"), { body: { token: secret } }) }],
    ["headers", { error: Object.assign(new Error("a"), { headers: new Headers({ x: secret }) }) }],
    ["a form", { body: new URLSearchParams({ token: secret }) }],
    ["a name", { [secret]: true }],
    ["an object that contains itself", circle(secret)],
  ];

  test.each(planted)("finds a secret in %s", (_, event) => {
    const canaries = createCanaries();
    canaries.add("access_token", secret);
    expect(canaries.foundIn(everythingIn(event))).toEqual(["access_token"]);
  });

  test("finds no secret in a text without secrets", () => {
    const canaries = createCanaries();
    canaries.add("access_token", secret);
    expect(canaries.foundIn(everythingIn({ event: "sign-in", sub: "person" }))).toEqual([]);
  });

  function circle(value: string): object {
    const one: Record<string, unknown> = { value };
    one["one"] = one;
    return one;
  }
});

/**
 * A sample is enough: the test files of these behaviors run all of them and check their logs too.
 */
const sample: readonly BehaviorName[] = behaviorNames.filter((name, index) => {
  const { expect: right } = behaviorOf(name);
  return right === "refuse" && index % 9 === 0 && !name.startsWith("REL-");
});

test.each(sample)(
  "the app logs a rejected sign-in once, with a known reason, a reference and a status: %s [ASVS-16.3.1]",
  async (name) => {
    const before = world.events.length;
    const problemCount = world.problems.length;
    const { callback } = await signInUnder(world, { name, responseType: "code" });
    const refusals = world.events.slice(before).filter((event) => event.event === "refusal");
    expect(refusals).toHaveLength(1);
    const [refusal] = refusals;
    expect(Object.keys(reasons)).toContain(refusal?.reason);
    expect(refusal).toMatchObject({
      route: expect.any(String) as string,
      status: callback?.answer.status,
    });
    expect(refusal?.reference).toMatch(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/);
    expect(world.problems.slice(problemCount).map(({ reference }) => reference)).toEqual([
      refusal?.reference,
    ]);
    expect(callback?.answer.text).toContain(refusal?.reference);
  },
);

test("the app logs event details without line breaks and within 700 characters, whatever the provider sends [ASVS-16.4.1]", async () => {
  const hostile = `a\r\nb\u2028c\u001b[31m${"x".repeat(2_000)}`;
  const faults = [
    {
      authorizationResponse: () =>
        [
          ["error", hostile],
          ["error_description", hostile],
        ] as const,
    },
    {
      authorizationResponse: (own: readonly (readonly [string, string])[]) => [
        ...own.filter(([name]) => name !== "iss"),
        ["iss", hostile] as const,
      ],
    },
    { idToken: { claims: (own: object) => ({ ...own, iss: hostile }) } },
    { idToken: { claims: (own: object) => ({ ...own, aud: [hostile] }) } },
    { idToken: { header: (own: object) => ({ ...own, alg: hostile }) } },
    { metadata: (own: object) => ({ ...own, issuer: hostile }) },
    { tokenResponse: () => ({ error: hostile, error_description: hostile }) },
    { tokenResponse: (own: object) => ({ ...own, token_type: hostile }) },
    { userinfo: () => ({ sub: hostile }) },
  ];
  for (const conduct of faults) {
    world.setUp({ conduct });
    const before = world.events.length;
    await signIn(world);
    const details = world.events
      .slice(before)
      .map((event) => ("detail" in event ? (event.detail ?? "") : ""));
    expect(details.length).toBeGreaterThan(0);
    for (const detail of details) {
      // oxlint-disable-next-line no-control-regex -- control characters are what must not be there
      expect(detail).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
      expect(detail.length).toBeLessThanOrEqual(700);
    }
  }
});

const shortSecret = "8 letters";

test("an app without a log writes warnings and errors to stderr, one line each, without secrets [ATK-023]", async () => {
  const lines: string[] = [];
  const error = vi.spyOn(console, "error").mockImplementation((line) => void lines.push(`${line}`));
  const others = [
    ...(["log", "info", "warn", "debug"] as const).map((name) => vi.spyOn(console, name)),
    vi.spyOn(process.stdout, "write"),
  ];
  try {
    for (const production of [false, true]) {
      world.setUp({ options: { log: undefined, production, secret: shortSecret } });
      const { browser } = await signIn(world);
      await browser.request("/api/auth/logout");
      for (const name of ["STD-011/text", "CERT-022", "STD-053/invalid_grant"] as const) {
        await signInUnder(world, { name, responseType: "code" }, { log: undefined, production });
      }
    }
    expect(others.flatMap((spy) => spy.mock.calls)).toEqual([]);
  } finally {
    for (const spy of [error, ...others]) spy.mockRestore();
  }
  expect(lines.length).toBeGreaterThan(4);
  for (const line of lines) {
    expect({ line, found: world.canaries.foundIn(line) }).toEqual({ line, found: [] });
    // oxlint-disable-next-line no-control-regex -- control characters are what must not be there
    expect(line).not.toMatch(/[\u0000-\u001f\u007f]/);
    expect(line).not.toContain(shortSecret);
  }
});

test("the app passes plain data to the log, apart from errors", () => {
  const isPlain = (event: LogEvent) =>
    Object.entries(event).every(([name, value]) => name === "error" || typeof value !== "object");
  expect(world.events.every(isPlain)).toBe(true);
});

logsStayQuiet(world);
