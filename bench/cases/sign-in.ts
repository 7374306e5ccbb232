import { cpuTimeByRound, type Subject } from "../measure/rounds.ts";
import { isProgramName, type ProgramName } from "../programs.ts";
import type { World } from "../world.ts";
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

async function subjectOf({ open, browser }: World, name: ProgramName): Promise<Subject> {
  const { server, origin, paths } = await open(name);
  return {
    name,
    cpuMicros: async () => (await server.usage()).cpuMicros,
    async work(count) {
      for (let each = 0; each < count; each += 1) {
        browser.forget(origin);
        await browser.open(origin + paths.login, paths.callback);
      }
    },
  };
}
