import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { expect, test } from "vitest";

import { addressChecks, appChecks } from "./app/app-checks.ts";
import { providerChecks } from "./provider/provider-checks.ts";
import { settingChecks } from "./settings/setting-checks.ts";
import { storeChecks } from "./store/check-store.ts";

const docs = path.join(import.meta.dirname, "../../../../../docs/doctor.md");
const page = readFileSync(docs, "utf8");

test("the page of the doctor has a heading for each check, and no other", () => {
  const checks = [settingChecks, storeChecks, providerChecks, addressChecks, appChecks].flat();
  const headings = [...page.matchAll(/^### (D\d\d)$/gm)].map(([, id]) => id);
  // A check may look at the settings and at the running app.
  expect(headings.toSorted()).toEqual([...new Set(checks.map(({ id }) => id))].toSorted());
});

const messages = /(?:\b(?:failure|warning|judgeOthers)\(|const said =)\s*(?:`([^`]*)`|"([^"]*)")/g;
const placeholder = /\$\{(?:[^{}]|\{[^{}]*\})*\}/;

test("a search for the words of a finding leads to the page of the doctor", () => {
  const words = page.replaceAll(/\s+/g, " ").replaceAll(/[\\`]/g, "");
  const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" })
    .filter((name) => /(?:check|judge)[^/]*\.ts$/.test(name) && !name.endsWith(".test.ts"))
    .map((name) => readFileSync(path.join(import.meta.dirname, name), "utf8"));
  const pieces = [...sources.join("\n").matchAll(messages)].flatMap(([, template, text = ""]) =>
    (template ?? text).replaceAll("\\", "").split(placeholder),
  );
  const sentences = pieces.map((each) => each.trim()).filter((each) => each.split(" ").length > 2);
  expect(sentences.length).toBeGreaterThan(50);
  expect(sentences.filter((each) => !words.includes(each))).toEqual([]);
});
