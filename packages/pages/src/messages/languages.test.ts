import compile from "icu-minify/compile";
import { describe, expect, test } from "vitest";

import { defaultLanguage, type MessageKey } from "./catalogue.ts";
import { catalogues } from "./catalogues.support.ts";
import { languages } from "./languages.ts";

const english = catalogueOf(defaultLanguage);
const keys = Object.keys(english).filter((key): key is MessageKey => key in english);

function catalogueOf(tag: string) {
  const found = catalogues.get(tag);
  if (found === undefined) throw new Error(`There is no ${tag}.`);
  return found;
}

/** Names of the arguments and tags of a message. */
function namesIn(message: string): string {
  const found = new Set<string>();
  const visit = (node: unknown): void => {
    if (!Array.isArray(node)) {
      if (typeof node === "object" && node !== null) Object.values(node).forEach(visit);
      return;
    }
    const [name, ...rest] = node;
    if (typeof name === "string" && /^\w+$/.test(name)) found.add(name);
    node.forEach((child) => Array.isArray(child) && visit(child));
    rest.forEach(visit);
  };
  const compiled = compile(message);
  if (Array.isArray(compiled)) compiled.forEach((node) => Array.isArray(node) && visit(node));
  return [...found].toSorted().join(" ");
}

/** The names of the plural categories in every plural of a message. */
function pluralsIn(message: string): readonly (readonly string[])[] {
  return message
    .split(/\{\w+, plural, /)
    .slice(1)
    .map((rest) => [...rest.matchAll(/(\w+) \{[^{}]*\}/g)].map(([, name = ""]) => name));
}

test("there are catalogues in ten languages", () => {
  const tags = ["ar", "de", "en", "es", "fr", "it", "ja", "nl", "pl", "pt-BR"];
  expect([...languages.keys()].toSorted()).toEqual(tags);
});

describe.each([...catalogues])("%s", (tag, catalogue) => {
  test(`the catalogue of ${tag} has every message and no other`, () => {
    expect(Object.keys(catalogue).toSorted()).toEqual(keys.toSorted());
  });

  test(`every message of ${tag} is valid ICU with the arguments and tags of the English one`, () => {
    const differing = keys.filter((key) => namesIn(english[key]) !== namesIn(catalogue[key]));
    expect(differing).toEqual([]);
  });

  test(`the catalogue of ${tag} has no empty message, and names its direction`, () => {
    expect(keys.filter((key) => catalogue[key].trim() === "")).toEqual([]);
    expect(catalogue["language.direction"]).toBe(tag === "ar" ? "rtl" : "ltr");
  });

  test(`every plural of ${tag} has a text for each number from 1 to 200`, () => {
    const rules = new Intl.PluralRules(tag);
    const needed = new Set(Array.from({ length: 200 }, (_, count) => rules.select(count + 1)));
    const lacking = keys.filter((key) =>
      pluralsIn(catalogue[key]).some((names) => [...needed].some((name) => !names.includes(name))),
    );
    expect(lacking).toEqual([]);
  });

  test(`a page has one name in ${tag}, in the navigation and as its title`, () => {
    for (const page of ["account", "devices", "sample"] as const) {
      expect(catalogue[`${page}.title`]).toBe(catalogue[`nav.${page}`]);
    }
  });

  test(`the catalogue of ${tag} translates every message of several words`, () => {
    const same = keys.filter(
      (key) =>
        tag !== defaultLanguage &&
        catalogue[key] === english[key] &&
        english[key]
          .replaceAll(/\{\w+\}/g, "")
          .trim()
          .split(" ").length > 2,
    );
    expect(same).toEqual([]);
  });
});

test("no line begins with the dot between two facts", () => {
  const breaking = [...catalogues.values()].flatMap((catalogue) =>
    keys.filter((key) => key.startsWith("devices.") && catalogue[key].includes(" · ")),
  );
  expect(breaking).toEqual([]);
});

test("no line of French can begin or end with a mark of a word", () => {
  const breaking = keys.filter((key) => / [:;?!»]|« /.test(catalogueOf("fr")[key]));
  expect(breaking).toEqual([]);
});
