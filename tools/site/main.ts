/** `npm run site`: installs what the site needs, builds it, checks its links, and reads it. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { installBrowser } from "../browser/browser.ts";
import { endRunningSteps, report, runStep } from "../check/step.ts";
import type { Step } from "../check/step.ts";
import { asOne, tallyLine } from "../check/tally.ts";
import { onShutdown } from "../on-shutdown.mjs";
import { base } from "./addresses.ts";
import { deadAddresses, faultsOfBuild } from "./built-pages.ts";
import { namedAddresses } from "./named-addresses.ts";
import { readPages } from "./pages.ts";
import { documentedVersion } from "./version.ts";

const root = path.join(import.meta.dirname, "../..");
const site = path.join(root, "site");
const env = { CI: "1", ASTRO_TELEMETRY_DISABLED: "1" };

const quiet = ["--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"];
const installation: Step = {
  name: "installation of the site",
  // Not `npm ci`: it refuses a lock file without the packages for other platforms.
  command: ["npm", "install", "--no-save", ...quiet],
  cwd: site,
};
const steps: readonly Step[] = [
  {
    name: "screens of the theme bench",
    command: ["npm", "run", "build", "--workspace", "@latchkey/pages"],
  },
  { name: "site", command: ["npm", "run", "build"], cwd: site, env },
  { name: "links of the site", command: ["npm", "run", "links"], cwd: site, env },
  {
    name: "stories of the site",
    command: ["playwright", "test", "--project=site", "--reporter=line"],
  },
];

async function passes(step: Step): Promise<boolean> {
  const outcome = await runStep(step);
  report(outcome, "");
  return outcome.exitCode === 0;
}

async function install(): Promise<boolean> {
  const stampFile = path.join(site, "node_modules/.latchkey-installed");
  const lock = readFileSync(path.join(site, "package-lock.json"));
  const stamp = createHash("sha256").update(lock).digest("hex");
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp) return true;
  if (!(await passes(installation))) return false;
  writeFileSync(stampFile, stamp);
  return true;
}

function hasAllPages(): boolean {
  const folder = path.join(site, "dist", base);
  const faults = [
    ...faultsOfBuild(folder, readPages(root), documentedVersion(root)),
    ...deadAddresses(folder, namedAddresses(root)),
  ];
  for (const fault of faults) console.log(`FAILED pages of the site: ${fault}`);
  return faults.length === 0;
}

async function main(): Promise<boolean> {
  if (!(await install())) return false;
  installBrowser();
  for (const step of steps) if (!(await passes(step))) return false;
  return hasAllPages();
}

onShutdown(() => {
  endRunningSteps();
  process.exit(130);
});
const total = asOne({ exitCode: (await main()) ? 0 : 1 });
console.log(tallyLine(total));
process.exitCode = total.failed > 0 ? 1 : 0;
