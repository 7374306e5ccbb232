import { expect, test } from "vitest";

import { insideSite } from "./theme.ts";

const bench =
  "<!doctype html><html><head><title>Theme bench</title></head><body><main>states</main></body></html>";

test("the theme bench has the bar of the site, its title, and leads back to its pages", () => {
  const html = insideSite(bench, "Latchkey 0.1");
  expect(html).toContain("<title>Theme bench | Latchkey 0.1</title>");
  expect(html).toMatch(/<body><header>.*href="\/latchkey\/".*<\/header><main>/s);
  for (const page of ["pages", "screens", "all-pages"])
    expect(html).toContain(`href="/latchkey/${page}/"`);
});
