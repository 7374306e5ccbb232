import type { Session } from "latchkey";
import { expect, test } from "vitest";

import { personName, shortName } from "./person-name.ts";

function nameFrom(claims: Partial<Session["user"]>): string {
  const times = {
    startedAt: 0,
    createdAt: 0,
    updatedAt: 0,
    rollingEndsAt: null,
    absoluteEndsAt: null,
    endsAt: 0,
  };
  return personName({ user: { sub: "person-ada", ...claims }, times });
}

test("a person is called by name, otherwise by email address, otherwise by id", () => {
  expect(nameFrom({ name: "Ada", email: "ada@example.com" })).toBe("Ada");
  expect(nameFrom({ name: " ", email: "ada@example.com" })).toBe("ada@example.com");
  expect(nameFrom({})).toBe("person-ada");
});

test("a name of 300 characters is shortened without cutting a character in two", () => {
  expect(shortName("Ada Okafor")).toBe("Ada Okafor");
  expect(shortName("👩".repeat(300))).toBe(`${"👩".repeat(79)}…`);
});
