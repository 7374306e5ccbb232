import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";

const require = createRequire(import.meta.resolve("@axe-core/playwright"));
const source = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

interface Results {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

interface Axe {
  run(context: object, options: object): Promise<Results>;
}

/**
 * Returns the accessibility faults of a page without its frames: AxeBuilder of Playwright loads
 * axe into each of them.
 *
 * @param rules Default: all.
 */
export async function findAxeFaults(page: Page, rules: readonly string[] = []): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(source);
  const { violations } = await page.evaluate((values) => {
    const { axe } = globalThis as unknown as { axe: Axe };
    const only = values.length > 0 ? { runOnly: { type: "rule", values } } : {};
    const context = { exclude: ["iframe"] };
    return axe.run(context, { ...only, iframes: false, resultTypes: ["violations"] });
  }, rules);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = "" }) => `${id} ${html} ${failureSummary}`),
  );
}
