/** After a deployment: does each address of the site that a file of the repository names answer? */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";

import { base, origin } from "./addresses.ts";

const root = path.join(import.meta.dirname, "../..");
/** Pages become visible some time after their deployment. */
const attempts = 6;
const pauseMs = 10_000;

/**
 * Returns the addresses of the site in a text. An address with a variable part ends before it.
 *
 * @param text - any source or document
 */
export function addressesIn(text: string): readonly string[] {
  const site = (origin + base).replaceAll(".", "\\.");
  const found = text.matchAll(new RegExp(`${site}[\\w./-]*(\\$\\{)?`, "g"));
  return [...found]
    .filter(([, variable]) => variable === undefined)
    .map(([address]) => address.replace(/\.$/, ""));
}

/** @returns one line for each address that is not a page */
export async function faultsOf(
  addresses: readonly string[],
  fetch: typeof globalThis.fetch,
): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const address of addresses) {
    const status = await fetch(address).then(
      (response) => response.status,
      (error: unknown) => String(error),
    );
    if (status !== 200) faults.push(`${address}: ${status}`);
  }
  return faults;
}

function addressesOfRepository(): readonly string[] {
  const files = execFileSync(
    "git",
    ["grep", "--files-with-matches", origin + base, "--", ":!*.test.ts"],
    {
      cwd: root,
      encoding: "utf8",
    },
  );
  const texts = files
    .trim()
    .split("\n")
    .map((file) => readFileSync(path.join(root, file), "utf8"));
  return [...new Set(texts.flatMap(addressesIn))].toSorted((a, b) => a.localeCompare(b));
}

if (import.meta.main) {
  const addresses = addressesOfRepository();
  let faults = await faultsOf(addresses, fetch);
  for (let attempt = 1; faults.length > 0 && attempt < attempts; attempt++) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    faults = await faultsOf(addresses, fetch);
  }
  for (const fault of faults) console.error(fault);
  console.log(`${addresses.length - faults.length} of ${addresses.length} addresses answer.`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
