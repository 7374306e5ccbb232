import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";

import { base, origin } from "./addresses.ts";
import { deadAddresses } from "./built-pages.ts";
import { registryFiles } from "./component-registry.ts";
import { addressesIn, namedAddresses, pagesIn } from "./named-addresses.ts";
import { readPages } from "./pages.ts";
import { redirects } from "./redirects.ts";

const site = origin + base;
const root = path.join(import.meta.dirname, "../..");

test("addresses of the site are found in code and in sentences, with their anchors", () => {
  const text = `more: ${site}guides/operations#clocks "${site}errors/" See ${site}guides/react.`;
  expect(addressesIn(text)).toEqual([
    `${site}guides/operations#clocks`,
    `${site}errors/`,
    `${site}guides/react`,
  ]);
});

test("an address with a variable part is not checked", () => {
  const text = `${site}guides/\${host.id} ${site}errors/#\${name} ${site}r/{name}.json`;
  expect(addressesIn(text)).toEqual([]);
});

test("a page that code names without the site is found, and a module is not", () => {
  const source = `import a from "guides/a"; page: () => "moving/passport", x: "guides/api#scopes"`;
  expect(pagesIn(source)).toEqual(["moving/passport", "guides/api#scopes"]);
});

test("every address that the repository names is a page of the site or leads to one", () => {
  const components = [...registryFiles(root).keys()].map((file) => `r/${file}`);
  const own = ["all-pages", "theme", "llms.txt", "llms-full.txt", ...components];
  const pages = [...readPages(root).map(({ id }) => id), ...Object.keys(redirects), ...own];
  const known = new Set(["", ...pages]);
  const named = namedAddresses(root);
  expect(named.length).toBeGreaterThan(20);
  const unknown = named.filter(
    (address) =>
      !known.has(
        address
          .slice(site.length)
          .replace(/(#.*|\/)$/, "")
          .replace(/\/$/, ""),
      ),
  );
  expect(unknown).toEqual([]);
});

test("a built site has faults for a page and a heading that it lacks", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "site-"));
  mkdirSync(path.join(folder, "guides/a"), { recursive: true });
  writeFileSync(path.join(folder, "guides/a/index.html"), `<h2 id="here">Here</h2>`);
  writeFileSync(path.join(folder, "llms.txt"), "pages");
  const named = ["guides/a", "guides/a/#here", "llms.txt", "guides/a#gone", "guides/b", "guides"];
  const addresses = named.map((name) => site + name);
  expect(deadAddresses(folder, addresses)).toEqual([
    `${site}guides/a#gone has no such heading`,
    `${site}guides/b is no page`,
    `${site}guides is no page`,
  ]);
  rmSync(folder, { recursive: true });
});
