import { expect, test } from "vitest";
import { ownTime } from "../../../../test/own-time.ts";
import { initialsOf } from "./initials.ts";

test.each([
  ["Ada Okafor", "AO"],
  ["  ada   maria  okafor ", "AO"],
  ["Ada", "A"],
  ["Ål Élan", "ÅÉ"],
  ["a@b", "A"],
  ["ada.okafor@example.com", "AO"],
  ["ada+news@example.com", "AN"],
  ["ليلى حداد", "ل\u200Cح"],
  ["田中 恵美", "田恵"],
  ["👩‍🚀", "👩‍🚀"],
  ["🇳🇴 Nora", "N"],
  ["<b>Ada</b> <i>", "BI"],
  ["(Ada) 'Okafor'", "AO"],
  ["<>", "?"],
  ["@", "?"],
  ["", "?"],
])("the initials of %j are %j", (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

test("initials are short, however long the name is", () => {
  expect(initialsOf(`${"x".repeat(300)} ${"y".repeat(300)}`)).toBe("XY");
});

test("the initials of a name of 100,000 signs are found in a moment", () => {
  const before = ownTime();
  expect(initialsOf(`${"a@".repeat(50_000)} x`)).toBe("AX");
  expect(ownTime() - before).toBeLessThan(1000);
});
