/** After a deployment: does each address of the site that a file of the repository names answer? */
import path from "node:path";

import { namedAddresses } from "./named-addresses.ts";

/** Pages become visible some time after their deployment. */
const attempts = 6;
const pauseMs = 10_000;

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

if (import.meta.main) {
  const named = namedAddresses(path.join(import.meta.dirname, "../..")).map(withoutAnchor);
  const addresses = [...new Set(named)];
  let faults = await faultsOf(addresses, fetch);
  for (let attempt = 1; faults.length > 0 && attempt < attempts; attempt++) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    faults = await faultsOf(addresses, fetch);
  }
  for (const fault of faults) console.error(fault);
  console.log(`${addresses.length - faults.length} of ${addresses.length} addresses answer.`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}

function withoutAnchor(address: string): string {
  return address.replace(/#.*$/, "");
}
