import { expect, test } from "vitest";

import { type Catalogue, onlyEnglish } from "../messages/catalogue.ts";
import { createVocabulary } from "../messages/vocabulary.ts";
import { pseudoLanguage, pseudoTag } from "./pseudo-language.ts";

const english = onlyEnglish.get("en") as Catalogue;
const pseudo = pseudoLanguage(english);
const names = { app: "A", provider: "Example ID", host: "h" };
const words = createVocabulary(
  names,
  new Map([
    ["en", english],
    [pseudoTag, pseudo],
  ]),
).wordsFor(pseudoTag);

test("the pseudo language has every message, longer than the English one", () => {
  expect(Object.keys(pseudo)).toEqual(Object.keys(english));
  expect(pseudo["action.signIn"]).toBe("Sîgñ îñ ~ ~");
});

test("the pseudo language leaves arguments, plurals and tags as they are", () => {
  expect(words.text("devices.othersDone", { count: 1 })).toContain("1 öthér dévîçé.");
  expect(words.text("devices.othersDone", { count: 2 })).toContain("2 öthér dévîçéš.");
  const to = (content: unknown[]) => `[${content.join("")}]`;
  expect(words.pieces("devices.lead", { to }).join("")).toContain("[Example ID]");
});
