/** The order of the pages. */

export interface Group {
  readonly label: string;
  /** Ids of pages. Before `fillGroups`, `folder/*` stands for the other pages of a folder. */
  readonly pages: readonly string[];
  /** Open on every page; the others are open on their own pages. */
  readonly isOpen?: true;
}

const named = (folder: string, names: string): readonly string[] =>
  names.split(" ").map((name) => `${folder}/${name}`);

const groups: readonly Group[] = [
  {
    label: "Quick start",
    isOpen: true,
    pages: named(
      "guides",
      "next react-router sveltekit astro tanstack-start nuxt nitro express fastify koa hono h3 node-http nestjs workerd serverless web-standard react",
    ),
  },
  {
    label: "What you do next",
    isOpen: true,
    pages: [
      ...named(
        "guides",
        "user calling-an-api api api-alone protecting-pages testing debugging deploying",
      ),
      "doctor",
    ],
  },
  {
    label: "Guides",
    pages: ["options", ...named("guides", "routes your-own-pages stores"), "pages", "guides/*"],
  },
  { label: "Providers", pages: ["guides/providers", "providers/*", "local-provider"] },
  { label: "How it works", pages: ["concepts/*"] },
  { label: "Recipes", pages: ["recipes/*"] },
  {
    label: "Moving to Latchkey",
    pages: ["moving", ...named("guides", "from-nextjs-auth0"), "moving/*", "nextjs-auth0"],
  },
  {
    label: "Running it",
    pages: [
      "guides/operations",
      "guides/kubernetes",
      "guides/web-application",
      "scale",
      "performance",
    ],
  },
  {
    label: "Reference",
    pages: ["reference/*", "errors", "screens", "versions", "changelog"],
  },
  { label: "Errors", pages: ["errors/*"] },
  { label: "Security and choice", pages: ["security", "comparison"] },
  { label: "More", pages: ["*"] },
];

/** Puts every page but the first one into exactly one group. Empty groups are left out. */
export function fillGroups(ids: readonly string[]): readonly Group[] {
  const placed = new Set(["index", ...groups.flatMap(({ pages }) => pages)]);
  const take = (entry: string): readonly string[] => {
    if (!entry.endsWith("*")) return ids.filter((id) => id === entry);
    const taken = ids.filter((id) => id.startsWith(entry.slice(0, -1)) && !placed.has(id));
    for (const id of taken) placed.add(id);
    return taken;
  };
  const filled = groups.map((group) => ({ ...group, pages: group.pages.flatMap(take) }));
  return filled.filter(({ pages }) => pages.length > 0);
}
