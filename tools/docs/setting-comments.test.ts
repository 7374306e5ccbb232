import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

import { settingDefinitions } from "../../packages/latchkey/src/config/setting-definitions.ts";
import { settingComments } from "./setting-comments.ts";

const settings = ["cookie-settings", "session-settings", "connection-options", "settings"].map(
  (name) =>
    readFileSync(new URL(`../../packages/latchkey/src/config/${name}.ts`, import.meta.url), "utf8"),
);
const comments = settingComments(settings.join("\n"));

test("every setting of the schema has a comment, and no comment describes anything else", () => {
  const options = settingDefinitions.map(({ option }) => option);
  expect([...comments.keys()].toSorted()).toEqual(options.toSorted());
});

test("every comment ends with a full stop", () => {
  expect([...comments].filter(([, { text }]) => !text.endsWith("."))).toEqual([]);
});

test.each(settingDefinitions)(
  "the comment of $option states the default of the schema",
  (setting) => {
    const { option, defaultValue } = setting;
    const isPlain = typeof defaultValue !== "object" || Array.isArray(defaultValue);
    const told = comments.get(option)?.defaultValue;
    expect(told === undefined ? undefined : JSON.parse(told)).toEqual(
      isPlain ? defaultValue : undefined,
    );
  },
);

test("an option without a comment is refused", () => {
  const source =
    "export interface Settings { /** Good. */ a: string; b: Inner }\ninterface Inner { c: 1 }";
  expect(() => settingComments(source)).toThrow("b.c has no comment");
});
