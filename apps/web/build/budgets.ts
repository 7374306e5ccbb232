import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

/** What a build may weigh, in bytes after gzip: people pay for it on every first visit. */
const budgets: Readonly<Record<string, number>> = {
  "client/src/client/live.tsx": 80_000,
  "client/src/styles/live-page.css": 6000,
  "client/src/styles/page.css": 4000,
  "inline/inline.js": 3000,
};

/**
 * Weighs what was built.
 *
 * @param dist the folder with everything that was built
 * @throws Error that names what has become too heavy
 */
export function keepBudgets(dist: URL): void {
  const manifest: Readonly<Record<string, { readonly file: string }>> = JSON.parse(
    readFileSync(new URL("client/manifest.json", dist), "utf8"),
  );
  const tooHeavy = Object.entries(budgets).flatMap(([name, budget]) => {
    const file = manifest[name.replace("client/", "")]?.file;
    const place = file === undefined ? name : `client/${file}`;
    const weight = gzipSync(readFileSync(new URL(place, dist)), { level: 9 }).length;
    return weight > budget ? [`${place} weighs ${weight} bytes, its budget is ${budget}.`] : [];
  });
  if (tooHeavy.length > 0) throw new Error(tooHeavy.join("\n"));
}
