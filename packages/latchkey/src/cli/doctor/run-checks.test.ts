import { expect, test } from "vitest";

import { failure, ok } from "./finding.ts";
import { runChecks } from "./run-checks.ts";

const broken = () => failure("It is broken.", "Mend it.");

test("a check is not judged if its cause has failed, also in a later run", () => {
  const failed = new Set<string>();
  const first = runChecks([{ id: "A1", title: "cause", judge: broken }], null, failed);
  const second = runChecks(
    [{ id: "A2", title: "effect", judge: broken, after: ["A1"] }],
    null,
    failed,
  );
  expect([...first, ...second].map(({ id, verdict }) => `${id} ${verdict}`)).toEqual([
    "A1 failure",
    "A2 not-asked",
  ]);
});

test("a check that throws is unknown, and the others are judged", () => {
  const throws = () => {
    throw new Error("a fault of ours");
  };
  const findings = runChecks(
    [
      { id: "A1", title: "throws", judge: throws },
      { id: "A2", title: "good", judge: () => ok, after: ["A1"] },
    ],
    null,
    new Set(),
  );
  expect(findings.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual(["A1 not-known", "A2 ok"]);
  expect(findings[0]?.what).toContain("a fault of ours");
});
