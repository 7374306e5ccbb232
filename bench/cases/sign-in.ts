import { stayAwake } from "../measure/awake.ts";
import { type Browser, createBrowser } from "../measure/browser.ts";
import { person } from "../measure/person.ts";
import { cpuTimeByRound, type Subject } from "../measure/rounds.ts";
import { isProgramName, type ProgramName } from "../programs.ts";
import type { Opened, World } from "../world.ts";
import { againstPeers } from "./agreed.ts";
import { type Case, messageOf, namesIn, worthMaking } from "./case.ts";

/**
 * A whole sign-in: login, the provider (which knows the person), callback with code exchange and ID token. Counted
 * is what the relying party spends; the page where it all ends is not.
 */
export const signIn: Case = {
  name: "sign-in",
  async measure(world) {
    const comparisons = worthMaking(world, againstPeers(0.5));
    const remarks: string[] = [];
    const subjects: Subject[] = [];
    for (const name of namesIn(comparisons).filter(isProgramName)) {
      try {
        subjects.push(await subjectOf(world, name));
      } catch (error) {
        remarks.push(`Full sign-in: ${messageOf(error)}`);
      }
    }
    const effort = { ...world.effort, turnMs: world.effort.turnMs * 2 };
    const figures = await cpuTimeByRound(subjects, effort);
    const title = "full sign-in, relying party's share";
    return [{ title, unit: "µs", figures, comparisons, remarks }];
  },
};

/** Several people's browsers at once: nobody's server signs in one after the other. */
const browsersAtOnce = 6;

async function subjectOf(world: World, name: ProgramName): Promise<Subject> {
  const { server, origin, paths } = await world.open(name);
  const browsers = Array.from({ length: browsersAtOnce }, () => createBrowser(person.sub));
  return {
    name,
    cpuMicros: async () => (await server.usage()).cpuMicros,
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
  { origin, paths }: Pick<Opened, "origin" | "paths">,
  left: { count: number },
): Promise<void> {
  while (left.count > 0) {
    left.count -= 1;
    browser.forget(origin);
    await browser.open(origin + paths.login, paths.callback);
  }
}
