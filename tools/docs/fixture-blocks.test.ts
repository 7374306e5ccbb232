import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.join(import.meta.dirname, "../..");
/** Apps that a tool compiles and runs. */
const apps = ["conformance", "examples"].map((folder) => path.join(root, folder));
const guides = globSync("docs/guides/*.md", { cwd: root });

/**
 * Blocks with the fence `typescript`, `astro` or `vue` and a file name at the start. The variant of
 * the app on Next.js has cache components.
 */
const blocks = guides.flatMap((guide) => {
  const text = readFileSync(path.join(root, guide), "utf8");
  const host = path.basename(guide, ".md");
  return Array.from(
    text.matchAll(
      /```(?:typescript|astro|vue)\n(?:\/\/|<!--) ([\w./[\]+-]+\.\w+)( with cache components)?(?: -->)?\n([\s\S]*?)```/g,
    ),
    ([, name = "", variant, code = ""]) => {
      const inHost = path.join(host, variant === undefined ? "" : "variant", name);
      const file = apps.map((app) => path.join(app, inHost)).find((each) => existsSync(each));
      return [path.join(host, name), { file, code }] as const;
    },
  );
});

test.each(blocks)(
  "the guide shows the beginning of the app %s as it is [AD-047]",
  (_, { file, code }) => {
    // What a guide shows beside the example application is not compiled with it.
    expect(file).toBeDefined();
    expect(readFileSync(file ?? "", "utf8").startsWith(code)).toBe(true);
  },
);
