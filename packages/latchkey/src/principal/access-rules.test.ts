import { describe, expect, test } from "vitest";

import { createContext } from "../host/create-context.ts";
import type { AccessRule } from "../config/access-rule.ts";
import { Forbidden, StepUpRequired } from "../errors/access-errors.ts";
import type { Session, SessionHeader, StoredSession } from "../session/session.ts";
import { configOf } from "../../test/settings.ts";
import { accessErrorOf, explainRule, explainRules } from "./access-rules.ts";
import { type Principal, principalOfSession } from "./principal.ts";

const now = 1_800_000_000;
const clock = () => now * 1000;
const config = configOf({ clockTolerance: 5 });
const context = createContext(config, { store: null, log: () => undefined, clock });

interface Given {
  readonly user?: Readonly<Record<string, unknown>>;
  readonly accessTokenScope?: unknown;
  readonly header?: Partial<SessionHeader>;
}

function principalWith({ user, header, ...data }: Given): Principal {
  const stored: StoredSession = {
    header: {
      uat: now,
      iat: now,
      exp: now + 60,
      id: "s",
      subTag: "t",
      issuer: "https://op.example",
      client: "client",
      ...header,
    },
    // A cookie may hold anything: claims are unchecked.
    data: { user: { sub: "ada", ...user }, ...data } as StoredSession["data"],
    record: null,
  };
  return principalOfSession(stored, context);
}

const explain = (given: Given, rule: AccessRule<Session>) =>
  explainRule(context, principalWith(given), rule);

const holds = (given: Given, rule: AccessRule<Session>) => explain(given, rule).holds;

describe("scope", () => {
  test("holds if all scopes were granted, and only then [GW-051]", () => {
    const given = { accessTokenScope: "openid read write" };
    expect(holds(given, { scope: "read" })).toBe(true);
    expect(holds(given, { scope: ["read", "write"] })).toBe(true);
    expect(holds(given, { scope: ["read", "admin"] })).toBe(false);
  });
});

describe("claim", () => {
  test.each([
    ["is the value", "admin", "admin"],
    ["is one of the values", "editor", ["admin", "editor"]],
    ["is a list with one of the values", ["reader", "editor"], ["admin", "editor"]],
    ["is the number", 3, 3],
    ["is false, as wanted", false, false],
  ] as const)("holds where it %s [GW-051]", (_, role, wanted) => {
    expect(holds({ user: { role } }, { claim: { role: wanted } })).toBe(true);
  });

  test.each([
    ["is missing", undefined, "admin"],
    ["has another case of letters", "Admin", "admin"],
    ["only contains the value", "no-admin", "admin"],
    ["is an object that has it", { admin: true }, "admin"],
    ["is an object with the value as its text", { toString: () => "admin" }, "admin"],
    ["is a list of lists", [["admin"]], "admin"],
    ["is a number as text", "3", 3],
    ["is a text that is a number", 3, "3"],
    ["is the text true", "true", true],
    ["is null", null, "null"],
    ["is NaN", Number.NaN, Number.POSITIVE_INFINITY],
  ] as const)("does not hold where it %s [GW-051]", (_, role, wanted) => {
    expect(holds({ user: { role } }, { claim: { role: wanted } })).toBe(false);
  });

  test.each(["toString", "hasOwnProperty", "valueOf", "isPrototypeOf"])(
    "does not hold by %s, which every object inherits [GW-051]",
    (name) => {
      const rule = { claim: Object.fromEntries([[name, "x"]]) };
      expect(holds({}, rule)).toBe(false);
      const claims = Object.create({ role: "admin", sub: "ada" }) as Principal["claims"];
      const principal = { ...principalWith({}), claims };
      expect(explainRule(context, principal, { claim: { role: "admin" } }).holds).toBe(false);
    },
  );

  test("all claims a rule names must hold [GW-051]", () => {
    const rule = { claim: { role: "admin", level: 3 } };
    expect(holds({ user: { role: "admin", level: 3 } }, rule)).toBe(true);
    expect(holds({ user: { role: "admin", level: 2 } }, rule)).toBe(false);
  });
});

describe("organization", () => {
  test.each([
    [{ org_id: "org_1" }, "org_1", true],
    [{ org_name: "acme" }, "Acme", true],
    [{ org_name: "acme" }, ["org_1", "acme"], true],
    [{ org_name: "org_1" }, "org_1", false],
    [{ org_name: ["acme"] }, "acme", false],
    [{ org_id: "acme" }, "acme", false],
    [{}, "acme", false],
  ] as const)("%j and the rule %j: %s [GW-051]", (user, organization, expected) => {
    const rule = { organization: organization as string };
    expect(holds({ user }, rule)).toBe(expected);
  });
});

