import { expect, test } from "vitest";

import type { StepUp } from "../../errors/access-errors.ts";
import { runChecks } from "../checks/check.ts";
import { requestedAcr, stepUpCheck } from "./step-up.ts";

const now = 1_800_000_000;
const time = { now, clockTolerance: 60 };
const stepUp = { maxAge: 300, acr: ["mfa", "phr"] };

/** Checks what a sign-in with requirements has proved. */
function check(
  proved: object,
  started: { readonly stepUp: StepUp | undefined; readonly returnTo: string },
) {
  const claims = { iss: "i", sub: "ada", iat: now, ...proved };
  runChecks({ title: "User", checks: [stepUpCheck] }, { claims, started, time });
}

test.each<[StepUp | undefined, object]>([
  [undefined, {}],
  [{}, {}],
  [{ maxAge: 300 }, { auth_time: now - 360 }],
  [{ maxAge: 300 }, { auth_time: now + 60 }],
  [{ maxAge: 0 }, { auth_time: now }],
  [{ acr: ["mfa", "phr"] }, { acr: "phr" }],
  [stepUp, { acr: "mfa", auth_time: now }],
  [{ ...stepUp, isFirst: true }, {}],
])("a sign-in with the requirement %j and the claims %j is accepted", (asked, proved) => {
  expect(() => check(proved, { stepUp: asked, returnTo: "/" })).not.toThrow();
});

test.each<[StepUp, object, object[]]>([
  [{ maxAge: 300 }, {}, [{ part: "maxAge", required: ["300"] }]],
  [{ maxAge: 300 }, { auth_time: now - 361 }, [{ part: "maxAge", required: ["300"] }]],
  [{ maxAge: 300 }, { auth_time: now + 61 }, [{ part: "maxAge", required: ["300"] }]],
  [{ maxAge: 300 }, { auth_time: "now" }, [{ part: "maxAge", required: ["300"] }]],
  [{ acr: ["mfa", "phr"] }, {}, [{ part: "acr", required: ["mfa", "phr"] }]],
  [{ acr: ["mfa"] }, { acr: ["mfa"] }, [{ part: "acr", required: ["mfa"] }]],
  [
    stepUp,
    { acr: "pwd" },
    [
      { part: "maxAge", required: ["300"] },
      { part: "acr", required: ["mfa", "phr"] },
    ],
  ],
])(
  "a sign-in with the requirement %j and the claims %j is refused (RFC 9470, section 5)",
  (asked, proved, unmet) => {
    const refused = expect.objectContaining({ reason: "step_up_unmet", unmet, returnTo: "/gold" });
    expect(() => check(proved, { stepUp: asked, returnTo: "/gold" })).toThrow(refused);
  },
);

test.each([
  [[], undefined, []],
  [[], ["mfa"], ["mfa"]],
  [["phr", "mfa"], undefined, ["phr", "mfa"]],
  [["phr", "mfa"], ["mfa", "pwd"], ["mfa"]],
  [["phr", "mfa"], ["pwd"], ["phr", "mfa"]],
])("a connection with acr %j and a page with acr %j request %j", (acr, wanted, requested) => {
  expect(requestedAcr({ acr }, wanted)).toEqual(requested);
});
