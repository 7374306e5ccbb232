/**
 * Two versions behind one balancer: instances of a former commit, built from it, and of this one,
 * with users signed in by either.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import { type Browser, createBrowser } from "../packages/latchkey/test/browser/browser.ts";
import { gather, sendRequests } from "../e2e/crowd.ts";
import { checkBoundSession } from "./bound-session.ts";
import { requirementsOf } from "./deploys.ts";
import { type Site, startSite } from "../e2e/site.ts";
import { reportResult } from "./report.ts";

const root = path.join(import.meta.dirname, "..");
const people = 200;
const signIns = 20;

/** @param ref - a commit, a tag or a branch; its build is kept below `.data/versions` */
export async function soakPrevious(ref: string, requests: number): Promise<void> {
  const former = unpackFormer(ref);
  run("npm", ["run", "build"], former);
  for (const isStateful of [false, true]) {
    // oxlint-disable-next-line no-await-in-loop -- two cores carry one at a time
    await soakOne(former, isStateful, Math.ceil(requests / 2));
  }
}

/** Returns the folder of a former commit, with its dependencies. */
export function unpackFormer(ref: string): string {
  const commit = run("git", ["rev-parse", "--short", `${ref}^{commit}`], root).trim();
  const folder = path.join(root, ".data/versions", commit);
  if (!existsSync(path.join(folder, "node_modules"))) {
    console.log(`Unpacking ${commit} ...`);
    mkdirSync(folder, { recursive: true });
    run("sh", ["-c", `git archive ${commit} | tar -x -C "${folder}"`], root);
    run("npm", ["ci", "--prefer-offline", "--no-audit", "--no-fund"], folder);
  }
  return folder;
}

async function soakOne(former: string, isStateful: boolean, requests: number): Promise<void> {
  const bound = await checkBoundSession(former, isStateful);
  const settings = { LATCHKEY_SESSION_STATEFUL: String(isStateful) };
  const site = await startSite({ settings, checkouts: [former, undefined, former] });
  try {
    const crowd = await gather(site, people, { isStateful });
    const [figures, signedIn] = await Promise.all([
      sendRequests(site, crowd, (sent) => sent < requests),
      signInAndOut(site),
    ]);
    reportResult(
      `${path.basename(former)} beside this version, sessions in ${isStateful ? "the store" : "cookies"}`,
      {
        ...requirementsOf(figures),
        "every sign-in ends at its page, and every sign-out signs out": signedIn === signIns,
        ...bound,
      },
      { ...figures, signIns, signedIn, failures: await site.failures() },
    );
  } finally {
    await site.close();
  }
}

/** Each step of a sign-in meets another instance than the one before. */
async function signInAndOut({ url }: Site): Promise<number> {
  let good = 0;
  for (let count = 0; count < signIns; count += 1) {
    const browser = createBrowser(url);
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    if (await isSignedInAndOut(browser)) good += 1;
  }
  return good;
}

async function isSignedInAndOut(browser: Browser): Promise<boolean> {
  const page = await browser.signIn("/account");
  const copy = await browser.cookies();
  await browser.request("/api/auth/logout");
  const after = await browser.request("/api/auth/me", { headers: { cookie: copy } });
  return page.status === 200 && page.url.pathname === "/account" && after.status === 204;
}

function run(program: string, words: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(program, words, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${words.join(" ")} failed:\n${stdout}${stderr}`);
  return stdout;
}
