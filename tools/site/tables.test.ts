import { expect, test } from "vitest";

import { improveTables } from "./tables.ts";

const body = "<tbody><tr><td>a</td><td>b</td></tr></tbody>";

test("a table whose head is empty has none", () => {
  const head = '<thead><tr><th></th><th align="left"></th></tr></thead>';
  expect(improveTables(`<table>${head}${body}</table>`)).toBe(
    `<table tabindex="0">${body}</table>`,
  );
});

test("an empty cell of a head is no header", () => {
  expect(improveTables("<thead><tr><th></th><th>b</th></tr></thead>")).toBe(
    "<thead><tr><td></td><th>b</th></tr></thead>",
  );
});
