import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

/** What a build may weigh, in bytes after gzip: people pay for it on every first visit. */
const budgets: readonly { readonly files: readonly string[]; readonly bytes: number }[] = [
  { files: ["client/src/client/live.tsx"], bytes: 80_000 },
  { files: ["client/src/styles/live-page.css"], bytes: 7000 },
  { files: ["client/src/styles/page.css"], bytes: 4000 },
  { files: ["inline-public/script.js"], bytes: 3000 },
  // All that a page for a signed-in person runs on the usual visit.
  { files: ["inline-signed-in/script.js", "client/src/client/watch.ts"], bytes: 5050 },
];

/**
 * Weighs what was built.
 *
 * @param dist the folder with everything that was built
 * @throws Error that names what has become too heavy
 */
export function keepBudgets(dist: URL): void {
  const manifest: Readonly<Record<string, { readonly file: string }>> = Object.assign(
    {},
    ...["manifest.json", "scripts.json"].map((name) =>
      JSON.parse(readFileSync(new URL(`client/${name}`, dist), "utf8")),
    ),
  );
  const weightOf = (name: string) => {
    const file = manifest[name.replace("client/", "")]?.file;
    const place = file === undefined ? name : `client/${file}`;
    return gzipSync(readFileSync(new URL(place, dist)), { level: 9 }).length;
  };
  const tooHeavy = budgets.flatMap(({ files, bytes }) => {
    const weight = files.map(weightOf).reduce((sum, each) => sum + each);
    const names = files.join(" and ");
    return weight > bytes ? [`${names}: ${weight} bytes, the budget is ${bytes}.`] : [];
  });
  if (tooHeavy.length > 0) throw new Error(tooHeavy.join("\n"));
}
