import { expect, test } from "vitest";

import type { Catalogue } from "../messages/catalogue.ts";
import { languages } from "../messages/languages.ts";
import { pseudoLanguage } from "./pseudo-language.ts";

const english = languages.get("en") as Catalogue;
const pseudo = pseudoLanguage(english);

test("the pseudo language has every message, longer than the English one", () => {
  expect(Object.keys(pseudo)).toEqual(Object.keys(english));
  expect(pseudo["action.signIn"]).toBe("Sîgñ îñ ~ ~");
});

test("the pseudo language leaves arguments, plurals and tags as they are", () => {
  expect(pseudo["devices.othersDone"]).toMatch(
    /\{count, plural, one \{# öthér dévîçé\} other \{# öthér dévîçéš\}\}/,
  );
  expect(pseudo["devices.lead"]).toContain("<to>{provider}</to>");
});
