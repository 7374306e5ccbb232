import { stayAwake } from "../measure/awake.ts";
import type { Browser } from "../measure/browser.ts";
import { cpuTimeByRound, type Subject } from "../measure/rounds.ts";
import { type Program, type ProgramName, programs, type SignInPaths } from "../programs.ts";
import type { Testbed } from "../testbed.ts";
import type { Case } from "./case.ts";

/**
 * A whole sign-in: login, the provider (which knows the user), callback with code exchange and ID
 * token. The figure is the CPU time of the app's server, without the page after the sign-in.
 */
export const signIn: Case = {
  name: "sign-in",
  title: "full sign-in, over https to the provider",
  unit: "µs",
  comparisons: [
    { of: "latchkey on Express", to: "express-openid-connect", bar: 0.9 },
    // It also records devices and activity, and writes a log: no peer does.
    { of: "web application", to: "express-openid-connect" },
  ],
  async measure(testbed) {
    const names = ["latchkey on Express", "express-openid-connect", "web application"] as const;
    const subjects = await Promise.all(names.map((name) => subjectOf(testbed, name)));
    const { effort } = testbed;
    // V8 compiles during the first 3,000 sign-ins.
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    for (const subject of subjects) await subject.work(effort.warmUpRequests / 5);
    return cpuTimeByRound(subjects, { ...effort, turnMs: effort.turnMs * 2 });
  },
};

/** Users who sign in at the same time. */
const browserCount = 6;

async function subjectOf(testbed: Testbed, name: ProgramName): Promise<Subject> {
  const { process, origin } = await testbed.open(name);
  const { signIn: paths }: Program = programs[name];
  if (paths === undefined) throw new TypeError(`Nobody signs in at ${name}`);
  const browsers = Array.from({ length: browserCount }, () => testbed.createBrowser());
  return {
    name,
    cpuMicros: async () => (await process.usage()).cpuMicros,
    async work(count) {
      const left = { count };
      const maySleep = stayAwake();
      const all = browsers.map((browser) => signInAgain(browser, { origin, paths }, left));
      await Promise.all(all).finally(maySleep);
    },
  };
}

async function signInAgain(
  browser: Browser,
  { origin, paths }: { readonly origin: string; readonly paths: SignInPaths },
  left: { count: number },
): Promise<void> {
  while (left.count > 0) {
    left.count -= 1;
    browser.forget(origin);
    // oxlint-disable-next-line no-await-in-loop -- one browser signs in once at a time
    await browser.open(origin + paths.login, paths.callback);
  }
}