describe("maxAge", () => {
  test.each([
    ["so long ago, the tolerance included", now - 65, true],
    ["longer ago", now - 66, false],
    ["in the future", now + 6, false],
    ["at a time that nobody knows", undefined, false],
  ])("the person proved who they are %s: %s", (_, authTime, expected) => {
    const header = authTime === undefined ? {} : { authTime };
    expect(holds({ header }, { maxAge: 60 })).toBe(expected);
  });

  test("a claim auth_time of the user proves nothing", () => {
    expect(holds({ user: { auth_time: now } }, { maxAge: 60 })).toBe(false);
  });
});

describe("acr", () => {
  test("holds if it is one of those named", () => {
    expect(holds({ header: { acr: "mfa" } }, { acr: ["phr", "mfa"] })).toBe(true);
    expect(holds({ header: { acr: "pwd" } }, { acr: ["phr", "mfa"] })).toBe(false);
    expect(holds({ user: { acr: "mfa" } }, { acr: "mfa" })).toBe(false);
  });
});

describe("a function", () => {
  test.each([
    ["true", () => true, true],
    ["false", () => false, false],
    ["nothing", () => undefined as unknown as boolean, false],
    ["something that counts as true", () => 1 as unknown as boolean, false],
    ["a promise", () => Promise.resolve(true) as unknown as boolean, false],
    ["a promise that rejects", () => Promise.reject(new Error()) as unknown as boolean, false],
  ])("that returns %s [GW-051]", (_, rule, expected) => {
    expect(holds({}, rule)).toBe(expected);
  });
});

describe("the explanation of a rule", () => {
  const rule = { scope: "read", claim: { role: ["admin", "owner"] }, maxAge: 60 };

  test("is every part, and whether it holds [GW-048]", () => {
    expect(explain({ accessTokenScope: "read" }, rule)).toEqual({
      holds: false,
      parts: [
        { part: "scope", required: ["read"], holds: true },
        { part: "claim", name: "role", required: ["admin", "owner"], holds: false },
        { part: "maxAge", required: ["60"], holds: false },
      ],
    });
  });

  test("without a session nothing holds, and a function is not called [GW-048]", () => {
    const unasked = () => {
      throw new Error("asked");
    };
    expect(explainRule(context, null, {}).holds).toBe(false);
    expect(explainRule(context, null, unasked).holds).toBe(false);
    const unknown = explainRule(context, null, { scope: "read" });
    expect(unknown.parts).toEqual([{ part: "scope", required: ["read"], holds: false }]);
  });

  test("if nothing is known to be missing, no sign-in is requested", () => {
    const nobody = explainRule(context, null, {});
    expect(accessErrorOf(nobody)).toBeInstanceOf(Forbidden);
  });

  test.each([
    [["a", "b", "c"], ["c", "b", "d"], ["b"]],
    [["a"], ["b"], ["a"]],
  ])(
    "several rules, with %j and %j among them, request one sign-in for all of them",
    (one, other, acr) => {
      const rules = [
        { rule: { acr: one, maxAge: 60 } },
        { rule: { acr: other, maxAge: 30 } },
        { rule: { acr: [...one, ...other].filter((each) => each !== "c") } },
      ];
      expect(accessErrorOf(explainRules(context, principalWith({}), rules))).toMatchObject({
        stepUp: { maxAge: 30, acr },
      });
    },
  );

  test("a sign-in is requested only if it could add everything missing", () => {
    const none = accessErrorOf(explain({ user: { role: "admin" }, accessTokenScope: "read" }, {}));
    const stepUp = accessErrorOf(
      explain({ accessTokenScope: "read" }, { scope: "read", maxAge: 60 }),
    );
    const forbidden = accessErrorOf(explain({}, rule));
    expect(none).toBeNull();
    expect(stepUp).toBeInstanceOf(StepUpRequired);
    expect(stepUp).toMatchObject({ stepUp: { maxAge: 60 } });
    expect(forbidden).toBeInstanceOf(Forbidden);
    expect(forbidden?.unmet.map(({ part }) => part)).toEqual(["scope", "claim", "maxAge"]);
  });
});
