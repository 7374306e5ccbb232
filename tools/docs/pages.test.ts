import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";

const root = path.join(import.meta.dirname, "../..");
const unwatched = ["node_modules", "dist", ".data", ".git"];
const exclude = (name: string) => unwatched.includes(path.basename(name));
const files = globSync("**/*", { cwd: root, exclude }).map((name) => name.replaceAll("\\", "/"));
const read = (name: string) => readFileSync(path.join(root, name), "utf8");

const withoutBlocks = (text: string) => text.replace(/^(```+)[\s\S]*?^\1$/gm, "");
const withoutCode = (text: string) => withoutBlocks(text).replace(/`[^`\n]*`/g, "");

/** As GitHub makes them. */
function anchorsOf(page: string): string[] {
  const headings = withoutBlocks(read(page)).match(/^#+ .*$/gm) ?? [];
  return headings.map((heading) =>
    heading
      .replace(/^#+ /, "")
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

describe("links", () => {
  /** Made from what may have changed since: `npm run docs` and `npm run bench` make them anew. */
  const generated = ["docs/conformance.md", "docs/performance.md"];
  const isPage = (name: string) => name.endsWith(".md") && !name.startsWith("bench/");
  const pages = files.filter((name) => isPage(name) && !generated.includes(name));

  test.each(pages)("the links of %s lead to existing files and headings", (page) => {
    const text = withoutCode(read(page));
    const links = [...text.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/g)];
    const broken = links
      .map(([, link, attribute]) => link ?? attribute ?? "")
      .filter((link) => !/^[a-z]+:/.test(link))
      .filter((link) => {
        const [target = "", anchor] = link.split("#");
        const file = target === "" ? page : path.posix.join(path.posix.dirname(page), target);
        if (!files.includes(file)) return true;
        return anchor !== undefined && !anchorsOf(file).includes(anchor);
      });
    expect(broken).toEqual([]);
  });
});

test("the README of the package names every entry point", () => {
  const { exports } = JSON.parse(read("packages/latchkey/package.json")) as {
    readonly exports: Readonly<Record<string, unknown>>;
  };
  const readme = read("packages/latchkey/README.md");
  const names = Object.keys(exports).map((name) => name.replace(/^\.\/?/, ""));
  const missing = names
    .filter((name) => name !== "" && name !== "package.json")
    .filter((name) => !readme.includes(`\`/${name}\``));
  expect(missing).toEqual([]);
});

describe("paths", () => {
  const isThere = (name: string) => {
    const pattern = name.replace(/\/$/, "").replaceAll(".", "\\.").replace(/<\w+>/g, "[^/]+");
    const wanted = new RegExp(`(?:^|/)${pattern}$`);
    return files.some((file) => wanted.test(file));
  };

  test.each(["ARCHITECTURE.md", "CONTRIBUTING.md", "packages/provider/README.md"])(
    "the paths in %s exist",
    (page) => {
      const text = read(page).replace(/\]\([^)]*\)/g, "]");
      const named =
        text.match(
          /(?<![\w*./<>-])\w[\w<>./-]*\.(?:tsx?|mjs|json|md)\b|(?<=`)\w[\w<>./-]*\/(?=`)/g,
        ) ?? [];
      expect(named.length).toBeGreaterThan(1);
      expect(named.filter((name) => !isThere(name))).toEqual([]);
    },
  );
});

describe("decision records", () => {
  const records = files.filter((name) => /^docs\/decisions\/\d{4}-/.test(name)).toSorted();

  test("no two decision records have the same number", () => {
    const numbers = records.map((name) => path.basename(name).slice(0, 4));
    expect(numbers).toEqual([...new Set(numbers)]);
  });

  test("the list of decisions has every title", () => {
    const rows = [
      ...read("docs/decisions/README.md").matchAll(/^\| \[(\d+)\]\((.*?)\) +\| (.*?) +\|$/gm),
    ];
    const listed = rows.map(([, number, file, title]) => [number, file, title]);
    const expected = records.map((name) => {
      const [, number, title] = /^# (\d{4}) (.*)$/m.exec(read(name)) ?? [];
      return [number, path.basename(name), title];
    });
    expect(listed).toEqual(expected);
  });
});
